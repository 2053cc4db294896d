"""What a table calls its game: the words of each name the game goes by."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scorekeeper.guide.marks import mark
from scorekeeper.rules.house import Rules, Words
from scorekeeper.rules.layout import Layout

Vocabulary = Mapping[str, str]
"""The table's word for each name that messages use: ``%(Lake)s``, ``%(Pile)s`` ..."""


def _vocabulary(game: str, call: str, pile: str, lake: str, river: str, stream: str) -> Vocabulary:
    """*call* is shouted when the *pile* is gone; each word fits wherever another table's would stand."""
    words = {"Game": game, "Call": call, "Pile": pile, "Lake": lake, "River": river, "Stream": stream}
    return MappingProxyType(words)


LAKE, RIVER, STREAM = mark("Lake"), mark("River"), mark("Stream")
CENTER, TABLEAU, STOCK = mark("Center"), mark("Tableau"), mark("Stock")
MIDDLE, LINE, ROW = mark("Middle"), mark("Line"), mark("Row")

VOCABULARIES: Mapping[Words, Vocabulary] = MappingProxyType(
    {
        Words.NERTZ: _vocabulary(mark("Nertz"), mark("Nertz"), mark("Nertz pile"), LAKE, RIVER, STREAM),
        Words.NERTS: _vocabulary(mark("Nerts"), mark("Nerts"), mark("Nerts pile"), CENTER, TABLEAU, STOCK),
        Words.POUNCE: _vocabulary(mark("Pounce"), mark("Pounce"), mark("Pounce pile"), CENTER, TABLEAU, STOCK),
        Words.RACING_DEMON: _vocabulary(mark("Racing Demon"), mark("Out"), mark("Demon pile"), MIDDLE, LINE, STOCK),
        Words.PEANUTS: _vocabulary(mark("Peanuts"), mark("Peanuts"), mark("Peanuts pile"), MIDDLE, ROW, STOCK),
        Words.NUTS: _vocabulary(mark("Nuts"), mark("Nuts"), mark("Nuts pile"), CENTER, TABLEAU, STOCK),
    }
)
"""In the order they are offered (rules A12)."""

_PILE, _OUT = mark("pile"), mark("Out")
RELATED: Mapping[Layout, Vocabulary] = MappingProxyType(
    {
        Layout.PISHE_PASHA: _vocabulary(mark("Pishe Pasha"), _OUT, _PILE, CENTER, TABLEAU, STOCK),
        Layout.DOUBLE_SOLITAIRE: _vocabulary(mark("Double Solitaire"), _OUT, _PILE, CENTER, TABLEAU, STOCK),
        Layout.CANFIELD: _vocabulary(mark("Canfield"), _OUT, _PILE, CENTER, TABLEAU, STOCK),
    }
)
"""Games that are no Nertz: their rules cards have no words of it (rules J5)."""


def words_of_card(rules: Rules) -> Vocabulary:
    """The words of the rules card: the table's for Nertz and Nuts, plain ones for the other games."""
    return RELATED.get(rules.layout, VOCABULARIES[rules.words])
