"""Who plays with a phone of their own: each table's code, and the phones that came in by it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scorekeeper.errors import RulesError
from scorekeeper.rules.sides import Side, SideId
from web.language import gettext as _

if TYPE_CHECKING:
    from scorekeeper.store import Shelf
    from web.tables import Tables

KIND = "door"
SYLLABLES = 3
"""Of a code, such as ``bofira``: half a million of them, and wrong ones wait longer and longer."""
CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aeiou"
MOST = 8
"""Phones of one side; one more has to wait until the scorekeeper sends one away."""


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
    """The way into the games of one table for players."""

    turn: int = 0
    """How often its code was renewed."""
    seats: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Players:
    """The doors of all tables of one database; one that nobody came through yet is not kept.

    A door is kept by its table's first game, so that a rematch has the same code and the same phones.
    """

    shelf: Shelf
    secret: bytes
    tables: Tables

    def door(self, game_id: str) -> Door:
        """The phones inside."""
        door: Door | None = self.shelf.get(KIND, self.tables.table(game_id), Door)
        return door or Door()

    def code(self, game_id: str) -> str:
        """What lets a phone in: six letters that are easy to say across a table."""
        name = f"{self.tables.table(game_id)} {self.door(game_id).turn}"
        word = hmac.new(self.secret, name.encode(), hashlib.sha256).digest()
        number, letters = int.from_bytes(word), []
        for _syllable in range(SYLLABLES):
            number, consonant = divmod(number, len(CONSONANTS))
            number, vowel = divmod(number, len(VOWELS))
            letters.append(CONSONANTS[consonant] + VOWELS[vowel])
        return "".join(letters)

    def fits(self, game_id: str, typed: str) -> bool:
        """Whether *typed* is the game's code, however it is written."""
        clean = "".join(typed.split()).casefold()
        return hmac.compare_digest(clean.encode(), self.code(game_id).encode())

    def seat(self, game_id: str, *keys: str) -> Seat | None:
        """The seat that one of a phone's *keys* names; None once the code was renewed or the phone sent away."""
        return next((seat for seat in self.door(game_id).seats if seat.key in keys), None)

    def join(self, game_id: str, side: Side, name: str, at: float, key: str = "") -> Seat:
        """Lets a phone in for *side*; one that has the seat *key* already changes it. Raises RulesError when full."""
        seat = Seat(key or secrets.token_urlsafe(16), side.id, name, at)

        def sit(door: Door) -> Door:
            others = tuple(each for each in door.seats if each.key != key)
            if sum(each.side == side.id for each in others) >= MOST:
                raise RulesError(
                    _("%(most)s phones play for %(side)s already: have the scorekeeper send one away on the page Join",
                      most=MOST, side=side.name)
                )  # fmt: skip
            return replace(door, seats=(*others, seat))

        self._change(game_id, sit)
        return seat

    def leave(self, game_id: str, key: str) -> None:
        """Sends one phone away."""
        self._change(game_id, lambda door: replace(door, seats=tuple(s for s in door.seats if s.key != key)))

    def renew(self, game_id: str) -> None:
        """Another code; the old one and every phone that came in by it stop working."""
        self._change(game_id, lambda door: Door(door.turn + 1))

    def _change(self, game_id: str, change: Callable[[Door], Door]) -> None:
        self.shelf.change(KIND, self.tables.table(game_id), lambda door: change(door or Door()), Door)
