"""Card faces to compose pictures of: installed card art, and decks drawn at random with any font and pip shape."""

from __future__ import annotations

import json
import subprocess
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import ImageFont

from scorekeeper.rules.cards import RANKS
from scorekeeper.training.art import Floats, Pixels, box_corners, rounded
from scorekeeper.training.scene import CODES

LETTERS: tuple[tuple[float, dict[str, str]], ...] = (
    (0.62, {}),
    (0.12, {"J": "B", "Q": "D"}),
    (0.06, {"J": "B", "Q": "V", "K": "H"}),
    (0.04, {"J": "V", "Q": "D", "K": "R", "A": "1"}),
    (0.03, {"J": "V", "Q": "D", "K": "R"}),
    (0.02, {"J": "F", "Q": "D", "K": "R"}),
    (0.03, {"J": "Kn", "Q": "D", "A": "E"}),
    (0.02, {"J": "B", "Q": "D", "A": "E"}),
    (0.03, {"J": "B", "Q": "\u0414", "A": "T"}),
    (0.02, {"J": "W", "Q": "D"}),
    (0.01, {"A": "1"}),
)
"""What stands for a rank, and how often decks are drawn so: English, German, Dutch, French with 1 and with A, Italian,
Swedish, Danish, Russian, Polish, English with 1."""
PRINTED_V = frozenset({"french"})
"""Rendered decks whose jack is a V."""
PIP_GLYPHS = {"S": "\u2660", "H": "\u2665", "D": "\u2666", "C": "\u2663"}
# fmt: off
STRANGE = (
    "Symbol", "Emoji", "Dingbat", "Math", "Music", "Braille", "Ornament", "Barcode", "Tibetan", "Isabella",
    "Aenigma", "Engadget", "Humor", "Tomson", "Rufscript", "Script", "Chancery", "Fraktur", "Initials", "Ecolier",
    "Breip", "Outline", "Swash", "Caps", "Lobster", "SmallCap", "Dingbats", "Cursor", "Unidings", "Hershey",
    "Chorus", "Runic", "Ogham", "Decor", "Wire", "Thin", "Hairline", "ExtraLight", "UltraLight", "LinBiolinum_K",
    "D050000L", "Cupola", "LinLibertine_I", "cmex10", "cmsy10", "msam10", "msbm10", "stmary10", "wasy10", "feta.ttf",
    "FutharkAdapted", "alfa-beta", "/ellen", "UKIJOrxun", "UKIJImaret", "UKIJTughra",
)
# fmt: on
"""Words in the names of fonts whose letters no card has, or that draw other signs in their places, as of music."""
SWAPPED = "FreeSerifBold."
"""A font whose spade is a club, and its club a spade."""

Rng = np.random.Generator
Color = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class CardFace:
    """One card, seen from straight above."""

    code: str
    """Rank and suit, e.g. ``10H``."""
    image: Pixels
    """(h, w, 4) BGRA, upright, the alpha has the rounded corners."""
    indices: Floats
    """(n, 4, 2) pixels: tl, tr, br, bl of every index in its own upright frame."""
    letter: str = ""
    """What is printed for the rank, e.g. V, where it is not the rank as we write it."""


Deck = Callable[[str], CardFace]
"""Gives the face of any code, e.g. ``10H``."""


def art_faces(folder: Path, leave_out: Sequence[str] = ()) -> list[dict[str, CardFace]]:
    """The decks that ``datasets/render_art.py`` wrote to *folder*, by code, without those named."""
    decks = [path for path in sorted(folder.iterdir()) if (path / "indices.json").exists()]
    return [read_deck(path) for path in decks if path.name not in leave_out]


def read_deck(folder: Path) -> dict[str, CardFace]:
    """One rendered deck."""
    table: Mapping[str, object] = json.loads((folder / "indices.json").read_text("utf-8"))
    quads = {code: np.array(corners, np.float32) for code, corners in table.items()}
    jack = "V" if folder.name in PRINTED_V else ""
    letters = {code: jack if code[:-1] == "J" else "" for code in quads}
    return {code: CardFace(code, _picture(folder / f"{code}.png"), quads[code], letters[code]) for code in quads}


def _picture(path: Path) -> Pixels:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise ValueError(f"cannot read {path}")
    return picture.astype(np.uint8)


