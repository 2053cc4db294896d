"""Jokers are called jokers, in a fan and on a pile, whatever their corners read; and no other card is."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from scorekeeper.rules.lake import JOKER
from scorekeeper.training.faces import drawn_faces, fonts, split_fonts
from scorekeeper.training.jokers import joker_face
from scorekeeper.training.scene import Laid, Sprite, camera, compose, fan
from scorekeeper.vision.eye import load_eye
from scorekeeper.vision.faces.fan import read_fan
from scorekeeper.vision.faces.lake import read_lake

if shutil.which("fc-list") is None or not fonts():
    pytest.skip("needs a font with A, J, Q, K and digits", allow_module_level=True)

SIZE = (640, 800)


@pytest.fixture(scope="module")
def eye():
    return load_eye()


def sprites(codes, seed):
    """Cards of one drawn deck, and its jokers, in fonts that no training saw."""
    rng, families = np.random.default_rng(seed), split_fonts()[1]
    drawn = drawn_faces(rng, (420, 280), families=families)
    faces = [drawn(code) for code in codes if code != JOKER]
    found = iter([Sprite.of(face.image, face.code, face.indices) for face in faces])
    return [Sprite.of(joker_face(rng, (), families), JOKER) if code == JOKER else next(found) for code in codes]


def photograph(laid, seed=1, card_px=190):
    rng = np.random.default_rng(seed)
    return compose(rng, SIZE, laid, camera(rng, SIZE, card_px, most_tilt=8), calm=True).image


def codes_of(reading):
    return [face.code for face in reading.cards]


@pytest.mark.parametrize("seed", [1, 3, 4, 5])
def test_a_joker_in_a_fan_is_called_a_joker(eye, seed):
    cards = sprites(["4H", "9S", "7D", JOKER], seed)
    reading = read_fan(photograph(fan(np.random.default_rng(seed), cards, 0, 1.3, 0.0, tidy=True)), eye)
    assert sorted(codes_of(reading)) == ["4H", "7D", "9S", JOKER]
    assert reading.count == 4


@pytest.mark.parametrize("seed", range(4))
def test_court_cards_and_aces_are_no_jokers(eye, seed):
    laid = [
        Laid(sprite, x, y, 0.1)
        for sprite, x, y in zip(
            sprites(["KS", "QD", "JC", "AS", "AH", "KH"], seed),
            (-1.2, 0, 1.2, -1.2, 0, 1.2),
            (-0.75,) * 3 + (0.75,) * 3,
            strict=True,
        )
    ]
    reading = read_fan(photograph(laid, card_px=150), eye)
    assert JOKER not in codes_of(reading)
    assert reading.count == 6


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_a_joker_on_a_pile_is_asked_about(eye, seed):
    four, three, joker = sprites(["4H", "3S", JOKER], seed)
    laid = [Laid(three, -0.8, 0, 0.0), Laid(four, 0.8, 0, 0.05), Laid(joker, 0.82, 0.03, 0.1)]
    reading = read_lake(photograph(laid), eye)
    assert sorted(pile.height for pile in reading.piles) == [0, 3]
    assert any("a joker lies on the pile" in problem for problem in reading.problems)
