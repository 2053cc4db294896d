"""How fast the eye is and how much it needs, on pictures it composes itself: one row a kind of picture.

python -m scorekeeper.training.bench                          # some minutes
python -m scorekeeper.training.bench --pictures 3 --only spread
python -m scorekeeper.training.bench --only live              # the live count: states and readings a second

Times of one machine at one hour: compare two versions side by side, and by processor time where the machine is busy.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import cast

import numpy as np

from scorekeeper.resources import data_path
from scorekeeper.training.bench_live import lines as live_lines
from scorekeeper.training.bench_pictures import PLANS, Plan, Shot, shots
from scorekeeper.vision.backs.gallery import Gallery
from scorekeeper.vision.backs.spread import read_spread
from scorekeeper.vision.camera.sources import decode_picture
from scorekeeper.vision.detector import Detections, Detector
from scorekeeper.vision.enrolment.learning import enrol
from scorekeeper.vision.eye import FIRST_LOOK, WINDOW_PX, Eye, load_eye
from scorekeeper.vision.faces.fan import read_fan
from scorekeeper.vision.faces.indices import IndexReader, IndexReadings, Letters
from scorekeeper.vision.faces.lake import read_lake
from scorekeeper.vision.geometry import Image, Points

STAGES = ("decode", "first look", "second look", "turned looks", "reader", "pairing")
"""Where the time goes; pairing is everything between the networks: whose corner, whose back, what to ask."""
NETWORKS = ("detector", "indices", "beside", "pips", "around", "refiner", "likeness")
MODELS = tuple(f"models/{name}/{name}.onnx" for name in NETWORKS)


@dataclass
class Clock:
    """Processor milliseconds by stage of one reading."""

    spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def of(self, stage: str) -> Iterator[None]:
        """Adds what happens inside to *stage*."""
        began = time.process_time()
        try:
            yield
        finally:
            self.spent[stage] = self.spent.get(stage, 0.0) + (time.process_time() - began) * 1000


@dataclass(frozen=True, slots=True)
class TimedDetector:
    """A detector whose looks are timed, by what they are for."""

    detector: Detector
    clock: Clock

    def detect(self, image: Image, *, long_side: int = 1280, min_score: float = 0.25) -> Detections:
        """What the detector finds."""
        turned = image.shape[:2] == (WINDOW_PX, WINDOW_PX) and long_side == WINDOW_PX
        first = long_side == FIRST_LOOK and "first look" not in self.clock.spent
        with self.clock.of("turned looks" if turned else "first look" if first else "second look"):
            return self.detector.detect(image, long_side=long_side, min_score=min_score)


@dataclass(frozen=True, slots=True)
class TimedReader:
    """An index reader that is timed."""

    reader: IndexReader
    clock: Clock

    @property
    def letters(self) -> Letters:
        """Whose V it reads."""
        return self.reader.letters

    def read(self, image: Image, corners_px: Points) -> IndexReadings:
        """What the reader reads."""
        with self.clock.of("reader"):
            return self.reader.read(image, corners_px)


@dataclass(frozen=True, slots=True)
class Row:
    """What the readings of one plan took."""

    plan: Plan
    wall_ms: tuple[float, ...]
    """By the wall clock, each reading."""
    cpu_ms: tuple[float, ...]
    """By the processor, all cores together."""
    stages: tuple[dict[str, float], ...]
    """Processor milliseconds of each reading by stage."""

    def cells(self) -> list[str]:
        """As the table prints it: medians, and the wall clock's 95th percentile."""
        parts = [np.median([spent.get(stage, 0.0) for spent in self.stages]) for stage in STAGES]
        figures = [np.median(self.wall_ms), np.percentile(self.wall_ms, 95), np.median(self.cpu_ms), *parts]
        target = "-" if self.plan.target_ms is None else str(self.plan.target_ms)
        return [self.plan.name, str(len(self.wall_ms)), target, *(f"{figure:.0f}" for figure in figures)]


HEADER = ("", "readings", "target", "ms", "p95", "cpu", *STAGES)


