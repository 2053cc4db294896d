"""Many boards in one real Chromium, which opens six connections to a server at most: each stays live."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from scorekeeper.rules.notation import parse_hand

pytestmark = pytest.mark.browser
BOARDS = 9
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def watching(app, game_id) -> Callable[[int], bool]:
    """Whether *count* streams of the board are open within a while."""

    def are(count: int) -> bool:
        live, until = app.extensions["scorekeeper"].live, time.monotonic() + 30
        live.beat_s = 0.2  # soon to notice who has gone
        while live.watching(game_id) != count and time.monotonic() < until:
            time.sleep(0.05)
        return live.watching(game_id) == count

    return are


def test_nine_boards_that_are_all_seen_are_all_live_and_leave_room_for_more(new_context, book, game_id, watching):
    context = new_context()
    pages = [context.new_page() for _ in range(BOARDS)]
    for page in pages:
        page.goto(f"/g/{game_id}")
    assert watching(4)
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="first")
    for page in pages:
        expect(page.locator(".last-link")).to_have_text("Hand 1")
    for page in pages[-4:]:
        page.goto("about:blank")
    assert watching(4)
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="second")
    for page in pages[:-4]:
        expect(page.locator(".last-link")).to_have_text("Hand 2")


def test_a_board_that_nobody_sees_gives_its_stream_up_and_is_right_when_it_is_seen(phone, book, game_id, watching):
    page = phone(f"/g/{game_id}")
    assert watching(1)
    page.evaluate(HIDE, True)
    assert watching(0)
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="first")
    page.evaluate(HIDE, False)
    expect(page.locator(".last-link")).to_have_text("Hand 1")
    assert watching(1)
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="second")
    expect(page.locator(".last-link")).to_have_text("Hand 2")
