"""Networks in whole numbers of eight bits: half the time and a third of the size, or less; needs onnx."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime
from onnx import numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from scorekeeper.training.small_net import halved

Floats = npt.NDArray[np.float32]

ROWS = 32
"""Rows of one run while the ranges are measured."""
QUANTISED = ("Conv", "Relu", "Add", "Concat", "Resize", "MaxPool", "Split")
"""What is computed in whole numbers. Fully connected layers, and what joins their answers, stay as they are: one range
for logits and for moves of a box, a hundredth as large, would leave nothing of the moves."""


def quantise(network: Path, rows: Floats, target: Path) -> None:
    """Writes a small *network* to *target* with all convolutions but the first and those that answer in eight bits.

    *rows* (n, ...), at least ROWS, are inputs as it gets them at the table: they tell the ranges. What stays in floats
    is stored as halves again where it was.
    """
    halves = any(node.op_type == "Cast" for node in onnx.load(str(network)).graph.node)
    whole = _in_eight_bits(network, rows, _first_and_answers)
    onnx.save(halved(whole) if halves else whole, str(target))


def quantise_detector(network: Path, rows: Floats, target: Path) -> None:
    """Writes the detector in *network* to *target* in eight bits but for its attention and its answers.

    *rows* (n, 3, side, side), RGB 0 to 1, at least ROWS, are pictures as it was trained on. Names are short, as they
    are a twentieth of the file.
    """
    whole = _in_eight_bits(network, rows, _attention_and_answers)
    onnx.save(renamed(halved(whole)), str(target))


def _in_eight_bits(network: Path, rows: Floats, floats: Callable[[Any], set[str]]) -> onnx.ModelProto:
    """*network* in eight bits but for the nodes that *floats* names in its graph.

    Weights have seven bits, so that processors without special instructions for it do not overflow and give the same
    answers. As in ``rounding`` a range is what batches span on average, not the widest of them.
    """
    if len(rows) < ROWS:
        raise ValueError(f"{len(rows)} inputs tell too little of the ranges: give {ROWS} at least")
    if any(node.op_type == "DequantizeLinear" for node in onnx.load(str(network)).graph.node):
        raise ValueError(f"{network} is in eight bits already: quantise the network as it was trained")
    with tempfile.TemporaryDirectory() as folder:
        prepared, made = Path(folder) / "prepared.onnx", Path(folder) / "made.onnx"
        quant_pre_process(str(network), str(prepared), skip_symbolic_shape=True)
        graph = onnx.load(str(prepared)).graph
        quantize_static(
            str(prepared), str(made), _Rows(graph.input[0].name, rows), per_channel=True, reduce_range=True,
            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, op_types_to_quantize=list(QUANTISED),
            nodes_to_exclude=sorted(floats(graph)), extra_options={"CalibMovingAverage": True},
        )  # fmt: skip
        return onnx.load(str(made))


def _first_and_answers(graph: Any) -> set[str]:
    first = next(node.name for node in graph.node if node.op_type == "Conv")
    answers = {each.name for each in graph.output}
    return {first, *(node.name for node in graph.node if answers & set(node.output))}


def _attention_and_answers(graph: Any) -> set[str]:
    """Attention, the head's last convolutions, which stand in no block, and all of the head that is no convolution."""
    last = {node.name for node in graph.node if node.op_type == "Conv" and not node.name.endswith("/conv/Conv")}
    head = {name.split("/")[1] for name in last}
    joins = {
        node.name for node in graph.node
        if node.op_type not in ("Conv", "Relu") and node.name.count("/") > 1 and node.name.split("/")[1] in head
    }  # fmt: skip
    return last | joins | {node.name for node in graph.node if "attn" in node.name}


def renamed(network: onnx.ModelProto) -> onnx.ModelProto:
    """*network* with short names for all but its inputs, its outputs, and weights as its layers know them."""
    graph, known = network.graph, re.compile(r"(model\..+\.(?:weight|bias))(?:_DequantizeLinear_Output)?")
    names = {each.name: each.name for each in (*graph.input, *graph.output)} | {"": ""}

    def short(name: str) -> str:
        layer = known.fullmatch(name)
        return names.setdefault(name, str(layer[1]) if layer else f"{len(names):x}")

    for weight in graph.initializer:
        weight.name = short(weight.name)
    for number, node in enumerate(graph.node):
        node.name = f"{number:x}"
        for ends in (node.input, node.output):
            ends[:] = [short(name) for name in ends]
    del graph.value_info[:]
    return network


class _Rows(CalibrationDataReader):
    """Inputs in batches, as the quantiser asks for them."""

    def __init__(self, name: str, rows: Floats) -> None:
        whole = len(rows) // ROWS * ROWS
        self._batches = iter([{name: rows[first : first + ROWS]} for first in range(0, whole, ROWS)])

    def get_next(self) -> dict[str, Floats] | None:
        """The next batch; None after the last."""
        return next(self._batches, None)


def weights_of(graph: Any) -> dict[str, npt.NDArray[Any]]:
    """The arrays that the graph of a network holds, by the names its layers know them by; those in whole numbers, and
    halves, as what they stand for."""
    kept = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    for node in graph.node:
        if node.op_type == "Identity" and node.input[0] in kept:  # arrays that are alike are stored once
            kept[node.output[0]] = kept[node.input[0]]
        if node.op_type == "Cast" and node.input[0] in kept:
            kept[node.output[0]] = kept[node.input[0]].astype(np.float32)
        if node.op_type == "DequantizeLinear" and node.input[0] in kept:
            whole, scale = kept[node.input[0]].astype(np.float32), kept[node.input[1]]
            kept[node.output[0]] = whole * scale.reshape(-1, *(1,) * (whole.ndim - 1))
    return kept


@contextmanager
def watched(most: int, seed: int = 0) -> Iterator[dict[str, list[Floats]]]:
    """What networks are asked meanwhile, by the name of their input: up to *most* rows each, any of them as likely."""
    seen: dict[str, list[Floats]] = {}
    counts: dict[str, int] = {}
    rng = np.random.default_rng(seed)
    run = onnxruntime.InferenceSession.run

    def watching(session: Any, names: Sequence[str] | None, feeds: dict[str, Floats], *rest: Any) -> Any:
        for name, rows in feeds.items():
            for row in rows:
                kept = seen.setdefault(name, [])
                place = len(kept) if len(kept) < most else int(rng.integers(counts[name] + 1))
                counts[name] = counts.get(name, 0) + 1
                kept[place : place + 1] = [row.copy()] if place < most else []
        return run(session, names, feeds, *rest)

    onnxruntime.InferenceSession.run = watching
    try:
        yield seen
    finally:
        onnxruntime.InferenceSession.run = run
