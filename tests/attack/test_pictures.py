"""Pictures that are none, or no longer: each gets an answer in time, and the next picture is read."""

from __future__ import annotations

import io
import random
import struct
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import PIL.Image
import pytest

from scorekeeper.errors import ScorekeeperError
from scorekeeper.resources import data_path
from scorekeeper.watch import EyeProcess
from scorekeeper.watch.process import Limits
from web.pictures import Pictures, kind_of, size_of

LIMIT_S = 10.0
"""For one reading here; a server allows more. Starting the eye again comes on top."""
START_S = 20.0

HAND = data_path("datasets") / "samples" / "hand1"


def shrunk(path: Path, kind: str, size: tuple[int, int] = (640, 360)) -> bytes:
    file = io.BytesIO()
    with PIL.Image.open(path) as picture:
        picture.convert("RGB").resize(size).save(file, kind)
    return file.getvalue()


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack("!I", len(data)) + kind + data + struct.pack("!I", zlib.crc32(kind + data))


def bomb(width: int, height: int) -> bytes:
    """A PNG of some kilobytes that claims to be so large."""
    rows = zlib.compress(bytes(min(10_000_000, height * (width + 1))), 9)
    head = struct.pack("!IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def made_by_hand() -> Iterator[bytes]:
    """Nothing, half a picture, other things under the name of one, and pictures larger than any memory."""
    jpeg = shrunk(HAND / "lake.jpg", "JPEG")
    yield from (
        b"",
        b"\0",
        b"\xff\xd8\xff",
        b"\x89PNG\r\n\x1a\n",
        b"RIFF\0\0\0\0WEBP",
        b"GIF89a",
        b"BM",
        b"II*\0",
        b"%PDF-1.7",
    )
    yield from (
        jpeg[:1000],
        jpeg[: len(jpeg) // 2],
        jpeg[:-2],
        jpeg[2:],
        jpeg[::-1],
        jpeg * 3,
        jpeg + b"\0" * 1_000_000,
    )
    yield from (bomb(60_000, 60_000), bomb(8_000, 8_000), bomb(1, 4_000_000), bomb(2**31 - 1, 2**31 - 1), bomb(0, 0))
    yield from (
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"PK\x03\x04" * 100,
        b"\xff\xd8" + b"\xff\xe1\xff\xff" * 500,
    )


def malformed(number: int) -> Iterator[bytes]:
    """Pictures of cards in which chance changed bytes, most of them in the header, cut some off or doubled some."""
    chance = random.Random(number)
    whole = [
        shrunk(HAND / name, kind)
        for name in ("lake.jpg", "fan-ben.jpg", "spread-1.jpg")
        for kind in ("JPEG", "PNG", "WEBP")
    ]
    for _ in range(number):
        data = bytearray(chance.choice(whole))
        for _ in range(chance.randint(1, 8)):
            place = chance.randrange(2, min(len(data), chance.choice((40, 700, len(data)))))
            data[place] = chance.randrange(256)
        if chance.random() < 0.2:
            del data[chance.randrange(len(data)) :]
        if chance.random() < 0.1:
            data += data[: chance.randrange(len(data))]
        yield bytes(data)


@pytest.fixture(scope="module")
def eye() -> Iterator[EyeProcess]:
    with EyeProcess(limits=Limits(answer_s=LIMIT_S)) as watch:
        yield watch


def questions(eye: EyeProcess) -> list[Callable[[bytes], object]]:
    decks = {
        name: eye.enrol([(HAND / f"enrol-{name}.jpg").read_bytes()]).signatures for name in ("red", "blue", "green")
    }
    return [
        eye.lake,
        eye.fan,
        lambda data: eye.spread([data], decks),
        lambda data: eye.enrol([data]),
        lambda data: eye.laid([data]),
        lambda data: eye.check_table(data, decks),
    ]


def test_no_picture_keeps_the_eye_busy_or_ends_the_server(eye, tmp_path, rounds, found):
    asked, kept = questions(eye), Pictures(tmp_path)
    answers: Counter[str] = Counter()
    longest_s = 0.0
    pictures = [*list(made_by_hand())[:: rounds(3, 1)], *malformed(rounds(4, 1000))]
    for number, data in enumerate(pictures):
        began = time.monotonic()
        try:
            asked[number % len(asked)](data)
            answers["read"] += 1
        except ScorekeeperError as error:
            answers["too slow" if "has not answered" in str(error) else "refused"] += 1
        longest_s = max(longest_s, time.monotonic() - began)
        if data:  # what the server itself does with it
            assert size_of(data) >= (0, 0)
            assert kind_of(kept.small(kept.keep(data)))
    found(f"{len(pictures)} malformed pictures: {dict(answers)}, {longest_s:.1f} s for one at most")
    assert longest_s < LIMIT_S + START_S
    assert eye.lake((HAND / "lake.jpg").read_bytes()).reading.piles


def test_a_reading_that_wants_more_memory_than_there_is_is_refused_and_the_eye_lives_on(eye):
    from scorekeeper.watch.worker import MEMORY_MB

    before = eye.lake((HAND / "lake.jpg").read_bytes())
    process = eye._eye._process
    assert process is not None
    limits = Path(f"/proc/{process.pid}/limits").read_text()
    assert f"{MEMORY_MB * 2**20}" in next(line for line in limits.splitlines() if line.startswith("Max data size"))
    assert eye.lake((HAND / "lake.jpg").read_bytes()).reading == before.reading
