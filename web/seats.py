"""Which side this phone plays for, and who else came in by the game's code."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import abort, request, session, url_for

from scorekeeper.errors import NotFoundError
from scorekeeper.rules.game import Game
from scorekeeper.rules.sides import Side
from scorekeeper.scorebook import GameId
from web import here
from web.address import base_address
from web.guard import admit, is_keeper, role
from web.language import gettext as _
from web.players import Seat

COOKIE = "seats"
MOST = 12
"""Games that one phone remembers."""


def seat(game_id: str) -> Seat | None:
    """The seat of this phone at the game's table; None for one that only watches, or whose side plays no more."""
    keys = [str(key) for key in session.get(COOKIE, {}).values()]
    known = here.parts().players.seat(game_id, *keys) if keys else None
    return known if known and any(side.id == known.side for side in here.book().game(GameId(game_id)).sides) else None


def my_seat(game_id: str) -> Seat:
    """The seat of this phone; a phone without one is refused."""
    known = seat(game_id)
    if known is None:
        abort(403, _("Only a player of this game can do that. Join with the player code first; nothing was changed."))
    return known


@role("player")
def players_only() -> None:
    """For ``before_request`` of a blueprint that only players of a game may use."""
    game_id = (request.view_args or {}).get("game_id", "")
    here.game_version(GameId(game_id))
    my_seat(game_id)


def my_side(game_id: str, game: Game) -> Side | None:
    """The side this phone plays for; None for one that only watches."""
    known = seat(game_id)
    return next((side for side in game.sides if known and side.id == known.side), None)


def own_side() -> Side | None:
    """The side this phone plays for in the game of this request, for the head of every page."""
    game_id = (request.view_args or {}).get("game_id")
    if not game_id or not session.get(COOKIE) or here.FAILED in request.environ:
        return None
    try:
        return my_side(game_id, here.book().game(GameId(game_id)))
    except NotFoundError:
        return None


def sit(game_id: str, taken: Seat) -> None:
    """From now on this phone plays."""
    others = {game: key for game, key in session.get(COOKIE, {}).items() if game != game_id}
    admit(**{COOKIE: dict([*others.items(), (game_id, taken.key)][-MOST:])})


def rise(game_id: str) -> None:
    """From now on this phone only watches."""
    known = seat(game_id)
    if known is not None:
        here.parts().players.leave(game_id, known.key)
        session[COOKIE] = {game: key for game, key in session.get(COOKIE, {}).items() if key != known.key}


def joined(game_id: str, game: Game) -> dict[str, object]:
    """What the page Join shows of the players: all of it only to the scorekeeper."""
    players = here.parts().players
    seats = [(seat, short(seat.key), datetime.fromtimestamp(seat.at, UTC)) for seat in players.door(game_id).seats]
    return {
        "code": players.code(game_id) if is_keeper() else None,
        "player_address": player_address(game_id) if is_keeper() else None,
        "seated": {side.id: [each for each in seats if each[0].side == side.id] for side in game.sides},
        "boards": here.live().watching(GameId(game_id)),
    }


def player_address(game_id: str) -> str:
    """Where a player's phone comes in."""
    way = url_for("play.page", game_id=game_id, code=here.parts().players.code(game_id))
    return f"{base_address()}{way}"


def short(key: str) -> str:
    """Enough of a seat's key to name it on a page, not enough to take it."""
    return key[:6]
