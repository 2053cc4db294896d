"""The process that looks: answers questions from its standard input until that is closed.

python -m scorekeeper.watch.worker eye LETTERS
python -m scorekeeper.watch.worker camera SOURCE
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import IO, TYPE_CHECKING

from scorekeeper.errors import ScorekeeperError, VisionError
from scorekeeper.watch.process import read_message, write_message

if TYPE_CHECKING:
    from scorekeeper.vision.geometry import Image
    from scorekeeper.vision.indices import Letters

log = logging.getLogger(__name__)

Answers = Mapping[str, Callable[..., object]]


def main(arguments: list[str]) -> None:
    """Serves one task to the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    questions, replies = sys.stdin.buffer, _private_stdout()
    match arguments:
        case ["eye", ("french" | "dutch") as letters]:
            serve(questions, replies, lambda: _eye_answers(letters))
        case ["camera", source]:
            camera = Camera(source)
            serve(questions, replies, lambda: {"snapshot": camera.snapshot})
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
        write_message(replies, _answer(answers[question], arguments))


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
        return VisionError("this computer has too little memory for the picture: send it smaller")
    log.error("the eye stumbled", exc_info=error)
    reason = f"{type(error).__name__}: {error}".splitlines()[0]
    return VisionError(f"the eye stumbled over this ({reason}): try another picture, or type the numbers")


def _eye_answers(letters: Letters) -> Answers:
    from scorekeeper.watch.sight import Sight  # loads the vision libraries, which only this task needs

    sight = Sight(letters=letters)
    sight.warm_up()
    names = ("lake", "fan", "spread", "enrol", "too_alike")
    return {name: getattr(sight, name) for name in names}


class Camera:
    """A camera that is opened with the first snapshot and then kept open."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._open = ExitStack()
        self._frames: Iterator[Image] | None = None

    def snapshot(self) -> bytes:
        """JPEG of the newest frame; raises CameraError."""
        from scorekeeper.vision.camera import encode_jpeg, open_camera

        if self._frames is None:
            self._frames = self._open.enter_context(open_camera(self._source))
        return encode_jpeg(next(self._frames), 90)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    main(sys.argv[1:])
