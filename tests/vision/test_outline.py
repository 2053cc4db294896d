"""Boxes bent as the camera looks across the table, and who lies on whom."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorekeeper.training.back_designs import drawn_back
from scorekeeper.training.measure_backs import compose
from scorekeeper.vision.outline import find_tilt, snapped, true_quads
from scorekeeper.vision.templates import upright_quad

BACKS = [drawn_back(np.random.default_rng(seed)) for seed in (1, 7, 15)]


def boxes_of(spread):
    return [cv2.boxPoints(cv2.minAreaRect(card.corners_px.astype(np.float32))) for card in spread.cards]


def off_px(quads, spread):
    """Mean distance of corners from the truth, whichever way round."""
    pairs = zip(quads, spread.cards, strict=True)
    return np.mean([np.abs(upright_quad(quad) - upright_quad(card.corners_px)).mean() for quad, card in pairs])


@pytest.mark.parametrize("tilt", [0.0, 20.0, 40.0])
def test_the_sizes_of_the_boxes_tell_how_the_camera_looks(tilt):
    spread = compose(np.random.default_rng(3), BACKS, 24, tilt=tilt, card_px=170)
    found = find_tilt(boxes_of(spread), spread.image.shape[:2])
    assert np.rad2deg(found.angle) == pytest.approx(tilt, abs=9)


def test_quads_of_a_tilted_table_are_nearer_to_the_cards_than_boxes():
    spread = compose(np.random.default_rng(4), BACKS, 24, tilt=38.0, card_px=170)
    boxes = boxes_of(spread)
    tilt = find_tilt(boxes, spread.image.shape[:2])
    assert off_px(true_quads([tilt], boxes), spread) < 0.5 * off_px(boxes, spread)


def test_a_loose_outline_is_drawn_to_the_edges():
    spread = compose(np.random.default_rng(5), BACKS, 1, tilt=10.0, card_px=300)
    loose = upright_quad(spread.cards[0].corners_px) + np.array([6, -5], np.float32)
    assert off_px([snapped(spread.image, loose)], spread) < 0.5 * off_px([loose], spread)
