"""A table and its games: phones, television, player code and seats go along when one game follows another."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from scorekeeper.labels import change_label
from scorekeeper.rules.house import Rules
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import make_sides
from web.tables import Tables


@pytest.fixture
def tables(book) -> Tables:
    return Tables(book.shelf)


@pytest.fixture
def code(client, game_id) -> str:
    """The player code, as the scorekeeper finds it on the page Join."""
    return shown_code(client, game_id)


def shown_code(client, game_id) -> str:
    return re.search(r'class="player-code">(\w+)<', client.get(f"/g/{game_id}/join").text)[1]


def joined(app, game_id, code, side):
    phone = app.test_client()
    assert phone.post(f"/g/{game_id}/play/join", data={"code": code, "side": side}).status_code == 303
    return phone


def rematch(client, game_id, tap="again") -> str:
    answer = client.post(f"/g/{game_id}/rematch", data={"request_id": tap})
    assert answer.status_code == 303
    return answer.location.rpartition("/")[2]


def test_a_game_that_nothing_follows_is_a_table_by_itself(tables):
    assert tables.table("tavokimu") == tables.newest("tavokimu") == "tavokimu"


def test_a_table_plays_one_game_after_the_other(tables):
    tables.go_on("first", "second")
    tables.go_on("second", "third")
    assert [tables.table(game) for game in ("first", "second", "third")] == ["first"] * 3
    assert [tables.newest(game) for game in ("first", "second", "third")] == ["third"] * 3


def test_the_same_game_follows_once_only(tables):
    for _ in range(2):
        tables.go_on("first", "second")
    tables.go_on("second", "third")
    tables.go_on("first", "second")
    assert tables.newest("first") == "third"


def test_two_rematches_of_one_game_are_played_one_after_the_other(tables):
    tables.go_on("first", "second")
    tables.go_on("first", "other")
    assert tables.newest("first") == tables.newest("second") == "other"


def test_a_game_that_was_started_by_mistake_and_deleted_is_followed_by_nobody(tables, book):
    tables.go_on("first", "mistake")
    change_label(book.shelf, "mistake", lambda label: replace(label, deleted=True))
    assert tables.newest("first") == "first"
    tables.go_on("first", "third")
    assert tables.newest("first") == tables.newest("mistake") == "third"


def test_a_rematch_has_the_players_code_and_their_seats(app, client, game_id, code):
    amy = joined(app, game_id, code, "amy")
    again = rematch(client, game_id)
    assert shown_code(client, again) == code
    assert "This phone plays for Amy" in amy.get(f"/g/{again}/play").text
    tap = {"did": "ready", "hand": "1", "request_id": "r"}
    assert amy.post(f"/g/{again}/play", data=tap).status_code == 303
    assert "amy" in app.extensions["scorekeeper"].book.game(again).live.ready


def test_a_new_code_or_a_phone_sent_away_counts_for_the_whole_table(app, client, game_id, code):
    amy = joined(app, game_id, code, "amy")
    again = rematch(client, game_id)
    client.post(f"/g/{again}/players", data={"action": "renew"})
    assert shown_code(client, again) == shown_code(client, game_id) != code
    for game in (game_id, again):
        assert amy.post(f"/g/{game}/play", data={"did": "ready", "hand": "1", "request_id": "r"}).status_code == 403


def test_who_stops_playing_stops_in_every_game_of_the_table(app, client, game_id, code):
    amy = joined(app, game_id, code, "amy")
    again = rematch(client, game_id)
    amy.post(f"/g/{again}/play/leave")
    assert "This phone plays for" not in amy.get(f"/g/{again}/play").text
    assert "This phone plays for" not in amy.get(f"/g/{game_id}/play").text


def test_a_seat_of_a_side_that_does_not_play_now_is_asked_for_another(app, client, book, game_id, code):
    amy = joined(app, game_id, code, "amy")
    fields = {"request_id": "other", "name": ["Cleo", "Dan"], "action": "start", "after": game_id}
    started = client.post("/start", data=fields)
    other = re.search(r"/g/(\w+)/", started.location)[1]
    assert shown_code(client, other) == code
    page = amy.get(f"/g/{other}/play")
    assert page.status_code == 200
    assert "Which side are you?" in page.text
    joined(app, other, code, "cleo")


def test_a_game_that_is_not_to_follow_has_a_code_of_its_own(client, game_id, code):
    started = client.post("/start", data={"request_id": "other", "name": ["Cleo", "Dan"], "action": "start"})
    assert shown_code(client, re.search(r"/g/(\w+)/", started.location)[1]) != code


def test_the_page_that_starts_a_game_offers_to_take_the_phones_of_this_evening_along(client, game_id):
    assert f'name="after" value="{game_id}">' in client.get("/start").text, "it goes on: another table may start"
    assert f'name="after" value="{game_id}" checked' in client.get(f"/start?after={game_id}").text
    fields = {"request_id": "other", "name": ["Cleo", "Dan"], "action": "show"}
    assert f'name="after" value="{game_id}">' in client.post("/start", data=fields).text


def test_a_television_shows_the_newest_game_of_its_table(client, watcher, game_id):
    again = rematch(client, game_id)
    assert watcher.get(f"/g/{game_id}?tv=1").location == f"/g/{again}?tv=1"
    assert watcher.get(f"/g/{again}?tv=1").status_code == 200


def test_the_board_of_a_finished_game_stays_and_leads_to_the_next(client, watcher, game_id):
    again = rematch(client, game_id)
    page = watcher.get(f"/g/{game_id}").text
    assert f'data-next="{again}"' in page
    assert f'href="/g/{again}">The next game has begun' in page


def test_a_page_that_asks_for_news_hears_of_the_next_game(client, watcher, book, game_id):
    again = rematch(client, game_id)
    for part in ("board", "referee/now", "overlay/now"):
        answer = watcher.get(f"/g/{game_id}/{part}?seen={book.version(game_id)}")
        assert (answer.status_code, answer.headers["X-Next-Game"]) == (204, again)
    assert "X-Next-Game" not in watcher.get(f"/g/{again}/board").headers


@pytest.mark.browser
def test_phones_television_and_overlay_follow_the_rematch_by_themselves(phone, book):
    old = book.start_game(make_sides(["Amy", "Ben"]), Rules(target=20), request_id="short")
    keeper = phone(f"/g/{old}/join", keeper=True)
    code = keeper.locator(".player-code").inner_text()
    ben = phone(f"/g/{old}/play?code={code}")
    ben.locator(".pick:has([value='ben'])").click()
    ben.locator("button.primary").click()
    expect(ben.locator("#play-now")).to_be_visible()
    watcher, television, strip = phone(f"/g/{old}"), phone(f"/g/{old}?tv=1"), phone(f"/g/{old}/overlay")
    book.record_hand(old, parse_hand("amy 30/0! ben 9/3"), request_id="h", confirm_doubts=True)
    expect(watcher.locator(".verdict h1")).to_contain_text("Amy wins")
    keeper.goto(f"/g/{old}/rematch")
    keeper.get_by_role("button", name="Start the rematch").click()
    keeper.wait_for_url(lambda url: not url.endswith("/rematch"))
    again = keeper.url.rpartition("/")[2]
    watcher.wait_for_url(f"**/g/{again}")
    television.wait_for_url(f"**/g/{again}?tv=1")
    strip.wait_for_url(f"**/g/{again}/overlay")
    ben.wait_for_url(f"**/g/{again}/play")
    expect(ben.get_by_text("This phone plays for Ben")).to_be_visible()
    watcher.goto(f"/g/{old}")
    expect(watcher.get_by_role("link", name="The next game has begun")).to_be_visible()
    assert watcher.url.endswith(old)


def put(client, game_id, action) -> None:
    assert client.post(f"/g/{game_id}/label", data={"action": action}).status_code == 303


def test_a_table_whose_newest_game_is_deleted_plays_the_one_before(tables, client, game_id):
    again = rematch(client, game_id)
    put(client, again, "delete")
    assert tables.now(game_id) == tables.now(again) == (game_id, True)
    put(client, game_id, "delete")
    assert tables.now(again) == (again, False)
    put(client, again, "restore")
    assert tables.now(game_id) == (again, True)


def test_a_deleted_game_leads_to_the_one_that_is_left(client, watcher, book, game_id):
    again = rematch(client, game_id)
    put(client, again, "delete")
    page = watcher.get(f"/g/{again}").text
    assert f'data-next="{game_id}"' in page
    assert f'href="/g/{game_id}">To the game of this table' in page
    assert "The next game has begun" not in page
    assert watcher.get(f"/g/{again}?tv=1").location == f"/g/{game_id}?tv=1"
    answer = watcher.get(f"/g/{again}/board?seen={book.version(again)}")
    assert (answer.headers["X-Next-Game"], "X-Game-Deleted" in answer.headers) == (game_id, False)


def test_the_only_game_of_a_table_says_that_it_was_deleted(client, watcher, game_id):
    put(client, game_id, "delete")
    promise = "As soon as the table plays another, this page goes there by itself."
    for page in ("", "/referee"):
        assert promise in watcher.get(f"/g/{game_id}{page}").text
    assert promise not in watcher.get(f"/g/{game_id}/history").text
    assert watcher.get(f"/g/{game_id}/board").headers["X-Game-Deleted"] == "yes"
    assert 'value="restore">Undo' in client.get(f"/g/{game_id}").text
    assert 'value="restore"' not in watcher.get(f"/g/{game_id}").text


def test_the_phones_of_a_deleted_game_are_offered_to_the_next(client, game_id):
    assert f'name="after" value="{game_id}">' in client.get("/start").text
    put(client, game_id, "delete")
    assert f'name="after" value="{game_id}" checked' in client.get("/start").text


@pytest.mark.browser
def test_screens_leave_a_deleted_game_by_themselves_and_come_back_with_it(phone, client, game_id):
    keeper = phone(f"/g/{game_id}/join", keeper=True)
    ben = phone(f"/g/{game_id}/play?code={keeper.locator('.player-code').inner_text()}")
    ben.locator(".pick:has([value='ben'])").click()
    ben.locator("button.primary").click()
    again = rematch(client, game_id)
    television, strip = phone(f"/g/{game_id}?tv=1"), phone(f"/g/{again}/overlay")
    ben.wait_for_url(f"**/g/{again}/play")
    put(client, again, "delete")
    ben.wait_for_url(f"**/g/{game_id}/play")
    television.wait_for_url(f"**/g/{game_id}?tv=1")
    strip.wait_for_url(f"**/g/{game_id}/overlay")
    put(client, again, "restore")
    ben.wait_for_url(f"**/g/{again}/play")
    television.wait_for_url(f"**/g/{again}?tv=1")
    strip.wait_for_url(f"**/g/{again}/overlay")


@pytest.mark.browser
def test_screens_without_a_game_say_so_until_there_is_one(phone, client, game_id):
    gone = "This game was deleted"
    watcher, television, strip = (phone(f"/g/{game_id}{page}") for page in ("", "?tv=1", "/overlay"))
    put(client, game_id, "delete")
    expect(watcher.get_by_text(gone)).to_be_visible()
    expect(television.get_by_text(gone)).to_be_visible()
    expect(strip.locator(".strip")).to_be_hidden()
    put(client, game_id, "restore")
    expect(watcher.get_by_text(gone)).to_be_hidden()
    expect(strip.locator(".strip")).to_be_visible()
    put(client, game_id, "delete")
    expect(watcher.get_by_text(gone)).to_be_visible()
    fields = {"request_id": "next", "name": ["Cleo", "Dan"], "action": "start", "after": game_id}
    started = re.search(r"/g/(\w+)/", client.post("/start", data=fields).location)[1]
    watcher.wait_for_url(f"**/g/{started}")
    television.wait_for_url(f"**/g/{started}?tv=1")
    strip.wait_for_url(f"**/g/{started}/overlay")
