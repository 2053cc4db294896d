"""The board in a real Chromium: nothing moves when scores change, it is light, it celebrates once, a TV can be read."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, make_sides

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}
TELEVISION = {"width": 1920, "height": 1080}
LIGHT_BYTES = 150_000
"""Of the whole board with a picture, before any compression."""
READABLE_PX = 24
"""At 1920 by 1080; on a screen of 120 cm that is 15 mm."""

SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((each) => each.value)))
  .observe({ type: "layout-shift", buffered: true });
"""
PLACES = """[".verdict h1", ".play-line", ".standings", ".last-hand", ".curve", ".hand-list"].map((each) => {
  const box = document.querySelector(each).getBoundingClientRect();
  return [each, ...[box.x, box.y, box.width].map(Math.round)]; })"""


def record(book, game_id, number, hand) -> None:
    book.record_hand(game_id, parse_hand(hand), request_id=f"hand-{number}")


@pytest.mark.parametrize("size", [PHONE, {"width": 1280, "height": 800}, TELEVISION], ids=["phone", "desk", "TV"])
def test_nothing_moves_when_scores_change(phone, book, game_id, size):
    page = phone(f"/g/{game_id}", viewport=size)
    page.evaluate(SHIFTS)
    before = page.evaluate(PLACES)
    for number, hand in enumerate(("amy 14/0! ben 9/4", "amy 3/9 ben 20/0!", "amy 13/0! ben 5/2"), 1):
        record(book, game_id, number, hand)
        expect(page.locator(".last-link")).to_have_text(f"Hand {number}")
        assert page.evaluate(PLACES) == before
    page.wait_for_timeout(300)
    assert sum(page.evaluate("window.shifts")) < 0.01


def test_the_whole_board_with_a_picture_is_light(phone, app, book, game_id, photo):
    for number in range(1, 8):
        record(book, game_id, number, "amy 6/0! ben 9/4")
    pictures = app.extensions["scorekeeper"].pictures
    pictures.attach(game_id, "hand-7", 8, {"lake": [pictures.keep(photo)]})
    page = phone("/guide")
    loaded: list[int] = []
    page.on("requestfinished", lambda request: loaded.append(request.sizes()["responseBodySize"]))
    page.goto(f"/g/{game_id}", wait_until="load")
    expect(page.locator(".evidence img")).to_be_visible()
    assert 0 < sum(loaded) < LIGHT_BYTES


def test_one_sentence_is_announced_when_there_is_news(phone, book, game_id):
    page = phone(f"/g/{game_id}")
    page.evaluate("""() => { window.said = [];
      new MutationObserver(() => window.said.push(document.getElementById("news").textContent))
        .observe(document.getElementById("news"), { childList: true, subtree: true, characterData: true }); }""")
    record(book, game_id, 1, "amy 14/0! ben 9/4")
    expect(page.locator("#news")).to_have_text("Hand 1, Nertz by Amy: Amy leads with 14 of 100 points")
    from scorekeeper.rules.events import ReadySaid
    from scorekeeper.rules.scoring import SideId

    book.note(game_id, ReadySaid(SideId("amy")), request_id="ready")
    expect(page.locator(".play-line")).to_contain_text("1 of 2")
    assert len(page.evaluate("window.said")) == 1
    assert page.locator("#news").get_attribute("aria-live") == "polite"


def test_an_end_is_celebrated_once_for_who_watches(phone, book):
    game_id = book.start_game(make_sides(["Amy", "Ben"]), Rules(target=20), request_id="short")
    page = phone(f"/g/{game_id}")
    record(book, game_id, 1, "amy 24/0! ben 9/4")
    expect(page.locator(".crown")).to_be_visible()
    expect(page.locator("body.celebrating .party i").first).to_be_attached()
    page.reload()
    expect(page.locator(".crown")).to_be_visible()
    assert "celebrating" not in (page.locator("body").get_attribute("class") or "")
    late = phone(f"/g/{game_id}")
    expect(late.locator(".verdict h1")).to_have_text("Amy wins with 24 points")
    expect(late.locator(".crown")).to_be_visible()


def test_who_wants_no_motion_gets_none(phone, book):
    game_id = book.start_game(make_sides(["Amy", "Ben"]), Rules(target=20), request_id="short")
    record(book, game_id, 1, "amy 24/0! ben 9/4")
    page = phone(f"/g/{game_id}", reduced_motion="reduce")
    expect(page.locator("body.celebrating")).to_be_attached()
    expect(page.locator(".party")).to_be_hidden()
    assert page.evaluate("document.getAnimations().length") == 0


