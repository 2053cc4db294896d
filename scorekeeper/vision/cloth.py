"""What is cloth and what is not: the table's colour, even where light falls off, and what differs from it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.geometry import Corners, Image, Points, fit_within, grown
from scorekeeper.vision.outline import long_axes

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

ALIKE = np.array([25, 9, 9], np.float32)
"""Colours (lightness, and two of hue) that differ less are one: light falls off, and cloth has a weave."""
STEP, EDGED, ROUND = 7.0, 0.6, 9
"""A patch whose colour differs by STEP from what is beside it, pixels up to half of ROUND away, along this share of its
edge is no part of the cloth."""
RARE = 0.02
"""A colour that less of the table shows than this share is found nowhere else."""


def outer_part(picture: Floats) -> Mask:
    """The outer third of a picture, where cloth is to be expected around a single card."""
    x, y = _grid(picture)
    return np.asarray(np.maximum(np.abs(x), np.abs(y)) > 0.7, bool)


def from_cloth(lab: Floats, cloth: Mask) -> Floats:
    """How far each pixel (h, w) is from the cloth's colour: a slope over the picture, fitted where *cloth* says."""
    terms, planes = _terms(lab.shape[0], lab.shape[1]), np.stack(cv2.split(lab)).reshape(3, -1)
    outside = chosen = cloth.reshape(-1)
    off = np.zeros(outside.shape, np.float32)
    for _ in range(3):
        some = np.flatnonzero(chosen)[::7]
        rows = terms[:, some].astype(np.float64)
        fit = np.linalg.lstsq(rows @ rows.T, rows @ planes[:, some].T, rcond=None)[0].astype(np.float32)
        off = np.sqrt(np.square(planes - fit.T @ terms).sum(0))
        chosen = outside & (off < max(6.0, 2.5 * float(np.median(off[outside]))))
    return np.asarray(off.reshape(cloth.shape), np.float32)


@lru_cache(maxsize=4)
def _terms(height: int, width: int) -> Floats:
    """The terms (6, height * width) of a slope over a picture."""
    y, x = (axis.reshape(-1) for axis in np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32))
    return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y])


def leftovers(image: Image, quads: Sequence[Corners], *, least_share: float = 0.2) -> list[Floats]:
    """Middles ``x y`` of patches outside all *quads* that are no cloth, larger than *least_share* of a card, and end
    where the colour changes: stripes and clouds of a cloth, and its shades, fade."""
    seen = _off_the_cloth(image, quads)
    if seen is None:
        return []
    lab, off, cloth, scale = seen
    usual = float(np.median(off[cloth]))
    card = float(np.median(long_axes(quads)[2].prod(1))) * scale**2
    odd = ((off > max(16.0, 2.5 * usual)) & cloth).astype(np.uint8)
    brush = max(3, int(0.16 * np.sqrt(card)) | 1)
    patches = cv2.morphologyEx(
        cv2.morphologyEx(odd, cv2.MORPH_CLOSE, np.ones((5, 5))), cv2.MORPH_OPEN, np.ones((brush, brush))
    )
    count, labels, stats, middles = cv2.connectedComponentsWithStats(patches.astype(np.uint8))
    big = [n for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] > least_share * card]
    return [np.asarray(middles[n] / scale, np.float32) for n in big if _edged(lab, labels == n, cloth) > EDGED]


def _edged(lab: Floats, patch: Mask, cloth: Mask) -> float:
    """Along how much of where a patch (h, w) borders on the rest of *cloth* the colour changes at once, 0 to 1."""
    beside = cloth & ~patch
    near = [cv2.blur(part.astype(np.float32), (ROUND, ROUND)) for part in (patch, beside)]
    colours = [
        cv2.blur(lab * part[..., None], (ROUND, ROUND)) / np.maximum(share, 1e-6)[..., None]
        for part, share in zip((patch, beside), near, strict=True)
    ]
    border = patch & (cv2.erode(patch.astype(np.uint8), np.ones((3, 3))) == 0) & (near[1] > 0.2)
    steps = np.linalg.norm(colours[0][border] - colours[1][border], axis=1)
    return float((steps > STEP).mean()) if len(steps) else 1.0


