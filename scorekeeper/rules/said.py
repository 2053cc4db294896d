"""Sentences that know how they were made, so that a page can say them in another language and other words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce
from types import MappingProxyType
from typing import Any

from scorekeeper.rules.points import and_join, format_points, signed

USUAL: Mapping[str, str] = MappingProxyType(
    {"Game": "Nertz", "Call": "Nertz", "Pile": "Nertz pile", "Lake": "Lake", "River": "River", "Stream": "Stream"}
)
"""The words that stand where a table may have its own, such as ``%(Lake)s`` (rules A12)."""

BLANKS = r"(?:[^%]|%%|%\(\w+\)[sr])*"
"""What a message is made of."""
LONGEST, DEEPEST = 10_000, 50
"""Characters in the blanks of one sentence that a file keeps, and sentences in one another; more than any has."""


class Names(tuple[str, ...]):
    """Names to be listed: ``Amy, Ben and Cleo``."""

    def __str__(self) -> str:
        return and_join(self)


class Signed(Fraction):
    """Points gained or lost, told with a sign unless they are none: ``+14``, ``-5``, ``0``."""


class Said(str):
    """A sentence in English and the usual words; ``message`` and ``values`` say how it was made."""

    message: str = ""
    """Empty where it is not known."""
    many: str = ""
    """The message for more than one ``num``; empty when it does not count."""
    values: Mapping[str, object] = MappingProxyType({})

    def __str__(self) -> str:
        """Itself, so that an error's text knows how it was made, too."""
        return self


def say(message: str, /, **values: object) -> Said:
    """*message* with its blanks filled: ``say("%(name)s wins", name="Amy")``."""
    return _said(message, message, "", values)


def say_count(one: str, many: str, num: int, /, **values: object) -> Said:
    """The same for a number of things, which the message calls ``%(num)s``."""
    return _said(one if num == 1 else many, one, many, {"num": num, **values})


def in_a_row(parts: Sequence[str]) -> Said:
    """The parts of a longer sentence, in order: ``Amy +3; Ben -4``; empty when there is none."""
    return reduce(lambda told, part: say("%(told)s; %(part)s", told=told, part=part), *_begun(parts))


def with_commas(parts: Sequence[str]) -> Said:
    """The same, closer together: ``9 in the Lake, 4 left``."""
    return reduce(lambda told, part: say("%(told)s, %(part)s", told=told, part=part), *_begun(parts))


def _begun(parts: Sequence[str]) -> tuple[Sequence[str], Said]:
    """What is still to be told, and the first part."""
    first = parts[0] if parts else ""
    return parts[1:], first if isinstance(first, Said) else Said(first)


def written(points: Fraction) -> str:
    """Points as a sentence has them, with a sign where they must have one."""
    return signed(points) if isinstance(points, Signed) else format_points(points)


def recipe(text: str) -> dict[str, Any] | None:
    """How *text* was made, as a file can keep it; None where that is not known."""
    if not isinstance(text, Said) or not text.message:
        return None
    return {
        "message": text.message,
        "many": text.many,
        "values": {name: _kept(value) for name, value in text.values.items()},
    }


def _kept(value: object) -> object:
    if isinstance(value, Names):
        return [_kept(each) for each in value]
    if isinstance(value, Fraction):
        return {"points": str(Fraction(value)), "signed": isinstance(value, Signed)}
    if isinstance(value, str):
        return recipe(value) or str(value)
    return value if isinstance(value, int | float) else str(value)


def said_by(kept: Mapping[str, Any], deep: int = 0) -> Said:
    """The sentence that a recipe makes; raises ValueError for one that no sentence has."""
    message, many = kept["message"], kept["many"]
    if deep > DEEPEST or not all(re.fullmatch(BLANKS, each) for each in (message, many)):
        raise ValueError("no sentence of the rules is made like that")
    values = {name: _read(value, deep + 1) for name, value in kept["values"].items()}
    if sum(len(str(value)) for value in values.values()) > LONGEST:
        raise ValueError("no sentence of the rules is that long")
    return say_count(message, many, values.pop("num"), **values) if many else say(message, **values)


def _read(kept: Any, deep: int) -> Any:
    if isinstance(kept, list):
        return Names(_read(each, deep) for each in kept)
    if isinstance(kept, dict) and "points" in kept:
        return (Signed if kept["signed"] else Fraction)(kept["points"])
    return said_by(kept, deep) if isinstance(kept, dict) else kept


def _said(text: str, message: str, many: str, values: Mapping[str, object]) -> Said:
    shown = {name: written(value) if isinstance(value, Fraction) else value for name, value in values.items()}
    said = Said(text % {**USUAL, **shown})
    said.message, said.many, said.values = message, many, values
    return said
