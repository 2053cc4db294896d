"""Whether the camera sees the table well enough, before the first hand: sharp, bright, whole, straight and near."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.rules.view import Point, Remark, View
from scorekeeper.vision.detector import BACK, FACE, one_each
from scorekeeper.vision.enrolment.learning import edge_width
from scorekeeper.vision.eye import INDEX_SHARE, Eye
from scorekeeper.vision.geometry import Corners, Image, box_of
from scorekeeper.vision.outline import find_tilt, long_axis
from scorekeeper.vision.places import near_edge
from scorekeeper.vision.templates import Floats, height_px, upright, upright_quad


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupSettings:
    """What is good enough: measured on the sample pictures, made worse step by step until their reading changed."""

    card_score: float = 0.4
    """Cards found with a lower score (0 to 1) are not looked at."""
    soft_percent: float = 2.2
    """Wider edges, per cent of a card's length, are blurred: from 2.1 on tops were asked about, at 2.7 deck colours got
    lost, at 3.2 a suit was misread."""
    soft_px: float = 2.0
    """Edges narrower than this are as sharp as the picture can be."""
    dark_percent: float = 30.0
    """Cards whose paper is darker than this, of 100: composed pictures can be read down to 15, cameras add noise."""
    blown_percent: float = 70.0
    """Backs of which more has lost its colour: at 48 all were told apart, at 85 none."""
    glare_share: float = 0.04
    """A card with white patches on more than this mirrors a lamp: 0.05 cost the smallest shine's card its deck."""
    bright_glare_share: float = 0.16
    """The same in a picture whose cards are so bright that paper is white without any lamp."""
    evenly_bright: float = 0.02
    """Where at least half of the cards of a kind have more of it, they are bright all over: no glare can be told."""
    tilt_degrees: float = 32.0
    """Aslant beyond this, Lakes were asked about each time."""
    tilt_cards: int = 4
    """Fewer cards don't tell how the camera looks at the table."""
    index_px: float = 20.0
    """Smaller indices were read right but asked about."""


SETTINGS = SetupSettings()

CLIPPED = 250
"""Grey levels from here on are as bright as the picture can show."""


@dataclass(frozen=True, slots=True)
class _Card:
    """One card of the picture, brought upright."""

    quad: Corners
    back: bool
    crop: Image

    @property
    def paper(self) -> float:
        """Grey level of its lightest parts, 0 to 255."""
        return float(np.percentile(self.crop.max(2), 95))

    @property
    def colourless(self) -> float:
        """Share that is so bright in some channel that its colour is lost."""
        return float((self.crop.max(2) >= CLIPPED).mean())

    @property
    def mirroring(self) -> float:
        """Share of the card that is white in larger patches."""
        white = (self.crop.min(2) >= CLIPPED).astype(np.uint8)
        return float(cv2.morphologyEx(white, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8)).mean())


def check_view(image: Image, eye: Eye, settings: SetupSettings = SETTINGS) -> View:
    """Judges one picture of the table with some cards on it, faces or backs."""
    found = one_each(eye.look(image, min_score=settings.card_score).of(FACE, BACK))
    quads = [upright_quad(corners) for corners in found.corners_px]
    cards = [_Card(q, bool(k == BACK), upright(image, q)) for q, k in zip(quads, found.kinds, strict=True)]
    remarks = (
        Remark(Point.CARDS, len(cards), 1, bool(cards)),
        _sharp(image, quads, settings),
        _bright(image, cards, settings),
        _blown(cards, settings),
        _glare(cards, settings),
        _whole(image, quads),
        _tilt(image, quads, settings),
        _size(quads, settings),
    )
    return View(remarks, tuple(box_of(quad) for quad in quads), (image.shape[1], image.shape[0]))


def _sharp(image: Image, quads: Sequence[Corners], settings: SetupSettings) -> Remark:
    """The middle one of the cards' edges; a card without a clear edge tells nothing."""
    seen = [(width, height_px(quad)) for quad in quads if (width := edge_width(image, quad)) > 0]
    if not seen:
        return Remark(Point.SHARP, 0.0, settings.soft_percent, None)
    percent = float(np.median([100 * width / height for width, height in seen]))
    narrow = float(np.median([width for width, _ in seen])) <= settings.soft_px
    return Remark(Point.SHARP, percent, settings.soft_percent, narrow or percent <= settings.soft_percent)


def _bright(image: Image, cards: Sequence[_Card], settings: SetupSettings) -> Remark:
    """How light the cards' paper is; without cards only a picture that is dark all over is refused."""
    paper = np.median([card.paper for card in cards]) if cards else np.percentile(image[::8, ::8].max(2), 99)
    percent = float(paper) / 2.55
    dark = percent < settings.dark_percent
    return Remark(Point.BRIGHT, percent, settings.dark_percent, False if dark else True if cards else None)


def _blown(cards: Sequence[_Card], settings: SetupSettings) -> Remark:
    """Only backs are known by their colour; the print of a face stays black and red."""
    backs = [100 * card.colourless for card in cards if card.back]
    if not backs:
        return Remark(Point.BLOWN, 0.0, settings.blown_percent, True if cards else None)
    percent = float(np.median(backs))
    return Remark(Point.BLOWN, percent, settings.blown_percent, percent <= settings.blown_percent)


def _glare(cards: Sequence[_Card], settings: SetupSettings) -> Remark:
    """Cards with a white patch that most others of their kind don't have."""
    number = 0
    bright = bool(cards) and float(np.median([card.paper for card in cards])) >= CLIPPED
    limit = settings.bright_glare_share if bright else settings.glare_share
    for kind in (True, False):
        patches: npt.NDArray[np.float64] = np.array([card.mirroring for card in cards if card.back == kind])
        if len(patches) and np.sort(patches)[(len(patches) - 1) // 2] <= settings.evenly_bright:
            number += int((patches > limit).sum())
    return Remark(Point.GLARE, number, 0, number == 0 if cards else None)


def _whole(image: Image, quads: Sequence[Corners]) -> Remark:
    number = sum(near_edge(quad, image) for quad in quads)
    return Remark(Point.WHOLE, number, 0, number == 0 if quads else None)


def _tilt(image: Image, quads: Sequence[Corners], settings: SetupSettings) -> Remark:
    """By how the sizes of the whole cards differ over the picture."""
    whole = [quad for quad in quads if not near_edge(quad, image)]
    if len(whole) < settings.tilt_cards:
        return Remark(Point.TILT, 0.0, settings.tilt_degrees, None)
    degrees = float(np.degrees(find_tilt(whole, (image.shape[0], image.shape[1])).angle))
    return Remark(Point.TILT, degrees, settings.tilt_degrees, degrees <= settings.tilt_degrees)


def _size(quads: Sequence[Corners], settings: SetupSettings) -> Remark:
    """How high an index is on the smaller cards; those partly hidden are left out by taking the lower quarter."""
    if not quads:
        return Remark(Point.SIZE, 0.0, settings.index_px, None)
    lengths: Floats = np.array([long_axis(quad)[2] for quad in quads], np.float32)
    index = float(np.percentile(lengths, 25)) * INDEX_SHARE
    return Remark(Point.SIZE, index, settings.index_px, index >= settings.index_px)
