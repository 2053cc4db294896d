"""The referee finds every problem with a hand, at once, in the words of the table."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.cards import Card, Suit
from scorekeeper.rules.checks import Problem, check_hand, check_sides
from scorekeeper.rules.lake import DeckId, LakeReading, Pile, SeenBack, SpreadReading
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Hand, Rules, SideId, Tally, make_sides

SIDES = make_sides(["Amy", "Ben"], {"Amy": DeckId("red"), "Ben": DeckId("blue")})
TEN = Rules(target=150, bonus=10)
BOX = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def kinds(problems: list[Problem]) -> list[str]:
    return [f"{problem.kind} {problem.where or '-'}{'' if problem.blocking else ' ?'}" for problem in problems]


@pytest.mark.parametrize(
    ("hand", "rules", "found"),
    [
        pytest.param("amy 14/0! ben 9/4", Rules(), [], id="a hand as it should be"),
        pytest.param("amy 3/5 ben 3/5", TEN, [], id="C19 nobody called"),
        pytest.param("amy 9/0 ben 9/1", TEN, [], id="K4 no card left and no call"),
        pytest.param("amy 9/0! ben 9/0!", TEN, [], id="C9 two callers"),
        pytest.param("amy 0/13 ben 0/13", Rules(), [], id="nothing played"),
        pytest.param("amy 52/0! ben 39/13", Rules(), [], id="M7 whole decks are in the Lake"),
        pytest.param("amy 54/0! ben 0/13", Rules(jokers=2), [], id="I3 A8 jokers belong to the deck"),
        pytest.param("", Rules(), ["sides amy", "sides ben"], id="an empty hand misses everybody"),
        pytest.param("amy 14/0!", Rules(), ["sides ben"], id="a side is missing"),
        pytest.param("amy 14/0! ben 9/4 ben 9/4", Rules(), ["sides ben"], id="a side is counted twice"),
        pytest.param("amy 14/0! ben 9/4 zoe 1/1", Rules(), ["sides zoe"], id="a side that does not play"),
        pytest.param("amy 53/0! ben 9/4", Rules(), ["range amy"], id="more Lake cards than a deck has"),
        pytest.param("amy -1/0! ben 9/4", Rules(), ["range amy"], id="less than no card in the Lake"),
        pytest.param("amy 14/0! ben 9/14", Rules(), ["range ben"], id="B1 more left than a pile has"),
        pytest.param("amy 14/0! ben 9/12", Rules(pile_size=11), ["range ben"], id="B2 piles of eleven"),
        pytest.param("amy 14/0! ben 9/-1", Rules(), ["range ben"], id="less than no card left"),
        pytest.param("amy 14/0! ben 45/10", Rules(), ["M7 ben"], id="M7 55 cards of a deck of 52"),
        pytest.param("amy 14/0! ben 45/10", Rules(jokers=3), [], id="M7 55 cards of a deck with three jokers"),
        pytest.param("amy 14/3! ben 9/4", Rules(), ["M11 amy"], id="M11 a caller with cards left"),
        pytest.param("amy 14/0! +10(bonus) ben 9/4", TEN, ["M12 amy ?"], id="M12 the bonus twice"),
        pytest.param("amy 9/0! +5(half) ben 9/0!", TEN, ["M12 amy ?"], id="M12 the share of the bonus twice"),
        pytest.param("amy 14/0! ben 9/4 +10(called)", TEN, ["M12 ben ?"], id="M12 a bonus without a call"),
        pytest.param(
            "amy 14/0! ben 9/4 +10(new here)", Rules(), [], id="M12 where there is no bonus nothing is double"
        ),
        pytest.param("amy 14/0! ben 0/13 -5(late)", Rules(), ["M8 ben ?"], id="M8 less than cards can make"),
        pytest.param("amy 14/0! +500(typo) ben 9/4", Rules(), ["M8 amy ?"], id="M8 more than cards can make"),
        pytest.param("amy 14/0! ben 9/4 -5(misdeal)", Rules(), [], id="H5 a penalty with a reason"),
        pytest.param("amy 14/0! ben 9/4 -5( )", Rules(), ["adjustment ben"], id="H5 a penalty without a reason"),
        pytest.param("amy 14/0! ben 9/4 -0(why)", Rules(), ["adjustment ben"], id="H5 a penalty of nothing"),
    ],
)
def test_problems_of_typed_counts(hand, rules, found):
    assert kinds(check_hand(parse_hand(hand), rules, SIDES)) == found


def test_all_problems_come_at_once_and_the_blocking_ones_first():
    hand = parse_hand("amy 60/3! +10(bonus) zoe 9/20 -5( )")
    problems = check_hand(hand, TEN, SIDES, lake=3)
    assert {problem.kind for problem in problems} == {"sides", "range", "M11", "M12", "M8", "adjustment", "M1"}
    assert [problem.blocking for problem in problems] == sorted((p.blocking for p in problems), reverse=True)


def test_a_problem_says_what_is_wrong_and_what_to_do():
    problems = check_hand(parse_hand("amy 14/3! ben 45/10"), Rules(), SIDES, lake=58)
    assert [problem.text for problem in problems] == [
        "Ben has 45 in the Lake and 10 left, 55 cards of a deck of 52: count both again",
        "Amy called Nertz with 3 cards left: a caller has none, so correct the caller or what is left",
        "The Lake holds 58 cards, but the sides have 59 together, so 1 card counted twice or a pile overlooked: "
        "look again, or confirm",
    ]


def test_a_caller_or_a_penalty_of_a_stranger_is_found():
    zoe = SideId("zoe")
    hand = replace(parse_hand("amy 14/0! ben 9/4"), callers=(SideId("amy"), zoe))
    assert kinds(check_hand(hand, Rules(), SIDES)) == ["sides zoe"]


def pile(top: int, *, dead: bool = False) -> Pile:
    card = None if dead or top == 0 else Card(top, Suit.HEARTS)
    return Pile(card, 13 if dead else top, dead, 0.9, BOX)


def lake(*piles: Pile) -> LakeReading:
    return LakeReading(tuple(piles), certain=True, problems=())


@pytest.mark.parametrize(
    ("reading", "found"),
    [
        pytest.param(None, [], id="no camera, no T"),
        pytest.param(23, [], id="M1 the typed T fits"),
        pytest.param(22, ["M1 - ?"], id="M1 the typed T is one less"),
        pytest.param(0, ["M1 - ?"], id="M1 an empty Lake is a T as well"),
        pytest.param(-1, ["lake -"], id="a Lake of less than nothing"),
        pytest.param(105, ["lake -"], id="a Lake of more than two decks"),
        pytest.param(lake(), ["M1 - ?"], id="M1 no pile was seen"),
        pytest.param(lake(pile(0, dead=True), pile(10)), [], id="E3 K9 a finished pile counts 13"),
        pytest.param(lake(pile(13), pile(9)), ["M1 - ?"], id="M1 a pile seen one too low"),
        pytest.param(lake(pile(13), pile(10), pile(0)), ["lake - ?"], id="a pile that could not be read"),
    ],
)
def test_the_lake_as_it_lies_is_compared(reading, found):
    assert kinds(check_hand(parse_hand("amy 14/0! ben 9/4"), Rules(), SIDES, lake=reading)) == found


def spread(red: int, blue: int, unknown: int = 0) -> SpreadReading:
    decks = [DeckId("red")] * red + [DeckId("blue")] * blue + [None] * unknown
    cards = tuple(SeenBack(0, deck, 0.9, BOX) for deck in decks)
    return SpreadReading(cards, {DeckId("red"): red, DeckId("blue"): blue}, certain=True, problems=())


@pytest.mark.parametrize(
    ("reading", "found"),
    [
        pytest.param(spread(14, 9), [], id="the spread fits"),
        pytest.param(spread(15, 9), ["spread amy ?"], id="one red back more"),
        pytest.param(spread(15, 8), ["spread amy ?", "spread ben ?"], id="a card of the wrong deck"),
        pytest.param(spread(14, 8, unknown=1), ["spread - ?", "spread ben ?"], id="a back of no deck"),
    ],
)
def test_the_spread_is_compared(reading, found):
    assert kinds(check_hand(parse_hand("amy 14/0! ben 9/4"), Rules(), SIDES, spread=reading)) == found


def test_a_spread_of_decks_nobody_plays_says_nothing_about_the_sides():
    sides = make_sides(["Amy", "Ben"])
    assert check_hand(parse_hand("amy 14/0! ben 9/4"), Rules(), sides, spread=spread(3, 3)) == []


@given(
    counts=st.lists(st.tuples(st.integers(-5, 60), st.integers(-5, 20)), min_size=2, max_size=2),
    bonus=st.integers(0, 20),
)
def test_counts_without_a_problem_make_points_that_cards_can_make(counts, bonus):
    rules = Rules(bonus=bonus)
    hand = Hand(tuple(Tally(side.id, *count) for side, count in zip(SIDES, counts, strict=True)))
    if not check_hand(hand, rules, SIDES):
        for tally in hand.tallies:  # M8 and M9 of the rules sheet
            score = hand.points(rules)[tally.side]
            assert -2 * rules.pile_size <= score <= 52 - 3 * tally.nertz_left
            assert (score - tally.lake) % 2 == 0


@pytest.mark.parametrize(
    ("names", "words"),
    [
        pytest.param([], "two or more sides", id="K1 nobody"),
        pytest.param(["Amy"], "two or more sides", id="K1 one side alone"),
        pytest.param(["Amy", "amy"], "the name 'amy'", id="the same name in small letters"),
    ],
)
def test_sides_that_cannot_play_together(names, words):
    assert any(words in problem.text for problem in check_sides(make_sides(names)))


def test_two_sides_cannot_have_one_deck():
    sides = make_sides(["Amy", "Ben"], {"Amy": DeckId("red"), "Ben": DeckId("red")})
    assert [problem.text for problem in check_sides(sides)] == ["Two sides have the deck 'red': give each its own"]


@pytest.mark.parametrize("number", [2, 8, 12, 20])
def test_any_number_of_sides_from_two_on_can_play(number):
    assert check_sides(make_sides([f"Side {each}" for each in range(number)])) == []
