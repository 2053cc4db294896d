"""Holds two versions of the counting of backs against each other, picture by picture.

    python -m scorekeeper.training.arena read heaps --out now.json                  # the sealed composed heaps
    python -m scorekeeper.training.arena read spreads twelve traced=spreads/ --out now.json --first 20
    python -m scorekeeper.training.arena compare before.json now.json

A set is ``heaps`` (45 % of each card shows), ``spreads`` (70 %, as people lay them) or ``twelve`` (12 decks), composed
from seeds that nothing was chosen on, or ``NAME=FOLDER``: tables with a ``truth.json``, as ``datasets/make_spreads.py``
writes them. A file of readings that is there already is gone on with. Read with nothing else running: seconds count.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from math import comb
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np

from scorekeeper.rules.lake import DeckId, SpreadReading
from scorekeeper.training.measure_backs import cases
from scorekeeper.vision.backs.gallery import Gallery
from scorekeeper.vision.backs.spread import read_spread
from scorekeeper.vision.camera.sources import read_picture
from scorekeeper.vision.enrolment.learning import enrol
from scorekeeper.vision.eye import Eye, load_eye
from scorekeeper.vision.geometry import Image

SETS = {
    "heaps": (500_000, 400, 0.45, (20, 40, 60)),
    "spreads": (510_000, 200, 0.7, (12, 20, 24, 30, 40)),
    "twelve": (520_004, 60, 0.45, (20, 40, 60)),
}
"""First seed, pictures, least visible share and cards of each composed set."""
EVERY_TWELVE = 5
"""Every fifth seed has twelve decks."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A picture to count, and its truth."""

    name: str
    image: Image
    signatures: Mapping[DeckId, Sequence[str]]
    laid: Mapping[DeckId, int]
    """How many cards of each enrolled deck lie there."""
    cut: int = 0
    """How many of its cards the picture's edge cuts: such a picture can't be read certainly."""


@dataclass(frozen=True, slots=True)
class Row:
    """One reading beside the truth."""

    name: str
    cards: int
    off: int
    """Cards too many or too few, all decks together."""
    certain: bool
    questions: int
    seconds: float
    processor: float
    cut: int

    @property
    def right(self) -> bool:
        """Whether every deck's count is as it was laid."""
        return not self.off


def composed(name: str) -> Iterator[Spread]:
    """The pictures of one of ``SETS``."""
    first, count, visible, cards = SETS[name]
    step = EVERY_TWELVE if name == "twelve" else 1
    for seed in range(first, first + count * step, step):
        (case,) = cases(1, seed, visible, cards)
        laid = {deck: case.laid[deck] for deck in case.signatures}
        yield Spread(f"{name}/{seed}", case.spread.image, case.signatures, laid)


def tables(name: str, folder: Path, eye: Eye) -> Iterator[Spread]:
    """The spreads of the tables in *folder*, their decks learned from their own pictures."""
    for path, image, signatures, about in spreads_in(folder, eye):
        laid = {deck: about["counts"].get(deck, 0) for deck in signatures}
        yield Spread(f"{name}/{path.parent.name}/{path.name}", image, signatures, laid, about.get("cut", 0))


def spreads_in(folder: Path, eye: Eye) -> Iterator[tuple[Path, Image, Mapping[DeckId, Sequence[str]], dict[str, Any]]]:
    """The file and picture of each spread of the tables in *folder*, its decks' signatures, learned from their own
    pictures, and what ``truth.json`` says about it."""
    for path in sorted(folder.glob("*/truth.json")):
        shots = json.loads(path.read_text("utf-8"))["shots"]
        signatures: dict[DeckId, Sequence[str]] = {}
        for shot, about in shots.items():
            if about["kind"] == "enrol":
                picture = read_picture(path.parent / shot)
                signatures[DeckId(about["deck"])] = enrol([picture], eye).signature_texts
        for shot, about in shots.items():
            if about["kind"] == "lake-down":
                yield path.parent / shot, read_picture(path.parent / shot), signatures, about


