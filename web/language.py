"""Every message of the pages, in the reader's language and in the table's words for its game."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from babel import Locale
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import get_decimal_symbol as read_decimal_symbol
from flask import Flask, current_app, g, has_request_context, request
from markupsafe import Markup

from scorekeeper.errors import ScorekeeperError
from scorekeeper.guide.vocabulary import VOCABULARIES, Vocabulary
from scorekeeper.rules.house import Words
from scorekeeper.rules.names import isolated, isolated_runs
from scorekeeper.rules.said import Names, Said, written

SOURCES = Path(__file__).parent / "translations"
"""One ``<language>.po`` for each language but that of the messages."""


def own_name(language: str) -> str:
    """What a language calls itself, as the foot of a page offers it: ``Deutsch``."""
    return str(Locale(language).get_language_name()).capitalize()


SPOKEN = "en"
"""The language the messages are written in."""
LANGUAGES: Mapping[str, str] = {
    language: own_name(language) for language in (SPOKEN, *sorted(path.stem for path in SOURCES.glob("*.po")))
}
"""Each language in its own words, the one of the messages first; a file more is a language more."""
COOKIE = "language"
WordsAt = Callable[[str], Words]
"""What the table of a game calls things, by the id of the game; raises ScorekeeperError when there is no such game."""


def speak(app: Flask, words_at: WordsAt) -> None:
    """Gives the pages their messages; *words_at* says what the table of a game calls things."""
    app.extensions[COOKIE] = words_at
    app.jinja_env.globals.update(_=in_page, ngettext=in_page_many, said=said, language=language, languages=LANGUAGES)


def language() -> str:
    """The language of this request: as chosen at the foot of a page, else as the browser asks; English outside one."""
    if not has_request_context():
        return SPOKEN
    wishes = [
        request.cookies.get(COOKIE, ""),
        *(tag.partition("-")[0].lower() for tag in request.accept_languages.values()),
    ]
    return next((wish for wish in wishes if wish in LANGUAGES), SPOKEN)


def locale() -> str:
    """How this request writes dates, numbers and lists; English as the British do."""
    return "en_GB" if language() == SPOKEN else language()


@cache
def decimal_symbol(locale: str) -> str:
    """The decimal mark of a locale; a board asks for it with every number."""
    return read_decimal_symbol(locale)


@cache
def catalog(name: str) -> NullTranslations:
    """The messages of one language, compiled in memory."""
    if name == SPOKEN:
        return NullTranslations()
    compiled = io.BytesIO()
    with (SOURCES / f"{name}.po").open("rb") as source:
        write_mo(compiled, read_po(source, locale=name))
    compiled.seek(0)
    return GNUTranslations(compiled)


def table_words() -> Vocabulary:
    """What the table of this request calls things; the usual words where no game is at hand."""
    if not has_request_context():
        return VOCABULARIES[Words.NERTZ]
    if "words" not in g:
        game_id = (request.view_args or {}).get("game_id")
        g.words = _words_at(game_id) if game_id else Words.NERTZ
    return VOCABULARIES[g.words]


def use(words: Words) -> None:
    """From here on this request speaks with *words*."""
    g.words = words


def _words_at(game_id: str) -> Words:
    words_at: WordsAt = current_app.extensions[COOKIE]
    try:
        return words_at(game_id)
    except ScorekeeperError:
        return Words.NERTZ


class Values(dict[str, object]):
    """What stands for the placeholders of a message: the values given, and the table's words for all others.

    A name that is written from the right stays where it stands.
    """

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__({name: _shown(value) for name, value in values.items()})

    def __missing__(self, name: str) -> str:
        return catalog(language()).gettext(table_words()[name])


def _shown(value: object) -> object:
    if type(value) in (int, float):
        return str(value).replace("-", "\N{MINUS SIGN}").replace(".", decimal_symbol(locale()))
    return isolated(value) if type(value) is str else value


def gettext(message: str, /, **values: object) -> str:
    """*message* in the reader's language and the table's words: ``gettext("In the %(Lake)s: %(sum)s", sum=9)``."""
    return catalog(language()).gettext(message) % Values(values)


def ngettext(one: str, many: str, num: int, /, **values: object) -> str:
    """The same for a number of things, which the message calls ``%(num)s``."""
    return catalog(language()).ngettext(one, many, num) % Values({**values, "num": num})


def in_page(message: str, /, **values: object) -> Markup:
    """``_`` of the templates: the message may hold markup, the values are escaped."""
    return Markup(catalog(language()).gettext(message)) % Values(values)


def in_page_many(one: str, many: str, num: int, /, **values: object) -> Markup:
    """``ngettext`` of the templates."""
    return Markup(catalog(language()).ngettext(one, many, num)) % Values({**values, "num": num})


def said(text: str) -> str:
    """A sentence of the rules as the reader's table says it; one that does not know how it was made stays as it is."""
    if not isinstance(text, Said) or not text.message:
        return isolated_runs(text)
    values = {name: _told(value) for name, value in text.values.items()}
    if text.many:
        return catalog(language()).ngettext(text.message, text.many, int(str(values["num"]))) % Values(values)
    return gettext(text.message, **values)


def _told(value: object) -> object:
    if isinstance(value, Names):
        return listed([said(each) for each in value])
    if isinstance(value, Fraction):
        return written(value).replace("-", "\N{MINUS SIGN}", 1).replace(".", decimal_symbol(locale()))
    return said(value) if isinstance(value, str) else value


_SPOKEN_LIKE_I = re.compile(r"h?[ií](?![aeouáéóú])", re.IGNORECASE)


def listed(names: Sequence[str]) -> str:
    """Names as people list them: ``Amy, Ben and Cleo``; a Spanish *y* becomes *e* before Irene."""
    plain = [isolated(str(name)) for name in names]
    text = format_list(plain, locale=locale())
    if language() == "es" and len(plain) > 1 and _SPOKEN_LIKE_I.match(plain[-1]):
        return f"{text.removesuffix(f' y {plain[-1]}')} e {plain[-1]}"
    return text
