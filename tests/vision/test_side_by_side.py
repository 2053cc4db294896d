"""One card of each deck in one picture: found from left to right, known again, and bad pictures refused."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorekeeper.errors import EnrolmentError
from scorekeeper.resources import data_path
from scorekeeper.rules.lake import DeckId
from scorekeeper.vision.backs.gallery import Gallery, separability
from scorekeeper.vision.camera.sources import read_picture
from scorekeeper.vision.enrolment.side_by_side import find_laid, known_as
from scorekeeper.vision.eye import load_eye
from scorekeeper.vision.geometry import Image

HAND = data_path("datasets/samples/hand1")
COLOURS = ("red", "blue", "green")


def alone(colour: str) -> Image:
    return read_picture(HAND / f"enrol-{colour}.jpg")


def row(*colours: str) -> Image:
    """Cards of these decks side by side."""
    return np.hstack([alone(colour)[:, 640:1280] for colour in colours])


@pytest.fixture(scope="module")
def laid():
    return find_laid([read_picture(HAND / "decks.jpg")], load_eye())


def test_every_deck_is_found_and_named_by_its_colour(laid):
    assert [back.colour.name for back in laid] == list(COLOURS)


def test_decks_learned_together_are_told_apart(laid):
    decks = {DeckId(back.colour.name): back.signature_texts for back in laid}
    assert separability(Gallery.from_signatures(decks)) == []


def test_a_deck_learned_alone_is_known_among_them(laid):
    decks = {DeckId(back.colour.name): back.signature_texts for back in laid}
    (green,) = find_laid([alone("green")], load_eye())
    assert known_as(green.signature_texts, decks) == "green"
    del decks[DeckId("green")]
    assert known_as(green.signature_texts, decks) is None
    assert known_as(green.signature_texts, {}) is None


def test_further_pictures_add_to_the_same_decks_wherever_the_cards_lie_then():
    backs = find_laid([row("red", "blue", "green"), row("green", "red", "blue")], load_eye())
    assert [len(back.signature_texts) for back in backs] == [2, 2, 2]
    for back in backs:
        others = {DeckId(str(n)): (text,) for n, text in enumerate(back.signature_texts)}
        assert separability(Gallery.from_signatures(others)), "two pictures of one deck look alike"


def blurred(image: Image) -> Image:
    return cv2.GaussianBlur(image, (0, 0), 11).astype(np.uint8, copy=False)


def small(image: Image) -> Image:
    return cv2.resize(image, None, fx=0.12, fy=0.12, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


@pytest.mark.parametrize(
    ("pictures", "says"),
    [
        pytest.param(lambda: [np.full((480, 640, 3), (60, 140, 70), np.uint8)], "no card was seen", id="no card"),
        pytest.param(lambda: [read_picture(HAND / "fan-ben.jpg")], "face up", id="faces"),
        pytest.param(lambda: [read_picture(HAND / "spread-1.jpg")], "lie on each other", id="a heap"),
        pytest.param(lambda: [row("red", "blue")[:, 330:]], "cut by the picture's edge", id="half a card"),
        pytest.param(lambda: [blurred(row(*COLOURS))], "blurred", id="blurred"),
        pytest.param(lambda: [small(row(*COLOURS))], "from closer", id="far away"),
        pytest.param(lambda: [row(*COLOURS), row("red", "blue")], "the same cards each time", id="a card less"),
        pytest.param(lambda: [], "there is no picture", id="no picture"),
        pytest.param(lambda: [alone("red")] * 6, "five are enough", id="six pictures"),
    ],
)
def test_a_bad_picture_is_refused_with_what_to_do(pictures, says):
    with pytest.raises(EnrolmentError, match=says):
        find_laid(pictures(), load_eye())