# Fonts


@cache
def fonts(need: str = "30 31 41 4a 51 4b") -> tuple[str, ...]:
    """Paths of the system's fonts that have the characters *need* (hexadecimal), the strange ones left out."""
    command = ["fc-list", f":charset={need}", "--format", "%{file}\t%{family}\t%{style}\t%{slant}\n"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [line.split("\t") for line in sorted(set(lines)) if line.count("\t") == 3]
    plain = [row for row in rows if not any(word.lower() in row[0].lower() + row[1].lower() for word in STRANGE)]
    return tuple(row[0] for row in plain if row[3] in ("0", "") and row[0].lower().endswith((".ttf", ".otf", ".t1")))


def font_families(paths: Sequence[str]) -> dict[str, list[str]]:
    """Fonts by family, so that a family with forty files is not drawn forty times as often."""
    families: dict[str, list[str]] = {}
    for path in paths:
        name = Path(path).stem.split("-")[0].split("_")[0]
        families.setdefault(name[:12], []).append(path)
    return families


def glyph(text: str, font: str, size: int = 160, bold: int = 0) -> Floats | None:
    """The ink (0 to 1) of *text*, cut to its own box, strokes wider by *bold*; None when the font draws nothing."""
    try:
        mask = ImageFont.truetype(font, size).getmask(text, mode="L")
    except OSError:  # its file is broken, or what it says about drawing the text is
        return None
    ink = np.array(mask, np.uint8).reshape(mask.size[1], mask.size[0])
    if bold > 0 and ink.size:
        ink = cv2.dilate(cv2.copyMakeBorder(ink, bold, bold, bold, bold, 0), _brush(bold)).astype(np.uint8)
    elif bold < 0 and ink.size:
        ink = cv2.erode(cv2.copyMakeBorder(ink, 2, 2, 2, 2, 0), _brush(-bold)).astype(np.uint8)
    return _cut(ink)


def _brush(reach: int) -> Pixels:
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1)).astype(np.uint8)


def _cut(ink: Pixels) -> Floats | None:
    rows, columns = _inked(ink, 30)
    if len(rows) < 4 or len(columns) < 2:
        return None
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.float32) / np.float32(255)


def _inked(ink: Pixels | Floats, least: float) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The rows and columns of *ink* in which something is darker than *least*."""
    return np.flatnonzero(ink.max(axis=1, initial=0) > least), np.flatnonzero(ink.max(axis=0, initial=0) > least)


# Pips


def _curve(points: Sequence[tuple[float, float]], steps: int = 14) -> Floats:
    """A cubic Bezier curve through four control points."""
    t = np.linspace(0, 1, steps)[:, None]
    a, b, c, d = (np.array(point) for point in points)
    return np.asarray((1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d, np.float32)


def _mirrored(left: Floats) -> Floats:
    return np.concatenate([left, left[::-1] * np.array([-1, 1], np.float32)])


def heart(rng: Rng) -> list[Floats]:
    """A heart's outline, in a box of about 1 x 1."""
    w, notch, low = rng.uniform(0.4, 0.54), rng.uniform(0.08, 0.3), rng.uniform(-0.3, -0.1)
    belly, tip = rng.uniform(-0.06, 0.16), rng.uniform(0.05, 0.3)
    side = _curve([(0, 0.5), (-tip * 0.6, 0.5 - tip), (-w, low + 0.2 + belly), (-w, low)])
    lobe = _curve([(-w, low), (-w, -0.5), (-rng.uniform(0.02, 0.12), -rng.uniform(0.52, 0.66)), (0, -0.5 + notch)])
    return [_mirrored(np.concatenate([side, lobe]))]


def _stem(rng: Rng, top: float) -> Floats:
    foot, waist = rng.uniform(0.12, 0.34), rng.uniform(0.015, 0.06)
    return _mirrored(_curve([(-waist, top), (-waist, 0.3), (-waist - 0.02, rng.uniform(0.4, 0.48)), (-foot, 0.5)]))


def spade(rng: Rng) -> list[Floats]:
    """A spade: a heart upside down on a stem."""
    body = heart(rng)[0] * np.array([1, -rng.uniform(0.78, 0.9)], np.float32)
    body[:, 1] -= body[:, 1].min() + 0.5
    return [body, _stem(rng, 0.1)]


