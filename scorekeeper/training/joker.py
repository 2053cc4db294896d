"""The training of a further answer of `pips`, whether a card is a joker, by all of it that shows in an outline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scorekeeper.rules.lake import JOKER
from scorekeeper.training.branch import Branch, Floats, Recipe, grow, layers_of
from scorekeeper.training.decks import HELD_OUT as HELD_OUT_DECKS
from scorekeeper.training.faces import Families, split_fonts
from scorekeeper.training.jokers import JokerPool, joker_art
from scorekeeper.training.pips import either_way_up, no_cards, outlined
from scorekeeper.training.scene import CODES, DeckSprites, Laid, Picture, Seen, camera, compose, fan
from scorekeeper.training.small_net import Rows, Shard, all_shards, begin
from scorekeeper.training.tables import Image, Rng
from scorekeeper.vision.faces.pips import face_crop, normalised

CARD_PX, ROOM = (45, 180), 2.1
"""How long a card is in a picture, which is so many times as long and as wide."""
SHOWS, ASIDE = 0.22, 2
"""Cards that show so much are examples, each in so many outlines."""
BACKS, BARE = 0.12, 12
"""So many of the cards lie face down; and after so many pictures of cards follows one of none."""
FRESH_EVERY, FRESH = 24, 3
"""After so many pictures so many new decks come."""
JOKERS = Branch("joker", 3, (48, 30, 20))
"""Where `pips` grows."""


class Example(NamedTuple):
    """What lies in an outline: a joker or not."""

    image: Image
    joker: bool


def _is_joker(card: Seen) -> bool:
    return card.laid.sprite.code == JOKER


def close_up(rng: Rng, decks: Sequence[DeckSprites]) -> Picture:
    """A card by itself, a pile, a few cards as they come, or a part of a fan, from near."""
    long_px = float(np.exp(rng.uniform(*np.log(CARD_PX))))
    side, deck = round(ROOM * long_px), decks[int(rng.integers(len(decks)))]
    codes = [str(code) for code in rng.choice(CODES, int(rng.choice([1, 2, 3, 5, 7])), replace=False)]
    cards = [deck.back if rng.random() < BACKS else deck.face(code) for code in codes]
    angle, middle = float(rng.uniform(0, 2 * np.pi)), rng.normal(0, 0.12, 2)
    if rng.random() < 0.55 and len(cards) > 1:
        laid = fan(rng, cards, 0, 0, angle)
        middle -= np.mean([(card.x, card.y) for card in laid], 0)
    else:
        apart = rng.choice([0.05, 0.25, 0.6])
        turns = rng.choice([0.03, 0.3, 2.0]) * rng.normal(0, 1, len(cards))
        spots = rng.normal(0, apart, (len(cards), 2))
        laid = [
            Laid(card, float(x), float(y), angle + turns[n])
            for n, (card, (x, y)) in enumerate(zip(cards, spots, strict=True))
        ]
    laid = [card._replace(x=card.x + middle[0], y=card.y + middle[1]) for card in laid]
    return compose(rng, (side, side), laid, camera(rng, (side, side), long_px), clutter=int(rng.random() < 0.15))


def outlines_of(rng: Rng, picture: Picture) -> Iterator[Example]:
    """The cards of *picture* that show enough."""
    for card in picture.cards:
        for _ in range(ASIDE if card.visible > SHOWS else 0):
            yield Example(face_crop(picture.image, outlined(rng, card.corners)), _is_joker(card))


def compose_shard(seeds: range, art: Path | None, *, families: Families | None = None, held_out: bool = False) -> Shard:
    """Examples of some close-ups: "x" (n, 120, 80, 3) outlines and "d" whether a joker lies there; *held_out* art and
    other *families* of fonts are for measuring."""
    rng = np.random.default_rng(seeds.start)
    leave_out = [] if held_out else [*HELD_OUT_DECKS]
    families = families or split_fonts()[0]
    pool = JokerPool(
        rng, art, joker_art(art, held_out=held_out), art_share=0.45, leave_out=leave_out, families=families, varied=True
    )
    outlines = list[Example]()
    for number in range(len(seeds)):
        if number % FRESH_EVERY == FRESH_EVERY - 1:
            pool.refresh(FRESH)
        picture = close_up(rng, pool.decks)
        outlines += outlines_of(rng, picture)
        if number % BARE == 0:
            outlines += [Example(crop.image, False) for crop in no_cards(rng)]
    return {
        "x": np.stack([each.image for each in outlines]),
        "d": np.array([each.joker for each in outlines]),
    }


def noisy(rng: Rng, crops: Image) -> Floats:
    """Network input of *crops* (n, height, width, 3), some noisy, some in grey."""
    inputs = normalised(crops)
    inputs += rng.normal(0, 0.08 * rng.random(), inputs.shape).astype(np.float32)
    grey = rng.random(len(crops)) < 0.12
    inputs[grey] = inputs[grey].mean(1, keepdims=True)
    return inputs


def train(recipe: Recipe) -> None:
    """Composes what is missing of the examples, trains the branch on what `pips` sees in them, and writes pips.onnx,
    grown by it."""
    begin(recipe.seed, recipe.threads)
    art = Path(recipe.art) if recipe.art else None
    shard = all_shards(recipe, lambda seeds: compose_shard(seeds, art))
    rng = np.random.default_rng(recipe.seed)

    def inputs(rows: Rows) -> Floats:
        return noisy(rng, either_way_up(shard, rows, rng))

    weights = np.ones(len(shard["d"]), np.float32)
    grow(layers_of(JOKERS, (2, 1, 2)), JOKERS, Path(recipe.pips), inputs, (shard["d"], weights), recipe)
