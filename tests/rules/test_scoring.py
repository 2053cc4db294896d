"""What a hand is worth, who can play it, and by which house rules."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.errors import RulesError
from scorekeeper.rules.house import Scoring
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import (
    Hand,
    Rules,
    Side,
    SideId,
    Tally,
    format_points,
    is_side_id,
    make_sides,
    side_id,
)

TEN = Rules(target=150, bonus=10)


@pytest.mark.parametrize(
    ("hand", "rules", "points"),
    [
        pytest.param("", Rules(), {}, id="an empty hand makes no points"),
        pytest.param("amy 15/10", Rules(), {"amy": -5}, id="C5 fifteen in the Lake and ten left is minus five"),
        pytest.param("amy 14/0! ben 9/4", Rules(), {"amy": 14, "ben": 1}, id="C1 C2 C3 two points off per card left"),
        pytest.param("amy 0/13 ben 5/0!", Rules(), {"amy": -26, "ben": 5}, id="C4 a score can be negative"),
        pytest.param("amy 3/5 ben 3/5", TEN, {"amy": -7, "ben": -7}, id="C19 a stuck hand has no caller and no bonus"),
        pytest.param(
            "amy 14/0! ben 9/4", TEN, {"amy": 24, "ben": 1}, id="C6 C13 the caller gets Lake cards and the bonus"
        ),
        pytest.param("amy 14/0! ben 9/0!", TEN, {"amy": 19, "ben": 14}, id="C9 two callers get five each"),
        pytest.param(
            "amy 14/0! ben 9/0!",
            Rules(bonus=5),
            {"amy": Fraction(33, 2), "ben": Fraction(23, 2)},
            id="C9 an odd bonus makes half points",
        ),
        pytest.param(
            "amy 0/0! ben 0/0! cleo 0/0!",
            TEN,
            {"amy": Fraction(10, 3), "ben": Fraction(10, 3), "cleo": Fraction(10, 3)},
            id="C10 three callers get exact thirds",
        ),
        pytest.param("amy 2/0! ben 30/1", Rules(), {"amy": 2, "ben": 28}, id="C14 the caller need not be best"),
        pytest.param("amy 9/0 ben 9/1", TEN, {"amy": 9, "ben": 7}, id="K4 no card left and no call earns no bonus"),
        pytest.param(
            "amy 5/2", Rules(lake_value=3, nertz_penalty=1), {"amy": 13}, id="C11 every value is a house rule"
        ),
        pytest.param("amy 14/0! -5(false call)", Rules(), {"amy": 9}, id="H5 a penalty with its reason"),
        pytest.param("amy 1/0 +3(new here) -1(late)", Rules(), {"amy": 3}, id="H6 several adjustments add up"),
    ],
)
def test_points(hand, rules, points):
    assert parse_hand(hand).points(rules) == points


LEFTOVERS, CANFIELD = Rules(scoring=Scoring.LEFTOVERS), Rules(scoring=Scoring.FOUNDATION, target=52, rounds=1)
EXTRA = Rules(rank_extras=((1, 2), (13, -5)))
TALLY = Rules(scoring=Scoring.HANDS, target=5)


@pytest.mark.parametrize(
    ("hand", "rules", "points"),
    [
        pytest.param("amy 14/0!7 ben 9/0!3", TEN, {"amy": 21, "ben": 12}, id="C10 the table votes seven and three"),
        pytest.param("amy 9/0!5/2 ben 9/0!", TEN, {"amy": Fraction(23, 2), "ben": 9}, id="C10 less than the bonus"),
        pytest.param("amy =24! ben =1", TEN, {"amy": 24, "ben": 1}, id="C17 one number for each side, bonus included"),
        pytest.param("amy =24! -5(late) ben 9/4", TEN, {"amy": 19, "ben": 1}, id="C17 H5 a penalty beside the number"),
        pytest.param("amy! ben!", TALLY, {"amy": Fraction(1, 2), "ben": Fraction(1, 2)}, id="D7 two win half a hand"),
        pytest.param("amy -1(late)", TALLY, {"amy": -1}, id="D7 H5 a penalty without a count"),
        pytest.param("amy!", TALLY, {"amy": 1}, id="D7 K19 J5 the caller wins the hand"),
        pytest.param("amy 14/0! ben 9/4", TALLY, {"amy": 1, "ben": 0}, id="K19 counts say nothing in a tally"),
        pytest.param("", TALLY, {}, id="D7 nobody called, nobody wins"),
        pytest.param("amy 0/0! ben 0/7 cleo 0/5", LEFTOVERS, {"amy": 12, "ben": 0, "cleo": 0}, id="J5 Pishe Pasha"),
        pytest.param("amy 0/3 ben 0/7", LEFTOVERS, {"amy": 0, "ben": 0}, id="J5 nobody is done"),
        pytest.param("amy 31/8", CANFIELD, {"amy": 31}, id="J5 Canfield counts the foundations"),
        pytest.param("amy 14/0!{3xA 1xK} ben 9/4", EXTRA, {"amy": 15, "ben": 1}, id="C11 aces more, kings less"),
        pytest.param("amy 14/1{3x10}", EXTRA, {"amy": 12}, id="C11 tens are like any card"),
        pytest.param("amy 14/1{3xA}", Rules(), {"amy": 12}, id="C11 no rank is worth extra here"),
        pytest.param(
            "amy 5/0{1xA}", Rules(scoring=Scoring.FOUNDATION, rank_extras=((1, 9),)), {"amy": 14}, id="J5 C11"
        ),
    ],
)
def test_points_of_other_ways_to_score(hand, rules, points):
    assert parse_hand(hand).points(rules) == points


def test_a_hand_stands_in_one_order_however_it_was_typed():
    one = Hand((Tally(SideId("amy"), 1, 0, ((13, 1), (1, 2))),), ("ben", "amy"), (), (("ben", 3), ("amy", 7)))
    other = Hand((Tally(SideId("amy"), 1, 0, ((1, 2), (13, 1))),), ("amy", "ben"), (), (("amy", 7), ("ben", 3)))
    assert one == other
    assert one.named == ("amy", "ben")
    assert Hand((), (), (), (("ben", 3), ("amy", 7))).shares == (("amy", 7), ("ben", 3))


@given(bonus=st.integers(0, 10_000), callers=st.integers(1, 12))
def test_the_shares_of_the_bonus_are_equal_and_add_up_to_it_exactly(bonus, callers):
    sides = tuple(SideId(f"s{number}") for number in range(callers))
    shares = Hand(tuple(Tally(side, 0, 0) for side in sides), sides).bonus_shares(Rules(bonus=bonus))
    assert sum(shares.values()) == bonus
    assert len(set(shares.values())) == 1


def test_callers_stand_in_the_order_of_the_counts_and_once():
    amy, ben = Tally(SideId("amy"), 1, 0), Tally(SideId("ben"), 2, 0)
    assert Hand((amy, ben), (ben.side, amy.side, ben.side)) == Hand((amy, ben), (amy.side, ben.side))


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (0, "0"),
        (14, "14"),
        (-5, "-5"),
        (Fraction(5, 2), "2.5"),
        (Fraction(-5, 4), "-1.25"),
        (Fraction(1, 50), "0.02"),
        (Fraction(10, 3), "3⅓"),
        (Fraction(-10, 3), "-3⅓"),
        (Fraction(2, 3), "⅔"),
        (Fraction(17, 6), "2⅚"),
        *((Fraction(1, parts), glyph) for parts, glyph in zip((3, 6, 7, 9), "⅓⅙⅐⅑", strict=True)),
        (Fraction(1, 8), "⅛"),
        (Fraction(3, 8), "⅜"),
        (Fraction(5, 8), "⅝"),
        (Fraction(7, 8), "⅞"),
        (Fraction(9, 7), "1 2/7"),
        (Fraction(-2, 7), "-2/7"),
        (Fraction(10_007, 11), "909 8/11"),
    ],
)
def test_points_are_written_exactly(points, text):
    assert format_points(points) == text


@pytest.mark.parametrize("jokers", [0, 1, 4])
def test_jokers_belong_to_the_deck(jokers):
    assert Rules(jokers=jokers).deck_size == 52 + jokers


def test_house_rules_that_cannot_be_are_all_named():
    with pytest.raises(RulesError) as refusal:
        Rules(target=0, nertz_penalty=-2, bonus=True, pile_size=60, jokers=5)
    for word in ("target", "nertz penalty", "bonus", "pile size", "jokers"):
        assert f"the {word} must be a whole number from" in str(refusal.value)
    assert "lake value" not in str(refusal.value)


@pytest.mark.parametrize("value", [2.5, "10", None])
def test_a_house_rule_is_a_whole_number(value):
    with pytest.raises(RulesError, match="the target must be a whole number from 1 to 100000"):
        Rules(target=value)


def test_a_side_that_cannot_be_is_told_everything():
    with pytest.raises(RulesError) as refusal:
        Side(SideId("the smiths"), " ", "red", pattern="tartan")
    assert "short name" in str(refusal.value)
    assert "name of a side" in str(refusal.value)
    assert "'red' is no colour" in str(refusal.value)
    assert "'tartan' is no pattern" in str(refusal.value)


def test_sides_get_short_names_colours_and_patterns_of_their_own():
    sides = make_sides(["Amy", "The Smiths", "amy", "Ölaf & Ⅳ", "!!", "मीरा"])
    assert [side.id for side in sides] == ["amy", "the-smiths", "amy-2", "ölaf-ⅳ", "side", "मीरा"]
    assert len({side.color for side in sides}) == len({side.pattern for side in sides}) == 6


@given(st.lists(st.text(max_size=60), max_size=8))
def test_any_names_give_short_names_that_differ(names):
    taken: list[str] = []
    for name in names:
        taken.append(side_id(name, taken))
    assert len(set(taken)) == len(taken)
    assert all(is_side_id(each) for each in taken)


def test_twelve_sides_can_be_told_apart():
    sides = make_sides([f"Side {number}" for number in range(12)])
    assert len({side.color for side in sides}) == len({side.pattern for side in sides}) == 12
