"""Live boards: who watches which game, the stream of server-sent events, and one rendering per change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from gevent.event import Event

from scorekeeper.errors import StoreError
from scorekeeper.recent import Recent

if TYPE_CHECKING:
    from scorekeeper.scorebook import GameId

BEAT_S = 8.0
"""Seconds of silence after which a stream sends a heartbeat."""
RETRY_MS = 1500
"""Milliseconds after which a browser opens a broken stream again."""


class Counted(Protocol):
    """Whatever changes in a game and counts how often."""

    def version(self, game_id: GameId, /) -> int: ...


@dataclass(slots=True)
class Live:
    """Wakes the open boards of a game after each write."""

    book: Counted
    beat_s: float = BEAT_S
    trouble: Callable[[], str] = str
    """What everybody has to know besides, such as that nothing can be recorded; empty while all is well."""
    beside: Callable[[GameId], Mapping[str, str]] = field(default=lambda _game: {})
    """What open boards are told beside the game: events by name, each sent when it changes, empty when it is over."""
    _waiting: dict[GameId, set[Event]] = field(default_factory=dict)
    _told: dict[GameId, int] = field(default_factory=dict)
    _drawn: Recent[tuple[GameId, str], tuple[int, bytes]] = field(default_factory=Recent)
    """Version and message, by game and reader."""
    _drawing: threading.Lock = field(default_factory=threading.Lock)

    def tell(self, game_id: GameId, version: int) -> None:
        """Called by the scorebook after every committed write, from whatever thread wrote."""
        self._told[game_id] = version
        for event in tuple(self._waiting.get(game_id, ())):
            event.set()

    def watching(self, game_id: GameId) -> int:
        """Number of boards open on this game."""
        return len(self._waiting.get(game_id, ()))

    @property
    def open_boards(self) -> int:
        """Number of boards open on any game."""
        return sum(map(len, self._waiting.values()))

    @contextmanager
    def _listen(self, game_id: GameId) -> Iterator[Event]:
        event = Event()
        self._waiting.setdefault(game_id, set()).add(event)
        try:
            yield event
        finally:
            self._waiting[game_id].discard(event)

    def drawn(self, game_id: GameId, version: int, draw: Callable[[], str], reader: str) -> bytes:
        """The message of *version*; drawn and packed once for each kind of *reader* however many phones watch."""
        with self._drawing:
            known = self._drawn.get((game_id, reader))
            if known is None or known[0] != version:
                known = (version, message("board", draw(), version))
                self._drawn.put((game_id, reader), known)
        return known[1]

    def stream(self, game_id: GameId, draw: Callable[[], str], reader: str, seen: int = -1) -> Iterator[bytes]:
        """Server-sent events for ever: the whole page after each change, else heartbeats.

        *reader* names what *draw* draws: the page with its language, its address, and who may use its buttons. The
        page is told on connect, too, unless the browser has *seen* this version.
        """
        yield f"retry: {RETRY_MS}\n\n".encode()
        with self._listen(game_id) as changed, suppress(StoreError):  # the browser comes again, and is told
            version, known = self.book.version(game_id), ""
            beside: dict[str, str] | None = None
            while True:
                trouble = self.trouble()
                quiet = (version, trouble) == (seen, known)
                if not quiet:
                    yield self.drawn(game_id, version, draw, f"{reader} {trouble}")
                    seen, known = version, trouble
                if quiet or beside is None:
                    beside, before = dict(self.beside(game_id)), beside or {}
                    for name in {**before, **beside}:
                        if (word := beside.get(name, "")) != before.get(name, ""):
                            yield aside(name, word)
                if quiet:
                    yield b"event: beat\ndata: .\n\n"
                told = changed.wait(self.beat_s)
                changed.clear()
                version = self._told[game_id] if told else self.book.version(game_id)


def aside(event: str, word: str) -> bytes:
    """One server-sent event beside the game; it has no number, as the game stays as it is."""
    return f"event: {event}\ndata: {word}\n\n".encode()


def message(event: str, text: str, number: int) -> bytes:
    """One server-sent event; every line of *text* becomes a data line."""
    data = "\n".join(f"data: {line}" for line in text.splitlines())
    return f"id: {number}\nevent: {event}\n{data}\n\n".encode()
