"""What is typed as values: whole numbers, and one side with its name, people, look, deck and handicap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from unicodedata import decimal

from scorekeeper.errors import RulesError
from scorekeeper.guide.marks import mark
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.names import clean
from scorekeeper.rules.sides import COLORS, PATTERNS, Handicap, Side, side_id
from web.language import gettext as _
from web.language import said

LONGEST = 160
"""Most letters that one field of a row keeps."""


COLOR_WORDS = {
    "#b3123f": "red rot rote roter rotes",
    "#0072b2": "blue blau blaue blauer blaues",
    "#007a59": "green grün grüne grüner grünes",
    "#d55e00": "orange",
    "#a87400": "yellow gold gelb gelbe gelber gelbes",
    "#7f3c8d": "purple violet lila violett violette",
    "#c2578f": "pink rosa",
    "#222222": "black schwarz schwarze schwarzer schwarzes",
    "#6c6c6c": "grey gray silver grau graue grauer graues silber",
    "#7b4a12": "brown braun braune brauner braunes",
    "#00828c": "turquoise teal türkis",
}
"""What people call the colour of a deck, in the languages of the pages; white patterns show on each."""

DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-")
"""What keyboards write for a minus."""


def plain(text: str) -> str:
    """*text* with the dash and the digits of a plain keyboard: ``−٥`` is ``-5``."""
    typed = clean(text).translate(DASHES)
    return "".join(str(decimal(letter, letter)) for letter in typed)


def whole_number(text: str) -> int | None:
    """The whole number typed as *text*; None when it is none."""
    typed = plain(text)
    return int(typed) if re.fullmatch(r"[+-]?[0-9]{1,6}", typed) else None


def penalty_typed(text: str) -> int | None:
    """What *text* adds as a penalty: ``5`` and ``-5`` take 5 off, ``+5`` adds 5; None when it is no whole number."""
    number = whole_number(text)
    return number if number is None or plain(text).startswith("+") else -abs(number)


def penalty_text(points: int) -> str:
    """How *points* are typed as a penalty: ``5`` for what is taken off, ``+5`` for what is added."""
    return f"{points:+d}" if points > 0 else str(-points)


@dataclass(frozen=True, slots=True)
class SideRow:
    """One row of a form; without a name and without people nobody sits there."""

    name: str = ""
    color: str = COLORS[0]
    pattern: str = PATTERNS[0]
    deck: str = ""
    people: str = ""
    """Names with commas between them."""
    start: str = ""
    pile: str = ""
    per_hand: str = ""

    @property
    def members(self) -> tuple[str, ...]:
        """The people as typed, one name each."""
        return people_of(self.people)

    @property
    def title(self) -> str:
        """The name of the side; its people where it has no name of its own."""
        return clean(self.name) or " & ".join(self.members)

    @property
    def look(self) -> tuple[str, str]:
        """Colour and pattern."""
        return self.color, self.pattern

    def with_look(self, look: tuple[str, str]) -> SideRow:
        """The same row in another colour and pattern."""
        return replace(self, color=look[0], pattern=look[1])

    @property
    def more(self) -> bool:
        """Whether anything beyond the name was typed."""
        return any(text.strip() for text in (self.deck, self.people, self.start, self.pile, self.per_hand))

    def read(self, taken: Iterable[str], wrong: list[str]) -> Side | None:
        """The side, its short name not *taken*; None when every reason against it was added to *wrong*."""
        handicap = read_handicap(self.title, self.start, self.pile, self.per_hand, wrong)
        deck = DeckId(clean(self.deck)) if clean(self.deck) else None
        own = side_id(self.title, taken)
        try:
            return Side(own, self.title, self.color, deck, self.pattern, self.members, handicap or Handicap())
        except RulesError as error:
            wrong.extend(said(part) for part in error.reasons)
            return None


def fresh_row(number: int) -> SideRow:
    """The empty row *number*, counted from 0, in a look of its own."""
    pattern = PATTERNS[(number + number // len(COLORS)) % len(PATTERNS)]
    return SideRow("", COLORS[number % len(COLORS)], pattern)


def row_of(side: Side) -> SideRow:
    """The row of a side that played before; its handicap belonged to that game."""
    return SideRow(side.name, side.color, side.pattern, side.deck or "", ", ".join(side.members))


def color_of(deck: str) -> str | None:
    """The colour that the name of a deck says, such as ``red bicycles``; None where it says none."""
    words = re.findall(r"\w+", deck.casefold())
    return next((color for color, names in COLOR_WORDS.items() if set(words) & set(names.split())), None)


def read_row(typed: Mapping[str, str], name: str, number: int, suffix: str = "") -> SideRow:
    """A row as posted, its fields called ``people`` and so on with *suffix*.

    A side whose colour nobody chose has the colour that the name of its deck says.
    """
    fresh = fresh_row(number)

    def field(what: str, otherwise: str = "") -> str:
        return typed.get(f"{what}{suffix}", otherwise)[:LONGEST]

    color = field("color", fresh.color)
    said_by_deck = color_of(field("deck")) if color == fresh.color else None
    return SideRow(
        name[:LONGEST],
        said_by_deck or color,
        field("pattern", fresh.pattern),
        *(field(what) for what in ("deck", "people", "start", "pile", "per_hand")),
    )


def people_of(text: str) -> tuple[str, ...]:
    """Names typed with commas between them."""
    return tuple(name for name in map(clean, re.split(r"[,;،、]", text)) if name)


def read_handicap(name: str, start: str, pile: str, per_hand: str, wrong: list[str]) -> Handicap | None:
    """A handicap as typed, empty for none; None when every reason against it was added to *wrong*."""
    numbers = {"start": start, "pile": pile, "per_hand": per_hand}
    typed = {what: whole_number(text) for what, text in numbers.items() if text.strip()}
    for what in (what for what, number in typed.items() if number is None):
        message = mark("%(name)s: %(text)r is no whole number: enter the handicap")
        wrong.append(_(message, name=name, text=numbers[what].strip()))
    if None in typed.values():
        return None
    try:
        return Handicap(typed.get("start") or 0, typed.get("pile"), typed.get("per_hand") or 0)
    except RulesError as error:
        wrong.extend(f"{name}: {said(part)}" for part in error.reasons)
        return None
