"""Windows of a picture that are looked at once more, turned by quarters of a circle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scorekeeper.vision.geometry import ROTATIONS, Boxes, Image, Points, touching


@dataclass(frozen=True, slots=True)
class Near:
    """Tells what lies near some spots."""

    spots: Points
    """(n, 2)"""
    reach: float
    """How far away something may lie, up, down and aside."""

    def __call__(self, middle: Points) -> bool:
        return bool((np.abs(self.spots - middle).max(1) < self.reach).any())

    def windows(self, image: Image) -> Boxes:
        """Upright boxes (n, 4), whole pixels inside *image*, none of which touch, round everything near."""
        height, width = image.shape[:2]
        boxes = np.concatenate([np.floor(self.spots - self.reach), np.ceil(self.spots + self.reach)], 1)
        boxes = np.clip(boxes, 0, np.array([width, height, width, height]))
        while True:
            first = touching(boxes, boxes).argmax(1)  # of all that a box touches
            if (first == np.arange(len(boxes))).all():
                return np.asarray(boxes, np.float32)
            each = [boxes[first == k] for k in np.unique(first)]
            boxes = np.array([np.concatenate([some[:, :2].min(0), some[:, 2:].max(0)]) for some in each])


@dataclass(frozen=True, slots=True)
class TurnedBack:
    """The map from a window turned by *turn* quarters against the clock, into the picture."""

    turn: int
    size: tuple[int, int]
    """Of the window as it lies in the picture, width and height."""
    corner: tuple[int, int]
    """Where in the picture its top left is."""

    def __call__(self, points: Points) -> Points:
        x, y = points[..., 0], points[..., 1]
        width, height = self.size
        back = ((x, y), (width - y, x), (width - x, height - y), (y, height - x))[self.turn]
        return np.asarray(np.stack(back, -1) + np.array(self.corner), np.float32)


def whole(image: Image) -> tuple[int, int, int, int]:
    """The upright box round all of *image*."""
    return 0, 0, image.shape[1], image.shape[0]


def turned_window(image: Image, box: Sequence[int], turn: int) -> tuple[Image, TurnedBack]:
    """What *image* shows in an upright *box* of whole pixels, turned by so many quarters, and the map back."""
    left, top, right, bottom = box
    window = image[top:bottom, left:right]
    rotation = ROTATIONS[-90 * turn % 360]
    if rotation is not None:
        window = cv2.rotate(window, rotation).astype(np.uint8, copy=False)
    return np.ascontiguousarray(window), TurnedBack(turn, (right - left, bottom - top), (left, top))
