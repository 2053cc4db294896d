"""
Trains the index reader.

    python datasets/render_art.py --out datasets/out/art
    python models/train_indices.py models/indices/recipe.toml
    python models/train_indices.py models/indices/recipe.toml epochs=40 --resume

A process of its own composes crops into a pool while this one trains on random ones of them. After each epoch the
weights are judged on decks and fonts never trained on; the best so far are written beside the recipe.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import torch

from scorekeeper.training.faces import (
    CardFace,
    art_faces,
    draw_face,
    draw_style,
    drawn_faces,
    read_deck,
    split_fonts,
)
from scorekeeper.training.index_net import IndexNet, calibrate, export, judge, start_from, train_step
from scorekeeper.training.indices import Batch, Patches, compose_batch, read_crops_of
from scorekeeper.training.recipes import read_recipe
from scorekeeper.training.scene import CODES
from scorekeeper.vision.faces.indices import CROP_HEIGHT, CROP_WIDTH, MOVES

CROP = (CROP_HEIGHT, CROP_WIDTH)
HEIGHTS = (8, 12, 18, 30, 99)
"""Bounds of the index heights, in pixels of the camera, that are judged apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """See recipe.toml for what each is for."""

    art: str
    work: str
    held_out: list[str]
    out: str
    epochs: int
    epoch_crops: int
    batch: int
    learning_rate: float
    weight_decay: float
    smoothing: float
    average: float
    drawn_decks: int
    pool: int
    threads: int
    seed: int
    start: str = ""
    """An exported network to go on from; "" begins anew."""
    real: str = ""
    """Real crops to mix in, written by real_index_crops.py; "" for none."""
    real_held: str = ""
    """Real crops never trained on, which help to choose the epoch and the temperatures; "" for none."""


class Pool:
    """Crops on disk, shared with the process that composes them."""

    def __init__(self, folder: Path, size: int, crop: tuple[int, int], *, create: bool = False) -> None:
        mode: Literal["w+", "r+"] = "w+" if create else "r+"
        folder.mkdir(parents=True, exist_ok=True)
        self.size = size
        self.images = np.memmap(folder / "images.u8", np.uint8, mode=mode, shape=(size, *crop, 3))
        self.labels = np.memmap(folder / "labels.f32", np.float32, mode=mode, shape=(size, 4 + MOVES))
        self.count = np.memmap(folder / "count.i64", np.int64, mode=mode, shape=(2,))
        """Crops composed, and crops trained on."""

    def add(self, batch: Batch) -> None:
        places = (int(self.count[0]) + np.arange(len(batch.labels))) % self.size
        self.images[places], self.labels[places] = batch.images, batch.labels
        self.count[0] += len(places)

    @property
    def filled(self) -> int:
        return int(min(self.count[0], self.size))

    def some(self, count: int, rng: np.random.Generator) -> Batch:
        places = np.sort(rng.integers(0, self.filled, count))
        self.count[1] += count
        return Batch(self.images[places], self.labels[places])


def fill_pool(recipe: Recipe, seed: int) -> None:
    """Composes for ever, two for every five that are trained on; ends with the training process."""
    os.nice(3)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    pool = Pool(Path(recipe.work) / "pool", recipe.pool, CROP)
    art = art_faces(Path(recipe.art), recipe.held_out)
    courts = [face for deck in art for code, face in deck.items() if code[:-1] in "JQK"]
    printed = [Patches.of_faces(list(deck.values()), rng) for deck in art]
    drawn: list[Patches] = []
    while True:
        for _ in range(3 if len(drawn) < recipe.drawn_decks else 1):
            drawn.append(Patches.of_faces(hard_deck(rng, courts), rng))
        drawn = drawn[-recipe.drawn_decks :]
        while pool.count[0] > 30_000 + 0.4 * pool.count[1]:
            time.sleep(0.5)
        for _ in range(6):
            pool.add(compose_batch([*printed, *drawn], 256, rng))


def hard_deck(rng: np.random.Generator, courts: Sequence[CardFace]) -> list[CardFace]:
    """A drawn deck; of those with English letters, two colours and the pip below the rank a half is left out."""
    while True:
        style = draw_style(rng, None, courts, split_fonts()[0], varied=True)
        common = not (style.beside or style.letters or style.colors["C"] != style.colors["S"])
        if not common or rng.random() < 0.5:
            return [draw_face(code, style, rng) for code in CODES]


def held_out_set(recipe: Recipe, count: int) -> Batch:
    """Crops of decks and fonts never trained on, the same every time."""
    rng = np.random.default_rng(10_007)
    decks = [read_deck(Path(recipe.art) / name) for name in recipe.held_out]
    patches = [Patches.of_faces(list(deck.values()), rng) for deck in decks]
    fonts = split_fonts()[1]
    courts = [face for deck in decks for code, face in deck.items() if code[:-1] in "JQK"]
    for _ in range(8):
        deck = drawn_faces(rng, court_art=courts, families=fonts)
        patches.append(Patches.of_faces([deck(code) for code in CODES], rng))
    return compose_batch(patches, count, rng)


def learning_rate(recipe: Recipe, done: float) -> float:
    """A short rise, then a cosine down to a hundredth; *done* 0 to 1."""
    rise = min(1.0, done * recipe.epochs * 2 + 0.02)
    return float(recipe.learning_rate * rise * (0.01 + 0.99 * 0.5 * (1 + np.cos(np.pi * min(done, 1)))))


