"""How well the eye sees the table before the first hand: what was measured, and whether that is good enough."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scorekeeper.rules.lake import Box


class Point(StrEnum):
    """What is looked at when the camera is set up, in the order of the list."""

    CARDS = "cards"
    """Cards in the picture: without any, most of the rest can't be measured."""
    SHARP = "sharp"
    """How wide the edge of a card is, per cent of its length."""
    BRIGHT = "bright"
    """How light the lightest parts of the cards are, per cent."""
    BLOWN = "blown"
    """How much of the backs is so bright that its colour is lost, per cent."""
    GLARE = "glare"
    """Cards on which a lamp is mirrored."""
    WHOLE = "whole"
    """Cards that the picture's edge cuts."""
    TILT = "tilt"
    """Degrees by which the camera looks aslant."""
    SIZE = "size"
    """How high an index is in the picture, pixels."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One line of the list."""

    point: Point
    value: float
    """In the unit of its point."""
    limit: float
    """The most, or the least, that is good enough."""
    good: bool | None
    """None where this picture can't tell."""


@dataclass(frozen=True, slots=True)
class View:
    """One picture of the table, judged."""

    remarks: tuple[Remark, ...]
    """One for each ``Point``, in its order."""
    boxes: tuple[Box, ...]
    """The cards that were found, in pixels of the picture."""
    size: tuple[int, int]
    """Width and height of the picture in pixels."""

    @property
    def good(self) -> bool:
        """Whether every point was measured and is good enough."""
        return all(remark.good for remark in self.remarks)

    def remark(self, point: Point) -> Remark:
        """The line of one point."""
        return next(remark for remark in self.remarks if remark.point is point)
