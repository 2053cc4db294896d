"""One live scan: frames go in, its state comes out; a still table is read until two readings agree, or they vote."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Protocol

from scorekeeper.errors import VisionError
from scorekeeper.rules.lake import DeckId, SpreadReading
from scorekeeper.rules.said import say
from scorekeeper.rules.solve import explain, explain_other, solve_backs
from scorekeeper.vision.backs.spread import moved_to
from scorekeeper.vision.backs.votes import agreed, voted
from scorekeeper.vision.camera.sources import encode_jpeg
from scorekeeper.vision.camera.steady import Mean, Small, Steady, Stillness, change, no_cards, touches_edge
from scorekeeper.vision.geometry import Image, corners_of
from scorekeeper.vision.places import near_edge
from scorekeeper.watch import words
from scorekeeper.watch.seam import EMPTY, Act, Phase, ScanOrder, ScanState, Solved

EDGE = 0.03
"""A card nearer to the picture's edge than this share of its shorter side may be an arm that looks like one."""


class Reader(Protocol):
    """Counts the backs of a table; runs beside the frames that keep coming, one picture after the other."""

    def __call__(self, picture: Image, *, settled: bool) -> SpreadReading:
        """What *picture* shows: a single frame, or, *settled*, the mean of several."""
        ...

    def forget(self) -> None:
        """Looks at the next picture as if it were the first."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanSettings:
    """How sure is sure."""

    agreeing: int = 2
    """Readings, the last ones, that must agree before the count locks, or show no card on an empty table."""
    most_readings: int = 5
    """After so many the majority counts, and what they differ about is asked."""
    settled_frames: int = 5
    """Every reading but the first is of the mean of all frames since nothing moves, of so many at least."""
    most_lost: int = 3
    """When more cards are missing they are still to come, rather than overlooked."""
    least_likely: float = 3.0
    """A second reading is offered unless it is this much less likely, a logarithm of odds: 1 to 20."""
    arm: float = 0.005
    """Something new that is no card, reaches the picture's edge and covers this share of it, is an arm."""
    over_s: float = 3.0
    """Seconds over which speeds are measured."""
    quality: int = 92
    """Of the JPEG that is kept of a locked frame, 0 to 100."""


SETTINGS = ScanSettings()


