"""Typed scores: what cards can make at all, alone and together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.checks import check_hand
from scorekeeper.rules.house import Rules, Scoring
from scorekeeper.rules.lake import DeckId, Evidence, SeenBack, SpreadReading
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Hand, Tally, Typed, make_sides

RED, BLUE = DeckId("red"), DeckId("blue")
SIDES = make_sides(["Amy", "Ben"], {"Amy": RED, "Ben": BLUE})
TEN = Rules(target=150, bonus=10)
BOX = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def spread(red: int, blue: int, unknown: int = 0) -> SpreadReading:
    backs = [*[RED] * red, *[BLUE] * blue, *[None] * unknown]
    return SpreadReading(tuple(SeenBack(0, deck, 0.9, BOX) for deck in backs), {RED: red, BLUE: blue}, True, ())


@pytest.mark.parametrize(
    ("hand", "rules", "seen", "found"),
    [
        pytest.param("amy =14! ben =1", Rules(), Evidence(), [], id="C17 M8 one number for each"),
        pytest.param("amy =14! ben 9/4", Rules(), Evidence(lake=23), [], id="C17 M10 one typed, one counted"),
        pytest.param("amy =52! ben =-26", Rules(), Evidence(), [], id="M8 the most and the least"),
        pytest.param("amy =53! ben =-27", Rules(), Evidence(), ["M8 amy", "M8 ben"], id="M8 one beyond"),
        pytest.param("amy =62! ben =-26", TEN, Evidence(), [], id="M8 M12 the bonus comes on top"),
        pytest.param("amy =63! ben =1", TEN, Evidence(), ["M8 amy"], id="M8 M12 more than that"),
        pytest.param("amy =9! ben =1", TEN, Evidence(), ["M8 amy"], id="M8 M11 a caller without its bonus"),
        pytest.param("amy =10! ben =1", TEN, Evidence(), [], id="M11 a caller with no card in the Lake"),
        pytest.param("amy =5/2! ben =1", Rules(), Evidence(), ["M9 amy"], id="M9 cards make no halves"),
        pytest.param("amy =5/2! ben =5/2!", Rules(bonus=5), Evidence(), [], id="C9 M9 halves of a bonus"),
        pytest.param("amy =6! ben =3", Rules(lake_value=2), Evidence(), ["M9 ben"], id="C11 M9 only even scores"),
        pytest.param("amy =14! ben =1", Rules(), Evidence(spread=spread(14, 9)), [], id="M9 nine less four cards"),
        pytest.param("amy =14! ben =2", Rules(), Evidence(spread=spread(14, 9)), ["M9 ben ?"], id="M9 parity"),
        pytest.param("amy =13! ben =1", Rules(), Evidence(spread=spread(14, 9)), ["M9 amy ?"], id="M9 a caller has 14"),
        pytest.param("amy =14! ben =11", Rules(), Evidence(spread=spread(14, 9)), ["M9 ben ?"], id="M9 more than all"),
        pytest.param(
            "amy =14! ben =2", Rules(), Evidence(spread=spread(14, 9, 1)), ["spread - ?"], id="M9 with an unknown back"
        ),
        pytest.param(
            "amy =14! ben =9", Rules(nertz_penalty=0), Evidence(spread=spread(14, 9)), [], id="C2 M9 no penalty"
        ),
        pytest.param(
            "amy =14! ben =8", Rules(nertz_penalty=0), Evidence(spread=spread(14, 9)), ["M9 ben ?"], id="C2 M9 one off"
        ),
        pytest.param("amy =14! ben =1", Rules(), Evidence(lake=23), [], id="M10 all scores fit the Lake"),
        pytest.param("amy =14! ben =9", Rules(), Evidence(lake=21), ["M10 - ?"], id="M10 more than the Lake"),
        pytest.param("amy =14! ben =9", Rules(), Evidence(lake=23), [], id="M10 exactly the Lake"),
        pytest.param("amy =14! ben =-4", Rules(), Evidence(lake=35), ["M9 - ?"], id="M9 parity of all together"),
        pytest.param("amy =14! ben =-4", Rules(), Evidence(lake=36), [], id="M10 thirteen left"),
        pytest.param("amy =14! ben =-4", Rules(), Evidence(lake=38), ["M10 - ?"], id="M10 more than thirteen left"),
        pytest.param("amy =14! ben =2 -1(late)", Rules(), Evidence(lake=24), [], id="H5 M10 penalties stand aside"),
        pytest.param("amy =14! ben 9/4", Rules(), Evidence(lake=24), ["M10 - ?"], id="M10 a counted side is exact"),
        pytest.param(
            "amy =14! ben =2", Rules(nertz_penalty=0), Evidence(lake=16), [], id="C2 M10 no penalty, all is Lake"
        ),
        pytest.param("amy =14!", Rules(), Evidence(lake=99), ["sides ben"], id="M10 not while a side is missing"),
        pytest.param("amy =140! ben =1", Rules(), Evidence(lake=99), ["M8 amy"], id="M10 not after M8"),
        pytest.param(
            "amy =140! ben =1", Rules(rank_extras=((1, 9),)), Evidence(lake=9), [], id="C11 extras switch M8 to M10 off"
        ),
        pytest.param("amy =14! zoe =1 ben =1", Rules(), Evidence(), ["sides zoe"], id="C17 a stranger"),
        pytest.param(
            "amy =14! ben =1", Rules(scoring=Scoring.HANDS), Evidence(), ["sides -"], id="K19 no scores in a tally"
        ),
    ],
)
def test_what_typed_scores_can_be(hand, rules, seen, found):
    problems = check_hand(parse_hand(hand), rules, SIDES, seen)
    assert [f"{p.kind} {p.where or '-'}{'' if p.blocking else ' ?'}" for p in problems] == found


def test_a_score_of_a_deck_that_was_not_in_the_spread_is_not_compared():
    seen = Evidence(spread=SpreadReading((), {RED: 14}, True, ()))
    assert check_hand(parse_hand("amy =14! ben =2"), Rules(), SIDES, seen) == []


def test_a_problem_of_a_typed_score_says_what_to_do():
    problems = check_hand(parse_hand("amy =63! ben =2"), TEN, SIDES, Evidence(spread=spread(14, 9)))
    assert [problem.text for problem in problems] == [
        "Amy can't score 53 without the bonus: cards make 0 to 52, so correct it, and enter penalties beside it",
        "Ben has 9 cards in the Lake, and no number of cards left makes 2 of it: add up again, or record anyway",
    ]


@given(
    st.lists(st.tuples(st.integers(0, 39), st.integers(0, 13)), min_size=2, max_size=2),
    st.integers(1, 3),
    st.integers(0, 3),
    st.integers(0, 11),
    st.sets(st.sampled_from(["amy", "ben"])),
)
def test_scores_that_were_added_up_right_never_raise_a_doubt(counts, value, penalty, bonus, callers):
    rules = Rules(lake_value=value, nertz_penalty=penalty, bonus=bonus)
    tallies = tuple(
        Tally(side.id, lake, 0 if side.id in callers else left)
        for side, (lake, left) in zip(SIDES, counts, strict=True)
    )
    counted = Hand(tallies, tuple(callers))
    scores = tuple(Typed(side, score) for side, score in counted.points(rules).items())
    seen = Evidence(lake=counted.lake, spread=spread(*(tally.lake for tally in tallies)))
    assert check_hand(Hand(callers=counted.callers, typed=scores), rules, SIDES, seen) == []
