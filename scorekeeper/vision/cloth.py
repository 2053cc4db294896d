"""What is cloth and what is not: the table's colour, even where light falls off, and what differs from it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.geometry import Corners, Image, fit_within
from scorekeeper.vision.outline import long_axes

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


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
    """Middles ``x y`` of patches outside all *quads* that are no cloth and larger than *least_share* of a card."""
    small, scale = fit_within(image, 640)
    taken = np.zeros(small.shape[:2], np.uint8)
    for quad in quads:
        grown = quad.mean(0) + 1.08 * (quad - quad.mean(0))
        cv2.fillConvexPoly(taken, np.round(grown * scale).astype(np.int32), 1)
    cloth = taken == 0
    if cloth.mean() < 0.05:
        return []
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.5), cv2.COLOR_BGR2LAB).astype(np.float32)
    lab[..., 0] *= 0.5  # shadows change lightness more than colour
    off = from_cloth(lab, cloth)
    usual = float(np.median(off[cloth]))
    card = float(np.median(long_axes(quads)[2].prod(1))) * scale**2
    odd = ((off > max(16.0, 5.0 * usual)) & cloth).astype(np.uint8)
    brush = max(3, int(0.16 * np.sqrt(card)) | 1)
    odd = cv2.morphologyEx(
        cv2.morphologyEx(odd, cv2.MORPH_CLOSE, np.ones((5, 5))), cv2.MORPH_OPEN, np.ones((brush, brush))
    )
    count, _, stats, middles = cv2.connectedComponentsWithStats(odd.astype(np.uint8))
    big = [n for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] > least_share * card]
    return [np.asarray(middles[n] / scale, np.float32) for n in big]


def _grid(picture: Floats) -> tuple[Floats, Floats]:
    height, width = picture.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    return x, y
