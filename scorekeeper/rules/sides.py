"""Who sits at the table: sides of one to three people, each with its deck, look and handicap."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NewType

from scorekeeper.errors import RulesError
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.names import clean, is_shown

SideId = NewType("SideId", str)
"""A word without spaces, unique in its game and used in notation, such as "amy" or "the-smiths"."""

PATTERNS = ("solid", "dash", "dot", "double", "zigzag", "wave", "cross", "check", "bar", "ring", "star", "plain")
"""Outlines that tell sides apart without colour."""

COLORS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
    "#7f3c8d", "#8a6d00", "#b3123f", "#3d5a80", "#4f772d", "#6c6c6c",
)  # fmt: skip
"""Colours for the first twelve sides, apart from each other for colour-blind people too."""

MAX_NAME = 40
"""Longest name of a side or a person in characters."""
MAX_MEMBERS = 3
"""Most people of one side (rules A3)."""
MAX_POINTS = 100_000
"""Most points that anybody can be given or lose by one entry."""


@dataclass(frozen=True, slots=True)
class Handicap:
    """What evens out experience; any of the three, none by default (rules H6)."""

    start: int = 0
    """Points the side starts with, also the typed score of one that joins late."""
    pile_size: int | None = None
    """Cards of its Nertz pile; None for as many as everybody's."""
    per_hand: int = 0
    """Points added to each of its hands."""

    def __post_init__(self) -> None:
        if wrong := [*self._wrong()]:
            raise RulesError(*wrong)

    def _wrong(self) -> Iterator[str]:
        for what, value in (("starting score", self.start), ("handicap for each hand", self.per_hand)):
            if not is_whole(value) or abs(value) > MAX_POINTS:
                yield f"the {what} must be a whole number up to {MAX_POINTS}, not {value!r}"
        if self.pile_size is not None and not (is_whole(self.pile_size) and 1 <= self.pile_size <= 48):
            yield f"the Nertz pile of a side must have 1 to 48 cards, not {self.pile_size!r}"


@dataclass(frozen=True, slots=True)
class Side:
    """One player or one team: who scores, with the deck it plays (rules A2)."""

    id: SideId
    name: str
    color: str
    """``#rrggbb``."""
    deck: DeckId | None = None
    """None until its back is enrolled; typed hands need none."""
    pattern: str = "solid"
    """One of PATTERNS."""
    members: tuple[str, ...] = ()
    """The people of a team, three at most; empty for a player who goes by the name of the side (rules A3)."""
    handicap: Handicap = field(default_factory=Handicap)

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", tuple(self.members))
        if wrong := [*_wrong_words(self), *_wrong_members(self), *_wrong_look(self)]:
            raise RulesError(*wrong)

    @property
    def people(self) -> tuple[str, ...]:
        """Who plays for this side: its members, or the one player it is named after."""
        return self.members or (self.name,)


def _wrong_words(side: Side) -> Iterable[str]:
    if not is_side_id(side.id):
        yield f"{side.id!r} can't be the short name of a side: use letters, digits, hyphens and dots without spaces"
    if not is_name(side.name):
        yield f"{side.name!r} can't be the name of a side: use 1 to {MAX_NAME} letters without spaces around them"
    if side.deck is not None and not is_text(side.deck, MAX_NAME):
        yield f"{side.deck!r} can't be the name of a deck: use 1 to {MAX_NAME} letters, such as 'red'"


def _wrong_members(side: Side) -> Iterable[str]:
    if len(side.members) > MAX_MEMBERS:
        yield f"{side.name} has {len(side.members)} people: a side has {MAX_MEMBERS} at most, so make two sides"
    for member in side.members:
        if not is_name(member):
            yield f"{member!r} can't be the name of a person: use 1 to {MAX_NAME} letters without spaces around them"


def _wrong_look(side: Side) -> Iterable[str]:
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", side.color):
        yield f"{side.color!r} is no colour of a side: write it like '#0072b2'"
    if side.pattern not in PATTERNS:
        yield f"{side.pattern!r} is no pattern of a side: choose one of {', '.join(PATTERNS)}"


def is_whole(value: object) -> bool:
    """Whether *value* is a whole number, and no true or false."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(text: str, longest: int) -> bool:
    """Whether *text* can be shown and stored: not blank, every sign of it seen, at most *longest* characters."""
    return bool(clean(text)) and is_shown(text) and len(text) <= longest


def is_name(text: str) -> bool:
    """Whether *text* can name a side or a person."""
    return text == text.strip() and is_text(text, MAX_NAME)


def is_side_id(text: str) -> bool:
    """Whether *text* can stand for a side in notation: letters, digits, ``-``, ``_`` and ``.``, the first no mark."""
    return 0 < len(text) <= MAX_NAME and text[0].isalnum() and all(_is_word(char) or char in "-_." for char in text)


def _is_word(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char).startswith("M")


def side_id(name: str, taken: Iterable[str] = ()) -> SideId:
    """A short name for *name* that is not *taken*: ``The Smiths`` becomes ``the-smiths``, then ``the-smiths-2``."""
    words = "".join(char if _is_word(char) else " " for char in name.lower()).split()
    base = "-".join(words)[: MAX_NAME - 4].strip("-")
    base = base if is_side_id(base) else "side"
    used, number, text = set(taken), 1, base
    while text in used:
        number += 1
        text = f"{base}-{number}"
    return SideId(text)


def make_sides(names: Sequence[str], decks: Mapping[str, DeckId] | None = None) -> tuple[Side, ...]:
    """Sides for *names* in order, each with its own short name, colour and pattern; *decks* by name."""
    sides: list[Side] = []
    for number, name in enumerate(names):
        own = side_id(name, [side.id for side in sides])
        color, pattern = COLORS[number % len(COLORS)], PATTERNS[number % len(PATTERNS)]
        sides.append(Side(own, name, color, (decks or {}).get(name), pattern))
    return tuple(sides)
