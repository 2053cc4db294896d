"""
Times the live board: from the confirming tap to the change on 50 open boards, its weight, and how soon it can be used.

    python tests/web/bench_boards.py
    python tests/web/bench_boards.py --boards 50 --hands 40

A real server in a process of its own, one real Chromium that shows the board, the other boards as raw streams. It needs
a Chromium and no training packages. A busy computer makes every figure worse: the load is printed, too.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Page, sync_playwright

from scorekeeper.cli.demonstration import server

PHONE = {"width": 390, "height": 844}
SLOWER = 4
"""How much slower than this computer the phone is taken to be."""
GOAL_MS, GOAL_KB, GOAL_USABLE_MS = 300, 150, 1000


def start_game(link: httpx.Client, pin: str) -> str:
    """Signs in and starts a game without an end; answers with its id."""
    link.post("/sign-in", data={"pin": pin})
    numbers = {
        "target": 0,
        "rounds": 500,
        "bonus": 0,
        "lake_value": 1,
        "nertz_penalty": 2,
        "pile_size": 13,
        "jokers": 0,
    }
    fields = {
        "name": ["Amy", "Ben", "Cleo", "Dan"],
        "preset": "national",
        "request_id": "bench",
        "jokers": 0,
        **numbers,
    }
    link.post("/start", data=fields)
    return re.findall(r'href="/g/(\w+)"', link.get("/").text)[0]


@contextlib.contextmanager
def streams(address: str, game: str, count: int) -> Iterator[list[dict[int, float]]]:
    """*count* open boards as raw streams, each read by a thread that notes when every version came."""
    place, heard, links = urlsplit(address), [{} for _ in range(count)], []

    def read(link: socket.socket, seen: dict[int, float]) -> None:
        rest = b""
        with contextlib.suppress(OSError):
            while piece := link.recv(65536):
                at = time.perf_counter()
                for number in re.findall(rb"\nid: (\d+)\n", b"\n" + rest + piece):
                    seen.setdefault(int(number), at)
                rest = (rest + piece)[-40:]

    for seen in heard:
        link = socket.create_connection((place.hostname, place.port), timeout=None)
        link.sendall(f"GET /g/{game}/events HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
        threading.Thread(target=read, args=(link, seen), daemon=True).start()
        links.append(link)
    yield heard
    for link in links:
        link.close()


def record(link: httpx.Client, game: str, number: int) -> tuple[int, float, float]:
    """Posts a hand as the form does; the version of the game after it, and the tap by two clocks, in seconds."""
    page = link.get(f"/g/{game}/hand").text
    version = int(re.search(r'name="version" value="(\d+)"', page)[1])
    fields = {"version": version, "request_id": f"hand {number}", "action": "record", "called.amy": "1"}
    counts = {"amy": (10 + number % 5, 0), "ben": (9, 3), "cleo": (8, 2), "dan": (7, 5)}
    for side, (lake, left) in counts.items():
        fields |= {f"lake.{side}": lake, f"left.{side}": left}
    tapped, wall = time.perf_counter(), time.time()
    answer = link.post(f"/g/{game}/hand", data=fields)
    assert answer.status_code == 303, answer.text[:2000]
    return version + 1, tapped, wall


def updates(page: Page, link: httpx.Client, game: str, heard: list[dict[int, float]], hands: int) -> list[list[float]]:
    """Milliseconds from the tap to the change, per hand: in the real page first, then on the streams."""
    page.evaluate(
        """() => { window.drawn = {}; new MutationObserver(() => {
          const version = document.querySelector("#board [data-version]").dataset.version;
          window.drawn[version] ??= Date.now();
        }).observe(document.getElementById("board"), { childList: true }); }"""
    )
    found = []
    for number in range(hands):
        version, tapped, wall = record(link, game, number)
        drawn = page.wait_for_function("(version) => window.drawn[version]", arg=version).json_value()
        while not all(version in seen for seen in heard):
            time.sleep(0.005)
        found.append([drawn - wall * 1000, *((seen[version] - tapped) * 1000 for seen in heard)])
    return found


def weigh(page: Page, address: str, game: str) -> tuple[float, float, float, int]:
    """Of a first visit on a slow phone: kilobytes over the network, milliseconds until usable, the page's own
    share of these, and requests."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    sizes: list[float] = []
    devtools.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(f"{address}/g/{game}", wait_until="load")
    page.wait_for_timeout(500)
    usable = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    metrics = {each["name"]: each["value"] for each in devtools.send("Performance.getMetrics")["metrics"]}
    page.context.close()
    return sum(sizes) / 1000, usable, metrics["TaskDuration"] * 1000, len(sizes)


def percentile(numbers: list[float], share: float) -> float:
    return sorted(numbers)[min(len(numbers) - 1, round(share * (len(numbers) - 1)))]


def line(what: str, numbers: list[float], goal: float, unit: str = "ms") -> str:
    median, high = statistics.median(numbers), percentile(numbers, 0.95)
    return f"{what:<46} median {median:7.1f}  p95 {high:7.1f}  {unit}, goal under {goal}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--boards", type=int, default=50, help="open boards, the real page among them")
    options.add_argument("--hands", type=int, default=30, help="how many hands are recorded")
    options.add_argument("--visits", type=int, default=5, help="how often the board is opened on a slow phone")
    chosen = options.parse_args()
    browser_path = os.environ.get("SCOREKEEPER_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    with (
        tempfile.TemporaryDirectory() as folder,
        server(Path(folder), 0) as (address, pin),
        httpx.Client(base_url=address, timeout=60) as link,
        sync_playwright() as playwright,
    ):
        game = start_game(link, pin)
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(viewport=PHONE)
        page.goto(f"{address}/g/{game}")
        with streams(address, game, chosen.boards - 1) as heard:
            while not all(heard):
                time.sleep(0.01)
            found = updates(page, link, game, heard, chosen.hands)
        visits = [weigh(browser.new_context(viewport=PHONE).new_page(), address, game) for _ in range(chosen.visits)]
        browser.close()
    print(f"{chosen.boards} open boards, {chosen.hands} hands; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(line("tap to the change in a real page", [each[0] for each in found], GOAL_MS))
    print(line("tap to the last of all boards", [max(each) for each in found], GOAL_MS))
    print(line("first visit, usable with a 4 times slower CPU", [each[1] for each in visits], GOAL_USABLE_MS))
    print(line("its main thread's work, whatever else runs", [each[2] for each in visits], GOAL_USABLE_MS))
    print(line(f"first visit, {visits[0][3]} requests", [each[0] for each in visits], GOAL_KB, "kB"))


if __name__ == "__main__":
    main()
