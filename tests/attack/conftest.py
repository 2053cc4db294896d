"""What the attacks share: a real server, and somebody who keeps asking it for a page."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

PIN = "271828"
ASKED_S = 0.05


@dataclass
class Server:
    """``scorekeeper serve`` in a process of its own."""

    address: str
    folder: Path
    process: subprocess.Popen[str]

    @property
    def place(self) -> tuple[str, int]:
        url = httpx.URL(self.address)
        return url.host, url.port or 80

    @contextlib.contextmanager
    def keeper(self) -> Iterator[httpx.Client]:
        """A phone that is signed in as the scorekeeper."""
        with httpx.Client(base_url=self.address, headers={"Origin": self.address}, timeout=120) as phone:
            assert phone.post("/sign-in", data={"pin": PIN}).status_code == 303
            yield phone


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the attacks of a file, as it has to outlive them all."""
    tmp_path = tmp_path_factory.mktemp("server")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (tmp_path / "pin.txt").write_text(PIN)
    words = ["serve", "--host", "127.0.0.1", "--port", str(port), "--data", str(tmp_path)]
    command = [sys.executable, "-m", "scorekeeper", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        assert any("Ctrl-C" in line for line in process.stdout)
        yield Server(f"http://127.0.0.1:{port}", tmp_path, process)
        process.kill()


@dataclass
class Asker:
    """A phone that asks for one page over and over, and remembers how long it waited."""

    address: str
    waits_s: list[float] = field(default_factory=list)
    statuses: set[int] = field(default_factory=set)
    over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        with httpx.Client(timeout=120) as phone:
            while not self.over.is_set():
                began = time.monotonic()
                self.statuses.add(phone.get(self.address).status_code)
                self.waits_s.append(time.monotonic() - began)
                self.over.wait(ASKED_S)

    @property
    def longest_s(self) -> float:
        return max(self.waits_s)


@pytest.fixture
def asking(server: Server) -> Callable[..., contextlib.AbstractContextManager[Asker]]:
    """Somebody asks for the front page all the while: ``with asking() as asker: ...``."""

    @contextlib.contextmanager
    def ask(path: str = "/") -> Iterator[Asker]:
        asker = Asker(f"{server.address}{path}")
        thread = threading.Thread(target=asker.run)
        thread.start()
        time.sleep(4 * ASKED_S)
        try:
            yield asker
        finally:
            time.sleep(4 * ASKED_S)
            asker.over.set()
            thread.join()
        assert asker.statuses == {200}

    return ask
