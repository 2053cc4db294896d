"""From the set-up check to the counts in the hand: real Chromium, real server, real eye, a phone's camera over HTTP."""

from __future__ import annotations

import json

import cv2
import pytest
from playwright.sync_api import Page, expect

from scorekeeper.resources import data_path
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.vision.geometry import Image
from scorekeeper.watch import EyeProcess
from web import create_app

pytestmark = pytest.mark.browser
HAND = data_path("datasets/samples/hand1")
TRUTH = json.loads((HAND / "truth.json").read_text("utf-8"))
LAID = {"red": 5, "blue": 12, "green": 8}
"""Cards of each deck on spread-1.jpg; the decks from left to right on decks.jpg."""
PATIENCE_MS = 300_000


def sample(name: str) -> Image:
    """A sample picture as the camera sees it."""
    return cv2.resize(cv2.imread(str(HAND / name)), (1280, 720), interpolation=cv2.INTER_AREA)


@pytest.fixture
def game_id(book):
    return book.start_game(make_sides([side["name"] for side in TRUTH["sides"]]), Rules(), request_id="start")


@pytest.fixture
def app(book, settings, camera):
    camera.show([sample("lake.jpg")])
    with EyeProcess(camera.address) as eye:
        yield create_app(book, eye, settings)


@pytest.fixture
def page(phone) -> Page:
    return phone("/", keeper=True, patience_ms=PATIENCE_MS)


def counted(page: Page) -> None:
    expect(page.locator("#scan")).to_have_attribute("data-phase", "locked")


def test_a_table_is_set_up_and_its_lake_counted_live_through_an_unplugged_camera(page, camera, game_id):
    page.goto(f"/g/{game_id}/camera")
    expect(page.locator(".remark-sum")).to_contain_text("Everything looks fine")

    camera.show([sample("decks.jpg")])
    page.goto(f"/g/{game_id}/decks")
    page.locator(".all-decks").get_by_role("button", name="Table camera").click()
    for number, colour in enumerate(LAID):
        card = page.locator(".laid > li").nth(number)
        expect(card.get_by_role("heading")).to_have_text(f"The {colour} one")
        owner = next(side["name"] for side in TRUTH["sides"] if side["deck"] == colour)
        card.get_by_label("Whose is it?").select_option(label=owner)
    page.get_by_role("button", name="Save decks").click()
    expect(page.locator("img.back")).to_have_count(3)

    page.goto(f"/g/{game_id}/hand")
    page.fill("#total", str(sum(LAID.values())))
    expect(page.locator("#sum-line")).to_contain_text("25")
    page.get_by_role("link", name="Count live with the table camera").click()
    camera.show([sample("spread-1.jpg")])
    page.get_by_role("button", name="Start counting").click()
    counted(page)
    camera.unplug()
    expect(page.locator(".scan-why")).to_contain_text("The camera gives no picture")
    camera.plug_in()
    counted(page)
    expect(page.locator(".scan-sum")).to_contain_text("All cards found")
    page.get_by_role("button", name="Use these counts").click()
    for number, side in enumerate(TRUTH["sides"]):
        expect(page.locator(f"#lake-{number}")).to_have_value(str(LAID[side["deck"]]))
    expect(page.locator("#step-spread .shape.back")).to_have_count(25)
