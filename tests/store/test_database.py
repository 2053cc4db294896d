"""A database is opened ready for use, or says in one sentence why not."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, create_engine, event, text

from scorekeeper.errors import StoreError
from scorekeeper.rules.events import GameStarted
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.store import open_log, tables

START = GameStarted(make_sides(["Amy", "Ben"]), Rules())
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def test_the_migrations_make_the_tables_the_program_uses(log, url):
    engine = create_engine(url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), tables.metadata) == []
    engine.dispose()


def test_opening_again_keeps_everything(log, opened, url):
    log.append("g", 0, START, request_id="r", at=NOON)
    assert [entry.event for entry in opened(url).read("g")] == [START]


def test_servers_that_open_a_new_database_at_once_both_work(url):
    barrier = threading.Barrier(4)

    def open_one(number):
        barrier.wait()
        log = open_log(url)
        log.append(f"g{number}", 0, START, request_id="r", at=NOON)
        log.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(open_one, range(4)))
    log = open_log(url)
    assert set(log.versions()) == {"g0", "g1", "g2", "g3"}
    log.close()


def test_processes_that_open_a_new_database_at_once_both_work(url, checkout):
    command = [sys.executable, "-c", "import sys; from scorekeeper.store import open_log; open_log(sys.argv[1])", url]
    servers = [subprocess.Popen(command, cwd=checkout) for _ in range(3)]
    assert [server.wait() for server in servers] == [0, 0, 0]


def test_sqlite_has_every_commit_on_the_disk_before_it_answers(sqlite_url, opened):
    seen = []

    @event.listens_for(Engine, "checkout")
    def look(connection, _record, _proxy):
        pragmas = ("journal_mode", "synchronous", "busy_timeout")
        seen.append([connection.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas])

    try:
        opened(sqlite_url).version("g")
    finally:
        event.remove(Engine, "checkout", look)
    assert seen
    assert all(each == ["wal", 2, 0] for each in seen)


def test_a_database_of_a_newer_program_asks_for_an_update(log, url):
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreError, match="newer Nertz Scorekeeper: update this one"):
        open_log(url)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("", "can't be read"),
        ("games.db", "can't be read"),
        ("postgresql://host:port/x", "can't be read"),
        ("oracle9i://host/x", "no database kind 'oracle9i'"),
        ("mysql+pymysql://host/x", "driver for 'mysql\\+pymysql' is missing: install 'pymysql'"),
        ("sqlite://", "forgets every game"),
        ("sqlite:///:memory:", "forgets every game"),
        ("sqlite:////no/such/folder/games.db", "check that its folder exists"),
        ("postgresql://amy:secret@127.0.0.1:1/x", "can't be reached"),
    ],
)
def test_an_address_that_cannot_be_opened_is_refused(address, words):
    if "postgresql://amy" in address:
        pytest.importorskip("psycopg", reason="no psycopg: `pip install psycopg[binary]` to run PostgreSQL tests")
    with pytest.raises(StoreError, match=words) as refusal:
        open_log(address)
    assert "secret" not in str(refusal.value)


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path):
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Amy, " * 500)
    with pytest.raises(StoreError, match="not a database"):
        open_log(f"sqlite:///{letter}")
    assert letter.read_text() == "Dear Amy, " * 500


def test_a_damaged_database_asks_for_the_copy(sqlite_url, tmp_path):
    first = open_log(sqlite_url)
    for number in range(40):
        first.append(f"g{number}", 0, START, request_id="r", at=NOON)
    first.close()
    file = tmp_path / "games.db"
    data = bytearray(file.read_bytes())
    data[4096 : len(data)] = b"\xa5" * (len(data) - 4096)
    file.write_bytes(data)
    with pytest.raises(StoreError, match="damaged.*restore the file from a copy"):
        open_log(sqlite_url).versions()


def fill(log):
    for number in range(1000):
        log.append(f"g{number}", 0, START, request_id="r", at=NOON)


def test_a_full_disk_is_said_and_nothing_is_half_written(sqlite_url, opened):
    opened(sqlite_url).close()

    @event.listens_for(Engine, "connect")
    def no_more_pages(connection, _record):
        connection.execute("PRAGMA max_page_count=1")  # SQLite takes the pages there are

    try:
        log = opened(sqlite_url)
        with pytest.raises(StoreError, match="disk is full: free some space"):
            fill(log)
    finally:
        event.remove(Engine, "connect", no_more_pages)
    again = opened(sqlite_url)
    assert set(again.versions().values()) <= {1}
    again.append("more", 0, START, request_id="r", at=NOON)


def test_a_database_another_program_holds_is_said(sqlite_url, opened, tmp_path):
    log = opened(f"{sqlite_url}?timeout=0.05")
    other = sqlite3.connect(tmp_path / "games.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="another program is writing to it"):
        log.append("g", 0, START, request_id="r", at=NOON)
    assert log.versions() == {}
    other.execute("COMMIT")
    other.close()
    assert log.append("g", 0, START, request_id="r", at=NOON).number == 1


def test_a_database_that_can_only_be_read_is_said(sqlite_url, opened, tmp_path):
    opened(sqlite_url).append("g", 0, START, request_id="r", at=NOON)
    log = opened(f"sqlite:///file:{tmp_path / 'games.db'}?mode=ro&uri=true")
    assert log.version("g") == 1
    with pytest.raises(StoreError, match="can't be written: allow writing"):
        log.append("h", 0, START, request_id="r", at=NOON)


def test_a_database_server_that_only_reads_is_said(postgres_url, opened):
    log = opened(postgres_url)
    engine = create_engine(postgres_url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        name = connection.execute(text("SELECT current_database()")).scalar()
        connection.execute(text(f"ALTER DATABASE {name} SET default_transaction_read_only = on"))
    engine.dispose()
    log.close()
    with pytest.raises(StoreError, match="only reads"):
        log.append("g", 0, START, request_id="r", at=NOON)


def test_a_database_server_that_was_restarted_is_found_again(postgres_url, opened):
    log = opened(postgres_url)
    engine = create_engine(postgres_url)
    with engine.connect() as connection:
        others = "pid <> pg_backend_pid() AND datname = current_database()"
        connection.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"))
    engine.dispose()
    assert log.append("g", 0, START, request_id="r", at=NOON).number == 1


def test_a_table_of_somebody_else_in_the_way_is_said(sqlite_url, tmp_path):
    other = sqlite3.connect(tmp_path / "games.db")
    other.execute("CREATE TABLE event (birthday TEXT)")
    other.close()
    with pytest.raises(StoreError, match="event already exists"):
        open_log(sqlite_url)


def test_the_migrations_travel_in_the_wheel(checkout, tmp_path):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=checkout, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = Path(tmp_path).glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        members = [each for each in archive.namelist() if each.startswith("scorekeeper/") and each.endswith(".py")]
        archive.extractall(tmp_path / "site", members)
    code = "import sys; from scorekeeper.store import open_log; print(open_log(sys.argv[1]).versions())"
    done = subprocess.run(
        [sys.executable, "-c", code, f"sqlite:///{tmp_path / 'w.db'}"],
        cwd=tmp_path / "site", check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": "."},
    )  # fmt: skip
    assert done.stdout == "{}\n"
