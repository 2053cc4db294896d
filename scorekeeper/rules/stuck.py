"""The stuck table: who has found nothing to play, and what all may do then, by the house's procedure (rules F)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from scorekeeper.errors import RulesError
from scorekeeper.rules.events import StuckMove
from scorekeeper.rules.house import StuckTable
from scorekeeper.rules.said import Names, Said, say, say_count
from scorekeeper.rules.sides import Side, SideId

PASSES = {StuckTable.NATIONAL: 2, StuckTable.NEW_STOCK: 1, StuckTable.TOP_TO_BOTTOM: 1, StuckTable.HAND_ENDS: 1}
"""Passes through its Stream after which a side counts as idle (rules F2)."""
BURNS_BEFORE_NERTZ = 3
"""Stream burns without any play before a Nertz card may be burnt (rules F5)."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """How far the procedure is since the last card was played."""

    passes: Mapping[SideId, int] = field(default_factory=dict)
    """Fruitless passes of each side through its Stream since the last burn."""
    burns: int = 0
    """Stream burns since the last card was played."""
    nertz_burns: int = 0


@dataclass(frozen=True, slots=True)
class Advice:
    """What the table may do now."""

    text: Said
    moves: tuple[StuckMove, ...]
    """Moves that are allowed, for somebody at least."""
    may_end: bool = False
    """Whether everybody is stuck, so that the hand may end and be scored (rules F8)."""


def idle(stuck: Stuck, sides: Sequence[Side], procedure: StuckTable) -> tuple[Side, ...]:
    """The sides that have found nothing to play."""
    return tuple(side for side in sides if stuck.passes.get(side.id, 0) >= PASSES[procedure])


def after_move(
    stuck: Stuck, move: StuckMove, side: SideId | None, sides: Sequence[Side], procedure: StuckTable
) -> Stuck:
    """The procedure one step on; raises RulesError for a move that is not allowed now."""
    if (reason := why_not(stuck, move, side, sides, procedure)) is not None:
        raise RulesError(reason)
    match move:
        case StuckMove.PASS:
            return replace(stuck, passes={**stuck.passes, _given(side): stuck.passes.get(_given(side), 0) + 1})
        case StuckMove.PLAY:
            return Stuck()
        case StuckMove.BURN:
            return replace(stuck, passes={}, burns=stuck.burns + 1)
        case StuckMove.NERTZ_BURN:
            return replace(stuck, passes={}, nertz_burns=stuck.nertz_burns + 1)
        case StuckMove.TOP_CARD:
            return replace(stuck, passes={**stuck.passes, _given(side): 0})
        case _:
            assert_never(move)


def why_not(
    stuck: Stuck, move: StuckMove, side: SideId | None, sides: Sequence[Side], procedure: StuckTable
) -> Said | None:
    """Why *move* is not allowed now; None when it is."""
    waiting = Names(each.name for each in sides if each not in idle(stuck, sides, procedure))
    if move in _BY_ONE and side not in [each.id for each in sides]:
        return say("say which side: one of %(sides)s", sides=", ".join(each.id for each in sides))
    check = _CHECKS.get(move)
    return check(stuck, waiting, side, procedure) if check else None


def advice(stuck: Stuck, sides: Sequence[Side], procedure: StuckTable) -> Advice:
    """What the table may do now, in words, and by which moves."""
    still = idle(stuck, sides, procedure)
    moves = tuple(move for move in StuckMove if any(_open(stuck, move, side.id, sides, procedure) for side in sides))
    if not still:
        return Advice(say("Play goes on: say so when a side finds nothing to play"), moves)
    if len(still) == len(sides):
        return Advice(_all_idle(stuck, procedure), moves, may_end=True)
    names, waiting = Names(side.name for side in still), Names(side.name for side in sides if side not in still)
    return Advice(say("%(names)s found nothing: %(wait)s", names=names, wait=_wait(waiting, procedure)), moves)


def _open(stuck: Stuck, move: StuckMove, side: SideId, sides: Sequence[Side], procedure: StuckTable) -> bool:
    return why_not(stuck, move, side, sides, procedure) is None


def _together(procedure: StuckTable) -> Said:
    """What all do together once everybody is idle."""
    match procedure:
        case StuckTable.NATIONAL:
            return say("everybody moves the top card of the %(Stream)s to its bottom, at the same time")
        case StuckTable.NEW_STOCK:
            return say("everybody forms a new %(Stream)s")
        case StuckTable.TOP_TO_BOTTOM:
            return say("everybody moves the top card of the %(Stream)s to its bottom")
        case StuckTable.HAND_ENDS:
            return say("the hand ends: count and score it")
        case _:
            assert_never(procedure)


def _all_idle(stuck: Stuck, procedure: StuckTable) -> Said:
    if procedure is StuckTable.HAND_ENDS:
        return say("Everybody is stuck, and the hand ends: count and score it")
    what = _together(procedure)
    if procedure is not StuckTable.NATIONAL:
        return say("Everybody is stuck: %(what)s; or end the hand and score it", what=what)
    if stuck.burns >= BURNS_BEFORE_NERTZ:
        return say(
            "Everybody is stuck: %(what)s, or the top card of the %(Pile)s; or end the hand and score it", what=what
        )
    return say_count(
        "Everybody is stuck: %(what)s; after %(num)s burn more without a play a %(Game)s card may be burnt",
        "Everybody is stuck: %(what)s; after %(num)s burns more without a play a %(Game)s card may be burnt",
        BURNS_BEFORE_NERTZ - stuck.burns,
        what=what,
    )


def _wait(waiting: Names, procedure: StuckTable) -> Said:
    if procedure is StuckTable.NEW_STOCK:
        return say(
            "wait for %(names)s; who waits alone may move the top card of the %(Stream)s to its bottom", names=waiting
        )
    return say("wait for %(names)s", names=waiting)


def _given(side: SideId | None) -> SideId:
    assert side is not None
    return side


def _why_no_burn(_stuck: Stuck, waiting: Names, _side: SideId | None, procedure: StuckTable) -> Said | None:
    if procedure is StuckTable.HAND_ENDS:
        return say("by these house rules a stuck hand ends: count and score it")
    return say("wait for %(names)s: nobody burns alone", names=waiting) if waiting else None


def _why_no_nertz_burn(stuck: Stuck, waiting: Names, _side: SideId | None, procedure: StuckTable) -> Said | None:
    if procedure is not StuckTable.NATIONAL:
        return say("by these house rules no %(Game)s card is burnt: end the hand and score it")
    if stuck.burns < BURNS_BEFORE_NERTZ:
        return say_count(
            "a %(Game)s card may be burnt after %(least)s %(Stream)s burns without a play, "
            "and this is %(num)s %(Stream)s burn",
            "a %(Game)s card may be burnt after %(least)s %(Stream)s burns without a play, "
            "and this is %(num)s %(Stream)s burns",
            stuck.burns,
            least=BURNS_BEFORE_NERTZ,
        )
    return _why_no_burn(stuck, waiting, None, procedure)


def _why_no_top_card(stuck: Stuck, waiting: Names, side: SideId | None, procedure: StuckTable) -> Said | None:
    if procedure is not StuckTable.NEW_STOCK:
        return say("by these house rules a side that is stuck alone waits")
    if stuck.passes.get(_given(side), 0) < PASSES[procedure]:
        return say("only a side that found nothing in its whole %(Stream)s moves its top card")
    return None if waiting else say("everybody is stuck: %(what)s", what=_together(procedure))


_BY_ONE = (StuckMove.PASS, StuckMove.TOP_CARD)
_CHECKS: Mapping[StuckMove, Callable[[Stuck, Names, SideId | None, StuckTable], Said | None]] = {
    StuckMove.BURN: _why_no_burn,
    StuckMove.NERTZ_BURN: _why_no_nertz_burn,
    StuckMove.TOP_CARD: _why_no_top_card,
}
