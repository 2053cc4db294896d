"""Invented card backs for synthetic pictures, and the backs of the card art that Debian packages.

    picture = drawn_back(np.random.default_rng(7))       # (560, 400, 4) uint8, BGRA

Patterns are functions of the table's millimetres (a card is 88 mm high) that return how much ink lies where, 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

Ink = npt.NDArray[np.float32]
"""How much ink lies where, (h, w), 0 to 1."""

Picture = npt.NDArray[np.uint8]
"""Shape (h, w, 4), BGRA; alpha is 0 outside the rounded corners."""

Pattern = Callable[[np.random.Generator, Ink, Ink], Ink]
"""Draws on coordinates x, y in millimetres from the middle of the card."""

HEIGHT_MM = 88.0

INKS = {
    "red": (40, 30, 190),
    "crimson": (45, 15, 130),
    "blue": (165, 80, 25),
    "navy": (90, 40, 20),
    "sky": (210, 160, 70),
    "green": (60, 120, 25),
    "forest": (45, 70, 20),
    "black": (35, 32, 30),
    "purple": (130, 40, 95),
    "orange": (30, 110, 235),
    "teal": (135, 130, 20),
    "gold": (60, 160, 200),
    "grey": (125, 122, 120),
    "brown": (40, 65, 105),
    "pink": (160, 110, 235),
    "yellow": (60, 205, 245),
}
"""Ink colours as BGR; every back shifts them a little."""


PLAIN = 0.06
"""The share of printed backs that are of one colour."""


def drawn_back(rng: np.random.Generator, size: tuple[int, int] = (560, 400), *, plain: float = PLAIN) -> Picture:
    """One invented back of *size* (height, width) pixels, of one colour with the chance *plain* (0 to 1); equal
    generators draw equal backs."""
    x, y = _millimetres(size)
    paper, ground, inks = _colours(rng)
    margin = float(rng.choice([0.0, 1.5, 2.5, 3.5, 5.0, 7.0], p=[0.28, 0.08, 0.2, 0.24, 0.14, 0.06]))
    art = _photograph(rng, x, y) if rng.random() < 0.1 else _printed(rng, x, y, ground, inks, plain)
    inside = _rounded(x, y, margin, float(rng.choice([0.0, 1.0, 2.5])))
    card = paper + inside[..., None] * (art - paper)
    if margin and rng.random() < 0.4:
        card = _framed(rng, card, x, y, margin, inks[-1])
    return _with_corners(card, _rounded(x, y, 0.0, 3.4))


def recoloured(back: Picture, rng: np.random.Generator) -> Picture:
    """The same design in another colour, as makers sell it in red and in blue: hue turned, white kept."""
    hsv = cv2.cvtColor(back[..., :3], cv2.COLOR_BGR2HSV)
    turn = int(rng.integers(30, 150))
    hsv[..., 0] = ((hsv[..., 0].astype(np.int32) + turn) % 180).astype(np.uint8)
    return cast(Picture, np.dstack([cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), back[..., 3]]))


def in_colours_of(back: Picture, other: Picture) -> Picture:
    """*other* with the mean and the spread of *back*'s colours."""
    theirs, mine = (cv2.cvtColor(each[..., :3], cv2.COLOR_BGR2LAB).astype(np.float32) for each in (back, other))
    scale = theirs.std((0, 1)) / np.maximum(mine.std((0, 1)), 4)
    moved = (mine - mine.mean((0, 1))) * np.minimum(scale, 3) + theirs.mean((0, 1))
    lab = np.clip(np.round(moved), 0, 255).astype(np.uint8)
    return cast(Picture, np.dstack([cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), other[..., 3]]))


# Colours


def _colours(rng: np.random.Generator) -> tuple[Ink, Ink, list[Ink]]:
    """Paper, ground under the pattern, and two inks, each (3,) float32 BGR."""
    paper = _array([248, 250, 250]) - _array(rng.uniform(0, 14, 3))
    if rng.random() < 0.15:
        paper = paper - _array([35, 12, 5])  # old or cream paper
    names = list(INKS)
    weights = np.array([5, 2, 5, 3, 1, 2, 1, 3, 1.5, 1, 1.5, 1, 1.5, 1, 0.7, 0.4])
    picked = [str(rng.choice(names, p=weights / weights.sum())) for _ in range(2)]
    inks = [_array(np.array(INKS[name]) * rng.uniform(0.75, 1.25) + rng.normal(0, 10, 3)) for name in picked]
    if rng.random() < 0.65:
        inks[1] = inks[0]
    ground = paper
    style = rng.random()
    if style < 0.3:  # light lines on an inked ground
        ground, inks = inks[0], [paper, paper if rng.random() < 0.6 else inks[1]]
    elif style < 0.4:  # a dark back
        ground = _array([30, 28, 28]) + _array(rng.normal(0, 8, 3))
    elif style < 0.48:  # a tinted ground
        ground = _array(0.65 * paper + 0.35 * inks[1])
    if rng.random() < 0.06:
        paper = _array([25, 25, 25])  # a black border
    return paper, np.clip(ground, 5, 255), [np.clip(ink, 5, 255) for ink in inks]


