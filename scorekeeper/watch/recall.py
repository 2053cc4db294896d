"""The referee's eye: the last seconds of the camera, kept in memory only, to be watched picture by picture."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

import cv2
import numpy as np

from scorekeeper.errors import CameraError, NotFoundError
from scorekeeper.vision.camera.sources import encode_jpeg
from scorekeeper.vision.geometry import Image
from scorekeeper.watch import words
from scorekeeper.watch.seam import Moment

Peek = Callable[[int, float], "tuple[int, Image] | None"]
"""The newest frame and its number once it is newer than a number, or None after some seconds; raises CameraError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """How much is kept."""

    seconds: float = 20.0
    most_bytes: int = 48 * 1024 * 1024
    per_second: float = 8.0
    """Pictures kept of each second; a camera gives more."""
    longest_side: int = 1280
    """Pixels; a larger picture is made smaller."""
    quality: int = 70
    """Of the JPEG."""


class Ring:
    """Pictures of the last seconds; the oldest go first, by age and by bytes."""

    def __init__(self, span: Span) -> None:
        self._span = span
        self._kept: deque[tuple[int, float, bytes]] = deque()
        self._numbers = count(1)
        self._bytes = 0

    def add(self, at_s: float, picture: bytes) -> None:
        """One more picture, taken *at_s* seconds by a clock that never goes back."""
        self._kept.append((next(self._numbers), at_s, picture))
        self._bytes += len(picture)
        while self._kept and (at_s - self._kept[0][1] > self._span.seconds or self._bytes > self._span.most_bytes):
            self._bytes -= len(self._kept.popleft()[2])

    def clear(self) -> None:
        """Forgets every picture; numbers go on, so that an old one never means a new picture."""
        self._kept.clear()
        self._bytes = 0

    @property
    def size(self) -> int:
        """Bytes of all pictures kept."""
        return self._bytes

    def moments(self) -> tuple[Moment, ...]:
        """Number and age of each picture, the oldest first."""
        last = self._kept[-1][1] if self._kept else 0.0
        return tuple(Moment(number, round(last - at_s, 2)) for number, at_s, _ in self._kept)

    def picture(self, number: int) -> bytes:
        """One picture; raises NotFoundError when it is forgotten."""
        for known, _, picture in self._kept:
            if known == number:
                return picture
        raise NotFoundError(words.FORGOTTEN)


class Recall:
    """Fills a ring from a camera while it is told to, in a thread of its own; safe to be asked from another."""

    def __init__(self, span: Span | None = None) -> None:
        self._span = span or Span()
        self._ring = Ring(self._span)
        self._lock = threading.Lock()
        self._stop: threading.Event | None = None

    def start(self, peek: Peek, *, afresh: bool) -> None:
        """Begins to keep what the camera shows; *afresh* forgets what was kept before."""
        with self._lock:
            if afresh:
                self._ring.clear()
            if self._stop is None or self._stop.is_set():
                self._stop = threading.Event()
                threading.Thread(target=self._run, args=(peek, self._stop), name="recall", daemon=True).start()

    def stop(self, *, forget: bool = False) -> None:
        """Keeps no more pictures; *forget* drops those that were kept."""
        with self._lock:
            if self._stop is not None:
                self._stop.set()
            if forget:
                self._ring.clear()

    def moments(self) -> tuple[Moment, ...]:
        """The pictures that can be watched, the oldest first."""
        with self._lock:
            return self._ring.moments()

    def picture(self, number: int) -> bytes:
        """One of them; raises NotFoundError when it is forgotten."""
        with self._lock:
            return self._ring.picture(number)

    def _run(self, peek: Peek, stop: threading.Event) -> None:
        seen, due_s = 0, time.monotonic()
        while not stop.is_set():
            try:
                found = peek(seen, 1.0)
            except CameraError:
                stop.set()
                return
            now_s = time.monotonic()
            if found is None or now_s < due_s:
                stop.wait(max(0.0, due_s - now_s))
                continue
            seen, due_s = found[0], now_s + 1 / self._span.per_second
            picture = encode_jpeg(self._fit(found[1]), self._span.quality)
            with self._lock:
                if not stop.is_set():
                    self._ring.add(now_s, picture)

    def _fit(self, image: Image) -> Image:
        factor = self._span.longest_side / max(image.shape[:2])
        if factor >= 1:
            return image
        return cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
