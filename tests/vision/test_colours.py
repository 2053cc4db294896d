"""A back is called what people call its colour, also on white paper and in coloured light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorekeeper.vision.enrolment.colours import colour_of
from scorekeeper.vision.geometry import Image

INKS = {
    "red": (30, 20, 200), "blue": (180, 60, 20), "green": (50, 140, 30), "orange": (20, 130, 240),
    "yellow": (40, 220, 240), "purple": (140, 30, 110), "pink": (180, 120, 240), "turquoise": (170, 170, 20),
    "brown": (30, 60, 100), "black": (20, 20, 20), "grey": (128, 128, 128),
}  # fmt: skip
"""BGR, 0 to 255."""


def back(ink: tuple[int, int, int], *, lines: int = 6) -> Image:
    """An upright card with a white border, printed all over or in fine lines."""
    card = np.full((224, 160, 3), 235, np.uint8)
    card[12:-12, 12:-12] = ink
    card[12:-12:lines, 12:-12] = 235
    return card


@pytest.mark.parametrize("name", INKS)
def test_ink_has_its_name(name):
    assert colour_of(back(INKS[name])).name == name


@pytest.mark.parametrize("name", ["red", "blue", "green", "purple"])
def test_fine_lines_on_white_paper_have_the_colour_of_their_ink(name):
    fine = cv2.resize(back(INKS[name], lines=2), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    assert colour_of(fine.astype(np.uint8)).name in {name, "pink" if name == "red" else name}


@pytest.mark.parametrize("light", [(0.7, 0.9, 1.0), (1.0, 0.9, 0.75)], ids=["lamp", "window"])
@pytest.mark.parametrize("name", ["red", "blue", "green"])
def test_the_white_border_takes_the_light_away(name, light):
    assert colour_of((back(INKS[name]) * np.array(light)).astype(np.uint8)).name == name


def test_of_two_blues_the_darker_one_is_darker():
    assert colour_of(back((120, 30, 10))).lightness < colour_of(back((230, 130, 60))).lightness
