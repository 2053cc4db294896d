"""The hand in play: ready and Go, time-outs, calls and penalties, and its clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from scorekeeper.errors import IllegalHandError, RulesError
from scorekeeper.rules.clock import hand_clock, hand_times
from scorekeeper.rules.events import (
    CallRefused,
    CallVerified,
    Event,
    GameStarted,
    HandBegun,
    HandCorrected,
    HandRecorded,
    LastHandUndone,
    NertzCalled,
    PenaltyGiven,
    PenaltyRemoved,
    ReadySaid,
    SideLeft,
    StuckMove,
    StuckMoved,
    TimeOutCalled,
    TimeOutEnded,
    TimeOutReason,
)
from scorekeeper.rules.fold import apply, fold, vet_hand
from scorekeeper.rules.game import Game
from scorekeeper.rules.live import Claim, not_ready
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, SideId, make_sides

AMY, BEN, ZOE = SideId("amy"), SideId("ben"), SideId("zoe")
START = GameStarted(make_sides(["Amy", "Ben"]), Rules())
HAND = HandRecorded(parse_hand("amy 14/0! ben 9/4"))
CRASH = TimeOutCalled(TimeOutReason.ACCIDENT, (AMY, BEN), "the lamp fell")
FIRE = TimeOutCalled(TimeOutReason.EMERGENCY)


def after(*events: Event) -> Game:
    return fold([START, *events])


def test_b9_everybody_says_ready_then_somebody_says_go():
    game = after(ReadySaid(AMY), ReadySaid(BEN), ReadySaid(AMY, ready=False))
    assert [side.name for side in not_ready(game.live, game.playing)] == ["Amy"]
    assert (game.live.phase, apply(game, HandBegun()).live.phase) == ("waiting", "playing")


@pytest.mark.parametrize(
    ("events", "phase"),
    [
        pytest.param([HandBegun(), CRASH], "time-out", id="H1 an accident between two sides"),
        pytest.param([FIRE], "time-out", id="H1 H3 an emergency stops play at once"),
        pytest.param([HandBegun(), FIRE, TimeOutEnded()], "playing", id="H3 play goes on"),
        pytest.param([HandBegun(), NertzCalled(AMY)], "called", id="G2 a call stops play"),
        pytest.param([HandBegun(), NertzCalled(AMY), CallRefused(AMY)], "playing", id="C15 a false call, play goes on"),
        pytest.param([NertzCalled(AMY), CallVerified(AMY), HAND], "waiting", id="C15 the next hand begins anew"),
    ],
)
def test_what_the_table_is_doing(events, phase):
    assert after(*events).live.phase == phase


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        pytest.param([ReadySaid(ZOE)], "zoe does not play this hand: use one of amy, ben", id="B9 a stranger"),
        pytest.param([HandBegun(), HandBegun()], "being played already", id="B9 Go twice"),
        pytest.param([HandBegun(), ReadySaid(AMY)], "being played already", id="B9 ready after Go"),
        pytest.param(
            [TimeOutCalled(TimeOutReason.ACCIDENT, (AMY,))], "own fumble stops nobody", id="H2 a side's own fumble"
        ),
        pytest.param([TimeOutCalled(TimeOutReason.ACCIDENT, (AMY, AMY))], "own fumble", id="H2 the same side twice"),
        pytest.param([TimeOutCalled(TimeOutReason.ACCIDENT, (AMY, ZOE))], "zoe does not play", id="H1 a stranger"),
        pytest.param([TimeOutCalled(TimeOutReason.EMERGENCY, note="a\nb")], "one line", id="H3 a note of two lines"),
        pytest.param([FIRE, FIRE], "there is a time-out already", id="H3 two time-outs"),
        pytest.param([TimeOutEnded()], "no time-out to end", id="H3 no time-out"),
        pytest.param([NertzCalled(AMY), FIRE], "play has stopped already", id="H3 no time-out after a call"),
        pytest.param([FIRE, NertzCalled(AMY)], "stopped by a time-out", id="H3 no call in a time-out"),
        pytest.param([NertzCalled(AMY), NertzCalled(AMY)], "amy has called already", id="C15 two calls of one side"),
        pytest.param([CallVerified(AMY)], "amy has not called", id="C15 no call to look at"),
        pytest.param([CallRefused(AMY, -1)], "-1 is no penalty", id="H5 a penalty that adds"),
        pytest.param([CallRefused(AMY, True)], "True is no penalty", id="H5 a penalty of yes"),
        pytest.param([PenaltyGiven(AMY, 0, "late")], "0 can't be a penalty", id="H5 a penalty of nothing"),
        pytest.param([PenaltyGiven(AMY, 100_001, "late")], "100001 can't be a penalty", id="H5 a penalty too large"),
        pytest.param([PenaltyRemoved(1)], "there is no penalty 1", id="H5 nothing to remove"),
        pytest.param(
            [PenaltyGiven(AMY, -5, "late"), PenaltyRemoved(0)], "no penalty 0", id="H5 penalties count from 1"
        ),
        pytest.param([PenaltyGiven(AMY, -5, "late"), PenaltyRemoved(2)], "no penalty 2", id="H5 one too far"),
        pytest.param([PenaltyGiven(AMY, -5, " ")], "say why", id="H5 a penalty without a reason"),
        pytest.param([StuckMoved(StuckMove.BURN)], "nobody burns alone", id="F3 a burn too early"),
    ],
)
def test_what_cannot_happen_says_why(events, reason):
    with pytest.raises(RulesError, match=reason):
        after(*events)


def test_f2_passes_are_counted_until_the_hand_is_over():
    game = after(StuckMoved(StuckMove.PASS, AMY), StuckMoved(StuckMove.PASS, AMY))
    assert game.live.stuck.passes == {AMY: 2}
    assert apply(game, HAND).live.stuck.passes == {}


def test_c8_calls_stand_in_the_order_they_were_heard():
    game = after(NertzCalled(BEN), NertzCalled(AMY), CallVerified(AMY))
    assert game.live.claims == (Claim(BEN), Claim(AMY, verified=True))


def test_h5_each_penalty_of_the_hand_in_play_can_be_removed_and_given_again():
    given = after(CallRefused(BEN, 5), PenaltyGiven(AMY, -2, "late"), PenaltyGiven(BEN, -1, "late"))
    removed = apply(given, PenaltyRemoved(1))
    assert [(each.side, each.points) for each in removed.live.penalties] == [(AMY, -2), (BEN, -1)]
    again = apply(removed, PenaltyGiven(BEN, -5, "false call"))
    assert apply(again, HAND).totals == apply(given, HAND).totals
    assert apply(removed, HAND).totals == {AMY: 12, BEN: 0}


def test_h5_a_penalty_that_came_into_a_hand_can_be_removed_by_a_correction():
    game = after(PenaltyGiven(AMY, -2, "late"), PenaltyGiven(BEN, -5, "peeked"), HAND)
    corrected = apply(game, HandCorrected(1, HAND.hand, "it was Cleo who peeked", removed=(2,)))
    assert (game.totals, corrected.totals) == ({AMY: 12, BEN: -4}, {AMY: 12, BEN: 1})
    assert [each.points for each in corrected.played[0].penalties] == [-2]
    assert apply(corrected, LastHandUndone("again")).live.penalties == corrected.played[0].penalties


def test_h5_the_penalty_of_a_side_that_left_can_be_removed_too():
    sides = make_sides(["Amy", "Ben", "Zoe"])
    events = [PenaltyGiven(ZOE, -5, "peeked"), SideLeft(ZOE), HandRecorded(parse_hand("amy 14/0! ben 9/4"))]
    game = fold([GameStarted(sides, Rules()), *events])
    corrected = apply(game, HandCorrected(1, game.hands[0], "nobody peeked", removed=(1,)))
    assert (game.totals[ZOE], corrected.totals[ZOE]) == (-5, 0)
    assert corrected.played[0].absent == ()


def test_h5_a_correction_removes_no_penalty_that_is_not_there():
    with pytest.raises(RulesError, match="there is no penalty 1 to remove"):
        after(HAND, HandCorrected(1, HAND.hand, "again", removed=(1,)))


def test_h5_a_penalty_of_the_hand_in_play_is_in_its_points_and_survives_an_undo():
    game = after(CallRefused(BEN, 5), PenaltyGiven(AMY, 2, "kind"), HAND)
    assert game.totals == {AMY: 16, BEN: -4}
    undone = apply(apply(game, PenaltyGiven(BEN, -1, "late")), LastHandUndone("again"))
    assert [penalty.points for penalty in undone.live.penalties] == [-5, 2, -1]
    assert apply(undone, HAND).totals == {AMY: 16, BEN: -5}


@pytest.mark.parametrize(
    ("events", "hand", "doubts"),
    [
        pytest.param([], "amy 9/0! ben 1/1", [], id="C15 a table without a buzzer"),
        pytest.param([NertzCalled(AMY), CallVerified(AMY)], "amy 9/0! ben 1/1", [], id="C15 the call stands"),
        pytest.param(
            [NertzCalled(AMY)], "amy 9/0! ben 1/1", ["nobody has checked the call of Amy"],
            id="C15 nobody has looked",
        ),
        pytest.param(
            [NertzCalled(AMY), CallVerified(AMY)], "amy 9/0 ben 1/0!",
            ["Amy called Nertz, but the hand says otherwise"], id="C15 G4 another caller",
        ),
        pytest.param(
            [NertzCalled(AMY), CallRefused(AMY)], "amy 9/0! ben 1/1", ["the call of Amy was not valid in this hand"],
            id="C15 a false call is no call",
        ),
        pytest.param(
            [NertzCalled(BEN), NertzCalled(AMY), CallRefused(AMY, second=True)], "amy 9/0! ben 1/0!",
            ["nobody has checked the call of Ben", "the call of Amy came second in this hand"],
            id="C8 a call that came second is said to be it",
        ),
        pytest.param(
            [NertzCalled(AMY), CallRefused(AMY), NertzCalled(AMY), CallVerified(AMY)], "amy 9/0! ben 1/1", [],
            id="C15 the second call stands",
        ),
    ],
)  # fmt: skip
def test_a_call_is_looked_at_before_it_counts(events, hand, doubts):
    game, wanted = after(*events), parse_hand(hand)
    told = [f"{doubt}: check again, or record anyway" for doubt in doubts]
    assert list(vet_hand(game, wanted, confirm_doubts=True)) == told
    if doubts:
        with pytest.raises(IllegalHandError, match=doubts[0]):
            vet_hand(game, wanted)


def test_c15_the_call_of_a_stranger_is_one_problem_only():
    with pytest.raises(IllegalHandError) as refusal:
        vet_hand(after(), parse_hand("amy 9/0 ben 1/0 zoe!"))
    assert [problem.kind for problem in refusal.value.problems] == ["sides"]


NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def at(*timed: tuple[int, Event]) -> list[tuple[datetime, Event]]:
    return [(NOON + timedelta(seconds=second), event) for second, event in timed]


@pytest.mark.parametrize(
    ("moments", "seconds", "running"),
    [
        pytest.param([], 0, False, id="B9 before Go"),
        pytest.param([(0, HandBegun())], 100, True, id="B9 the clock starts with Go"),
        pytest.param([(0, HandBegun()), (30, FIRE)], 30, False, id="H3 a time-out stops it"),
        pytest.param([(0, HandBegun()), (30, FIRE), (50, TimeOutEnded())], 80, True, id="H3 and it goes on"),
        pytest.param([(0, HandBegun()), (60, NertzCalled(AMY))], 60, False, id="G2 a call stops it"),
        pytest.param(
            [(0, HandBegun()), (60, NertzCalled(AMY)), (61, NertzCalled(BEN)), (70, CallRefused(AMY))], 60, False,
            id="G2 one call still stands",
        ),
        pytest.param(
            [(0, HandBegun()), (60, NertzCalled(AMY)), (70, CallRefused(AMY))], 90, True, id="G2 a false call"
        ),
        pytest.param([(0, HandBegun()), (20, CallRefused(AMY))], 100, True, id="C15 a false call without the buzzer"),
        pytest.param([(0, FIRE), (9, TimeOutEnded())], 0, False, id="H3 a time-out before Go"),
        pytest.param([(0, HandBegun()), (60, HAND)], 0, False, id="the next hand has a clock of its own"),
        pytest.param([(0, HandBegun()), (200, ReadySaid(AMY))], 100, True, id="other events leave it"),
    ],
)  # fmt: skip
def test_the_hand_clock_leaves_time_outs_out(moments, seconds, running):
    clock = hand_clock(at(*moments))
    assert clock.played(NOON + timedelta(seconds=100)) == timedelta(seconds=seconds)
    assert clock.running is running


def test_the_clock_never_runs_backwards():
    assert hand_clock(at((50, HandBegun()))).played(NOON) == timedelta()


HOUR = 3600


@pytest.mark.parametrize(
    "moments",
    [
        pytest.param([(0, HandBegun()), (9 * HOUR, HAND)], id="nine hours on"),
        pytest.param([(0, HandBegun()), (-7 * HOUR, HAND)], id="seven hours back"),
        pytest.param([(0, HandBegun()), (30, FIRE), (31, TimeOutEnded()), (-60, HAND)], id="back after a time-out"),
        pytest.param([(0, HandBegun()), (-60, FIRE), (-30, TimeOutEnded()), (0, HAND)], id="back before a time-out"),
        pytest.param([(0, HandBegun()), (9 * HOUR, NertzCalled(AMY)), (9 * HOUR + 5, HAND)], id="on before a call"),
        pytest.param([(0, HandBegun()), (HOUR + 60, HAND)], id="an hour on"),
    ],
)
def test_a_hand_has_no_time_where_the_computers_clock_was_set(moments):
    moments = at(*moments, (10 * HOUR, HandBegun()), (10 * HOUR + 60, HAND))
    assert hand_times(moments) == [None, timedelta(seconds=60)]


def test_each_hand_has_its_time():
    undo = LastHandUndone("again")
    moments = at((0, HandBegun()), (60, HAND), (70, HAND), (80, HandBegun()), (85, HAND), (86, undo), (99, HAND))
    assert hand_times(moments) == [timedelta(seconds=60), None, None]
