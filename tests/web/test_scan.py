"""The live scan on paper: who may act on what, and how its counts come into the hand."""

from __future__ import annotations

import html
import io
import re
from dataclasses import replace

import pytest

from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.said import say
from scorekeeper.watch import Phase, Solved
from scorekeeper.watch.lessons import FOLDER, Lessons


@pytest.fixture
def table(client, game_id, photo):
    """Amy's red and Ben's blue deck are known to the eye."""
    for side in ("amy", "ben"):
        data = {"request_id": side, "pictures": (io.BytesIO(photo), "back.jpg")}
        assert client.post(f"/g/{game_id}/decks/{side}", data=data).status_code == 303
    return game_id


@pytest.fixture
def tap(client, table, eye):
    """Taps a button of a screen that shows the scan as it is now, or as it was at *number*."""

    def tap(act, phone=client, number=None):
        data = {"act": act, "live": "1", "number": str(eye.scanning.number if number is None else number)}
        return phone.post(f"/g/{table}/scan", data=data)

    return tap


def state(phone, game, seen=""):
    return phone.get(f"/g/{game}/scan/state?seen={seen}")


def test_a_scan_is_ordered_for_this_hand_with_all_that_is_known(client, book, eye, table, tap):
    client.post(f"/g/{table}/hand/draft", data={"version": book.version(table), "total": "24", "left.ben": "4"})
    assert tap("start").json["phase"] == "waiting"
    (order,) = eye.ordered
    assert order.owner == f"{table}/1"
    assert order.total == 24
    assert order.most == {"red": 52, "blue": 48}
    assert set(order.decks) == set(order.looks) == {"red", "blue"}


def test_both_screens_see_one_scan(client, other_client, eye, table, tap):
    tap("start")
    eye.sees("red", "red", "blue")
    first, second = (state(phone, table).json for phone in (client, other_client))
    assert first == second
    assert first["phase"] == "locked"
    assert first["marks"].count('class="shape') == 3
    assert "Amy 2, Ben 1" in first["spoken"]
    tap("start", other_client)
    assert len(eye.ordered) == 1, "a scan that runs is not begun anew"


def test_a_scan_that_did_not_change_is_not_sent_again(client, eye, table, tap):
    tap("start")
    eye.sees("red")
    seen = state(client, table).json["seen"]
    assert state(client, table, seen).status_code == 204
    eye.sees("red", "blue")
    assert state(client, table, seen).status_code == 200


def test_what_is_missing_is_said(client, book, eye, table, tap):
    client.post(f"/g/{table}/hand/draft", data={"version": book.version(table), "total": "3"})
    tap("start")
    for backs, says in ((2, "1 more card to find"), (3, "All cards found"), (5, "2 cards too many")):
        eye.sees(*["red"] * backs)
        assert says in state(client, table).json["now"]


def test_the_counts_come_into_the_hand_as_pictures_do(client, eye, table, tap):
    tap("start")
    eye.sees("red", "red", "blue")
    answer = tap("use").json
    assert answer["go"] == f"/g/{table}/hand#step-spread"
    page = client.get(f"/g/{table}/hand").text
    assert 'name="lake.amy" value="2"' in page
    assert 'name="lake.ben" value="1"' in page
    assert page.count('class="shape back') == 3
    assert eye.scanning.phase is Phase.OFF


def test_batches_are_added_up(client, eye, table, tap):
    tap("start")
    eye.sees("red", "red")
    assert tap("next-batch").json["phase"] == "clear-table"
    eye.sees("blue")
    told = state(client, table).json
    assert told["batches"] == 1
    assert "1 group is put away" in told["now"]
    tap("use")
    assert 'name="lake.amy" value="2"' in client.get(f"/g/{table}/hand").text


def test_two_scorekeepers_bank_a_batch_once(client, other_client, eye, table, tap):
    tap("start")
    eye.sees("red", "red")
    shown = eye.scanning.number
    assert tap("next-batch", number=shown).status_code == 200
    late = tap("next-batch", other_client, number=shown)
    assert late.status_code == 409
    assert "The count has changed" in late.json["trouble"]
    assert late.json["batches"] == 1
    assert eye.scanning.counts == {"red": 2}


def test_two_scorekeepers_use_the_counts_once(client, other_client, book, eye, table, tap):
    tap("start")
    eye.sees("red")
    shown = eye.scanning.number
    first, second = tap("use", number=shown), tap("use", other_client, number=shown)
    assert first.json == second.json
    assert len(book.draft(table)["0"]["looks"]["spread"]["pictures"]) == 1


