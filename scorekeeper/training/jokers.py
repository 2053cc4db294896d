"""Jokers to compose pictures of, of the kinds that are printed: a word, letters down the side, a star, a jester."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.rules.lake import JOKER
from scorekeeper.training.art import Floats, Pixels, rounded
from scorekeeper.training.decks import HEIGHT, DeckPool
from scorekeeper.training.faces import Color, Families, court_picture, glyph, pip_mask, split_fonts, stamp
from scorekeeper.training.scene import DeckSprites, Sprite
from scorekeeper.training.tables import Rng

HELD_OUT = ("anglo", "anglo_bitmap", "lattmann", "neoclassical", "neoclassical_4_color", "tango_nuevo")
"""Sheets whose jokers only measure and are never trained on."""
WORDS = ("JOKER",) * 12 + ("Joker",) * 5 + ("joker", "JOLLY", "Jolly", "JESTER", "WILD", "The Joker", "JOLLY JOKER")
SMALL = ("GUARANTEE", "No. 808", "PLAYING CARDS", "MADE IN ITALY", "TRADE MARK", "100% PLASTIC", "CASINO QUALITY")
SIGNS = "\u2605\u2606\u272a\u2736\u2726\u265e\u265b\u2740\u2638\u263a\u2699\u25c6\u263b\u2655\u2600\u262f$&@"
"""Signs of some fonts that stand in corners or in the middle."""
LINES = 0.7
"""So many figures are drawn with dark lines round their parts."""


Spots = npt.NDArray[np.floating[Any]]
"""(n, 2) or (2,) x and y."""


class Joker(NamedTuple):
    """A joker on its way to the printer."""

    canvas: Pixels
    """(h, w, 3) BGR."""
    ink: Color
    fonts: Sequence[str]
    """Files of one family."""


def joker_face(rng: Rng, art: Sequence[Pixels] = (), families: Families | None = None) -> Pixels:
    """A joker (h, w, 4) BGRA drawn at random, at times one of *art*, or with its figure; fonts come from *families*."""
    if art and rng.random() < 0.4:
        return _printed_anew(rng, art[int(rng.integers(len(art)))])
    families = families or split_fonts()[0]
    size = (HEIGHT, int(HEIGHT * rng.uniform(0.63, 0.715)))
    paper = tuple(int(v) for v in 255 - np.abs(rng.normal(0, 6, 3)))
    joker = Joker(np.full((*size, 3), paper, np.uint8), _ink(rng), families[int(rng.integers(len(families)))])
    if rng.random() < 0.1:
        _ground(rng, joker)
    _middle(rng, joker, art)
    _corners(rng, joker)
    return np.dstack([joker.canvas, rounded(size, 0.055)])


def _printed_anew(rng: Rng, picture: Pixels) -> Pixels:
    """A rendered joker in other colours, or in one, now and then."""
    if rng.random() < 0.4:
        return picture
    colours = cv2.cvtColor(picture[..., :3], cv2.COLOR_BGR2HSV).astype(np.int32)
    colours[..., 0] = (colours[..., 0] + rng.integers(0, 180)) % 180
    colours[..., 1] = np.clip(colours[..., 1] * rng.choice([0.0, 0.7, 1.3]), 0, 255)
    return np.dstack([cv2.cvtColor(colours.astype(np.uint8), cv2.COLOR_HSV2BGR), picture[..., 3]])


def _ink(rng: Rng) -> Color:
    kind = rng.random()
    if kind < 0.5:
        return _color(rng, 0, 60)
    if kind < 0.85:
        return int(rng.integers(0, 70)), int(rng.integers(0, 60)), int(rng.integers(140, 245))
    return _color(rng, 0, 200)


def _color(rng: Rng, low: int, high: int) -> Color:
    blue, green, red = (int(value) for value in rng.integers(low, high + 1, 3))
    return blue, green, red


def _ground(rng: Rng, joker: Joker) -> None:
    """A coloured field in a pale frame, or no frame."""
    h, w = joker.canvas.shape[:2]
    edge = int(rng.choice([0, 0.04 * w, 0.08 * w]))
    shade = np.linspace(rng.uniform(0.6, 1.1), rng.uniform(0.6, 1.1), h)[:, None, None]
    field = np.clip(np.array(_color(rng, 60, 255)) * shade, 0, 255)
    joker.canvas[edge : h - edge, edge : w - edge] = np.broadcast_to(field, (h, w, 3))[edge : h - edge, edge : w - edge]


# What stands in the corners


def _corners(rng: Rng, joker: Joker) -> None:
    """The same mark in both corners, at times in all four, or none."""
    kind = int(rng.choice(6, p=[0.45, 0.13, 0.1, 0.2, 0.04, 0.08]))
    mark = (_down, _word, _along, _sign, _initial, _none)[kind](rng, joker)
    if mark is None:
        return
    canvas, (h, w) = joker.canvas, joker.canvas.shape[:2]
    x, y = round(w * rng.uniform(0.02, 0.06)), round(h * rng.uniform(0.02, 0.05))
    tall, wide = min(mark.shape[0], h - 2 * y), min(mark.shape[1], w - 2 * x)
    four = rng.random() < 0.12
    for half in (canvas, canvas[::-1, ::-1]):
        stamp(half, mark, joker.ink, (x, y, wide, tall))
        if four:
            stamp(half, mark, joker.ink, (w - x - wide, y, wide, tall))


def _ink_of(rng: Rng, joker: Joker, text: str, tall: float) -> Floats | None:
    """*text* so *tall*, in one of the fonts, narrow or wide."""
    ink = glyph(text, str(rng.choice(joker.fonts)), bold=int(rng.choice([0, 0, 0, 3, 6])))
    if ink is None:
        return None
    size = (max(3, round(tall * ink.shape[1] / ink.shape[0] * rng.uniform(0.75, 1.15))), max(4, round(tall)))
    return np.asarray(cv2.resize(ink, size, interpolation=cv2.INTER_AREA), np.float32)


def _joined(parts: Sequence[Floats], gap: int) -> Floats:
    """*parts* one below the other, on one middle line."""
    wide = max(part.shape[1] for part in parts)
    rows = []
    for part in parts:
        left = (wide - part.shape[1]) // 2
        rows += [np.pad(part, ((0, gap), (left, wide - part.shape[1] - left)))]
    return np.vstack(rows)


def _down(rng: Rng, joker: Joker) -> Floats | None:
    """J, O, K, E, R one below the other, perhaps with a sign above or below."""
    h = joker.canvas.shape[0]
    tall = h * float(rng.choice([rng.uniform(0.035, 0.07), rng.uniform(0.07, 0.12)], p=[0.8, 0.2]))
    word = "JOKER" if rng.random() < 0.85 else str(rng.choice(["JOLLY", "joker", "Joker", "WILD"]))
    parts = [part for part in (_ink_of(rng, joker, letter, tall) for letter in word) if part is not None]
    sign = _sign(rng, joker) if rng.random() < 0.3 else None
    parts = [sign, *parts] if sign is not None and rng.random() < 0.6 else parts + ([sign] if sign is not None else [])
    return _joined(parts, max(1, round(tall * rng.uniform(0.05, 0.3)))) if parts else None


def _word(rng: Rng, joker: Joker) -> Floats | None:
    return _ink_of(rng, joker, str(rng.choice(WORDS[:18])), joker.canvas.shape[0] * rng.uniform(0.025, 0.06))


def _along(rng: Rng, joker: Joker) -> Floats | None:
    word = _word(rng, joker)
    return None if word is None else np.ascontiguousarray(np.rot90(word, int(rng.choice([1, 3]))))


def _sign(rng: Rng, joker: Joker) -> Floats | None:
    """A star or another sign, perhaps in a ring."""
    tall = joker.canvas.shape[0] * rng.uniform(0.045, 0.12)
    if rng.random() < 0.6:
        sign = _drawn(_star_of(rng), tall)
    else:
        ink = glyph(str(rng.choice(list(SIGNS))), SIGN_FONT)
        if ink is None:
            return None
        wide = round(tall * min(1.3, ink.shape[1] / ink.shape[0]))
        sign = np.asarray(cv2.resize(ink, (wide, round(tall))), np.float32)
    return _ringed(sign, rng) if rng.random() < 0.25 else sign


SIGN_FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"


def _initial(rng: Rng, joker: Joker) -> Floats | None:
    """Only a J, or JK, over a sign that is no pip."""
    letter = _ink_of(rng, joker, str(rng.choice(["J", "JK", "Jo", "JKR"])), joker.canvas.shape[0] * 0.08)
    sign = _sign(rng, joker)
    return None if letter is None or sign is None else _joined([letter, sign], 4)


def _none(rng: Rng, joker: Joker) -> None:
    return None


def _star_of(rng: Rng) -> list[Floats]:
    points, deep = int(rng.choice([5, 5, 5, 5, 6, 8, 12])), rng.uniform(0.3, 0.6)
    turn = np.arange(2 * points) * np.pi / points
    reach = np.where(np.arange(2 * points) % 2, 0.5 * deep, 0.5)
    return [np.stack([reach * np.sin(turn), -reach * np.cos(turn)], 1).astype(np.float32)]


def _drawn(outlines: Sequence[Floats], tall: float) -> Floats:
    """The ink of *outlines*, in a box of about 1 x 1, so *tall*."""
    canvas = np.zeros((240, 240), np.uint8)
    for outline in outlines:
        cv2.fillPoly(canvas, [((outline + 0.5) * 239).round().astype(np.int32)], 255)
    return _share(np.asarray(cv2.resize(canvas, (round(tall),) * 2, interpolation=cv2.INTER_AREA), np.uint8))


def _ringed(sign: Floats, rng: Rng) -> Floats:
    """*sign* in a ring, or left out of a disc."""
    side = round(1.5 * max(sign.shape))
    y, x = (side - sign.shape[0]) // 2, (side - sign.shape[1]) // 2
    inside = np.zeros((side, side), np.float32)
    inside[y : y + sign.shape[0], x : x + sign.shape[1]] = sign
    disc = np.zeros((side, side), np.uint8)
    filled = rng.random() < 0.4
    cv2.circle(disc, (side // 2, side // 2), side // 2 - 2, 255, -1 if filled else max(1, side // 16), cv2.LINE_AA)
    ring = _share(disc)
    return ring * (1 - inside) if filled else np.maximum(ring, inside)


# What stands in the middle


def _middle(rng: Rng, joker: Joker, art: Sequence[Pixels]) -> None:
    """A figure or an emblem, at times twice, one upside down; a word in large letters; perhaps small print."""
    kind = rng.random()
    if kind < 0.75:
        _pictured(rng, joker, art)
    if kind >= 0.75 or rng.random() < 0.3:
        _large_word(rng, joker)
    if rng.random() < 0.2:
        for _ in range(int(rng.integers(1, 4))):
            _print(rng, joker, str(rng.choice(SMALL)), rng.uniform(0.012, 0.03), rng.uniform(0.1, 0.9), 0.0)


def _pictured(rng: Rng, joker: Joker, art: Sequence[Pixels]) -> None:
    """Pastes a picture into the middle."""
    h, w = joker.canvas.shape[:2]
    wide = round(w * rng.uniform(0.45, 0.92))
    turned = rng.random() < 0.2
    most = h * (0.44 if turned else 0.92)
    picture, cover = _picture(rng, joker, art)
    scale = min(wide / picture.shape[1], most / picture.shape[0])
    size = (max(8, round(picture.shape[1] * scale)), max(8, round(picture.shape[0] * scale)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    share = cv2.resize(cover, size, interpolation=cv2.INTER_AREA)[..., None]
    for half in (joker.canvas, joker.canvas[::-1, ::-1])[: 1 + turned]:
        room = h // 2 - size[1] if turned else h - size[1]
        y, x = round(max(0, room) * rng.uniform(0.3, 0.7)), (w - size[0]) // 2
        place = half[y : y + size[1], x : x + size[0]]
        place[:] = (place * (1 - share) + small * share).astype(np.uint8)


def _picture(rng: Rng, joker: Joker, art: Sequence[Pixels]) -> tuple[Pixels, Floats]:
    """A picture (h, w, 3) and its cover (h, w), 0 to 1."""
    kind = rng.random()
    if art and kind < 0.25:
        whole = _printed_anew(rng, art[int(rng.integers(len(art)))])
        h, w = whole.shape[:2]
        cut = whole[round(0.16 * h) : round(0.84 * h), round(0.18 * w) : round(0.82 * w), :3]
        return np.ascontiguousarray(cut), np.ones(cut.shape[:2], np.float32)
    if kind < 0.31:
        court = court_picture(rng, ())
        return court, np.ones(court.shape[:2], np.float32)
    if kind < 0.47:
        return _emblem(rng, joker)
    return _jester(rng, joker)


def _emblem(rng: Rng, joker: Joker) -> tuple[Pixels, Floats]:
    """A sign in one ink: a star, a bicycle, a mask, any sign, all four pips round a middle."""
    kind = int(rng.integers(4))
    ink = [_bicycle, _mask, _four_pips][kind](rng) if kind < 3 else _sign(rng, joker)
    ink = ink if ink is not None and min(ink.shape) > 8 else _drawn(_star_of(rng), 200)
    ink = np.asarray(cv2.resize(ink, None, fx=200 / ink.shape[0], fy=200 / ink.shape[0]), np.float32)
    picture = np.empty((*ink.shape, 3), np.uint8)
    picture[:] = joker.ink if rng.random() < 0.7 else _color(rng, 0, 220)
    return picture, np.clip(ink, 0, 1)


def _bicycle(rng: Rng) -> Floats:
    """Two wheels, a frame and somebody on it."""
    canvas, thick = np.zeros((240, 300), np.uint8), int(rng.integers(2, 7))
    left, right, r = (75, 170), (225, 170), int(rng.integers(45, 66))
    for wheel in (left, right):
        cv2.circle(canvas, wheel, r, 255, thick, cv2.LINE_AA)
        for turn in np.linspace(0, np.pi, int(rng.integers(3, 8)), endpoint=False):
            arm = (np.array([np.cos(turn), np.sin(turn)]) * r).astype(int)
            cv2.line(canvas, tuple(wheel - arm), tuple(wheel + arm), 255, 1, cv2.LINE_AA)
    for one, two in ((left, (140, 110)), ((140, 110), (150, 170)), ((150, 170), right), ((210, 90), right)):
        cv2.line(canvas, one, two, 255, thick, cv2.LINE_AA)
    cv2.line(canvas, (140, 110), (210, 90), 255, thick, cv2.LINE_AA)
    if rng.random() < 0.7:
        cv2.ellipse(canvas, (145, 75), (26, 40), -20, 0, 360, 255, -1, cv2.LINE_AA)
        cv2.circle(canvas, (160, 28), 20, 255, -1, cv2.LINE_AA)
    return _share(canvas)


def _mask(rng: Rng) -> Floats:
    """A laughing face, left out of its disc."""
    canvas = np.zeros((240, 240), np.uint8)
    cv2.ellipse(canvas, (120, 120), (int(rng.integers(70, 110)), 112), 0, 0, 360, 255, -1, cv2.LINE_AA)
    for x in (82, 158):
        cv2.ellipse(canvas, (x, 90), (22, int(rng.integers(8, 22))), 0, 180 * int(rng.integers(2)), 360, 0, -1)
    cv2.ellipse(canvas, (120, 140), (int(rng.integers(30, 62)), int(rng.integers(20, 60))), 0, 0, 180, 0, -1)
    return _share(canvas)


def _four_pips(rng: Rng) -> Floats:
    """The four suits round a middle."""
    canvas, away = np.zeros((300, 300, 3), np.uint8), int(rng.integers(66, 96))
    for suit, (x, y) in zip("SHCD", ((0, -1), (1, 0), (0, 1), (-1, 0)), strict=True):
        stamp(canvas, pip_mask(suit, rng, 64), (255, 255, 255), (118 + x * away, 118 + y * away, 64, 64))
    return _share(canvas[..., 0])


def _share(canvas: Pixels) -> Floats:
    """*canvas* as ink, 0 to 1."""
    return np.asarray(canvas, np.float32) / np.float32(255)


@dataclass(frozen=True, slots=True)
class _Brush:
    """Draws a figure's parts, in a field of 300 x 420."""

    picture: Pixels
    cover: Pixels
    dark: Color | None
    """Of the lines round the parts; None for none."""

    def part(self, points: Spots, color: Color) -> None:
        """Fills the outline *points* (n, 2)."""
        there = [points.round().astype(np.int32)]
        cv2.fillPoly(self.picture, there, color, cv2.LINE_AA)
        cv2.fillPoly(self.cover, there, 255, cv2.LINE_AA)
        if self.dark:
            cv2.polylines(self.picture, there, True, self.dark, 3, cv2.LINE_AA)
            cv2.polylines(self.cover, there, True, 255, 3, cv2.LINE_AA)

    def ball(self, x: float, y: float, r: float, color: Color, flat: float = 1.0) -> None:
        """A disc, or an ellipse so *flat*."""
        turn = np.linspace(0, 2 * np.pi, 28)
        self.part(np.stack([x + r * np.cos(turn), y + flat * r * np.sin(turn)], 1), color)

    def limb(self, points: Spots, wide: float, color: Color) -> None:
        """A thick line through *points* (n, 2)."""
        along = np.gradient(points, axis=0)
        side = np.stack([-along[:, 1], along[:, 0]], 1)
        side *= wide / 2 / np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-3)
        self.part(np.concatenate([points + side, (points - side)[::-1]]), color)


