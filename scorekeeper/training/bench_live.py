"""Times the live count of a spread: states and full readings a second, on a film of 1920 by 1080 it composes itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scorekeeper.training import film
from scorekeeper.vision.backs.gallery import Gallery
from scorekeeper.vision.backs.live import Follower
from scorekeeper.vision.camera.sources import Newest
from scorekeeper.vision.camera.steady import Steady
from scorekeeper.vision.eye import load_eye
from scorekeeper.vision.geometry import Image
from scorekeeper.watch.lookout import Lookout
from scorekeeper.watch.seam import Act, Phase, ScanOrder

CARDS = 40
CAMERA_PER_S = 30
PATIENCE_S = 120
POLLS_PER_S = 20
"""How often pages ask for the state and the picture meanwhile."""


@dataclass
class Tally:
    """States in a stretch of time, and the processor's share."""

    states: list[float]
    readings: float
    seconds: float
    cpu_s: float

    def line(self, name: str) -> str:
        """As it is printed."""
        cells = f"{np.mean(self.states):>8.1f} {min(self.states):>8.1f} {self.readings:>10.2f}"
        return f"{name:<34}{cells} {self.cpu_s / self.seconds:>9.2f}"


HEADER = f"{'':<34}{'states/s':>8} {'least':>8} {'readings/s':>10} {'cores':>9}"


def lines(seed: int, seconds: float) -> Iterator[str]:
    """The table, line by line."""
    rng = np.random.default_rng(seed)
    empty = film.empty_table(rng, card_px=120)
    table = empty.with_cards(film.spread_out(rng, empty, CARDS))
    yield from _one_frame(rng, table)
    yield from _followed(rng, table)
    yield HEADER
    for polled in (False, True):
        yield from _watched(rng, table, seconds, polled)


def _one_frame(rng: np.random.Generator, table: film.Table) -> Iterator[str]:
    """What looking at one still frame takes, by the processor."""
    grain, picture = film.Grain(rng, table.ground.shape[:2]), table.clean()
    frames = [grain.on(picture) for _ in range(8)]
    steady, spent = Steady(), []
    for number in range(60):
        began = time.process_time()
        steady.look(frames[number % 8], number / 15)
        spent.append((time.process_time() - began) * 1000)
    yield f"one still frame of 1920x1080: {np.median(spent[20:]):.1f} ms of processor time"


def _followed(rng: np.random.Generator, table: film.Table) -> Iterator[str]:
    """What a full reading takes after a card was laid down, and after nothing has changed."""
    follower = Follower(load_eye, Gallery.from_signatures(film.signatures()))
    grain = film.Grain(rng, table.ground.shape[:2])
    spent: list[float] = []
    same: list[float] = []
    for count in range(CARDS - 10, CARDS + 1):
        laid = table.with_cards(table.cards[:count])
        picture = laid.clean()
        for settled, times in ((False, spent), (False, same), (True, spent)):
            frame = grain.on(picture)
            began = time.perf_counter()
            reading = follower(frame, settled=settled)
            times.append((time.perf_counter() - began) * 1000)
            if dict(reading.counts) != dict(laid.counts):
                yield f"WRONG count of {count} cards"
    ms, unchanged = float(np.median(spent[2:])), float(np.median(same))  # the first two are of the whole table
    yield f"first reading {spent[0]:.0f} ms; after one more card {ms:.0f} ms, {1000 / ms:.1f} readings a second"
    yield f"after no change {unchanged:.1f} ms"


def _watched(rng: np.random.Generator, table: film.Table, seconds: float, polled: bool) -> Iterator[str]:
    """States while a locked table lies still, and while it is counted again and again; how soon more cards count."""
    shown = Shown(table)
    newest = Newest(lambda: _frames(rng, shown), "film")
    lookout = Lookout(lambda: newest, newest.stop)
    ended = threading.Event()
    polls = threading.Thread(target=_poll, args=(lookout, ended), daemon=True)
    lookout.scan(ScanOrder(owner="bench", decks=film.signatures(), total=CARDS))
    yield _locked(lookout, table)
    if polled:
        polls.start()
        for line in _followed(rng, table):
            yield f"beside the live loop and its pages: {line}"
    also = f", polled {POLLS_PER_S} times a second" if polled else ""
    yield _stretch(lookout, seconds, again=False).line(f"locked{also}")
    yield _stretch(lookout, seconds, again=True).line(f"counting anew{also}")
    for fewer in (5, 4, 0):
        shown.table = table.with_cards(table.cards[: CARDS - fewer])
        yield f"{CARDS - fewer} cards lie there: " + _locked(lookout, shown.table)
    ended.set()
    lookout.scan_act(Act.STOP)
    newest.stop()


def _locked(lookout: Lookout, table: film.Table) -> str:
    """Waits until the scan counts what lies on *table*; says how long that took."""
    began = time.monotonic()
    state = lookout.scan_state()
    while time.monotonic() - began < PATIENCE_S:
        state = lookout.scan_state()
        if state.phase is Phase.LOCKED and dict(state.counts) == dict(table.counts):
            return f"counted after {time.monotonic() - began:.1f} s, the last reading took {state.ms:.0f} ms"
        time.sleep(0.02)
    return f"WRONG count after {PATIENCE_S} s: {dict(state.counts)} of {dict(table.counts)}"


def _stretch(lookout: Lookout, seconds: float, *, again: bool) -> Tally:
    """The speeds of some seconds, after those over which the scan measures them."""
    states, readings = [], []
    began, worked = time.monotonic(), time.process_time()
    while (now := time.monotonic() - began) < seconds + 3:
        state = lookout.scan_state()
        if again and state.phase is Phase.LOCKED:
            lookout.scan_act(Act.AGAIN)
        if now > 3:
            states.append(state.states_per_s)
            readings.append(state.readings_per_s)
        time.sleep(0.1)
    return Tally(states, float(np.mean(readings)), time.monotonic() - began, time.process_time() - worked)


@dataclass
class Shown:
    """What lies on the table now."""

    table: film.Table


def _frames(rng: np.random.Generator, shown: Shown) -> Iterator[Image]:
    """A webcam over a table that nobody is seen to touch."""
    grain, table, frames = film.Grain(rng, shown.table.ground.shape[:2]), None, []
    due_s, number = time.monotonic(), 0
    while True:
        if table is not shown.table:
            table = shown.table
            frames = [grain.on(table.clean()) for _ in range(12)]
        yield frames[number % len(frames)]
        number += 1
        due_s = max(due_s + 1 / CAMERA_PER_S, time.monotonic() - 0.2)
        time.sleep(max(0.0, due_s - time.monotonic()))


def _poll(lookout: Lookout, ended: threading.Event) -> None:
    """Pages that show the scan."""
    while not ended.wait(1 / POLLS_PER_S):
        lookout.scan_state()
        lookout.scan_picture()
