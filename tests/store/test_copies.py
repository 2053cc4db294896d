"""A database is copied while it is used, before it is changed and after each evening, and lies whole in one file."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from scorekeeper.caretaker import EVENING_S, QUIET_S, Caretaker
from scorekeeper.rules.events import GameStarted
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.store import copies, keep_copy, open_log, tables
from scorekeeper.store.codec import encode
from scorekeeper.store.copies import FOLDER, KEPT, checkpoint

STARTED = GameStarted(make_sides(["Amy", "Ben"]), Rules())


def start(log, name, at):
    log.append(name, 0, STARTED, request_id=name, at=at)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "scorekeeper.db"


@pytest.fixture
def table(file, opened):
    return opened(f"sqlite:///{file}")


def make_old(path, revision):
    """A database as a program of before left it."""
    config = Config()
    config.set_main_option("script_location", str(Path(tables.__file__).parent / "migrations"))
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def games_in(path):
    with closing(sqlite3.connect(path)) as database:
        return {row[0] for row in database.execute("SELECT game FROM event")}


def test_the_file_alone_is_whole_once_nobody_writes(table, file, tmp_path, noon):
    now = [0.0]
    caretaker = Caretaker(table, lambda: table.written_at + now[0])
    start(table, "friday", noon)
    now[0] = QUIET_S + 1
    caretaker.look()
    shutil.copy(file, tmp_path / "alone.db")
    assert games_in(tmp_path / "alone.db") == {"friday"}


def test_without_that_a_copy_of_the_one_file_would_miss_the_newest(table, file, tmp_path, noon):
    checkpoint(file)
    start(table, "friday", noon)
    shutil.copy(file, tmp_path / "alone.db")
    assert games_in(tmp_path / "alone.db") == set()


def test_an_evening_is_copied_once(table, file, noon):
    now = [0.0]
    caretaker = Caretaker(table, lambda: table.written_at + now[0])
    start(table, "friday", noon)
    caretaker.look()
    assert copies(file.parent / FOLDER) == []
    now[0] = EVENING_S + 1
    for _ in range(3):
        caretaker.look()
    (copy,) = copies(file.parent / FOLDER)
    assert games_in(copy) == {"friday"}
    assert copy.stat().st_mode & 0o077 == 0
    caretaker.close()
    assert len(copies(file.parent / FOLDER)) == 1


def test_a_server_that_ends_copies_what_was_written(table, file, noon):
    caretaker = Caretaker(table)
    start(table, "friday", noon)
    caretaker.close()
    assert games_in(copies(file.parent / FOLDER)[0]) == {"friday"}


def test_a_disk_without_room_for_a_copy_ends_nothing(table, file, noon, caplog):
    (file.parent / FOLDER).write_text("in the way")
    start(table, "friday", noon)
    Caretaker(table).close()
    assert "can't be copied" in caplog.text


def test_the_newest_copies_are_kept(table, file, noon):
    start(table, "friday", noon)
    for day in range(KEPT + 3):
        keep_copy(file, "evening", noon + timedelta(days=day))
    kept = copies(file.parent / FOLDER)
    assert len(kept) == KEPT
    assert kept[0].name == f"scorekeeper-{noon + timedelta(days=KEPT + 2):%Y%m%dT%H%M%S}-evening.db"


def test_a_server_that_is_started_often_pushes_no_evening_out(table, file, noon):
    start(table, "friday", noon)
    keep_copy(file, "before-update", noon - timedelta(days=30))
    for hours in range(0, 24 * 4, 3):
        keep_copy(file, "evening", noon + timedelta(hours=hours))
    kept = [path.name for path in copies(file.parent / FOLDER)]
    assert len(kept) == 6
    assert kept[0].startswith("scorekeeper-20260505T09")
    assert kept[-1].endswith("before-update.db")


def test_a_database_is_copied_before_it_is_changed(file, noon):
    make_old(file, "0002")
    with closing(sqlite3.connect(file)) as database:
        database.execute(
            "INSERT INTO event VALUES ('friday', 1, 'r', ?, '', ?, ?)", (noon.isoformat(), *encode(STARTED))
        )
        database.commit()
    open_log(f"sqlite:///{file}").close()
    (copy,) = copies(file.parent / FOLDER)
    assert copy.name.endswith("-before-update.db")
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == ("0002",)
    assert games_in(copy) == {"friday"}


def test_a_new_database_is_not_copied(table, file):
    assert not (file.parent / FOLDER).exists()


def test_a_copy_is_of_one_moment_whoever_writes(table, file, noon):
    """Each game is written with its partner in one transaction: no copy has one without the other."""
    done = threading.Event()

    def play():
        for number in range(150):
            with table._writing() as connection:
                for half in ("a", "b"):
                    connection.exec_driver_sql(
                        "INSERT INTO event VALUES (?, 1, ?, ?, '', 'game-started', '{}')",
                        (f"g{number}{half}", "r", datetime.now(UTC).isoformat()),
                    )
        done.set()

    writer = threading.Thread(target=play)
    writer.start()
    seen = []
    while not done.is_set() or not seen:
        seen.append(games_in(keep_copy(file, "evening")))
    writer.join()
    for games in seen:
        assert {name[:-1] for name in games if name.endswith("a")} == {
            name[:-1] for name in games if name.endswith("b")
        }
