"""What a file of a game may hold: every field with its type and its range, checked before anything is made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from scorekeeper.rules.events import StuckMove, TimeOutReason
from scorekeeper.rules.house import Rules
from scorekeeper.rules.names import is_shown
from scorekeeper.rules.sides import MAX_POINTS, Handicap, Side

FORMAT = "nertz-scorekeeper-game"
VERSION = 1
"""Of the file; each event says its own."""
MOST_EVENTS = 5_000
"""Of one game; a long evening has some hundred."""
MOST_HANDS = 1_000
MOST_JUDGED = 30_000
"""Hands judged anew, as all are after each event that revises one."""
REVISING = frozenset({"hand-corrected", "last-hand-undone", "late-hands-settled", "side-renamed"})

Word = Annotated[str, Meta(min_length=1, max_length=80, pattern=r"^\S+$")]
"""The short name of a side."""
Text = Annotated[str, Meta(max_length=2000)]
Count = Annotated[int, Meta(ge=0, le=1000)]
"""Cards of one deck, or places in a list; more than any table has."""
Number = Annotated[int, Meta(ge=1, le=MOST_EVENTS)]
Whole = Annotated[int, Meta(ge=-MAX_POINTS, le=MAX_POINTS)]
Exact = Annotated[str, Meta(pattern=r"^-?[0-9]{1,7}(/[1-9][0-9]{0,4})?$")]
"""Points as a whole number or a fraction, such as ``10/3``."""
Few = Meta(max_length=200)


class Tally(Struct, array_like=True, forbid_unknown_fields=True):
    side: Word
    lake: Count
    left: Count
    ranks: Annotated[list[tuple[Count, Count]], Few] = []


class Adjustment(Struct, array_like=True, forbid_unknown_fields=True):
    side: Word
    points: Whole
    reason: Text


class Hand(Struct, forbid_unknown_fields=True):
    tallies: Annotated[list[Tally], Few]
    callers: Annotated[list[Word], Few]
    adjustments: Annotated[list[Adjustment], Few]
    shares: Annotated[list[tuple[Word, Exact]], Few] = []
    typed: Annotated[list[tuple[Word, Exact]], Few] = []


class Body(Struct, forbid_unknown_fields=True, kw_only=True):
    v: Literal[1, 2]


class Started(Body):
    sides: Annotated[list[Side], Few]
    rules: Rules


class Enrolled(Body):
    side: Word
    deck: Text
    signatures: Annotated[list[Annotated[str, Meta(max_length=200_000, pattern=r"^[ -~]+$")]], Few]


class Recorded(Body):
    hand: Hand
    doubts: Annotated[list[Text], Few]
    said: Annotated[list[dict[str, Any] | None], Few] = []


class Corrected(Body):
    number: Number
    hand: Hand
    reason: Text
    doubts: Annotated[list[Text], Few]
    said: Annotated[list[dict[str, Any] | None], Few] = []
    removed: Annotated[list[Number], Few] = []


class Reasoned(Body):
    reason: Text


class Settled(Body):
    count: bool


class NewRules(Body):
    rules: Rules
    reason: Text


class OfSide(Body):
    side: Word


class Joined(Body):
    side: Side


class Left(OfSide):
    reason: Text


class Renamed(OfSide):
    name: Text


class Restyled(OfSide):
    color: Text
    pattern: Text


class Seats(Body):
    order: Annotated[list[Word], Few]


class Handicapped(OfSide):
    handicap: Handicap


class Partners(Body):
    partners: Annotated[list[tuple[Word, Annotated[list[Text], Few]]], Few]


class Ready(OfSide):
    ready: bool


class TimeOut(Body):
    reason: TimeOutReason
    sides: Annotated[list[Word], Few]
    note: Text


class Called(OfSide):
    at_ms: Annotated[int, Meta(ge=0, le=10**14)] | None = None
    within_ms: Annotated[int, Meta(ge=0, le=10**9)] = 0


class Refused(OfSide):
    penalty: Whole
    second: bool = False


class Penalty(OfSide):
    points: Whole
    reason: Text


class Numbered(Body):
    number: Number


class Stuck(Body):
    move: StuckMove
    side: Word | None


class Disputed(Numbered):
    reason: Text


class Agreed(Numbered):
    settlement: Text


BODIES: Mapping[str, type[Body]] = {
    "game-started": Started,
    "deck-enrolled": Enrolled,
    "hand-recorded": Recorded,
    "hand-corrected": Corrected,
    "last-hand-undone": Reasoned,
    "rules-changed": NewRules,
    "rules-confirmed": OfSide,
    "side-joined": Joined,
    "side-left": Left,
    "side-returned": OfSide,
    "handicap-set": Handicapped,
    "partners-changed": Partners,
    "ready-said": Ready,
    "hand-begun": Body,
    "time-out-called": TimeOut,
    "time-out-ended": Body,
    "nertz-called": Called,
    "call-verified": OfSide,
    "call-refused": Refused,
    "penalty-given": Penalty,
    "penalty-removed": Numbered,
    "stuck-moved": Stuck,
    "hand-disputed": Disputed,
    "dispute-settled": Agreed,
    "late-hands-settled": Settled,
    "side-renamed": Renamed,
    "side-restyled": Restyled,
    "seats-changed": Seats,
}
"""The body of each kind, by its stored name."""


class Event(Struct, forbid_unknown_fields=True):
    """One event with its envelope; its body is checked by its kind."""

    at: Annotated[str, Meta(max_length=40)]
    who: Annotated[str, Meta(max_length=80)]
    request_id: Annotated[str, Meta(min_length=1, max_length=100)]
    kind: Annotated[str, Meta(max_length=40)]
    body: dict[str, Any]


class File(Struct, forbid_unknown_fields=True):
    """The whole file."""

    format: Literal["nertz-scorekeeper-game"]
    v: Literal[1]
    game: Annotated[str, Meta(pattern=r"^[a-z]{1,40}$")]
    digest: str
    events: Annotated[list[Event], Meta(min_length=1)]

    @property
    def is_endless(self) -> bool:
        """Whether it is longer than any game of a table, so that reading it would keep the computer busy."""
        kinds = Counter(event.kind for event in self.events)
        hands, revisions = kinds["hand-recorded"], sum(kinds[kind] for kind in REVISING)
        return len(self.events) > MOST_EVENTS or hands > MOST_HANDS or hands * revisions > MOST_JUDGED


def read_body(kind: str, body: Mapping[str, Any]) -> None:
    """Raises ValueError or RulesError where *body* can't be one of that *kind*."""
    msgspec.convert(body, BODIES[kind])
    _refuse_unshown(body)


def _refuse_unshown(value: object) -> None:
    """Raises ValueError for a text with signs that no page can show, wherever it stands in *value*."""
    if isinstance(value, str) and not all(map(is_shown, value.split("\n"))):
        raise ValueError(f"{value[:40]!r} has signs that can't be shown")
    if isinstance(value, Mapping):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for each in value:
            _refuse_unshown(each)
