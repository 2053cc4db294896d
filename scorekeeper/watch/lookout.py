"""The camera and the scan that watches it, in threads of their own: what the camera's process runs."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from scorekeeper.errors import CameraError, VisionError
from scorekeeper.vision.backs.gallery import Gallery
from scorekeeper.vision.backs.live import Follower
from scorekeeper.vision.camera.sources import Newest, decode_picture, encode_jpeg
from scorekeeper.vision.eye import load_eye
from scorekeeper.vision.faces.indices import Letters
from scorekeeper.vision.geometry import fit_within
from scorekeeper.vision.overlay.draw import Look, draw_spread
from scorekeeper.watch import words
from scorekeeper.watch.scan import Batch, Scan, joined
from scorekeeper.watch.seam import Act, Scanned, ScanOrder, ScanState, Seen

log = logging.getLogger(__name__)

LIVE_PX = 960
"""Width at most of the live view."""
MOST_PER_S = 15
"""More states a second tell a person nothing."""
END_S = 10.0
"""A scan that does not end within this is left to itself."""
LATE_S = 2.0
"""Without a frame for so long, the camera is said to be gone."""
REOPEN_S = 1.0
"""Pause before a camera that could not be opened is tried again."""


class Lookout:
    """At most one scan of what a camera shows; *opened* gives the camera or raises CameraError, *shut* closes it."""

    def __init__(self, opened: Callable[[], Newest], shut: Callable[[], None], letters: Letters = "french") -> None:
        self._opened = opened
        self._shut = shut
        self._letters: Letters = letters
        self._scan: Scan | None = None
        self._order: ScanOrder | None = None
        self._stopped = threading.Event()
        self._loop: threading.Thread | None = None
        self._shown: tuple[int, bytes] | None = None

    def scan(self, order: ScanOrder, batches: Sequence[Batch] = ()) -> ScanState:
        """Starts to count, with *batches* banked already; raises EnrolmentError where a signature is none."""
        self._end()
        read = Follower(lambda: load_eye(letters=self._letters), Gallery.from_signatures(order.decks))
        pool = ThreadPoolExecutor(1, "reader")
        scan = Scan(order, read, pool, batches=batches)
        self._scan, self._order, self._stopped = scan, order, threading.Event()
        self._loop = threading.Thread(target=self._run, args=(scan, pool, self._stopped), name="scan", daemon=True)
        self._loop.start()
        return scan.state

    def scan_act(self, act: Act) -> tuple[ScanState, tuple[Batch, ...]]:
        """Does it; the state after it, and the banked batches. Raises VisionError where it can't be done."""
        scan = self._running()
        scan.act(act)
        if act is Act.STOP:
            self._end()
            return ScanState(), ()
        return scan.state, scan.banked

    def scan_state(self) -> ScanState:
        """The scan now."""
        return ScanState() if self._scan is None else self._scan.state

    def scan_picture(self) -> bytes:
        """JPEG of the newest frame, small; raises CameraError while there is none."""
        if self._scan is None:
            raise CameraError(words.NO_SCAN)
        found = self._opened().peek(after=0, timeout_s=0)
        if found is None:
            raise CameraError(words.OPENING)
        number, frame = found
        if self._shown is None or self._shown[0] != number:
            self._shown = number, encode_jpeg(fit_within(frame, LIVE_PX)[0], 75)
        return self._shown[1]

    def scan_result(self) -> Scanned:
        """What was counted, with every card outlined; raises VisionError where nothing was."""
        batches, order = self._running().counted, self._order
        if not batches or order is None:
            raise VisionError(words.NOTHING_COUNTED)
        whole = joined([batch.reading for batch in batches])
        looks = {deck: Look(*look) for deck, look in order.looks.items()}
        overlays = tuple(
            encode_jpeg(draw_spread(decode_picture(batch.picture), whole, number, looks))
            for number, batch in enumerate(batches)
        )
        seen = Seen(whole, overlays, sum(batch.ms for batch in batches))
        return Scanned(seen, tuple(batch.picture for batch in batches))

    def _running(self) -> Scan:
        if self._scan is None:
            raise VisionError(words.NO_SCAN)
        return self._scan

    def _end(self) -> None:
        """Ends the scan that runs, if any."""
        self._stopped.set()
        if self._loop is not None:
            self._loop.join(timeout=END_S)
        self._scan, self._order, self._loop = None, None, None

    def _run(self, scan: Scan, pool: ThreadPoolExecutor, stopped: threading.Event) -> None:
        """Shows the scan every frame until it is stopped; a camera that fails is opened again and again."""
        while not stopped.is_set():
            try:
                self._watch(scan, self._opened(), stopped)
            except CameraError as error:
                scan.miss(str(error))
                self._shut()
                self._shown = None
                stopped.wait(REOPEN_S)
            except Exception:  # the scan lives on, whatever one frame did to it
                log.exception("the scan stumbled")
                scan.miss(words.STUMBLED)
                stopped.wait(REOPEN_S)
        pool.shutdown(wait=False, cancel_futures=True)

    @staticmethod
    def _watch(scan: Scan, camera: Newest, stopped: threading.Event) -> None:
        number, last_s = 0, time.monotonic()
        scan.lens(camera.live)
        while not stopped.is_set():
            found = camera.peek(after=number, timeout_s=0.25)
            now_s = time.monotonic()
            if found is None:
                if now_s - last_s > LATE_S:
                    scan.miss(words.NO_PICTURE if number else words.OPENING)
                continue
            number, frame = found
            last_s = now_s
            scan.see(frame, now_s)
            stopped.wait(max(0.0, 1 / MOST_PER_S - (time.monotonic() - now_s)))