def _printed(rng: np.random.Generator, x: Ink, y: Ink, ground: Ink, inks: list[Ink], plain: float) -> Ink:
    """The printed part: a pattern, perhaps a second one, medallions and corner pieces; (h, w, 3) float32."""
    if rng.random() < plain:
        colour = ground if ground.mean() < 160 else np.minimum(inks[0], 190)  # never a blank white card
        return cast(Ink, np.broadcast_to(colour, (*x.shape, 3)).astype(np.float32))
    pattern = _pattern(rng)
    covered = _symmetric(rng, pattern(rng, x, y))
    art = ground + covered[..., None] * (inks[0] - ground)
    if rng.random() < 0.25:
        second = _symmetric(rng, _pattern(rng)(rng, x, y)) * np.float32(rng.uniform(0.25, 0.8))
        art = art + second[..., None] * (inks[1] - art)
    if rng.random() < 0.55:
        disc, lines = _medallions(rng, x, y)
        art = art + disc[..., None] * (ground - art)
        art = art + lines[..., None] * (inks[1] - art)
    if rng.random() < 0.12:
        words = _words(rng, x, y)
        art = art + words[..., None] * (inks[1] - art)
    return cast(Ink, art.astype(np.float32))


def _photograph(rng: np.random.Generator, x: Ink, y: Ink) -> Ink:
    """A picture without lines: coloured clouds and lights, (h, w, 3) float32."""
    size = (x.shape[1], x.shape[0])
    cells = int(rng.integers(2, 9))
    clouds = _array(cv2.resize(_array(rng.uniform(0, 255, (cells + 2, cells, 3))), size, interpolation=cv2.INTER_CUBIC))
    fine = _array(cv2.resize(_array(rng.normal(0, 1, (90, 64))), size, interpolation=cv2.INTER_CUBIC))
    art = clouds.mean(2, keepdims=True) * np.float32(0.5) + clouds * np.float32(rng.uniform(0.15, 0.5))
    art = art + fine[..., None] * np.float32(rng.uniform(0, 22)) + _array(rng.normal(30, 30, 3))
    art = art + (y[..., None] / 44) * _array(rng.normal(0, 30, 3))
    for _ in range(int(rng.integers(0, 5))):
        middle, radius = rng.uniform((-25, -38), (25, 38)), rng.uniform(3, 14)
        spot = _edge(_array(radius - np.hypot(x - middle[0], y - middle[1])), 0.5)
        art = art + spot[..., None] * (_array(rng.uniform(0, 255, 3)) - art)
    return _array(np.clip(art, 0, 255))


# Shapes


def _array(values: npt.ArrayLike) -> Ink:
    return np.asarray(values, np.float32)


@cache
def _millimetres(size: tuple[int, int]) -> tuple[Ink, Ink]:
    """Coordinates x, y of every pixel from the middle of the card, in millimetres."""
    height, width = size
    scale = HEIGHT_MM / height
    y, x = np.mgrid[:height, :width].astype(np.float32)
    return (x - (width - 1) / 2) * np.float32(scale), (y - (height - 1) / 2) * np.float32(scale)


def _edge(distance: Ink, soft: float = 0.12) -> Ink:
    """1 where *distance* (mm inside the shape) is positive, with an edge *soft* mm wide."""
    return _array(np.clip(distance / np.float32(2 * soft) + np.float32(0.5), 0, 1))


def _rounded(x: Ink, y: Ink, margin: float, radius: float) -> Ink:
    """The card's rectangle, *margin* mm smaller on each side, its corners rounded."""
    half_w, half_h = float(x.max()) - margin - radius, float(y.max()) - margin - radius
    dx, dy = np.maximum(np.abs(x) - half_w, 0), np.maximum(np.abs(y) - half_h, 0)
    outside = np.maximum(np.abs(x) - half_w, np.abs(y) - half_h)
    return _edge(np.float32(radius) - np.where((dx > 0) & (dy > 0), np.hypot(dx, dy), outside) + np.float32(0.02))


