"""What the referee says: one problem, which side it is about, and whether a person may overrule it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from scorekeeper.rules.said import Said, say_count
from scorekeeper.rules.sides import SideId


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a hand."""

    kind: str
    """A row of the rules sheet such as "M7", or "sides", "range", "lake", "spread", "adjustment"."""
    text: str
    """One sentence: what is wrong and what to do."""
    where: SideId | None = None
    """The side it is about; None for the whole table."""
    blocking: bool = True
    """Whether the hand can't be recorded; else a person may confirm it knowingly."""
    entry: str = ""
    """Which number of the side is wrong: "lake", "left", "score", "share", "extra", "why" or a rank, "rank1"."""


def doubt(kind: str, text: str, where: SideId | None = None) -> Problem:
    """A problem that a person may confirm knowingly."""
    return Problem(kind, text, where, blocking=False)


def repeated(values: Iterable[str]) -> list[str]:
    """Every value that is there more than once."""
    return [value for value, times in Counter(values).items() if times > 1]


def cards(number: int) -> Said:
    """``1 card``, ``3 cards``."""
    return say_count("%(num)s card", "%(num)s cards", number)
