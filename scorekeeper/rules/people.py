"""Who does what in the next hand: Nertz pile and Stream within a team, seats around the table, new partners."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Alternation
from scorekeeper.rules.sides import Side, SideId


@dataclass(frozen=True, slots=True)
class Duties:
    """Who holds what in one team in the next hand (rules B11)."""

    nertz: str
    """Plays the Nertz pile."""
    stream: str
    """Plays the Stream."""
    helper: str | None
    """The third of a team of three; the three take turns (rules L)."""
    shuffles: str
    """Shuffles before the hand; partners alternate (rules J4)."""


def duties(game: Game) -> dict[SideId, Duties]:
    """The duties of each team in the next hand; empty where the house rules know no turns."""
    if game.rules.play.alternation is Alternation.OFF:
        return {}
    teams = [side for side in game.next_sides if len(side.members) > 1]
    return {side.id: _duties(side, _turns(game, side)) for side in teams}


def _duties(side: Side, turn: int) -> Duties:
    """The members in the order of this turn: first the Nertz pile, then the Stream."""
    first = turn % len(side.members)
    nertz, stream, *rest = (*side.members[first:], *side.members[:first])
    return Duties(nertz, stream, rest[0] if rest else None, stream)


def _turns(game: Game, side: Side) -> int:
    """How many hands these partners have played together."""
    return sum((side.id, side.members) in [(each.id, each.members) for each in played.sides] for played in game.played)


def seat_order(game: Game) -> tuple[Side, ...]:
    """The sides around the table in the next hand, each one seat further than before where seats rotate (rules A13)."""
    sides, moved = game.playing, seats_moved(game)
    return (*sides[len(sides) - moved :], *sides[: len(sides) - moved])


def seats_moved(game: Game) -> int:
    """How many seats everybody has moved along since the first hand, where seats rotate."""
    return len(game.played) % len(game.playing) if game.rules.play.rotate_seats else 0


def rematch_sides(game: Game, late: Collection[SideId] = ()) -> tuple[Side, ...]:
    """The sides of another game at this table, everybody one seat further; who came *late* starts at 0 this time."""
    moved = (*game.playing[-1:], *game.playing[:-1])
    return tuple(replace(side, handicap=replace(side.handicap, start=0)) if side.id in late else side for side in moved)


def propose_partners(game: Game) -> tuple[tuple[SideId, tuple[str, ...]], ...]:
    """New partners for the next hand, so that in time everybody plays with everybody (rules A5).

    One person stays, all others move on by one around a ring; empty with fewer than two teams of two.
    """
    teams = [side for side in game.playing if len(side.members) == 2]
    if len(teams) < 2:
        return ()
    ring = [side.members[0] for side in teams] + [side.members[1] for side in reversed(teams)]
    turned = [ring[0], ring[-1], *ring[1:-1]]
    return tuple((side.id, (turned[at], turned[-1 - at])) for at, side in enumerate(teams))