def _framed(rng: np.random.Generator, card: Ink, x: Ink, y: Ink, margin: float, ink: Ink) -> Ink:
    """One to three lines around the printed part."""
    at = max(margin - 1.2, 0.6) if rng.random() < 0.5 else margin
    for _ in range(int(rng.integers(1, 4))):
        width = float(rng.uniform(0.3, 1.0))
        ring = _rounded(x, y, at, 1.5) * (1 - _rounded(x, y, at + width, 1.0))
        card = card + ring[..., None] * (ink - card)
        at += width + float(rng.uniform(0.5, 2.0))
    return card


def _with_corners(card: Ink, alpha: Ink) -> Picture:
    whole = np.dstack([np.clip(card, 0, 255), alpha * 255])
    return whole.astype(np.uint8)


def _symmetric(rng: np.random.Generator, ink: Ink) -> Ink:
    """Most backs look alike after a half turn, many are also mirrored; one in five is neither."""
    kind = rng.random()
    if kind < 0.3:
        half = ink.shape[0] // 2
        ink = np.vstack([ink[: ink.shape[0] - half], ink[:half][::-1, ::-1]])
    elif kind < 0.55:
        ink = np.maximum(ink, ink[::-1, ::-1])
    elif kind < 0.8:
        half = ink.shape[1] // 2
        ink = np.hstack([ink[:, : ink.shape[1] - half], ink[:, :half][:, ::-1]])
        half = ink.shape[0] // 2
        ink = np.vstack([ink[: ink.shape[0] - half], ink[:half][::-1]])
    return np.ascontiguousarray(ink, np.float32)


def _turned(x: Ink, y: Ink, degrees: float) -> tuple[Ink, Ink]:
    turn = np.deg2rad(degrees)
    c, s = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    return c * x + s * y, c * y - s * x


def _lines(along: Ink, pitch: float, width: float) -> Ink:
    """Parallel lines *width* mm wide every *pitch* mm."""
    return _edge(width / 2 - np.abs((along / pitch) % 1 - 0.5) * pitch)


# Patterns


def _lattice(rng: np.random.Generator, x: Ink, y: Ink) -> Ink:
    pitch, angle = rng.uniform(1.4, 7), rng.choice([0, 30, 45, 45, 60])
    width = pitch * rng.uniform(0.12, 0.5)
    first, _ = _turned(x, y, angle)
    second, _ = _turned(x, y, -angle if angle else 90)
    return np.maximum(_lines(first, pitch, width), _lines(second, pitch, width))


def _diamonds(rng: np.random.Generator, x: Ink, y: Ink) -> Ink:
    wide, high = rng.uniform(2, 12), rng.uniform(2, 16)
    inside = np.abs((x / wide) % 1 - 0.5) + np.abs((y / high) % 1 - 0.5)
    rings = int(rng.integers(1, 4))
    return _edge(np.sin(inside * np.float32(2 * np.pi * rings)) * np.float32(wide / rings / 6), 0.15)


def _waves(rng: np.random.Generator, x: Ink, y: Ink) -> Ink:
    pitch, swing, length = rng.uniform(1.5, 8), rng.uniform(0.5, 6), rng.uniform(6, 40)
    a, b = _turned(x, y, float(rng.choice([0, 90, 45, rng.uniform(0, 180)])))
    wave = b + np.float32(swing) * np.sin(a * np.float32(2 * np.pi / length))
    return _lines(wave, pitch, pitch * rng.uniform(0.25, 0.6))


def _dots(rng: np.random.Generator, x: Ink, y: Ink) -> Ink:
    pitch = rng.uniform(2, 10)
    a, b = _turned(x, y, float(rng.choice([0, 45, 30])))
    row = np.floor(b / pitch)
    shift = np.float32(0.5) * (row % 2) if rng.random() < 0.6 else np.float32(0)
    px, py = ((a / pitch + shift) % 1 - 0.5) * pitch, ((b / pitch) % 1 - 0.5) * pitch
    radius = pitch * rng.uniform(0.15, 0.45)
    reaches = (np.hypot(px, py), np.abs(px) + np.abs(py), _star(_array(px), _array(py), int(rng.integers(4, 8))))
    return _edge(np.float32(radius) - _array(reaches[int(rng.integers(0, 3))]))


def _star(x: Ink, y: Ink, points: int) -> Ink:
    """A distance whose level lines are stars or flowers of *points* petals."""
    return _array(np.hypot(x, y) * (1.25 + 0.45 * np.cos(points * np.arctan2(y, x))))


