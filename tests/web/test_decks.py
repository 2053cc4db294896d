"""Enrolling decks: a picture each, and a warning when two backs are too alike."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest

from scorekeeper.rules.scoring import Rules, make_sides
from tests.web.conftest import PaperEye, sign_in
from web.app import create_app


def sent(data, **fields):
    return {"request_id": "tap", "pictures": (io.BytesIO(data), "back.jpg"), **fields}


def test_a_deck_is_learned_from_its_picture(client, book, game_id, photo):
    assert client.post(f"/g/{game_id}/decks/amy", data=sent(photo, deck="bees")).status_code == 303
    assert book.game(game_id).signatures == {"bees": ("a signature",)}
    page = client.get(f"/g/{game_id}/decks").text
    crop = re.search(r'src="(/pictures/[\w-]{22})"', page)[1]
    assert client.get(crop).mimetype == "image/jpeg"
    assert 'value="bees"' in page


def test_a_deck_without_a_name_is_called_after_its_side(client, book, photo):
    game_id = book.start_game(make_sides(["Amy", "Ben"]), Rules(), request_id="bare")
    client.post(f"/g/{game_id}/decks/amy", data=sent(photo))
    assert list(book.game(game_id).signatures) == ["Amy"]


def test_a_double_tap_learns_a_deck_once(client, book, game_id, photo):
    for _ in range(2):
        assert client.post(f"/g/{game_id}/decks/amy", data=sent(photo)).status_code == 303
    assert book.version(game_id) == 3  # the deck, and its colour


def test_the_table_camera_shows_a_deck(client, book, game_id):
    client.post(f"/g/{game_id}/decks/amy", data={"request_id": "tap", "camera": "pictures"})
    assert "red" in book.game(game_id).signatures


def test_decks_that_are_too_alike_are_warned_of(client, eye, game_id, photo):
    eye.alike = ["The decks 'red' and 'blue' look too alike at this light: take another deck"]
    for side in ("amy", "ben"):
        client.post(f"/g/{game_id}/decks/{side}", data=sent(photo, request_id=side))
    assert "look too alike at this light" in client.get(f"/g/{game_id}/decks").text


def test_a_broken_picture_keeps_the_name(client, book, game_id):
    answer = client.post(f"/g/{game_id}/decks/amy", data=sent(b"no picture", deck="bees"))
    assert answer.status_code == 422
    assert "The picture is no image" in answer.text
    assert 'value="bees"' in answer.text
    assert book.version(game_id) == 1


def test_a_deck_of_somebody_else_is_refused(client, game_id, photo):
    answer = client.post(f"/g/{game_id}/decks/amy", data=sent(photo, deck="blue"))
    assert answer.status_code == 422
    assert "is Ben&#39;s" in answer.text


def test_a_side_that_does_not_play_has_no_deck(client, game_id, photo):
    assert client.post(f"/g/{game_id}/decks/zoe", data=sent(photo)).status_code == 422


# A side looks like its deck


class BlueEye(PaperEye):
    """Sees a blue back in every picture of a deck."""

    def enrol(self, pictures):
        return replace(super().enrol(pictures), colour="blue")


def look_of(book, game_id, side="amy"):
    side = book.game(game_id).side(side)
    return side.color, side.pattern


@pytest.fixture
def plain(book):
    return book.start_game(make_sides(["Amy", "Ben"]), Rules(), request_id="plain")


def test_a_side_has_the_colour_of_its_photographed_back(book, settings, photo, plain):
    phone = sign_in(create_app(book, BlueEye(), settings), "Pam")
    phone.post(f"/g/{plain}/decks/ben", data=sent(photo))
    assert look_of(book, plain, "ben") == ("#0072b2", "dash")
    assert "has another colour or pattern" in phone.get(f"/g/{plain}/history").text


def test_the_word_that_was_typed_says_more_than_the_photo(book, settings, photo, plain):
    phone = sign_in(create_app(book, BlueEye(), settings), "Pam")
    phone.post(f"/g/{plain}/decks/ben", data={**sent(photo), "deck": "dark red"})
    assert look_of(book, plain, "ben")[0] == "#b3123f"


def test_a_colour_that_somebody_chose_stays(book, settings, photo, plain):
    phone = sign_in(create_app(book, BlueEye(), settings), "Pam")
    chosen = {"version": "1", "request_id": "look", "action": "look.ben", "color.ben": "#123456", "pattern.ben": "star"}
    assert phone.post(f"/g/{plain}/sides", data=chosen).status_code == 303
    phone.post(f"/g/{plain}/decks/ben", data=sent(photo))
    assert look_of(book, plain, "ben") == ("#123456", "star")


def test_two_decks_of_one_colour_have_two_patterns(book, settings, photo, plain):
    phone = sign_in(create_app(book, BlueEye(), settings), "Pam")
    same = {"version": "1", "request_id": "look", "action": "look.ben", "pattern.ben": "solid"}
    assert phone.post(f"/g/{plain}/sides", data=same).status_code == 303
    for side in ("amy", "ben"):
        phone.post(f"/g/{plain}/decks/{side}", data={**sent(photo), "deck": side, "request_id": f"deck-{side}"})
    assert {look_of(book, plain, side) for side in ("amy", "ben")} == {("#0072b2", "solid"), ("#0072b2", "dash")}


def test_the_photographed_back_stands_beside_the_name(client, watcher, game_id, photo):
    assert "pictured" not in watcher.get(f"/g/{game_id}").text
    client.post(f"/g/{game_id}/decks/amy", data=sent(photo))
    board = watcher.get(f"/g/{game_id}").text
    (mark,) = set(re.findall(r"--back:url\((/pictures/[^)]+/mark)\)", board))
    picture = watcher.get(mark)
    assert picture.mimetype == "image/jpeg"
    assert len(picture.data) < 4000
