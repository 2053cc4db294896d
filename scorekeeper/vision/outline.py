"""Where a card's four edges really are: boxes bent as the camera looks at the table, then drawn to the edges seen.

A detector gives rectangles, but a camera that looks across the table shows cards as skewed quadrilaterals. All cards
are equally large and lie in one plane, so the sizes of the boxes tell how the camera looks at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.geometry import Corners, Image

Floats = npt.NDArray[np.float64]

CARD_MM = (61.0, 88.0)
"""Between a bridge card (57 mm) and a poker card (63.5 mm)."""
MUCH = 1.05
"""An earlier tilt is kept while its misfit is less than so many times the best one's."""


@dataclass(frozen=True, slots=True)
class Tilt:
    """How the camera looks at the table: a pinhole whose axis is turned from the table's upright."""

    middle_px: tuple[float, float]
    focal_px: float
    angle: float
    """Radians; 0 looks straight down."""
    way: float
    """Radians; the direction in the picture in which the table recedes."""
    card_px: float
    """Pixels per millimetre of the table at the middle of the picture."""
    misfit: float
    """Mean disagreement of the boxes' sizes, natural logarithm."""

    def to_table(self, points_px: npt.ArrayLike) -> Floats:
        """Points (n, 2) of the picture in table units: pixels, as at the middle of the picture."""
        return cast(Floats, _to_table(np.asarray(points_px, float), self.middle_px, _view([self]))[0])

    def to_picture(self, points: npt.ArrayLike) -> Floats:
        """Points (n, 2) of the table, in its units, in the picture."""
        return cast(Floats, _to_picture(np.asarray(points, float), self.middle_px, _view([self]))[0])

    def squares(self, middles_px: npt.ArrayLike, side: float) -> Corners:
        """The corners (n, 4, 2) in the picture of squares of the table round *middles_px* (n, 2); *side* is in table
        units."""
        frame = side / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        corners = self.to_table(middles_px)[:, None] + frame
        return cast(Corners, _to_picture(corners, self.middle_px, _view([self])).astype(np.float32))

    def standing(self, quad: Corners) -> Corners:
        """The corners of *quad*, which go round it, beginning with a side that is short on the table."""
        points = self.to_table(quad)
        sides = np.linalg.norm(points - points[[1, 2, 3, 0]], axis=1)
        return quad[[1, 2, 3, 0]] if sides[0] + sides[2] > sides[1] + sides[3] else quad


@dataclass(frozen=True, slots=True)
class _View:
    """Of some tilts, one in each row, so that columns are points."""

    focal: Floats
    """(n, 1)"""
    tilt: tuple[Floats, Floats]
    """Cosine and sine (n, 1) of the angle."""
    way: tuple[Floats, Floats]


def _view(tilts: Sequence[Tilt]) -> _View:
    focal, angle, way = np.array([(tilt.focal_px, tilt.angle, tilt.way) for tilt in tilts]).T[..., None]
    return _View(focal, (np.cos(angle), np.sin(angle)), (np.cos(way), np.sin(way)))


def _to_table(points: Floats, middle: tuple[float, float], view: _View) -> Floats:
    """Points (n or 1, k, 2) of the picture on the table (n, k, 2)."""
    px, py, (c, s), (ca, sa) = points[..., 0] - middle[0], points[..., 1] - middle[1], view.way, view.tilt
    across, down = px * c + py * s, py * c - px * s
    y = down * view.focal / (view.focal * ca + down * sa)
    return np.stack([across * (view.focal - y * sa) / view.focal, y], -1)


def _to_picture(points: Floats, middle: tuple[float, float], view: _View) -> Floats:
    """The inverse of ``_to_table``."""
    (c, s), (ca, sa) = view.way, view.tilt
    near = view.focal / (view.focal - points[..., 1] * sa)
    across, down = points[..., 0] * near, points[..., 1] * ca * near
    return np.stack([across * c - down * s + middle[0], across * s + down * c + middle[1]], -1)


