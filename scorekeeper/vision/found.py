"""What is known of each back found in a picture, and how far that may be believed."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.vision.backs import Match
from scorekeeper.vision.belief import likely, odds
from scorekeeper.vision.geometry import Corners

COUNTED_BELIEF = {"bias": 0.71, "deck": 1.20, "view": 1.43, "distance": -1.13}
"""Weights of ``features`` of a back that counts, fitted by models/calibrate_backs.py."""
LEFT_BELIEF = {"bias": 4.66, "outline": 2.23, "distance": -2.03}
"""The same of one that does not, for its being a card of an enrolled deck all the same."""
FARTHEST = 3.0
"""Greater distances to a deck say no more."""


@dataclass(frozen=True, slots=True)
class FoundBack:
    """A back that was found, and what is known of it."""

    quad: Corners
    score: float
    """How clearly its outline was found, 0 to 1."""
    match: Match
    counted: bool
    size: float
    """Its area as it lies on the table, 1 is usual."""
    cut: bool
    """Whether the picture's edge cuts it."""


Judged = tuple[list[FoundBack], list[str]]
"""The backs in one picture that count or may be asked about, and what a person should look at."""


def features(back: FoundBack) -> dict[str, float]:
    """What tells whether *back*, as it is counted or left out, is a card of its deck."""
    match = back.match
    return {
        "bias": 1.0,
        "deck": odds(match.confidence) if match.deck is not None else 0.0,
        "outline": odds(back.score),
        "view": match.view,
        "distance": min(match.distance, FARTHEST),
    }


def belief(back: FoundBack) -> float:
    """How likely it is right that *back* counts for its deck, or that it does not count, 0 to 1: calibrated."""
    if not back.counted:
        return 1 - likely(features(back), LEFT_BELIEF)
    return likely(features(back), COUNTED_BELIEF) if back.match.deck is not None else back.match.confidence
