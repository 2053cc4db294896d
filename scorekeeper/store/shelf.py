"""Small values beside the games, by kind and name, as safe as the log and shared by all servers of one database."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from scorekeeper.store import tables

logger = logging.getLogger(__name__)

Transaction = Callable[[], AbstractContextManager[Connection]]


class Shelf:
    """Values that msgspec can write as JSON; every call is one transaction. Raises StoreError when the database fails.

    *wanted* is the type of a value. One that is damaged is logged, then counts as none.
    """

    def __init__(self, reading: Transaction, writing: Transaction) -> None:
        self._reading = reading
        self._writing = writing

    def get(self, kind: str, name: str, wanted: Any = Any) -> Any:
        """The value; None when there is none."""
        with self._reading() as connection:
            return _read(connection, kind, name, wanted)

    def all(self, kind: str, wanted: Any = Any) -> dict[str, Any]:
        """Every value of one kind by name; None for a damaged one."""
        query = select(tables.shelf.c.name, tables.shelf.c.body).where(tables.shelf.c.kind == kind)
        with self._reading() as connection:
            return {name: _decoded(kind, name, body, wanted) for name, body in connection.execute(query)}

    def change(self, kind: str, name: str, change: Callable[[Any], Any], wanted: Any = Any) -> Any:
        """Puts *change* of the value (None when there is none) in its place and returns it; one at a time."""
        try:
            return self._change(kind, name, change, wanted)
        except IntegrityError:  # two servers made the first value at once
            return self._change(kind, name, change, wanted)

    def _change(self, kind: str, name: str, change: Callable[[Any], Any], wanted: Any) -> Any:
        with self._writing() as connection:
            before = _read(connection, kind, name, wanted, lock=True)
            after = change(before)
            if before is None or after != before:
                body = msgspec.json.encode(after).decode()
                if not connection.execute(update(tables.shelf).where(*_is(kind, name)).values(body=body)).rowcount:
                    connection.execute(insert(tables.shelf).values(kind=kind, name=name, body=body))
        return after

    def once(self, kind: str, name: str, make: Callable[[], Any], wanted: Any = Any) -> Any:
        """The value, made when it is first asked for."""
        known = self.get(kind, name, wanted)
        return self.change(kind, name, lambda now: make() if now is None else now, wanted) if known is None else known

    def drop(self, kind: str, *names: str) -> None:
        """Forgets values; those that are gone already are no matter."""
        with self._writing() as connection:
            for name in names:
                connection.execute(delete(tables.shelf).where(*_is(kind, name)))


def _is(kind: str, name: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return tables.shelf.c.kind == kind, tables.shelf.c.name == name


def _read(connection: Connection, kind: str, name: str, wanted: Any, lock: bool = False) -> Any:
    query = select(tables.shelf.c.body).where(*_is(kind, name))
    body = connection.execute(query.with_for_update() if lock else query).scalar()
    return None if body is None else _decoded(kind, name, body, wanted)


def _decoded(kind: str, name: str, body: str, wanted: Any) -> Any:
    try:
        return msgspec.json.decode(body, type=wanted)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        logger.error("the %s %r is damaged: %s", kind, name, error)
        return None
