"""Cards of one deck lie in one light: that tells decks apart which look the same otherwise."""

import numpy as np
import pytest

from scorekeeper.vision.backs.illumination import OwnLight, evened

ALIKE = 0.4
"""So little tells two such decks apart otherwise (log odds)."""


def own_light(colours, evidence, known=None):
    """Cards whose light is so coloured (cards, 2), whichever deck they are of, and what else says whose they are."""
    lights = np.repeat(np.array(colours, np.float32)[:, None], len(evidence[0]), 1)
    told = np.ones(len(colours), bool) if known is None else np.array(known)
    return OwnLight(lights, np.array(evidence, np.float32), told, spread=0.05, share=0.9, lone=0.15)


def owners(cards):
    """The likeliest deck of each card."""
    return (cards.evidence - cards.costs()).argmax(1).tolist()


WARM, COLD = (-0.1, 0.12), (0.1, -0.12)


def test_cards_in_two_lights_are_of_two_decks_though_each_is_a_little_more_like_one_of_them():
    evidence = [(ALIKE, 0, -9)] * 7 + [(ALIKE, 0.1, -9)] * 5
    assert owners(own_light([WARM] * 7 + [COLD] * 5, evidence)) == [0] * 7 + [1] * 5


def test_cards_in_two_lights_stay_one_decks_where_the_other_is_plainly_another():
    evidence = [(5.0, -5, -9)] * 12
    assert owners(own_light([WARM] * 7 + [COLD] * 5, evidence)) == [0] * 12


def test_cards_in_one_light_stay_one_decks():
    assert owners(own_light([WARM] * 12, [(ALIKE, 0, -9)] * 12)) == [0] * 12


def test_two_decks_are_told_apart_that_changed_places():
    """Half of each deck's cards look more like the other deck."""
    evidence = [(1, 0), (0, 0.6), (1, 0), (0, 0.6), (0, 1), (0.6, 0), (0, 1), (0.6, 0)]
    assert owners(own_light([WARM] * 4 + [COLD] * 4, evidence)) == [0] * 4 + [1] * 4


@pytest.mark.parametrize("lead", [0.3, 1.5])
def test_no_card_is_surer_which_of_two_decks_is_which_than_their_cards_together(lead):
    """Light parts five cards from five; which of the decks each are, the rest says, by so much."""
    evidence = [(lead, 0)] * 5 + [(0, 0)] * 4 + [(0, 2.5)]
    cards = own_light([WARM] * 5 + [COLD] * 5, evidence)
    told = cards.evidence - cards.costs()
    assert told.argmax(1).tolist() == [0] * 5 + [1] * 5
    assert np.abs(told[:, 0] - told[:, 1]) == pytest.approx(2 * lead, abs=1e-5)


def test_a_card_that_is_hardly_known_does_not_tell_a_decks_light():
    known = [True] * 4 + [False] * 3
    cards = own_light([WARM] * 4 + [COLD] * 3, [(3, 0)] * 7, known)
    costs = cards.costs()
    assert costs[:4, 0] == pytest.approx(0)
    assert (costs[4:, 0] > 1.5).all()
    assert costs[:, 1] == pytest.approx(0.15)


def test_light_that_changes_evenly_across_the_table_is_nearly_the_same_everywhere_once_evened():
    rng = np.random.default_rng(3)
    places = rng.uniform(0, 1920, (24, 2)).astype(np.float32)
    decks, across = rng.integers(0, 2, 24), (places[:, :1] / 1920 - 0.5) * np.array([0.3, -0.2])
    lights = np.zeros((24, 2, 3), np.float32)
    lights[:, 0, :2], lights[:, 1, :2], lights[..., 2] = across, across + (0.1, 0.05), 0.3
    even = evened(lights, decks, np.ones(24, bool), places)
    assert np.ptp(even[:, :, :2], axis=0).max() < 0.2 * np.ptp(lights[:, :, :2], axis=0).max()
    assert np.median(even[:, 1, :2] - even[:, 0, :2], 0) == pytest.approx([0.1, 0.05])
    assert (even[..., 2] == lights[..., 2]).all()


def test_one_card_in_an_odd_light_tells_no_trend():
    lights, places = np.zeros((9, 1, 3), np.float32), np.arange(18, dtype=np.float32).reshape(9, 2)
    lights[8, 0, :2] = (0.6, -0.5)
    even = evened(lights, np.zeros(9, np.intp), np.ones(9, bool), places)
    assert np.abs(even[:8]).max() < 0.02


def test_no_known_card_tells_no_trend():
    lights = np.random.default_rng(1).normal(0, 0.1, (5, 2, 3)).astype(np.float32)
    places = np.zeros((5, 2), np.float32)
    assert (evened(lights, np.zeros(5, np.intp), np.zeros(5, bool), places) == lights).all()
