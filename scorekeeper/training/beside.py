"""The training of the network that reads a card by an index and what shows of the card beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from scorekeeper.training.around import even, varied
from scorekeeper.training.around import rows as in_rows
from scorekeeper.training.decks import DeckPool
from scorekeeper.training.layouts import fans, lake, loose, random_pictures, solitaire
from scorekeeper.training.pips import named
from scorekeeper.training.scene import Picture
from scorekeeper.training.small_net import Recipe, Rows, Shard, all_shards, begin, pyramid, taught
from scorekeeper.training.tables import Image, Rng
from scorekeeper.vision.faces.beside import HEIGHT, WIDTH, beside_crops
from scorekeeper.vision.faces.indices import moved

SIZE = (480, 640)
CARD_PX = (60, 200)
LAYOUTS = ((lake, 0.4), (fans, 0.4), (loose, 0.06), (in_rows, 0.06), (solitaire, 0.08))
SHOWS, LEAST_PX = 0.55, 8.0
"""An index that shows to this share, and is so high, is read."""
BLANK, INDEX = 0.3, (slice(9, 39), slice(11, 36))
"""So many cards lose their index, which stands there in a crop: what else shows does not err as the index does."""
OFF = 0.05
"""How far off its box may be, as shares of its sides, with outliers."""


class Crop(NamedTuple):
    """An index with its card, and what that is."""

    image: Image
    """(128, 96, 3) BGR."""
    code: str


def cards_of(rng: Rng, picture: Picture) -> Iterator[Crop]:
    """The cards of *picture*, once by each index that shows."""
    quads, codes = [], []
    for card in picture.cards:
        for quad, share in card.indices:
            if card.laid.sprite.code and share > SHOWS and np.linalg.norm(quad[0] - quad[3]) > LEAST_PX:
                quads.append(quad)
                codes.append(card.laid.sprite.code)
    if quads:
        off = OFF * np.clip(rng.standard_t(4, (len(quads), 6)), -3, 3)
        boxes = moved(np.asarray(quads, np.float32), off.astype(np.float32))
        yield from map(Crop, beside_crops(picture.image, boxes), codes)


def compose_shard(seeds: range, art: Path | None) -> Shard:
    """Cards of some pictures: "x" (n, 128, 96, 3), "r" rank from 0, "s" suit in the order of SUITS."""
    rng = np.random.default_rng(seeds.start)
    pool = DeckPool(rng, art, art_share=0.4, varied=True, dutch=False)
    crops: list[Crop] = []
    for picture in random_pictures(rng, pool, len(seeds), SIZE, card_px=CARD_PX, layouts=LAYOUTS):
        crops += cards_of(rng, picture)
    return {"x": np.stack([crop.image for crop in crops]), **named([crop.code for crop in crops])}


def beside_net(width: int = 24) -> nn.Sequential:
    """(n, 3, 128, 96) cards to logits (n, 17): 13 ranks, 4 suits."""
    return pyramid((HEIGHT, WIDTH), width, 64, 17, dropout=0.3)


def batch_of(shard: Shard, rows: Rows, rng: Rng) -> torch.Tensor:
    """Cards a little moved, some without the index, some noisy, some in grey."""
    crops = np.asarray(shard["x"][rows], np.uint8)
    crops = np.roll(crops, rng.integers(-2, 3, 2), (1, 2)) if rng.random() < 0.7 else crops.copy()
    for k in np.flatnonzero(rng.random(len(rows)) < BLANK):
        part = crops[k][INDEX]
        part[:] = np.percentile(part, 70, axis=(0, 1))
    return varied(crops, rng)


def loss_of(logits: torch.Tensor, shard: Shard, rows: Rows) -> torch.Tensor:
    """Rank and suit."""
    rank, suit = (torch.from_numpy(shard[name][rows].astype(np.int64)) for name in "rs")
    return functional.cross_entropy(logits[:, :13], rank) + functional.cross_entropy(logits[:, 13:], suit)


def train(recipe: Recipe) -> None:
    """Composes what is missing of the cards, trains on all of them, and writes beside.onnx."""
    begin(recipe.seed, recipe.threads)
    art = Path(recipe.art) if recipe.art else None
    shard = all_shards(recipe, lambda seeds: compose_shard(seeds, art))
    even(shard)
    taught(beside_net(), shard, recipe, batch_of, loss_of, Path(recipe.out) / "beside.onnx", ("cards", "logits"))
