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
HEADERS = {"next": "X-Next-Game", "deleted": "X-Game-Deleted"}
"""Where a page that asks for news without a stream finds what the stream tells beside the game."""


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
        """The game that the table of *game_id* plays now: its last that was not deleted; itself where none is left."""
        return self.now(game_id)[0]

    def now(self, game_id: str) -> tuple[GameId, bool]:
        """The newest game of a table, and whether that one is left; none is where all of them were deleted."""
        for games in ([game_id, *self.later(game_id)], self.games(game_id)):
            for game in reversed(games):
                if not label_of(self.shelf, game).deleted:
                    return GameId(game), True
        return GameId(game_id), False

    def games(self, game_id: str) -> list[str]:
        """Every game of a table in order, deleted ones too."""
        first = self.table(game_id)
        return [first, *self.later(first)]

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
    here.parts().tables.go_on(game_id, again)
    tell_table(game_id)


def tell_table(game_id: GameId) -> None:
    """Has every screen at the table of *game_id* hear which game is played there now."""
    for game in map(GameId, here.parts().tables.games(game_id)):
        here.live().tell(game, here.book().version(game))


def beside(tables: Tables, game_id: str) -> dict[str, str]:
    """What the screens of a game are told beside it: the *next* game of their table, or that all were *deleted*."""
    newest, left = tables.now(game_id)
    told = {"next": newest if newest != game_id else "", "deleted": "" if left else "yes"}
    return {event: word for event, word in told.items() if word}


def next_game() -> GameId | None:
    """The game that this page's table plays by now; None while it is the one of the page."""
    game_id = _game_of_page()
    newest = here.parts().tables.newest(game_id) if request.endpoint in FOLLOWING and game_id else game_id
    return GameId(newest) if newest != game_id else None


def is_deleted() -> bool:
    """Whether the game of this page was deleted."""
    game_id = _game_of_page()
    return bool(game_id) and here.book().label(GameId(game_id)).deleted


def tell_next(response: Response) -> Response:
    """Tells a page without a stream, too, what its table plays by now."""
    game_id = _game_of_page()
    if str(request.endpoint).endswith(".part") and game_id:
        told = beside(here.parts().tables, game_id)
        response.headers.extend({HEADERS[event]: word for event, word in told.items()})
    return response


def _game_of_page() -> str:
    """The game that is asked for; empty where there is none, or the database fails."""
    return "" if here.FAILED in request.environ else str((request.view_args or {}).get("game_id", ""))
