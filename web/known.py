"""What the next game begins with: who played here before, and the house rules of the newest game."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from flask import request

from scorekeeper.rules.house import Rules
from scorekeeper.rules.names import name_key
from scorekeeper.rules.sides import Side
from scorekeeper.scorebook import GameSummary
from web import here

GAMES = 8
"""So many games are looked through, the newest first."""
MOST = 12
"""So many sides are offered."""
EVENING = timedelta(hours=18)
"""A game that began before that was played on another evening."""


def known_sides() -> list[Side]:
    """Who can sit down by one tap, the sides of the newest game first, in the order of their seats."""
    sides: dict[str, Side] = {}
    for game in here.book().newest_games(GAMES):
        for side in game.playing:
            sides.setdefault(name_key(side.name), side)
    return [*sides.values()][:MOST]


def usual_rules() -> Rules:
    """The house rules of the newest game; the usual ones before the first."""
    return next((game.rules for game in here.book().newest_games(1)), Rules())


def game_before() -> GameSummary | None:
    """The game whose phones may come along to the next: the one asked for, or the newest of this evening."""
    asked = request.values.get("after", "")
    games = [game for game in here.book().games() if not game.trouble and _is_followed(game)]
    known = next((game for game in games if game.id == asked), games[0] if games else None)
    return known if known and (known.id == asked or datetime.now(UTC) - known.started_at < EVENING) else None


def _is_followed(game: GameSummary) -> bool:
    """Whether phones may be on a game: not on a deleted one, unless its table has no other."""
    return not game.label.deleted or here.parts().tables.now(game.id) == (game.id, False)
