"""The demonstration plays its hands through the real pages, whatever the eye says of them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import httpx
import pytest

from scorekeeper.cli.demonstration import Pace, Player, fields_of
from scorekeeper.config import Settings
from scorekeeper.errors import PictureError
from scorekeeper.rules.cards import parse_card
from scorekeeper.rules.lake import Box, DeckId, FanReading, LakeReading, Pile, SeenBack, SeenFace, SpreadReading
from scorekeeper.scorebook import GameId, Scorebook
from scorekeeper.store import open_log
from scorekeeper.watch import EnrolledDeck, Seen
from web import create_app

BOX: Box = ((0, 0), (2, 0), (2, 3), (0, 3))
DOT = bytes.fromhex("ffd8ffd9")

TRUTH = {
    "sides": [
        {"name": "Amy", "deck": "red", "color": "#d55e00"},
        {"name": "Ben", "deck": "blue", "color": "#0072b2"},
        {"name": "The Smiths", "deck": "green", "color": "#009e73"},
    ],
    "callers": ["Amy"],
    "lake": {"red": 4, "blue": 3, "green": 0},
    "left": {"Amy": 0, "Ben": 2, "The Smiths": 3},
    "piles": [{"top": "4D", "height": 4, "dead": False}, {"top": "3S", "height": 3, "dead": False}],
    "fans": {"Amy": [], "Ben": ["2C", "9D"], "The Smiths": ["AS", "3S", "KD"]},
}


class TextEye:
    """Reads pictures that are texts: codes of cards, names of decks."""

    camera = None

    def lake(self, picture: bytes) -> Seen[LakeReading]:
        if picture == b"dark":
            raise PictureError("it is too dark")
        piles = [Pile(parse_card(code), parse_card(code).rank, False, 0.9, BOX) for code in picture.decode().split()]
        return Seen(LakeReading(tuple(piles), True, ()), (DOT,), 1)

    def fan(self, picture: bytes, left: bool = False) -> Seen[FanReading]:
        cards = [SeenFace(parse_card(code), 0.9, BOX) for code in picture.decode().split()]
        return Seen(FanReading(tuple(cards), True, ()), (DOT,), 1)

    def spread(
        self,
        pictures: Sequence[bytes],
        decks: Mapping[DeckId, Sequence[str]],
        looks: Mapping[DeckId, tuple[str, str]] | None = None,
    ) -> Seen[SpreadReading]:
        names = [DeckId(name) for data in pictures for name in data.decode().split()]
        cards = tuple(SeenBack(0, name, 0.9, BOX) for name in names)
        return Seen(
            SpreadReading(cards, {deck: names.count(deck) for deck in decks}, True, ()), (DOT,) * len(pictures), 1
        )

    def enrol(self, pictures: Sequence[bytes]) -> EnrolledDeck:
        return EnrolledDeck(tuple(data.decode() for data in pictures), DOT, ())

    def too_alike(self, decks: Mapping[DeckId, Sequence[str]]) -> list[str]:
        return []

    def snapshot(self) -> bytes:
        raise NotImplementedError


@pytest.fixture
def hand(tmp_path: Path) -> Path:
    """Sample pictures of one hand, as texts."""
    folder = tmp_path / "hand1"
    folder.mkdir()
    texts = {
        "truth.json": json.dumps(TRUTH),
        "enrol-red.jpg": "red",
        "enrol-blue.jpg": "blue",
        "enrol-green.jpg": "green",
        "lake.jpg": "4D 3S",
        "spread-1.jpg": "red red blue",
        "spread-2.jpg": "blue blue red red",
        "fan-ben.jpg": "2C 9D",
        "fan-the-smiths.jpg": "AS 3S KD",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Scorebook]:
    log = open_log(f"sqlite:///{tmp_path / 'games.db'}")
    yield Scorebook(log)
    log.close()


def play(book: Scorebook, hand: Path, tmp_path: Path) -> tuple[GameId, Scorebook]:
    app = create_app(book, TextEye(), Settings(data_dir=tmp_path / "data", pin="123456"))
    transport = httpx.WSGITransport(app=app)
    with httpx.Client(
        transport=transport, base_url="http://localhost", headers={"Origin": "http://localhost"}, follow_redirects=True
    ) as client:
        board = Player(client, Pace(0)).play([hand], "123456")
    return GameId(board.rpartition("/")[2]), book


def test_a_hand_goes_from_pictures_to_the_board(
    book: Scorebook, hand: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game_id, book = play(book, hand, tmp_path)
    game = book.game(game_id)
    assert {side.name: game.totals[side.id] for side in game.sides} == {"Amy": 4, "Ben": -1, "The Smiths": -6}
    assert game.calls[game.sides[0].id] == 1
    assert len(game.signatures) == 3
    said = capsys.readouterr().out
    assert "adds up 7 cards" in said
    assert "but" not in said, "nothing had to be corrected"


def test_what_the_eye_got_wrong_is_typed(
    book: Scorebook, hand: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (hand / "lake.jpg").write_text("4D 2S")
    (hand / "fan-ben.jpg").write_text("2C")
    game_id, book = play(book, hand, tmp_path)
    assert list(book.game(game_id).totals.values()) == [4, -1, -6]
    said = capsys.readouterr().out
    assert "The eye says 6 for total, but 7 lie there" in said
    assert "The eye says 1 for left.ben, but 2 lie there" in said


def test_a_refused_picture_is_typed(
    book: Scorebook, hand: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (hand / "lake.jpg").write_text("dark")
    game_id, book = play(book, hand, tmp_path)
    assert list(book.game(game_id).totals.values()) == [4, -1, -6]
    assert "The eye refuses the picture: It is too dark." in capsys.readouterr().out


def test_a_form_is_read_as_a_browser_sends_it() -> None:
    page = """
        <form><input name="version" value="3"><input type="checkbox" name="called.amy" value="1" checked>
        <input type="checkbox" name="called.ben" value="1"><input type="file" name="lake">
        <input name="why" value="a &amp; b"><button name="action" value="record">Record</button>
        <button name="anyway" value="f00">Record anyway</button></form>
    """
    assert fields_of(page) == {"version": "3", "called.amy": "1", "why": "a & b", "anyway": "f00"}


def test_the_real_server_with_the_real_eye_plays_the_samples() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scorekeeper", "demo", "--fast", "--once"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "is on the board" in done.stdout
