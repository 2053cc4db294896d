"""
Fits how far the eye's counts of backs may be believed, on composed spreads that nothing was trained on.

    python models/calibrate_backs.py 160 --check 80 --plot docs/pictures/backs-calibration.png

Prints the weights for COUNTED_BELIEF and LEFT_BELIEF in scorekeeper/vision/found.py, and, of other spreads, how far
both hold and what each limit `sure` costs. 12 to 60 cards of 2 to 12 decks, of each of which 45 to 75 % shows; half
of the spreads show a deck nobody enrolled.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import cv2
import numpy as np

from scorekeeper.rules.lake import DeckId
from scorekeeper.training.calibration import Judged, as_code, plot, report
from scorekeeper.training.logistic import chances, fitted
from scorekeeper.training.measure_backs import Case, cards_under, cases
from scorekeeper.vision import found, spread
from scorekeeper.vision.backs import Gallery
from scorekeeper.vision.eye import Eye, load_eye

VISIBLE = (0.45, 0.6, 0.7, 0.75)
CARDS = (12, 20, 24, 30, 40, 60)
FIT_SEED, CHECK_SEED = 60_000, 70_000
ON_CARD = 0.6
"""An outline and a card that lie within each other by this share are one."""


@dataclass(frozen=True, slots=True)
class Looked:
    """One spread's backs, and whether what the eye makes of each is right."""

    counted: np.ndarray
    """(n, features) of those that count for a deck."""
    right: np.ndarray
    """(n,) 1 where it lies there and is of that deck."""
    left: np.ndarray
    """(m, features) of those that do not count."""
    there: np.ndarray
    """(m,) 1 where a card lies there all the same."""
    whole: bool
    """Every deck's count is right."""
    asked: bool
    """Something is asked about, however likely all is right."""


def look(case: Case, eye: Eye) -> Looked:
    """The backs of *case* as a reading would count them."""
    gallery = Gallery.from_signatures(case.signatures)
    backs, problems = spread.look(case.spread.image, eye, gallery, replace(spread.SETTINGS, sure=0.0))
    truth = _truth(case, backs)
    counted = [back for back in backs if back.counted and back.match.deck is not None]
    left = [back for back in backs if not back.counted]
    counts = Counter(back.match.deck for back in counted)
    return Looked(
        _rows(counted, found.COUNTED_BELIEF),
        np.array([truth[id(back)] == back.match.deck for back in counted], float),
        _rows(left, found.LEFT_BELIEF),
        np.array([truth[id(back)] is not None for back in left], float),
        case.right(counts),
        bool(problems),
    )


def _truth(case: Case, backs: Sequence[found.FoundBack]) -> dict[int, DeckId | None]:
    """Of which deck the card is on which each back lies, by its id; each card once, first for those that count."""
    ordered = sorted(backs, key=lambda back: (not back.counted, -back.score))
    under = cards_under([back.quad for back in ordered], case.spread, ON_CARD)
    return {
        id(back): None if card is None else DeckId(str(case.spread.cards[card].deck))
        for back, card in zip(ordered, under, strict=True)
    }


def _rows(backs: Sequence[found.FoundBack], names: dict[str, float]) -> np.ndarray:
    return np.array([[found.features(back)[name] for name in names] for back in backs]).reshape(-1, len(names))


def spreads(count: int, first_seed: int) -> Iterator[Case]:
    """*count* spreads, of each visible share as many."""
    each = -(-count // len(VISIBLE))
    return chain.from_iterable(cases(each, first_seed + 1000 * n, visible, CARDS) for n, visible in enumerate(VISIBLE))


def believed(
    looked: Sequence[Looked], counted: np.ndarray, left: np.ndarray
) -> tuple[np.ndarray, np.ndarray, list[Judged]]:
    """How likely each back is right, whether it is, and the same of each picture, by these weights."""
    belief, right, judged = [], [], []
    for each in looked:
        mine = np.concatenate([chances(each.counted, counted), 1 - chances(each.left, left)])
        belief.append(mine)
        right.append(np.concatenate([each.right, 1 - each.there]))
        judged.append(Judged(float(np.prod(mine)), each.whole, each.asked or not len(each.counted)))
    return np.concatenate(belief), np.concatenate(right), judged


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, help="spreads to fit on")
    parser.add_argument("--check", type=int, default=40, help="other spreads to report on")
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    eye = load_eye()
    looked = [look(case, eye) for case in spreads(options.count, FIT_SEED)]
    counted = fitted(np.concatenate([each.counted for each in looked]), np.concatenate([each.right for each in looked]))
    left = fitted(np.concatenate([each.left for each in looked]), np.concatenate([each.there for each in looked]))
    print(as_code("COUNTED_BELIEF", found.COUNTED_BELIEF, counted))
    print(as_code("LEFT_BELIEF", found.LEFT_BELIEF, left))
    told = believed([look(case, eye) for case in spreads(options.check, CHECK_SEED)], counted, left)
    print(report(*told))
    if options.plot:
        plot(options.plot, *told)


if __name__ == "__main__":
    main()
