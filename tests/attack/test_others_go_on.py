"""Nothing that one person sends stops the others: somebody asks for a page all the while, and is answered."""

from __future__ import annotations

import contextlib
import shutil
import socket
import sqlite3
import threading
import time
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from scorekeeper.rules.events import GameStarted, HandRecorded
from scorekeeper.rules.scoring import Hand, Rules, Tally, make_sides
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import Entry, open_log
from scorekeeper.store.transfer import write_game

FROZEN_S = 4.5
"""Nobody waits so long, however slow the computer; every attack here once kept everybody waiting for longer."""
HAND = {"lake.amy": "14", "left.amy": "0", "called.amy": "1", "lake.ben": "9", "left.ben": "3"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize("path", ["/language", "/sign-in"])
def test_a_body_of_hundreds_of_megabytes_from_a_stranger(server, asking, rounds, found, path):
    body = b"a=b&" * (rounds(8, 60) << 20)
    with asking() as asker:
        answers = set()
        with httpx.Client(timeout=120) as phone, contextlib.suppress(httpx.TransportError):
            answers.add(phone.post(f"{server.address}{path}", content=body, headers=FORM).status_code)
    assert answers <= {413}
    found(f"{len(body) >> 20} MB to {path}: the others waited {asker.longest_s:.2f} s at most")
    assert asker.longest_s < FROZEN_S


@pytest.mark.parametrize("seconds", [1.5, 60], ids=["for a moment", "for good"])
def test_a_database_that_another_program_locks_keeps_only_its_writers_waiting(server, asking, found, seconds):
    book, log = _book(server)
    game_id = book.start_game(make_sides(["Amy", "Ben"]), Rules(), request_id=f"locked {seconds}")
    log.close()
    with server.keeper() as phone, contextlib.closing(_locked(server)) as other:
        timer = threading.Timer(seconds, lambda: other.execute("ROLLBACK"))
        timer.start()
        with asking(f"/g/{game_id}") as asker:
            answer = phone.post(f"/g/{game_id}/hand", data={"version": "1", "request_id": "tap", **HAND})
        timer.cancel()
    assert answer.status_code == (303 if seconds < 5 else 503)
    assert seconds < 5 or "another program is writing to it" in answer.text
    found(f"a locked database: {len(asker.waits_s)} pages meanwhile, the others waited {asker.longest_s:.2f} s at most")
    assert len(asker.waits_s) > 2
    assert asker.longest_s < FROZEN_S


def _locked(server) -> sqlite3.Connection:
    other = sqlite3.connect(server.folder / "scorekeeper.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    return other


def _book(server):
    log = open_log(f"sqlite:///{server.folder}/scorekeeper.db")
    return Scorebook(log), log


def game_file(number: int) -> str:
    """The file of a game of four people with ten hands."""
    sides = make_sides([f"Player {(number + seat) % 60}" for seat in range(4)])
    hands = [
        Hand(tuple(Tally(side.id, 9 + (hand + place) % 5, place) for place, side in enumerate(sides)), (sides[0].id,))
        for hand in range(10)
    ]
    happened = [GameStarted(sides, Rules(target=0, rounds=99)), *map(HandRecorded, hands)]
    at = datetime(2026, 5, 1, tzinfo=UTC) + timedelta(hours=number)
    entries = [Entry(place, at, "", f"game {number} {place}", event) for place, event in enumerate(happened, 1)]
    name = "".join("abcdefghij"[int(digit)] for digit in str(number))
    return write_game(name, entries)


def test_people_of_a_thousand_games(server, asking, rounds, found):
    book, log = _book(server)
    for number in range(rounds(20, 1000)):
        book.import_game(game_file(number))
    games = len(book.games())
    log.close()
    with asking() as asker, httpx.Client(timeout=120) as phone:
        began = time.monotonic()
        pages = [phone.get(f"{server.address}/people") for _ in range(3)]
        took = (time.monotonic() - began) / 3
    assert all("Player 7" in page.text for page in pages)
    found(f"people of {games} games: {took:.2f} s, the others waited {asker.longest_s:.2f} s at most")
    assert asker.longest_s < FROZEN_S


def test_silent_connections_are_hung_up_and_nobody_is_kept_out(server, asking, rounds, found):
    silent = [socket.create_connection(server.place) for _ in range(rounds(60, 1000))]
    for number, phone in enumerate(silent):
        phone.settimeout(30)
        if number % 2:
            phone.sendall(b"GET / HTTP/1.1\r\nHost: ")
    began = time.monotonic()
    with asking() as asker:
        for phone in silent:
            with contextlib.suppress(ConnectionError):
                while phone.recv(4096):
                    pass
            phone.close()
    took = time.monotonic() - began
    found(
        f"{len(silent)} silent connections were hung up after {took:.0f} s, the others waited {asker.longest_s:.2f} s"
    )
    assert took < 25
    assert asker.longest_s < FROZEN_S


def test_one_address_can_not_take_every_connection(server, found):
    with contextlib.ExitStack() as stack:
        phones = [socket.create_connection(server.place) for _ in range(2200)]
        for phone in phones:
            stack.callback(phone.close)
            phone.setblocking(False)
        time.sleep(1)
        refused = sum(said_no(phone) for phone in phones)
        neighbour = stack.enter_context(contextlib.closing(socket.socket()))
        neighbour.bind(("127.0.0.2", 0))
        neighbour.settimeout(20)
        neighbour.connect(server.place)
        neighbour.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert neighbour.recv(64).startswith(b"HTTP/1.1 200")
    found(f"of 2,200 connections of one address {refused} were refused, and a neighbour was answered")
    assert refused > 100


def said_no(phone: socket.socket) -> bool:
    try:
        return b"Too many connections from one address" in phone.recv(4096)
    except OSError:
        return False


def test_a_data_folder_that_is_deleted_is_said_to_all(server, found):
    book, log = _book(server)
    game_id = book.start_game(make_sides(["Amy", "Ben"]), Rules(), request_id="start")
    log.close()
    with server.keeper() as phone, socket.create_connection(server.place) as board:
        board.settimeout(30)
        host = f"{server.place[0]}:{server.place[1]}"
        board.sendall(f"GET /g/{game_id}/events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        while b"id: 1\n" not in board.recv(65536):
            pass
        shutil.rmtree(server.folder)
        answer = phone.post(f"/g/{game_id}/hand", data={"version": "1", "request_id": "tap", **HAND})
        assert answer.status_code == 503
        assert "nothing more can be recorded" in answer.text
        assert "nothing more can be recorded" in phone.get(f"/g/{game_id}").text
        began, heard = time.monotonic(), b""
        while b"nothing more can be recorded" not in heard:
            heard += board.recv(65536)
    found(f"an open board said that its folder is gone within {time.monotonic() - began:.0f} s")