def timed(plan: Plan, eye: Eye, pictures: Sequence[Shot], repeats: int) -> Row:
    """Reads every picture *repeats* times, after one reading that does not count: the decks are known by then."""
    clock = Clock()
    watched = Eye(TimedDetector(eye.detector, clock), cast(IndexReader, TimedReader(eye.reader, clock)))
    wall, cpu, stages = [], [], []
    for number, shot in product(range(repeats + 1), pictures):
        clock.spent = {}
        began, worked = time.perf_counter(), time.process_time()
        with clock.of("decode"):
            image = decode_picture(shot.data)
        _read(plan, watched, image, shot)
        took, work = (time.perf_counter() - began) * 1000, (time.process_time() - worked) * 1000
        clock.spent["pairing"] = work - sum(clock.spent.values())
        if number:
            wall.append(took)
            cpu.append(work)
            stages.append(clock.spent)
    return Row(plan, tuple(wall), tuple(cpu), tuple(stages))


def _read(plan: Plan, eye: Eye, image: Image, shot: Shot) -> object:
    match plan.task:
        case "lake":
            return read_lake(image, eye)
        case "fan":
            return read_fan(image, eye)
        case "spread":
            return read_spread([image], eye, Gallery.from_signatures(shot.signatures))
        case "enrol":
            return enrol([image], eye)


def line(cells: Sequence[str]) -> str:
    """One line of the table."""
    widths = (max(len(head), 6) + 2 for head in HEADER[1:])
    return f"{cells[0]:<30}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells[1:], widths, strict=True))


def process_figures(pictures: Sequence[Shot]) -> str:
    """How long the eye's process takes to its first reading, its memory, and how large the weights are."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.jpg" for number in range(len(pictures))]
        for file, shot in zip(files, pictures, strict=True):
            file.write_bytes(shot.data)
        command = [sys.executable, "-m", "scorekeeper.training.first_reading", *map(str, files)]
        told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    sizes = {name: data_path(name).stat().st_size / 1e6 for name in MODELS}
    lines = [
        f"process start to first reading  {told['first_reading_s']:.2f} s (target 2 s), "
        f"{told['first_reading_cpu_s']:.2f} s of processor time",
        f"peak resident memory            {told['peak_mb']:.0f} MB (target 400 MB)",
        f"model files                     {sum(sizes.values()):.1f} MB (target 15 MB): "
        + ", ".join(f"{Path(name).name} {size:.1f}" for name, size in sizes.items()),
    ]
    return "\n".join(lines)


def say(text: str) -> None:
    """Prints at once, also into a file: a run takes minutes."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main(arguments: Sequence[str]) -> None:
    """Composes, reads, prints."""
    parser = argparse.ArgumentParser(prog="bench", description="Times the eye on composed pictures.")
    parser.add_argument("--pictures", type=int, default=9, help="how many of each kind: some take much longer")
    parser.add_argument("--repeats", type=int, default=2, help="how often each is read")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2, help="of the detector")
    parser.add_argument("--only", default="", metavar="TEXT", help="only rows whose name has TEXT")
    parser.add_argument("--no-process", action="store_true", help="without start-up time and memory")
    parser.add_argument("--seconds", type=float, default=8, help="how long each row of the live count is watched")
    options = parser.parse_args(arguments)
    if options.only in "live":
        for text in live_lines(options.seed, options.seconds):
            say(text)
        say("")
    if options.only == "live":
        return
    eye = load_eye(options.threads)
    say("milliseconds, medians: ms and p95 by the wall clock, cpu and its stages by the processor\n")
    say(line(HEADER))
    for plan in (plan for plan in PLANS if options.only in plan.name):
        pictures = list(shots(plan, options.pictures, options.seed))
        say(line(timed(plan, eye, pictures, options.repeats).cells()))
    if not options.no_process:
        lakes = [next(shots(plan, 1, options.seed)) for plan in PLANS if plan.task == "lake"]
        say("\n" + process_figures(lakes))


if __name__ == "__main__":
    main(sys.argv[1:])