SMALL = """(least) => [...document.querySelectorAll("body *")]
  .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".hidden, .skip, .top, .foot"))
  .map((each) => { const svg = each.closest("svg"); const scale = svg ? svg.getScreenCTM().a : 1;
    return [each.outerHTML.slice(0, 70), Math.round(parseFloat(getComputedStyle(each).fontSize) * scale)]; })
  .filter(([, size]) => size < least)"""


@pytest.mark.parametrize("mode", ["", "?tv=1"], ids=["by itself", "asked for"])
@pytest.mark.parametrize("sides", [2, 4, 6, 12])
def test_a_television_is_read_from_across_the_room(phone, book, sides, mode):
    names = [f"Player {number}" for number in range(1, sides + 1)]
    game_id = book.start_game(make_sides(names), Rules(), request_id="tv")
    hand = " ".join(f"{side.id} {9 + at}/{at and 2}{'' if at else '!'}" for at, side in enumerate(make_sides(names)))
    for number in (1, 2, 3):
        record(book, game_id, number, hand)
    page = phone(f"/g/{game_id}{mode}", viewport=TELEVISION)
    expect(page.locator(".standing")).to_have_count(sides)
    assert page.evaluate(SMALL, READABLE_PX) == []
    fits = "[document.documentElement.scrollHeight, document.documentElement.scrollWidth]"
    assert page.evaluate(fits) == [1080, 1920]
    lowest = page.evaluate("document.querySelector('.standing:last-child').getBoundingClientRect().bottom")
    assert lowest <= 1080
    for each in page.locator(".standing .meta").all():
        assert each.evaluate("(it) => it.scrollWidth <= it.clientWidth")


def test_the_overlay_has_nothing_behind_it(phone, book, game_id):
    page = phone(f"/g/{game_id}/overlay", viewport={"width": 1280, "height": 200})
    grounds = "[document.documentElement, document.body].map((each) => getComputedStyle(each).backgroundColor)"
    assert page.evaluate(grounds) == ["rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)"]
    record(book, game_id, 1, "amy 14/0! ben 9/4")
    expect(page.locator(".strip p")).to_have_text("Amy leads with 14 of 100 points")


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_c20_a_score_sheet_fits_on_one_page(phone, book, paper):
    names = [f"Side {number}" for number in range(1, 13)]
    game_id = book.start_game(make_sides(names), Rules(target=1000), request_id="paper")
    hand = " ".join(
        f"side-{number} 12/{0 if number == 1 else 3}{'!' if number == 1 else ''}" for number in range(1, 13)
    )
    for number in range(1, 16):
        record(book, game_id, number, hand)
    page = phone("/sheet")
    for path in ("/sheet", "/sheet?sides=12", f"/g/{game_id}/sheet"):
        page.goto(path)
        assert page.pdf(format=paper).count(b"/Type /Page\n") == 1, path


def test_the_last_seconds_are_leafed_through_with_and_without_javascript(phone, book, game_id):
    from scorekeeper.rules.events import HandBegun, NertzCalled
    from scorekeeper.rules.scoring import SideId

    book.note(game_id, HandBegun(), request_id="go")
    book.note(game_id, NertzCalled(SideId("amy")), request_id="call")
    page = phone(f"/g/{game_id}/replay")
    picture = page.locator("#replay-picture")
    page.get_by_role("button", name="One picture back").click()
    expect(picture).to_have_attribute("src", f"/g/{game_id}/replay/39.jpg")
    page.get_by_role("button", name="A second back").click()
    expect(picture).to_have_attribute("src", f"/g/{game_id}/replay/31.jpg")
    page.get_by_role("slider").fill("0")
    expect(page.locator("#replay-words")).to_have_text("4.9 s before play stopped, picture 1 of 40")
    page.locator("body").press("ArrowRight")
    expect(picture).to_have_attribute("src", f"/g/{game_id}/replay/2.jpg")
    plain = phone(f"/g/{game_id}/replay", java_script_enabled=False)
    plain.get_by_role("link", name="One picture back").click()
    expect(plain.locator("#replay-picture")).to_have_attribute("src", f"/g/{game_id}/replay/39.jpg")
