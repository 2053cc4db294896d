"""
Times the live board: from the confirming tap to the change on 50 open boards, its weight, and how soon it can be used.

    python tests/web/bench_boards.py
    python tests/web/bench_boards.py --boards 50 --hands 40 --sides 12

A real server in a process of its own. Two tables watch it, one after the other. At the first every phone has a
processor of its own, as phones have: one real page in Chromium, the other boards as raw streams that cost this computer
next to nothing, so that the figures are the server's. At the second all boards are real pages of one Chromium, whose
work they wait for, too. It needs a Chromium and no training packages. A busy computer makes every figure worse: the
load is printed, too.
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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from scorekeeper.cli.demonstration import server

PHONE = {"width": 390, "height": 844}
SLOWER = 4
"""How much slower than this computer the phone is taken to be."""
GOAL_MS, GOAL_KB, GOAL_USABLE_MS = 300, 150, 1000
NAMES = ("Amy", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal", "Ida", "Jo", "Kim", "Leo")
WATCH = """
() => {
  window.drawn = {};
  new MutationObserver(() => {
    window.drawn[document.querySelector("#board [data-version]").dataset.version] ??= Date.now();
  }).observe(document.getElementById("board"), { childList: true });
}
"""
"""Has a page note when it shows each version."""


@dataclass(frozen=True, slots=True)
class Table:
    """One game on the server, with its scorekeeper signed in."""

    link: httpx.Client
    address: str
    game: str
    names: tuple[str, ...]

    def record(self, number: int) -> Tap:
        """Posts hand *number* as the form does."""
        page = self.link.get(f"/g/{self.game}/hand").text
        version = int(re.search(r'name="version" value="(\d+)"', page)[1])
        fields: dict[str, object] = {"version": version, "request_id": f"hand {number}", "action": "record"}
        for at, name in enumerate(self.names):
            side = name.lower()
            fields |= {f"lake.{side}": 7 + (number + at) % 6, f"left.{side}": 0 if at == 0 else (number + 3 * at) % 9}
        fields[f"called.{self.names[0].lower()}"] = "1"
        tapped, wall = time.perf_counter(), time.time()
        answer = self.link.post(f"/g/{self.game}/hand", data=fields)
        assert answer.status_code == 303, answer.text[:2000]
        return Tap(version + 1, tapped, wall, (time.perf_counter() - tapped) * 1000)


@dataclass(frozen=True, slots=True)
class Tap:
    """One recorded hand."""

    version: int
    """Of the game after it."""
    at: float
    """When it was tapped, in seconds of time.perf_counter."""
    wall: float
    """The same in seconds since 1970, which pages know."""
    answered: float
    """Milliseconds until the server had recorded it."""


def start_game(link: httpx.Client, address: str, sides: int) -> Table:
    """Starts a game without an end."""
    numbers = {
        "target": 0,
        "rounds": 500,
        "bonus": 0,
        "lake_value": 1,
        "nertz_penalty": 2,
        "pile_size": 13,
        "jokers": 0,
    }
    fields = {"name": NAMES[:sides], "preset": "national", "request_id": f"bench {time.time_ns()}", **numbers}
    answer = link.post("/start", data=fields)
    return Table(link, address, re.search(r"/g/(\w+)", answer.headers["Location"])[1], NAMES[:sides])


@dataclass(frozen=True, slots=True)
class Bench:
    """A server of its own, and a browser."""

    folder: Path
    """The server's."""
    address: str
    pin: str
    link: httpx.Client
    """The scorekeeper's."""
    browser: Browser


@contextlib.contextmanager
def bench() -> Iterator[Bench]:
    """A real server in a process of its own, its scorekeeper signed in, and Chromium; all end with it."""
    chromium = os.environ.get("SCOREKEEPER_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    with (
        tempfile.TemporaryDirectory() as folder,
        server(Path(folder), 0) as (address, pin),
        httpx.Client(base_url=address, headers={"Origin": address}, timeout=60) as link,
        sync_playwright() as playwright,
    ):
        link.post("/sign-in", data={"pin": pin})
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield Bench(Path(folder), address, pin, link, browser)
        browser.close()


