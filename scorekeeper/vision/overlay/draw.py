"""What the eye saw, drawn over the picture so that a person with a phone at arm's length can check it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.rules.cards import Card
from scorekeeper.rules.lake import Box, DeckId, FanReading, LakeReading, Pile, SeenFace, SpreadReading, spots_of
from scorekeeper.rules.scoring import PATTERNS
from scorekeeper.vision.geometry import Image, corners_of, fit_within
from scorekeeper.vision.overlay.patterns import stroke_pattern

Color = tuple[int, int, int]
"""Blue, green, red: 0 to 255."""

Place = tuple[float, float]
"""``x y`` in pixels of the picture."""

LONGEST_PX = 1600
"""Overlays are drawn on a copy of at most this size: sharp on a TV, quick to load on a phone."""

AT_MIDDLE_PX = 2.0
"""What a sentence is about is the card whose middle is nearer than this."""

TINT = 0.25
"""How much of a deck's colour lies over its cards (0 to 1)."""

WHITE, INK, FACE, AMBER = (255, 255, 255), (24, 24, 24), (90, 220, 60), (0, 170, 255)
RED_SUIT = (40, 40, 215)
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
PALETTE = ("#3b8cff", "#ff5a4e", "#ffd23f", "#35d07f", "#c77dff", "#ff9f45", "#4de1e8", "#ff7ac8", "#b8e04a", "#c9a27a")
"""For decks whose side has no colour yet."""

_SANS = cv2.FontFace("sans")


@dataclass(frozen=True, slots=True)
class Look:
    """How a deck's cards are drawn: a side is known by colour and by pattern, for people who don't see colours."""

    color: str
    """As ``#rrggbb``."""
    pattern: str = "solid"
    """One of ``scorekeeper.rules.scoring.PATTERNS``; anything else is drawn solid."""


@dataclass(frozen=True, slots=True)
class _Chip:
    """A label: a dark part, and a white part that may be empty."""

    text: str
    extra: str = ""
    color: Color = INK


def draw_lake(image: Image, reading: LakeReading) -> Image:
    """Each pile outlined, with its top card and its height; what the reading asks about is marked."""
    canvas = _Canvas(image, [pile.box for pile in reading.piles])
    asked, elsewhere = _asked([pile.box for pile in reading.piles], reading.problems)
    for pile, suspect in zip(reading.piles, asked, strict=True):
        canvas.mark(pile.box, suspect=suspect or (pile.top is None and not pile.dead))
    canvas.label([(pile.box, _pile_chip(pile, suspect)) for pile, suspect in zip(reading.piles, asked, strict=True)])
    canvas.ask(elsewhere)
    return canvas.finished([_Chip(f"Lake {reading.total}"), _Chip(_plural(len(reading.piles), "pile"))])


def draw_fan(image: Image, reading: FanReading) -> Image:
    """Each face outlined, with its rank and suit; what the reading asks about is marked."""
    canvas = _Canvas(image, [face.box for face in reading.cards])
    asked, elsewhere = _asked([face.box for face in reading.cards], reading.problems)
    for face, suspect in zip(reading.cards, asked, strict=True):
        canvas.mark(face.box, suspect=suspect or face.code is None)
    canvas.label([(face.box, _face_chip(face, suspect)) for face, suspect in zip(reading.cards, asked, strict=True)])
    canvas.ask(elsewhere)
    return canvas.finished([_Chip(_plural(reading.count, "card"))])


def draw_spread(
    image: Image, reading: SpreadReading, number: int = 0, looks: Mapping[DeckId, Look] | None = None
) -> Image:
    """The backs of picture *number* in their decks' colours, and what the reading asks about there is marked; the
    legend counts all pictures together."""
    backs = [back for back in reading.cards if back.image == number]
    canvas = _Canvas(image, [back.box for back in backs])
    asked, elsewhere = _asked([back.box for back in backs], reading.problems, number)
    looks = {**looks_for(tuple(reading.counts)), **(looks or {})}
    suspects: list[tuple[Box, _Chip]] = []
    shown = [(back.box, looks.get(back.deck) if back.deck is not None else None) for back in backs]
    canvas.tint([(box, bgr(look.color)) for box, look in shown if look is not None])
    for (box, look), suspect in zip(shown, asked, strict=True):
        if look is None or suspect:
            canvas.warn(box, aside=look is not None)
            suspects.append((box, _Chip("?", color=AMBER)))
        if look is not None:
            canvas.outline(box, bgr(look.color), look.pattern)
    canvas.label(suspects)
    canvas.ask(elsewhere)
    return canvas.finished(_spread_legend(reading, looks))


