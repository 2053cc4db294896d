"""Card art from the installed packages: which decks are usable, how a sheet is cut, where the indices are."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.rules.cards import RANKS

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

AISLERIOT = Path("/usr/share/aisleriot/cards")
CARDDECKS = Path("/usr/share/carddecks")
FACE_HEIGHT = 560
ACE_KING_DOWN = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
TWO_TO_KING = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A", "J", "Q", "K")
COURTS = frozenset("JQK")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One deck's drawing: cards side by side, one suit a row."""

    path: Path
    suits: str = "CDHS"
    """The rows from the top."""
    ranks: tuple[str, ...] = RANKS
    """The columns from the left."""
    rows: int = 5
    """Rows of equal height on the sheet, backs and jokers included; 0: the cards lie apart and are found."""
    leave_out: frozenset[str] = frozenset()
    """Ranks whose index is missing or in letters of another script."""
    four_corners: bool = False
    trim: float = 0.012
    """Cut off each side (fraction of the height): the outline around the card."""
    reach: tuple[float, float] = (0.18, 0.32)
    """The index starts left of and above this (fractions of the card's width and height)."""


def _aisleriot(name: str, **more: object) -> Sheet:
    return Sheet(path=AISLERIOT / f"{name}.svgz", **more)  # type: ignore[arg-type]


def _carddecks(folder: str, name: str, **more: object) -> Sheet:
    return Sheet(path=CARDDECKS / folder / f"{name}.svgz", **more)  # type: ignore[arg-type]


DECKS: dict[str, Sheet] = {
    "anglo": _aisleriot("anglo"),
    "anglo-bitmap": _aisleriot("anglo_bitmap"),
    "anglo-modern": _aisleriot("anglo_modern"),
    "anglo-modern-four": _aisleriot("anglo_modern_4_color"),
    "anglo-poker": _aisleriot("anglo_poker"),
    "atlasnye": _aisleriot("atlasnye"),
    "atlasnye-skat": _aisleriot("atlasnye_skat"),
    "berlin": _aisleriot("berlin"),
    "dondorf": _aisleriot("dondorf", four_corners=True),
    "french": _aisleriot("ancient_french"),
    "gnomangelo": _aisleriot("gnomangelo"),
    "gnomangelo-bitmap": _aisleriot("gnomangelo_bitmap"),
    "guyenne": _aisleriot("guyenne-classic", leave_out=COURTS),
    "lattmann": _aisleriot("lattmann"),
    "neoclassical": _aisleriot("neoclassical"),
    "neoclassical-four": _aisleriot("neoclassical_4_color"),
    "orell": _aisleriot("orell"),
    "ornamental": _aisleriot("ornamental"),
    "paris": _aisleriot("paris"),
    "plastic": _aisleriot("plastic"),
    "rheinland": _aisleriot("rheinland"),
    "simplistic": _aisleriot("simplistic"),
    "slavic": _aisleriot("slavic_costumes", leave_out=COURTS | {"A"}),
    "tango": _aisleriot("tango"),
    "tarocco": _aisleriot("tarocco"),
    "tigullio": _aisleriot("tigullio"),
    "penguins": _carddecks("svg-penguins", "penguins", suits="CSHD", ranks=ACE_KING_DOWN, rows=0),
    "standard": _carddecks("svg-standard", "standard", suits="SHCD", ranks=ACE_KING_DOWN, rows=4),
    "white": _carddecks("svg-nicu-white", "white", ranks=TWO_TO_KING, rows=0),
}
"""Decks with French suits, a Latin index in the corner and letters that mean the same everywhere (V, B, F: J)."""


def render_sheet(sheet: Sheet, height: int = FACE_HEIGHT) -> Pixels:
    """The whole sheet as BGRA, its cards about *height* pixels tall."""
    rows = sheet.rows or 6
    command = ["rsvg-convert", "--unlimited", "--keep-aspect-ratio", "--height", str(rows * height), str(sheet.path)]
    done = subprocess.run(command, check=True, capture_output=True)
    picture = cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise ValueError(f"no picture came of {sheet.path}")
    return picture.astype(np.uint8)


