"""Who pressed first: clocks that are wrong, lines that are slow, and presses that nobody can tell apart."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.errors import RulesError
from scorekeeper.rules.buzzer import DRIFT, LONGEST_FLIGHT_MS, Moment, Ping, moment, same_time
from scorekeeper.rules.events import CallVerified, Event, GameStarted, NertzCalled
from scorekeeper.rules.fold import fold
from scorekeeper.rules.live import Live
from scorekeeper.rules.scoring import Rules, SideId, make_sides

AMY, BEN, CLEO = SideId("amy"), SideId("ben"), SideId("cleo")
NOW = 1_800_000_000_000.0
"""A moment by the server's clock, in milliseconds."""

ways = st.floats(0, 400)
"""How long a message travels, in milliseconds."""
wrong = st.floats(-1e10, 1e10)
"""How far a phone's clock is ahead of the server's: any amount."""


@st.composite
def phones(draw, pressed: float = NOW) -> tuple[float, Moment]:
    """A press at a true moment by a phone with any clock, and what the server makes of it."""
    ahead = draw(wrong)
    pings = []
    for ago, there, back in draw(st.lists(st.tuples(st.floats(500, 60_000), ways, ways), min_size=1, max_size=6)):
        asked = pressed - ago
        pings.append(Ping(asked + ahead, asked + there, asked + there + back + ahead))
    true = pressed + draw(st.floats(0, 300))
    return true, moment(true + draw(ways), true + ahead, pings)


@given(phones())
def test_c8_a_wrong_clock_does_not_matter(phone):
    true, found = phone
    assert abs(found.at_ms - true) <= found.within_ms


@given(phones(), phones())
def test_c8_c9_nobody_who_was_second_is_called_first(one, other):
    (true, found), (later, other_found) = sorted([one, other], key=lambda phone: phone[0])
    assert same_time(found, other_found) or found.at_ms < other_found.at_ms or true == later


@given(st.floats(allow_nan=True), st.lists(st.tuples(wrong, st.floats(0, 2e12), st.floats(0, 9_000)), max_size=4))
def test_an_absurd_time_is_bounded_by_the_arrival(pressed, pings):
    found = moment(NOW, pressed, [Ping(sent, server, sent + way) for sent, server, way in pings])
    assert NOW - LONGEST_FLIGHT_MS - 1 <= found.at_ms <= NOW + 1


def test_a_phone_without_a_clock_is_judged_by_its_arrival():
    assert moment(NOW) == moment(NOW, 5.0) == moment(NOW, None, [Ping(0, NOW, 10)]) == Moment(int(NOW) - 250, 251)


def test_the_quickest_answer_counts_and_a_comparison_grows_old():
    slow, quick = Ping(0, NOW + 10, 300), Ping(1_000, NOW + 1_010, 1_020)
    assert moment(NOW + 2_000, 1_900, [slow, quick]) == Moment(int(NOW) + 1_900, 11)
    stale = Ping(-3_600_000, NOW - 3_600_000, -3_600_000)
    assert moment(NOW + 2_000, 1_900, [stale]).within_ms == math.ceil(DRIFT * 3_601_900 + 0.5)


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param((0, NOW, -1), id="an answer before the question"),
        pytest.param((0, NOW, 10_001), id="an answer far too late"),
        pytest.param((0, math.nan, 5), id="a clock without a number"),
        pytest.param((math.inf, NOW, math.inf), id="a clock at the end of time"),
    ],
)
def test_what_is_no_comparison_of_clocks_is_refused(bad):
    with pytest.raises(RulesError):
        Ping(*bad)


def live(*events: Event) -> Live:
    return fold([GameStarted(make_sides(["Amy", "Ben", "Cleo"]), Rules()), *events]).live


@pytest.mark.parametrize(
    ("calls", "order", "tied"),
    [
        pytest.param([], "", "", id="C8 nobody called"),
        pytest.param([NertzCalled(AMY, 1000, 20)], "amy", "", id="C8 one press"),
        pytest.param([NertzCalled(AMY, 1000, 20), NertzCalled(BEN, 1041, 20)], "amy ben", "", id="C8 clearly first"),
        pytest.param(
            [NertzCalled(AMY, 1000, 20), NertzCalled(BEN, 1040, 20)], "amy ben", "amy ben", id="C9 nobody can tell"
        ),
        pytest.param(
            [NertzCalled(BEN, 1900, 20), NertzCalled(AMY, 1000, 20)], "amy ben", "", id="C8 heard late, pressed early"
        ),
        pytest.param(
            [NertzCalled(AMY, 1000, 20), NertzCalled(CLEO, 1090, 20), NertzCalled(BEN, 1030, 20)],
            "amy ben cleo",
            "amy ben",
            id="C9 only those level with the first",
        ),
        pytest.param(
            [NertzCalled(BEN), NertzCalled(AMY, 1000, 20)], "ben amy", "", id="C8 a call that was heard keeps its place"
        ),
        pytest.param(
            [NertzCalled(AMY, 5000, 9), CallVerified(AMY), NertzCalled(BEN, 5010, 9)],
            "amy ben",
            "amy ben",
            id="C9 also after somebody looked",
        ),
    ],
)
def test_calls_stand_in_the_order_of_the_presses(calls, order, tied):
    hand = live(*calls)
    assert " ".join(claim.side for claim in hand.claims) == order
    assert " ".join(hand.tied) == tied
