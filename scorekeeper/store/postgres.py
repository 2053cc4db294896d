"""PostgreSQL with a limit on every wait, so that a database that stops answering stops nobody for long."""

from __future__ import annotations

import time
from typing import Any

import psycopg
from psycopg.abc import RV, PQGen
from sqlalchemy import Engine, event

CONNECT_S = 2
"""How long the database may take to let a connection in; ``?connect_timeout=`` in the address says otherwise."""
ANSWER_S = 4.0
"""How long it may take to answer anything."""
POOL = {"pool_size": 5, "max_overflow": 5, "pool_timeout": ANSWER_S, "pool_recycle": 1800, "pool_pre_ping": True}
"""Ten connections at most for each server; who finds none free in time is told so."""
SERVER_LIMITS = {"statement_timeout": 4000, "lock_timeout": 3000, "idle_in_transaction_session_timeout": 30000}
"""The same limits for the database itself, in milliseconds, so that it does not work on for nobody."""


class PatientConnection(psycopg.Connection[Any]):
    """A connection that gives up on a database that does not answer in time: raises OperationalError and is closed."""

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        began = time.monotonic()
        try:
            return super().wait(gen, interval, timeout or ANSWER_S)
        except psycopg.OperationalError as error:
            if time.monotonic() - began < ANSWER_S:
                raise
            self.pgconn.finish()
            raise psycopg.OperationalError(f"it has not answered for {ANSWER_S:.0f} seconds") from error


def limit_waits(engine: Engine) -> None:
    """Has *engine* make connections that wait no longer than this file says."""
    event.listen(engine, "do_connect", _connect)
    event.listen(engine, "connect", _limit_server)


def _connect(_dialect: object, _record: object, words: list[Any], options: dict[str, Any]) -> PatientConnection:
    connected = PatientConnection.connect(*words, **{"connect_timeout": CONNECT_S, **options})
    assert isinstance(connected, PatientConnection)
    return connected


def _limit_server(connection: Any, _record: object) -> None:
    with connection.cursor() as cursor:
        for name, milliseconds in SERVER_LIMITS.items():
            cursor.execute(f"SET {name} = {milliseconds}")
    connection.commit()
