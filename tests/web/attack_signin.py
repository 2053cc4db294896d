"""
Guesses the PIN of a real server for a minute, while its scorekeeper signs in again and again.

    python tests/web/attack_signin.py
    python tests/web/attack_signin.py --seconds 60 --addresses 200

Once all guesses come from one address, then each from another. The scorekeeper comes from a browser that has signed in
before, from the server's own machine, and from a new phone. It prints how many guesses were looked at, and how often
the right PIN was refused.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx

from scorekeeper.cli.demonstration import server
from scorekeeper.config import SETTINGS_NAME

GUESSERS = 4
"""Threads that guess."""


def link(address: str, by: str = "") -> httpx.Client:
    """A browser; *by* is the address that a proxy on the server's machine names for it."""
    headers = {"Origin": address, **({"X-Forwarded-For": by} if by else {})}
    return httpx.Client(base_url=address, headers=headers, timeout=30)


def guess(address: str, pin: str, places: Iterator[str], until: float, seen: Counter[int]) -> None:
    for number, place in zip(itertools.count(), places, strict=False):
        if time.monotonic() > until:
            return
        wrong = f"{(number * 7919) % 1_000_000:06}"
        with link(address, place) as phone:
            seen[phone.post("/sign-in", data={"pin": "x" if wrong == pin else wrong}).status_code] += 1


def attack(address: str, pin: str, places: list[str], seconds: float) -> None:
    """Guesses from all *places* in turn, and tells what became of the scorekeeper meanwhile."""
    with link(address, "10.9.9.9") as known, link(address) as here:
        assert known.post("/sign-in", data={"pin": pin}).status_code == 303
        until, seen, ways = time.monotonic() + seconds, Counter(), itertools.cycle(places)
        guessers = [threading.Thread(target=guess, args=(address, pin, ways, until, seen)) for _ in range(GUESSERS)]
        for each in guessers:
            each.start()
        came: dict[str, Counter[int]] = {name: Counter() for name in ("known browser", "own machine", "new phone")}
        for number in itertools.count():
            if time.monotonic() > until:
                break
            with link(address, f"10.8.{number // 250}.{number % 250}") as new:
                for name, phone in (("known browser", known), ("own machine", here), ("new phone", new)):
                    came[name][phone.post("/sign-in", data={"pin": pin}).status_code] += 1
            known.post("/sign-out")
            time.sleep(0.2)
        for each in guessers:
            each.join()
    print(f"{sum(seen.values())} guesses of {len(places)} addresses in {seconds:.0f} s: {seen[403]} were looked at")
    for name, statuses in came.items():
        print(f"  the right PIN, {name}: {statuses[303]} times let in, {statuses[429]} times told to wait")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="of each attack")
    parser.add_argument("--addresses", type=int, default=200, help="from how many the second one comes")
    chosen = parser.parse_args()
    for count in (1, chosen.addresses):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, SETTINGS_NAME).write_text('base_url = "http://score.example"\n', "utf-8")  # there is a proxy
            with server(Path(folder), 0) as (address, pin):
                places = [f"10.7.{number // 250}.{number % 250}" for number in range(count)]
                attack(address, pin, places, chosen.seconds)


if __name__ == "__main__":
    main()
