"""The list of games: who leads what runs, and games that get a name, are hidden, or are deleted and come back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from scorekeeper.labels import clean_name, following_name
from scorekeeper.rules.house import Rules
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import make_sides


@pytest.fixture
def played(book, game_id) -> str:
    """Amy leads Ben with 14 to 3."""
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="1")
    return game_id


def label(client, game_id, action, **fields):
    return client.post(f"/g/{game_id}/label", data={"action": action, **fields})


def test_the_list_says_who_leads_with_how_many_points(watcher, played):
    page = watcher.get("/").text
    assert "Amy leads" in page
    assert "<bdi>Amy</bdi> <b>14</b>" in page
    assert page.index("<bdi>Amy</bdi>") < page.index("<bdi>Ben</bdi> <b>3</b>")


def test_the_list_says_who_is_level_and_who_has_won(watcher, book, game_id):
    book.record_hand(game_id, parse_hand("amy 14/0! ben 14/0!"), request_id="1")
    over = book.start_game(make_sides(["Cleo", "Dan"]), Rules(target=10), request_id="over")
    book.record_hand(over, parse_hand("cleo 12/0! dan 9/3"), request_id="1")
    page = watcher.get("/").text
    assert "Amy and Ben are level" in page
    assert "Cleo won" in page


def test_a_game_gets_a_name_and_loses_it(client, watcher, played):
    assert label(client, played, "rename", name="  Christmas \n at Ben's ").status_code == 303
    assert "Christmas at Ben&#39;s" in watcher.get("/").text
    assert "Christmas at Ben&#39;s" in watcher.get(f"/g/{played}").text
    label(client, played, "rename", name="")
    assert "Christmas" not in watcher.get("/").text


def test_a_rematch_has_the_name_of_its_game_with_a_number(client, book, played):
    label(client, played, "rename", name="Christmas")
    for number in (2, 3):
        again = client.post(f"/g/{played}/rematch", data={"request_id": f"r{number}"}).location.rpartition("/")[2]
        assert book.label(again).name == f"Christmas {number}"
        played = again


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("", ""),
        ("Christmas", "Christmas 2"),
        ("Christmas 9", "Christmas 10"),
        ("2026", "2026 2"),
        ("May 2026", "May 2026 2"),
    ],
)
def test_the_name_of_the_next_game(name, after):
    assert following_name(name) == after


def test_a_name_is_one_short_line():
    assert clean_name(" a\tb\x00c ") == "a b c"
    assert len(clean_name("long " * 40)) <= 60
    assert len(following_name("n" * 60)) <= 60


def test_a_hidden_game_is_in_no_list_and_counts_all_the_same(client, watcher, played):
    assert label(client, played, "hide").location == f"/?changed={played}"
    assert f'href="/g/{played}"' not in watcher.get("/").text
    assert "Amy" in watcher.get("/people").text
    assert watcher.get(f"/g/{played}").status_code == 200


def test_a_deleted_game_leaves_the_list_the_statistics_and_the_known_players(client, watcher, played):
    label(client, played, "delete")
    assert f'href="/g/{played}"' not in watcher.get("/").text
    assert "Nobody has played a hand here yet." in watcher.get("/people").text
    assert "Who plays?" not in client.get("/").text
    assert "This game was deleted" in watcher.get(f"/g/{played}").text


def test_what_was_put_away_comes_back_by_one_tap(client, watcher, played):
    for action, word in (("delete", "Deleted: Amy, Ben"), ("hide", "Hidden: Amy, Ben")):
        bar = client.get(label(client, played, action).location).text
        assert word in bar
        assert 'value="restore">Undo' in bar
        label(client, played, "restore")
        assert f'href="/g/{played}"' in watcher.get("/").text
        assert "Amy" in watcher.get("/people").text


def test_the_scorekeeper_finds_later_what_was_put_away(client, watcher, played):
    label(client, played, "delete")
    assert "Hidden and deleted games (1)" in client.get("/").text
    assert f'href="/g/{played}"' in client.get("/?away=1").text
    assert f'href="/g/{played}"' not in watcher.get("/?away=1").text


def test_only_the_scorekeeper_puts_games_away(watcher, client, played):
    assert label(watcher, played, "delete").status_code == 403
    assert label(client, "nosuchgame", "delete").status_code == 404
    assert label(client, played, "burn").status_code == 422


def test_a_deleted_game_is_exported_and_played_as_before(client, watcher, book, played):
    label(client, played, "delete")
    assert watcher.get(f"/g/{played}/game.json").status_code == 200
    book.record_hand(played, parse_hand("amy 14/0! ben 9/3"), request_id="2")
    assert len(book.game(played).hands) == 2


@pytest.mark.browser
def test_a_game_is_renamed_deleted_and_taken_back_on_a_phone(phone, played):
    page = phone("/", keeper=True)
    page.get_by_label("Name, hide or delete Amy, Ben").click()
    page.get_by_label("Name of the game").fill("Christmas")
    page.get_by_role("button", name="Save the name").click()
    expect(page.locator(".game-sides")).to_have_text("Christmas")
    page.get_by_label("Name, hide or delete Christmas").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".game-card")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".game-sides")).to_have_text("Christmas")


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1366, 768), (1920, 1080)])
def test_the_name_of_a_game_stands_over_its_board_in_line_with_the_rest(phone, client, played, width, height):
    label(client, played, "rename", name="Christmas at the lake")
    page = phone(f"/g/{played}", viewport={"width": width, "height": height})
    name, verdict = page.get_by_text("Christmas at the lake"), page.locator(".verdict h1")
    left = "(it) => it.getBoundingClientRect().x + parseFloat(getComputedStyle(it).paddingLeft)"
    assert abs(name.evaluate(left) - verdict.evaluate(left)) <= 4
    assert name.bounding_box()["y"] + name.bounding_box()["height"] <= verdict.bounding_box()["y"]


@pytest.mark.browser
def test_what_is_said_of_a_deleted_game_keeps_clear_of_the_edges(phone, client, played):
    label(client, played, "delete")
    words = phone(f"/g/{played}", keeper=True).locator(".gone-game").bounding_box()
    assert words["x"] >= 8
    assert words["x"] + words["width"] <= 390 - 8
