"""Backs laid anew by their decks' patterns: moved, turned, and found where no outline was."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorekeeper.rules.lake import DeckId
from scorekeeper.training.back_designs import drawn_back
from scorekeeper.training.measure_backs import compose, enrolment_picture, signature
from scorekeeper.vision.backs import Gallery
from scorekeeper.vision.cloth import Cloth
from scorekeeper.vision.detector import BACK, Detections
from scorekeeper.vision.glances import Glances
from scorekeeper.vision.places import share_of_both
from scorekeeper.vision.relaid import corrected, recovered

RED, BLUE, GREEN = DeckId("red"), DeckId("blue"), DeckId("green")


@pytest.fixture(scope="module")
def backs():
    return {deck: drawn_back(np.random.default_rng(seed)) for deck, seed in ((RED, 1), (BLUE, 7), (GREEN, 15))}


@pytest.fixture(scope="module")
def signatures(backs):
    rng = np.random.default_rng(11)
    return {deck: [signature(enrolment_picture(rng, back))] for deck, back in backs.items()}


@pytest.fixture(scope="module")
def gallery(signatures):
    return Gallery.from_signatures(signatures)


@pytest.fixture(scope="module")
def spread(backs):
    return compose(np.random.default_rng(41), [backs[BLUE]], 8, least_visible=0.8, card_px=190)


@pytest.fixture(scope="module")
def quads(spread):
    return [card.corners_px.astype(np.float32) for card in spread.cards]


def outlines(corners_px, score=0.8):
    count = len(corners_px)
    return Detections(
        np.array(corners_px, np.float32).reshape(-1, 4, 2), np.full(count, BACK), np.full(count, score, np.float32)
    )


def lies_on(found, quad):
    """How well the best of what was *found* lies on the card *quad*."""
    return max(share_of_both(outline, quad) for outline in found.corners_px)


def test_a_card_whose_outline_is_half_beside_it_is_laid_on_its_pattern(spread, quads, gallery):
    beside = [quad + 0.3 * (quad[1] - quad[0]) for quad in quads]
    moved = corrected(gallery, Glances(spread.image), [beside[0], *quads[1:]], range(8))
    assert share_of_both(beside[0], quads[0]) < 0.75
    assert share_of_both(moved[0], quads[0]) > 0.92


def test_a_card_in_a_wrong_outline_is_moved_to_a_better_one_that_was_found_beside_it(spread, quads, gallery):
    beside = quads[0] + 0.3 * (quads[0][1] - quads[0][0])
    moved = corrected(gallery, Glances(spread.image), [beside, *quads[1:]], range(8), [quads[0], *quads[4:]])
    assert np.array_equal(moved, quads)


def test_a_card_taken_to_lie_on_its_side_is_turned(spread, quads, gallery):
    sideways = quads[0][[1, 2, 3, 0]]
    moved = corrected(gallery, Glances(spread.image), [sideways, *quads[1:]], range(8))
    assert np.array_equal(moved[0], quads[0]) or np.array_equal(moved[0], quads[0][[2, 3, 0, 1]])


def test_a_card_of_which_a_dark_frame_was_left_out_gets_it_back(backs):
    framed = np.zeros((560, 400, 4), np.uint8)
    framed[..., 3] = 255
    framed[50:-50, 50:-50] = cv2.resize(backs[BLUE], (300, 460), interpolation=cv2.INTER_AREA)
    enrolled = {BLUE: [signature(enrolment_picture(np.random.default_rng(5), framed))]}
    spread = compose(np.random.default_rng(44), [framed], 5, least_visible=0.9, card_px=190)
    quads = [card.corners_px.astype(np.float32) for card in spread.cards]
    inside = [np.asarray(quad.mean(0) + 0.8 * (quad - quad.mean(0)), np.float32) for quad in quads]
    laid = [*quads[:2], inside[2], *quads[3:]]
    moved = corrected(Gallery.from_signatures(enrolled), Glances(spread.image), laid, range(5))
    assert share_of_both(inside[2], quads[2]) < 0.68
    assert share_of_both(moved[2], quads[2]) > 0.92


def test_a_card_that_no_outline_was_on_is_found_by_its_pattern(spread, quads, gallery):
    beside = quads[0] + 0.45 * (quads[0][1] - quads[0][0])
    found = recovered(gallery, Glances(spread.image), outlines(quads[1:]), range(7), outlines([beside], 0.3))
    assert len(found) == 8
    assert lies_on(found, quads[0]) > 0.95


def test_what_shows_of_a_settled_card_shows_of_no_other(spread, quads):
    """A card whose upper half is the lower half of one that surely lies there."""
    glances, below = Glances(spread.image), quads[0] + 0.5 * (quads[0][3] - quads[0][0])
    alone = glances.seen([below])[0].free
    glances.settle([quads[0]])
    (under,) = glances.seen([below])
    (settled,) = glances.seen([quads[0]])
    assert (under.free <= alone).all()
    assert under.free.reshape(28, 20)[:10].mean() < 0.1
    assert settled.free.mean() > 0.9


def test_an_outline_beside_its_card_gives_way_to_the_card(spread, quads, gallery):
    beside = quads[0] + 0.5 * (quads[0][1] - quads[0][0])
    found = recovered(gallery, Glances(spread.image), outlines([beside, *quads[1:]]), range(8), outlines([]))
    assert lies_on(found, quads[0]) > 0.95
    assert not any(np.array_equal(outline, beside) for outline in found.corners_px)


@pytest.mark.parametrize("weave", [0, 40], ids=["even cloth", "cloth as coloured as the card"])
def test_a_card_that_nothing_was_found_near_is_found_by_its_pattern(spread, quads, gallery, weave):
    cloth = np.full(spread.image.shape[:2], 255, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(cloth, quad.astype(np.int32), 0)
    coarse = np.random.default_rng(3).normal(0, weave, (54, 96, 3)).astype(np.float32)
    woven = cv2.resize(coarse, spread.image.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    image = np.where(cloth[..., None] > 0, np.clip((60, 90, 40) + woven, 0, 255), spread.image).astype(np.uint8)
    assert Cloth.of(image, quads).uneven == (weave > 0)
    found = recovered(gallery, Glances(image), outlines(quads[:5] + quads[6:]), range(7), outlines([]))
    assert len(found) == 8
    assert lies_on(found, quads[5]) > 0.9


def test_nothing_is_looked_for_where_every_card_is_of_a_deck(spread, quads, gallery):
    cards = outlines(quads)
    assert recovered(gallery, Glances(spread.image), cards, range(8), outlines([])) is cards


def test_no_card_is_found_under_a_deck_it_is_not_of(spread, quads, signatures):
    others = Gallery.from_signatures({RED: signatures[RED], GREEN: signatures[GREEN]})
    cards = outlines(quads)
    assert recovered(others, Glances(spread.image), cards, range(8), outlines([quads[0] + 40], 0.3)) is cards
