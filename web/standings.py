"""A game as the board shows it: places, distances and the table of hands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorekeeper.rules.game import Game
from scorekeeper.rules.scoring import Hand, Points, Side, Tally


@dataclass(frozen=True, slots=True)
class Standing:
    """One side's line of the board."""

    side: Side
    place: int
    """1 for the leader; level sides share a place."""
    total: Points
    to_go: Points
    """Points still missing to the target; 0 or less when reached."""
    last: Points | None
    """Points of the last hand; None before the first."""
    calls: int
    wins: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """One side's part of one hand."""

    tally: Tally
    points: Points
    called: bool
    adjusted: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One hand of the table; cells stand in the order of the sides."""

    number: int
    cells: tuple[Cell, ...]


def standings(game: Game) -> list[Standing]:
    """Every side, best first."""
    return list(_standings(game))


def _standings(game: Game) -> Iterator[Standing]:
    totals, calls = game.totals, game.calls
    last = game.hands[-1].points(game.rules) if game.hands else {}
    level = [(-totals[side.id], -calls[side.id]) for side in game.ranking]
    for side, rank in zip(game.ranking, level, strict=True):
        total = totals[side.id]
        yield Standing(
            side=side,
            place=level.index(rank) + 1,
            total=total,
            to_go=game.rules.target - total,
            last=last.get(side.id),
            calls=calls[side.id],
            wins=side.id == game.winner,
        )


def lines(game: Game) -> list[Line]:
    """The table of hands, the latest first."""
    return [line(game, number) for number in range(len(game.hands), 0, -1)]


def line(game: Game, number: int) -> Line:
    """Hand *number*, counted from 1."""
    hand = game.hands[number - 1]
    points = hand.points(game.rules)
    tallies = {tally.side: tally for tally in hand.tallies}
    return Line(number, tuple(_cell(hand, tallies[side.id], points[side.id]) for side in game.sides))


def _cell(hand: Hand, tally: Tally, points: Points) -> Cell:
    adjusted = any(each.side == tally.side for each in hand.adjustments)
    return Cell(tally, points, tally.side in hand.callers, adjusted)


def news(game: Game) -> str:
    """What a screen reader says when the board changes: the last hand, then the verdict."""
    if not game.hands:
        return game.verdict
    last = line(game, len(game.hands))
    caller = [side.name for side, cell in zip(game.sides, last.cells, strict=True) if cell.called]
    call = f", Nertz by {' and '.join(caller)}" if caller else ""
    return f"Hand {last.number}{call}. {game.verdict}"
