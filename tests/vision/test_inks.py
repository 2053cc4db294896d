"""Suits of other countries are told by their inks."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorekeeper.vision.faces.inks import in_two_inks

INDEX = np.array([[40, 30], [80, 30], [80, 90], [40, 90]], np.float32)
RED, BLACK, GOLD, GREEN = (40, 30, 190), (30, 30, 30), (20, 170, 230), (40, 130, 30)


def corner(rank: tuple[int, int, int], pip: tuple[int, int, int], light: float = 1.0) -> np.ndarray:
    """A card's corner in such light: a 7 and a pip below it, in these colours."""
    card = np.full((160, 140, 3), 245, np.uint8)
    cv2.putText(card, "7", (44, 58), cv2.FONT_HERSHEY_SIMPLEX, 1.1, rank, 4)
    cv2.circle(card, (60, 76), 9, pip, -1)
    return (card * np.array([0.7, 0.9, 1.0]) * light).astype(np.uint8)


@pytest.mark.parametrize("light", [1.0, 0.75])
@pytest.mark.parametrize(
    ("rank", "pip", "strange"),
    [(RED, RED, False), (BLACK, BLACK, False), (GREEN, GREEN, False), (RED, GOLD, True), (BLACK, GOLD, True)],
    ids=["hearts", "spades", "green clubs", "bells", "acorns"],
)
def test_a_rank_and_its_suit_are_printed_in_one_ink(rank, pip, strange, light):
    assert in_two_inks(corner(rank, pip, light), [INDEX]) is strange


def test_one_index_of_many_tells_nothing():
    both = np.hstack([corner(RED, GOLD), corner(RED, RED), corner(BLACK, BLACK)])
    assert not in_two_inks(both, [INDEX, INDEX + [140, 0], INDEX + [280, 0]])


def test_where_nothing_is_printed_nothing_is_told():
    assert not in_two_inks(np.full((160, 140, 3), 245, np.uint8), [INDEX])
    assert not in_two_inks(corner(RED, GOLD), [])
