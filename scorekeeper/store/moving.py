"""A whole database as one SQLite file without its secrets, and such a file put into an empty database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import create_engine, insert, select

from scorekeeper.errors import StoreError
from scorekeeper.rules.said import say
from scorekeeper.store import tables
from scorekeeper.store.copies import copy_file
from scorekeeper.store.database import open_log
from scorekeeper.store.faults import store_faults
from scorekeeper.store.log import EventLog

SECRETS = ("server", "session", "door")
"""Kinds of values that stay: what cookies are signed with, and who has one."""


def copy_database(log: EventLog, path: Path) -> None:
    """Writes everything but the secrets into the new SQLite file *path*, while others write; raises StoreError."""
    with store_faults(str(path)):
        if log.trouble:
            raise StoreError(log.trouble)
        if log.file is not None:
            copy_file(log.file, path)
        else:
            _copy_rows(log, path)
        with closing(sqlite3.connect(path)) as copy:
            copy.execute(f"DELETE FROM shelf WHERE kind IN ({', '.join('?' for _ in SECRETS)})", SECRETS)
            copy.commit()
            copy.execute("PRAGMA journal_mode=DELETE").close()
            copy.execute("VACUUM")


def _copy_rows(log: EventLog, path: Path) -> None:
    """Every row as it stands at one moment."""
    copy = open_log(f"sqlite:///{path}")
    moment = log.engine.connect().execution_options(isolation_level="REPEATABLE READ")
    with closing(copy), moment as source, copy.engine.begin() as target:
        for table in tables.metadata.sorted_tables:
            for rows in source.execute(select(table)).mappings().partitions(500):
                target.execute(insert(table), [dict(row) for row in rows])


def put_back(path: Path, log: EventLog) -> None:
    """Puts every row of a copy into the empty database of *log*; raises StoreError where games lie there already."""
    engine = create_engine(f"sqlite:///{path}")
    try:
        with store_faults(str(path)), engine.connect() as source, log.engine.begin() as target:
            if target.execute(select(tables.event.c.game).limit(1)).first():
                raise StoreError(say("there are games in this database already: give an empty one"))
            for table in tables.metadata.sorted_tables:
                for rows in source.execute(select(table)).mappings().partitions(500):
                    target.execute(insert(table), [dict(row) for row in rows])
    finally:
        engine.dispose()


def check_copy(path: Path) -> None:
    """Raises StoreError for a file that is no whole database of this program."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            (said,) = database.execute("PRAGMA integrity_check(1)").fetchone()
            database.execute("SELECT game, number, kind, body FROM event LIMIT 1").close()
    except sqlite3.Error as error:
        said = str(error)
    if said != "ok":
        raise StoreError(say("the database in this backup is damaged (%(reason)s): choose another backup", reason=said))
