"""A further answer of a trained network: layers that see what one of its convolutions sees; all else stays as it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import compose
from onnx.utils import Extractor
from onnxruntime import InferenceSession
from torch import nn
from torch.nn import functional

from scorekeeper.training import small_net
from scorekeeper.training.small_net import Rows, conv, export, fit, halved

Floats = npt.NDArray[np.float32]
Seen = tuple[npt.NDArray[np.uint8], float]
"""What a convolution sees, which is never below 0, in units of so much."""
LOOKS, LEVELS = 2, 200
"""So often it is seen; and so many units are the most of the first batch: trained networks count in 255 themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe(small_net.Recipe):
    """The knobs of one run."""

    pips: str
    """The network that is to grow; its other answers stay as they are."""


@dataclass(frozen=True, slots=True)
class Branch:
    """Where a network grows."""

    answer: str
    """The name of its new output, logits (n, 1)."""
    deep: int
    """It sees what this convolution of the network, counted from 0, sees."""
    shape: tuple[int, int, int]
    """Of that."""


def layers_of(branch: Branch, strides: Sequence[int], width: int = 64) -> nn.Sequential:
    """(n, *branch.shape) inner answers of a network to (n, 1) logits: convolutions of these *strides*, and two more
    layers."""
    channels, tall, wide = branch.shape
    smaller = math.prod(strides)
    sizes = [channels, *[width] * len(strides)]
    seen = [layer for size, stride in zip(sizes, strides, strict=False) for layer in conv(size, width, stride)]
    return nn.Sequential(
        *seen,
        nn.Flatten(),
        nn.Dropout(0.3),
        nn.Linear(width * -(-tall // smaller) * -(-wide // smaller), width),
        nn.ReLU(inplace=True),
        nn.Linear(width, 1),
    )


def stem_of(network: onnx.ModelProto, deep: int) -> onnx.ModelProto:
    """The first layers of *network*, up to what its convolution numbered *deep* sees."""
    known = onnx.shape_inference.infer_shapes(network)
    return Extractor(known).extract_model([network.graph.input[0].name], [_seen_by(network, deep)])


def _seen_by(network: onnx.ModelProto, deep: int) -> str:
    """The name of what its convolution numbered *deep* sees."""
    return str([node.input[0] for node in network.graph.node if node.op_type == "Conv"][deep])


def grafted(network: onnx.ModelProto, grown: onnx.ModelProto, branch: Branch) -> onnx.ModelProto:
    """*network* with *grown*, whose answer takes the place of an older branch's of that name, or is its last."""
    known, deep = onnx.shape_inference.infer_shapes(network), _seen_by(network, branch.deep)
    kept = [output.name for output in network.graph.output if output.name != branch.answer]
    trunk = Extractor(known).extract_model([network.graph.input[0].name], [*kept, deep])
    named = compose.add_prefix(grown, f"{branch.answer}-branch/")
    named.ir_version = trunk.ir_version
    whole = compose.merge_models(trunk, named, [(deep, named.graph.input[0].name)])
    (new,) = [output.name for output in whole.graph.output if output.name not in kept]
    for node in whole.graph.node:
        node.output[:] = [branch.answer if name == new else name for name in node.output]
    whole.graph.output[len(kept)].name = branch.answer
    order = list(dict.fromkeys([*(output.name for output in network.graph.output), branch.answer]))
    outputs = sorted(whole.graph.output, key=lambda output: order.index(output.name))
    del whole.graph.output[:]
    whole.graph.output.extend(outputs)
    return whole


def _seen(stem: InferenceSession, inputs: Callable[[Rows], Floats], count: int, batch: int) -> Seen:
    """What *stem* sees in *count* inputs."""
    name, parts, unit = stem.get_inputs()[0].name, [], np.float32(0)
    for rows in np.array_split(np.arange(count), -(-count // batch)):
        (seen,) = stem.run(None, {name: inputs(rows)})
        unit = unit or np.float32(seen.max() / LEVELS)
        parts.append(np.clip(np.rint(seen / unit), 0, 255).astype(np.uint8))
    return np.concatenate(parts), float(unit)


def grow(
    net: nn.Module,
    branch: Branch,
    network: Path,
    inputs: Callable[[Rows], Floats],
    truth: tuple[npt.NDArray[np.generic], npt.NDArray[np.generic]],
    recipe: Recipe,
) -> None:
    """Trains *net* on what the *network* sees in LOOKS at its *inputs*, which vary, to say the *truth*, of so much
    weight each; after each epoch the grown network is written to the recipe's folder, under its own name."""
    trunk = onnx.load(str(network))
    stem = InferenceSession(stem_of(trunk, branch.deep).SerializeToString(), providers=["CPUExecutionProvider"])
    net.to(memory_format=torch.channels_last)
    looks = [_seen(stem, inputs, len(truth[0]), recipe.batch) for _ in range(LOOKS)]
    rng = np.random.default_rng(recipe.seed)

    def loss(rows: Rows) -> torch.Tensor:
        seen, unit = looks[int(rng.integers(LOOKS))]
        deep = torch.from_numpy(seen[rows].astype(np.float32) * unit)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = net(deep.contiguous(memory_format=torch.channels_last))
        wanted, weight = (torch.from_numpy(each[rows].astype(np.float32)) for each in truth)
        return functional.binary_cross_entropy_with_logits(logits.float()[:, 0], wanted, weight)

    def done() -> None:
        path = Path(recipe.out) / network.name
        export(net, branch.shape, path, ("deep", branch.answer))
        onnx.save(grafted(trunk, halved(onnx.load(str(path))), branch), str(path))

    fit(net, len(truth[0]), loss, recipe, done)
