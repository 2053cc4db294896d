"""The likeness network's training: cards of composed spreads beside the enrolled backs they may be of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import onnx
import torch
from torch import nn
from torch.nn import functional

from scorekeeper.rules.lake import DeckId
from scorekeeper.training.back_designs import recoloured
from scorekeeper.training.measure_backs import Composed, compose, drawn_backs, enrolment_picture, rough_box, signature
from scorekeeper.training.small_net import Recipe, Rows, Shard, all_shards, begin, conv, export, fit
from scorekeeper.vision.backs import (
    Compared,
    Gallery,
    chance_features,
    exposure_of,
    straightened,
)
from scorekeeper.vision.glances import Glances
from scorekeeper.vision.likeness import Likeness, as_contrasted
from scorekeeper.vision.looks import CELL, COLUMNS, ROWS, Floats, Seen

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Spread:
    """A composed spread as ``whose`` sees it, with its truth."""

    gallery: Gallery
    owners: tuple[int, ...]
    """Which deck of the gallery each card is of; beyond its decks or -1 for a deck nobody enrolled and for a face."""
    seen: tuple[Seen, ...]
    compared: tuple[Compared, ...]
    exposure: np.float32


def spread_of(seed: int) -> Spread:
    """A spread of 2 to 9 decks and two that nobody enrolled, one design often in two colours, boxes a little off."""
    rng = np.random.default_rng(seed)
    decks = int(rng.choice([2, 3, 4, 6, 9]))
    backs = drawn_backs(rng, decks + 2)
    if rng.random() < 0.4:
        backs[1] = recoloured(backs[0], rng)
    if rng.random() < 0.4:
        backs[decks] = recoloured(backs[int(rng.integers(decks))], rng)
    laid = compose(rng, backs, int(rng.integers(12, 45)), faces=int(rng.integers(0, 3)))
    enrolled = {
        DeckId(str(n)): [signature(enrolment_picture(rng, back)) for _ in range(1 if rng.random() < 0.7 else 2)]
        for n, back in enumerate(backs[:decks])
    }
    return _seen(rng, laid, Gallery.from_signatures(enrolled))


def _seen(rng: Rng, laid: Composed, gallery: Gallery) -> Spread:
    off = float(rng.choice([0.008, 0.015, 0.03]))
    glances = Glances(laid.image)
    quads = straightened(glances, [rough_box(rng, card.corners_px, off) for card in laid.cards])
    seen = tuple(glances.seen(quads))
    compared = tuple(gallery.compare(seen))
    return Spread(gallery, tuple(card.deck for card in laid.cards), seen, compared, exposure_of(seen))


def pairs_of(spread: Spread) -> Iterator[tuple[Floats, bool]]:
    """Each card beside its two nearest decks, and beside its own where that is none of them."""
    for seen, compared, owner in zip(spread.seen, spread.compared, spread.owners, strict=True):
        if compared.visible < 0.2:
            continue
        nearest = [int(deck) for deck in np.argsort(compared.distances)[:2]]
        own = [owner] if 0 <= owner < len(spread.gallery.decks) and owner not in nearest else []
        for deck in nearest + own:
            (pair,) = spread.gallery.pairs([seen], [compared], np.array([deck]), spread.exposure)
            yield pair, owner == deck


def compose_shard(seeds: range) -> Shard:
    """The pairs of some spreads: "seen" and "theirs" (n, 112, 80, 3), "mask" (n, 28, 20), "same" (n,)."""
    pairs, same = zip(*(pair for seed in seeds for pair in pairs_of(spread_of(seed))), strict=True)
    bytes_of = np.round(np.stack(pairs) * 255).astype(np.uint8)
    return {
        "seen": bytes_of[:, :3].transpose(0, 2, 3, 1),
        "theirs": bytes_of[:, 3:6].transpose(0, 2, 3, 1),
        "mask": bytes_of[:, 6, ::CELL, ::CELL],
        "same": np.array(same),
    }


class LikenessNet(nn.Module):
    """(n, 7, 112, 80) pairs to (n,) log odds that they are one design; what is hidden counts nothing."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.a = nn.Sequential(*conv(10, width, 2), *conv(width, 2 * width, 2), *conv(2 * width, 3 * width, 1))
        self.b = nn.Sequential(*conv(3 * width + 1, 4 * width, 2), *conv(4 * width, 4 * width, 1))
        self.f = nn.Sequential(nn.Linear(8 * width + 1, 64), nn.ReLU(inplace=True), nn.Dropout(0.2), nn.Linear(64, 1))

    def forward(self, pairs: torch.Tensor) -> torch.Tensor:
        free = pairs[:, 6:7]
        differ = (pairs[:, :3] - pairs[:, 3:6]).abs()
        coarse = functional.avg_pool2d(free, 4)
        found = self.a(torch.cat([pairs, differ * free], 1))
        found = self.b(torch.cat([found * coarse, coarse], 1))
        weight = functional.avg_pool2d(free, 8)
        total = weight.sum((2, 3))
        mean, most = (found * weight).sum((2, 3)) / (total + 1e-3), (found * weight).amax((2, 3))
        odds: torch.Tensor = self.f(torch.cat([mean, most, total / 140], 1))[:, 0]
        return odds


