"""Every page for everybody: nothing that axe-core calls serious or critical, in light and in dark, on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from scorekeeper.rules.events import HandBegun, HandDisputed, NertzCalled, PenaltyGiven
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, SideId, make_sides

pytestmark = pytest.mark.browser


@pytest.fixture
def played(book, game_id) -> str:
    """A game in the middle: a hand with a penalty in doubt, and a call that nobody has looked at."""
    book.note(game_id, PenaltyGiven(SideId("ben"), -5, "peeked"), request_id="penalty")
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="1")
    book.note(game_id, HandDisputed(1, "who called?"), request_id="doubt")
    book.note(game_id, HandBegun(), request_id="go")
    book.note(game_id, NertzCalled(SideId("amy")), request_id="call")
    return game_id


@pytest.fixture
def page(phone) -> Page:
    """The scorekeeper's phone."""
    return phone("/", keeper=True, reduced_motion="reduce")


CONTRAST = "axe.run({runOnly: ['color-contrast']})"
"""Of all rules the one that another colour scheme may break."""


def troubles(page: Page, path: str) -> list[str]:
    """What axe-core finds serious or critical on one page, in light and in dark, with the first place of each."""
    page.emulate_media(color_scheme="light")
    page.goto(path, wait_until="load")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    found = Axe().run(page).response["violations"]
    page.emulate_media(color_scheme="dark")
    found += page.evaluate(CONTRAST)["violations"]
    return [
        f"{path} {each['id']}: {each['nodes'][0]['html'][:160]} ({len(each['nodes'])})"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


def test_every_page_is_for_everybody(page, addresses, played):
    paths = addresses(played)
    assert {"/", "/start", "/people", f"/g/{played}", f"/g/{played}/hand", f"/g/{played}/referee"} <= set(paths)
    assert [trouble for path in paths for trouble in troubles(page, path)] == []


def test_what_a_newcomer_sees_is_for_everybody(page, played):
    page.context.clear_cookies()
    paths = ("/sign-in", f"/g/{played}", f"/g/{played}/play", f"/g/{played}/join", "/g/nosuchgame")
    assert [trouble for path in paths for trouble in troubles(page, path)] == []


def test_a_board_with_pictures_and_an_end_is_for_everybody(page, app, book, photo, played):
    over = book.start_game(make_sides([f"Side {n}" for n in range(1, 9)]), Rules(target=10), request_id="over")
    tallies = " ".join(f"side-{n} {n}/{0 if n == 8 else 2}{'!' if n == 8 else ''}" for n in range(1, 9))
    book.record_hand(over, parse_hand(tallies.replace("side-8 8", "side-8 18")), request_id="1")
    pictures = app.extensions["scorekeeper"].pictures
    pictures.attach(over, "hand-1", 2, {"lake": [pictures.keep(photo)]})
    pictures.attach(over, "replay-1", 2, {"replay": [pictures.keep(photo)]})
    paths = [f"/g/{over}{part}" for part in ("", "?tv=1", "/hands/1", "/statistics", "/sheet?empty=3", "/referee")]
    assert [trouble for path in paths for trouble in troubles(page, path)] == []


def test_the_replay_is_for_everybody(page, book, played):
    assert troubles(page, f"/g/{played}/replay") == []


def test_axe_comes_with_the_tests_and_not_over_the_network():
    from axe_playwright_python import base

    assert Path(base.AXE_FILE_PATH).stat().st_size > 300_000
