"""The hand in play: who is ready, whether play stopped, who claims to have called, and penalties so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, assert_never

from scorekeeper.errors import RulesError
from scorekeeper.rules.buzzer import Moment, same_time
from scorekeeper.rules.events import (
    CallRefused,
    CallVerified,
    HandBegun,
    LiveEvent,
    NertzCalled,
    PenaltyGiven,
    PenaltyRemoved,
    ReadySaid,
    StuckMoved,
    TimeOutCalled,
    TimeOutEnded,
    TimeOutReason,
)
from scorekeeper.rules.house import Rules
from scorekeeper.rules.said import Names, Said, say
from scorekeeper.rules.scoring import Adjustment, without
from scorekeeper.rules.sides import MAX_POINTS, Side, SideId, is_text, is_whole
from scorekeeper.rules.stuck import Stuck, after_move

MAX_REASON = 200
"""Longest reason in characters."""

Phase = Literal["waiting", "playing", "time-out", "called"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A call that was heard (rules C15)."""

    side: SideId
    verified: bool = False
    """Whether the table has looked and it stands."""
    pressed: Moment | None = None
    """When its phone's button was pressed; None for a call that somebody heard."""


@dataclass(frozen=True, slots=True)
class Live:
    """Everything about the hand in play that is not its counts; it begins anew with each hand."""

    ready: frozenset[SideId] = frozenset()
    begun: bool = False
    time_out: TimeOutCalled | None = None
    claims: tuple[Claim, ...] = ()
    """In the order they were heard, presses of phones in the order they were made (rules C8)."""
    refused: tuple[SideId, ...] = ()
    """Sides whose call did not stand in this hand."""
    second: tuple[SideId, ...] = ()
    """Sides whose call came after another one."""
    penalties: tuple[Adjustment, ...] = ()
    """Added to the hand when it is recorded."""
    stuck: Stuck = Stuck()

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        if self.claims:
            return "called"
        if self.time_out:
            return "time-out"
        return "playing" if self.begun else "waiting"

    @property
    def tied(self) -> tuple[SideId, ...]:
        """The sides that pressed first as far as anybody can tell; none when it is clear who did (rules C8, C9)."""
        pressed = [(claim.side, claim.pressed) for claim in self.claims if claim.pressed]
        first = pressed[0][1] if pressed else None
        level = [side for side, moment in pressed if first and moment and same_time(first, moment)]
        return tuple(level) if len(level) > 1 else ()


def after(live: Live, event: LiveEvent, sides: Sequence[Side], rules: Rules) -> Live:
    """The hand in play after *event*; *sides* play it. Raises RulesError for what can't be."""
    refuse_strangers(event, sides)
    match event:
        case ReadySaid(side, ready):
            _refuse_if(live.begun, say("the hand is being played already"))
            return replace(live, ready=live.ready | {side} if ready else live.ready - {side})
        case HandBegun():
            _refuse_if(live.begun, say("the hand is being played already"))
            return replace(live, begun=True)
        case TimeOutCalled() | TimeOutEnded():
            return _time_out(live, event)
        case NertzCalled() | CallVerified() | CallRefused():
            return _call(live, event)
        case PenaltyGiven(side, points, reason):
            return _with_penalty(live, Adjustment(side, points, reason))
        case PenaltyRemoved(number):
            return replace(live, penalties=without(live.penalties, [number]))
        case StuckMoved(move, by):
            return replace(live, stuck=after_move(live.stuck, move, by, sides, rules.play.stuck))
        case _:
            assert_never(event)


def not_ready(live: Live, sides: Sequence[Side]) -> tuple[Side, ...]:
    """The sides that have not said that they are ready."""
    return tuple(side for side in sides if side.id not in live.ready)


def _refuse_if(wrong: bool, reason: str) -> None:
    if wrong:
        raise RulesError(reason)


def refuse_strangers(event: LiveEvent, sides: Sequence[Side]) -> None:
    """Raises RulesError where *event* names somebody else than *sides*."""
    known = [side.id for side in sides]
    named = strangers(event, sides)
    _refuse_if(bool(named), f"{', '.join(named)} does not play this hand: use one of {', '.join(known)}")


def strangers(event: LiveEvent, sides: Sequence[Side]) -> list[SideId]:
    """Whom *event* names beside *sides*."""
    named = event.sides if isinstance(event, TimeOutCalled) else (getattr(event, "side", None),)
    return [side for side in named if side is not None and side not in [each.id for each in sides]]


