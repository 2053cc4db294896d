"""One heap read several times, each time turned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scorekeeper.rules.lake import DeckId, spots_of
from scorekeeper.rules.said import say
from scorekeeper.vision.backs import Match
from scorekeeper.vision.found import FoundBack
from scorekeeper.vision.places import PLACES, at, place
from scorekeeper.vision.turns import agreed, turned_back
from scorekeeper.vision.windows import turned_window

RED, BLUE = DeckId("red"), DeckId("blue")


def back(x, deck=RED, *, off=0.0, sure=0.99, score=0.9, counted=True):
    """A back of 60 by 90 pixels whose left side is at 100 *x* and so many pixels beside."""
    left = 100 * x + off
    quad = np.array([[left, 50], [left + 60, 50], [left + 60, 140], [left, 140]], np.float32)
    return FoundBack(quad, score, Match(deck, sure, None, deck or RED, 0.2, 9.0), counted, 1.0, False)


def counts(told):
    decks = [card.decks[0] for card in told.cards]
    return decks.count(RED), decks.count(BLUE), decks.count(None)


def test_what_all_readings_show_counts_and_nothing_is_asked():
    told = agreed([([back(0), back(1, BLUE)], []), ([back(1, BLUE, off=3), back(0, off=2)], [])])
    assert counts(told) == (1, 1, 0)
    assert told.unanimous


def test_a_card_that_two_of_three_readings_show_counts_and_is_asked_about():
    told = agreed([([back(0)], []), ([back(0), back(1, BLUE)], []), ([back(1, BLUE), back(0)], [])])
    assert counts(told) == (1, 1, 0)
    assert [one.match.deck for one in told.unseen] == [BLUE]


@pytest.mark.parametrize("deck", [RED, BLUE])
def test_a_card_that_one_reading_shows_counts_only_where_none_of_its_deck_lies_and_is_asked_about(deck):
    told = agreed([([back(0), back(0, deck, off=24)], []), ([back(0)], []), ([back(0)], [])])
    assert counts(told) == (1, int(deck == BLUE), 0)
    beside = told.unseen if deck == BLUE else [card.back for card in told.left]
    assert [one.match.deck for one in beside] == [deck]
    assert not told.unanimous


@pytest.mark.parametrize("doubt", [{"sure": 0.7}, {"score": 0.1}], ids=["not surely of its deck", "found faintly"])
def test_a_doubtful_card_that_one_reading_shows_does_not_count(doubt):
    told = agreed([([back(0), back(1, BLUE, **doubt)], []), ([back(0)], []), ([back(0)], [])])
    assert (counts(told), len(told.left)) == ((1, 0, 0), 1)


def test_a_card_that_one_reading_shows_counts_and_is_asked_about_where_it_explains_what_the_others_leave():
    told = agreed([([back(0), back(1, BLUE, sure=0.7), back(2, sure=0.7)], []), ([back(0)], []), ([back(0)], [])])
    with_one = told.with_left([0])
    assert counts(with_one) == (1, 1, 0)
    assert [one.match.deck for one in with_one.unseen] == [BLUE]
    assert [card.back.match.deck for card in with_one.left] == [RED]
    assert counts(told.with_left([])) == counts(told) == (1, 0, 0)


def test_a_stranger_that_one_reading_shows_counts_as_unknown():
    told = agreed([([back(0), back(1, None)], []), ([back(0)], [])])
    assert counts(told) == (1, 0, 1)
    assert told.unanimous


@pytest.mark.parametrize("third", [BLUE, None])
def test_the_deck_that_most_readings_say_wins_and_is_asked_about(third):
    told = agreed([([back(0, third, sure=1.0)], []), ([back(0)], []), ([back(0)], [])])
    assert counts(told) == (1, 0, 0)
    assert [card.decks for card in told.disputed] == [[RED, third]]


def test_of_two_decks_the_surer_one_wins():
    told = agreed([([back(0, BLUE, sure=0.7)], []), ([back(0, RED, sure=0.99)], [])])
    assert told.disputed[0].decks == [RED, BLUE]
    assert told.disputed[0].back.match.deck == RED


def test_outlines_half_over_each_other_are_one_card_of_one_deck_and_two_of_two():
    assert len(agreed([([back(0)], []), ([back(0, off=30)], [])]).cards) == 1
    assert len(agreed([([back(0)], []), ([back(0, BLUE, off=30)], [])]).cards) == 2


@pytest.mark.parametrize(("view", "one"), [(0.9, False), (0.5, True)], ids=["open", "half hidden"])
def test_a_card_that_lies_open_lies_where_both_readings_have_it_or_there_may_be_two(view, one):
    first, other = (replace(each, match=replace(each.match, view=view)) for each in (back(0), back(0, off=20)))
    told = agreed([([first], []), ([other], [])])
    assert counts(told) == (1, 0, 0)
    assert told.unanimous == one
    assert len(told.astray) == (not one)


def test_two_cards_of_one_deck_half_over_each_other_stay_two():
    both = [back(0), back(0, off=30)]
    assert counts(agreed([(both, []), (both[::-1], [])])) == (2, 0, 0)


def test_what_does_not_count_in_a_reading_says_nothing():
    told = agreed([([back(0), back(1, counted=False)], []), ([back(0)], [])])
    assert (counts(told), told.left) == ((1, 0, 0), [])


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_what_is_seen_in_a_turned_picture_is_told_as_it_lies(turn):
    image = np.zeros((300, 600, 3), np.uint8)
    image[40:60, 20:50] = 255  # at the top left
    turned, to_picture = turned_window(image, (0, 0, 600, 300), turn)
    y, x = (float(each.mean()) for each in np.nonzero(turned[..., 0]))
    middle = np.array([x, y], np.float32)
    quad = middle + np.array([[-10, -10], [10, -10], [10, 10], [-10, 10]], np.float32)
    one = back(0)
    asked = at(middle, say("not sure that there is a card %(where)s", where=place(middle, turned)))
    seen = ([FoundBack(quad, one.score, one.match, True, 1.0, False)], [asked, "the cards are very small"])
    (found,), (text, whole) = turned_back(seen, to_picture, image)
    np.testing.assert_allclose(found.quad.mean(0), [35, 50], atol=1.5)
    assert text == f"not sure that there is a card {PLACES[0][0]}"
    assert spots_of(text)[0][1:] == pytest.approx((35, 50), abs=1.5)
    assert whole == "the cards are very small"