def true_quads(tilts: Sequence[Tilt], boxes_px: Sequence[Corners]) -> Corners:
    """The cards that detector's boxes (each (4, 2)) are around, as their true quadrilaterals (n, 4, 2).

    One tilt of the picture for each box, or one of either for all of the other.
    """
    view, spot = _view(tilts), tilts[0].middle_px
    middle, along, given = long_axes(boxes_px)
    frame = np.stack([along, np.stack([-along[:, 1], along[:, 0]], 1)], 1)  # rows: along, across
    reach = along * given[:, :1] / 4
    ends = _to_table(np.stack([middle - reach, middle + reach, middle], 1), spot, view)
    axis = ends[:, 1] - ends[:, 0]
    axis = (axis / np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-9))[:, None]
    side, centre = np.stack([-axis[..., 1], axis[..., 0]], -1), ends[:, 2:]
    scale = np.array([tilt.card_px for tilt in tilts])[:, None]
    high, wide = CARD_MM[1] * scale, CARD_MM[0] * scale
    shape = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    for _ in range(3):  # until the rectangle around the card is the box given
        corners = _to_picture(
            centre + shape[:, :1] * wide[:, None] * side + shape[:, 1:] * high[:, None] * axis, spot, view
        )
        seen = corners @ frame.transpose(0, 2, 1)
        low, top = seen.min(1), seen.max(1)
        factors = np.clip(given / (top - low), 0.7, 1.4)
        high, wide = high * factors[:, :1], wide * factors[:, 1:]
        off = middle - ((low + top)[:, None] / 2 @ frame)[:, 0]
        centre = _to_table(_to_picture(centre, spot, view) + off[:, None], spot, view)
    return corners.astype(np.float32)


def long_axis(corners_px: Corners) -> tuple[Floats, Floats, float, float]:
    """Middle, unit vector along the long sides, length and width of a box."""
    middles, along, sizes = long_axes(np.asarray(corners_px)[None])
    return middles[0], along[0], float(sizes[0, 0]), float(sizes[0, 1])


