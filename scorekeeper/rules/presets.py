"""House rules by name: those of known texts, of related games, and those a table saved as its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scorekeeper.errors import RulesError
from scorekeeper.rules.house import Play, Rules, Scoring, Words
from scorekeeper.rules.house_notation import format_rules, parse_rules
from scorekeeper.rules.sides import MAX_NAME, is_name

__all__ = ["PRESETS", "Preset", "check_rules_name", "format_rules", "parse_rules", "preset_of"]


@dataclass(frozen=True, slots=True)
class Preset:
    """House rules somebody plays by."""

    name: str
    """A word for addresses."""
    text: str
    """One sentence for the page that starts a game."""
    rules: Rules
    title: str = ""
    """How people call it."""
    nertz: bool = True
    """Whether it is Nertz; a related game is scored from typed numbers only (rules J5)."""


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset(
                "national", "To 100 without a bonus, as the National Nertz Association plays.", Rules(), "National"
            ),
            Preset("bonus", "To 150 with 10 points for the call.", Rules(target=150, bonus=10), "Bonus game"),
            Preset("bonus-5", "To 150 with 5 points for the call.", Rules(target=150, bonus=5), "Small bonus"),
            Preset(
                "catsatcards", "A short game to 50 with 10 points for the call.", Rules(target=50, bonus=10),
                "CatsAtCards",
            ),
            Preset(
                "nuts", "The team game Nuts: piles of 11, to 250, no bonus.",
                Rules(target=250, pile_size=11, play=Play(share_piles=False), words=Words.NUTS), "Nuts",
            ),
            Preset("hands", "Nothing is counted: who calls wins the hand, to 5 hands.",
                   Rules(target=5, scoring=Scoring.HANDS), "Hands won"),
            Preset("rounds", "Six hands, then most points win.", Rules(target=0, rounds=6), "Rounds"),
            Preset("single", "Each hand is a game of its own.", Rules(target=0, rounds=1), "One hand"),
            Preset(
                "double-solitaire", "Who is rid of all cards first wins the hand, to 5 hands.",
                Rules(target=5, scoring=Scoring.HANDS), "Double Solitaire", nertz=False,
            ),
            Preset(
                "pishe-pasha", "Who is done first scores 1 for each card the other has left.",
                Rules(target=100, scoring=Scoring.LEFTOVERS), "Pishe Pasha", nertz=False,
            ),
            Preset(
                "canfield", "One player: the cards on the foundations count, all 52 win.",
                Rules(target=52, rounds=1, scoring=Scoring.FOUNDATION), "Canfield", nertz=False,
            ),
        )
    }
)  # fmt: skip
"""Presets in the order they are offered; the first is the default (rules K2, K3, D6-D8, J2, J3, J5)."""


def preset_of(rules: Rules) -> Preset | None:
    """The preset that plays by exactly these rules; None for a table's own."""
    return next((preset for preset in PRESETS.values() if preset.rules == rules), None)


def check_rules_name(name: str) -> None:
    """Raises RulesError for what can't name house rules of one's own."""
    if not is_name(name):
        raise RulesError(f"{name!r} can't be the name of house rules: use 1 to {MAX_NAME} letters")
    if name.casefold() in {known.casefold() for preset in PRESETS.values() for known in (preset.name, preset.title)}:
        raise RulesError(f"{name!r} is the name of a preset: choose another for your own rules")