def club(rng: Rng) -> list[Floats]:
    """A club: three leaves on a stem."""
    r = rng.uniform(0.2, 0.27)
    turn = np.linspace(0, 2 * np.pi, 40)
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=1).astype(np.float32) * r
    circle[:, 0] *= rng.uniform(0.9, 1.1)
    low = rng.uniform(0.04, 0.16)
    centres = [(0, -0.5 + r), (-0.5 + r, low), (0.5 - r, low)]
    leaves = [circle + np.array(centre, np.float32) for centre in centres]
    middle = np.array([[-0.1, -0.12], [0.1, -0.12], [0.2, low], [0, low + 0.1], [-0.2, low]], np.float32)
    return [*leaves, middle * np.float32(rng.uniform(0.5, 1.1)), _stem(rng, 0.0)]


def diamond(rng: Rng) -> list[Floats]:
    """A diamond with straight or hollow sides."""
    w, hollow = rng.uniform(0.3, 0.48), rng.choice([0.0, rng.uniform(0, 0.12)])
    k = 0.5 - hollow
    up = _curve([(0, 0.5), (-w * k * 0.8, 0.5 * k * 1.2), (-w * (k + 0.1), 0.16), (-w, 0)])
    return [_mirrored(np.concatenate([up, up[::-1] * np.array([1, -1], np.float32)]))]


SHAPES = {"H": heart, "S": spade, "C": club, "D": diamond}


@cache
def _pip_fonts() -> list[str]:
    """Fonts that draw all four suits."""
    return [font for font in fonts("2660 2663 2665 2666") if SWAPPED not in font]


def pip_mask(suit: str, rng: Rng, size: int = 128) -> Floats:
    """A pip's ink (0 to 1), *size* pixels high, cut to its own box."""
    if rng.random() < 0.3:
        drawn = glyph(PIP_GLYPHS[suit], str(rng.choice(_pip_fonts())))
        if drawn is not None and 0.3 < drawn.mean() < 0.9:
            return drawn
    canvas = np.zeros((4 * size, 4 * size), np.uint8)
    for outline in SHAPES[suit](rng):
        cv2.fillPoly(canvas, [((outline + 0.62) * size * 3.2).round().astype(np.int32)], 255)
    ink = _cut(cv2.resize(canvas, (size, size), interpolation=cv2.INTER_AREA).astype(np.uint8))
    assert ink is not None
    return ink


# A deck drawn at random


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How all cards of one drawn deck look; lengths are pixels of the card."""

    size: tuple[int, int]
    """Height and width."""
    paper: Color
    colors: Mapping[str, Color]
    """Ink by suit, BGR."""
    ranks: Mapping[str, Floats]
    """Ink of the index's rank."""
    letters: Mapping[str, str]
    """What is printed for a rank where it is not the English letter."""
    pips: Mapping[str, Floats]
    """Ink of the pips."""
    rank_height: int
    rank_width: int
    """At most, for the widest letter and the 10."""
    narrow: float
    """Letters' width over the font's own."""
    pip_width: int
    gap: int
    """Between rank and pip."""
    margin: tuple[int, int]
    """From the left edge to the index's middle, from the top edge to the index."""
    beside: bool
    """The pip stands right of the rank, not below it."""
    corners: int
    """Indices on a card: 2 or 4."""
    big: int
    """Height of the pips in the middle."""
    frame: Color | None
    """A thin line around the card's middle."""
    wear: float
    """0 new, 1 grey at the edges."""
    courts: Mapping[str, Pixels]
    """The court cards' pictures, BGR."""


def drawn_faces(
    rng: Rng,
    size: tuple[int, int] | None = None,
    court_art: Sequence[CardFace] = (),
    families: Families | None = None,
    *,
    varied: bool = False,
) -> Deck:
    """A deck in a random style, *size* (height, width) pixels; court cards use a random one of *court_art* at times.

    Letters and pips of a *varied* one may be bent: there are more fonts than are installed.
    """
    style = draw_style(rng, size, court_art, families or split_fonts()[0], varied=varied)
    ready: dict[str, CardFace] = {}

    def face(code: str) -> CardFace:
        if code not in ready:
            ready[code] = draw_face(code, style, rng)
        return ready[code]

    return face


