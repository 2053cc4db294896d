"""The process that looks: answers questions from its standard input until that is closed.

python -m scorekeeper.watch.worker eye LETTERS
python -m scorekeeper.watch.worker camera ROTATE WIDTHxHEIGHT LETTERS

The second finds its source in the variable SCOREKEEPER_CAMERA.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING

from scorekeeper.errors import CameraError, ScorekeeperError, VisionError
from scorekeeper.rules.said import Said, say
from scorekeeper.vision import progress
from scorekeeper.watch.process import CAMERA, AtStage, read_message, write_message
from scorekeeper.watch.seam import PHONE, PHONE_GONE, CameraChoice

if TYPE_CHECKING:
    from scorekeeper.vision.camera.sources import Newest
    from scorekeeper.vision.faces.indices import Letters
    from scorekeeper.watch.seam import Moment

log = logging.getLogger(__name__)

MEMORY_MB = 1000
"""Data of the process that reads pictures; a picture of 64 megapixels takes 700."""
NICE = 5
"""How far a picture stands back where the processors are busy: whoever looks at a page waits less than who sent one."""

Answers = Mapping[str, Callable[..., object]]


def main(arguments: list[str]) -> None:
    """Serves one task to the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    questions, replies = sys.stdin.buffer, _private_stdout()
    match arguments:
        case ["eye", ("french" | "dutch") as letters]:
            serve(questions, replies, lambda: _eye_answers(letters))
        case ["camera", ("0" | "90" | "180" | "270") as rotate, size, ("french" | "dutch") as letters]:
            width, _, height = size.partition("x")
            choice = CameraChoice(os.environ[CAMERA], int(rotate), (int(width), int(height)))
            serve(questions, replies, lambda: _camera_answers(choice, letters))
        case _:
            raise SystemExit(f"unknown task {arguments!r}")


def _private_stdout() -> IO[bytes]:
    """The pipe to the server, out of reach of libraries that print."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return pipe


def serve(questions: IO[bytes], replies: IO[bytes], prepare: Callable[[], Answers]) -> None:
    """Says when it is ready, then answers one question after the other."""
    try:
        answers = prepare()
    except Exception as error:  # told to whoever asks, in one sentence
        write_message(replies, _refusal(error))
        return
    write_message(replies, "ready")
    while True:
        try:
            question, arguments = read_message(questions)
        except EOFError:
            return
        with _telling(replies):
            answer = _answer(answers[question], arguments)
        write_message(replies, answer)


@contextmanager
def _telling(replies: IO[bytes]) -> Iterator[None]:
    """Says within this block how far the answer is, each change once."""
    telling, last = threading.Lock(), [""]

    def tell(stage: progress.Stage) -> None:
        with telling:
            if last[0] not in (stage, "over"):
                last[0] = stage
                write_message(replies, AtStage(stage))

    with progress.listening(tell):
        yield
    with telling:
        last[0] = "over"


def _answer(answer: Callable[..., object], arguments: tuple[object, ...]) -> object:
    try:
        return answer(*arguments)
    except Exception as error:  # the process answers whatever happens
        return _refusal(error)


def _refusal(error: Exception) -> ScorekeeperError:
    """Our refusals as they are; anything else is logged here and becomes one sentence."""
    if isinstance(error, ScorekeeperError):
        return error
    if isinstance(error, MemoryError):
        return VisionError(say("this computer has too little memory for the picture: send it smaller"))
    log.error("the eye stumbled", exc_info=error)
    reason = f"{type(error).__name__}: {error}".splitlines()[0]
    return VisionError(
        say("this picture could not be read (%(reason)s): try another one, or type the numbers", reason=reason)
    )


def _bound_memory() -> None:
    """From here on a picture that wants more memory is refused, before the system ends whatever it likes."""
    if sys.platform == "linux":  # elsewhere data is not counted like this
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_MB * 2**20, resource.RLIM_INFINITY))


def _eye_answers(letters: Letters) -> Answers:
    from scorekeeper.watch.sight import Sight  # loads the vision libraries, which only this task needs

    sight = Sight(letters=letters)
    sight.warm_up()
    _bound_memory()
    names = ("plain", "lake", "fan", "spread", "enrol", "laid", "known_as", "check_table", "too_alike")
    return {name: getattr(sight, name) for name in names}


def _camera_answers(choice: CameraChoice, letters: Letters) -> Answers:
    from scorekeeper.watch.lookout import Lookout

    camera = Camera(choice)
    lookout = Lookout(camera.opened, camera.shut, letters)
    own = {name: getattr(camera, name) for name in ("snapshot", "glimpse", "feed", "record", "moments", "moment")}
    names = ("scan", "scan_act", "scan_state", "scan_picture", "scan_result")
    return own | {name: getattr(lookout, name) for name in names}


class Camera:
    """A camera that is opened when it is first needed and then kept open."""

    def __init__(self, choice: CameraChoice) -> None:
        from scorekeeper.vision.camera.sources import Sent
        from scorekeeper.watch.recall import Recall

        self._choice = choice
        self._sent = Sent(PHONE_GONE) if choice.source == PHONE else None
        self._opening = threading.Lock()
        self._open = ExitStack()
        self._newest: Newest | None = None
        self._seen = 0
        self._recall = Recall()

    def snapshot(self) -> bytes:
        """JPEG of the newest frame; raises CameraError."""
        from scorekeeper.vision.camera.sources import Patience, encode_jpeg

        try:
            # What a phone sends comes in between questions: waiting for its next picture would keep that out.
            after = self._seen if self._sent is None else 0
            self._seen, frame = self.opened().wait(after=after, timeout_s=Patience().next_s)
        except CameraError:
            self.shut()
            raise
        return encode_jpeg(frame, 90)

    def glimpse(self) -> tuple[Said, bool]:
        """What it gives within two seconds, and whether that is too little; raises CameraError."""
        from scorekeeper.watch.glimpse import glimpse

        try:
            return glimpse(self.opened())
        except CameraError:
            self.shut()
            raise

    def feed(self, picture: bytes) -> None:
        """The next picture of the phone that is the camera."""
        if self._sent is not None:
            self._sent.put(picture)

    def record(self, on: bool, afresh: bool) -> None:
        """Keeps the last seconds from now on, or keeps what there is."""
        if not on:
            self._recall.stop(forget=afresh)
            return
        newest = self.opened()
        try:
            newest.peek(after=0, timeout_s=0)  # raises what the camera is known to lack
        except CameraError:
            self.shut()
            raise
        self._recall.start(lambda after, timeout_s: newest.peek(after=after, timeout_s=timeout_s), afresh=afresh)

    def moments(self) -> tuple[Moment, ...]:
        """The pictures of the last seconds."""
        return self._recall.moments()

    def moment(self, number: int) -> bytes:
        """One of them."""
        return self._recall.picture(number)

    def opened(self) -> Newest:
        """The camera, opened now where it is not yet; raises CameraError."""
        from scorekeeper.vision.camera.sources import open_newest

        with self._opening:
            if self._newest is None:
                choice, source = self._choice, self._sent or str(self._choice.source)
                opening = open_newest(source, rotate=choice.rotate, size=choice.size)
                self._newest = self._open.enter_context(opening)
            return self._newest

    def shut(self) -> None:
        """Closes the camera, so that the next try opens it afresh."""
        with self._opening:
            self._newest, self._seen = None, 0
            self._open.close()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICE)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it would tell the camera's address with its password
    main(sys.argv[1:])
