"""Reloads, dead networks, double taps and the way back in the middle of typing and taking pictures: nothing is lost."""

from __future__ import annotations

import threading

import flask
import gevent
import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.notation import format_hand, parse_hand

pytestmark = pytest.mark.browser
OVERTAKEN = "Not accepted: Amy, Lake: 13. Somebody else changed it meanwhile"


def drops(page: Page, gone: bool = True) -> None:
    page.context.set_offline(gone)


@pytest.fixture
def holds(app):
    """Holds back what is posted to an address that ends so, as long as the test wants: ``release = holds("/lake")``."""
    gates: list[tuple[str, threading.Event]] = []

    @app.before_request
    def wait() -> None:
        for ending, gate in gates:
            if flask.request.method == "POST" and flask.request.path.endswith(ending):
                while not gate.is_set():
                    gevent.sleep(0.02)

    def hold(ending: str):
        gate = threading.Event()
        gates.append((ending, gate))
        return gate.set

    yield hold
    for _ending, gate in gates:
        gate.set()


@pytest.fixture
def hand_page(phone, book, game_id):
    """Opens the hand page of one more scorekeeper, at a table whose decks the eye knows."""
    for side, deck in (("amy", "red"), ("ben", "blue")):
        book.enrol_deck(game_id, side, deck, ["a signature"], request_id=f"deck {side}")
    return lambda: phone(f"/g/{game_id}/hand", keeper=True)


def types_and_leaves(page: Page, leave: str) -> None:
    """The last key and *leave* in one breath: nothing was sent yet."""
    page.evaluate(
        """(leave) => {
          const field = document.getElementById("lake-0");
          field.value = "14";
          field.dispatchEvent(new Event("input", { bubbles: true }));
          document.querySelector("#row-0 .toggle input").click();
          (new Function(leave))();
        }""",
        leave,
    )


def test_a_reload_right_after_the_last_key_loses_nothing_and_the_points_follow(hand_page, client, game_id):
    page = hand_page()
    types_and_leaves(page, "location.reload()")
    expect(page.locator("#points-0")).to_have_text("+14")
    expect(page.locator("#lake-0")).to_have_value("14")
    expect(page.locator("#row-0 .toggle input")).to_be_checked()
    expect(page.locator("#waits")).to_be_hidden()
    assert 'name="lake.amy" value="14"' in client.get(f"/g/{game_id}/hand").text


def test_what_keeps_the_server_from_writing_is_said_in_its_own_words(hand_page, client, game_id, settings):
    page = hand_page()
    database, away = settings.data_dir / "scorekeeper.db", settings.data_dir / "away.db"
    database.rename(away)
    page.locator("#lake-0").press_sequentially("14")
    expect(page.locator("#waits")).to_contain_text("so nothing more can be recorded")
    expect(page.locator("#waits")).not_to_contain_text("network")
    away.rename(database)
    expect(page.locator("#waits")).to_be_hidden()
    assert 'name="lake.amy" value="14"' in client.get(f"/g/{game_id}/hand").text


def test_what_is_typed_before_the_scripts_of_the_page_have_come_is_saved(phone, client, game_id):
    page = phone("/", keeper=True)
    late = []
    page.route("**/outbox.js*", lambda route: late.append(route))
    page.goto(f"/g/{game_id}/hand", wait_until="commit")
    for field, number in (("#lake-0", "14"), ("#lake-1", "9"), ("#left-1", "3")):
        page.fill(field, number)
    page.locator("#row-0 .toggle").click()
    late.pop().continue_()
    page.unroute("**/outbox.js*")
    expect(page.locator("#points-0")).to_have_text("+14")
    expect(page.locator("#points-1")).to_have_text("+3")
    page.evaluate("async () => { while (outbox.typed()) await new Promise((done) => setTimeout(done, 50)); }")
    page.reload()
    expect(page.locator("#row-0 .toggle input")).to_be_checked()
    assert 'name="left.ben" value="3"' in client.get(f"/g/{game_id}/hand").text


def test_leaving_right_after_the_last_key_and_the_way_back_lose_nothing(hand_page, game_id):
    page = hand_page()
    types_and_leaves(page, f"location.assign('/g/{game_id}')")
    page.wait_for_url(f"**/g/{game_id}")
    page.go_back()
    expect(page.locator("#lake-0")).to_have_value("14")
    expect(page.locator("#points-0")).to_have_text("+14")


