"""Path-traced tables: the camera is the composed picture's, and so are the cards."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorekeeper.training.decks import DeckPool
from scorekeeper.training.labels import labels
from scorekeeper.training.layouts import loose, random_picture
from scorekeeper.training.scene import BACK, FACE, INDEX, Laid, Sprite, camera, compose, thinned
from scorekeeper.training.traced import lens_and_pose, traced

pytest.importorskip("mitsuba")

SIZE = (180, 320)
CLOTH = np.full((*SIZE, 3), (60, 110, 50), np.uint8)


def printed(*spots):
    """A white card with black *spots*, each by its middle in shares of the card's width and height."""
    card = np.full((140, 100, 4), 255, np.uint8)
    for x, y in spots:
        cv2.circle(card, (int(100 * x), int(140 * y)), 18, (20, 20, 20, 255), -1)
    return Sprite.of(card)


@pytest.mark.parametrize("seed", range(6))
def test_the_lens_and_the_table_s_place_are_found_again_from_what_they_do_together(seed):
    homography = camera(np.random.default_rng(seed), SIZE, 60)
    focal, pose = lens_and_pose(homography, SIZE)
    lens = np.array([[focal, 0, SIZE[1] / 2], [0, focal, SIZE[0] / 2], [0, 0, 1]])
    again = lens @ pose
    assert np.allclose(again / again[2, 2], homography / homography[2, 2], rtol=1e-6)
    assert abs(pose[:, 0] @ pose[:, 1]) < 1e-6
    assert np.linalg.norm(pose[:, 1]) == pytest.approx(1, abs=1e-6)


def test_a_traced_card_lies_where_the_composed_one_does_and_is_not_mirrored():
    card = Laid(printed((0.25, 0.2), (0.75, 0.2), (0.25, 0.8)), 0.1, -0.05, 0.4)
    view = camera(np.random.default_rng(3), SIZE, 110, most_tilt=30)
    picture = traced(np.random.default_rng(5), [card], view, CLOTH, samples=8)
    composed = compose(np.random.default_rng(5), SIZE, [card], view, top=CLOTH, calm=True).image
    mine, theirs = (cv2.GaussianBlur(image, (0, 0), 1.5).astype(float).ravel() for image in (picture, composed))
    assert picture.shape == (*SIZE, 3)
    assert np.corrcoef(mine, theirs)[0, 1] > 0.9


def test_a_card_laid_later_covers_an_earlier_one():
    below, above = printed(), printed((0.5, 0.5), (0.5, 0.2), (0.5, 0.8))
    view = np.array([[110.0, 0, 160], [0, 110.0, 90], [0, 0, 1]])
    picture = traced(np.random.default_rng(6), [Laid(below, 0, 0, 0), Laid(above, 0, 0, 0.1)], view, CLOTH, samples=8)
    middle = picture[84:97, 154:167].mean()
    assert middle < 0.5 * picture[60:120, 120:200].max()


def test_light_falls_off_evenly_over_a_bent_card():
    plain = Sprite.of(np.full((140, 100, 4), (200, 200, 200, 255), np.uint8))
    view = np.array([[150.0, 0, 160], [0, 150.0, 90], [0, 0, 1]])
    picture = traced(np.random.default_rng(4), [Laid(plain, 0, 0, 0)], view, CLOTH, samples=256)
    grey = cv2.GaussianBlur(picture[30:150, 120:200].mean(2), (0, 0), 2)
    for along in (grey.mean(0), grey.mean(1)):
        assert 0.5 < np.ptp(along) < 20
        assert np.abs(np.diff(along, 2)).max() < 0.12  # 0.18 and more where a card is made of flat facets


def test_a_random_table_is_path_traced_with_labels_for_the_detector():
    rng = np.random.default_rng(8)
    picture = random_picture(
        rng, DeckPool(rng, None, 2).decks, (192, 192), card_px=(90, 90), layout=loose, path_traced=True
    )
    rows = labels(picture)
    assert picture.image.shape == (192, 192, 3)
    assert set(rows[:, 0]) <= {FACE, BACK, INDEX}
    assert len(rows) >= 1


@pytest.mark.parametrize("least", [0.3, 0.6, 0.9])
def test_a_heap_is_thinned_until_each_card_shows_by_so_much(least):
    rng, card = np.random.default_rng(8), printed()
    heap = [Laid(card, *rng.normal(0, 0.7, 2).tolist(), float(rng.uniform(0, 6))) for _ in range(30)]
    left = thinned(heap, least)
    seen = compose(
        rng, (900, 900), left, camera(rng, (900, 900), 130, most_tilt=0), top=np.zeros((900, 900, 3), np.uint8)
    )
    assert 1 < len(left) < 30
    assert [card for card in heap if card in left] == left, "the others lie as they lay"
    assert min(card.visible for card in seen.cards) > least - 0.05
