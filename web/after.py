"""After the game: statistics with plots, the score sheet, the game as a file and back, and the rematch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import DataFolderError, GameFileError, ScorekeeperError
from scorekeeper.rules.names import name_key
from scorekeeper.rules.people import rematch_sides
from scorekeeper.rules.sheet import score_csv, score_rows
from scorekeeper.rules.sides import Side
from scorekeeper.rules.statistics import Figures, Part, figures_of, figures_of_people, figures_of_sides
from scorekeeper.scorebook import GameId
from scorekeeper.texts import decode_text
from scorekeeper.threads import in_thread
from web import here
from web.board import look
from web.bodies import FORM_LIMIT, takes
from web.forms import whole_number
from web.guard import for_everybody, keepers_only, who
from web.language import gettext as _
from web.language import said
from web.pictures import Pictures
from web.plot import curve, strips
from web.posted import request_id
from web.refusals import keep_form, sentence
from web.standings import line, standings
from web.tables import go_on

bp = Blueprint("after", __name__)
bp.before_request(for_everybody)
keepers = Blueprint("after_acts", __name__)
keepers.before_request(keepers_only)

FILE_LIMIT = 16 * 1024 * 1024
"""Bytes of a game's file; an evening has some ten thousand."""
PAPER_ROWS = 14
"""Lines of an empty score sheet."""
MOST_COLUMNS = 12


@bp.get("/g/<game_id>/statistics")
def statistics(game_id: str) -> str:
    """What the hands say about each side and each person."""
    _version, game = look(game_id)
    times = here.book().hand_times(GameId(game_id))
    sides = figures_of_sides(game, times)
    people = figures_of_people([(game, times)]) if any(side.members for side in game.sides) else {}
    return render_template(
        "statistics.html",
        game=game,
        game_id=game_id,
        rows=[Row(side.name, sides[side.id], side) for side in game.sides],
        people=best_first(people),
        strips=strips(game.sides, sides),
        curve=curve(game),
        curve_names=[f"{row.side.name} {row.total}" for row in standings(game)],
    )


@dataclass(frozen=True, slots=True)
class Row:
    """One side or person of a table of figures."""

    name: str
    figures: Figures
    side: Side | None = None
    """Whose mark stands beside the name; None for a person."""
    games: int = 0
    """Games with a hand of theirs."""
    won: int = 0
    """Games won."""


def best_first(people: dict[str, Figures]) -> list[Row]:
    """People by points for each hand, best first."""
    rows = [Row(name, figures) for name, figures in people.items()]
    return sorted(rows, key=lambda row: (-(row.figures.average or 0), row.name.casefold()))


@bp.get("/people")
def people() -> str:
    """Everybody who played here, over all games."""
    games = here.book().people()
    return render_template("people.html", rows=in_thread(over_games, games), games=len(games))


def over_games(games: Sequence[tuple[Part, ...]]) -> list[Row]:
    """Everybody's figures with their games: those with a hand of theirs, and those their side or they won."""
    parts = [part for game in games for part in game]
    played = Counter(part.key for part in parts if part.played)
    won = Counter(part.key for part in parts if part.played and part.won)
    rows = best_first(figures_of(parts))
    return [replace(row, games=played[name_key(row.name)], won=won[name_key(row.name)]) for row in rows]


@bp.get("/g/<game_id>/sheet")
def sheet(game_id: str) -> str:
    """The score sheet of a game, to be printed; ``?empty=6`` leaves lines to go on by hand (rules C20)."""
    _version, game = look(game_id)
    rows = score_rows(game)
    lines = [line(game, number) for number in range(1, len(game.hands) + 1)]
    return render_template(
        "sheet.html",
        game=game,
        game_id=game_id,
        begun=here.book().history(GameId(game_id))[0].at,
        names=[side.name for side in game.sides],
        starts=rows[1][1:] if rows[1][0] == "Start" else [],
        lines=lines,
        sums=[game.totals_after(number) for number in range(1, len(lines) + 1)],
        empty=_number("empty", 0, 40),
    )


@bp.get("/sheet")
def blank_sheet() -> str:
    """An empty score sheet for ``?sides=4``, for an evening without electricity (rules C20)."""
    columns = max(1, _number("sides", 4, MOST_COLUMNS))
    return render_template(
        "sheet.html", game=None, names=[""] * columns, lines=[], sums=[], starts=[], empty=PAPER_ROWS
    )


def _number(name: str, usual: int, most: int | None = None) -> int:
    """A number of the address, 0 to *most*; *usual* where it is none."""
    number = whole_number(request.args.get(name, ""))
    return usual if number is None or number < 0 else min(number, most or number)


@bp.get("/g/<game_id>/scores.csv")
def scores(game_id: str) -> Response:
    """Every hand of every side, for a spreadsheet; ``?style=semicolon`` for one that writes 2,5 and not 2.5."""
    _version, game = look(game_id)
    text = score_csv(game, semicolon=request.args.get("style") == "semicolon")
    return _file(text, "text/csv", f"nertz-{game_id}.csv")


@bp.get("/g/<game_id>/game.json")
def game_file(game_id: str) -> Response:
    """The whole game, to keep and to read in elsewhere."""
    here.game_version(GameId(game_id))
    return _file(here.book().export_game(GameId(game_id)), "application/json", f"nertz-{game_id}.json")


def _file(text: str, mimetype: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, mimetype=mimetype, headers=headers)


@keepers.get("/import")
def import_page() -> str:
    """Asks for the file of a game."""
    return draw_import()


@keepers.post("/import")
@takes(FILE_LIMIT + FORM_LIMIT)
def take_in() -> ResponseReturnValue:
    """Reads a game in and goes to its board; the same file twice is one game."""
    keep_form(draw_import)
    file = request.files.get("game_file")
    if file is None or not file.filename:
        raise GameFileError(_("choose the file of a game first: its name ends in .json"))
    done = here.book().import_game(read_text(file.stream.read(FILE_LIMIT + 1)))
    return redirect(url_for("board.page", game_id=done.id), 303)


def read_text(data: bytes) -> str:
    """The text of a file; raises GameFileError for one that is too large. What is no text becomes none."""
    if len(data) > FILE_LIMIT:
        raise GameFileError(_("this file is larger than any game: choose one that the History page has saved"))
    return decode_text(data, "replace")


def draw_import(error: ScorekeeperError | None = None) -> str:
    return render_template("import.html", trouble=sentence(said(error.args[0])) if error else None)


@keepers.get("/g/<game_id>/rematch")
def rematch_page(game_id: str) -> str:
    """Who plays again, where they sit, and by which rules; the second tap starts it."""
    _version, game = look(game_id)
    return render_template("rematch.html", game=game, game_id=game_id, sides=rematch_sides(game))


@keepers.post("/g/<game_id>/rematch")
def rematch(game_id: str) -> ResponseReturnValue:
    """Starts the same table's next game, with the decks as the eye knows them."""
    here.game_version(GameId(game_id))
    again = here.book().rematch(GameId(game_id), request_id=request_id("rematch", game_id), who=who())
    if again != game_id:
        carry_backs(here.pictures(), game_id, again)
        go_on(GameId(game_id), again)
    return redirect(url_for("board.page", game_id=again), 303)


def carry_backs(pictures: Pictures, game_id: str, again: GameId) -> None:
    """The pictures of the decks' backs go along, as far as the disk has room for them."""
    version = here.book().version(again)
    with suppress(DataFolderError):
        for side in here.book().game(again).sides:
            pictures.attach(again, f"deck-{side.id}", version, pictures.about(game_id, f"deck-{side.id}"))