def joined(one: Batch, two: Batch | None) -> Batch:
    if two is None:
        return one
    return Batch(np.concatenate([one.images, two.images]), np.concatenate([one.labels, two.labels]))


def mixed(batch: Batch, real: Batch | None, rng: np.random.Generator) -> Batch:
    """One crop in sixteen replaced by a real one."""
    if real is None:
        return batch
    n = max(1, len(batch.labels) // 16)
    which = rng.integers(0, len(real.labels), n)
    return joined(Batch(batch.images[n:], batch.labels[n:]), Batch(real.images[which], real.labels[which]))


@dataclass(slots=True)
class Training:
    """What a checkpoint holds."""

    net: IndexNet
    mean: IndexNet
    """Running mean of *net*'s weights; this one is judged and exported."""
    optimizer: torch.optim.Optimizer
    epoch: int = 0
    best: float = 0.0

    def save(self, path: Path) -> None:
        parts = {"net": self.net, "mean": self.mean, "optimizer": self.optimizer}
        state = {name: part.state_dict() for name, part in parts.items()}
        torch.save(state | {"epoch": self.epoch, "best": self.best}, path)

    def load(self, path: Path) -> None:
        state = torch.load(path, weights_only=True)
        for name, part in {"net": self.net, "mean": self.mean, "optimizer": self.optimizer}.items():
            part.load_state_dict(state[name])
        self.epoch, self.best = state["epoch"], state["best"]


def begin(recipe: Recipe) -> Training:
    """A fresh network."""
    net, mean = IndexNet().to(memory_format=torch.channels_last), IndexNet()
    mean.load_state_dict(net.state_dict())
    optimizer = torch.optim.AdamW(net.parameters(), lr=recipe.learning_rate, weight_decay=recipe.weight_decay)
    return Training(net, mean, optimizer)


def train_epoch(training: Training, recipe: Recipe, pool: Pool, real: Batch | None, rng: np.random.Generator) -> float:
    """One epoch; the mean loss."""
    steps = recipe.epoch_crops // recipe.batch
    total = 0.0
    for step in range(steps):
        for group in training.optimizer.param_groups:
            group["lr"] = learning_rate(recipe, (training.epoch + step / steps) / recipe.epochs)
        batch = mixed(pool.some(recipe.batch, rng), real, rng)
        total += train_step(training.net, training.optimizer, batch, recipe.smoothing)
        training.mean.follow(training.net, min(recipe.average, 1 - 1 / (training.epoch * steps + step + 10)))
    training.epoch += 1
    return total / steps


def train(recipe: Recipe, training: Training, pool: Pool, rng: np.random.Generator, out: Path) -> None:
    """All epochs, each judged, saved and, if the best so far, exported to *out*."""
    start = time.monotonic()
    real, real_held = (read_crops_of([Path(path)]) if path else None for path in (recipe.real, recipe.real_held))
    held = held_out_set(recipe, 4000)
    np.savez_compressed(Path(recipe.work) / "held.npz", images=held.images, labels=held.labels)
    while pool.filled < min(12_000, recipe.pool):
        time.sleep(1)
    if recipe.start and training.epoch == 0:
        start_from(training.net, Path(recipe.start), pool.some(2000, rng).images)
        training.mean.load_state_dict(training.net.state_dict())
        print(json.dumps({"epoch": 0, **judge(training.mean, held, HEIGHTS)}), flush=True)
    while training.epoch < recipe.epochs:
        loss = train_epoch(training, recipe, pool, real, rng)
        figures = judge(training.mean, held, HEIGHTS)
        line = {"epoch": training.epoch, "loss": round(loss, 4), **figures}
        line |= {"minutes": round((time.monotonic() - start) / 60, 1), "composed": int(pool.count[0])}
        score = figures["card"] + figures["index"]
        if real_held:
            photographed = judge(training.mean, real_held)
            line |= {"real rank": photographed["rank"], "real index": photographed["index"]}
            score += photographed["rank"] + photographed["index"]
        print(json.dumps(line), flush=True)
        if score > training.best:
            training.best = score
            export(training.mean, out, calibrate(training.mean, joined(held, real_held)))
        training.save(Path(recipe.work) / "last.pt")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("overrides", nargs="*")
    parser.add_argument("--resume", action="store_true")
    options = parser.parse_intermixed_args()
    recipe = read_recipe(Recipe, options.recipe, options.overrides)
    torch.set_num_threads(recipe.threads)
    torch.manual_seed(recipe.seed)
    work = Path(recipe.work)
    training = begin(recipe)
    if options.resume and (work / "last.pt").exists():
        training.load(work / "last.pt")
    fresh = not (options.resume and (work / "pool" / "images.u8").exists())
    pool = Pool(work / "pool", recipe.pool, CROP, create=fresh)
    seed = recipe.seed + int(pool.count[0])
    composer = multiprocessing.Process(target=fill_pool, args=(recipe, seed), daemon=True)
    composer.start()
    train(recipe, training, pool, np.random.default_rng(seed), Path(recipe.out))
    composer.terminate()


if __name__ == "__main__":
    main()
