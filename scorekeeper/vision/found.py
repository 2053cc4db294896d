"""What is known of each back found in a picture, and how far that may be believed."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scorekeeper.vision.backs import Match
from scorekeeper.vision.belief import likely, odds
from scorekeeper.vision.geometry import Corners

COUNTED_BELIEF = {"bias": 0.2, "deck": 1.02}
"""Weights of ``features`` of a back that counts, for its being of its deck, fitted by models/calibrate_backs.py."""
LEFT_BELIEF = {"bias": -0.33, "gain": 1.21, "view": 0.39, "distance": -0.77}
"""The same of a proposal that does not, for its being a card all the same."""
FARTHEST, MOST_GAIN = 3.0, 8.0
"""Greater distances to a deck say no more, nor do greater gains."""


@dataclass(frozen=True, slots=True)
class FoundBack:
    """A back that was found, and what is known of it."""

    quad: Corners
    score: float
    """How clearly its outline was found, 0 to 1."""
    match: Match
    counted: bool
    gain: float
    """By how much the scene's log posterior is higher with it."""
    view: float
    """Which share of it shows, 0 to 1; of one that does not count, which shows neither the ground nor a known card."""
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
        "gain": min(back.gain, MOST_GAIN),
        "view": back.view,
        "distance": min(match.distance, FARTHEST),
    }


def there(back: FoundBack) -> float:
    """How likely a card lies where *back* counts, 0 to 1: the scene's log posterior says so."""
    return 1 / (1 + math.exp(-back.gain))


def whose_it_is(back: FoundBack) -> float:
    """How likely the card that counts is of its deck, or of none, 0 to 1."""
    return likely(features(back), COUNTED_BELIEF) if back.match.deck is not None else back.match.confidence


def belief(back: FoundBack) -> float:
    """How likely it is right that *back* counts for its deck, or that it does not count, 0 to 1."""
    return there(back) * whose_it_is(back) if back.counted else 1 - likely(features(back), LEFT_BELIEF)
