"""Every page on a small phone, a phone and a television: nothing is cut off, and a finger hits what it taps."""

from __future__ import annotations

import pytest

from scorekeeper.rules.events import NertzCalled
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, make_sides
from web.language import LANGUAGES

pytestmark = pytest.mark.browser

SIZES = ((320, 568), (390, 844), (844, 390), (1920, 1080))
TWICE = ((390, 844), (1920, 1080))
"""Where letters of twice the size push nothing off the page."""
MEASURE = """() => {
  for (const each of document.querySelectorAll("details")) each.open = true;
  const shown = (each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".hidden, .skip");
  const hidden = "[type=checkbox], [type=radio], [type=file], [type=color]";
  const box = (each) => ((each.matches(hidden) && each.closest("label")) || each).getBoundingClientRect();
  const inSentence = (each) => each.matches("a") && getComputedStyle(each).display === "inline";
  const small = ({ width, height }) => width < 43.5 || height < 43.5;
  const told = (each) => each.outerHTML.replace(/\\s+/g, " ").slice(0, 100);
  const tapped = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  return {
    wide: document.documentElement.scrollWidth - innerWidth,
    small: [...document.querySelectorAll(tapped)].filter(shown)
      .filter((each) => !inSentence(each) && small(box(each))).map(told),
  };
}"""
"""By how many pixels a page is too wide, and what on it is smaller than a finger; a link in a sentence may be."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_its_screen_and_a_finger(phone, addresses, book, language):
    sides = make_sides(["Krishnamoorthyswaminathan", "Ben", "Cleo", "Dan"])
    game_id = book.start_game(sides, Rules(), request_id="long")
    book.record_hand(game_id, parse_hand(" ".join(f"{side.id} 12/3" for side in sides)), request_id="one")
    paths = [*addresses(game_id), f"/g/{game_id}?tv=1"]
    assert len(paths) > 30
    page = phone("/", keeper=True)
    page.set_extra_http_headers({"Accept-Language": language})
    wrong = []
    for path in paths:
        page.goto(path, wait_until="domcontentloaded")
        for size, letters in [*((size, "") for size in SIZES), *((size, "200%") for size in TWICE)]:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", letters)
            measured = page.evaluate(MEASURE)
            if measured["wide"] > 0 or measured["small"]:
                wrong.append((path.replace(game_id, "G"), size, letters, measured))
    assert not wrong, wrong


BROKEN = """(buttons) => buttons.flatMap((button) => [...button.childNodes]
  .filter((node) => node.nodeType === Node.TEXT_NODE)
  .flatMap((node) => [...node.data.matchAll(/\\S+/g)].filter((word) => {
    const range = document.createRange();
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    const across = range.getBoundingClientRect(), whole = button.getBoundingClientRect();
    return range.getClientRects().length > 1 || across.left < whole.left || across.right > whole.right;
  }).map(String)))"""
"""The words on buttons that are broken in two or reach over the edge."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_breaks_on_a_button_that_takes_a_photo(phone, game_id, language):
    page = phone("/", keeper=True)
    page.set_extra_http_headers({"Accept-Language": language})
    for path in ("decks", "hand", "audit", "camera"):
        page.goto(f"/g/{game_id}/{path}")
        takers = page.locator(".takers .button:visible")
        assert takers.count()
        assert takers.evaluate_all(BROKEN) == [], path


CUT = """(words) => words.filter((it) => it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 1
  || it.getBoundingClientRect().bottom > it.closest("li, th").getBoundingClientRect().bottom + 1)
  .map((it) => it.textContent)"""
"""The names that do not show all their letters, or reach over the edge of their row."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("width", "height", "path"), [(320, 568, ""), (390, 844, ""), (1440, 900, ""), (1920, 1080, "?tv=1")]
)
def test_a_board_shows_whole_names_and_all_that_is_said_of_them(phone, book, language, width, height, path):
    sides = make_sides(
        ["Krishnamoorthyswaminathan", "علی\u200cرضا", "Tom; Jerry", "Maximiliane von Hohenzollern-Sigmaringen"]
    )
    game_id = book.start_game(sides, Rules(), request_id="long")
    book.record_hand(game_id, parse_hand(" ".join(f"{side.id} 0/13" for side in sides)), request_id="one")
    page = phone(
        f"/g/{game_id}{path}",
        viewport={"width": width, "height": height},
        extra_http_headers={"Accept-Language": language},
    )
    words = page.locator(":is(.standing :is(.name, .meta), .column-name):visible")
    assert words.evaluate_all(CUT) == []
    totals = page.locator(".standing .total")
    assert totals.evaluate_all("(all) => all.every((it) => it.scrollWidth <= it.clientWidth)")
    assert totals.all_inner_texts() == ["\N{MINUS SIGN}26"] * 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_scorekeeper_does_next_stands_in_one_row_on_a_phone(phone, book, language):
    game_id = book.start_game(make_sides(["Amy", "Ben"]), Rules(), request_id="row")
    book.record_hand(game_id, parse_hand("amy 9/0! ben 9/3"), request_id="one")
    page = phone("/", keeper=True, viewport={"width": 390, "height": 844})
    page.set_extra_http_headers({"Accept-Language": language})
    page.goto(f"/g/{game_id}")
    tops = page.locator(".keeper .button:visible").evaluate_all("(all) => all.map((it) => it.offsetTop)")
    assert len(tops) == 3
    assert len(set(tops)) == 1


@pytest.mark.parametrize("width", [320, 390])
def test_a_long_name_pushes_nothing_off_the_card_of_its_call(phone, book, width):
    sides = make_sides(["Krishnamoorthyswaminathan", "Ben"])
    game_id = book.start_game(sides, Rules(), request_id="long")
    book.note(game_id, NertzCalled(sides[0].id), request_id="call")
    page = phone("/", keeper=True, viewport={"width": width, "height": 844})
    page.goto(f"/g/{game_id}/referee")
    claim = page.locator(".claims > li")
    assert claim.count() == 1
    assert claim.evaluate("(it) => it.getBoundingClientRect().right <= it.parentNode.getBoundingClientRect().right")
    assert claim.evaluate("(it) => it.scrollWidth <= it.clientWidth")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_long_name_breaks_no_word_above_the_points_that_an_undo_moves(phone, book, language):
    sides = make_sides(["Krishnamoorthyswaminathan", "Ben"])
    game_id = book.start_game(sides, Rules(), request_id="long")
    book.record_hand(game_id, parse_hand(" ".join(f"{side.id} 12/3" for side in sides)), request_id="one")
    page = phone("/", keeper=True, viewport={"width": 390, "height": 844})
    page.set_extra_http_headers({"Accept-Language": language})
    page.goto(f"/g/{game_id}/undo")
    heads = page.locator(".standings-moved thead th:visible")
    assert heads.count() == 3
    assert heads.evaluate_all(BROKEN) == []
