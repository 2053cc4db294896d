"""A table on paper: real scorebook on a real file, pages over it, and an eye that says what it is told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.config import Settings
from scorekeeper.errors import CameraError, EnrolmentError, PictureError
from scorekeeper.rules.cards import parse_card
from scorekeeper.rules.lake import DeckId, FanReading, LakeReading, Pile, SeenBack, SeenFace, SpreadReading
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.scorebook import GameId, Scorebook
from scorekeeper.store import open_log
from scorekeeper.watch import EnrolledDeck, Seen
from web import create_app

PIN = "271828"
BOX = ((10.0, 10.0), (50.0, 10.0), (50.0, 66.0), (10.0, 66.0))


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

    def lake(self, data: bytes) -> Seen[LakeReading]:
        self._look(data)
        piles = tuple(Pile(parse_card(top), parse_card(top).rank, False, 0.9, BOX) for top in self.tops)
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
        cards = tuple(SeenBack(0, DeckId(deck) if deck in decks else None, 0.9, BOX) for deck in seen)
        counts = {deck: seen.count(deck) for deck in decks}
        return Seen(SpreadReading(cards, counts, True, ()), tuple(picture("spread") for _ in pictures), 12.0)

    def fan(self, data: bytes) -> Seen[FanReading]:
        self._look(data)
        cards = tuple(SeenFace(parse_card(code), 0.9, BOX) for code in self.fan_codes)
        return Seen(FanReading(cards, True, ()), (picture("a fan"),), 12.0)

    def enrol(self, pictures: Sequence[bytes]) -> EnrolledDeck:
        for data in pictures:
            self._look(data)
        if not pictures:
            raise EnrolmentError("no back in the picture")
        return EnrolledDeck(("a signature",), picture("a back"), ())

    def too_alike(self, decks: Mapping[DeckId, Sequence[str]]) -> list[str]:
        return self.alike

    def snapshot(self) -> bytes:
        if self.camera is None:
            raise CameraError("no camera is set: start the server with --camera")
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


def served(app: Flask) -> Iterator[str]:
    """Runs the real server in a thread with a loop of its own until the test is over."""
    from gevent import get_hub

    from web.server import bind

    ready = threading.Event()
    port: list[int] = []
    stop: list[Any] = []

    def run() -> None:
        server = bind(app, "127.0.0.1", 0)
        port.append(server.server_port)
        stop.append(get_hub().loop.async_())
        stop[0].start(server.stop, 0)
        ready.set()
        server.serve_forever()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(10)
    yield f"http://127.0.0.1:{port[0]}"
    stop[0].send()
    thread.join(5)