def _seen_otherwise(rng: Rng, picture: Floats) -> Floats:
    """An upright card under light that falls off, with another camera's contrast, haze, blur, aliasing and noise."""
    x, y = np.meshgrid(np.linspace(-1, 1, picture.shape[1]), np.linspace(-1, 1, picture.shape[0]))
    slope = rng.normal(0, 0.08, 2)
    shade = (1 + slope[0] * x + slope[1] * y)[..., None] * np.exp(rng.normal(0, 0.05, 3))
    other = np.clip(picture * shade, 0, 1) ** np.exp(rng.normal(0, 0.15))
    if rng.random() < 0.3:
        haze = rng.uniform(0, 0.15)
        other = other * (1 - haze) + haze
    if rng.random() < 0.4:
        other = cv2.GaussianBlur(other, (0, 0), rng.uniform(0.3, 1.3))
    if rng.random() < 0.35:
        other = _aliased(rng, other)
    other = other + rng.normal(0, 0.02 * rng.random(), picture.shape)
    return np.clip(other, 0, 1).astype(np.float32)


def _aliased(rng: Rng, picture: Floats) -> Floats:
    """An upright card from fewer pixels than its fine lines need: they come out as other lines."""
    height, width = picture.shape[:2]
    size = (round(width * rng.uniform(0.55, 0.95)), round(height * rng.uniform(0.55, 0.95)))
    few = cv2.resize(picture, size, interpolation=int(rng.choice([cv2.INTER_NEAREST, cv2.INTER_LINEAR])))
    return np.asarray(cv2.resize(few, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _elsewhere(rng: Rng, picture: Floats) -> Floats:
    """An upright card whose outline was taken a little too large, too small or beside it, and hazier."""
    height, width = picture.shape[:2]
    scale, shift = np.exp(rng.normal(0, 0.03, 2)), rng.normal(0, 1.7, 2)
    middle = np.array([width, height]) / 2
    matrix = np.array([[scale[0], 0, 0], [0, scale[1], 0]])
    matrix[:, 2] = middle * (1 - scale) + shift
    moved = cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    haze = rng.uniform(0, 0.5) if rng.random() < 0.4 else 0.0
    return np.asarray(moved * (1 - haze) + haze * moved.mean((0, 1)), np.float32)


def batch_of(shard: Shard, rows: Rows, rng: Rng) -> torch.Tensor:
    """Pairs in other light, seen otherwise, turned by half, a little beside each other, and with parts hidden."""
    seen, theirs = (shard[name][rows].astype(np.float32) / 255 for name in ("seen", "theirs"))
    seen = np.stack([_seen_otherwise(rng, picture) for picture in seen])
    free = (shard["mask"][rows].astype(np.float32) / 255).repeat(CELL, 1).repeat(CELL, 2)
    light = np.exp(rng.normal(0, 0.12, (len(rows), 1, 1, 3)) + rng.normal(0, 0.2, (len(rows), 1, 1, 1)))
    seen, theirs = (np.clip(part * light.astype(np.float32), 0, 1) for part in (seen, theirs))
    half = rng.random(len(rows)) < 0.5
    for part in (seen, theirs, free):
        part[half] = part[half][:, ::-1, ::-1]
    for n in range(len(rows)):
        if rng.random() < 0.6:
            theirs[n] = _elsewhere(rng, theirs[n])
        if rng.random() < 0.3:
            y, x = rng.integers(0, (90, 60))
            free[n, y : y + rng.integers(10, 60), x : x + rng.integers(10, 60)] = 0
        theirs[n] = as_contrasted(theirs[n], seen[n], free[n])
    stacked = np.concatenate([seen.transpose(0, 3, 1, 2), theirs.transpose(0, 3, 1, 2), free[:, None]], 1)
    return torch.from_numpy(np.ascontiguousarray(stacked, np.float32))


def train(recipe: Recipe) -> None:
    """Composes what is missing of the pairs, trains on all of them, and writes likeness.onnx."""
    begin(recipe)
    shard, rng, net = all_shards(recipe, compose_shard), np.random.default_rng(recipe.seed), LikenessNet()

    def loss_of(rows: Rows) -> torch.Tensor:
        wanted = torch.from_numpy(shard["same"][rows].astype(np.float32)) * 0.98 + 0.01
        return functional.binary_cross_entropy_with_logits(net(batch_of(shard, rows, rng)), wanted)

    fit(net, len(shard["same"]), loss_of, recipe, lambda: write(net, Path(recipe.out) / "likeness.onnx"))


def write(net: LikenessNet, path: Path) -> None:
    """Exports the network."""
    export(net, (7, ROWS * CELL, COLUMNS * CELL), path, ("pairs", "odds"))


def average(paths: Sequence[Path], path: Path) -> None:
    """Writes one network that gives the mean of what those at *paths*, trained apart, give."""
    nets = [onnx.compose.add_prefix(onnx.load(each), f"{n}/", rename_inputs=False) for n, each in enumerate(paths)]
    given, (first, *_) = [net.graph.output[0].name for net in nets], nets
    graph = onnx.helper.make_graph(
        [*(node for net in nets for node in net.graph.node), onnx.helper.make_node("Mean", given, ["odds"])],
        "likeness",
        [first.graph.input[0]],
        [onnx.helper.make_tensor_value_info("odds", onnx.TensorProto.FLOAT, ["n"])],
        [weights for net in nets for weights in net.graph.initializer],
    )
    onnx.save(onnx.helper.make_model(graph, opset_imports=first.opset_import, ir_version=first.ir_version), path)


def features_of(seeds: Sequence[int], network: Path) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """``chance_features`` (n, 4) of cards of fresh spreads, and whether their nearest decks are theirs (n,)."""
    likeness, rows, right = Likeness(network), [], []
    for spread in map(spread_of, seeds):
        scores = spread.gallery.scores(spread.compared)
        nearest = scores.argmin(1)
        alike = likeness(spread.gallery.pairs(spread.seen, spread.compared, nearest, spread.exposure))
        rows.append(chance_features(scores, np.array([one.visible for one in spread.compared], np.float32), alike))
        right.append(nearest == np.array(spread.owners))
    return np.concatenate(rows), np.concatenate(right)