INDEX_SIZES = (
    (0.52, (0.07, 0.115), (0.1, 0.14)),
    (0.25, (0.11, 0.16), (0.13, 0.18)),
    (0.16, (0.16, 0.24), (0.18, 0.26)),
    (0.07, (0.24, 0.33), (0.22, 0.34)),
)
"""How often, and then the rank's height over the card's and the widest rank's width over the card's: usual to jumbo."""


def draw_style(
    rng: Rng, size: tuple[int, int] | None, court_art: Sequence[CardFace], families: Families, *, varied: bool = False
) -> Style:
    """Everything a deck's cards have in common."""
    h, w = size or (560, round(560 * rng.uniform(0.62, 0.72)))
    kind = int(rng.choice(len(INDEX_SIZES), p=[size[0] for size in INDEX_SIZES]))
    _, tall, wide = INDEX_SIZES[kind]
    rank_height, rank_width = round(h * rng.uniform(*tall)), round(w * rng.uniform(*wide))
    pip_width = round(min(rank_width * 0.95, rank_height * rng.uniform(0.5, 0.95)))
    if rng.random() < 0.15:
        pip_width = round(rank_width * rng.uniform(0.35, 1.35))
    letters, ranks = _ranks(rng, families)
    paper, colors = _paper(rng), _inks(rng)
    pips = {suit: pip_mask(suit, rng) for suit in "SHDC"}
    if varied:
        ranks, pips = _varied(ranks, rng), bent(pips, 0.6 * _bend(rng), rng)
    return Style(
        size=(h, w),
        paper=paper,
        colors=colors,
        ranks=ranks,
        letters=letters,
        pips=pips,
        rank_height=rank_height,
        rank_width=rank_width,
        narrow=float(rng.uniform(0.45, 1.1)),
        pip_width=max(12, pip_width),
        gap=round(h * (rng.uniform(0.004, 0.022) if rng.random() < 0.93 else rng.uniform(-0.015, 0.004))),
        margin=(round(rank_width / 2 + w * rng.uniform(0.015, 0.045)), round(h * rng.uniform(0.018, 0.045))),
        beside=bool(kind < 3 and rng.random() < 0.08),
        corners=4 if kind == 0 and rng.random() < 0.15 else 2,
        big=round(h * rng.uniform(0.11, 0.17)),
        frame=_any_color(rng) if rng.random() < 0.1 else None,
        wear=float(max(0.0, rng.normal(0.1, 0.3))),
        courts={code: court_picture(rng, court_art) for code in CODES if code[:-1] in "JQK"},
    )


def _paper(rng: Rng) -> Color:
    grey = rng.uniform(238, 255)
    warm = abs(rng.normal(0, 5))
    return int(max(205, grey - 2 * warm)), int(max(220, grey - 0.7 * warm)), int(grey)


def _any_color(rng: Rng) -> Color:
    blue, green, red = (int(value) for value in rng.integers(20, 220, 3))
    return blue, green, red


def _inks(rng: Rng) -> dict[str, Color]:
    red = (int(rng.uniform(0, 70)), int(rng.uniform(0, 60)), int(rng.uniform(150, 245)))
    if rng.random() < 0.12:
        red = (int(rng.uniform(0, 40)), int(rng.uniform(0, 35)), int(rng.uniform(105, 150)))
    dark = int(rng.uniform(5, 60))
    black = (dark + int(rng.uniform(0, 25)), dark, dark)
    inks = {"S": black, "C": black, "H": red, "D": red}
    if rng.random() < 0.16:
        inks["C"] = (int(rng.uniform(20, 90)), int(rng.uniform(90, 160)), int(rng.uniform(0, 60)))
        blue = (int(rng.uniform(150, 230)), int(rng.uniform(40, 120)), int(rng.uniform(0, 60)))
        inks["D"] = blue if rng.random() < 0.6 else (30, int(rng.uniform(120, 180)), int(rng.uniform(210, 245)))
    return inks


Families = Sequence[Sequence[str]]


