"""Opening a database: how SQLite is set up, and the migrations that run before anything is read."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from scorekeeper.errors import StoreError
from scorekeeper.store.copies import keep_copy
from scorekeeper.store.faults import store_faults
from scorekeeper.store.log import EventLog

BUSY_TIMEOUT_S = 5.0
"""How long one SQLite writer waits for another, in seconds; ``?timeout=`` in the address says otherwise."""

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
    return EventLog(engine, place)


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
    engine = _create(url if "timeout" in url.query else url.update_query_dict({"timeout": str(BUSY_TIMEOUT_S)}))
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
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


def _set_up_sqlite(connection: Any, _record: object) -> None:
    """Write-ahead log, and every commit on the disk before it is answered."""
    connection.isolation_level = None  # transactions begin where we say so
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    """Writers queue at the start instead of failing in the middle."""
    writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


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
