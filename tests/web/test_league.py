"""The page of the league: by person, since when, and without what was deleted."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from scorekeeper.rules.house import Rules
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import make_sides
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import open_log
from web import create_app
from web.league import evening_of


@pytest.fixture
def days(settings):
    """Two evenings: Amy beats Ben in May, and Ben beats Cleo in June."""
    now = [datetime(2026, 5, 30, 18, tzinfo=UTC)]
    log = open_log(settings.url)
    book = Scorebook(log, clock=lambda: now[0])
    play(book, ["Amy", "Ben"], "amy 12/0! ben 9/3")
    now[0] = datetime(2026, 6, 6, 18, tzinfo=UTC)
    play(book, ["Ben", "Cleo"], "ben 11/0! cleo 9/3")
    yield create_app(book, None, settings).test_client()
    log.close()


def play(book, names, hand):
    game = book.start_game(make_sides(names), Rules(target=10), request_id=" ".join(names))
    book.record_hand(game, parse_hand(hand), request_id="1", confirm_doubts=True)


def ranked(page: str) -> list[str]:
    return re.findall(r'<bdi class="name">(\w+)</bdi>', page)


def test_nobody_is_in_the_league_of_a_new_table(watcher):
    assert "Nobody has played a hand here yet." in watcher.get("/league").text


def test_the_league_counts_every_evening(days):
    page = days.get("/league").text
    assert ranked(page) == ["Ben", "Amy", "Cleo"]
    assert "2 games" in page
    assert "since 30 May 2026" in page
    assert page.index("6 Jun 2026") < page.rindex("30 May 2026")


def test_the_league_counts_since_a_day(days):
    assert ranked(days.get("/league?since=2026-06-01").text) == ["Ben", "Cleo"]
    assert "Nobody has played a hand in that time." in days.get("/league?since=2026-07-01").text


def test_a_day_that_is_none_is_said_beside_its_field(days):
    page = days.get("/league?since=yesterday").text
    assert "&#39;yesterday&#39; is no date" in page
    assert ranked(page) == ["Ben", "Amy", "Cleo"]


def test_the_league_in_another_order(days):
    assert ranked(days.get("/league?by=average").text) == ["Amy", "Ben", "Cleo"]
    assert ranked(days.get("/league?by=nonsense").text) == ["Ben", "Amy", "Cleo"]


def test_a_deleted_game_is_no_part_of_the_league_and_a_hidden_one_is(client, watcher, book):
    play(book, ["Amy", "Ben"], "amy 12/0! ben 9/3")
    [game] = book.games()
    client.post(f"/g/{game.id}/label", data={"action": "hide"})
    assert ranked(watcher.get("/league").text) == ["Amy", "Ben"]
    client.post(f"/g/{game.id}/label", data={"action": "delete"})
    assert ranked(watcher.get("/league").text) == []


def test_a_game_after_midnight_belongs_to_the_evening_before():
    here = datetime(2026, 6, 7, 1, 30).astimezone()
    assert evening_of(here).isoformat() == "2026-06-06"
    assert evening_of(here.replace(hour=12)).isoformat() == "2026-06-07"
