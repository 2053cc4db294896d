"""What a hand is worth: sides, house rules, tallies and the points they make."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import NewType

from scorekeeper.errors import RulesError
from scorekeeper.rules.lake import DeckId

SideId = NewType("SideId", str)
"""A word without spaces, unique in its game and used in notation, such as "amy" or "the-smiths"."""

Points = Fraction
"""Exact points; whole numbers but where a bonus is shared (rules C9, L)."""

DECK = 52
"""Cards of a deck without jokers."""

PATTERNS = ("solid", "dash", "dot", "double", "zigzag", "wave", "cross", "check", "bar", "ring", "star", "plain")
"""Outlines that tell sides apart without colour."""

COLORS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
    "#7f3c8d", "#8a6d00", "#b3123f", "#3d5a80", "#4f772d", "#6c6c6c",
)  # fmt: skip
"""Colours for the first twelve sides, apart from each other for colour-blind people too."""

MAX_NAME = 40
"""Longest name of a side in characters."""


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

    def __post_init__(self) -> None:
        if wrong := [*_wrong_words(self), *_wrong_look(self)]:
            raise RulesError("; ".join(wrong))


def _wrong_words(side: Side) -> Iterable[str]:
    if not is_side_id(side.id):
        yield f"{side.id!r} can't be the short name of a side: use letters, digits, hyphens and dots without spaces"
    if side.name != side.name.strip() or not 0 < len(side.name) <= MAX_NAME or not side.name.isprintable():
        yield f"{side.name!r} can't be the name of a side: use 1 to {MAX_NAME} letters without spaces around them"
    if side.deck is not None and not is_text(side.deck, MAX_NAME):
        yield f"{side.deck!r} can't be the name of a deck: use 1 to {MAX_NAME} letters, such as 'red'"


def _wrong_look(side: Side) -> Iterable[str]:
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", side.color):
        yield f"{side.color!r} is no colour of a side: write it like '#0072b2'"
    if side.pattern not in PATTERNS:
        yield f"{side.pattern!r} is no pattern of a side: choose one of {', '.join(PATTERNS)}"


def is_text(text: str, longest: int) -> bool:
    """Whether *text* can be shown and stored: not blank, printable, at most *longest* characters."""
    return bool(text.strip()) and text.isprintable() and len(text) <= longest


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


RULES_RANGES: Mapping[str, tuple[int, int]] = {
    "target": (1, 100_000),
    "lake_value": (1, 100),
    "nertz_penalty": (0, 100),
    "bonus": (0, 10_000),
    "pile_size": (1, 48),
    "jokers": (0, 4),
}
"""Lowest and highest value of each house rule."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The house rules of one game (rules B1, C1, C2, C6, D1, I1); raises RulesError that lists what can't be."""

    target: int = 100
    """Points that end the game when reached at the end of a hand."""
    lake_value: int = 1
    """Points for each card in the Lake."""
    nertz_penalty: int = 2
    """Points taken for each card left in the Nertz pile."""
    bonus: int = 0
    """Points for the call, shared equally by all callers."""
    pile_size: int = 13
    """Cards in a Nertz pile at the start of a hand."""
    jokers: int = 0
    """Jokers in each deck."""

    def __post_init__(self) -> None:
        wrong = [text for field in fields(self) if (text := _out_of_range(field.name, getattr(self, field.name)))]
        if wrong:
            raise RulesError("; ".join(wrong))

    @property
    def deck_size(self) -> int:
        """Cards of one deck, jokers included (rules A8)."""
        return DECK + self.jokers


def _out_of_range(name: str, value: object) -> str | None:
    low, high = RULES_RANGES[name]
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return None
    return f"the {name.replace('_', ' ')} must be a whole number from {low} to {high}, not {value!r}"


@dataclass(frozen=True, slots=True)
class Tally:
    """One side's counts at the end of a hand, as typed or read; the referee says whether they can be."""

    side: SideId
    lake: int
    """Cards of this side's deck found in the Lake."""
    nertz_left: int
    """Cards still in this side's Nertz pile."""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points added to or taken from one side in one hand, with the reason (rules H5)."""

    side: SideId
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Hand:
    """One deal as it ended; callers and adjustments stand in the order of the tallies."""

    tallies: tuple[Tally, ...]
    callers: tuple[SideId, ...] = ()
    """Sides that called Nertz: none when all were stuck, several when they called at once (rules C9, C19)."""
    adjustments: tuple[Adjustment, ...] = ()

    def __post_init__(self) -> None:
        place = {tally.side: number for number, tally in reversed([*enumerate(self.tallies)])}
        callers = sorted(dict.fromkeys(self.callers), key=lambda side: place.get(side, len(place)))
        adjustments = sorted(self.adjustments, key=lambda each: place.get(each.side, len(place)))
        object.__setattr__(self, "tallies", tuple(self.tallies))
        object.__setattr__(self, "callers", tuple(callers))
        object.__setattr__(self, "adjustments", tuple(adjustments))

    @property
    def lake(self) -> int:
        """Lake cards of all sides together."""
        return sum(tally.lake for tally in self.tallies)

    def points(self, rules: Rules) -> dict[SideId, Points]:
        """Each side's score of this hand: Lake, minus what is left, plus its bonus share and adjustments (rules C3)."""
        points: dict[SideId, Points] = {}
        for tally in self.tallies:
            score = tally.lake * rules.lake_value - tally.nertz_left * rules.nertz_penalty
            points[tally.side] = points.get(tally.side, Points(0)) + score
        for side, share in self.bonus_shares(rules).items():
            points[side] = points.get(side, Points(0)) + share
        for each in self.adjustments:
            points[each.side] = points.get(each.side, Points(0)) + each.points
        return points

    def bonus_shares(self, rules: Rules) -> dict[SideId, Points]:
        """The bonus of each caller: the whole, or equal exact shares (rules C9, M12); empty without a caller."""
        return {side: Points(rules.bonus, len(self.callers)) for side in self.callers}


_VULGAR = {
    (1, 3): "⅓", (2, 3): "⅔", (1, 6): "⅙", (5, 6): "⅚", (1, 7): "⅐",
    (1, 9): "⅑", (1, 8): "⅛", (3, 8): "⅜", (5, 8): "⅝", (7, 8): "⅞",
}  # fmt: skip


def format_points(points: int | Fraction) -> str:
    """Points for people: ``14``, ``-5``, ``2.5``, ``3⅓`` or ``1 2/7``."""
    exact = Fraction(points)
    if 100 % exact.denominator == 0:
        return f"{exact.numerator}" if exact.denominator == 1 else f"{float(exact):.2f}".rstrip("0")
    whole, rest = divmod(abs(exact), 1)
    sign = "-" if exact < 0 else ""
    glyph = _VULGAR.get((rest.numerator, rest.denominator))
    if glyph:
        return f"{sign}{whole or ''}{glyph}"
    return f"{sign}{f'{whole} ' if whole else ''}{rest.numerator}/{rest.denominator}"


def and_join(names: Sequence[str]) -> str:
    """Names as people list them: ``Amy``, ``Amy and Ben``, ``Amy, Ben and Cleo``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
