"""Pulling the plug: the server is killed while a hand is being confirmed, and what a phone was shown is there."""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlencode

import pytest

from scorekeeper.rules.scoring import Rules, make_sides

NURSERY = """
import os, sys
from pathlib import Path
from scorekeeper.config import Settings
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import open_log
from web import create_app
from web.server import bind

settings = Settings(data_dir=Path(sys.argv[1]), pin=sys.argv[2])
for _ in sys.stdin:  # everything is imported: each line forks one server with a database connection of its own
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        continue
    server = bind(create_app(Scorebook(open_log(settings.url)), None, settings), "127.0.0.1", 0)
    print(os.getpid(), server.server_port, flush=True)
    server.serve_forever()
"""


@dataclass
class Server:
    """A server that can be killed and started again on the same data."""

    nursery: subprocess.Popen[str]
    pid: int = 0
    port: int = 0
    cookie: str = ""

    def start(self) -> None:
        assert self.nursery.stdin
        assert self.nursery.stdout
        self.nursery.stdin.write("start\n")
        self.nursery.stdin.flush()
        self.pid, self.port = map(int, self.nursery.stdout.readline().split())

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None) -> tuple[int, str]:
        """Status and text of one request; raises OSError or HTTPException when the server dies over it."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        with contextlib.closing(link):
            headers = {
                "Content-Type": "application/x-www-form-urlencoded",
                "Cookie": self.cookie,
                "Origin": f"http://127.0.0.1:{self.port}",
            }
            link.request(method, path, urlencode(fields or {}), headers)
            answer = link.getresponse()
            self.cookie = (answer.headers["Set-Cookie"] or self.cookie).partition(";")[0]
            return answer.status, answer.read().decode()


@dataclass
class Watcher:
    """A phone that keeps the board open until the server dies, and remembers the last version it was shown."""

    port: int
    path: str
    shown: int = 0
    thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._watch)
        self.thread.start()

    def _watch(self) -> None:
        with (
            contextlib.suppress(OSError, http.client.HTTPException),
            contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as link,
        ):
            link.request("GET", self.path)
            version = 0
            for line in link.getresponse():
                version = int(line[4:]) if line.startswith(b"id: ") else version
                self.shown = version if line == b"\n" else self.shown


@pytest.fixture
def server(settings, pin) -> Iterator[Server]:
    words = [sys.executable, "-c", NURSERY, str(settings.data_dir), pin]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as nursery:
        server = Server(nursery)
        server.start()
        assert server.ask("POST", "/sign-in", {"pin": pin})[0] == 303
        yield server
        server.kill()


def test_what_a_phone_was_shown_survives_kills(server, book, hand, rounds, found):
    kills = rounds(8, 1000)
    game_id = book.start_game(make_sides(["Amy", "Ben"]), Rules(target=100_000), request_id="long")
    chance = random.Random(9)
    usual_s = 0.02
    acknowledged: list[str] = []
    for number in range(1, kills + 1):
        mark = f"round-{number}."
        fields = hand("amy 14/0! ben 9/3", number, f"tap-{number}", **{"extra.amy": "+1", "why.amy": mark})
        watcher = Watcher(server.port, f"/g/{game_id}/events")
        killer = threading.Timer(chance.uniform(0, 3 * usual_s), server.kill)
        killer.start()
        with contextlib.suppress(OSError, http.client.HTTPException):
            if server.ask("POST", f"/g/{game_id}/hand", fields)[0] == 303:
                acknowledged.append(mark)
        killer.join()
        watcher.thread.join()
        server.start()

        status, history = server.ask("GET", f"/g/{game_id}/history")
        assert status == 200
        assert [mark for mark in acknowledged if mark not in history] == []
        board = server.ask("GET", f"/g/{game_id}/board")[1]
        assert int(re.search(r'data-version="(\d+)"', board)[1]) >= watcher.shown
        # The phone that saw no answer sends the same form again: it is recorded, and once only.
        began = time.monotonic()
        assert server.ask("POST", f"/g/{game_id}/hand", fields)[0] == 303
        usual_s = 0.7 * usual_s + 0.3 * (time.monotonic() - began)
    reasons = [hand.adjustments[0].reason for hand in book.game(game_id).hands]
    assert reasons == [f"round-{number}." for number in range(1, kills + 1)]
    assert len(acknowledged) < kills
    found(f"{kills} kills, {len(acknowledged)} hands acknowledged before, none lost and none twice")
