"""The league: what everybody has won over all evenings, person by person and evening by evening."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from scorekeeper.rules.points import Points
from scorekeeper.rules.statistics import Figures, Part, figures_of


class Order(StrEnum):
    """What decides who is ahead; the others decide where that is level."""

    WON = "won"
    POINTS = "points"
    AVERAGE = "average"


@dataclass(frozen=True, slots=True)
class Meeting:
    """One game of one evening."""

    day: date
    """The day on which the evening began."""
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One person of the league."""

    place: int
    """Counted from 1; who is level shares a place."""
    name: str
    won: int
    """Games won, alone or with a side."""
    games: int
    """Games with a hand of theirs."""
    evenings: int
    since: date
    """Their first evening."""
    figures: Figures

    @property
    def points(self) -> Points:
        """Points of all their hands, starting scores left out."""
        return self.figures.points


@dataclass(frozen=True, slots=True)
class Evening:
    """What was played on one evening."""

    day: date
    games: int
    rows: tuple[Row, ...]
    """Everybody of that evening, best first."""


def league(meetings: Iterable[Meeting], order: Order = Order.WON) -> list[Row]:
    """Everybody who played a hand to its end, best first."""
    found: dict[str, list[tuple[date, Part]]] = {}
    for meeting in meetings:
        for part in meeting.parts:
            if part.played:
                found.setdefault(part.key, []).append((meeting.day, part))
    rows = sorted((_row(theirs) for theirs in found.values()), key=lambda row: row.name.casefold())
    return _placed(sorted(rows, key=lambda row: _merit(row, order), reverse=True), order)


def evenings(meetings: Iterable[Meeting], order: Order = Order.WON) -> list[Evening]:
    """Every evening with a hand, the latest first."""
    days: dict[date, list[Meeting]] = {}
    for meeting in meetings:
        if any(part.played for part in meeting.parts):
            days.setdefault(meeting.day, []).append(meeting)
    return [Evening(day, len(days[day]), tuple(league(days[day], order))) for day in sorted(days, reverse=True)]


def _row(theirs: Sequence[tuple[date, Part]]) -> Row:
    days = [day for day, _part in theirs]
    [(name, figures)] = figures_of(part for _day, part in theirs).items()
    won = sum(part.won for _day, part in theirs)
    return Row(0, name, won, len(theirs), len(set(days)), min(days), figures)


def _merit(row: Row, order: Order) -> tuple[Points | float, ...]:
    """What a person has come to, the deciding number first."""
    average = row.figures.average or 0.0
    if order is Order.POINTS:
        return row.points, row.won
    return (average, row.won) if order is Order.AVERAGE else (row.won, row.points)


def _placed(rows: Sequence[Row], order: Order) -> list[Row]:
    merits = [_merit(row, order) for row in rows]
    places = [merits.index(merit) + 1 for merit in merits]
    return [replace(row, place=place) for place, row in zip(places, rows, strict=True)]
