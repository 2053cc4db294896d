"""Two players and a scorekeeper, each on a phone of their own, in a real Chromium; and the network that goes away."""

from __future__ import annotations

import re
from functools import partial

import gevent
import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.notation import format_hand, parse_hand

pytestmark = pytest.mark.browser


@pytest.fixture
def phone(phone):
    """Phones that keep pages for the time without a network."""
    return partial(phone, service_workers="allow")


def joins(page: Page, code: str, side: str) -> Page:
    """Takes a seat with the code, as a player does."""
    page.get_by_label("Player code").fill(code)
    page.locator(f".pick:has([value='{side}'])").click()
    page.get_by_role("button", name="I play").click()
    expect(page.locator("#play-now")).to_be_visible()
    page.wait_for_load_state()  # without a network what the page lacks does not come
    return page


def drops(page: Page, gone: bool = True) -> None:
    """The Wi-Fi of one phone goes away, or comes back."""
    page.context.set_offline(gone)


def test_a_hand_with_two_players_and_a_scorekeeper(phone, book, game_id):
    keeper = phone(f"/g/{game_id}/join", keeper=True)
    code = keeper.locator(".player-code").inner_text()
    amy, ben = (joins(phone(f"/g/{game_id}/play"), code, side) for side in ("amy", "ben"))
    for player in (amy, ben):
        player.get_by_role("button", name="I am ready").click()
    keeper.goto(f"/g/{game_id}/referee")
    keeper.get_by_role("button", name="Go!", exact=True).click()
    expect(amy.locator("#play-now")).to_have_attribute("data-phase", "playing")
    amy.locator("[data-buzz]").click()
    expect(amy.locator(".me .lead")).to_contain_text("You called.")
    expect(ben.locator(".me .lead")).to_contain_text("Amy called Nertz")
    expect(keeper.locator(".claims > li")).to_have_count(1)
    assert book.game(game_id).live.claims[0].pressed.within_ms < 200
    keeper.get_by_role("button", name="Valid", exact=True).click()
    keeper.get_by_role("link", name="Count hand 1").click()
    expect(keeper.locator("#told-1")).to_be_empty()
    keeper.fill("#lake-1", "9")
    ben.get_by_label("Left in my Nertz pile").fill("4")
    expect(keeper.locator("#left-1")).to_have_value("4")
    expect(keeper.locator("#told-1")).to_contain_text("Ben typed 4")
    expect(keeper.locator("#points-1")).to_have_text("+1")
    expect(keeper.locator("#lake-1")).to_have_value("9")
    keeper.fill("#left-1", "5")
    ben.get_by_label("Left in my Nertz pile").fill("3")
    expect(keeper.locator("#told-1")).to_contain_text("Ben typed 3")
    expect(keeper.locator("#left-1")).to_have_value("5")
    keeper.get_by_role("button", name="Take 3").click()
    expect(keeper.locator("#left-1")).to_have_value("3")
    expect(keeper.get_by_role("button", name="Take 3")).to_be_hidden()
    keeper.fill("#lake-0", "14")
    expect(keeper.locator("#points-1")).to_have_text("+3")
    keeper.get_by_role("button", name="Record hand 1").click()
    expect(keeper.locator(".verdict h1")).to_have_text("Amy leads with 14 of 100 points")
    assert format_hand(book.game(game_id).hands[0]) == "amy 14/0! ben 9/3"
    expect(ben.get_by_label("Left in my Nertz pile")).to_have_value("")
    expect(ben.get_by_role("button", name="I am ready")).to_be_visible()


