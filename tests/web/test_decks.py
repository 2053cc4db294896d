"""Enrolling decks: a picture each, and a warning when two backs are too alike."""

from __future__ import annotations

import io
import re


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
    from scorekeeper.rules.scoring import Rules, make_sides

    game_id = book.start_game(make_sides(["Amy", "Ben"]), Rules(), request_id="bare")
    client.post(f"/g/{game_id}/decks/amy", data=sent(photo))
    assert list(book.game(game_id).signatures) == ["Amy"]


def test_a_double_tap_learns_a_deck_once(client, book, game_id, photo):
    for _ in range(2):
        assert client.post(f"/g/{game_id}/decks/amy", data=sent(photo)).status_code == 303
    assert book.version(game_id) == 2


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
