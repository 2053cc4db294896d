"""The training of the network that reads whole faces: cards of composed tables, as a detector outlines them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from scorekeeper.rules.cards import parse_card
from scorekeeper.training import tables
from scorekeeper.training.decks import DeckPool
from scorekeeper.training.layouts import fans, lake, loose, random_pictures
from scorekeeper.training.light import lit, photographed
from scorekeeper.training.scene import Picture, length_px
from scorekeeper.training.small_net import Recipe, Rows, Shard, all_shards, begin, pyramid, taught
from scorekeeper.training.tables import Image, Layer, Rng
from scorekeeper.vision.faces.indices import SUITS
from scorekeeper.vision.faces.pips import HEIGHT, WIDTH, face_crop, normalised

SIZE = (448, 448)
LAYOUTS = ((lake, 0.5), (loose, 0.35), (fans, 0.15))
OPEN = 0.93
"""A card that shows this share is read; one that shows less than COVERED is an example of a covered one."""
COVERED, LEAST = 0.85, 0.12
ASIDE = 2
"""So many crops of each card that is read: a detector's outlines are off otherwise each time."""
OFF = 0.015
"""How far off, as a share of the card's length, with outliers."""
BLANK, CORNER = 0.06, (0.26, 0.19)
"""So many cards lose what stands in their corners, of this share of height and width: some decks have no indices."""


