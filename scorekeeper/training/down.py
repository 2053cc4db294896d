"""The training of a further answer of `pips`, whether a card lies face down, in outlines as the detector finds them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from scorekeeper.resources import data_path
from scorekeeper.training.branch import Branch, Floats, Recipe, grow, layers_of
from scorekeeper.training.decks import DeckPool
from scorekeeper.training.layouts import fans, lake, loose, random_pictures, spread
from scorekeeper.training.light import lit, photographed
from scorekeeper.training.pips import SIZE, either_way_up, no_cards, outlined
from scorekeeper.training.scene import Picture, Seen, length_px
from scorekeeper.training.small_net import Rows, Shard, all_shards, begin
from scorekeeper.training.tables import Image, Rng, table_top
from scorekeeper.vision.detector import BACK, INDEX, Detections, Detector, OnnxDetector
from scorekeeper.vision.faces.pips import face_crop, normalised
from scorekeeper.vision.places import share_of_both

LAYOUTS = ((partial(lake, finished=0.6), 0.6), (loose, 0.15), (fans, 0.1), (spread, 0.15))
CARD_PX = (60, 280)
FAINT = 0.12
"""Outlines that the detector finds by more are examples: backs that show OPEN, faces, and what lies on no card by
ASIDE."""
OPEN, ASIDE = 0.6, 0.2
GIVEN = 0.35
"""So many cards that show 0.7 are examples in another outline, too."""
UNKNOWN, ERRED, LOUD = 6.0, 2.0, 0.2
"""So much counts a back that the detector takes for a face, and anything else that it takes for what it is not: what is
no card if it is found by more than LOUD."""
BARE = 12
"""Outlines of nothing in each picture of a bare table."""
DOWN = Branch("down", 5, (72, 15, 10))
"""Where `pips` grows."""


class Example(NamedTuple):
    """What lies in an outline: a card face down or not."""

    image: Image
    """(120, 80, 3) BGR."""
    down: bool
    weight: float = 1.0


def examples_of(rng: Rng, picture: Picture, detector: Detector) -> Iterator[Example]:
    """The cards of *picture*, in outlines of the *detector* and a few others, and what it took for cards."""
    cards = [card for card in picture.cards if card.visible > OPEN]
    for card in cards:
        if card.visible > 0.7 and rng.random() < GIVEN:
            yield Example(face_crop(picture.image, outlined(rng, card.corners)), _down(card))
    found = found_in(rng, picture.image, float(np.median([length_px(card.corners) for card in cards])), detector)
    for outline, kind, score in zip(found.corners_px, found.kinds, found.scores, strict=True):
        shares = np.array([share_of_both(outline, card.corners.astype(np.float32)) for card in picture.cards])
        there = [picture.cards[n] for n in np.flatnonzero(shares > OPEN)]
        top = max(there, key=lambda card: card.visible, default=None)
        if top and (top.visible > OPEN or not _down(top)):
            weight = 1.0 if _down(top) == (kind == BACK) else UNKNOWN if _down(top) else ERRED
            yield Example(face_crop(picture.image, outline), _down(top), weight)
        elif shares.max() < ASIDE:
            yield Example(face_crop(picture.image, outline), False, ERRED if score > LOUD else 1.0)


def bare_examples(rng: Rng, detector: Detector) -> Iterator[Example]:
    """Parts of a table on which nothing lies, and what the *detector* takes for cards there."""
    image = photographed(rng, lit(rng, table_top(rng, SIZE)))
    for _ in range(BARE):
        long_px = float(rng.uniform(*CARD_PX))
        x, y = rng.uniform(0.15, 0.85, 2) * SIZE[0]
        sides = (long_px / float(rng.uniform(1.2, 1.6)), long_px)
        outline = cv2.boxPoints(((float(x), float(y)), sides, float(rng.uniform(0, 180))))
        yield Example(face_crop(image, np.asarray(outline, np.float32)), False)
    found = found_in(rng, image, float(rng.uniform(*CARD_PX)), detector)
    for outline, score in zip(found.corners_px, found.scores, strict=True):
        yield Example(face_crop(image, outline), False, ERRED if score > LOUD else 1.0)


def found_in(rng: Rng, image: Image, long_px: float, detector: Detector) -> Detections:
    """What *detector* takes for cards where they look about 128 pixels long to it."""
    side = int(np.clip(max(image.shape[:2]) * 128 / long_px * rng.uniform(0.85, 1.15), 160, 1000))
    found = detector.detect(image, long_side=side, min_score=FAINT)
    return found.pick(found.kinds != INDEX)


def _down(card: Seen) -> bool:
    return card.laid.sprite.code is None


def compose_shard(seeds: range, art: Path | None) -> Shard:
    """Examples of some pictures: "x" (n, 120, 80, 3), "d" whether a card lies there face down, "w" its weight."""
    rng = np.random.default_rng(seeds.start)
    pool = DeckPool(rng, art, art_share=0.4, varied=True)
    detector = OnnxDetector(data_path("models/detector/detector.onnx"), threads=1)
    rows: list[Example] = []
    pictures = random_pictures(rng, pool, len(seeds), SIZE, card_px=CARD_PX, layouts=LAYOUTS)
    for number, picture in enumerate(pictures):
        if any(card.visible > OPEN for card in picture.cards):
            rows += examples_of(rng, picture, detector)
        if number % 3 == 0:
            rows += [Example(crop.image, False) for crop in no_cards(rng)]
            rows += bare_examples(rng, detector)
    return {
        "x": np.stack([row.image for row in rows]),
        "d": np.array([row.down for row in rows]),
        "w": np.array([row.weight for row in rows], np.float32),
    }


def train(recipe: Recipe) -> None:
    """Composes what is missing of the examples, trains the branch on what `pips` sees in them, and writes pips.onnx,
    grown by it."""
    begin(recipe.seed, recipe.threads)
    art = Path(recipe.art) if recipe.art else None
    shard = all_shards(recipe, lambda seeds: compose_shard(seeds, art))
    rng = np.random.default_rng(recipe.seed)

    def inputs(rows: Rows) -> Floats:
        return normalised(either_way_up(shard, rows, rng))

    grow(layers_of(DOWN, (1, 2)), DOWN, Path(recipe.pips), inputs, (shard["d"], shard["w"]), recipe)
