"""The training of the network that reads whole faces: cards of composed tables, as a detector outlines them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from scorekeeper.rules.cards import parse_card
from scorekeeper.training.decks import DeckPool
from scorekeeper.training.layouts import fans, lake, loose, random_picture
from scorekeeper.training.scene import Picture, Seen
from scorekeeper.training.small_net import Recipe, Rows, Shard, all_shards, begin, conv, export, fit
from scorekeeper.vision.indices import SUITS
from scorekeeper.vision.pips import HEIGHT, WIDTH, face_crop, normalised

Rng = np.random.Generator

SIZE = (448, 448)
LAYOUTS = ((lake, 0.5), (loose, 0.35), (fans, 0.15))
OPEN = 0.93
"""A card that shows this share is read; one that shows less than COVERED is an example of a covered one."""
COVERED, LEAST = 0.85, 0.12


def outlined(rng: Rng, card: Seen) -> npt.NDArray[np.float32]:
    """What a detector may give for *card*: the rectangle around it, or its corners, a little off."""
    size = float(np.linalg.norm(card.corners[0] - card.corners[3]))
    if rng.random() < 0.4:
        return np.asarray(card.corners + rng.normal(0, 0.012 * size, (4, 2)), np.float32)
    (x, y), sides, angle = cv2.minAreaRect(card.corners.astype(np.float32))
    off = rng.normal(0, 0.015 * max(sides), 4)
    rect = ((x + off[0], y + off[1]), (sides[0] + off[2], sides[1] + off[3]), angle + rng.normal(0, 1.5))
    return np.asarray(cv2.boxPoints(rect), np.float32)


def faces_of(rng: Rng, picture: Picture) -> Iterator[tuple[npt.NDArray[np.uint8], str, bool]]:
    """Crop, code and whether nothing covers it, of faces in a picture; of the covered ones only some."""
    for card in picture.cards:
        code, whole = card.laid.sprite.code, card.visible >= OPEN
        if code is None or not (whole or LEAST < card.visible < COVERED) or (not whole and rng.random() < 0.6):
            continue
        yield face_crop(picture.image, outlined(rng, card)), code, whole


def compose_shard(seeds: range, art: Path | None) -> Shard:
    """Faces of some pictures: "x" (n, 96, 64, 3), "r" rank from 0, "s" suit in the order of SUITS, "c" not covered."""
    rng = np.random.default_rng(seeds.start)
    pool = DeckPool(rng, art, art_share=0.4)
    rows = []
    for number, _ in enumerate(seeds):
        decks = pool.refresh() if number % 12 == 0 else pool.decks
        picture = random_picture(rng, decks, SIZE, card_px=(45, 260), layouts=LAYOUTS)
        rows += [(crop, parse_card(code), whole) for crop, code, whole in faces_of(rng, picture)]
    return {
        "x": np.stack([crop for crop, _, _ in rows]),
        "r": np.array([card.rank - 1 for _, card, _ in rows]),
        "s": np.array([SUITS.index(card.suit.value) for _, card, _ in rows]),
        "c": np.array([whole for _, _, whole in rows]),
    }


def pip_net(width: int = 24) -> nn.Sequential:
    """(n, 3, 96, 64) faces to logits (n, 18): 13 ranks, 4 suits, nothing covers it."""
    return nn.Sequential(
        *conv(3, width, 2),
        *conv(width, 2 * width, 2),
        *conv(2 * width, 2 * width, 1),
        *conv(2 * width, 3 * width, 2),
        *conv(3 * width, 4 * width, 2),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(4 * width * (HEIGHT // 16) * (WIDTH // 16), 96),
        nn.ReLU(inplace=True),
        nn.Linear(96, 18),
    )


def batch_of(shard: Shard, rows: Rows, rng: Rng) -> torch.Tensor:
    """Faces either way up, a little moved, noisy, some in grey."""
    crops = np.asarray(shard["x"][rows], np.uint8).copy()
    half = rng.random(len(rows)) < 0.5
    crops[half] = crops[half][:, ::-1, ::-1]
    if rng.random() < 0.5:
        crops = np.roll(crops, rng.integers(-2, 3, 2), (1, 2))
    inputs = normalised(crops)
    inputs += rng.normal(0, 0.08 * rng.random(), inputs.shape).astype(np.float32)
    grey = rng.random(len(rows)) < 0.15
    inputs[grey] = inputs[grey].mean(1, keepdims=True)
    return torch.from_numpy(inputs)


def loss_of(logits: torch.Tensor, shard: Shard, rows: Rows) -> torch.Tensor:
    """Rank and suit of what is open, and whether it is."""
    whole = torch.from_numpy(shard["c"][rows].astype(bool))
    rank, suit = (torch.from_numpy(shard[name][rows].astype(np.int64)) for name in "rs")
    loss = functional.cross_entropy(logits[whole, :13], rank[whole], label_smoothing=0.02)
    loss = loss + functional.cross_entropy(logits[whole, 13:17], suit[whole], label_smoothing=0.02)
    return loss + functional.binary_cross_entropy_with_logits(logits[:, 17], whole.float())


def train(recipe: Recipe) -> None:
    """Composes what is missing of the faces, trains on all of them, and writes pips.onnx."""
    begin(recipe)
    art = Path(recipe.art) if recipe.art else None
    shard = all_shards(recipe, lambda seeds: compose_shard(seeds, art))
    rng, net = np.random.default_rng(recipe.seed), pip_net()
    fit(
        net,
        len(shard["r"]),
        lambda rows: loss_of(net(batch_of(shard, rows, rng)), shard, rows),
        recipe,
        lambda: export(net, (3, HEIGHT, WIDTH), Path(recipe.out) / "pips.onnx", ("faces", "logits")),
    )
