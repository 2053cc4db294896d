"""What is cloth and what is not: the table's colour, even where light falls off, and what differs from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.geometry import Boxes, Corners, Image, Points, fit_within, grown

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

SMALL = 640
"""Cloth is looked at in a picture whose longer side has so many pixels."""
ALIKE = np.array([25, 9, 9], np.float32)
"""Colours (lightness, and two of hue) that differ less are one: light falls off, and cloth has a weave."""
CLEAR_OF = 1.08
"""So much of a card, and more of what lies round it, is not looked at: outlines are not exact."""
RARE = 0.02
"""A colour that less of the table shows than this share is found nowhere else: ..."""
BEYOND = 1.9
"""... farther from a card's middle than this, in its diagonals, so that most of a phone round it is left out."""
AROUND, LEAST_GROUND = 0.9, 0.15
"""The ground round a card is what lies less than so many of its width and height from its middle; less of it than this
share of the card tells nothing."""


SHADES = np.array([0.5, 1, 1], np.float32)
"""Shadows change lightness more than colour."""


def colours_of(image: Image, blur: float = 1.5) -> Floats:
    """(h, w, 3) lightness and the two of hue (Lab) of *image*, made even over so many pixels."""
    return cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), blur), cv2.COLOR_BGR2LAB).astype(np.float32)


def outer_part(picture: Floats) -> Mask:
    """The outer third of a picture, where cloth is to be expected around a single card."""
    x, y = _grid(picture)
    return np.asarray(np.maximum(np.abs(x), np.abs(y)) > 0.7, bool)


def from_cloth(lab: Floats, cloth: Mask) -> Floats:
    """How far each pixel (h, w) is from the cloth's colour: a slope over the picture, fitted where *cloth* says."""
    return _off(lab, _slope(lab, cloth))


def _slope(lab: Floats, cloth: Mask) -> Floats:
    """(3, 6) the colour of the *cloth* by the terms of a slope over the picture."""
    terms, planes = _terms(lab.shape[0], lab.shape[1]), np.stack(cv2.split(lab)).reshape(3, -1)
    some = np.flatnonzero(cloth)[::7]
    rows, colours = terms[:, some].astype(np.float64), planes[:, some].astype(np.float64)
    chosen, slope = np.ones(len(some)), np.zeros((3, 6))
    for _ in range(3):
        kept = rows * chosen
        slope = np.asarray(np.linalg.lstsq(kept @ rows.T, kept @ colours.T, rcond=None)[0].T)
        off = np.linalg.norm(slope @ rows - colours, axis=0)
        chosen = (off < max(6.0, 2.5 * float(np.median(off)))).astype(np.float64)
    return slope.astype(np.float32)


def _off(lab: Floats, slope: Floats) -> Floats:
    """(h, w) how far each pixel is from the colour that *slope* has there."""
    planes = np.stack(cv2.split(lab)).reshape(3, -1)
    off = np.linalg.norm(slope @ _terms(lab.shape[0], lab.shape[1]) - planes, axis=0)
    return np.asarray(off.reshape(lab.shape[:2]), np.float32)


@lru_cache(maxsize=4)
def _terms(height: int, width: int) -> Floats:
    """The terms (6, height * width) of a slope over a picture."""
    y, x = (axis.reshape(-1) for axis in np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32))
    return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y])


@dataclass(frozen=True, slots=True)
class Cloth:
    """A picture, made small, and how far each of its pixels is from the table's colour."""

    off: Floats
    """(h, w)"""
    usual: float
    """How far the cloth itself is, in the middle."""
    slope: Floats
    """(3, 6) its colour, by the terms of a slope over the picture."""

    @classmethod
    def of(cls, image: Image, quads: Sequence[Corners]) -> Self | None:
        """The cloth that lies outside all *quads* of *image*; None where they leave hardly any."""
        small, scale = fit_within(image, SMALL)
        cloth = _outside(small, [grown(quad, CLEAR_OF) * scale for quad in quads])
        if cloth.mean() < 0.05:
            return None
        lab = colours_of(small) * SHADES
        slope = _slope(lab, cloth)
        off = _off(lab, slope)
        return cls(off, float(np.median(off[cloth])), slope)

    def changed(self, image: Image, boxes_px: Boxes) -> Self:
        """The same cloth where the picture is *image* now, which differs only in the upright *boxes_px*."""
        small, scale = fit_within(image, SMALL)
        off, now = self.off.copy(), _off(colours_of(small) * SHADES, self.slope)
        for left, top, right, bottom in np.round(boxes_px * scale).astype(int).tolist():
            off[max(top, 0) : bottom, max(left, 0) : right] = now[max(top, 0) : bottom, max(left, 0) : right]
        return replace(self, off=off)


