"""What may be asked of the eye: the seam between the pages and it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from scorekeeper.rules.lake import DeckId, FanReading, LakeReading, SpreadReading
from scorekeeper.rules.said import Said, say
from scorekeeper.rules.view import View

Reading = TypeVar("Reading", covariant=True)


@dataclass(frozen=True, slots=True)
class Seen(Generic[Reading]):
    """A reading with the pictures that show it."""

    reading: Reading
    overlays: tuple[bytes, ...]
    """JPEG, one per picture read."""
    ms: float
    """How long the eye looked, decoding and drawing left out."""
    shown: tuple[bytes, ...] = ()
    """JPEG, small copies of the pictures with nothing drawn on them; empty where they are small already."""


@dataclass(frozen=True, slots=True)
class EnrolledDeck:
    """One deck's back as learned from its pictures."""

    signatures: tuple[str, ...]
    """Opaque texts, to be kept and given back to ``spread``."""
    crop: bytes
    """JPEG of the back."""
    problems: tuple[str, ...]
    """Sentences for a person; the deck can be used nevertheless."""
    colour: str = ""
    """Such as "blue"; empty where nobody says."""


@dataclass(frozen=True, slots=True)
class TableCheck:
    """One look at the table before the first hand."""

    view: View
    alike: tuple[str, ...]
    """A sentence for each two decks that can't be told apart (rules M13)."""
    picture: bytes
    """JPEG of what was looked at, at most 960 pixels wide."""


@dataclass(frozen=True, slots=True)
class LaidDeck:
    """One of the backs that lie side by side in a picture."""

    signatures: tuple[str, ...]
    """As of an ``EnrolledDeck``."""
    crop: bytes
    """JPEG of the back."""
    colour: str
    """Such as "blue"."""
    lightness: float
    """0 to 100: tells two of one colour apart."""


PHONE = "phone"
"""The source of a camera whose pictures a phone sends, by ``Watch.feed``."""
PHONE_GONE = say(
    "the phone that is the table's camera sends no picture: wake it, open its camera page and tap Start, or choose "
    "another camera"
)


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """Which camera looks at the table, and how."""

    source: str | None = None
    """Device number, file, folder, address, or ``PHONE``; None for no camera."""
    rotate: int = 0
    """Degrees by which its picture is turned clockwise: 0, 90, 180 or 270."""
    size: tuple[int, int] = (1920, 1080)
    """Width and height that a webcam or a phone is asked for; it gives what it can."""


class Phase(StrEnum):
    """What the live eye is doing."""

    OFF = "off"
    """No scan runs."""
    WAITING = "waiting"
    """Nothing is counted now; ``why`` says what to do."""
    COUNTING = "counting"
    """The picture is still and is being read."""
    LOCKED = "locked"
    """Several still pictures agree: the reading stands until something moves."""
    CLEAR_TABLE = "clear-table"
    """A batch is banked; its cards have to go before the next is counted."""


