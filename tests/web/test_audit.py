"""The look at a whole deck: what is missing, what is another deck's, by picture or typed."""

from __future__ import annotations

import io
import re

import pytest

from scorekeeper.rules.cards import RANKS
from scorekeeper.rules.house import Rules
from scorekeeper.rules.lake import JOKER
from scorekeeper.rules.scoring import make_sides

WHOLE = [f"{rank}{suit}" for suit in "SHDC" for rank in RANKS]


def checked(phone, game_id, cards, **fields):
    return phone.post(f"/g/{game_id}/audit", data={"cards": " ".join(cards), **fields})


def test_a_whole_deck_is_whole(client, game_id):
    assert "The deck is whole: 52 cards" in checked(client, game_id, WHOLE).text


def test_what_is_missing_and_what_is_too_much_is_named(client, game_id):
    page = checked(client, game_id, [*WHOLE[1:], "kc"]).text
    assert re.search(r"Missing:</b> <span[^>]*>A♠<", page)
    assert re.search(r"of another deck:</b> <span[^>]*>K♣<", page)


def test_jokers_of_a_picture_are_counted_as_jokers(client, eye, book, photo):
    game_id = book.start_game(make_sides(["Amy", "Ben"]), Rules(jokers=2), request_id="jokers")
    eye.fan_codes = (JOKER, JOKER, "AS")
    page = client.post(f"/g/{game_id}/audit", data={"cards": "", "deck": (io.BytesIO(photo), "deck.jpg")}).text
    assert ">JOKER JOKER AS</textarea>" in page
    assert "2 jokers" not in page


def test_jokers_follow_the_house_rules_or_what_is_typed(client, book):
    game_id = book.start_game(make_sides(["Amy", "Ben"]), Rules(jokers=2), request_id="jokers")
    assert "2 jokers" in checked(client, game_id, WHOLE).text
    assert "The deck is whole: 54 cards" in checked(client, game_id, [*WHOLE, "joker", "*"]).text
    assert "The deck is whole: 52 cards" in checked(client, game_id, WHOLE, jokers="0").text


def test_a_picture_adds_its_cards_to_the_list(client, game_id, photo):
    fields = {"cards": "AS", "deck": (io.BytesIO(photo), "deck.jpg")}
    page = client.post(f"/g/{game_id}/audit", data=fields).text
    assert ">AS 10H 2S QD</textarea>" in page
    assert "4 cards looked at" in page
    assert client.get(re.search(r'src="(/pictures/[\w-]{22})"', page)[1]).mimetype == "image/jpeg"


def test_the_table_camera_looks_at_the_deck(client, game_id):
    assert ">10H 2S QD</textarea>" in client.post(f"/g/{game_id}/audit", data={"camera": "deck"}).text


def test_a_card_that_could_not_be_read_is_a_question(client, game_id):
    assert "1 card could not be read" in checked(client, game_id, [*WHOLE[1:], "?"]).text


@pytest.mark.parametrize("cards", ["AS 11H", "queen"])
def test_a_word_that_is_no_card_is_named_and_the_list_kept(client, game_id, cards):
    answer = checked(client, game_id, [cards])
    assert answer.status_code == 422
    assert cards in answer.text
    assert "write cards such as" in answer.text


def test_a_broken_picture_keeps_the_list(client, game_id):
    fields = {"cards": "AS", "deck": (io.BytesIO(b"no picture"), "deck.jpg")}
    answer = client.post(f"/g/{game_id}/audit", data=fields)
    assert answer.status_code == 422
    assert ">AS</textarea>" in answer.text


def test_watchers_are_asked_to_sign_in(watcher, game_id):
    assert watcher.get(f"/g/{game_id}/audit").status_code == 303
