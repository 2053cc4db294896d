"""Set-up check and live scan in a real Chromium, with an eye on paper."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.said import say
from scorekeeper.rules.view import Point
from scorekeeper.watch import Phase, Solved

pytestmark = pytest.mark.browser

OWN_CAMERA = """
    const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
    setInterval(() => canvas.getContext("2d").fillRect(Math.random() * 640, 0, 9, 480), 100);
    if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(5);
"""
"""A phone whose camera shows a black table."""


@pytest.fixture
def table(client, game_id, photo):
    """Amy's red and Ben's blue deck are known to the eye."""
    for side in ("amy", "ben"):
        data = {"request_id": side, "pictures": (io.BytesIO(photo), "back.jpg")}
        client.post(f"/g/{game_id}/decks/{side}", data=data)
    return game_id


def test_the_list_follows_the_camera(phone, eye, game_id):
    page = phone(f"/g/{game_id}/camera", keeper=True)
    expect(page.locator(".remarks")).to_contain_text("Near enough")
    eye.good = {Point.SIZE: False}
    expect(page.locator(".remark-sum")).to_have_text("1 thing to put right")
    expect(page.get_by_text("Bring the camera nearer")).to_be_visible()
    eye.unplugged = True
    expect(page.locator("#view-trouble")).to_have_text("The camera was unplugged.")
    eye.unplugged, eye.good = False, {}
    expect(page.locator("#view-trouble")).to_be_hidden()
    expect(page.locator(".remark-sum")).to_contain_text("Everything looks fine")


def test_a_phones_own_camera_is_judged_frame_by_frame(phone, eye, game_id):
    eye.camera = None
    page = phone("/", keeper=True)
    page.add_init_script(OWN_CAMERA)
    page.goto(f"/g/{game_id}/camera")
    page.get_by_role("button", name="This phone's camera").click()
    expect(page.locator("#view-phone")).to_be_visible()
    expect(page.locator(".remarks")).to_contain_text("Near enough")
    page.get_by_role("button", name="Stop this phone's camera").click()
    expect(page.locator("#view-phone")).to_be_hidden()


def test_a_photo_is_enough_without_javascript(phone, eye, game_id, photo):
    eye.camera = None
    page = phone(f"/g/{game_id}/camera", keeper=True, java_script_enabled=False)
    upload = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": photo}
    page.locator("input[type=file]").first.set_input_files(upload)
    page.get_by_role("button", name="Read the picture").click()
    expect(page.locator(".remarks")).to_contain_text("Near enough")


def test_two_phones_count_together_and_one_uses_the_counts(phone, eye, table):
    pam, joe = (phone(f"/g/{table}/scan", keeper=True) for _ in range(2))
    pam.get_by_role("button", name="Start counting").click()
    expect(pam.locator("#scan")).to_have_attribute("data-phase", "waiting")
    eye.sees("red", "blue", phase=Phase.WAITING, why="take the hand out of the picture")
    for page in (pam, joe):
        expect(page.locator(".scan-why")).to_have_text("Take the hand out of the picture.")
        expect(page.get_by_role("button", name="Use these counts")).to_be_disabled()
    eye.sees("red", "red", "blue")
    for page in (pam, joe):
        expect(page.locator("#scan-marks .shape.back")).to_have_count(3)
        expect(page.locator(".scan-sides li").first).to_contain_text(re.compile(r"Amy\s*2"))
    pam.get_by_role("button", name="Next group").click()
    expect(joe.get_by_text("1 group is put away")).to_be_visible()
    eye.sees("blue")
    expect(joe.locator("#scan-marks .shape.back")).to_have_count(1)
    joe.get_by_role("button", name="Use these counts").click()
    expect(joe.locator("#lake-0")).to_have_value("2")
    expect(joe.locator("#lake-1")).to_have_value("2")
    expect(pam.get_by_role("button", name="Start counting")).to_be_visible()


def test_a_tap_on_an_old_screen_is_refused_and_shows_the_new_one(phone, eye, table):
    page = phone(f"/g/{table}/scan", keeper=True)
    page.get_by_role("button", name="Start counting").click()
    expect(page.locator("#scan")).to_have_attribute("data-phase", "waiting")
    eye.sees("red")
    expect(page.locator("#scan-marks .shape")).to_have_count(1)
    page.route("**/scan/state*", lambda route: route.abort())
    eye.sees("red", "blue")
    page.get_by_role("button", name="Next group").click()
    expect(page.locator("#scan-trouble")).to_contain_text("The count has changed")
    expect(page.locator("#scan-marks .shape")).to_have_count(2)
    assert eye.scanning.batches == 0


def test_another_reading_is_taken_by_one_tap_and_given_back_in_the_same_place(phone, eye, table):
    page = phone(f"/g/{table}/scan", keeper=True)
    page.get_by_role("button", name="Start counting").click()
    expect(page.locator("#scan")).to_have_attribute("data-phase", "waiting")
    eye.sees("red", "red", "red", "blue", "blue")
    why = say("a card read as %(deck)r may be of %(other)r", deck="red", other="blue")
    other = Solved({DeckId("red"): 2, DeckId("blue"): 3}, why)
    eye.scanning = replace(eye.scanning, runner_up=other, number=eye.scanning.number + 1)
    expect(page.locator(".scan-or")).to_contain_text("or: Amy 2, Ben 3 – because a card read as 'red' may be of 'blue'")
    page.get_by_role("button", name="Take these").click()
    expect(page.locator("#lake-0")).to_have_value("2")
    expect(page.locator("#lake-1")).to_have_value("3")
    page.locator("#step-spread").get_by_role("button", name="Back to what was read").click()
    expect(page.locator("#lake-0")).to_have_value("3")
    expect(page.locator("#lake-1")).to_have_value("2")


def test_sound_is_off_until_somebody_wants_it_and_then_remembered(phone, table):
    page = phone(f"/g/{table}/scan", keeper=True)
    for name in ("Beep when counted", "Say the counts aloud"):
        expect(page.get_by_label(name)).not_to_be_checked()
        page.get_by_label(name).check()
    page.reload()
    for name in ("Beep when counted", "Say the counts aloud"):
        expect(page.get_by_label(name)).to_be_checked()


@pytest.mark.parametrize("width", [320, 390, 768, 1920])
def test_no_page_is_wider_than_its_screen(phone, eye, table, width):
    page = phone(f"/g/{table}/decks", keeper=True)
    page.set_viewport_size({"width": width, "height": 900})
    eye.sees("red", "blue")
    for path in ("decks", "camera", "scan"):
        page.goto(f"/g/{table}/{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
