"""A card and its code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.errors import NotationError
from scorekeeper.rules.cards import KING, RANKS, Card, Suit, parse_card

cards = st.builds(Card, st.integers(1, KING), st.sampled_from(Suit))


@given(cards)
def test_any_card_survives_its_code(card):
    assert parse_card(card.code) == card


@pytest.mark.parametrize(
    ("text", "card"),
    [
        pytest.param("10H", Card(10, Suit.HEARTS), id="ten of hearts"),
        pytest.param("th", Card(10, Suit.HEARTS), id="T is a ten, small letters do"),
        pytest.param(" as ", Card(1, Suit.SPADES), id="A9 the ace is low"),
        pytest.param("KD", Card(13, Suit.DIAMONDS), id="A9 the king is high"),
    ],
)
def test_a_code_names_a_card(text, card):
    assert parse_card(text) == card


@pytest.mark.parametrize("text", ["", "H", "1H", "11S", "10", "10X", "joker", "1０H", "HH"])
def test_what_is_no_card_is_refused_with_its_text(text):
    with pytest.raises(NotationError, match="expected a card") as refusal:
        parse_card(text)
    assert repr(text) in str(refusal.value)


def test_there_are_52_cards_in_order():
    deck = {Card(rank, suit) for rank in range(1, len(RANKS) + 1) for suit in Suit}
    assert len(deck) == 52
    assert [card.rank for card in sorted(deck)] == sorted(card.rank for card in deck)


@pytest.mark.parametrize("rank", [0, 14])
def test_no_card_has_another_rank(rank):
    with pytest.raises(ValueError, match="no card has rank"):
        Card(rank, Suit.CLUBS)


def test_hearts_and_diamonds_are_red():
    assert [Card(1, suit).red for suit in (Suit.HEARTS, Suit.DIAMONDS, Suit.SPADES, Suit.CLUBS)] == [
        True, True, False, False,
    ]  # fmt: skip
