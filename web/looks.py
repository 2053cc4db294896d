"""What the eye saw of one step of a hand, card by card, and what people corrected: the last word on a card counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from itertools import pairwise
from math import dist
from statistics import fmean, median
from typing import Any

from scorekeeper.rules.cards import KING, parse_card
from scorekeeper.rules.lake import (
    JOKER,
    Box,
    FanReading,
    LakeReading,
    Pile,
    SeenBack,
    SeenFace,
    Spot,
    SpreadReading,
    spots_of,
)
from scorekeeper.rules.said import recipe, said_by, say

DEAD = "dead"
"""What a finished pile is called: it lies face down."""
UNKNOWN = ""
"""What a card is called that nobody could read."""
NOWHERE: Box = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
"""The box of a card whose place is not known."""
SAME_SPOT = 0.5
"""Two places nearer than this share of a card's length are the same place."""
UNSEEN_SIZE = 0.08
"""Length of a card nobody has seen, as a share of its picture."""


class Act(StrEnum):
    """What a person does to a look."""

    IS = "is"
    """The card is somebody's, or is this card."""
    TAKEN = "taken"
    """The same by another reading that somebody took for its counts, which one tap takes and one undo gives back."""
    GONE = "gone"
    """There is no such card."""
    MORE = "more"
    """Here lies a card that the eye overlooked."""
    FINE = "fine"
    """It is as the eye says."""
    UNDO = "undo"
    """The last correction that stands is taken back."""


@dataclass(frozen=True, slots=True)
class CardSeen:
    """One card of a look, or one pile of the Lake."""

    number: int
    """From 1 on, never given twice in a look."""
    picture: int
    """Which picture, counted from 0."""
    what: str
    """The deck of a back, the code of a face such as ``7C`` or JOKER, ``dead`` or UNKNOWN."""
    box: Box = NOWHERE
    confidence: float = 1.0
    others: tuple[str, ...] = ()
    """What else it may be, the likeliest first."""

    @property
    def placed(self) -> bool:
        """Whether it is known where the card lies."""
        return self.box != NOWHERE

    @property
    def middle(self) -> tuple[float, float]:
        return fmean(x for x, _ in self.box), fmean(y for _, y in self.box)

    @property
    def long_px(self) -> float:
        """Length of the longest edge of its box."""
        return max(dist(a, b) for a, b in pairwise([*self.box, self.box[0]]))

    def at(self, spot: Spot) -> bool:
        """Whether it lies where *spot* is."""
        return self.placed and self.picture == spot[0] and dist(self.middle, spot[1:]) < SAME_SPOT * self.long_px


