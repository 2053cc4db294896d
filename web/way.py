"""How the table counts, typed or from photos: asked once, kept for the table, changed by one tap."""

from __future__ import annotations

from contextlib import suppress
from enum import StrEnum

from web import here

KIND, NAME = "table", "way"
"""Where the answer lies on the shelf."""


class Way(StrEnum):
    TYPED = "typed"
    PICTURES = "pictures"


def way() -> Way | None:
    """How this table counts; None while nobody has said so. Without an eye every number is typed."""
    if here.watch() is None:
        return Way.TYPED
    return _read(here.book().shelf.get(KIND, NAME, str) or "")


def choose_way(text: str) -> None:
    """Keeps the way posted as *text* for the next hands and games; anything else changes nothing."""
    if chosen := _read(text):
        here.book().shelf.change(KIND, NAME, lambda _before: str(chosen), str)


def _read(text: str) -> Way | None:
    with suppress(ValueError):
        return Way(text)
    return None
