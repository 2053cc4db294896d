"""The letters over a picture stand where a card shows, and never on each other."""

from __future__ import annotations

from itertools import combinations
from math import cos, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.lettering import WIDE, places

LETTERS = 30.0
SIZE = (1000, 1000)


def card(x: float, y: float, degrees: float = 0.0, width: float = 100.0, height: float = 140.0):
    c, s = cos(radians(degrees)), sin(radians(degrees))
    corners = [(-width / 2, -height), (width / 2, -height), (width / 2, 0.0), (-width / 2, 0.0)]
    return tuple((x + u * c - v * s, y + u * s + v * c) for u, v in corners)


def fan(count: int, step: float):
    """Cards that turn around one point, as a hand holds them."""
    return [card(500, 500, step * (number - count / 2), height=260) for number in range(count)]


def overlapping(found) -> list:
    return [
        (one, other)
        for one, other in combinations(found, 2)
        if abs(one[0] - other[0]) < WIDE * LETTERS and abs(one[1] - other[1]) < LETTERS
    ]


def test_a_card_alone_has_its_label_in_the_middle():
    assert places([], [], LETTERS, SIZE) == []
    assert places([card(0, 140)], [True], LETTERS, SIZE) == [(0, 70)]


@pytest.mark.parametrize(("count", "step"), [(3, 20.0), (7, 14.0), (12, 12.0), (13, 15.0)])
def test_labels_of_a_fan_do_not_touch(count, step):
    found = places(fan(count, step), [True] * count, LETTERS, SIZE)
    assert overlapping(found) == []


def test_a_label_of_a_row_stands_on_the_strip_that_shows():
    row = [card(100 + 40 * number, 140) for number in range(6)]
    found = places(row, [True] * 6, LETTERS, SIZE)
    assert overlapping(found) == []
    assert all(abs(x - (100 + 40 * number)) <= 50 for number, (x, _) in enumerate(found))


@given(st.lists(st.tuples(st.floats(0, 900), st.floats(0, 900), st.floats(0, 360)), max_size=14))
def test_wherever_cards_lie_each_has_one_place(cards):
    boxes = [card(x, y, degrees) for x, y, degrees in cards]
    assert len(places(boxes, [True] * len(boxes), LETTERS, SIZE)) == len(boxes)
