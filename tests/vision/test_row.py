"""Where the indices of a ribbon or fan stand, and where others may."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorekeeper.vision.faces.row import gaps_in, off_row, parted

INDEX = np.array([[-7, -14], [7, -14], [7, 14], [-7, 14]], np.float32)


def row(count: int, turn: float = 0.0, step: float = 25.0, slant: float = 0.0) -> np.ndarray:
    """Indices, each so many pixels beside the one before and turned by *turn* degrees more, the first by *slant*."""
    quads, spot = [], np.array([400.0, 400.0])
    for degrees in slant + turn * np.arange(count):
        a, half = np.deg2rad(degrees), np.deg2rad(degrees + turn / 2)
        matrix = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        quads.append(spot + INDEX @ matrix.T)
        spot = spot + step * np.array([np.cos(half), np.sin(half)])
    return np.array(quads, np.float32).reshape(-1, 4, 2)


ROWS = st.builds(row, st.integers(4, 13), st.floats(-9, 9), st.floats(15, 60), st.floats(-180, 180))


@given(ROWS, st.data())
def test_each_index_of_a_ribbon_or_fan_stands_in_the_row_of_the_others(indices, data):
    k = data.draw(st.integers(0, len(indices) - 1))
    assert off_row(indices[k], np.delete(indices, k, 0)) <= 1


@given(ROWS, st.data())
def test_what_lies_beyond_the_row_or_aslant_does_not_stand_in_it(indices, data):
    k = data.draw(st.integers(0, len(indices) - 1))
    up = (indices[k, 0] - indices[k, 3]) * data.draw(st.sampled_from([-2, 2]))
    assert off_row(indices[k] + up, np.delete(indices, k, 0)) > 1
    middle = indices[k].mean(0)
    aslant = (indices[k] - middle) @ np.array([[0.8, 0.6], [-0.6, 0.8]], np.float32) + middle
    assert off_row(aslant, np.delete(indices, k, 0)) > 1


def test_a_second_reading_of_one_index_is_none_of_the_row():
    indices = row(5)
    assert off_row(indices[2] + 3, indices) == np.inf


@pytest.mark.parametrize("count", [0, 1])
def test_one_index_makes_no_row(count):
    assert off_row(row(3)[2], row(count)) == np.inf
    assert len(gaps_in(row(count))) == 0


@given(ROWS, st.data())
def test_where_one_of_the_row_is_missing_there_is_a_gap(indices, data):
    k = data.draw(st.integers(1, len(indices) - 2))
    left = np.delete(indices, k, 0)
    assume(len(left) > 3)  # of two gaps neither is the usual one
    gaps = gaps_in(left)
    assert np.linalg.norm(gaps[0].mean(0) - indices[k].mean(0)) < 0.1
    assert np.linalg.norm(gaps.mean(1) - indices[k].mean(0), axis=1).max() < 8


@given(ROWS)
def test_an_even_row_has_no_gap(indices):
    assert len(gaps_in(indices)) == 0


def test_two_are_missed_in_a_fan_that_turns_much_from_card_to_card():
    left = np.delete(row(8, turn=13.0), [3, 4], 0)
    assert len(gaps_in(left)) == 6


@given(ROWS, st.data())
def test_two_corners_between_which_another_cards_stands_are_two_cards(indices, data):
    k = data.draw(st.integers(1, len(indices) - 2))
    around, beside = indices[[k - 1, k + 1]], indices[k - 1 : k + 1]
    assert parted(around, indices[[k]])
    assert not parted(beside, indices[[k + 1]])
    assert not parted(around, np.concatenate([indices[[k]], indices[[k + 1]] + 2]))  # that corner is the other card's


def test_one_is_missed_in_a_column_too():
    column = np.array([INDEX + [400 + 2 * k, 100 + 45 * k] for k in range(7)], np.float32)
    gaps = gaps_in(np.delete(column, 4, 0))
    assert np.linalg.norm(gaps[0].mean(0) - column[4].mean(0)) < 0.1
    assert len(gaps_in(column)) == 0
