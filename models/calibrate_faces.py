"""
Fits how far the eye's face readings may be believed, on labelled pictures that nothing was trained on.

    python models/calibrate_faces.py FOLDER... [--use train] [--plot docs/pictures/faces-calibration.png]

Prints the weights for BELIEF in scorekeeper/vision/fan.py, a reliability table, and for each limit `sure` the share of
right readings that would be certain and the share of certain readings that would be wrong. Fit on one set of pictures;
report on another with --check.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scorekeeper.training.logistic import fitted
from scorekeeper.vision import fan
from scorekeeper.vision.camera import read_picture
from scorekeeper.vision.eye import Eye, load_eye
from scorekeeper.vision.faces import FoundCard, find_cards
from scorekeeper.vision.lake import see_lake, top_of
from scorekeeper.watch.labels import Labelled, Task, read_labels

NAMES = tuple(fan.BELIEF)
BINS = (0.0, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)


@dataclass(frozen=True, slots=True)
class Looked:
    """One picture's cards and whether each is right."""

    rows: np.ndarray
    """(n, features)."""
    right: np.ndarray
    """(n,) 1 where the labels have that card."""
    whole: bool
    """Nothing is missing and nothing too many."""
    asked: bool
    """Something else than a doubtful card is asked about."""


def look(labelled: Labelled, eye: Eye) -> Looked:
    """The cards that a reading of this picture would count."""
    image = read_picture(labelled.pictures[0])
    truth = Counter(labelled.truth)
    if labelled.task is Task.LAKE:
        seen = see_lake(image, eye)
        cards = [top_of(heap) for heap in seen.heaps]
        others = bool(seen.stray) or len(seen.dead) != truth["dead"]
        truth.pop("dead", None)
    else:
        cards, hints = fan.sorted_out(find_cards(image, eye)[0], fan.LIMITS)
        others = bool(hints) or bool(fan.seen_twice(cards, image))
    read = sorted((card for card in cards if card.card), key=fan.belief, reverse=True)
    spare, right = Counter(truth), []
    for card in read:
        code = card.card.code if card.card else ""
        right.append(spare[code] > 0)
        spare[code] -= 1
    whole = len(read) == len(cards) and all(right) and len(right) == truth.total()
    asked = bool(fan.card_problems(cards, image, fan.FaceLimits(sure=0.0))) or others
    return Looked(rows(read), np.array(right, float), whole, asked)


def rows(cards: Sequence[FoundCard]) -> np.ndarray:
    """Features (n, k) of *cards*."""
    return np.array([[fan.features(card)[name] for name in NAMES] for card in cards]).reshape(-1, len(NAMES))


def reliability(belief: np.ndarray, right: np.ndarray) -> Iterator[tuple[float, float, int]]:
    """Mean belief, share right and number of cards of each bin."""
    for low, high in zip(BINS, BINS[1:], strict=False):
        here = (belief >= low) & (belief < high if high < 1 else belief <= 1)
        if here.any():
            yield float(belief[here].mean()), float(right[here].mean()), int(here.sum())


def trade_off(pictures: Sequence[Looked], weights: np.ndarray) -> Iterator[tuple[float, float, float, int]]:
    """For each limit: share of whole readings that are certain, share of certain readings that are wrong, certain."""
    chance = [float(np.prod(1 / (1 + np.exp(-picture.rows @ weights)))) for picture in pictures]
    whole = sum(picture.whole for picture in pictures)
    for sure in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99):
        certain = [p for p, c in zip(pictures, chance, strict=True) if not p.asked and len(p.right) and c >= sure]
        good = sum(picture.whole for picture in certain)
        yield sure, good / max(whole, 1), 1 - good / max(len(certain), 1), len(certain)


def plot(path: Path, table: Sequence[tuple[float, float, int]], curve: Sequence[tuple[float, ...]]) -> None:
    """Reliability on the left, trade-off on the right."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    left.plot([0, 1], [0, 1], color="0.7")
    left.plot([b for b, _, _ in table], [r for _, r, _ in table], "o-")
    left.set(xlabel="belief", ylabel="share right", title="cards")
    right.plot([c for _, c, _, _ in curve], [100 * w for _, _, w, _ in curve], "o-")
    for sure, certain, wrong, _ in curve:
        right.annotate(f"{sure:g}", (certain, 100 * wrong), textcoords="offset points", xytext=(4, 4), fontsize=8)
    right.set(xlabel="right readings that are certain", ylabel="certain readings that are wrong, %", title="pictures")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)


def report(pictures: Sequence[Looked], weights: np.ndarray) -> tuple[list[tuple[float, float, int]], list[tuple]]:
    """Prints both tables."""
    belief = np.concatenate([1 / (1 + np.exp(-picture.rows @ weights)) for picture in pictures])
    right = np.concatenate([picture.right for picture in pictures])
    table, curve = list(reliability(belief, right)), list(trade_off(pictures, weights))
    print("belief  right   cards")
    for mean, share, count in table:
        print(f"{mean:.3f}   {share:.3f}  {count:6d}")
    print("sure   right ones certain   certain ones wrong   certain")
    for sure, certain, wrong, count in curve:
        print(f"{sure:.2f}   {certain:18.1%}   {wrong:18.1%}   {count:7d}")
    return table, curve


def read(folders: Sequence[Path], use: str, eye: Eye) -> list[Looked]:
    """Every face picture of *folders*."""
    labels = [one for folder in folders for one in read_labels(folder, use)]
    return [look(one, eye) for one in labels if one.task is not Task.SPREAD and one.complete and not one.nameless]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--use", default="measure", choices=["measure", "train", "all"])
    parser.add_argument("--check", nargs="*", type=Path, default=[], help="folders to report on; the same, if none")
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    eye = load_eye()
    pictures = read(options.folders, options.use, eye)
    rows_all = np.concatenate([picture.rows for picture in pictures])
    weights = fitted(rows_all, np.concatenate([picture.right for picture in pictures]))
    print("BELIEF = {" + ", ".join(f'"{n}": {w:.2f}' for n, w in zip(NAMES, weights, strict=True)) + "}")
    table, curve = report(read(options.check, "measure", eye) if options.check else pictures, weights)
    if options.plot:
        plot(options.plot, table, curve)


if __name__ == "__main__":
    main()
