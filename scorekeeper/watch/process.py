"""The eye in a process of its own: whatever a picture does to it, the server lives on."""

from __future__ import annotations

import atexit
import logging
import os
import pickle
import struct
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import IO, Any, cast

from scorekeeper.errors import CameraError, NotFoundError, VisionError
from scorekeeper.network import without_secrets
from scorekeeper.rules.lake import DeckId, FanReading, LakeReading, SpreadReading
from scorekeeper.rules.said import Said, say
from scorekeeper.watch.seam import (
    PHONE,
    PHONE_GONE,
    Act,
    CameraChoice,
    Condition,
    EnrolledDeck,
    LaidDeck,
    Moment,
    Phase,
    Scanned,
    ScanOrder,
    ScanState,
    Seen,
    TableCheck,
)

log = logging.getLogger(__name__)

CAMERA = "SCOREKEEPER_CAMERA"
"""Where the camera's process finds its source, which may have a password in it."""
PROGRAM = (sys.executable, "-m", "scorekeeper.watch.worker")
PHONE_LATE_S = 5.0
"""Without a picture for so long, the phone that is the camera is said to be gone."""
_LENGTH = struct.Struct("!Q")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long the eye may take."""

    start_s: float = 90.0
    """Until the models are loaded, on a busy computer."""

    answer_s: float = 30.0
    """For one question; the slowest heap of 100 cards that was measured took 23, two at a time on two processors."""

    queue_s: float = 25.0
    """Until the questions asked before are answered; with the answer less than a phone's patience of a minute."""


