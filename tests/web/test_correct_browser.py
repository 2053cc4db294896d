"""Corrections by finger in a real Chromium, on pictures that the real eye has read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from scorekeeper.resources import data_path
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.notation import format_hand
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.watch import EyeProcess
from web import create_app

pytestmark = pytest.mark.browser
HAND = data_path("datasets/samples/hand1")
TRUTH = json.loads((HAND / "truth.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def eye() -> Iterator[EyeProcess]:
    with EyeProcess() as eye:
        yield eye


@pytest.fixture
def app(book, eye, settings):
    return create_app(book, eye, settings)


@pytest.fixture
def game_id(book, eye):
    return started(book, eye, "red", "blue", "green")


def started(book, eye, *shown):
    """The game of the sample hand, of which the eye was shown some decks."""
    sides = make_sides([s["name"] for s in TRUTH["sides"]], {s["name"]: DeckId(s["deck"]) for s in TRUTH["sides"]})
    game = book.start_game(sides, Rules(), request_id="start")
    for side in (side for side in sides if side.deck in shown):
        learned = eye.enrol([(HAND / f"enrol-{side.deck}.jpg").read_bytes()])
        book.enrol_deck(game, side.id, side.deck, learned.signatures, request_id=f"deck {side.deck}")
    return game


@pytest.fixture
def desk(phone) -> Callable[..., Page]:
    """Opens a scorekeeper's phone at the hand page, worked by touch."""
    return lambda game_id, **options: phone(f"/g/{game_id}/hand", keeper=True, has_touch=True, **options)


def photograph(page: Page, step: str, *names: str) -> None:
    page.locator(f"input[type=file][name='{step}']").last.set_input_files([HAND / name for name in names])
    expect(page.locator(f"#seen-{step.replace('.', '-')}")).to_be_visible()


def touch(page: Page, shape: Locator) -> None:
    """Taps where the middle of a card is drawn."""
    shape.evaluate("(shape) => shape.closest('.pan').scrollIntoView({ block: 'start', behavior: 'instant' })")
    box = shape.locator("polygon").first.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def tap(page: Page, name: str) -> None:
    page.locator(".risen").get_by_role("button", name=name).tap()


def one_of(page: Page, deck: str) -> Locator:
    """A card of *deck* in the first picture."""
    return page.locator(f"#layer-spread-0 .shape[data-what={deck}]").first


def test_a_spread_is_corrected_with_two_taps_a_card(desk, book, game_id):
    page = desk(game_id, who="Pam")
    photograph(page, "spread", "spread-1.jpg")
    red, blue, green = (page.locator(f"#lake-{number}") for number in range(3))
    before = [int(field.input_value()) for field in (red, blue, green)]
    assert sum(before) > 20

    touch(page, one_of(page, "blue"))
    expect(page.locator(".chosen")).to_have_attribute("data-what", "blue")
    tap(page, "Amy")
    expect(red).to_have_value(str(before[0] + 1))
    expect(page.locator(".risen")).to_have_count(0)
    expect(page.locator("#sum-line .sum")).to_have_text(str(sum(before)))

    page.get_by_role("button", name="Undo the last correction").tap()
    expect(red).to_have_value(str(before[0]))
    expect(blue).to_have_value(str(before[1]))

    touch(page, one_of(page, "green"))
    tap(page, "Remove it")
    expect(page.locator("#sum-line .sum")).to_have_text(str(sum(before) - 1))

    view = page.locator("#pan-spread-0 .pan-view").bounding_box()
    page.touchscreen.tap(view["x"] + 4, view["y"] + 4)
    expect(page.locator(".risen .sheet-title")).to_have_text("A card more, here")
    tap(page, "Cleo")
    expect(page.locator("#sum-line .sum")).to_have_text(str(sum(before)))
    expect(page.locator("#layer-spread-0 .shape")).to_have_count(sum(before))

    page.reload()
    expect(page.locator("#sum-line .sum")).to_have_text(str(sum(before)))
    expect(page.locator("#layer-spread-0 .shape")).to_have_count(sum(before))


def test_cards_of_a_deck_nobody_showed_are_given_away_one_tap_each(desk, book, eye):
    page = desk(started(book, eye, "red", "blue"))
    photograph(page, "spread", "spread-1.jpg")
    doubtful = page.locator("#layer-spread-0 :is(.suspect, .spot)")
    strangers = page.locator("#layer-spread-0 .unknown").count()
    assert strangers > 3
    page.get_by_role("button", name="Next question").tap()
    for left in range(doubtful.count(), 0, -1):
        expect(doubtful).to_have_count(left)
        kind = page.locator(".chosen").get_attribute("class").split()
        tap(page, "Cleo" if "unknown" in kind else "Not a card" if "spot" in kind else "It is correct")
    expect(page.locator("#lake-2")).to_have_value(str(strangers))
    expect(page.locator("#seen-spread")).to_contain_text("Every doubt is settled")
    expect(page.locator("#pan-spread-0 .pan-view")).to_have_attribute("data-zoom", "1")


