"""Checkpoints to ONNX files small enough to commit."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime
import torch

from scorekeeper.training.detect import Recipe, build
from scorekeeper.training.labels import load_shard, shards
from scorekeeper.training.quantised import quantise_detector
from scorekeeper.training.small_net import halved
from scorekeeper.training.torchshim import ultralytics_ready


def export_detector(checkpoints: Sequence[Path], target: Path, pictures: Path | None = None) -> None:
    """Writes the mean of the averaged weights of *checkpoints* as an ONNX network for any size in whole 32s.

    In eight bits where a folder of shards of *pictures* tells the ranges, else in floats stored as halves.
    """
    ultralytics_ready()
    from ultralytics import YOLO

    states = [torch.load(path, map_location="cpu", weights_only=True) for path in checkpoints]
    state = states[0]
    model = build(Recipe(model=state["yaml"], activation=state["activation"], width=state["width"]))
    model.load_state_dict(_mean([each["average"] for each in states]))
    yolo = YOLO(state["yaml"], task="obb")
    model.args = {"imgsz": 640, "task": "obb", "data": ""}
    model.task = "obb"
    yolo.model = model.eval()
    with tempfile.TemporaryDirectory() as folder:
        model.pt_path = model.yaml_file = str(Path(folder) / "detector.pt")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # torch's own way of export is announced to change
            made = yolo.export(format="onnx", imgsz=640, dynamic=True, opset=17, simplify=True, nms=False)
        target.parent.mkdir(parents=True, exist_ok=True)
        onnx.save(halved(onnx.load(made)), target)
        off = disagreement(model, target)
        if off > 1.0:
            raise ValueError(f"the exported network differs from the trained one by {off:.2f} pixels")
        if pictures is not None:
            quantise_detector(Path(made), _drawn(pictures), target)


def _drawn(folder: Path, most: int = 480) -> npt.NDArray[np.float32]:
    """(n, 3, side, side) some pictures of the shards in *folder*, as the detector wants them: RGB, 0 to 1."""
    rng, paths = np.random.default_rng(0), list(shards(folder))
    each = -(-most // max(len(paths), 1))
    images = np.concatenate([rng.permutation(load_shard(path).images)[:each, ..., ::-1] for path in paths])
    return np.ascontiguousarray(images.transpose(0, 3, 1, 2)).astype(np.float32) / np.float32(255)


def _mean(weights: Sequence[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """The mean of several networks' weights, where they are no counters."""
    return {
        name: torch.stack([each[name] for each in weights]).mean(0) if value.is_floating_point() else value
        for name, value in weights[0].items()
    }


def disagreement(model: torch.nn.Module, exported: Path) -> float:
    """How far, in pixels, boxes of a random picture by *exported* lie from those by *model*."""
    pixels = np.random.default_rng(0).random((1, 3, 320, 320), np.float32)
    session = onnxruntime.InferenceSession(str(exported), providers=["CPUExecutionProvider"])
    (boxes,) = session.run(None, {session.get_inputs()[0].name: pixels})
    with torch.no_grad():
        expected = model(torch.from_numpy(pixels))[0].numpy()
    return float(np.abs(boxes - expected).max())
