"""Who sits at the table during a game: join, leave, come back, partners, handicaps, duties, credit."""

from __future__ import annotations

import pytest

from scorekeeper.rules.house import Partnership, Play, Rules
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.sides import COLORS, Handicap, Side, SideId, make_sides


def tap(version: int = 1, request_id: str = "tap", **fields: str) -> dict[str, str]:
    return {"version": str(version), "request_id": request_id, **fields}


@pytest.fixture
def teams(book):
    """Two teams whose partners rotate, and nobody else."""
    sides = (
        Side(SideId("a"), "Team A", COLORS[0], members=("Ann", "Bob")),
        Side(SideId("c"), "Team C", COLORS[1], members=("Cleo", "Dan")),
    )
    rules = Rules(partnership=Partnership.ROTATING, play=Play(rotate_seats=True))
    return book.start_game(sides, rules, request_id="teams")


def test_a_watcher_sees_seats_and_changes_none(watcher, game_id):
    page = watcher.get(f"/g/{game_id}/sides").text
    assert "seat by seat" in page
    assert "Add to the game" not in page
    assert watcher.post(f"/g/{game_id}/sides", data=tap(action="leave.amy")).status_code == 403


@pytest.mark.parametrize(("typed", "total"), [("", 0), ("35", 35), ("−5", -5)])
def test_somebody_joins_late_at_0_or_with_the_points_typed(client, book, game_id, typed, total):
    fields = tap(action="join", name="Cleo", people="Cleo, Dan", start=typed)
    for _ in range(2):
        assert client.post(f"/g/{game_id}/sides", data=fields).status_code == 303
    game = book.game(game_id)
    assert game.totals == {"amy": 0, "ben": 0, "cleo": total}
    assert game.side(SideId("cleo")).members == ("Cleo", "Dan")
    assert game.side(SideId("cleo")).color == COLORS[2]


def test_a_side_leaves_keeps_its_row_and_comes_back(client, book, game_id):
    client.post(f"/g/{game_id}/sides", data=tap(action="join", name="Cleo"))
    client.post(f"/g/{game_id}/sides", data=tap(2, action="leave.amy", reason="last train"))
    assert [side.name for side in book.game(game_id).playing] == ["Ben", "Cleo"]
    page = client.get(f"/g/{game_id}/sides").text
    assert "Left the table" in page
    assert 'value="return.amy"' in page
    assert client.post(f"/g/{game_id}/sides", data=tap(3, action="return.amy")).status_code == 303
    assert len(book.game(game_id).playing) == 3


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        pytest.param({"action": "join", "name": " "}, "Name the side that joins", id="nobody joins"),
        pytest.param({"action": "join", "name": "AMY"}, "has a row in this game already", id="a name that is taken"),
        pytest.param({"action": "join", "name": "Cleo", "start": "100"}, "would start with", id="a game won at once"),
        pytest.param({"action": "join", "name": "Cleo", "pile": "x"}, "enter the handicap", id="a pile in words"),
        pytest.param({"action": "leave.amy"}, "too few to play on", id="one left"),
        pytest.param({"action": "return.amy"}, "sits at the table already", id="back without having left"),
        pytest.param({"action": "handicap.amy", "pile.amy": "99"}, "1 to 48 cards", id="a pile too high"),
        pytest.param({"action": "partners"}, "Nobody changed sides", id="the same partners"),
        pytest.param({"action": "dance"}, "use one of the buttons", id="no such button"),
    ],
)
def test_what_cannot_be_is_refused_and_the_form_kept(client, book, game_id, fields, says):
    answer = client.post(f"/g/{game_id}/sides", data=tap(**fields))
    assert answer.status_code == 422
    assert says in answer.text
    assert fields.get("name", "").strip() in answer.text
    assert book.version(game_id) == 1


def test_two_scorekeepers_seat_people_and_the_second_is_told(client, other_client, book, game_id):
    client.post(f"/g/{game_id}/sides", data=tap(action="join", name="Cleo"))
    answer = other_client.post(f"/g/{game_id}/sides", data=tap(request_id="other", action="join", name="Dan"))
    assert answer.status_code == 409
    assert "Cleo joined" in answer.text
    assert 'value="Dan"' in answer.text
    assert len(book.game(game_id).sides) == 3


