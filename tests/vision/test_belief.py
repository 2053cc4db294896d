"""How few things a person is asked about, and how likely the rest then is."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.vision.belief import least_believed, likely, odds

CHANCES = st.lists(st.floats(0, 1), max_size=60)


def test_nothing_is_asked_where_all_together_is_likely_enough():
    assert least_believed([0.999, 0.998, 0.999], 0.95) == []
    assert least_believed([], 0.95) == []


def test_the_least_likely_is_asked_first():
    assert least_believed([0.99, 0.4, 0.99, 0.7], 0.95) == [1, 3]


def test_many_cards_that_are_each_nearly_sure_are_not_sure_together():
    assert len(least_believed([0.99] * 30, 0.95)) == 25


def test_one_impossible_card_does_not_make_all_the_others_doubtful():
    assert least_believed([0.999, 0.0, 0.999], 0.95) == [1]


@given(CHANCES, st.floats(0.01, 0.99))
def test_what_is_not_asked_about_is_right_together_as_likely_as_wanted(chances, sure):
    asked = least_believed(chances, sure)
    rest = [chance for place, chance in enumerate(chances) if place not in asked]
    assert math.prod(rest) >= sure or math.isclose(math.prod(rest), sure)
    assert not asked or math.prod([*rest, chances[asked[-1]]]) <= sure * 1.001
    assert all(chances[place] <= chance for place in asked for chance in rest)


def test_a_belief_is_a_logistic_regression_of_its_features():
    assert likely({"bias": 1.0, "view": 0.5}, {"bias": -1.0, "view": 2.0}) == pytest.approx(0.5)
    assert likely({"bias": 1.0}, {"bias": 3.0}) == pytest.approx(1 / (1 + math.exp(-3)))


@pytest.mark.parametrize("chance", [0.0, 0.5, 1.0])
def test_nothing_is_taken_for_impossible_or_certain(chance):
    assert odds(0.003) <= odds(chance) <= odds(0.9995)
