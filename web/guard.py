"""Who may do what: watchers watch, the scorekeeper writes, and no other site can write in the scorekeeper's name."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable

from flask import Flask, Response, abort, redirect, request, session, url_for
from flask.typing import ResponseReturnValue

from web import here
from web.address import is_own, is_own_origin, outside_address
from web.language import gettext as _

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
ORIGINS = ("Origin", "Referer", "Sec-Fetch-Site")
"""By which browsers say where a post comes from."""
KEEPER = "scorekeeper.is_keeper"
"""Where a request remembers whether the scorekeeper sent it."""
TOKEN = "token"
"""What a signed-in browser that says nothing of the kind posts along, as a field or as the header ``X-Token``."""

Ask = Callable[[], ResponseReturnValue | None]
ROLES: dict[Callable[..., object], str] = {}
"""What a blueprint asks before each of its pages, and the role that it lets in."""


def role(name: str) -> Callable[[Ask], Ask]:
    """Marks what lets in people of a role: a blueprint that asks it has said who may use its routes."""

    def mark(ask: Ask) -> Ask:
        ROLES[ask] = name
        return ask

    return mark


def protect(app: Flask) -> None:
    """Refuses other sites' names and posts, asks each page who may see it, and keeps the pages to themselves."""
    app.before_request(refuse_other_names)
    app.before_request(refuse_other_sites)
    app.after_request(add_headers)


def refuse_other_names() -> ResponseReturnValue | None:
    """Stops a browser that was led here by a name that is none of this server's (DNS rebinding)."""
    try:
        if is_own(request.host_url):
            return None
    except UnicodeError:  # such as xn--a, which stands for no letters
        pass
    text = _("This server does not go by that name. Open %(address)s instead.", address=outside_address())
    return Response(text, 421, mimetype="text/plain")


def refuse_other_sites() -> None:
    """Stops a post that another site made the browser send."""
    if request.method not in SAFE_METHODS and not (same_site() and has_token()):
        abort(403, _("This came from another site, so nothing was changed. Use the scorekeeper's own page."))


def same_site() -> bool:
    """Whether the request comes from a page of this server, as far as the browser says."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        return False
    named = (request.headers[name] for name in ("Origin", "Referer") if name in request.headers)
    return all(map(is_own_origin, named))


def has_token() -> bool:
    """Whether a browser that is somebody here says where its post comes from, or knows what only our pages know."""
    if TOKEN not in session or any(name in request.headers for name in ORIGINS):
        return True
    given = request.headers.get("X-Token") or request.form.get(TOKEN, "")
    return hmac.compare_digest(given.encode(), token().encode())


def token() -> str:
    """The word that this browser's pages carry; empty for one that is nobody here."""
    return str(session.get(TOKEN, ""))


def admit(**marks: object) -> None:
    """Makes this browser somebody: *marks* are kept in its cookie, with a token of its own."""
    session.permanent = True
    session.setdefault(TOKEN, secrets.token_urlsafe(16))
    session.update(marks)


def add_headers(response: Response) -> Response:
    framed = "'self'" if request.endpoint == "board.page" and request.args.get("tv") else "'none'"
    response.headers.setdefault(
        "Content-Security-Policy",
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        f"frame-ancestors {framed}; form-action 'self'; base-uri 'none'",
    )
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    if response.mimetype == "text/html":
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def is_keeper() -> bool:
    """Whether this browser is signed in as the scorekeeper."""
    if KEEPER not in request.environ:
        request.environ[KEEPER] = False  # should the database fail, the page that says so does not ask it again
        request.environ[KEEPER] = here.parts().sessions.lasts(str(session.get("keeper", "")))
    return bool(request.environ[KEEPER])


def who() -> str:
    """The name given when signing in; empty when none was."""
    return str(session.get("who", ""))


@role("keeper")
def keepers_only() -> ResponseReturnValue | None:
    """For ``before_request`` of a scorekeeper's blueprint: a watcher is asked to sign in, and can't post."""
    if is_keeper():
        return None
    if request.method in SAFE_METHODS and "HX-Request" not in request.headers:
        return redirect(url_for("signin.page", next=request.full_path.rstrip("?")), 303)
    abort(403, _("Only the scorekeeper can change the game. Sign in with the PIN first; nothing was changed."))


@role("everybody")
def for_everybody() -> None:
    """For ``before_request`` of a blueprint whose pages every watcher may open."""


def role_of(app: Flask, endpoint: str) -> str:
    """Who may use a route; raises ValueError where its blueprint does not say."""
    if endpoint == "static":
        return "everybody"
    asked = app.before_request_funcs.get(endpoint.rpartition(".")[0], ())
    for ask in asked:
        if ask in ROLES:
            return ROLES[ask]
    raise ValueError(f"{endpoint} does not say who may use it: give its blueprint one of {list(ROLES.values())}")