@dataclass(frozen=True, slots=True)
class Batch:
    """A locked reading and the frame that shows it."""

    reading: SpreadReading
    picture: bytes
    """JPEG."""
    size: tuple[int, int]
    """Width and height of the frame."""
    ms: float
    """How long its last full reading took."""


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What was concluded from a still table; it holds while nothing changes."""

    small: Small
    phase: Phase
    why: str


class Scan:
    """Counts the batches of one Lake; ``see`` is called with every frame, everything else from any thread."""

    def __init__(
        self,
        order: ScanOrder,
        read: Reader,
        pool: Executor,
        *,
        batches: Sequence[Batch] = (),
        settings: ScanSettings = SETTINGS,
    ) -> None:
        self._order = order
        self._read = read
        self._pool = pool
        self._settings = settings
        self._lock = threading.RLock()
        self._steady = Steady()
        self._batches = list(batches)
        self._batch: Batch | None = None
        self._votes: list[tuple[SpreadReading, float]] = []
        self._voted: SpreadReading | None = None
        self._pending: Future[tuple[SpreadReading, float]] | None = None
        self._mean = Mean()
        self._frame: Image | None = None
        self._verdict: _Verdict | None = None
        self._scene: tuple[Small, SpreadReading] | None = None
        self._clearing = False
        self._looked: deque[float] = deque()
        self._readings: deque[float] = deque()
        self._state = ScanState(phase=Phase.WAITING, why=words.OPENING, owner=order.owner, total=order.total)
        self._tell(Phase.WAITING, words.OPENING)

    @property
    def state(self) -> ScanState:
        """The scan now."""
        return self._state

    @property
    def banked(self) -> tuple[Batch, ...]:
        """The batches banked so far."""
        return tuple(self._batches)

    @property
    def counted(self) -> tuple[Batch, ...]:
        """Those, and the one that is locked."""
        with self._lock:
            locked = self._batch is not None and self._state.phase is Phase.LOCKED
            return (*self._batches, self._batch) if locked and self._batch else tuple(self._batches)

    def lens(self, live: bool) -> None:
        """Says whether the frames to come are of a lens, which never gives the same picture twice."""
        with self._lock:
            self._steady = Steady(live=live)

    def see(self, frame: Image, at_s: float) -> None:
        """Looks at the newest frame, taken *at_s* seconds; quick, as full readings run in the pool."""
        with self._lock:
            if self._frame is not None and self._frame.shape != frame.shape:
                self._forget_votes()
                self._verdict, self._scene = None, None
            self._frame = frame
            self._looked.append(at_s)
            for ticks in (self._looked, self._readings):
                _forget_old(ticks, at_s - self._settings.over_s)
            sight = self._steady.look(frame, at_s)
            if sight is Stillness.STILL:
                self._still(frame, at_s)
            else:
                self._forget_votes()
                self._tell(Phase.CLEAR_TABLE if self._clearing else Phase.WAITING, words.WAITING[sight])

    def miss(self, why: str) -> None:
        """Says that no frame comes; nothing is lost."""
        with self._lock:
            self._forget_votes()
            self._tell(Phase.CLEAR_TABLE if self._clearing else Phase.WAITING, why)

    def act(self, act: Act) -> None:
        """Does what a person decided; raises VisionError where it can't be done now."""
        with self._lock:
            match act:
                case Act.NEXT_BATCH:
                    self._bank()
                case Act.CLEARED:
                    self._cleared()
                case Act.UNDO_BATCH:
                    self._take_back()
                case Act.AGAIN | Act.STOP:
                    self._anew()

    def _bank(self) -> None:
        if self._batch is None or self._state.phase is not Phase.LOCKED:
            raise VisionError(words.NOT_LOCKED)
        small = self._steady.small
        self._batches.append(self._batch)
        self._clearing = True
        self._anew(Phase.CLEAR_TABLE, words.CLEAR)
        self._verdict = _Verdict(small, Phase.CLEAR_TABLE, words.CLEAR)  # it need not be read to know that it is full

    def _cleared(self) -> None:
        if not self._clearing:
            raise VisionError(words.NOT_CLEARING)
        self._clearing = False
        self._anew()

    def _take_back(self) -> None:
        if not self._batches:
            raise VisionError(words.NOTHING_BANKED)
        self._batches.pop()
        self._clearing = False
        self._anew()

    def _anew(self, phase: Phase = Phase.COUNTING, why: str = "") -> None:
        """Forgets the batch on the table, and what was there before it."""
        self._forget_votes()
        self._batch, self._verdict, self._scene = None, None, None
        self._pool.submit(self._read.forget)
        self._tell(phase, why, EMPTY)

    def _forget_votes(self) -> None:
        """Lets go of readings of a table that has changed, the one under way as well."""
        self._votes.clear()
        self._voted = None
        self._mean = Mean()
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None

    def _still(self, frame: Image, at_s: float) -> None:
        """A frame in which nothing moves: as concluded before, or read until the frames agree."""
        small = self._steady.small
        if self._verdict is not None:
            if _same(self._verdict.small, small):
                self._tell(self._verdict.phase, self._verdict.why)
                return
            self._verdict = None
        self._mean.add(frame)
        if self._batch is not None and self._stands(small):
            self._conclude(small, Phase.LOCKED, "", self._batch.reading)
        elif self._pending is not None and self._pending.done():
            self._collect(frame, small, at_s)
        if self._verdict is None:
            settled = self._mean.frames >= self._settings.settled_frames
            if self._pending is None and (settled or not self._votes):
                picture = self._mean.picture() if self._votes else frame
                self._pending = self._pool.submit(_timed, self._read, picture, bool(self._votes))
            phase, why = (Phase.CLEAR_TABLE, words.CLEAR) if self._clearing else (Phase.COUNTING, "")
            self._tell(phase, why, None if self._clearing else self._voted)

    def _stands(self, small: Small) -> bool:
        """Whether the table is again as it was when it locked, such as after an arm lay there."""
        return self._scene is not None and _same(self._scene[0], small)

    def _collect(self, frame: Image, small: Small, at_s: float) -> None:
        """Takes the reading that is ready, and concludes once there are enough."""
        done, self._pending = self._pending, None
        if done is None:
            return
        try:
            self._votes.append(done.result())
        except (VisionError, FileNotFoundError) as error:
            self._conclude(small, Phase.WAITING, str(error))
            return
        self._readings.append(at_s)
        readings, s = [reading for reading, _ in self._votes], self._settings
        last = readings[-s.agreeing :]
        agree = len(last) == s.agreeing and agreed(last)
        told = voted(last if agree else readings)
        reached = self._reaches_in(frame, small, told)
        self._voted = None if reached else told
        if not agree and len(readings) < s.most_readings:
            return
        if any(reading.total for reading in last):
            self._judge(frame, small, told, reached)
        else:
            self._empty(small)

    def _empty(self, small: Small) -> None:
        """A table without any card."""
        why, self._clearing = words.NEXT if self._clearing else words.NO_CARDS, False
        self._batch, self._scene = None, (small, EMPTY)
        self._conclude(small, Phase.WAITING, why, EMPTY)

    def _judge(self, frame: Image, small: Small, reading: SpreadReading, reached: bool) -> None:
        """Frames that agree about some cards: a batch, unless an arm *reached* in or the table should be clear."""
        if self._clearing:
            self._conclude(small, Phase.CLEAR_TABLE, words.STILL_THERE)
        elif reached:
            self._conclude(small, Phase.WAITING, words.REACHES_IN)
        else:
            picture, size = encode_jpeg(frame, self._settings.quality), (frame.shape[1], frame.shape[0])
            self._batch = Batch(reading, picture, size, self._votes[-1][1])
            self._scene = (small, reading)
            self._conclude(small, Phase.LOCKED, "", reading)

    def _reaches_in(self, frame: Image, small: Small, reading: SpreadReading) -> bool:
        """Whether something came into the picture since it was last counted that is no card of a deck, and reaches its
        edge: an arm may look like the card of a deck nobody enrolled."""
        if self._scene is None:
            return False
        before, known = self._scene
        found = change(before, small)
        if found.moved:
            return False
        free = EDGE * min(frame.shape[:2])
        now = [corners_of(card.box) for card in reading.cards if card.deck is not None]
        now = [box for box in now if not near_edge(box, frame, free)]
        cards = [*now, *(corners_of(card.box) for card in known.cards)]
        return touches_edge(no_cards(found.mask, cards, small.shape[1] / frame.shape[1]), self._settings.arm)

    def _conclude(self, small: Small, phase: Phase, why: str, reading: SpreadReading | None = None) -> None:
        self._forget_votes()
        self._verdict = _Verdict(small, phase, why)
        self._tell(phase, why, reading)

    def _tell(self, phase: Phase, why: str, reading: SpreadReading | None = None) -> None:
        """Makes the state anew; the reading stays unless one is given."""
        old, s = self._state, self._settings
        now = replace(
            old,
            phase=phase,
            why=why,
            reading=old.reading if reading is None else reading,
            size=old.size if self._frame is None else (self._frame.shape[1], self._frame.shape[0]),
            banked=_added([batch.reading for batch in self._batches]),
            banked_unknown=sum(batch.reading.unknown for batch in self._batches),
            batches=len(self._batches),
        )
        if now != old:
            now = replace(self._weighed(now), number=old.number + 1)
        self._state = replace(
            now,
            states_per_s=len(self._looked) / s.over_s,
            readings_per_s=len(self._readings) / s.over_s,
            ms=self._votes[-1][1] if self._votes else old.ms,
        )

    def _weighed(self, state: ScanState) -> ScanState:
        """With the likeliest counts of all batches together (rules M1, M7)."""
        readings = [batch.reading for batch in self._batches] + [state.reading] * bool(state.reading.total)
        if not readings:
            return replace(state, solved=None, runner_up=None)
        whole = joined(readings)
        if state.missing is not None and state.missing > self._settings.most_lost:
            return replace(state, solved=Solved(state.counts, words.to_come(state.missing)), runner_up=None)
        total, most = self._order.total, self._order.most
        found = solve_backs(whole, total, most)
        best = Solved(dict(found.best.lake), explain(found.best, whole, total, most))
        if found.runner_up is None or found.margin > self._settings.least_likely:
            return replace(state, solved=best, runner_up=None)
        other = Solved(dict(found.runner_up.lake), explain_other(found.runner_up, whole))
        return replace(state, solved=best, runner_up=other)


