"""A whole hand with the live referee in a real Chromium: several phones, one table."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.notation import format_hand
from scorekeeper.rules.scoring import Rules, make_sides

pytestmark = pytest.mark.browser


def tap(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_a_hand_from_ready_to_the_settled_dispute(phone, book):
    game_id = book.start_game(make_sides(["Amy", "Ben"]), Rules(bonus=10, false_call=5), request_id="start")
    keeper, watcher = phone(f"/g/{game_id}/referee", keeper=True), phone(f"/g/{game_id}/referee")
    head = watcher.locator(".now h1")
    keeper.locator("[value='ready.amy']").click()
    expect(watcher.locator(".sides-now li").first).to_contain_text("ready")
    expect(watcher.locator(".sides-now li").first).to_have_class("yes")
    keeper.locator("[value='ready.ben']").click()
    tap(keeper, "Go!")
    expect(head).to_have_text("Play is on")
    expect(watcher.locator(".hand-clock")).to_have_text(re.compile(r"0:0[1-9]|0:[1-5]\d"))

    keeper.locator("[value='call.ben']").click()
    expect(head).to_have_text("Nertz!")
    tap(keeper, "Not valid")
    expect(head).to_have_text("Play is on")
    expect(watcher.locator(".now")).to_contain_text("Ben's call was not valid")

    keeper.locator(".time-out-tool summary").click()
    for name in ("Amy", "Ben"):
        keeper.locator(".between").get_by_text(name).click()
    keeper.get_by_label("What happened? (optional)").fill("the table was knocked")
    tap(keeper, "Stop play")
    expect(head).to_have_text("Time-out")
    expect(watcher.locator(".hand-clock.still")).to_be_visible()
    tap(keeper, "Play goes on")
    expect(head).to_have_text("Play is on")

    keeper.locator("[value='call.amy']").click()
    tap(keeper, "Valid")
    expect(watcher.locator(".claims .yes")).to_contain_text("the call is valid")
    keeper.get_by_role("link", name="Count hand 1").click()
    expect(keeper.locator("[name='called.amy']")).to_be_checked()
    for field, number in (("#lake-0", "14"), ("#lake-1", "9"), ("#left-1", "3")):
        keeper.fill(field, number)
    expect(keeper.locator("#points-1")).to_have_text("−2")
    expect(keeper.locator("#bonus-words")).to_contain_text("Amy 10")
    tap(keeper, "Record hand 1")
    expect(keeper.locator(".verdict h1")).to_have_text("Amy leads with 24 of 100 points")
    expect(head).to_have_text("Who is ready?")

    keeper.goto(f"/g/{game_id}/hands/1")
    keeper.get_by_label("What is doubted?").fill("Ben has two more")
    tap(keeper, "Dispute this hand")
    watcher.goto(f"/g/{game_id}")
    expect(watcher.locator(".unofficial")).to_have_text("Unofficial: hand 1 is disputed")
    keeper.get_by_label("What did the table agree on?").fill("counted again: 9")
    tap(keeper, "It is settled")
    expect(watcher.locator(".unofficial")).to_have_count(0)
    assert format_hand(book.game(game_id).hands[0]) == "amy 14/0! ben 9/3"
    assert book.game(game_id).totals == {"amy": 24, "ben": -2}


def test_the_referee_works_without_javascript(phone, book, game_id):
    page = phone(f"/g/{game_id}/referee", keeper=True, java_script_enabled=False)
    tap(page, "All are ready")
    tap(page, "Go!")
    page.locator("[value='call.amy']").click()
    tap(page, "Valid")
    expect(page.get_by_role("link", name="Count hand 1")).to_be_visible()
    assert book.game(game_id).live.claims[0].verified


def test_three_quick_taps_of_one_phone_all_count(phone, book, game_id):
    page = phone(f"/g/{game_id}/referee", keeper=True)
    page.evaluate("for (const side of ['amy', 'ben']) document.querySelector(`[value='ready.${side}']`).click()")
    expect(page.get_by_role("button", name="Go!", exact=True)).to_be_visible()
    assert book.game(game_id).live.ready == {"amy", "ben"}


@pytest.mark.parametrize("width", [320, 390, 1920])
def test_no_page_of_the_referee_is_wider_than_its_screen(phone, book, width):
    names = [f"The long-named side {number}" for number in range(12)]
    game_id = book.start_game(make_sides(names), Rules(), request_id="wide")
    book.begin_hand(game_id, request_id="go", anyway=True)
    page = phone("/", keeper=True)
    page.set_viewport_size({"width": width, "height": 900})
    for path in ("", "/referee", "/audit", "/hand"):
        page.goto(f"/g/{game_id}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_a_new_hand_moves_nothing_on_the_board(phone, book, game_id):
    page = phone(f"/g/{game_id}")
    first = page.locator(".standing").first
    before = first.bounding_box()
    book.begin_hand(game_id, request_id="go", anyway=True)
    expect(page.locator(".play-line")).to_contain_text("is being played")
    assert first.bounding_box() == before


def test_h5_a_penalty_says_what_it_will_do_and_is_removed_with_one_tap(phone, book, game_id):
    book.begin_hand(game_id, request_id="go", anyway=True)
    keeper, watcher = phone(f"/g/{game_id}/referee", keeper=True), phone(f"/g/{game_id}/referee")
    keeper.get_by_text("Penalty or extra points").click()
    button = keeper.locator("button[value=penalty]")
    for typed, says in (("+3", "Add 3"), ("five", "Give it"), ("−5", "Take off 5"), ("5", "Take off 5")):
        keeper.get_by_label("Points off").fill(typed)
        expect(button).to_have_text(says)
    keeper.get_by_label("Why?").fill("peeked")
    tap(keeper, "Take off 5")
    expect(watcher.locator("#penalties")).to_have_text("−5 Amy: peeked")
    tap(keeper, "Remove: Amy −5")
    expect(watcher.locator("#penalties")).to_have_count(0)
    assert book.game(game_id).live.penalties == ()


def test_h5_a_hand_says_what_its_penalty_will_do(phone, book, game_id):
    page = phone(f"/g/{game_id}/hand", keeper=True)
    page.locator("summary").filter(has_text="Penalty or extra points").click()
    page.fill("#extra-0", "5")
    expect(page.locator("#effect-0")).to_have_text("Take off 5")
    page.fill("#lake-0", "9")
    page.fill("#left-0", "0")
    expect(page.locator("#points-0")).to_have_text("+4")
    page.reload()
    expect(page.locator("#effect-0")).to_have_text("Take off 5")
    page.fill("#extra-0", "+5")
    expect(page.locator("#effect-0")).to_have_text("Add 5")
    expect(page.locator("#points-0")).to_have_text("+14")
