"""What the eye says of a table: piles of the Lake, backs of a spread, faces of a fan.

Values only: pictures never come here. The eye (``scorekeeper.vision``) makes them, the referee (``checks``)
weighs them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NewType

from scorekeeper.rules.cards import Card

DeckId = NewType("DeckId", str)
"""The name of a back design at this table, such as "red"."""

Box = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Four corners ``(x, y)`` in pixels of the picture as shown (EXIF applied), clockwise from the card's top left where
known."""


@dataclass(frozen=True, slots=True)
class Pile:
    """One Lake pile: the card on top is its height; a finished pile lies face down and counts 13 (rules E3, K9)."""

    top: Card | None
    """None on a dead pile, and where the top could not be read."""
    height: int
    """1 to 13; 0 where the top could not be read."""
    dead: bool
    confidence: float
    """0 to 1."""
    box: Box


@dataclass(frozen=True, slots=True)
class LakeReading:
    """The Lake as it lies."""

    piles: tuple[Pile, ...]
    certain: bool
    problems: tuple[str, ...]
    """Sentences for a person; empty when certain."""

    @property
    def total(self) -> int:
        """T of the rules sheet: the number of cards in the Lake."""
        return sum(pile.height for pile in self.piles)


@dataclass(frozen=True, slots=True)
class SeenBack:
    """One face-down card of a spread."""

    image: int
    """Which picture, counted from 0."""
    deck: DeckId | None
    """None where no enrolled deck fits well enough: it counts as unknown, never as somebody's."""
    confidence: float
    box: Box


@dataclass(frozen=True, slots=True)
class SpreadReading:
    """The Lake turned over and spread, all batches together."""

    cards: tuple[SeenBack, ...]
    counts: Mapping[DeckId, int]
    """Every enrolled deck, also those with 0."""
    certain: bool
    problems: tuple[str, ...]

    @property
    def unknown(self) -> int:
        """Backs that fit no enrolled deck."""
        return sum(card.deck is None for card in self.cards)

    @property
    def total(self) -> int:
        """Backs seen, the unknown ones too."""
        return len(self.cards)


@dataclass(frozen=True, slots=True)
class SeenFace:
    """One face-up card."""

    card: Card | None
    """None where a card is seen but not read."""
    confidence: float
    box: Box


@dataclass(frozen=True, slots=True)
class FanReading:
    """Face-up cards, each physical card once."""

    cards: tuple[SeenFace, ...]
    certain: bool
    problems: tuple[str, ...]

    @property
    def count(self) -> int:
        """Cards seen, the unread ones too."""
        return len(self.cards)
