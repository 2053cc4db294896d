"""House rules by name and in one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.errors import NotationError, RulesError
from scorekeeper.rules.presets import PRESETS, format_rules, parse_rules
from scorekeeper.rules.scoring import RULES_RANGES, Rules

any_rules = st.builds(Rules, **{name: st.integers(low, high) for name, (low, high) in RULES_RANGES.items()})


@given(any_rules)
def test_any_house_rules_survive_their_line(rules):
    assert parse_rules(format_rules(rules)) == rules


@pytest.mark.parametrize(
    ("name", "line"),
    [
        pytest.param("national", "13 to 100, x1 -2", id="K2 K3 to 100 without a bonus"),
        pytest.param("bonus", "13+10 to 150, x1 -2", id="C7 with the bonus the target is 150"),
        pytest.param("catsatcards", "13+10 to 50, x1 -2", id="C6 to 50 with ten for the call"),
        pytest.param("nuts", "11 to 250, x1 -2", id="J2 J3 Nuts has piles of 11, goes to 250, no bonus"),
    ],
)
def test_a_preset_in_one_line(name, line):
    assert format_rules(PRESETS[name].rules) == line


def test_every_preset_says_what_it_is():
    assert all(preset.name == name and preset.text.endswith(".") for name, preset in PRESETS.items())


def test_jokers_are_named():
    assert format_rules(Rules(jokers=1)) == "13 to 100, x1 -2, 1 joker"
    assert format_rules(Rules(jokers=2)) == "13 to 100, x1 -2, 2 jokers"


@pytest.mark.parametrize("text", ["", "to 100", "13 to hundred, x1 -2", "13 to 100", "13 to 100, x1 -2, many jokers"])
def test_what_is_no_line_of_house_rules_is_refused(text):
    with pytest.raises(NotationError, match="expected house rules"):
        parse_rules(text)


def test_a_line_of_house_rules_that_cannot_be_is_refused():
    with pytest.raises(RulesError, match="the jokers must be"):
        parse_rules("13 to 100, x1 -2, 9 jokers")
