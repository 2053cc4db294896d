"""The photographed back of a side's deck, which stands beside its name wherever that is shown."""

from __future__ import annotations

from flask import has_request_context, request

from scorekeeper.errors import ScorekeeperError
from scorekeeper.rules.sides import Side
from scorekeeper.scorebook import GameId
from web import here


def back_of(side: Side) -> str:
    """The id of the picture of the deck that *side* plays with in this game; empty where there is none."""
    game_id = (request.view_args or {}).get("game_id") if has_request_context() else None
    if not game_id or side.deck is None or here.FAILED in request.environ:
        return ""
    try:
        known = here.book().game(GameId(game_id)).signatures.get(side.deck)
    except ScorekeeperError:
        return ""
    return _picture(game_id, side, known) if known else ""


def _picture(game_id: str, side: Side, known: tuple[str, ...]) -> str:
    key = (game_id, str(side.id), hash(known))
    found = here.pictures().backs.get(key)
    if found is None:
        found = next(iter(here.pictures().about(game_id, f"deck-{side.id}").get("back", [])), "")
        if found:
            here.pictures().backs.put(key, found)
    return found