def test_what_was_typed_without_a_network_is_in_its_fields_after_the_page_was_closed(hand_page, game_id):
    page = hand_page()
    drops(page)
    page.fill("#lake-0", "14")
    page.locator("#row-0 .toggle").click()
    expect(page.locator("#waits")).to_have_text("2 changes wait for the network")
    page.goto("about:blank")
    drops(page, gone=False)
    page.goto(f"/g/{game_id}/hand")
    expect(page.locator("#lake-0")).to_have_value("14")
    expect(page.locator("#points-0")).to_have_text("+14")
    expect(page.locator("#waits")).to_be_hidden()


def test_what_waited_never_replaces_a_colleagues_later_number_without_a_word(hand_page, game_id):
    pam, joe = hand_page(), hand_page()
    drops(pam)
    pam.fill("#lake-0", "13")
    pam.fill("#lake-1", "9")
    expect(pam.locator("#waits")).to_have_text("2 changes wait for the network")
    pam.goto("about:blank")
    with joe.expect_response(lambda answer: "field=lake.amy" in (answer.request.post_data or "")):
        joe.fill("#lake-0", "14")
    drops(pam, gone=False)
    pam.goto(f"/g/{game_id}/hand")
    expect(pam.locator("#waits")).to_contain_text(OVERTAKEN)
    expect(pam.locator("#lake-0")).to_have_value("14")
    expect(pam.locator("#lake-1")).to_have_value("9")
    pam.get_by_role("button", name="Send it again").click()
    expect(pam.locator("#waits")).to_be_hidden()
    expect(pam.locator("#lake-0")).to_have_value("13")
    expect(joe.locator("#hand-news")).to_contain_text("Somebody else changed this hand.")
    joe.get_by_role("link", name="Show it", exact=True).click()
    expect(joe.locator("#lake-0")).to_have_value("13")


def test_a_colleague_who_puts_the_number_back_is_news(hand_page):
    pam, joe = hand_page(), hand_page()
    for number in ("14", "12"):
        with pam.expect_response(lambda answer: "field=lake.amy" in (answer.request.post_data or "")):
            pam.fill("#lake-0", number)
    expect(joe.locator("#hand-news")).to_contain_text("Somebody else changed this hand.")
    expect(pam.locator("#hand-news")).to_be_empty()
    joe.fill("#lake-0", "14")
    expect(pam.locator("#hand-news")).to_contain_text("Somebody else changed this hand.")
    pam.get_by_role("link", name="Show it", exact=True).click()
    expect(pam.locator("#lake-0")).to_have_value("14")


def test_a_double_tap_that_a_reload_cuts_off_records_one_hand(hand_page, book, game_id, holds):
    page = hand_page()
    for field, number in (("#lake-0", "14"), ("#lake-1", "9"), ("#left-1", "3")):
        page.fill(field, number)
    page.locator("#row-0 .toggle").click()
    expect(page.locator("#points-1")).to_have_text("+3")
    release = holds("/hand")
    page.evaluate("""() => {
      const button = document.querySelector(".confirm .primary");
      for (const _ of [1, 2]) button.click();
      setTimeout(() => location.reload(), 200);
    }""")
    page.wait_for_event("load")
    release()
    expect(page.locator(".verdict h1")).to_have_text("Amy leads with 14 of 100 points")
    assert [format_hand(hand) for hand in book.game(game_id).hands] == ["amy 14/0! ben 9/3"]
    page.go_back()
    expect(page.locator("#waits")).to_be_hidden()


def test_a_tap_that_a_reload_cuts_off_counts_once(phone, book, game_id, holds):
    page = phone(f"/g/{game_id}/referee", keeper=True)
    release = holds("/referee")
    page.locator("[value='ready.amy']").click()
    page.reload()
    release()
    expect(page.locator("[value='not-ready.amy']")).to_be_visible()
    expect(page.locator("#waits")).to_be_hidden()
    assert book.game(game_id).live.ready == {"amy"}


def test_a_picture_whose_first_upload_a_reload_cuts_off_is_read_once(hand_page, book, game_id, upload, holds):
    page = hand_page()
    release = holds("/hand/spread")
    page.locator("input[type=file][name=spread]").first.set_input_files(upload)
    expect(page.locator("#step-spread .busy")).to_be_visible()
    expect(page.locator("#parcels")).to_be_hidden()
    page.reload()
    expect(page.locator("#parcels")).to_contain_text("Looking at the picture")
    release()
    expect(page.locator("#lake-1")).to_have_value("14")
    expect(page.locator("#parcels")).to_be_hidden()
    assert len(book.draft(game_id)["0"]["looks"]["spread"]["pictures"]) == 1


