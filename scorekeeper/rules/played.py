"""Hands as they were played: by which rules, by whom, and what they add up to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from scorekeeper.rules.everybody import Everybody
from scorekeeper.rules.house import Rules
from scorekeeper.rules.names import name_key
from scorekeeper.rules.points import Points
from scorekeeper.rules.scoring import Adjustment, Hand, without
from scorekeeper.rules.sides import Side, SideId


@dataclass(frozen=True, slots=True)
class Table:
    """Who could win at some moment."""

    sides: tuple[Side, ...] = ()
    """The sides at the table, those that sit out a hand too."""
    everybody: Everybody = Everybody()


@dataclass(frozen=True, slots=True)
class Played:
    """One recorded hand with the house rules and the sides of its moment; later changes leave it as it is."""

    hand: Hand
    rules: Rules
    sides: tuple[Side, ...]
    """Who played it, with the partners and handicaps of that hand."""
    penalties: tuple[Adjustment, ...] = ()
    """Given while it was played (rules H5)."""
    dispute: str | None = None
    """Why somebody doubts it; None when nobody does (rules H7)."""
    absent: tuple[Side, ...] = ()
    """Who was penalised while it was played, and left before it was counted: the penalty stands (rules H5)."""
    table: Table = Table()
    """Who could win when it was recorded."""
    left_out: bool = False
    """Whether the table agreed that it came after the end and does not count (rules K14)."""

    @property
    def points(self) -> dict[SideId, Points]:
        """Each side's points: the hand's, its penalties, and the handicap for each hand (rules C3, H5, H6)."""
        points = self.hand.points(self.rules)
        for each in self.penalties:
            points[each.side] = points.get(each.side, 0) + each.points
        for side in self.sides:
            points[side.id] = points.get(side.id, 0) + side.handicap.per_hand
        return points

    def restyled(self, change: Callable[[Side], Side]) -> Played:
        """With each side as *change* makes it."""
        table = replace(self.table, sides=tuple(map(change, self.table.sides)))
        return replace(self, sides=tuple(map(change, self.sides)), absent=tuple(map(change, self.absent)), table=table)

    def counted_anew(self, hand: Hand, removed: Sequence[int] = ()) -> Played:
        """With other counts and without the *removed* penalties, counted from 1; raises RulesError for unknown ones."""
        penalties = without(self.penalties, removed)
        penalised = {each.side for each in penalties}
        absent = tuple(side for side in self.absent if side.id in penalised)
        return replace(self, hand=hand, penalties=penalties, absent=absent)


class Mark(NamedTuple):
    """What a side or a person has collected; compares by points, then by calls (rules D3, D4)."""

    points: Points
    calls: int


NO_MARK = Mark(0, 0)


@dataclass(frozen=True, slots=True)
class Score:
    """What all hands up to one add up to; starting scores come on top."""

    sides: Mapping[SideId, Mark]
    people: Mapping[str, Mark]
    """Each person has the points of every hand of theirs, whatever side they played for (rules A5, K15, L)."""
    hands: int
    """How many hands it counts."""


NO_SCORE = Score({}, {}, 0)


def add_hand(score: Score, played: Played) -> Score:
    """*score* with one more hand; the same where that hand does not count."""
    if played.left_out:
        return score
    sides, people, points = dict(score.sides), dict(score.people), played.points
    members = {side.id: [name_key(who) for who in side.people] for side in (*played.sides, *played.absent)}
    for side, gained in points.items():
        called, before = side in played.hand.callers, sides.get(side)
        after = sides[side] = _more(before, gained, called)
        for person in members.get(side, ()):  # who never changed sides has the very mark of the side
            known = people.get(person)
            people[person] = after if known is before else _more(known, gained, called)
    return Score(sides, people, score.hands + 1)


def _more(mark: Mark | None, gained: Points, called: bool) -> Mark:
    return Mark(mark.points + gained, mark.calls + called) if mark else Mark(gained, int(called))
