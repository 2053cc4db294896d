"""Finds entries by what somebody types in a hurry: any ending, their language, a wrong letter, any table's words."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import pairwise

from snowballstemmer import stemmer

from scorekeeper.guide.tongues import TONGUES, WRITTEN

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
    """One entry as the reader sees it; its hints are English and German."""

    id: str
    title: str
    hints: str
    text: str


def search(query: str, documents: Iterable[Document], language: str = WRITTEN) -> list[str]:
    """Ids of the documents in *language* that fit *query*, best first; all of them, in order, if it says nothing.

    A document whose very title is asked comes before all others. A query may be English, too.
    """
    known = list(documents)
    own = language if language in TONGUES else WRITTEN
    if not words_of(query, own):
        return [each.id for each in known]
    words = {each: _words(known, each, own) for each in (own, WRITTEN)}
    by_fit = sorted(words, key=lambda each: _strange(query, words[each], each))
    return next(filter(None, (_found(query, known, words[each], each) for each in by_fit)), [])


def _words(documents: Sequence[Document], language: str, own: str) -> Collection[str]:
    """The words of *language*, in documents whose own language may be another."""
    said = [each.hints for each in documents] if language == WRITTEN else []
    if language == own:
        said += [text for each in documents for text in (each.title, each.text)]
    return _lexicon(language).words.union(word for text in said for word in _split(text))


def _strange(query: str, known: Collection[str], language: str) -> int:
    """How many words of *query* are not *known* in this language, whatever their ending."""
    stems = {_stem(word, language) for word in known}
    return sum(_stem(word, language) not in stems for word in _split(query))


def _found(query: str, documents: Sequence[Document], known: Collection[str], language: str) -> list[str]:
    wanted = words_of(_spelled(query, known, language), language) or words_of(query, language)
    if not wanted:
        return []
    pairs = [" ".join(pair) for pair in pairwise(wanted)]
    found = [documents[row] for row in _ranked([*wanted, *pairs], documents, language)]
    return [each.id for each in sorted(found, key=lambda each: set(words_of(each.title, language)) != set(wanted))]


def _ranked(phrases: Sequence[str], documents: Iterable[Document], language: str) -> list[int]:
    """Rows of the *documents* with any of the *phrases*, from the best fit to those just worth showing."""
    match = " OR ".join(f'"{phrase}"' for phrase in phrases)
    fit = f"bm25(entry, {TITLE}, {HINTS}, {TEXT})"
    with closing(sqlite3.connect(":memory:")) as index:
        index.execute("CREATE VIRTUAL TABLE entry USING fts5(title, hints, text)")
        rows = [
            (_plain(each.title, language), _plain(each.hints, WRITTEN), _plain(each.text, language))
            for each in documents
        ]
        index.executemany("INSERT INTO entry VALUES (?, ?, ?)", rows)
        ranked = f"SELECT rowid - 1, {fit} FROM entry WHERE entry MATCH ? ORDER BY 2, 1"
        found = index.execute(ranked, [match]).fetchall()
    return [row for row, rank in found if rank <= WORTH_SHOWING * found[0][1]]


def _plain(text: str, language: str) -> str:
    return " ".join(words_of(text, language))


def _spelled(query: str, known: Collection[str], language: str) -> str:
    """*query* in *known* words as far as possible; its last word may not be whole yet."""
    stems, (*typed, last) = {_stem(word, language) for word in known}, _split(query)
    words = [word if _stem(word, language) in stems else _meant(word, known, stems, language) for word in typed]
    if _stem(last, language) not in stems:
        begun = " ".join(word for word in known if word.startswith(last)) if len(last) >= LONG else ""
        last = begun or _meant(last, known, stems, language)
    return " ".join([*words, last])


def _meant(word: str, known: Collection[str], stems: Collection[str], language: str) -> str:
    """What a strange *word* stands for: the one it nearly is, or those it is made of; else itself."""
    near = [each for each in known if each[0] == word[0] and not word.startswith(each)]
    close = get_close_matches(word, near, 1, ALIKE) if len(word) >= LONG else []
    return close[0] if close else _parts(word, stems, language) or word


def _parts(word: str, stems: Collection[str], language: str) -> str:
    """The two words that a German compound is made of: ``Bonuspunkte`` is bonus and Punkte."""
    for cut in range(3, len(word) - 2) if TONGUES[language].compounds else ():
        if _stem(word[cut:], language) in stems:
            for first in _unbound(word[:cut]):
                if _stem(first, language) in stems:
                    return f"{first} {word[cut:]}"
    return ""


def _unbound(word: str) -> Iterator[str]:
    """*word* as it is, and without what binds it to the next."""
    yield word
    yield from (word.removesuffix(link) for link in ("s", "n", "en", "es", "er", "e") if word.endswith(link))


@lru_cache(maxsize=8192)
def words_of(text: str, language: str = WRITTEN) -> tuple[str, ...]:
    """The words of *text* that say something, in their plainest form; one name for what tables call differently."""
    lexicon = _lexicon(language)
    plain = lexicon.phrases.sub(lambda match: lexicon.names[match[0]], _stems(text, language))
    return tuple(word for word in plain.split() if not word.isupper())


def _stems(text: str, language: str) -> str:
    return " ".join(_stem(word, language) for word in _split(text))


@lru_cache(maxsize=8192)
def _split(text: str) -> tuple[str, ...]:
    """The words of *text* in small letters, without accents."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return tuple(re.findall(r"\w+", "".join(char for char in apart if not unicodedata.combining(char))))


@lru_cache(maxsize=32768)
def _stem(word: str, language: str) -> str:
    """*word* without its endings, ``Karten`` is ``kart``; in capitals when it says nothing."""
    if word in _idle(language):
        return word.upper()
    stem = str(stemmer("english").stemWord(_apart(language).get(word, word)))
    further = str(stemmer(TONGUES[language].stemmer).stemWord(stem))
    return further if len(further) >= LONG else stem


@cache
def _idle(language: str) -> frozenset[str]:
    return frozenset(_split(TONGUES[language].idle))


@cache
def _apart(language: str) -> Mapping[str, str]:
    return {plain: meant for word, meant in TONGUES[language].apart.items() for plain in _split(word)}


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """The words of a language that the search knows without the documents."""

    words: frozenset[str]
    names: Mapping[str, str]
    """What the index calls a phrase, by the stems of the phrase."""
    phrases: re.Pattern[str]


@cache
def _lexicon(language: str) -> _Lexicon:
    named = TONGUES[language].names
    names = {_stems(phrase, language): _in_index(name, language) for phrase, name in named.items()}
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    words = _idle(language).union(plain for phrase in named for plain in _split(phrase))
    return _Lexicon(words, names, re.compile(rf"\b({'|'.join(longest_first)})\b"))


def _in_index(name: str, language: str) -> str:
    """A language of its own names things in English, and the index calls them what it calls that."""
    return name if language == WRITTEN else _plain(name, WRITTEN)
