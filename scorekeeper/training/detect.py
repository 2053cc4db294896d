"""The detector's training: shards in, a checkpoint out."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch

from scorekeeper.training.labels import Shard, load_shard, shards
from scorekeeper.training.tables import Image, Rng
from scorekeeper.training.torchshim import ultralytics_ready
from scorekeeper.training.warm import warmed

log = logging.getLogger(__name__)
Boxes = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The knobs of one run."""

    data: str = "datasets/out/scenes"
    photos: str = ""
    """A folder of shards cut from photographs, not to be trained on: the averaged weights with the lowest loss on
    them are kept as best.pt, which stops the training in effect when more of it makes photographs worse."""
    look: int = 40
    """Rounds from one look at them to the next."""
    out: str = "models/out/detector"
    model: str = "yolo26n-obb.yaml"
    start: str = ""
    """An exported network (ONNX) to go on from; from nothing where empty."""
    hours: float = 1.5
    """Wall-clock budget; the learning rate falls along a cosine to nothing at its end."""
    batch: int = 8
    learning_rate: float = 0.0015
    warmup: int = 300
    """Steps over which the learning rate rises."""
    weight_decay: float = 0.0005
    ema: float = 0.9985
    """Decay of the averaged weights, which are the ones exported."""
    angle: float = 1.0
    """Weight of the angle in the loss."""
    cards: float = 7.5
    """Weight of the boxes in the loss."""
    threads: int = 1
    """On a busy machine of two cores one thread was twice as fast as two: they wait for each other."""
    seed: int = 7
    device: str = "cpu"
    resume: bool = False


def turned(image: Image, rows: Boxes, quarter: int) -> tuple[Image, Boxes]:
    """The square *image* and its labels (k, 6) after *quarter* quarter turns anticlockwise; never mirrored."""
    side = image.shape[0]
    out = rows.copy()
    for _ in range(quarter % 4):
        out[:, 1], out[:, 2] = out[:, 2].copy(), side - out[:, 1].copy()
        out[:, 5] -= np.float32(math.pi / 2)
    out[:, 5] = (out[:, 5] + math.pi / 4) % math.pi - math.pi / 4
    return np.ascontiguousarray(np.rot90(image, quarter)), out


def recoloured(rng: Rng, image: Image) -> Image:
    """Another exposure and white balance, by one look-up table a channel."""
    ramp = np.arange(256, dtype=np.float32)
    gains = np.exp(rng.normal(0, 0.08, 3)) * np.exp(rng.normal(0, 0.12))
    table = np.stack([np.clip(ramp * gain, 0, 255) for gain in gains], 1).astype(np.uint8)
    return np.asarray(cv2.LUT(image, table.reshape(1, 256, 3)), np.uint8)


def batches(rng: Rng, shard: Shard, size: int) -> Iterator[dict[str, torch.Tensor]]:
    """Batches of one shard in the form the loss of ultralytics wants, augmented, in random order."""
    side = shard.images.shape[1]
    order = rng.permutation(len(shard.images))
    for start in range(0, len(order) - size + 1, size):
        images, rows, owner = [], [], []
        for k, i in enumerate(order[start : start + size]):
            image, boxes = turned(shard.images[i], shard.boxes[i], int(rng.integers(4)))
            images.append(recoloured(rng, image) if rng.random() < 0.5 else image)
            rows.append(boxes)
            owner += [k] * len(boxes)
        stacked = np.concatenate(rows)
        stacked[:, 1:5] /= side
        pixels = np.stack(images)[..., ::-1].transpose(0, 3, 1, 2)
        yield {
            "img": torch.from_numpy(np.ascontiguousarray(pixels)).float() / 255,
            "cls": torch.from_numpy(stacked[:, :1].copy()),
            "bboxes": torch.from_numpy(stacked[:, 1:].copy()),
            "batch_idx": torch.tensor(owner, dtype=torch.float32),
        }


def build(recipe: Recipe) -> Any:
    """The network with one head (it trains half as long as the end-to-end pair; suppression is ours)."""
    ultralytics_ready()
    from ultralytics.cfg import get_cfg
    from ultralytics.nn.tasks import OBBModel, yaml_model_load

    layout = yaml_model_load(recipe.model)
    layout["end2end"] = False
    model = OBBModel(layout, nc=3, verbose=False)
    model.args = get_cfg(overrides={"box": recipe.cards, "angle": recipe.angle})
    model.names = {0: "face", 1: "back", 2: "index"}
    return model


