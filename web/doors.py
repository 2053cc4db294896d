"""The scorekeeper's side of the players' phones: their code, who is in, what they typed."""

from __future__ import annotations

import io

import segno
from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import RulesError
from scorekeeper.scorebook import GameId
from web import here
from web.board import look, streamed
from web.drafts import Draft, read_draft
from web.guard import keepers_only
from web.language import gettext as _
from web.language import language
from web.layers import slug
from web.seats import player_address, short
from web.told import told

bp = Blueprint("doors", __name__, url_prefix="/g/<game_id>")
bp.before_request(keepers_only)


@bp.get("/players.svg")
def code(game_id: str) -> Response:
    """The QR code that lets a player in."""
    here.game_version(GameId(game_id))
    drawn = io.BytesIO()
    segno.make(player_address(game_id), error="m").save(
        drawn, kind="svg", scale=8, border=2, light="#ffffff", xmldecl=False
    )
    return Response(drawn.getvalue(), mimetype="image/svg+xml", headers={"Cache-Control": "no-store"})


@bp.post("/players")
def change(game_id: str) -> ResponseReturnValue:
    """``action`` ``renew`` makes another code and sends everybody away, ``away.NUMBER`` sends one phone away."""
    here.game_version(GameId(game_id))
    players, action = here.parts().players, request.form.get("action", "")
    seats = {short(seat.key): seat.key for seat in players.door(game_id).seats}
    if action == "renew":
        players.renew(game_id)
    elif action.removeprefix("away.") in seats:
        players.leave(game_id, seats[action.removeprefix("away.")])
    else:
        raise RulesError(_("that phone has left already: load the page again"))
    return redirect(url_for("board.join", game_id=game_id) + "#players", 303)


@bp.post("/address")
def address(game_id: str) -> ResponseReturnValue:
    """Has the QR codes show the own ``address`` that was chosen; empty for the likeliest."""
    here.game_version(GameId(game_id))
    here.parts().address.choose(request.form.get("address", ""))
    return redirect(url_for("board.join", game_id=game_id), 303)


@bp.get("/hand/told")
def events(game_id: str) -> Response:
    """Server-sent events: what the players say is left and how the hand stands, on connect and after every change."""
    here.game_version(GameId(game_id))

    def show() -> str:
        version, game = look(game_id)
        kept = shown_by(read_draft(GameId(game_id)))
        return render_template("_told.html", game=game, told=told(GameId(game_id), game), kept=kept)

    return streamed(GameId(game_id), show, f"told {language()}", here.parts().told)


def shown_by(draft: Draft) -> dict[str, str]:
    """What the fields of a hand page that shows *draft* as it is hold, the hidden ones of its pictures too."""
    looks = {f"look.{slug(step)}": look.name for step, look in draft.looks.items()}
    revisions = {f"revision.{slug(step)}": str(look.revision) for step, look in draft.looks.items()}
    return {**draft.fields, **looks, **revisions}
