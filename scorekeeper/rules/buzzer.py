"""The buzzer: when a phone's button was pressed by the server's clock, and how far off that may be (rules C8, C9)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from scorekeeper.errors import RulesError
from scorekeeper.rules.said import say

LONGEST_FLIGHT_MS = 5_000.0
"""A press that says it was made longer ago than this is not believed."""
UNKNOWN_FLIGHT_MS = 500.0
"""How long the press of a phone without a measured clock may have travelled."""
LONGEST_PING_MS = 10_000.0
"""A round trip longer than this says nothing about a clock."""
DRIFT = 2e-4
"""How much two clocks part, as a share of the time since they were compared."""


@dataclass(frozen=True, slots=True)
class Ping:
    """One question for the server's time, and its answer."""

    sent_ms: float
    """By the phone's clock."""
    server_ms: float
    """By the server's clock, somewhere between question and answer."""
    heard_ms: float
    """By the phone's clock."""

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.sent_ms, self.server_ms, self.heard_ms))):
            raise RulesError(say("a clock that shows no number can't be compared: load the page again"))
        if not 0 <= self.heard_ms - self.sent_ms <= LONGEST_PING_MS:
            raise RulesError(say("a question that travelled that long says nothing about a clock: load the page again"))

    @property
    def ahead_ms(self) -> float:
        """How far the server's clock is ahead of the phone's, best guess."""
        return self.server_ms - (self.sent_ms + self.heard_ms) / 2

    def within_ms(self, pressed_ms: float) -> float:
        """How far off that may be at the moment *pressed_ms* of the phone's clock."""
        return (self.heard_ms - self.sent_ms) / 2 + DRIFT * abs(pressed_ms - self.heard_ms)


@dataclass(frozen=True, slots=True)
class Moment:
    """When a button was pressed, by the server's clock."""

    at_ms: int
    within_ms: int
    """How far off that may be, either way."""


def moment(arrived_ms: float, pressed_ms: float | None = None, pings: Iterable[Ping] = ()) -> Moment:
    """When a press that *arrived_ms* by the server's clock was made; *pressed_ms* is by the phone's.

    A phone that never asked for the time, or says what can't be, is judged by the arrival.
    """
    known = list(pings)
    if pressed_ms is None or not math.isfinite(pressed_ms) or not known:
        return _by_arrival(arrived_ms)
    best = min(known, key=lambda ping: ping.within_ms(pressed_ms))
    at, within = pressed_ms + best.ahead_ms, best.within_ms(pressed_ms)
    earliest = arrived_ms - LONGEST_FLIGHT_MS
    if at + within < earliest or at - within > arrived_ms:
        return _by_arrival(arrived_ms)
    return _whole(min(max(at, earliest), arrived_ms), within)


def same_time(one: Moment, other: Moment) -> bool:
    """Whether nobody can tell which of two presses came first (rules C9)."""
    return abs(one.at_ms - other.at_ms) <= one.within_ms + other.within_ms


def _by_arrival(arrived_ms: float) -> Moment:
    return _whole(arrived_ms - UNKNOWN_FLIGHT_MS / 2, UNKNOWN_FLIGHT_MS / 2)


def _whole(at_ms: float, within_ms: float) -> Moment:
    """Whole milliseconds that still hold the true moment."""
    return Moment(round(at_ms), math.ceil(within_ms + 0.5))
