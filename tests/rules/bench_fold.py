"""How long a long evening takes to fold: ``python tests/rules/bench_fold.py``; no test, for machines differ."""

from __future__ import annotations

import sys
import time
from random import Random

from scorekeeper.rules.events import Event, GameStarted, HandRecorded
from scorekeeper.rules.fold import fold
from scorekeeper.rules.scoring import Hand, Rules, Tally, make_sides

HANDS, SIDES, TRIES = 200, 12, 20


def evening() -> list[Event]:
    """A game of many hands with many sides, one caller each."""
    random, sides = Random(7), make_sides([f"Side {number}" for number in range(SIDES)])
    events: list[Event] = [GameStarted(sides, Rules(target=100_000, bonus=10))]
    for number in range(HANDS):
        caller = sides[number % SIDES].id
        tallies = [Tally(s.id, random.randint(0, 30), 0 if s.id == caller else random.randint(0, 13)) for s in sides]
        events.append(HandRecorded(Hand(tuple(tallies), (caller,))))
    return events


def measure() -> float:
    """Milliseconds of the fastest of some tries."""
    events, times = evening(), []
    for _ in range(TRIES):
        start = time.perf_counter()
        fold(events)
        times.append(time.perf_counter() - start)
    return min(times) * 1000


if __name__ == "__main__":
    sys.stdout.write(f"{HANDS} hands, {SIDES} sides: {measure():.1f} ms\n")
