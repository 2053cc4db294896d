"""Moves outlines onto the cards they are meant for: a small network's second look at each card, turned upright.

The detector guesses the hidden part of a covered card; seen upright, in one size and with what lies around it, the same
card's sides are easier to find.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.resources import data_path
from scorekeeper.vision.geometry import Corners, Image, Points, fit_within
from scorekeeper.vision.networks import in_batches, open_session
from scorekeeper.vision.outline import long_axis

Floats = npt.NDArray[np.float32]

WINDOW = 96
"""Side of the square that the network sees of a card and what is around it, in pixels."""
CARD = 60.0
"""How long the table's cards are in it."""
SHOWN = 24
"""Places across the window of which the network says whether the card shows there."""
BATCH = 16

RefinedOne = tuple[Corners, np.float32, Floats]
"""Of one outline: the better one (4, 2), how surely it lies on a card, and (24, 24) where that shows."""


@dataclass(frozen=True, slots=True)
class Refined:
    """What the network says of some outlines; arrays go in parallel."""

    corners_px: Points
    """(n, 4, 2): better outlines."""
    sure: Floats
    """(n,) how likely each of them now lies on a card, 0 to 1."""
    shows: Floats
    """(n, 24, 24) how likely, in the window of the outline as it was given, the card is what shows there."""

    def each(self) -> list[RefinedOne]:
        """What is said of each outline."""
        return list(zip(self.corners_px, self.sure, self.shows, strict=True))

    @classmethod
    def of(cls, each: Sequence[RefinedOne]) -> Refined:
        """What is said of some outlines."""
        corners, sure, shows = ([one[part] for one in each] for part in range(3))
        return cls(
            np.array(corners, np.float32).reshape(-1, 4, 2),
            np.array(sure, np.float32),
            np.array(shows, np.float32).reshape(-1, SHOWN, SHOWN),
        )


@dataclass(frozen=True, slots=True)
class Suited:
    """A picture in the size in which the network looks at its cards."""

    image: Image
    """BGR."""
    scale: float
    """Its pixels for one of the picture."""


class Refiner:
    """The trained network at *path*; sessions are safe to share."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self._session = open_session(path, threads)

    def __call__(self, picture: Suited, corners_px: Points, lengths_px: npt.ArrayLike) -> Refined:
        """What there is at the outlines *corners_px* (n, 4, 2), in pixels of the picture as it was taken.

        *lengths_px*, one or (n,), is how long the cards there usually are, in the same pixels.
        """
        if not len(corners_px):
            return Refined(corners_px, np.zeros(0, np.float32), np.zeros((0, SHOWN, SHOWN), np.float32))
        lengths = np.broadcast_to(np.asarray(lengths_px, float), len(corners_px))
        outlines, sizes = (corners_px * picture.scale).astype(np.float32), lengths * picture.scale

        def said(rows: slice) -> Floats:
            seen = [window(picture.image, *each) for each in zip(outlines[rows], sizes[rows], strict=True)]
            return np.asarray(self._session.run(None, {"windows": as_input(np.stack(seen))})[0], np.float32)

        found = in_batches(said, len(corners_px), BATCH)
        better = [moved(*each) for each in zip(corners_px, found, lengths, strict=True)]
        odds = np.asarray(1 / (1 + np.exp(-found[:, 5:])), np.float32)
        return Refined(np.array(better, np.float32), odds[:, 0], odds[:, 1:].reshape(-1, SHOWN, SHOWN))


@cache
def load_refiner() -> Refiner:
    """The committed network."""
    return Refiner(data_path("models/refiner/refiner.onnx"))


def suited(image: Image, length_px: float) -> Suited:
    """*image* (BGR), smaller where its cards, *length_px* long, are much larger than the network sees them."""
    scale = 1.25 * CARD / length_px
    if scale > 0.75:
        return Suited(image, 1.0)
    if scale < 0.5:
        return Suited(*fit_within(image, round(scale * max(image.shape[:2]))))
    size = round(scale * image.shape[1]), round(scale * image.shape[0])
    return Suited(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR).astype(np.uint8, copy=False), scale)


def to_window(corners_px: Corners, length_px: float, shrink: float = 1.0) -> npt.NDArray[np.float64]:
    """The affine map (2, 3) from a picture to an outline's window, or to one smaller by *shrink*."""
    middle, along, _, _ = long_axis(corners_px)
    turn = shrink * CARD / length_px * np.array([[along[1], -along[0]], along])
    return np.hstack([turn, (shrink * WINDOW / 2 - turn @ middle)[:, None]])


