"""Which outlines are cards of a heap: by what shows of them, on composed heaps and on drawn masks."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorekeeper.training.measure_backs import compose, drawn_backs, rough_box
from scorekeeper.vision.detector import BACK, Detections
from scorekeeper.vision.glances import Glances
from scorekeeper.vision.heap import Outlines, heaped
from scorekeeper.vision.refine import SHOWN

CARD = np.array([[100, 100], [170, 100], [170, 200], [100, 200]], np.float32)
UPPER, LOWER = np.zeros((2, SHOWN, SHOWN), np.float32)
UPPER[4:12, 6:18], LOWER[12:20, 6:18] = 1, 1


def backs(corners_px: list[np.ndarray], scores: list[float]) -> Detections:
    return Detections(np.array(corners_px, np.float32), np.full(len(scores), BACK), np.array(scores, np.float32))


def two(first: np.ndarray, second: np.ndarray, apart_px: float = 0.0) -> Outlines:
    """Two outlines of cards 100 px long and what shows of each."""
    places = np.stack([CARD, CARD + np.float32([apart_px, 0])])
    return Outlines(backs(list(places), [0.9, 0.5]), places, np.stack([first, second]), 100.0)


def test_an_outline_that_shows_where_another_does_adds_nothing():
    assert two(UPPER, UPPER).new_share(1, [0]) == pytest.approx(0, abs=1e-6)
    assert two(UPPER, UPPER).new_share(1, []) == 1


def test_two_cards_on_each_other_show_in_different_places():
    assert two(UPPER, LOWER).new_share(1, [0]) == pytest.approx(1, abs=0.1)
    assert two(UPPER, UPPER + LOWER).new_share(1, [0]) == pytest.approx(0.5, abs=0.1)


def test_what_lies_far_off_hides_nothing():
    assert two(UPPER, UPPER, apart_px=130).new_share(1, [0]) == 1


def test_every_card_of_a_heap_is_taken_once_however_often_it_was_found():
    rng = np.random.default_rng(33)
    heap = compose(rng, drawn_backs(rng, 3), 16, least_visible=0.6, tilt=8.0)
    found = [rough_box(rng, card.corners_px, 0.03) for card in heap.cards for _ in range(3)]
    cards, _ = heaped(backs(found, [0.9, 0.6, 0.3] * len(heap.cards)), Glances(heap.image))
    middles = np.array([card.corners_px.mean(0) for card in heap.cards])
    nearest = [int(np.linalg.norm(middles - corners.mean(0), axis=1).argmin()) for corners in cards.corners_px]
    assert sorted(nearest) == list(range(len(heap.cards)))


def test_bare_cloth_between_cards_is_never_a_clear_card():
    rng = np.random.default_rng(34)
    spread = compose(rng, drawn_backs(rng, 2), 6, least_visible=1.0, card_px=150, tilt=0.0)
    free = np.full(spread.image.shape[:2], 255, np.uint8)
    for card in spread.cards:
        cv2.fillConvexPoly(free, card.corners_px.astype(np.int32), 0)
    reach = cv2.distanceTransform(np.pad(free, 1), cv2.DIST_L2, 5)[1:-1, 1:-1]
    y, x = np.unravel_index(int(reach.argmax()), reach.shape)
    assert reach[y, x] > 90
    cloth = np.float32([[x - 54, y - 75], [x + 54, y - 75], [x + 54, y + 75], [x - 54, y + 75]])
    found = backs([*(card.corners_px for card in spread.cards), cloth], [0.9] * 7)
    cards, _ = heaped(found, Glances(spread.image))
    clear = cards.pick(np.flatnonzero(cards.scores > 0.4))
    assert len(clear) == 6
    assert all(np.linalg.norm(corners.mean(0) - (x, y)) > 90 for corners in clear.corners_px)


def test_no_outlines_are_no_cards():
    cards, spare = heaped(Detections.none(), Glances(np.zeros((90, 160, 3), np.uint8)))
    assert len(cards) == len(spare) == 0
