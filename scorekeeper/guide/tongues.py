"""The languages that the guide's search knows, each with its endings, its words for one thing and its small words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from scorekeeper.guide import french, spanish
from scorekeeper.guide.vocabulary import APART, IDLE, OTHER_NAMES, VOCABULARIES, names_in_index


@dataclass(frozen=True, slots=True, kw_only=True)
class Tongue:
    """What is known of one language, or of two that are mixed at a table."""

    stemmer: str
    """Snowball's algorithm for its endings, used after that for English."""
    names: Mapping[str, str]
    """Phrases that stand for something with several words for it, and its name: an English word, or what the index
    calls it in the language that the guide is written in."""
    idle: str
    """Words that say nothing in a question."""
    apart: Mapping[str, str] = field(default_factory=dict)
    """Words that would fall together with another without their endings, and the word that stands for each."""
    compounds: bool = False
    """Whether two words may be written as one."""


WRITTEN = "en"
"""The language the guide is written in; German is mixed with it."""


def _named(
    same: Iterable[tuple[str, ...]], piles: str, calls: Iterable[str], asked: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Every phrase of a language with its English name: the words for one thing, and the names of the game in them."""
    for name, *phrases in same:
        yield from ((phrase, name) for phrase in phrases)
    games = [words["Game"] for words in VOCABULARIES.values()]
    for game in (*games, *OTHER_NAMES):
        yield game, "Nertz"
        yield f"{piles} {game}", "Nertz pile"
        if game != "Nuts":
            yield from ((phrase.format(game), "what is Nertz") for phrase in asked)
    yield from ((f"{call} {game}", "call") for game in games for call in calls)


def _own(stemmer: str, names: Iterator[tuple[str, str]], idle: str) -> Tongue:
    return Tongue(stemmer=stemmer, names=dict(names), idle=idle)


TONGUES: Mapping[str, Tongue] = MappingProxyType(
    {
        WRITTEN: Tongue(stemmer="german", names=dict(names_in_index()), idle=IDLE, apart=APART, compounds=True),
        "es": _own("spanish", _named(spanish.SAME, spanish.PILE, spanish.CALLS, spanish.ASKED), spanish.IDLE),
        "fr": _own("french", _named(french.SAME, french.PILE, french.CALLS, french.ASKED), french.IDLE),
    }
)
"""By language; one that is not here is searched like the one the guide is written in."""
