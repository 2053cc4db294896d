"""The committed weights read the committed pictures: a whole hand, from the decks' backs to the last fan."""

from __future__ import annotations

import json

import pytest

from scorekeeper.resources import data_path
from scorekeeper.vision.camera.sources import read_picture
from scorekeeper.vision.eye import load_eye
from scorekeeper.vision.faces.fan import read_fan
from scorekeeper.vision.faces.lake import read_lake

HANDS = sorted(data_path("datasets/samples").glob("hand*"))


@pytest.fixture(scope="module")
def eye():
    return load_eye()


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand.name)
def test_the_lake_of_a_sample_hand_is_read_pile_by_pile(hand, eye):
    truth = json.loads((hand / "truth.json").read_text("utf-8"))
    reading = read_lake(read_picture(hand / "lake.jpg"), eye)
    seen = sorted((pile.top.code if pile.top else "", pile.height, pile.dead) for pile in reading.piles)
    assert seen == sorted((pile["top"] or "", pile["height"], pile["dead"]) for pile in truth["piles"])


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand.name)
def test_the_fans_of_a_sample_hand_are_read_card_by_card(hand, eye):
    truth = json.loads((hand / "truth.json").read_text("utf-8"))
    for side, codes in truth["fans"].items():
        if codes:
            reading = read_fan(read_picture(hand / f"fan-{side.lower()}.jpg"), eye)
            assert sorted(face.card.code if face.card else "?" for face in reading.cards) == sorted(codes), side
