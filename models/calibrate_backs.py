"""
Shows how far the eye's counts of backs may be believed, on composed spreads that nothing was trained on.

    python models/calibrate_backs.py 80 --plot docs/pictures/backs-calibration.png
    python models/calibrate_backs.py 100 --fit TRACED

Prints how far the likelihoods of all backs hold and what each limit `sure` costs. 12 to 60 cards of 2 to 12 decks, of
each of which 45 to 75 % shows; half of the spreads show a deck nobody enrolled.
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
from scorekeeper.training.back_beliefs import fit_left_out
from scorekeeper.training.calibration import Beliefs, Judged, as_code, plot, report
from scorekeeper.training.evidence import table_of, traced_tables
from scorekeeper.training.measure_backs import Case, cards_under, cases
from scorekeeper.vision.backs import found, spread
from scorekeeper.vision.backs.gallery import Gallery
from scorekeeper.vision.eye import Eye, load_eye
from scorekeeper.vision.weights import LEFT_OUT

VISIBLE = (0.45, 0.6, 0.7, 0.75)
CARDS = (12, 20, 24, 30, 40, 60)
FIRST_SEED, FIT_SEED = 70_000, 610_000
ON_CARD = 0.6
"""An outline and a card that lie within each other by this share are one."""


@dataclass(frozen=True, slots=True)
class Looked:
    """One spread's backs, and whether what the eye makes of each is right."""

    beliefs: np.ndarray
    """(n,) how likely each is right that counts for a deck, or does not count."""
    right: np.ndarray
    """(n,) 1 where it is."""
    picture: Judged


def look(case: Case, eye: Eye) -> Looked:
    """The backs of *case* as a reading would count them."""
    gallery = Gallery.from_signatures(case.signatures)
    backs, problems = spread.look(case.spread.image, eye, gallery, replace(spread.SETTINGS, sure=0.0))
    truth = _truth(case, backs)
    told = [back for back in backs if not back.counted or back.match.deck is not None]
    counted = [back for back in told if back.counted]
    beliefs = np.array([found.belief(back) for back in told])
    right = [truth[id(back)] == back.match.deck if back.counted else truth[id(back)] is None for back in told]
    counts = Counter(back.match.deck for back in counted)
    whole = Judged(float(np.prod(beliefs)), case.right(counts), bool(problems) or not counted)
    return Looked(beliefs, np.array(right, float), whole)


def _truth(case: Case, backs: Sequence[found.FoundBack]) -> dict[int, DeckId | None]:
    """Of which deck the card is on which each back lies, by its id; each card once, first for those that count."""
    ordered = sorted(backs, key=lambda back: (not back.counted, -back.score))
    under = cards_under([back.quad for back in ordered], case.spread, ON_CARD)
    return {
        id(back): None if card is None else DeckId(str(case.spread.cards[card].deck))
        for back, card in zip(ordered, under, strict=True)
    }


def spreads(count: int, first_seed: int) -> Iterator[Case]:
    """*count* spreads, of each visible share as many."""
    each = -(-count // len(VISIBLE))
    return chain.from_iterable(cases(each, first_seed + 1000 * n, visible, CARDS) for n, visible in enumerate(VISIBLE))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, help="spreads to report on")
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--fit", type=Path, metavar="TRACED", help="print weights, by these path-traced tables, too")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    eye = load_eye()
    if options.fit:
        composed = map(table_of, range(FIT_SEED, FIT_SEED + options.count))
        tables = chain(traced_tables(options.fit, eye), composed)
        print(as_code("LEFT_OUT", LEFT_OUT, fit_left_out(tables, eye)))
        return
    looked = [look(case, eye) for case in spreads(options.count, FIRST_SEED)]
    told = Beliefs(
        np.concatenate([each.beliefs for each in looked]),
        np.concatenate([each.right for each in looked]),
        [each.picture for each in looked],
    )
    print(report(told))
    if options.plot:
        plot(options.plot, {"composed spreads": told})


if __name__ == "__main__":
    main()
