"""What makes the pages at home on a phone: the server's time, the service worker, and a page for when all is lost."""

from __future__ import annotations

import time

from flask import Blueprint, Response, current_app, render_template

from web.guard import for_everybody

bp = Blueprint("phone", __name__)
bp.before_request(for_everybody)


@bp.get("/ping")
def ping() -> Response:
    """The server's time in milliseconds, to compare clocks with."""
    answer = Response(f"{time.time() * 1000:.3f}", mimetype="text/plain")
    answer.headers["Cache-Control"] = "no-store"
    return answer


@bp.get("/service-worker.js")
def service_worker() -> Response:
    """The service worker; it lies at the root because it may only answer for what lies below it."""
    answer = current_app.send_static_file("service-worker.js")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@bp.get("/offline")
def offline() -> str:
    """What a phone shows that knows no board and reaches no server."""
    return render_template("offline.html")
