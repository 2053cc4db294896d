"""Outlines laid exactly onto their cards by the patterns of their decks."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorekeeper.training.back_designs import drawn_back
from scorekeeper.training.measure_backs import compose
from scorekeeper.vision.backs.alignment import aligned
from scorekeeper.vision.places import share_of_both
from scorekeeper.vision.templates import CELL, COLUMNS, ROWS, upright, upright_quad

ALL_OF_IT = np.ones(ROWS * COLUMNS, np.float32)
LOWER_HALF = np.repeat(np.arange(ROWS) >= ROWS // 2, COLUMNS).astype(np.float32)


@pytest.fixture(scope="module")
def back():
    return drawn_back(np.random.default_rng(7))


@pytest.fixture(scope="module")
def spread(back):
    return compose(np.random.default_rng(41), [back], 8, least_visible=0.99, card_px=190, tilt=20)


@pytest.fixture(scope="module")
def quads(spread):
    return [upright_quad(card.corners_px.astype(np.float32)) for card in spread.cards]


@pytest.fixture(scope="module")
def pattern(spread, quads):
    """The deck's pattern, the way around in which the first card lies."""
    return upright(spread.image, quads[0])


def off(quad, share, degrees=1.0, grown=1.02):
    """*quad*, wrong by a share of its length, turned and of another size."""
    turn, middle = np.deg2rad(degrees), quad.mean(0)
    turned = (quad - middle) * grown @ [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]
    return np.asarray(turned + middle + share * (quad[2] - quad[1]), np.float32)


@pytest.mark.parametrize("light", [(1, 1, 1), (0.35, 0.5, 0.6)], ids=["the same light", "dim, yellow light"])
def test_an_outline_a_little_beside_its_card_is_laid_onto_it(spread, quads, pattern, light):
    image = (spread.image * np.array(light)).astype(np.uint8)
    moved = aligned(image, off(quads[0], 0.03), pattern, ALL_OF_IT)
    assert share_of_both(off(quads[0], 0.03), quads[0]) < 0.95
    assert share_of_both(moved, quads[0]) > 0.97


def test_what_is_hidden_of_a_card_does_not_count(spread, quads, pattern):
    image, upper = spread.image.copy(), quads[0].copy()
    upper[2:] = (quads[0][[1, 0]] + quads[0][2:]) / 2
    cv2.fillConvexPoly(image, np.round(upper).astype(np.int32), (40, 40, 200))
    moved = aligned(image, off(quads[0], 0.03), pattern, LOWER_HALF)
    assert share_of_both(moved, quads[0]) > 0.96


def test_a_card_a_tenth_beside_its_outline_is_found_where_the_pattern_correlates_best(spread, quads, pattern):
    beside = off(quads[0], 0.1, 2, 1)
    assert aligned(spread.image, beside, pattern, ALL_OF_IT) is None
    assert share_of_both(aligned(spread.image, beside, pattern, ALL_OF_IT, anywhere=True), quads[0]) > 0.97


def test_a_plain_pattern_says_nothing_of_where_a_card_lies(spread, quads):
    plain = np.full((ROWS * CELL, COLUMNS * CELL, 3), 120, np.uint8)
    assert aligned(spread.image, quads[0], plain, ALL_OF_IT) is None
