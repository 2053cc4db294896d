"""What the trainings of small networks share: shards composed once, one cycle of the learning rate, export to ONNX."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

log = logging.getLogger(__name__)

Shard = dict[str, npt.NDArray[np.generic]]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The knobs of one run."""

    work: str
    """Folder of the shards; those that are there already are not composed again."""
    out: str
    """Folder for the exported network."""
    art: str = ""
    """Folder of rendered card art; "" for drawn cards only."""
    shards: int = 4
    pictures: int = 110
    """Composed pictures a shard."""
    first_seed: int = 0
    epochs: int = 15
    batch: int = 64
    learning_rate: float = 0.002
    weight_decay: float = 0.01
    threads: int = 1
    seed: int = 1


def all_shards(recipe: Recipe, compose: Callable[[range], Shard]) -> Shard:
    """The arrays of all shards, one after the other; *compose* makes those that are missing from some seeds."""
    paths = [Path(recipe.work) / f"shard-{number:03}.npz" for number in range(recipe.shards)]
    for number, path in enumerate(paths):
        if not path.exists():
            first = recipe.first_seed + 1000 * number
            path.parent.mkdir(parents=True, exist_ok=True)
            np.savez(path, **compose(range(first, first + recipe.pictures)))  # type: ignore[arg-type]
            log.info("composed %s", path)
    with np.load(paths[0]) as data:
        names = [*data.files]
    return {name: _joined(paths, name) for name in names}


def _joined(paths: Sequence[Path], name: str) -> npt.NDArray[np.generic]:
    """The array *name* of all shards at *paths*, which is never twice in memory."""
    first, count = _column(paths[0], name), sum(len(_column(path, name)) for path in paths)
    rows = np.empty((count, *first.shape[1:]), first.dtype)
    filled = 0
    for path in paths:
        part = _column(path, name)
        rows[filled : filled + len(part)] = part
        filled += len(part)
    return rows


def _column(path: Path, name: str) -> npt.NDArray[np.generic]:
    with np.load(path) as data:
        return np.asarray(data[name])


def fit(
    net: nn.Module, count: int, loss_of: Callable[[Rows], torch.Tensor], recipe: Recipe, done: Callable[[], None]
) -> None:
    """Trains on *count* examples, whose loss is ``loss_of(rows)``; ``done()`` follows each epoch."""
    rng = np.random.default_rng(recipe.seed)
    optimizer = torch.optim.AdamW(net.parameters(), recipe.learning_rate, weight_decay=recipe.weight_decay)
    batches = max(1, count // recipe.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, recipe.learning_rate, total_steps=recipe.epochs * batches + 1
    )
    for epoch in range(recipe.epochs):
        net.train()
        losses = []
        for rows in np.array_split(rng.permutation(count), batches):
            loss = loss_of(rows)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        log.info("epoch %d of %d, loss %.4f", epoch + 1, recipe.epochs, float(np.mean(losses)))
        net.eval()
        done()


def taught(
    net: nn.Module,
    shard: Shard,
    recipe: Recipe,
    batch_of: Callable[[Shard, Rows, np.random.Generator], torch.Tensor],
    loss_of: Callable[[torch.Tensor, Shard, Rows], torch.Tensor],
    path: Path,
    names: tuple[str, str],
) -> None:
    """Trains *net* on the crops "x" of *shard*, ``loss_of(logits, shard, rows)`` of what it says of
    ``batch_of(shard, rows, rng)``; after each epoch it is written to *path*, *names* of input and output, in halves."""
    rng, (height, width) = np.random.default_rng(recipe.seed), shard["x"].shape[1:3]
    net.to(memory_format=torch.channels_last)

    def loss(rows: Rows) -> torch.Tensor:
        inputs = batch_of(shard, rows, rng).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = net(inputs)
        return loss_of(logits.float(), shard, rows)

    fit(net, len(shard["x"]), loss, recipe, lambda: export(net, (3, height, width), path, names, half=True))


