"""Sentences of the rules are plain text, and know how they were made: in errors, files and other processes too."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.errors import CameraError
from scorekeeper.rules.lake import spots_of, spotted
from scorekeeper.rules.said import Names, Said, Signed, recipe, said_by, say, say_count

PLAIN = st.text() | st.integers()
POINTS = st.builds(Fraction, st.integers(-99, 99), st.integers(1, 9)) | st.builds(Signed, st.integers(-99, 99))
NAMES = st.lists(st.text(), min_size=1)
SENTENCES = st.recursive(
    st.builds(lambda where, card: say("a card %(where)s: %(card)r", where=where, card=card), PLAIN, PLAIN)
    | st.builds(lambda names, won: say("%(names)s %(won)s", names=Names(names), won=won), NAMES, POINTS)
    | st.builds(lambda num: say_count("%(num)s card", "%(num)s cards", num), st.integers(0, 3)),
    lambda inner: st.builds(
        lambda problem, num: say("%(problem)s (%(num)s such)", problem=problem, num=num), inner, PLAIN
    ),
    max_leaves=3,
)


def test_a_sentence_is_a_plain_text():
    assert say("%(name)s wins with %(points)s", name="Amy", points=14) == "Amy wins with 14"


def test_the_usual_words_of_the_game_stand_in_it():
    assert say("the %(Lake)s and the %(Pile)s") == "the Lake and the Nertz pile"


def test_it_knows_how_it_was_made():
    said = say_count("%(num)s card", "%(num)s cards", 3)
    assert said == "3 cards"
    assert (said.message, said.many, said.values) == ("%(num)s card", "%(num)s cards", {"num": 3})


def test_names_are_listed_and_fractions_written_as_points():
    said = say("%(names)s share %(points)s", names=Names(["Amy", "Ben", "Cleo"]), points=Fraction(10, 3))
    assert said == "Amy, Ben and Cleo share 3⅓"


def test_a_sentence_may_stand_in_another():
    said = say("The Lake holds %(cards)s", cards=say_count("%(num)s card", "%(num)s cards", 1))
    assert said == "The Lake holds 1 card"
    assert said.values["cards"].message == "%(num)s card"


@given(SENTENCES)
def test_a_sentence_survives_its_recipe_in_a_file(sentence):
    again = said_by(json.loads(json.dumps(recipe(sentence))))
    assert (again, again.message, again.many) == (sentence, sentence.message, sentence.many)
    assert recipe(again) == recipe(sentence)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("typed by a person", id="a plain text"),
    ],
)
def test_other_texts_have_no_recipe(text):
    assert recipe(text) is None


def grown(deep: int) -> dict[str, object]:
    """A recipe that doubles its length with every sentence in another."""
    inner = grown(deep - 1) if deep else "doubled"
    return {"message": "%(it)s %(it)s", "many": "", "values": {"it": inner}}


@pytest.mark.parametrize(
    "made",
    [
        pytest.param({"message": "%(a)99999999s", "many": "", "values": {"a": "wide"}}, id="wider than a page"),
        pytest.param({"message": "100 %", "many": "", "values": {}}, id="no blank"),
        pytest.param({"message": "%(a)s", "many": "", "values": {"a": "x" * 20_000}}, id="longer than a page"),
        pytest.param(grown(14), id="doubled again and again"),
        pytest.param(grown(300), id="too deep"),
    ],
)
def test_a_recipe_that_no_sentence_has_is_refused(made):
    with pytest.raises(ValueError, match="no sentence of the rules"):
        said_by(made)


def test_an_error_says_how_its_sentence_was_made():
    told = str(CameraError(say("there is no camera %(source)s", source=4)))
    assert isinstance(told, Said)
    assert (told, told.message, told.values) == ("there is no camera 4", "there is no camera %(source)s", {"source": 4})


def test_a_sentence_about_a_place_knows_both_its_place_and_how_it_was_made():
    about = spotted(say("a card %(where)s is odd", where=say("at the top")), (0, 3.0, 4.0))
    crossed = pickle.loads(pickle.dumps(about))
    for sentence in (about, crossed):
        assert (sentence, sentence.message) == ("a card at the top is odd", "a card %(where)s is odd")
        assert spots_of(sentence) == ((0, 3.0, 4.0),)
        assert recipe(sentence) == recipe(say("a card %(where)s is odd", where=say("at the top")))
    assert recipe(spotted("a plain text", (0, 1.0, 1.0))) is None
