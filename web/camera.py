"""The set-up check: what the camera sees of the table, and a list of what is good enough and what to do."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from babel.numbers import format_decimal
from flask import Blueprint, Response, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from scorekeeper.errors import PictureError, ScorekeeperError, VisionError
from scorekeeper.resources import data_path
from scorekeeper.rules.game import Game
from scorekeeper.rules.view import Point, Remark
from scorekeeper.scorebook import GameId
from scorekeeper.watch import TableCheck
from web import here
from web.bodies import takes_pictures
from web.guard import keepers_only
from web.language import gettext as _
from web.language import locale, ngettext
from web.refusals import in_words, keep_form, sentence
from web.uploads import eye, uploaded

bp = Blueprint("camera", __name__, url_prefix="/g/<game_id>/camera")
bp.before_request(keepers_only)

SAMPLE = "datasets/samples/hand1/lake.jpg"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the list."""

    title: str
    said: str
    """What was measured."""
    advice: str
    """What to do; empty where all is well."""
    good: bool | None
    """None where this picture can't tell."""


@bp.get("")
def page(game_id: str) -> str:
    """The list beside what the table's camera shows now; without one, the ways to show a picture."""
    game = look(game_id)
    watch = here.watch()
    if watch is None or watch.camera is None:
        return draw(game_id, game)
    try:
        return draw(game_id, game, check(game, watch.snapshot()))
    except VisionError as error:
        return draw(game_id, game, error=error)


@bp.get("/now")
def now(game_id: str) -> ResponseReturnValue:
    """The table's camera once more, for a page that goes on looking."""
    game = look(game_id)
    keep_form(lambda error: _told(in_words(error)))
    return _answer(game_id, game, check(game, eye().snapshot()))


@bp.post("")
@takes_pictures
def show(game_id: str) -> ResponseReturnValue:
    """Looks at one picture: a photo, a frame of a phone's camera (``live``), or the sample (``sample``)."""
    game = look(game_id)
    live = "live" in request.form
    keep_form(lambda error: _told(in_words(error)) if live else draw(game_id, game, error=error))
    picture = sample(SAMPLE) if "sample" in request.form else uploaded("picture")[0]
    found = check(game, picture)
    return _answer(game_id, game, found) if live else draw(game_id, game, found)


def look(game_id: str) -> Game:
    """The game; raises NotFoundError."""
    here.game_version(GameId(game_id))
    return here.book().game(GameId(game_id))


def sample(name: str) -> bytes:
    """A sample picture, for trying it out without a camera; raises PictureError where they are not installed."""
    try:
        return data_path(name).read_bytes()
    except FileNotFoundError as error:
        raise PictureError(str(error)) from error


def check(game: Game, picture: bytes) -> TableCheck:
    """What the eye says of *picture* and of the decks of the game."""
    return eye().check_table(picture, game.signatures)


def draw(game_id: str, game: Game, found: TableCheck | None = None, error: ScorekeeperError | None = None) -> str:
    """The page with one look, or with what went wrong."""
    watch = here.watch()
    return render_template(
        "camera.html",
        game_id=game_id,
        game=game,
        found=found,
        picture=data_uri(found.picture) if found else "",
        lines=lines(found, game) if found else [],
        trouble=in_words(error) if error else None,
        eye=watch is not None,
        camera=watch.camera if watch else None,
    )


def _answer(game_id: str, game: Game, found: TableCheck) -> ResponseReturnValue:
    """The same in parts, for a page that stays."""
    return jsonify(
        picture=data_uri(found.picture),
        size=found.view.size,
        marks=render_template("_view_marks.html", found=found),
        list=render_template("_remarks.html", game_id=game_id, found=found, lines=lines(found, game)),
        trouble="",
    )


def _told(text: str) -> Response:
    return jsonify(trouble=text)


def data_uri(jpeg: bytes) -> str:
    """A picture as the address of an image that is in the page itself."""
    return f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode('ascii')}"


def lines(found: TableCheck, game: Game) -> list[Line]:
    """The whole list in words."""
    return [*(_line(remark) for remark in found.view.remarks), *_decks(found, game)]