def test_counts_that_have_changed_are_not_used_unseen(eye, tap):
    tap("start")
    eye.sees("red")
    shown = eye.scanning.number
    eye.sees("red", "blue")
    assert tap("use", number=shown).status_code == 409


def test_a_scan_of_another_game_is_left_alone_until_somebody_starts_here(client, eye, table, tap):
    tap("start")
    eye.scanning = type(eye.scanning)(phase=Phase.LOCKED, owner="elsewhere/3", number=9)
    told = state(client, table).json
    assert told["phase"] == "off"
    assert "counting for another game" in told["now"]
    assert tap("next-batch").status_code == 409
    assert tap("start").json["phase"] == "waiting"


def test_a_scan_of_the_hand_before_is_not_this_hands(client, book, eye, table, tap):
    tap("start")
    eye.sees("red")
    book.record_hand(table, parse_hand("amy 14/0! ben 9/3"), request_id="one")
    assert tap("use").status_code == 409


def test_what_the_eye_waits_for_is_said(client, eye, table, tap):
    tap("start")
    eye.sees("red", phase=Phase.WAITING, why="take the hand out of the picture")
    assert "Take the hand out of the picture." in state(client, table).json["now"]


def test_the_picture_is_never_kept_by_the_browser(client, table, tap):
    for _ in range(2):
        answer = client.get(f"/g/{table}/scan/picture")
        assert answer.mimetype == "image/jpeg"
        assert answer.headers["Cache-Control"] == "no-store"
        tap("start")


def test_everything_is_there_without_javascript(client, eye, table):
    page = client.get(f"/g/{table}/scan").text
    assert "Start counting" in page
    assert client.post(f"/g/{table}/scan", data={"act": "start"}).status_code == 303
    eye.sees("red")
    number = str(eye.scanning.number)
    assert f'name="number" value="{number}"' in client.get(f"/g/{table}/scan").text
    answer = client.post(f"/g/{table}/scan", data={"act": "use", "number": number})
    assert answer.location == f"/g/{table}/hand#step-spread"


def test_a_stale_tap_without_javascript_shows_the_scan_as_it_is(client, eye, table, tap):
    tap("start")
    eye.sees("red")
    answer = client.post(f"/g/{table}/scan", data={"act": "use", "number": "0"})
    assert answer.status_code == 409
    assert "The count has changed" in answer.text
    assert "Use these counts" in answer.text


def test_without_decks_there_is_nothing_to_count(client, game_id):
    assert "No deck is known yet" in client.get(f"/g/{game_id}/scan").text
    answer = client.post(f"/g/{game_id}/scan", data={"act": "start", "live": "1"})
    assert answer.status_code == 422
    assert "photograph the decks first" in answer.json["trouble"]


def test_without_a_camera_pictures_remain(client, eye, table):
    eye.camera = None
    assert "Counting live needs a table camera" in client.get(f"/g/{table}/scan").text
    assert "Count live" not in client.get(f"/g/{table}/hand").text


def test_watchers_can_neither_look_nor_act(watcher, table):
    assert watcher.get(f"/g/{table}/scan").location.startswith("/sign-in")
    assert watcher.post(f"/g/{table}/scan", data={"act": "start"}).status_code == 403


MAYBE = say("a card read as %(deck)r may be of %(other)r", deck="red", other="blue")


@pytest.fixture
def two_readings(eye, tap):
    """Five backs were read, three of them Amy's; nearly as likely two of them are."""
    tap("start")
    eye.sees("red", "red", "red", "blue", "blue")
    likely = Solved({DeckId("red"): 3, DeckId("blue"): 2}, "")
    other = Solved({DeckId("red"): 2, DeckId("blue"): 3}, MAYBE)
    eye.scanning = replace(eye.scanning, solved=likely, runner_up=other)


def lake_fields(page):
    return re.findall(r'name="lake\.(\w+)" value="(\d*)"', page)


@pytest.mark.usefixtures("two_readings")
def test_the_second_reading_is_offered_with_its_reason(client, table):
    for told in (state(client, table).json["now"], client.get(f"/g/{table}/scan").text):
        assert "or: <b>Amy 2, Ben 3</b> – because a card read as &#39;red&#39; may be of &#39;blue&#39;" in told
        assert told.count('class="scan-or"') == 1, "the counts that were read are no other reading"


