"""The league: games won and points of everybody, over all evenings."""

from __future__ import annotations

from datetime import date

import pytest

from scorekeeper.rules.league import Meeting, Order, evenings, league
from scorekeeper.rules.statistics import Part, Turn

MAY, JUNE = date(2026, 5, 30), date(2026, 6, 6)


def part(name, *points, won=False, played=True):
    turns = tuple(Turn(number, each, None, None, False, False, None) for number, each in enumerate(points, 1))
    return Part(name, turns, played, won)


GAMES = [
    Meeting(MAY, (part("Amy", 20, 30, won=True), part("Ben", 9, 11))),
    Meeting(MAY, (part("amy", 5), part("Ben", 40, won=True))),
    Meeting(JUNE, (part("Ben", 30, won=True), part("Cleo", 29, 29, 29))),
]


def test_a_league_without_games_is_empty():
    assert league([]) == evenings([]) == []


@pytest.mark.parametrize(
    ("order", "names"),
    [
        pytest.param(Order.WON, ["Ben", "Amy", "Cleo"], id="games won"),
        pytest.param(Order.POINTS, ["Ben", "Cleo", "Amy"], id="90, 87 and 55 points"),
        pytest.param(Order.AVERAGE, ["Cleo", "Ben", "Amy"], id="29, 22.5 and 18.3 points a hand"),
    ],
)
def test_who_is_ahead(order, names):
    assert [row.name for row in league(GAMES, order)] == names


def test_what_one_person_has_come_to_whatever_the_capitals():
    amy = next(row for row in league(GAMES) if row.name == "Amy")
    assert (amy.won, amy.games, amy.points, amy.evenings, amy.since) == (1, 2, 55, 1, MAY)


def test_who_is_level_shares_a_place():
    level = Meeting(MAY, (part("Amy", 5), part("Ben", 5), part("Cleo", 4)))
    assert [(row.place, row.name) for row in league([level])] == [(1, "Amy"), (1, "Ben"), (3, "Cleo")]


def test_who_only_has_a_penalty_of_a_game_did_not_play_it():
    assert [row.name for row in league([Meeting(MAY, (part("Amy", 5), part("Ben", -5, played=False)))])] == ["Amy"]


def test_evenings_come_one_by_one_the_latest_first():
    found = evenings(GAMES)
    assert [(evening.day, evening.games) for evening in found] == [(JUNE, 1), (MAY, 2)]
    assert [(row.name, row.points, row.won) for row in found[1].rows] == [("Ben", 60, 1), ("Amy", 55, 1)]
