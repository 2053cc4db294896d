"""A phone as the table's camera: a real Chromium with a lens, a real camera process, and everybody sees through it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from scorekeeper.watch import EyeProcess
from web import create_app

pytestmark = pytest.mark.browser


@pytest.fixture
def settings(settings):
    """A server that speaks https itself."""
    return replace(settings, self_signed=True)


@pytest.fixture
def eye() -> Iterator[EyeProcess]:
    """A real eye without a camera yet."""
    eye = EyeProcess()
    yield eye
    eye.close()


@pytest.fixture
def app(book, eye, settings):
    return create_app(book, eye, settings)


def test_a_phone_is_the_tables_camera_in_two_taps_and_its_loss_is_said(trusting_phone, eye, client, pin, game_id):
    lens = trusting_phone.new_page()
    lens.goto("/sign-in?next=/camera")
    lens.get_by_label("PIN").fill(pin)
    lens.get_by_role("button", name="Sign in").click()
    lens.get_by_role("link", name="Use this phone").click()
    lens.get_by_role("button", name="Start").click()
    said = lens.locator("#lens-said")
    expect(said).to_contain_text("This phone is the table camera", timeout=60_000)
    assert "Keep the screen on" not in said.inner_text(), "it stays awake"
    assert eye.camera == "phone"

    other = {"base_url": "https://localhost"}
    pictures = []
    while len(pictures) < 2 or np.array_equal(pictures[-1], pictures[0]):
        jpeg = client.get(f"/g/{game_id}/scan/picture", **other).data
        pictures.append(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR))
        assert len(pictures) < 100, "the picture stands still"
    assert pictures[0].shape[1] >= 640
    assert "Ready" in client.get("/status", **other).text

    watching = trusting_phone.new_page()
    watching.goto("/camera")
    expect(watching.locator("#lens-picture")).to_have_js_property("complete", True)
    lens.close()
    expect(watching.locator("#lens-trouble")).to_contain_text("phone that is the table's camera", timeout=60_000)
    assert "phone that is the table&#39;s camera sends no picture" in client.get("/status", **other).text
    assert client.get("/healthz", **other).json["camera"] == "failed"


def test_a_second_phone_takes_over_and_the_first_is_told(trusting_phone, eye, pin):
    first, second = trusting_phone.new_page(), trusting_phone.new_page()
    first.goto("/sign-in?next=/camera/phone")
    first.get_by_label("PIN").fill(pin)
    first.get_by_role("button", name="Sign in").click()
    first.get_by_role("button", name="Start").click()
    expect(first.locator("#lens-said")).to_contain_text("This phone is the table camera", timeout=60_000)
    second.goto("/camera/phone")
    second.get_by_role("button", name="Start").click()
    expect(second.locator("#lens-said")).to_contain_text("This phone is the table camera", timeout=60_000)
    first.bring_to_front()
    expect(first.locator("#lens-said")).to_contain_text("Another phone is the camera now", timeout=60_000)


def test_without_https_the_page_says_why_there_is_no_live_camera(client):
    assert "scorekeeper serve --https" in client.get("/camera").text
