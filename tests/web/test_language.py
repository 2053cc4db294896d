"""Every page in every language: complete, up to date, chosen by the browser or at the foot of a page."""

from __future__ import annotations

import html
import io
import re
from contextlib import closing

import pytest
from babel.messages.pofile import read_po
from playwright.sync_api import expect

from scorekeeper.guide.vocabulary import VOCABULARIES
from scorekeeper.rules.events import NertzCalled, RulesChanged
from scorekeeper.rules.house import Rules, Words
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import make_sides
from scorekeeper.rules.sides import PATTERNS, side_id
from web.language import LANGUAGES, SPOKEN, catalog, listed
from web.messages import collected, translations, updated
from web.shapes import PATTERN_WORDS

GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}
TRANSLATED = [each for each in LANGUAGES if each != SPOKEN]
BLANKS = re.compile(r"%\(\w+\)[sr]|{\w+}")
NAMES = {
    "Nertz", "Nerts", "Pounce", "Racing Demon", "Peanuts", "Nuts", "Canfield", "Pishe Pasha", "Double Solitaire",
    "CatsAtCards", "National", "PIN",
}  # fmt: skip
"""Messages that are names, the same in every language."""
ONLY_ENGLISH = {"the", "of", "and", "with", "is", "are", "this", "that", "your", "they", "cards", "hands", "you", "its"}
"""Words that no other language on these pages has."""


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_translated(language):
    empty = [message.id for message in translations(language) if message.id and not all(texts(message.string))]
    assert empty == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_translation_is_of_these_sources(language):
    known = {str(message.id) for message in translations(language) if message.id}
    assert known == {str(message.id) for message in collected() if message.id}, "run: python -m web.messages"


@pytest.mark.parametrize("language", TRANSLATED)
def test_an_update_changes_no_translation(language):
    again = read_po(io.BytesIO(updated(language)), locale=language)
    assert {str(each.id): each.string for each in again} == {
        str(each.id): each.string for each in translations(language)
    }


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_keeps_the_blanks_of_its_message(language):
    for message in translations(language):
        blanks = {blank for text in texts(message.id) for blank in BLANKS.findall(text)}
        for text in texts(message.string):
            assert set(BLANKS.findall(text)) <= blanks, message.id
            assert re.sub(r"%\(\w+\)[sr]|%%", "", text).count("%") == 0, message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_leaves_out_no_value(language):
    """Words of the table may be left out where a language has its own way; what is filled in from the game may not."""
    own = {f"%({name})s" for words in VOCABULARIES.values() for name in words}
    for message in translations(language):
        said_in = zip(texts(message.id), texts(message.string), strict=False)
        missing = [set(BLANKS.findall(english)) - set(BLANKS.findall(text)) - own for english, text in said_in]
        assert not any(blank != "%(num)s" for each in missing for blank in each), message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_message_about_a_number_has_every_form_of_the_language(language):
    known = translations(language)
    many = [message for message in known if message.pluralizable]
    assert many
    assert {len(message.string) for message in many} == {known.num_plurals}
    assert [message.id for message in many if isinstance(message.id, str)] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_english_is_left_in_a_translation(language):
    for message in translations(language):
        for english, text in zip(texts(message.id), texts(message.string), strict=False):
            words = re.findall(r"[^\W\d_]+", re.sub(r"<[^>]*>|https?:\S+", " ", BLANKS.sub(" ", text)).lower())
            assert not ONLY_ENGLISH.intersection(words), text
            assert text != english or len(words) < 2 or english in NAMES, text


ONE = {"de": {1}, "es": {1}, "fr": {0, 1}}
"""Numbers that a language takes for one."""


@pytest.mark.parametrize("language", [each for each in ONE if each in LANGUAGES])
def test_a_number_chooses_the_form_of_its_language(language):
    forms = {num: catalog(language).ngettext("%(num)s card", "%(num)s cards", num) for num in (0, 1, 2, 11)}
    assert {num for num, form in forms.items() if form == forms[1]} == ONE[language]
    assert len(set(forms.values())) == 2


def test_every_language_is_offered_by_its_own_name(watcher):
    foot = watcher.get("/guide").text.partition("<footer")[2]
    offered = dict(re.findall(r'name="language" value="(\w+)"[^>]*>([^<]+)</button>', foot))
    assert offered == LANGUAGES
    assert list(offered)[:2] == ["en", "de"]
    assert offered["de"] == "Deutsch"


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_language_is_chosen_by_its_browser(watcher, language):
    page = watcher.get("/guide", headers={"Accept-Language": f"{language}-XX,en;q=0.5"}).text
    assert f'<html lang="{language}"' in page
    assert f"<h1>{catalog(language).gettext('Guide to the rules')}</h1>" in page


