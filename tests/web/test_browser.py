"""The pages in a real Chromium, on the real server."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.notation import format_hand, parse_hand
from scorekeeper.rules.scoring import Rules, make_sides

pytestmark = pytest.mark.browser


def type_hand(page: Page, text: str) -> None:
    """Fills the hand form from notation, in the order of the sides."""
    for number, tally in enumerate(parse_hand(text).tallies):
        if tally.side in parse_hand(text).callers:
            page.locator(f"#row-{number} .toggle").click()
        page.fill(f"#lake-{number}", str(tally.lake))
        page.fill(f"#left-{number}", str(tally.nertz_left))


def record(page: Page, text: str) -> None:
    page.get_by_role("link", name="Record a hand").click()
    type_hand(page, text)
    page.get_by_role("button", name="Record hand").click()
    expect(page.locator("#board")).to_be_visible()


def test_a_whole_game_by_typed_numbers_with_an_undo_a_correction_and_a_tie(phone, book):
    keeper = phone("/start", keeper=True)
    keeper.get_by_label("Name of side 1").fill("Amy")
    keeper.get_by_label("Name of side 2").fill("Ben")
    keeper.get_by_role("button", name="Start the game").click()
    keeper.get_by_role("link", name="To the board").click()
    watcher = phone(keeper.url)
    verdict = watcher.locator(".verdict h1")

    record(keeper, "amy 40/0! ben 13/3")
    expect(verdict).to_have_text("Amy leads with 40 of 100 points")
    record(keeper, "amy 30/2 ben 9/0!")
    expect(verdict).to_have_text("Amy leads with 66 of 100 points")
    keeper.get_by_role("link", name="Undo").click()
    keeper.get_by_label("Why?").fill("that was the wrong Lake")
    keeper.get_by_role("button", name="Undo hand 2").click()
    expect(verdict).to_have_text("Amy leads with 40 of 100 points")

    keeper.locator(".hands a").first.click()
    keeper.get_by_role("link", name="Correct it").click()
    keeper.fill("#lake-1", "12")
    keeper.get_by_label("Why is it corrected?").fill("counted twice")
    keeper.get_by_role("button", name="Correct hand 1").click()
    record(keeper, "amy 20/5 ben 48/0!")
    expect(verdict).to_have_text("Ben leads with 54 of 100 points")
    record(keeper, "amy 50/0! ben 46/0!")
    expect(verdict).to_contain_text("Amy and Ben are tied at 100 points")
    record(keeper, "amy 10/0! ben 5/1")
    expect(verdict).to_have_text("Amy wins with 110 points")
    expect(watcher.locator(".standing").first).to_contain_text("Amy")

    game = book.game(book.games()[0].id)
    assert [format_hand(hand) for hand in game.hands] == [
        "amy 40/0! ben 12/3",
        "amy 20/5 ben 48/0!",
        "amy 50/0! ben 46/0!",
        "amy 10/0! ben 5/1",
    ]


def test_a_hand_by_pictures(phone, book, game_id, photo):
    keeper = phone(f"/g/{game_id}/decks", keeper=True)
    upload = {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": photo}
    for number in range(2):
        keeper.locator("form.deck").nth(number).locator("input[type=file]").first.set_input_files(upload)
        expect(keeper.locator("img.back")).to_have_count(number + 1)
    keeper.goto(f"/g/{game_id}/hand")
    for step, field, proposed in (("lake", "#total", "24"), ("spread", "#lake-1", "14"), ("left.ben", "#left-1", "3")):
        keeper.locator(f"input[type=file][name='{step}']").first.set_input_files(upload)
        expect(keeper.locator(field)).to_have_value(proposed)
    expect(keeper.locator(".pan img")).to_have_count(3)
    keeper.locator("#row-0 .toggle").click()
    expect(keeper.locator("#sum-line")).to_contain_text("The sum agrees with the Lake")
    keeper.get_by_role("button", name="Record hand 1").click()
    expect(keeper.locator(".verdict h1")).to_have_text("Amy leads with 10 of 100 points")
    assert format_hand(book.game(game_id).hands[0]) == "amy 10/0! ben 14/3"


def test_two_scorekeepers_confirm_at_once(phone, book, game_id):
    pam, joe = (phone(f"/g/{game_id}/hand", keeper=True) for _ in range(2))
    for page, text in ((pam, "amy 14/0! ben 9/3"), (joe, "amy 13/0! ben 8/3")):
        type_hand(page, text)
    pam.get_by_role("button", name="Record hand 1").click()
    expect(pam.locator("#board")).to_be_visible()
    joe.get_by_role("button", name="Record hand 1").click()
    expect(joe.get_by_text("Somebody else changed the game")).to_be_visible()
    expect(joe.locator("#lake-0")).to_have_value("13")
    assert len(book.game(game_id).hands) == 1


def test_two_quick_taps_record_one_hand(phone, book, game_id):
    page = phone(f"/g/{game_id}/hand", keeper=True)
    type_hand(page, "amy 14/0! ben 9/3")
    page.get_by_role("button", name="Record hand 1").dblclick()
    expect(page.locator("#board")).to_be_visible()
    assert len(book.game(game_id).hands) == 1


def test_points_follow_the_typing_and_survive_a_reload(phone, game_id):
    page = phone(f"/g/{game_id}/hand", keeper=True)
    page.fill("#lake-0", "14")
    left = page.locator("#left-0").get_attribute("name")
    with page.expect_response(lambda answer: f"field={left}" in (answer.request.post_data or "")):
        page.fill("#left-0", "2")
    expect(page.locator("#points-0")).to_have_text("+10")
    page.reload()
    expect(page.locator("#lake-0")).to_have_value("14")
    expect(page.locator("#points-0")).to_have_text("+10")


def test_a_doubt_needs_a_second_deliberate_tap(phone, book, game_id):
    page = phone(f"/g/{game_id}/hand", keeper=True)
    type_hand(page, "amy 14/0! ben 9/3")
    page.fill("#total", "25")
    page.get_by_role("button", name="Record hand 1").click()
    expect(page.get_by_text("The Lake holds 25 cards")).to_be_visible()
    page.get_by_role("button", name="Record anyway").click()
    expect(page.locator("#board")).to_be_visible()
    assert len(book.game(game_id).hands) == 1


def test_the_board_keeps_up_by_itself(phone, book, game_id):
    page = phone(f"/g/{game_id}")
    expect(page.locator(".verdict h1")).to_have_text("The first hand is being played, to 100")
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="one")
    expect(page.locator(".verdict h1")).to_have_text("Amy leads with 14 of 100 points")
    expect(page.locator("#news")).to_contain_text("Hand 1, Nertz by Amy")
    assert page.locator("#news").count() == 1


def test_a_board_without_a_stream_asks_for_news(phone, book, game_id):
    page = phone("/")
    page.clock.install()
    page.route("**/events", lambda route: route.abort())
    page.goto(f"/g/{game_id}")
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="one")
    page.clock.run_for(30_000)
    expect(page.locator(".verdict h1")).to_have_text("Amy leads with 14 of 100 points")


def test_everything_works_without_javascript(phone, book, game_id, photo):
    page = phone(f"/g/{game_id}/hand", keeper=True, java_script_enabled=False)
    upload = {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": photo}
    page.locator("input[type=file][name=lake]").first.set_input_files(upload)
    page.locator("#step-lake").get_by_role("button", name="Read the picture").click()
    expect(page.locator("#total")).to_have_value("24")
    type_hand(page, "amy 14/0! ben 10/3")
    page.get_by_role("button", name="Check").last.click()
    expect(page.locator("#points-1")).to_have_text("+4")
    page.get_by_role("button", name="Record hand 1").click()
    expect(page.locator(".verdict h1")).to_have_text("Amy leads with 14 of 100 points")
    assert len(book.game(game_id).hands) == 1


def test_a_picture_over_40_megabytes_is_refused_before_it_travels(phone, game_id, tmp_path):
    large = tmp_path / "large.jpg"
    large.write_bytes(bytes(40 * 1024 * 1024 + 1))
    page = phone(f"/g/{game_id}/hand", keeper=True)
    page.fill("#lake-0", "14")
    page.locator("input[type=file][name=lake]").first.set_input_files(large)
    expect(page.locator("#notice")).to_contain_text("larger than 40 MB")
    expect(page.locator("#lake-0")).to_have_value("14")


@pytest.mark.parametrize("width", [320, 390, 768, 1920])
@pytest.mark.parametrize("names", [["Amy", "Ben"], [f"The long-named side {number}" for number in range(12)]])
def test_no_page_is_wider_than_its_screen(phone, book, names, width):
    game_id = book.start_game(make_sides(names), Rules(), request_id="wide")
    tallies = " ".join(f"{side.id} 12/3" for side in make_sides(names))
    book.record_hand(game_id, parse_hand(tallies), request_id="one")
    page = phone("/", keeper=True)
    page.set_viewport_size({"width": width, "height": 900})
    for path in ("", "/hand", "/history", "/hands/1", "/hands/1/correct", "/join", "/undo", "/decks"):
        page.goto(f"/g/{game_id}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_everything_to_tap_is_large_enough(phone, game_id):
    page = phone(f"/g/{game_id}/hand", keeper=True)
    small = page.evaluate(
        """[...document.querySelectorAll("a, button, select, summary, label.button, input[type=text]")]
        .filter((each) => each.offsetParent && !each.matches(".hidden, .skip") && !each.closest("p"))
        .map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect().height])
        .filter(([, height]) => height < 44)"""
    )
    assert small == []


def test_the_wordmark_leads_home(phone, game_id):
    page = phone(f"/g/{game_id}")
    page.get_by_role("link", name=re.compile("Nertz")).first.click()
    expect(page.get_by_role("heading", name="Games")).to_be_visible()
