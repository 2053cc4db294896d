"""A face read by its pips alone: its corners blank, either way up; a covered one is not read."""

from __future__ import annotations

import shutil

import cv2
import numpy as np
import pytest

from scorekeeper.rules.cards import RANKS
from scorekeeper.training.back_designs import drawn_back
from scorekeeper.training.faces import drawn_faces, fonts
from scorekeeper.vision.faces.indices import SUITS
from scorekeeper.vision.faces.pips import load_pips

if shutil.which("fc-list") is None or not fonts():
    pytest.skip("needs a font with A, J, Q, K and digits", allow_module_level=True)


def table(code, *, corners=True, turned=False, cover=False):
    """A picture with one drawn card on green felt, and the card's outline."""
    face = drawn_faces(np.random.default_rng(1), size=(280, 190))(code)
    card = face.image[..., :3].copy()
    if not corners:
        for index in face.indices:
            cv2.fillConvexPoly(card, index.astype(np.int32), (250, 250, 250))
    if turned:
        card = card[::-1, ::-1]
    felt = np.full((400, 400, 3), (60, 100, 40), np.uint8)
    felt[60:340, 100:290] = card
    if cover:
        felt[110:400, 60:400] = (170, 60, 40)
    return felt, np.array([[100, 60], [290, 60], [290, 340], [100, 340]], np.float32)


@pytest.mark.parametrize("code", ["7S", "4H", "10D", "9C", "AS"])
@pytest.mark.parametrize("turned", [False, True])
def test_pips_tell_rank_and_suit_where_the_corners_are_blank(code, turned):
    picture, outline = table(code, corners=False, turned=turned)
    said = load_pips().read(picture, [outline])
    assert RANKS[said.rank[0].argmax()] + SUITS[said.suit[0].argmax()] == code


def test_a_card_that_others_cover_is_not_read_by_its_pips():
    (open_card, outline), (covered, _) = table("9C"), table("9C", cover=True)
    assert load_pips().read(open_card, [outline]).open[0] > 0.5 > load_pips().read(covered, [outline]).open[0]


def test_a_score_sheet_is_no_card():
    (card, outline), (sheet, _) = table("9C"), table("9C")
    sheet[60:340, 100:290] = 240
    sheet[90:320:40, 115:270] = 60
    assert load_pips().read(card, [outline]).card[0] > 0.9 > 0.2 > load_pips().read(sheet, [outline]).card[0]


@pytest.mark.parametrize("turned", [False, True])
def test_a_back_lies_face_down_and_a_face_and_bare_cloth_do_not(turned):
    (face, outline), (covered, _) = table("9C", turned=turned), table("9C", cover=True)
    back, _ = table("9C")
    print_of = drawn_back(np.random.default_rng(2), (280, 190))[..., :3]
    back[60:340, 100:290] = print_of[::-1, ::-1] if turned else print_of
    felt = np.full((400, 400, 3), (60, 100, 40), np.uint8)
    down = [float(load_pips().read(picture, [outline]).down[0]) for picture in (back, face, covered, felt)]
    assert down[0] > 0.9
    assert max(down[1:]) < 0.3


def test_no_cards_give_no_readings():
    assert load_pips().read(np.zeros((10, 10, 3), np.uint8), []).rank.shape == (0, 13)
