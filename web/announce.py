"""What moves the end of a game is said before it is saved: the standings now and then, and a tap that saves it."""

from __future__ import annotations

from dataclasses import dataclass

from flask import request

from scorekeeper.errors import EndMovesError, ScorekeeperError
from scorekeeper.rules.events import Event
from scorekeeper.rules.moved import Line, Moved
from scorekeeper.scorebook import GameId
from web import here
from web.guard import who
from web.language import said
from web.posted import digest, posted_version, request_id

FIELD = "announced"
"""The field that says which post was announced."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """What one post would do to the end of the game."""

    text: str
    lines: tuple[Line, ...]
    fields: tuple[tuple[str, str], ...]
    """The post again, now with its announcement, as names and values."""


def announced() -> bool:
    """Whether this very post was announced; one with other values is announced anew."""
    return request.form.get(FIELD) == _mark()


def note_announced(game: GameId, event: Event) -> None:
    """Writes the *event* of this form, once; raises EndMovesError where it moves the end and was not announced."""
    here.book().note(
        game,
        event,
        request_id=request_id(repr(event)),
        who=who(),
        expected=posted_version(),
        announced=announced(),
    )


def announcement(error: ScorekeeperError | None) -> Announcement | None:
    """What to say before the post is saved; None where something else, or nothing, is in its way."""
    if not isinstance(error, EndMovesError):
        return None
    return Announcement(moved_text(error.moved), error.moved.lines, (*_posted(), (FIELD, _mark())))


def moved_text(moved: Moved) -> str:
    """What becomes of the game, in the reader's language."""
    return said(moved.text)


def _posted() -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in request.form.items(multi=True) if name != FIELD)


def _mark() -> str:
    return digest(repr(sorted(_posted())))
