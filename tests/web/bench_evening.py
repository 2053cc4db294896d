"""
Times many open boards for minutes while the eye is busy: how late a hand is, and what the server holds afterwards.

    python tests/web/bench_evening.py
    python tests/web/bench_evening.py --boards 500 --minutes 10

A real server in a process of its own, the boards as raw streams. Pictures are sent one after the other all the time.
It prints the time from the tap to each board, the server's memory and open files before, during and after.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import selectors
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from bench_boards import start_game

from scorekeeper.cli.demonstration import sample_hands, server
from web.connections import allow_many_files

GOAL_MS = 250
"""What 99 of 100 boards are to hear a hand within."""


@dataclass
class Boards:
    """Open boards, read by one thread that notes when each heard which version."""

    address: str
    game: str
    heard: dict[int, list[float]] = field(default_factory=dict)
    """Seconds of time.perf_counter by version, one for each board that heard of it."""
    broken: int = 0
    """Streams that ended by themselves."""
    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    _over: bool = False

    def open(self, count: int) -> threading.Thread:
        place = urlsplit(self.address)
        for _ in range(count):
            link = socket.create_connection((place.hostname, place.port), timeout=60)
            link.sendall(f"GET /g/{self.game}/events HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
            self._selector.register(link, selectors.EVENT_READ, bytearray())
        reader = threading.Thread(target=self._read, daemon=True)
        reader.start()
        return reader

    def _read(self) -> None:
        while not self._over:
            for key, _events in self._selector.select(0.2):
                piece = key.fileobj.recv(65536)
                if not piece:
                    self._selector.unregister(key.fileobj)
                    self.broken += 1
                    continue
                at, rest = time.perf_counter(), key.data
                rest += piece
                for number in re.findall(rb"\nid: (\d+)\n", rest):
                    self.heard.setdefault(int(number), []).append(at)
                del rest[:-40]

    def wait(self, count: int) -> None:
        """Returns when *count* boards show the game."""
        while len(self.heard.get(1, ())) < count:
            time.sleep(0.05)

    def close(self) -> None:
        self._over = True
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()


@dataclass(frozen=True)
class Held:
    """What a process holds."""

    mb: float
    files: int


def held(pid: int) -> Held:
    status = Path(f"/proc/{pid}/status").read_text()
    return Held(int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024, len(os.listdir(f"/proc/{pid}/fd")))


def server_pid(port: int) -> int:
    """The process that serves on *port*."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes().split(b"\0")
            if b"serve" in words and str(port).encode() in words:
                return int(folder.name)
    raise LookupError(f"nobody serves on port {port}")


def keep_busy(address: str, pin: str, game: str, over: threading.Event) -> list[float]:
    """Sends one picture of a Lake after the other; returns the seconds each took."""
    picture, took = (sample_hands()[0] / "lake.jpg").read_bytes(), []
    with httpx.Client(base_url=address, headers={"Origin": address}, timeout=120) as link:
        link.post("/sign-in", data={"pin": pin})
        while not over.is_set():
            began = time.perf_counter()
            link.post(f"/g/{game}/hand/lake", data={"version": "1"}, files={"lake": ("a.jpg", picture, "image/jpeg")})
            took.append(time.perf_counter() - began)
    return took


@contextlib.contextmanager
def served(folder: Path, timeout_s: float) -> Iterator[tuple[httpx.Client, str, str, int]]:
    """A server over *folder* in a process of its own: the scorekeeper's link to it, its address, PIN and process."""
    with server(folder, 0) as (address, pin):
        pid = server_pid(urlsplit(address).port or 0)
        with httpx.Client(base_url=address, headers={"Origin": address}, timeout=timeout_s) as link:
            link.post("/sign-in", data={"pin": pin})
            yield link, address, pin, pid


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=500, help="open boards")
    parser.add_argument("--minutes", type=float, default=10, help="how long")
    parser.add_argument("--every", type=float, default=3, help="seconds between two hands")
    chosen = parser.parse_args()
    allow_many_files()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), 60) as (link, address, pin, pid):
        measure(link, address, pin, pid, chosen)


def measure(link: httpx.Client, address: str, pin: str, pid: int, chosen: argparse.Namespace) -> None:
    game = start_game(link, address, 4).game
    before, boards, over, looks = held(pid), Boards(address, game), threading.Event(), []
    reader = boards.open(chosen.boards)
    boards.wait(chosen.boards)
    busy = threading.Thread(target=lambda: looks.extend(keep_busy(address, pin, game, over)))
    busy.start()
    tapped, until, memory = {}, time.monotonic() + 60 * chosen.minutes, []
    while time.monotonic() < until:
        version = len(tapped) + 1
        fields = {"did": f"{'not-' if version % 2 == 0 else ''}ready.amy", "hand": "1", "request_id": f"tap {version}"}
        tapped[version + 1] = time.perf_counter()
        assert link.post(f"/g/{game}/referee", data=fields).status_code == 303
        time.sleep(chosen.every)
        memory.append(held(pid).mb)
    during = held(pid)
    over.set()
    busy.join()
    boards.close()
    reader.join()
    time.sleep(30)  # the server sees by its heartbeats who has gone
    after = held(pid)
    report(boards, tapped, looks, (before, during, after), memory)


def report(boards: Boards, tapped: dict, looks: list[float], kept: tuple[Held, ...], memory: list[float]) -> None:
    late = sorted(1000 * (at - tapped[v]) for v, times in boards.heard.items() if v in tapped for at in times)
    p99 = late[int(0.99 * (len(late) - 1))]
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{len(tapped)} changes, heard {len(late)} times, {boards.broken} streams broke")
    middle = statistics.median(late)
    print(f"tap to board: median {middle:.0f} ms, p99 {p99:.0f} ms (goal {GOAL_MS}), worst {late[-1]:.0f} ms")
    print(f"pictures read meanwhile: {len(looks)}, median {statistics.median(looks):.2f} s")
    quarter = max(1, len(memory) // 4)
    print(f"memory: {kept[0].mb:.0f} MB before, {statistics.mean(memory[:quarter]):.0f} in the first quarter, "
          f"{statistics.mean(memory[-quarter:]):.0f} in the last, {kept[2].mb:.0f} after")  # fmt: skip
    print(f"open files: {kept[0].files} before, {kept[1].files} during, {kept[2].files} after")


if __name__ == "__main__":
    main()
