"""The way to the first number, counted in taps on a phone, and what a refused hand shows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from scorekeeper.rules.notation import format_hand, parse_hand

pytestmark = pytest.mark.browser

NAMES = ("Amy", "Ben", "Cleo", "Dan")
FINGER = {"has_touch": True, "is_mobile": True}


class Thumb:
    """One thumb on one phone, which counts what it taps; the digits of numbers are counted by themselves."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0
        self.digits = 0

    def tap(self, what: Locator) -> None:
        what.tap()
        self.taps += 1

    def type(self, number: int) -> None:
        for digit in str(number):
            self.page.locator("#pad .key").get_by_text(digit, exact=True).tap()
            self.digits += 1

    def key(self, name: str) -> None:
        self.tap(self.page.locator("#pad").get_by_role("button", name=name))


@pytest.fixture
def thumb(phone: Callable[..., Page]) -> Callable[..., Thumb]:
    """Opens the scorekeeper's phone, where fingers tap."""
    return lambda path: Thumb(phone(path, keeper=True, **FINGER))


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name)


def chip(page: Page, name: str) -> Locator:
    return page.locator(".chip").filter(has_text=name)


def test_an_evening_begins_with_few_taps(thumb, book):
    new = thumb("/")
    page = new.page
    new.tap(page.get_by_role("link", name="Start a game").first)
    for number, name in enumerate(NAMES):
        expect(page.locator("[name=name]").nth(number)).to_be_focused()
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    new.tap(page.get_by_text("Type numbers"))
    new.tap(button(page, "Start the game"))
    expect(page.locator("#lake-0")).to_be_focused()
    assert new.taps <= 5

    hand = Thumb(page)
    hand.tap(page.locator("#row-0 .toggle"))
    expect(page.locator("#lake-0")).to_be_focused()
    for number in (14, 9, 3, 11, 2, 8, 6):
        hand.type(number)
        hand.key("Next")
    hand.tap(button(page, "Record hand 1"))
    expect(page.locator(".verdict h1")).to_have_text("Amy leads with 14 of 100 points")
    assert hand.taps <= 12
    assert hand.digits == 9
    assert format_hand(book.game(book.games()[0].id).hands[0]) == "amy 14/0! ben 9/3 cleo 11/2 dan 8/6"

    page.goto("/")
    known = Thumb(page)
    for name in ("Dan", "Amy", "Cleo", "Ben"):
        known.tap(chip(page, name))
    known.tap(button(page, "Start the game"))
    expect(page.locator("#lake-0")).to_be_focused()
    known.type(7)
    expect(page.locator("#lake-0")).to_have_value("7")
    assert known.taps <= 5
    second = book.game(book.games()[0].id)
    assert [side.name for side in second.sides] == ["Dan", "Amy", "Cleo", "Ben"]
    assert {side.name: side.color for side in second.sides} == {
        side.name: side.color for side in book.game(book.games()[1].id).sides
    }


def test_enter_goes_to_the_next_name_before_the_script_is_there(phone):
    page = phone("/start", keeper=True, java_script_enabled=False, **FINGER)
    for number, name in enumerate(NAMES):
        expect(page.locator("[name=name]").nth(number)).to_be_focused()
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    for number, name in enumerate(NAMES):
        expect(page.locator("[name=name]").nth(number)).to_have_value(name)
    expect(page.locator(".trouble")).to_have_count(0)


def test_enter_goes_to_the_next_name_and_a_reload_keeps_them(thumb, book):
    page = thumb("/start").page
    page.locator("[name=name]").first.fill("Amy")
    page.locator("[name=name]").first.press("Enter")
    expect(page.locator("[name=name]").nth(1)).to_be_focused()
    page.keyboard.type("Ben")
    button(page, "Bonus game").tap()
    expect(page.locator("[name=target]")).to_have_value("150")
    page.reload()
    expect(page.locator("[name=name]").nth(1)).to_have_value("Ben")
    expect(page.locator("[name=target]")).to_have_value("150")
    button(page, "Start the game").tap()
    page.wait_for_url("**/g/**")
    assert book.game(book.games()[0].id).rules.target == 150
    page.goto("/start")
    expect(page.locator("[name=name]").first).to_have_value("")


def test_known_players_sit_down_and_a_hand_is_typed_without_javascript(phone, book, game_id):
    page = phone("/", keeper=True, java_script_enabled=False)
    for name in ("Amy", "Ben"):
        chip(page, name).click()
    page.get_by_text("Type numbers").click()
    button(page, "Start the game").click()
    for field, number in (("#lake-0", "14"), ("#lake-1", "9"), ("#left-1", "3")):
        page.fill(field, number)
    button(page, "Record hand 1").click()
    expect(page.locator("#left-0")).to_be_focused()
    page.locator("#row-0 .toggle").click()
    button(page, "Record hand 1").click()
    expect(page.locator(".verdict h1")).to_have_text("Amy leads with 14 of 100 points")


def test_photos_are_one_tap_away_and_nothing_typed_is_lost(thumb, book, game_id):
    page = thumb(f"/g/{game_id}/hand").page
    page.fill("#lake-0", "14")
    button(page, "Type numbers").tap()
    expect(page.locator("#step-spread")).to_have_count(0)
    expect(page.locator("#lake-0")).to_have_value("14")
    button(page, "Take photos").tap()
    expect(page.locator("#step-spread")).to_be_visible()
    expect(page.locator("#lake-0")).to_have_value("14")


def test_a_refused_hand_leads_to_the_field_and_a_doubt_asks_once(thumb, book, game_id):
    page = thumb(f"/g/{game_id}/hand").page
    page.evaluate("window.untouched = true")
    for field, number in (("#lake-0", "14"), ("#left-0", "3"), ("#lake-1", "99")):
        page.fill(field, number)
    button(page, "Record hand 1").tap()
    expect(page.locator("#left-1")).to_be_focused()
    expect(page.locator("#row-1 .fault")).to_have_text("Ben: enter the cards left in the Nertz pile.")
    page.fill("#left-1", "0")
    button(page, "Record hand 1").tap()
    expect(page.locator("#row-1 .fault")).to_have_text(
        "Ben can't have 99 cards in the Lake: enter 0 to 52, the size of a deck."
    )
    expect(page.locator("#lake-1")).to_be_focused()
    expect(page.locator("#lake-0")).to_have_value("14")
    page.fill("#lake-1", "9")
    page.fill("#total", "25")
    button(page, "Record hand 1").tap()
    expect(button(page, "Record anyway")).to_be_visible()
    expect(page.locator(".confirm .primary")).to_have_count(0)
    button(page, "Check again").tap()
    expect(button(page, "Record hand 1")).to_be_visible()
    assert page.evaluate("window.untouched")  # the page was never left
    page.fill("#total", "23")
    button(page, "Record hand 1").tap()
    expect(page.locator("#board")).to_be_visible()
    assert book.game(game_id).hands == (parse_hand("amy 14/3 ben 9/0"),)