def test_a_drop_of_the_network_in_every_step_loses_nothing(phone, book, game_id):
    keeper = phone(f"/g/{game_id}/join", keeper=True)
    ben = joins(phone(f"/g/{game_id}/play"), keeper.locator(".player-code").inner_text(), "ben")
    keeper.goto(f"/g/{game_id}/referee")
    for page in (keeper, ben):
        drops(page)
    ben.get_by_role("button", name="I am ready").click()
    expect(ben.locator("#waits")).to_have_text("1 change waits for the network")
    keeper.locator("[value='ready.amy']").click()
    expect(keeper.locator("#waits")).to_have_text("1 change waits for the network")
    for page in (keeper, ben):
        drops(page, gone=False)
        expect(page.locator("#waits")).to_be_hidden()
    assert book.game(game_id).live.ready == {"amy", "ben"}

    keeper.goto(f"/g/{game_id}/hand")
    for page in (keeper, ben):
        drops(page)
    ben.get_by_label("Left in my Nertz pile").fill("6")
    ben.get_by_label("Left in my Nertz pile").fill("3")
    expect(ben.locator("#waits")).to_have_text("1 change waits for the network")
    keeper.fill("#lake-0", "14")
    expect(keeper.locator("#waits")).to_have_text("1 change waits for the network")
    keeper.fill("#lake-1", "9")
    expect(keeper.locator("#waits")).to_have_text("2 changes wait for the network")
    keeper.locator("#row-0 .toggle").click()
    expect(keeper.locator("#waits")).to_have_text("3 changes wait for the network")
    drops(ben, gone=False)
    expect(ben.locator("#waits")).to_be_hidden()
    drops(keeper, gone=False)
    expect(keeper.locator("#waits")).to_be_hidden()
    keeper.reload()
    for field, number in (("#lake-0", "14"), ("#lake-1", "9"), ("#left-1", "3")):
        expect(keeper.locator(field)).to_have_value(number)
    keeper.wait_for_function(
        "() => (localStorage.getItem('outbox') ?? '[]') === '[]'"
    )  # what the reload met on its way
    drops(keeper)
    for _ in range(2):
        keeper.get_by_role("button", name="Record hand 1").click()
    expect(keeper.locator("#waits")).to_have_text("1 change waits for the network")
    drops(keeper, gone=False)
    expect(keeper.locator(".verdict h1")).to_have_text("Amy leads with 14 of 100 points")
    assert [format_hand(hand) for hand in book.game(game_id).hands] == ["amy 14/0! ben 9/3"]


def test_a_call_whose_button_is_drawn_anew_meanwhile_leaves_nothing_behind(phone, book, game_id):
    code = phone(f"/g/{game_id}/join", keeper=True).locator(".player-code").inner_text()
    amy, ben = (joins(phone(f"/g/{game_id}/play"), code, side) for side in ("amy", "ben"))
    held = []
    ben.route("**/play", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    ben.locator("[data-buzz]").click()
    amy.locator("[data-buzz]").click()
    expect(ben.locator(".me .lead")).to_contain_text("Amy called Nertz")
    held[0].continue_()
    expect(ben.locator(".me .lead")).to_contain_text("You called.")
    assert ben.evaluate("localStorage.getItem('outbox')") in (None, "[]")
    assert [claim.side for claim in book.game(game_id).live.claims] == ["ben", "amy"]  # as they were pressed


def test_a_hand_that_waited_too_long_comes_back_with_what_was_typed(phone, book, game_id):
    keeper, other = (phone(f"/g/{game_id}/hand", keeper=True) for _ in range(2))
    for page, numbers in ((keeper, "13 8 3"), (other, "14 9 3")):
        for field, number in zip(("#lake-0", "#lake-1", "#left-1"), numbers.split(), strict=True):
            page.fill(field, number)
        page.locator("#row-0 .toggle").click()
    expect(keeper.locator("#points-1")).to_have_text("+2")
    drops(keeper)
    keeper.get_by_role("button", name="Record hand 1").click()
    expect(keeper.locator("#waits")).to_be_visible()
    other.get_by_role("button", name="Record hand 1").click()
    expect(other.locator("#board")).to_be_visible()
    drops(keeper, gone=False)
    expect(keeper.get_by_text("Somebody else changed the game")).to_be_visible()
    expect(keeper.locator("#lake-0")).to_have_value("13")
    assert len(book.game(game_id).hands) == 1


def test_a_number_for_a_hand_that_is_over_is_told_to_its_player(phone, book, game_id):
    keeper = phone(f"/g/{game_id}/join", keeper=True)
    ben = joins(phone(f"/g/{game_id}/play"), keeper.locator(".player-code").inner_text(), "ben")
    drops(ben)
    ben.get_by_label("Left in my Nertz pile").fill("3")
    expect(ben.locator("#waits")).to_be_visible()
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="one")
    drops(ben, gone=False)
    expect(ben.locator("#waits")).to_contain_text("Not accepted: Left: 3. Hand 1 is recorded already")
    expect(ben.get_by_role("button", name="Send it again")).to_be_hidden()
    ben.get_by_role("button", name="Dismiss").click()
    expect(ben.locator("#waits")).to_be_hidden()


