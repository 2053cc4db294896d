"""Lays whole tables at random: a Lake, a spread of backs, fans, loose cards, solitaire columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from scorekeeper.rules.cards import KING
from scorekeeper.training.decks import DeckPool
from scorekeeper.training.light import photographed
from scorekeeper.training.scene import CODES, DeckSprites, Laid, Picture, camera, compose, fan, pile, ribbon
from scorekeeper.training.tables import Rng, table_top
from scorekeeper.training.traced import traced

Layout = Callable[[Rng, Sequence[DeckSprites], float, float], list[Laid]]


def _spots(rng: Rng, width: float, height: float, room: float) -> list[tuple[float, float]]:
    """Places on a loose grid, *room* apart, in random order."""
    xs = np.arange(-width / 2, width / 2 + room, room)
    ys = np.arange(-height / 2, height / 2 + room, room)
    jitter = room * 0.18
    spots = [(float(x + rng.normal(0, jitter)), float(y + rng.normal(0, jitter))) for x in xs for y in ys]
    return [spots[i] for i in rng.permutation(len(spots))]


def _codes(rng: Rng, count: int) -> list[str]:
    return [str(code) for code in rng.choice(CODES, count, replace=count > 52)]


def _angle(rng: Rng) -> float:
    """Cards lie straight as often as not."""
    if rng.random() < 0.5:
        return float(rng.choice([0, np.pi / 2, np.pi, -np.pi / 2]) + rng.normal(0, 0.03))
    return float(rng.uniform(0, 2 * np.pi))


def lake(rng: Rng, decks: Sequence[DeckSprites], width: float, height: float, *, finished: float = 0.0) -> list[Laid]:
    """Lake piles as people leave them; besides those that are by chance, this share of them is *finished*."""
    mess = rng.choice([0.1, 0.5, 1.0, 1.6])
    laid: list[Laid] = []
    for x, y in _spots(rng, width, height, rng.uniform(1.15, 1.8))[: int(rng.integers(1, 25))]:
        suit, high = str(rng.choice(list("SHDC"))), int(rng.integers(1, KING + 1))
        laid += pile(rng, decks, suit, KING if finished and rng.random() < finished else high, x, y, mess)
    return laid


def spread(rng: Rng, decks: Sequence[DeckSprites], width: float, height: float) -> list[Laid]:
    """The Lake turned over: backs in any order and angle, now and then one face up."""
    laid = []
    for x, y in _spots(rng, width, height, rng.uniform(0.55, 1.1))[: int(rng.integers(3, 60))]:
        deck = decks[int(rng.integers(len(decks)))]
        sprite = deck.face(_codes(rng, 1)[0]) if rng.random() < 0.03 else deck.back
        laid.append(Laid(sprite, x, y, _angle(rng), deck.name))
    return laid


def heap(rng: Rng, decks: Sequence[DeckSprites], width: float, height: float) -> list[Laid]:
    """The Lake turned over and pushed apart in a hurry: backs in clumps, half of each hidden or less."""
    laid: list[Laid] = []
    middles = rng.uniform(-0.5, 0.5, (int(rng.integers(1, 5)), 2)) * (width, height)
    for _ in range(int(rng.integers(6, 70))):
        x, y = middles[rng.integers(len(middles))] + rng.normal(0, rng.uniform(0.5, 1.2), 2)
        crowd = sum((x - card.x) ** 2 + (y - card.y) ** 2 < 0.45**2 for card in laid)
        if crowd > 1:
            continue
        deck = decks[int(rng.integers(len(decks)))]
        sprite = deck.face(_codes(rng, 1)[0]) if rng.random() < 0.02 else deck.back
        laid.append(Laid(sprite, float(x), float(y), _angle(rng), deck.name))
    return laid


def fans(rng: Rng, decks: Sequence[DeckSprites], width: float, height: float) -> list[Laid]:
    """Fans and ribbons of faces, and ribbons of backs."""
    laid: list[Laid] = []
    for x, y in _spots(rng, width, height, rng.uniform(1.6, 2.6))[: int(rng.integers(1, 9))]:
        deck = decks[int(rng.integers(len(decks)))]
        count = int(rng.integers(2, 14))
        backs = rng.random() < 0.12
        sprites = [deck.back] * count if backs else [deck.face(code) for code in _codes(rng, count)]
        lay = fan if rng.random() < 0.45 else ribbon
        laid += lay(rng, sprites, x, y, _angle(rng), deck.name)
    return laid


def loose(rng: Rng, decks: Sequence[DeckSprites], width: float, height: float) -> list[Laid]:
    """Single cards, mostly faces, hardly touching; often in rows."""
    straight = rng.random() < 0.4
    base = _angle(rng)
    room = rng.uniform(0.85, 1.5)
    laid = []
    for x, y in _spots(rng, width, height, room)[: int(rng.integers(1, 40))]:
        deck = decks[int(rng.integers(len(decks)))]
        sprite = deck.back if rng.random() < 0.15 else deck.face(_codes(rng, 1)[0])
        angle = base + rng.normal(0, 0.03) if straight else _angle(rng)
        laid.append(Laid(sprite, x, y, angle, deck.name))
    return laid


def solitaire(rng: Rng, decks: Sequence[DeckSprites], width: float, height: float) -> list[Laid]:
    """Columns of backs with faces on their ends: a River, or any solitaire."""
    deck = decks[int(rng.integers(len(decks)))]
    base = float(rng.choice([0, np.pi / 2, np.pi, -np.pi / 2]) + rng.normal(0, 0.05))
    columns = max(1, int(width / 0.85))
    laid: list[Laid] = []
    for column in range(columns):
        backs, faces = int(rng.integers(0, 6)), int(rng.integers(1, 7))
        step_back, step = rng.uniform(0.08, 0.2), rng.uniform(0.16, 0.32)
        x = (column - (columns - 1) / 2) * rng.uniform(0.78, 0.9)
        y = -height / 2 + 0.5 + abs(rng.normal(0, 0.1))
        for k, code in enumerate(_codes(rng, backs + faces)):
            sprite = deck.back if k < backs else deck.face(code)
            laid.append(Laid(sprite, x + rng.normal(0, 0.015), y, base + rng.normal(0, 0.02), deck.name))
            y += step_back if k < backs else step
    c, s = np.cos(base), np.sin(base)
    return [card._replace(x=c * card.x - s * card.y, y=s * card.x + c * card.y) for card in laid]


def nothing(rng: Rng, decks: Sequence[DeckSprites], width: float, height: float) -> list[Laid]:
    """A table without cards."""
    return []


LAYOUTS: tuple[tuple[Layout, float], ...] = (
    (lake, 0.22), (spread, 0.13), (heap, 0.13), (fans, 0.24), (loose, 0.14), (solitaire, 0.11), (nothing, 0.03),
)  # fmt: skip
MOSTLY_BACKS: tuple[tuple[Layout, float], ...] = (
    (spread, 0.4), (heap, 0.4), (lake, 0.06), (fans, 0.08), (loose, 0.06),
)  # fmt: skip


def random_picture(
    rng: Rng,
    decks: Sequence[DeckSprites],
    size: tuple[int, int],
    *,
    card_px: tuple[float, float] = (38, 330),
    layout: Layout | None = None,
    layouts: Sequence[tuple[Layout, float]] = LAYOUTS,
    path_traced: bool = False,
) -> Picture:
    """Any table, seen by any camera; cards are *card_px* (shortest, longest) pixels long at the picture's middle.

    With *path_traced* (``traced.py``) nothing but cards lies there.
    """
    long_px = float(np.exp(rng.uniform(*np.log(card_px))))
    if layout is None:
        weights = np.array([weight for _, weight in layouts])
        layout = layouts[rng.choice(len(layouts), p=weights / weights.sum())][0]
    share = rng.uniform(0.75, 1.1)
    width, height = size[1] / long_px * share, size[0] / long_px * share
    table = [decks[i] for i in rng.choice(len(decks), min(len(decks), int(rng.integers(1, 7))), replace=False)]
    cards = layout(rng, table, max(width - 0.9, 0.05), max(height - 0.9, 0.05))
    homography = camera(rng, size, long_px)
    if path_traced:
        top = table_top(rng, size)
        truth = compose(rng, size, cards, homography, top=top, calm=True).cards
        return Picture(photographed(rng, traced(rng, cards, homography, top, samples=8)), truth)
    clutter = int(rng.integers(1, 5)) if rng.random() < 0.4 or not cards else 0
    return compose(rng, size, cards, homography, clutter=clutter, hands=int(rng.random() < 0.12))


def random_pictures(
    rng: Rng,
    pool: DeckPool,
    count: int,
    size: tuple[int, int],
    *,
    card_px: tuple[float, float],
    layouts: Sequence[tuple[Layout, float]],
    fresh_every: int = 6,
) -> Iterator[Picture]:
    """*count* pictures as ``random_picture`` gives them, some decks of *pool* replaced every *fresh_every* ones."""
    for number in range(count):
        decks = pool.refresh() if number % fresh_every == 0 else pool.decks
        yield random_picture(rng, decks, size, card_px=card_px, layouts=layouts)
