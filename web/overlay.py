"""The score as a strip for a stream: transparent, compact, live."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from scorekeeper.rules.game import Game
from scorekeeper.scorebook import GameId
from web import here
from web.board import look, streamed
from web.guard import for_everybody
from web.language import language
from web.standings import standings, verdict

bp = Blueprint("overlay", __name__, url_prefix="/g/<game_id>")
bp.before_request(for_everybody)


@bp.get("/overlay")
def page(game_id: str) -> str:
    """The strip over a transparent ground, for OBS and the like."""
    version, game = look(game_id)
    return render_template("overlay.html", **_shown(game_id, game, version))


@bp.get("/overlay/now")
def part(game_id: str) -> ResponseReturnValue:
    """The strip alone; 204 when this version was *seen*."""
    version, game = look(game_id)
    if request.args.get("seen") == str(version):
        return "", 204
    return render_template("_overlay.html", **_shown(game_id, game, version))


@bp.get("/overlay/events")
def events(game_id: str) -> Response:
    """Server-sent events: the strip on connect and after every change."""
    here.game_version(GameId(game_id))

    def draw() -> str:
        version, now = look(game_id)
        return render_template("_overlay.html", **_shown(game_id, now, version))

    return streamed(GameId(game_id), draw, f"overlay {language()}")


def _shown(game_id: str, game: Game, version: int) -> dict[str, object]:
    return {
        "game": game,
        "game_id": game_id,
        "version": version,
        "standings": [row for row in standings(game) if not row.gone],
        "verdict": verdict(game),
    }
