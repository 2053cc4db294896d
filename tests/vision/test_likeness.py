"""Whether a card and an enrolled back are one design: in another light, half hidden, and against strangers."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorekeeper.training.back_designs import drawn_back
from scorekeeper.vision.backs.likeness import as_contrasted, load_likeness, pair
from scorekeeper.vision.templates import CELL, COLUMNS, ROWS

WHITE = np.ones(3, np.float32)
ALL = np.ones(ROWS * COLUMNS, np.float32)


def back(seed):
    drawn = drawn_back(np.random.default_rng(seed))[..., :3]
    return cv2.resize(drawn, (COLUMNS * CELL, ROWS * CELL), interpolation=cv2.INTER_AREA)


def seen(seed):
    """The back as a camera gives it: darker, softer, noisy."""
    noise = np.random.default_rng(5).normal(0, 3, (ROWS * CELL, COLUMNS * CELL, 3))
    return np.clip(cv2.GaussianBlur(back(seed), (0, 0), 0.7) * 0.9 + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("seed", [1, 7, 15, 30])
def test_a_card_is_more_like_its_own_deck_than_like_any_other(seed):
    own, *others = load_likeness()(
        np.stack([pair(seen(seed), back(other), 0.9 * WHITE, ALL) for other in (seed, 2, 8, 16, 31)])
    )
    assert own > 0 > max(others)


def test_what_a_hand_hides_does_not_make_a_card_a_stranger():
    covered, free = seen(7), ALL.reshape(ROWS, COLUMNS).copy()
    covered[60:] = (90, 130, 200)
    free[15:] = 0
    (knows, wonders) = load_likeness()(
        np.stack([pair(covered, back(7), 0.9 * WHITE, free.reshape(-1)), pair(covered, back(7), 0.9 * WHITE, ALL)])
    )
    assert knows > 0
    assert knows > wonders


def test_a_plain_back_keeps_its_grain_where_a_shade_lies_on_the_card():
    grain = np.random.default_rng(2).normal(0, 0.004, (ROWS * CELL, COLUMNS * CELL, 1))
    plain = np.float32(0.4) + np.zeros((ROWS * CELL, COLUMNS * CELL, 3), np.float32)
    shaded = plain * np.linspace(0.95, 1.05, COLUMNS * CELL, dtype=np.float32)[None, :, None]
    everywhere = np.ones(plain.shape[:2], np.float32)
    contrasted = as_contrasted((plain + grain).astype(np.float32), shaded, everywhere)
    assert contrasted.std() < 1.6 * grain.std()
    stripes = plain * np.where(np.arange(COLUMNS * CELL) % 8 < 4, np.float32(0.97), np.float32(1.03))[None, :, None]
    bold = plain * np.where(np.arange(COLUMNS * CELL) % 8 < 4, np.float32(0.94), np.float32(1.06))[None, :, None]
    assert as_contrasted(stripes, bold, everywhere).std() > 1.6 * stripes.std()


def test_no_cards_have_no_likeness():
    assert load_likeness()(np.zeros((0, 7, ROWS * CELL, COLUMNS * CELL), np.float32)).shape == (0,)
