"""The guide and the rules card as a table sees them: searched, linked, printed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.guide import ENTRIES
from scorekeeper.guide.search import search
from scorekeeper.rules.house import EmptySlot, Play, Rules, StuckTable, Words
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.scoring import Side, make_sides
from scorekeeper.scorebook import GameId
from web.guide import all_answers
from web.language import LANGUAGES
from web.language import gettext as _

QUESTIONS = Path(__file__).parents[1] / "guide" / "questions.txt"


@pytest.fixture
def pounce(book) -> GameId:
    """A game of Pounce with house rules of its own."""
    rules = Rules(
        bonus=10, words=Words.POUNCE, play=Play(empty_slot=EmptySlot.NERTZ, stuck=StuckTable.NEW_STOCK, river=5)
    )
    return book.start_game(make_sides(["Amy", "Ben"]), rules, request_id="pounce")


def questions(page: str) -> list[str]:
    return re.findall(r"<summary>(.*?)</summary>", page)


def test_a_watcher_reads_the_whole_guide(watcher):
    assert len(questions(watcher.get("/guide").text)) == len(ENTRIES)


def test_the_guide_of_a_game_says_what_its_rules_make_of_it(watcher, pounce):
    page = watcher.get(f"/g/{pounce}/guide/empty-slot").text
    assert "At this table:" in page
    assert "an empty Tableau slot must be filled from the Pounce pile." in page


def test_the_guide_without_a_game_says_what_is_usual(watcher):
    page = watcher.get("/guide/empty-slot").text
    assert "Usually:" in page
    assert "At this table:" not in page


def test_the_search_works_without_scripts(watcher, pounce):
    page = watcher.get(f"/g/{pounce}/guide?q=empty+tableau+slots").text
    assert questions(page)[0] == "What goes into an empty slot of the Tableau?"
    assert len(questions(page)) < 10


def documents_in(app, language):
    with app.test_request_context("/guide", headers={"Accept-Language": language}):
        return [answer.document for answer in all_answers(None).values()]


def asked_in(file):
    return [line.split(" | ") for line in file.read_text("utf-8").splitlines() if line and line[0] != "#"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_is_answered_first_in_the_language_it_is_asked_in(app, language):
    own = QUESTIONS.with_suffix(f".{language}.txt")
    asked = asked_in(own if own.exists() else QUESTIONS)
    assert len(asked) > (80 if own.exists() else 400)
    documents = documents_in(app, language)
    wrong = [question for question, entries in asked if search(question, documents, language)[0] not in entries.split()]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_title_finds_its_own_entry_first_in_its_language(app, language):
    documents = documents_in(app, language)
    assert [each.title for each in documents if search(each.title, documents, language)[0] != each.id] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_english_word_is_understood_in_every_language(app, language):
    documents = documents_in(app, language)
    assert search("shuffle", documents, language)[0] == "shuffle"
    assert search("xylophone quartz", documents, language) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("query", "entry"),
    [
        ("before Go", "before-go"),
        ("verify", "legal-call"),
        ("two calls", "two-calls"),
        ("last card", "last-card"),
        ("false call", "false-call"),
        ("stuck", "stuck-alone"),
        ("dispute", "dispute"),
        ("time-out", "time-out"),
        ("penalty", "penalties"),
    ],
)
def test_what_other_pages_ask_of_the_guide_finds_its_answer(watcher, query, entry, language):
    with watcher.application.test_request_context("/guide", headers={"Accept-Language": language}):
        query = _(query)
    page = watcher.get("/guide", query_string={"q": query}, headers={"Accept-Language": language}).text
    assert re.findall(r'<details class="answer" id="([a-z-]+)" open', page)[0] == entry


def test_a_search_that_finds_nothing_says_so(watcher):
    page = watcher.get("/guide?q=<script>xylophone").text
    assert "Nothing fits" in page
    assert "<script>xylophone" not in page


def test_all_answers_open_to_be_printed(watcher):
    assert watcher.get("/guide").text.count('<details class="answer"') == len(ENTRIES)
    assert len(re.findall(r"<details[^>]* open>", watcher.get("/guide?all=1").text)) == len(ENTRIES)


@pytest.mark.parametrize("address", ["/guide/poker", "/g/nowhere/guide", "/g/nowhere/rules-card"])
def test_what_is_not_there_is_not_found(watcher, address):
    assert watcher.get(address).status_code == 404


def test_the_rules_card_is_that_of_the_game(watcher, pounce, book):
    page = watcher.get(f"/g/{pounce}/rules-card").text
    assert "Pounce at this table" in page
    for sentence in (
        "13 cards in the Pounce pile, 5 in the Tableau, and the other 34 in the Stock.",
        "The call is worth 10 points.",
        "All put turned and unturned cards of the Stock together as a new one, and turn on from there.",
    ):
        assert sentence in page
    other = book.start_game(make_sides(["Amy", "Ben"]), replace(Rules(), bonus=0), request_id="plain")
    assert "There is no bonus for the call." in watcher.get(f"/g/{other}/rules-card").text


@pytest.mark.browser
def test_the_guide_filters_while_somebody_types(phone, pounce):
    page = phone(f"/g/{pounce}/guide")
    box = page.get_by_role("searchbox")
    box.press_sequentially("same momnt")
    first = page.locator("#answers summary").first
    expect(first).to_have_text("Two of us play the same card at the same moment. Whose counts?")
    expect(page.locator("#answers .house").first).to_contain_text("only the first card stays")
    expect(page).to_have_url(re.compile("q=same%20momnt$"))
    box.fill("")
    expect(page.locator("#answers summary")).to_have_count(len(ENTRIES))


@pytest.mark.browser
def test_the_rules_card_prints_on_one_page(phone, pounce):
    page = phone(f"/g/{pounce}/rules-card", locale="de-DE")
    expect(page.locator("h1")).to_have_text("Pounce an diesem Tisch")
    assert printed_pages(page) == 1


def printed_pages(page: Page) -> int:
    """Sheets of A4 that a page takes on paper."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))


