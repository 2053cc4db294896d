"""
Path-traces spreads of backs to measure on, with decks that nothing was trained on and the truth of every card.

    python datasets/make_spreads.py --out spreads/ --tables 24 --seed 1

A table is a folder: a picture of each deck's back (`enrol-*`), two spreads (`lake-down-*`), and `truth.json`, with how
many cards of each deck lie there and each card's outline, deck and visible share, lowest first. Tables are by turns
easy (each card shows by 60 %), crowded (45 %; 3 to 7 decks, half of the cloths printed, things beside the cards) and
deep (a third). Needs mitsuba; with DRJIT_LIBLLVM_PATH set a table takes one to two minutes.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from scorekeeper.training import tables
from scorekeeper.training.back_designs import drawn_back, recoloured
from scorekeeper.training.light import calm
from scorekeeper.training.scene import DeckSprites, Laid, Sprite, camera, compose, sees_whole, thinned
from scorekeeper.training.tables import Image, Rng
from scorekeeper.training.traced import traced

SIZE, LONE = (900, 1600), (540, 960)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What a table is like."""

    name: str
    decks: tuple[int, int]
    cards: tuple[int, int]
    least_visible: float
    room: tuple[float, float]
    """How far apart cards lie, in their lengths."""
    things: int
    """At most so many other things lie there."""


KINDS = (
    Kind(name="easy", decks=(2, 5), cards=(12, 40), least_visible=0.6, room=(0.75, 1.0), things=1),
    Kind(name="crowded", decks=(3, 8), cards=(24, 50), least_visible=0.45, room=(0.55, 0.75), things=4),
    Kind(name="deep", decks=(2, 5), cards=(20, 40), least_visible=0.33, room=(0.42, 0.6), things=1),
)


def framed(rng: Rng, cards: list[Laid], size: tuple[int, int], card_px: float) -> tuple[np.ndarray, float]:
    """A camera that sees every card whole, and how long a card is then."""
    spots = np.array([(card.x, card.y) for card in cards], np.float32)
    middle = np.eye(3)
    middle[:2, 2] = -(spots.min(0) + spots.max(0)) / 2
    while True:
        for _ in range(8):
            view = camera(rng, size, card_px, most_tilt=40) @ middle
            if sees_whole(view, spots, size):
                return view, card_px
        card_px *= 0.93


def scattered(rng: Rng, decks: list[DeckSprites], count: int, kind: Kind) -> list[Laid]:
    """*count* cards thrown onto loose places of a grid, any way around."""
    across, room = max(3, round(np.sqrt(count * 1.6))), rng.uniform(*kind.room)
    laid = []
    for k in rng.permutation(count).tolist():
        deck = decks[int(rng.integers(len(decks)))]
        x, y = k % across * room + rng.normal(0, 0.14), k // across * room + rng.normal(0, 0.14)
        laid.append(Laid(deck.back, float(x), float(y), float(rng.uniform(0, 2 * np.pi)), deck.name))
    return laid


def with_things(rng: Rng, top: Image, most: int) -> Image:
    """*top* with papers, phones, chips and cups on it, at most so many."""
    out = top.copy()
    for _ in range(int(rng.integers(0, most + 1))):
        side = int(rng.uniform(0.1, 0.3) * top.shape[0])
        layer = tables.thing(rng, side)
        y, x = int(rng.integers(0, top.shape[0] - side)), int(rng.integers(0, top.shape[1] - side))
        part, cover = out[y : y + side, x : x + side], layer[..., 3:].astype(np.float32) / 255
        part[:] = (part * (1 - cover) + layer[..., :3] * cover).astype(np.uint8)
    return out


def spread(rng: Rng, decks: list[DeckSprites], kind: Kind, top: Image) -> tuple[Image, list[dict[str, object]]]:
    """A path-traced spread and its cards, lowest first."""
    while True:
        thrown = scattered(rng, decks, int(rng.integers(kind.cards[0], kind.cards[1])), kind)
        cards = thinned(thrown, kind.least_visible + 0.02)
        view, _ = framed(rng, cards, SIZE, float(rng.uniform(150, 260)))
        seen = compose(rng, SIZE, cards, view, top=top, calm=True).cards
        if min(each.visible for each in seen) >= kind.least_visible:
            break
    image = calm(rng, traced(rng, cards, view, with_things(rng, top, kind.things), samples=10))
    return image, [
        {"deck": each.laid.deck, "corners": np.round(each.corners, 1).tolist(), "visible": round(each.visible, 3)}
        for each in seen
    ]


def decks_of(rng: Rng, count: int) -> list[DeckSprites]:
    """So many decks, two of one design in two colours among them now and then."""
    backs = [drawn_back(rng, (420, int(420 * rng.uniform(0.63, 0.715)))) for _ in range(count)]
    if rng.random() < 0.4:
        backs[1] = recoloured(backs[0], rng)

    def none(code: str) -> Sprite:
        raise LookupError(code)

    return [DeckSprites(none, Sprite.of(back), f"deck-{n}") for n, back in enumerate(backs)]


def table(rng: Rng, folder: Path, kind: Kind) -> None:
    """One table's pictures and truth."""
    decks = decks_of(rng, int(rng.integers(*kind.decks)))
    make = (tables.TOPS[5], tables.TOPS[8]) if kind.name == "crowded" and rng.random() < 0.5 else ()
    top = make[int(rng.integers(2))](rng, SIZE).clip(0, 255).astype(np.uint8) if make else tables.table_top(rng, SIZE)
    folder.mkdir(parents=True, exist_ok=True)
    shots: dict[str, dict[str, object]] = {}
    lone_top = cv2.resize(top, LONE[::-1], interpolation=cv2.INTER_AREA)
    for deck in decks:
        card = [Laid(deck.back, 0, 0, float(rng.uniform(0, 6.28)))]
        view, _ = framed(rng, card, LONE, 300)
        image = calm(rng, traced(rng, card, view, np.asarray(lone_top, np.uint8), samples=10))
        cv2.imwrite(str(folder / f"enrol-{deck.name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 90])
        shots[f"enrol-{deck.name}.jpg"] = {"kind": "enrol", "deck": deck.name}
    for number in (1, 2):
        image, cards = spread(rng, decks, kind, top)
        cv2.imwrite(str(folder / f"lake-down-{number}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 88])
        counts = Counter(str(card["deck"]) for card in cards)
        shots[f"lake-down-{number}.jpg"] = {
            "kind": "lake-down",
            "spread": kind.name,
            "counts": dict(counts),
            "least_visible": min(float(str(card["visible"])) for card in cards),
            "cut": 0,
            "cards": cards,
        }
    written = {"decks": [deck.name for deck in decks], "shots": shots}
    (folder / "truth.json").write_text(json.dumps(written, indent=1) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tables", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for number in range(options.tables):
        rng = np.random.default_rng([options.seed, number, 91])
        table(rng, options.out / f"table{number:02d}", KINDS[number % len(KINDS)])


if __name__ == "__main__":
    main()