class Act(StrEnum):
    """What a person may tell a running scan."""

    NEXT_BATCH = "next-batch"
    """Bank the locked batch and wait for a cleared table; refused unless locked."""
    CLEARED = "cleared"
    """The table is clear whatever the eye takes for a card there."""
    AGAIN = "again"
    """Forget the batch on the table and count it anew."""
    UNDO_BATCH = "undo-batch"
    """Take the last banked batch back; refused where none is banked."""
    STOP = "stop"
    """End the scan and forget it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanOrder:
    """What is to be counted."""

    owner: str
    """Whose scan this is, such as a game's and a hand's number: a page knows its own by it."""
    decks: Mapping[DeckId, Sequence[str]]
    """The signatures of each enrolled deck, as for ``Watch.spread``."""
    looks: Mapping[DeckId, tuple[str, str]] = field(default_factory=dict)
    """``(#rrggbb, pattern)`` of each deck for the overlays."""
    total: int | None = None
    """T, the cards in the Lake, where it is known (rules M1)."""
    most: Mapping[DeckId, int] = field(default_factory=dict)
    """The most cards each deck can have in the Lake, 52 less its pile (rules M7); missing where not known."""


@dataclass(frozen=True, slots=True)
class Solved:
    """The counts of all batches together that fit best what is known (rules M1, M7)."""

    counts: Mapping[DeckId, int]
    said: str
    """What a person should look for; empty where the eye's own counts fit."""


EMPTY = SpreadReading((), {}, False, ())
"""A reading before anything was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanState:
    """The live scan at one moment; pages may ask for it many times a second."""

    phase: Phase = Phase.OFF
    why: str = ""
    """One sentence that says why nothing is counted and what to do; empty while all is well."""
    owner: str = ""
    """As the order has it."""
    number: int = 0
    """Goes up whenever anything but the speeds changes, so that a page can tell old from new."""
    reading: SpreadReading = EMPTY
    """The batch on the table, as last read; boxes in pixels of the frame."""
    size: tuple[int, int] = (0, 0)
    """Width and height of the frame in pixels; 0 before the first."""
    banked: Mapping[DeckId, int] = field(default_factory=dict)
    """Counts of the batches banked so far."""
    banked_unknown: int = 0
    """Backs among them that fit no deck."""
    batches: int = 0
    """How many batches are banked."""
    total: int | None = None
    """T as ordered."""
    solved: Solved | None = None
    """The likeliest counts; None before anything is locked or banked."""
    runner_up: Solved | None = None
    """The second likeliest with other numbers, for a one-tap correction."""
    states_per_s: float = 0.0
    readings_per_s: float = 0.0
    """Full readings, over the last seconds."""
    ms: float = 0.0
    """How long the last full reading took."""

    @property
    def counts(self) -> dict[DeckId, int]:
        """Cards per deck, banked and on the table together."""
        here, before = self.reading.counts, self.banked
        return {deck: here.get(deck, 0) + before.get(deck, 0) for deck in {**before, **here}}

    @property
    def seen(self) -> int:
        """Cards seen in all batches, the unknown ones too."""
        return sum(self.banked.values()) + self.banked_unknown + self.reading.total

    @property
    def missing(self) -> int | None:
        """T less the cards seen; negative when there are too many, None without T."""
        return None if self.total is None else self.total - self.seen


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a scan has counted, batch by batch."""

    seen: Seen[SpreadReading]
    """All batches together, a batch an image: ``SeenBack.image`` counts them from 0."""
    pictures: tuple[bytes, ...]
    """The locked frame of each batch at its full size, JPEG, without marks."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One picture of the last seconds before play stopped."""

    number: int
    """Goes up with time; never used twice."""
    before_s: float
    """Seconds before the last picture."""


@dataclass(frozen=True, slots=True)
class Condition:
    """How a process of the eye is."""

    running: bool
    """False before it is first asked, and after it broke down until it is asked again."""
    waiting: int = 0
    """Questions that are asked and not answered yet."""
    trouble: str = ""
    """Why it does not work, by the last questions; empty where it does, also after it broke down once."""
    stage: str = ""
    """What is being done with the picture now: ``finding`` cards, ``reading`` them; empty before and after."""


class Watch(Protocol):
    """What the pages ask of the eye; every method may raise VisionError."""

    @property
    def camera(self) -> str | None:
        """The source of ``snapshot`` in words; None without a camera."""

    @property
    def choice(self) -> CameraChoice:
        """The camera in use; its source may have a password in it."""

    def use(self, choice: CameraChoice) -> None:
        """Looks through another camera from now on; a scan that runs goes on there, with what is banked."""

    def feed(self, picture: bytes) -> None:
        """The next picture of the phone that is the camera; CameraError where another camera is in use."""

    def plain(self, picture: bytes) -> bytes:
        """A picture that browsers can't show, as JPEG."""

    def lake(self, picture: bytes) -> Seen[LakeReading]:
        """Reads a Lake as it lies."""

    def spread(
        self,
        pictures: Sequence[bytes],
        decks: Mapping[DeckId, Sequence[str]],
        looks: Mapping[DeckId, tuple[str, str]] | None = None,
    ) -> Seen[SpreadReading]:
        """Counts backs by deck; *looks* are ``(#rrggbb, pattern)`` for the overlays."""

    def fan(self, picture: bytes, left: bool = False) -> Seen[FanReading]:
        """Reads face-up cards; of those that one side has *left* only the number matters."""

    def enrol(self, pictures: Sequence[bytes]) -> EnrolledDeck:
        """Learns one deck's back."""

    def laid(self, pictures: Sequence[bytes]) -> tuple[LaidDeck, ...]:
        """Learns the backs that lie side by side, from left to right; up to five pictures of the same cards."""

    def known_as(self, signatures: Sequence[str], decks: Mapping[DeckId, Sequence[str]]) -> DeckId | None:
        """Which of *decks* looks like the one with these signatures; None where none does."""

    def check_table(self, picture: bytes, decks: Mapping[DeckId, Sequence[str]]) -> TableCheck:
        """Whether the camera sees the table well enough, by one picture with some cards in it."""

    def too_alike(self, decks: Mapping[DeckId, Sequence[str]]) -> list[str]:
        """A sentence for each pair of decks that can't be told apart."""

    def snapshot(self) -> bytes:
        """JPEG of what the camera shows now; CameraError when there is none."""

    def glimpse(self) -> tuple[Said, bool]:
        """What the camera gives within two seconds, and whether that is too little; CameraError when there is none."""

    def scan(self, order: ScanOrder) -> ScanState:
        """Starts to watch the camera and count backs; a running scan ends. CameraError without a camera."""

    def scan_act(self, act: Act) -> ScanState:
        """Tells the running scan what a person decided; VisionError says why it can't be done now."""

    def scan_state(self) -> ScanState:
        """The scan now, at once; ``Phase.OFF`` when none runs."""

    def scan_picture(self) -> bytes:
        """JPEG of the newest frame for the live view, at most 960 pixels wide, without marks."""

    def scan_result(self) -> Scanned:
        """Every banked batch, and the one that is locked; VisionError where there is none."""

    def record(self, on: bool, *, afresh: bool = False) -> None:
        """Keeps the camera's last 20 seconds in memory, or stops to; *afresh* forgets what was kept before."""

    def moments(self) -> tuple[Moment, ...]:
        """The pictures kept, the oldest first; none without a camera."""

    def moment(self, number: int) -> bytes:
        """JPEG of one of them; NotFoundError when it is kept no more."""

    def condition(self) -> dict[str, Condition]:
        """How ``eye`` and, where there is one, ``camera`` are, at once and without asking them."""
