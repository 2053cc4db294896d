"""One question of the referee guide: its answer everywhere, and what the house rules of a table make of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from scorekeeper.rules.cards import RANKS
from scorekeeper.rules.house import Rules, Scoring

OTHERWISE = object()
"""Stands for every value of a switch that has no sentence of its own."""

ONE, SEVERAL = "one", "several"
"""Values that say how many there are, where a sentence needs to know."""

DERIVED = ("deck_size", "stream", "available", "counts", "table_cards", "foundation")
"""What follows from house rules and is switched by, or filled in, as they are."""


@dataclass(frozen=True, slots=True)
class AtThisTable:
    """What one house rule says: a sentence for each of its values."""

    switch: str
    """A name of ``values_of``, such as ``empty_slot``; empty for a sentence that always holds."""
    sentences: Mapping[object, str]
    """By value; a value that stands for nothing worth saying has none."""
    label: str = ""
    """What the rules card calls it; empty when the card leaves it out."""

    def sentence(self, rules: Rules) -> str | None:
        """The sentence for *rules*, to be filled with ``values_of``; begins with a small letter."""
        value = values_of(rules).get(self.switch)
        return self.sentences.get(value, self.sentences.get(OTHERWISE))


@dataclass(frozen=True, slots=True)
class Entry:
    """One question that comes up at a table."""

    id: str
    """As in addresses, such as ``empty-slot``."""
    rows: tuple[str, ...]
    """Rows of the rules sheet it answers."""
    question: str
    general: str
    """The answer that holds at every table, but where another stands *instead*."""
    instead: AtThisTable | None = None
    house: tuple[AtThisTable, ...] = ()
    search: str = ""
    """Further words to find it by, in any language."""

    def opening(self, rules: Rules) -> str:
        """What holds wherever people play a game with such rules."""
        return (self.instead and self.instead.sentence(rules)) or self.general


@dataclass(frozen=True, slots=True)
class Topic:
    """Questions that belong together."""

    id: str
    title: str
    entries: tuple[Entry, ...]


def values_of(rules: Rules) -> dict[str, object]:
    """Every house rule by its name, and what follows from them, for switches and for the blanks of sentences."""
    own = {field.name: getattr(rules, field.name) for field in fields(rules)}
    play = {field.name: getattr(rules.play, field.name) for field in fields(rules.play)}
    derived = {name: getattr(rules, name) for name in DERIVED}
    columns = ", ".join(map(str, rules.columns))
    written = {"columns": columns, "goal": _goal(rules), "length": _length(rules), "extras": _extras(rules)}
    return {**own, **play, **derived, **written, "dealt": (rules.layout, ONE if rules.pile_size == 1 else SEVERAL)}


def _goal(rules: Rules) -> object:
    if rules.target == 0:
        return "none"
    return rules.scoring is Scoring.HANDS, ONE if rules.target == 1 else SEVERAL


def _length(rules: Rules) -> str:
    """How the number of hands is fixed: not at all, to one, to so many, or to so many at the latest."""
    if rules.rounds < 2:
        return ONE if rules.rounds else "open"
    return "at the latest" if rules.target else "fixed"


def _extras(rules: Rules) -> str | None:
    """The ranks of extra value; empty for none, None where cards are not counted."""
    if not rules.counts:
        return None
    return ", ".join(f"{RANKS[rank - 1]} {extra:+d}" for rank, extra in rules.rank_extras)