def test_a_player_without_javascript(phone, book, game_id):
    keeper = phone(f"/g/{game_id}/join", keeper=True, java_script_enabled=False)
    code = keeper.locator(".player-code").inner_text()
    ben = joins(phone(f"/g/{game_id}/play", java_script_enabled=False), code, "ben")
    ben.get_by_role("button", name="I am ready").click()
    expect(ben.get_by_text("You are ready.")).to_be_visible()
    ben.locator("[data-buzz]").click()
    expect(ben.get_by_text("You called.")).to_be_visible()
    expect(ben.get_by_label("Left in my Nertz pile")).to_be_hidden()  # who called has nothing left
    ben.get_by_label("Mine in the Lake").fill("14")
    ben.get_by_role("button", name="Tell it").click()
    expect(ben.get_by_text("The scorekeeper sees 14 in the Lake.")).to_be_visible()
    keeper.goto(f"/g/{game_id}/hand")
    expect(keeper.locator("#lake-1")).to_have_value("14")
    assert book.game(game_id).live.claims[0].pressed.within_ms > 200


def test_the_back_button_after_a_tap_changes_nothing(phone, book, game_id):
    keeper = phone(f"/g/{game_id}/join", keeper=True)
    ben = joins(phone(f"/g/{game_id}/play"), keeper.locator(".player-code").inner_text(), "ben")
    ben.locator("[data-buzz]").dblclick()
    expect(ben.locator(".me .lead")).to_contain_text("You called.")
    ben.goto(f"/g/{game_id}")
    ben.go_back()
    expect(ben.locator(".me .lead")).to_contain_text("You called.")
    assert len(book.game(game_id).live.claims) == 1


def keeps_the_board(page: Page, game_id: str) -> None:
    """Waits until the phone has kept the board of the game, and a worker answers for its pages."""
    page.evaluate(
        """async (path) => {
          const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
          while (!(await caches.match(path, { cacheName: "boards" }))) await pause();
          while (!navigator.serviceWorker.controller) await pause();
          for (const { href, src } of document.querySelectorAll("link[rel=stylesheet], script[src]")) {
            while (!(await caches.match(href ?? src))) await pause();
          }
        }""",
        f"/g/{game_id}",
    )


def shows_the_last_board(page: Page) -> None:
    expect(page.locator("#connection")).to_have_text(re.compile(r"No connection, last seen \d\d:\d\d\."))
    expect(page.locator(".verdict h1")).to_have_text("The first hand is being played, to 100")


def test_the_last_board_stays_when_the_server_is_gone(phone, game_id):
    page = phone(f"/g/{game_id}")
    keeps_the_board(page, game_id)
    page.reload()
    drops(page)
    for path in (f"/g/{game_id}/history", "/", f"/g/{game_id}"):
        page.goto(path)
        shows_the_last_board(page)
    drops(page, gone=False)
    page.goto(f"/g/{game_id}")
    expect(page.locator("#connection")).to_be_hidden()
    kept = page.evaluate(
        """(async () => {
          const names = await caches.keys();
          const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
          return keys.flat().map((key) => key.method + " " + new URL(key.url).pathname);
        })()"""
    )
    assert f"GET /g/{game_id}" in kept
    assert [key for key in kept if not key.startswith("GET ") or "/hand" in key] == []


def test_a_board_that_is_left_at_once_is_kept(phone, game_id):
    page = phone("/people")
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    page.reload()
    page.goto(f"/g/{game_id}")
    page.goto("/people")
    keeps_the_board(page, game_id)
    drops(page)
    page.goto(f"/g/{game_id}/history")
    shows_the_last_board(page)


def test_the_page_that_was_wanted_comes_by_itself_when_the_network_is_back(phone, game_id):
    page = phone(f"/g/{game_id}")
    keeps_the_board(page, game_id)
    drops(page)
    page.goto(f"/g/{game_id}/history")
    shows_the_last_board(page)
    drops(page, gone=False)
    expect(page.get_by_role("heading", name="History")).to_be_visible()


