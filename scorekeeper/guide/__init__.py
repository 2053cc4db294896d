"""The referee guide: questions that come up at the table, answered by the house rules in force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from scorekeeper.errors import NotFoundError
from scorekeeper.guide import call, cards, game, table
from scorekeeper.guide.entry import AtThisTable, Entry, Topic, values_of
from scorekeeper.guide.marks import mark
from scorekeeper.guide.shared import OTHER_GAMES
from scorekeeper.rules.house import Rules
from scorekeeper.rules.layout import Layout
from scorekeeper.rules.presets import laid_out_as

TOPICS: tuple[Topic, ...] = (*table.TOPICS, *cards.TOPICS, *call.TOPICS, *game.TOPICS)
"""Every topic, in the order of an evening."""

ENTRIES: tuple[Entry, ...] = tuple(entry for topic in TOPICS for entry in topic.entries)

_EVERYWHERE = frozenset({"deck", "layout", "other-games", "target", "rounds"})
_UNTOLD = frozenset({"sides", "shuffle", "flip", "stuck-all", "burn", "nertz-burn", "partners"})
"""What the texts leave open in Nuts."""

OWN: Mapping[Layout, frozenset[str]] = {
    Layout.NUTS: frozenset(entry.id for entry in ENTRIES) - _UNTOLD,
    Layout.PISHE_PASHA: _EVERYWHERE | {"score"},
    Layout.DOUBLE_SOLITAIRE: _EVERYWHERE,
    Layout.CANFIELD: _EVERYWHERE | {"score"},
}
"""The entries whose house rules a related game has (rules J2, J5)."""

_SCORE = frozenset(
    {
        "other-games", "layout", "deck", "agree", "scorekeeper", "writing", "score", "dispute", "penalties", "target",
        "rounds", "won-game",
    }
)  # fmt: skip
TOLD: Mapping[Layout, frozenset[str]] = {
    Layout.NUTS: OWN[Layout.NUTS] - {"late"} | {"sides", "shuffle"},
    **dict.fromkeys(OTHER_GAMES, _SCORE),
}
"""The entries that hold in a related game: all but what Nuts leaves open; of the others, how the score is kept."""

_VARIANTS = ("nuts", "other-games")
RELATED: tuple[Topic, ...] = (
    Topic("related", mark("The game"), tuple(entry for entry in ENTRIES if entry.id in _VARIANTS)),
    *(replace(topic, entries=tuple(each for each in topic.entries if each.id not in _VARIANTS)) for topic in TOPICS),
)
"""The topics of a related game: what is its own comes first."""

__all__ = [
    "ENTRIES",
    "TOPICS",
    "AtThisTable",
    "Entry",
    "Topic",
    "answer",
    "at_this_table",
    "find_entry",
    "rules_card",
    "topics_of",
    "values_of",
]


def find_entry(name: str, among: Iterable[Entry] = ENTRIES) -> Entry:
    """The entry called *name*; raises NotFoundError."""
    for each in among:
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


def answer(entry: Entry, rules: Rules) -> tuple[str, ...]:
    """The whole answer under *rules*: what holds everywhere, and what the house rules add."""
    return (entry.opening(rules), *(said for each in at_this_table(entry, rules) if (said := each.sentence(rules))))


def topics_of(rules: Rules) -> tuple[Topic, ...]:
    """The guide of a game: the topics with the entries that hold in it, or that its table has changed (rules J5)."""
    told = TOLD.get(rules.layout)
    if told is None:
        return TOPICS
    holding = (
        replace(topic, entries=tuple(each for each in topic.entries if each.id in told or at_this_table(each, rules)))
        for topic in RELATED
    )
    return tuple(topic for topic in holding if topic.entries)


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
