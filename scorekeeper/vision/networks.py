"""Opens the small networks and runs them, and other work outside Python, on two cores at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import onnxruntime

from scorekeeper.vision import progress

Floats = npt.NDArray[np.float32]
LEAST = 16
"""A batch of no more rows is not worth halving."""
S = TypeVar("S")
T = TypeVar("T")


def open_session(path: Path, threads: int) -> onnxruntime.InferenceSession:
    """The network in the ONNX file at *path*, on *threads* of the processor; sessions are safe to share."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # what a batch needed is given back: 50 MB less, not slower
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def in_batches(run: Callable[[slice], Floats], count: int, size: int) -> Floats:
    """What *run* says of *count* rows, asked for slices of at most *size*, two at a time."""
    size = min(size, max(LEAST, -(-count // 2)))
    slices = [slice(first, min(first + size, count)) for first in range(0, count, size)]
    return np.concatenate(two_at_a_time(run, slices)) if slices else run(slice(0, 0))


def said_of(
    session: onnxruntime.InferenceSession, prepared: Callable[[slice], Floats], count: int, size: int
) -> Floats:
    """(n, k) all that the network of *session* answers to *count* inputs, each batch of *size* *prepared* first."""
    progress.at(progress.Stage.READING)
    name = session.get_inputs()[0].name
    return in_batches(lambda rows: np.hstack(session.run(None, {name: prepared(rows)})), count, size)


def two_at_a_time(run: Callable[[S], T], things: Sequence[S]) -> list[T]:
    """What *run*, which leaves Python for most of its time, gives for each of *things*."""
    return list(_pool().map(run, things)) if len(things) > 1 else [run(one) for one in things]


def meanwhile(run: Callable[[], T]) -> Future[T]:
    """What *run* gives, later: it goes on beside what is done until then, and may itself run two things at a time."""
    return _aside().submit(run)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(2, "batch")


@cache
def _aside() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(2, "aside")
