"""What can happen at a table, in the past tense; who and when belong to the envelope the store puts around it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scorekeeper.rules.house import Rules
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.sides import Handicap, Side, SideId


@dataclass(frozen=True, slots=True)
class GameStarted:
    """Sides sat down under house rules."""

    sides: tuple[Side, ...]
    rules: Rules


@dataclass(frozen=True, slots=True)
class DeckEnrolled:
    """A side showed the back of its deck to the eye."""

    side: SideId
    deck: DeckId
    signatures: tuple[str, ...]
    """What the eye knows the back by; opaque here."""


@dataclass(frozen=True, slots=True)
class HandRecorded:
    """A hand was counted and confirmed."""

    hand: Hand
    doubts: tuple[str, ...] = ()
    """Problems that a person confirmed knowingly, in their words."""


@dataclass(frozen=True, slots=True)
class HandCorrected:
    """An earlier hand was counted anew."""

    number: int
    """Which hand, counted from 1."""
    hand: Hand
    reason: str
    """Empty where nobody gave one."""
    doubts: tuple[str, ...] = ()
    removed: tuple[int, ...] = ()
    """Which of the penalties given while it was played fall, counted from 1."""


@dataclass(frozen=True, slots=True)
class LastHandUndone:
    """The last hand was taken back."""

    reason: str
    """Empty where nobody gave one."""


@dataclass(frozen=True, slots=True)
class LateHandsSettled:
    """The table said whether the hands that came after the end count (rules K14)."""

    count: bool


# House rules and who sits at the table


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """The table agreed on other house rules, from the next hand on."""

    rules: Rules
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RulesConfirmed:
    """A side said yes to the house rules as they stand (rules A11)."""

    side: SideId


@dataclass(frozen=True, slots=True)
class SideJoined:
    """A side sat down late, with the points of its handicap (rules L)."""

    side: Side


@dataclass(frozen=True, slots=True)
class SideLeft:
    """A side left the table; its row stays (rules L)."""

    side: SideId
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SideReturned:
    """A side that had left sat down again."""

    side: SideId


@dataclass(frozen=True, slots=True)
class SideRenamed:
    """A side goes by another name; it stays the same side, with every hand of its own."""

    side: SideId
    name: str


@dataclass(frozen=True, slots=True)
class SideRestyled:
    """A side has another colour and pattern, such as those of its deck."""

    side: SideId
    color: str
    """``#rrggbb``."""
    pattern: str
    """One of PATTERNS."""


@dataclass(frozen=True, slots=True)
class SeatsChanged:
    """The sides sit in another order in the next hand."""

    order: tuple[SideId, ...]
    """Everybody who plays, each once."""


@dataclass(frozen=True, slots=True)
class HandicapSet:
    """A side plays with another handicap from the next hand on (rules H6)."""

    side: SideId
    handicap: Handicap


@dataclass(frozen=True, slots=True)
class PartnersChanged:
    """People moved to other sides (rules A5)."""

    partners: tuple[tuple[SideId, tuple[str, ...]], ...]
    """The people of each side that changed."""


# The hand in play


@dataclass(frozen=True, slots=True)
class ReadySaid:
    """A side said that it is ready, or not yet (rules B9)."""

    side: SideId
    ready: bool = True


@dataclass(frozen=True, slots=True)
class HandBegun:
    """Somebody said Go (rules B9)."""


class TimeOutReason(StrEnum):
    """Why play may stop (rules H1)."""

    ACCIDENT = "accident"
    """An accident between two sides or more."""
    EMERGENCY = "emergency"


@dataclass(frozen=True, slots=True)
class TimeOutCalled:
    """Play stopped at once (rules H3)."""

    reason: TimeOutReason
    sides: tuple[SideId, ...] = ()
    """Whom the accident is between."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class TimeOutEnded:
    """Play went on."""


@dataclass(frozen=True, slots=True)
class NertzCalled:
    """A side called Nertz; nobody has looked yet (rules C15, G2)."""

    side: SideId
    at_ms: int | None = None
    """When a phone's button was pressed, by the server's clock; None for a call that somebody heard."""
    within_ms: int = 0
    """How far off that may be, either way."""


@dataclass(frozen=True, slots=True)
class CallVerified:
    """The table looked, and the call stands (rules C15)."""

    side: SideId


@dataclass(frozen=True, slots=True)
class CallRefused:
    """The call did not stand; play went on (rules C15, L)."""

    side: SideId
    penalty: int = 0
    """Taken from the side in this hand: points, or hands won where hands are tallied."""
    second: bool = False
    """Whether it was right, but another call came first (rules C8)."""


@dataclass(frozen=True, slots=True)
class PenaltyGiven:
    """Something was added or taken in the hand in play (rules H5)."""

    side: SideId
    points: int
    """Below 0 for what is taken; hands won where hands are tallied (rules K19)."""
    reason: str


@dataclass(frozen=True, slots=True)
class PenaltyRemoved:
    """A penalty of the hand in play was taken back."""

    number: int
    """Which of those in play, counted from 1."""


class StuckMove(StrEnum):
    """What happens at a stuck table (rules F)."""

    PASS = "pass"
    """A side went through its whole Stream and found nothing to play."""
    PLAY = "play"
    """Somebody could play a card after all."""
    BURN = "burn"
    """All together: burn the Stream, form a new one, or move the top card, as the house rule says."""
    NERTZ_BURN = "nertz-burn"
    """All together: the top card of the Nertz pile goes to its bottom (rules F5)."""
    TOP_CARD = "top-card"
    """One side that is stuck alone moves its top card while it waits (rules F7)."""


@dataclass(frozen=True, slots=True)
class StuckMoved:
    """A step of the stuck table's procedure."""

    move: StuckMove
    side: SideId | None = None
    """Who, for a pass or a single top card; None for all together."""


# Disputes


@dataclass(frozen=True, slots=True)
class HandDisputed:
    """Somebody doubts a hand; the score is unofficial until it is settled (rules H7)."""

    number: int
    """Which hand, counted from 1."""
    reason: str


@dataclass(frozen=True, slots=True)
class DisputeSettled:
    """The table agreed about a disputed hand."""

    number: int
    settlement: str


Event = (
    GameStarted | DeckEnrolled | HandRecorded | HandCorrected | LastHandUndone | LateHandsSettled
    | RulesChanged | RulesConfirmed
    | SideJoined | SideLeft | SideReturned | SideRenamed | SideRestyled | SeatsChanged | HandicapSet | PartnersChanged
    | ReadySaid | HandBegun | TimeOutCalled | TimeOutEnded | NertzCalled | CallVerified | CallRefused
    | PenaltyGiven | PenaltyRemoved | StuckMoved | HandDisputed | DisputeSettled
)  # fmt: skip

SeatEvent = (
    SideJoined | SideLeft | SideReturned | SideRenamed | SideRestyled | SeatsChanged | HandicapSet | PartnersChanged
)  # fmt: skip
"""Who sits at the table changes, and with what."""

LiveEvent = (
    ReadySaid | HandBegun | TimeOutCalled | TimeOutEnded | NertzCalled | CallVerified | CallRefused
    | PenaltyGiven | PenaltyRemoved | StuckMoved
)  # fmt: skip
"""What happens between two recorded hands."""
