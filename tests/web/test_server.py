"""The real server: hundreds of open boards, a port that is taken, a picture that is far too large."""

from __future__ import annotations

import contextlib
import http.client
import socket
import time
from urllib.parse import urlsplit

import pytest

from scorekeeper.errors import SettingsError
from scorekeeper.logs import last_hour
from scorekeeper.rules.notation import parse_hand
from web.connections import allow_many_files
from web.server import bind

BOARDS = 500


def open_board(stack, place, game_id):
    """A phone that watches the board, as a raw connection."""
    phone = stack.enter_context(contextlib.closing(socket.create_connection((place.hostname, place.port), timeout=60)))
    phone.sendall(f"GET /g/{game_id}/events HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
    return phone


def read_until(phone, word):
    """What the phone was sent until *word*; it fails when the stream ends before."""
    heard = b""
    while word not in heard:
        piece = phone.recv(65536)
        assert piece, f"the stream ended after {heard[-200:]!r}"
        heard += piece
    return heard


def test_five_hundred_boards_hear_of_a_hand(address, book, game_id, capsys):
    place = urlsplit(address)
    allow_many_files()
    with contextlib.ExitStack() as stack:
        phones = [open_board(stack, place, game_id) for _ in range(BOARDS)]
        for phone in phones:
            read_until(phone, b"id: 1\n")
        began = time.monotonic()
        book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="one")
        for phone in phones:
            read_until(phone, b"Amy leads with 14 of 100 points")
        took = time.monotonic() - began
    with capsys.disabled():
        print(f" [{BOARDS} boards told in {took:.2f} s]", end="")


def test_a_port_that_is_taken_is_said_in_words(app):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(SettingsError, match=f"port {port} is in use.*choose another with --port"):
            bind(app, "127.0.0.1", port)


def test_a_form_that_is_far_too_large_does_not_harm_the_server(address, game_id, pin):
    place = urlsplit(address)
    with contextlib.closing(http.client.HTTPConnection(place.hostname, place.port, timeout=60)) as link:
        link.request("POST", "/sign-in", f"pin={pin}", {"Content-Type": "application/x-www-form-urlencoded"})
        answer = link.getresponse()
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
        answer.read()
        link.putrequest("POST", f"/g/{game_id}/hand/lake")
        headers = {"Cookie": cookie, "Content-Type": "multipart/form-data; boundary=x", "Content-Length": str(10**9)}
        for name, value in headers.items():
            link.putheader(name, value)
        link.endheaders()
        answer = link.getresponse()
        assert answer.status == 413
        assert "40 MB" in answer.read().decode()
    with contextlib.closing(http.client.HTTPConnection(place.hostname, place.port, timeout=60)) as link:
        link.request("GET", f"/g/{game_id}")
        assert link.getresponse().status == 200


@pytest.mark.parametrize(
    "words", [b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 500, b"\x16\x03\x01\r\n\r\n", b"z\r\nHost\r\n\r\n"]
)
def test_what_is_no_http_troubles_nobody(address, words, capfd):
    place = urlsplit(address)
    last_hour.clear()
    with contextlib.closing(socket.create_connection((place.hostname, place.port), timeout=20)) as phone:
        phone.sendall(words + b"\r\n")
        with contextlib.suppress(ConnectionError):
            phone.recv(1000)
    assert last_hour.troubles() == []
    assert "Traceback" not in capfd.readouterr().err


def test_a_name_that_stands_for_no_letters_is_refused(address):
    place = urlsplit(address)
    with contextlib.closing(socket.create_connection((place.hostname, place.port), timeout=20)) as phone:
        phone.sendall(b"GET / HTTP/1.1\r\nHost: xn--a\r\n\r\n")
        assert phone.recv(1000).startswith(b"HTTP/1.1 421")
