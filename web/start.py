"""The page that starts a game: house rules, sides, decks."""

from __future__ import annotations

import hashlib

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import ScorekeeperError
from scorekeeper.rules.presets import PRESETS
from web import here
from web.forms import MOST_SIDES, RULE_WORDS, StartForm, fresh_start, read_start
from web.guard import keepers_only, who
from web.refusals import keep_form, sentence

bp = Blueprint("start", __name__)
bp.before_request(keepers_only)


@bp.get("/start")
def page() -> str:
    """The empty form, under the preset asked for."""
    preset = request.args.get("preset", "")
    return draw(fresh_start(preset) if preset in PRESETS else fresh_start())


@bp.post("/start")
def post() -> ResponseReturnValue:
    """Starts the game; the other buttons of the form change the form only."""
    form = read_start(request.form.to_dict(), request.form.getlist("name"))
    action = request.form.get("action", "start")
    if action == "preset":
        return draw(form.with_preset(form.preset))
    if action == "add":
        return draw(form.with_row())
    if action.startswith("remove.") and action[7:].isdigit():
        return draw(form.without_row(int(action[7:])))
    return start(form)


def start(form: StartForm) -> ResponseReturnValue:
    """Starts the game and goes to its decks, or to its board when every number will be typed."""
    keep_form(lambda error: draw(form, error))
    sides, rules = form.parse()
    game_id = here.book().start_game(sides, rules, request_id=request_id(form), who=who())
    return redirect(url_for("decks.page" if here.watch() else "board.page", game_id=game_id), 303)


def request_id(form: StartForm) -> str:
    """The form's id and what it says: the same tap twice is one game, a changed form is another."""
    digest = hashlib.sha256(repr(form).encode()).hexdigest()[:16]
    return f"{request.form.get('request_id', '')[:64]}:{digest}"


def draw(form: StartForm, error: ScorekeeperError | None = None) -> str:
    said = [sentence(part) for part in str(error).split("; ")] if error else []
    return render_template(
        "start.html",
        form=form,
        presets=PRESETS,
        words=RULE_WORDS,
        most=MOST_SIDES,
        said=said,
        request_id=request.form.get("request_id"),
    )
