"""The detector's training: shards in, a checkpoint out."""

from __future__ import annotations

import logging
import math
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import torch

from scorekeeper.training.labels import load_shard, shards
from scorekeeper.training.pool import Pool
from scorekeeper.training.rounding import rounding
from scorekeeper.training.tables import Rng
from scorekeeper.training.torchshim import ultralytics_ready
from scorekeeper.training.warm import warmed

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The knobs of one run."""

    data: str = "datasets/out/scenes"
    also: str = ""
    """A folder of shards of which every batch has its share, such as photographs that may be trained on."""
    also_share: float = 0.02
    pool: int = 3000
    """Pictures kept on the device, of which batches are drawn (half a megabyte each)."""
    fresh: int = 1
    """Shards taken in every round, in place of the oldest: such as are new, else any."""
    steps: int = 25
    """Steps of a round."""
    photos: str = ""
    """A folder of shards cut from photographs, not to be trained on: the averaged weights with the lowest loss on
    them are kept as best.pt, which stops the training in effect when more of it makes photographs worse."""
    look: int = 40
    """Rounds from one look at them to the next."""
    out: str = "models/out/detector"
    model: str = "yolo26n-obb.yaml"
    activation: str = "torch.nn.ReLU(inplace=True)"
    """In eight bits it costs nothing; SiLU, a third of the network's time."""
    width: float = 0.25
    """Share of the channels that the yaml gives each layer; n has 0.25, s 0.5."""
    eight_bits: float = 0.6
    """From this share of the hours on it learns with the rounding of eight bits; 1: never."""
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


def build(recipe: Recipe) -> Any:
    """The network with one head (it trains half as long as the end-to-end pair; suppression is ours)."""
    ultralytics_ready()
    from ultralytics.cfg import get_cfg
    from ultralytics.nn.tasks import OBBModel, yaml_model_load

    layout = yaml_model_load(recipe.model)
    layout["end2end"] = False
    layout["activation"] = recipe.activation
    layout["scales"]["n"][1] = recipe.width
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
            "activation": recipe.activation, "width": recipe.width,
        }  # fmt: skip
        part = path.with_suffix(".part")
        torch.save(state, part)
        part.replace(path)

    def load(self, path: Path) -> None:
        state = torch.load(path, map_location="cpu", weights_only=True)
        self.model.load_state_dict(state["model"])
        for name, value in state["average"].items():
            self.average[name].copy_(value)
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.seconds, self.pictures = state["step"], state["seconds"], state["pictures"]

    def learn(self, batch: dict[str, torch.Tensor], recipe: Recipe) -> torch.Tensor:
        """One step; returns the loss's parts."""
        spent = self.seconds / (recipe.hours * 3600)
        for group in self.optimizer.param_groups:
            group["lr"] = _rate(recipe, self.step, spent)
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
        return torch.stack([value.float() for value in parts.values()])

    @torch.no_grad()
    def _average(self, recipe: Recipe) -> None:
        decay = recipe.ema * (1 - math.exp(-self.step / 400))
        now = self.model.state_dict()
        names = [name for name, value in self.average.items() if value.is_floating_point()]
        torch._foreach_lerp_([self.average[name] for name in names], [now[name] for name in names], 1 - decay)


@torch.no_grad()
def loss_on(weights: dict[str, torch.Tensor], pool: Pool, recipe: Recipe) -> float:
    """The loss of the network with *weights* on every picture of *pool*, a picture."""
    judged = build(recipe).to(recipe.device)
    judged.load_state_dict(weights)
    judged.eval()
    total = 0.0
    for batch in pool.batches(recipe.batch):
        loss, _ = judged.loss(batch, judged(batch["img"])[1])
        total += float(loss.sum())
    return total / max(len(pool), 1)


def _all_of(folder: str, recipe: Recipe) -> Pool | None:
    """Every picture of *folder*; None where none is given."""
    if not folder:
        return None
    kept = [load_shard(path) for path in shards(Path(folder))]
    pool = Pool(sum(len(shard.images) for shard in kept), recipe.device)
    for shard in kept:
        pool.take(shard)
    return pool


