"""House rules by name, and one short line for any house rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scorekeeper.errors import NotationError
from scorekeeper.rules.scoring import Rules


@dataclass(frozen=True, slots=True)
class Preset:
    """House rules somebody plays by."""

    name: str
    text: str
    """One sentence for the page that starts a game."""
    rules: Rules


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset("national", "To 100 without a bonus, as the National Nertz Association plays.", Rules()),
            Preset("bonus", "To 150 with 10 points for the call.", Rules(target=150, bonus=10)),
            Preset("catsatcards", "A short game to 50 with 10 points for the call.", Rules(target=50, bonus=10)),
            Preset("nuts", "The team game Nuts: piles of 11, to 250, no bonus.", Rules(target=250, pile_size=11)),
        )
    }
)
"""Presets in the order they are offered; the first is the default (rules K2, K3, J2, J3)."""

_RULES = re.compile(
    r"(?P<pile_size>[0-9]{1,6})(\+(?P<bonus>[0-9]{1,6}))? to (?P<target>[0-9]{1,6}), "
    r"x(?P<lake_value>[0-9]{1,6}) -(?P<nertz_penalty>[0-9]{1,6})(, (?P<jokers>[0-9]{1,6}) jokers?)?"
)


def format_rules(rules: Rules) -> str:
    """Pile and bonus, target, Lake value and penalty: ``13+10 to 150, x1 -2``."""
    bonus = f"+{rules.bonus}" if rules.bonus else ""
    jokers = f", {rules.jokers} joker{'s' if rules.jokers > 1 else ''}" if rules.jokers else ""
    return f"{rules.pile_size}{bonus} to {rules.target}, x{rules.lake_value} -{rules.nertz_penalty}{jokers}"


def parse_rules(text: str) -> Rules:
    """The house rules written as *text*; raises NotationError, or RulesError for a value that can't be."""
    match = _RULES.fullmatch(text.strip())
    if match is None:
        raise NotationError(f"expected house rules such as '13+10 to 150, x1 -2', not {text!r}")
    return Rules(**{name: int(value or 0) for name, value in match.groupdict().items()})
