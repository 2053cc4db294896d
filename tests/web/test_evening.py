"""A whole evening as a table lives it: set-up, hands typed and photographed, a dispute, a tie, the end, and after it.

``SCOREKEEPER_WALK_PICTURES=FOLDER`` saves a picture of the scorekeeper's phone and of the television at each step.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.resources import data_path
from scorekeeper.rules.notation import format_hand, parse_hand
from scorekeeper.rules.scoring import side_id
from scorekeeper.watch import EyeProcess
from web import create_app

pytestmark = pytest.mark.browser
HAND = data_path("datasets/samples/hand1")
TRUTH = json.loads((HAND / "truth.json").read_text("utf-8"))
TELEVISION = {"width": 1920, "height": 1080}
PATIENCE_MS = 120_000
FOLDER = os.environ.get("SCOREKEEPER_WALK_PICTURES")
NAMES = ["Amy", "Ben", "Cleo", "Dan"]

Snap = Callable[[str], None]


@pytest.fixture
def app(book, settings):
    """The table's camera is a folder of pictures: what it sees does not matter, only that it is there."""
    with EyeProcess(str(HAND)) as eye:
        yield create_app(book, eye, settings)


@pytest.fixture
def keeper(phone) -> Page:
    """The scorekeeper's phone."""
    return phone("/", keeper=True, who="Pam", patience_ms=PATIENCE_MS)


@pytest.fixture
def television(phone) -> Page:
    return phone("/", viewport=TELEVISION, patience_ms=PATIENCE_MS)


@pytest.fixture
def snap(keeper: Page, television: Page) -> Snap:
    """Saves what both screens show, where a person asked for it."""
    steps = count(1)

    def save(step: str) -> None:
        number = next(steps)
        if FOLDER:
            Path(FOLDER).mkdir(parents=True, exist_ok=True)
            keeper.screenshot(path=f"{FOLDER}/{number:02}-{step}-phone.png", full_page=True)
            television.screenshot(path=f"{FOLDER}/{number:02}-{step}-tv.png")

    return save


def start_the_game(keeper: Page) -> str:
    """Four sides, to 40; the path of the board."""
    keeper.goto("/start")
    for number, name in enumerate(NAMES, 1):
        keeper.get_by_label(f"Name of side {number}").fill(name)
    keeper.locator("input[name=target]").fill("40")
    keeper.locator("input[name=target]").press("Tab")
    keeper.get_by_role("button", name="Start the game").click()
    keeper.wait_for_url("**/g/**")
    return "/".join(keeper.url.split("/")[:5])


def show_the_decks(keeper: Page, board: str) -> None:
    keeper.goto(f"{board}/decks")
    for number, side in enumerate(TRUTH["sides"]):
        form = keeper.locator("form.deck").nth(number)
        form.locator("input[type=file]").first.set_input_files(HAND / f"enrol-{side['deck']}.jpg")
        expect(keeper.locator("form.deck").nth(number)).to_contain_text("Known")


def type_hand(keeper: Page, board: str, text: str) -> None:
    """Fills the form of the next hand and records it."""
    keeper.goto(f"{board}/hand")
    fill_in(keeper, text)
    record(keeper)


def fill_in(keeper: Page, text: str) -> None:
    hand = parse_hand(text)
    for number, tally in enumerate(hand.tallies):
        if (tally.side in hand.callers) != keeper.locator(f"#row-{number} .toggle input").is_checked():
            keeper.locator(f"#row-{number} .toggle").click()
        keeper.fill(f"#lake-{number}", str(tally.lake))
        keeper.fill(f"#left-{number}", str(tally.nertz_left))


def record(keeper: Page) -> None:
    """Records the hand; what the eye is not sure of the table has looked at."""
    keeper.get_by_role("button", name="Record hand").click()
    board, anyway = keeper.locator("#board .verdict"), keeper.get_by_role("button", name="Record anyway")
    expect(board.or_(anyway).first).to_be_visible()
    if anyway.is_visible():
        anyway.click()
    expect(board).to_be_visible()


def photograph_hand(keeper: Page, board: str) -> None:
    """The Lake as it lies, turned over in two batches, and what Ben and Cleo have left."""
    keeper.goto(f"{board}/hand")
    keeper.locator("#step-lake input[type=file]").first.set_input_files(HAND / "lake.jpg")
    expect(keeper.locator("#total")).to_have_value(str(sum(TRUTH["lake"].values())))
    batches = sorted(HAND.glob("spread-*.jpg"))
    keeper.locator("#step-spread input[type=file][multiple]").set_input_files(batches)
    for number, side in enumerate(TRUTH["sides"]):
        expect(keeper.locator(f"#lake-{number}")).to_have_value(str(TRUTH["lake"][side["deck"]]))
        if side["name"] in TRUTH["callers"]:
            expect(keeper.locator(f"#row-{number} .toggle input")).to_be_checked()  # the referee heard the call
            keeper.fill(f"#left-{number}", "0")
        else:
            fan = HAND / f"fan-{side_id(side['name'], ())}.jpg"
            keeper.locator(f"#row-{number} .snap input[type=file]").set_input_files(fan)
            expect(keeper.locator(f"#left-{number}")).to_have_value(str(TRUTH["left"][side["name"]]))
    keeper.fill("#lake-3", "0")
    keeper.fill("#left-3", "3")


