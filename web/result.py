"""The result of a game as a picture, to be shared by a phone or saved: who won, everybody's points, and the day."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from scorekeeper.rules.game import Game
from scorekeeper.scorebook import GameId
from web import here
from web.board import look
from web.forms import whole_number
from web.guard import for_everybody
from web.language import language
from web.league import date_words
from web.standings import Standing, standings, verdict

bp = Blueprint("result", __name__, url_prefix="/g/<game_id>/result")
bp.before_request(for_everybody)

WIDTH = 1080
"""Of the picture, in pixels."""
NAME_PX = 610
"""Room for a name."""
WIDE, NARROW = 1.0, 0.56
"""How wide a letter is for its size: of Chinese and the like, and of all others on average."""


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text of the picture."""

    text: str
    squeezed_px: int | None
    """How wide it is drawn where it would be too wide; None where it fits."""


@dataclass(frozen=True, slots=True)
class Line:
    """One side's line of the picture."""

    row: Standing
    name: Text
    y: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """Where everything lies, in pixels from the top."""

    verdict: tuple[tuple[Text, int], ...]
    lines: tuple[Line, ...]
    line_px: int
    """Height of a side's line."""
    table_y: int
    height: int


@bp.get("")
def page(game_id: str) -> str:
    """Shows the picture, shares it or saves it, with a photo of the winner if wanted; the photo stays on the phone."""
    version, game = look(game_id)
    return render_template("result.html", game=game, game_id=game_id, version=version, title=_title(game_id, game))


@bp.get("/picture.svg")
def picture(game_id: str) -> ResponseReturnValue:
    """The picture as a drawing; ``?save=1`` for a browser that has no script to make a photo of it."""
    _version, game = look(game_id)
    day = date_words(here.book().started_at(GameId(game_id)).astimezone().date())
    label = here.book().label(GameId(game_id))
    drawn = render_template(
        "result.svg", game=game, label=label, day=day, drawing=drawing_of(game), words=verdict(game), width=WIDTH
    )
    headers = {"Cache-Control": "no-cache", "Content-Language": language()}
    if whole_number(request.args.get("save", "")):
        headers["Content-Disposition"] = f'attachment; filename="nertz-{game_id}.svg"'
    return Response(drawn, mimetype="image/svg+xml", headers=headers)


def drawing_of(game: Game) -> Drawing:
    """The picture of *game* as it stands."""
    rows = [row for row in standings(game) if not row.gone]
    size = 84
    words = wrapped(verdict(game), (WIDTH - 120) / (size * NARROW))
    first = 300 if game.winner_name else 220
    said = tuple((fitted(line, size, WIDTH - 120), first + number * 96) for number, line in enumerate(words))
    table_y = said[-1][1] + 60
    line_px = max(64, min(120, 1080 // max(1, len(rows))))
    lines = tuple(
        Line(row, fitted(row.side.name, line_px * 0.42, NAME_PX), table_y + 20 + number * line_px)
        for number, row in enumerate(rows)
    )
    return Drawing(said, lines, line_px, table_y, table_y + 40 + len(rows) * line_px + 120)


def wrapped(text: str, letters: float) -> list[str]:
    """*text* in lines of about so many *letters* at most, broken between words."""
    lines: list[str] = []
    for word in text.split():
        if lines and _letters(f"{lines[-1]} {word}") <= letters:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def fitted(text: str, size: float, room_px: int) -> Text:
    """*text* in letters of *size*, squeezed where the *room_px* would not hold it."""
    return Text(text, room_px if _letters(text) * size * NARROW > room_px else None)


def _letters(text: str) -> float:
    """How many average letters a text is as wide as."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return len(text) + wide * (WIDE / NARROW - 1)


def _title(game_id: str, game: Game) -> str:
    """What a shared picture says beside it."""
    name = here.book().label(GameId(game_id)).name
    return f"{name}: {verdict(game)}" if name else verdict(game)
