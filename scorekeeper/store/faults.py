"""What a database says when it fails, as a sentence that says what to do."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from scorekeeper.errors import StoreError
from scorekeeper.rules.said import Said, say

logger = logging.getLogger(__name__)

BUSY = say("another program is writing to it: close that program, then repeat")
ADVICE = {
    "SQLITE_FULL": say("the disk is full: free some space, then repeat"),
    "SQLITE_BUSY": BUSY,
    "SQLITE_LOCKED": BUSY,
    "SQLITE_READONLY": say("it can't be written: allow writing to the file and its folder, or choose another"),
    "SQLITE_CANTOPEN": say("it can't be opened: check that its folder exists and can be written"),
    "SQLITE_PERM": say("it can't be opened: allow this user to read and write it"),
    "SQLITE_AUTH": say("it can't be opened: allow this user to read and write it"),
    "SQLITE_NOTADB": say("that file is not a database: choose another, or move the file away"),
    "SQLITE_CORRUPT": say("the file is damaged, or the disk failed: check the disk, then restore the file from a copy"),
    "SQLITE_IOERR": say("the disk failed: check the disk and its free space, then repeat"),
    "53100": say("the disk of the database server is full: free some space there, then repeat"),
    "53300": say("the database server has too many connections: close some, then repeat"),
    "25006": say("the database server only reads: give an address that can be written"),
    "42501": say("this user may not write there: grant it the right, or use another user"),
    "55P03": say("another program is writing to it: wait a moment, then repeat"),
    "40P01": say("another program is writing to it: wait a moment, then repeat"),
}
"""By the name SQLite gives a fault (also the first two words of it), or the SQLSTATE of PostgreSQL."""


@contextmanager
def store_faults(place: str) -> Iterator[None]:
    """Turns every database fault inside into a StoreError about *place*, which never shows a password."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        text = failed(place, advice(error))
        if not isinstance(error, IntegrityError):  # two writers at once, which the log answers itself
            logger.error("%s", text)
        raise StoreError(text) from error


def failed(place: str, why: Said) -> Said:
    """The sentence about a database."""
    return say("the database %(place)s failed: %(why)s", place=place, why=why)


def is_busy(error: SQLAlchemyError | sqlite3.Error) -> bool:
    """Whether another program holds the database just now."""
    return _name(error).startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _name(error: SQLAlchemyError | sqlite3.Error) -> str:
    """What the database calls its fault; empty where it has no name for it."""
    cause: BaseException | None = error.orig if isinstance(error, DBAPIError) else error
    return getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or ""


def advice(error: SQLAlchemyError | sqlite3.Error) -> Said:
    """What happened and what to do, for a person."""
    cause: BaseException | None = error.orig if isinstance(error, DBAPIError) else error
    name = _name(error)
    known = ADVICE.get(name) or ADVICE.get("_".join(name.split("_")[:2]))
    if known:
        return known
    if isinstance(error, DBAPIError) and (error.connection_invalidated or not name):
        return say(
            "it can't be reached (%(reason)s): check its address and that it runs, then repeat",
            reason=_first_line(cause or error),
        )
    return say("%(reason)s: check the database, then repeat", reason=_first_line(cause or error))


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
