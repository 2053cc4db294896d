"""Names of any script on the pages: what is typed is kept, no name breaks a sentence, and none turns a number round."""

from __future__ import annotations

import re

import pytest

from scorekeeper.rules.house import Rules
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import make_sides
from tests.web.test_start import form, sides_of

ASTRONAUT = "\U0001f469\u200d\U0001f680"
REZA = "علی\u200cرضا"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467 Meier"
PRIYA = "ප්\u200dරියා"


def test_people_are_called_as_they_are(client, book):
    typed = [
        ASTRONAUT,
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 Meier",
        REZA,
        PRIYA,
        "\u2068Anna\u2069",
        "דנה\u200f",
    ]
    assert client.post("/start", data=form(*typed)).status_code == 303
    assert [side.name for side in sides_of(book)] == [*typed[:4], "Anna", "דנה"]


def test_one_name_in_two_spellings_is_one_person(client, book):
    answer = client.post("/start", data=form("José", "Jose\u0301"))
    assert answer.status_code == 422
    assert "give each its own" in answer.text


def test_a_semicolon_in_a_name_cuts_no_reason_in_two(client):
    answer = client.post("/start", data=form("Tom; Jerry", "Ben", **{"people.0": "A, B, C, D"}))
    assert answer.status_code == 422
    reasons = re.findall(r"<p>(.*?)</p>", re.search(r'<div class="trouble".*?</div>', answer.text, re.DOTALL)[0])
    assert reasons == ["Tom; Jerry has 4 people: a side has 3 at most, so make two sides."]


@pytest.mark.parametrize("typed", ["۱۴", "１４", "\u200f١٤\u200f", " 14 "])
def test_the_digits_of_every_keyboard_are_a_number(client, book, game_id, typed):
    data = {"lake.amy": typed, "lake.ben": "9", "called.amy": "1", "left.ben": "4", "version": "1", "request_id": "tap"}
    assert client.post(f"/g/{game_id}/hand", data=data).status_code == 303
    assert book.game(game_id).totals == {"amy": 14, "ben": 1}


def test_a_name_from_the_right_stays_apart_from_the_numbers_beside_it(client, book):
    game = book.start_game(make_sides(["דנה", "Ben"]), Rules(), request_id="start")
    data = {"lake.דנה": "14", "lake.ben": "9", "called.דנה": "1", "left.ben": "4", "version": "1", "request_id": "tap"}
    assert client.post(f"/g/{game}/hand", data=data).status_code == 303
    assert "\u2068דנה\u2069 +14" in client.get(f"/g/{game}/history").text
    assert "\u2068דנה\u2069" in client.get(f"/g/{game}").text


def test_whoever_keeps_score_is_named_whole(app, book, pin):
    phone = app.test_client()
    phone.post("/sign-in", data={"pin": pin, "who": f"{ASTRONAUT} Kim"})
    phone.post("/start", data=form("Amy", "Ben"))
    (game,) = book.games()
    assert [row.who for row in book.history(game.id)] == [f"{ASTRONAUT} Kim"]


def test_in_a_row_of_names_each_one_is_turned_alone(client, book):
    game = book.start_game(make_sides([REZA, "Tom; Jerry"]), Rules(), request_id="start")
    client.post(f"/g/{game}/label", data={"action": "rename", "name": "Friday"})
    page = client.get("/").text
    assert f"come along: \u2068{REZA}\u2069, Tom; Jerry" in page
    assert f'"game-scores">\u2068{REZA}\u2069, Tom; Jerry<' in page


@pytest.mark.browser
def test_a_name_from_the_right_begins_where_the_others_do(phone, book):
    game = book.start_game(make_sides(["דנה", "Ben"]), Rules(), request_id="start")
    book.record_hand(game, parse_hand("דנה 14/0! ben 9/3"), request_id="1")
    names = phone("/league").locator(".league-row .name")
    first = """(it) => {
      const letters = document.createRange();
      letters.selectNodeContents(it);
      return letters.getBoundingClientRect().x;
    }"""
    assert abs(names.first.evaluate(first) - names.last.evaluate(first)) <= 2