@dataclass(frozen=True, slots=True)
class Doubt:
    """One sentence of the eye, about one place."""

    text: str
    spot: Spot | None = None
    """None for a sentence about the whole."""
    card: int = 0
    """The number of the card it is about; 0 where none was counted."""
    made: Mapping[str, Any] | None = None
    """The recipe of the sentence, so that every page says it in its own language; None where it is not known."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One tap of a person."""

    act: Act
    card: int = 0
    """The number of the card; the one that a card more gets; 0 when it is about none."""
    what: str = UNKNOWN
    spot: Spot | None = None
    """Where a card more lies; None when nobody said."""
    doubts: tuple[int, ...] = ()
    """Places in the list of doubts that are settled."""
    who: str = ""
    request: str = ""
    """A double tap repeats it."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the eye said of one step, its pictures, and every correction, undone ones too."""

    pictures: tuple[str, ...]
    """Ids of the pictures as they came in."""
    overlays: tuple[str, ...]
    """Ids of the pictures with what the eye saw drawn on them."""
    shown: tuple[str, ...] = ()
    """Ids of small copies of the pictures; empty in looks of older versions."""
    sizes: tuple[tuple[int, int], ...] = ()
    """Width and height of each picture in pixels."""
    eyes: tuple[CardSeen, ...] = ()
    """The cards as the eye saw them."""
    doubts: tuple[Doubt, ...] = ()
    """Everything the eye asked about."""
    decks: tuple[str, ...] = ()
    """The decks the eye knew, of a spread only."""
    corrections: tuple[Correction, ...] = ()
    """In order; their number is the look's revision."""

    @property
    def name(self) -> str:
        """What tells this look from one of other pictures."""
        return next(iter(self.pictures), "")

    @property
    def revision(self) -> int:
        """How often it was corrected."""
        return len(self.corrections)

    @property
    def standing(self) -> tuple[Correction, ...]:
        """The corrections that were not taken back."""
        return reduce(_or_undo, self.corrections, ())

    @property
    def cards(self) -> tuple[CardSeen, ...]:
        """The cards as they are now."""
        return tuple(reduce(_corrected, self.standing, {card.number: card for card in self.eyes}).values())

    @property
    def open(self) -> dict[int, Doubt]:
        """The doubts nobody has settled, by their place in the list."""
        settled = {number for number in range(len(self.doubts)) if self._settled(number)}
        return {number: doubt for number, doubt in enumerate(self.doubts) if number not in settled}

    @property
    def problems(self) -> tuple[str, ...]:
        """The sentences of the open doubts, each once."""
        return tuple(dict.fromkeys(doubt.text for doubt in self.open.values()))

    @property
    def suspects(self) -> frozenset[int]:
        """Numbers of the cards to look at: those in doubt, and those nobody could read."""
        touched = {each.card for each in self.standing}
        unread = {card.number for card in self.cards if card.what == UNKNOWN and card.number not in touched}
        return frozenset({doubt.card for doubt in self.open.values() if doubt.card} | unread)

    @property
    def certain(self) -> bool:
        """Whether nothing is left to look at."""
        return not self.open and not self.suspects

    @property
    def total(self) -> int:
        """Cards, or piles."""
        return len(self.cards)

    @property
    def counts(self) -> Mapping[str, int]:
        """How often each deck or card is there; 0 for a deck that is not."""
        return {**dict.fromkeys(self.decks, 0), **Counter(card.what for card in self.cards if card.what)}

    @property
    def unknown(self) -> int:
        """Cards that nobody could read."""
        return sum(card.what == UNKNOWN for card in self.cards)

    def card(self, number: int) -> CardSeen | None:
        """The card of that number; None when it is gone."""
        return next((card for card in self.cards if card.number == number), None)

    def at(self, revision: int) -> Look:
        """The look as it was after so many corrections."""
        return replace(self, corrections=self.corrections[:revision])

    def with_correction(self, correction: Correction) -> Look:
        """Corrected once more; unchanged when it says nothing new."""
        if correction.act is Act.UNDO and not self.standing:
            return self
        return replace(self, corrections=(*self.corrections, correction))

    def with_batch(self, other: Look) -> Look:
        """With the pictures of a batch that shares no card with these; what was corrected stands."""
        pictures, number = len(self.pictures), max((card.number for card in self._ever), default=0)

        def moved(spot: Spot | None) -> Spot | None:
            return (spot[0] + pictures, *spot[1:]) if spot else None

        cards = (replace(c, number=c.number + number, picture=c.picture + pictures) for c in other.eyes)
        doubts = (replace(d, spot=moved(d.spot), card=d.card + number if d.card else 0) for d in other.doubts)
        return Look(
            (*self.pictures, *other.pictures),
            (*self.overlays, *other.overlays),
            (*self.shown, *other.shown),
            (*self.sizes, *other.sizes),
            (*self.eyes, *cards),
            (*self.doubts, *doubts),
            tuple(dict.fromkeys((*self.decks, *other.decks))),
            self.corrections,
        )

    def next_number(self) -> int:
        """The number of a card more."""
        return max((card.number for card in self._ever), default=0) + 1

    def box_at(self, spot: Spot) -> Box:
        """The outline of a card more: as its neighbour lies."""
        placed = [card for card in self.cards if card.placed and card.picture == spot[0]]
        if not placed:
            return _square(spot, max(self.sizes[spot[0]]) * UNSEEN_SIZE if len(self.sizes) > spot[0] else 0.0)
        near = min(placed, key=lambda card: dist(card.middle, spot[1:]))
        x, y = spot[1] - near.middle[0], spot[2] - near.middle[1]
        a, b, c, d = ((round(left + x, 1), round(top + y, 1)) for left, top in near.box)
        return a, b, c, d

    @property
    def _ever(self) -> tuple[CardSeen, ...]:
        """Every card that has or had a number."""
        more = (CardSeen(each.card, 0, each.what) for each in self.corrections if each.act is Act.MORE)
        return (*self.eyes, *more)

    def _settled(self, number: int) -> bool:
        doubt = self.doubts[number]
        return any(number in each.doubts or (doubt.card and each.card == doubt.card) for each in self.standing)


