"""Copies of an SQLite database in a folder beside it: before each migration and each evening, the newest kept."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

FOLDER = "copies"
KEPT = 14
"""Copies of a kind that are kept; older ones go."""
PAGES = 256
"""Pages of a database that are copied without a pause, a megabyte."""

_NAME = re.compile(r"scorekeeper-\d{8}T\d{6}-[a-z0-9-]+\.db")


def copy_file(source: Path, target: Path) -> None:
    """SQLite's own online backup: whole and of one moment, whoever writes. Raises sqlite3.Error or OSError."""
    fresh = target.with_name(f"{target.name}.new")
    os.close(os.open(fresh, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
    with closing(_opened(source, 5)) as database, closing(sqlite3.connect(fresh)) as copy:
        database.backup(copy, pages=PAGES, progress=lambda *_: time.sleep(0))  # lets phones be answered in between
        copy.execute("PRAGMA journal_mode=DELETE").close()
    with fresh.open("rb") as written:
        os.fsync(written.fileno())
    fresh.replace(target)


def keep_copy(database: Path, why: str, now: datetime | None = None) -> Path:
    """Copies *database* into the folder beside it and returns the copy.

    Of the copies made for the same reason one a day is kept, and the newest of these.
    """
    folder, now = database.parent / FOLDER, now or datetime.now(UTC)
    folder.mkdir(mode=0o700, exist_ok=True)
    target = folder / f"scorekeeper-{now:%Y%m%dT%H%M%S}-{why}.db"
    copy_file(database, target)
    alike = [path for path in copies(folder) if path.stem.endswith(f"-{why}")]
    days = {path.name[: len("scorekeeper-20260501")]: path for path in reversed(alike)}
    for old in set(alike) - set(sorted(days.values(), reverse=True)[:KEPT]):
        old.unlink(missing_ok=True)
    return target


def copies(folder: Path) -> list[Path]:
    """The copies that are kept, the newest first."""
    return sorted((path for path in folder.glob("*.db") if _NAME.fullmatch(path.name)), reverse=True)


def checkpoint(database: Path) -> bool:
    """Moves all that is written into the one file, so that a copy of it alone is whole; False while it is in use."""
    with closing(_opened(database, 0)) as connection:
        busy, written, moved = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return not busy and bool(written == moved)


def _opened(database: Path, timeout_s: float) -> sqlite3.Connection:
    """A connection to a database that is there; SQLite would make an empty one in place of a deleted one."""
    return sqlite3.connect(f"{database.absolute().as_uri()}?mode=rw", timeout=timeout_s, uri=True)
