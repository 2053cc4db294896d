"""House rules as pages: in words, agreed, changed from the next hand on, and passed on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorekeeper.rules.events import RulesChanged, RulesConfirmed
from scorekeeper.rules.house import Play, Rules
from scorekeeper.rules.house_notation import format_rules, parse_rules
from scorekeeper.rules.layout import Layout
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.sides import SideId
from web.house_form import house_form


def change(rules: Rules, version: int = 1, request_id: str = "tap", **more: str) -> dict[str, str]:
    return {**house_form(rules).values, "version": str(version), "request_id": request_id, **more}


def test_a_watcher_reads_every_rule_and_changes_none(watcher, game_id):
    page = watcher.get(f"/g/{game_id}/rules").text
    for said in ("13 to 100, x1 \N{MINUS SIGN}2", "Does everybody agree?", "Holding back", "Stuck table", "Last card"):
        assert said in page
    assert "Everybody agrees" not in page
    assert "/sign-in" in watcher.get(f"/g/{game_id}/rules/change").location
    assert watcher.post(f"/g/{game_id}/rules/change", data=change(Rules(target=50))).status_code == 403
    assert watcher.post(f"/g/{game_id}/rules/agree", data={"side": "everybody"}).status_code == 403


def test_a11_sides_agree_one_by_one_and_all_together(client, book, game_id):
    fields = {"version": "1", "request_id": "one", "side": "amy"}
    assert client.post(f"/g/{game_id}/rules/agree", data=fields).status_code == 303
    assert client.post(f"/g/{game_id}/rules/agree", data=fields).status_code == 303
    assert book.game(game_id).agreed == {"amy"}
    client.post(f"/g/{game_id}/rules/agree", data={"version": "2", "request_id": "two", "side": "everybody"})
    assert book.game(game_id).agreed == {"amy", "ben"}
    assert "Everybody agreed to these rules" in client.get(f"/g/{game_id}/rules").text


def test_a_change_holds_from_the_next_hand_on_and_asks_everybody_again(client, book, game_id):
    book.note(game_id, RulesConfirmed(SideId("amy")), request_id="yes")
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="1")
    other = Rules(target=150, bonus=10, play=Play(river=5))
    assert "keeps the rules it was played by" in client.get(f"/g/{game_id}/rules/change").text
    answer = client.post(f"/g/{game_id}/rules/change", data=change(other, 3, reason="all agreed"))
    assert answer.location == f"/g/{game_id}/rules"
    game = book.game(game_id)
    assert (game.rules, game.played[0].rules, game.agreed) == (other, Rules(), frozenset())
    assert game.totals == {"amy": 14, "ben": 1}
    page = client.get(f"/g/{game_id}/rules").text
    for said in (
        "Hand 1",
        "13 to 100, x1 \N{MINUS SIGN}2",
        "From hand 2",
        "13+10 to 150",
        "Before hand 2",
        "Pam: all agreed",
    ):
        assert said in page


def test_j5_a_change_to_another_game_and_its_note_say_what_they_are(client, book, game_id):
    other = Rules(pile_size=26, layout=Layout.PISHE_PASHA, note="No phones.")
    assert client.post(f"/g/{game_id}/rules/change", data=change(other)).status_code == 303
    assert book.game(game_id).rules == other
    page = client.get(f"/g/{game_id}/rules").text
    for said in ("laid out as in Pishe Pasha; two players share one deck", "Also agreed: No phones.", ">Pishe Pasha<"):
        assert said in page


def test_a_double_tap_changes_the_rules_once(client, book, game_id):
    for _ in range(2):
        assert client.post(f"/g/{game_id}/rules/change", data=change(Rules(target=50))).status_code == 303
    assert book.version(game_id) == 2


def test_two_scorekeepers_change_the_rules_and_the_second_is_told(client, other_client, book, game_id):
    client.post(f"/g/{game_id}/rules/change", data=change(Rules(target=50)))
    answer = other_client.post(f"/g/{game_id}/rules/change", data=change(Rules(target=70), request_id="other"))
    assert answer.status_code == 409
    assert "Somebody else changed the game" in answer.text
    assert 'name="target" value="70"' in answer.text
    assert book.game(game_id).rules.target == 50


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        pytest.param({}, "these are the house rules already", id="nothing changed"),
        pytest.param({"river": "1", "flip": "x"}, "River: 1 does not fit", id="a River that can't be"),
        pytest.param({"river": "1", "flip": "x"}, "Stream: &#39;x&#39; is no whole number", id="every reason at once"),
        pytest.param({"layout": "as-canfield"}, "Canfield is for one player: name one, not 2", id="J5 two at Canfield"),
        pytest.param(
            {"layout": "as-pishe-pasha"}, "the whole deck is dealt, 26 cards to each pile, not 13", id="J5 half a deck"
        ),
        pytest.param({"layout": "as-chess"}, "choose one of the list", id="J5 no such game"),
        pytest.param({"pile_size": "48", "river": "7"}, "make one of them smaller", id="more cards than a deck has"),
    ],
)
def test_rules_that_cannot_be_are_refused_and_kept_in_the_form(client, book, game_id, fields, says):
    answer = client.post(f"/g/{game_id}/rules/change", data=change(Rules(), **fields, reason="because"))
    assert answer.status_code == 422
    assert says.lower() in answer.text.lower()
    assert 'value="because"' in answer.text
    assert book.version(game_id) == 1


def test_the_form_says_what_a_change_comes_to_before_it_is_made(client, book, game_id):
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="1")
    fields = change(Rules(target=10), 2, action="show")
    page = client.post(f"/g/{game_id}/rules/change", data=fields)
    assert page.status_code == 200
    assert "This ends the game: Amy wins with 14 points." in page.text
    assert book.version(game_id) == 2
    assert (
        'name="target" value="150"'
        in client.post(f"/g/{game_id}/rules/change", data=change(Rules(bonus=10), 2, action="target.150")).text
    )


def test_an_undone_hand_moves_the_change_with_it(client, book, game_id):
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="1")
    book.note(game_id, RulesChanged(replace(Rules(), bonus=10)), request_id="2")
    book.undo_last_hand(game_id, "misdeal", request_id="3")
    page = client.get(f"/g/{game_id}/rules").text
    assert "From hand 1" in page
    assert "Hands 1" not in page


def test_rules_are_shown_by_themselves_to_pass_them_on(watcher):
    line = {"rules": "13+10 to 150, x1 -2, called Pounce, River 5"}
    page = watcher.get("/rules", query_string=line).text
    for said in ("Pounce", "Start a game by these rules", "Save as a file", "13+10 to 150"):
        assert said in page
    code = watcher.get("/rules.svg", query_string=line)
    assert code.mimetype == "image/svg+xml"
    file = watcher.get("/rules.txt", query_string=line).text.splitlines()
    assert file[-1] == line["rules"]
    assert all(each.startswith("# ") for each in file[:-1])


def test_a_note_travels_with_its_rules(watcher):
    rules = Rules(note='Turn left, "please".\nNo phones.')
    line = {"rules": format_rules(rules)}
    assert "Turn left, &#34;please&#34;.\nNo phones." in watcher.get("/rules", query_string=line).text
    file = watcher.get("/rules.txt", query_string=line).text.splitlines()
    assert parse_rules(file[-1]) == rules
    assert file[-3:-1] == ['# At this table: Turn left, "please".', "# No phones."]


def test_rules_too_long_for_a_code_are_passed_on_by_link_and_file(watcher):
    line = {"rules": format_rules(Rules(note="日" * 300))}
    page = watcher.get("/rules", query_string=line).text
    assert "too long for a code" in page
    assert "rules.svg" not in page
    assert watcher.get("/rules.svg", query_string=line).status_code == 422
    assert watcher.get("/rules.svg", query_string={"rules": format_rules(Rules(note="x" * 300))}).status_code == 200


@pytest.mark.parametrize("page", ["/rules", "/rules.svg", "/rules.txt"])
def test_rules_that_are_none_are_refused(watcher, page):
    for line in ("chess", ""):
        assert watcher.get(page, query_string={"rules": line}).status_code == 422


@pytest.mark.parametrize("page", ["rules", "rules/change"])
def test_a_game_that_is_not_there_has_no_rules(client, page):
    assert client.get(f"/g/nowhere/{page}").status_code == 404


def test_rules_nobody_named_are_the_usual_ones(watcher):
    answer = watcher.get("/rules")
    assert answer.status_code == 200
    assert "13 to 100" in answer.text
