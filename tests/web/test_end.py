"""Across the end of a game, on the real pages: what moves the end is said first, and nothing else moves it (K14)."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.rules.house import Partnership, Rules, Scoring
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.sides import Side, SideId, make_sides
from scorekeeper.scorebook import GameId, Scorebook
from web.house_form import house_form

THREE = ("amy 52/0! ben 30/0 cleo 20/0", "amy 50/0! ben 30/0 cleo 20/0")


def started(book: Scorebook, *hands: str, names: str = "Amy Ben Cleo", rules: Rules | None = None) -> GameId:
    game = book.start_game(make_sides(names.split()), rules or Rules(), request_id="start")
    for number, hand in enumerate(hands):
        book.record_hand(game, parse_hand(hand), request_id=f"h{number}", confirm_doubts=True)
    return game


def post(client: FlaskClient, book: Scorebook, game: GameId, page: str, **fields: str) -> TestResponse:
    """One form of a page that shows the newest version."""
    known = {"version": str(book.version(game)), "request_id": page, **fields}
    return client.post(f"/g/{game}/{page}", data=known)


def announced(page: str) -> dict[str, str]:
    """The hidden fields of the form that says what would happen."""
    form = re.search(r'<form class="card announced".*?</form>', page, re.S)
    assert form, "nothing is announced"
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form[0]))


def standings(page: str) -> dict[str, tuple[str, str]]:
    """Each name with the points now and then."""
    table = re.search(r'<table class="plain standings-moved".*?</table>', page, re.S)
    assert table
    rows = re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td><td><b>(.*?)</b>', table[0])
    return {name: (now, then) for name, now, then in rows}


def saved_after_its_announcement(
    client: FlaskClient, book: Scorebook, game: GameId, page: str, fields: Mapping[str, str], says: str
) -> str:
    """The page says *says* and saves nothing; one more tap saves it. Gives the page that said it."""
    version = book.version(game)
    first = post(client, book, game, page, **fields)
    assert first.status_code == 422
    assert says in first.text
    assert book.version(game) == version
    assert client.post(f"/g/{game}/{page}", data=announced(first.text)).status_code == 303
    assert book.version(game) == version + 1
    return first.text


def test_k14_who_has_won_can_not_leave_and_no_further_hand_is_played(client, book):
    game = started(book, *THREE)
    answer = post(client, book, game, "sides", action="leave.amy")
    assert answer.status_code == 422
    assert "The game is over (Amy wins with 102 points): nobody joins, leaves or changes sides any more" in answer.text
    page = client.get(f"/g/{game}/sides").text
    assert 'value="leave.' not in page
    fields = {"lake.amy": "1", "lake.ben": "52", "called.ben": "1", "left.amy": "0", "lake.cleo": "1", "left.cleo": "0"}
    assert post(client, book, game, "hand", **fields).status_code == 422
    assert book.game(game).verdict == "Amy wins with 102 points"


HANDS = ("amy 50/0! ben 20/5", "amy 40/0! ben 40/0", "amy 0/0! ben 52/0")
CORRECTION = {
    "lake.amy": "50", "called.amy": "1", "lake.ben": "40", "left.ben": "0", "reason": "a 5 was a 4", "action": "record",
}  # fmt: skip


def corrected(client: FlaskClient, book: Scorebook) -> GameId:
    game = started(book, *HANDS, names="Amy Ben")
    assert book.game(game).winner == "ben"
    saved_after_its_announcement(
        client, book, game, "hands/2/correct", CORRECTION, "Hand 3 came after the end: decide whether it counts."
    )
    return game


def test_k14_a_correction_says_which_hand_came_after_the_end_and_the_table_decides(client, book):
    game = corrected(client, book)
    board = client.get(f"/g/{game}").text
    assert "Amy had 100 points after hand 2, and that ended the game. Hand 3 came after the end" in board
    assert "Does hand 3 count?" in board
    assert "Ben wins" not in board
    assert f'href="/g/{game}/late"' in board
    choice = client.get(f"/g/{game}/late").text
    assert standings(choice) == {"Amy": ("100", "100"), "Ben": ("102", "50")}
    assert "Amy wins with 100 points" in choice
    assert "Ben wins with 102 points" in choice


@pytest.mark.parametrize(("count", "verdict"), [("1", "Ben wins with 102 points"), ("0", "Amy wins with 100 points")])
def test_k14_the_table_says_whether_the_late_hand_counts(client, book, count, verdict):
    game = corrected(client, book)
    assert post(client, book, game, "late", count=count).status_code == 303
    assert book.game(game).verdict == verdict
    board = client.get(f"/g/{game}").text
    assert ("not counted" in board) == (count == "0")
    assert post(client, book, game, "late", count="1", request_id="again").status_code == 422
    assert verdict in client.get(f"/g/{game}/history").text


def test_k14_a_late_hand_is_not_decided_by_a_watcher(watcher, client, book):
    game = corrected(client, book)
    assert watcher.post(f"/g/{game}/late", data={"count": "1", "version": "5"}).status_code == 403
    assert "Decide" not in watcher.get(f"/g/{game}").text


def test_k19_points_do_not_become_hands_won(client, book):
    game = started(book, "amy 10/0! ben 6/0", "amy 7/0! ben 0/0", names="Amy Ben")
    for action, status in (("show", 200), ("change", 422)):
        fields = house_form(Rules(target=5, scoring=Scoring.HANDS)).values
        answer = post(client, book, game, "rules/change", **fields, action=action)
        assert answer.status_code == status
        assert "The 2 hands played so far were scored in another way" in answer.text
    assert book.game(game).rules == Rules()


def test_k14_another_target_says_that_it_ends_and_that_it_reopens_the_game(client, book):
    game = started(book, "amy 52/0! ben 30/0", "amy 50/0! ben 30/0", "amy 20/0! ben 1/0", names="Amy Ben",
                   rules=Rules(target=150))  # fmt: skip

    def to(target: int) -> dict[str, str]:
        return {**house_form(Rules(target=target)).values, "action": "change"}

    page = saved_after_its_announcement(
        client, book, game, "rules/change", to(100), "This ends the game: Amy wins with 122 points."
    )
    assert standings(page) == {"Amy": ("122", "122"), "Ben": ("61", "61")}
    assert book.game(game).winner == "amy"
    assert "Change the rules" in client.get(f"/g/{game}/rules").text
    saved_after_its_announcement(
        client, book, game, "rules/change", to(150), "This reopens the game: Amy leads with 122 of 150 points."
    )
    assert book.game(game).winner is None


def test_k14_a_handicap_that_crosses_the_target_says_so_and_is_refused_after_the_end(client, book):
    game = started(book, "amy 52/0! ben 30/0", names="Amy Ben")
    page = saved_after_its_announcement(
        client,
        book,
        game,
        "sides",
        {"action": "handicap.amy", "start.amy": "50"},
        "This ends the game: Amy wins with 102",
    )
    assert standings(page) == {"Amy": ("52", "102"), "Ben": ("30", "30")}
    answer = post(client, book, game, "sides", action="handicap.ben", **{"start.ben": "99"})
    assert answer.status_code == 422
    assert "a handicap can&#39;t change it any more" in answer.text
    assert book.game(game).winner == "amy"


def test_k14_what_is_changed_after_the_announcement_is_announced_anew(client, book):
    game = started(book, "amy 52/0! ben 30/0", names="Amy Ben")
    first = post(client, book, game, "sides", action="handicap.amy", **{"start.amy": "50"})
    other = {**announced(first.text), "start.amy": "60"}
    again = client.post(f"/g/{game}/sides", data=other)
    assert again.status_code == 422
    assert "Amy wins with 112 points" in again.text
    assert book.game(game).winner is None


def test_k14_who_leaves_a_tie_leaves_the_win_to_the_other_and_the_page_says_so(client, book):
    game = started(book, *["amy 50/0! ben 50/0! cleo 20/0"] * 2)
    page = saved_after_its_announcement(
        client, book, game, "sides", {"action": "leave.ben"}, "This ends the game: Amy wins with 100 points."
    )
    assert standings(page) == {"Amy": ("100", "100"), "Ben": ("100", "–"), "Cleo": ("40", "40")}


def test_k14_the_undo_page_shows_the_standings_now_and_then(client, book):
    game = started(book, *THREE)
    page = client.get(f"/g/{game}/undo").text
    assert "This reopens the game: Amy leads with 52 of 100 points." in page
    assert standings(page) == {"Amy": ("102", "52"), "Ben": ("60", "30"), "Cleo": ("40", "20")}
    assert post(client, book, game, "undo", reason="twice").status_code == 422
    assert book.game(game).winner == "amy"
    assert post(client, book, game, "undo", reason="twice", standings="1").status_code == 303
    assert book.game(game).winner is None


def test_k14_a_correction_that_moves_nothing_is_saved_at_once(client, book):
    game = started(book, *THREE)
    fields = {
        "lake.amy": "52", "called.amy": "1", "lake.ben": "31", "left.ben": "0", "lake.cleo": "20", "left.cleo": "0",
        "reason": "one more", "action": "record",
    }  # fmt: skip
    assert post(client, book, game, "hands/1/correct", **fields).status_code == 303
    assert book.game(game).totals["ben"] == 61


def test_k14_a_correction_with_a_doubt_is_confirmed_once_and_announced_once(client, book):
    game = started(book, *THREE)
    fields = {
        "lake.amy": "40", "called.amy": "1", "lake.ben": "30", "left.ben": "0", "lake.cleo": "20", "left.cleo": "0",
        "total": "91", "reason": "counted again", "action": "record",
    }  # fmt: skip
    doubtful = post(client, book, game, "hands/1/correct", **fields).text
    assert "This reopens the game" in doubtful
    anyway = re.search(r'name="anyway" value="(\w+)"', doubtful)
    assert anyway
    moved = post(client, book, game, "hands/1/correct", **{**fields, "anyway": anyway[1]})
    assert moved.status_code == 422
    assert client.post(f"/g/{game}/hands/1/correct", data=announced(moved.text)).status_code == 303
    assert book.game(game).totals["amy"] == 90


def test_k14_the_history_tells_what_moved_the_end(client, book):
    game = started(book, *THREE)
    post(client, book, game, "undo", reason="twice", standings="1")
    assert "This reopens the game: Amy leads with 52 of 100 points." in client.get(f"/g/{game}/history").text


def test_another_name_is_the_same_side_also_after_the_end(client, book):
    game = started(book, *THREE)
    assert post(client, book, game, "sides", action="rename.amy", **{"name.amy": " Amelie "}).status_code == 303
    assert book.game(game).verdict == "Amelie wins with 102 points"
    assert "Amy is called Amelie now" in client.get(f"/g/{game}/history").text
    for name, says in (("ben", "Ben has a row in this game already"), ("", "type the new name"), ("x" * 41, "1 to 40")):
        answer = post(client, book, game, "sides", action="rename.amy", **{"name.amy": name})
        assert answer.status_code == 422
        assert says in answer.text


def test_k15_eve_wins_with_what_she_scored_for_a_side_that_left(client, book):
    sides = [
        Side(SideId(f"t{n}"), f"T{n}", "#0072b2", members=people)
        for n, people in ((1, ("Ann", "Bob")), (2, ("Cat", "Dan")), (3, ("Eve", "Fay")))
    ]
    game = book.start_game(sides, Rules(partnership=Partnership.ROTATING), request_id="start")
    book.record_hand(game, parse_hand("t1 10/0 t2 10/0 t3 40/0!"), request_id="h1")
    post(client, book, game, "sides", action="leave.t3")
    fields = {"before.t1": "Ann, Bob", "people.t1": "Ann, eve", "before.t2": "Cat, Dan", "people.t2": "Cat, Dan"}
    assert post(client, book, game, "sides", action="partners", **fields).status_code == 303
    book.record_hand(game, parse_hand("t1 52/0! t2 10/0"), request_id="h2")
    book.record_hand(game, parse_hand("t1 20/0! t2 10/0"), request_id="h3")
    board = client.get(f"/g/{game}").text
    assert "Eve wins with 112 points" in board
    credit = client.get(f"/g/{game}/sides").text
    assert re.search(r">Eve</th><td>T1</td><td><b>112<", credit)
    assert "Eve" in client.get("/people").text
