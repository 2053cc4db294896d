"""What a hand is worth: counts, callers and adjustments, and the points they make under house rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.errors import RulesError
from scorekeeper.rules.house import DECK, RULES_RANGES, Rules, Scoring
from scorekeeper.rules.points import Points, and_join, format_points, share_of
from scorekeeper.rules.said import say
from scorekeeper.rules.sides import (
    COLORS,
    MAX_NAME,
    PATTERNS,
    Handicap,
    Side,
    SideId,
    is_side_id,
    is_text,
    make_sides,
    side_id,
)

__all__ = [
    "COLORS", "DECK", "MAX_NAME", "PATTERNS", "RULES_RANGES",
    "Adjustment", "Hand", "Handicap", "Points", "Rules", "Side", "SideId", "Tally", "Typed",
    "and_join", "format_points", "is_side_id", "is_text", "make_sides", "side_id", "without",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tally:
    """One side's counts at the end of a hand, as typed or read; the referee says whether they can be."""

    side: SideId
    lake: int
    """Cards of this side's deck found in the Lake."""
    nertz_left: int
    """Cards still in this side's Nertz pile."""
    ranks: tuple[tuple[int, int], ...] = ()
    """Rank and number of the Lake cards that are worth extra, by rank; empty where none is (rules C11)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "ranks", tuple(sorted(tuple(pair) for pair in self.ranks)))


@dataclass(frozen=True, slots=True)
class Typed:
    """One side's score of a hand as one number, bonus included, where nobody typed counts (rules C17)."""

    side: SideId
    score: Points


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points added to or taken from one side in one hand, with the reason (rules H5)."""

    side: SideId
    points: int
    """Below 0 for what is taken; hands won where hands are tallied (rules K19)."""
    reason: str


def without(penalties: tuple[Adjustment, ...], numbers: Sequence[int]) -> tuple[Adjustment, ...]:
    """*penalties* but those with these *numbers*, counted from 1; raises RulesError where there is none such."""
    if unknown := [number for number in numbers if number not in range(1, len(penalties) + 1)]:
        raise RulesError(say("there is no penalty %(number)s to remove", number=unknown[0]))
    return tuple(each for number, each in enumerate(penalties, 1) if number not in numbers)


@dataclass(frozen=True, slots=True)
class Hand:
    """One deal as it ended; everything stands in the order of the counts."""

    tallies: tuple[Tally, ...] = ()
    callers: tuple[SideId, ...] = ()
    """Sides that called Nertz: none when all were stuck, several when they called at once (rules C9, C19)."""
    adjustments: tuple[Adjustment, ...] = ()
    shares: tuple[tuple[SideId, Points], ...] = ()
    """Bonus of callers as the table voted; empty for equal shares (rules C10)."""
    typed: tuple[Typed, ...] = ()
    """Sides with a typed score instead of counts."""

    def __post_init__(self) -> None:
        counted = [*(tally.side for tally in self.tallies), *(typed.side for typed in self.typed)]
        place = {side: number for number, side in reversed([*enumerate(counted)])}

        def order(side: SideId) -> tuple[int, SideId]:
            return (place[side], SideId("")) if side in place else (len(place), side)

        object.__setattr__(self, "tallies", tuple(self.tallies))
        object.__setattr__(self, "typed", tuple(self.typed))
        object.__setattr__(self, "callers", tuple(sorted(dict.fromkeys(self.callers), key=order)))
        object.__setattr__(self, "adjustments", tuple(sorted(self.adjustments, key=lambda each: order(each.side))))
        object.__setattr__(self, "shares", tuple(sorted(self.shares, key=lambda each: order(each[0]))))

    @property
    def lake(self) -> int:
        """Lake cards of all counted sides together."""
        return sum(tally.lake for tally in self.tallies)

    @property
    def counted(self) -> tuple[SideId, ...]:
        """Sides with counts or a typed score, in order; twice who is counted twice."""
        return (*(tally.side for tally in self.tallies), *(typed.side for typed in self.typed))

    @property
    def named(self) -> tuple[SideId, ...]:
        """Every side the hand speaks of, each once."""
        rest = (*self.callers, *(each.side for each in self.adjustments), *(side for side, _ in self.shares))
        return tuple(dict.fromkeys((*self.counted, *rest)))

    def points(self, rules: Rules) -> dict[SideId, Points]:
        """Each side's score of this hand: Lake, minus what is left, plus its bonus share and adjustments (rules C3)."""
        worth = _WORTH[rules.scoring]
        points: dict[SideId, Points] = {}
        for tally in self.tallies:
            points[tally.side] = points.get(tally.side, 0) + worth(self, tally, rules)
        for side, share in self.bonus_shares(rules).items():
            points[side] = points.get(side, 0) + share
        for typed in self.typed:  # a typed score has its bonus in it already
            points[typed.side] = typed.score
        for each in self.adjustments:
            points[each.side] = points.get(each.side, 0) + each.points
        return points

    def bonus_shares(self, rules: Rules) -> dict[SideId, Points]:
        """The bonus of each caller: as voted, or equal exact shares (rules C9, C10, M12); empty without a caller."""
        if self.shares:
            voted = dict(self.shares)
            return {side: voted.get(side, 0) for side in self.callers}
        return {side: share_of(bonus_of(rules), len(self.callers)) for side in self.callers}


def bonus_of(rules: Rules) -> int:
    """What all callers of a hand get together: the bonus, or the hand itself where hands are tallied (rules D7)."""
    return 1 if rules.scoring is Scoring.HANDS else rules.bonus


def extras_of(tally: Tally, rules: Rules) -> int:
    """Points of the Lake cards of *tally* beyond those of any Lake card (rules C11)."""
    return sum(number * rules.extra_of(rank) for rank, number in tally.ranks)


def _points(_hand: Hand, tally: Tally, rules: Rules) -> int:
    plain = tally.lake * rules.lake_value - tally.nertz_left * rules.nertz_penalty
    return plain + extras_of(tally, rules) if rules.rank_extras else plain


def _nothing(_hand: Hand, _tally: Tally, _rules: Rules) -> int:
    return 0


def worth_left(hand: Hand, tally: Tally, rules: Rules) -> int:
    """Who is done first scores what all the others have left (rules J5)."""
    if tally.side not in hand.callers:
        return 0
    return rules.lake_value * sum(other.nertz_left for other in hand.tallies if other is not tally)


def _foundation(_hand: Hand, tally: Tally, rules: Rules) -> int:
    return tally.lake * rules.lake_value + extras_of(tally, rules)


_WORTH: Mapping[Scoring, Callable[[Hand, Tally, Rules], int]] = {
    Scoring.POINTS: _points,
    Scoring.HANDS: _nothing,
    Scoring.LEFTOVERS: worth_left,
    Scoring.FOUNDATION: _foundation,
}
"""What the counts of one side are worth by themselves."""
