"""What every form posts beside its fields: its own id, and the version of the game it was made for."""

from __future__ import annotations

import hashlib

from flask import request

from scorekeeper.errors import HandOverError, StaleGameError
from scorekeeper.rules.game import Game
from scorekeeper.scorebook import GameId
from web import here
from web.forms import whole_number
from web.language import gettext as _
from web.language import said


def posted_version() -> int:
    """The version the form was made for; -1, which no game has, when the form says none."""
    number = whole_number(request.form.get("version", ""))
    return -1 if number is None else number


def form_id() -> str:
    """The id of the form; a double tap repeats it."""
    return request.form.get("request_id", "")[:64]


def picture_id() -> str:
    """The id of a picture's post: a phone that heard no answer sends it once more."""
    return request.form.get("picture_id", "")[:64]


def late() -> bool:
    """Whether this waited on its phone for the network, so that people may have typed meanwhile."""
    return "late" in request.form


def of_this_hand(game: Game) -> None:
    """Refuses what was typed, tapped or photographed for a hand that is recorded already, or for none."""
    hand = whole_number(request.form.get("hand", ""))
    if hand in range(1, len(game.hands) + 1):
        raise HandOverError(
            _("hand %(number)s is recorded already, so nothing was changed; if it is wrong, the scorekeeper can "
              "correct it", number=hand)
        )  # fmt: skip
    if hand != len(game.hands) + 1:
        raise StaleGameError(
            _("hand %(number)s is being played now; this was for another hand, so nothing was changed",
              number=len(game.hands) + 1)
        )  # fmt: skip


def digest(text: str) -> str:
    """A short word for *text*."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def request_id(*parts: object) -> str:
    """The form's id and what it says: a double tap repeats it, anything else makes another."""
    return f"{form_id()}:{digest(repr(parts))}"


def news_since(game_id: GameId, now: int) -> list[str]:
    """What others did since the form was made, with the game at version *now*; nothing for a form without version."""
    seen = posted_version()
    return [said(row.text) for row in here.book().history(game_id)[seen:now]] if 0 < seen < now else []