@cache
def split_fonts(every: int = 8) -> tuple[Families, Families]:
    """Font families to train on and, one in *every* by their names' check sums, those never trained on: whatever other
    fonts are installed, one held out stays held out. Debian's usual two, DejaVu and Liberation, are in both."""
    train: list[Sequence[str]] = []
    held: list[Sequence[str]] = []
    for name, paths in sorted(font_families(fonts()).items()):
        (held if zlib.crc32(name.encode()) % every == 5 else train).append(tuple(paths))
    return train, held


def _letters(rng: Rng) -> dict[str, str]:
    odds = np.array([odds for odds, _ in LETTERS])
    return LETTERS[int(rng.choice(len(LETTERS), p=odds / odds.sum()))][1]


@cache
def _cyrillic() -> frozenset[str]:
    return frozenset(fonts("30 31 41 4a 51 4b 414"))


def _ranks(rng: Rng, families: Families) -> tuple[dict[str, str], dict[str, Floats]]:
    """Letters and the thirteen ranks' ink in a font at random; one that draws a rank empty is passed over."""
    letters = _letters(rng)
    slant = rng.uniform(-0.08, 0.3) if rng.random() < 0.22 else 0.0
    finish = FINISHES[int(rng.choice(len(FINISHES), p=[0.92, 0.04, 0.04]))]
    while True:
        family = families[int(rng.integers(len(families)))]
        bold = [path for path in family if any(word in path for word in ("Bold", "Black", "Heavy", "Demi", "bd"))]
        choice = bold if bold and rng.random() < 0.55 else family
        font, thick = str(rng.choice(choice)), int(rng.choice([0, 0, 0, 0, 2, 4, 7, -3]))
        if not "".join(letters.values()).isascii() and font not in _cyrillic():
            letters = _letters(rng)
            continue
        inks = {rank: _rank_glyph(letters.get(rank, rank), font, thick) for rank in RANKS}
        whole = {rank: ink for rank, ink in inks.items() if ink is not None}
        if len(whole) == len(RANKS):
            whole |= _other_shapes(whole["7"], rng)
            return letters, {rank: finish(_slanted(ink, slant)) for rank, ink in whole.items()}


def _rank_glyph(text: str, font: str, thick: int) -> Floats | None:
    if len(text) == 1:
        return glyph(text, font, bold=thick)
    parts = [glyph(letter, font, bold=thick) for letter in text]
    if any(part is None for part in parts):
        return None
    tall = max(part.shape[0] for part in parts if part is not None)
    gap = np.zeros((tall, round(tall * 0.09)), np.float32)
    fitted = [_standing(part, tall) for part in parts if part is not None]
    return np.hstack([fitted[0], gap, fitted[1]]).astype(np.float32)


def _standing(ink: Floats, tall: int) -> Floats:
    """*ink* at the foot of a field *tall* pixels high, a little stretched if it nearly fills it."""
    if ink.shape[0] > 0.85 * tall:
        return np.asarray(cv2.resize(ink, (ink.shape[1], tall)), np.float32)
    return np.pad(ink, ((tall - ink.shape[0], 0), (0, 0)))


def _slanted(ink: Floats, slant: float) -> Floats:
    """*ink* leaning to the right by *slant* of its height."""
    if not slant:
        return ink
    h, w = ink.shape
    more = abs(slant) * h
    matrix = np.array([[1, -slant, max(0.0, slant) * h], [0, 1, 0]], np.float32)
    return np.asarray(cv2.warpAffine(ink, matrix, (round(w + more), h), flags=cv2.INTER_LINEAR), np.float32)


def _outlined(ink: Floats) -> Floats:
    """Letters drawn by their outline only."""
    wide = np.pad(ink, 5)
    hollow = cv2.dilate(wide, _brush(3)) - 0.92 * cv2.erode(wide, _brush(4))
    return np.asarray(np.clip(hollow, 0, 1), np.float32)


def _shadowed(ink: Floats) -> Floats:
    """Letters with a paler shadow to the right below."""
    wide, away = np.pad(ink, ((0, 12), (0, 12))), np.pad(ink, ((12, 0), (12, 0)))
    clear = 1 - cv2.dilate(wide, _brush(3))
    return np.asarray(np.maximum(wide, 0.6 * away * np.clip(clear, 0, 1)), np.float32)


def _plain(ink: Floats) -> Floats:
    return ink


FINISHES: tuple[Callable[[Floats], Floats], ...] = (_plain, _outlined, _shadowed)


