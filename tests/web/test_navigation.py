"""The way through the pages of a game: under the thumb on a phone, at the head of a laptop, and back again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from scorekeeper.rules.house import Rules
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import make_sides

NEAR = ["Board", "Hand", "Referee", "Join", "More"]


def hrefs(page: str) -> set[str]:
    return set(re.findall(r'href="([^"]+)"', page))


def test_more_leads_to_every_page_of_the_game(client, game_id):
    ways = hrefs(client.get(f"/g/{game_id}/more").text)
    for page in (
        "sides",
        "rules",
        "history",
        "statistics",
        "sheet",
        "guide",
        "play",
        "decks",
        "camera",
        "audit",
        "rematch",
    ):
        assert f"/g/{game_id}/{page}" in ways
    assert {"/", "/people", f"/g/{game_id}?tv=1", f"/start?after={game_id}"} <= ways


def test_more_offers_a_watcher_nothing_that_it_may_not_open(watcher, game_id):
    for way in hrefs(watcher.get(f"/g/{game_id}/more").text) - {"/sign-in"}:
        if way.startswith("/") and not way.startswith(("/static", "/sign-in")):
            assert watcher.get(way).status_code == 200, way


def test_the_hand_is_the_scorekeepers_for_the_scorekeeper_and_the_own_one_for_everybody_else(client, watcher, game_id):
    assert f"/g/{game_id}/hand" in hrefs(client.get(f"/g/{game_id}/join").text)
    assert f"/g/{game_id}/play" in hrefs(watcher.get(f"/g/{game_id}/join").text)


def test_the_board_asks_who_watches_to_play_and_a_player_to_the_own_hand(client, watcher, app, book, game_id):
    assert ">I play</a>" in watcher.get(f"/g/{game_id}").text
    assert ">I play</a>" not in client.get(f"/g/{game_id}").text
    code = app.extensions["scorekeeper"].players.code(game_id)
    watcher.post(f"/g/{game_id}/play/join", data={"code": code, "side": "amy"})
    assert ">My hand, Amy</a>" in watcher.get(f"/g/{game_id}").text
    over = book.start_game(make_sides(["Cleo", "Dan"]), Rules(target=10), request_id="over")
    book.record_hand(over, parse_hand("cleo 12/0! dan 9/3"), request_id="1")
    assert ">I play</a>" not in watcher.get(f"/g/{over}").text


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844)])
def test_five_ways_lie_at_the_foot_of_a_phone_and_each_leads_there(phone, game_id, width, height):
    page = phone(f"/g/{game_id}", keeper=True, viewport={"width": width, "height": height})
    for name in [*NEAR[1:], NEAR[0]]:
        tabs = page.locator(".tabs a:visible")
        expect(tabs).to_have_count(len(NEAR))
        assert all(height - 60 <= tab.bounding_box()["y"] <= height - 44 for tab in tabs.all())
        tabs.filter(has_text=name).click()
        expect(page.locator(".tabs [aria-current]")).to_have_text(name)


@pytest.mark.browser
def test_what_is_recorded_lies_above_the_foot_and_the_number_pad_takes_its_place(phone, typed_phone_game):
    page, game_id = typed_phone_game
    page.goto(f"/g/{game_id}/hand")
    record, tabs = page.locator(".confirm"), page.locator(".tabs")
    if tabs.is_visible():
        assert record.bounding_box()["y"] + record.bounding_box()["height"] <= tabs.bounding_box()["y"] + 1
    page.locator("#lake-0").tap()
    expect(page.locator("#pad")).to_be_visible()
    expect(tabs).to_be_hidden()


@pytest.mark.browser
def test_a_refused_number_and_its_reason_lie_above_the_bar(phone, book):
    names = ["Amy", "Ben", "Cleo", "Dan", "Eve", "Fay"]
    game = book.start_game(make_sides(names), Rules(), request_id="start")
    book.shelf.change("table", "way", lambda _before: "typed", str)
    page = phone(f"/g/{game}/hand", keeper=True)
    for number in range(len(names)):
        page.locator(f"#lake-{number}").fill("99" if number == 5 else "9")
        page.locator(f"#left-{number}").fill("3")
    page.get_by_role("button", name="Record hand 1").click()
    expect(page.locator("#lake-5")).to_be_focused()
    bar, reason = page.locator(".confirm").bounding_box(), page.locator("#fault-lake-5").bounding_box()
    assert reason["y"] + reason["height"] <= bar["y"]


@pytest.fixture
def typed_phone_game(phone, game_id, book):
    """A phone at a table that types."""
    book.shelf.change("table", "way", lambda _before: "typed", str)
    return phone(f"/g/{game_id}", keeper=True, has_touch=True), game_id


@pytest.mark.browser
def test_all_ways_lie_at_the_head_of_a_laptop(phone, game_id):
    page = phone(f"/g/{game_id}", viewport={"width": 1280, "height": 800})
    shown = page.locator(".tabs a:visible").all_inner_texts()
    assert [text.strip() for text in shown] == [
        "Board",
        "Hand",
        "Referee",
        "Join",
        "Rules",
        "Sides",
        "History",
        "Guide",
        "More",
    ]