def _or_undo(standing: tuple[Correction, ...], correction: Correction) -> tuple[Correction, ...]:
    if correction.act is not Act.UNDO:
        return (*standing, correction)
    last, left = standing[-1], standing[:-1]
    while left and last.act is Act.TAKEN and (left[-1].act, left[-1].request) == (Act.TAKEN, last.request):
        left = left[:-1]
    return left


def _corrected(cards: dict[int, CardSeen], correction: Correction) -> dict[int, CardSeen]:
    """The cards after one correction."""
    match correction.act:
        case Act.IS | Act.TAKEN if correction.card in cards:
            return {**cards, correction.card: replace(cards[correction.card], what=correction.what, confidence=1.0)}
        case Act.GONE:
            return {number: card for number, card in cards.items() if number != correction.card}
        case Act.MORE:
            return {**cards, correction.card: _added(correction, cards)}
    return cards


def _added(correction: Correction, cards: Mapping[int, CardSeen]) -> CardSeen:
    if correction.spot is None:
        return CardSeen(correction.card, 0, correction.what)
    box = Look((), (), eyes=tuple(cards.values())).box_at(correction.spot)
    return CardSeen(correction.card, correction.spot[0], correction.what, box)


def _square(spot: Spot, side: float) -> Box:
    """An upright outline in the shape of a card."""
    _, x, y = spot
    wide, tall = side * 0.35, side * 0.5
    return ((x - wide, y - tall), (x + wide, y - tall), (x + wide, y + tall), (x - wide, y + tall))


# From readings and to them


def look_of(
    reading: LakeReading | SpreadReading | FanReading,
    pictures: Sequence[str],
    overlays: Sequence[str],
    shown: Sequence[str],
    sizes: Sequence[tuple[int, int]],
) -> Look:
    """The look of what was read in *pictures*, ids all of them."""
    seen: Sequence[Pile | SeenBack | SeenFace] = reading.piles if isinstance(reading, LakeReading) else reading.cards
    cards = tuple(_seen(number, each) for number, each in enumerate(seen, 1))
    doubts = tuple(doubt for text in reading.problems for doubt in _doubts(text, cards))
    decks = tuple(str(deck) for deck in reading.counts) if isinstance(reading, SpreadReading) else ()
    return Look(tuple(pictures), tuple(overlays), tuple(shown), tuple(sizes), cards, doubts, decks)


def asking_about_jokers(look: Look) -> Look:
    """*look*, in which it is asked about each joker: the table plays without."""
    text = say("a joker lies there: does it count?")
    jokers = (card for card in look.eyes if card.what == JOKER)
    doubts = (Doubt(text, (card.picture, *card.middle), card.number, recipe(text)) for card in jokers)
    return replace(look, doubts=(*look.doubts, *doubts))


def _seen(number: int, seen: Pile | SeenBack | SeenFace) -> CardSeen:
    match seen:
        case Pile():
            what = DEAD if seen.dead else seen.top.code if seen.top else UNKNOWN
        case SeenBack():
            what = str(seen.deck) if seen.deck is not None else UNKNOWN
        case SeenFace():
            what = seen.code or UNKNOWN
    picture = seen.image if isinstance(seen, SeenBack) else 0
    others = tuple(other if isinstance(other, str) else other.code for other, _ in seen.others)
    return CardSeen(number, picture, what, seen.box, round(float(seen.confidence), 3), others)


