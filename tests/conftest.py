"""What every test may ask for, a browser or a phone's camera, and what a run may insist on."""

from __future__ import annotations

import http.server
import importlib.util
import os
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Playwright, sync_playwright

if TYPE_CHECKING:
    from scorekeeper.training.film import Grain
    from scorekeeper.vision.geometry import Image

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


class Phone(FlaskClient):
    """A client that says where its posts come from, as every browser does."""

    def open(self, *args: Any, headers: Any = None, **more: Any) -> Any:
        own = str(more.get("base_url") or "http://localhost").rstrip("/")
        return super().open(*args, headers={"Origin": own, **dict(headers or {})}, **more)


Flask.test_client_class = Phone


def chromium_path() -> str | None:
    """A Chromium or Chrome of this machine; ``SCOREKEEPER_BROWSER`` names another one."""
    return os.environ.get("SCOREKEEPER_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)


def can_train() -> bool:
    """Whether the extra "train", fonts and card art are installed."""
    packages = all(importlib.util.find_spec(name) for name in ("torch", "torchvision", "ultralytics", "onnx"))
    return packages and all(map(shutil.which, ("fc-list", "rsvg-convert"))) and Path("/usr/share/carddecks").is_dir()


def has_postgres() -> bool:
    """Whether a PostgreSQL server can be started or is named."""
    return "SCOREKEEPER_TEST_POSTGRES_URL" in os.environ or any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


INSISTENCE: Mapping[str, tuple[Callable[[], object], str]] = {
    "SCOREKEEPER_REQUIRE_BROWSER": (chromium_path, "there is no Chromium: install the package chromium"),
    "SCOREKEEPER_REQUIRE_TRAINING": (can_train, "training can't run: `make .venv/train`, and see .ci/run for packages"),
    "SCOREKEEPER_REQUIRE_POSTGRES": (has_postgres, "there is no PostgreSQL server: install the package postgresql"),
}
"""Tests that lack something are skipped with a reason, unless the variable is 1: then the run does not start."""


def pytest_configure() -> None:
    for variable, (is_there, reason) in INSISTENCE.items():
        if os.environ.get(variable) == "1" and not is_there():
            raise pytest.UsageError(f"{reason} ({variable}=1)")


@pytest.fixture
def runner() -> CliRunner:
    """Runs commands in this process."""
    return CliRunner()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium."""
    found = chromium_path()
    if found is None:
        pytest.skip("no Chromium found: install the package chromium to run browser tests")
    return found


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    """What drives browsers; there can be only one."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(driver: Playwright, chromium: str) -> Iterator[Browser]:
    """One headless browser for the whole run; open a context of your own in it."""
    browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    yield browser
    browser.close()


PACE_S = 0.06
"""Between two frames."""


class NetworkCamera:
    """A phone that serves its camera as MJPEG over real HTTP, and can be unplugged, plugged in again or frozen.

    Plays frames to whoever looks, one after the other, and stays on the last; each has a noise of its own.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frames: Iterator[Image] = iter(())
        self._grain: Grain | None = None
        self._data = b""
        self._frozen = False
        self._played = threading.Event()
        self._unplugged = threading.Event()
        self._server: http.server.ThreadingHTTPServer | None = None
        self.port = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/video"

    def show(self, frames: Iterable[Image]) -> None:
        """Plays *frames* from now on."""
        *all_frames, last = frames
        played = self._played = threading.Event()

        def told() -> Iterator[Image]:
            yield last
            played.set()

        with self._lock:
            self._frozen = False
            self._frames = chain(all_frames, told(), repeat(last))

    def freeze(self) -> None:
        """Serves the very same picture again and again."""
        with self._lock:
            self._frozen = True

    def played(self, timeout_s: float = 300) -> None:
        """Waits until somebody has seen all frames."""
        assert self._played.wait(timeout_s), "nobody looked"

    def plug_in(self) -> None:
        self._unplugged.clear()
        camera = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                while not camera._unplugged.wait(PACE_S):
                    data = camera._next()
                    head = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data)
                    try:
                        self.wfile.write(head + data + b"\r\n")
                    except OSError:
                        return

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def unplug(self) -> None:
        self._unplugged.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def _next(self) -> bytes:
        # Imported here: every test reads this file, and few need pictures.
        from numpy.random import default_rng

        from scorekeeper.training.film import Grain
        from scorekeeper.vision.camera.sources import encode_jpeg

        with self._lock:
            if not (self._frozen and self._data):
                frame = next(self._frames)
                if self._grain is None or self._grain.size != frame.shape[:2]:
                    self._grain = Grain(default_rng(5), frame.shape[:2])
                self._data = encode_jpeg(self._grain.on(frame), 90)
            return self._data


@pytest.fixture
def camera() -> Iterator[NetworkCamera]:
    """A phone's camera, plugged in."""
    camera = NetworkCamera()
    camera.plug_in()
    yield camera
    camera.unplug()


@pytest.fixture
def rounds() -> Callable[[int, int], int]:
    """How often: ``rounds(20, 1000)`` is 20 in every run of the tests, and 1,000 by ``make attack``."""
    return lambda short, long: long if os.environ.get("SCOREKEEPER_ATTACK") == "1" else short


@pytest.fixture
def found(capsys) -> Callable[[str], None]:
    """Says what an attack came to, for docs/testing.md."""

    def say(text: str) -> None:
        with capsys.disabled():
            print(f" [{text}]", end="")

    return say
