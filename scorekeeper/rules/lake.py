"""What the eye says of a table: piles of the Lake, backs of a spread, faces of a fan.

Values only: pictures never come here. The eye (``scorekeeper.vision``) makes them, the referee (``checks``)
weighs them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NewType

from scorekeeper.rules.cards import KING, Card
from scorekeeper.rules.said import Said

DeckId = NewType("DeckId", str)
"""The name of a back design at this table, such as "red"."""

Box = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Four corners ``(x, y)`` in pixels of the picture as shown (EXIF applied), clockwise from the card's top left where
known."""


JOKER = "JOKER"
"""What stands for a joker where other cards have their code."""

Spot = tuple[int, float, float]
"""A place in a picture: which one, counted from 0, and ``x y`` in its pixels."""


class Spotted(Said):
    """A sentence of the eye about places in its pictures, so that a page can lead a person there."""

    spots: tuple[Spot, ...] = ()


def spotted(text: str, *spots: Spot) -> Spotted:
    """*text* about these *spots*."""
    sentence = Spotted(text)
    if isinstance(text, Said):
        sentence.message, sentence.many, sentence.values = text.message, text.many, text.values
    sentence.spots = spots
    return sentence


def spots_of(text: str) -> tuple[Spot, ...]:
    """The places that *text* is about; none for a sentence about the whole."""
    return text.spots if isinstance(text, Spotted) else ()


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
    others: tuple[tuple[Card, float], ...] = ()
    """What else the top may be, each with its confidence; empty where the eye has no second thoughts."""


@dataclass(frozen=True, slots=True)
class LakeReading:
    """The Lake as it lies."""

    piles: tuple[Pile, ...]
    certain: bool
    problems: tuple[str, ...]
    """Sentences for a person, ``Spotted`` where they are about a place; empty when certain."""

    @property
    def total(self) -> int:
        """T of the rules sheet: the number of cards in the Lake."""
        return sum(pile.height for pile in self.piles)

    @property
    def unread(self) -> int:
        """Piles whose top could not be read."""
        return sum(pile.height == 0 for pile in self.piles)

    @property
    def finished(self) -> int:
        """Piles that lie face down, finished with their king (rules E3)."""
        return sum(pile.dead for pile in self.piles)


def height(rank: int, start: int = 1) -> int:
    """Cards of a pile that begins with rank *start* and has *rank* on top, around the corner if need be (rules J5)."""
    return (rank - start) % KING + 1


@dataclass(frozen=True, slots=True)
class SeenBack:
    """One face-down card of a spread."""

    image: int
    """Which picture, counted from 0."""
    deck: DeckId | None
    """None where no enrolled deck fits well enough: it counts as unknown, never as somebody's."""
    confidence: float
    box: Box
    others: tuple[tuple[DeckId, float], ...] = ()
    """Which decks it may be, each with its confidence; empty where the eye has no idea."""


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
    """None where a card is seen but not read, and for a joker."""
    confidence: float
    box: Box
    others: tuple[tuple[Card, float], ...] = ()
    """What else it may be, each with its confidence; empty where the eye has no second thoughts."""
    joker: bool = False
    """Whether it is a joker, which has no rank and no suit."""

    @property
    def code(self) -> str | None:
        """Such as ``10H``, or JOKER; None where it is not read."""
        return JOKER if self.joker else self.card.code if self.card else None


@dataclass(frozen=True, slots=True)
class FanReading:
    """Face-up cards, each physical card once."""

    cards: tuple[SeenFace, ...]
    certain: bool
    problems: tuple[str, ...]

    @property
    def count(self) -> int:
        """Cards seen, jokers and the unread ones too."""
        return len(self.cards)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything known of a hand beside its counts; each part may be missing."""

    lake: LakeReading | int | None = None
    """The Lake as it lies, or T as typed."""
    spread: SpreadReading | None = None
    """The Lake turned over: backs."""
    faces: FanReading | None = None
    """The Lake spread face up: c(s, r) of the rules sheet."""
    stacks: Mapping[DeckId, FanReading] = field(default_factory=lambda: MappingProxyType({}))
    """Cards of single decks, face up, after they were sorted by their backs."""
    rest: Mapping[DeckId, int] = field(default_factory=lambda: MappingProxyType({}))
    """Cards in River and Stream of single decks, where somebody counted them too (rules M7)."""
    aside: int = 0
    """Finished piles set aside, 13 cards each (rules K9)."""
    duplicates: int = 0
    """Cards that stayed beside another of the same rank in their pile (rules E14)."""
    start: int = 1
    """The rank the piles begin with, 1 but in Canfield (rules J5)."""

    @property
    def total(self) -> int | None:
        """T with the piles set aside and the duplicates; None where nobody looked or a pile is not read."""
        if self.lake is None or (isinstance(self.lake, LakeReading) and self.lake.unread):
            return None
        return self.standing + self.aside * KING + self.duplicates

    @property
    def standing(self) -> int:
        """Cards of the piles as they lie."""
        if isinstance(self.lake, LakeReading):
            return sum(KING if pile.dead else _height(pile, self.start) for pile in self.lake.piles)
        return self.lake or 0


def _height(pile: Pile, start: int) -> int:
    return height(pile.top.rank, start) if pile.top else pile.height