def _varied(ranks: Mapping[str, Floats], rng: Rng) -> dict[str, Floats]:
    """*ranks* as they may be in a font that is not installed: bent, now and then of small squares."""
    squares = _coarse if rng.random() < 0.04 else _plain
    return {rank: squares(ink) for rank, ink in bent(ranks, _bend(rng), rng).items()}


def _coarse(ink: Floats) -> Floats:
    """Letters of small squares, as on a screen of few points."""
    tall = 11
    small = cv2.resize(ink, (max(5, round(tall * ink.shape[1] / ink.shape[0])), tall), interpolation=cv2.INTER_AREA)
    return np.asarray(
        cv2.resize((small > 0.45).astype(np.float32), ink.shape[1::-1], interpolation=cv2.INTER_NEAREST), np.float32
    )


def _bend(rng: Rng) -> float:
    """How far a deck's letters are bent, as a share of their height."""
    return float(rng.uniform(0.015, 0.06)) if rng.random() < 0.4 else 0.0


def bent(inks: Mapping[str, Floats], far: float, rng: Rng) -> dict[str, Floats]:
    """*inks*, every part of each moved smoothly by about *far* of its height."""
    return {name: _bent(ink, far * ink.shape[0], rng) for name, ink in inks.items()} if far else dict(inks)


def _bent(ink: Floats, far: float, rng: Rng) -> Floats:
    wide = np.pad(ink, round(3 * far))
    h, w = wide.shape
    moves = rng.normal(0, far, (2, 4, 3)).astype(np.float32)
    dx, dy = (cv2.resize(move, (w, h), interpolation=cv2.INTER_CUBIC) for move in moves)
    y, x = np.mgrid[:h, :w].astype(np.float32)
    moved = cv2.remap(wide, x + dx, y + dy, cv2.INTER_LINEAR)
    rows, columns = _inked(np.asarray(moved, np.float32), 0.1)
    return np.asarray(moved[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], np.float32)


def _other_shapes(seven: Floats, rng: Rng) -> dict[str, Floats]:
    """At times a 3 with a flat top and a 4 open above, with strokes as wide as those of *seven*."""
    solid = np.pad((seven > 0.5).astype(np.uint8), 1)
    wide = float(np.clip(1.9 * cv2.distanceTransform(solid, cv2.DIST_L2, 3).max() / seven.shape[0], 0.06, 0.24))
    shapes: dict[str, list[Floats]] = {}
    if rng.random() < 0.14:
        shapes["3"] = [_flat_three(rng)]
    if rng.random() < 0.1:
        down, across, left = rng.uniform(0.58, 0.75), rng.uniform(0.38, 0.5), rng.uniform(0, 0.2)
        bar = np.array([(left, 0), (0, down), (0.64, down)], np.float32)
        shapes["4"] = [bar, np.array([(across, rng.uniform(0, 0.35)), (across, 1)], np.float32)]
    return {rank: _stroked(lines, wide) for rank, lines in shapes.items()}


def _flat_three(rng: Rng) -> Floats:
    """The line of a 3 whose upper half is a bar and a stroke back to the middle, in a box 0.6 x 1."""
    turn = np.deg2rad(np.linspace(-100, rng.uniform(120, 160), 24))
    reach = 0.5 - (middle := rng.uniform(0.32, 0.44)) / 2
    bowl = np.stack([0.28 + 0.32 * np.cos(turn), 1 - reach + reach * np.sin(turn)], axis=1)
    return np.concatenate([[(rng.uniform(0, 0.06), 0), (0.55, 0), (rng.uniform(0.18, 0.3), middle)], bowl[1:]]).astype(
        np.float32
    )


def _stroked(lines: Sequence[Floats], wide: float, size: int = 160) -> Floats:
    """The ink of *lines*, drawn with strokes *wide* times their height."""
    edge = size // 4
    canvas = np.zeros((size + 2 * edge, size + 2 * edge), np.uint8)
    for line in lines:
        points = (line * size + edge).round().astype(np.int32)
        cv2.polylines(canvas, [points], False, 255, max(2, round(wide * size)), cv2.LINE_AA)
    ink = _cut(canvas)
    assert ink is not None
    return ink