def outlined(rng: Rng, corners: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """What a detector may give for a card's *corners* (4, 2): the rectangle around it, or they, a little off."""
    size = length_px(corners)
    off = OFF * size * np.clip(rng.standard_t(4, 8), -4, 4)
    if rng.random() < 0.4:
        return np.asarray(corners + 0.8 * off.reshape(4, 2), np.float32)
    (x, y), sides, angle = cv2.minAreaRect(corners.astype(np.float32))
    rect = ((x + off[0], y + off[1]), (sides[0] + off[2], sides[1] + off[3]), angle + rng.normal(0, 1.5))
    return np.asarray(cv2.boxPoints(rect), np.float32)


class Crop(NamedTuple):
    """What lies in an outline, and what is to be said of it."""

    image: Image
    """(120, 80, 3) BGR."""
    code: str | None = None
    """The card; None for a back, and where no card lies."""
    open: bool = False
    """Whether nothing covers the face."""
    card: bool = True
    """Whether it is a card at all."""


def cards_of(rng: Rng, picture: Picture) -> Iterator[Crop]:
    """The cards of a picture; of the covered faces only some."""
    for card in picture.cards:
        code, whole = card.laid.sprite.code, card.visible >= OPEN
        if code is None:
            if card.visible > COVERED:
                yield Crop(face_crop(picture.image, outlined(rng, card.corners)))
            continue
        if not whole and (not LEAST < card.visible < COVERED or rng.random() < 0.6):
            continue
        for _ in range(ASIDE if whole else 1):
            yield Crop(face_crop(picture.image, outlined(rng, card.corners)), code, whole)


def no_cards(rng: Rng, each: int = 3) -> Iterator[Crop]:
    """What is no card on a table without any: papers, cups, phones, the cloth; outlines as for a card."""
    canvas, spots = tables.table_top(rng, SIZE), []
    for _ in range(int(rng.integers(1, 4))):
        side = int(rng.uniform(0.25, 0.8) * SIZE[0])
        middle, turn = rng.uniform(0.15, 0.85, 2) * SIZE[0], float(rng.uniform(0, 360))
        there = _dropped(canvas, tables.thing(rng, side), middle, turn)
        spots += [cv2.minAreaRect(there)] * each if len(there) > 50 else []
    spots.append(((SIZE[1] / 2, SIZE[0] / 2), (SIZE[1] / 2, SIZE[0] / 2), 0.0))
    image = photographed(rng, lit(rng, canvas))
    for number, ((x, y), sides, angle) in enumerate(spots):
        if number % each:  # a part of it, of a card's shape
            x, y = (x, y) + rng.normal(0, 0.3, 2) * max(sides)
            tall = float(rng.uniform(0.35, 1.1)) * max(sides)
            sides, angle = (tall / float(rng.uniform(1.2, 1.6)), tall), angle + 90.0 * float(rng.integers(0, 2))
        if min(sides) > 20:
            yield Crop(face_crop(image, np.asarray(cv2.boxPoints(((x, y), sides, angle)), np.float32)), card=False)


def _dropped(canvas: Image, thing: Layer, middle: npt.NDArray[np.float64], turn: float) -> npt.NDArray[np.int32]:
    """Lays *thing* (n, n, 4) on *canvas*; its places there, (k, 2) x and y."""
    side = thing.shape[0]
    matrix = cv2.getRotationMatrix2D((side / 2, side / 2), turn, 1.0)
    matrix[:, 2] += middle - side / 2
    layer = cv2.warpAffine(thing, matrix, canvas.shape[1::-1])
    cover = layer[..., 3:].astype(np.float32) / 255
    canvas[:] = (canvas * (1 - cover) + layer[..., :3] * cover).astype(np.uint8)
    return np.argwhere(layer[..., 3] > 127)[:, ::-1].astype(np.int32)


def compose_shard(seeds: range, art: Path | None) -> Shard:
    """Crops of some pictures: "x" (n, 120, 80, 3), "r" rank from 0, "s" suit in the order of SUITS, both -1 without a
    face, "c" whether nothing covers it, "k" whether it is a card."""
    rng = np.random.default_rng(seeds.start)
    pool = DeckPool(rng, art, art_share=0.4, varied=True)
    rows: list[Crop] = []
    pictures = random_pictures(rng, pool, len(seeds), SIZE, card_px=(50, 280), layouts=LAYOUTS, fresh_every=12)
    for number, picture in enumerate(pictures):
        rows += cards_of(rng, picture)
        if number % 3 == 0:
            rows += no_cards(rng)
    return {
        "x": np.stack([row.image for row in rows]),
        **named([row.code for row in rows]),
        "c": np.array([row.open for row in rows]),
        "k": np.array([row.card for row in rows]),
    }


def named(codes: Sequence[str | None]) -> Shard:
    """What each card is: "r" rank from 0, "s" suit in the order of SUITS, both -1 where there is none."""
    cards = [parse_card(code) if code else None for code in codes]
    return {
        "r": np.array([card.rank - 1 if card else -1 for card in cards]),
        "s": np.array([SUITS.index(card.suit.value) if card else -1 for card in cards]),
    }


def pip_net(width: int = 24) -> nn.Sequential:
    """(n, 3, 120, 80) faces to logits (n, 19): 13 ranks, 4 suits, nothing covers it, it is a card."""
    return pyramid((HEIGHT, WIDTH), width, 96, 19, dropout=0.2)


def batch_of(shard: Shard, rows: Rows, rng: Rng) -> torch.Tensor:
    """Faces either way up, a little moved, noisy, some in grey, some without indices."""
    crops = either_way_up(shard, rows, rng)
    for k in np.flatnonzero(rng.random(len(rows)) < BLANK):
        _blank(crops[k])
    inputs = normalised(crops)
    inputs += rng.normal(0, 0.08 * rng.random(), inputs.shape).astype(np.float32)
    grey = rng.random(len(rows)) < 0.15
    inputs[grey] = inputs[grey].mean(1, keepdims=True)
    return torch.from_numpy(inputs)


def either_way_up(shard: Shard, rows: Rows, rng: Rng) -> Image:
    """(n, 120, 80, 3) the crops "x" of these rows, half of them turned around, now and then all a little moved."""
    crops = np.asarray(shard["x"][rows], np.uint8).copy()
    half = rng.random(len(rows)) < 0.5
    crops[half] = crops[half][:, ::-1, ::-1]
    return np.roll(crops, rng.integers(-2, 3, 2), (1, 2)) if rng.random() < 0.5 else crops


def _blank(crop: Image) -> None:
    """Takes away what stands in the corners of *crop* (120, 80, 3)."""
    tall, wide = round(CORNER[0] * HEIGHT), round(CORNER[1] * WIDTH)
    for rows in (slice(0, tall), slice(-tall, None)):
        for columns in (slice(0, wide), slice(-wide, None)):
            crop[rows, columns] = np.percentile(crop[rows, columns], 70, axis=(0, 1))


def loss_of(logits: torch.Tensor, shard: Shard, rows: Rows) -> torch.Tensor:
    """Rank and suit of what is open, whether it is, and whether it is a card."""
    whole, card = (torch.from_numpy(shard[name][rows].astype(bool)) for name in "ck")
    rank, suit = (torch.from_numpy(shard[name][rows].astype(np.int64)) for name in "rs")
    loss = functional.cross_entropy(logits[whole, :13], rank[whole], label_smoothing=0.02)
    loss = loss + functional.cross_entropy(logits[whole, 13:17], suit[whole], label_smoothing=0.02)
    loss = loss + functional.binary_cross_entropy_with_logits(logits[card, 17], whole[card].float())
    return loss + functional.binary_cross_entropy_with_logits(logits[:, 18], card.float())


def train(recipe: Recipe) -> None:
    """Composes what is missing of the faces, trains on all of them, and writes pips.onnx."""
    begin(recipe.seed, recipe.threads)
    art = Path(recipe.art) if recipe.art else None
    shard = all_shards(recipe, lambda seeds: compose_shard(seeds, art))
    taught(pip_net(), shard, recipe, batch_of, loss_of, Path(recipe.out) / "pips.onnx", ("faces", "logits"))
