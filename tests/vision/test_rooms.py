"""Where a card may lie that nobody outlined."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorekeeper.rules.lake import DeckId
from scorekeeper.training.measure_backs import compose, enrolment_picture, signature
from scorekeeper.vision.backs import Gallery
from scorekeeper.vision.cloth import Cloth
from scorekeeper.vision.detector import BACK, Detections
from scorekeeper.vision.geometry import side_lengths
from scorekeeper.vision.glances import Glances
from scorekeeper.vision.outline import find_tilt
from scorekeeper.vision.places import share_of_both
from scorekeeper.vision.relaid import recovered
from scorekeeper.vision.rooms import rooms

PLAIN = DeckId("plain")


@pytest.fixture(scope="module")
def back():
    """A back without any pattern, by which no card can be found."""
    card = np.full((560, 400, 4), 255, np.uint8)
    card[30:-30, 30:-30, :3] = (150, 60, 30)
    return card


@pytest.fixture(scope="module")
def heap(back):
    return compose(np.random.default_rng(6), [back], 14, least_visible=0.5, card_px=190, tilt=25.0)


@pytest.fixture(scope="module")
def quads(heap):
    return [card.corners_px.astype(np.float32) for card in heap.cards]


def places(heap, quads, known, odd_in=None):
    """What ``rooms`` says of *heap* where these cards are known, and what is *odd_in* them."""
    tilt = find_tilt([cv2.boxPoints(cv2.minAreaRect(quad)) for quad in quads], heap.image.shape[:2])
    length = float(np.median(side_lengths(tilt.to_table(np.concatenate(quads)).reshape(-1, 4, 2)).max(1)))
    settled = np.array(known, np.float32).reshape(-1, 4, 2)
    return rooms(Cloth.of(heap.image, quads), tilt, length, settled, quads, odd_in)


def test_a_card_of_which_half_shows_has_room_where_it_lies(heap, quads):
    lowest = int(np.argmin([card.visible for card in heap.cards]))
    assert heap.cards[lowest].visible < 0.75
    found = places(heap, quads, quads[:lowest] + quads[lowest + 1 :])
    assert max(share_of_both(place, quads[lowest]) for place in found) > 0.7


def test_there_is_no_room_for_another_card_where_all_are_known(heap, quads):
    assert len(places(heap, quads, quads)) == 0


def test_what_is_odd_in_known_cards_is_room_for_one_that_lies_on_them(heap, quads):
    cloth = Cloth.of(heap.image, quads)
    odd = cv2.fillConvexPoly(np.zeros(cloth.off.shape, np.uint8), np.round(quads[3] * cloth.scale).astype(np.int32), 1)
    (place, *_) = places(heap, quads, quads, odd > 0)
    assert share_of_both(place, quads[3]) > 0.8


def test_a_card_on_bare_cloth_has_no_room(heap, quads):
    bare = Cloth.of(np.full(heap.image.shape, (60, 110, 50), np.uint8), quads)
    tilt = find_tilt(quads, heap.image.shape[:2])
    assert len(rooms(bare, tilt, 190.0, np.zeros((0, 4, 2), np.float32), quads)) == 0


def test_a_card_without_a_pattern_that_no_outline_was_on_is_found(heap, quads, back):
    gallery = Gallery.from_signatures({PLAIN: [signature(enrolment_picture(np.random.default_rng(11), back))]})
    lowest = int(np.argmin([card.visible for card in heap.cards]))
    known = quads[:lowest] + quads[lowest + 1 :]
    seen = Detections(np.array(known), np.full(len(known), BACK), np.full(len(known), 0.8, np.float32))
    found = recovered(gallery, Glances(heap.image), seen, range(len(known)), seen.pick(np.zeros(0, np.intp)))
    assert max(share_of_both(outline, quads[lowest]) for outline in found.corners_px) > 0.7
    assert len(found) == len(quads)