def cloth_within(image: Image, quads: Sequence[Corners], which: Sequence[int]) -> list[float]:
    """Of the quads numbered *which*, how much of what no other one covers has the cloth's colour, 0 to 1; 0 for one of
    which nothing shows."""
    seen = _off_the_cloth(image, quads)
    if seen is None:
        return [0.0] * len(which)
    _, off, cloth, scale = seen
    alike = off <= max(8.0, 3 * float(np.median(off[cloth])))
    shares = []
    for n in which:
        others = [quad * scale for k, quad in enumerate(quads) if k != n]
        mine = ~_outside(alike, [grown(quads[n], 0.9) * scale]) & _outside(alike, others)
        shares.append(float(alike[mine].mean()) if mine.any() else 0.0)
    return shares


def _off_the_cloth(image: Image, quads: Sequence[Corners]) -> tuple[Floats, Floats, Mask, float] | None:
    """The colour of each pixel of *image*, made small, how far it is from the cloth's, which pixels lie in none of
    *quads*, and how small it was made; None where nearly all do."""
    small, scale = fit_within(image, 640)
    cloth = _outside(small, [grown(quad, 1.08) * scale for quad in quads])
    if cloth.mean() < 0.05:
        return None
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.5), cv2.COLOR_BGR2LAB).astype(np.float32)
    lab[..., 0] *= 0.5  # shadows change lightness more than colour
    return lab, from_cloth(lab, cloth), cloth, scale


def _outside(picture: Image | Mask, quads: Sequence[Corners]) -> Mask:
    """(h, w) which pixels of *picture* lie in none of *quads*, in its pixels."""
    taken = np.zeros(picture.shape[:2], np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(taken, np.round(quad).astype(np.int32), 1)
    return np.asarray(taken == 0, bool)


def strange_grounds(image: Image, quads: Sequence[Corners]) -> Floats:
    """(n,) how much of what lies round each of *quads*, 0 to 1, has a colour found nowhere else outside them,
    and not that of the card's paper.

    A card on the table's cloth has little of it, one on a phone's screen nearly all. 0 where other cards leave too
    little to tell.
    """
    small, scale = fit_within(image, 480)
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.2), cv2.COLOR_BGR2LAB).astype(np.float32)
    lab /= ALIKE
    free = _outside(small, [grown(quad, 1.06) * scale for quad in quads])
    y, x = np.mgrid[: lab.shape[0] : 14, : lab.shape[1] : 14].reshape(2, -1)
    y, x = y[free[y, x]], x[free[y, x]]
    grounds = np.zeros(len(quads), np.float32)
    for n, quad in enumerate(quads):
        ring = np.round(_round(quad) * scale).astype(int)
        ring = ring[((ring >= 0) & (ring < lab.shape[1::-1])).all(1)]
        ring = ring[free[ring[:, 1], ring[:, 0]]]
        off = np.stack([x, y], 1) - quad.mean(0) * scale
        far = np.hypot(*off.T) > 0.95 * scale * np.linalg.norm(quad[0] - quad[2])
        if len(ring) >= 8 and far.sum() >= 30:
            colours = lab[ring[:, 1], ring[:, 0]]
            rare = _alike(colours, lab[y[far], x[far]]).mean(1) < RARE
            grounds[n] = (rare & ~_alike(colours, _paper(lab, quad * scale)[None])[:, 0]).mean()
    return grounds


def _alike(some: Floats, others: Floats) -> Mask:
    """(n, m) which colours (n, 3) and (m, 3), in units of ``ALIKE``, are one."""
    return np.asarray(np.abs(some[:, None] - others).max(2) < 1, bool)


def _paper(lab: Floats, quad: Corners) -> Floats:
    """(3,) the colour of a card's paper; lower cards of its pile have it, too."""
    steps = np.linspace(-0.4, 0.4, 9)
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    spots = quad.mean(0) + steps[:, None, None] * across + steps[None, :, None] * down
    x, y = np.clip(np.round(spots.reshape(-1, 2)).astype(int), 0, np.array(lab.shape[1::-1]) - 1).T
    seen = lab[y, x]
    return np.asarray(np.median(seen[np.argsort(-seen[:, 0])[:20]], axis=0), np.float32)


def _round(quad: Corners) -> Points:
    """(24, 2) places round an outline, a little outside it."""
    along, wider = np.linspace(0, 1, 3, endpoint=False)[:, None], [grown(quad, size) for size in (1.12, 1.22)]
    return np.concatenate([side[k] * (1 - along) + side[(k + 1) % 4] * along for side in wider for k in range(4)])


def _grid(picture: Floats) -> tuple[Floats, Floats]:
    height, width = picture.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    return x, y