def joined(readings: Sequence[SpreadReading]) -> SpreadReading:
    """Batches as one reading, each a picture of its own."""
    cards, problems = [], []
    for number, reading in enumerate(readings):
        cards += [replace(card, image=number) for card in reading.cards]
        for problem in reading.problems:
            told = say("%(problem)s in group %(number)s", problem=problem, number=number + 1)
            problems.append(moved_to(number, told if len(readings) > 1 else problem, problem))
    certain = bool(readings) and all(reading.certain for reading in readings)
    return SpreadReading(tuple(cards), _added(readings), certain, tuple(problems))


def _added(readings: Sequence[SpreadReading]) -> dict[DeckId, int]:
    decks = dict.fromkeys(deck for reading in readings for deck in reading.counts)
    return {deck: sum(reading.counts.get(deck, 0) for reading in readings) for deck in decks}


def _same(before: Small, now: Small) -> bool:
    """Whether nothing has come, gone or moved between two still frames."""
    found = change(before, now)
    return found.share == 0 and not found.moved


def _forget_old(ticks: deque[float], before_s: float) -> None:
    """Forgets what happened before that time."""
    while ticks and ticks[0] < before_s:
        ticks.popleft()


def _timed(read: Reader, picture: Image, settled: bool) -> tuple[SpreadReading, float]:
    start = perf_counter()
    reading = read(picture, settled=settled)
    return reading, (perf_counter() - start) * 1000
