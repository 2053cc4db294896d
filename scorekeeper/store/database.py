"""Opening a database: how SQLite is set up and waited for, and the migrations that run before anything is read."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from scorekeeper.errors import StoreError
from scorekeeper.store.copies import keep_copy
from scorekeeper.store.faults import is_busy, store_faults
from scorekeeper.store.files import Files
from scorekeeper.store.log import EventLog

BUSY_TIMEOUT_S = 5.0
"""How long one SQLite writer waits for another, in seconds; ``?timeout=`` in the address says otherwise."""

RETRY_S = 0.02
"""How often it looks whether the other is done, in seconds."""

MIGRATION_LOCK = 0x4E455254
"""The number PostgreSQL keeps two servers that open at once apart by."""

_migrating = threading.Lock()  # Alembic's context is one per process


def open_log(url: str) -> EventLog:
    """The event log at the SQLAlchemy address *url*, migrated to this program's version; raises StoreError."""
    parsed = _parse(url)
    place = str(parsed.database) if _is_sqlite(parsed) else parsed.render_as_string(hide_password=True)
    with store_faults(place):
        engine = _make_engine(parsed)
        try:
            _migrate(engine)
        except BaseException:
            engine.dispose()
            raise
    if not _is_sqlite(parsed):
        return EventLog(engine, place)
    files = Files(Path(place))
    event.listen(engine, "do_connect", lambda *_: files.check())
    return EventLog(engine, place, files)


def _parse(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StoreError(
            "the database address can't be read: write it like 'sqlite:////home/me/nertz.db' "
            "or 'postgresql+psycopg://user:password@host/name'"
        ) from error
    if _is_sqlite(parsed) and parsed.database in (None, "", ":memory:"):
        raise StoreError("a database in memory forgets every game: name a file, such as 'sqlite:////home/me/nertz.db'")
    if parsed.drivername == "postgresql":
        return parsed.set(drivername="postgresql+psycopg")
    return parsed


def _is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _make_engine(url: URL) -> Engine:
    if url.drivername == "postgresql+psycopg":
        return _make_postgres(url)
    if not _is_sqlite(url):
        return _create(url, pool_pre_ping=True)
    _make_private(Path(str(url.database)))
    timeout = str(url.query.get("timeout", BUSY_TIMEOUT_S))
    patience_s = float(timeout) if timeout.replace(".", "", 1).isdecimal() else BUSY_TIMEOUT_S
    engine = _create(url.update_query_dict({"timeout": "0"}))
    event.listen(engine, "connect", lambda connection, _record: _set_up_sqlite(connection, patience_s))
    event.listen(engine, "begin", lambda connection: _begin_sqlite(connection, patience_s))
    return engine


def _make_postgres(url: URL) -> Engine:
    try:
        from scorekeeper.store.postgres import POOL, limit_waits  # psycopg is an extra
    except ImportError:
        return _create(url)  # says what is missing
    engine = _create(url, **POOL)
    limit_waits(engine)
    return engine


def _make_private(path: Path) -> None:
    """Makes the file for its owner only; SQLite would let everybody of this computer read it."""
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))


def _create(url: URL, **options: Any) -> Engine:
    try:
        return create_engine(url, **options)
    except NoSuchModuleError as error:
        raise StoreError(f"there is no database kind {url.drivername!r}: use sqlite or postgresql") from error
    except ImportError as error:
        raise StoreError(f"the driver for {url.drivername!r} is missing: install {error.name!r} with pip") from error


def _set_up_sqlite(connection: Any, patience_s: float) -> None:
    """Write-ahead log, and every commit on the disk before it is answered."""
    connection.isolation_level = None  # transactions begin where we say so
    for pragma in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL"):
        _patiently(partial(connection.execute, pragma), patience_s)


def _begin_sqlite(connection: Connection, patience_s: float) -> None:
    """Writers queue at the start instead of failing in the middle, and readers have their view from here on."""
    options = connection.get_execution_options()
    writing, waited_s = options.get("writing", False), options.get("waited_s", 0.0)

    def begin() -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
        try:
            connection.exec_driver_sql("SELECT 1 FROM sqlite_master LIMIT 1").close()
        except DBAPIError:
            connection.exec_driver_sql("ROLLBACK")
            raise

    _patiently(begin, patience_s - waited_s)


def _patiently(act: Callable[[], object], patience_s: float) -> None:
    """Does *act* as soon as no other program holds the database; raises the fault when that takes too long.

    SQLite's own busy wait would hold the processor of a server, where everybody else waits as well.
    """
    until = time.monotonic() + patience_s
    while True:
        try:
            act()
            return
        except (DBAPIError, sqlite3.Error) as error:
            if not is_busy(error) or time.monotonic() >= until:
                raise
        time.sleep(RETRY_S)


def _to_keep(connection: Connection, config: Config) -> Path | None:
    """The SQLite file that is about to be changed; None for a new one, and for one that needs no change."""
    known = MigrationContext.configure(connection).get_current_revision()
    newest = ScriptDirectory.from_config(config).get_current_head()
    is_file = connection.dialect.name == "sqlite"
    return Path(str(connection.engine.url.database)) if is_file and known not in (None, newest) else None


def _migrate(engine: Engine) -> None:
    """Brings the tables to the newest version; a second server that opens at once waits, then finds it done."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    with _migrating, engine.connect().execution_options(writing=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
        config.attributes["connection"] = connection
        if keep := _to_keep(connection, config):
            keep_copy(keep, "before-update")
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise StoreError(
                "the database was made by a newer Nertz Scorekeeper: update this one, or choose another database"
            ) from error