class _Feed:
    """Batches of the shards of a folder, to which more may be added meanwhile."""

    def __init__(self, recipe: Recipe, rng: Rng) -> None:
        self._recipe, self._rng = recipe, rng
        self._pool = Pool(recipe.pool, recipe.device)
        self._also = _all_of(recipe.also, recipe)
        self._seen: set[Path] = set()

    def refresh(self) -> int:
        """Takes in a few shards, new ones first; returns how many there are."""
        files = list(shards(Path(self._recipe.data)))
        if not files:
            raise FileNotFoundError(f"no shards in {self._recipe.data!r}: run datasets/make_scenes.py first")
        new = [path for path in files if path not in self._seen] or files[:]
        self._rng.shuffle(new)
        for path in new[: self._recipe.fresh]:
            self._seen.add(path)
            with suppress(FileNotFoundError):  # cleared away meanwhile
                self._pool.take(load_shard(path))
        return len(files)

    def batch(self) -> dict[str, torch.Tensor]:
        """The next batch."""
        size = self._recipe.batch
        if self._also is None:
            return self._pool.batch(size)
        few = round(size * self._recipe.also_share)
        most, also = self._pool.batch(size - few), self._also.batch(few)
        also["batch_idx"] += size - few
        return {name: torch.cat([most[name], also[name]]) for name in most}


def _open(recipe: Recipe, checkpoint: Path, feed: _Feed) -> _Run:
    model = build(recipe).to(recipe.device, memory_format=torch.channels_last).train()
    if recipe.start:
        warmed(model, Path(recipe.start), (feed.batch()["img"] for _ in range(12)))
    average = {key: value.detach().clone() for key, value in model.state_dict().items()}
    run = _Run(model, average, _optimizer(model, recipe))
    if recipe.resume and checkpoint.exists():
        run.load(checkpoint)
    return run


def train(recipe: Recipe) -> Path:
    """Trains until the hours are over and returns the checkpoint's path."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    torch.backends.cudnn.benchmark = True
    out = Path(recipe.out)
    out.mkdir(parents=True, exist_ok=True)
    checkpoint, best = out / "last.pt", out / "best.pt"
    feed, judges = _Feed(recipe, np.random.default_rng(recipe.seed)), _all_of(recipe.photos, recipe)
    feed.refresh()
    run = _open(recipe, checkpoint, feed)
    lowest, rounded, tick = math.inf, False, time.monotonic()
    if recipe.resume and judges and best.exists():
        lowest = loss_on(torch.load(best, weights_only=True)["average"], judges, recipe)
    for number in count(1):
        if run.seconds >= recipe.hours * 3600:
            break
        if not rounded and run.seconds >= recipe.eight_bits * recipe.hours * 3600:
            rounding(run.model)
            rounded = True
        parts: list[torch.Tensor] = []
        began, files = run.seconds, feed.refresh()
        while len(parts) < recipe.steps and run.seconds < recipe.hours * 3600:
            parts.append(run.learn(feed.batch(), recipe))
            run.seconds, tick = run.seconds + time.monotonic() - tick, time.monotonic()
        means = " ".join(f"{value:.3f}" for value in torch.stack(parts).mean(0).tolist())
        log.info(
            "step %d, %d pictures, %.2f h, loss %s, %.4f s a picture, %d shards",
            run.step,
            run.pictures,
            run.seconds / 3600,
            means,
            (run.seconds - began) / (len(parts) * recipe.batch),
            files,
        )
        run.save(checkpoint, recipe)
        if judges and (number % recipe.look == 0 or run.seconds >= recipe.hours * 3600):
            loss = loss_on(run.average, judges, recipe)
            log.info("step %d, loss on photographs %.4f a picture, lowest so far %.4f", run.step, loss, lowest)
            if loss < lowest:
                lowest = loss
                run.save(best, recipe)
    return checkpoint
