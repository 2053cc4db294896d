"""When a picture is still: noise and a flickering exposure are no motion, a finger is."""

from __future__ import annotations

from itertools import islice

import cv2
import numpy as np
import pytest

from scorekeeper.training import film
from scorekeeper.vision.camera.steady import Steady, Stillness, change, no_cards, small_of, touches_edge

SIZE = (540, 960)
RATE = 12


@pytest.fixture(scope="module")
def table():
    empty = film.empty_table(np.random.default_rng(3), SIZE, card_px=95)
    return empty.with_cards(film.spread_out(np.random.default_rng(8), empty, 10))


@pytest.fixture(scope="module")
def grain():
    return film.Grain(np.random.default_rng(2), SIZE, 6.0)


def watched(frames, *, live=True, steady=None):
    """What is said of each frame of a camera that gives twelve a second."""
    steady = steady or Steady(live=live)
    return [steady.look(frame, n / RATE) for n, frame in enumerate(frames)]


def noisy(grain, picture, count=2 * RATE):
    return [grain.on(picture) for _ in range(count)]


def moved(picture, x, y):
    return cv2.warpAffine(picture, np.float32([[1, 0, x], [0, 1, y]]), picture.shape[1::-1], borderMode=2)


def brighter(picture, gain):
    return np.clip(picture * np.float32(gain), 0, 255).astype(np.uint8)


def test_a_table_nobody_touches_is_still_after_half_a_second_however_noisy_the_camera(table, grain):
    said = watched(noisy(grain, table.clean()))
    assert said[:5] == [Stillness.MOVING] * 5
    assert set(said[8:]) == {Stillness.STILL}


def test_a_webcam_that_keeps_correcting_its_exposure_a_little_is_still(table, grain):
    said = watched(grain.on(brighter(table.clean(), 1 + 0.03 * np.sin(n))) for n in range(30))
    assert set(said[8:]) == {Stillness.STILL}


def test_a_hand_that_reaches_in_is_called_a_hand_until_it_is_gone(table, grain):
    clean = table.clean()
    arms = [film.with_arm(clean, (500, 250), reach) for reach in (0.3, 0.45, 0.6, 0.75, 0.9, 0.7, 0.5, 0.3)]
    said = watched([*noisy(grain, clean, 12), *map(grain.on, arms), *noisy(grain, clean, 24)])
    assert said[11] is Stillness.STILL
    assert set(said[13:20]) == {Stillness.HAND}
    assert said[-1] is Stillness.STILL


def test_a_single_card_that_is_turned_or_pushed_is_motion(table, grain):
    first, *rest = table.cards
    pushed = [table.with_cards([film.Card(first.deck, first.x + 8 * n, first.y, first.turn), *rest]) for n in range(6)]
    said = watched([*noisy(grain, table.clean(), 12), *(grain.on(each.clean()) for each in pushed)])
    assert said[-1] is Stillness.MOVING


def test_a_camera_that_is_knocked_is_not_taken_for_a_hand(table, grain):
    clean = table.clean()
    knocked = [grain.on(moved(clean, 3 * n, 2 * n)) for n in range(1, 8)]
    said = watched([*noisy(grain, clean, 12), *knocked])
    assert said[-1] is Stillness.CAMERA


def test_a_lamp_that_is_dimmed_is_waited_for(table, grain):
    clean = table.clean()
    said = watched([*noisy(grain, clean, 12), *(grain.on(brighter(clean, 1 - 0.04 * n)) for n in range(8))])
    assert said[-1] is Stillness.LIGHT


@pytest.mark.parametrize(("shade", "says"), [(2, Stillness.BLACK), (254, Stillness.BRIGHT)])
def test_a_picture_that_shows_nothing_says_so_at_once(shade, says):
    assert watched([np.full((*SIZE, 3), shade, np.uint8)]) == [says]


def test_a_lens_that_repeats_its_picture_is_frozen_but_a_film_may(table):
    frames = [table.clean()] * 60
    assert watched(frames)[-1] is Stillness.FROZEN
    assert watched(frames, live=False)[-1] is Stillness.STILL


def test_a_camera_that_changes_its_resolution_is_looked_at_anew(table, grain):
    clean = table.clean()
    small = cv2.resize(clean, (640, 480))
    said = watched([*noisy(grain, clean, 12), *[small] * 12])
    assert said[12] is Stillness.MOVING
    assert said[-1] is Stillness.STILL


def test_the_same_table_in_another_light_has_not_changed_and_one_card_more_has(table, grain):
    before, more = table.with_cards(table.cards[:-1]), table
    here = small_of(grain.on(before.clean()))
    assert change(here, small_of(grain.on(brighter(before.clean(), 0.7)))).share == 0
    found = change(here, small_of(grain.on(more.clean())))
    assert found.share > 0
    assert not found.moved
    assert not no_cards(found.mask, [table.outline(table.cards[-1])], 320 / SIZE[1]).any()


def test_a_camera_that_stands_elsewhere_sees_the_same_scene_moved(table, grain):
    here, there = (small_of(grain.on(picture)) for picture in (table.clean(), moved(table.clean(), 40, 22)))
    assert change(here, there).moved


def test_an_arm_reaches_the_edge_and_a_card_in_the_middle_does_not(table):
    clean = table.clean()
    arm = change(small_of(clean), small_of(film.with_arm(clean, (500, 250), 0.9)))
    assert touches_edge(arm.mask, 0.004)
    card = change(small_of(table.with_cards(table.cards[:-1]).clean()), small_of(clean))
    assert not touches_edge(card.mask, 0.0)


def test_a_film_of_hands_is_still_only_between_them(table, grain):
    empty = table.with_cards([])
    frames = list(islice(film.laying(empty, table.cards), 34))
    said = watched([*noisy(grain, empty.clean(), 12), *map(grain.on, frames), *noisy(grain, table.clean(), 12)])
    assert Stillness.STILL not in said[13:46]
    assert said[-1] is Stillness.STILL