def test_the_board_itself_goes_on_when_the_network_is_back(phone, book, game_id):
    page = phone(f"/g/{game_id}")
    keeps_the_board(page, game_id)
    drops(page)
    page.reload()
    shows_the_last_board(page)
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="one")
    drops(page, gone=False)
    expect(page.locator(".verdict h1")).to_have_text("Amy leads with 14 of 100 points")
    expect(page.locator("#connection")).to_be_hidden()


def test_an_open_board_says_that_it_is_out_of_touch(phone, game_id):
    page = phone(f"/g/{game_id}")
    drops(page)
    expect(page.locator("#connection")).to_have_text("The board is out of touch with the server. Trying again …")
    expect(page.locator(".verdict h1")).to_be_visible()
    drops(page, gone=False)
    expect(page.locator("#connection")).to_be_hidden()


def test_the_back_button_without_a_network_shows_the_last_board(phone, game_id):
    page = phone(f"/g/{game_id}")
    keeps_the_board(page, game_id)
    page.goto(f"/g/{game_id}/history")
    page.goto(f"/g/{game_id}/rules")
    drops(page)
    page.go_back()
    shows_the_last_board(page)
    page.go_back()
    shows_the_last_board(page)


def test_a_phone_that_knows_no_board_says_so_and_goes_on_by_itself(phone, game_id):
    page = phone("/people")
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    page.reload()
    drops(page)
    page.goto(f"/g/{game_id}/play")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    drops(page, gone=False)
    expect(page.get_by_label("Player code")).to_be_visible()


def test_a_server_that_swallows_everything_does_not_hold_up_the_last_board(app, phone, game_id):
    stuck = []
    app.before_request(lambda: gevent.sleep(60) if stuck else None)
    page = phone(f"/g/{game_id}")
    keeps_the_board(page, game_id)
    page.reload()
    stuck.append(True)
    page.goto(f"/g/{game_id}/history")
    shows_the_last_board(page)
    stuck.clear()
    expect(page.get_by_role("heading", name="History")).to_be_visible()


def test_the_pages_can_be_installed(phone, game_id):
    page = phone(f"/g/{game_id}")
    errors = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert errors["errors"] == []
    assert "/static/manifest.webmanifest" in errors["url"]
    answer = page.request.get("/service-worker.js")
    assert "javascript" in answer.headers["content-type"]


@pytest.mark.parametrize("width", [320, 390, 1920])
def test_no_page_of_the_players_is_wider_than_its_screen(phone, book, width):
    from scorekeeper.rules.scoring import Rules, make_sides

    sides = make_sides([f"The long-named side {number}" for number in range(12)])
    game_id = book.start_game(sides, Rules(), request_id="wide")
    page = phone(f"/g/{game_id}/play", keeper=True)
    page.set_viewport_size({"width": width, "height": 900})
    page.locator(".pick").first.click()
    page.get_by_role("button", name="I play").click()
    expect(page.locator("#play-now")).to_be_visible()
    for path in ("/play", "/join"):
        page.goto(f"/g/{game_id}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_a_fan_photographed_without_a_network_is_counted_later_and_a_typed_number_stays(phone, book, game_id, upload):
    keeper = phone(f"/g/{game_id}/join", keeper=True)
    code = keeper.locator(".player-code").inner_text()
    amy, ben = (joins(phone(f"/g/{game_id}/play"), code, side) for side in ("amy", "ben"))
    for page in (amy, ben):
        drops(page)
        page.locator("input[name=fan]").set_input_files(upload)
        expect(page.locator("#parcels")).to_contain_text("1 picture waits for the network")
    ben.get_by_label("Left in my Nertz pile").fill("5")
    expect(ben.locator("#waits")).to_have_text("1 change waits for the network")
    for page, number in ((amy, "3"), (ben, "5")):
        drops(page, gone=False)
        expect(page.locator("#left .overlays img")).to_be_visible()
        expect(page.locator("#parcels")).to_be_hidden()
        expect(page.locator("#left-said")).to_contain_text(f"The scorekeeper sees {number}.")
    keeper.goto(f"/g/{game_id}/hand")
    expect(keeper.locator("#left-0")).to_have_value("3")
    expect(keeper.locator("#left-1")).to_have_value("5")