def _outside(picture: Image | Mask | Floats, quads: Sequence[Corners] | Points) -> Mask:
    """(h, w) which pixels of *picture* lie in none of *quads*, in its pixels."""
    taken = np.zeros(picture.shape[:2], np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(taken, np.round(quad).astype(np.int32), 1)
    return np.asarray(taken == 0, bool)


def strange_grounds(image: Image, quads: Sequence[Corners]) -> Floats:
    """(n,) how much of what lies round each of *quads*, 0 to 1, has a colour found nowhere else outside them, and not
    that of the card's paper.

    A card on the table's cloth has little of it, one on a phone's screen nearly all. 0 where other cards leave too
    little to tell.
    """
    if len(quads) < 2:
        return np.zeros(len(quads), np.float32)
    small, scale = fit_within(image, 480)
    lab, outlines = colours_of(small, 1.2) / ALIKE, np.stack(quads) * np.float32(scale)
    free = _outside(small, grown(outlines, 1.06))
    y, x = np.mgrid[: lab.shape[0] : 14, : lab.shape[1] : 14].reshape(2, -1)
    y, x = y[free[y, x]], x[free[y, x]]
    table, papers, rings = lab[y, x], _papers(lab, outlines), np.round(_round(outlines)).astype(int)
    reach = BEYOND * np.linalg.norm(outlines[:, 0] - outlines[:, 2], axis=1)
    grounds = np.zeros(len(quads), np.float32)
    for n, (outline, ring) in enumerate(zip(outlines, rings, strict=True)):
        ring = ring[((ring >= 0) & (ring < lab.shape[1::-1])).all(1)]
        ring = ring[free[ring[:, 1], ring[:, 0]]]
        middle = outline.mean(0)
        far = np.hypot(x - middle[0], y - middle[1]) > reach[n]
        if len(ring) >= 8 and far.sum() >= 30:
            colours = lab[ring[:, 1], ring[:, 0]]
            rare = _alike(colours, table[far]).mean(1) < RARE
            grounds[n] = (rare & ~_alike(colours, papers[n : n + 1])[:, 0]).mean()
    return grounds


def like_its_ground(image: Image, quad: Corners, others: Sequence[Corners]) -> float:
    """How much of what lies in *quad* has the colours of what lies round it, outside all *others*, 0 to 1; 0 where they
    leave too little to tell."""
    reach = AROUND * np.ptp(quad, axis=0)
    low = np.maximum(quad.mean(0) - reach, 0).astype(int)
    high = np.minimum(quad.mean(0) + reach + 1, image.shape[1::-1]).astype(int)
    window = image[low[1] : high[1], low[0] : high[0]]
    lab = np.asarray(cv2.cvtColor(cv2.GaussianBlur(window, (0, 0), 1.0), cv2.COLOR_BGR2LAB), np.uint8)
    inside = ~_outside(lab, [grown(quad, 0.9) - low])
    ground = _outside(lab, [grown(each, 1.1) - low for each in (quad, *others)])
    if ground.sum() < LEAST_GROUND * inside.sum():
        return 0.0
    shares = []
    for part in (inside, ground):
        counts = cv2.calcHist([lab], [0, 1, 2], part.astype(np.uint8), [16, 16, 16], [0, 256] * 3)
        shares.append(counts / max(float(part.sum()), 1.0))
    return float(np.minimum(*shares).sum())


def _alike(some: Floats, others: Floats) -> Mask:
    """(n, m) which colours (n, 3) and (m, 3), in units of ``ALIKE``, are one."""
    lightness, green, blue = (np.abs(some[:, None, k] - others[:, k]) < 1 for k in range(3))
    return np.asarray(lightness & green & blue, bool)


def _papers(lab: Floats, quads: Points) -> Floats:
    """(n, 3) the colour of the paper of cards in *quads* (n, 4, 2); lower cards of a pile have its top's, too."""
    shares = np.linspace(-0.4, 0.4, 9, dtype=np.float32)
    across, down = ((quads[:, k] - quads[:, 0])[:, None, None] for k in (1, 3))
    spots = quads.mean(1)[:, None, None] + shares[:, None, None] * across + shares[:, None] * down
    x, y = np.clip(np.round(spots.reshape(-1, 2)).astype(int), 0, np.array(lab.shape[1::-1]) - 1).T
    seen = lab[y, x].reshape(len(quads), -1, 3)
    brightest = np.argsort(-seen[..., 0], axis=1)[:, :20]
    return np.asarray(np.median(np.take_along_axis(seen, brightest[..., None], 1), axis=1), np.float32)


def _round(quads: Points) -> Points:
    """(n, 24, 2) places round outlines (n, 4, 2), a little outside them."""
    along = np.linspace(0, 1, 3, endpoint=False, dtype=np.float32)[:, None]
    wider = [grown(quads, size) for size in (1.12, 1.22)]
    sides = [side[:, k, None] * (1 - along) + side[:, (k + 1) % 4, None] * along for side in wider for k in range(4)]
    return np.concatenate(sides, axis=1)


def _grid(picture: Floats) -> tuple[Floats, Floats]:
    height, width = picture.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    return x, y
