"""Outlines move onto the cards they are meant for: the geometry, and the committed network on composed heaps."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.training.measure_backs import compose, drawn_backs, rough_box
from scorekeeper.vision.backs.refiner import CARD, WINDOW, load_refiner, moved, moves_to, shown_at, suited, window
from scorekeeper.vision.outline import covered, long_axis
from scorekeeper.vision.templates import cell_middles, upright_quad

LENGTH = 120.0


def rectangle(x, y, tall, wide, degrees):
    return np.asarray(cv2.boxPoints(((x, y), (wide, tall), degrees)), np.float32)


cards = st.builds(
    rectangle,
    st.floats(-40, 40),
    st.floats(-40, 40),
    st.floats(100, 140),
    st.floats(60, 95),
    st.floats(-180, 180),
)


def rectangle_round(card):
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(card.corners_px.astype(np.float32))), np.float32)


def shared(first, second):
    """Intersection over union of two outlines, by drawing them."""
    low = np.minimum(first.min(0), second.min(0)) - 2
    size = (np.maximum(first.max(0), second.max(0)) - low + 3).astype(int)
    masks = []
    for outline in (first, second):
        mask = np.zeros((size[1], size[0]), np.uint8)
        cv2.fillConvexPoly(mask, np.round(outline - low).astype(np.int32), 1)
        masks.append(mask)
    return (masks[0] & masks[1]).sum() / (masks[0] | masks[1]).sum()


@given(cards, cards)
def test_the_moves_to_a_card_lead_there_from_any_outline(outline, card):
    assert shared(moved(outline, moves_to(outline, card, LENGTH), LENGTH), card) > 0.93


@given(cards)
def test_no_moves_are_needed_where_the_outline_lies_on_the_card(card):
    x, y, turn, tall, wide = moves_to(card, card, LENGTH)
    assert (x, y, turn) == pytest.approx((0, 0, 0), abs=1e-4)
    _, _, length, across = long_axis(card)
    assert (tall, wide) == pytest.approx((np.log(length / LENGTH), np.log(across / LENGTH)), abs=1e-4)


def test_the_network_sees_each_card_standing_in_the_middle_in_one_size():
    picture = np.zeros((400, 500, 3), np.uint8)
    card = rectangle(260, 190, LENGTH, 80, 33)
    cv2.fillConvexPoly(picture, card.astype(np.int32), (0, 0, 255))
    seen = window(picture, card, LENGTH)
    ys, xs = np.nonzero(seen[..., 2] > 127)
    assert np.ptp(ys) == pytest.approx(CARD, abs=2)
    assert np.ptp(xs) == pytest.approx(CARD * 80 / LENGTH, abs=2)
    assert (ys.mean(), xs.mean()) == pytest.approx((WINDOW / 2, WINDOW / 2), abs=1)
    np.testing.assert_array_equal(seen[30:66, 40:56, 3], 255)


def test_a_large_picture_is_made_smaller_first_so_that_no_line_is_passed_over():
    small = suited(np.zeros((3000, 4000, 3), np.uint8), 600.0)
    assert small.image.shape[0] == round(3000 * small.scale)
    assert 600 * small.scale == pytest.approx(1.25 * CARD, rel=0.01)
    same = suited(np.zeros((300, 400, 3), np.uint8), 80.0)
    assert (same.image.shape, same.scale) == ((300, 400, 3), 1.0)


def test_the_committed_network_moves_bad_outlines_of_a_heap_onto_its_cards_and_knows_where_it_did():
    rng = np.random.default_rng(31)
    heap = compose(rng, drawn_backs(rng, 3), 24, tilt=12.0)
    truths = [rectangle_round(card) for card in heap.cards]
    bad = np.array([rough_box(rng, card.corners_px, 0.08) for card in heap.cards], np.float32)
    length = float(np.median([long_axis(truth)[2] for truth in truths]))
    better = load_refiner()(suited(heap.image, length), bad, length)
    before = np.array([shared(a, b) for a, b in zip(bad, truths, strict=True)])
    after = np.array([shared(a, b) for a, b in zip(better.corners_px, truths, strict=True)])
    assert np.median(after) > np.median(before) + 0.05
    assert np.median(after) > 0.8
    trusted = better.sure > np.median(better.sure)
    assert after[trusted].mean() > after[~trusted].mean()


def test_the_network_sees_which_part_of_a_card_others_hide():
    rng = np.random.default_rng(32)
    heap = compose(rng, drawn_backs(rng, 3), 24, tilt=12.0)
    outlines = [rectangle_round(card) for card in heap.cards]
    lengths = [long_axis(outline)[2] for outline in outlines]
    found = load_refiner()(suited(heap.image, float(np.median(lengths))), np.array(outlines), lengths)
    right = every = 0
    for n, outline in enumerate(outlines):
        spots = cell_middles(upright_quad(outline))
        shown = shown_at(spots, found.shows[n], outline, lengths[n]) > 0.5
        right += (shown != covered(spots, outlines[n + 1 :])).sum()
        every += len(spots)
    assert right > 0.9 * every


def test_no_outlines_are_no_trouble():
    found = load_refiner()(suited(np.zeros((100, 100, 3), np.uint8), 50.0), np.zeros((0, 4, 2), np.float32), 50.0)
    assert found.corners_px.shape == (0, 4, 2)
    assert found.sure.shape == (0,)
