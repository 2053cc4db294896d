"""The training of the network that moves outlines: what a detector finds on composed tables, and what is there."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from scorekeeper.training.labels import Shard, load_shard, shards
from scorekeeper.training.small_net import conv, export
from scorekeeper.training.warm import warmed_in_turn
from scorekeeper.vision.backs.refiner import SHOWN, WINDOW, as_input, moved, moves_to, suited, to_window, window
from scorekeeper.vision.detector import INDEX, OnnxDetector, rotated_corners
from scorekeeper.vision.geometry import Image
from scorekeeper.vision.places import iou
from scorekeeper.vision.windows import turned_window, whole

log = logging.getLogger(__name__)

Rng = np.random.Generator
Floats = npt.NDArray[np.float32]

LEAST_SHARED = 0.35
"""An outline that shares less (intersection over union) with every card is on none."""
LEAST_SCORE = 0.04
AT_FIRST = 768
"""So many examples tell what the normalisations of a network to go on from were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The knobs of one run."""

    data: str = "datasets/out/scenes"
    """Folder of the detector's shards."""
    detector: str = "models/detector/detector.onnx"
    """Whose outlines are moved."""
    out: str = "models/out/refiner"
    """Folder of the checkpoint and the exported network."""
    minutes: float = 60
    batch: int = 64
    learning_rate: float = 0.002
    weight_decay: float = 0.01
    threads: int = 1
    seed: int = 1
    start: str = ""
    """Exported network to go on from; from nothing where empty."""


class RefineNet(nn.Module):
    """(n, 4, 96, 96) windows to (n, 582): the five moves of ``moves_to``, the log odds that they end on a card, and
    those of each of 24 x 24 places in the window that the card is what shows there."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        w = width
        self.fine = nn.Sequential(*conv(4, w // 2, 2), *conv(w // 2, w, 2), _Step(w), _Step(w))
        self.middle = nn.Sequential(*conv(w, 2 * w, 2), _Step(2 * w), _Step(2 * w))
        self.coarse = nn.Sequential(*conv(2 * w, 4 * w, 2), _Step(4 * w), _Step(4 * w))
        self.moves = nn.Sequential(
            nn.Conv2d(4 * w, w, 1), nn.Flatten(), nn.Linear(w * (WINDOW // 16) ** 2, 160), nn.ReLU(inplace=True),
            nn.Linear(160, 6),
        )  # fmt: skip
        self.up = nn.Sequential(nn.Conv2d(4 * w, 2 * w, 1), nn.Upsample(scale_factor=2))
        self.further_up = nn.Sequential(*conv(2 * w, w, 1), nn.Upsample(scale_factor=2))
        self.shows = nn.Sequential(*conv(w, w, 1), nn.Conv2d(w, 1, 1), nn.Flatten())

    def forward(self, windows: torch.Tensor) -> torch.Tensor:
        fine = self.fine(windows)
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        shows = self.shows(self.further_up(self.up(coarse) + middle) + fine)
        return torch.cat([self.moves(coarse), shows], 1)


class _Step(nn.Module):
    """A convolution beside what it is given."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(*conv(width, width, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.body(x)


@dataclass(frozen=True, slots=True)
class Found:
    """The outlines of one picture and the cards below them."""

    outlines_px: Floats
    """(n, 4, 2)"""
    cards_px: Floats
    """(m, 4, 2): the true rectangles."""
    mine: npt.NDArray[np.intp]
    """(n,): which card an outline is on; -1 for none."""
    length_px: float
    """How long the picture's cards usually are."""
    owner: npt.NDArray[np.int16] | None
    """(height, width): which card shows where, -1 for none; None where no order is known."""


def matched(outlines_px: Floats, cards_px: Floats) -> npt.NDArray[np.intp]:
    """(n,) the card with which each outline shares most; -1 where that is too little."""
    mine = np.full(len(outlines_px), -1, np.intp)
    for n, outline in enumerate(outlines_px):
        shares = [iou(outline, card) for card in cards_px]
        if shares and max(shares) >= LEAST_SHARED:
            mine[n] = int(np.argmax(shares))
    return mine