@pytest.mark.usefixtures("two_readings")
def test_the_second_reading_fills_the_hand_and_the_same_place_takes_it_back(client, table, tap, eye):
    assert tap("use-other").json["go"] == f"/g/{table}/hand#step-spread"
    assert eye.scanning.phase is Phase.OFF
    page = client.get(f"/g/{table}/hand").text
    assert lake_fields(page) == [("amy", "2"), ("ben", "3")]
    assert "These are the counts of the other reading" in page
    assert "Back to what was read" in page
    hidden = re.findall(r'name="((?:look|revision|fix_id)\.spread)" value="([^"]*)"', page)
    client.post(f"/g/{table}/hand/fix/spread", data={"version": "3", "fix": "undo", **dict(hidden)})
    page = client.get(f"/g/{table}/hand").text
    assert lake_fields(page) == [("amy", "3"), ("ben", "2")]
    assert "Back to what was read" not in page


def test_a_reading_that_moves_two_cards_is_taken_back_by_one_tap(client, table, tap, eye):
    tap("start")
    eye.sees("red", "red", "red", "blue")
    eye.scanning = replace(eye.scanning, runner_up=Solved({DeckId("red"): 1, DeckId("blue"): 3}, MAYBE))
    tap("use-other")
    page = client.get(f"/g/{table}/hand").text
    assert lake_fields(page) == [("amy", "1"), ("ben", "3")]
    hidden = re.findall(r'name="((?:look|revision|fix_id)\.spread)" value="([^"]*)"', page)
    client.post(f"/g/{table}/hand/fix/spread", data={"version": "3", "fix": "undo", **dict(hidden)})
    assert lake_fields(client.get(f"/g/{table}/hand").text) == [("amy", "3"), ("ben", "1")]


@pytest.mark.usefixtures("two_readings")
def test_the_counts_that_were_read_are_used_all_the_same(client, table, tap):
    tap("use")
    page = client.get(f"/g/{table}/hand").text
    assert lake_fields(page) == [("amy", "3"), ("ben", "2")]
    assert "Back to what was read" not in page


def test_a_likelier_reading_than_the_cards_one_by_one_is_offered_too(client, eye, table, tap):
    tap("start")
    eye.sees("red", "red", "blue")
    eye.scanning = replace(eye.scanning, solved=Solved({DeckId("red"): 1, DeckId("blue"): 2}, "a reason of the checks"))
    told = state(client, table).json["now"]
    assert "or: <b>Amy 1, Ben 2</b> – because a reason of the checks" in told
    assert told.count("a reason of the checks") == 1
    tap("use-likelier")
    assert lake_fields(client.get(f"/g/{table}/hand").text) == [("amy", "1"), ("ben", "2")]


@pytest.mark.usefixtures("two_readings")
def test_nothing_else_is_offered_while_the_eye_waits(client, table, eye):
    eye.scanning = replace(eye.scanning, phase=Phase.WAITING, number=eye.scanning.number + 1)
    assert "scan-or" not in state(client, table).json["now"]


@pytest.mark.usefixtures("two_readings")
def test_the_second_reading_is_taken_without_javascript(client, table, eye):
    page = client.get(f"/g/{table}/scan").text
    assert '<button class="button" form="scan-acts" name="act" value="use-other">' in page
    answer = client.post(f"/g/{table}/scan", data={"act": "use-other", "number": str(eye.scanning.number)})
    assert answer.location == f"/g/{table}/hand#step-spread"
    assert lake_fields(client.get(answer.location).text) == [("amy", "2"), ("ben", "3")]


@pytest.mark.usefixtures("two_readings")
def test_an_old_screen_takes_no_reading(client, table, tap, eye):
    shown = eye.scanning.number
    assert tap("use-likelier").status_code == 409, "there is none"
    eye.sees("red")
    assert tap("use-other", number=shown).status_code == 409
    assert lake_fields(client.get(f"/g/{table}/hand").text) == [("amy", ""), ("ben", "")]


@pytest.mark.usefixtures("two_readings")
def test_the_second_reading_is_told_in_german(client, table):
    told = html.unescape(client.get(f"/g/{table}/scan", headers={"Accept-Language": "de"}).text)
    assert "oder: <b>Amy 2, Ben 3</b> – denn eine als 'red' gelesene Karte kann von 'blue' sein" in told


@pytest.mark.usefixtures("two_readings")
def test_a_reading_taken_for_its_counts_teaches_the_eye_nothing(client, book, table, tap, hand, settings):
    client.post(f"/g/{table}/hand/keep", data={"keep_corrected": "1"})
    tap("use-other")
    answer = client.post(f"/g/{table}/hand", data=hand("amy 2/0! ben 3/4", version=book.version(table)))
    assert answer.status_code == 303
    lessons = Lessons(settings.data_dir / FOLDER)
    assert (lessons.agreed, lessons.count) == (True, 0)
