"""Who may do what: watchers watch, the scorekeeper writes, and no other site can write in the scorekeeper's name."""

from __future__ import annotations

import hashlib
import hmac
from urllib.parse import urlsplit

from flask import Flask, Response, abort, redirect, request, session, url_for
from flask.typing import ResponseReturnValue

from web.here import settings
from web.language import gettext as _

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def protect(app: Flask) -> None:
    """Refuses posts from other sites and sends the headers that keep the pages to themselves."""
    app.before_request(refuse_other_sites)
    app.after_request(add_headers)


def refuse_other_sites() -> None:
    """Stops a post that another site made the browser send; with SameSite=Lax cookies this is the CSRF protection."""
    if request.method not in SAFE_METHODS and not same_site():
        abort(403, _("This came from another site, so nothing was changed. Use the scorekeeper's own page."))


def same_site() -> bool:
    """Whether the request comes from a page of this server, as far as the browser says."""
    origin = request.headers.get("Origin") or request.headers.get("Referer")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        return False
    return origin is None or urlsplit(origin).netloc == request.host


def add_headers(response: Response) -> Response:
    response.headers.setdefault(
        "Content-Security-Policy",
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "frame-ancestors 'none'; form-action 'self'; base-uri 'none'",
    )
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    if response.mimetype == "text/html":
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def pin_mark(pin: str) -> str:
    """What a signed-in session carries: it stops fitting when the PIN changes."""
    return hashlib.sha256(f"scorekeeper {pin}".encode()).hexdigest()[:16]


def is_keeper() -> bool:
    """Whether this browser is signed in as the scorekeeper."""
    return hmac.compare_digest(str(session.get("keeper", "")), pin_mark(str(settings().pin)))


def who() -> str:
    """The name given when signing in; empty when none was."""
    return str(session.get("who", ""))


def keepers_only() -> ResponseReturnValue | None:
    """For ``before_request`` of a scorekeeper's blueprint: a watcher is asked to sign in, and can't post."""
    if is_keeper():
        return None
    if request.method in SAFE_METHODS and "HX-Request" not in request.headers:
        return redirect(url_for("signin.page", next=request.full_path.rstrip("?")), 303)
    abort(403, _("Only the scorekeeper can change the game. Sign in with the PIN first; nothing was changed."))
