"""Refusals in plain words: one handler per branch of the error tree, and the form kept wherever there is one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress

from flask import Flask, Response, g, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from scorekeeper.errors import (
    BackupError,
    CameraError,
    DataFolderError,
    EndMovesError,
    GameFileError,
    HandOverError,
    NotFoundError,
    RulesError,
    ScorekeeperError,
    StaleGameError,
    StoreError,
    VisionError,
)
from scorekeeper.guide.marks import mark
from scorekeeper.rules.house import Words
from scorekeeper.sidefiles import ADVICE, advice
from web import bodies, here, language
from web.guard import KEEPER
from web.language import gettext as _
from web.language import said

logger = logging.getLogger(__name__)

Draw = Callable[[ScorekeeperError], str | Response]

WORDS = {
    400: mark("The browser sent something this page does not understand. Go back and try again."),
    404: mark("There is no such page. Perhaps the address was cut short."),
    405: mark("This address can't be used that way. Go back and use the buttons."),
    413: mark(
        "That is too much to send: a picture may have 40 MB. Take a smaller one, or choose another. "
        "Go back: what was typed is kept."
    ),
    500: mark(
        "Something broke in the app, and it is written in the server's log. "
        "Every hand that was shown as recorded is safe. Go back and try again."
    ),
}
"""What to tell a person for each status that is not one of ours."""
TOO_MUCH_TEXT = mark("That is too much text. Go back and shorten it; nothing was changed.")


def keep_form(draw: Draw) -> None:
    """From here on a refusal of this request is shown by *draw*, which draws the form again with what was typed."""
    g.draw = draw


def answer(app: Flask) -> None:
    """Registers one handler per branch of the error tree, and one for everything HTTP."""
    for branch, status in (
        (RulesError, 422),
        (NotFoundError, 404),
        (StaleGameError, 409),
        (HandOverError, 410),
        (StoreError, 503),
        (CameraError, 503),
        (VisionError, 422),
        (GameFileError, 422),
        (BackupError, 503),
        (ScorekeeperError, 500),
    ):
        app.register_error_handler(branch, _refuser(status))
    app.register_error_handler(OSError, _disk)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(500, _http)


def sentence(text: str) -> str:
    """An error's message as a sentence of the reader's language: a capital first, a full stop last."""
    text = said(text)
    whole = text[:1].upper() + text[1:]
    return whole if whole.endswith((".", "!", "?")) else f"{whole}."


def store_trouble() -> str:
    """Why nothing can be recorded any more, as a sentence for every page; empty while all is well."""
    trouble = here.book().trouble
    return sentence(trouble) if trouble else ""


def troubles_of(error: ScorekeeperError | None) -> list[str]:
    """Every reason of a refusal as a sentence; none for what is only announced first."""
    if error is None or isinstance(error, EndMovesError):
        return []
    return [sentence(reason) for reason in error.reasons]


def in_words(error: ScorekeeperError) -> str:
    """What an error says, as such a sentence."""
    return " ".join(map(sentence, error.reasons))


def _refuser(status: int) -> Callable[[Exception], ResponseReturnValue]:
    def refuse(error: Exception) -> ResponseReturnValue:
        draw: Draw | None = g.pop("draw", None)
        if draw is not None and isinstance(error, ScorekeeperError):
            with suppress(ScorekeeperError, HTTPException):  # the form may be about what is gone meanwhile
                return draw(error), status
        if type(error) is StoreError:
            request.environ[here.FAILED] = True
            request.environ.setdefault(KEEPER, False)
            language.use(g.get("words", Words.NERTZ))
        return _page(in_words(error) if isinstance(error, ScorekeeperError) else sentence(str(error)), status)

    return refuse


def _disk(error: OSError) -> ResponseReturnValue:
    """A full or failing disk, which nobody here is to blame for; any other OSError is a mistake of ours."""
    if error.errno not in ADVICE:
        raise error
    logger.error("%s %s failed: %s", request.method, request.path, error)
    return _refuser(503)(DataFolderError(advice(error)))


def _http(error: Exception) -> ResponseReturnValue:
    code = error.code if isinstance(error, HTTPException) and error.code else 500
    if isinstance(error, HTTPException) and code < 400:
        return error
    own = error.description if isinstance(error, HTTPException) and code in {401, 403, 429} else None
    words = WORDS.get(code, mark("The server answers %(code)s. Go back and try again."))
    if code == 413 and request.max_content_length == bodies.FORM_LIMIT:
        words = TOO_MUCH_TEXT
    return _page(own or _(words, code=code), code)


def _page(text: str, status: int) -> ResponseReturnValue:
    """A page for a browser; for htmx only the sentence, put where the page keeps its notices."""
    if "HX-Request" in request.headers:
        headers = {"HX-Retarget": "#notice", "HX-Reswap": "innerHTML"}
        return render_template("_notice.html", text=text), status, headers
    return render_template("refusal.html", text=text, status=status), status
