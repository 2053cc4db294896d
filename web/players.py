"""Who plays with a phone of their own: each game's code, and the phones that came in by it."""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from scorekeeper import sidefiles
from scorekeeper.rules.sides import SideId

FILE = "players.json"
SYLLABLES = 3
"""Of a code, such as ``bofira``: half a million of them, and wrong ones wait longer and longer."""
MOST = 200
"""Phones of one game; who came first goes first."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One phone that plays for one side."""

    key: str
    """What the phone's cookie carries; 128 random bits."""
    side: SideId
    name: str
    """Whose phone it is; empty when nobody said."""
    at: float
    """When it came, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Door:
    """The way into one game for players."""

    code: str
    seats: tuple[Seat, ...] = ()


Seats = tuple[Seat, ...]


@dataclass(slots=True)
class Players:
    """The doors of all games, kept in one file of the data folder."""

    folder: Path
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _doors: dict[str, Door] | None = None
    """None until the file was read."""

    def door(self, game_id: str) -> Door:
        """The code of a game, made when it is first asked for, and the phones inside."""
        with self._lock:
            return self._known().get(game_id) or self._put(game_id, Door(new_code()))

    def fits(self, game_id: str, typed: str) -> bool:
        """Whether *typed* is the game's code, however it is written."""
        clean = "".join(typed.split()).casefold()
        return hmac.compare_digest(clean.encode(), self.door(game_id).code.encode())

    def seat(self, game_id: str, key: str) -> Seat | None:
        """The seat a cookie names; None once the code was renewed or the phone sent away."""
        return next((seat for seat in self.door(game_id).seats if seat.key == key), None)

    def join(self, game_id: str, side: SideId, name: str, at: float) -> Seat:
        """Lets a phone in for *side*."""
        seat = Seat(secrets.token_urlsafe(16), side, name, at)
        self._change(game_id, lambda seats: (*seats, seat)[-MOST:])
        return seat

    def leave(self, game_id: str, key: str) -> None:
        """Sends one phone away."""
        self._change(game_id, lambda seats: tuple(seat for seat in seats if seat.key != key))

    def renew(self, game_id: str) -> None:
        """Another code; the old one and every phone that came in by it stop working."""
        with self._lock:
            self._put(game_id, Door(new_code()))

    def _change(self, game_id: str, change: Callable[[Seats], Seats]) -> None:
        with self._lock:
            door = self._known().get(game_id) or Door(new_code())
            self._put(game_id, replace(door, seats=change(door.seats)))

    def _known(self) -> dict[str, Door]:
        """What the file says; a damaged one lets nobody in, so that everybody joins anew."""
        if self._doors is None:
            self._doors = sidefiles.read(self.folder / FILE, _doors_in) or {}
        return self._doors

    def _put(self, game_id: str, door: Door) -> Door:
        """Keeps a door; the file is its owner's only."""
        doors = {**self._known(), game_id: door}
        text = json.dumps({word: asdict(each) for word, each in doors.items()})
        sidefiles.write(self.folder / FILE, text.encode(), private=True)
        self._doors = doors
        return door


def new_code() -> str:
    """Six letters that are easy to say across a table."""
    return "".join(secrets.choice("bdfghjklmnprstvz") + secrets.choice("aeiou") for _ in range(SYLLABLES))


def _doors_in(data: bytes) -> dict[str, Door]:
    return {game_id: _door(door) for game_id, door in json.loads(data).items()}


def _door(kept: Mapping[str, Any]) -> Door:
    return Door(kept["code"], tuple(Seat(**seat) for seat in kept["seats"]))
