"""Several readings of one still table as one: card by card, the frames vote whether it is there and whose it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log
from statistics import mean
from typing import TypeVar

import numpy as np

from scorekeeper.rules.lake import DeckId, SeenBack, Spot, SpreadReading, spots_of, spotted
from scorekeeper.rules.said import say
from scorekeeper.vision.geometry import Corners, corners_of
from scorekeeper.vision.places import may_share, share_of_both

T = TypeVar("T")

SAME_PLACE = 0.6
"""Outlines of two frames that lie within each other by this share are one card."""
SAME_SPOT_PX = 40.0
"""Two sentences about places nearer than this mean the same place."""
FAINT = 0.005
"""Confidences are kept this far from 0 and 1 before they are averaged as odds."""


def agreed(readings: Sequence[SpreadReading]) -> bool:
    """Whether the frames show the same cards: as many, in the same places, of the same decks."""
    groups = _grouped(readings)
    return all(len(group) == len(readings) and len({back.deck for back in group}) == 1 for group in groups)


def voted(readings: Sequence[SpreadReading]) -> SpreadReading:
    """One reading of the frames: what most of them show; what they differ about is asked.

    Frames of a camera that stands still share their light and their view, so a mistake comes back in each: agreement
    keeps the mean confidence and never multiplies it, disagreement takes some away.
    """
    if len(readings) == 1:
        return readings[0]
    cards, problems = [], list(_kept_problems(readings))
    for group in _grouped(readings):
        card = _one(group, len(readings))
        if 2 * len(group) > len(readings):
            cards.append(card)
        if 3 * len(group) >= len(readings) and (doubt := _doubt(card, group, len(readings))):
            problems.append(doubt)
    counts = {deck: sum(card.deck == deck for card in cards) for deck in readings[-1].counts}
    return SpreadReading(tuple(cards), counts, not problems, tuple(problems))


def grouped(
    readings: Sequence[Sequence[T]], outline: Callable[[T], Corners], least: Callable[[T, T], float]
) -> list[dict[int, T]]:
    """What several readings of one table show, what is of one physical card together, by the reading's number.

    That is what lies within each other by the *least* share of those two, the best pairs first; a reading gives each
    card once at most.
    """
    groups: list[dict[int, T]] = []
    for number, things in enumerate(readings):
        firsts = [next(iter(group.values())) for group in groups]
        places = np.array([outline(first) for first in firsts], np.float32).reshape(-1, 4, 2)
        pairs: list[tuple[float, int, int]] = []
        for n, thing in enumerate(things):
            for k in np.flatnonzero(may_share(outline(thing), places)).tolist():
                share = share_of_both(outline(thing), places[k])
                if share >= least(firsts[k], thing):
                    pairs.append((share, n, k))
        chosen: dict[int, int] = {}
        for _, n, k in sorted(pairs, reverse=True):
            if n not in chosen and k not in chosen.values():
                chosen[n] = k
        for n, thing in enumerate(things):
            if n in chosen:
                groups[chosen[n]][number] = thing
            else:
                groups.append({number: thing})
    return groups


def _grouped(readings: Sequence[SpreadReading]) -> list[list[SeenBack]]:
    """The backs of all frames, those of one physical card together."""
    cards = [reading.cards for reading in readings]
    groups = grouped(cards, lambda back: corners_of(back.box), lambda first, other: SAME_PLACE)
    return [list(group.values()) for group in groups]


def _one(group: Sequence[SeenBack], frames: int) -> SeenBack:
    """The card that *group* shows: the deck with most support, and how sure the frames are of it together."""
    named = {back.deck for back in group}
    deck = max(named, key=lambda one: sum(back.confidence for back in group if back.deck == one))
    odds = [_odds(back.confidence if back.deck == deck else 1 - back.confidence) for back in group]
    confidence = len(group) / frames / (1 + exp(-mean(odds)))
    newest = next(back for back in reversed(group) if back.deck == deck)
    return SeenBack(newest.image, deck, round(confidence, 3), newest.box, _others(group, deck))


def _others(group: Sequence[SeenBack], deck: DeckId | None) -> tuple[tuple[DeckId, float], ...]:
    """Which other decks the frames name, each with its mean confidence, the likeliest first."""
    named: dict[DeckId, float] = {}
    for back in group:
        own = ((back.deck, back.confidence),) if back.deck is not None else ()
        for other, chance in dict((*back.others, *own)).items():
            if other != deck:
                named[other] = named.get(other, 0.0) + chance / len(group)
    return tuple((other, round(chance, 3)) for other, chance in sorted(named.items(), key=lambda each: -each[1]))


def _odds(confidence: float) -> float:
    kept = min(max(confidence, FAINT), 1 - FAINT)
    return log(kept / (1 - kept))


def _doubt(card: SeenBack, group: Sequence[SeenBack], frames: int) -> str | None:
    """What a person is asked where the frames differ about a card."""
    x, y = (float(value) for value in np.mean(card.box, axis=0))
    spot: Spot = (card.image, round(x, 1), round(y, 1))
    if len(group) < frames:
        return spotted(say("a card is not seen in every frame: spread the cards there"), spot)
    if len({back.deck for back in group}) > 1:
        return spotted(say("the frames differ about whose a card is: look at it"), spot)
    return None


def _kept_problems(readings: Sequence[SpreadReading]) -> list[str]:
    """The problems that at least half of the frames name, as the newest says them."""
    kept: list[str] = []
    for problem in (problem for reading in reversed(readings) for problem in reading.problems):
        named = sum(any(same_doubt(problem, other) for other in reading.problems) for reading in readings)
        if 2 * named >= len(readings) and not any(same_doubt(problem, other) for other in kept):
            kept.append(problem)
    return kept


def same_doubt(one: str, other: str, near_px: float = SAME_SPOT_PX) -> bool:
    """Whether two sentences are about places nearer than *near_px*; those about the whole are compared by their
    words."""
    mine, theirs = spots_of(one), spots_of(other)
    if not mine or not theirs:
        return one == other
    return any(np.hypot(a[1] - b[1], a[2] - b[2]) < near_px for a in mine for b in theirs)
