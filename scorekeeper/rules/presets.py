"""House rules by name: those of known texts, of related games, and those a table saved as its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scorekeeper.errors import RulesError
from scorekeeper.rules.house import HandsUsed, Play, Rules, Scoring, Words
from scorekeeper.rules.house_notation import format_rules, parse_rules
from scorekeeper.rules.layout import Layout
from scorekeeper.rules.sides import MAX_NAME, is_name

__all__ = ["PRESETS", "Preset", "check_rules_name", "format_rules", "laid_out_as", "parse_rules", "preset_of"]

UNFORCED = Play(withholding=True, hands=HandsUsed.ONE)
"""Nobody is forced to play a card, and one hand plays (rules E5, E11)."""


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
                "unforced", "To 100: nobody is forced to play a card, and each player uses one hand only.",
                Rules(play=UNFORCED), "Nobody forced",
            ),
            Preset(
                "unforced-150", "To 150: nobody is forced to play a card, and each player uses one hand only.",
                Rules(target=150, play=UNFORCED), "Nobody forced, to 150",
            ),
            Preset(
                "nuts", "The game of two pairs: piles of 11, five columns of 5 to 1 cards, to 250, no bonus.",
                Rules(
                    target=250, pile_size=11, play=Play(river=5, share_piles=False), words=Words.NUTS,
                    layout=Layout.NUTS,
                ), "Nuts",
            ),
            Preset("hands", "Nothing is counted: whoever calls wins the hand, to 5 hands.",
                   Rules(target=5, scoring=Scoring.HANDS), "Hands won"),
            Preset("rounds", "Six hands, then most points win.", Rules(target=0, rounds=6), "Rounds"),
            Preset("single", "Each hand is a game of its own.", Rules(target=0, rounds=1), "One hand"),
            Preset(
                "double-solitaire", "Two players: the first to play all their cards wins the hand, to 5 hands.",
                Rules(
                    target=5, nertz_penalty=0, pile_size=24, scoring=Scoring.HANDS, layout=Layout.DOUBLE_SOLITAIRE
                ), "Double Solitaire", nertz=False,
            ),
            Preset(
                "pishe-pasha", "Two players: whoever is done first scores 1 for each card the other has left.",
                Rules(nertz_penalty=0, pile_size=26, scoring=Scoring.LEFTOVERS, layout=Layout.PISHE_PASHA),
                "Pishe Pasha", nertz=False,
            ),
            Preset(
                "canfield", "One player: the cards on the foundations count, all 52 win.",
                Rules(target=52, nertz_penalty=0, rounds=1, scoring=Scoring.FOUNDATION, layout=Layout.CANFIELD),
                "Canfield", nertz=False,
            ),
        )
    }
)  # fmt: skip
"""Presets in the order they are offered; the first is the default (rules K2, K3, D6-D8, J2, J3, J5)."""


def preset_of(rules: Rules) -> Preset | None:
    """The preset that plays by exactly these rules; None for a table's own."""
    return next((preset for preset in PRESETS.values() if preset.rules == rules), None)


def laid_out_as(layout: Layout) -> Preset:
    """The first preset of the game that is laid out so."""
    return next(preset for preset in PRESETS.values() if preset.rules.layout is layout)


def check_rules_name(name: str) -> None:
    """Raises RulesError for what can't name house rules of one's own."""
    if not is_name(name):
        raise RulesError(f"{name!r} can't be the name of house rules: use 1 to {MAX_NAME} letters")
    if name.casefold() in {known.casefold() for preset in PRESETS.values() for known in (preset.name, preset.title)}:
        raise RulesError(f"{name!r} is the name of a preset: choose another for your own rules")
