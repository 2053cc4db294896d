"""The referee guide: questions that come up at the table, answered by the house rules in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scorekeeper.errors import NotFoundError
from scorekeeper.guide import call, cards, game, table
from scorekeeper.guide.entry import AtThisTable, Entry, Topic, values_of
from scorekeeper.guide.marks import mark
from scorekeeper.rules.house import Rules
from scorekeeper.rules.layout import Layout
from scorekeeper.rules.presets import laid_out_as

TOPICS: tuple[Topic, ...] = (*table.TOPICS, *cards.TOPICS, *call.TOPICS, *game.TOPICS)
"""Every topic, in the order of an evening."""

ENTRIES: tuple[Entry, ...] = tuple(entry for topic in TOPICS for entry in topic.entries)

_EVERYWHERE = frozenset({"deck", "layout", "other-games", "target", "rounds"})
_UNTOLD = frozenset({"shuffle", "flip", "stuck-all", "partners"})
"""What the texts leave open in Nuts."""

OWN: Mapping[Layout, frozenset[str]] = {
    Layout.NUTS: frozenset(entry.id for entry in ENTRIES) - _UNTOLD,
    Layout.PISHE_PASHA: _EVERYWHERE | {"score"},
    Layout.DOUBLE_SOLITAIRE: _EVERYWHERE,
    Layout.CANFIELD: _EVERYWHERE | {"score"},
}
"""The entries whose house rules a related game has (rules J2, J5)."""

_VARIANTS = ("nuts", "other-games")
RELATED: tuple[Topic, ...] = (
    Topic("related", mark("The game"), tuple(entry for entry in ENTRIES if entry.id in _VARIANTS)),
    *(replace(topic, entries=tuple(each for each in topic.entries if each.id not in _VARIANTS)) for topic in TOPICS),
)
"""The topics of a related game's card: what is its own comes first."""

__all__ = [
    "ENTRIES",
    "TOPICS",
    "AtThisTable",
    "Entry",
    "Topic",
    "at_this_table",
    "find_entry",
    "rules_card",
    "values_of",
]


def find_entry(name: str) -> Entry:
    """The entry called *name*; raises NotFoundError."""
    for each in ENTRIES:
        if each.id == name:
            return each
    raise NotFoundError(f"the guide has no entry {name!r}: look at its list of questions")


def at_this_table(entry: Entry, rules: Rules) -> tuple[AtThisTable, ...]:
    """What house rules say about *entry* in the game that is laid out.

    A related game has fewer rules than Nertz: of the others it keeps what the table itself has changed (rules J5, K13).
    """
    own = OWN.get(rules.layout)
    if own is None or entry.id in own:
        return entry.house
    now, usual = values_of(rules), values_of(laid_out_as(rules.layout).rules)
    return tuple(each for each in entry.house if now.get(each.switch) != usual.get(each.switch))


def rules_card(rules: Rules) -> list[tuple[Topic, dict[str, list[str]]]]:
    """The house rules on one page: topic after topic, what each labelled switch says (rules A11)."""
    topics = TOPICS if rules.layout is Layout.NERTZ else RELATED
    return [(topic, lines) for topic in topics if (lines := _lines(topic, rules))]


def _lines(topic: Topic, rules: Rules) -> dict[str, list[str]]:
    lines: dict[str, list[str]] = {}
    for each in (each for entry in topic.entries for each in at_this_table(entry, rules) if each.label):
        if said := each.sentence(rules):
            lines.setdefault(each.label, []).append(said)
    return lines