def _stripes(rng: np.random.Generator, x: Ink, y: Ink) -> Ink:
    a, _ = _turned(x, y, float(rng.choice([0, 90, 45, -45, 30])))
    pitch = rng.uniform(2, 16)
    ink = _lines(a, pitch, pitch * rng.uniform(0.2, 0.6))
    if rng.random() < 0.5:
        ink = np.maximum(ink, _lines(a + np.float32(pitch / 2), pitch, pitch * 0.08))
    return ink


def _plaid(rng: np.random.Generator, x: Ink, y: Ink) -> Ink:
    a, b = _turned(x, y, float(rng.choice([0, 45])))
    ink = np.zeros_like(x)
    for _ in range(int(rng.integers(2, 4))):
        pitch, share = rng.uniform(6, 24), rng.uniform(0.1, 0.5)
        shade = np.float32(rng.uniform(0.25, 0.6))
        ink = np.maximum(ink, shade * (_lines(a, pitch, pitch * share) + _lines(b, pitch, pitch * share)))
    return np.minimum(ink, 1)


def _damask(rng: np.random.Generator, x: Ink, y: Ink) -> Ink:
    """Mirrored noise, cut at a level: leaves and scrolls."""
    height, width = x.shape
    step = rng.uniform(2.5, 9)
    cells = (max(4, int(HEIGHT_MM / step)), max(3, int(HEIGHT_MM * width / height / step)))
    noise = cv2.resize(rng.normal(0, 1, cells).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    noise = noise + noise[:, ::-1]
    if rng.random() < 0.5:
        noise = np.sin(noise * np.float32(rng.uniform(2, 6)))
    return _edge(noise * np.float32(step / 4), 0.2)


def _rosettes(rng: np.random.Generator, x: Ink, y: Ink) -> Ink:
    """Guilloche: a closed curve rolled around the middle, drawn in thin lines."""
    canvas = np.zeros(x.shape, np.uint8)
    scale = x.shape[0] / HEIGHT_MM
    t = np.linspace(0, 2 * np.pi, 1600)
    middles = [(0.0, 0.0)] if rng.random() < 0.5 else [(0.0, -22.0), (0.0, 22.0)]
    for _ in range(int(rng.integers(1, 4))):
        petals, inner, outer = int(rng.integers(5, 40)), rng.uniform(4, 24), rng.uniform(10, 46)
        turns = int(rng.choice([1, 3, 7, 11]))
        radius = inner + (outer - inner) * (0.5 + 0.5 * np.cos(petals * t / turns * turns + 0.3 * np.sin(turns * t)))
        for mx, my in middles:
            wave = np.stack([mx + radius * np.cos(turns * t) * 0.72, my + radius * np.sin(turns * t)], 1)
            points = np.round((wave * scale + (x.shape[1] / 2, x.shape[0] / 2)) * 8).astype(np.int32)
            cv2.polylines(canvas, [points], True, 255, max(1, round(rng.uniform(0.15, 0.5) * scale)), cv2.LINE_AA, 3)
    return (canvas / np.float32(255)).astype(np.float32)


def _scrolls(rng: np.random.Generator, x: Ink, y: Ink) -> Ink:
    """Spirals and leaves strewn over one half and mirrored, as on rider backs."""
    canvas = np.zeros(x.shape, np.uint8)
    scale = x.shape[0] / HEIGHT_MM
    t = np.linspace(0, 1, 60)
    for _ in range(int(rng.integers(12, 40))):
        mx, my, size = rng.uniform(-30, 30), rng.uniform(-42, 42), rng.uniform(2, 12)
        angle = rng.uniform(0, 6.3) + t * rng.uniform(3, 13) * rng.choice([-1, 1])
        wave = np.stack([mx + size * t * np.cos(angle), my + size * t * np.sin(angle)], 1)
        points = np.round((wave * scale + (x.shape[1] / 2, x.shape[0] / 2)) * 8).astype(np.int32)
        cv2.polylines(canvas, [points], False, 255, max(1, round(rng.uniform(0.3, 1.4) * scale)), cv2.LINE_AA, 3)
    ink = (canvas / np.float32(255)).astype(np.float32)
    return np.maximum(ink, ink[:, ::-1])


def _rays(rng: np.random.Generator, x: Ink, y: Ink) -> Ink:
    """Rays or rings around the middle, perhaps twisted."""
    radius, angle = np.hypot(x, y), np.arctan2(y, x)
    count, twist = int(rng.integers(8, 48)), rng.uniform(0, 0.25) * rng.choice([-1, 0, 1])
    rings = radius * np.float32(2 * np.pi / rng.uniform(2, 9))
    phase = angle * count + np.float32(twist * count) * radius if rng.random() < 0.6 else rings
    return _edge(_array(np.sin(phase) * np.maximum(radius, 1) / np.float32(count)), 0.15)


def _scales(rng: np.random.Generator, x: Ink, y: Ink) -> Ink:
    """Overlapping arcs, like fish scales."""
    pitch, rings = rng.uniform(5, 14), int(rng.integers(2, 5))
    row = np.floor(y / (pitch / 2))
    a = ((x / pitch + np.float32(0.5) * (row % 2)) % 1 - 0.5) * pitch
    b = (y / (pitch / 2) - row) * pitch / 2
    return _edge(np.sin(np.hypot(a, b) * np.float32(2 * np.pi * rings / pitch)) * np.float32(pitch / rings / 6), 0.15)


def _tiles(rng: np.random.Generator, x: Ink, y: Ink) -> Ink:
    """One random tile, mirrored and repeated: mosaics, keys, ogees."""
    pitch = rng.uniform(5, 20)
    cells = int(rng.integers(3, 8))
    quarter = (rng.random((cells, cells)) < 0.5).astype(np.float32)
    tile = np.block([[quarter, quarter[:, ::-1]], [quarter[::-1], quarter[::-1, ::-1]]])
    smooth = rng.random() < 0.5
    fine = cv2.resize(tile, (96, 96), interpolation=cv2.INTER_CUBIC if smooth else cv2.INTER_NEAREST)
    a, b = _turned(x, y, float(rng.choice([0, 45])))
    across, down = ((a / pitch) % 1 * 95).astype(np.float32), ((b / pitch) % 1 * 95).astype(np.float32)
    level = cv2.remap(fine, across, down, cv2.INTER_LINEAR)
    return _edge((level - 0.5).astype(np.float32) * np.float32(pitch / cells / 2), 0.15)


def _pattern(rng: np.random.Generator) -> Pattern:
    patterns: tuple[tuple[Pattern, float], ...] = (
        (_lattice, 3), (_diamonds, 2), (_waves, 2), (_dots, 2), (_stripes, 1), (_plaid, 1), (_damask, 3),
        (_rosettes, 2), (_scrolls, 3), (_rays, 1), (_scales, 1), (_tiles, 3),
    )  # fmt: skip
    weights = np.array([weight for _, weight in patterns])
    return patterns[int(rng.choice(len(patterns), p=weights / weights.sum()))][0]


def _medallions(rng: np.random.Generator, x: Ink, y: Ink) -> tuple[Ink, Ink]:
    """Where a medallion clears the ground, and the lines drawn on it: one in the middle, or one in each half."""
    apart = float(rng.choice([0, 0, 10, 18, 24]))
    size, stretch = float(rng.uniform(5, 10 if apart else 20)), float(rng.choice([1, 1, 1.4]))
    petals, rings = int(rng.integers(3, 17)), float(rng.uniform(1.5, 5))
    swirl = np.float32(rng.uniform(0, 1.5))
    disc, lines = np.zeros_like(x), np.zeros_like(x)
    for side in (-1.0, 1.0) if apart else (1.0,):
        a, b = x * np.float32(side), (y - np.float32(side * apart)) * np.float32(side / stretch)
        radius = np.hypot(a, b)
        wavy = radius * (1 + 0.12 * np.cos(petals * np.arctan2(b, a))).astype(np.float32)
        inside = _edge(size - wavy)
        disc = np.maximum(disc, inside)
        flower = np.sin(radius * np.float32(2 * np.pi * rings / size) + swirl * np.cos(petals * np.arctan2(b, a)))
        lines = np.maximum(lines, inside * _edge(flower * np.float32(size / rings / 6)))
    return disc, lines


def _words(rng: np.random.Generator, x: Ink, y: Ink) -> Ink:
    """A made-up maker's name or initial in the middle, upright and perhaps upside down."""
    canvas = np.zeros(x.shape, np.uint8)
    letters = "".join(rng.choice(list("ABCDEFGHKLMNOPRSTUVWZ"), int(rng.integers(1, 9))))
    font = int(rng.choice([cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX]))
    (width, high), _ = cv2.getTextSize(letters, font, 1.0, 1)
    scale = min(0.75 * x.shape[1] / width, 0.25 * x.shape[0] / high)
    at = (int((x.shape[1] - width * scale) / 2), int(x.shape[0] * rng.uniform(0.3, 0.6)))
    cv2.putText(canvas, letters, at, font, scale, 255, max(2, int(scale * 2)), cv2.LINE_AA)
    ink = (canvas / np.float32(255)).astype(np.float32)
    return np.maximum(ink, ink[::-1, ::-1]) if rng.random() < 0.6 else ink
