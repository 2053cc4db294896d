"""Starting a game: house rules, sides, and a form that keeps what was typed."""

from __future__ import annotations

import pytest

from scorekeeper.rules.scoring import Rules

FORM = {"preset": "bonus", "target": "150", "lake_value": "1", "nertz_penalty": "2", "bonus": "10", "pile_size": "13"}


def form(*names: str, **more: str) -> dict[str, object]:
    return {**FORM, "jokers": "0", "request_id": "tap", "name": list(names), **more}


def test_a_game_starts_with_its_sides_and_house_rules(client, book):
    answer = client.post("/start", data=form("Amy", "The Smiths", "", "", **{"deck.1": "bicycles"}))
    assert answer.status_code == 303
    game = book.game(book.games()[0].id)
    assert [(side.id, side.name, side.deck) for side in game.sides] == [
        ("amy", "Amy", None),
        ("the-smiths", "The Smiths", "bicycles"),
    ]
    assert game.rules == Rules(target=150, bonus=10)


def test_a_double_tap_starts_one_game(client, book):
    first, second = (client.post("/start", data=form("Amy", "Ben")) for _ in range(2))
    assert first.location == second.location
    assert len(book.games()) == 1


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        pytest.param(form("", "", ""), "Name two sides at least", id="nobody plays"),
        pytest.param(form("Amy", " "), "Name two sides at least", id="one plays alone"),
        pytest.param(form("Amy", "amy"), "Two sides have the name", id="two of one name"),
        pytest.param(form("Amy", "Ben", target="hundred"), "&#39;hundred&#39; is no whole", id="a target in words"),
        pytest.param(form("Amy", "Ben", target="0"), "The target must be", id="a target of nothing"),
        pytest.param(form("Amy", "Ben", **{"color.0": "red"}), "is no colour", id="a colour in words"),
    ],
)
def test_a_refused_form_says_why_and_keeps_what_was_typed(client, book, fields, says):
    fields["bonus"] = "77"
    answer = client.post("/start", data=fields)
    assert answer.status_code == 422
    assert says in answer.text
    assert 'value="77"' in answer.text
    assert not book.games()


def test_a_preset_fills_the_house_rules_and_leaves_the_sides(client):
    answer = client.post("/start", data={**form("Amy", "Ben"), "preset": "nuts", "action": "preset"})
    assert 'name="target" value="250"' in answer.text
    assert 'name="pile_size" value="11"' in answer.text
    assert 'value="Amy"' in answer.text


def test_sides_are_added_up_to_twelve_and_removed_down_to_two(client):
    rows = client.post("/start", data={**form(*["x"] * 11), "action": "add"}).text
    assert rows.count('name="name"') == 12
    assert 'value="add"' not in rows
    fewer = client.post("/start", data={**form("Amy", "Ben", "Cleo"), "action": "remove.1"}).text
    assert "Cleo" in fewer
    assert "Ben" not in fewer
    assert client.post("/start", data={**form("Amy", "Ben"), "action": "remove.1"}).text.count('name="name"') == 2


def test_twelve_sides_fit_on_the_board(client, book):
    client.post("/start", data=form(*[f"Side {number}" for number in range(12)]))
    board = client.get(f"/g/{book.games()[0].id}").text
    assert all(f"Side {number}" in board for number in range(12))
