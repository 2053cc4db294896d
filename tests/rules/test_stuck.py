"""The stuck table, by each of its four procedures."""

from __future__ import annotations

import pytest

from scorekeeper.errors import RulesError
from scorekeeper.rules.events import StuckMove
from scorekeeper.rules.house import StuckTable
from scorekeeper.rules.scoring import make_sides
from scorekeeper.rules.stuck import Stuck, advice, after_move

SIDES = make_sides(["Amy", "Ben"])
NATIONAL, NEW, TOP = StuckTable.NATIONAL, StuckTable.NEW_STOCK, StuckTable.TOP_TO_BOTTOM
ENDS = StuckTable.HAND_ENDS
BURN = "amy pass, amy pass, ben pass, ben pass, burn"


def play(moves: str, procedure: StuckTable) -> Stuck:
    """``amy pass, burn``: who, if anybody, then what."""
    stuck = Stuck()
    for words in filter(None, moves.split(", ")):
        *who, move = words.split()
        stuck = after_move(stuck, StuckMove(move), who[0] if who else None, SIDES, procedure)
    return stuck


@pytest.mark.parametrize(
    ("procedure", "moves", "says", "allowed"),
    [
        pytest.param(NATIONAL, "", "Play goes on", "pass play", id="F1 nobody is stuck"),
        pytest.param(NATIONAL, "amy pass, ben pass", "Play goes on", "pass play", id="F2 once is not idle"),
        pytest.param(NATIONAL, "amy pass, amy pass", "Amy found nothing: wait for Ben", "pass play", id="F3 one waits"),
        pytest.param(
            NATIONAL, "amy pass, amy pass, ben pass, ben pass",
            "Everybody is stuck: everybody moves the top card of the Stream to its bottom, at the same time; "
            "after 3 burns more without a play a Nertz card may be burnt",
            "pass play burn", id="F2 F3 F4 all idle after two passes",
        ),
        pytest.param(NATIONAL, BURN, "Play goes on", "pass play", id="F3 after a burn all look again"),
        pytest.param(
            NATIONAL, f"{BURN}, {BURN}, amy pass, amy pass, ben pass, ben pass", "after 1 burn more",
            "pass play burn", id="F5 after two burns",
        ),
        pytest.param(
            NATIONAL, f"{BURN}, {BURN}, {BURN}, amy pass, amy pass, ben pass, ben pass",
            "at the same time, or the top card of the Nertz pile; or end the hand and score it",
            "pass play burn nertz-burn", id="F5 F8 after three burns a Nertz card",
        ),
        pytest.param(
            NATIONAL, f"{BURN}, {BURN}, play, {BURN}, amy pass, amy pass, ben pass, ben pass", "after 2 burns more",
            "pass play burn", id="F5 any play begins anew",
        ),
        pytest.param(NEW, "amy pass", "who waits alone may move the top card", "pass play top-card", id="F7 K11 alone"),
        pytest.param(
            NEW, "amy pass, ben pass", "Everybody is stuck: everybody forms a new Stream; or end the hand",
            "pass play burn", id="F7 K11 all form a new Stream",
        ),
        pytest.param(NEW, "amy pass, amy top-card", "Play goes on", "pass play", id="F7 after the top card look again"),
        pytest.param(TOP, "amy pass", "Amy found nothing: wait for Ben", "pass play", id="F6 K11 a lone player waits"),
        pytest.param(
            TOP, "amy pass, ben pass", "everybody moves the top card of the Stream to its bottom; or end the hand",
            "pass play burn", id="F6 K11 all move the top card",
        ),
        pytest.param(ENDS, "amy pass", "Amy found nothing: wait for Ben", "pass play", id="F8 a lone player waits"),
        pytest.param(
            ENDS, "amy pass, ben pass", "Everybody is stuck, and the hand ends: count and score it", "pass play",
            id="F8 K11 the hand ends at once",
        ),
    ],
)  # fmt: skip
def test_what_a_stuck_table_may_do(procedure, moves, says, allowed):
    found = advice(play(moves, procedure), SIDES, procedure)
    assert says in found.text
    assert " ".join(found.moves) == allowed
    assert found.may_end == found.text.startswith("Everybody is stuck")


@pytest.mark.parametrize(
    ("procedure", "moves", "reason"),
    [
        pytest.param(NATIONAL, "amy pass, amy pass, burn", "wait for Ben: nobody burns alone", id="F3 nobody alone"),
        pytest.param(NATIONAL, "burn", "wait for Amy and Ben", id="F3 nobody is idle"),
        pytest.param(
            NATIONAL, f"{BURN}, nertz-burn", "after 3 Stream burns .* this is 1 Stream burn", id="F5 too early"
        ),
        pytest.param(NATIONAL, f"{BURN}, {BURN}, {BURN}, nertz-burn", "wait for Amy and Ben", id="F5 all must be idle"),
        pytest.param(NATIONAL, "amy pass, amy top-card", "stuck alone waits", id="F3 no top card"),
        pytest.param(TOP, "amy pass, amy top-card", "stuck alone waits", id="F6 no top card"),
        pytest.param(NEW, "amy top-card", "only a side that found nothing", id="F7 not stuck"),
        pytest.param(NEW, "amy pass, ben pass, amy top-card", "everybody is stuck", id="F7 all together"),
        pytest.param(TOP, "nertz-burn", "no Nertz card is burnt", id="F6 no Nertz burn"),
        pytest.param(ENDS, "amy pass, ben pass, burn", "a stuck hand ends: count and score it", id="F8 no burn"),
        pytest.param(ENDS, "amy pass, ben pass, nertz-burn", "no Nertz card is burnt", id="F8 no Nertz burn"),
        pytest.param(NATIONAL, "pass", "say which side: one of amy, ben", id="F2 whose pass"),
        pytest.param(NATIONAL, "zoe pass", "say which side", id="F2 a stranger's pass"),
    ],
)
def test_a_move_that_is_not_allowed_says_why(procedure, moves, reason):
    with pytest.raises(RulesError, match=reason):
        play(moves, procedure)


def test_f5_a_nertz_burn_is_counted_and_all_look_again():
    after = play(f"{BURN}, {BURN}, {BURN}, amy pass, amy pass, ben pass, ben pass, nertz-burn", NATIONAL)
    assert (after.burns, after.nertz_burns, dict(after.passes)) == (3, 1, {})
