"""How far a reading is, told to whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum


class Stage(StrEnum):
    """What is being done with a picture."""

    FINDING = "finding"
    """Where cards lie."""
    READING = "reading"
    """What each of them is, or whose."""


_listeners: list[Callable[[Stage], None]] = []


@contextmanager
def listening(tell: Callable[[Stage], None]) -> Iterator[None]:
    """Until this block ends *tell* hears of every stage, more than once, and from several threads."""
    _listeners.append(tell)
    try:
        yield
    finally:
        _listeners.remove(tell)


def at(stage: Stage) -> None:
    """The reading has come to *stage*."""
    for tell in tuple(_listeners):
        tell(stage)
