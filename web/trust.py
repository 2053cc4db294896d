"""How a phone gets to trust this server's certificate: the authority that signed it, to be installed, and the steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, render_template, request

from scorekeeper.errors import NotFoundError
from web import here
from web.guard import for_everybody
from web.language import gettext as _

if TYPE_CHECKING:
    from web.certificate import Given

bp = Blueprint("trust", __name__)
bp.before_request(for_everybody)

SYSTEMS = {"Android": "android", "iPhone": "ios", "iPad": "ios", "Windows": "windows", "Macintosh": "macos"}
"""By which word browsers say what they run on, the first one that is found."""


@bp.get("/trust")
def page() -> str:
    """The steps for each system, those of this phone opened."""
    known = _given()
    agent = request.headers.get("User-Agent", "")
    own = next((system for word, system in SYSTEMS.items() if word in agent), "linux")
    return render_template("trust.html", fingerprint=known.fingerprint if known else None, own=own)


@bp.get("/trust/nertz-scorekeeper.crt")
def certificate() -> Response:
    """The certificate of the authority, as phones install it; its key stays where it is."""
    known = _given()
    if known is None:
        raise NotFoundError(_("this server has no certificate of its own: start it with --https"))
    answer = Response(known.der, mimetype="application/x-x509-ca-cert")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _given() -> Given | None:
    """What phones are given; None where the server does not speak https itself."""
    from web.certificate import given_authority  # loads a library that a server without https does not need

    return given_authority(here.settings().data_dir) if here.settings().self_signed else None
