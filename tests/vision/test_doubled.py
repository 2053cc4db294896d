"""A card whose back repeats may be outlined twice, each time a little along: then it counts once."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorekeeper.rules.lake import DeckId
from scorekeeper.training.measure_backs import enrolment_picture, lay, signature
from scorekeeper.vision import doubled
from scorekeeper.vision.backs import Gallery
from scorekeeper.vision.claims import Patterned, lost, won
from scorekeeper.vision.detector import BACK, Detections
from scorekeeper.vision.doubled import counted_once
from scorekeeper.vision.glances import Glances
from scorekeeper.vision.looks import COLUMNS, ROWS
from scorekeeper.vision.places import share_of_both
from scorekeeper.vision.whose import straightened

STEP = 47
"""Pixels of the picture after which the back repeats, down the card."""
APART = [(250 + 330 * n, 250) for n in range(5)]
ALONE, UPPER = (700, 700), (1300, 700)
LOWER = (1300, 700 + 2 * STEP)


def outline(middle):
    """A card 190 px long round *middle*, upright."""
    return (np.array([[-68, -95], [68, -95], [68, 95], [-68, 95]]) + middle).astype(np.float32)


@pytest.fixture(scope="module")
def tiled():
    """A back of four equal rows of red and black blocks on white."""
    back = np.full((760, 544, 4), (235, 240, 240, 255), np.uint8)
    for top in range(0, 760, 190):
        back[top + 20 : top + 120, 40:250] = (60, 40, 190, 255)
        back[top + 70 : top + 150, 330:480] = (40, 30, 30, 255)
    return back


@pytest.fixture(scope="module")
def table(tiled):
    """Its gallery, and a picture of five cards apart, one alone below, and one half under another."""
    image = np.full((1080, 1920, 3), (60, 110, 50), np.float32)
    for middle in (*APART, ALONE, LOWER, UPPER):
        lay(image, tiled, outline(middle), 190)
    texts = [signature(enrolment_picture(np.random.default_rng(3), tiled))]
    picture = cv2.GaussianBlur(np.clip(image, 0, 255).astype(np.uint8), (0, 0), 0.7)
    return Gallery.from_signatures({DeckId("tiled"): texts}), Glances(picture)


def backs_at(glances, *middles):
    quads = straightened(glances, [outline(middle) for middle in middles])
    return Detections(np.array(quads, np.float32), np.full(len(quads), BACK), np.full(len(quads), 0.8, np.float32))


def once(table, cards, spare):
    return counted_once(*table, cards, range(len(cards)), spare)


def test_two_outlines_a_row_up_and_down_the_same_card_give_way_to_one_on_it(table):
    x, y = ALONE
    twice = backs_at(table[1], *APART, UPPER, LOWER, (x, y - STEP), (x, y + STEP))
    cards = once(table, twice, backs_at(table[1], (x + 3, y - 4)))
    assert len(cards) == len(twice) - 1
    shares = sorted(share_of_both(quad, outline(ALONE)) for quad in cards.corners_px)
    assert shares[-1] > 0.97
    assert shares[-2] == 0


def test_two_cards_of_a_deck_that_lie_half_on_each_other_stay_two(table):
    x, y = UPPER
    right = backs_at(table[1], *APART, ALONE, UPPER, LOWER)
    between = backs_at(table[1], (x, y + STEP))
    assert once(table, right, between) is right


def test_two_that_both_lie_partly_on_bare_cloth_give_way_to_one_that_does_not_however_it_fits(table, monkeypatch):
    x, y = ALONE
    twice = backs_at(table[1], *APART, UPPER, LOWER, (x, y - STEP), (x, y + STEP))
    between = backs_at(table[1], (x + 3, y - 4))
    monkeypatch.setattr(doubled, "LEAVES", 0.0)
    assert len(once(table, twice, between)) == len(twice) - 1
    monkeypatch.setattr(doubled, "BARE", 0.9)
    assert once(table, twice, between) is twice


def test_two_outlines_stay_two_where_none_lies_between(table):
    x, y = ALONE
    twice = backs_at(table[1], *APART, UPPER, LOWER, (x, y - STEP), (x, y + STEP))
    assert once(table, twice, backs_at(table[1], (1700, 800))) is twice


def test_what_two_cards_explain_and_one_between_does_not_is_lost_once():
    def card(top, unlike=0.1):
        return Patterned(outline((100, top)), np.full(ROWS * COLUMNS, unlike, np.float32), 0.1)

    upper, lower, between = card(100), card(195), card(147.5)
    assert lost(between.at, [upper, lower], []) == pytest.approx(0.5, abs=0.05)
    assert lost(between.at, [upper, lower], [card(100)]) == pytest.approx(0.25, abs=0.05)
    assert won(between, [upper, lower], []) == 0
    assert won(between, [card(100, 0.6), lower], []) == pytest.approx(0.25, abs=0.05)