class EyeProcess:
    """A ``Watch`` whose models and whose camera live in worker processes, started when first needed.

    Questions are answered one after the other. Threads of a plain process may ask, and so may greenlets where gevent
    has patched the standard library: everything that waits here goes through it.
    """

    def __init__(
        self,
        camera: int | str | None = None,
        limits: Limits | None = None,
        *,
        letters: str = "french",
        rotate: int = 0,
    ) -> None:
        self._limits, self._letters = limits or Limits(), letters
        self._choice = CameraChoice(None if camera is None else str(camera), rotate)
        self._eye = Worker([*PROGRAM, "eye", letters], self._limits, say("the photo reader"))
        self._camera = self._worker(self._choice)
        self._fed_s: deque[float] = deque(maxlen=20)
        """When the phone that is the camera sent its last pictures."""
        self._order: ScanOrder | None = None
        self._banked: tuple[object, ...] = ()
        self._last = ScanState()

    def _worker(self, choice: CameraChoice) -> Worker:
        """The process of a camera, which learns its source by its environment: everybody may read a command."""
        command = [*PROGRAM, "camera", str(choice.rotate), "{}x{}".format(*choice.size), self._letters]
        return Worker(command, self._limits, say("the camera"), {CAMERA: choice.source or ""})

    def __enter__(self) -> EyeProcess:
        self._eye.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the worker processes; a later question starts them again."""
        self._eye.stop()
        self._camera.stop()

    @property
    def camera(self) -> str | None:
        """The source of ``snapshot``, without its password; None without a camera."""
        return None if self._choice.source is None else without_secrets(self._choice.source)

    @property
    def choice(self) -> CameraChoice:
        """The camera in use; its source may have a password in it."""
        return self._choice

    def use(self, choice: CameraChoice) -> None:
        """Looks through another camera from now on; a scan that runs goes on there, with what is banked."""
        if choice != self._choice:
            old, self._choice, self._camera = self._camera, choice, self._worker(choice)
            self._fed_s.clear()
            old.stop(at_once=True)

    def feed(self, picture: bytes) -> None:
        """The next picture of the phone that is the camera; raises CameraError where another camera is in use."""
        if self._choice.source != PHONE:
            raise CameraError(say("another camera was chosen meanwhile: tap Start to use this phone again"))
        self._camera.ask("feed", picture)
        self._fed_s.append(time.monotonic())

    def plain(self, picture: bytes) -> bytes:
        """A picture that browsers can't show, as JPEG."""
        return cast(bytes, self._eye.ask("plain", picture))

    def lake(self, picture: bytes) -> Seen[LakeReading]:
        """Reads a Lake as it lies."""
        return cast(Seen[LakeReading], self._eye.ask("lake", picture))

    def fan(self, picture: bytes, left: bool = False) -> Seen[FanReading]:
        """Reads face-up cards; of those that one side has *left* only the number matters."""
        return cast(Seen[FanReading], self._eye.ask("fan", picture, left))

    def spread(
        self,
        pictures: Sequence[bytes],
        decks: Mapping[DeckId, Sequence[str]],
        looks: Mapping[DeckId, tuple[str, str]] | None = None,
    ) -> Seen[SpreadReading]:
        """Counts backs by deck; *looks* are ``(#rrggbb, pattern)`` for the overlays."""
        known = {deck: tuple(signatures) for deck, signatures in decks.items()}
        return cast(Seen[SpreadReading], self._eye.ask("spread", tuple(pictures), known, dict(looks or {})))

    def enrol(self, pictures: Sequence[bytes]) -> EnrolledDeck:
        """Learns one deck's back."""
        return cast(EnrolledDeck, self._eye.ask("enrol", tuple(pictures)))

    def laid(self, pictures: Sequence[bytes]) -> tuple[LaidDeck, ...]:
        """Learns the backs that lie side by side."""
        return cast(tuple[LaidDeck, ...], self._eye.ask("laid", tuple(pictures)))

    def known_as(self, signatures: Sequence[str], decks: Mapping[DeckId, Sequence[str]]) -> DeckId | None:
        """Which deck looks like the one with these signatures."""
        known = {deck: tuple(texts) for deck, texts in decks.items()}
        return cast(DeckId | None, self._eye.ask("known_as", tuple(signatures), known))

    def check_table(self, picture: bytes, decks: Mapping[DeckId, Sequence[str]]) -> TableCheck:
        """Whether the camera sees the table well enough."""
        known = {deck: tuple(texts) for deck, texts in decks.items()}
        return cast(TableCheck, self._eye.ask("check_table", picture, known))

    def too_alike(self, decks: Mapping[DeckId, Sequence[str]]) -> list[str]:
        """A sentence for each pair of decks that can't be told apart."""
        return cast(list[str], self._eye.ask("too_alike", {deck: tuple(texts) for deck, texts in decks.items()}))

    def snapshot(self) -> bytes:
        """JPEG of what the camera shows now; CameraError when there is none."""
        return cast(bytes, self._ask_camera("snapshot"))

    def scan(self, order: ScanOrder) -> ScanState:
        """Starts to watch the camera and count backs; a running scan ends."""
        order = replace(order, decks={deck: tuple(texts) for deck, texts in order.decks.items()})
        state = cast(ScanState, self._ask_camera("scan", order, ()))
        self._order, self._banked = order, ()
        return state

    def scan_act(self, act: Act) -> ScanState:
        """Tells the running scan what a person decided."""
        self.scan_state()
        state, self._banked = cast(tuple[ScanState, tuple[object, ...]], self._ask_camera("scan_act", act))
        if act is Act.STOP:
            self._order = None
        return state

    def scan_state(self) -> ScanState:
        """The scan now; one whose process broke down goes on with the batches that were banked."""
        if self._order is None:
            return ScanState()
        try:
            state = cast(ScanState, self._ask_camera("scan_state"))
            if state.phase is Phase.OFF:
                state = cast(ScanState, self._ask_camera("scan", self._order, self._banked))
        except VisionError as error:
            return replace(self._last, phase=Phase.WAITING, why=str(error), number=self._last.number + 1)
        self._last = state
        return state

    def scan_picture(self) -> bytes:
        """JPEG of the newest frame for the live view."""
        return cast(bytes, self._ask_camera("scan_picture"))

    def scan_result(self) -> Scanned:
        """Every banked batch, and the one that is locked."""
        return cast(Scanned, self._ask_camera("scan_result"))

    def glimpse(self) -> tuple[Said, bool]:
        """What the camera gives within two seconds, and whether that is too little."""
        if self._choice.source != PHONE:
            return cast(tuple[Said, bool], self._ask_camera("glimpse"))
        if not self._fed():
            raise CameraError(PHONE_GONE)
        rate = (len(self._fed_s) - 1) / max(self._fed_s[-1] - self._fed_s[0], 0.001)
        return say("a phone sends %(rate)s pictures a second", rate=round(rate, 1)), False

    def _fed(self) -> bool:
        """Whether the phone that is the camera sends pictures now."""
        return bool(self._fed_s) and time.monotonic() - self._fed_s[-1] <= PHONE_LATE_S

    def condition(self) -> dict[str, Condition]:
        """How the processes are, without asking them."""
        now = self._camera.condition
        if self._choice.source == PHONE and not self._fed():
            now = replace(now, trouble=PHONE_GONE)
        camera = {} if self._choice.source is None else {"camera": now}
        return {"eye": self._eye.condition, **camera}

    def look_again(self) -> None:
        """Asks what failed once more, so that ``condition`` says when a camera is plugged in again."""
        for worker, question, arguments in ((self._eye, "too_alike", ({},)), (self._camera, "snapshot", ())):
            if worker.condition.trouble:
                with suppress(VisionError):
                    worker.ask(question, *arguments)

    def _ask_camera(self, question: str, *arguments: object) -> object:
        if self._choice.source is None:
            raise CameraError(say("this server has no camera: start it with --camera, or send a photo from a phone"))
        return self._camera.ask(question, *arguments)

    def record(self, on: bool, *, afresh: bool = False) -> None:
        """Keeps the camera's last seconds in memory, or stops to; nothing happens without a camera."""
        if self._choice.source is not None:
            self._ask_camera("record", on, afresh)

    def moments(self) -> tuple[Moment, ...]:
        """The pictures kept, the oldest first."""
        return () if self._choice.source is None else cast(tuple[Moment, ...], self._camera.ask("moments"))

    def moment(self, number: int) -> bytes:
        """JPEG of one of them; raises NotFoundError when it is kept no more."""
        if self._choice.source is None:
            raise NotFoundError(say("this server has no camera, so no moment is kept"))
        return cast(bytes, self._camera.ask("moment", number))


