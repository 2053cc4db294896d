"""A phone that serves its camera as MJPEG over real HTTP, and can be unplugged, plugged in again, frozen or covered."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterable, Iterator
from itertools import chain, repeat

import numpy as np
import pytest

from scorekeeper.training.film import Grain
from scorekeeper.vision.camera import encode_jpeg
from scorekeeper.vision.geometry import Image

PACE_S = 0.06
"""Between two frames."""


class NetworkCamera:
    """Plays frames to whoever looks, one after the other, and stays on the last; each has a noise of its own."""

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
        with self._lock:
            if not (self._frozen and self._data):
                frame = next(self._frames)
                if self._grain is None or self._grain.size != frame.shape[:2]:
                    self._grain = Grain(np.random.default_rng(5), frame.shape[:2])
                self._data = encode_jpeg(self._grain.on(frame), 90)
            return self._data


@pytest.fixture
def phone() -> Iterator[NetworkCamera]:
    """A phone's camera, plugged in."""
    camera = NetworkCamera()
    camera.plug_in()
    yield camera
    camera.unplug()