def test_h6_a_handicap_holds_from_the_next_hand_on(client, book, game_id):
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="1")
    fields = {"start.amy": "5", "pile.amy": "10", "per_hand.amy": "-2"}
    client.post(f"/g/{game_id}/sides", data=tap(2, action="handicap.amy", **fields))
    game = book.game(game_id)
    assert game.side(SideId("amy")).handicap == Handicap(5, 10, -2)
    assert game.totals["amy"] == 19
    page = client.get(f"/g/{game_id}/sides").text
    for said in ("started with 5", "Nertz pile of 10", "\N{MINUS SIGN}2 each hand"):
        assert said in page


def test_b11_the_page_says_who_holds_what_and_partners_take_turns(client, book, teams):
    duties = client.get(f"/g/{teams}/sides").text
    assert duties.index("<dd>Ann</dd>") < duties.index("<dd>Bob</dd>")
    book.record_hand(teams, parse_hand("a 14/0! c 9/4"), request_id="1")
    after = client.get(f"/g/{teams}/sides").text
    assert after.index("<dd>Bob</dd>") < after.index("<dd>Ann</dd>")
    assert "Everyone moves one seat along after each hand" in after
    seats = after[after.index('class="seats"') :]
    assert seats.index("Team C") < seats.index("Team A")


def test_a5_partners_rotate_as_proposed_and_everybody_keeps_their_own_points(client, book, teams):
    book.record_hand(teams, parse_hand("a 14/0! c 9/4"), request_id="1")
    page = client.get(f"/g/{teams}/sides").text
    assert "Ann &amp; Dan" in page
    fields = {"before.a": "Ann, Bob", "people.a": "Ann, Dan", "before.c": "Cleo, Dan", "people.c": "Bob, Cleo"}
    for _ in range(2):
        assert client.post(f"/g/{teams}/sides", data=tap(2, action="partners", **fields)).status_code == 303
    assert [side.members for side in book.game(teams).sides] == [("Ann", "Dan"), ("Bob", "Cleo")]
    book.record_hand(teams, parse_hand("a 10/0! c 9/2"), request_id="2")
    assert book.game(teams).credit == {"Ann": 24, "Bob": 19, "Cleo": 6, "Dan": 11}
    credit = client.get(f"/g/{teams}/sides").text
    credit = credit[credit.index("Person by person") :]
    assert sorted(("Cleo", "Dan", "Bob", "Ann"), key=lambda name: credit.index(f">{name}<")) == [
        "Ann",
        "Bob",
        "Dan",
        "Cleo",
    ]


def test_a_person_steps_in_for_another(client, book, teams):
    fields = {"before.a": "Ann, Bob", "people.a": "Ann, Eve", "before.c": "Cleo, Dan", "people.c": "Cleo, Dan"}
    client.post(f"/g/{teams}/sides", data=tap(action="partners", **fields))
    assert book.game(teams).side(SideId("a")).members == ("Ann", "Eve")


def test_twelve_sides_have_their_seats_and_a_hint(client, book):
    game = book.start_game(make_sides([f"Side {n}" for n in range(12)]), Rules(), request_id="many")
    page = client.get(f"/g/{game}/sides").text
    assert all(f"Side {number}<" in page for number in range(12))
    assert "12 sides are many" in page


def test_a_game_that_is_not_there_has_no_sides(client):
    assert client.get("/g/nowhere/sides").status_code == 404
    assert client.post("/g/nowhere/sides", data=tap(action="leave.amy")).status_code == 404


@pytest.mark.browser
def test_the_pages_of_a_game_fit_a_phone(phone, teams):
    page = phone("/", keeper=True)
    for path in ("sides", "rules", "rules/change"):
        page.goto(f"/g/{teams}/{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path


def test_seats_change_by_a_tap(client, book, game_id):
    up = {"version": "1", "request_id": "up", "action": "up.ben"}
    assert client.post(f"/g/{game_id}/sides", data=up).status_code == 303
    assert [side.name for side in book.game(game_id).sides] == ["Ben", "Amy"]
    first = client.post(f"/g/{game_id}/sides", data={**up, "version": "2", "request_id": "again"})
    assert first.status_code == 422
    assert "Choose somebody who does not sit first" in first.text
