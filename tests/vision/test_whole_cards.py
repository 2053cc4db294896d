"""The reader of small whole cards, on cards drawn with OpenCV."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from scorekeeper.vision.whole_cards import WholeCardReader

WEIGHTS = Path(__file__).parents[2] / "models" / "whole_cards" / "whole_cards.onnx"
CARD = np.array([[40, 30], [82, 30], [82, 90], [40, 90]], np.float32)


def diamonds(count: int) -> np.ndarray:
    """A card of 42 x 60 pixels on green cloth with one, two or three diamonds down its middle."""
    image = np.full((480, 488, 3), (60, 90, 40), np.uint8)
    cv2.rectangle(image, (160, 120), (328, 360), (248, 250, 250), -1)
    for y in {1: (240,), 2: (175, 305), 3: (175, 240, 305)}[count]:
        points = np.array([[244, y - 22], [260, y], [244, y + 22], [228, y]])
        cv2.fillPoly(image, [points], (40, 30, 200), cv2.LINE_AA)
    return cv2.resize(image, (122, 120), interpolation=cv2.INTER_AREA)


@pytest.fixture(scope="module")
def reader() -> WholeCardReader:
    if not WEIGHTS.exists():
        pytest.skip("the whole-card reader's weights are not here")
    return WholeCardReader(WEIGHTS)


def test_no_cards_give_no_readings(reader):
    assert len(reader.read(diamonds(1), np.zeros((0, 4, 2), np.float32))) == 0


@pytest.mark.parametrize(("count", "code"), [(1, "AD"), (2, "2D"), (3, "3D")])
def test_pips_are_counted_where_no_index_can_be_read(reader, count, code):
    for first in range(4):
        readings = reader.read(diamonds(count), np.roll(CARD, first, axis=0)[None])
        assert readings.code(0) == code
