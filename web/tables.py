"""A table and its games: phones, television, player code and seats stay when one game follows another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flask import Response, request

from scorekeeper.labels import label_of
from scorekeeper.scorebook import GameId
from web import here

if TYPE_CHECKING:
    from scorekeeper.store import Shelf

KIND = "follows"
"""Of what lies on the shelf for each game that follows another or is followed."""
FOLLOWING = frozenset({"board.page", "play.page", "referee.page"})
"""Pages that stay open from one game to the next."""
HEADER = "X-Next-Game"
"""Where a page that asks for news without a stream finds the game to go to."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where one game stands among those of its table."""

    table: str = ""
    """The table's first game, by which its player code and its seats are kept; empty for that game itself."""
    next: str = ""
    """The game that the table played after this one; empty for the last."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of one database; a game that nothing follows is a table by itself, and nothing is kept of it."""

    shelf: Shelf

    def table(self, game_id: str) -> str:
        """What a game's table is known by: its first game."""
        return self._place(game_id).table or game_id

    def newest(self, game_id: str) -> GameId:
        """The game that the table of *game_id* plays now: itself, or the last that followed it and was not deleted."""
        later = [game for game in self.later(game_id) if not label_of(self.shelf, game).deleted]
        return GameId([game_id, *later][-1])

    def later(self, game_id: str) -> list[str]:
        """The games that followed *game_id*, in order."""
        found: list[str] = []
        while (after := self._place(found[-1] if found else game_id).next) and after not in (game_id, *found):
            found.append(after)
        return found

    def go_on(self, game_id: str, after: str) -> None:
        """Has the table of *game_id* play the game *after* from now on; the same again changes nothing."""
        last = [game_id, *self.later(game_id)][-1]
        if last != after and not self._place(after).table:
            table = self.table(game_id)
            self._change(after, lambda place: replace(place, table=table))
            self._change(last, lambda place: replace(place, next=after))

    def _place(self, game_id: str) -> Place:
        place: Place | None = self.shelf.get(KIND, game_id, Place)
        return place or Place()

    def _change(self, game_id: str, change: Callable[[Place], Place]) -> None:
        self.shelf.change(KIND, game_id, lambda place: change(place or Place()), Place)


def go_on(game_id: GameId, again: GameId) -> None:
    """Everybody at the table of *game_id* plays *again* from now on: phones and television that are open follow."""
    tables = here.parts().tables
    tables.go_on(game_id, again)
    for left in (game_id, *tables.later(game_id)):
        here.live().tell(GameId(left), here.book().version(GameId(left)))


def next_game() -> GameId | None:
    """The game that this page's table plays by now; None while it is the one of the page."""
    game_id = str((request.view_args or {}).get("game_id", ""))
    if request.endpoint not in FOLLOWING or here.FAILED in request.environ:
        return None
    newest = here.parts().tables.newest(game_id)
    return newest if newest != game_id else None


def tell_next(response: Response) -> Response:
    """Tells a page without a stream, too, which game its table plays by now."""
    game_id = str((request.view_args or {}).get("game_id", ""))
    if str(request.endpoint).endswith(".part") and here.FAILED not in request.environ:
        newest = here.parts().tables.newest(game_id)
        response.headers.extend({HEADER: newest} if newest != game_id else {})
    return response