def jokers_of(path: Path) -> Iterator[Pixels]:
    """The jokers of one of aisleriot's sheets, (h, w, 4) BGRA: the first two of its last row."""
    picture = render_sheet(Sheet(path=path))
    h, w = picture.shape[0] / 5, picture.shape[1] / 13
    for column in (0, 1):
        cell = picture[round(4 * h) : picture.shape[0], round(column * w) : round((column + 1) * w)]
        if (cell[..., 3] > 200).mean() > 0.5:
            yield clean_card(np.ascontiguousarray(cell), 0.012)


def cut_sheet(picture: Pixels, sheet: Sheet) -> Iterator[tuple[str, Pixels]]:
    """Each card's code and its BGRA picture, still with the sheet's outline and corners."""
    boxes = _grid(picture, sheet) if sheet.rows else _apart(picture, sheet)
    for code, (x, y, w, h) in boxes.items():
        yield code, picture[y : y + h, x : x + w]


def _grid(picture: Pixels, sheet: Sheet) -> dict[str, tuple[int, int, int, int]]:
    h, w = picture.shape[0] / sheet.rows, picture.shape[1] / len(sheet.ranks)
    return {
        f"{rank}{suit}": (round(column * w), round(row * h), round(w), round(h))
        for row, suit in enumerate(sheet.suits)
        for column, rank in enumerate(sheet.ranks)
        if rank not in sheet.leave_out
    }


def _apart(picture: Pixels, sheet: Sheet) -> dict[str, tuple[int, int, int, int]]:
    """Cards as connected patches of the sheet; rows by their middle, columns from the left."""
    solid = (picture[..., 3] > 200).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(solid)
    big = [tuple(int(v) for v in row[:4]) for row in stats[1:] if row[4] > 0.3 * stats[1:, 4].max()]
    cards = [(x, y, w, h) for x, y, w, h in sorted(big, key=lambda box: box[1])]
    codes: dict[str, tuple[int, int, int, int]] = {}
    for row, suit in enumerate(sheet.suits):
        line = sorted(cards[13 * row : 13 * row + 13])
        codes |= {f"{rank}{suit}": box for rank, box in zip(sheet.ranks, line, strict=True)}
    return codes


def clean_card(cell: Pixels, trim: float, height: int = FACE_HEIGHT) -> Pixels:
    """The card upright on white with rounded corners, BGRA, *height* pixels tall."""
    rows, columns = np.nonzero(cell[..., 3] > 200)
    cell = cell[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    edge = round(trim * cell.shape[0])
    cell = cell[edge : cell.shape[0] - edge, edge : cell.shape[1] - edge]
    width = round(height * cell.shape[1] / cell.shape[0])
    alpha = cell[..., 3:].astype(np.float32) / 255
    flat = (cell[..., :3] * alpha + 255 * (1 - alpha)).astype(np.uint8)
    small = cv2.resize(flat, (width, height), interpolation=cv2.INTER_AREA)
    return np.dstack([small, rounded((height, width), 0.06)])


def rounded(size: tuple[int, int], radius: float) -> Pixels:
    """An alpha mask (h, w) with round corners; *radius* in widths of the card."""
    h, w = size
    r = max(2, round(radius * w)) * 4
    mask = np.zeros((h * 4, w * 4), np.uint8)
    cv2.rectangle(mask, (r, 0), (w * 4 - r, h * 4), 255, -1)
    cv2.rectangle(mask, (0, r), (w * 4, h * 4 - r), 255, -1)
    for x in (r, w * 4 - r):
        for y in (r, h * 4 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA).astype(np.uint8)


def ink_of(card: Pixels) -> npt.NDArray[np.bool_]:
    """Where the card (BGRA or BGR) is printed: far from the paper's own colour."""
    h, w = card.shape[:2]
    edge = card[round(0.02 * h) : round(0.98 * h), round(0.03 * w) : round(0.06 * w), :3].reshape(-1, 3)
    paper = np.percentile(edge, 70, axis=0)
    distance = np.abs(card[..., :3].astype(np.float32) - paper).max(axis=2)
    return distance > 60


Box = tuple[int, int, int, int]


def ink_parts(card: Pixels, reach: tuple[float, float]) -> npt.NDArray[np.int32]:
    """The connected pieces of ink that start near the top left corner, (n, 4) ``x0 y0 x1 y1``."""
    h, w = card.shape[:2]
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink_of(card).astype(np.uint8))
    x, y, bw, bh, area = stats[1:].T
    near = (x < reach[0] * w) & (y < reach[1] * h) & (y > 1) & (bh < 0.25 * h) & (bw < 0.32 * w) & (area > 12)
    return np.stack([x, y, x + bw, y + bh], axis=1)[near].astype(np.int32)