def _time_out(live: Live, event: TimeOutCalled | TimeOutEnded) -> Live:
    """Play stops for two reasons only, and goes on (rules H1-H3)."""
    if isinstance(event, TimeOutEnded):
        _refuse_if(live.time_out is None, say("there is no time-out to end"))
        return replace(live, time_out=None)
    _refuse_if(live.time_out is not None, say("there is a time-out already: end it first"))
    _refuse_if(bool(live.claims), say("%(Call)s was called, so play has stopped already: look at the call first"))
    own_fumble = event.reason is TimeOutReason.ACCIDENT and len(set(event.sides)) < 2
    _refuse_if(
        own_fumble,
        say("a side's own fumble stops nobody: name the two sides of the accident, or say it is an emergency"),
    )
    _refuse_if(
        bool(event.note) and not is_text(event.note, MAX_REASON),
        say("use at most %(most)s letters in one line", most=MAX_REASON),
    )
    return replace(live, time_out=event)


def _call(live: Live, event: NertzCalled | CallVerified | CallRefused) -> Live:
    """A call is heard, then stands or falls (rules C15, G2)."""
    claimed = [claim.side for claim in live.claims]
    match event:
        case NertzCalled(side, at_ms, within_ms):
            _refuse_if(live.time_out is not None, say("play is stopped by a time-out: end it before anybody calls"))
            _refuse_if(side in claimed, say("%(name)s has called already: look whether the call stands", name=side))
            pressed = None if at_ms is None else Moment(at_ms, within_ms)
            return replace(live, claims=_in_order(live.claims, Claim(side, pressed=pressed)))
        case CallVerified(side):
            _refuse_if(side not in claimed, say("%(name)s has not called: note the call first", name=side))
            claims = tuple(replace(each, verified=each.verified or each.side == side) for each in live.claims)
            return replace(live, claims=claims)
        case CallRefused(side, penalty, second):
            _refuse_if(not is_whole(penalty) or not 0 <= penalty <= MAX_POINTS, f"{penalty!r} is no penalty")
            claims = tuple(each for each in live.claims if each.side != side)
            if second:
                return replace(live, claims=claims, second=(*live.second, side))
            fallen = replace(live, claims=claims, refused=(*live.refused, side))
            return _with_penalty(fallen, Adjustment(side, -penalty, "false call")) if penalty else fallen
        case _:
            assert_never(event)


def _in_order(claims: tuple[Claim, ...], new: Claim) -> tuple[Claim, ...]:
    """*new* behind the others, but before a press that was made later and heard earlier (rules C8)."""
    at = new.pressed.at_ms if new.pressed else None
    later = [n for n, each in enumerate(claims) if at is not None and each.pressed and each.pressed.at_ms > at]
    place = later[0] if later else len(claims)
    return (*claims[:place], new, *claims[place:])


def _with_penalty(live: Live, penalty: Adjustment) -> Live:
    right = is_whole(penalty.points) and 0 < abs(penalty.points) <= MAX_POINTS
    _refuse_if(
        not right,
        say(
            "%(points)s can't be a penalty: take off or add 1 to %(most)s", most=MAX_POINTS, points=abs(penalty.points)
        ),
    )
    _refuse_if(
        not is_text(penalty.reason, MAX_REASON), say("say why, in one line of 1 to %(most)s letters", most=MAX_REASON)
    )
    return replace(live, penalties=(*live.penalties, penalty))


def claims_against(live: Live, callers: Sequence[SideId], names: dict[SideId, str]) -> list[Said]:
    """What the calls heard and looked at say against *callers*; empty when all fits (rules C15)."""
    claimed = {claim.side for claim in live.claims}
    texts = []
    if missed := [names[side] for side in claimed if side not in callers]:
        texts.append(say("%(names)s called %(Call)s, but the hand says otherwise", names=Names(missed)))
    unseen = [names[claim.side] for claim in live.claims if not claim.verified and claim.side in callers]
    if unseen:
        texts.append(say("nobody has checked the call of %(names)s", names=Names(unseen)))
    if fallen := [names[side] for side in callers if side in live.refused and side not in claimed]:
        texts.append(say("the call of %(names)s was not valid in this hand", names=Names(fallen)))
    if later := [names[side] for side in callers if side in live.second and side not in claimed]:
        texts.append(say("the call of %(names)s came second in this hand", names=Names(later)))
    return texts
