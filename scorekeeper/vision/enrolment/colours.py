"""What people call the colour of a card's back: "the blue one", "the dark red one"."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from scorekeeper.vision.geometry import Image
from scorekeeper.vision.templates import balanced

HUES = (
    (52, "red"), (72, "orange"), (106, "yellow"), (165, "green"), (225, "turquoise"), (310, "blue"), (340, "purple"),
    (360, "red"),
)  # fmt: skip
"""Names by the angle of CIELAB's a and b, each up to so many degrees."""
COLOURED = 18.0
"""Chroma from which a pixel has a colour."""
LEAST_INK = 0.12
"""A back of which less is coloured is grey, black or white."""
BROWN_BELOW = 48.0
"""Orange and yellow darker than this, of 100, are brown."""
PINK_ABOVE = 64.0
"""Red lighter than this is pink."""
PRINT = 75
"""Of coloured pixels, those of higher chroma than so many per cent are print; the others mix with the paper."""
BLACK_BELOW, WHITE_ABOVE = 42.0, 86.0
"""Lightness, of 100, of backs without colour."""


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour by its name, and how dark it is for telling two of one name apart."""

    name: str
    lightness: float
    """0 to 100, of the ink."""


def colour_of(crop: Image) -> Colour:
    """What the upright card in *crop* is called; its border, where it is white, says what white is."""
    height, width = crop.shape[:2]
    inside = balanced(crop)[height // 10 : -height // 10, width // 10 : -width // 10]
    lab = cv2.cvtColor(inside.astype(np.float32) / np.float32(255), cv2.COLOR_BGR2LAB).reshape(-1, 3)
    chroma = np.hypot(lab[:, 1], lab[:, 2])
    inked = chroma > COLOURED
    if inked.mean() < LEAST_INK:
        return _grey(float(np.median(lab[:, 0])))
    ink = lab[inked & (chroma >= np.percentile(chroma[inked], PRINT))]
    lightness, a, b = (float(value) for value in np.median(ink, axis=0))
    degrees = float(np.degrees(np.arctan2(b, a))) % 360
    name = next(name for limit, name in HUES if degrees <= limit)
    if name in ("orange", "yellow") and lightness < BROWN_BELOW:
        name = "brown"
    if name == "red" and lightness > PINK_ABOVE:
        name = "pink"
    return Colour(name, lightness)


def _grey(lightness: float) -> Colour:
    name = "black" if lightness < BLACK_BELOW else "white" if lightness > WHITE_ABOVE else "grey"
    return Colour(name, lightness)
