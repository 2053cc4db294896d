"""A table on paper: real scorebook on a real file, pages over it, and an eye that says what it is told."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext, Page, expect
from playwright.sync_api import Error as PlaywrightError

from scorekeeper.config import Settings
from scorekeeper.errors import CameraError, EnrolmentError, PictureError
from scorekeeper.rules.cards import parse_card
from scorekeeper.rules.lake import JOKER, Box, DeckId, FanReading, LakeReading, Pile, SeenBack, SeenFace, SpreadReading
from scorekeeper.rules.said import Said, say
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.rules.view import Point, Remark, View
from scorekeeper.scorebook import GameId, Scorebook
from scorekeeper.store import open_log
from scorekeeper.watch import (
    Act,
    CameraChoice,
    Condition,
    EnrolledDeck,
    LaidDeck,
    Moment,
    Phase,
    Scanned,
    ScanOrder,
    ScanState,
    Seen,
    TableCheck,
)
from scorekeeper.watch.seam import EMPTY
from web import create_app
from web.certificate import Certificate, kept_certificate

PIN = "271828"
PHONE = {"viewport": {"width": 390, "height": 844}, "service_workers": "block"}
FAKE_CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
"""Gives Chromium a lens that shows a moving pattern, and the leave to use it."""
PATIENCE_MS, LEAVE_MS = 60_000, 10_000


def box(number: int) -> Box:
    """Where card *number* lies in the picture, counted from 0: ten in a row."""
    x, y = 10.0 + 62 * (number % 10), 10.0 + 76 * (number // 10)
    return ((x, y), (x + 40, y), (x + 40, y + 56), (x, y + 56))


def picture(words: str = "table") -> bytes:
    """A JPEG with *words* on it."""
    image = np.full((480, 640, 3), (70, 110, 60), np.uint8)
    cv2.putText(image, words, (30, 240), cv2.FONT_HERSHEY_SIMPLEX, 2, (240, 240, 240), 3)
    return cv2.imencode(".jpg", image)[1].tobytes()


@dataclass
class PaperEye:
    """An eye that reads every picture as the same small table; a picture that is no JPEG it refuses."""

    camera: str | None = "a camera on paper"
    tops: tuple[str, ...] = ("7C", "KH", "4S")
    backs: tuple[str, ...] = ("red",) * 10 + ("blue",) * 14
    fan_codes: tuple[str, ...] = ("10H", "2S", "QD")
    alike: list[str] = field(default_factory=list)
    lake_problems: tuple[str, ...] = ()
    spread_problems: tuple[str, ...] = ()
    recording: bool = False
    unplugged: bool = False
    good: dict[Point, bool | None] = field(default_factory=dict)
    laid_colours: tuple[str, ...] = ("red", "blue")
    scanning: ScanState = ScanState()
    ordered: list[ScanOrder] = field(default_factory=list)
    rotate: int = 0
    size: tuple[int, int] = (1920, 1080)
    fed: list[bytes] = field(default_factory=list)

    @property
    def choice(self) -> CameraChoice:
        return CameraChoice(self.camera, self.rotate, self.size)

    def use(self, choice: CameraChoice) -> None:
        self.camera, self.rotate, self.size = choice.source, choice.rotate, choice.size

    def feed(self, data: bytes) -> None:
        self.fed.append(data)

    def plain(self, data: bytes) -> bytes:
        raise PictureError("the picture is a HEIC photo, which paper can't show")

    def lake(self, data: bytes) -> Seen[LakeReading]:
        self._look(data)
        cards = [parse_card(top) for top in self.tops]
        piles = tuple(Pile(card, card.rank, False, 0.9, box(n)) for n, card in enumerate(cards))
        return Seen(LakeReading(piles, not self.lake_problems, self.lake_problems), (picture("the Lake"),), 12.0)

    def spread(
        self,
        pictures: Sequence[bytes],
        decks: Mapping[DeckId, Sequence[str]],
        looks: Mapping[DeckId, tuple[str, str]] | None = None,
    ) -> Seen[SpreadReading]:
        for data in pictures:
            self._look(data)
        seen = [deck for _ in pictures for deck in self.backs]
        known = [DeckId(deck) if deck in decks else None for deck in seen]
        cards = tuple(SeenBack(0, deck, 0.9, box(n)) for n, deck in enumerate(known))
        counts = {deck: seen.count(deck) for deck in decks}
        reading = SpreadReading(cards, counts, not self.spread_problems, self.spread_problems)
        return Seen(reading, tuple(picture("spread") for _ in pictures), 12.0)

    def fan(self, data: bytes, left: bool = False) -> Seen[FanReading]:
        self._look(data)
        cards = tuple(
            SeenFace(None, 0.9, box(n), joker=True) if code == JOKER else SeenFace(parse_card(code), 0.9, box(n))
            for n, code in enumerate(self.fan_codes)
        )
        return Seen(FanReading(cards, True, ()), (picture("a fan"),), 12.0)

    def enrol(self, pictures: Sequence[bytes]) -> EnrolledDeck:
        for data in pictures:
            self._look(data)
        if not pictures:
            raise EnrolmentError("no back in the picture")
        return EnrolledDeck(("a signature",), picture("a back"), ())

    def laid(self, pictures: Sequence[bytes]) -> tuple[LaidDeck, ...]:
        for data in pictures:
            self._look(data)
        return tuple(LaidDeck((f"the {name} back",), picture(name), name, 40.0) for name in self.laid_colours)

    def known_as(self, signatures: Sequence[str], decks: Mapping[DeckId, Sequence[str]]) -> DeckId | None:
        return next((deck for deck, texts in decks.items() if set(texts) & set(signatures)), None)

    def check_table(self, data: bytes, decks: Mapping[DeckId, Sequence[str]]) -> TableCheck:
        self._look(data)
        remarks = [Remark(point, 20.0, 30.0, self.good.get(point, True)) for point in Point]
        return TableCheck(View(tuple(remarks), (box(0),), (640, 480)), tuple(self.alike), data)

    def too_alike(self, decks: Mapping[DeckId, Sequence[str]]) -> list[str]:
        return self.alike

    def sees(self, *backs: str, phase: Phase = Phase.LOCKED, why: str = "") -> None:
        """The live eye sees these backs on the table."""
        cards = tuple(SeenBack(0, DeckId(deck), 0.9, box(n)) for n, deck in enumerate(backs))
        reading = SpreadReading(cards, Counter(map(DeckId, backs)), True, ())
        now = self.scanning
        self.scanning = replace(now, phase=phase, why=why, number=now.number + 1, reading=reading, size=(640, 480))

    def scan(self, order: ScanOrder) -> ScanState:
        self.ordered.append(order)
        number = self.scanning.number + 1
        self.scanning = ScanState(phase=Phase.WAITING, owner=order.owner, number=number, total=order.total)
        return self.scanning

    def scan_act(self, act: Act) -> ScanState:
        now = self.scanning
        if act is Act.STOP:
            self.scanning = ScanState(number=now.number + 1)
        if act is Act.NEXT_BATCH:
            put_away = replace(now, phase=Phase.CLEAR_TABLE, number=now.number + 1, reading=EMPTY)
            self.scanning = replace(put_away, banked=now.counts, batches=now.batches + 1)
        return self.scanning

    def scan_state(self) -> ScanState:
        return self.scanning

    def scan_picture(self) -> bytes:
        return picture("live")

    def scan_result(self) -> Scanned:
        seen = self.scanning.counts
        cards = tuple(SeenBack(0, deck, 0.9, box(n)) for n, deck in enumerate(Counter(seen).elements()))
        return Scanned(Seen(SpreadReading(cards, seen, True, ()), (picture("outlined"),), 9.0), (picture("locked"),))

    def record(self, on: bool, *, afresh: bool = False) -> None:
        self.recording = on

    def moments(self) -> tuple[Moment, ...]:
        return tuple(Moment(number, (40 - number) / 8) for number in range(1, 41))

    def moment(self, number: int) -> bytes:
        return picture(f"moment {number}")

    def condition(self) -> dict[str, Condition]:
        camera = {"camera": Condition(True, trouble="the camera was unplugged" if self.unplugged else "")}
        return {"eye": Condition(True, waiting=2), **(camera if self.camera else {})}

    def glimpse(self) -> tuple[Said, bool]:
        self.snapshot()
        return say("gives %(width)s by %(height)s pixels, %(rate)s pictures a second", width=9, height=9, rate=9), False

    def snapshot(self) -> bytes:
        if self.camera is None:
            raise CameraError("no camera is set: start the server with --camera")
        if self.unplugged:
            raise CameraError("the camera was unplugged")
        return picture("the camera")

    @staticmethod
    def _look(data: bytes) -> None:
        if not data.startswith(b"\xff\xd8\xff"):
            raise PictureError("the picture is no image: take it again, or choose another")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path, pin=PIN)


@pytest.fixture
def book(settings: Settings) -> Iterator[Scorebook]:
    log = open_log(settings.url)
    yield Scorebook(log)
    log.close()


@pytest.fixture
def eye() -> PaperEye:
    return PaperEye()


@pytest.fixture
def app(book: Scorebook, eye: PaperEye, settings: Settings) -> Flask:
    return create_app(book, eye, settings)


@pytest.fixture
def typed_app(book: Scorebook, settings: Settings) -> Flask:
    """The pages of a table without an eye."""
    return create_app(book, None, settings)


@pytest.fixture
def watcher(app: Flask) -> FlaskClient:
    """A phone that may only watch."""
    return app.test_client()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """The scorekeeper's phone."""
    return sign_in(app, "Pam")


