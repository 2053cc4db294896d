"""Finds the cards of enrolled decks by their patterns: by the points that both show, and how most of them agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.geometry import Corners, Image, Points
from scorekeeper.vision.looks import CELL, COLUMNS, ROWS, Signature

Floats = npt.NDArray[np.float32]

HEIGHT, WIDTH = 3 * ROWS * CELL // 2, 3 * COLUMNS * CELL // 2
"""Size in which points are looked for, of an enrolled picture and of the cards on the table."""
WINDOW = 1.6
"""Side of the square of the table in which cards are looked for, in lengths of a card."""
POINTS = 350
"""At most, of an enrolled picture."""
ALIKE = 0.9
"""A point is compared with the second nearest, too, where the nearest is no nearer than this: patterns repeat."""
BIN_PX, BIN_DEGREES = 12.0, 15.0
"""How finely the votes for where a card's middle lies, and how it is turned, are counted."""
LIKE_SIZE, GROWN = 1.5, 1.25
"""A point is at most so much larger or smaller than the enrolled one, and a card than the table's cards."""
LEAST_ALIKE, MANY_ALIKE = 10, 14
"""Fewer points that agree on where a card lies say nothing; so many say how it is askew, ..."""
ASKEW = 1.2
"""... but not by more than this factor."""
REACH_PX = 4.0
"""Points farther from where they should be do not agree."""
FRAME = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


@dataclass(frozen=True, slots=True)
class Print:
    """The points of a pattern."""

    spots: Floats
    """(n, 4) where each is, in pixels, how large it is, and which way it points, in degrees."""
    descriptors: Floats
    """(n, 128)"""

    def pick(self, which: npt.NDArray[np.bool_]) -> Print:
        """Those that *which* (n,) says."""
        return Print(self.spots[which], self.descriptors[which])


def _points(picture: Image, most: int) -> Print:
    finder = cv2.SIFT.create(nfeatures=most, contrastThreshold=0.02)  # one for each thread
    spots, descriptors = finder.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
    if descriptors is None:
        return Print(np.zeros((0, 4), np.float32), np.zeros((0, 128), np.float32))
    told = np.array([(*spot.pt, spot.size, spot.angle) for spot in spots], np.float32)
    return Print(told, np.asarray(descriptors, np.float32))


@lru_cache(maxsize=256)
def print_of(signature: str) -> Print:
    """The points of an enrolled picture; raises EnrolmentError when *signature* is none."""
    picture = cv2.resize(Signature.from_text(signature).picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return _points(picture.astype(np.uint8, copy=False), POINTS)


def seen_in(image: Image, window: Corners) -> Print:
    """The points of *image* in a square of the table whose corners are *window* and whose side is WINDOW cards long."""
    side = round(WINDOW * HEIGHT)
    seen = cv2.warpPerspective(image, _to_window(window), (side, side), borderMode=cv2.BORDER_REPLICATE)
    return _points(np.asarray(seen, np.uint8), 0)


def _to_window(window: Corners) -> npt.NDArray[np.float64]:
    return np.asarray(cv2.getPerspectiveTransform(window, FRAME * np.float32(round(WINDOW * HEIGHT))), np.float64)


def spots_px(seen: Print, window: Corners) -> Points:
    """Where in the picture the points are (n, 2) that were *seen_in* this *window*."""
    if not len(seen.spots):
        return np.zeros((0, 2), np.float32)
    back = np.linalg.inv(_to_window(window))
    return np.asarray(cv2.perspectiveTransform(seen.spots[None, :, :2], back)[0], np.float32)


def registered(seen: Print, window: Corners, prints: Sequence[Print]) -> Iterator[tuple[int, Corners]]:
    """How many points agree, and where a card lies in *window*, in which these were *seen*, for each card of the decks
    of *prints* that their points show."""
    back = np.linalg.inv(_to_window(window))
    for each in prints:
        for agreed, move in _agreed(each, seen):
            corners = cv2.transform((FRAME * np.array([WIDTH, HEIGHT], np.float32))[None], move).astype(np.float32)
            yield agreed, np.asarray(cv2.perspectiveTransform(corners, back)[0], np.float32)


def _agreed(enrolled: Print, seen: Print) -> Iterator[tuple[int, npt.NDArray[np.float64]]]:
    """How many points agree on a move, turn and growth (2, 3) of the enrolled picture, and which: for each card."""
    if min(len(enrolled.spots), len(seen.spots)) < LEAST_ALIKE:
        return
    far = (enrolled.descriptors**2).sum(1) - 2 * seen.descriptors @ enrolled.descriptors.T
    first, second = np.argpartition(far, (0, 1), 1)[:, :2].T
    rows, own = np.arange(len(far)), (seen.descriptors**2).sum(1)
    twin = far[rows, first] + own > ALIKE**2 * (far[rows, second] + own)
    mine = enrolled.spots[np.concatenate([first, second[twin]])]
    theirs = np.concatenate([seen.spots, seen.spots[twin]])
    growth = theirs[:, 2] / mine[:, 2]
    like = (growth < LIKE_SIZE) & (growth > 1 / LIKE_SIZE)
    while np.count_nonzero(like) >= LEAST_ALIKE:  # each card without the points of the ones before
        mine, theirs = mine[like], theirs[like]
        chosen = _most_voted(mine, theirs)
        if chosen.sum() < LEAST_ALIKE:
            return
        number, move = _laid(mine[chosen, :2], theirs[chosen, :2])
        if number >= LEAST_ALIKE:
            yield number, move
        like = ~chosen


def _laid(mine: Floats, theirs: Floats) -> tuple[int, npt.NDArray[np.float64]]:
    """How many of some pairs of points (n, 2) agree on a move, turn and growth (2, 3), and on which: 0 where a card
    would be much larger or smaller. Where many do, it may be a little askew, as the table's tilt is not quite known."""
    move, agree = cv2.estimateAffinePartial2D(mine, theirs, ransacReprojThreshold=REACH_PX, maxIters=200)
    if move is None or not 1 / GROWN < np.hypot(move[0, 0], move[1, 0]) < GROWN:
        return 0, np.zeros((2, 3))
    number = int(np.count_nonzero(agree))
    if number >= MANY_ALIKE:
        askew, _ = cv2.estimateAffine2D(mine, theirs, ransacReprojThreshold=REACH_PX, maxIters=200)
        if askew is not None and np.linalg.cond(askew[:, :2]) < ASKEW:
            return number, np.asarray(askew, np.float64)
    return number, np.asarray(move, np.float64)


def _most_voted(mine: Floats, theirs: Floats) -> npt.NDArray[np.bool_]:
    """Which pairs of points (n,) agree with most others on where a card's middle lies and how it is turned."""
    turn = np.deg2rad(theirs[:, 3] - mine[:, 3])
    c, s = np.cos(turn), np.sin(turn)
    x, y = WIDTH / 2 - mine[:, 0], HEIGHT / 2 - mine[:, 1]
    middles = theirs[:, :2] + np.stack([c * x - s * y, s * x + c * y], 1)
    votes = np.column_stack([middles / BIN_PX, np.rad2deg(turn) % 360 / BIN_DEGREES])
    bins = np.floor(votes).astype(np.int64) @ (1 << 40, 1 << 20, 1)  # one number each: sorted ten times as fast as rows
    _, of_bin, counts = np.unique(bins, return_inverse=True, return_counts=True)
    most = votes[of_bin == counts.argmax()].mean(0)
    away = np.abs(votes - most)
    away[:, 2] = np.minimum(away[:, 2], 360 / BIN_DEGREES - away[:, 2])
    return np.asarray((away < 1.25).all(1), np.bool_)