def window(image: Image, corners_px: Corners, length_px: float) -> Image:
    """What the network sees (96, 96, 4) of one outline: BGR with the outline's long side standing, and where it is."""
    matrix, size = to_window(corners_px, length_px), (WINDOW, WINDOW)
    seen = cv2.warpAffine(image, matrix, size, flags=cv2.INTER_LINEAR, borderValue=(114,) * 3)
    inside = np.zeros((WINDOW, WINDOW, 1), np.uint8)
    half = np.array(long_axis(corners_px)[2:]) * CARD / length_px / 2
    low = np.clip(np.round(WINDOW / 2 - half).astype(int), 0, WINDOW // 2 - 1)
    inside[low[0] : WINDOW - low[0], low[1] : WINDOW - low[1]] = 255
    return np.concatenate([np.asarray(seen, np.uint8), inside], 2)


HIDDEN, OPEN = 0.5, 0.8
"""What shows of a card less likely than HIDDEN counts as hidden; what shows more likely than OPEN counts in full."""


def opened(shows: Floats) -> Floats:
    """How openly a card shows, 0 to 1, where the network says that it shows so likely."""
    return np.asarray(np.clip((shows - HIDDEN) / (OPEN - HIDDEN), 0, 1), np.float32)


def shown_at(points_px: Points, shows: Floats, corners_px: Corners, length_px: float) -> Floats:
    """What *shows* (24, 24) of an outline's card at *points_px* (n, 2) of its picture (n,); beyond its window, 0."""
    spots = cv2.transform(points_px[None], to_window(corners_px, length_px, SHOWN / WINDOW)).astype(np.float32)
    seen = cv2.remap(shows, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(seen[0], np.float32)


def as_input(windows: Image) -> Floats:
    """Windows (n, 96, 96, 4) as the network's input (n, 4, 96, 96), about -0.5 to 0.5."""
    return np.ascontiguousarray((windows.astype(np.float32) / 255 - 0.5).transpose(0, 3, 1, 2))


def moved(corners_px: Corners, moves: Floats, length_px: float) -> Corners:
    """The outline after the network's *moves*: right, down, turn (radians), log of height and width; the unit is
    a card's length."""
    middle, along, _, _ = long_axis(corners_px)
    right = np.array([along[1], -along[0]])
    c, s = np.cos(moves[2]), np.sin(moves[2])
    down, side = c * along + s * right, c * right - s * along
    tall, wide = length_px * np.exp(np.clip(moves[3:5], -2, 1))
    shape = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    spot = middle + length_px * (moves[0] * right + moves[1] * along)
    return np.asarray(spot + shape[:, :1] * wide * side + shape[:, 1:] * tall * down, np.float32)


def moves_to(corners_px: Corners, card_px: Corners, length_px: float) -> Floats:
    """The moves (5,) by which the outline *corners_px* comes to lie on the rectangle *card_px*."""
    middle, along, _, _ = long_axis(corners_px)
    right = np.array([along[1], -along[0]])
    spot, axis, tall, wide = long_axis(card_px)
    turn = np.arctan2(axis @ right, axis @ along)
    quarters = int(np.round(turn / (np.pi / 2)))
    if quarters % 2:
        tall, wide = wide, tall
    away = (spot - middle) / length_px
    sizes = np.log(np.maximum([tall, wide], 1e-3) / length_px)
    return np.array([away @ right, away @ along, turn - quarters * np.pi / 2, *sizes], np.float32)
