"""Makes ultralytics importable where torchvision's wheel does not fit torch's build, offline and without plots."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import torch

_KEEP: list[object] = []


def ultralytics_ready() -> None:
    """Call before importing ultralytics; changes nothing where torchvision imports as it is."""
    os.environ.setdefault("YOLO_OFFLINE", "true")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    os.environ.setdefault("YOLO_CONFIG_DIR", str(Path(tempfile.gettempdir()) / "yolo-config"))
    Path(os.environ["YOLO_CONFIG_DIR"]).mkdir(parents=True, exist_ok=True)
    try:
        import torchvision  # noqa: F401
    except (RuntimeError, ImportError, OSError):
        _declare_operators()


def _declare_operators() -> None:
    """A CUDA torchvision on a CPU torch looks for operators of its own: declared, it imports."""
    library = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms"):
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    _KEEP.append(library)
