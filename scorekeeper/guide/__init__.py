"""The referee guide: questions that come up at the table, answered by the house rules in force."""

from __future__ import annotations

from scorekeeper.errors import NotFoundError
from scorekeeper.guide import call, cards, game, table
from scorekeeper.guide.entry import AtThisTable, Entry, Topic, values_of
from scorekeeper.rules.house import Rules

TOPICS: tuple[Topic, ...] = (*table.TOPICS, *cards.TOPICS, *call.TOPICS, *game.TOPICS)
"""Every topic, in the order of an evening."""

ENTRIES: tuple[Entry, ...] = tuple(entry for topic in TOPICS for entry in topic.entries)

__all__ = ["ENTRIES", "TOPICS", "AtThisTable", "Entry", "Topic", "find_entry", "rules_card", "values_of"]


def find_entry(name: str) -> Entry:
    """The entry called *name*; raises NotFoundError."""
    for each in ENTRIES:
        if each.id == name:
            return each
    raise NotFoundError(f"the guide has no entry {name!r}: look at its list of questions")


def rules_card(rules: Rules) -> list[tuple[Topic, dict[str, list[str]]]]:
    """The house rules on one page: topic after topic, what each labelled switch says (rules A11)."""
    return [(topic, lines) for topic in TOPICS if (lines := _lines(topic, rules))]


def _lines(topic: Topic, rules: Rules) -> dict[str, list[str]]:
    lines: dict[str, list[str]] = {}
    for each in (each for entry in topic.entries for each in entry.house if each.label):
        if said := each.sentence(rules):
            lines.setdefault(each.label, []).append(said)
    return lines
