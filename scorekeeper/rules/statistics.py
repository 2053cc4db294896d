"""What the hands of a game say about each side and each person: averages, best and worst hand, calls, pace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Scoring
from scorekeeper.rules.names import name_key
from scorekeeper.rules.played import Played
from scorekeeper.rules.points import Points
from scorekeeper.rules.sides import SideId

Times = Sequence[timedelta | None]
"""How long each recorded hand was played, in order; None where nobody said Go."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What one side, or one person of it, did in one hand."""

    number: int
    """Which hand of its game, counted from 1."""
    points: Points
    lake: int | None
    """None where nothing was counted."""
    left: int | None
    called: bool
    won: bool
    """Whether nobody had more points in this hand; a tally of hands is won by its caller (rules D7)."""
    time: timedelta | None
    absent: bool = False
    """Whether they left before it was counted, and have only a penalty of it (rules H5)."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What the turns of a side or a person come to."""

    turns: tuple[Turn, ...]

    @property
    def played(self) -> tuple[Turn, ...]:
        """The hands they played to the end."""
        return tuple(turn for turn in self.turns if not turn.absent)

    @property
    def hands(self) -> int:
        """How many hands they played."""
        return len(self.played)

    @property
    def won(self) -> int:
        """How many of them they won, shared ones too."""
        return sum(turn.won for turn in self.turns)

    @property
    def calls(self) -> int:
        """How often they called (rules G4)."""
        return sum(turn.called for turn in self.turns)

    @property
    def points(self) -> Points:
        """Points of all their hands, starting scores left out."""
        return sum((turn.points for turn in self.turns), 0)

    @property
    def average(self) -> float | None:
        """Points for each hand; None before the first."""
        return float(self.points) / self.hands if self.hands else None

    @property
    def lake(self) -> float | None:
        """Lake cards for each hand that was counted."""
        return _mean([turn.lake for turn in self.turns if turn.lake is not None])

    @property
    def left(self) -> float | None:
        """Cards left in the Nertz pile for each hand that was counted."""
        return _mean([turn.left for turn in self.turns if turn.left is not None])

    @property
    def best(self) -> Turn | None:
        """The hand with most points, the first of equal ones; None before the first hand."""
        return max(self.played, key=lambda turn: turn.points, default=None)

    @property
    def worst(self) -> Turn | None:
        """The hand with fewest points, the first of equal ones."""
        return min(self.played, key=lambda turn: turn.points, default=None)

    @property
    def time(self) -> timedelta | None:
        """How long a hand of theirs took on average; None where nobody kept the clock."""
        times = [turn.time for turn in self.turns if turn.time is not None]
        return sum(times, timedelta()) / len(times) if times else None

    @property
    def per_minute(self) -> float | None:
        """Points for each minute of play, over the hands with a clock."""
        timed = [turn for turn in self.turns if turn.time]
        minutes = sum((turn.time for turn in timed if turn.time), timedelta()) / timedelta(minutes=1)
        return float(sum((turn.points for turn in timed), 0)) / minutes if minutes else None


def figures_of_sides(game: Game, times: Times) -> dict[SideId, Figures]:
    """The figures of each side, in the order of the sides."""
    found: dict[SideId, list[Turn]] = {side.id: [] for side in game.sides}
    for side, _people, turn in turns(game, times):
        found[side].append(turn)
    return {side: Figures(tuple(theirs)) for side, theirs in found.items()}


@dataclass(frozen=True, slots=True)
class Part:
    """What one person did in one game."""

    name: str
    """As it was spelt first."""
    turns: tuple[Turn, ...]
    played: bool
    """Whether they sat in a hand of it to the end."""
    won: bool
    """Whether they won the game, alone or with their side."""

    @property
    def key(self) -> str:
        """What all spellings of the name share."""
        return name_key(self.name)


def parts_of(game: Game, times: Times) -> tuple[Part, ...]:
    """The part of everybody who has a hand of *game*, in the order of their first."""
    names: dict[str, str] = {}
    found: dict[str, list[Turn]] = {}
    for _side, people, turn in turns(game, times):
        for person in people:
            names.setdefault(name_key(person), person)
            found.setdefault(name_key(person), []).append(turn)
    sat = {name_key(person) for played in game.played for side in played.sides for person in side.people}
    won = winners_of(game)
    return tuple(Part(names[key], tuple(theirs), key in sat, key in won) for key, theirs in found.items())


def figures_of(parts: Iterable[Part]) -> dict[str, Figures]:
    """The figures of each person by name, over the *parts* of all games; a name is the same whatever its capitals."""
    names: dict[str, str] = {}
    found: dict[str, list[Turn]] = {}
    for part in parts:
        names.setdefault(part.key, part.name)
        found.setdefault(part.key, []).extend(part.turns)
    return {names[key]: Figures(tuple(theirs)) for key, theirs in found.items()}


def figures_of_people(games: Iterable[tuple[Game, Times]]) -> dict[str, Figures]:
    """The figures of each person by name, over all *games*."""
    return figures_of(part for game, times in games for part in parts_of(game, times))


def winners_of(game: Game) -> set[str]:
    """Who won the game; the person where partners rotate, everybody of the side elsewhere."""
    if game.winner is None:
        return {name_key(game.winner_name)} if game.winner_name else set()
    return {name_key(person) for person in game.side(game.winner).people}


def turns(game: Game, times: Times) -> Iterator[tuple[SideId, tuple[str, ...], Turn]]:
    """Every hand of every side that played it, with the people of that hand."""
    for number, (played, time) in enumerate(zip(game.played, times, strict=True), 1):
        if played.left_out:
            continue
        points = played.points
        winners = _winners(played, points)
        for side in played.sides:
            yield side.id, side.people, _turn(number, played, side.id, points.get(side.id, 0), side.id in winners, time)
        for side in played.absent:
            penalty = points.get(side.id, 0)
            yield side.id, side.people, Turn(number, penalty, None, None, False, False, None, absent=True)


def _turn(number: int, played: Played, side: SideId, points: Points, won: bool, time: timedelta | None) -> Turn:
    tally = next((tally for tally in played.hand.tallies if tally.side == side), None)
    scoring = played.rules.scoring
    return Turn(
        number,
        points,
        tally.lake if tally and scoring in (Scoring.POINTS, Scoring.FOUNDATION) else None,
        tally.nertz_left if tally and scoring in (Scoring.POINTS, Scoring.LEFTOVERS) else None,
        side in played.hand.callers,
        won,
        time,
    )


def _winners(played: Played, points: Mapping[SideId, Points]) -> set[SideId]:
    if not played.rules.counts:
        return set(played.hand.callers)
    most = max((points.get(side.id, 0) for side in played.sides), default=0)
    return {side.id for side in played.sides if points.get(side.id, 0) == most}


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
