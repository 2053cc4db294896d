"""The foot of every page: the switch of the language."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, request
from flask.typing import ResponseReturnValue

from web.guard import for_everybody
from web.language import COOKIE, LANGUAGES
from web.signin import way_on

bp = Blueprint("foot", __name__)
bp.before_request(for_everybody)

YEAR_S = 365 * 24 * 3600


@bp.post("/language")
def choose() -> ResponseReturnValue:
    """Keeps the language of this browser in a cookie and shows the same page again."""
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        abort(400)
    answer = redirect(way_on(request.form.get("next", "")), 303)
    answer.set_cookie(COOKIE, chosen, max_age=YEAR_S, httponly=True, samesite="Lax")
    return answer