@pytest.fixture
def other_client(app: Flask) -> FlaskClient:
    """A second scorekeeper's phone."""
    return sign_in(app, "Joe")


def sign_in(app: Flask, who: str) -> FlaskClient:
    phone = app.test_client()
    assert phone.post("/sign-in", data={"pin": PIN, "who": who}).status_code == 303
    return phone


@pytest.fixture
def pass_cookie() -> Callable[[FlaskClient, FlaskClient], None]:
    """Copies who somebody is from one phone to another: ``pass_cookie(phone, other)``."""

    def copy(phone: FlaskClient, other: FlaskClient) -> None:
        name = phone.application.config["SESSION_COOKIE_NAME"]
        other.set_cookie(name, phone.get_cookie(name).value)

    return copy


@pytest.fixture
def hand() -> Callable[..., dict[str, str]]:
    """The fields of a posted hand: ``hand("amy 14/0! ben 9/3", version=2, total="23")``."""
    return hand_fields


def hand_fields(text: str, version: int = 1, request_id: str = "tap", **more: str) -> dict[str, str]:
    fields = {"version": str(version), "request_id": request_id, **more}
    words = text.split()
    for side, counts in zip(words[::2], words[1::2], strict=True):
        lake, left = counts.rstrip("!").split("/")
        fields |= {f"lake.{side}": lake, f"left.{side}": left}
        if counts.endswith("!"):
            fields[f"called.{side}"] = "1"
    return fields


