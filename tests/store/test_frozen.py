"""A database that stops answering holds up nobody for long, and whoever waits is told why."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import create_engine
from sqlalchemy import text as sql

from scorekeeper.errors import StoreError
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.scorebook import Scorebook

PATIENCE_S = 30
"""More than all limits of one request together, and far less than for ever."""


@contextlib.contextmanager
def frozen(url: str) -> Iterator[None]:
    """Stops every process that answers for the database, as a host that hangs does."""
    engine = create_engine(url)
    with engine.connect() as connection:
        (postmaster,) = {int(line) for line in connection.execute(sql(
            "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)")).scalars()}  # fmt: skip
    engine.dispose()
    children = subprocess.run(["pgrep", "-P", str(postmaster)], capture_output=True, text=True, check=False).stdout
    pids = [postmaster, *map(int, children.split())]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def ask(address: str) -> tuple[int, str]:
    """Status and text of a page."""
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.fixture
def server(tmp_path, postgres_url, checkout) -> Iterator[str]:
    """A real server on a PostgreSQL database."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = [sys.executable, "-m", "scorekeeper", "serve", "--host", "127.0.0.1", "--port", str(port)]
    environ = {**os.environ, "SCOREKEEPER_DATABASE_URL": postgres_url, "SCOREKEEPER_DATA": str(tmp_path)}
    with subprocess.Popen(words, cwd=checkout, env=environ, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert any("Ctrl-C" in line for line in process.stdout)
        yield f"http://127.0.0.1:{port}"
        process.terminate()


def test_while_the_database_is_frozen_pages_say_so_and_the_rest_goes_on(server, postgres_url, opened):
    book = Scorebook(opened(postgres_url))
    game = book.start_game(make_sides(["Amy", "Ben"]), Rules(), request_id="start")
    assert ask(f"{server}/g/{game}")[0] == 200
    with frozen(postgres_url), ThreadPoolExecutor() as phones:
        page = phones.submit(ask, f"{server}/g/{game}")
        hand = phones.submit(book.record_hand, game, parse_hand("amy 14/0! ben 9/4"), request_id="1")
        began = time.monotonic()
        assert ask(f"{server}/ping")[0] == 200
        assert time.monotonic() - began < 3
        status, text = page.result(PATIENCE_S)
        assert status == 503
        assert re.search("not answered|can.t be reached", text)
        with pytest.raises(StoreError, match="reached"):
            hand.result(PATIENCE_S)
    book.record_hand(game, parse_hand("amy 14/0! ben 9/4"), request_id="1")
    status, page = ask(f"{server}/g/{game}")
    assert status == 200
    assert "Amy leads" in page
