"""Names in any script: what is kept, what is dropped, which are one, and which are refused."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.errors import RulesError
from scorekeeper.rules.names import clean, is_shown, isolated, isolated_runs, name_key
from scorekeeper.rules.sides import Side, SideId, is_name

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467 Meier"


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("  Amy \t Lee ", "Amy Lee", id="spaces"),
        pytest.param("Jose\u0301", "José", id="an accent as a sign of its own"),
        pytest.param("\U0001f469\u200d\U0001f680", "\U0001f469\u200d\U0001f680", id="an astronaut"),
        pytest.param(FAMILY, FAMILY, id="a family"),
        pytest.param("علی\u200cرضا", "علی\u200cرضا", id="letters kept apart"),
        pytest.param("ප්\u200dරියා", "ප්\u200dරියා", id="letters joined"),
        pytest.param("\u2068Anna\u2069", "Anna", id="pasted from a messenger"),
        pytest.param("דנה\u200f", "דנה", id="a direction mark at the end"),
        pytest.param("Amy\u200d", "Amy", id="a joiner that joins nothing"),
        pytest.param("\u200d \u2069", "", id="nothing that anybody sees"),
        pytest.param("\U0001fae8", "\U0001fae8", id="an emoji younger than this Python"),
    ],
)
def test_a_typed_name_is_kept_as_people_see_it(typed, name):
    assert clean(typed) == name
    assert is_name(name) is bool(name)


@given(st.text(max_size=30))
def test_cleaning_twice_changes_nothing(text):
    once = clean(text)
    assert clean(once) == once == once.strip()
    assert unicodedata.is_normalized("NFC", once)


@pytest.mark.parametrize("text", ["a\nb", "a\x00b", "\ue000", "a\u202eb", "\u2028"])
def test_signs_that_no_page_can_show_are_refused(text):
    assert not is_shown(text)
    with pytest.raises(RulesError, match="can't be the name of a side"):
        Side(SideId("amy"), text, "#0072b2")


def test_a_name_is_one_whatever_its_capitals_accents_and_marks():
    assert len({name_key(name) for name in ("José", "Jose\u0301", "JOSÉ", " \u2068josé\u2069 ")}) == 1
    assert name_key("José") != name_key("Jose")


def test_only_names_from_the_right_are_set_apart():
    assert isolated("Amy") == "Amy"
    assert isolated("דנה") == "\u2068דנה\u2069" == isolated(isolated("דנה"))
    assert isolated_runs("Hand 1: דנה כהן +5; Ben +3") == "Hand 1: \u2068דנה כהן\u2069 +5; Ben +3"


def test_every_reason_stands_alone_whatever_the_names_hold():
    with pytest.raises(RulesError) as refused:
        Side(SideId("tom"), "Tom; Jerry", "blue", members=("A", "B", "C", "D"))
    assert refused.value.reasons == (
        "Tom; Jerry has 4 people: a side has 3 at most, so make two sides",
        "'blue' is no colour of a side: write it like '#0072b2'",
    )
