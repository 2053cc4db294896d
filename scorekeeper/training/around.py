"""The training of the network that sees what lies round a card: outlines as the detector finds them, and screens."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from scorekeeper.resources import data_path
from scorekeeper.training import small_net
from scorekeeper.training.decks import DeckPool
from scorekeeper.training.down import found_in
from scorekeeper.training.layouts import Layout, fans, lake, loose, random_pictures, solitaire
from scorekeeper.training.pips import either_way_up, outlined
from scorekeeper.training.scene import CODES, DeckSprites, Laid, Picture, Points, Seen, length_px
from scorekeeper.training.screens import MAT, SCREEN, among
from scorekeeper.training.small_net import Rows, Shard, all_shards, begin, pyramid, taught
from scorekeeper.training.tables import Image, Rng
from scorekeeper.vision.detector import FACE, Detector, OnnxDetector
from scorekeeper.vision.faces.around import HEIGHT, WIDTH, wide_crop
from scorekeeper.vision.faces.pips import normalised
from scorekeeper.vision.geometry import fit_within
from scorekeeper.vision.places import share_inside, share_of_both

CARD_PX = (55, 200)
SIZE = (480, 640)
PHOTOS_PX, LOOK_PX = (320, 480, 800), 480
"""How long the photographs are in which cards on tables are looked for, and how long they look to the detector."""
GIVEN = 0.3
"""So many cards that lie open are examples in another outline, too."""
OPEN, INSIDE, ALIKE, ASIDE, SHOWN = 0.6, 0.45, 0.55, 0.2, 0.4
"""A card that shows OPEN and fills INSIDE of an outline lies on top there; an outline is a shown card's, ALIKE with it;
it is no card's by ASIDE. A screen shows a card
of which so much is seen as SHOWN."""


def with_screens(layout: Layout) -> Layout:
    """*layout* with screens and mats below some of its cards, in most pictures."""

    def laid(rng: Rng, decks: Sequence[DeckSprites], width: float, height: float) -> list[Laid]:
        cards = layout(rng, decks, width, height)
        return among(rng, decks, cards, width, height) if rng.random() < 0.6 else cards

    return laid


def rows(rng: Rng, decks: Sequence[DeckSprites], width: float, height: float) -> list[Laid]:
    """Single cards in straight rows and columns, as people lay them out who are tidy."""
    across, down, off = float(rng.uniform(0.73, 1.3)), float(rng.uniform(1.03, 1.6)), float(rng.uniform(0.002, 0.03))
    base, deck = float(rng.choice([0, np.pi / 2, np.pi, -np.pi / 2])), decks[int(rng.integers(len(decks)))]
    laid = []
    for column in np.arange(-width / 2, width / 2 + 0.01, across)[: int(rng.integers(1, 9))]:
        for row in np.arange(-height / 2, height / 2 + 0.01, down)[: int(rng.integers(1, 5))]:
            sprite = deck.back if rng.random() < 0.12 else deck.face(str(rng.choice(CODES)))
            x, y = np.array([column, row]) + rng.normal(0, off, 2)
            laid.append(Laid(sprite, float(x), float(y), base + float(rng.normal(0, off)), deck.name))
    return laid


LAYOUTS = (
    (with_screens(partial(lake, finished=0.2)), 0.5),
    (with_screens(rows), 0.15),
    (with_screens(loose), 0.15),
    (with_screens(fans), 0.1),
    (with_screens(solitaire), 0.1),
)
LOWEST, HIGHEST = -1.875, 1.375
"""What ``normalised`` gives, least and most."""
TIMES = 3
"""So often the outlines of photographs are examples in every epoch."""


class Example(NamedTuple):
    """An outline with what lies round it, and what is to be said of it."""

    image: Image
    """(112, 96, 3) BGR."""
    down: bool | None = False
    """Whether the card on top lies face down; None where that is not clear."""
    shown: bool = False
    """Whether it is a card on a screen."""
    card: bool = True
    """Whether a card lies there at all, or is shown."""


def examples_of(rng: Rng, picture: Picture, detector: Detector) -> Iterator[Example]:
    """What the *detector* takes for cards in *picture*, and some cards in other outlines."""
    cards, shown = _cards_and_shown(picture)
    sizes = [length_px(card.corners) for card in cards] or [length_px(quad) for quad, _ in shown] or [128.0]
    outlines = [outlined(rng, card.corners) for card in cards if card.visible > OPEN and rng.random() < GIVEN]
    outlines += [outlined(rng, quad) for quad, share in shown if share > OPEN and rng.random() < 2 * GIVEN]
    outlines += [*found_in(rng, picture.image, float(np.median(sizes)), detector).corners_px]
    for outline in outlines:
        said = _said(outline, cards, [quad for quad, share in shown if share > SHOWN])
        if said is not None:
            yield said._replace(image=wide_crop(picture.image, outline))


def _said(outline: Points, cards: Sequence[Seen], shown: Sequence[Points]) -> Example | None:
    """What is to be said of *outline*; None where that is not clear at all."""
    nothing = np.zeros(0, np.uint8)
    alike = max((share_of_both(outline, quad) for quad in shown), default=0.0)
    within = [(share_inside(outline, card.corners.astype(np.float32)), card) for card in cards]
    there = [card for share, card in within if share > INSIDE and card.visible > OPEN]
    most = max((share * card.visible for share, card in within), default=0.0)
    if alike > ALIKE and most < 0.5:
        return Example(nothing, None, shown=True)
    if there:
        top = max(there, key=lambda card: card.visible)
        clear = all(card is top or card.visible < top.visible - 0.2 for card in there)
        return Example(nothing, top.laid.sprite.code is None if clear else None)
    if max((share_of_both(outline, card.corners.astype(np.float32)) for card in cards), default=0.0) > ALIKE:
        return Example(nothing, None)
    if max((share for share, _ in within), default=0.0) < ASIDE and alike < ASIDE:
        return Example(nothing, card=False)
    return None


def is_on_table(picture: Picture, outline: Points) -> bool | None:
    """Whether a card of the table lies in *outline*, none that a screen shows; None where that is not clear."""
    cards, shown = _cards_and_shown(picture)
    said = _said(outline, cards, [quad for quad, share in shown if share > SHOWN])
    return None if said is None else said.card and not said.shown


def _cards_and_shown(picture: Picture) -> tuple[list[Seen], list[tuple[Points, float]]]:
    """The cards on the table, and what screens show, with the share of each that is seen."""
    cards = [card for card in picture.cards if card.laid.deck not in (SCREEN, MAT)]
    shown = [(quad, share) for device in picture.cards if device.laid.deck == SCREEN for quad, share in device.indices]
    return cards, shown


def compose_shard(seeds: range, art: Path | None) -> Shard:
    """Examples of some pictures: "x" (n, 112, 96, 3), "d" whether the card on top lies face down, -1 where that is not
    clear, "p" whether it is shown on a screen, "k" whether a card is there at all."""
    rng = np.random.default_rng(seeds.start)
    pool = DeckPool(rng, art, art_share=0.4, varied=True)
    detector = OnnxDetector(data_path("models/detector/detector.onnx"), threads=1)
    examples: list[Example] = []
    for picture in random_pictures(rng, pool, len(seeds), SIZE, card_px=CARD_PX, layouts=LAYOUTS):
        examples += examples_of(rng, picture, detector)
    return {
        "x": np.stack([each.image for each in examples]),
        "d": np.array([-1 if each.down is None else int(each.down) for each in examples], np.int8),
        "p": np.array([each.shown for each in examples]),
        "k": np.array([each.card for each in examples]),
    }


def from_photographs(listed: Path) -> Shard:
    """Faces on the photographs *listed* (a file like PHOTOS/train/edje.jsonl), which lie on tables, each at three
    sizes: as ``compose_shard`` gives them."""
    detector = OnnxDetector(data_path("models/detector/detector.onnx"), threads=1)
    crops: list[Image] = []
    for line in listed.read_text("utf-8").splitlines():
        image = cv2.imread(str(listed.parent / json.loads(line)["file"]))
        for longest in PHOTOS_PX:
            small, _ = fit_within(np.asarray(image, np.uint8), longest)
            found = detector.detect(small, long_side=LOOK_PX, min_score=OPEN)
            crops += [wide_crop(small, outline) for outline in found.of(FACE).corners_px]
    no = np.zeros(len(crops), bool)
    return {"x": np.stack(crops), "d": no.astype(np.int8), "p": no, "k": ~no}


def around_net(width: int = 16) -> nn.Sequential:
    """(n, 3, 112, 96) outlines with what lies round them to logits (n, 3): shown, real, down."""
    return pyramid((HEIGHT, WIDTH), width, 64, 3, dropout=0.3)


def even(shard: Shard) -> None:
    """Makes the crops "x" even once, as ``normalised`` does, kept as bytes: LOWEST to HIGHEST."""
    for first in range(0, len(shard["x"]), 512):
        part = slice(first, first + 512)
        inputs = normalised(np.asarray(shard["x"][part], np.uint8)).transpose(0, 2, 3, 1)
        shard["x"][part] = np.clip((inputs - LOWEST) * (255 / (HIGHEST - LOWEST)), 0, 255)


def batch_of(shard: Shard, rows: Rows, rng: Rng) -> torch.Tensor:
    """Crops either way up, a little moved, some noisy, some in grey."""
    return varied(either_way_up(shard, rows, rng), rng)


def varied(crops: Image, rng: Rng) -> torch.Tensor:
    """(n, 3, height, width) network input of *crops* (n, height, width, 3) made ``even``, some noisy, some in grey."""
    inputs = torch.from_numpy(crops).float() * ((HIGHEST - LOWEST) / 255) + LOWEST
    if rng.random() < 0.4:
        inputs += torch.randn(inputs.shape) * float(rng.uniform(0, 0.1))
    grey = torch.from_numpy(rng.random(len(crops)) < 0.12)
    inputs[grey] = inputs[grey].mean(3, keepdim=True)
    return inputs.permute(0, 3, 1, 2)


def loss_of(logits: torch.Tensor, shard: Shard, rows: Rows) -> torch.Tensor:
    """Whether it is shown on a screen, which counts twice, whether it is a card of the table, and lies face down."""
    shown, card = (torch.from_numpy(shard[name][rows].astype(bool)) for name in "pk")
    down = torch.from_numpy(shard["d"][rows].astype(np.float32))
    clear, told = (down >= 0) | ~card, functional.binary_cross_entropy_with_logits
    return (
        2 * told(logits[card, 0], shown[card].float())
        + told(logits[:, 1], (card & ~shown).float())
        + told(logits[clear, 2], down[clear].clamp(min=0) * card[clear])
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe(small_net.Recipe):
    """The knobs of one run."""

    photos: str = ""
    """A list like PHOTOS/train/edje.jsonl of photographs of cards that lie on tables; "" for none."""


def train(recipe: Recipe) -> None:
    """Composes what is missing of the outlines, trains on all of them, and writes around.onnx."""
    begin(recipe.seed, recipe.threads)
    art = Path(recipe.art) if recipe.art else None
    shard = all_shards(recipe, lambda seeds: compose_shard(seeds, art))
    if recipe.photos:
        there = from_photographs(Path(recipe.photos))
        shard = {name: np.concatenate([shard[name], *[there[name]] * TIMES]) for name in there}
    even(shard)
    taught(around_net(), shard, recipe, batch_of, loss_of, Path(recipe.out) / "around.onnx", ("wide", "logits"))
