"""Real databases: an SQLite file for every test, and a throw-away PostgreSQL cluster where the server is installed."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import settings
from sqlalchemy import create_engine, make_url, text

from scorekeeper.store import EventLog, open_log

settings.register_profile("table", deadline=None)
settings.load_profile("table")

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def _as_postgres() -> list[str]:
    """What stands before a server command: PostgreSQL refuses to run as root."""
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []


def _server_binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found or (os.geteuid() == 0 and not shutil.which("setpriv")):
        return None
    return found[-1].parent


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The folder that other processes of a test find the packages in."""
    return Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL server: ``SCOREKEEPER_TEST_POSTGRES_URL``, or one started for this run."""
    if url := os.environ.get("SCOREKEEPER_TEST_POSTGRES_URL"):
        yield url
        return
    binaries = _server_binaries()
    if binaries is None:
        refuse = pytest.fail if os.environ.get("SCOREKEEPER_REQUIRE_POSTGRES") == "1" else pytest.skip
        refuse("no PostgreSQL server: install one or set SCOREKEEPER_TEST_POSTGRES_URL to run its tests")
    with tempfile.TemporaryDirectory(prefix="scorekeeper-pg-", ignore_cleanup_errors=True) as folder:
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        run = [*_as_postgres(), str(binaries / "pg_ctl"), "-D", f"{folder}/data", "-s"]
        options = f"-k {folder} -c listen_addresses='' -c fsync=off"
        _call(*_as_postgres(), str(binaries / "initdb"), "-D", f"{folder}/data", "-A", "trust", "-U", "postgres")
        _call(*run, "-w", "-l", f"{folder}/log", "-o", options, "start")
        try:
            yield f"postgresql+psycopg://postgres@/postgres?host={folder}"
        finally:
            _call(*run, "-m", "immediate", "stop")


def _call(*words: str) -> None:
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, cwd="/tmp")


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """An empty PostgreSQL database of its own."""
    pytest.importorskip("psycopg", reason="no psycopg: `pip install psycopg[binary]` to run PostgreSQL tests")
    name = f"nertz_{uuid.uuid4().hex}"
    admin = create_engine(postgres_server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield make_url(postgres_server).set(database=name).render_as_string(hide_password=False)
    with admin.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'games.db'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    """An empty database of each kind."""
    name = {"sqlite": "sqlite_url", "postgresql": "postgres_url"}[request.param]
    found: str = request.getfixturevalue(name)
    return found


@pytest.fixture
def opened() -> Iterator[Callable[[str], EventLog]]:
    """Opens logs and closes them after the test."""
    logs: list[EventLog] = []

    def open_one(url: str) -> EventLog:
        logs.append(open_log(url))
        return logs[-1]

    yield open_one
    for log in logs:
        log.close()


@pytest.fixture
def log(url: str, opened: Callable[[str], EventLog]) -> EventLog:
    """An empty log in a database of each kind."""
    return opened(url)


@pytest.fixture
def noon() -> datetime:
    """A moment to write down."""
    return NOON