def owners(cards_px: Floats, size: tuple[int, int]) -> npt.NDArray[np.int16]:
    """Which card shows where in a picture of *size* (height, width), of which the later lie on the earlier ones."""
    owner = np.full(size, -1, np.int16)
    for n, card in enumerate(cards_px):
        cv2.fillConvexPoly(owner, np.round(card).astype(np.int32), n)
    return owner


def found_in(shard: Shard, detector: OnnxDetector, ordered: bool) -> list[Found]:
    """What the detector finds in each picture of a shard as it is and turned by a quarter; its cards are *ordered* from
    the lowest up or not."""
    found = []
    for image, rows in zip(shard.images, shard.boxes, strict=True):
        cards = rotated_corners(rows[rows[:, 0] != INDEX, 1:])
        turned, back = turned_window(image, whole(image), 1)
        outlines = np.concatenate([_outlined(image, detector), back(_outlined(turned, detector))])
        lengths = [float(w) for kind, _, _, w, _, _ in rows if kind != INDEX]
        length = float(np.median(lengths)) if lengths else 100.0
        owner = owners(cards, (image.shape[0], image.shape[1])) if ordered else None
        found.append(Found(outlines, cards, matched(outlines, cards), length, owner))
    return found


def _outlined(image: Image, detector: OnnxDetector) -> Floats:
    """The outlines (n, 4, 2) of cards that the detector finds in *image*."""
    seen = detector.detect(image, long_side=max(image.shape[:2]), min_score=LEAST_SCORE)
    return seen.corners_px[seen.kinds != INDEX]


def jittered(rng: Rng, card: Floats, length_px: float) -> Floats:
    """An outline (4, 2) for *card* as it comes from a first move of it, or from a bad detector, which gives a part of
    it now and then."""
    moves = moves_to(card, card, length_px)
    if rng.random() < 0.4:
        return moved(card, moves + rng.normal(0, (0.03, 0.03, 0.05, 0.03, 0.03)).astype(np.float32), length_px)
    if rng.random() < 0.35:
        cut = rng.uniform(0, 0.5) * rng.choice([-1, 1])
        side = int(rng.integers(2))
        size = np.exp(moves[3 + side])
        moves[1 - side] += size * cut / 2
        moves[3 + side] = np.log(size * (1 - abs(cut)))
    moves[:2] += rng.normal(0, 0.06, 2)
    moves[2] += rng.normal(0, 0.15) * (rng.random() < 0.7)
    moves[3:] += rng.normal(0, 0.08, 2)
    return moved(card, moves.astype(np.float32), length_px)


class Example(NamedTuple):
    """One window and what the network should say of it."""

    window: npt.NDArray[np.uint8]
    moves: Floats
    there: bool
    """Whether the outline is on a card."""
    shows: Floats
    """(24, 24): 1 where that card shows, 0 where not, -1 where nobody knows."""


def examples(rng: Rng, shard: Shard, found: list[Found]) -> Iterator[Example]:
    """What was found in a shard, and as much that was made up."""
    for n in rng.permutation(len(found)):
        each, length = found[n], found[n].length_px * float(np.exp(rng.normal(0, 0.08)))
        small = suited(shard.images[n], length)
        outlines = [*each.outlines_px, *(jittered(rng, card, length) for card in each.cards_px)]
        mine = [*each.mine, *range(len(each.cards_px))]
        for outline, card in zip(outlines, mine, strict=True):
            moves = moves_to(outline, each.cards_px[card], length) if card >= 0 else np.zeros(5, np.float32)
            seen = window(small.image, outline * np.float32(small.scale), length * small.scale)
            yield Example(seen, moves, bool(card >= 0), _shows(each, card, outline, length))


def _shows(found: Found, card: int, outline: Floats, length_px: float) -> Floats:
    """Where in an outline's window *card* shows."""
    if found.owner is None or card < 0:
        return np.full((SHOWN, SHOWN), -1, np.float32)
    matrix = to_window(outline, length_px, SHOWN / WINDOW)
    seen = cv2.warpAffine(found.owner, matrix, (SHOWN, SHOWN), flags=cv2.INTER_NEAREST, borderValue=-1)
    return np.asarray(seen == card, np.float32)


