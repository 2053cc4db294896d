"""The one line of a hand, written and read back."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.errors import NotationError
from scorekeeper.rules.notation import format_hand, parse_hand
from scorekeeper.rules.scoring import Adjustment, Hand, SideId, Tally, Typed, side_id

counts = st.integers(-999_999, 999_999)
amounts = st.fractions(-999, 999, max_denominator=99)
ranks = st.dictionaries(st.integers(1, 13), counts, max_size=3).map(lambda found: tuple(found.items()))
side_ids = st.text(max_size=20).map(side_id)


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    sides = draw(st.lists(side_ids, min_size=1, max_size=6, unique=True))
    tallies = tuple(Tally(side, draw(counts), draw(counts), draw(ranks)) for side in sides)
    named = [*sides, *draw(st.lists(side_ids.filter(lambda side: side not in sides), max_size=2))]
    typed = tuple(Typed(side, draw(amounts)) for side in draw(st.sets(side_ids, max_size=2)) - {*named})
    callers = tuple(draw(st.lists(st.sampled_from(named), max_size=3)))
    adjustments = st.builds(Adjustment, st.sampled_from(named), counts, st.text(max_size=20))
    shares = [(side, draw(amounts)) for side in sorted({*callers}) if draw(st.booleans())]
    return Hand(tallies, callers, tuple(draw(st.lists(adjustments, max_size=3))), tuple(shares), typed)


@given(hands())
def test_any_hand_survives_notation(hand):
    assert parse_hand(format_hand(hand)) == hand


@given(st.text(alphabet="amy 1/0!-+()\\\n={}xK", max_size=30))
def test_any_text_is_a_hand_or_is_refused(text):
    try:
        hand = parse_hand(text)
    except NotationError:
        return
    assert parse_hand(format_hand(hand)) == hand


@pytest.mark.parametrize(
    ("text", "hand"),
    [
        pytest.param("", Hand(()), id="nothing is an empty hand"),
        pytest.param("amy 14/0!", Hand((Tally(SideId("amy"), 14, 0),), (SideId("amy"),)), id="C12 a caller"),
        pytest.param("amy!", Hand(callers=(SideId("amy"),)), id="D7 a hand won without counts"),
        pytest.param(
            "amy 1/0!7/2{2xA} ben =9",
            Hand(
                (Tally(SideId("amy"), 1, 0, ((1, 2),)),),
                (SideId("amy"),),
                (),
                ((SideId("amy"), Fraction(7, 2)),),
                (Typed(SideId("ben"), Fraction(9)),),
            ),
            id="C10 C11 C17 shares, ranks and a typed score",
        ),
        pytest.param(
            "zoe -5(late)", Hand(adjustments=(Adjustment(SideId("zoe"), -5, "late"),)), id="H5 a penalty without counts"
        ),
        pytest.param("  amy\t3/5\n", Hand((Tally(SideId("amy"), 3, 5),)), id="spaces do not matter"),
        pytest.param(
            "amy 1/2 -5(threw (a) card\\)",
            None,
            id="a bracket in a reason must be marked",
        ),
        pytest.param(
            r"amy 1/2 -5(threw \(a\) card)",
            Hand((Tally(SideId("amy"), 1, 2),), (), (Adjustment(SideId("amy"), -5, "threw (a) card"),)),
            id="H5 a marked bracket in a reason",
        ),
    ],
)
def test_a_line_is_a_hand(text, hand):
    if hand is None:
        with pytest.raises(NotationError):
            parse_hand(text)
    else:
        assert parse_hand(text) == hand


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("amy 14/0! ben nine/4", "ben nine/4"),
        ("amy", "amy"),
        ("amy 14", "amy 14"),
        ("amy 14/0!ben 9/4", "amy 14/0!ben 9/4"),
        ("-5(misdeal) amy 1/2", "-5(misdeal)"),
        ("amy 1/2 -5", "-5"),
        ("amy 1/2 -5(why", "-5(why"),
        ("amy 1234567/0", "amy 1234567/0"),
        ("amy １/０", "amy １/０"),
        ("amy 1/0!1/0", "amy 1/0!1/0"),
        ("amy =3/0", "amy =3/0"),
        ("amy 1/0{3A}", "3A"),
        ("amy 1/0{3x1}", "3x1"),
        ("amy! ben", "ben"),
    ],
)
def test_a_refusal_quotes_the_place_and_the_line(text, place):
    with pytest.raises(NotationError) as refusal:
        parse_hand(text)
    assert repr(place) in str(refusal.value)
    assert repr(text) in str(refusal.value)


@pytest.mark.parametrize(
    "shares",
    [((SideId("amy"), 1), (SideId("amy"), 2)), ((SideId("zoe"), 1),)],
    ids=["two shares for one", "a share without a call"],
)
def test_shares_that_no_line_can_say_are_refused(shares):
    with pytest.raises(NotationError, match="can't be written in one line"):
        format_hand(Hand((Tally(SideId("amy"), 1, 0),), (SideId("amy"),), (), shares))
