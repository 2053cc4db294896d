"""What people print is black on white, has nothing to tap, and says when the game was; large letters fit a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from scorekeeper.rules.notation import parse_hand

pytestmark = pytest.mark.browser

PRINTED = ["", "/sheet", "/statistics", "/history", "/rules", "/rules-card", "/join", "/sides"]


@pytest.fixture
def played(book, game_id):
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="one")
    return game_id


@pytest.mark.parametrize("page", PRINTED)
def test_a_page_prints_on_white_from_a_dark_screen_without_buttons(phone, played, page):
    sheet = phone(f"/g/{played}{page}", keeper=True)
    sheet.set_viewport_size({"width": 690, "height": 980})  # A4 within its margins
    sheet.emulate_media(media="print", color_scheme="dark")
    assert sheet.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert sheet.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    expect(sheet.locator("button:visible, .button:visible, .top:visible")).to_have_count(0)
    assert sheet.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_sheet_says_when_the_game_was(phone, played, book):
    begun = book.history(played)[0].at.astimezone()
    expect(phone(f"/g/{played}/sheet").locator(".sheet-head")).to_contain_text(f"{begun.day} {begun:%b %Y}")