def test_what_is_typed_while_a_picture_travels_stays(hand_page, upload, holds):
    page = hand_page()
    release = holds("/hand/spread")
    page.locator("input[type=file][name=spread]").first.set_input_files(upload)
    expect(page.locator("#step-spread .busy")).to_be_visible()
    page.fill("#lake-1", "9")
    release()
    expect(page.locator("#lake-0")).to_have_value("10")
    expect(page.locator("#lake-1")).to_have_value("9")
    expect(page.locator("#sum-line .sum")).to_have_text("19")
    page.reload()
    expect(page.locator("#lake-1")).to_have_value("9")


def test_what_is_typed_before_a_picture_has_left_stays(hand_page, upload):
    page = hand_page()
    page.evaluate(
        """(bytes) => {
          const input = document.querySelector("input[type=file][name=spread]");
          const chosen = new DataTransfer();
          chosen.items.add(new File([new Uint8Array(bytes)], "table.jpg", { type: "image/jpeg" }));
          input.files = chosen.files;
          input.dispatchEvent(new Event("change", { bubbles: true }));
          const field = document.getElementById("lake-1");
          field.value = "9";
          field.dispatchEvent(new Event("input", { bubbles: true }));
        }""",
        list(upload.read_bytes()),
    )
    expect(page.locator("#lake-0")).to_have_value("10")
    expect(page.locator("#lake-1")).to_have_value("9")
    expect(page.locator("#sum-line .sum")).to_have_text("19")
    page.reload()
    expect(page.locator("#lake-1")).to_have_value("9")


def test_a_deck_whose_first_upload_a_reload_cuts_off_is_learned_once(phone, book, game_id, upload, holds):
    page = phone(f"/g/{game_id}/decks", keeper=True)
    release = holds("/decks/amy")
    page.locator("#deck-amy input[type=file]").first.set_input_files(upload)
    expect(page.locator("#deck-amy .busy")).to_be_visible()
    page.reload()
    release()
    expect(page.locator("#deck-amy").get_by_text("Known")).to_be_visible()
    expect(page.locator("#parcels")).to_be_hidden()
    assert set(book.game(game_id).signatures) == {"red"}


def test_a_picture_of_the_camera_check_waits_and_is_judged_when_the_network_is_back(phone, eye, game_id, upload):
    eye.camera = None
    page = phone(f"/g/{game_id}/camera", keeper=True)
    drops(page)
    page.locator("#camera-check input[type=file]").first.set_input_files(upload)
    expect(page.locator("#parcels")).to_contain_text("1 picture waits for the network")
    expect(page.locator("#parcels li")).to_contain_text("Camera check")
    drops(page, gone=False)
    expect(page.locator("#view-list")).to_contain_text("Near enough")
    expect(page.locator("#view-picture")).to_be_visible()
    expect(page.locator("#parcels")).to_be_hidden()


def test_a_number_of_a_player_outlives_a_reload_right_after_its_key(phone, book, game_id):
    code = phone(f"/g/{game_id}/join", keeper=True).locator(".player-code").inner_text()
    ben = phone(f"/g/{game_id}/play")
    ben.get_by_label("Player code").fill(code)
    ben.locator(".pick:has([value='ben'])").click()
    ben.get_by_role("button", name="I play").click()
    expect(ben.locator("#play-now")).to_be_visible()
    ben.wait_for_load_state("load")  # what is seen may be older than the scripts that listen
    ben.evaluate("""() => {
      const field = document.getElementById("left-number");
      field.value = "3";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      location.reload();
    }""")
    expect(ben.locator("#left-said")).to_contain_text("The scorekeeper sees 3.")
    expect(ben.locator("#left-number")).to_have_value("3")


def test_numbers_that_are_refused_for_one_reason_are_told_and_dismissed_together(hand_page, book, game_id):
    late = hand_page()
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="the other phone was faster")
    for field, number in (("#lake-0", "14"), ("#left-0", "2"), ("#lake-1", "9")):
        late.locator(field).fill(number)
    refused = late.locator("#waits .refused")
    expect(refused).to_contain_text("Amy, Lake: 14 · Amy, Left: 2 · Ben, Lake: 9. Hand 1 is recorded already")
    expect(refused).to_have_count(1)
    refused.get_by_role("button", name="Dismiss").click()
    expect(refused).to_have_count(0)
    late.goto(f"/g/{game_id}/hand")
    expect(late.locator("#lake-0")).to_have_value("")
    expect(refused).to_have_count(0)
