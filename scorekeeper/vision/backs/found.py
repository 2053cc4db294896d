"""What is known of each back found in a picture, and how far that may be believed."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scorekeeper.vision.backs.gallery import Match
from scorekeeper.vision.belief import likely
from scorekeeper.vision.geometry import Corners
from scorekeeper.vision.weights import LEFT_OUT


@dataclass(frozen=True, slots=True)
class FoundBack:
    """A back that was found, and what is known of it."""

    quad: Corners
    score: float
    """How clearly its outline was found, 0 to 1."""
    match: Match
    counted: bool
    gain: float
    """By how much the scene's log posterior is higher with it than without."""
    cut: bool
    """Whether the picture's edge cuts it."""


Judged = tuple[list[FoundBack], list[str]]
"""The backs in one picture that count or may be asked about, and what a person should look at."""


def features(back: FoundBack) -> dict[str, float]:
    """What is weighed where it is asked whether a card lies where an outline nearly counted."""
    return {"bias": 1.0, "gain": back.gain, "distance": back.match.distance}


def there(back: FoundBack) -> float:
    """How likely a card lies there, 0 to 1: the scene's log posterior says so, and of what does not count how often
    such outlines were cards."""
    return 1 / (1 + math.exp(-back.gain)) if back.counted else likely(features(back), LEFT_OUT)


def belief(back: FoundBack) -> float:
    """How likely it is right that *back* counts for its deck, or that it does not count, 0 to 1."""
    return there(back) * back.match.confidence if back.counted else 1 - there(back)