def call_and_look_back(keeper: Page, board: str, snap: Snap, watch: EyeProcess) -> None:
    """Go, a call by Amy, a look at the last seconds, and the call stands."""
    keeper.goto(f"{board}/referee")
    keeper.get_by_role("button", name="Go anyway").click()
    expect(keeper.get_by_role("heading", name="Play is on")).to_be_visible()
    until = time.monotonic() + PATIENCE_MS / 1000
    while len(watch.moments()) < 2:
        assert time.monotonic() < until, "the camera shows nothing"
        keeper.wait_for_timeout(200)
    keeper.get_by_role("button", name="Amy").click()
    expect(keeper.get_by_role("heading", name="Nertz!")).to_be_visible()
    snap("called")
    keeper.get_by_role("link", name="Watch the last seconds").click()
    expect(keeper.locator("#replay-picture")).to_be_visible()
    snap("replay")
    keeper.goto(f"{board}/referee")
    keeper.get_by_role("button", name="Valid", exact=True).click()
    expect(keeper.get_by_text("the call is valid")).to_be_visible()


def doubt_correct_and_settle(keeper: Page, television: Page, board: str, snap: Snap) -> None:
    """Amy counts one more card in hand 1: it is disputed, corrected, and settled."""
    keeper.goto(f"{board}/hands/1")
    keeper.get_by_label("What is doubted?").fill("Amy finds one more card of hers")
    keeper.get_by_role("button", name="Dispute this hand").click()
    expect(keeper.get_by_role("heading", name="Settle the dispute")).to_be_visible()
    expect(television.locator(".unofficial")).to_contain_text("hand 1 is disputed")
    snap("disputed")
    keeper.get_by_role("link", name="Correct it").click()
    keeper.fill("#lake-0", "11")
    keeper.get_by_label("Why is it corrected?").fill("one more ace was Amy's")
    snap("correction")
    keeper.get_by_role("button", name="Correct hand 1").click()
    expect(keeper.locator("#board .verdict")).to_be_visible()
    expect(television.locator(".standing", has_text="Amy").locator(".total")).to_have_text("21")
    keeper.goto(f"{board}/hands/1")
    keeper.get_by_label("What did the table agree on?").fill("counted again together")
    keeper.get_by_role("button", name="It is settled").click()
    expect(keeper.get_by_role("heading", name="Somebody doubts this hand")).to_be_visible()
    expect(television.locator(".unofficial")).to_have_count(0)


def test_a_whole_evening(keeper, television, snap, app, book, tmp_path):
    board = start_the_game(keeper)
    show_the_decks(keeper, board)
    snap("decks")
    television.goto(f"{board}?tv=1")
    verdict = television.locator(".verdict h1")

    type_hand(keeper, board, "amy 10/2 ben 12/0! cleo 8/4 dan 9/3")
    expect(verdict).to_have_text("Ben leads with 12 of 40 points")
    snap("first-hand")
    call_and_look_back(keeper, board, snap, app.extensions["scorekeeper"].watch)
    photograph_hand(keeper, board)
    snap("photographs")
    record(keeper)
    expect(verdict).to_have_text("Ben leads with 23 of 40 points")
    expect(television.locator(".evidence img")).to_be_visible()
    snap("hand-by-pictures")
    doubt_correct_and_settle(keeper, television, board, snap)

    type_hand(keeper, board, "amy 21/1 ben 21/2 cleo 4/3 dan 9/0!")
    expect(verdict).to_contain_text("Amy and Ben are tied at 40 points with 1 Nertz call each")
    snap("tie")
    type_hand(keeper, board, "amy 12/0! ben 5/2 cleo 4/3 dan 9/1")
    expect(verdict).to_have_text("Amy wins with 52 points")
    expect(television.locator(".crown")).to_be_visible()
    television.wait_for_timeout(900)
    snap("won")

    game = book.games()[0]
    assert [format_hand(hand) for hand in book.game(game.id).hands] == [
        "amy 11/2 ben 12/0! cleo 8/4 dan 9/3",
        "amy 14/0! ben 19/4 cleo 16/6 dan 0/3",
        "amy 21/1 ben 21/2 cleo 4/3 dan 9/0!",
        "amy 12/0! ben 5/2 cleo 4/3 dan 9/1",
    ]
    after_the_game(keeper, television, board, snap, tmp_path)
    assert len(book.games()) == 2
    again = book.game(book.games()[0].id)
    assert [side.name for side in again.sides] == ["Dan", "Amy", "Ben", "Cleo"]
    assert len(again.signatures) == 3


def after_the_game(keeper: Page, television: Page, board: str, snap: Snap, folder: Path) -> None:
    """Statistics, score sheet, the file out and in, and the rematch."""
    for page in ("statistics", "sheet"):
        keeper.goto(f"{board}/{page}")
        television.goto(f"{board}/{page}")
        snap(page)
    keeper.goto(f"{board}/history")
    with keeper.expect_download() as saved:
        keeper.get_by_role("link", name="Save the game").click()
    saved.value.save_as(folder / "evening.json")
    snap("history")
    keeper.goto("/import")
    keeper.locator("input[name=game_file]").set_input_files(folder / "evening.json")
    keeper.get_by_role("button", name="Import").click()
    expect(keeper.locator(".verdict h1")).to_have_text("Amy wins with 52 points")
    keeper.get_by_role("link", name="Rematch").click()
    snap("rematch")
    keeper.get_by_role("button", name="Start the rematch").click()
    expect(keeper.locator(".verdict h1")).to_have_text("The first hand is being played, to 40")
    television.goto(keeper.url)
    snap("again")
