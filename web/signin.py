"""The PIN that makes a watcher the scorekeeper."""

from __future__ import annotations

import hmac
import logging
import math
from urllib.parse import urlsplit

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.rules.names import clean
from web import here
from web.caller import address, caller, known_browser, remember
from web.guard import admit, for_everybody, is_keeper
from web.language import gettext as _
from web.seats import COOKIE as SEATS

bp = Blueprint("signin", __name__)
bp.before_request(for_everybody)

MAX_WHO = 40

logger = logging.getLogger(__name__)


@bp.get("/sign-in")
def page() -> ResponseReturnValue:
    """Asks for the PIN."""
    if is_keeper():
        return redirect(way_on(request.args.get("next", "")), 303)
    return render_template("sign_in.html", next=request.args.get("next", ""))


@bp.post("/sign-in")
def enter() -> ResponseReturnValue:
    """Compares the PIN in constant time; wrong ones wait longer and longer."""
    way, name = way_on(request.form.get("next", "")), request.form.get("who", "")
    tries, who_tries = here.parts().pins, caller()
    wait = tries.wait_s(who_tries)
    if wait > 0:
        text = _(
            "Too many wrong PINs. Wait %(seconds)s seconds, then try again. On the scorekeeper's computer, and on a "
            "phone that has kept score before, wrong PINs of others do not matter.",
            seconds=math.ceil(wait),
        )
        return render_template("sign_in.html", next=way, name=name, trouble=text), 429
    typed = request.form.get("pin", "").strip()
    if not hmac.compare_digest(typed.encode(), str(here.settings().pin).encode()):
        tries.wrong(who_tries)
        logger.warning("wrong PIN from %s", address())
        text = _("That is not the PIN. The scorekeeper's computer shows it where the server was started.")
        return render_template("sign_in.html", next=way, name=name, trouble=text), 403
    tries.right(who_tries)
    seats, word = session.get(SEATS, {}), here.parts().sessions.begin()
    remember()
    admit(keeper=word, who=clean(name)[:MAX_WHO], **{SEATS: seats})
    logger.info("signed in from %s", address())
    return redirect(way, 303)


@bp.post("/sign-out")
def leave() -> ResponseReturnValue:
    """Makes the scorekeeper a watcher again, and every copy of the cookie with it."""
    if word := str(session.get("keeper", "")):
        here.parts().sessions.end(word)
    if known_browser():
        remember()
    return redirect(url_for("board.home"), 303)


def way_on(way: str) -> str:
    """Where to go after signing in: a page of this server, never another site's."""
    if not way:
        return url_for("board.home")
    if not is_path(way):
        abort(400)
    return way


def is_path(way: str) -> bool:
    """Whether a browser stays on this server when it is sent *way*: browsers drop tabs, and read ``\\`` as ``/``."""
    clean = way.isprintable() and "\\" not in way and way.startswith("/") and not way.startswith("//")
    try:
        parts = urlsplit(way)
    except ValueError:
        return False
    return clean and not parts.scheme and not parts.netloc
