"""Pictures taken while the network is gone, in a real Chromium: they wait on the phone and are read once, later."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import flask
import pytest
from flask import Response
from playwright.sync_api import Page, expect

from scorekeeper.rules.notation import format_hand, parse_hand

pytestmark = pytest.mark.browser
ONE = "1 picture waits for the network"


@pytest.fixture
def phone(phone):
    """Phones that keep pages for the time without a network."""
    return partial(phone, service_workers="allow")


def drops(page: Page, gone: bool = True) -> None:
    page.context.set_offline(gone)


def shows(page: Page, field: str, path) -> None:
    """Takes a picture for one field of the page."""
    page.locator(f"input[type=file][name='{field}']").first.set_input_files(path)


@pytest.fixture
def desk(phone, book, game_id):
    """The scorekeeper's phone on the hand page, at a table whose decks the eye knows."""
    for side, deck in (("amy", "red"), ("ben", "blue")):
        book.enrol_deck(game_id, side, deck, ["a signature"], request_id=f"deck {side}")
    return phone(f"/g/{game_id}/hand", keeper=True)


def test_a_picture_outlives_a_reload_and_is_read_when_the_network_is_back(desk, book, game_id, upload):
    desk.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    desk.reload()
    drops(desk)
    shows(desk, "lake", upload)
    expect(desk.locator("#parcels")).to_contain_text(ONE)
    desk.reload()
    expect(desk.get_by_role("heading", name="No connection")).to_be_visible()
    desk.get_by_text(ONE).click()
    expect(desk.locator("#parcels li")).to_contain_text("Lake, face up")
    drops(desk, gone=False)
    expect(desk.locator("#total")).to_have_value("24")
    expect(desk.locator("#parcels")).to_be_hidden()
    assert len(book.draft(game_id)["0"]["looks"]["lake"]["pictures"]) == 1


def test_batches_wait_one_by_one_and_a_typed_number_stays(desk, upload):
    drops(desk)
    for number, words in enumerate((ONE, "2 pictures wait for the network"), 1):
        shows(desk, "spread", upload)
        expect(desk.locator("#parcels")).to_contain_text(words)
        expect(desk.locator("#parcels li")).to_have_count(number)
    desk.fill("#lake-0", "19")
    expect(desk.locator("#waits")).to_be_visible()
    drops(desk, gone=False)
    expect(desk.locator("#lake-1")).to_have_value("28")
    expect(desk.locator("#lake-0")).to_have_value("19")
    expect(desk.locator("#step-spread .pan")).to_have_count(2)
    expect(desk.locator("#parcels")).to_be_hidden()


def test_a_picture_whose_answer_was_lost_is_counted_once(app, request, upload):
    answers = []

    def cut() -> Iterator[bytes]:
        yield b"<section"
        raise ConnectionResetError("the Wi-Fi is gone in the middle of the answer")

    @app.after_request
    def lose(answer: Response) -> Response:
        if flask.request.path.endswith("/hand/spread"):
            answers.append(answer.status_code)
            as_it_is = {"Content-Encoding": "identity"}  # packed, nothing would have left before the cut
            return Response(cut(), headers=as_it_is) if len(answers) == 1 else answer
        return answer

    desk = request.getfixturevalue("desk")
    shows(desk, "spread", upload)
    expect(desk.locator("#lake-1")).to_have_value("14")
    expect(desk.locator("#parcels")).to_be_hidden()
    assert answers == [200, 200]
    desk.reload()
    expect(desk.locator("#lake-1")).to_have_value("14")


def test_of_two_pictures_of_one_thing_the_later_one_stays_and_each_can_be_dropped(desk, upload):
    drops(desk)
    for _ in range(2):
        shows(desk, "lake", upload)
        expect(desk.locator("#parcels")).to_contain_text(ONE)
    desk.get_by_text(ONE).click()
    expect(desk.locator("#parcels li")).to_have_count(1)
    desk.get_by_role("button", name="Dismiss").click()
    expect(desk.locator("#parcels")).to_be_hidden()