@contextlib.contextmanager
def streams(table: Table, count: int) -> Iterator[list[dict[int, float]]]:
    """*count* open boards as raw streams, each read by a thread that notes when every version came."""
    place, heard, links = urlsplit(table.address), [{} for _ in range(count)], []

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
        link.sendall(f"GET /g/{table.game}/events HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
        threading.Thread(target=read, args=(link, seen), daemon=True).start()
        links.append(link)
    while not all(heard):
        time.sleep(0.01)
    yield heard
    for link in links:
        link.close()


@contextlib.contextmanager
def pages(browser: Browser, table: Table, count: int) -> Iterator[list[Page]]:
    """*count* open boards as real pages, each a visitor of its own."""
    opened = [browser.new_context(viewport=PHONE).new_page() for _ in range(count)]
    for page in opened:
        page.goto(f"{table.address}/g/{table.game}")
        page.evaluate(WATCH)
    time.sleep(2)
    yield opened
    for page in opened:
        page.context.close()


def drawn(page: Page, tap: Tap) -> float:
    """Milliseconds from the tap to the change in *page*."""
    at = page.wait_for_function("(version) => window.drawn[version]", arg=tap.version).json_value()
    return at - tap.wall * 1000


def each_with_its_own_processor(browser: Browser, table: Table, boards: int, hands: Sequence[int]) -> None:
    """One real page, the other boards as streams."""
    taps, page_ms, last_ms = [], [], []
    with streams(table, boards - 1) as heard, pages(browser, table, 1) as (page,):
        for number in hands:
            tap = table.record(number)
            taps.append(tap)
            page_ms.append(drawn(page, tap))
            while not all(tap.version in seen for seen in heard):
                time.sleep(0.005)
            last_ms.append(max((seen[tap.version] - tap.at) * 1000 for seen in heard))
    print(line("tap to the server's answer", [tap.answered for tap in taps], GOAL_MS))
    print(line(f"tap to the last of {boards - 1} streams", last_ms, GOAL_MS))
    print(line("tap to the change in the one real page", page_ms, GOAL_MS))


def all_in_one_browser(browser: Browser, table: Table, boards: int, hands: Sequence[int]) -> None:
    """All boards as pages of one browser on this computer."""
    every, last = [], []
    if not hands:
        return
    with pages(browser, table, boards) as opened:
        for number in hands:
            tap = table.record(number)
            time.sleep(1)  # asking a page costs the browser time that the pages need
            found = [drawn(page, tap) for page in opened]
            every += found
            last.append(max(found))
    print(line(f"tap to the change, {boards} pages in one browser", every, GOAL_MS))
    print(line("and to the last of them", last, GOAL_MS))


@dataclass(frozen=True, slots=True)
class Visit:
    """A first visit on a slow phone."""

    packed: float
    """Kilobytes as they travelled, headers and the stream's first words with them."""
    unpacked: float
    """Kilobytes as the browser read them."""
    usable: float
    """Milliseconds until it could be used."""
    work: float
    """Of these the page's own, in milliseconds of its main thread."""
    requests: int


def visit(browser: Browser, table: Table) -> Visit:
    """Opens the board on a phone that has never seen it."""
    page = browser.new_context(viewport=PHONE).new_page()
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    whole: dict[str, float] = {}
    read: list[float] = []
    devtools.on("Network.loadingFinished", lambda event: whole.update({event["requestId"]: event["encodedDataLength"]}))
    devtools.on("Network.dataReceived", lambda event: read.append(event["dataLength"]))
    page.goto(f"{table.address}/g/{table.game}", wait_until="load")
    page.wait_for_timeout(500)
    usable = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    metrics = {each["name"]: each["value"] for each in devtools.send("Performance.getMetrics")["metrics"]}
    page.context.close()
    return Visit(sum(whole.values()) / 1000, sum(read) / 1000, usable, metrics["TaskDuration"] * 1000, len(whole))


def weigh(browser: Browser, table: Table, visits: int) -> None:
    found = [visit(browser, table) for _ in range(visits)]
    print(
        line(f"first visit, usable with a {SLOWER} times slower CPU", [each.usable for each in found], GOAL_USABLE_MS)
    )
    print(line("its main thread's work, whatever else runs", [each.work for each in found], GOAL_USABLE_MS))
    print(line(f"first visit, {found[0].requests} requests", [each.packed for each in found], GOAL_KB, "kB"))
    print(line("the same unpacked", [each.unpacked for each in found], GOAL_KB, "kB"))


def percentile(numbers: list[float], share: float) -> float:
    return sorted(numbers)[min(len(numbers) - 1, round(share * (len(numbers) - 1)))]


def line(what: str, numbers: list[float], goal: float, unit: str = "ms") -> str:
    median, high = statistics.median(numbers), percentile(numbers, 0.95)
    return f"{what:<46} median {median:7.1f}  p95 {high:7.1f}  {unit}, goal under {goal}"


def choose() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--boards", type=int, default=50, help="open boards, the real page among them")
    options.add_argument("--hands", type=int, default=30, help="how many hands are recorded")
    options.add_argument("--crowd", type=int, default=5, help="how many more where all boards are in one browser")
    options.add_argument("--sides", type=int, nargs="+", default=[4, 12], help="how many sides play, one game for each")
    options.add_argument("--visits", type=int, default=5, help="how often the board is opened on a slow phone")
    return options.parse_args()


def main() -> None:
    chosen = choose()
    with bench() as here:
        for sides in chosen.sides:
            table = start_game(here.link, here.address, sides)
            print(f"\n{sides} sides, {chosen.boards} open boards, {chosen.hands} hands")
            each_with_its_own_processor(here.browser, table, chosen.boards, range(chosen.hands))
            weigh(here.browser, table, chosen.visits)
            all_in_one_browser(here.browser, table, chosen.boards, range(chosen.hands, chosen.hands + chosen.crowd))
            print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
