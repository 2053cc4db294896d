"""All decks in one picture: found, named by their colour, given to their sides, and known again in later games."""

from __future__ import annotations

import io
import re

import pytest

from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.scoring import Rules, make_sides


def sent(data, **fields):
    return {"pictures": (io.BytesIO(data), "decks.jpg"), **fields}


def hidden(page: str) -> dict[str, str]:
    """What the form holds beside what a person chooses."""
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))


@pytest.fixture
def bare(book):
    """A game whose sides have no decks yet."""
    return book.start_game(make_sides(["Amy", "Ben"]), Rules(), request_id="bare")


@pytest.fixture
def found(client, bare, photo):
    return client.post(f"/g/{bare}/decks/laid", data=sent(photo)).text


def give(client, game, page, **fields):
    posted = hidden(page) | {name.replace("_", "."): value for name, value in fields.items()}
    return client.post(f"/g/{game}/decks/laid/owners", data=posted)


def test_each_back_is_named_by_its_colour_and_shown(client, found):
    assert "2 cards were found" in found
    assert "The red one" in found
    assert "The blue one" in found
    crops = re.findall(r'src="(/pictures/[\w-]{22})"', found)
    assert [client.get(crop).mimetype for crop in crops] == ["image/jpeg"] * 2


def test_every_deck_is_learned_at_once(client, book, bare, found):
    answer = give(client, bare, found, side_0="ben", name_0="red", side_1="amy", name_1="blue Bicycle")
    assert answer.status_code == 303
    game = book.game(bare)
    assert game.signatures == {"red": ("the red back",), "blue Bicycle": ("the blue back",)}
    assert {side.name: side.deck for side in game.sides} == {"Amy": "blue Bicycle", "Ben": "red"}
    assert client.get(f"/g/{bare}/decks").text.count('<img class="back"') == 2


def test_a_double_tap_learns_them_once(client, book, bare, found):
    for _ in range(2):
        assert give(client, bare, found, side_0="amy", name_0="red", side_1="ben", name_1="blue").status_code == 303
    assert book.version(bare) == 5  # two decks, and their colours


def test_a_deck_named_after_its_colour_goes_to_its_side_by_itself(client, game_id, photo):
    page = client.post(f"/g/{game_id}/decks/laid", data=sent(photo)).text
    assert re.findall(r'<option value="(\w+)" selected>', page) == ["amy", "ben"]


def test_the_sample_picture_can_be_tried(client, bare):
    assert "2 cards were found" in client.post(f"/g/{bare}/decks/laid", data={"sample": "1"}).text


def test_two_backs_of_one_colour_are_told_apart_in_words(client, eye, bare, photo):
    eye.laid_colours = ("blue", "blue", "red")
    page = client.post(f"/g/{bare}/decks/laid", data=sent(photo)).text
    assert "The blue one, lighter" in page
    assert re.findall(r'name="name.\d" value="([^"]+)"', page) == ["blue", "blue 2", "red"]


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        pytest.param({}, "Say whose the cards are", id="nobody's"),
        pytest.param({"side_0": "amy", "name_0": "a", "side_1": "amy", "name_1": "b"}, "Amy has two", id="one side"),
        pytest.param({"side_0": "amy", "name_0": "a", "side_1": "ben", "name_1": "A"}, "two decks are", id="one name"),
        pytest.param({"side_0": "amy", "name_0": " "}, "Every deck needs a name", id="no name"),
        pytest.param({"side_0": "zoe", "name_0": "a"}, "zoe", id="nobody of this game"),
    ],
)
def test_a_mistake_is_said_and_the_form_is_kept(client, book, bare, found, fields, says):
    answer = give(client, bare, found, **fields)
    assert answer.status_code == 422
    assert says.casefold() in answer.text.casefold()
    assert "The red one" in answer.text
    assert book.version(bare) == 1


def test_a_broken_picture_is_refused_on_the_decks_page(client, bare):
    answer = client.post(f"/g/{bare}/decks/laid", data=sent(b"no picture"))
    assert answer.status_code == 422
    assert "The picture is no image" in answer.text
    assert 'class="card deck"' in answer.text


# Decks of earlier games


@pytest.fixture
def earlier(client, book, found, bare):
    """Amy's red deck and Ben's blue Bicycle are known."""
    give(client, bare, found, side_0="amy", name_0="red", side_1="ben", name_1="blue Bicycle")
    return bare


@pytest.fixture
def later(book, earlier):
    return book.start_game(make_sides(["Cleo", "Dan"]), Rules(), request_id="later")


def test_a_deck_of_an_earlier_game_is_used_by_its_name(client, book, later):
    assert "blue Bicycle" in client.get(f"/g/{later}/decks").text
    answer = client.post(f"/g/{later}/decks/dan/known", data={"known": "blue Bicycle", "request_id": "tap"})
    assert answer.status_code == 303
    assert book.game(later).signatures == {"blue Bicycle": ("the blue back",)}
    page = client.get(f"/g/{later}/decks").text
    assert '<img class="back"' in page
    assert "<option>blue Bicycle" not in page, "one deck is one side's"


def test_a_deck_that_no_game_knows_is_refused(client, later):
    answer = client.post(f"/g/{later}/decks/dan/known", data={"known": "gold", "request_id": "tap"})
    assert answer.status_code == 422
    assert "No earlier game knows a deck &#39;gold&#39;" in answer.text


def test_a_back_is_called_as_it_was_before(client, later, photo):
    page = client.post(f"/g/{later}/decks/laid", data=sent(photo)).text
    assert re.findall(r'name="name.\d" value="([^"]+)"', page) == ["red", "blue Bicycle"]


def test_two_names_for_one_deck_are_pointed_out(client, later, photo):
    page = client.post(f"/g/{later}/decks/laid", data=sent(photo)).text
    answer = give(client, later, page, side_0="cleo", name_0="cherry")
    shown = client.get(answer.location).text
    assert "This back was called &#39;red&#39; in an earlier game; here it is &#39;cherry&#39;." in shown


def test_one_name_for_two_decks_is_pointed_out(client, eye, later, photo):
    eye.laid_colours = ("green",)
    page = client.post(f"/g/{later}/decks/laid", data=sent(photo)).text
    answer = give(client, later, page, side_0="cleo", name_0="red")
    assert "In an earlier game &#39;red&#39; was another back" in client.get(answer.location).text


def test_the_deck_learned_last_is_the_one_known(client, book, eye, later, photo):
    eye.laid_colours = ("green",)
    page = client.post(f"/g/{later}/decks/laid", data=sent(photo)).text
    give(client, later, page, side_0="cleo", name_0="red")
    known = book.known_decks()
    assert known[DeckId("red")].signatures == ("the green back",)
    assert list(known) == ["red", "blue Bicycle"]


def test_a_deck_that_was_not_found_is_said(client, book):
    three = book.start_game(make_sides(["Amy", "Ben", "Cleo"]), Rules(), request_id="three")
    page = client.post(f"/g/{three}/decks/laid", data={"sample": "1"}).text
    assert "Only 2 of 3 decks were found" in page
