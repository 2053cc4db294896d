"""Where a card may lie that nobody outlined: card-shaped places that explain what is neither cloth nor a known card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.cloth import Cloth, Mask
from scorekeeper.vision.geometry import Corners, Points
from scorekeeper.vision.outline import CARD_MM, Tilt

Floats = npt.NDArray[np.float32]

LONG = 20
"""How long a card is, in pixels of the table seen from above, in which places are looked for, ..."""
CARD = (LONG * CARD_MM[0] / CARD_MM[1], float(LONG))
"""... and how wide and long."""
TURN = 10
"""Degrees between the ways a card is tried."""
COVERED, ROUND = 2.0, 0.5
"""Cloth in a card's place costs so many times what else is seen there wins, as shares of the card; cloth all round it,
which says that it ends there, wins so much."""
BESIDE = (1.06, 1.22)
"""How many times as large as the card what lies round it is, from within to without."""
SEEN = 0.25
"""Of a card so much is seen, at least."""
LEAST = 0.3
"""A place that wins less than this explains nothing."""
MOST = 32
"""So many places are told, the best first, ..."""
APART, ASKEW = 0.3, 25
"""... none of which lies nearer to a better one than so many lengths and is turned from it by less than so many
degrees."""
MARGIN = 1.0
"""Table that is looked at beyond the known outlines, in lengths of a card."""


@dataclass(frozen=True, slots=True)
class _Above:
    """The table seen from above, a card LONG pixels long."""

    low: npt.NDArray[np.float64]
    """Its left and top, in the tilt's units of the table."""
    step: float
    """Those units in a pixel."""
    size: tuple[int, int]
    """Width and height."""

    @classmethod
    def of(cls, tilt: Tilt, quads: Sequence[Corners], length: float) -> _Above:
        """What lies round *quads* of a picture; cards are *length* long on the table."""
        spots, step = tilt.to_table(np.concatenate(quads)), length / LONG
        low, high = spots.min(0) - MARGIN * length, spots.max(0) + MARGIN * length
        width, height = np.ceil((high - low) / step).astype(int).tolist()
        return cls(low, step, (width, height))

    def seen(self, tilt: Tilt, scale: float, parts: Sequence[npt.NDArray[np.bool_]]) -> list[Floats]:
        """Masks (h, w) of a picture made small by *scale*, seen so; beyond the picture there is nothing."""
        y, x = np.mgrid[: self.size[1], : self.size[0]].reshape(2, -1)
        spots = tilt.to_picture(self.low + self.step * np.stack([x, y], 1)) * scale
        x, y = spots.astype(np.float32).T.reshape(2, self.size[1], self.size[0])
        masks = (part.astype(np.float32) for part in parts)
        return [np.asarray(cv2.remap(mask, x, y, cv2.INTER_LINEAR), np.float32) for mask in masks]


@lru_cache(maxsize=1)
def _shapes() -> list[tuple[float, Floats, Floats]]:
    """The ways a card may lie: its turn in degrees, its place, and what lies round it, each with a sum of 1."""
    side, fine = int(np.ceil(BESIDE[1] * np.hypot(*CARD))) | 1, 8

    def filled(turn: float, grown: float) -> Floats:
        corners = cv2.boxPoints(((0, 0), (CARD[0] * grown * fine, CARD[1] * grown * fine), turn)) + side * fine / 2
        large = cv2.fillConvexPoly(np.zeros((side * fine, side * fine), np.float32), np.round(corners).astype(int), 1.0)
        return np.asarray(cv2.resize(large, (side, side), interpolation=cv2.INTER_AREA), np.float32)

    shapes = []
    for turn in np.arange(0, 180, TURN).tolist():
        card, round_it = filled(turn, 1.0), filled(turn, BESIDE[1]) - filled(turn, BESIDE[0])
        shapes.append((float(turn), card / card.sum(), round_it / round_it.sum()))
    return shapes


def rooms(
    cloth: Cloth, tilt: Tilt, length: float, settled: Points, about: Sequence[Corners], odd_in: Mask | None = None
) -> Corners:
    """Outlines (n, 4, 2) of places where a card may lie beside and under the *settled* ones (k, 4, 2), best first.

    They are looked for where the outlines *about* lie; *length* is how long cards are, in the *tilt*'s units. What is
    *odd_in* the settled ones (h, w), as the cloth is, where that is known, may be another card that lies on them.
    """
    odd, bare = cloth.odd_and_bare(settled)
    if odd_in is not None:
        odd = odd | odd_in
    above = _Above.of(tilt, about, length)
    unknown, empty = above.seen(tilt, cloth.scale, (odd, bare))
    left, top, right, bottom = _enough(unknown)
    unknown, empty = unknown[top:bottom, left:right], empty[top:bottom, left:right]
    if not unknown.size:
        return np.zeros((0, 4, 2), np.float32)
    seen = np.stack([_sums(unknown, card) for _, card, _ in _shapes()])
    wins = seen + np.stack([_sums(empty, ROUND * around - COVERED * card) for _, card, around in _shapes()])
    wins[seen < SEEN] = 0
    found: list[Corners] = []
    near, turned = int(APART * LONG), round(ASKEW / TURN)
    while len(found) < MOST and wins.max() > LEAST:
        way, y, x = (int(k) for k in np.unravel_index(int(wins.argmax()), wins.shape))
        corners = cv2.boxPoints(((float(left + x), float(top + y)), CARD, _shapes()[way][0]))
        found.append(np.asarray(tilt.to_picture(above.low + above.step * corners), np.float32))
        ways = np.arange(way - turned, way + turned + 1) % len(wins)
        wins[ways, max(0, y - near) : y + near + 1, max(0, x - near) : x + near + 1] = 0
    return np.array(found, np.float32).reshape(-1, 4, 2)


def _enough(unknown: Floats) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what lies round all places of which enough is *unknown* (h, w) for a card."""
    side = _shapes()[0][1].shape[0]
    sums = cv2.boxFilter(unknown, -1, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT)
    y, x = np.nonzero(sums >= 0.9 * SEEN * CARD[0] * CARD[1])  # a card's pixels are no whole ones
    if not len(x):
        return 0, 0, 0, 0
    low, high = np.maximum(np.array([x.min(), y.min()]) - side, 0), np.array([x.max(), y.max()]) + side + 1
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _sums(part: Floats, weights: Floats) -> Floats:
    """What *part* (h, w) has round each pixel, by *weights*; beyond it there is nothing."""
    return np.asarray(cv2.filter2D(part, -1, weights, borderType=cv2.BORDER_CONSTANT), np.float32)