def long_axes(boxes_px: npt.ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Middles (n, 2), unit vectors along the long sides (n, 2), lengths and widths (n, 2) of boxes (n, 4, 2)."""
    points = np.asarray(boxes_px, float).reshape(-1, 4, 2)
    sides = points[:, 1:3] - points[:, :2]
    lengths = np.hypot(sides[..., 0], sides[..., 1])
    turned = lengths[:, 1] > lengths[:, 0]
    along = np.where(turned[:, None], sides[:, 1], sides[:, 0])
    sizes = np.where(turned[:, None], lengths[:, ::-1], lengths)
    return points.mean(1), along / np.maximum(sizes[:, :1], 1e-6), sizes


def find_tilt(boxes_px: Sequence[Corners], picture_size: tuple[int, int], rather: Tilt | None = None) -> Tilt:
    """The tilt that explains best how large the boxes (each (4, 2)) are, in a picture of (height, width).

    *rather*, an earlier one of the same camera, is kept where none explains them much better.
    """
    height, width = picture_size
    middle = (width / 2, height / 2)
    middles, along, lengths = long_axes(boxes_px)
    centres, sizes = middles - middle, np.log(np.maximum(lengths, 1.0))
    angles, ways = np.deg2rad(np.arange(0, 51, 5)), np.deg2rad(np.arange(0, 360, 15))
    best = (np.inf, 0.0, 0.0, 1.0, 1.0)
    for focal in (0.75 * max(height, width), 1.2 * max(height, width)):
        best = min(best, _search(centres, along, sizes, focal, angles, ways))
    _, angle, way, focal, _ = best
    near_angles = np.clip(angle + np.deg2rad(np.arange(-4, 5, 2)), 0, None)
    best = min(best, _search(centres, along, sizes, focal, near_angles, way + np.deg2rad(np.arange(-12, 13, 4))))
    misfit, angle, way, focal, scale = best
    if rather is not None:
        kept = np.array([rather.angle]), np.array([rather.way])
        if _search(centres, along, sizes, rather.focal_px, *kept)[0] < MUCH * misfit:
            return rather
    return Tilt(middle, focal, angle, way, scale, misfit)


def sizes_of(
    quads: Sequence[Corners], picture_size: tuple[int, int], clear: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """How large each outline is on the table, 1 is the median of the *clear* ones; *picture_size* is height, width."""
    tilt = find_tilt([quad for quad, good in zip(quads, clear, strict=True) if good], picture_size)
    lying = tilt.to_table(np.concatenate(quads)).astype(np.float32).reshape(-1, 4, 2)
    areas = np.array([abs(cv2.contourArea(quad)) for quad in lying])
    return np.asarray(areas / max(float(np.median(areas[clear])), 1e-6), np.float64)


def _search(
    centres: Floats, along: Floats, sizes: Floats, focal: float, angles: Floats, ways: Floats
) -> tuple[float, float, float, float, float]:
    """Misfit, angle, way, focal length and scale of the best tilt of a grid; boxes are rows."""
    angle, way = (grid.reshape(-1, 1) for grid in np.meshgrid(angles, ways, indexing="ij"))
    c, s, ca, sa = np.cos(way), np.sin(way), np.cos(angle), np.sin(angle)
    px, py = centres[:, 0] * c + centres[:, 1] * s, centres[:, 1] * c - centres[:, 0] * s
    ax, ay = along[:, 0] * c + along[:, 1] * s, along[:, 1] * c - along[:, 0] * s
    y = py * focal / np.maximum(focal * ca + py * sa, 0.05 * focal)
    depth = np.maximum(focal - y * sa, 0.05 * focal)
    x = px * depth / focal
    xx, xy, yy = focal / depth, focal * x * sa / depth**2, focal**2 * ca / depth**2  # how table steps look
    ty = ay / yy
    tx = (ax - xy * ty) / xx
    norm = np.hypot(tx, ty)
    tx, ty = tx / norm, ty / norm
    high = np.hypot(xx * tx + xy * ty, yy * ty) * CARD_MM[1]
    vx, vy = (xx * -ty + xy * tx) * CARD_MM[0], yy * tx * CARD_MM[0]
    lean = np.abs(vx * ax + vy * ay)
    looks = np.log(np.stack([high + lean, np.abs(vx * ay - vy * ax)], -1))
    scale = np.median(sizes - looks, axis=(1, 2), keepdims=True)
    misfits = np.minimum(np.abs(sizes - looks - scale), 0.3).mean(axis=(1, 2)) + 0.02 * angle[:, 0] / np.sqrt(
        len(sizes)
    )
    k = int(np.argmin(misfits))
    return float(misfits[k]), float(angle[k, 0]), float(way[k, 0]), focal, float(np.exp(scale[k, 0, 0]))


def snapped(image: Image, quad: Corners, covers: Sequence[Corners] = (), *, reach: float = 0.045) -> Corners:
    """*quad* with each side moved and turned to the strongest straight edge within *reach* of the card's height.

    Parts of a side inside one of *covers* are not looked at; a side that is mostly covered stays.
    """
    reach_px = reach * float(np.linalg.norm(quad[1] - quad[2]) + np.linalg.norm(quad[0] - quad[3])) / 2
    starts, ends, outs = sides_of(quad)
    points = starts[:, None] + SIDE_SHARES[:, None] * (ends - starts)[:, None]
    free = ~covered(points.reshape(-1, 2), covers).reshape(4, -1)
    moves = _edge_moves(image, points, outs * reach_px, free) * (free.mean(1) > 0.4)[:, None]
    firsts, lasts = (reach_px * moves[:, k : k + 1] * outs for k in (0, 1))
    lines = list(zip(starts + firsts, ends + lasts, strict=True))
    corners = [_crossing(lines[k - 1], lines[k]) for k in range(4)]
    moved = np.array([old if new is None else new for old, new in zip(quad, corners, strict=True)], np.float32)
    return cast(Corners, np.where(np.linalg.norm(moved - quad, axis=1, keepdims=True) < 3 * reach_px, moved, quad))


def sides_of(quad: Corners) -> tuple[Floats, Floats, Floats]:
    """Starts, ends and outward unit vectors (4, 2) of a card's sides."""
    starts = quad.astype(float)
    ends = starts[[1, 2, 3, 0]]
    along = (ends - starts)[:, ::-1] * (1.0, -1.0)
    outs = along / np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-6)[:, None]
    inward = ((starts.mean(0) - starts) * outs).sum(1) > 0
    return starts, ends, np.where(inward[:, None], -outs, outs)


def covered(points: npt.NDArray[np.floating], covers: Sequence[Corners]) -> npt.NDArray[np.bool_]:
    """Which points (n, 2) lie inside one of the convex shapes (4, 2)."""
    inside = np.zeros(len(points), bool)
    for cover in covers:
        a = np.asarray(cover, float)
        b = a[[*range(1, len(a)), 0]] - a
        turns = b[:, 0] * (points[:, None, 1] - a[:, 1]) - b[:, 1] * (points[:, None, 0] - a[:, 0])
        inside |= (turns > 0).all(1) | (turns < 0).all(1)
    return inside


