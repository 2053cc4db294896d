"""Lays an enrolled back onto a card seen: by the points of its pattern that both show, and how most of them agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.geometry import Corners, Image, grown
from scorekeeper.vision.looks import CELL, COLUMNS, ROWS, Signature

Floats = npt.NDArray[np.float32]

HEIGHT, WIDTH = 3 * ROWS * CELL // 2, 3 * COLUMNS * CELL // 2
"""Size in which points are looked for, of an enrolled picture and of a card seen."""
AROUND = 1.5
"""How much larger than the outline the part of the picture is in which its card is looked for."""
POINTS = 350
"""At most, of one card."""
NEAREST = 2
"""With so many points of the card each enrolled point is compared: patterns repeat."""
BIN_PX, BIN_DEGREES = 9.0, 15.0
"""How finely the votes for where the card's middle lies, and how it is turned, are counted."""
GROWN = 1.35
"""A card is at most so much larger or smaller than its outline."""
LEAST_ALIKE = 10
"""Fewer points that agree on where the card lies say nothing."""
REACH_PX = 4.0
"""Points farther from where they should be do not agree."""
CARDS = 3
"""So many cards of a deck are looked for near one outline: its neighbours may be of the same."""


@dataclass(frozen=True, slots=True)
class Print:
    """The points of a pattern."""

    spots: Floats
    """(n, 4) where each is, in pixels, how large it is, and which way it points, in degrees."""
    descriptors: Floats
    """(n, 128)"""


def _points(picture: Image) -> Print:
    finder = cv2.SIFT.create(nfeatures=POINTS, contrastThreshold=0.02)  # one for each thread
    spots, descriptors = finder.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
    if descriptors is None:
        return Print(np.zeros((0, 4), np.float32), np.zeros((0, 128), np.float32))
    told = np.array([(*spot.pt, spot.size, spot.angle) for spot in spots], np.float32)
    return Print(told, np.asarray(descriptors, np.float32))


@lru_cache(maxsize=256)
def print_of(signature: str) -> Print:
    """The points of an enrolled picture; raises EnrolmentError when *signature* is none."""
    picture = cv2.resize(Signature.from_text(signature).picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return _points(picture.astype(np.uint8, copy=False))


def registered(image: Image, quad: Corners, prints: Sequence[Print]) -> Iterator[tuple[int, Corners]]:
    """How many points agree, and where a card near *quad* then lies, if it is of the deck of each of *prints*.

    *quad* begins with a short side of the card (``straightened``); prints whose points hardly agree are left out.
    """
    size = np.array([WIDTH, HEIGHT], np.float32)
    frame = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_window = cv2.getPerspectiveTransform(grown(quad, AROUND), frame * size * np.float32(AROUND))
    window = cv2.warpPerspective(image, to_window, (round(AROUND * WIDTH), round(AROUND * HEIGHT)))
    seen = _points(np.asarray(window, np.uint8))
    back = np.linalg.inv(to_window)
    for each in prints:
        for agreed, move in _agreed(each, seen):
            corners = cv2.transform((frame * size)[None], move).astype(np.float32)
            yield agreed, np.asarray(cv2.perspectiveTransform(corners, back)[0], np.float32)


def _agreed(enrolled: Print, seen: Print) -> Iterator[tuple[int, npt.NDArray[np.float64]]]:
    """How many points agree on a move, turn and growth (2, 3) of the enrolled picture, and which: for each card."""
    if min(len(enrolled.spots), len(seen.spots)) < LEAST_ALIKE:
        return
    far = -2 * enrolled.descriptors @ seen.descriptors.T + (seen.descriptors**2).sum(1)
    nearest = np.argpartition(far, NEAREST, 1)[:, :NEAREST]
    mine, theirs = enrolled.spots.repeat(NEAREST, 0), seen.spots[nearest.ravel()]
    for _ in range(CARDS):  # each without the points of the ones before
        like = _most_voted(mine, theirs)
        if like.sum() < LEAST_ALIKE:
            return
        move, agree = cv2.estimateAffinePartial2D(
            mine[like, :2], theirs[like, :2], ransacReprojThreshold=REACH_PX, maxIters=200
        )
        if move is not None and np.count_nonzero(agree) >= LEAST_ALIKE:
            yield int(np.count_nonzero(agree)), np.asarray(move, np.float64)
        mine, theirs = mine[~like], theirs[~like]


def _most_voted(mine: Floats, theirs: Floats) -> npt.NDArray[np.bool_]:
    """Which pairs of points (n,) agree with most others on where the card's middle lies and how it is turned."""
    growth, turn = theirs[:, 2] / mine[:, 2], np.deg2rad(theirs[:, 3] - mine[:, 3])
    c, s = np.cos(turn) * growth, np.sin(turn) * growth
    x, y = WIDTH / 2 - mine[:, 0], HEIGHT / 2 - mine[:, 1]
    middles = theirs[:, :2] + np.stack([c * x - s * y, s * x + c * y], 1)
    votes = np.column_stack([middles / BIN_PX, np.rad2deg(turn) % 360 / BIN_DEGREES])
    here = np.abs(middles - AROUND / 2 * np.array([WIDTH, HEIGHT])).max(1) < HEIGHT / 2
    good = here & (growth < GROWN) & (growth > 1 / GROWN)
    if not good.any():
        return np.asarray(good, np.bool_)
    bins, counts = np.unique(np.floor(votes[good]), axis=0, return_counts=True)
    most = bins[counts.argmax()] + 0.5
    away = np.abs(votes - most)
    away[:, 2] = np.minimum(away[:, 2], 360 / BIN_DEGREES - away[:, 2])
    return np.asarray(good & (away < 1.25).all(1), np.bool_)
