"""Who is signed in as the scorekeeper: kept in the database, so that signing out ends every copy of a cookie."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import BadSignature

if TYPE_CHECKING:
    from scorekeeper.store import Shelf

KIND = "session"
LASTS_S = 30 * 24 * 3600
"""How long somebody stays signed in."""


@dataclass(frozen=True, slots=True)
class Session:
    """One browser that signed in."""

    at: float
    """When, in seconds since 1970."""
    pin: str
    """The mark of the PIN that let it in."""


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions of one database. What a cookie carries says nothing of the PIN and is not kept as it is."""

    shelf: Shelf
    secret: bytes
    pin: str
    clock: Callable[[], float] = time.time

    def begin(self) -> str:
        """Signs somebody in; returns the word for the cookie, 128 random bits."""
        old = [name for name, kept in self.shelf.all(KIND, Session).items() if not self._lasts(kept)]
        self.shelf.drop(KIND, *old)
        word = secrets.token_urlsafe(16)
        self.shelf.change(KIND, _name(word), lambda _: Session(self.clock(), self._mark()))
        return word

    def lasts(self, word: str) -> bool:
        """Whether the session is neither over nor of another PIN."""
        return bool(word) and self._lasts(self.shelf.get(KIND, _name(word), Session))

    def end(self, word: str) -> None:
        """Signs out, also every copy of the cookie."""
        self.shelf.drop(KIND, _name(word))

    def _lasts(self, kept: Session | None) -> bool:
        """By the clock, but for one that was set back; and only for the PIN in force."""
        return (
            kept is not None
            and self.clock() - kept.at < LASTS_S
            and hmac.compare_digest(kept.pin.encode(), self._mark().encode())
        )

    def _mark(self) -> str:
        return hmac.new(self.secret, self.pin.encode(), hashlib.sha256).hexdigest()


class TimelessCookies(SecureCookieSessionInterface):
    """Signed cookies whose age the browser judges, not the server: a clock that is set back signs nobody out."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        signer = self.get_signing_serializer(app)
        if signer is None:
            return None
        try:
            return self.session_class(signer.loads(request.cookies.get(self.get_cookie_name(app), "")))
        except BadSignature:
            return self.session_class()


def _name(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()
