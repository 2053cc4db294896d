"""Finds entries by what somebody types in a hurry: any case, accents, plurals, a wrong letter, any table's words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from scorekeeper.guide.vocabulary import VOCABULARIES

SAME: Mapping[str, tuple[str, ...]] = {
    "nertzpile": ("reserve", "bone pile", "goal pile", "blitz pile", "dreizehner", "ligretto stapel"),
    "lake": ("foundation", "common area", "centre", "common pile", "mitte", "tischmitte", "ablage", "zielstapel"),
    "river": ("work pile", "tableau", "column", "building pile", "solitaire row", "reihe", "spalte", "hilfsreihe"),
    "stream": ("stock", "waste", "draw pile", "talon", "nachziehstapel", "handkarten", "stoß"),
    "call": ("calling", "called", "shout", "yell", "ruf", "ruft", "gerufen"),
}
"""Other words for what a vocabulary names, in both languages; a query for one finds the others."""

NAMED: Mapping[str, str] = {
    "Game": "nertz", "Call": "nertz", "Pile": "nertzpile", "Lake": "lake", "River": "river", "Stream": "stream",
}  # fmt: skip
"""What each word of a vocabulary is called in the index."""

IDLE = frozenset((
    "a", "an", "and", "any", "are", "at", "be", "can", "do", "does", "for", "from", "have", "how", "i", "if", "in",
    "is", "it", "may", "me", "must", "my", "of", "on", "one", "or", "our", "somebody", "the", "there", "this", "to",
    "us", "we", "what", "when", "where", "which", "who", "whose", "why", "with", "you", "your", "am", "auf", "aus",
    "bei", "das", "dem", "den", "der", "des", "die", "ein", "eine", "einen", "er", "es", "für", "hat", "ich", "ihr",
    "im", "ist", "kann", "man", "mein", "meine", "mir", "mit", "muss", "oder", "sich", "sie", "sind", "uns", "und",
    "von", "vom", "was", "welche", "wem", "wenn", "wer", "wie", "wird", "wir", "wo", "zu", "zum", "zur",
))  # fmt: skip
"""Words that say nothing in a question."""

EXACT, BEGUN, CLOSE = 1.0, 0.7, 0.4
"""What a match of a whole word, of its beginning, or of nearly the word is worth."""
TITLE, HINT, TEXT = 6.0, 4.0, 1.0
"""What a match in the question, in the search words, or in the answer is worth."""


@dataclass(frozen=True, slots=True)
class Document:
    """One entry as the reader sees it."""

    id: str
    title: str
    hints: str
    text: str


def search(query: str, documents: Iterable[Document]) -> list[str]:
    """Ids of the documents that fit *query*, best first; all of them, in order, for an empty query."""
    known = list(documents)
    typed = " ".join(re.findall(r"\w+", query))
    wanted = words_of(" ".join(word for word in typed.split() if word.casefold() not in IDLE)) or words_of(typed)
    if not wanted:
        return [each.id for each in known]
    scores = {each.id: _scores(wanted, each) for each in known}
    found = [each.id for each in known if any(scores[each.id])]
    most = max((_matched(scores[name]) for name in found), default=0)
    fitting = [name for name in found if _matched(scores[name]) == most]
    return sorted(fitting, key=lambda name: -sum(scores[name]))


def _matched(scores: Sequence[float]) -> int:
    return sum(score > 0 for score in scores)


def _scores(wanted: Sequence[str], document: Document) -> list[float]:
    """What each wanted word scores in *document*."""
    fields = ((TITLE, words_of(document.title)), (HINT, words_of(document.hints)), (TEXT, words_of(document.text)))
    return [max(weight * _fit(word, field) for weight, field in fields) for word in wanted]


def _fit(word: str, field: Sequence[str]) -> float:
    """How well *word* stands in *field*, 0 to 1."""
    if word in field:
        return EXACT
    if len(word) >= 2 and any(each.startswith(word) for each in field):
        return BEGUN
    if len(word) >= 5 and get_close_matches(word, field, 1, 0.8):
        return CLOSE
    return 0.0


@lru_cache(maxsize=2048)
def words_of(text: str) -> tuple[str, ...]:
    """The words of *text* in their plainest form, what tables call differently under one name."""
    plain = " ".join(_stem(word) for word in re.findall(r"\w+", _plain(text)))
    return tuple(_PHRASES.sub(lambda match: _NAMES[match[0]], plain).split())


def _plain(text: str) -> str:
    """Small letters without accents."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in apart if not unicodedata.combining(char))


def _stem(word: str) -> str:
    """*word* without the ending of its plural, in either language: ``piles`` and ``pile``, ``Karten`` and ``Karte``."""
    for ending in ("ies", "es", "en", "s", "n", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending) + ("y" if ending == "ies" else "")
    return word


def _names() -> Iterator[tuple[str, str]]:
    """Every phrase of two languages in its plainest form, with its name in the index."""
    for each in VOCABULARIES.values():
        yield f"{each['Game']} Stapel", "nertzpile"
        yield from ((word, NAMED[role]) for role, word in each.items() if len(word) > 3)
    yield from ((phrase, name) for name, phrases in SAME.items() for phrase in phrases)


_NAMES = {" ".join(_stem(word) for word in _plain(phrase).split()): name for phrase, name in _names()}
_PHRASES = re.compile(rf"\b({'|'.join(sorted(map(re.escape, _NAMES), key=len, reverse=True))})\b")
