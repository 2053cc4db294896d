"""Two scorekeepers on one hand, in a real Chromium: each hears of the other's change and keeps what is typed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
SAID = "Somebody else changed this hand."

Open = Callable[[], Page]


@pytest.fixture
def keeper(phone, game_id: str) -> Open:
    """Opens the hand page on one more scorekeeper's phone."""

    def open_phone() -> Page:
        page = phone(f"/g/{game_id}/hand", keeper=True)
        expect(page.locator("[data-kept]")).to_have_count(1)
        return page

    return open_phone


def test_a_change_by_a_colleague_is_said_and_nothing_typed_is_lost(keeper):
    pam, joe = keeper(), keeper()
    pam.fill("#lake-0", "14")
    expect(joe.locator("#hand-news")).to_contain_text(SAID)
    joe.fill("#lake-1", "9")
    expect(pam.locator("#hand-news")).to_contain_text(SAID)
    for page in (pam, joe):
        page.get_by_role("link", name="Show it", exact=True).click()
        expect(page.locator("#lake-0")).to_have_value("14")
        expect(page.locator("#lake-1")).to_have_value("9")
        expect(page.locator("#hand-news")).to_be_empty()


def test_what_one_types_oneself_is_no_news(keeper):
    pam, joe = keeper(), keeper()
    for number in ("1", "12", "1", "14"):
        pam.fill("#lake-0", number)
        pam.wait_for_timeout(300)
    expect(joe.locator("#hand-news")).to_contain_text(SAID)
    expect(pam.locator("#hand-news")).to_be_empty()


def test_a_card_that_a_colleague_corrects_is_news(keeper, client, game_id, photo, book, tap):
    book.enrol_deck(game_id, "amy", "red", ["a signature"], request_id="deck")
    version = str(book.version(game_id))
    files = {"name": "spread.jpg", "mimeType": "image/jpeg", "buffer": photo}
    pam = keeper()
    pam.locator("#step-spread input[type=file]").first.set_input_files(files)
    expect(pam.locator("#lake-0")).to_have_value("10")
    expect(pam.locator("#hand-news")).to_be_empty()
    page = client.get(f"/g/{game_id}/hand").text
    client.post(f"/g/{game_id}/hand/fix/spread", data={**tap(page, "gone", "1"), "version": version})
    expect(pam.locator("#hand-news")).to_contain_text(SAID)
    pam.get_by_role("link", name="Show it", exact=True).click()
    expect(pam.locator("#lake-0")).to_have_value("9")
