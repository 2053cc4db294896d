"""The television: a way back, full screen, dark, a call that fills it, the score aloud, and the countdown to Go."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect

from scorekeeper.rules.events import HandBegun, NertzCalled, ReadySaid
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import SideId

TELEVISION = {"width": 1920, "height": 1080}
SPOKEN = """
  window.spoken = [];
  const voice = { speak: ({ text, lang }) => window.spoken.push([lang, text]) };
  Object.defineProperty(window, "speechSynthesis", { value: voice });
"""
"""A browser with a voice; the Chromium of the tests has none."""
COUNTED = """() => { document.body.dataset.counted = "";
  document.addEventListener("counted", ({ detail }) => { document.body.dataset.counted += `${detail} `; }); }"""
GROUND = "getComputedStyle(document.body).backgroundColor"


def ready(book, game_id) -> None:
    for side in ("amy", "ben"):
        book.note(game_id, ReadySaid(SideId(side)), request_id=f"ready {side}")


def test_the_way_back_needs_no_script(watcher, game_id):
    assert f'href="/g/{game_id}">Back to the board</a>' in watcher.get(f"/g/{game_id}?tv=1").text


def test_only_the_television_may_lie_in_a_frame_and_of_this_server_alone(watcher, game_id):
    framed = {
        path: watcher.get(path).headers["Content-Security-Policy"] for path in (f"/g/{game_id}", f"/g/{game_id}?tv=1")
    }
    assert "frame-ancestors 'none'" in framed[f"/g/{game_id}"]
    assert "frame-ancestors 'self'" in framed[f"/g/{game_id}?tv=1"]


def test_go_comes_after_the_countdown_and_everybody_hears_when(app, client, book, game_id):
    countdown = app.extensions["scorekeeper"].countdown
    countdown.wait_s = 0.2
    ready(book, game_id)
    began = time.time()
    answer = client.post(f"/g/{game_id}/referee", data={"did": "count-down", "version": "3", "request_id": "c"})
    assert answer.status_code == 303
    assert book.game(game_id).live.phase == "playing"
    assert abs(float(countdown.go_at(game_id)) / 1000 - began - 0.2) < 0.15
    assert countdown.go_at("another") == ""


def test_a_countdown_to_a_go_that_is_refused_does_not_begin(app, client, book, game_id):
    answer = client.post(f"/g/{game_id}/referee", data={"did": "count-down", "version": "1", "request_id": "c"})
    assert answer.status_code == 422
    assert "Not ready yet: Amy and Ben" in answer.text
    assert app.extensions["scorekeeper"].countdown.go_at(game_id) == ""


@pytest.mark.browser
def test_a_phone_finds_back_from_the_television_page(phone, game_id):
    page = phone(f"/g/{game_id}?tv=1")
    page.get_by_role("link", name="Back to the board").click()
    expect(page.locator(".tabs")).to_be_visible()


@pytest.mark.browser
def test_dark_stays_dark_on_this_screen(phone, game_id):
    page = phone(f"/g/{game_id}?tv=1", viewport=TELEVISION, color_scheme="light")
    light = page.evaluate(GROUND)
    page.get_by_role("button", name="Dark").click()
    assert page.evaluate(GROUND) != light
    page.reload()
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(GROUND) != light


@pytest.mark.browser
def test_a_call_fills_the_screen_once_and_a_tap_ends_it(phone, book, game_id):
    page = phone(f"/g/{game_id}?tv=1", viewport=TELEVISION)
    book.note(game_id, HandBegun(), request_id="go")
    book.note(game_id, NertzCalled(SideId("amy")), request_id="call")
    expect(page.locator("#call")).to_contain_text("Nertz!")
    expect(page.locator("#call")).to_contain_text("Amy called Nertz")
    box = page.locator("#call").bounding_box()
    assert (box["width"], box["height"]) == (1920, 1080)
    page.locator("#call").click()
    expect(page.locator("#call")).to_be_hidden()
    page.reload()
    expect(page.locator(".play-line.called")).to_be_visible()
    expect(page.locator("#call")).to_be_hidden()


@pytest.mark.browser
def test_the_score_is_read_aloud_where_wanted(new_context, book, game_id):
    context = new_context(viewport=TELEVISION)
    context.add_init_script(SPOKEN)
    page = context.new_page()
    page.goto(f"/g/{game_id}?tv=1")
    page.get_by_role("button", name="Read the score aloud").click()
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="1")
    expect(page.locator("#news")).to_contain_text("Hand 1")
    assert page.evaluate("window.spoken[1]") == ["en", "Hand 1, Nertz by Amy: Amy leads with 14 of 100 points"]


@pytest.mark.browser
def test_every_screen_counts_down_to_go(phone, book, game_id):
    ready(book, game_id)
    television = phone(f"/g/{game_id}?tv=1", viewport=TELEVISION)
    keeper = phone(f"/g/{game_id}/referee", keeper=True)
    for page in (television, keeper):
        page.evaluate(COUNTED)
    keeper.get_by_role("button", name="3, 2, 1, Go!").click()
    expect(television.locator("#countdown")).to_be_visible()
    expect(television.locator(".play-line.playing")).to_be_visible()
    for page in (television, keeper):
        expect(page.locator("body")).to_have_attribute("data-counted", re.compile(r"2 1 Go! $"))
        expect(page.locator("#countdown")).to_be_hidden()


@pytest.mark.browser
def test_the_full_screen_stays_while_the_table_goes_on_to_its_next_game(phone, client, game_id):
    page = phone(f"/g/{game_id}?tv=1", viewport=TELEVISION)
    page.get_by_role("button", name="Full screen").click()
    board = page.frame_locator("iframe")
    expect(board.locator(".verdict h1")).to_be_visible()
    assert page.evaluate("document.fullscreenElement.className") == "tv-frame"
    again = client.post(f"/g/{game_id}/rematch", data={"request_id": "again"}).location.rpartition("/")[2]
    expect(board.locator(f'#board[data-poll="/g/{again}/board"]')).to_be_visible()
    assert page.evaluate("document.fullscreenElement.className") == "tv-frame"
    expect(board.get_by_role("button", name="Full screen")).to_be_hidden()