def test_a_hand_recorded_without_a_network_goes_after_its_pictures(desk, client, book, game_id, upload):
    drops(desk)
    shows(desk, "lake", upload)
    expect(desk.locator("#parcels")).to_contain_text(ONE)
    for field, number in (("#lake-0", "14"), ("#lake-1", "10"), ("#left-1", "3")):
        desk.fill(field, number)
    desk.locator("#row-0 .toggle").click()
    desk.get_by_role("button", name="Record hand 1").click()
    drops(desk, gone=False)
    expect(desk.locator(".verdict h1")).to_have_text("Amy leads with 14 of 100 points")
    assert [format_hand(hand) for hand in book.game(game_id).hands] == ["amy 14/0! ben 10/3"]
    assert "/pictures/" in client.get(f"/g/{game_id}/hands/1").text


def test_a_picture_for_a_hand_that_is_over_says_so_wherever_the_phone_is(desk, book, game_id, upload):
    drops(desk)
    shows(desk, "left.amy", upload)
    expect(desk.locator("#parcels")).to_contain_text(ONE)
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="one")
    desk.evaluate("document.querySelector('#hand [name=hand]').value = '2'")
    drops(desk, gone=False)
    told = "Not accepted: Left: Amy. Hand 1 is recorded already"
    expect(desk.locator("#parcels")).to_contain_text(told)
    expect(desk.get_by_role("button", name="Send it again")).to_be_hidden()
    desk.get_by_role("button", name="Dismiss").click()
    expect(desk.locator("#parcels")).to_be_hidden()


def test_the_answer_of_a_waiting_picture_is_one_tap_away(phone, game_id, upload):
    page = phone(f"/g/{game_id}/decks", keeper=True)
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    page.reload()
    drops(page)
    page.locator("#decks-laid input[type=file]").first.set_input_files(upload)
    expect(page.locator("#parcels")).to_contain_text(ONE)
    page.goto(f"/g/{game_id}/history")
    expect(page.locator("#parcels")).to_contain_text(ONE)
    drops(page, gone=False)
    expect(page.locator("#parcels")).to_contain_text("Read now: All decks in one picture")
    page.get_by_role("link", name="Look at it").click()
    expect(page.get_by_role("heading", name="Which deck belongs to whom?")).to_be_visible()
    expect(page.locator("#parcels")).to_be_hidden()
    page.get_by_role("button", name="Save decks").click()
    expect(page.get_by_text("Known")).to_have_count(2)


def test_a_deck_shown_without_a_network_is_learned_where_the_page_stands(phone, book, game_id, upload):
    page = phone(f"/g/{game_id}/decks", keeper=True)
    drops(page)
    page.locator("#deck-amy input[type=file]").first.set_input_files(upload)
    expect(page.locator("#parcels")).to_contain_text(ONE)
    page.locator("#deck-amy [name=deck]").fill("the old ones")
    drops(page, gone=False)
    expect(page.locator("#deck-amy").get_by_text("Known")).to_be_visible()
    expect(page.locator("#parcels")).to_be_hidden()
    assert set(book.game(game_id).signatures) == {"the old ones"}


def test_pictures_of_one_deck_wait_together_up_to_a_bound(phone, game_id, upload):
    page = phone(f"/g/{game_id}/audit", keeper=True)
    drops(page)
    choose = page.locator("input[type=file][multiple]")
    choose.set_input_files([upload] * 13)
    expect(page.locator("#notice")).to_contain_text("This phone has no room for one more picture")
    expect(page.locator("#parcels")).to_be_hidden()
    for number in (1, 2):
        choose.set_input_files([upload])
        expect(page.locator("#parcels img")).to_have_count(number)
    page.locator("[name=cards]").fill("AS")
    drops(page, gone=False)
    expect(page.locator("#found h2")).to_have_text("7 cards looked at")


def test_a_form_that_nobody_answers_stays_with_what_was_typed(phone, pin):
    page = phone("/sign-in")
    page.get_by_label("PIN").fill(pin)
    drops(page)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#notice")).to_contain_text("The server can't be reached. What you typed stays here")
    drops(page, gone=False)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
