"""The hand clock: how long a hand has been played, time-outs left out, from the moments things happened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from scorekeeper.rules.events import (
    CallRefused,
    Event,
    HandBegun,
    HandRecorded,
    LastHandUndone,
    NertzCalled,
    TimeOutCalled,
    TimeOutEnded,
)

Moment = tuple[datetime, Event]
"""An event and when it happened."""


LONGEST = timedelta(hours=1)
"""Hands take minutes: longer ones come of a clock that was set, or of a break that nobody told the clock."""


@dataclass(frozen=True, slots=True)
class HandClock:
    """The clock of one hand: it starts with Go, and stands still in a time-out and after a call (rules B9, G2)."""

    started: datetime | None = None
    """When somebody said Go; None before."""
    running_since: datetime | None = None
    """None while it stands still."""
    before: timedelta = timedelta()
    """Played before it last stood still."""
    open_calls: int = 0
    """Calls heard and not refused."""
    in_time_out: bool = False
    jumped: bool = False
    """Whether the computer's clock was set while the hand was played, so that nobody knows how long it took."""

    def played(self, now: datetime) -> timedelta:
        """Time played until *now*, time-outs left out (rules H3)."""
        return self.before + (max(now - self.running_since, timedelta()) if self.running_since else timedelta())

    @property
    def running(self) -> bool:
        """Whether play goes on."""
        return self.running_since is not None


def hand_clock(moments: Iterable[Moment]) -> HandClock:
    """The clock of the hand in play."""
    clock = HandClock()
    for at, event in moments:
        clock = HandClock() if isinstance(event, HandRecorded | LastHandUndone) else _tick(clock, at, event)
    return clock


def hand_times(moments: Iterable[Moment]) -> list[timedelta | None]:
    """How long each recorded hand was played, in order; None where nobody said Go, or the computer's clock jumped."""
    times: list[timedelta | None] = []
    clock = HandClock()
    for at, event in moments:
        if isinstance(event, HandRecorded):
            clock = _stop(clock, at)
            times.append(clock.before if clock.started and not clock.jumped else None)
        elif isinstance(event, LastHandUndone):
            times.pop()
        clock = HandClock() if isinstance(event, HandRecorded | LastHandUndone) else _tick(clock, at, event)
    return times


def _tick(clock: HandClock, at: datetime, event: Event) -> HandClock:
    match event:
        case HandBegun():
            return HandClock(started=at, running_since=at)
        case TimeOutCalled():
            return replace(_stop(clock, at), in_time_out=True)
        case TimeOutEnded():
            return _go_on(replace(clock, in_time_out=False), at)
        case NertzCalled():
            return replace(_stop(clock, at), open_calls=clock.open_calls + 1)
        case CallRefused():
            return _go_on(replace(clock, open_calls=max(clock.open_calls - 1, 0)), at)
        case _:
            return clock


def _stop(clock: HandClock, at: datetime) -> HandClock:
    before = clock.played(at)
    back = clock.running_since is not None and at < clock.running_since
    return replace(clock, before=before, running_since=None, jumped=clock.jumped or back or before > LONGEST)


def _go_on(clock: HandClock, at: datetime) -> HandClock:
    """The clock runs again once nothing holds it."""
    held = clock.started is None or clock.in_time_out or clock.open_calls or clock.running
    return clock if held else replace(clock, running_since=at)