def loss_of(found: torch.Tensor, moves: torch.Tensor, there: torch.Tensor, shows: torch.Tensor) -> torch.Tensor:
    """How far the moves of what is there are off, how wrong the network is about how well it does, and about what
    shows."""
    off = (found[:, :5] - moves).detach().abs() * there[:, None]
    good = there * torch.exp(-12 * off.mean(1))
    loss = functional.smooth_l1_loss(found[there > 0, :5], moves[there > 0], beta=0.01)
    known = shows >= 0
    mask = functional.binary_cross_entropy_with_logits(found[:, 6:][known], shows[known]) if known.any() else 0.0
    return 10 * loss + functional.binary_cross_entropy_with_logits(found[:, 5], good) + mask


def _windows(rows: Sequence[Example]) -> Floats:
    return as_input(np.stack([row.window for row in rows]))


class Learner:
    """A network in training; some examples *rows* tell the normalisations of one to go on from."""

    def __init__(self, recipe: Recipe, rows: Sequence[Example]) -> None:
        self.net = RefineNet()
        if recipe.start:
            warmed_in_turn(self.net, Path(recipe.start), torch.from_numpy(_windows(rows)).split(recipe.batch))
        self.average = {key: value.clone() for key, value in self.net.state_dict().items()}
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), recipe.learning_rate, weight_decay=recipe.weight_decay
        )
        self.steps = 0

    def learn(self, rows: list[Example], rate: float) -> float:
        """One step with examples *rows*; returns the loss."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate * min(1, (self.steps + 1) / 200)
        windows = torch.from_numpy(_windows(rows))
        moves = torch.from_numpy(np.stack([row.moves for row in rows]))
        there = torch.tensor([row.there for row in rows], dtype=torch.float32)
        shows = torch.from_numpy(np.stack([row.shows.reshape(-1) for row in rows]))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = self.net(windows)
        loss = loss_of(found.float(), moves, there, shows)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimizer.step()
        self.steps += 1
        with torch.no_grad():
            for key, value in self.net.state_dict().items():
                if value.dtype.is_floating_point:
                    self.average[key].lerp_(value, max(0.002, 1 / self.steps))
        return float(loss.detach())

    def save(self, out: Path) -> None:
        """Writes the averaged weights, as a checkpoint and exported."""
        torch.save(self.average, out / "refiner.pt")
        best = RefineNet()
        best.load_state_dict(self.average)
        export(best, (4, WINDOW, WINDOW), out / "refiner.onnx", ("windows", "moves"))


def train(recipe: Recipe) -> None:
    """Trains until the minutes are over; writes refiner.pt and refiner.onnx after every few shards."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    rng, out = np.random.default_rng(recipe.seed), Path(recipe.out)
    learner: Learner | None = None
    detector = OnnxDetector(Path(recipe.detector), threads=recipe.threads)
    known: dict[Path, list[Found]] = {}
    out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    while (share := (time.monotonic() - began) / (60 * recipe.minutes)) < 1:
        files = list(shards(Path(recipe.data)))
        path = files[rng.integers(len(files))]
        shard = load_shard(path)
        if path not in known:
            known[path] = found_in(shard, detector, "photos" not in path.name)
        rows = list(examples(rng, shard, known[path]))
        learner = learner or Learner(recipe, [rows[n] for n in rng.permutation(len(rows))[:AT_FIRST]])
        rate = recipe.learning_rate * (0.02 + 0.49 * (1 + np.cos(np.pi * share)))
        picked = np.array_split(rng.permutation(len(rows)), max(1, len(rows) // recipe.batch))
        losses = [learner.learn([rows[n] for n in batch], rate) for batch in picked]
        log.info("step %d, %.0f %%, loss %.4f", learner.steps, 100 * share, float(np.mean(losses)))
        learner.save(out)
