"""Whatever is typed in a hurry finds its entry."""

from __future__ import annotations

import pytest

from scorekeeper.guide import ENTRIES, values_of
from scorekeeper.guide.search import Document, search, words_of
from scorekeeper.guide.vocabulary import VOCABULARIES
from scorekeeper.rules.house import Rules, Words


def documents() -> list[Document]:
    words = {**VOCABULARIES[Words.NERTZ], **values_of(Rules())}
    return [
        Document(
            entry.id, entry.question % words, entry.search, " ".join(text % words for text in entry.answer(Rules()))
        )
        for entry in ENTRIES
    ]


@pytest.mark.parametrize(
    ("query", "entry"),
    [
        pytest.param("empty slot", "empty-slot", id="the plain words"),
        pytest.param("EMPTY SLOTS", "empty-slot", id="capitals and a plural"),
        pytest.param("émpty slöt", "empty-slot", id="accents"),
        pytest.param("emty slot", "empty-slot", id="a letter missing"),
        pytest.param("joke", "joker-lake", id="the beginning of a word"),
        pytest.param("leerer Platz", "empty-slot", id="German"),
        pytest.param("Auszeiten", "time-out", id="a German plural"),
        pytest.param("foundation going up", "lake", id="foundation is the Lake"),
        pytest.param("tableau alternate colours", "river", id="tableau is the River"),
        pytest.param("stock run out", "stream-end", id="stock is the Stream"),
        pytest.param("pounce pile face up", "pile-face", id="the Pounce pile is the Nertz pile"),
        pytest.param("demon pile face up", "pile-face", id="and the Demon pile"),
        pytest.param("Must I call at once when my pile is gone?", "must-call", id="a whole question"),
        pytest.param("both hands", "hands", id="both hands"),
        pytest.param("tie break", "tie", id="tie"),
        pytest.param("dropped my pile", "fumble", id="an accident"),
    ],
)
def test_a_query_finds_its_entry(query, entry):
    assert entry in search(query, documents())[:3]


def test_nothing_typed_shows_everything_in_order():
    assert search("", documents()) == [entry.id for entry in ENTRIES]
    assert search(" ?! ", documents()) == [entry.id for entry in ENTRIES]


def test_nonsense_finds_nothing():
    assert search("xylophone quartz", documents()) == []


def test_more_matching_words_narrow_the_list():
    some = search("pile", documents())
    fewer = search("pile burned three", documents())
    assert 0 < len(fewer) < len(some)


def test_entries_that_fit_in_the_question_stand_first():
    assert search("shuffle", documents())[0] == "shuffle"


@pytest.mark.parametrize("phrase", ["Nertz pile", "Pounce piles", "DEMON PILE", "Nuts-Stapel", "Peanuts pile"])
def test_all_names_of_the_pile_are_one_word(phrase):
    assert words_of(phrase) == ("nertzpile",)
