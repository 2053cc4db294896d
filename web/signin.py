"""The PIN that makes a watcher the scorekeeper."""

from __future__ import annotations

import hmac
import math

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from web import here
from web.guard import is_keeper, pin_mark
from web.language import gettext as _
from web.seats import COOKIE as SEATS

bp = Blueprint("signin", __name__)

MAX_WHO = 40


@bp.get("/sign-in")
def page() -> ResponseReturnValue:
    """Asks for the PIN."""
    if is_keeper():
        return redirect(way_on(request.args.get("next", "")), 303)
    return render_template("sign_in.html", next=request.args.get("next", ""))


@bp.post("/sign-in")
def enter() -> ResponseReturnValue:
    """Compares the PIN in constant time; wrong ones wait longer and longer."""
    way, name, address = request.form.get("next", ""), request.form.get("who", ""), request.remote_addr or "?"
    slowdown = here.parts().slowdown
    wait = slowdown.wait_s(address)
    if wait > 0:
        text = _("Too many wrong PINs. Wait %(seconds)s seconds, then try again.", seconds=math.ceil(wait))
        return render_template("sign_in.html", next=way, name=name, trouble=text), 429
    typed = request.form.get("pin", "").strip()
    if not hmac.compare_digest(typed.encode(), str(here.settings().pin).encode()):
        slowdown.wrong(address)
        text = _("That is not the PIN. The scorekeeper's computer shows it where the server was started.")
        return render_template("sign_in.html", next=way, name=name, trouble=text), 403
    slowdown.right(address)
    seats = session.get(SEATS, {})
    session.clear()
    session.permanent = True
    session[SEATS] = seats
    session["keeper"] = pin_mark(typed)
    session["who"] = " ".join(name.split())[:MAX_WHO]
    return redirect(way_on(way), 303)


@bp.post("/sign-out")
def leave() -> ResponseReturnValue:
    """Makes the scorekeeper a watcher again."""
    session.clear()
    return redirect(url_for("board.home"), 303)


def way_on(way: str) -> str:
    """Where to go after signing in: a page of this server, never another site's."""
    if not way:
        return url_for("board.home")
    if not way.startswith("/") or way.startswith(("//", "/\\")):
        abort(400)
    return way