def test_a_pile_gets_another_top(desk, game_id):
    page = desk(game_id)
    photograph(page, "lake", "lake.jpg")
    total = int(page.locator("#total").input_value())
    seven = page.locator("#layer-lake-0 .shape[data-what='7S']")
    touch(page, seven)
    page.locator(".risen .rank", has_text="9").tap()
    expect(page.locator("#total")).to_have_value(str(total + 2))
    touch(page, page.locator("#layer-lake-0 .shape[data-what='9S']"))
    tap(page, "Finished, face down")
    expect(page.locator("#total")).to_have_value(str(total + 6))


def test_the_keyboard_is_enough(desk, game_id):
    page = desk(game_id)
    photograph(page, "spread", "spread-1.jpg")
    page.locator("#pan-spread-0").get_by_role("button", name="Larger").press("Enter")
    expect(page.locator("#pan-spread-0 .pan-view")).to_have_attribute("data-zoom", "2")
    page.locator("#layer-spread-0 .shape").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".risen .sheet-title")).to_contain_text("Card")
    page.keyboard.press("Escape")
    expect(page.locator(".risen")).to_have_count(0)


def test_two_scorekeepers_correct_one_picture(desk, game_id):
    pam = desk(game_id, who="Pam")
    photograph(pam, "spread", "spread-1.jpg")
    joe = desk(game_id, who="Joe")
    blue = int(joe.locator("#lake-1").input_value())
    for page in (pam, joe):
        touch(page, one_of(page, "blue"))
        page.locator(".risen").get_by_role("button", name="Remove it").wait_for()
    tap(pam, "Remove it")
    expect(pam.locator("#lake-1")).not_to_have_value(str(blue))
    tap(joe, "Amy")
    expect(joe.locator("#seen-spread .trouble")).to_contain_text("Pam changed this card at the same moment")
    expect(joe.locator("#lake-1")).to_have_value(pam.locator("#lake-1").input_value())
    expect(joe.locator("#layer-spread-0 .shape")).to_have_count(pam.locator("#layer-spread-0 .shape").count())


def test_a_tap_that_did_not_arrive_can_be_repeated(desk, game_id):
    page = desk(game_id)
    photograph(page, "spread", "spread-1.jpg")
    whole = page.locator("#layer-spread-0 .shape").count()
    touch(page, one_of(page, "blue"))
    page.context.set_offline(True)
    tap(page, "Remove it")
    expect(page.locator("#notice")).to_contain_text("can't be reached")
    page.context.set_offline(False)
    tap(page, "Remove it")
    expect(page.locator("#layer-spread-0 .shape")).to_have_count(whole - 1)


def test_a_list_serves_without_javascript(desk, book, game_id):
    page = desk(game_id, java_script_enabled=False)
    page.locator("#step-spread input[type=file]").last.set_input_files(HAND / "spread-1.jpg")
    page.locator("#step-spread").get_by_role("button", name="Read the picture").click()
    red, whole = int(page.locator("#lake-0").input_value()), page.locator("#sum-line .sum").inner_text()
    page.get_by_text("Correct by list").click()
    page.get_by_label("Which card?").select_option("more")
    page.locator("#list-spread").get_by_role("button", name="Amy").click()
    expect(page.locator("#lake-0")).to_have_value(str(red + 1))
    page.get_by_text("Correct by list").click()
    page.get_by_label("Which card?").select_option(index=1)
    page.locator("#list-spread").get_by_role("button", name="Remove it").click()
    expect(page.locator("#sum-line .sum")).to_have_text(whole)


def test_a_corrected_hand_shows_its_cards_as_corrected(desk, book, game_id):
    page = desk(game_id)
    photograph(page, "spread", "spread-1.jpg")
    shapes = page.locator("#layer-spread-0 .shape").count()
    touch(page, one_of(page, "green"))
    tap(page, "Remove it")
    expect(page.locator("#layer-spread-0 .shape")).to_have_count(shapes - 1)
    for number in range(3):
        page.fill(f"#left-{number}", "3")
    page.get_by_role("button", name="Record hand 1").click()
    again = page.get_by_role("button", name="Record anyway")
    expect(page.locator("#board").or_(again)).to_be_visible()
    if again.is_visible():
        again.click()
    expect(page.locator("#board")).to_be_visible()
    assert "3" in format_hand(book.game(game_id).hands[0])
    page.goto(f"/g/{game_id}/hands/1")
    expect(page.locator(".corrected .shape")).to_have_count(shapes - 1)
