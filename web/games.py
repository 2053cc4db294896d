"""The list of games for the scorekeeper: a game gets a name, is hidden, or is deleted and comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import RulesError
from scorekeeper.labels import Label, clean_name
from scorekeeper.scorebook import GameId
from web import here
from web.guard import keepers_only
from web.language import gettext as _
from web.tables import tell_table

bp = Blueprint("games", __name__, url_prefix="/g/<game_id>")
bp.before_request(keepers_only)

CHANGES: Mapping[str, Callable[[Label], Label]] = {
    "rename": lambda label: replace(label, name=clean_name(request.form.get("name", ""))),
    "hide": lambda label: replace(label, hidden=True),
    "delete": lambda label: replace(label, deleted=True),
    "restore": lambda label: replace(label, hidden=False, deleted=False),
}
"""What each button of the list does to what is said of a game."""


@bp.post("/label")
def change(game_id: str) -> ResponseReturnValue:
    """``action`` ``rename`` with ``name``, ``hide``, ``delete`` or ``restore``; the list offers to take it back.

    With ``back`` it leads to the board of the game, else to the list.
    """
    here.game_version(GameId(game_id))
    action = request.form.get("action", "")
    if action not in CHANGES:
        raise RulesError(_("choose what to do with the game: load the page again"))
    here.book().change_label(GameId(game_id), CHANGES[action])
    tell_table(GameId(game_id))
    if request.form.get("back"):
        return redirect(url_for("board.page", game_id=game_id), 303)
    return redirect(url_for("board.home", changed=game_id if action in ("hide", "delete") else None), 303)