@pytest.fixture
def tap() -> Callable[..., dict[str, str]]:
    """What a correction posts from a page as it was drawn: ``tap(page, "is blue", card="3")``."""
    return posted_tap


def posted_tap(page: str, fix: str, card: str = "", step: str = "spread", **more: str) -> dict[str, str]:
    hidden = re.findall(rf'name="((?:look|revision|fix_id)\.{step})" value="([^"]*)"', page)
    form = re.findall(r'name="((?:lake|left)\.\w+|total|version)" value="(\d*)"', page)
    return {**dict(form), "fix": fix, f"card.{step}": card, **dict(hidden)} | {
        f"{name}.{step}": value for name, value in more.items()
    }


@pytest.fixture
def photo() -> bytes:
    return picture()


@pytest.fixture
def pin() -> str:
    return PIN


@pytest.fixture
def game_id(book: Scorebook) -> GameId:
    """Amy and Ben play to 100; nothing is recorded yet."""
    decks = {"Amy": DeckId("red"), "Ben": DeckId("blue")}
    return book.start_game(make_sides(["Amy", "Ben"], decks), Rules(), request_id="start")


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """The pages served for real, on a free port."""
    yield from served(app)


@pytest.fixture
def new_context(browser: Browser, address: str) -> Iterator[Callable[..., BrowserContext]]:
    """Opens contexts of Chromium, each as a phone without a service worker if its options say nothing else."""
    with ExitStack() as stack:

        def open_context(patience_ms: int = PATIENCE_MS, **options: Any) -> BrowserContext:
            context = browser.new_context(**{**PHONE, "base_url": address, **options})
            stack.callback(close, context)
            context.set_default_timeout(patience_ms)
            expect.set_options(timeout=patience_ms)
            return context

        yield open_context


