"""Starts the eye's process as a server does, and prints how long a first reading takes and how much memory it needs.

python -m scorekeeper.training.first_reading LAKE.jpg [LAKE.jpg ...]

A program of its own, so that nothing but the eye's process counts.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from scorekeeper.watch import EyeProcess


def first_reading(picture: bytes) -> tuple[float, float]:
    """Seconds from the start of the process to its first reading: by the wall clock, and of processor time."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with EyeProcess() as eye:
        eye.lake(picture)
        seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def most_memory(pictures: Sequence[bytes]) -> float:
    """The largest resident memory, in MB, of a process that reads these Lakes."""
    with EyeProcess() as eye:
        for picture in pictures:
            eye.lake(picture)
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit / 1e6


def main(files: Sequence[str]) -> None:
    pictures = [Path(name).read_bytes() for name in files]
    wall_s, cpu_s = first_reading(pictures[0])
    told = {"first_reading_s": wall_s, "first_reading_cpu_s": cpu_s, "peak_mb": most_memory(pictures)}
    sys.stdout.write(json.dumps({name: round(value, 2) for name, value in told.items()}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