def _optimizer(model: Any, recipe: Recipe) -> torch.optim.Optimizer:
    decayed = [p for p in model.parameters() if p.requires_grad and p.ndim > 1]
    rest = [p for p in model.parameters() if p.requires_grad and p.ndim <= 1]
    groups = [{"params": decayed, "weight_decay": recipe.weight_decay}, {"params": rest, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, betas=(0.9, 0.99))


def _rate(recipe: Recipe, step: int, spent: float) -> float:
    """The learning rate after *step* steps and the share *spent* of the hours."""
    return (
        recipe.learning_rate
        * min(1, (step + 1) / recipe.warmup)
        * (0.02 + 0.98 * (1 + math.cos(math.pi * min(spent, 1))) / 2)
    )


@dataclass
class _Run:
    """What a checkpoint holds."""

    model: Any
    average: dict[str, torch.Tensor]
    optimizer: torch.optim.Optimizer
    step: int = 0
    seconds: float = 0.0
    pictures: int = 0

    def save(self, path: Path, recipe: Recipe) -> None:
        state = {
            "model": self.model.state_dict(), "average": self.average, "optimizer": self.optimizer.state_dict(),
            "step": self.step, "seconds": self.seconds, "pictures": self.pictures, "yaml": recipe.model,
        }  # fmt: skip
        part = path.with_suffix(".part")
        torch.save(state, part)
        part.replace(path)

    def load(self, path: Path) -> None:
        state = torch.load(path, map_location="cpu", weights_only=True)
        self.model.load_state_dict(state["model"])
        self.average = state["average"]
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.seconds, self.pictures = state["step"], state["seconds"], state["pictures"]

    def learn(self, batch: dict[str, torch.Tensor], recipe: Recipe) -> torch.Tensor:
        """One step; returns the loss's parts."""
        spent = self.seconds / (recipe.hours * 3600)
        for group in self.optimizer.param_groups:
            group["lr"] = _rate(recipe, self.step, spent)
        batch = {key: value.to(recipe.device) for key, value in batch.items()}
        batch["img"] = batch["img"].contiguous(memory_format=torch.channels_last)
        with torch.autocast(torch.device(recipe.device).type, dtype=torch.bfloat16):
            preds = self.model(batch["img"])
        preds = {key: [f.float() for f in v] if isinstance(v, list) else v.float() for key, v in preds.items()}
        loss, parts = self.model.loss(batch, preds)
        self.optimizer.zero_grad(set_to_none=True)
        loss.sum().backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.optimizer.step()
        self._average(recipe)
        self.step += 1
        self.pictures += len(batch["img"])
        return torch.stack([value.float().cpu() for value in parts.values()])

    def _average(self, recipe: Recipe) -> None:
        decay = recipe.ema * (1 - math.exp(-self.step / 400))
        with torch.no_grad():
            for key, value in self.model.state_dict().items():
                if value.dtype.is_floating_point:
                    self.average[key].lerp_(value.detach(), 1 - decay)


@torch.no_grad()
def loss_on(model: Any, weights: dict[str, torch.Tensor], folder: Path, recipe: Recipe) -> float:
    """The loss of *model* with *weights* on every shard of *folder*, a picture."""
    judged = deepcopy(model)
    judged.load_state_dict(weights)
    judged.eval()
    total, pictures = 0.0, 0
    for path in shards(folder):
        for batch in batches(np.random.default_rng(0), load_shard(path), recipe.batch):
            batch = {key: value.to(recipe.device) for key, value in batch.items()}
            loss, _ = judged.loss(batch, judged(batch["img"])[1])
            total, pictures = total + float(loss.sum()), pictures + len(batch["img"])
    return total / max(pictures, 1)


def _lowest_so_far(model: Any, best: Path, recipe: Recipe) -> float:
    """The loss on photographs of the checkpoint *best* that a resumed training has to beat."""
    if not (recipe.resume and recipe.photos and best.exists()):
        return math.inf
    return loss_on(model, torch.load(best, weights_only=True)["average"], Path(recipe.photos), recipe)


def _open(recipe: Recipe, checkpoint: Path, rng: Rng) -> _Run:
    model = build(recipe).to(recipe.device, memory_format=torch.channels_last).train()
    if recipe.start:
        warmed(model, Path(recipe.start), _examples(recipe, rng))
    average = {key: value.detach().clone() for key, value in model.state_dict().items()}
    run = _Run(model, average, _optimizer(model, recipe))
    if recipe.resume and checkpoint.exists():
        run.load(checkpoint)
    return run


def _examples(recipe: Recipe, rng: Rng, count: int = 12) -> Iterator[torch.Tensor]:
    """A few batches of pictures."""
    files = list(shards(Path(recipe.data)))
    for batch in islice(batches(rng, load_shard(files[rng.integers(len(files))]), recipe.batch), count):
        yield batch["img"].to(recipe.device)


def train(recipe: Recipe) -> Path:
    """Trains until the hours are over and returns the checkpoint's path."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    rng = np.random.default_rng(recipe.seed)
    out = Path(recipe.out)
    out.mkdir(parents=True, exist_ok=True)
    checkpoint = out / "last.pt"
    run = _open(recipe, checkpoint, rng)
    lowest = _lowest_so_far(run.model, out / "best.pt", recipe)
    for number in count(1):
        if run.seconds >= recipe.hours * 3600:
            break
        files = list(shards(Path(recipe.data)))
        if not files:
            raise FileNotFoundError(f"no shards in {recipe.data!r}: run datasets/make_scenes.py first")
        parts, began = [], time.monotonic()
        shard = load_shard(files[rng.integers(len(files))])
        for batch in batches(rng, shard, recipe.batch):
            tick = time.monotonic()
            parts.append(run.learn(batch, recipe))
            run.seconds += time.monotonic() - tick
            if run.seconds >= recipe.hours * 3600:
                break
        means = " ".join(f"{value:.3f}" for value in torch.stack(parts).mean(0).tolist())
        pace = (time.monotonic() - began) / max(1, len(parts) * recipe.batch)
        log.info(
            "step %d, %d pictures, %.2f h, loss %s, %.3f s a picture, %d shards",
            run.step,
            run.pictures,
            run.seconds / 3600,
            means,
            pace,
            len(files),
        )
        run.save(checkpoint, recipe)
        if recipe.photos and (number % recipe.look == 0 or run.seconds >= recipe.hours * 3600):
            loss = loss_on(run.model, run.average, Path(recipe.photos), recipe)
            log.info("step %d, loss on photographs %.4f a picture, lowest so far %.4f", run.step, loss, lowest)
            if loss < lowest:
                lowest = loss
                run.save(out / "best.pt", recipe)
    return checkpoint
