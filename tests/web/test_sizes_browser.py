"""Every page on a small phone, a phone and a television: nothing is cut off, and a finger hits what it taps."""

from __future__ import annotations

import pytest

from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, make_sides
from web.language import LANGUAGES, SPOKEN

pytestmark = pytest.mark.browser

SIZES = {language: ((320, 568),) for language in LANGUAGES} | {SPOKEN: ((320, 568), (390, 844), (1920, 1080))}
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


@pytest.mark.parametrize("language", SIZES)
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
        for width, height in SIZES[language]:
            page.set_viewport_size({"width": width, "height": height})
            measured = page.evaluate(MEASURE)
            if measured["wide"] > 0 or measured["small"]:
                wrong.append((path.replace(game_id, "G"), width, measured))
    assert not wrong, wrong
