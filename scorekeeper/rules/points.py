"""Points, exact and as people write them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Points = int | Fraction
"""Exact points: whole numbers, and fractions where a bonus is shared (rules C9, L)."""

_VULGAR = {
    (1, 3): "⅓", (2, 3): "⅔", (1, 6): "⅙", (5, 6): "⅚", (1, 7): "⅐",
    (1, 9): "⅑", (1, 8): "⅛", (3, 8): "⅜", (5, 8): "⅝", (7, 8): "⅞",
}  # fmt: skip


def format_points(points: Points) -> str:
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


def share_of(whole: int, parts: int) -> Points:
    """An equal exact share: 10 in 2 parts is 5, in 3 it is 10/3."""
    return Fraction(whole, parts) if whole % parts else whole // parts


def signed(points: Points) -> str:
    """Points gained in a hand, with a sign unless they are none: ``+14``, ``-5``, ``0``."""
    text = format_points(points)
    return f"+{text}" if points > 0 else text


def and_join(names: Sequence[str]) -> str:
    """Names as people list them: ``Amy``, ``Amy and Ben``, ``Amy, Ben and Cleo``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun: ``1 card``, ``3 cards``, ``2 jokers``."""
    return f"{number} {one if number == 1 else many or one + 's'}"
