"""Pulling the plug of the disk: every write of an evening is recorded, and cut off at any moment in every way.

A file system owes a program only what was synced: the bytes of a file by ``fsync`` of it, its name by ``fsync`` of its
folder. Names of one folder come to the disk in order; bytes that were not synced come or do not come, block by block.

Where root may mount one, a real file system is cut off as well.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import pytest

from scorekeeper.config import Settings
from scorekeeper.rules.sides import SideId
from scorekeeper.scorebook import GameId, Scorebook
from scorekeeper.store import open_log
from web import create_app

HANDS = 4
PIN = "271828"
EVENING = """
import io, os, sys
from pathlib import Path
import cv2, numpy
from scorekeeper.config import Settings
from scorekeeper.rules.cards import parse_card
from scorekeeper.rules.lake import DeckId, LakeReading, Pile
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import open_log
from scorekeeper.watch import EnrolledDeck, Seen
from web import create_app

def picture(number):
    noise = numpy.random.default_rng(number).integers(0, 255, (60, 80, 3), dtype=numpy.uint8)
    return cv2.imencode(".jpg", noise)[1].tobytes()

class Eye:
    camera = None
    def lake(self, data):
        box = ((1.0, 1.0), (9.0, 1.0), (9.0, 9.0), (1.0, 9.0))
        return Seen(LakeReading((Pile(parse_card("9C"), 9, False, 0.9, box),), True, ()), (picture(7),), 1.0)
    def enrol(self, pictures):
        return EnrolledDeck(("a signature",), picture(8), ())
    def known_as(self, signatures, decks):
        return None
    def too_alike(self, decks):
        return []

def mark(text):
    os.write(1, (text + chr(10)).encode())

folder = Path(sys.argv[1])
settings = Settings(data_dir=folder, pin=sys.argv[2])
book = Scorebook(open_log(settings.url))
app = create_app(book, Eye(), settings)
phone = app.test_client()
phone.environ_base["HTTP_ORIGIN"] = "http://localhost"
assert phone.post("/sign-in", data={"pin": sys.argv[2]}).status_code == 303
game = book.start_game(make_sides(["Amy", "Ben"]), Rules(target=1000), request_id="start")
mark(f"game {game}")
file = {"pictures": (io.BytesIO(picture(1)), "back.jpg"), "request_id": "deck"}
assert phone.post(f"/g/{game}/decks/amy", data=file).status_code == 303
mark("deck")
for number in range(1, int(sys.argv[3]) + 1):
    version = book.version(game)
    file = {"lake": (io.BytesIO(picture(10 + number)), "lake.jpg"), "version": str(version)}
    assert phone.post(f"/g/{game}/hand/lake", data=file).status_code == 303
    fields = {"lake.amy": "5", "left.amy": "0", "called.amy": "1", "lake.ben": "4", "left.ben": "3", "total": "9"}
    answer = phone.post(f"/g/{game}/hand", data={"version": str(version), "request_id": f"tap-{number}", **fields})
    assert answer.status_code == 303, answer.text
    mark(f"hand {number}")
    seat = app.extensions["scorekeeper"].players.join(game, book.game(game).sides[1], "Ben", 0.0)
    mark(f"seat {seat.key}")
