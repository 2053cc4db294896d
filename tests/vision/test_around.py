"""What lies round a card tells whether it is only shown on a screen, and whether it lies face down on its pile."""

from __future__ import annotations

import shutil

import cv2
import numpy as np
import pytest

from scorekeeper.training.back_designs import drawn_back
from scorekeeper.training.faces import drawn_faces, fonts
from scorekeeper.vision.faces.around import load_around

if shutil.which("fc-list") is None or not fonts():
    pytest.skip("needs a font with A, J, Q, K and digits", allow_module_level=True)

FACES = drawn_faces(np.random.default_rng(1), size=(168, 114))
OUTLINE = np.array([[343, 216], [457, 216], [457, 384], [343, 384]], np.float32)


def felt() -> np.ndarray:
    """A green table of 800 x 600."""
    noise = np.random.default_rng(2).normal(0, 4, (600, 800, 1))
    return np.clip(np.array([60, 105, 45]) + noise, 0, 255).astype(np.uint8)


def laid(table: np.ndarray, card: np.ndarray, degrees: float = 0.0) -> np.ndarray:
    """*table* with *card* (h, w, 4) in OUTLINE, turned about its middle."""
    turn = cv2.getRotationMatrix2D((57.0, 84.0), degrees, 1.0)
    turn[:, 2] += (343, 216)
    layer = cv2.warpAffine(np.ascontiguousarray(card), turn, (800, 600), flags=cv2.INTER_AREA)
    cover = layer[..., 3:].astype(np.float32) / 255
    return (table * (1 - cover) + layer[..., :3] * cover).astype(np.uint8)


def said(table: np.ndarray) -> tuple[float, float]:
    """How surely the card in OUTLINE is one of the table, and face down."""
    around = load_around().read(table, [OUTLINE])
    return float(around.real[0]), float(around.down[0])


def test_a_card_on_the_cloth_is_real_and_one_on_a_phone_is_only_shown():
    face = FACES("9C").image
    phone = felt()
    cv2.rectangle(phone, (300, 120), (500, 480), (20, 20, 20), -1)
    cv2.rectangle(phone, (312, 150), (488, 450), (140, 60, 30), -1)
    assert said(laid(phone, face))[0] < 0.2 < 0.8 < said(laid(felt(), face))[0]


def test_a_pile_under_a_back_is_face_down_whatever_peeps_out_below():
    back = cv2.cvtColor(drawn_back(np.random.default_rng(4), (168, 114))[..., :3], cv2.COLOR_BGR2BGRA)
    below = laid(laid(felt(), FACES("JH").image, 24), FACES("QH").image, -13)
    assert said(laid(below, back))[1] > 0.8
    assert said(laid(below, FACES("KH").image))[1] < 0.2


def test_no_outlines_give_no_answers():
    assert load_around().read(felt(), []).real.shape == (0,)