NUMBERS = {
    "nuts": ("Nuts", "11 cards in the Nuts pile, 15 in 5 columns of the Tableau (5, 4, 3, 2, 1"),
    "pishe-pasha": ("Pishe Pasha", "26 cards for each player, face down."),
    "double-solitaire": ("Double Solitaire", "4 foundation cards face up in the middle, and 24 cards for each player."),
    "canfield": ("Canfield", "13 cards face up in one pile, 1 foundation card, 4 piles of one card, and the other 34"),
}
"""What the card of a related game is called, and the numbers of its layout."""
NERTZ = ("Nertz", "13 cards in the Nertz pile, 4 in the River, and the other 35 in the Stream.")


@pytest.mark.browser
@pytest.mark.parametrize("name", [*PRESETS])
def test_the_rules_card_of_every_preset_prints_its_own_numbers_on_one_page(phone, book, name):
    note = "\n".join(["The left hand turns, the right hand plays; nobody looks."] * 5)
    rules = replace(PRESETS[name].rules, note=note)
    game = book.start_game(sides_for(rules), rules, request_id=name)
    title, layout = NUMBERS.get(name, NERTZ)
    page = phone(f"/g/{game}/rules-card")
    page.emulate_media(media="print")
    expect(page.locator("h1")).to_have_text(f"{title} at this table")
    expect(page.locator(".rules-card")).to_contain_text(layout)
    assert page.locator(".rules-card dd").last.inner_text() == note
    assert printed_pages(page) == 1
    assert printed_pages(phone(f"/g/{game}/rules-card", locale="de-DE")) == 1


def sides_for(rules: Rules) -> tuple[Side, ...]:
    """As many sides as play by these rules, each of as many people."""
    sides = make_sides([f"Side {number}" for number in range(1, 1 + rules.fewest_sides)])
    return tuple(
        replace(side, members=tuple(f"{side.name} {each}" for each in "AB"[: rules.plan.people])) for side in sides
    )


@pytest.mark.parametrize("name", ["pishe-pasha", "double-solitaire", "canfield"])
def test_j5_the_card_of_a_related_game_has_no_word_of_nertz(watcher, book, name):
    rules = PRESETS[name].rules
    game = book.start_game(sides_for(rules), rules, request_id=name)
    page = watcher.get(f"/g/{game}/rules-card").text
    article = page[page.index("<article") : page.index("</article>")]
    assert not re.search(r"Nertz|River|Stream|Lake", article)
    assert f">{PRESETS[name].title}<" in watcher.get(f"/g/{game}/rules").text


def test_j5_a_changed_related_game_keeps_its_name(watcher):
    line = "13 to 52 within 3 hands, x1 -0, played alone, laid out as Canfield"
    assert ">Canfield<" in watcher.get("/rules", query_string={"rules": line}).text


def test_a11_the_note_of_a_table_stands_on_its_card_as_it_was_typed(watcher, book):
    rules = Rules(note="<b>100%</b> %(Lake)s\nturn left")
    game = book.start_game(make_sides(["Amy", "Ben"]), rules, request_id="note")
    for page in ("rules-card", "rules"):
        assert "&lt;b&gt;100%&lt;/b&gt; %(Lake)s\nturn left" in watcher.get(f"/g/{game}/{page}").text
    assert "turn left" not in watcher.get(f"/g/{game}").text


@pytest.mark.parametrize("name", ["pishe-pasha", "double-solitaire", "canfield"])
def test_j5_the_guide_of_another_game_says_that_it_is_about_nertz(watcher, book, name):
    rules = PRESETS[name].rules
    game = book.start_game(sides_for(rules), rules, request_id=name)
    page = watcher.get(f"/g/{game}/guide?all=1").text
    assert f"This guide is about Nertz. Of {PRESETS[name].title} it only says how the score is kept." in page
    assert questions(page)[0] == "Can I keep the score of related games?"
    assert "without turns" not in page
    assert watcher.get(f"/g/{game}/guide/lake").status_code == 404
    assert watcher.get(f"/g/{game}/guide/score").status_code == 200
