"""Outlines that tell decks apart without colour: the patterns of the sides, drawn along a card's edge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.geometry import Image

Color = tuple[int, int, int]
Points = Sequence[tuple[float, float]]
"""Along and across the edge, in strokes' widths, within one repeat."""

_LINES: dict[str, tuple[float, tuple[Points, ...]]] = {
    "dash": (5.0, (((0, 0), (2.6, 0)),)),
    "dot": (2.6, (((0, 0), (0.05, 0)),)),
    "double": (4.0, (((0, -1), (4, -1)), ((0, 1), (4, 1)))),
    "zigzag": (4.0, (((0, -1), (2, 1), (4, -1)),)),
    "wave": (6.0, (tuple((x / 2, float(np.sin(np.pi * x / 6))) for x in range(13)),)),
    "cross": (5.0, (((1, -1), (3, 1)), ((1, 1), (3, -1)))),
    "check": (3.0, (((0, -0.8), (1.5, -0.8)), ((1.5, 0.8), (3, 0.8)))),
    "bar": (3.0, (((1, -1.4), (1, 1.4)),)),
    "ring": (5.0, (tuple((2 + np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 12)),)),
    "star": (5.0, (((1, 0), (3, 0)), ((1.5, -1), (2.5, 1)), ((1.5, 1), (2.5, -1)))),
}
"""For each pattern the length of one repeat and its lines; the others are one whole line."""

_THIN = {"double", "zigzag", "wave", "cross", "ring", "star", "plain"}


def stroke_pattern(image: Image, corners: npt.NDArray[np.float32], color: Color, pattern: str, width_px: int) -> None:
    """Draws *pattern* along the closed line through *corners* (4, 2), into *image*."""
    thick = max(1, width_px // 2 if pattern in _THIN else width_px)
    if pattern not in _LINES:
        cv2.polylines(image, [np.rint(corners).astype(np.int32)], True, color, thick, cv2.LINE_AA)
        return
    repeat, lines = _LINES[pattern]
    for start, end in pairwise([*corners, corners[0]]):
        for points in _along(start, end, repeat, lines, width_px):
            cv2.polylines(image, [points], False, color, thick, cv2.LINE_AA)


def _along(
    start: npt.NDArray[np.float32],
    end: npt.NDArray[np.float32],
    repeat: float,
    lines: tuple[Points, ...],
    width_px: int,
) -> Iterator[npt.NDArray[np.int32]]:
    """The lines of every repeat from *start* to *end*, which holds a whole number of them."""
    arm = (end - start).astype(np.float64)
    length = max(float(np.hypot(*arm)), 1e-6)
    along, across = arm / length, np.array([-arm[1], arm[0]]) / length
    count = max(1, round(length / (repeat * width_px)))
    stretch = length / (count * repeat)
    for number in range(count):
        for line in lines:
            path = [start + along * (number * repeat + x) * stretch + across * y * width_px for x, y in line]
            yield np.rint(np.array(path)).astype(np.int32)
