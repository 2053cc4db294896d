"""How much a request may bring: a form little, pictures and files of games more, and only where one is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flask import Flask, current_app, request

from web.uploads import PICTURE_LIMIT

View = TypeVar("View", bound=Callable[..., Any])

FORM_LIMIT = 64 * 1024
"""Bytes of a form without files."""
PICTURES_LIMIT = 6 * PICTURE_LIMIT
"""Bytes of one form with all its pictures."""
ALLOWED = "takes_bytes"
"""The name under which a view keeps what it takes."""


def takes(limit: int) -> Callable[[View], View]:
    """Lets a form with files bring up to *limit* bytes to a view."""

    def mark(view: View) -> View:
        setattr(view, ALLOWED, limit)
        return view

    return mark


takes_pictures = takes(PICTURES_LIMIT)


def limit(app: Flask) -> None:
    """Refuses larger requests with 413, before anything of them is read into memory."""
    app.before_request(_limit)


def _limit() -> None:
    """Only the parts of a form with files go to the disk as they come; anything else would be worked on in memory."""
    view = current_app.view_functions.get(request.endpoint or "")
    files = request.mimetype == "multipart/form-data"
    request.max_content_length = getattr(view, ALLOWED, FORM_LIMIT) if files else FORM_LIMIT