def court_picture(rng: Rng, court_art: Sequence[CardFace]) -> Pixels:
    """The inside of a court card: cut from art, or a pattern that looks the same upside down."""
    if court_art and rng.random() < 0.75:
        image = court_art[int(rng.integers(len(court_art)))].image
        h, w = image.shape[:2]
        return np.ascontiguousarray(image[round(0.14 * h) : round(0.86 * h), round(0.2 * w) : round(0.8 * w), :3])
    half = np.full((190, 240, 3), _paper(rng), np.uint8)
    for _ in range(int(rng.integers(18, 40))):
        centre, reach = rng.uniform((20, 20), (220, 190)), rng.uniform(8, 60)
        points = (centre + rng.normal(0, reach, (int(rng.integers(3, 7)), 2))).astype(np.int32)
        color = ((30, 30, 200), (170, 60, 20), (40, 190, 230), (30, 30, 30), (240, 245, 250))[rng.integers(5)]
        cv2.fillPoly(half, [cv2.convexHull(points)], color, cv2.LINE_AA)
        if rng.random() < 0.5:
            cv2.polylines(half, [cv2.convexHull(points)], True, (20, 20, 20), 2, cv2.LINE_AA)
    cv2.circle(half, (120, 60), 26, (190, 215, 240), -1, cv2.LINE_AA)
    return np.vstack([half, half[::-1, ::-1]])


def stamp(canvas: Pixels, ink: Floats, color: Color, box: tuple[int, int, int, int], *, turn: bool = False) -> None:
    """Prints *ink*, stretched to *box* (x, y, width, height), upside down with *turn*."""
    x, y, w, h = box
    y0, x0 = max(0, y), max(0, x)
    mask = cv2.resize(ink, (max(1, w), max(1, h)), interpolation=cv2.INTER_AREA)
    mask = (mask[::-1, ::-1] if turn else mask)[y0 - y :, x0 - x :]
    place = canvas[y0 : y + h, x0 : x + w]
    mask = mask[: place.shape[0], : place.shape[1], None]
    place[:] = (place * (1 - mask) + np.array(color, np.float32) * mask + 0.5).astype(np.uint8)


COLUMNS: dict[str, list[tuple[float, float]]] = {
    "2": [(0.5, 0), (0.5, 1)],
    "3": [(0.5, 0), (0.5, 0.5), (0.5, 1)],
    "4": [(0, 0), (1, 0), (0, 1), (1, 1)],
    "5": [(0, 0), (1, 0), (0, 1), (1, 1), (0.5, 0.5)],
    "6": [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1)],
    "7": [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1), (0.5, 0.25)],
    "8": [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1), (0.5, 0.25), (0.5, 0.75)],
    "9": [(x, y / 3) for x in (0, 1) for y in range(4)] + [(0.5, 0.5)],
    "10": [(x, y / 3) for x in (0, 1) for y in range(4)] + [(0.5, 1 / 6), (0.5, 5 / 6)],
}
"""Where the pips of 2 to 10 stand: across and down the middle field, 0 to 1."""


def draw_face(code: str, style: Style, rng: Rng) -> CardFace:
    """One card of the deck."""
    h, w = style.size
    canvas = np.full((h, w, 3), style.paper, np.uint8)
    if code[:-1] in COLUMNS:
        _draw_pips(canvas, code, style)
    elif code[:-1] == "A":
        tall = round(h * (0.4 if code == "AS" and style.big % 2 else style.big / h * 1.4))
        _centred(canvas, code[-1], style, (0.5, 0.5), tall)
    else:
        _draw_court(canvas, code, style)
    box = _draw_index(canvas, code, style)
    indices = _copy_index(canvas, box, style)
    _wear_edges(canvas, style.wear, rng)
    return CardFace(code, np.dstack([canvas, _corners(h, w)]), indices, style.letters.get(code[:-1], ""))


@cache
def _corners(h: int, w: int) -> Pixels:
    return rounded((h, w), 0.055)


def _centred(canvas: Pixels, suit: str, style: Style, at: tuple[float, float], tall: int) -> None:
    """A pip around a point given in fractions of the card, upside down in its lower half."""
    h, w = style.size
    ink = style.pips[suit]
    wide = round(tall * ink.shape[1] / ink.shape[0])
    box = (round(at[0] * w - wide / 2), round(at[1] * h - tall / 2), wide, tall)
    stamp(canvas, ink, style.colors[suit], box, turn=at[1] > 0.52)


