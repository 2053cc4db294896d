"""The referee finds every problem with a hand, at once, in the words of the table."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.cards import Card, Suit
from scorekeeper.rules.checks import Problem, check_hand, check_sides
from scorekeeper.rules.house import Scoring
from scorekeeper.rules.lake import DeckId, Evidence, LakeReading, Pile, SeenBack, SpreadReading
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.presets import PRESETS
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
        pytest.param("amy 20/0! ben 9/11", PRESETS["nuts"].rules, [], id="J2 M8 a whole pile of Nuts is left"),
        pytest.param("amy 20/0! ben 9/12", PRESETS["nuts"].rules, ["range ben"], id="J2 M8 more than the pile of Nuts"),
        pytest.param("amy 0/0! ben 0/40", PRESETS["pishe-pasha"].rules, [], id="J5 M8 most of the deck is left"),
        pytest.param("amy 0/26 ben 0/26", PRESETS["pishe-pasha"].rules, [], id="J5 M7 the whole deck is left"),
        pytest.param(
            "amy 0/27 ben 0/26", PRESETS["pishe-pasha"].rules, ["M7 -"], id="J5 M7 more than one deck is left"
        ),
    ],
)
def test_problems_of_typed_counts(hand, rules, found):
    assert kinds(check_hand(parse_hand(hand), rules, SIDES)) == found


EXTRA = Rules(rank_extras=((1, 2), (13, 5)))


@pytest.mark.parametrize(
    ("hand", "rules", "found"),
    [
        pytest.param("amy 14/0!7 ben 9/0!3", TEN, [], id="C10 the table votes"),
        pytest.param("amy 14/0!0 ben 9/0!1/2", TEN, ["M12 - ?"], id="C10 M12 less than the bonus"),
        pytest.param("amy 14/0!7 ben 9/0!4", TEN, ["M12 -"], id="C10 M12 more than the bonus"),
        pytest.param("amy 14/0!10/3 ben 9/0!20/3", TEN, [], id="C10 a vote in thirds"),
        pytest.param("amy 14/0!7 ben 9/4", TEN, ["M12 - ?"], id="C10 M12 one caller, not the whole bonus"),
        pytest.param("amy 14/0!8 ben 9/0!", TEN, ["M12 - ?"], id="C10 M12 a caller the vote forgot"),
        pytest.param("amy 14/0!0 ben 9/4", Rules(), [], id="C10 M12 nothing of no bonus"),
        pytest.param("amy =24!6 ben =14!3", TEN, ["M12 - ?"], id="C10 C17 M12 scores typed, the vote one short"),
        pytest.param("amy!1/2 ben!1/4", Rules(scoring=Scoring.HANDS), ["M12 - ?"], id="C10 D7 a quarter of a hand"),
        pytest.param("amy 14/0!-1 ben 9/0!3", TEN, ["M12 amy", "M12 - ?"], id="C10 M12 a share below nothing"),
        pytest.param("amy 14/0!1 ben 9/0", Rules(), ["M12 -"], id="C10 M12 a share where there is no bonus"),
        pytest.param("amy!1/2 ben!1/2", Rules(scoring=Scoring.HANDS), [], id="C10 D7 a hand shared by vote"),
        pytest.param("amy!1 ben!1", Rules(scoring=Scoring.HANDS), ["M12 -"], id="C10 D7 two hands for one"),
        pytest.param("", Rules(scoring=Scoring.HANDS), [], id="D7 K19 nobody is counted"),
        pytest.param("amy 99/0! ben 1/99", Rules(scoring=Scoring.HANDS), [], id="K19 counts are not looked at"),
        pytest.param("amy 14/0!{2xA 0xK} ben 9/1{0xA 4xK}", EXTRA, [], id="C11 ranks are counted"),
        pytest.param("amy 14/0!{2xA} ben 0/1", EXTRA, ["C11 amy ?"], id="C11 kings were not counted"),
        pytest.param("amy 14/0!{5xA 0xK} ben 0/1", EXTRA, ["C11 amy"], id="C11 five aces"),
        pytest.param("amy 14/0!{-1xA 0xK} ben 0/1", EXTRA, ["C11 amy"], id="C11 less than no ace"),
        pytest.param(
            "amy 14/0!{5xA 0xK} ben 0/1", Rules(jokers=1, rank_extras=EXTRA.rank_extras), [], id="C11 I1 a joker as ace"
        ),
        pytest.param("amy 3/0!{2xA 2xK} ben 0/1", EXTRA, ["C11 amy"], id="C11 more of two ranks than cards"),
        pytest.param("amy 4/0!{2xA 2xK} ben 0/1", EXTRA, [], id="C11 only such cards"),
        pytest.param("amy 14/0! +500(typo) ben 0/4", EXTRA, ["C11 amy ?"], id="C11 M8 extras switch the range off"),
        pytest.param("amy 0/0! ben 0/52", Rules(scoring=Scoring.LEFTOVERS), [], id="J5 a whole deck is left"),
        pytest.param("amy 0/0! ben 0/53", Rules(scoring=Scoring.LEFTOVERS), ["range ben"], id="J5 more than a deck"),
        pytest.param("amy 14/0 ben 9/4 +1(kind)", Rules(), [], id="H5 the smallest adjustment"),
        pytest.param("amy 14/0 ben 9/4 +39(kind)", Rules(), [], id="M8 as much as cards can make"),
        pytest.param("amy 14/0 ben 9/4 +40(kind)", Rules(), ["M8 ben ?"], id="M8 one more than cards can make"),
        pytest.param("amy 14/0 ben 9/4 -27(late)", Rules(), [], id="M8 as little as cards can make"),
        pytest.param("amy 14/0 ben 9/4 -28(late)", Rules(), ["M8 ben ?"], id="M8 one less than cards can make"),
        pytest.param("amy 14/0 ben 9/1 +100000(most)", Rules(), ["M8 ben ?"], id="H5 the largest adjustment"),
        pytest.param("amy 14/0 ben 9/1 +100001(more)", Rules(), ["adjustment ben", "M8 ben ?"], id="H5 one more"),
    ],
)
def test_problems_of_shares_ranks_and_other_games(hand, rules, found):
    assert kinds(check_hand(parse_hand(hand), rules, SIDES)) == found


@pytest.mark.parametrize(
    ("hand", "text", "blocking"),
    [
        pytest.param(
            "amy 1/0!5 ben 1/0!2 cleo 1/0!1",
            "The shares the table voted make 8 of 10, 2 missing: "
            "make them larger, or record anyway: the rest goes to nobody",
            False,
            id="C10 M12 5 + 2 + 1",
        ),
        pytest.param(
            "amy 1/0!5 ben 1/0!4 cleo 1/0!2",
            "The shares the table voted make 11 of 10, 1 too much: make them smaller",
            True,
            id="C10 M12 5 + 4 + 2",
        ),
        pytest.param(
            "amy 1/0!10/3 ben 1/0!10/3 cleo 1/0!3",
            "The shares the table voted make 9⅔ of 10, ⅓ missing: "
            "make them larger, or record anyway: the rest goes to nobody",
            False,
            id="C10 M12 a third is lost",
        ),
    ],
)
def test_a_vote_that_does_not_add_up_says_by_how_much(hand, text, blocking):
    (problem,) = check_hand(parse_hand(hand), TEN, make_sides(["Amy", "Ben", "Cleo"]))
    assert (problem.text, problem.blocking) == (text, blocking)


fractions = st.fractions(0, 40, max_denominator=9)


@given(st.integers(0, 40), st.lists(fractions, min_size=1, max_size=4), st.booleans())
def test_c10_m12_a_vote_is_in_doubt_unless_it_makes_exactly_the_bonus(bonus, shares, fill):
    total = sum(shares)
    if fill and total <= bonus:
        shares = [*shares[:-1], shares[-1] + bonus - total]
    sides = make_sides(["Amy", "Ben", "Cleo", "Dan"][: max(2, len(shares))])
    callers = [side.id for side in sides[: len(shares)]]
    counts = tuple(Tally(side.id, 1, 0) for side in sides)
    hand = Hand(counts, tuple(callers), shares=tuple(zip(callers, shares, strict=True)))
    found = kinds(check_hand(hand, Rules(bonus=bonus), sides))
    assert found == ([] if sum(shares) == bonus else ["M12 -"] if sum(shares) > bonus else ["M12 - ?"])


@given(st.integers(0, 40), st.integers(1, 4))
def test_c9_m12_equal_shares_are_never_in_doubt(bonus, callers):
    sides = make_sides(["Amy", "Ben", "Cleo", "Dan"])
    hand = Hand(tuple(Tally(side.id, 1, 0) for side in sides), tuple(side.id for side in sides[:callers]))
    assert check_hand(hand, Rules(bonus=bonus), sides) == []
    assert sum(hand.bonus_shares(Rules(bonus=bonus)).values()) == bonus


def test_m12_shares_that_no_line_can_say_are_found_too():
    amy, ben, zoe = SideId("amy"), SideId("ben"), SideId("zoe")
    hand = replace(parse_hand("amy 14/0! ben 9/4"), shares=((amy, 2), (amy, 3), (ben, 1), (zoe, 1)))
    assert kinds(check_hand(hand, TEN, SIDES)) == ["sides zoe", "M12 ben", "M12 zoe", "M12 amy", "M12 - ?"]


@pytest.mark.parametrize(
    ("hand", "text"),
    [
        pytest.param("amy 0/0! ben 0/53", "enter 0 to 52, the size of a deck", id="J5 the limit is the deck"),
        pytest.param("amy 0/0!-1 ben 0/0!9", "Amy can't get -1 of the bonus: enter 0 to 10", id="M12 the limit"),
    ],
)
def test_a_limit_is_named(hand, text):
    rules = Rules(scoring=Scoring.LEFTOVERS, bonus=10)
    assert [problem.text for problem in check_hand(parse_hand(hand), rules, SIDES) if text in problem.text]


@pytest.mark.parametrize(
    ("hand", "text"),
    [
        ("amy 14/0! +10(bonus) ben 9/4", "Amy gets the bonus for the call by itself, and +10 by hand as well"),
        ("amy 14/0! ben 9/4 +10(called)", "Ben did not call Nertz but gets +10 by hand, as much as the bonus"),
    ],
)
def test_m12_a_double_bonus_is_told_apart_from_a_bonus_without_a_call(hand, text):
    (problem,) = check_hand(parse_hand(hand), TEN, SIDES)
    assert problem.text == f"{text}: drop the adjustment, or record anyway"


def test_t_is_the_sum_of_the_piles():
    assert lake(pile(9), pile(0, dead=True), pile(0)).total == 22
    assert (Evidence().total, Evidence(lake(pile(9), pile(0))).total, Evidence(7, aside=1).total) == (None, None, 20)


def test_all_problems_come_at_once_and_the_blocking_ones_first():
    hand = parse_hand("amy 60/3! +10(bonus) zoe 9/20 -5( )")
    problems = check_hand(hand, TEN, SIDES, Evidence(lake=3))
    assert {problem.kind for problem in problems} == {"sides", "range", "M11", "M12", "M8", "adjustment", "M1"}
    assert [problem.blocking for problem in problems] == sorted((p.blocking for p in problems), reverse=True)


def test_a_problem_says_what_is_wrong_and_what_to_do():
    problems = check_hand(parse_hand("amy 14/3! ben 45/10"), Rules(), SIDES, Evidence(lake=58))
    assert [problem.text for problem in problems] == [
        "Ben has 45 in the Lake and 10 left, 55 cards of a deck of 52: count both again",
        "Amy called Nertz with 3 cards left: a caller has none, so correct the caller or what is left",
        "The Lake holds 58 cards, but the sides have 59 together, so 1 card counted twice or a pile overlooked: "
        "check again, or record anyway",
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
    assert kinds(check_hand(parse_hand("amy 14/0! ben 9/4"), Rules(), SIDES, Evidence(lake=reading))) == found


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
    assert kinds(check_hand(parse_hand("amy 14/0! ben 9/4"), Rules(), SIDES, Evidence(spread=reading))) == found


def test_a_spread_of_decks_nobody_plays_says_nothing_about_the_sides():
    sides = make_sides(["Amy", "Ben"])
    assert check_hand(parse_hand("amy 14/0! ben 9/4"), Rules(), sides, Evidence(spread=spread(3, 3))) == []


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


@pytest.mark.parametrize(
    ("number", "hints"),
    [
        pytest.param(2, [], id="K1 two sides"),
        pytest.param(5, [], id="A1 five sides"),
        pytest.param(6, ["A1 - ?"], id="A1 from six on pairs are suggested"),
        pytest.param(9, ["A1 - ?"] * 2, id="A1 above eight a hint"),
        pytest.param(20, ["A1 - ?"] * 2, id="K1 there is no cap"),
    ],
)
def test_any_number_of_sides_from_two_on_can_play(number, hints):
    assert kinds(check_sides(make_sides([f"Side {each}" for each in range(number)]))) == hints