def _jester(rng: Rng, joker: Joker) -> tuple[Pixels, Floats]:
    """A jester: a cap with bells, a face, a collar in points, often a body; in colours or in one ink."""
    plain = rng.random() < 0.35
    blue, green, red = (int(value) for value in joker.canvas[joker.canvas.shape[0] // 2, 40])
    paper = blue, green, red
    dark = (joker.ink if plain else _color(rng, 0, 60)) if plain or rng.random() < LINES else None
    brush = _Brush(np.full((420, 300, 3), paper, np.uint8), np.zeros((420, 300), np.uint8), dark)
    motley = [joker.ink, paper] if plain else [_color(rng, 0, 255) for _ in range(int(rng.integers(2, 5)))]
    whole = rng.random() < 0.6
    x, y = rng.uniform(120, 180), 130.0 if whole else rng.uniform(190, 230)
    r = rng.uniform(28, 46) * (1 if whole else 1.9)
    if whole:
        _body(rng, brush, (x, y + r), motley)
    _collar(rng, brush, (x, y + r * 1.05), r, motley)
    skin = paper if plain else (int(rng.integers(140, 210)), int(rng.integers(170, 225)), int(rng.integers(220, 255)))
    brush.ball(x, y, r, skin, rng.uniform(1.0, 1.3))
    _features(rng, brush, (x, y), r, dark or (30, 30, 30))
    _cap(rng, brush, (x, y), r, motley)
    rows, columns = (np.flatnonzero(brush.cover.any(axis=axis)) for axis in (1, 0))
    cut = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    return np.ascontiguousarray(brush.picture[cut]), _share(brush.cover[cut])


def _bow(start: Spots, middle: Spots, end: Spots, steps: int = 12) -> Floats:
    t = np.linspace(0, 1, steps)[:, None]
    return np.asarray((1 - t) ** 2 * start + 2 * (1 - t) * t * middle + t**2 * end, np.float32)


def _cap(rng: Rng, brush: _Brush, at: tuple[float, float], r: float, motley: Sequence[Color]) -> None:
    """Two to five horns with a bell on each tip."""
    middle, horns = np.array(at), int(rng.integers(2, 6))
    edges = np.linspace(-80, 80, horns + 1) + rng.normal(0, 4, horns + 1)
    for n in range(horns):
        low, high = np.deg2rad(edges[n] - 90), np.deg2rad(edges[n + 1] - 90)
        start, end = (middle + 1.02 * r * np.array([np.cos(a), np.sin(a)]) for a in (low, high))
        way = np.deg2rad((edges[n] + edges[n + 1]) / 2 * rng.uniform(0.9, 1.4) - 90)
        tip = middle + r * rng.uniform(1.9, 2.8) * np.array([np.cos(way), np.sin(way)])
        tip[1] += r * rng.uniform(0, 0.9) * abs(np.cos(way))
        lift = np.array([0, -r * rng.uniform(0.3, 1.0)])
        up, down = _bow(start, (start + tip) / 2 + lift, tip), _bow(tip, (end + tip) / 2 + lift * 0.6, end)
        brush.part(np.concatenate([up, down]), motley[n % len(motley)])
        brush.ball(float(tip[0]), float(tip[1]), r * rng.uniform(0.14, 0.26), motley[(n + 1) % len(motley)])
    brush.limb(_bow(middle + (-r, -0.15 * r), middle + (0, -0.75 * r), middle + (r, -0.15 * r)), 0.3 * r, motley[0])


def _collar(rng: Rng, brush: _Brush, at: tuple[float, float], r: float, motley: Sequence[Color]) -> None:
    """Points round the neck, perhaps with bells."""
    points, long = int(rng.integers(4, 9)), r * rng.uniform(0.9, 1.7)
    bells = rng.random() < 0.6
    edges = np.deg2rad(np.linspace(175, 5, points + 1))
    for n in range(points):
        a, b = edges[n], edges[n + 1]
        one, two = (np.array(at) + r * 0.6 * np.array([np.cos(e), 0.5 * np.sin(e)]) for e in (a, b))
        tip = np.array(at) + long * np.array([np.cos((a + b) / 2), 0.75 * np.sin((a + b) / 2)])
        brush.part(np.array([one, tip, two, at], np.float32), motley[n % len(motley)])
        if bells:
            brush.ball(float(tip[0]), float(tip[1]), r * 0.13, motley[(n + 1) % len(motley)])


def _features(rng: Rng, brush: _Brush, at: tuple[float, float], r: float, dark: Color) -> None:
    """Eyes, a nose and a smile."""
    x, y = at
    thick = max(1, round(r * 0.08))
    for side in (-1, 1):
        spot = (round(x + side * 0.38 * r), round(y - 0.1 * r))
        cv2.circle(brush.picture, spot, max(2, round(r * rng.uniform(0.07, 0.16))), dark, -1, cv2.LINE_AA)
    nose = (round(x + rng.uniform(-0.1, 0.1) * r), round(y + 0.2 * r))
    cv2.circle(brush.picture, nose, max(2, round(r * rng.uniform(0.08, 0.2))), _color(rng, 20, 230), -1, cv2.LINE_AA)
    size = (round(r * rng.uniform(0.35, 0.65)), round(r * rng.uniform(0.2, 0.5)))
    cv2.ellipse(brush.picture, (round(x), round(y + 0.35 * r)), size, 0, 10, 170, dark, thick, cv2.LINE_AA)


def _body(rng: Rng, brush: _Brush, at: tuple[float, float], motley: Sequence[Color]) -> None:
    """A body with arms and legs as in a dance, often with a stick, or balls in the air."""
    x, y = at
    wide, low = rng.uniform(34, 60), y + rng.uniform(90, 130)
    for side in (-1, 1):
        foot = np.array([x + side * rng.uniform(10, 100), min(400, low + rng.uniform(60, 120))])
        knee = np.array([x + side * rng.uniform(20, 80), low + rng.uniform(10, 60)])
        brush.limb(_bow(np.array([x + side * wide * 0.3, low - 8]), knee, foot), rng.uniform(16, 30), motley[side])
        toe = foot + np.array([[-8, 0], [side * 38, -12], [side * 8, 16]], np.float32)
        brush.part(toe, motley[0])
        hand = np.array([x + side * rng.uniform(50, 125), y + rng.uniform(-90, 110)])
        elbow = np.array([x + side * rng.uniform(50, 110), y + rng.uniform(20, 80)])
        brush.limb(_bow(np.array([x + side * wide * 0.8, y + 22]), elbow, hand), rng.uniform(14, 26), motley[-side])
        if rng.random() < 0.5:
            stick = hand + np.array([side * rng.uniform(0, 26), -rng.uniform(30, 80)])
            brush.limb(np.linspace(hand, stick, 3).astype(np.float32), 7, motley[0])
            brush.ball(float(stick[0]), float(stick[1]), rng.uniform(8, 18), motley[1 % len(motley)])
        else:
            brush.ball(float(hand[0]), float(hand[1]), 11, motley[0])
    half = np.array([[x, y], [x - wide, y + 14], [x - wide * 0.6, low], [x, low + 14]], np.float32)
    brush.part(half, motley[0])
    brush.part(half * (-1, 1) + (2 * x, 0), motley[1 % len(motley)])
    for k in range(int(rng.integers(0, 4))):
        brush.ball(x, y + 34 + 24 * k, 6, motley[k % len(motley)])


def _large_word(rng: Rng, joker: Joker) -> None:
    """The word across the middle or aslant, or above, or along the ends."""
    kind = rng.random()
    turn = float(rng.choice([0.0, rng.uniform(-70, 70)]))
    at = 0.5 if kind < 0.5 else float(rng.choice([0.12, 0.2, 0.75, 0.85]))
    tall = rng.uniform(0.08, 0.17) if kind < 0.5 else rng.uniform(0.04, 0.1)
    for half in (joker.canvas, joker.canvas[::-1, ::-1])[: 1 + (at != 0.5 and rng.random() < 0.5)]:
        _print(rng, joker._replace(canvas=half), str(rng.choice(WORDS)), tall, at, turn if at == 0.5 else 0.0)


def _print(rng: Rng, joker: Joker, text: str, tall: float, at: float, turn: float) -> None:
    """*text* so *tall*, *at* so much of the way down, on the middle line, turned by so many degrees."""
    h, w = joker.canvas.shape[:2]
    ink = _ink_of(rng, joker, text, tall * h)
    if ink is None:
        return
    scale = min(1.0, 0.82 * w / ink.shape[1])
    ink = np.asarray(cv2.resize(ink, None, fx=scale, fy=max(scale, 0.6), interpolation=cv2.INTER_AREA), np.float32)
    side = max(ink.shape) + 4
    field = np.zeros((side, side), np.float32)
    y, x = (side - ink.shape[0]) // 2, (side - ink.shape[1]) // 2
    field[y : y + ink.shape[0], x : x + ink.shape[1]] = ink
    field = np.asarray(cv2.warpAffine(field, cv2.getRotationMatrix2D((side / 2, side / 2), turn, 1.0), (side, side)))
    rows = np.flatnonzero(field.max(1) > 0.1)
    field = field[rows[0] : rows[-1] + 1]
    top = max(0, round(at * h) - len(field) // 2)
    stamp(joker.canvas, field, joker.ink, ((w - side) // 2, top, side, len(field)))


# Decks with jokers


def joker_art(folder: Path | None, *, held_out: bool = False) -> list[Pixels]:
    """The jokers that ``datasets/render_art.py`` wrote to *folder*: of the sheets to train on, or of HELD_OUT."""
    paths = sorted((folder / "jokers").glob("*.png")) if folder else []
    mine = [path for path in paths if (path.stem.rsplit("-", 1)[0] in HELD_OUT) == held_out]
    pictures = [cv2.imread(str(path), cv2.IMREAD_UNCHANGED) for path in mine]
    return [picture.astype(np.uint8) for picture in pictures if picture is not None]


class JokerPool(DeckPool):
    """Decks of which many a face, drawn when first asked for, is a joker, and some aces have a large print."""

    share, printed = 0.3, 0.35

    def __init__(self, rng: Rng, art: Path | None, jokers: Sequence[Pixels], **how: object) -> None:
        self._jokers = jokers
        super().__init__(rng, art, **how)  # type: ignore[arg-type]

    def _new(self) -> DeckSprites:
        deck = super()._new()
        make = deck.make
        return replace(deck, make=lambda code: self._face(code, make))

    def _face(self, code: str, make: Callable[[str], Sprite]) -> Sprite:
        if self._rng.random() < self.share:
            return Sprite.of(joker_face(self._rng, self._jokers, self._families), JOKER)
        sprite = make(code)
        if code[0] == "A" and self._rng.random() < self.printed:
            picture = straight(sprite)
            large_print(self._rng, picture, code)
            return Sprite.of(picture, code, sprite.indices)
        return sprite


def straight(sprite: Sprite) -> Pixels:
    """The picture (h, w, 4) of *sprite*, its colours as they were before they were weighed by its cover."""
    level = sprite.levels[0]
    cover = np.maximum(level[..., 3:].astype(np.float32), 1)
    return np.dstack([np.clip(level[..., :3] * 255.0 / cover, 0, 255).astype(np.uint8), level[..., 3]])


def large_print(rng: Rng, picture: Pixels, code: str) -> None:
    """Prints on an ace what makers print on aces: a large pip with a picture in it, their words, a wreath."""
    h, w = picture.shape[:2]
    ink = _ink(rng) if rng.random() < 0.3 else (25, 25, 25) if code[1] in "SC" else (40, 30, 190)
    families = split_fonts()[0]
    ace = Joker(np.ascontiguousarray(picture[..., :3]), ink, families[int(rng.integers(len(families)))])
    tall = round(h * rng.uniform(0.25, 0.5))
    stamp(
        ace.canvas,
        pip_mask(code[1], rng),
        ink,
        ((w - round(0.9 * tall)) // 2, (h - tall) // 2, round(0.9 * tall), tall),
    )
    small = round(tall * rng.uniform(0.25, 0.55))
    inner = pip_mask(code[1], rng) if rng.random() < 0.5 else _drawn(_star_of(rng), small)
    pale = tuple(int(v) for v in rng.integers(170, 256, 3))
    stamp(ace.canvas, inner, (pale[0], pale[1], pale[2]), ((w - small) // 2, (h - small) // 2, small, small))
    for n in range(int(rng.integers(0, 5))):
        reach = tall * (0.55 + 0.05 * n)
        for turn in np.linspace(0, 2 * np.pi, int(rng.integers(12, 40)), endpoint=False):
            spot = (round(w / 2 + 0.75 * reach * np.cos(turn)), round(h / 2 + reach * np.sin(turn)))
            cv2.circle(ace.canvas, spot, int(rng.integers(1, 4)), ink, -1, cv2.LINE_AA)
    for at in rng.choice([0.12, 0.18, 0.22, 0.78, 0.84, 0.9], int(rng.integers(0, 4)), replace=False):
        _print(rng, ace, str(rng.choice(SMALL)), rng.uniform(0.015, 0.05), float(at), 0.0)
    picture[..., :3] = ace.canvas
