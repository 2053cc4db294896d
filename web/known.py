"""What the next game begins with: who played here before, and the house rules of the newest game."""

from __future__ import annotations

from scorekeeper.rules.house import Rules
from scorekeeper.rules.sides import Side, name_key
from web import here

GAMES = 8
"""So many games are looked through, the newest first."""
MOST = 12
"""So many sides are offered."""


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
