"""How well the eye reads labelled pictures: cards found, wrong and missed, and above all the silent errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Protocol, assert_never

from scorekeeper.errors import PictureError, VisionError
from scorekeeper.rules.lake import DeckId, FanReading, LakeReading, Pile, SpreadReading
from scorekeeper.watch.labels import Labelled, Task
from scorekeeper.watch.seam import EnrolledDeck, Seen


class Reader(Protocol):
    """Whoever reads pictures: the eye here or in its own process."""

    def lake(self, picture: bytes) -> Seen[LakeReading]: ...
    def fan(self, picture: bytes) -> Seen[FanReading]: ...
    def spread(self, pictures: Sequence[bytes], decks: Mapping[DeckId, Sequence[str]]) -> Seen[SpreadReading]: ...
    def enrol(self, pictures: Sequence[bytes]) -> EnrolledDeck: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """One labelled reading beside what was read."""

    labelled: Labelled
    read: Mapping[str, int]
    """How often each code, top or deck was read."""
    unread: int
    """Cards seen and not named; they ask a person, they claim nothing."""
    certain: bool
    ms: float
    overlays: tuple[bytes, ...] = ()
    refused: str = ""
    """Why there is no reading at all."""

    @property
    def found(self) -> int:
        """Cards read as they are."""
        return (Counter(self.read) & Counter(self.labelled.truth)).total()

    @property
    def missed(self) -> int:
        """Cards that are there and were not read."""
        return Counter(self.labelled.truth).total() - self.found

    @property
    def wrong(self) -> int:
        """Cards read that are not there; none where the labels are incomplete."""
        extra = Counter(self.read).total() - self.found
        return max(0, extra - self.labelled.nameless) if self.labelled.complete else 0

    @property
    def right(self) -> bool:
        """The whole reading is as it should be, and no card is left without a name."""
        spare = self.labelled.nameless if self.labelled.complete else self.unread
        return not self.refused and self.missed == 0 and self.wrong == 0 and self.unread <= spare

    @property
    def silent(self) -> bool:
        """The error that matters most: marked certain, and wrong."""
        return self.certain and not self.right


@dataclass(frozen=True, slots=True)
class Score:
    """Outcomes added up."""

    name: str
    readings: int
    cards: int
    found: int
    wrong: int
    missed: int
    right: int
    asked: int
    silent: int
    right_and_certain: int
    ms: float
    """Median."""

    @property
    def precision(self) -> float:
        """Share of the read cards that are there; 1 where none was read."""
        return _share(self.found, self.found + self.wrong)

    @property
    def recall(self) -> float:
        """Share of the cards that were read."""
        return _share(self.found, self.found + self.missed)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return _share(2 * self.found, 2 * self.found + self.wrong + self.missed)

    @property
    def right_certain(self) -> float:
        """Share of the right readings that were certain: the higher, the fewer needless questions."""
        return _share(self.right_and_certain, self.right)

    def as_json(self) -> dict[str, object]:
        """The row as ``measure --json`` writes it."""
        counts = ("name", "readings", "cards", "found", "wrong", "missed")
        shares = ("precision", "recall", "f1")
        rest = ("right", "asked", "silent")
        return (
            {key: getattr(self, key) for key in counts}
            | {key: round(getattr(self, key), 4) for key in shares}
            | {key: getattr(self, key) for key in rest}
            | {"right_certain": round(self.right_certain, 4), "ms": round(self.ms, 1)}
        )


@dataclass(frozen=True, slots=True)
class Measured:
    """Every outcome, and what they add up to."""

    outcomes: tuple[Outcome, ...]

    def by(self, key: Callable[[Outcome], str]) -> list[Score]:
        """One score per value of *key*, in order of first appearance."""
        groups: dict[str, list[Outcome]] = {}
        for outcome in self.outcomes:
            groups.setdefault(key(outcome), []).append(outcome)
        return [add_up(name, members) for name, members in groups.items()]

    def worst(self, count: int) -> list[Outcome]:
        """Silent errors first, then by the number of errors; readings without an error are left out."""
        bad = [outcome for outcome in self.outcomes if not outcome.right]
        return sorted(bad, key=lambda o: (not o.silent, -(o.wrong + o.missed), o.labelled.name))[:count]


def add_up(name: str, outcomes: Sequence[Outcome]) -> Score:
    """The score of some outcomes."""
    return Score(
        name=name,
        readings=len(outcomes),
        cards=sum(outcome.found + outcome.missed for outcome in outcomes),
        found=sum(outcome.found for outcome in outcomes),
        wrong=sum(outcome.wrong for outcome in outcomes),
        missed=sum(outcome.missed for outcome in outcomes),
        right=sum(outcome.right for outcome in outcomes),
        asked=sum(not outcome.certain for outcome in outcomes),
        silent=sum(outcome.silent for outcome in outcomes),
        right_and_certain=sum(outcome.right and outcome.certain for outcome in outcomes),
        ms=median([outcome.ms for outcome in outcomes] or [0.0]),
    )


def measure(labels: Iterable[Labelled], reader: Reader) -> Iterable[Outcome]:
    """Reads one after the other; each deck is enrolled once."""
    enrolled: dict[tuple[Path, ...], tuple[str, ...]] = {}
    for labelled in labels:
        try:
            yield _outcome(labelled, reader, enrolled)
        except VisionError as error:
            yield Outcome(labelled, {}, 0, certain=False, ms=0.0, refused=str(error))


def _outcome(labelled: Labelled, reader: Reader, enrolled: dict[tuple[Path, ...], tuple[str, ...]]) -> Outcome:
    pictures = [_bytes(path) for path in labelled.pictures]
    match labelled.task:
        case Task.FAN:
            fan = reader.fan(pictures[0])
            codes = [face.code for face in fan.reading.cards if face.code is not None]
            return _compared(labelled, fan, codes, fan.reading.count - len(codes))
        case Task.LAKE:
            lake = reader.lake(pictures[0])
            tops = [top for pile in lake.reading.piles if (top := _top(pile)) is not None]
            return _compared(labelled, lake, tops, len(lake.reading.piles) - len(tops))
        case Task.SPREAD:
            decks = dict(labelled.signatures)
            decks |= {deck: _signatures(paths, reader, enrolled) for deck, paths in labelled.enrol.items()}
            spread = reader.spread(pictures, decks)
            owners = list(Counter(dict(spread.reading.counts)).elements())
            return _compared(labelled, spread, owners, spread.reading.unknown)
        case _:
            assert_never(labelled.task)


def _top(pile: Pile) -> str | None:
    """What the labels call this pile; None where its top could not be read."""
    return "dead" if pile.dead else pile.top.code if pile.top is not None else None


def _compared(
    labelled: Labelled, seen: Seen[LakeReading | SpreadReading | FanReading], read: Sequence[str], unread: int
) -> Outcome:
    return Outcome(labelled, Counter(read), unread, seen.reading.certain, seen.ms, seen.overlays)


def _signatures(
    paths: tuple[Path, ...], reader: Reader, enrolled: dict[tuple[Path, ...], tuple[str, ...]]
) -> tuple[str, ...]:
    if paths not in enrolled:
        enrolled[paths] = reader.enrol([_bytes(path) for path in paths]).signatures
    return enrolled[paths]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise PictureError(f"there is no picture {str(path)!r}") from error


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