def _draw_pips(canvas: Pixels, code: str, style: Style) -> None:
    h, w = style.size
    left = max(0.3, (style.margin[0] + style.rank_width / 2 + style.big * 0.55) / w)
    tall = style.big if len(COLUMNS[code[:-1]]) < 9 else round(style.big * 0.9)
    top = max(0.08, 0.6 * tall / h + 0.03)
    for across, down in COLUMNS[code[:-1]]:
        _centred(canvas, code[-1], style, (left + across * (1 - 2 * left), top + down * (1 - 2 * top)), tall)


def _draw_court(canvas: Pixels, code: str, style: Style) -> None:
    h, w = style.size
    x, y = round(max(0.13 * w, style.margin[0] + 0.35 * style.rank_width)), round(0.07 * h)
    inside = cv2.resize(style.courts[code], (w - 2 * x, h - 2 * y), interpolation=cv2.INTER_AREA)
    canvas[y : h - y, x : w - x] = inside
    if style.big % 3:
        cv2.rectangle(canvas, (x, y), (w - x, h - y), style.frame or (60, 40, 30), 2)
    tall = round(style.big * 0.8)
    for at in ((x / w + 0.13, 0.15), (1 - x / w - 0.13, 0.85)):
        _centred(canvas, code[-1], style, at, tall)


TALLEST_PIP = 1.6
"""So many times as high as wide a pip is at most, whatever a font draws for it."""


def _draw_index(canvas: Pixels, code: str, style: Style) -> tuple[int, int, int, int]:
    """Prints the top left index and gives its box, ``x0 y0 x1 y1``."""
    rank, suit = code[:-1], code[-1]
    ink, pip = style.ranks[rank], style.pips[suit]
    rh, wish = style.rank_height, style.rank_height * style.narrow * ink.shape[1] / ink.shape[0]
    rw = min(style.rank_width, round(wish))
    pw, ph = style.pip_width, round(style.pip_width * min(pip.shape[0] / pip.shape[1], TALLEST_PIP))
    x, y = max(2, style.margin[0] - rw // 2), style.margin[1]
    px, py = max(2, style.margin[0] - pw // 2), y + rh + style.gap
    if style.beside:
        px, py = x + rw + style.gap, max(2, y + (rh - ph) // 2)
    if rank in "JQK":
        left, top = max(0, min(x, px) - 3), max(0, y - 3)
        canvas[top : max(y + rh, py + ph) + 3, left : max(x + rw, px + pw) + 3] = style.paper
    stamp(canvas, ink, style.colors[suit], (x, y, rw, rh))
    stamp(canvas, pip, style.colors[suit], (px, py, pw, ph))
    return min(x, px), min(y, py), max(x + rw, px + pw), max(y + rh, py + ph)


def _copy_index(canvas: Pixels, box: tuple[int, int, int, int], style: Style) -> Floats:
    """The index again in the other corners; all their places."""
    (h, w), (x0, y0, x1, y1) = style.size, box
    piece = canvas[y0:y1, x0:x1].copy()
    canvas[h - y1 : h - y0, w - x1 : w - x0] = piece[::-1, ::-1]
    quads = [box_corners(box, style.size), box_corners(box, style.size, turn=True)]
    if style.corners == 4:
        canvas[y0:y1, w - x1 : w - x0] = piece
        canvas[h - y1 : h - y0, x0:x1] = piece[::-1, ::-1]
        quads += [box_corners(box, style.size, mirror=True), box_corners(box, style.size, mirror=True, turn=True)]
    return np.stack(quads)


def _wear_edges(canvas: Pixels, wear: float, rng: Rng) -> None:
    if wear < 0.15:
        return
    h, w = canvas.shape[:2]
    grime = cv2.resize(rng.uniform(0.6, 1, (12, 9)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    rim = np.ones((h, w), np.float32)
    rim[5:-5, 5:-5] = 0
    shade = 1 - np.clip(cv2.GaussianBlur(rim, (0, 0), 5) * wear * grime * 0.7, 0, 0.6)
    canvas[:] = (canvas * shade[..., None]).astype(np.uint8)