@pytest.mark.parametrize(
    ("language", "names", "said_as"),
    [
        pytest.param("es", ["Ana"], "Ana", id="one name"),
        pytest.param("es", ["Ana", "Luis"], "Ana y Luis", id="y"),
        pytest.param("es", ["Ana", "Luis", "Irene"], "Ana, Luis e Irene", id="e before i"),
        pytest.param("es", ["Luis", "Hilda"], "Luis e Hilda", id="e before a silent h"),
        pytest.param("es", ["Luis", "Íñigo"], "Luis e Íñigo", id="e before an accent"),
        pytest.param("es", ["Luis", "Iago"], "Luis y Iago", id="y before a diphthong"),
        pytest.param("de", ["Ana", "Irene"], "Ana und Irene", id="German knows no such rule"),
    ],
)
def test_names_are_listed_as_people_say_them(app, language, names, said_as):
    with app.test_request_context(headers={"Accept-Language": language}):
        assert listed(names) == said_as


def texts(string: str | tuple[str, ...] | list[str]) -> list[str]:
    return [string] if isinstance(string, str) else list(string)


def test_messages_name_no_words_that_a_table_may_call_otherwise():
    own = {word for words in VOCABULARIES.values() for word in words.values()}
    titles = own | {"Nuts", "Double Solitaire"}
    named = re.compile(r"\b(?:Lake|River|Stream|Nertz)\b")
    known = {"Nertz Scorekeeper", "National Nertz Association"}
    for message in collected():
        for text in texts(message.id or ""):
            plain = re.sub(rf"%\(\w+\)|{'|'.join(known)}", "", text)
            assert text in titles or not named.search(plain) or "Nerts, Pounce" in text, text


def test_every_pattern_has_its_word():
    assert set(PATTERN_WORDS) == set(PATTERNS)


@pytest.mark.parametrize(
    ("wish", "language"),
    [
        pytest.param({}, "en", id="a browser without a wish"),
        pytest.param(GERMAN, "de", id="Austrian German"),
        pytest.param({"Accept-Language": "tlh"}, "en", id="a language that is not there"),
        pytest.param({"Accept-Language": "en-GB,de;q=0.7"}, "en", id="English before German"),
    ],
)
def test_the_browser_chooses_the_language(watcher, wish, language):
    assert f'<html lang="{language}"' in watcher.get("/", headers=wish).text


def test_the_foot_of_the_page_chooses_for_good(watcher):
    answer = watcher.post("/language", data={"language": "de", "next": "/guide?q=ass"})
    assert (answer.status_code, answer.location) == (303, "/guide?q=ass")
    assert '<html lang="de"' in watcher.get("/guide").text
    watcher.post("/language", data={"language": "en"})
    assert '<html lang="en"' in watcher.get("/", headers=GERMAN).text


@pytest.mark.parametrize("language", ["", "tlh", "../de"])
def test_a_language_that_is_not_there_is_refused(watcher, language):
    assert watcher.post("/language", data={"language": language}).status_code == 400


def test_the_switch_leads_to_no_other_site(watcher):
    answer = watcher.post("/language", data={"language": "de", "next": "//evil.example"})
    assert answer.status_code == 400


def words_on(page: str) -> str:
    """What a person reads of a page."""
    shown = re.sub(r"<(script|style).*?</\1>", " ", page, flags=re.DOTALL)
    names = re.findall(r'(?:aria-label|placeholder|title|alt)="([^"]*)"', shown)
    return " ".join([re.sub(r"<[^>]*>", " ", shown), *names])


@pytest.mark.parametrize("words", [*Words], ids=str)
def test_every_page_of_a_game_speaks_with_the_words_of_its_table(client, book, words):
    game = book.start_game(make_sides(["Amy", "Ben"]), Rules(words=words), request_id=str(words))
    book.record_hand(game, parse_hand("amy 14/0! ben 9/4"), request_id="1")
    own = VOCABULARIES[words]
    strange = {word for each in VOCABULARIES.values() for word in (each["Pile"], each["Lake"])} - set(own.values())
    for page in ("", "/hand", "/hands/1", "/decks", "/undo", "/rules-card"):
        read = words_on(client.get(f"/g/{game}{page}").text)
        assert not [word for word in strange if re.search(rf"\b{word}\b", read)], page
    assert f"{own['Lake']}, face up" in client.get(f"/g/{game}/hand").text
    assert f"{own['Call']}!" in client.get(f"/g/{game}/hand").text


def test_a_game_is_started_with_the_words_chosen(client, book):
    fields = {"name": ["Amy", "Ben"], "preset": "bonus", "words": "racing-demon", "request_id": "a"}
    numbers = {"target": 100, "bonus": 10, "lake_value": 1, "nertz_penalty": 2, "pile_size": 13, "jokers": 0}
    client.post("/start", data={**fields, **numbers})
    assert book.game(book.games()[0].id).rules.words is Words.RACING_DEMON


def test_the_start_form_shows_the_words_that_are_chosen(client):
    page = client.post(
        "/start", data={"name": ["", ""], "preset": "national", "words": "pounce", "action": "words"}
    ).text
    assert "Bonus for Pounce" in page


