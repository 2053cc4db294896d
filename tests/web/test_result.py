"""The result as a picture: drawn for everybody, shared by a phone that can, else saved, with a photo if wanted."""

from __future__ import annotations

from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from scorekeeper.rules.house import Rules
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import make_sides
from web.result import drawing_of, fitted, wrapped

SHARES = """
  window.shared = [];
  navigator.canShare = ({ files }) => files.length === 1;
  navigator.share = async ({ files: [file], title }) => {
    window.shared.push([file.name, file.type, file.size, title]);
    document.body.dataset.shared = "yes";
  };
"""
"""A browser that can share; the Chromium of the tests can't."""


@pytest.fixture
def over(book) -> str:
    """Amy wins with 30 points."""
    game = book.start_game(make_sides(["Amy", "Ben"]), Rules(target=20), request_id="short")
    book.record_hand(game, parse_hand("amy 30/0! ben 9/3"), request_id="h", confirm_doubts=True)
    return game


def texts(drawn: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]


def test_the_picture_says_who_won_with_how_many_points_and_when(watcher, client, over):
    client.post(f"/g/{over}/label", data={"action": "rename", "name": "Christmas <3"})
    answer = watcher.get(f"/g/{over}/result/picture.svg")
    assert answer.mimetype == "image/svg+xml"
    said = texts(answer.text)
    assert " ".join(said[3:5]).startswith("Amy wins with 30")
    assert {"Amy", "Ben", "30", "3", "Christmas <3"} <= set(said)


def test_the_picture_of_a_game_that_runs_and_of_one_without_a_hand(watcher, book, game_id):
    assert "Ben" in texts(watcher.get(f"/g/{game_id}/result/picture.svg").text)
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="1")
    assert "14" in texts(watcher.get(f"/g/{game_id}/result/picture.svg").text)


@pytest.mark.parametrize("count", [2, 8, 40])
def test_everybody_finds_room(book, count):
    game = book.game(book.start_game(make_sides([f"Side {n}" for n in range(count)]), Rules(), request_id="all"))
    drawn = drawing_of(game)
    assert len(drawn.lines) == count
    assert drawn.lines[-1].y + drawn.line_px < drawn.height


def test_names_as_people_have_them_stay_whole(watcher, book):
    names = ["Krishnamoorthyswaminathan & Co", "עמית", '<b>&"', "林黛玉"]
    game = book.start_game(make_sides(names), Rules(), request_id="names")
    assert set(names) <= set(texts(watcher.get(f"/g/{game}/result/picture.svg").text))


def test_a_long_text_is_squeezed_or_broken_between_words():
    assert fitted("Amy", 40, 600).squeezed_px is None
    assert fitted("Krishnamoorthyswaminathan", 50, 600).squeezed_px == 600
    assert wrapped("Amy wins with 30 points", 14) == ["Amy wins with", "30 points"]
    assert wrapped("Krishnamoorthyswaminathan", 5) == ["Krishnamoorthyswaminathan"]


def test_a_browser_without_scripts_saves_the_drawing(watcher, over):
    assert f"/g/{over}/result/picture.svg?save=1" in watcher.get(f"/g/{over}/result").text
    answer = watcher.get(f"/g/{over}/result/picture.svg?save=1")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="nertz-{over}.svg"'


def test_the_end_of_a_game_offers_its_picture(watcher, client, over):
    for phone in (watcher, client):
        assert f'href="/g/{over}/result"' in phone.get(f"/g/{over}").text


@pytest.mark.browser
def test_a_phone_that_cannot_share_saves_the_picture_with_a_photo(phone, over, upload, tmp_path):
    page = phone(f"/g/{over}/result", viewport={"width": 390, "height": 844})
    expect(page.locator("[data-ready=plain]")).to_be_visible()
    plain = saved(page, tmp_path)
    page.set_input_files("[data-photo]", upload)
    expect(page.locator("[data-ready=photo]")).to_be_visible()
    both = saved(page, tmp_path)
    assert both.shape == (plain.shape[0] + 810, 1080, 3)
    assert np.abs(both[100, 540].astype(int) - (70, 110, 60)).max() < 12
    page.get_by_role("button", name="Remove the photo").click()
    expect(page.locator("[data-ready=plain]")).to_be_visible()


def saved(page, folder) -> np.ndarray:
    with page.expect_download() as download:
        page.get_by_text("Save the picture").click()
    download.value.save_as(folder / "saved.jpg")
    return cv2.imread(str(folder / "saved.jpg"))


@pytest.mark.browser
def test_a_phone_that_can_share_shares_the_picture(new_context, over):
    context = new_context()
    context.add_init_script(SHARES)
    page = context.new_page()
    page.goto(f"/g/{over}/result")
    page.get_by_role("button", name="Share the picture").click()
    expect(page.locator("[data-shared]")).to_be_attached()
    [[name, kind, size, title]] = page.evaluate("window.shared")
    assert (name, kind, title) == (f"nertz-{over}.jpg", "image/jpeg", "Amy wins with 30 points")
    assert size > 10_000


@pytest.mark.browser
def test_a_photo_that_is_none_is_said_and_the_picture_stays(phone, over, tmp_path):
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    page = phone(f"/g/{over}/result")
    expect(page.locator("[data-ready=plain]")).to_be_visible()
    page.set_input_files("[data-photo]", tmp_path / "broken.jpg")
    expect(page.locator("#notice")).to_contain_text("This photo can't be read.")
    expect(page.locator("[data-ready=plain]")).to_be_visible()