def close(context: BrowserContext) -> None:
    """Leaves the pages first: Chromium never closes a context in which a page is on its way to the next one."""
    for page in context.pages:
        with suppress(PlaywrightError):
            page.goto("about:blank", timeout=LEAVE_MS)
    context.close()


@pytest.fixture
def phone(new_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """Opens phones: ``phone("/g/x")`` watches, ``phone("/g/x", keeper=True)`` is signed in first, as *who*."""

    def open_phone(path: str, keeper: bool = False, who: str = "", **options: Any) -> Page:
        page = new_context(**options).new_page()
        if keeper:
            page.goto("/sign-in")
            page.get_by_label("PIN").fill(PIN)
            page.get_by_label("name").fill(who)
            page.get_by_role("button", name="Sign in").click()
            expect(page.get_by_role("button", name="Sign out")).to_be_visible()
        page.goto(path)
        return page

    return open_phone


@pytest.fixture
def addresses(app: Flask, client: FlaskClient) -> Callable[[str], list[str]]:
    """Every address that answers the scorekeeper with a page: ``addresses(game_id)``."""

    def found(game_id: str) -> list[str]:
        values = {"game_id": game_id, "number": 1, "entry": "deck-backs", "side": "amy", "step": "lake"}
        with app.test_request_context():
            adapter = app.url_map.bind("")
            rules = [
                rule for rule in app.url_map.iter_rules() if "GET" in rule.methods and rule.arguments <= set(values)
            ]
            paths = {adapter.build(rule.endpoint, {name: values[name] for name in rule.arguments}) for rule in rules}
        return sorted(path for path in paths if is_page(client, path))

    return found


def is_page(phone: FlaskClient, path: str) -> bool:
    """Whether a browser shows what lies there: no stream, no picture, no part of a page."""
    answer = phone.get(path)
    first = next(answer.iter_encoded(), b"") if answer.mimetype == "text/html" else b""
    answer.close()
    return answer.status_code == 200 and first.lstrip().startswith(b"<!doctype html>")


@pytest.fixture
def upload(tmp_path: Path) -> Path:
    """A picture on a phone."""
    path = tmp_path / "table.jpg"
    path.write_bytes(picture())
    return path


@pytest.fixture
def certificate(settings: Settings) -> Certificate:
    """A certificate for this computer alone."""
    return kept_certificate(settings.data_dir, frozenset({"localhost", "127.0.0.1"}))


@pytest.fixture
def safe_address(app: Flask, certificate: Certificate) -> Iterator[str]:
    """The pages served by https, on a free port."""
    yield from served(app, certificate)


def served(app: Flask, certificate: Certificate | None = None) -> Iterator[str]:
    """Runs the real server in a thread with a loop of its own until the test is over; with a certificate by https."""
    from gevent import get_hub

    from web.server import bind

    ready = threading.Event()
    port: list[int] = []
    stop: list[Any] = []

    def run() -> None:
        server = bind(app, "127.0.0.1", 0, certificate)
        port.append(server.server_port)
        stop.append(get_hub().loop.async_())
        stop[0].start(server.stop, 0)
        ready.set()
        server.serve_forever()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(10)
    yield f"http{'s' if certificate else ''}://127.0.0.1:{port[0]}"
    stop[0].send()
    thread.join(5)


@pytest.fixture
def trusting_phone(driver, chromium, safe_address, settings, tmp_path_factory) -> Iterator[BrowserContext]:
    """The Chromium of somebody who has installed the authority, as the page says, and passes over no warning."""
    if shutil.which("certutil") is None:
        pytest.skip("no certutil found: install the package libnss3-tools to have a browser trust a certificate")
    home = tmp_path_factory.mktemp("home")
    store = home / ".pki" / "nssdb"
    store.mkdir(parents=True)
    for words in (
        ["-N", "--empty-password"],
        ["-A", "-t", "C,,", "-n", "table", "-i", settings.data_dir / "authority.crt"],
    ):
        subprocess.run(["certutil", "-d", f"sql:{store}", *words], check=True)
    context = driver.chromium.launch_persistent_context(
        home / "profile",
        executable_path=chromium,
        args=["--no-sandbox", *FAKE_CAMERA],
        env={**os.environ, "HOME": str(home)},
        base_url=safe_address,
        viewport={"width": 390, "height": 844},
    )
    context.set_default_timeout(60_000)
    yield context
    context.close()
