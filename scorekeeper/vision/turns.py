"""One heap read several times, each time turned: what a reading overlooks, or takes for a card, hardly another does."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

import numpy as np

from scorekeeper.rules.lake import DeckId, spots_of
from scorekeeper.rules.said import Said, say
from scorekeeper.vision.found import FoundBack, Judged, belief
from scorekeeper.vision.geometry import Image
from scorekeeper.vision.places import at, is_any, place, share_of_both
from scorekeeper.vision.votes import SAME_PLACE, grouped
from scorekeeper.vision.windows import TurnedBack

TURNS = (2, 1)
"""By how many quarters a heap is turned in its second reading, and in its third."""
SAME_DECK = 0.4
"""Outlines of two readings that lie within each other by this share are one card if both say the same deck."""

OPEN, ASTRAY = 0.6, 0.75
"""Outlines of a card that shows so much, but share no more than the second of these, lie on two cards, perhaps: of 328
pairs of readings that are right, say the same and ask nothing three had one such."""

ALONE, SURELY, FOUND = 0.2, 0.8, 0.15
"""A card that one reading shows lies there nevertheless if no reading has one of its deck within so much of it: what is
none mostly lies across cards of one deck. It must be so surely of its deck, and its outline found so clearly. Of 15
such 12 were cards, of 65 others 17."""


def turned_back(seen: Judged, to_picture: TurnedBack, image: Image) -> Judged:
    """What was *seen* in *image*, turned, as it lies in *image*."""
    backs, problems = seen
    laid = [replace(back, quad=to_picture(back.quad)) for back in backs]
    return laid, [_turned_back(problem, to_picture, image) for problem in problems]


def _turned_back(problem: str, to_picture: TurnedBack, image: Image) -> str:
    """*problem*, of which one place at most is told, with that place in *image*."""
    spots = spots_of(problem)
    if not spots:
        return problem
    middle = to_picture(np.array(spots[0][1:], np.float32))
    if isinstance(problem, Said) and "where" in problem.values:
        problem = say(problem.message, **{**problem.values, "where": place(middle, image)})
    return at(middle, problem)


@dataclass(frozen=True, slots=True)
class Card:
    """One card, as readings saw it: by the reading's number, one at least."""

    seen: dict[int, FoundBack]

    @property
    def decks(self) -> list[DeckId | None]:
        """Whose it is by these readings, what most say first, and in doubt what the surer ones do."""
        votes: dict[DeckId | None, list[float]] = {}
        for back in self.seen.values():
            votes.setdefault(back.match.deck, []).append(belief(back))
        return sorted(votes, key=lambda deck: (len(votes[deck]), sum(votes[deck])), reverse=True)

    @property
    def astray(self) -> bool:
        """Whether two readings have it in different places, though it lies open."""
        shown = [back.quad for back in self.seen.values() if back.match.view > OPEN]
        return any(share_of_both(*both) < ASTRAY for both in combinations(shown, 2))

    @property
    def back(self) -> FoundBack:
        """As the first reading has it that says that."""
        deck = self.decks[0]
        return next(back for back in self.seen.values() if back.match.deck == deck)


def _same_card(first: FoundBack, other: FoundBack) -> float:
    """How much of each outline must lie within the other if they are on one card."""
    return SAME_DECK if first.match.deck == other.match.deck else SAME_PLACE


@dataclass(frozen=True, slots=True)
class Agreed:
    """What most of several readings show."""

    cards: list[Card]
    """What counts in most of them; and in any, where it is of no deck, as a stranger is asked about anyway, or where it
    is ``ALONE``."""
    unseen: list[FoundBack]
    """Those of these, of decks, that do not count in each."""
    left: list[Card]
    """What else counts in fewer."""
    disputed: list[Card]
    """Those that count of which the readings say different decks, or that it is of none."""
    astray: list[FoundBack]
    """Those that count and lie elsewhere in another reading."""

    @property
    def unanimous(self) -> bool:
        """Whether all readings say the same of all cards of decks."""
        return not (self.unseen or self.left or self.disputed or self.astray)

    def with_left(self, which: Collection[int]) -> Agreed:
        """The same, but that those of ``left`` numbered *which* count."""
        more = [self.left[n] for n in which]
        left = [card for n, card in enumerate(self.left) if n not in which]
        unseen = [*self.unseen, *(card.back for card in more)]
        return Agreed([*self.cards, *more], unseen, left, self.disputed, self.astray)


def agreed(readings: Sequence[Judged]) -> Agreed:
    """What most of these *readings* of one picture show."""
    counted = [[back for back in backs if back.counted] for backs, _ in readings]
    told = Agreed([], [], [], [], [])
    for seen in grouped(counted, lambda back: back.quad, _same_card):
        card = Card(seen)
        known = card.decks != [None]
        if known and 2 * len(seen) <= len(readings) and not _alone(card.back, chain.from_iterable(counted)):
            told.left.append(card)
            continue
        told.cards.append(card)
        if known and len(seen) < len(readings):
            told.unseen.append(card.back)
        if len(card.decks) > 1:
            told.disputed.append(card)
        if known and card.astray:
            told.astray.append(card.back)
    return told


def _alone(back: FoundBack, others: Iterable[FoundBack]) -> bool:
    """Whether *back* lies there though no other reading shows it."""
    kin = [other.quad for other in others if other is not back and other.match.deck == back.match.deck]
    alone = not is_any(back.quad, np.array(kin, np.float32).reshape(-1, 4, 2), ALONE)
    return alone and back.match.confidence >= SURELY and back.score >= FOUND
