"""
Composes one whole hand for the demo: enrolment pictures, the Lake, the spread, the fans, and its truth.

    python datasets/make_samples.py --out datasets/samples/hand1 --seed 5

All cards are drawn by this project's own code with free fonts; no card art goes in.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from scorekeeper.rules.cards import RANKS
from scorekeeper.training.back_designs import drawn_back
from scorekeeper.training.faces import drawn_faces
from scorekeeper.training.scene import DeckSprites, Laid, Sprite, compose, fan, pile
from scorekeeper.training.tables import Image, Rng, noise

SIZE = (1080, 1920)
SIDES = (("amy", "Amy", "red", "#c62828"), ("ben", "Ben", "blue", "#1565c0"), ("cleo", "Cleo", "green", "#2e7d32"))
PILES = (("S", 7), ("S", 3), ("H", 13), ("H", 5), ("D", 9), ("C", 2), ("C", 6), ("D", 4))
LEFT = {"amy": 0, "ben": 4, "cleo": 6}


def decks(rng: Rng) -> dict[str, DeckSprites]:
    """A deck for each side: free fonts, and backs of three colours."""
    made = {}
    for side, _, name, _ in SIDES:
        face = drawn_faces(rng, (560, 400))
        made[side] = DeckSprites(
            lambda code, face=face: Sprite.of(face(code).image, code, face(code).indices),
            Sprite.of(back(rng, name)),
            name,
        )
    return made


def back(rng: Rng, name: str) -> np.ndarray:
    """A back whose ink is mostly *name*."""
    channel = {"red": 2, "blue": 0, "green": 1}[name]
    while True:
        drawn = drawn_back(rng, (560, 400))
        mean = drawn[..., :3].reshape(-1, 3).mean(0)
        if mean[channel] > 1.25 * max(np.delete(mean, channel)):
            return drawn


def owners(rng: Rng) -> list[tuple[str, str]]:
    """Each Lake card's code and side; a side has each card once (rules M6)."""
    used: set[tuple[str, str]] = set()
    cards = []
    for suit, height in PILES:
        for rank in RANKS[:height]:
            free = [side for side, *_ in SIDES if (side, rank + suit) not in used]
            side = str(rng.choice(free))
            used.add((side, rank + suit))
            cards.append((rank + suit, side))
    return cards


def spots(rng: Rng, count: int, across: int, room: tuple[float, float]) -> list[tuple[float, float]]:
    """Places in rows of *across*, *room* (across, down) card lengths apart, with some mess."""
    rows = -(-count // across)
    grid = [(c - (across - 1) / 2, r - (rows - 1) / 2) for r in range(rows) for c in range(across)]
    return [
        (float(x * room[0] + rng.normal(0, 0.05)), float(y * room[1] + rng.normal(0, 0.05))) for x, y in grid[:count]
    ]


def lake(rng: Rng, table: dict[str, DeckSprites]) -> list[Laid]:
    """The piles as they lie."""
    laid: list[Laid] = []
    for (suit, height), (x, y) in zip(PILES, spots(rng, len(PILES), 4, (1.5, 1.5)), strict=True):
        laid += pile(rng, list(table.values()), suit, height, x, y, 0.4)
    return laid


def spread(rng: Rng, table: dict[str, DeckSprites], cards: Sequence[tuple[str, str]]) -> list[Laid]:
    """*cards* face down, overlapping a little."""
    places = spots(rng, len(cards), 8, (0.88, 0.98))
    return [
        Laid(table[side].back, x, y, float(rng.uniform(0, 2 * np.pi)), side)
        for (_, side), (x, y) in zip(cards, places, strict=True)
    ]


def picture(rng: Rng, top: Image, cards: Sequence[Laid], card_px: float) -> Image:
    """*cards* on the table *top*, photographed."""
    tilt = np.deg2rad(rng.uniform(5, 18))
    f = 1.1 * SIZE[1]
    lens = np.array([[f, 0, SIZE[1] / 2], [0, f, SIZE[0] / 2], [0, 0, 1]])
    view = lens @ np.array([[1, 0, 0], [0, np.cos(tilt), 0], [0, np.sin(tilt), f / card_px]])
    return compose(rng, SIZE, cards, view, top=top, calm=True).image


def felt(rng: Rng) -> Image:
    """The same green cloth under every picture of a hand."""
    grain = rng.normal(1, 0.05, (*SIZE, 1)) * (0.9 + 0.2 * noise(rng, SIZE, (3, 4)))[..., None]
    return np.clip(np.array([62, 96, 34]) * grain, 0, 255).astype(np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    table, top = decks(rng), felt(rng)
    cards = owners(rng)
    order = [cards[i] for i in rng.permutation(len(cards))]
    half = -(-len(order) // 2)
    shots: dict[str, Image] = {
        f"enrol-{deck.name}.jpg": picture(rng, top, [Laid(deck.back, 0, 0, 0.2)], 420) for deck in table.values()
    }
    shots["decks.jpg"] = np.hstack([shots[f"enrol-{deck.name}.jpg"][:, 640:1280] for deck in table.values()])
    shots["lake.jpg"] = picture(rng, top, lake(rng, table), 235)
    shots["spread-1.jpg"] = picture(rng, top, spread(rng, table, order[:half]), 225)
    shots["spread-2.jpg"] = picture(rng, top, spread(rng, table, order[half:]), 225)
    fans = {}
    for side, count in LEFT.items():
        if count:
            free = [r + s for s in "SHDC" for r in RANKS if (r + s, side) not in cards]
            fans[side] = [str(code) for code in rng.choice(free, count, replace=False)]
            shots[f"fan-{side}.jpg"] = picture(
                rng, top, fan(rng, [table[side].face(code) for code in fans[side]], 0, 1.4, 0.0, tidy=True), 420
            )
    options.out.mkdir(parents=True, exist_ok=True)
    for name, image in shots.items():
        cv2.imwrite(str(options.out / name), image, [cv2.IMWRITE_JPEG_QUALITY, 82])
    truth = {
        "sides": [{"name": name, "deck": deck, "color": color} for _, name, deck, color in SIDES],
        "callers": ["Amy"],
        "lake": dict(Counter(table[side].name for _, side in cards)),
        "left": {name: LEFT[side] for side, name, _, _ in SIDES},
        "piles": [{"top": None if h == 13 else RANKS[h - 1] + s, "height": h, "dead": h == 13} for s, h in PILES],
        "fans": {name: fans.get(side, []) for side, name, _, _ in SIDES},
    }
    (options.out / "truth.json").write_text(json.dumps(truth, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
