"""What waited on a phone while others typed: it counts for its own hand, and never over a later number."""

from __future__ import annotations

import re

import pytest

from scorekeeper.rules.notation import parse_hand


@pytest.fixture
def types(client, other_client, game_id):
    """One field as a scorekeeper's phone saves it: ``types("lake.amy", "14")``; ``was`` says that it waited."""

    def save(field: str, text: str, *was: str, joe: bool = False, **more: str):
        data = {"version": "1", "hand": "1", "field": field, field: text, **more}
        waited = {"late": "1", "was": list(was)} if was else {}
        return (other_client if joe else client).post(f"/g/{game_id}/hand/draft", data={**data, **waited})

    return save


def stands(client, game_id, field: str) -> str:
    page = client.get(f"/g/{game_id}/hand").text
    return re.search(rf'name="{re.escape(field)}" value="(\d*)"', page)[1]


@pytest.mark.parametrize("text", ["14", "12"])
def test_what_waited_is_kept_where_nobody_else_typed(types, client, game_id, text):
    types("lake.amy", "14")
    assert types("lake.amy", text, "", "14").status_code == 200
    assert stands(client, game_id, "lake.amy") == text


def test_what_waited_never_replaces_what_somebody_typed_later(types, client, game_id):
    types("lake.amy", "14", joe=True)
    answer = types("lake.amy", "13", "", "1")
    assert answer.status_code == 409
    assert "Somebody else changed it meanwhile" in answer.text
    assert stands(client, game_id, "lake.amy") == "14"


def test_what_is_typed_now_does_replace_it(types, client, game_id):
    types("lake.amy", "14", joe=True)
    assert types("lake.amy", "13").status_code == 200
    assert stands(client, game_id, "lake.amy") == "13"


def test_of_a_form_that_waited_only_the_typed_field_counts(types, client, game_id):
    types("lake.ben", "9", joe=True)
    assert types("lake.amy", "13", "", **{"lake.ben": ""}).status_code == 200
    assert stands(client, game_id, "lake.ben") == "9"


def test_a_tap_of_the_referee_during_the_typing_refuses_nothing(types, client, book, game_id):
    ready = {"request_id": "ready", "version": "1", "did": "ready.amy"}
    assert client.post(f"/g/{game_id}/referee", data=ready).status_code < 400
    assert book.version(game_id) == 2
    assert types("lake.amy", "13").status_code == 200
    assert stands(client, game_id, "lake.amy") == "13"


def test_what_was_typed_for_a_hand_after_an_undone_one_is_not_typed_into_that(types, client, game_id):
    answer = types("lake.amy", "13", hand="2")
    assert answer.status_code == 409
    assert "Hand 1 is being played now; this was for another hand" in answer.text
    assert stands(client, game_id, "lake.amy") == ""


def test_what_waited_too_long_is_not_typed_into_the_next_hand(types, client, book, game_id):
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="one")
    answer = types("lake.amy", "13", "")
    assert answer.status_code == 410
    assert "Hand 1 is recorded already" in answer.text
    assert stands(client, game_id, "lake.amy") == ""


def test_a_field_that_the_hand_has_no_more_changes_no_other(types, client, game_id):
    assert types("lake.nobody", "13", **{"lake.amy": "13"}).status_code == 200
    assert stands(client, game_id, "lake.amy") == ""