def begin(seed: int, threads: int) -> None:
    """Sets up the log, the threads and chance itself."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.manual_seed(seed)
    torch.set_num_threads(threads)


def conv(inputs: int, outputs: int, stride: int) -> list[nn.Module]:
    """A convolution of 3 x 3, normalised and rectified, as the layers of a ``nn.Sequential``."""
    return [nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)]


def pyramid(size: tuple[int, int], width: int, inner: int, answers: int, *, dropout: float) -> nn.Sequential:
    """(n, 3, *size*) pictures to (n, *answers*) logits: convolutions down to a sixteenth of *size*, *width* channels
    first and four times as many last, and *inner* numbers between them and the answers."""
    cells = -(-size[0] // 16) * -(-size[1] // 16)
    return nn.Sequential(
        *conv(3, width, 2),
        *conv(width, 2 * width, 2),
        *conv(2 * width, 2 * width, 1),
        *conv(2 * width, 3 * width, 2),
        *conv(3 * width, 3 * width, 1),
        *conv(3 * width, 4 * width, 2),
        *conv(4 * width, 4 * width, 1),
        nn.Flatten(),
        nn.Dropout(dropout),
        nn.Linear(4 * width * cells, inner),
        nn.ReLU(inplace=True),
        nn.Linear(inner, answers),
    )


def export(net: nn.Module, example: Sequence[int], path: Path, names: tuple[str, str], *, half: bool = False) -> None:
    """Writes *net*, which takes arrays of shape *example*, for any number at once; *names* of input and output.

    With *half* its weights are stored as half floats.
    """
    net.eval()
    path.parent.mkdir(parents=True, exist_ok=True)
    axes = {name: {0: "n"} for name in names}
    with warnings.catch_warnings():
        # The older exporter is asked for on purpose: it needs no further package.
        warnings.simplefilter("ignore", DeprecationWarning)
        # A padding's sizes, which it turns around, are no weights: nothing is lost when they are not folded.
        warnings.filterwarnings("ignore", "Constant folding", UserWarning)
        torch.onnx.export(
            net, (torch.zeros(2, *example),), str(path), dynamic_axes=axes, dynamo=False,
            input_names=[names[0]], output_names=[names[1]],
        )  # fmt: skip
    if half:
        onnx.save(halved(onnx.load(str(path))), str(path))


def halved(network: onnx.ModelProto) -> onnx.ModelProto:
    """*network* with its large weights stored as half floats; the runtime widens them once, when it loads.

    Biases, and the scales of what is in whole numbers, stay as they are.
    """
    graph = network.graph
    casts = []
    for weight in list(graph.initializer):
        if weight.data_type != TensorProto.FLOAT or len(weight.dims) < 2 or np.prod(weight.dims) < 64:
            continue
        narrow = numpy_helper.from_array(numpy_helper.to_array(weight).astype(np.float16), f"{weight.name}_half")
        graph.initializer.remove(weight)
        graph.initializer.append(narrow)
        casts.append(helper.make_node("Cast", [narrow.name], [weight.name], to=TensorProto.FLOAT))
    nodes = list(graph.node)
    del graph.node[:]
    graph.node.extend([*casts, *nodes])
    return network


def blended(first: Path, second: Path, keep: float) -> onnx.ModelProto:
    """The network whose weights are *keep* of those in *first* and the rest of those in *second*, exported alike.

    Raises ValueError when their layers differ.
    """
    theirs = {each.name: numpy_helper.to_array(each) for each in onnx.load(str(first)).graph.initializer}
    network = onnx.load(str(second))
    for weight in network.graph.initializer:
        mine, other = numpy_helper.to_array(weight), theirs.pop(weight.name, None)
        if other is None or other.shape != mine.shape:
            raise ValueError(f"{first} has no {weight.name} like that of {second}")
        if mine.dtype == np.float32:
            weight.CopyFrom(numpy_helper.from_array((keep * other + (1 - keep) * mine).astype(np.float32), weight.name))
    return network
