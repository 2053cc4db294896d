"""Whether sides can sit at one table and play one game together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorekeeper.rules.house import Partnership, Rules
from scorekeeper.rules.points import count
from scorekeeper.rules.problems import Problem, doubt, repeated
from scorekeeper.rules.said import say
from scorekeeper.rules.sides import Side

MANY_SIDES = 8
"""More sides than this reach the Lake only with long arms (rules A1, K1)."""
PAIRS_FROM = 6
"""So many who play alone do better in pairs (rules A1)."""


def check_sides(sides: Sequence[Side], rules: Rules | None = None) -> list[Problem]:
    """Every reason why these *sides* can't play one game together, then hints (rules A1-A6, K1)."""
    rules = rules or Rules()
    problems = [*_number(sides, rules), *_names(sides), *_teams(sides, rules), *_handicaps(sides, rules)]
    if len(sides) > MANY_SIDES:
        problems.append(doubt("A1", f"{len(sides)} sides are many: make sure that everybody reaches the Lake"))
    return [*problems, *_pairs(sides, rules)]


def _pairs(sides: Sequence[Side], rules: Rules) -> Iterator[Problem]:
    """The hint to play in pairs where many play alone, unless the table wants just that (rules A1)."""
    alone = [side for side in sides if len(side.people) == 1]
    if len(alone) >= PAIRS_FROM and rules.partnership is not Partnership.SINGLES:
        yield doubt("A1", say("%(number)s people play alone: consider pairs that share a deck", number=len(alone)))


def _number(sides: Sequence[Side], rules: Rules) -> Iterator[Problem]:
    if len(sides) < rules.fewest_sides:
        words = "two or more sides" if rules.fewest_sides == 2 else "a player"
        yield Problem("sides", f"A game needs {words}: add one")


def _names(sides: Sequence[Side]) -> Iterator[Problem]:
    for what, values in (
        ("short name", [side.id for side in sides]),
        ("name", [side.name.casefold() for side in sides]),
        ("deck", [side.deck for side in sides if side.deck is not None]),
    ):
        for value in repeated(values):
            yield Problem("sides", f"Two sides have the {what} {value!r}: give each its own")
    for person in repeated([person.casefold() for side in sides for person in side.members]):
        yield Problem("sides", f"{person!r} plays twice: a person plays for one side, and two people need two names")


def _teams(sides: Sequence[Side], rules: Rules) -> Iterator[Problem]:
    """Teams as the partnership rule wants them (rules A3-A5)."""
    sizes = [(side, len(side.people)) for side in sides]
    if rules.partnership is Partnership.SINGLES:
        for side, size in sizes:
            if size > 1:
                yield Problem("A5", f"{side.name} is a team of {size}, but everybody plays alone here", side.id)
    if rules.partnership in (Partnership.DOUBLES, Partnership.MIXED_DOUBLES):
        alone = [side for side, size in sizes if size == 1]
        for side, size in sizes:
            if size > 2:
                yield Problem("A5", f"{side.name} has {size} people, but teams have two here", side.id)
        if len(alone) > 1:
            names = ", ".join(side.name for side in alone)
            yield Problem("A5", f"Only one odd player may play alone, not {names}: make a team of two of them")


def _handicaps(sides: Sequence[Side], rules: Rules) -> Iterator[Problem]:
    """A pile fits its deck, and nobody starts with a won game (rules H6)."""
    for side in sides:
        pile, start = pile_of(side, rules), side.handicap.start
        if pile + rules.play.river > rules.deck_size:
            text = f"{side.name} has {count(pile, 'Nertz card')}, too many beside a River of {rules.play.river}"
            yield Problem("H6", f"{text}: make its pile smaller", side.id)
        if 0 < rules.target <= start:
            text = f"{side.name} would start with {start} of {rules.target} points: give it less than the target"
            yield Problem("H6", text, side.id)


def pile_of(side: Side, rules: Rules) -> int:
    """Cards in the Nertz pile of *side* at the start of a hand: P of the rules sheet, for this side (rules H6)."""
    return rules.pile_size if side.handicap.pile_size is None else side.handicap.pile_size
