"""Pictures that come late or twice: each counts once, for its own hand, and what was typed meanwhile stays."""

from __future__ import annotations

import re
from io import BytesIO

import pytest

from scorekeeper.rules.notation import parse_hand
from scorekeeper.watch import Condition


@pytest.fixture
def known_decks(book, game_id):
    """The eye knows both decks."""
    for side, deck in (("amy", "red"), ("ben", "blue")):
        book.enrol_deck(game_id, side, deck, ["a signature"], request_id=f"deck {side}")


@pytest.fixture
def sends(client, game_id, photo):
    """A picture as a phone sends it: ``sends("spread", picture_id="one")``."""

    def send(step: str, address: str = "", **fields: str):
        data = {"version": "1", "hand": "1", **fields, step: (BytesIO(photo), "a.jpg")}
        headers = {"HX-Request": "true"}
        return client.post(f"/g/{game_id}/hand/{address or step}", data=data, headers=headers)

    return send


def numbers(client, game_id) -> dict[str, str]:
    page = client.get(f"/g/{game_id}/hand").text
    return dict(re.findall(r'name="((?:lake|left)\.\w+|total)" value="(\d*)"', page))


def test_a_batch_whose_answer_was_lost_is_counted_once(client, game_id, known_decks, sends):
    answers = [sends("spread", picture_id="one") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert all('name="lake.amy" value="10"' in answer.text for answer in answers)
    sends("spread", picture_id="two")
    assert numbers(client, game_id)["lake.ben"] == "28"


def test_a_picture_that_comes_twice_takes_no_correction_back(client, game_id, sends, tap):
    page = sends("lake", picture_id="one").text
    client.post(f"/g/{game_id}/hand/fix/lake", data=tap(page, "gone", card="1", step="lake"))
    assert numbers(client, game_id)["total"] == "17"
    assert 'name="total" value="17"' in sends("lake", picture_id="one", late="1").text
    assert numbers(client, game_id)["total"] == "17"


def test_a_late_picture_fills_only_what_nobody_typed(client, game_id, known_decks, sends):
    client.post(f"/g/{game_id}/hand/draft", data={"version": "3", "lake.amy": "12"})
    answer = sends("spread", late="1", **{"lake.amy": "12"}).text
    assert 'name="lake.amy" value="12"' not in answer
    assert 'name="lake.ben" value="14"' in answer
    sends("spread", late="1", **{"lake.amy": "12", "lake.ben": "14"})
    after = numbers(client, game_id)
    assert (after["lake.amy"], after["lake.ben"]) == ("12", "28")


@pytest.mark.parametrize(("step", "address"), [("lake", ""), ("left.amy", "left/amy")])
def test_a_picture_of_a_hand_that_is_over_is_not_counted_in_the_next(client, book, game_id, sends, step, address):
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="one")
    answer = sends(step, address)
    assert answer.status_code == 410
    assert "Hand 1 is recorded already, so nothing was changed" in answer.text
    assert set(numbers(client, game_id).values()) == {""}


def test_without_javascript_a_page_of_a_hand_that_is_over_leaves_the_next_one_alone(client, book, game_id, photo):
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="one")
    data = {"version": "1", "hand": "1", "lake.amy": "14", "lake": (BytesIO(photo), "a.jpg")}
    assert client.post(f"/g/{game_id}/hand/lake", data=data).status_code == 410
    assert set(numbers(client, game_id).values()) == {""}


def test_nothing_becomes_of_a_picture_that_is_not_wanted_while_it_is_read(client, game_id, known_decks, sends, eye):
    read = eye.spread

    def cancelled_meanwhile(*asked):
        assert client.post(f"/g/{game_id}/hand/cancel", data={"picture_id": "one"}).status_code == 204
        return read(*asked)

    eye.spread = cancelled_meanwhile
    assert sends("spread", picture_id="one").status_code == 200
    assert numbers(client, game_id)["lake.amy"] == ""
    eye.spread = read
    sends("spread", picture_id="two")
    assert numbers(client, game_id)["lake.amy"] == "10"


def test_a_phone_hears_how_far_its_picture_is(watcher, game_id, eye):
    eye.condition = lambda: {"eye": Condition(True, waiting=3, stage="finding")}
    assert watcher.get(f"/g/{game_id}/looking").json == {"stage": "finding", "waiting": 2}
