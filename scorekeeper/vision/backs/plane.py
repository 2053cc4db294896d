"""The plane in which all cards lie: each is a rectangle there, and those of one deck are equally large."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from scorekeeper.vision.geometry import Points
from scorekeeper.vision.outline import MUCH, Tilt

Floats = npt.NDArray[np.float64]

SHAPE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
"""Corners of a card, in its widths and heights, in the order of an upright quad."""
LEAST = 3
"""So many cards of a deck tell its size; of fewer all cards do."""
SLACK = 0.03
"""Corners that are off by more, in lengths of a card, count less (Huber)."""
FOCAL_WEIGHT = 0.05
"""How strongly the focal length stays what it was; a flat view hardly tells it."""
STEPS, NUDGE, ENOUGH = 12, 1e-4, 1e-4
"""So many steps at most, each by slopes over such a nudge, until one wins a smaller share of the squared misfit."""


@dataclass(frozen=True, slots=True)
class Lying:
    """Rectangles on the table; arrays go in parallel."""

    middles: Floats
    """(n, 2)"""
    along: Floats
    """(n, 2) unit vectors along the long sides."""
    across: Floats
    """(n, 2) unit vectors along the short sides."""
    sizes: Floats
    """(n, 2) widths and heights."""

    @classmethod
    def of(cls, corners: Floats) -> Lying:
        """The rectangles nearest to quadrilaterals (n, 4, 2) of the table, each beginning with a short side."""
        across = (corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 2
        along = (corners[:, 2] + corners[:, 3] - corners[:, 0] - corners[:, 1]) / 2
        turned = np.stack([-across[:, 1], across[:, 0]], 1)
        hand = np.where((turned * along).sum(1, keepdims=True) < 0, -1.0, 1.0)
        axis = along + hand * turned
        axis /= np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-9)
        side = hand * np.stack([axis[:, 1], -axis[:, 0]], 1)
        sizes = np.stack([(across * side).sum(1), (along * axis).sum(1)], 1)
        return cls(corners.mean(1), axis, side, sizes)

    def corners(self) -> Floats:
        """(n, 4, 2)"""
        wide, high = self.sizes[:, :1, None], self.sizes[:, 1:, None]
        return (
            self.middles[:, None]
            + SHAPE[:, :1] * wide * self.across[:, None]
            + SHAPE[:, 1:] * high * self.along[:, None]
        )


def lying(tilt: Tilt, quads: Points) -> Lying:
    """Outlines (n, 4, 2) of the picture as rectangles of the table."""
    return Lying.of(tilt.to_table(quads.reshape(-1, 2)).reshape(-1, 4, 2))


def in_picture(tilt: Tilt, cards: Lying) -> Points:
    """Rectangles of the table as outlines (n, 4, 2) of the picture."""
    return tilt.to_picture(cards.corners().reshape(-1, 2)).reshape(-1, 4, 2).astype(np.float32)


def sizes_by(cards: Lying, groups: npt.NDArray[np.intp], known: npt.NDArray[np.bool_]) -> Floats:
    """(n, 2) how large each card is: as the *known* ones of its group, or as all of these where those are few."""
    sizes = np.tile(np.median(cards.sizes[known], 0), (len(groups), 1))
    for group in np.unique(groups):
        some = known & (groups == group)
        if some.sum() >= LEAST:
            sizes[groups == group] = np.median(cards.sizes[some], 0)
    return sizes


def fitted(tilt: Tilt, quads: Points, groups: npt.NDArray[np.intp], rather: Tilt | None = None) -> Tilt:
    """The tilt near this one under which outlines (n, 4, 2) are rectangles, those of one group equally large.

    *rather*, an earlier one of the same camera, is kept where none is much better.
    """
    every = np.ones(len(quads), bool)

    def misfit(of: Floats) -> Floats:
        seen = _tilt(tilt, of).to_table(quads.reshape(-1, 2)).reshape(-1, 4, 2)
        cards = Lying.of(seen)
        exact = replace(cards, sizes=sizes_by(cards, groups, every)).corners()
        off = (seen - exact).ravel() / max(float(np.median(cards.sizes[:, 1])), 1e-9)
        far = np.abs(off)
        huber = np.where(far < SLACK, off, np.sign(off) * np.sqrt(np.maximum(2 * SLACK * far - SLACK**2, 0)))
        return np.append(huber, FOCAL_WEIGHT * (of[2] - np.log(tilt.focal_px)))

    def tried(of: Floats) -> Floats:
        with np.errstate(all="ignore"):  # a tilt too steep for a point of these gives no number, and is no better one
            return misfit(of)

    start = rather or tilt
    now = np.array([start.angle * np.cos(start.way), start.angle * np.sin(start.way), np.log(start.focal_px)])
    off, damping = tried(now), 1e-3
    at_start, enough = off @ off, 1 + ENOUGH if rather is None else MUCH
    for _ in range(STEPS):
        slopes = np.stack([(tried(now + step) - off) / NUDGE for step in NUDGE * np.eye(3)], 1)
        square = slopes.T @ slopes
        better = None
        while better is None and damping < 1e3:
            moved = now - np.linalg.solve(square + damping * np.diag(np.diag(square) + 1e-9), slopes.T @ off)
            left = tried(moved)
            better = (moved, left) if left @ left < off @ off else None
            damping *= 5 if better is None else 0.2
        if better is None:
            break
        before, (now, off) = off, better
        if before @ before < enough * (off @ off):
            break
    return rather if rather is not None and at_start < MUCH * (off @ off) else _tilt(tilt, now)


def _tilt(like: Tilt, of: Floats) -> Tilt:
    angle, way = float(np.hypot(of[0], of[1])), float(np.arctan2(of[1], of[0]))
    return replace(like, angle=angle, way=way, focal_px=float(np.exp(of[2])))