def _doubts(text: str, cards: Sequence[CardSeen]) -> list[Doubt]:
    """One doubt for each place the sentence is about."""
    made = recipe(text)
    return [Doubt(text, spot, _at(spot, cards), made) for spot in spots_of(text)] or [Doubt(text, made=made)]


def _at(spot: Spot, cards: Sequence[CardSeen]) -> int:
    """The number of the card whose middle is there; 0 for a place without one."""
    there = [card for card in cards if card.picture == spot[0] and dist(card.middle, spot[1:]) < 2]
    return there[0].number if there else 0


def lake_reading(look: Look) -> LakeReading:
    """The Lake's piles as they are now."""
    return LakeReading(tuple(map(_pile, look.cards)), look.certain, ())


def _pile(card: CardSeen) -> Pile:
    top = None if card.what in (DEAD, UNKNOWN) else parse_card(card.what)
    height = KING if card.what == DEAD else top.rank if top else 0
    return Pile(top, height, card.what == DEAD, card.confidence, card.box)


# What is kept of it


def read_look(kept: Mapping[str, Any]) -> Look:
    """The look from what a draft keeps, also of older versions, which kept no cards."""
    ids = {name: tuple(kept.get(name, ())) for name in ("pictures", "overlays", "shown", "decks")}
    if "eyes" not in kept:
        decks = tuple(kept.get("counts", {}))
        doubts = tuple(Doubt(text) for text in kept.get("problems", ()))
        return Look(**{**ids, "decks": decks}, eyes=tuple(_old_cards(kept)), doubts=doubts)
    return Look(
        **ids,
        sizes=tuple((width, height) for width, height in kept["sizes"]),
        eyes=tuple(_card_from(card) for card in kept["eyes"]),
        doubts=tuple(_doubt_from(each) for each in kept["doubts"]),
        corrections=tuple(_correction_from(each) for each in kept["corrections"]),
    )


def _old_cards(kept: Mapping[str, Any]) -> list[CardSeen]:
    whats = [UNKNOWN if top == "?" else str(top) for top in kept.get("tops", ())]
    whats += [deck for deck, number in kept.get("counts", {}).items() for _ in range(number)]
    whats += [UNKNOWN] * int(kept.get("unknown", 0))
    whats = whats or [UNKNOWN] * int(kept.get("total", 0))
    return [CardSeen(number, 0, what) for number, what in enumerate(whats, 1)]


def _card_from(kept: Mapping[str, Any]) -> CardSeen:
    a, b, c, d = ((float(x), float(y)) for x, y in kept["box"])
    return CardSeen(**{**kept, "box": (a, b, c, d), "others": tuple(kept["others"])})


def _doubt_from(kept: Mapping[str, Any]) -> Doubt:
    made = kept.get("made")
    return Doubt(said_by(made) if made else kept["text"], _spot_from(kept["spot"]), kept["card"], made)


def _correction_from(kept: Mapping[str, Any]) -> Correction:
    settled = {"act": Act(kept["act"]), "spot": _spot_from(kept["spot"]), "doubts": tuple(kept["doubts"])}
    return Correction(**{**kept, **settled})


def _spot_from(kept: Sequence[float] | None) -> Spot | None:
    return (int(kept[0]), float(kept[1]), float(kept[2])) if kept else None


# Two people at once


def overtaken(look: Look, correction: Correction, seen: int) -> bool:
    """Whether somebody changed what *correction* is about since the page saw revision *seen*."""
    if not 0 <= seen <= look.revision:
        return True
    if seen == look.revision:
        return False
    before = look.at(seen)
    match correction.act:
        case Act.UNDO:
            return True
        case Act.MORE:
            known = {card.number for card in before.cards}
            return any(
                correction.spot is None or card.at(correction.spot) for card in look.cards if card.number not in known
            )
    return before.card(correction.card) != look.card(correction.card)


def usual_length(cards: Sequence[CardSeen]) -> float:
    """The median of the cards' shorter edges in pixels; 0 where no place is known."""
    sides = [min(dist(a, b) for a, b in pairwise([*card.box, card.box[0]])) for card in cards if card.placed]
    return median(sides) if sides else 0.0
