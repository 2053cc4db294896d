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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from scorekeeper.training.calibration import Judged, as_code, plot, report
from scorekeeper.training.logistic import chances, fitted
from scorekeeper.vision import fan
from scorekeeper.vision.camera import read_picture
from scorekeeper.vision.eye import Eye, load_eye
from scorekeeper.vision.faces import Found, FoundCard, find_cards
from scorekeeper.vision.fan import see_fan
from scorekeeper.vision.geometry import Image
from scorekeeper.vision.lake import LAKE, piles_of, see_lake, top_of
from scorekeeper.watch.labels import Labelled, Task, read_labels

NAMES = tuple(fan.BELIEF)


@dataclass(frozen=True, slots=True)
class Looked:
    """One picture's cards and whether each is right."""

    rows: np.ndarray
    """(n, features) of the cards of the reading."""
    right: np.ndarray
    """(n,) 1 where the labels have that card."""
    first_rows: np.ndarray
    """(m, features) of those of its first look alone, ..."""
    first_right: np.ndarray
    """... (m,)."""
    whole: bool
    """Nothing is missing and nothing too many."""
    asked: bool
    """Something else than a doubtful card is asked about."""


def look(labelled: Labelled, eye: Eye) -> Looked:
    """The cards that a reading of this picture would count."""
    image = read_picture(labelled.pictures[0])
    truth = Counter(labelled.truth)
    lake = labelled.task is Task.LAKE
    looks = see_lake(image, eye) if lake else see_fan(image, eye), find_cards(image, eye)
    (cards, others), (first, _) = (counted_lake(found, image, truth) if lake else counted_fan(found) for found in looks)
    truth.pop("dead", None)
    told, right = judged_cards(cards, truth)
    whole = len(told) == len(cards) and bool(right.all()) and len(right) == truth.total()
    limits = replace(LAKE if lake else fan.FAN, sure=0.0)
    asked = bool(fan.card_problems(cards, image, limits)) or others
    return Looked(told, right, *judged_cards(first, truth), whole, asked)


def counted_lake(found: Found, image: Image, truth: Mapping[str, int]) -> tuple[list[FoundCard], bool]:
    """The tops of the piles *found* in *image*, and whether anything else is asked about."""
    seen = piles_of(found, image)
    return [top_of(heap) for heap in seen.heaps], bool(seen.stray) or len(seen.dead) != truth.get("dead", 0)


def counted_fan(found: Found) -> tuple[list[FoundCard], bool]:
    """The cards of a fan, and whether anything else is asked about."""
    seen, hints = fan.by_their_row(*fan.sorted_out(found[0], fan.FAN))
    cards = fan.once_each(seen)
    return cards, bool(fan.uncounted(hints, cards)) or bool(fan.seen_twice(seen))


def judged_cards(cards: Sequence[FoundCard], truth: Mapping[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Features (n, k) of those of *cards* that are read, the surest first, and (n,) whether *truth* has them."""
    read = sorted((card for card in cards if card.card), key=fan.belief, reverse=True)
    spare, right = Counter(truth), []
    for card in read:
        code = card.card.code if card.card else ""
        right.append(spare[code] > 0)
        spare[code] -= 1
    return rows(read), np.array(right, float)


def rows(cards: Sequence[FoundCard]) -> np.ndarray:
    """Features (n, k) of *cards*."""
    return np.array([[fan.features(card)[name] for name in NAMES] for card in cards]).reshape(-1, len(NAMES))


def read(folders: Sequence[Path], use: str, eye: Eye) -> list[Looked]:
    """Every face picture of *folders*."""
    labels = [one for folder in folders for one in read_labels(folder, use)]
    return [look(one, eye) for one in labels if one.task is not Task.SPREAD and one.complete and not one.nameless]


def to_fit(pictures: Sequence[Looked]) -> tuple[np.ndarray, np.ndarray]:
    """The cards of first looks, and those of the readings: features (n, k), and whether each is right (n,)."""
    told = [part for picture in pictures for part in (picture.first_rows, picture.rows)]
    right = [part for picture in pictures for part in (picture.first_right, picture.right)]
    return np.concatenate(told), np.concatenate(right)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--use", default="measure", choices=["measure", "train", "all"])
    parser.add_argument("--check", nargs="*", type=Path, default=[], help="folders to report on; the same, if none")
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    eye = load_eye()
    pictures = read(options.folders, options.use, eye)
    weights = fitted(*to_fit(pictures))
    print(as_code("BELIEF", NAMES, weights))
    if options.check:
        pictures = read(options.check, "measure", eye)
    beliefs = [chances(picture.rows, weights) for picture in pictures]
    judged = [
        Judged(float(np.prod(belief)), picture.whole, picture.asked or not len(belief))
        for belief, picture in zip(beliefs, pictures, strict=True)
    ]
    told = np.concatenate(beliefs), np.concatenate([picture.right for picture in pictures]), judged
    print(report(*told))
    if options.plot:
        plot(options.plot, *told)


if __name__ == "__main__":
    main()
