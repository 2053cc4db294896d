"""Sentences that know how they were made, so that a page can say them in another language and other words."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from scorekeeper.rules.points import and_join, format_points

USUAL: Mapping[str, str] = MappingProxyType(
    {"Game": "Nertz", "Call": "Nertz", "Pile": "Nertz pile", "Lake": "Lake", "River": "River", "Stream": "Stream"}
)
"""The words that stand where a table may have its own, such as ``%(Lake)s`` (rules A12)."""


class Names(tuple[str, ...]):
    """Names to be listed: ``Amy, Ben and Cleo``."""

    def __str__(self) -> str:
        return and_join(self)


class Said(str):
    """A sentence in English and the usual words; ``message`` and ``values`` say how it was made."""

    message: str
    many: str
    """The message for more than one ``num``; empty when it does not count."""
    values: Mapping[str, object]


def say(message: str, /, **values: object) -> Said:
    """*message* with its blanks filled: ``say("%(name)s wins", name="Amy")``."""
    return _said(message, message, "", values)


def say_count(one: str, many: str, num: int, /, **values: object) -> Said:
    """The same for a number of things, which the message calls ``%(num)s``."""
    return _said(one if num == 1 else many, one, many, {"num": num, **values})


def _said(text: str, message: str, many: str, values: Mapping[str, object]) -> Said:
    shown = {name: format_points(value) if isinstance(value, Fraction) else value for name, value in values.items()}
    said = Said(text % {**USUAL, **shown})
    said.message, said.many, said.values = message, many, values
    return said