"""


@dataclass
class Recorder:
    """Reads what ``strace -xx`` wrote: the calls that change the folder, in order."""

    folder: str
    calls: list[tuple[str, ...]] = field(default_factory=list)
    data: list[bytes] = field(default_factory=list)
    _open: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Path and place by the number of an open file."""

    def read(self, trace: Path) -> None:
        for line in trace.read_text("ascii").splitlines():
            found = re.match(r"(\w+)\((.*)\)\s+= (-?\d+)", line)
            if found and not found[3].startswith("-"):
                self._call(found[1], found[2], found[3])

    def _call(self, name: str, arguments: str, result: str) -> None:
        texts = [bytes.fromhex(text.replace("\\x", "")) for text in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', arguments)]
        paths = [text.decode("utf-8", "replace") for text in texts] if name in PATHS else []
        number = arguments.split(",")[0].strip()
        if name == "openat" and f"{paths[0]}/".startswith(self.folder):
            self._open[result] = (paths[0], 0)
            if "O_CREAT" in arguments:
                self.calls.append(("create", paths[0]))
            if "O_TRUNC" in arguments:
                self._bytes(("truncate", paths[0], "0"))
        elif name == "openat" or name == "close":
            self._open.pop(result if name == "openat" else number, None)
        elif name == "write" and number == "1":
            self.calls.append(("mark", texts[0].decode().strip()))
        elif name in ("write", "pwrite64") and number in self._open:
            path, place = self._open[number]
            at = place if name == "write" else int(arguments.rsplit(",", 1)[1])
            self._open[number] = (path, place + len(texts[0])) if name == "write" else (path, place)
            self._bytes(("write", path, str(at)), texts[0])
        elif name == "lseek" and number in self._open:
            self._open[number] = (self._open[number][0], int(result))
        elif name == "ftruncate" and number in self._open:
            self._bytes(("truncate", self._open[number][0], arguments.rsplit(",", 1)[1].strip()))
        elif name in ("fsync", "fdatasync") and number in self._open:
            self.calls.append(("sync", self._open[number][0]))
        elif name in ("rename", "unlink", "mkdir") and paths[0].startswith(self.folder):
            self.calls.append((name, *paths))

    def _bytes(self, call: tuple[str, ...], data: bytes = b"") -> None:
        self.calls.append((*call, str(len(self.data))))
        self.data.append(data)


PATHS = {"openat", "rename", "unlink", "mkdir"}
TRACED = "openat,close,write,pwrite64,lseek,ftruncate,fsync,fdatasync,rename,unlink,mkdir"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    """An evening with pictures, a deck and phones, every write of it recorded."""
    if shutil.which("strace") is None:
        pytest.skip("no strace: install it to record what is written")
    folder, trace = tmp_path_factory.mktemp("evening") / "data", tmp_path_factory.mktemp("trace") / "calls"
    folder.mkdir()
    program = [sys.executable, "-c", EVENING, str(folder), PIN, str(HANDS)]
    command = [
        "strace",
        "-xx",
        "-s",
        "10000000",
        "-e",
        f"trace={TRACED}",
        "-e",
        "signal=none",
        "-o",
        str(trace),
        *program,
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False)
    if "PTRACE" in done.stderr:
        pytest.skip("strace may not trace here")
    assert done.returncode == 0, done.stderr
    recorder = Recorder(f"{folder}/")
    recorder.read(trace)
    return recorder


Inode = int
"""A file, whatever it is called."""


@dataclass
class Disk:
    """What the calls up to a cut leave on a disk."""

    chance: random.Random
    eager: float
    """How much of what was not synced is there all the same, 0 to 1."""
    names: list[tuple[str, ...]] = field(default_factory=list)
    """Changes of names in order: ``link path inode``, ``unlink path``, ``mkdir path``."""
    synced_names: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """By folder: how many of the changes of all names it has surely seen."""
    changes: dict[Inode, list[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(list))
    synced: dict[Inode, int] = field(default_factory=lambda: defaultdict(int))
    now: dict[str, Inode] = field(default_factory=dict)

    def do(self, call: tuple[str, ...]) -> None:
        match call:
            case ("create", path):
                if path not in self.now:
                    self._link(path, len(self.changes) + 1)
            case ("write" | "truncate", path, *_):
                self.changes[self.now[path]].append(call)
            case ("sync", path) if path in self.now:
                self.synced[self.now[path]] = len(self.changes[self.now[path]])
            case ("sync", path):
                self.synced_names[path.rstrip("/")] = len(self.names)
            case ("rename", before, after):
                inode = self.now.pop(before)
                self._link(after, inode)
                self.names.append(("unlink", before))
            case ("unlink", path):
                self.now.pop(path, None)
                self.names.append(call)
            case ("mkdir", path):
                self.names.append(call)

    def _link(self, path: str, inode: Inode) -> None:
        self.changes[inode]
        self.now[path] = inode
        self.names.append(("link", path, str(inode)))

    def write(self, data: list[bytes], folder: str, target: Path) -> None:
        """Puts one possible state of the disk into *target*."""
        seen: dict[str, int] = {}
        there: dict[str, Inode] = {}
        for number, (what, path, *rest) in enumerate(self.names):
            parent = path.rpartition("/")[0]
            last = seen.setdefault(parent, self._reach(self.synced_names[parent]))
            if number >= last:
                continue
            if what == "mkdir":
                (target / path.removeprefix(folder)).mkdir(exist_ok=True)
            elif what == "link":
                there[path] = int(rest[0])
            else:
                there.pop(path, None)
        for path, inode in there.items():
            place = target / path.removeprefix(folder)
            if place.parent.is_dir() and not path.endswith("-shm"):
                place.write_bytes(self._content(inode, data))

    def _reach(self, least: int) -> int:
        return max(least, round(least + self.eager * self.chance.random() * (len(self.names) - least)))

    def _content(self, inode: Inode, data: list[bytes]) -> bytes:
        content = bytearray()
        for number, (what, _path, at, index) in enumerate(self.changes[inode]):
            if number >= self.synced[inode] and self.chance.random() >= self.eager:
                continue
            if what == "truncate":
                del content[int(at) :]
                continue
            content.extend(bytes(max(0, int(at) - len(content))))
            content[int(at) : int(at) + len(data[int(index)])] = data[int(index)]
        return bytes(content)


def cuts(recorder: Recorder, number: int) -> Iterator[tuple[int, float]]:
    """Moments to cut at, as many calls in, and how much of what was not synced comes through."""
    chance = random.Random(number)
    moments = list(range(1, len(recorder.calls) + 1))
    chance.shuffle(moments)
    for each in range(number):
        yield moments[each % len(moments)], (0.0, 1.0, 0.5)[each % 3]


def check(folder: Path, marks: list[str]) -> None:
    """What phones were told is there, with its pictures, and every page opens."""
    settings = Settings(data_dir=folder, pin=PIN)
    log = open_log(settings.url)
    try:
        book = Scorebook(log)
        app = create_app(book, None, settings)
        phone = app.test_client()
        assert phone.post("/sign-in", data={"pin": PIN}).status_code == 303
        assert phone.get("/").status_code == 200
        game = next((GameId(mark.split()[1]) for mark in marks if mark.startswith("game")), None)
        if game is None:
            return
        told = [int(mark.split()[1]) for mark in marks if mark.startswith("hand")]
        assert len(book.game(game).hands) >= max(told, default=0)
        for part in ("", "/hand", "/decks", "/history"):
            assert phone.get(f"/g/{game}{part}").status_code == 200, part
        for number in told:
            page = phone.get(f"/g/{game}/hands/{number}").text
            pictures = set(re.findall(r"/pictures/[\w-]{22}", page))
            assert pictures, f"hand {number} lost its pictures"
            assert all(phone.get(picture).data.startswith(b"\xff\xd8\xff") for picture in pictures)
        if "deck" in marks:
            [back] = app.extensions["scorekeeper"].pictures.about(game, "deck-amy")["back"]
            assert phone.get(f"/pictures/{back}").data.startswith(b"\xff\xd8\xff")
        for key in (mark.split()[1] for mark in marks if mark.startswith("seat")):
            seat = app.extensions["scorekeeper"].players.seat(game, key)
            assert seat is not None
            assert seat.side == SideId("ben")
    finally:
        log.close()


def test_what_phones_were_told_outlives_every_power_cut(evening, tmp_path, rounds, found):
    states = rounds(6, 1000)
    for number, (moment, eager) in enumerate(cuts(evening, states)):
        disk, marks = Disk(random.Random(number), eager), []
        for call in evening.calls[:moment]:
            if call[0] == "mark":
                marks.append(call[1])
            else:
                disk.do(call)
        folder = tmp_path / str(number)
        folder.mkdir()
        disk.write(evening.data, evening.folder, folder)
        check(folder, marks)
        shutil.rmtree(folder)
    found(f"{states} power cuts among {len(evening.calls)} calls, nothing that was told is lost")


def test_the_disk_of_these_tests_can_lose_what_was_not_synced(tmp_path):
    """So that the test above could fail: a file written without sync is there with its name and without its bytes."""
    lost = Disk(random.Random(1), 0.0)
    for call in (("create", "/d/a"), ("write", "/d/a", "0", "0"), ("sync", "/d")):
        lost.do(call)
    lost.write([b"pictures"], "/d/", tmp_path)
    assert (tmp_path / "a").read_bytes() == b""


SHUTDOWN = 0x8004587D
"""EXT4_IOC_SHUTDOWN: from now on the file system reads and writes nothing."""
NO_LAST_WORD = struct.pack("I", 2)
"""What it held in memory and the end of its journal are lost, as by a power cut."""
DISK_MB = 64


@contextlib.contextmanager
def mounted(image: Path, place: Path) -> Iterator[None]:
    """The file system in *image*, its journal replayed."""
    done = subprocess.run(["mount", "-o", "loop", image, place], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", place], check=True)


def told_until_cut(place: Path, chance: random.Random) -> list[str]:
    """What phones were told by an evening before its disk was cut off, at some moment of it.

    What is told while it is being cut off is left out: ext4 may then answer a sync that came too late as done.
    """
    evening = [sys.executable, "-c", EVENING, str(place), PIN, "30"]
    with subprocess.Popen(evening, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as program:
        assert program.stdout is not None
        told = [line.strip() for line in islice(program.stdout, chance.randint(1, 18))]
        time.sleep(chance.uniform(0, 0.05))
        disk = os.open(place, os.O_RDONLY)
        fcntl.ioctl(disk, SHUTDOWN, NO_LAST_WORD)
        os.close(disk)
        program.stdout.read()
        return told


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("mkfs.ext4") is None, reason="only root may mount an ext4 of its own"
)
def test_a_real_file_system_that_is_cut_off_has_what_phones_were_told(tmp_path, rounds, found):
    image, place, hands, cuts_made = tmp_path / "image", tmp_path / "disk", 0, rounds(1, 100)
    place.mkdir()
    for number in range(cuts_made):
        image.unlink(missing_ok=True)
        with image.open("wb") as file:
            file.truncate(DISK_MB << 20)
        subprocess.run(["mkfs.ext4", "-q", image], check=True)
        with mounted(image, place):
            told = told_until_cut(place, random.Random(number))
        with mounted(image, place):
            check(place, told)
        hands += sum(each.startswith("hand") for each in told)
    assert hands > 0
    found(f"an ext4 was cut off {cuts_made} times, {hands} hands with pictures told before: none is lost")
