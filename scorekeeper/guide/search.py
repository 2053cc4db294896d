"""Finds entries by what somebody types in a hurry: any ending, two languages, a wrong letter, any table's words."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from itertools import pairwise

from snowballstemmer import stemmer

from scorekeeper.guide.vocabulary import APART, IDLE, names_in_index

TITLE, HINTS, TEXT = 1.0, 0.5, 0.05
"""What a word of the question, of the search words, or of the answer is worth."""
WORTH_SHOWING = 0.35
"""Entries that fit less than this share of the best are left out."""
ALIKE = 0.8
"""How much of its letters a mistyped word shares with the one that was meant, 0 to 1."""
LONG = 4
"""Fewest letters of a word that is completed or corrected, and of a German stem."""


@dataclass(frozen=True, slots=True)
class Document:
    """One entry as the reader sees it."""

    id: str
    title: str
    hints: str
    text: str

    @property
    def fields(self) -> tuple[str, str, str]:
        return self.title, self.hints, self.text


def search(query: str, documents: Iterable[Document]) -> list[str]:
    """Ids of the documents that fit *query*, best first; all of them, in order, for a query that says nothing.

    A document whose very title is asked comes before all others.
    """
    known = list(documents)
    if not words_of(query):
        return [each.id for each in known]
    words = {word for each in known for text in each.fields for word in _split(text)}
    wanted = words_of(_spelled(query, words | _WORDS)) or words_of(query)
    pairs = [" ".join(pair) for pair in pairwise(wanted)]
    found = [known[row] for row in _ranked([*wanted, *pairs], known)]
    return [each.id for each in sorted(found, key=lambda each: set(words_of(each.title)) != set(wanted))]


def _ranked(phrases: Sequence[str], documents: Iterable[Document]) -> list[int]:
    """Rows of the *documents* with any of the *phrases*, from the best fit to those just worth showing."""
    match = " OR ".join(f'"{phrase}"' for phrase in phrases)
    fit = f"bm25(entry, {TITLE}, {HINTS}, {TEXT})"
    with closing(sqlite3.connect(":memory:")) as index:
        index.execute("CREATE VIRTUAL TABLE entry USING fts5(title, hints, text)")
        rows = [[" ".join(words_of(text)) for text in each.fields] for each in documents]
        index.executemany("INSERT INTO entry VALUES (?, ?, ?)", rows)
        ranked = f"SELECT rowid - 1, {fit} FROM entry WHERE entry MATCH ? ORDER BY 2, 1"
        found = index.execute(ranked, [match]).fetchall()
    return [row for row, rank in found if rank <= WORTH_SHOWING * found[0][1]]


def _spelled(query: str, known: Collection[str]) -> str:
    """*query* in *known* words as far as possible; its last word may not be whole yet."""
    stems, (*typed, last) = {_stem(word) for word in known}, _split(query)
    words = [word if _stem(word) in stems else _meant(word, known, stems) for word in typed]
    if _stem(last) not in stems:
        begun = " ".join(word for word in known if word.startswith(last)) if len(last) >= LONG else ""
        last = begun or _meant(last, known, stems)
    return " ".join([*words, last])


def _meant(word: str, known: Collection[str], stems: Collection[str]) -> str:
    """What a strange *word* stands for: the one it nearly is, or those it is made of; else itself."""
    near = [each for each in known if each[0] == word[0] and not word.startswith(each)]
    close = get_close_matches(word, near, 1, ALIKE) if len(word) >= LONG else []
    return close[0] if close else _parts(word, stems) or word


def _parts(word: str, stems: Collection[str]) -> str:
    """The two words that a German compound is made of: ``Bonuspunkte`` is bonus and Punkte."""
    for cut in range(3, len(word) - 2):
        if _stem(word[cut:]) in stems:
            for first in _unbound(word[:cut]):
                if _stem(first) in stems:
                    return f"{first} {word[cut:]}"
    return ""


def _unbound(word: str) -> Iterator[str]:
    """*word* as it is, and without what binds it to the next."""
    yield word
    yield from (word.removesuffix(link) for link in ("s", "n", "en", "es", "er", "e") if word.endswith(link))


@lru_cache(maxsize=1024)
def words_of(text: str) -> tuple[str, ...]:
    """The words of *text* that say something, in their plainest form; one name for what tables call differently."""
    plain = _PHRASES.sub(lambda match: _NAMES[match[0]], _stems(text))
    return tuple(word for word in plain.split() if not word.isupper())


def _stems(text: str) -> str:
    return " ".join(_stem(word) for word in _split(text))


@lru_cache(maxsize=1024)
def _split(text: str) -> tuple[str, ...]:
    """The words of *text* in small letters, without accents."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return tuple(re.findall(r"\w+", "".join(char for char in apart if not unicodedata.combining(char))))


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    """*word* without its endings in either language, ``Karten`` is ``kart``; in capitals when it says nothing."""
    if word in _IDLE:
        return word.upper()
    english = str(stemmer("english").stemWord(_APART.get(word, word)))
    german = str(stemmer("german").stemWord(english))
    return german if len(german) >= LONG else english


_IDLE = frozenset(_split(IDLE))
_APART = {plain: meant for word, meant in APART.items() for plain in _split(word)}
_WORDS = _IDLE.union(plain for phrase, _ in names_in_index() for plain in _split(phrase))
_NAMES = {_stems(phrase): name for phrase, name in names_in_index()}
_PHRASES = re.compile(rf"\b({'|'.join(sorted(map(re.escape, _NAMES), key=len, reverse=True))})\b")
