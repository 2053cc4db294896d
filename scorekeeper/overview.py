"""What the lists of games, people and decks show of a game, and how it is kept beside the game's events."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from scorekeeper import __version__
from scorekeeper.rules.clock import hand_times
from scorekeeper.rules.ending import State
from scorekeeper.rules.events import DeckEnrolled
from scorekeeper.rules.game import Game
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.points import Points
from scorekeeper.rules.sides import SideId
from scorekeeper.rules.statistics import Part, Turn
from scorekeeper.rules.statistics import parts_of as people_of
from scorekeeper.store import Entry


@dataclass(frozen=True, slots=True)
class Shown:
    """A deck that was shown to the eye in a game."""

    deck: DeckId
    side: SideId
    number: int
    """Which step of the game it was, counted from 1."""
    at: datetime
    """UTC."""


@dataclass(frozen=True, slots=True)
class Stand:
    """How far one side has come."""

    name: str
    points: Points
    """Of all its hands, or the hands it won where hands are tallied."""
    leads: bool
    """Whether nobody stands before it."""


@dataclass(frozen=True, slots=True)
class Overview:
    """A game without its events."""

    started_at: datetime
    """UTC."""
    sides: tuple[str, ...]
    """Names in order."""
    state: State
    winner: str | None
    """Who has won, a side or a person; None while playing or tied."""
    hands: int
    """How many hands stand."""
    people: tuple[Part, ...]
    decks: tuple[Shown, ...]
    stands: tuple[Stand, ...] = ()
    """Everybody at the table, best first."""


def overview_of(entries: Sequence[Entry], game: Game) -> Overview:
    """The overview of *game*, which *entries* add up to."""
    decks = [
        Shown(entry.event.deck, entry.event.side, entry.number, entry.at)
        for entry in entries
        if isinstance(entry.event, DeckEnrolled)
    ]
    times = hand_times((entry.at, entry.event) for entry in entries)
    names = tuple(side.name for side in game.sides)
    people = people_of(game, times)
    hands = len(game.hands)
    return Overview(entries[0].at, names, game.state, game.winner_name, hands, people, tuple(decks), _stands(game))


def _stands(game: Game) -> tuple[Stand, ...]:
    totals, levels = game.totals, game.levels
    playing = [side for side in game.ranking if side.id not in game.gone]
    return tuple(Stand(side.name, totals[side.id], levels[side.id] == levels[playing[0].id]) for side in playing)


def write_overview(overview: Overview) -> str:
    """*overview* as JSON; another version of this program judges the game anew."""
    return json.dumps(
        {
            "program": __version__,
            "started_at": overview.started_at.isoformat(),
            "sides": overview.sides,
            "state": overview.state,
            "winner": overview.winner,
            "hands": overview.hands,
            "people": [
                [part.name, [_turn_to_json(turn) for turn in part.turns], part.played, part.won]
                for part in overview.people
            ],
            "stands": [[each.name, _exact_to_json(each.points), each.leads] for each in overview.stands],
            "decks": [[each.deck, each.side, each.number, each.at.isoformat()] for each in overview.decks],
        },
        separators=(",", ":"),
    )


def read_overview(text: str) -> Overview | None:
    """The overview that was kept as *text*; None where it has to be made anew."""
    try:
        kept = json.loads(text)
        return _read(kept) if kept["program"] == __version__ else None
    except (ValueError, LookupError, TypeError, ArithmeticError, RecursionError):
        return None


def _read(kept: dict[str, Any]) -> Overview:
    return Overview(
        datetime.fromisoformat(kept["started_at"]),
        tuple(kept["sides"]),
        kept["state"],
        kept["winner"],
        kept["hands"],
        tuple(Part(name, tuple(map(_turn, turns)), played, won) for name, turns, played, won in kept["people"]),
        tuple(
            Shown(DeckId(deck), SideId(side), number, datetime.fromisoformat(at))
            for deck, side, number, at in kept["decks"]
        ),
        tuple(Stand(name, _exact(points), leads) for name, points, leads in kept["stands"]),
    )


def _turn_to_json(turn: Turn) -> list[Any]:
    number, points, *counts, time, absent = astuple(turn)
    return [number, _exact_to_json(points), *counts, None if time is None else time / timedelta(microseconds=1), absent]


def _turn(kept: list[Any]) -> Turn:
    number, points, lake, left, called, won, time, absent = kept
    played = None if time is None else timedelta(microseconds=time)
    return Turn(number, _exact(points), lake, left, called, won, played, absent)


def _exact_to_json(points: Points) -> int | str:
    return str(points) if isinstance(points, Fraction) else points


def _exact(kept: int | str) -> Points:
    return Fraction(kept) if isinstance(kept, str) else kept