def test_boards_in_two_languages_are_drawn_apart(app, game_id, book):
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="1")
    english, german = app.test_client(), app.test_client()
    german.post("/language", data={"language": "de"})
    first = {phone: next_board(phone, game_id) for phone in (english, german)}
    assert "86 to go" in first[english]
    assert "noch 86" in first[german]


def next_board(phone, game_id) -> str:
    """The first board that the stream tells."""
    with closing(phone.get(f"/g/{game_id}/events", buffered=False)) as answer:
        for part in answer.response:
            text = part.decode() if isinstance(part, bytes) else part
            if "event: board" in text:
                return text
    raise AssertionError("the stream told no board")


@pytest.mark.browser
def test_the_language_is_switched_at_the_foot_of_a_page(phone, address, game_id):
    page = phone(f"/g/{game_id}/history", locale="de-DE")
    expect(page.locator("h1")).to_have_text("Verlauf")
    page.get_by_role("button", name="English").click()
    expect(page.locator("h1")).to_have_text("History")
    assert page.url == f"{address}/g/{game_id}/history"
    page.goto("/guide")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("h1")).to_have_text("Regelführer")


def test_the_verdict_is_told_in_the_language_and_words_of_the_reader(watcher, book):
    rules = Rules(target=10, words=Words.POUNCE)
    game = book.start_game(make_sides(["Amy", "Ben"]), rules, request_id="tie")
    book.record_hand(game, parse_hand("amy 14/0! ben 14/0!"), request_id="1")
    english = "Amy and Ben are tied at 14 points with 1 Pounce call each: play a tie-breaker hand"
    german = "Gleichstand, Amy und Ben: je 14 Punkte und 1 Pounce-Ruf. Spielt eine Entscheidungsrunde"
    assert f"<h1>{english}</h1>" in watcher.get(f"/g/{game}").text
    assert f"<h1>{german}</h1>" in watcher.get(f"/g/{game}", headers=GERMAN).text


def test_the_referee_gives_reasons_in_german(client, game_id, hand):
    fields = hand("amy 14/3! ben 9/4", total="30")
    read = html.unescape(client.post(f"/g/{game_id}/hand", data=fields, headers=GERMAN).text)
    assert "Amy hat mit 3 Karten im Stapel Nertz gerufen" in read
    assert "In der Mitte liegen 30 Karten, die Parteien haben zusammen aber 23; ihr habt also 7 Karten" in read


def test_the_history_tells_a_hand_in_the_language_and_words_of_the_reader(watcher, book):
    game = book.start_game(make_sides(["Amy", "Ben"]), Rules(bonus=5, words=Words.POUNCE), request_id="told")
    book.record_hand(game, parse_hand("amy 14/0! ben 9/4 -5(misdeal)"), request_id="1")
    read = history_of(watcher, game)
    assert "Runde 1: Pounce von Amy; Amy +19 (14 in der Mitte, keine übrig, Bonus +5);" in read
    assert "Ben \N{MINUS SIGN}4 (9 in der Mitte, 4 übrig, \N{MINUS SIGN}5 misdeal)" in read


def test_the_history_tells_confirmed_doubts_in_the_language_and_words_of_the_reader(watcher, book):
    game = book.start_game(make_sides(["Amy", "Ben"]), Rules(words=Words.POUNCE), request_id="doubted")
    book.note(game, NertzCalled(side_id("ben")), request_id="1")
    book.record_hand(game, parse_hand("amy 14/0! ben 9/4"), request_id="2", confirm_doubts=True)
    read = history_of(watcher, game)
    assert "Bewusst bestätigt: Pounce von Ben, in der Runde steht es aber anders: prüft noch einmal oder tragt" in read


def test_the_history_tells_shared_points_and_changed_rules_in_german(watcher, book):
    game = book.start_game(make_sides(["Amy", "Ben"]), Rules(bonus=5), request_id="shared")
    book.record_hand(game, parse_hand("amy 14/0! ben 9/0!"), request_id="1", confirm_doubts=True)
    book.note(game, RulesChanged(Rules(target=50), "zu spät"), request_id="2")
    read = history_of(watcher, game)
    assert "Nertz von Amy und Ben; Amy +16,5 (14 in der Mitte, keine übrig, Bonus +2,5)" in read
    assert (
        "Hausregeln geändert (zu spät): Ende: wenn jemand am Ende einer Runde 50 oder mehr Punkte hat; "
        "die meisten Punkte gewinnen; Ruf: kein Bonus"
    ) in read


def test_a_name_from_the_right_stays_by_itself_in_the_history(watcher, book):
    game = book.start_game(make_sides(["Amy", "דנה"]), Rules(), request_id="right")
    book.record_hand(game, parse_hand("amy 14/0! דנה 9/4"), request_id="1")
    assert "\u2068דנה\u2069 +1 (9 in der Mitte, 4 übrig)" in history_of(watcher, game)


def history_of(watcher, game) -> str:
    """What the history says in German."""
    return html.unescape(watcher.get(f"/g/{game}/history", headers=GERMAN).text)