def around(parts: npt.NDArray[np.int32]) -> Box:
    """The box around all *parts*."""
    x0, y0 = parts[:, :2].min(axis=0)
    x1, y1 = parts[:, 2:].max(axis=0)
    return int(x0), int(y0), int(x1), int(y1)


def plain_box(card: Pixels, reach: tuple[float, float]) -> Box | None:
    """The index of an ace, two or three, whose pips are far from it; None when there is none."""
    parts = ink_parts(card, reach)
    column = parts[parts[:, 0] < parts[:, 2].min() + 2] if len(parts) else parts
    return around(column) if len(column) > 1 else None


def number_box(card: Pixels, rank: str, usual: Box, reach: tuple[float, float]) -> Box | None:
    """The index of a number card of which *usual* is the suit's; None when nothing is there."""
    w = card.shape[1]
    x0, y0, x1, y1 = usual
    parts = ink_parts(card, reach)
    below = parts[:, 3] > y0 + 0.65 * (y1 - y0)
    right = np.where((rank == "10") & ~below, x1 + 0.06 * w, x1 - 2)
    column = parts[(parts[:, 0] < right) & (parts[:, 1] > y0 - 7) & (parts[:, 3] < y1 + 9)]
    return around(column) if len(column) else None


def deck_boxes(cards: dict[str, Pixels], sheet: Sheet) -> dict[str, Box]:
    """The top left index of every card; a court's is laid where its suit's number cards have theirs."""
    boxes: dict[str, Box] = {}
    for suit in sheet.suits:
        plain = [plain_box(cards[f"{rank}{suit}"], sheet.reach) for rank in "A23" if f"{rank}{suit}" in cards]
        certain = [box for box in plain if box]
        if not certain:
            continue
        usual = tuple(int(v) for v in np.median(np.array(certain), axis=0))
        for rank in (code[:-1] for code in cards if code[-1] == suit):
            card, known = cards[f"{rank}{suit}"], (usual[0], usual[1], usual[2], usual[3])
            box = _court_box(card, known) if rank in COURTS else number_box(card, rank, known, sheet.reach)
            if box:
                boxes[f"{rank}{suit}"] = box
    return boxes


def _court_box(card: Pixels, usual: Box) -> Box:
    """*usual* widened to a letter that is broader than a number."""
    x0, y0, x1, y1 = usual
    ink = ink_of(card)
    middle = y0 + round(0.3 * (y1 - y0))
    strip = ink[y0 : middle + 1, max(0, x0 - 12) : x1 + 14].any(axis=0)
    columns = np.flatnonzero(strip)
    if len(columns) == 0:
        return usual
    left = max(0, x0 - 12) + int(columns[0])
    right = max(0, x0 - 12) + int(columns[-1]) + 1
    return min(x0, left), y0, min(max(x1, right), x1 + 13), y1


def box_corners(box: Box, size: tuple[int, int], *, mirror: bool = False, turn: bool = False) -> Floats:
    """(4, 2) corners tl, tr, br, bl in the index's own frame, for the corner it is copied to."""
    h, w = size
    x0, y0, x1, y1 = box
    if mirror:
        x0, x1 = w - x1, w - x0
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
    return np.array([w, h], np.float32) - corners if turn else corners


def find_indices(cards: dict[str, Pixels], sheet: Sheet) -> dict[str, Floats]:
    """Every index of every card of a deck, (n, 4, 2) pixels; cards without a certain index are left out."""
    turned = {code: np.ascontiguousarray(card[::-1, ::-1]) for code, card in cards.items()}
    top, bottom = deck_boxes(cards, sheet), deck_boxes(turned, sheet)
    indices = {}
    for code in top.keys() & bottom.keys():
        size = cards[code].shape[0], cards[code].shape[1]
        quads = [box_corners(top[code], size), box_corners(bottom[code], size, turn=True)]
        if sheet.four_corners:
            quads.append(box_corners(top[code], size, mirror=True))
            quads.append(box_corners(bottom[code], size, mirror=True, turn=True))
        indices[code] = np.stack(quads)
    return indices
