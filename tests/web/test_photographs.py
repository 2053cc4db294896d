"""A hand from photographs to the board: real Chromium, real server, real eye, the sample pictures."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from scorekeeper.resources import data_path
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.notation import format_hand
from scorekeeper.rules.scoring import Rules, make_sides, side_id
from scorekeeper.watch import EyeProcess
from web import create_app

pytestmark = pytest.mark.browser
HAND = data_path("datasets/samples/hand1")
TRUTH = json.loads((HAND / "truth.json").read_text("utf-8"))


@pytest.fixture
def game_id(book):
    sides = make_sides([s["name"] for s in TRUTH["sides"]], {s["name"]: DeckId(s["deck"]) for s in TRUTH["sides"]})
    return book.start_game(sides, Rules(), request_id="start")


@pytest.fixture
def app(book, settings):
    with EyeProcess() as eye:
        yield create_app(book, eye, settings)


def test_a_hand_is_scored_from_its_photographs(phone, book, game_id):
    page = phone(f"/g/{game_id}/decks", keeper=True)
    for number, side in enumerate(TRUTH["sides"]):
        form = page.locator("form.deck").nth(number)
        form.locator("input[type=file]").first.set_input_files(HAND / f"enrol-{side['deck']}.jpg")
        expect(page.locator("form.deck").nth(number)).to_contain_text("Known")

    page.goto(f"/g/{game_id}/hand")
    page.locator("#step-lake input[type=file]").first.set_input_files(HAND / "lake.jpg")
    expect(page.locator("#step-lake .pan img")).to_have_count(1)
    expect(page.locator("#total")).to_have_value(str(sum(TRUTH["lake"].values())))
    batches = sorted(HAND.glob("spread-*.jpg"))
    page.locator("#step-spread input[type=file][multiple]").set_input_files(batches)
    expect(page.locator("#step-spread .pan img")).to_have_count(len(batches))
    for number, side in enumerate(TRUTH["sides"]):
        expect(page.locator(f"#lake-{number}")).to_have_value(str(TRUTH["lake"][side["deck"]]))
        if side["name"] in TRUTH["callers"]:
            page.locator(f"#row-{number} .toggle").click()
            page.fill(f"#left-{number}", "0")
        else:
            fan = HAND / f"fan-{side_id(side['name'], ())}.jpg"
            page.locator(f"#row-{number} .snap input[type=file]").set_input_files(fan)
            expect(page.locator(f"#left-{number}")).to_have_value(str(TRUTH["left"][side["name"]]))
    page.get_by_role("button", name="Record hand").click()
    expect(page.locator(".verdict h1")).to_contain_text("leads")

    assert [format_hand(hand) for hand in book.game(game_id).hands] == ["amy 14/0! ben 19/4 cleo 16/6"]
