"""Whether sides can sit at one table and play one game together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorekeeper.rules.house import Partnership, Rules, Scoring
from scorekeeper.rules.layout import GAMES
from scorekeeper.rules.names import name_key
from scorekeeper.rules.problems import Problem, cards, doubt, repeated
from scorekeeper.rules.said import Names, Said, say, say_count
from scorekeeper.rules.sides import Side

MANY_SIDES = 8
"""More sides than this reach the Lake only with long arms (rules A1, K1)."""
PAIRS_FROM = 6
"""So many who play alone do better in pairs (rules A1)."""


def check_sides(sides: Sequence[Side], rules: Rules | None = None) -> list[Problem]:
    """Every reason why these *sides* can't play one game together, then hints (rules A1-A6, K1)."""
    rules = rules or Rules()
    problems = [
        *_number(sides, rules),
        *_names(sides),
        *same_names(sides),
        *_teams(sides, rules),
        *_handicaps(sides, rules),
    ]
    if len(sides) > MANY_SIDES:
        problems.append(
            doubt(
                "A1", say("%(sides)s sides are many: make sure that everybody reaches the %(Lake)s", sides=len(sides))
            )
        )
    return [*problems, *_pairs(sides, rules)]


def _pairs(sides: Sequence[Side], rules: Rules) -> Iterator[Problem]:
    """The hint to play in pairs where many play alone, unless the table wants just that (rules A1)."""
    alone = [side for side in sides if len(side.people) == 1]
    if len(alone) >= PAIRS_FROM and rules.partnership is not Partnership.SINGLES:
        yield doubt("A1", say("%(number)s people play alone: consider pairs that share a deck", number=len(alone)))


def _number(sides: Sequence[Side], rules: Rules) -> Iterator[Problem]:
    if rules.most_sides and len(sides) != rules.most_sides:
        yield Problem("sides", _as_many_as(rules, len(sides)))
    elif len(sides) < rules.fewest_sides:
        two = rules.fewest_sides == 2
        needed = say("A game needs two or more sides: add one") if two else say("A game needs a player: add one")
        yield Problem("sides", needed)


def _as_many_as(rules: Rules, sides: int) -> str:
    """How many play the game that is laid out (rules J1, J5)."""
    game = GAMES[rules.layout]
    if rules.plan.sides == 1:
        return say("%(game)s is for one player: name one, not %(sides)s", game=game, sides=sides)
    if rules.plan.people:
        return say("%(game)s is for two pairs: name two sides of two people, not %(sides)s", game=game, sides=sides)
    return say("%(game)s is for two players: name two, not %(sides)s", game=game, sides=sides)


def _names(sides: Sequence[Side]) -> Iterator[Problem]:
    for name in repeated([side.id for side in sides]):
        yield Problem("sides", say("Two sides have the short name %(name)r: give each its own", name=str(name)))
    for name in repeated([side.deck for side in sides if side.deck is not None]):
        yield Problem("sides", say("Two sides have the deck %(name)r: give each its own", name=str(name)))


def same_names(sides: Sequence[Side]) -> list[Problem]:
    """Every name that two sides or two people share, however it is spelled (rules K15)."""
    names = repeated([name_key(side.name) for side in sides])
    people = repeated([name_key(who) for side in sides for who in side.people])
    return [
        *(Problem("K15", _shared(name)) for name in names),
        *(Problem("K15", _twice(who)) for who in people if who not in names),
    ]


def _shared(name: str) -> Said:
    return say("Two sides have the name %(name)r: give each its own", name=name)


def _twice(who: str) -> Said:
    return say("%(name)r plays twice: a person plays for one side, and two people need two names", name=who)


def _teams(sides: Sequence[Side], rules: Rules) -> Iterator[Problem]:
    """Teams as the layout and the partnership rule want them (rules A3-A5, J1)."""
    sizes = [(side, len(side.people)) for side in sides]
    for side, size in sizes:
        if side.members and rules.plan.people not in (0, size):  # a pair may go by one name
            yield Problem("J1", _no_pair(side, size, rules), side.id)
    if rules.partnership is Partnership.SINGLES:
        for side, size in sizes:
            if size > 1:
                yield Problem(
                    "A5",
                    say("%(name)s is a team of %(size)s, but everybody plays alone here", name=side.name, size=size),
                    side.id,
                )
    if rules.partnership in (Partnership.DOUBLES, Partnership.MIXED_DOUBLES):
        alone = [side for side, size in sizes if size == 1]
        for side, size in sizes:
            if size > 2:
                yield Problem(
                    "A5",
                    say("%(name)s has %(size)s people, but teams have two here", name=side.name, size=size),
                    side.id,
                )
        if len(alone) > 1:
            names = Names(side.name for side in alone)
            text = say("Only one odd player may play alone, not %(names)s: make a team of two of them", names=names)
            yield Problem("A5", text)


def _no_pair(side: Side, size: int, rules: Rules) -> str:
    return say(
        "%(name)s is %(people)s, and %(game)s is for two pairs: name both partners of each side",
        name=side.name,
        people=say_count("%(num)s person", "%(num)s people", size),
        game=GAMES[rules.layout],
    )


def _handicaps(sides: Sequence[Side], rules: Rules) -> Iterator[Problem]:
    """A pile fits its deck, and nobody starts with a won game (rules H6)."""
    for side in sides:
        pile, start = pile_of(side, rules), side.handicap.start
        if pile > rules.most_in_pile:
            text = say(
                "%(name)s has a pile of %(pile)s, and the deck leaves %(most)s for it: make its pile smaller",
                name=side.name,
                pile=cards(pile),
                most=rules.most_in_pile,
            )
            yield Problem("H6", text, side.id)
        if 0 < rules.target <= start:
            text = say(
                "%(name)s would start with %(start)s of %(target)s points: give it less than the target",
                name=side.name,
                start=start,
                target=rules.target,
            )
            yield Problem("H6", text, side.id)


def pile_of(side: Side, rules: Rules) -> int:
    """Cards in the Nertz pile of *side* at the start of a hand: P of the rules sheet, for this side (rules H6)."""
    return rules.pile_size if side.handicap.pile_size is None else side.handicap.pile_size


def most_left(side: Side, rules: Rules) -> int:
    """Most cards *side* can have left: its pile, or a whole deck where stock and discard are counted (rules J5)."""
    return rules.deck_size if rules.scoring is Scoring.LEFTOVERS else pile_of(side, rules)
