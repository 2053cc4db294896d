"""The event log: events are added at the end of a game, never changed, never removed."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, RowMapping, delete, event, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from scorekeeper.errors import NotFoundError, StaleGameError, StoreError
from scorekeeper.recent import Recent
from scorekeeper.rules.events import Event, HandRecorded
from scorekeeper.rules.said import say
from scorekeeper.store import tables
from scorekeeper.store.codec import decode, encode
from scorekeeper.store.faults import BUSY, failed, store_faults
from scorekeeper.store.files import Files
from scorekeeper.store.shelf import Shelf

logger = logging.getLogger(__name__)

EARLIEST, LATEST = datetime(1969, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)
"""Between these lies the moment of everything that happened, also by a clock that was never set."""
TURN_S = 5.0
"""How long a writer waits for the other writers of this process, in seconds."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One event with its envelope: where in the game, when, who, and by which request."""

    number: int
    """Counted from 1 within the game."""
    at: datetime
    """UTC."""
    who: str
    """Empty when nobody said."""
    request_id: str
    event: Event


class EventLog:
    """All games of one database; safe to use from several threads and several servers."""

    def __init__(self, engine: Engine, place: str, files: Files | None = None) -> None:
        self._engine = engine
        self._files = files
        self._turn = threading.Lock()
        """Writers of this process go one by one, so that a locked database leaves connections to readers."""
        self.place = place
        """The file or the address of the database, without its password."""
        self.file = Path(str(engine.url.database)) if engine.dialect.name == "sqlite" else None
        """The SQLite file; None for a database server."""
        self.written_at: float | None = None
        """When something was written here last, by the monotonic clock; None before."""
        event.listen(engine, "commit", self._note_commit)
        self.shelf = Shelf(self._reading, self._writing)
        """What is kept beside the games."""
        self._known = Recent[str, tuple[Entry, ...]]()

    def append(
        self,
        game_id: str,
        expected_number: int,
        event: Event,
        *,
        request_id: str,
        who: str = "",
        at: datetime,
        summary: str = "",
    ) -> Entry:
        """Adds *event* as number *expected_number* + 1; a repeated request gets its first entry again.

        The *summary* of the game with it is kept, too. Raises StaleGameError when the game has moved on. A recorded
        hand clears the draft.
        """
        entry = Entry(expected_number + 1, at.astimezone(UTC), who, request_id, event)
        try:
            with self._writing() as connection:
                if first := _find_request(connection, game_id, request_id):
                    return first
                _insert(connection, game_id, [entry])
                _put_summary(connection, game_id, entry.number, summary)
                if isinstance(event, HandRecorded):
                    connection.execute(delete(tables.draft).where(tables.draft.c.game == game_id))
        except IntegrityError as error:
            return self._repeated(game_id, entry, error)
        return entry

    def _repeated(self, game_id: str, entry: Entry, error: IntegrityError) -> Entry:
        """The first entry of a request that lost a race against itself; raises StaleGameError for another's."""
        if first := self.find_request(game_id, entry.request_id):
            return first
        raise StaleGameError(
            say("somebody else changed the game a moment ago: look at it again, then repeat if it is still needed")
        ) from error

    def append_all(self, game_id: str, entries: Sequence[Entry], summary: str = "") -> None:
        """Adds entries of a game that was kept elsewhere, all or none; raises StaleGameError when it has moved on."""
        try:
            with self._writing() as connection:
                _insert(connection, game_id, entries)
                _put_summary(connection, game_id, entries[-1].number, summary)
        except IntegrityError as error:
            raise StaleGameError(say("somebody else changed the game a moment ago: read the file in again")) from error

    def find_request(self, game_id: str, request_id: str) -> Entry | None:
        """What the request wrote into the game; None when it has not written yet."""
        with self._reading() as connection:
            return _find_request(connection, game_id, request_id)

    def read(self, game_id: str) -> list[Entry]:
        """Every entry of the game in order; raises NotFoundError when there is no such game.

        Events are only ever added: what was read before is kept, and only what came since is fetched and decoded.
        """
        known = self._known.get(game_id) or ()
        fetched = self._fetch(game_id, len(known))
        if known and fetched[:1] != [known[-1]]:  # another file lies there now
            known, fetched = (), self._fetch(game_id, 0)
        entries = (*known, *fetched[1:]) if known else tuple(fetched)
        if not entries:
            raise NotFoundError(say("there is no game %(game)r: look for it in the list of games", game=game_id))
        self._known.put(game_id, entries)
        return list(entries)

    def _fetch(self, game_id: str, first: int) -> list[Entry]:
        """The entries of the game from number *first* on."""
        event = tables.event
        query = select(event).where(event.c.game == game_id, event.c.number >= first).order_by(event.c.number)
        with self._reading() as connection:
            return [_entry(row) for row in connection.execute(query).mappings()]

    def version(self, game_id: str) -> int:
        """The number of events of the game; 0 when there is no such game."""
        with self._reading() as connection:
            return _version(connection, game_id)

    def versions(self) -> dict[str, int]:
        """How many events every game has, by name."""
        event = tables.event
        with self._reading() as connection:
            rows = connection.execute(select(event.c.game, func.max(event.c.number)).group_by(event.c.game)).all()
        return {game: number for game, number in rows}

    def summary(self, game_id: str, number: int) -> str | None:
        """What sums up the first *number* events of a game; None where that is still to do."""
        kept = tables.summary
        with self._reading() as connection:
            return connection.execute(
                select(kept.c.body).where(kept.c.game == game_id, kept.c.number == number)
            ).scalar()

    def keep_summary(self, game_id: str, number: int, summary: str) -> None:
        """Keeps the summary of the first *number* events of a game, unless somebody writes one at this moment."""
        with suppress(IntegrityError), self._writing() as connection:
            _put_summary(connection, game_id, number, summary)

    def entry(self, game_id: str, number: int) -> Entry:
        """One entry; raises NotFoundError when there is none."""
        event = tables.event
        query = select(event).where(event.c.game == game_id, event.c.number == number)
        with self._reading() as connection:
            row = connection.execute(query).mappings().first()
        if row is None:
            raise NotFoundError(
                say("the game %(game)r has no step %(number)s: look at it again", game=game_id, number=number)
            )
        return _entry(row)

    def save_draft(self, game_id: str, draft: Mapping[str, Any], *, expected: int | None = None) -> None:
        """Keeps the hand being entered; raises StaleGameError when the game is not at *expected* events any more."""
        body = json.dumps(draft, separators=(",", ":"))
        try:
            self._put_draft(game_id, body, expected)
        except IntegrityError:  # two phones saved the first draft at once
            self._put_draft(game_id, body, expected)

    def _put_draft(self, game_id: str, body: str, expected: int | None) -> None:
        with self._writing() as connection:
            version = _version(connection, game_id)
            if not version:
                raise NotFoundError(say("there is no game %(game)r: look for it in the list of games", game=game_id))
            if expected not in (None, version):
                raise StaleGameError(say("the game has moved on since this page was loaded: load it again"))
            known = tables.draft.c.game == game_id
            if not connection.execute(update(tables.draft).where(known).values(body=body)).rowcount:
                connection.execute(insert(tables.draft).values(game=game_id, body=body))

    def draft(self, game_id: str) -> dict[str, Any]:
        """The hand being entered; empty when nobody is entering one."""
        query = select(tables.draft.c.body).where(tables.draft.c.game == game_id)
        with self._reading() as connection:
            body = connection.execute(query).scalar()
        return _draft(game_id, body) if body else {}

    def drafts(self) -> dict[str, dict[str, Any]]:
        """The hand being entered of every game that has one."""
        with self._reading() as connection:
            rows = connection.execute(select(tables.draft)).mappings().all()
        return {row["game"]: _draft(row["game"], row["body"]) for row in rows}

    def save_rules(self, name: str, rules: str) -> None:
        """Keeps house rules in notation under *name*, in place of older ones of that name."""
        try:
            self._put_rules(name, rules)
        except IntegrityError:  # two phones saved the same name at once
            self._put_rules(name, rules)

    def _put_rules(self, name: str, rules: str) -> None:
        with self._writing() as connection:
            known = tables.house_rules.c.name == name
            if not connection.execute(update(tables.house_rules).where(known).values(rules=rules)).rowcount:
                connection.execute(insert(tables.house_rules).values(name=name, rules=rules))

    def saved_rules(self) -> dict[str, str]:
        """House rules in notation by name, in the order of the alphabet."""
        query = select(tables.house_rules)
        with self._reading() as connection:
            rows = {row["name"]: row["rules"] for row in connection.execute(query).mappings()}
        return dict(sorted(rows.items(), key=lambda item: (item[0].casefold(), item[0])))

    def forget_rules(self, name: str) -> None:
        """Drops the house rules called *name*; raises NotFoundError when there are none."""
        with self._writing() as connection:
            if not connection.execute(delete(tables.house_rules).where(tables.house_rules.c.name == name)).rowcount:
                raise NotFoundError(
                    say("there are no house rules called %(name)r: look for them in the list", name=name)
                )

    @property
    def trouble(self) -> str:
        """Why nothing can be written any more, for everybody at the table; empty while all is well."""
        return self._files.trouble if self._files else ""

    def ping(self) -> None:
        """Asks the database for something; raises StoreError when it does not answer."""
        with self._reading() as connection:
            connection.execute(select(tables.event.c.number).limit(1))

    def _note_commit(self, _connection: Connection) -> None:
        self.written_at = time.monotonic()

    @property
    def engine(self) -> Engine:
        """What opens connections to the database."""
        return self._engine

    def close(self) -> None:
        """Lets go of the database."""
        self._engine.dispose()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with store_faults(self.place), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction that holds all or nothing; lets IntegrityError pass, for the caller knows what it means."""
        try:
            with (
                self._in_turn() as waited_s,
                store_faults(self.place),
                self._engine.connect().execution_options(writing=True, waited_s=waited_s) as connection,
                connection.begin(),
            ):
                yield connection
        except StoreError as error:
            if isinstance(error.__cause__, IntegrityError):
                raise error.__cause__ from None
            raise

    @contextmanager
    def _in_turn(self) -> Iterator[float]:
        """One writer of this process after the other, and how many seconds it waited for them.

        Raises StoreError where the files are gone, or that takes too long. PostgreSQL has its writers queue by itself.
        """
        if self._files is None:
            yield 0.0
            return
        began = time.monotonic()
        if not self._turn.acquire(timeout=TURN_S):
            raise StoreError(failed(self.place, BUSY))
        try:
            self._files.check()
            yield time.monotonic() - began
        finally:
            self._turn.release()


def _insert(connection: Connection, game_id: str, entries: Sequence[Entry]) -> None:
    last = _version(connection, game_id)
    if last + 1 < entries[0].number:
        raise ValueError(f"event {entries[0].number} of game {game_id} would leave a gap after {last}")
    connection.execute(insert(tables.event), [_row(game_id, entry) for entry in entries])


def _row(game_id: str, entry: Entry) -> dict[str, object]:
    kind, body = encode(entry.event)
    at, who = entry.at.isoformat(), entry.who
    return {
        "game": game_id, "number": entry.number, "request_id": entry.request_id,
        "at": at, "who": who, "kind": kind, "body": body,
    }  # fmt: skip


def _put_summary(connection: Connection, game_id: str, number: int, summary: str) -> None:
    if summary:
        connection.execute(delete(tables.summary).where(tables.summary.c.game == game_id))
        connection.execute(insert(tables.summary).values(game=game_id, number=number, body=summary))


def _version(connection: Connection, game_id: str) -> int:
    query = select(func.max(tables.event.c.number)).where(tables.event.c.game == game_id)
    return connection.execute(query).scalar() or 0


def _draft(game_id: str, body: str) -> dict[str, Any]:
    """The hand being entered; a damaged one is begun anew."""
    try:
        draft = json.loads(body)
    except (ValueError, RecursionError) as error:
        logger.error("the draft of the game %s is damaged: %s", game_id, error)
        return {}
    return draft if isinstance(draft, dict) else {}


def _find_request(connection: Connection, game_id: str, request_id: str) -> Entry | None:
    event = tables.event
    query = select(event).where(event.c.game == game_id, event.c.request_id == request_id)
    row = connection.execute(query).mappings().first()
    return _entry(row) if row else None


def _entry(row: RowMapping) -> Entry:
    """The entry of a row; raises StoreError for what can't be one."""
    event = decode(row["kind"], row["body"])
    try:
        return Entry(row["number"], moment(row["at"]), row["who"], row["request_id"], event)
    except ValueError as error:
        raise StoreError(
            say(
                "step %(number)s of the game %(game)s can't be read: restore the database from a copy",
                number=row["number"],
                game=row["game"],
            )
        ) from error


def moment(text: str) -> datetime:
    """The moment of an entry in UTC; raises ValueError for what no clock at a table shows."""
    at = datetime.fromisoformat(text)
    if at.utcoffset() is None or not EARLIEST.year < at.year < LATEST.year:
        raise ValueError(f"{text!r} is no moment of a game")
    return at.astimezone(UTC)