SIDE_SHARES = np.linspace(0.08, 0.92, 40)
"""Where along a side its edge is looked at; the corners are round."""
STEPS = 25
"""Offsets looked at across a side."""


def _slants() -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Columns (slants, samples) that a straight edge passes, its two ends (slants, 2) in -1..1, and its weight."""
    last = STEPS - 3
    ends = np.array([(n, f) for n in range(last + 1) for f in range(max(0, n - 4), min(last, n + 4) + 1)])
    share = (SIDE_SHARES - SIDE_SHARES[0]) / (SIDE_SHARES[-1] - SIDE_SHARES[0])
    columns = np.round(ends[:, :1] + (ends[:, 1:] - ends[:, :1]) * share).astype(np.intp)
    moves = (ends - last / 2) / ((STEPS - 1) / 2)
    return columns, moves, 1 - 0.25 * (moves**2).sum(1)


_COLUMNS, _MOVES, _WEIGHTS = _slants()


def _edge_moves(image: Image, points: Floats, outs: Floats, free: npt.NDArray[np.bool_]) -> Floats:
    """How far (in *outs*) the two ends of each side have to move to lie on the strongest edge nearby: (sides, 2).

    A side is sampled at *points* (sides, samples, 2), of which some are *free*.
    """
    across = points[:, :, None] + np.linspace(-1, 1, STEPS)[:, None] * outs[:, None, None]
    rise = _rises(image, across) * free[:, :, None, None]
    by_sample = np.ascontiguousarray(rise.transpose(1, 2, 0, 3))
    along = by_sample[np.arange(len(SIDE_SHARES)), _COLUMNS].sum(1) / np.maximum(free.sum(1), 1)[:, None]
    strength = np.linalg.norm(along, axis=2) * _WEIGHTS[:, None]
    best = strength.argmax(0)
    return cast(Floats, _MOVES[best] * (strength.max(0) > 4)[:, None])


def _rises(image: Image, across: Floats) -> npt.NDArray[np.float32]:
    """How the picture changes along rows of points (..., steps, 2), smoothed: (..., steps - 2, 3) grey levels."""
    flat = across.reshape(-1, across.shape[-2], 2).astype(np.float32)
    seen = cv2.remap(image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    step = cv2.blur(seen.astype(np.float32), (3, 1))
    return (step[:, 2:] - step[:, :-2]).reshape(*across.shape[:-2], -1, 3)


def edge_strength(image: Image, quad: Corners) -> float:
    """By how many grey levels the picture changes along all four sides; the weakest side counts most."""
    return float(edge_strengths(image, quad[None])[0])


def edge_strengths(image: Image, quads: Corners) -> Floats:
    """The same of each of some outlines (n, 4, 2)."""
    strengths = _strengths(image, quads.reshape(-1, 2), quads[:, [1, 2, 3, 0]].reshape(-1, 2)).reshape(-1, 4)
    return cast(Floats, 0.7 * strengths.min(1) + 0.3 * strengths.mean(1))


def side_strength(image: Image, start: npt.NDArray[np.float32], end: npt.NDArray[np.float32]) -> float:
    """By how many grey levels the picture changes across the line from *start* to *end*."""
    return float(_strengths(image, start[None], end[None])[0])


def _strengths(image: Image, starts: Corners, ends: Corners) -> Floats:
    """By how many grey levels the picture changes across each of some lines (n, 2)."""
    a, along = starts.astype(float), ends.astype(float) - starts
    out = np.stack([along[:, 1], -along[:, 0]], 1) * 0.012
    middles = a[:, None] + SIDE_SHARES[:, None] * along[:, None]
    points = (middles[:, :, None] + np.array([-1.0, 1.0])[:, None] * out[:, None, None]).astype(np.float32)
    flat = points.reshape(-1, 2, 2)
    seen = cv2.remap(image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    steps = seen.astype(np.float32).reshape(len(a), -1, 2, 3)
    return cast(Floats, np.linalg.norm((steps[:, :, 1] - steps[:, :, 0]).mean(1), axis=1))


def _crossing(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> Floats | None:
    """Where two lines meet; None when they are nearly parallel."""
    (p, q), (r, t) = first, second
    u, v = q - p, t - r
    det = u[0] * v[1] - u[1] * v[0]
    if abs(det) < 1e-6 * max(float(np.linalg.norm(u) * np.linalg.norm(v)), 1e-9):
        return None
    w = r - p
    return cast(Floats, p + u * ((w[0] * v[1] - w[1] * v[0]) / det))
