"""What a card's back looks like: brought upright, kept as a signature, cut into cells of colour and lines."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.errors import EnrolmentError
from scorekeeper.rules.said import say
from scorekeeper.vision.geometry import PROPORTION, Corners, Image

Floats = npt.NDArray[np.float32]

ROWS, COLUMNS, CELL = 28, 20, 4
"""Cells of a card, and pixels a side of each: the card is compared at 80 x 112 pixels."""

LEVELS = (36, 52, 76, 112)
"""Sharpness classes: how high a card is in its picture, pixels."""

VERSION = "back1"


@dataclass(frozen=True, slots=True)
class Signature:
    """One enrolled picture of a back, brought upright."""

    picture: Image
    """Shape (224, 160, 3), BGR; white-bordered backs are balanced so that their border is white."""

    def to_text(self) -> str:
        """One line of text under 40 kB, such as ``back1 /9j/4AAQ...``."""
        for quality in (92, 85, 75, 60, 40):
            flags = [cv2.IMWRITE_JPEG_QUALITY, quality]
            _, data = cv2.imencode(".jpg", self.picture, flags)
            if len(data) < 29_000:
                break
        return f"{VERSION} {base64.b64encode(data.tobytes()).decode('ascii')}"

    @classmethod
    def from_text(cls, text: str) -> Signature:
        """The signature in *text*; raises EnrolmentError when it is not one of this version."""
        version, _, body = text.partition(" ")
        if version != VERSION:
            raise EnrolmentError(
                say(
                    "what is known of a deck begins with %(wanted)r, not %(found)r: photograph the deck again",
                    wanted=VERSION,
                    found=version[:12],
                )
            )
        try:
            data = np.frombuffer(base64.b64decode(body, validate=True), np.uint8)
            picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
        except (ValueError, cv2.error):
            picture = None
        if picture is None or picture.shape != (2 * ROWS * CELL, 2 * COLUMNS * CELL, 3):
            raise EnrolmentError(say("what is known of a deck is damaged: photograph the deck again"))
        return cls(picture.astype(np.uint8, copy=False))


def upright_quad(corners_px: Corners) -> Corners:
    """The four corners, clockwise in the picture, beginning so that the first side is a short one."""
    points = np.asarray(corners_px, np.float32).reshape(4, 2)
    middle = points.mean(0)
    order = np.argsort(np.arctan2(points[:, 1] - middle[1], points[:, 0] - middle[0]))
    points = points[order]
    sides = np.linalg.norm(points - points[[1, 2, 3, 0]], axis=1)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        points = points[[1, 2, 3, 0]]
    return cast(Corners, points)


def height_px(quad: Corners) -> float:
    """How high the card is in the picture, by its shorter look: limits what can be seen of fine lines."""
    sides = np.linalg.norm(quad - quad[[1, 2, 3, 0]], axis=1)
    return float(min((sides[1] + sides[3]) / 2, (sides[0] + sides[2]) / 2 * PROPORTION))


def upright(image: Image, quad: Corners, height: int = ROWS * CELL, width: int = COLUMNS * CELL) -> Image:
    """The card in *quad* (as ``upright_quad`` orders it) as a picture of *height* x *width*."""
    fine = int(np.clip(np.ceil(height_px(quad) / height), 1, 5))
    w, h = width * fine, height * fine
    target = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - np.float32(0.5)
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
    seen = cv2.warpPerspective(image, warp, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if fine > 1:
        seen = cv2.resize(seen, (width, height), interpolation=cv2.INTER_AREA)
    return seen.astype(np.uint8, copy=False)


FRAME = np.array([[0, 0], [COLUMNS, 0], [COLUMNS, ROWS], [0, ROWS]], np.float32)
"""The corners of a card, in cells."""


def cell_middles(quad: Corners) -> Corners:
    """Where in the picture (cells, 2) the middles of a card's cells are; *quad* is as ``upright_quad`` orders it."""
    y, x = np.mgrid[:ROWS, :COLUMNS].astype(np.float32) + np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(FRAME, quad.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(np.stack([x, y], 2).reshape(1, -1, 2), matrix)[0], np.float32)


def _cells(raster: Floats) -> Floats:
    """Means over cells, of at most four channels."""
    return np.asarray(cv2.resize(raster, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA), np.float32)


COLOURS, LINES, CONTRAST = slice(0, 3), slice(3, 7), 7
"""Where in a look's features what is: BGR 0 to 1; strength of lines in four directions, 1 is the card's mean; strength
of all lines against the cell's own brightness."""


