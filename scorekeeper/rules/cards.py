"""One playing card: rank, suit and the code both are written with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scorekeeper.errors import NotationError


class Suit(StrEnum):
    """The four suits by their letter."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
"""Rank names from low to high; the ace is low (rules A9)."""

ACE, KING = 1, 13
"""The ranks that begin and finish a Lake pile."""


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """A card such as the ten of hearts; ordered by rank, then suit."""

    rank: int
    """1 (ace) to 13 (king)."""
    suit: Suit

    def __post_init__(self) -> None:
        if not 1 <= self.rank <= KING:
            raise ValueError(f"no card has rank {self.rank}")

    @property
    def rank_name(self) -> str:
        """``A``, ``2`` ... ``10``, ``J``, ``Q`` or ``K``."""
        return RANKS[self.rank - 1]

    @property
    def red(self) -> bool:
        """Whether it is a heart or a diamond."""
        return self.suit in (Suit.HEARTS, Suit.DIAMONDS)

    @property
    def code(self) -> str:
        """Rank and suit letter, such as ``10H``."""
        return f"{self.rank_name}{self.suit.value}"


def parse_card(text: str) -> Card:
    """The card written as *text*, such as ``10H``, ``th`` or ``qs``; raises NotationError."""
    code = text.strip().upper()
    rank = "10" if code[:-1] == "T" else code[:-1]
    if rank not in RANKS or code[-1:] not in set(Suit):
        raise NotationError(f"expected a card such as '10H', 'AS' or 'qd', not {text!r}")
    return Card(RANKS.index(rank) + 1, Suit(code[-1]))