def looks_for(decks: Sequence[DeckId]) -> dict[DeckId, Look]:
    """A look for each deck: its own colour where its name is one, such as "red", else the next of the palette."""
    named = {"blue": 0, "red": 1, "yellow": 2, "green": 3, "purple": 4, "orange": 5, "cyan": 6, "pink": 7}
    free = [color for color in PALETTE if color not in {PALETTE[named[d]] for d in decks if d in named}]
    looks: dict[DeckId, Look] = {}
    for number, deck in enumerate(decks):
        color = PALETTE[named[deck]] if deck in named else free.pop(0) if free else PALETTE[number % len(PALETTE)]
        looks[deck] = Look(color, PATTERNS[number % len(PATTERNS)])
    return looks


def bgr(color: str) -> Color:
    """``#rrggbb`` as blue, green, red; grey where the text is no colour."""
    digits = color.removeprefix("#")
    if len(digits) != 6 or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
        return (160, 160, 160)
    red, green, blue = (int(digits[i : i + 2], 16) for i in (0, 2, 4))
    return (blue, green, red)


def _plural(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _code(card: Card) -> str:
    return f"{card.rank_name}{SYMBOLS[card.suit.value]}"


def _asked(boxes: Sequence[Box], problems: Sequence[str], number: int = 0) -> tuple[list[bool], list[Place]]:
    """Which *boxes* of picture *number* the *problems* are about, and the places there that they are about, too."""
    spots = [(x, y) for problem in problems for picture, x, y in spots_of(problem) if picture == number]
    middles = [corners_of(box).mean(0) for box in boxes]
    about = [[math.dist(spot, middle) < AT_MIDDLE_PX for middle in middles] for spot in spots]
    elsewhere = [spot for spot, there in zip(spots, about, strict=True) if not any(there)]
    return [any(there[n] for there in about) for n in range(len(boxes))], elsewhere


def _pile_chip(pile: Pile, suspect: bool) -> _Chip:
    mark = "?" if suspect else ""
    if pile.dead:
        return _Chip(f"full{mark}", str(pile.height))
    if pile.top is None:
        return _Chip("?", str(pile.height) if pile.height else "", AMBER)
    return _Chip(_code(pile.top) + mark, str(pile.height), _suit_color(pile.top))


def _face_chip(face: SeenFace, suspect: bool) -> _Chip:
    if face.joker:
        return _Chip("Joker?" if suspect else "Joker", color=INK)
    if face.card is None:
        return _Chip("?", color=AMBER)
    return _Chip(_code(face.card) + ("?" if suspect else ""), color=_suit_color(face.card))


def _suit_color(card: Card) -> Color:
    return RED_SUIT if card.red else INK


def _spread_legend(reading: SpreadReading, looks: Mapping[DeckId, Look]) -> list[_Chip]:
    legend = [_Chip(deck, str(count), bgr(looks[deck].color)) for deck, count in reading.counts.items()]
    if reading.unknown:
        legend.append(_Chip("?", str(reading.unknown), AMBER))
    return [*legend, _Chip("all", str(reading.total))]


class _Canvas:
    """A reduced copy of a picture, and strokes that suit its size and that of its cards."""

    def __init__(self, image: Image, boxes: Sequence[Box]) -> None:
        self._image, self._scale = fit_within(image, LONGEST_PX)
        longest = max(self._image.shape[:2])
        card_px = _usual_width(boxes) * self._scale or longest
        self._line = max(1, round(min(longest / 400, max(longest / 700, card_px / 36))))
        self._text = max(9, round(min(longest / 36, max(longest / 60, card_px / 3.2))))
        self._taken: list[tuple[int, int, int, int]] = []

    def tint(self, areas: Sequence[tuple[Box, Color]]) -> None:
        """A breath of colour over whole cards."""
        painted = self._image.copy()
        for box, color in areas:
            cv2.fillPoly(painted, [np.rint(corners_of(box) * np.float32(self._scale)).astype(np.int32)], color)
        cv2.addWeighted(painted, TINT, self._image, 1 - TINT, 0, dst=self._image)

    def mark(self, box: Box, *, suspect: bool) -> None:
        """A face: plain, or as one that needs a look."""
        if suspect:
            self.warn(box)
        else:
            self.outline(box, FACE)

    def outline(self, box: Box, color: Color, pattern: str = "solid") -> None:
        """A closed line that stands out from white cards and from dark cloth alike."""
        self._stroke(corners_of(box) * np.float32(self._scale), color, pattern, WHITE)

    def warn(self, box: Box, aside: bool = False) -> None:
        """The line of what needs a look; *aside* leaves room for the card's own line."""
        corners = corners_of(box) * np.float32(self._scale)
        self._stroke(_grown(corners, 3 * self._line) if aside else corners, AMBER, "dash", INK)

    def label(self, labels: Sequence[tuple[Box, _Chip]]) -> None:
        """A chip on each box, where it hides as few other chips and cards as can be."""
        boxes = [corners_of(box) * np.float32(self._scale) for box, _ in labels]
        for corners, (_, chip) in zip(boxes, labels, strict=True):
            width, height = self._size(chip)
            spots = _spots(corners, width, height)
            costs = [self._cost(x, y, width, height, boxes) + n / 100 for n, (x, y) in enumerate(spots)]
            x, y = spots[int(np.argmin(costs))]
            self._draw(chip, int(x - width / 2), int(y - height / 2))

    def ask(self, places: Sequence[Place]) -> None:
        """A chip at each of *places* that may hold a card."""
        chip = _Chip("?", color=AMBER)
        width, height = self._size(chip)
        for x, y in places:
            self._draw(chip, int(x * self._scale - width / 2), int(y * self._scale - height / 2))

    def finished(self, legend: Sequence[_Chip]) -> Image:
        """The picture with *legend* beneath it."""
        self._taken.clear()
        self._text = max(9, round(max(self._image.shape[:2]) / 36))
        gap, width = self._text // 2, self._image.shape[1]
        places, x, row = [], gap, 0
        for chip in legend:
            chip_width, chip_height = self._size(chip)
            if x > gap and x + chip_width > width:
                x, row = gap, row + 1
            places.append((chip, x, row))
            x += chip_width + gap
        strip = (row + 1) * (chip_height + gap) + gap if legend else 0
        top = self._image.shape[0] + gap
        bordered = cv2.copyMakeBorder(self._image, 0, strip, 0, 0, cv2.BORDER_CONSTANT, value=INK)
        self._image = bordered.astype(np.uint8, copy=False)
        for chip, left, number in places:
            self._draw(chip, left, top + number * (chip_height + gap))
        return self._image

    def _stroke(self, corners: npt.NDArray[np.float32], color: Color, pattern: str, ground: Color) -> None:
        closed = [np.rint(corners).astype(np.int32)]
        cv2.polylines(self._image, closed, True, INK, self._line * 3 + 2, cv2.LINE_AA)
        cv2.polylines(self._image, closed, True, ground, self._line * 2 + 1, cv2.LINE_AA)
        stroke_pattern(self._image, corners, color, pattern, self._line * 2)

    def _cost(self, x: float, y: float, width: int, height: int, boxes: list[npt.NDArray[np.float32]]) -> float:
        """How much a chip at this centre hides; 0 is best."""
        left, top = x - width / 2, y - height / 2
        others = sum(cv2.pointPolygonTest(box, (float(x), float(y)), False) >= 0 for box in boxes) - 1
        overlap = sum(
            max(0.0, min(left + width, r) - max(left, le)) * max(0.0, min(top + height, b) - max(top, t))
            for le, t, r, b in self._taken
        )
        rows, columns = self._image.shape[:2]
        outside = left < 0 or top < 0 or left + width > columns or top + height > rows
        return others + 4 * overlap / (width * height) + 3 * outside

    def _size(self, chip: _Chip) -> tuple[int, int]:
        return self._part(chip.text) + self._part(chip.extra), round(self._text * 1.35)

    def _part(self, text: str) -> int:
        return round(_text_width(text, self._text) + self._text * 0.6) if text else 0

    def _draw(self, chip: _Chip, x: int, y: int) -> None:
        width, height = self._size(chip)
        x = max(0, min(x, self._image.shape[1] - width))
        y = max(0, min(y, self._image.shape[0] - height))
        self._taken.append((x, y, x + width, y + height))
        edge = max(1, self._line // 2 + 1)
        cv2.rectangle(self._image, (x - edge, y - edge), (x + width + edge, y + height + edge), INK, -1)
        cv2.rectangle(self._image, (x, y), (x + width, y + height), WHITE, -1)
        if chip.extra:
            split = x + self._part(chip.text)
            cv2.rectangle(self._image, (split, y), (x + width, y + height), INK, -1)
            self._write(chip.extra, split, y + height, WHITE)
        if chip.color not in (INK, RED_SUIT):  # a deck or a warning: its colour fills
            cv2.rectangle(self._image, (x, y), (x + self._part(chip.text), y + height), chip.color, -1)
            self._write(chip.text, x, y + height, _letters_on(chip.color))
        else:
            self._write(chip.text, x, y + height, chip.color)

    def _write(self, text: str, x: int, bottom: int, color: Color) -> None:
        origin = (x + round(self._text * 0.3), bottom - round(self._text * 0.33))
        cv2.putText(self._image, text, origin, color, _SANS, self._text, 700)


def _usual_width(boxes: Sequence[Box]) -> float:
    """The median of the cards' short sides in pixels; 0 without cards."""
    sides = [np.linalg.norm(np.roll(corners_of(box), -1, axis=0) - corners_of(box), axis=1).min() for box in boxes]
    return float(np.median(sides)) if sides else 0.0


_SPOTS = (
    (0.5, 0.5),
    (0.22, 0.2),
    (0.78, 0.2),
    (0.22, 0.8),
    (0.78, 0.8),
    (0.5, 0.15),
    (0.5, 0.85),
    (0.12, 0.5),
    (0.88, 0.5),
)
"""Where a chip may sit, in parts of the card's short and long side."""


def _letters_on(ground: Color) -> Color:
    """Dark or white letters, whichever can be read."""
    blue, green, red = ground
    return INK if 0.114 * blue + 0.587 * green + 0.299 * red > 110 else WHITE


def _text_width(text: str, size: int) -> int:
    return int(cv2.getTextSize((0, 0), text, (0, 0), _SANS, size, 700)[2])


def _spots(corners: npt.NDArray[np.float32], width: int, height: int) -> list[tuple[float, float]]:
    """Where a chip may have its middle: on a card, but beside a box that it would hide."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    if float((high - low).min()) > 1.5 * height:
        return [_spot(corners, along, across) for along, across in _SPOTS]
    x, y = (float(value) for value in (low + high) / 2)
    left, right = float(low[0]) - width * 0.6, float(high[0]) + width * 0.6
    above, below = float(low[1]) - height * 0.8, float(high[1]) + height * 0.8
    return [(x, above), (x, below), (right, y), (left, y), (right, above), (left, below)]


def _spot(corners: npt.NDArray[np.float32], along: float, across: float) -> tuple[float, float]:
    top = corners[0] + (corners[1] - corners[0]) * along
    bottom = corners[3] + (corners[2] - corners[3]) * along
    x, y = top + (bottom - top) * across
    return float(x), float(y)


def _grown(corners: npt.NDArray[np.float32], by_px: float) -> npt.NDArray[np.float32]:
    """The corners moved away from their middle."""
    arms = corners - corners.mean(axis=0)
    lengths = np.maximum(np.linalg.norm(arms, axis=1, keepdims=True), 1)
    return np.asarray(corners + arms / lengths * by_px * 1.4, np.float32)