@dataclass(frozen=True, slots=True)
class AtStage:
    """A message of the process before its answer: how far it is."""

    stage: str


LEAN = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "65536",
    "MALLOC_TRIM_THRESHOLD_": "131072",
}
"""Environment of such a process, unless set otherwise: large blocks of memory go back at once (glibc). Measured, with
``OPENBLAS_NUM_THREADS``: 419 to 401 MB at most, the first reading after 1.5 instead of 2.0 seconds."""


class Worker:
    """One process that runs ``worker.serve``, and the pipe to it; started again after it broke down."""

    def __init__(
        self, command: Sequence[str], limits: Limits, name: str, environment: Mapping[str, str] | None = None
    ) -> None:
        self._command = list(command)
        self._environment = {**LEAN, **os.environ, **(environment or {})}
        self._limits = limits
        self._name = name
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        self._waiting = 0
        self._trouble = ""
        self._stage = ""
        self._broke_down = 0
        """How often it broke down since it last answered; one picture may be to blame for one time."""

    @property
    def condition(self) -> Condition:
        """How the process is, at once."""
        process = self._process
        running = process is not None and process.poll() is None
        return Condition(running, self._waiting, self._trouble, self._stage)

    def start(self) -> None:
        """Starts the process and returns at once; it gets ready by itself."""
        with self._lock:
            self._running()

    def stop(self, *, at_once: bool = False) -> None:
        """Ends the process, if there is one, after what it was asked; *at_once* not even that."""
        if at_once and (process := self._process) is not None:
            process.kill()
        with self._lock:
            self._end()

    def ask(self, question: str, *arguments: object) -> object:
        """The answer of the process. Raises the VisionError that it raised, or one that says what became of it."""
        self._waiting += 1
        try:
            with self._in_turn():
                answer = self._ask(question, *arguments)
            self._trouble, self._broke_down = "", 0
            return answer
        finally:
            self._waiting -= 1

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """One question after the other; raises CameraError for one that waited too long."""
        if not self._lock.acquire(timeout=self._limits.queue_s):
            raise CameraError(
                say(
                    "%(name)s is busy with other pictures: wait a moment, then send it again, or type the numbers",
                    name=self._name,
                )
            )
        try:
            yield
        finally:
            self._lock.release()

    def _ask(self, question: str, *arguments: object) -> object:
        process = self._running()
        if not self._ready:
            self._exchange(process, None, self._limits.start_s)
            self._ready = True
        return self._exchange(process, (question, arguments), self._limits.answer_s)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._end()
        log.info("starting %s", self._name)
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self._environment
        )
        atexit.register(self._end)
        return self._process

    def _exchange(self, process: subprocess.Popen[bytes], message: object, limit_s: float) -> object:
        """Sends *message* (None: only listens) and returns the answer; the process is ended when it is late."""
        late = threading.Event()

        def give_up() -> None:
            late.set()
            process.kill()

        watchdog = threading.Timer(limit_s, give_up)
        watchdog.daemon = True
        watchdog.start()
        try:
            if message is not None:
                write_message(_pipe(process.stdin), message)
            answer = self._heard(_pipe(process.stdout))
        except (OSError, EOFError, ValueError, pickle.UnpicklingError) as error:
            raise self._broken(process, late.is_set(), limit_s) from error
        finally:
            watchdog.cancel()
            self._stage = ""
        if isinstance(answer, BaseException):
            self._trouble, self._broke_down = str(answer) if isinstance(answer, CameraError) else "", 0
            raise answer
        return answer

    def _heard(self, replies: IO[bytes]) -> Any:
        """The next answer; what comes before says how far it is."""
        while isinstance(answer := read_message(replies), AtStage):
            self._stage = answer.stage
        return answer

    def _broken(self, process: subprocess.Popen[bytes], late: bool, limit_s: float) -> VisionError:
        self._end()
        error = self._why(process, late, limit_s)
        self._broke_down += 1
        self._trouble = str(error) if self._broke_down > 1 else ""
        return error

    def _why(self, process: subprocess.Popen[bytes], late: bool, limit_s: float) -> VisionError:
        if late:
            text = say(
                "%(name)s has not answered for %(seconds)s seconds and was started again: "
                "try a smaller picture, or type the numbers",
                name=self._name,
                seconds=round(limit_s),
            )
            return VisionError(text)
        log.error("%s ended with status %s", self._name, process.returncode)
        return VisionError(
            say(
                "%(name)s broke down over this and was started again: try another picture, or type the numbers",
                name=self._name,
            )
        )

    def _end(self) -> None:
        process, self._process, self._ready = self._process, None, False
        if process is None:
            return
        atexit.unregister(self._end)
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                _close(pipe)


def _close(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except OSError:  # what was not yet sent is of no use to a process that has ended
        log.debug("a pipe was already broken")


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise ValueError("the worker was started without pipes")
    return pipe


def write_message(pipe: IO[bytes], message: object) -> None:
    """Writes one message; both ends are this program, so pickle is safe."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    pipe.write(_LENGTH.pack(len(data)) + data)
    pipe.flush()


def read_message(pipe: IO[bytes]) -> Any:
    """Reads one message; raises EOFError where the other end is gone."""
    (length,) = _LENGTH.unpack(_exactly(pipe, _LENGTH.size))
    return pickle.loads(_exactly(pipe, length))


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    parts: list[bytes] = []
    while size > 0:
        part = pipe.read(size)
        if not part:
            raise EOFError("the other end is gone")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
