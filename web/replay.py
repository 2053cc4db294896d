"""The last seconds before a call or a time-out, picture by picture, and those a table keeps with the hand."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import RulesError, ScorekeeperError
from scorekeeper.scorebook import GameId
from scorekeeper.watch import Moment
from web import here
from web.board import look
from web.forms import whole_number
from web.guard import for_everybody, keepers_only
from web.language import gettext as _
from web.refusals import keep_form, sentence
from web.uploads import eye

bp = Blueprint("replay", __name__, url_prefix="/g/<game_id>/replay")
bp.before_request(for_everybody)
keepers = Blueprint("replay_acts", __name__, url_prefix="/g/<game_id>/replay")
keepers.before_request(keepers_only)

AROUND = 3
"""Pictures kept before the one that is shown, and after it."""
STEP_S = 0.4
"""Seconds between pictures that are kept."""
TOPIC = "replay"


@dataclass(frozen=True, slots=True)
class Shown:
    """One picture of the last seconds, with the way to the others."""

    moments: tuple[Moment, ...]
    at: int
    """Which of them is shown, counted from 0."""

    @property
    def moment(self) -> Moment:
        """The one that is shown."""
        return self.moments[self.at]

    def near(self, pictures: int) -> int:
        """The place so many *pictures* further on, the last or the first where there are no more."""
        return max(0, min(len(self.moments) - 1, self.at + pictures))

    def after(self, seconds: float) -> int:
        """The place nearest to so many *seconds* later."""
        wanted = self.moment.before_s - seconds
        return min(range(len(self.moments)), key=lambda at: abs(self.moments[at].before_s - wanted))

    def around(self) -> tuple[Moment, ...]:
        """The picture that is shown and some before and after it."""
        wanted = [self.moment.before_s + step * STEP_S for step in range(AROUND, -AROUND - 1, -1)]
        nearest = [min(self.moments, key=lambda each: abs(each.before_s - before)) for before in wanted]
        return tuple(dict.fromkeys([*nearest[:AROUND], self.moment, *nearest[AROUND + 1 :]]))


@bp.get("")
def page(game_id: str) -> str:
    """One picture of the last seconds: ``?at=`` counts from 0, the last one without it."""
    return draw(game_id)


@bp.get("/<int:number>.jpg")
def picture(game_id: str, number: int) -> Response:
    """One picture, from memory; no browser keeps it."""
    here.game_version(GameId(game_id))
    if not here.witness().stands(GameId(game_id)):
        raise RulesError(_("play is on: the last seconds can be watched when it stops"))
    return Response(eye().moment(number), mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@keepers.post("")
def keep(game_id: str) -> ResponseReturnValue:
    """Keeps the shown picture and some around it with the hand."""
    here.game_version(GameId(game_id))
    keep_form(lambda error: draw(game_id, error))
    shown, hand = shown_at(game_id, request.form.get("at", "")), here.witness().hand(GameId(game_id))
    if shown is None or hand is None:
        raise RulesError(_("nothing is kept of this hand any more"))
    pictures = [here.pictures().keep(eye().moment(moment.number)) for moment in shown.around()]
    known = here.pictures().about(game_id, f"{TOPIC}-{hand}").get(TOPIC, [])
    version = here.game_version(GameId(game_id))
    here.pictures().attach(game_id, f"{TOPIC}-{hand}", version, {TOPIC: list(dict.fromkeys([*known, *pictures]))})
    return redirect(url_for("replay.page", game_id=game_id, at=shown.at, kept=len(pictures)), 303)


def shown_at(game_id: str, at: str) -> Shown | None:
    """The picture asked for; None where there is none to be watched."""
    if not here.witness().stands(GameId(game_id)):
        return None
    moments = eye().moments()
    place = whole_number(at)
    last = len(moments) - 1
    return Shown(moments, last if place is None else max(0, min(last, place))) if moments else None


def draw(game_id: str, error: ScorekeeperError | None = None) -> str:
    _version, game = look(game_id)
    witness = here.witness()
    return render_template(
        "replay.html",
        game=game,
        game_id=game_id,
        sees=witness.sees,
        playing=game.live.phase == "playing" and not game.over,
        hand=witness.hand(GameId(game_id)),
        shown=shown_at(game_id, request.values.get("at", "")),
        kept=whole_number(request.args.get("kept", "")),
        trouble=sentence(str(error)) if error else None,
    )