def _line(remark: Remark) -> Line:
    say = WORDS[remark.point]
    title, said, advice = say(remark)
    if remark.good is None:
        four = remark.point is Point.TILT
        said = _("Four whole cards are needed to tell.") if four else _("Can't be told without a clear card.")
    return Line(title, said, advice if remark.good is False else "", remark.good)


Words = tuple[str, str, str]
"""Title, what was measured, what to do."""


def _cards(remark: Remark) -> Words:
    number = round(remark.value)
    said = ngettext("%(num)s card found", "%(num)s cards found", number) if number else _("No card found")
    advice = _("Lay a card into each corner of where you play and one into the middle, some face up, some face down.")
    return _("Cards"), said, advice


def _sharp(remark: Remark) -> Words:
    values = {"percent": _decimal(remark.value), "most": _decimal(remark.limit)}
    said = _("The edge of a card takes %(percent)s %% of its length (%(most)s %% at most)", **values)
    advice = _("Wait for the focus, wipe the lens, fix the camera so that it can't shake, and turn on more light.")
    return _("Sharp"), said, advice


def _bright(remark: Remark) -> Words:
    values = {"percent": round(remark.value), "least": round(remark.limit)}
    said = _("The cards' white is at %(percent)s %% of full brightness (%(least)s %% at least)", **values)
    return _("Bright enough"), said, _("Turn on more light, best from above and from more than one side.")


def _blown(remark: Remark) -> Words:
    values = {"percent": round(remark.value), "most": round(remark.limit)}
    said = _("%(percent)s %% of the backs is too bright to show its colour (%(most)s %% at most)", **values)
    return _("Not too bright"), said, _("Dim or turn the lamp, or lower the exposure of the camera.")


def _glare(remark: Remark) -> Words:
    number = round(remark.value)
    some = ngettext("A lamp shines on %(num)s card", "A lamp shines on %(num)s cards", number)
    advice = _("Move the camera or the lamp until the shine is off the cards.")
    return _("No glare"), some if number else _("No lamp is mirrored on a card"), advice


def _whole(remark: Remark) -> Words:
    number = round(remark.value)
    some = ngettext("The picture's edge cuts %(num)s card", "The picture's edge cuts %(num)s cards", number)
    advice = _("Raise or turn the camera until the whole place where cards may lie is in the picture.")
    return _("All in the picture"), some if number else _("Every card is whole"), advice


def _tilt(remark: Remark) -> Words:
    values = {"degrees": round(remark.value), "most": round(remark.limit)}
    said = _("About %(degrees)s degrees aslant (%(most)s at most)", **values)
    return _("From above"), said, _("Put the camera above the middle of the table, looking straight down.")


def _size(remark: Remark) -> Words:
    values = {"pixels": round(remark.value), "least": round(remark.limit)}
    said = _("The number in a card's corner is %(pixels)s pixels high (%(least)s at least)", **values)
    advice = _("Bring the camera nearer, use its full resolution, or count the cards in several groups.")
    return _("Near enough"), said, advice


WORDS: Mapping[Point, Callable[[Remark], Words]] = {
    Point.CARDS: _cards,
    Point.SHARP: _sharp,
    Point.BRIGHT: _bright,
    Point.BLOWN: _blown,
    Point.GLARE: _glare,
    Point.WHOLE: _whole,
    Point.TILT: _tilt,
    Point.SIZE: _size,
}


def _decks(found: TableCheck, game: Game) -> Iterator[Line]:
    """Whether the decks can be told apart (rules M13), once the eye knows them."""
    title, number = _("Decks differ"), len(game.signatures)
    if found.alike:
        yield Line(title, " ".join(sentence(text) for text in found.alike), "", False)
    elif number < len(game.playing):
        known = _("%(known)s of %(all)s decks are known.", known=number, all=len(game.playing))
        yield Line(title, known, "", None)
    else:
        yield Line(title, _("All decks can be told apart"), "", True)


def _decimal(value: float) -> str:
    return str(format_decimal(round(value, 1), "0.0", locale=locale()))
