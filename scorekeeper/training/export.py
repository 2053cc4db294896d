"""Checkpoints to ONNX files small enough to commit."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch

from scorekeeper.training.detect import Recipe, build
from scorekeeper.training.small_net import halved
from scorekeeper.training.torchshim import ultralytics_ready


def export_detector(checkpoints: Sequence[Path], target: Path) -> None:
    """Writes the mean of the averaged weights of *checkpoints* as an ONNX network for any size in whole 32s."""
    ultralytics_ready()
    from ultralytics import YOLO

    states = [torch.load(path, map_location="cpu", weights_only=True) for path in checkpoints]
    state = states[0]
    model = build(Recipe(model=state["yaml"]))
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
        network = halved(onnx.load(made))
    target.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(network, target)
    off = disagreement(model, target)
    if off > 1.0:
        raise ValueError(f"the exported network differs from the trained one by {off:.2f} pixels")


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