def look_of(picture: Image) -> Floats:
    """The features (cells, 8) by which an upright card of 80 x 112 pixels is compared."""
    raster = picture.astype(np.float32) / np.float32(255)
    grey = raster @ np.array([0.114, 0.587, 0.299], np.float32)
    grey = grey / (cv2.blur(grey, (15, 15)) + np.float32(0.04))
    gx, gy = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    half = np.float32(np.sqrt(0.5))
    ways = np.abs(np.dstack([gx, gy, (gx + gy) * half, (gx - gy) * half]))
    lines = np.asarray(cv2.blur(_cells(ways.astype(np.float32)), (3, 3)), np.float32)
    look = np.dstack([_cells(raster), lines / (lines.mean() + np.float32(0.08)), lines.mean(2)])
    return np.asarray(look.reshape(-1, 8), np.float32)


def level_of(quad: Corners) -> int:
    """Which of LEVELS a card in the picture belongs to."""
    return int(np.argmin(np.abs(np.log(np.array(LEVELS) / max(height_px(quad), 1.0)))))


def softened(picture: Image, level: int) -> Image:
    """An upright card as it looks when it is only LEVELS[level] pixels high in its picture."""
    h, w = ROWS * CELL, COLUMNS * CELL
    small = cv2.resize(picture, (round(LEVELS[level] * w / h), LEVELS[level]), interpolation=cv2.INTER_AREA)
    return cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR).astype(np.uint8, copy=False)


def balanced(picture: Image) -> Image:
    """The upright card under white light, where a white border shows what white is; else as it is.

    It stays darker where that would take the colour from more than a twentieth of it: the border is grey, then.
    """
    white = border_white(picture)
    if white is None:
        return picture
    lit = picture * (np.float32(238) / np.maximum(white, 1))
    most = float(np.percentile(lit.max(2), 95))
    return np.clip(lit * min(1, 255 / max(most, 1)), 0, 255).astype(np.uint8)


BRIGHT, PRINTED = 110, 0.9
"""A border darker than this tells what white is only where what it is round usually is darker than this share of it."""


def border_white(picture: Image) -> Floats | None:
    """The colour (3,) of a card's white border; None on a card without one.

    The border is the brightest even ring between 0.5 and 4 mm from the edge, and about as bright as anything inside. A
    card that is of one colour all over has none unless it is bright.
    """
    h, w = picture.shape[:2]
    rings = []
    for depth in np.arange(0.5, 3.6, 0.5):
        near, far = round(depth * h / 88), round((depth + 1.0) * h / 88)
        ring = [picture[near:far, far : w - far], picture[h - far : h - near, far : w - far]]
        ring += [picture[far : h - far, near:far], picture[far : h - far, w - far : w - near]]
        pixels = np.concatenate([part.reshape(-1, 3) for part in ring]).astype(np.float32)
        white = np.median(pixels, axis=0)
        if np.median(np.abs(pixels - white)) < 0.05 * white.mean() + 2:
            rings.append((float(white.mean()), white))
    if not rings:
        return None
    level, white = max(rings, key=lambda one: one[0])
    inside = picture[h // 8 : -h // 8, w // 8 : -w // 8].mean(2)
    pale = float(white.max() - white.min()) < 0.5 * float(white.max())
    told = level > BRIGHT or float(np.median(inside)) < PRINTED * level
    bright = level > 0.88 * float(np.percentile(inside, 85)) and level > 45
    return np.asarray(white, np.float32) if pale and told and bright else None


@dataclass(frozen=True, slots=True)
class Seen:
    """A card of a picture, ready to be compared."""

    look: Floats
    """(cells, 8)"""
    free: Floats
    """(cells,): how much of each cell no other card hides."""
    level: int
    """Which of LEVELS it is."""
    picture: Image
    """The upright card, 80 x 112 pixels, BGR."""
    bright: float
    """How bright the brightest tenth of its cells that show are, 0 to 1; nan where none does."""

    @classmethod
    def of(cls, image: Image, quad: Corners, free: Floats) -> Seen:
        """The card in *quad*, as ``upright_quad`` orders it, of which *free* (cells,) is not hidden."""
        picture = upright(image, quad)
        look = look_of(picture)
        shown = look[free > 0.5, COLOURS].max(1)
        return cls(look, free, level_of(quad), picture, float(np.percentile(shown, 90)) if len(shown) else np.nan)

    def exposed(self, exposure: np.float32) -> Floats:
        """Its look (cells, 8) as it would be with white paper wholly bright, which is *exposure* bright here."""
        look = self.look.copy()
        look[:, COLOURS] /= exposure
        return look
