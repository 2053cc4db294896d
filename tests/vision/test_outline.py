"""Boxes bent as the camera looks across the table, and who lies on whom."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorekeeper.training.back_designs import drawn_back
from scorekeeper.training.measure_backs import compose
from scorekeeper.vision.cloth import Cloth
from scorekeeper.vision.looks import upright_quad
from scorekeeper.vision.outline import find_tilt, snapped, true_quads

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


def test_a_card_that_nobody_detected_is_left_over():
    spread = compose(np.random.default_rng(7), BACKS, 12, least_visible=0.95, card_px=200)
    quads = [upright_quad(card.corners_px) for card in spread.cards]
    assert Cloth.of(spread.image, quads).leftovers(quads) == []
    (middle,) = Cloth.of(spread.image, quads).leftovers(quads[1:])
    assert cv2.pointPolygonTest(quads[0].reshape(-1, 1, 2), (float(middle[0]), float(middle[1])), False) > 0


def test_a_strip_of_a_card_beside_its_outline_is_left_over_where_outlines_are_exact():
    """Its outline lies a sixth of its length off, as one between two cards of a repeating back does."""
    spread = compose(np.random.default_rng(7), BACKS, 12, least_visible=0.95, card_px=200)
    quads = [upright_quad(card.corners_px) for card in spread.cards]
    along = quads[0][2] - quads[0][1]
    moved = [quads[0] - along / 6, *quads[1:]]
    cloth = Cloth.of(spread.image, quads)
    assert cloth.leftovers(moved) == []
    assert cloth.leftovers(quads, exact=True) == []
    (middle,) = cloth.leftovers(moved, exact=True)
    end = quads[0][2:].mean(0)
    assert np.linalg.norm(middle - end) < np.linalg.norm(along) / 6


def test_clouds_of_a_cloth_are_not_left_over_but_a_card_on_them_is():
    rng = np.random.default_rng(8)
    clouds = cv2.resize(rng.uniform(0, 1, (4, 7)).astype(np.float32), (1920, 1080), interpolation=cv2.INTER_CUBIC)
    blue, yellow = np.float32([190, 60, 40]), np.float32([40, 150, 150])
    share = np.clip(clouds, 0, 1)[..., None]
    cloth = (blue * (1 - share) + yellow * share).astype(np.uint8)
    quads = [np.float32([[x, y], [x + 130, y], [x + 130, y + 180], [x, y + 180]]) for x, y in ((600, 300), (1100, 500))]
    for quad in quads:
        cv2.fillConvexPoly(cloth, quad.astype(np.int32), (70, 70, 200))
    assert Cloth.of(cloth, quads).leftovers(quads) == []
    (middle,) = Cloth.of(cloth, quads).leftovers(quads[1:])
    assert np.abs(middle - quads[0].mean(0)).max() < 20