def read(spread: Spread, eye: Eye) -> Row:
    """What the eye says of one picture."""
    gallery = Gallery.from_signatures(spread.signatures)
    wall, processor = time.perf_counter(), time.process_time()
    reading: SpreadReading = read_spread([spread.image], eye, gallery)
    off = sum(abs(reading.counts.get(deck, 0) - number) for deck, number in spread.laid.items())
    return Row(
        spread.name,
        sum(spread.laid.values()),
        off,
        reading.certain,
        len(reading.problems),
        round(time.perf_counter() - wall, 2),
        round(time.process_time() - processor, 2),
        spread.cut,
    )


def spreads_of(names: Sequence[str], eye: Eye, first: int | None) -> Iterator[Spread]:
    """The pictures of these sets, of each no more than the *first* so many."""
    for name in names:
        known, _, folder = name.partition("=")
        pictures = tables(known, Path(folder), eye) if folder else composed(known)
        yield from islice(pictures, first)


def rows_of(path: Path) -> list[Row]:
    """The readings in a file; none where there is none."""
    return [Row(**each) for each in json.loads(path.read_text("utf-8"))] if path.exists() else []


def written(rows: Iterable[Row], path: Path) -> None:
    """Writes readings, a line each."""
    lines = ",\n".join(json.dumps(asdict(row)) for row in rows)
    path.write_text(f"[\n{lines}\n]\n", "utf-8")


def mcnemar(won: int, lost: int) -> float:
    """How likely so uneven a split is by chance (two-sided, exact)."""
    number = won + lost
    tail = sum(comb(number, k) for k in range(min(won, lost) + 1)) / 2**number
    return min(1.0, 2 * tail)


def summary(rows: Sequence[Row]) -> str:
    """One line of figures."""
    right = [row for row in rows if row.right]
    silent = sum(row.certain and not row.right for row in rows)
    asked = sum(row.questions for row in right) / max(len(right), 1)
    walls, cpu = [row.seconds for row in rows], [row.processor for row in rows]
    return (
        f"{len(right)} of {len(rows)} right, {sum(row.certain for row in right)} of these certain, {silent} silent, "
        f"{sum(row.off for row in rows)} of {sum(row.cards for row in rows)} cards off, {asked:.2f} asked where right, "
        f"seconds {median(walls):.2f} median {max(walls):.2f} worst, processor {median(cpu):.2f} and {max(cpu):.2f}"
    )


def compared(before: Sequence[Row], now: Sequence[Row]) -> str:
    """The same pictures in both, set by set: what each is like, and what was won and lost."""
    others, lines = {row.name: row for row in now}, list[str]()
    both = [(row, others[row.name]) for row in before if row.name in others]
    for kind in dict.fromkeys(row.name.split("/")[0] for row, _ in both):
        pairs = [pair for pair in both if pair[0].name.split("/")[0] == kind]
        won = [new.name for old, new in pairs if new.right and not old.right]
        lost = [new.name for old, new in pairs if old.right and not new.right]
        share = (len(won) - len(lost)) / len(pairs)
        spread = 1.96 * np.sqrt(max((len(won) + len(lost)) / len(pairs) - share**2, 0) / len(pairs))
        lines += [
            f"## {kind}",
            f"before: {summary([old for old, _ in pairs])}",
            f"now:    {summary([new for _, new in pairs])}",
            f"won {len(won)}, lost {len(lost)} (McNemar p {mcnemar(len(won), len(lost)):.2f}); difference "
            f"{100 * share:+.1f} points, 95 % from {100 * (share - spread):+.1f} to {100 * (share + spread):+.1f}",
            *(f"  won {name}" for name in won),
            *(f"  lost {name}" for name in lost),
        ]
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, dest="command")
    reads = commands.add_parser("read")
    reads.add_argument("sets", nargs="+")
    reads.add_argument("--out", type=Path, required=True)
    reads.add_argument("--first", type=int)
    compares = commands.add_parser("compare")
    compares.add_argument("before", type=Path)
    compares.add_argument("now", type=Path)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(2)
    say: Callable[[str], int] = sys.stdout.write
    if options.command == "compare":
        say(compared(rows_of(options.before), rows_of(options.now)) + "\n")
        return
    eye, rows = load_eye(), rows_of(options.out)
    known = {row.name for row in rows}
    for spread in spreads_of(options.sets, eye, options.first):
        if spread.name not in known:
            rows.append(read(spread, eye))
            written(rows, options.out)
            say(f"{rows[-1]}\n")
    say(summary(rows) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
