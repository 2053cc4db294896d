"""All cards lie in one plane: exact outlines tell it, and each card's outline follows from its place there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scorekeeper.vision.backs.plane import Lying, fitted, in_picture, lying, sizes_by
from scorekeeper.vision.outline import Tilt

FLAT = Tilt((960, 540), 1440, 0.05, 0.1, 2.0, 0.0)
SIZES = np.array([(122.0, 176.0), (114.0, 178.0)])
"""Two decks' cards, a poker card and a bridge card."""


def scattered(count: int, seed: int = 3) -> tuple[Lying, np.ndarray]:
    """Cards of two decks anywhere on the table, and which deck each is of."""
    rng = np.random.default_rng(seed)
    turn, decks = rng.uniform(0, 2 * np.pi, count), np.arange(count) % 2
    along = np.stack([np.sin(turn), np.cos(turn)], 1)
    across = np.stack([along[:, 1], -along[:, 0]], 1)
    return Lying(rng.uniform((-600, -350), (600, 350), (count, 2)), along, across, SIZES[decks]), decks


def length(quads: np.ndarray) -> float:
    """How long cards look, usually."""
    return float(np.median(np.linalg.norm(quads[:, 1] - quads[:, 2], axis=1)))


def test_a_rectangle_on_the_table_comes_back_from_the_picture():
    cards, _ = scattered(9)
    seen = in_picture(replace(FLAT, angle=0.6), cards)
    np.testing.assert_allclose(
        in_picture(replace(FLAT, angle=0.6), lying(replace(FLAT, angle=0.6), seen)), seen, atol=0.05
    )


@pytest.mark.parametrize("tilt", [replace(FLAT, angle=0.7, focal_px=2100), replace(FLAT, angle=0.4, way=2.0)])
def test_outlines_a_little_off_tell_how_the_camera_looks(tilt):
    cards, decks = scattered(16)
    true = in_picture(tilt, cards)
    seen = true + np.random.default_rng(5).normal(0, 1.5, true.shape).astype(np.float32)
    found = fitted(replace(tilt, angle=tilt.angle - 0.2, focal_px=1440), seen, decks)
    exact = lying(found, true)
    again = in_picture(found, replace(exact, sizes=sizes_by(exact, decks, np.ones(16, bool))))
    assert np.abs(again - true).max() < 0.03 * length(true)


def test_a_card_of_which_only_a_part_is_outlined_is_told_by_its_size():
    tilt = replace(FLAT, angle=0.5, focal_px=1900)
    cards, decks = scattered(12)
    short = cards.sizes.copy()
    short[0, 1] *= 0.7
    seen = lying(tilt, in_picture(tilt, replace(cards, sizes=short)))
    known = np.arange(12) > 0
    np.testing.assert_allclose(sizes_by(seen, decks, known)[0], SIZES[0], rtol=0.01)
    assert seen.sizes[0, 1] == pytest.approx(0.7 * SIZES[0, 1], rel=0.01)


def test_a_wild_outline_among_good_ones_turns_no_camera():
    tilt = replace(FLAT, angle=0.5, focal_px=1900)
    cards, decks = scattered(12)
    true = in_picture(tilt, cards)
    seen = true.copy()
    seen[0, 0] += 60
    found = fitted(replace(tilt, angle=0.4), seen, decks)
    exact = lying(found, true)
    again = in_picture(found, replace(exact, sizes=sizes_by(exact, decks, np.ones(12, bool))))
    assert np.abs(again[1:] - true[1:]).max() < 0.03 * length(true)


def test_a_tilt_that_explains_the_cards_is_kept_and_one_that_no_longer_does_is_not():
    tilt = replace(FLAT, angle=0.5, focal_px=1900)
    cards, decks = scattered(16)
    seen = in_picture(tilt, cards) + np.random.default_rng(5).normal(0, 1.5, (16, 4, 2)).astype(np.float32)
    before = fitted(tilt, seen[:15], decks[:15])
    assert fitted(tilt, seen, decks, before) is before
    assert fitted(tilt, in_picture(replace(tilt, angle=0.2), cards), decks, before) is not before
