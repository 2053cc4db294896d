"""The index reader's network, its training step, its judge and its way into ONNX; needs torch."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import nn

from scorekeeper.training import small_net
from scorekeeper.training.art import Pixels
from scorekeeper.training.indices import Batch
from scorekeeper.training.warm import warmed_in_turn
from scorekeeper.vision.faces.indices import CROP_HEIGHT, CROP_WIDTH, MOVES, Floats, Temperatures, normalise

MOVING = 10.0
"""What a box's move, in shares of its sides, weighs beside what is read there."""


def _layer(into: int, out: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(into, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out, momentum=0.02), nn.ReLU(inplace=True)
    )


class IndexNet(nn.Module):
    """(n, 3, h, w) to (n, 25): logits of 14 printed ranks, 4 suits, is it an upright index; and how the box must move
    to be the index's (``vision.faces.indices.moved``). About 0.7 M parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            *(_layer(3, 24), _layer(24, 32, 2), _layer(32, 48), _layer(48, 64, 2)),
            *(_layer(64, 96), _layer(96, 128, 2), _layer(128, 96)),
        )
        places = (CROP_HEIGHT // 8) * (CROP_WIDTH // 8)
        last = (nn.Linear(96 * places, 96), nn.ReLU(), nn.Linear(96, 19))
        self.say = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), *last)
        self.move = nn.Sequential(nn.Flatten(), nn.Linear(96 * places, 64), nn.ReLU(), nn.Linear(64, MOVES))

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        seen = self.look(crops)
        return torch.cat([self.say(seen), self.move(seen)], 1)

    @torch.no_grad()
    def follow(self, other: IndexNet, keep: float) -> None:
        """Moves these weights towards *other*'s, a running mean with weight *keep* on the past."""
        for mine, theirs in zip(self.state_dict().values(), other.state_dict().values(), strict=True):
            if mine.dtype.is_floating_point:
                mine.lerp_(theirs, 1 - keep)
            else:
                mine.copy_(theirs)


def start_from(net: IndexNet, path: Path, examples: Pixels) -> None:
    """Gives *net* the weights of the network in *path*, exported from one like it; it then says the same.

    *examples* (n, 48, 32, 3) are crops as in training (``warmed_in_turn``).
    """
    warmed_in_turn(net, path, [torch.from_numpy(normalise(examples))])


def loss_of(logits: torch.Tensor, labels: torch.Tensor, smoothing: float) -> torch.Tensor:
    """Rank, suit and move where known, and is-index."""
    rank, suit = labels[:, 0].long(), labels[:, 1].long()
    there = labels[:, 2] * (1 - smoothing) + smoothing / 2
    loss = nn.functional.binary_cross_entropy_with_logits(logits[:, 18], there)
    for part, truth in ((logits[:, :14], rank), (logits[:, 14:18], suit)):
        if bool((truth >= 0).any()):
            loss = loss + nn.functional.cross_entropy(part, truth, ignore_index=-1, label_smoothing=smoothing)
    known = ~labels[:, 4].isnan()
    if bool(known.any()):
        loss = loss + MOVING * nn.functional.smooth_l1_loss(logits[known, 19:], labels[known, 4:], beta=0.05)
    return loss


def train_step(net: IndexNet, optimizer: torch.optim.Optimizer, batch: Batch, smoothing: float = 0.05) -> float:
    """One step on one batch; the loss before it."""
    net.train()
    inputs = torch.from_numpy(normalise(batch.images)).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = net(inputs)
    loss = loss_of(logits.float(), torch.from_numpy(np.array(batch.labels)), smoothing)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimizer.step()
    return float(loss.detach())


@torch.no_grad()
def logits_of(net: IndexNet, images: np.ndarray, size: int = 250) -> Floats:
    """(n, 25) what *net* says of crops (n, 48, 32, 3)."""
    net.eval()
    parts = [net(torch.from_numpy(normalise(images[i : i + size]))).numpy() for i in range(0, len(images), size)]
    return np.concatenate(parts)


def judge(net: IndexNet, held: Batch, heights: Sequence[int] = (8, 12, 18, 30, 99)) -> dict[str, float]:
    """Shares right: rank, suit, both (also by height in camera pixels) where an index is, is-index
    over all, and how far off its box is after the move, in shares of its sides, where known."""
    logits, labels = logits_of(net, held.images), held.labels
    here = labels[:, 2] > 0
    rank = logits[here, :14].argmax(axis=1) == labels[here, 0]
    suit = (logits[here, 14:18].argmax(axis=1) == labels[here, 1]) | (labels[here, 1] < 0)
    tall = labels[here, 3]
    figures = {"rank": rank.mean(), "suit": suit.mean(), "card": (rank & suit).mean()}
    for low, high in pairwise(heights):
        figures[f"card {low}-{high} px"] = (rank & suit)[(tall >= low) & (tall < high)].mean()
    figures["index"] = ((logits[:, 18] > 0) == here).mean()
    known = ~np.isnan(labels[:, 4])
    if known.any():
        figures["off"] = np.abs(logits[known, 19:] - labels[known, 4:]).mean()
    return {name: round(float(value), 4) for name, value in figures.items()}


def calibrate(net: IndexNet, held: Batch) -> Temperatures:
    """The temperatures under which the held-out labels are likeliest."""
    logits, labels = logits_of(net, held.images), held.labels
    here = labels[:, 2] > 0
    sign = np.where(here, 1, -1)
    return Temperatures(
        rank=_temperature(logits[here, :14], labels[here, 0]),
        suit=_temperature(logits[here, 14:18], labels[here, 1]),
        is_index=_temperature(np.stack([logits[:, 18] * 0, logits[:, 18]], axis=1), (sign + 1) / 2),
    )


def _temperature(logits: Floats, truth: np.ndarray) -> float:
    known = truth >= 0
    scores, right = torch.from_numpy(logits[known]), torch.from_numpy(truth[known].astype(np.int64))
    tried = np.geomspace(0.3, 4, 60)
    losses = [float(nn.functional.cross_entropy(scores / t, right)) for t in tried]
    return float(tried[int(np.argmin(losses))])


def export(net: IndexNet, path: Path, heat: Temperatures) -> None:
    """Writes *net* for onnxruntime, any number of crops at once, temperatures in the metadata."""
    import onnx

    small_net.export(net, (3, CROP_HEIGHT, CROP_WIDTH), path, ("crops", "logits"))
    model = onnx.load(str(path))
    notes = {"temperature_rank": heat.rank, "temperature_suit": heat.suit, "temperature_is_index": heat.is_index}
    onnx.helper.set_model_props(model, {key: f"{value:.4f}" for key, value in notes.items()})
    onnx.save(model, str(path))
