"""A card is read by what shows beside its index, too: its pips, its picture, its other corner."""

from __future__ import annotations

import shutil

import cv2
import numpy as np
import pytest

from scorekeeper.training.faces import drawn_faces, fonts
from scorekeeper.vision.faces.beside import HEIGHT, TALL, WIDTH, beside_crops, load_beside, windows, with_their_cards
from scorekeeper.vision.faces.indices import SUITS, IndexReadings

if shutil.which("fc-list") is None or not fonts():
    pytest.skip("needs a font with A, J, Q, K and digits", allow_module_level=True)

FACES = drawn_faces(np.random.default_rng(1), size=(252, 171))
CORNER = np.array([220, 150], np.float32)


def laid(code: str, *, smudged: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """A table with the card, and its upper left index (1, 4, 2); *smudged* so that nothing of that can be read."""
    face = FACES(code)
    card = face.image.copy()
    index = face.indices[np.argmin(face.indices.mean(1).sum(1))]
    if smudged:
        (left, top), (right, bottom) = np.floor(index.min(0)).astype(int), np.ceil(index.max(0)).astype(int)
        card[top:bottom, left:right, :3] = 245
    table = np.full((600, 800, 3), (60, 105, 45), np.uint8)
    x, y = CORNER.astype(int)
    part = table[y : y + card.shape[0], x : x + card.shape[1]]
    cover = card[..., 3:].astype(np.float32) / 255
    part[:] = (part * (1 - cover) + card[..., :3] * cover).astype(np.uint8)
    return table, (index + CORNER)[None].astype(np.float32)


def said(code: str, *, smudged: bool = False) -> str:
    """What the network takes the card for."""
    readings = load_beside().read(*laid(code, smudged=smudged))
    return f"{int(readings.rank[0].argmax()) + 1}{SUITS[int(readings.suit[0].argmax())]}"


@pytest.mark.parametrize("code", ["9C", "4D", "7S", "2H", "10D"])
def test_a_number_card_is_read_by_its_pips_though_its_index_is_smudged(code):
    assert said(code) == code
    assert said(code, smudged=True) == code


def test_an_index_that_may_be_of_either_suit_is_of_the_one_whose_pips_show():
    table, quads = laid("8H")
    rank, suit = np.full((1, 13), 0.02, np.float32), np.array([[0.01, 0.44, 0.54, 0.01]], np.float32)
    rank[0, 7] = 0.76
    readings = with_their_cards(table, IndexReadings(quads, rank, suit, np.ones(1, np.float32)))
    assert readings.code(0) == "8H"
    assert readings.confidence[0] > 0.8


def test_what_an_index_surely_says_stays():
    table, quads = laid("8H")
    rank, suit = np.eye(13, dtype=np.float32)[[3]], np.eye(4, dtype=np.float32)[[2]]
    readings = IndexReadings(quads, rank, suit, np.ones(1, np.float32))
    assert with_their_cards(table, readings) is readings


def test_the_index_stands_where_it_is_expected_in_a_crop_however_wide_it_is():
    table = np.full((400, 400, 3), 230, np.uint8)
    cv2.rectangle(table, (100, 100), (147, 147), (20, 20, 20), -1)
    for width in (24, 48):
        quad = np.array([[[100, 100], [100 + width, 100], [100 + width, 148], [100, 148]]], np.float32)
        crop = beside_crops(table, quad)[0]
        assert crop.shape == (HEIGHT, WIDTH, 3)
        rows, columns = np.nonzero(crop[..., 0] < 120)
        assert np.ptp(rows) + 1 == pytest.approx(TALL, abs=1)
        assert rows.min() == pytest.approx(0.5 * TALL, abs=1)
        assert columns.min() == pytest.approx(0.6 * TALL, abs=1)
    assert windows(quad)[0, 0] == pytest.approx([100 - 0.6 * 48, 100 - 0.5 * 48])


def test_no_indices_give_no_answers():
    none = IndexReadings(*(np.zeros(shape, np.float32) for shape in ((0, 4, 2), (0, 13), (0, 4), 0)))
    assert load_beside().read(np.zeros((50, 50, 3), np.uint8), none.quads_px).rank.shape == (0, 13)
    assert with_their_cards(np.zeros((50, 50, 3), np.uint8), none) is none
