"""Frames of one still table vote card by card."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.rules.lake import DeckId, SeenBack, SpreadReading, spotted
from scorekeeper.vision.backs.votes import agreed, voted

RED, BLUE = DeckId("red"), DeckId("blue")


def box(x: float, off: float = 0.0):
    """A card of 60 by 90 pixels whose left side is at 100 x."""
    left, top = 100 * x + off, 50 + off
    return ((left, top), (left + 60, top), (left + 60, top + 90), (left, top + 90))


def frame(*cards, problems=()):
    """A reading of cards written as ``(place, deck, confidence)``, a pixel or two off."""
    backs = tuple(SeenBack(0, deck, sure, box(x, 1.5 * (n % 2))) for n, (x, deck, sure) in enumerate(cards))
    counts = {deck: sum(back.deck == deck for back in backs) for deck in (RED, BLUE)}
    return SpreadReading(backs, counts, not problems, tuple(problems))


def test_one_frame_is_what_it_says():
    only = frame((0, RED, 0.9))
    assert voted([only]) is only


def test_frames_without_cards_agree_that_there_is_none():
    assert agreed([frame(), frame()])
    assert voted([frame(), frame()]).total == 0


def test_a_card_seen_alike_in_every_frame_keeps_its_mean_confidence():
    frames = [frame((0, RED, sure), (1, BLUE, 0.95)) for sure in (0.9, 0.8, 0.9)]
    reading = voted(frames)
    assert agreed(frames)
    assert reading.certain
    assert reading.counts == {RED: 1, BLUE: 1}
    assert reading.cards[0].confidence == pytest.approx(0.874, abs=0.002)


def test_the_deck_most_frames_are_sure_of_wins_and_is_asked_about():
    frames = [frame((0, RED, 0.9)), frame((0, BLUE, 0.6)), frame((0, RED, 0.9))]
    reading = voted(frames)
    assert not agreed(frames)
    assert reading.counts == {RED: 1, BLUE: 0}
    assert not reading.certain
    assert "differ about whose" in reading.problems[0]
    assert reading.cards[0].confidence < 0.9
    assert reading.cards[0].others == ((BLUE, 0.2),)


def test_a_card_of_no_deck_in_most_frames_is_nobodys():
    frames = [frame((0, None, 0.7)), frame((0, None, 0.7)), frame((0, RED, 0.6))]
    assert voted(frames).unknown == 1


@pytest.mark.parametrize(("times", "counted"), [(1, 0), (2, 1)])
def test_a_card_that_flickers_counts_if_most_frames_show_it_and_is_asked_about(times, counted):
    frames = [frame((0, RED, 0.9), *[(1, BLUE, 0.9)] * (n < times)) for n in range(3)]
    reading = voted(frames)
    assert not agreed(frames)
    assert reading.counts == {RED: 1, BLUE: counted}
    assert not reading.certain
    assert "not seen in every frame" in reading.problems[0]
    if counted:
        assert reading.cards[1].confidence == pytest.approx(0.6, abs=0.01)


def test_what_one_frame_of_three_complains_of_is_noise_and_what_two_do_is_not():
    odd = spotted("a card at the left has an odd size", (0, 30.0, 95.0))
    again = spotted("a card in the middle has an odd size", (0, 36.0, 99.0))
    elsewhere = spotted("a card at the right has an odd size", (0, 400.0, 95.0))
    cards = ((0, RED, 0.9), (4, BLUE, 0.9))
    assert voted([frame(*cards, problems=[elsewhere]), frame(*cards), frame(*cards)]).certain
    reading = voted(
        [frame(*cards, problems=[odd]), frame(*cards, problems=[elsewhere]), frame(*cards, problems=[again])]
    )
    assert reading.problems == (again,)
    whole = frame(*cards, problems=["the cards are very small"])
    assert voted([whole, whole, frame(*cards)]).problems == ("the cards are very small",)


places = st.lists(st.tuples(st.integers(0, 11), st.sampled_from((RED, BLUE, None))), unique_by=lambda card: card[0])


@settings(deadline=None)  # the first example loads libraries
@given(places, st.integers(2, 4))
def test_frames_that_all_say_the_same_lose_and_invent_nothing(cards, count):
    frames = [frame(*((x, deck, 0.9) for x, deck in cards)) for _ in range(count)]
    reading = voted(frames)
    assert agreed(frames)
    assert reading.counts == frames[0].counts
    assert [card.deck for card in reading.cards] == [deck for _, deck in cards]
