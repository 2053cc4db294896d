"""Whatever is typed in a hurry finds its entry."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scorekeeper.guide import ENTRIES, answer, values_of
from scorekeeper.guide.search import Document, search, words_of
from scorekeeper.guide.tongues import TONGUES, WRITTEN
from scorekeeper.guide.vocabulary import OTHER_NAMES, VOCABULARIES, names_in_index
from scorekeeper.rules.house import Rules, Words

LINES = Path(__file__).with_name("questions.txt").read_text("utf-8").splitlines()
QUESTIONS = [tuple(part.strip() for part in line.split("|")) for line in LINES if line and not line.startswith("#")]

WORDS = {**VOCABULARIES[Words.NERTZ], **values_of(Rules())}
DOCUMENTS = [
    Document(entry.id, entry.question % WORDS, entry.search, " ".join(text % WORDS for text in answer(entry, Rules())))
    for entry in ENTRIES
]


@pytest.mark.parametrize(("question", "entries"), QUESTIONS)
def test_a_question_finds_its_answer_first(question, entries):
    assert search(question, DOCUMENTS)[0] in entries.split()


def test_no_question_stands_there_twice():
    typed = [question.casefold() for question, _ in QUESTIONS]
    assert len(set(typed)) == len(typed)


@pytest.mark.parametrize(
    ("query", "entry"),
    [
        pytest.param("EMPTY SLOTS", "empty-slot", id="capitals and a plural"),
        pytest.param("émpty slöt", "empty-slot", id="accents"),
        pytest.param("emty slot", "empty-slot", id="a letter missing"),
        pytest.param("lefty", "hands", id="an ending is no slip"),
        pytest.param("I need to pee", "time-out", id="a short word is not the beginning of another"),
        pytest.param("stagg", "columns", id="the beginning of a word, while it is typed"),
        pytest.param("hold back an a", "withholding", id="the last word is not yet whole"),
        pytest.param("Auszeiten", "time-out", id="a German plural"),
        pytest.param("Haende", "hands", id="no umlauts on the keyboard"),
        pytest.param("Bonuspunkte", "bonus", id="two German words in one"),
        pytest.param("foundation going up", "lake", id="foundation is the Lake"),
        pytest.param("tableau alternate colours", "river", id="tableau is the River"),
        pytest.param("stock run out", "stream-end", id="stock is the Stream"),
        pytest.param("demon pile face up", "pile-face", id="the Demon pile is the Nertz pile"),
        pytest.param('"joker" AND (king*) NOT -', "joker-river", id="signs mean nothing"),
    ],
)
def test_a_query_is_taken_as_it_is_meant(query, entry):
    assert search(query, DOCUMENTS)[0] == entry


@pytest.mark.parametrize("query", ["", " ?! ", "what if it", "Was ist das?"])
def test_a_query_that_says_nothing_shows_everything_in_order(query):
    assert search(query, DOCUMENTS) == [entry.id for entry in ENTRIES]


@pytest.mark.parametrize("words", [*Words])
def test_the_title_of_every_entry_finds_it_first(words):
    names = {**VOCABULARIES[words], **values_of(Rules())}
    documents = [
        Document(each.id, each.question % names, each.search, " ".join(text % names for text in answer(each, Rules())))
        for each in ENTRIES
    ]
    assert [each.title for each in documents if search(each.title, documents)[0] != each.id] == []


def test_german_endings_leave_no_stump_that_is_another_word():
    assert not {*words_of("off"), *words_of("offer")} & {*words_of("offen")}


@pytest.mark.parametrize("query", ["xylophone quartz", "qqq", "42x"])
def test_nonsense_finds_nothing(query):
    assert search(query, DOCUMENTS) == []


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=40))
@example("_")
@example('½ "²"')
def test_whatever_is_typed_is_answered(query):
    assert set(search(query, DOCUMENTS)) <= {entry.id for entry in ENTRIES}


def test_nothing_is_found_where_there_is_nothing():
    assert search("joker", []) == []


def test_more_matching_words_narrow_the_list():
    some = search("pile", DOCUMENTS)
    fewer = search("pile burned three", DOCUMENTS)
    assert 0 < len(fewer) < len(some)


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_every_name_of_the_game_finds_its_names(name):
    assert search(name, DOCUMENTS)[0] == "names"
    assert words_of(f"{name} pile") == ("nertzpile",)


@pytest.mark.parametrize("phrase", ["Nertz pile", "Pounce piles", "DEMON PILE", "Nuts-Stapel", "Peanuts pile"])
def test_all_names_of_the_pile_are_one_word(phrase):
    assert words_of(phrase) == ("nertzpile",)


@pytest.mark.parametrize("phrase", ["say Pounce", "he said Nertz", "sagt Nuts", "shouted", "gerufen", "the caller"])
def test_saying_the_name_is_calling(phrase):
    assert words_of(phrase) == ("call",)


INDEXED = {word for each in DOCUMENTS for text in (each.title, each.hints, each.text) for word in words_of(text)}


def test_every_word_with_a_synonym_stands_in_some_entry():
    assert {name for _, name in names_in_index()} <= INDEXED


@pytest.mark.parametrize("language", [each for each in TONGUES if each != WRITTEN])
def test_what_another_language_names_stands_in_some_entry(language):
    named = {name: words_of(name) for name in TONGUES[language].names.values()}
    assert [name for name, words in named.items() if not words or not set(words) <= INDEXED] == []


@pytest.mark.parametrize(
    ("language", "phrase", "name"),
    [
        pytest.param("es", "¿Cómo se juega a Pounce?", "thegame", id="Spanish: the game"),
        pytest.param("es", "la pila Demon", "pile", id="Spanish: a pile"),
        pytest.param("es", "gritó", "call", id="Spanish: without the accent it is the same"),
        pytest.param("fr", "comment jouer à Racing Demon", "thegame", id="French: the game"),
        pytest.param("fr", "l'as", "ace", id="French: an apostrophe parts words"),
    ],
)
def test_other_languages_call_things_what_the_index_calls_them(language, phrase, name):
    assert name in words_of(phrase, language)
