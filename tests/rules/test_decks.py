"""Decks by themselves: apart before a game, complete after it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.errors import NotationError
from scorekeeper.rules.cards import Card, Suit
from scorekeeper.rules.decks import DeckAudit, audit, parse_cards, strays, too_alike
from scorekeeper.rules.lake import DeckId

RED, BLUE, GREEN = DeckId("red"), DeckId("blue"), DeckId("green")
DECK = [Card(rank, suit) for suit in Suit for rank in range(1, 14)]


@pytest.mark.parametrize(
    ("distances", "found"),
    [
        pytest.param({}, [], id="M13 one deck"),
        pytest.param({(RED, BLUE): 0.3}, [], id="M13 A6 just far enough"),
        pytest.param(
            {(RED, BLUE): 0.29, (RED, GREEN): 0.1, (BLUE, GREEN): 0.8},
            ["'red' and 'green' look alike (0.10 apart, 0.30", "'red' and 'blue' look alike (0.29 apart"],
            id="M13 A6 two pairs, the nearest first",
        ),
    ],
)
def test_decks_that_look_alike_are_named_before_the_game(distances, found):
    problems = too_alike(distances, 0.3)
    assert len(problems) == len(found)
    assert all(words in problem.text for words, problem in zip(found, problems, strict=True))
    assert all(problem.kind == "M13" and not problem.blocking for problem in problems)


@pytest.mark.parametrize(
    ("cards", "jokers_seen", "jokers", "says"),
    [
        pytest.param(DECK, 0, 0, "the deck is complete", id="A8 52 cards"),
        pytest.param(DECK, 2, 2, "the deck is complete", id="A8 I3 with its jokers"),
        pytest.param(DECK[1:], 0, 0, "missing: AS", id="A7 a card is missing"),
        pytest.param([*DECK, DECK[6], DECK[6]], 0, 0, "of another deck: 7S and 7S", id="A7 A9 two strangers"),
        pytest.param(DECK[2:], 0, 1, "missing: AS, 2S and 1 joker", id="I3 a joker is missing"),
        pytest.param(DECK, 1, 0, "of another deck: 1 joker", id="I3 a joker too many"),
        pytest.param([*DECK[1:], None], 0, 0, "missing: AS; 1 card could not be read", id="A7 a card not read"),
        pytest.param([*DECK[:-1], DECK[0]], 0, 0, "missing: KC; of another deck: AS", id="A7 exchanged"),
    ],
)
def test_what_is_wrong_with_a_deck(cards, jokers_seen, jokers, says):
    found = audit(cards, jokers_seen=jokers_seen, jokers=jokers)
    assert found.text == says
    assert found.complete == (says == "the deck is complete")


@given(st.lists(st.sampled_from(DECK), max_size=80))
def test_missing_and_foreign_cards_make_the_deck_whole_again(cards):
    found = audit(cards)
    assert sorted([*cards, *found.missing]) == sorted([*DECK, *found.foreign])


def test_a7_a_stray_card_goes_back_to_the_one_deck_that_misses_it():
    seven, ace = DECK[6], DECK[0]
    audits = {RED: DeckAudit(foreign=(seven, ace)), BLUE: DeckAudit(missing=(seven, ace)), GREEN: DeckAudit((ace,))}
    assert strays(audits) == [(seven, RED, BLUE)]
    assert strays({RED: DeckAudit(missing=(seven,), foreign=(seven,))}) == []


def test_typed_cards_and_jokers():
    assert parse_cards("AS, 10h joker\tJK *") == ((Card(1, Suit.SPADES), Card(10, Suit.HEARTS)), 3)
    assert parse_cards("") == ((), 0)
    with pytest.raises(NotationError, match="'11S', 'x': write cards such as"):
        parse_cards("AS 11S x")
