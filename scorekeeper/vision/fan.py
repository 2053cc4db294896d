"""Reads face-up cards: a fan, a ribbon, a table full; each physical card once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scorekeeper.rules.cards import Card
from scorekeeper.rules.lake import FanReading, SeenFace
from scorekeeper.rules.said import Said, say
from scorekeeper.vision.belief import least_believed, likely, odds
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.faces import (
    DOUBTFUL,
    Found,
    FoundCard,
    find_cards,
    lies_in,
    lone,
    misread_on,
    second_thoughts,
    sizes_among,
    stands_as_own,
)
from scorekeeper.vision.geometry import Image, Points, box_of
from scorekeeper.vision.inks import in_two_inks
from scorekeeper.vision.opinions import HINT, THIRD, differences, second_opinions, spots_in, turned_look
from scorekeeper.vision.places import at, cut_by_edge, place, share_inside
from scorekeeper.vision.row import gaps_in, off_row, parted


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceLimits:
    """When a reading of faces is believed."""

    sure: float = 0.90
    """All cards together must be right this likely, by ``belief``; the least likely ones are asked about until they
    are. Chosen on pictures nothing was trained on: see the trade-off in docs/experiments/face-belief.md."""
    read: float = 0.84
    """A card read less surely is asked about, however much else speaks for it. Chosen on the same pictures."""
    alike: float = 0.98
    """The same for a card whose corners read differently, or its pips, ..."""
    single: float = 0.97
    """... and for one of which only one corner tells what it is."""
    shown: float = 0.35
    """Outlined cards below this confidence do not count, as more often than not they are none, and are asked about."""
    corner: float = 0.6
    """The same for a corner without an outline; it is asked about."""
    small_px: float = 11.0
    """Indices lower than this, in pixels of the picture, are asked about."""
    odd_size: float = 0.7
    """A card smaller than this share of the others' area on the table, or larger by as much, is asked about: it may
    be on a phone's screen."""


LIMITS = FaceLimits()
FAN = FaceLimits(odd_size=0.6)
"""When a fan's reading is believed: its cards lie slanted, and partly hidden, so that their sizes tell less."""
HEARD = 0.1
"""What was read in an outline that does not count, but more likely than this, is asked about where no other card that
counts reads so."""
ANOTHER = 0.5
"""A corner without an outline of which this share lies in that of a card that lies open may be that card's, misread."""

WITHIN, ON_EDGE, COVERS = 0.6, 0.3, 0.5
"""Shares of a read card, of a lone corner, and of an unread outline that lie in the other: they are one card then."""

ROW, ROW_SURE, GAP_SURE = 3, 0.9, 0.8
"""So many cards, each read so surely, make a row; what is read so surely in a gap of it is asked about."""
OFF_ROW, OFF_SIZE = 0.6, 0.75
"""An outlined card that stands in no row does not count where it is read less surely, or its index is smaller than this
share of the row's; nor does a corner that makes no row itself."""

BELIEF = {
    "bias": -0.64,
    "confidence": 0.79,
    "corners": -0.29,
    "whole": 0.46,
    "open": 0.96,
    "disagree": -0.64,
    "pips": 0.69,
    "height": -0.35,
}
"""Weights of ``features``, fitted by models/calibrate_faces.py."""


def features(card: FoundCard) -> dict[str, float]:
    """What tells how likely a card is read right."""
    return {
        "bias": 1.0,
        "confidence": odds(card.confidence, 0.005),
        "corners": float(card.corners > 1),
        "whole": float(card.whole),
        "open": float(card.open),
        "disagree": float(card.disagree),
        "pips": card.pips,
        "height": min(math.log(max(card.index_px, 5.0) / 20), 1.0),
    }


def belief(card: FoundCard) -> float:
    """How likely this card is there and read right, 0 to 1: calibrated, unlike its confidence."""
    return likely(features(card), BELIEF)


def read_fan(image: Image, eye: Eye, *, limits: FaceLimits = FAN) -> FanReading:
    """Every physical face-up card of *image* once, whatever its position; certain, or with what to look at."""
    return reading_of(see_fan(image, eye)[0], image, limits)


def see_fan(image: Image, eye: Eye) -> Found:
    """The cards of *image*, which is seen twice; a third time where the two looks differ or the first is unsure, by
    LIMITS. And what is read where one of their row is missing."""
    found = find_cards(image, eye)
    turned = turned_look(image, eye, found)
    if turned is None:
        return found
    unsure = spots_in(_counted(found[0], image, LIMITS)[1])
    spots = np.concatenate([unsure, differences(found, turned)])
    cards, backs = second_opinions(image, eye, [found, turned], spots, THIRD)
    return [*cards, *_in_gaps(image, eye, cards)], backs


def _in_gaps(image: Image, eye: Eye, cards: Sequence[FoundCard]) -> list[FoundCard]:
    """Others than *cards* show, whose corners are read in gaps of the row in which they stand, to be asked about."""
    row = _indices([card for card in cards if _sure(card)])
    readings = eye.reader.read(image, gaps_in(row))
    sure = np.flatnonzero(readings.confidence >= GAP_SURE)
    read = [lone(readings, np.array([n])) for n in sorted(sure, key=lambda n: float(readings.confidence[n]))]
    best, known = {card.card: card for card in read}, {card.card for card in cards if card.confidence >= LIMITS.shown}
    return [replace(card, confidence=HINT) for code, card in best.items() if code not in known]


def reading_of(cards: Sequence[FoundCard], image: Image, limits: FaceLimits = FAN) -> FanReading:
    """What the *cards* found in *image* are as a fan of one deck, which has each card once (rules M6): what may be one
    that already counts is not asked about, and a single card is, as those beside it may be hard to see, too."""
    shown, problems = _counted(cards, image, limits)
    problems = problems or strange_suits(shown, image)
    faces = tuple(
        SeenFace(card.card, round(belief(card), 3), box_of(card.corners_px), second_thoughts(card)) for card in shown
    )
    return FanReading(faces, not problems, tuple(problems))


def _counted(cards: Sequence[FoundCard], image: Image, limits: FaceLimits) -> tuple[list[FoundCard], list[str]]:
    """The *cards* that count, and what a person should look at."""
    seen, hints = by_their_row(*sorted_out(cards, limits))
    shown = once_each(seen)
    problems = card_problems(shown, image, limits) + seen_twice(seen)
    problems += [hint_problem(card, image) for card in uncounted(hints, shown)]
    if not shown:
        problems.append(say("no face-up card was seen: lay the cards with their corners showing, closer to the camera"))
    elif len(shown) == 1 and not problems:
        text = say("only one card was seen: if others lie there, spread them so that their corners show")
        problems.append(at(shown[0].middle, text))
    return shown, problems


def strange_suits(cards: Sequence[FoundCard], image: Image) -> list[str]:
    """What to ask about *cards* that may have other suits than the French ones."""
    if not in_two_inks(image, [card.indices_px[0] for card in cards if card.card is not None and len(card.indices_px)]):
        return []
    return [say("the cards' ranks and suits have different colours: are these spades, hearts, diamonds and clubs?")]


def sorted_out(cards: Sequence[FoundCard], limits: FaceLimits) -> tuple[list[FoundCard], list[FoundCard]]:
    """The cards that count, and what a person should look at: corners and outlined cards too doubtful to count, cards
    that may be on a screen."""
    seen = visible([card for card in cards if not card.elsewhere])
    shown = [c for c in seen if (c.confidence >= (limits.shown if c.whole else limits.corner) if c.card else c.whole)]
    hints = [c for c in seen if not c.whole and (c.card is None or limits.shown <= c.confidence < limits.corner)]
    dim = [c for c in seen if c.whole and c.card and c.confidence < limits.shown]
    read = [card for card in shown if card.card]
    for card in dim:
        if not _explained(card, read):
            hints.append(replace(card, card=None))
        elif card.confidence >= HEARD:
            hints.append(card)
    return shown, hints + [card for card in cards if card.elsewhere and not card.pictured]


def uncounted(hints: Sequence[FoundCard], shown: Sequence[FoundCard]) -> list[FoundCard]:
    """Those of *hints* that may be another card than those *shown*: a deck has each once (rules M6)."""
    known = {card.card for card in shown if card.card is not None}
    return [card for card in hints if card.elsewhere or card.card not in known]


def by_their_row(shown: Sequence[FoundCard], hints: Sequence[FoundCard]) -> tuple[list[FoundCard], list[FoundCard]]:
    """The cards that count, and those to look at, by the rows in which sure ones stand, as in a fan.

    A hint counts whose corner stands in a row, whatever lies round it, and is none of its cards' own, misread. Where
    most sure ones stand in rows, a doubtful card that stands in none does not.
    """
    row = [card for card in shown if _sure(card)]
    tall = float(np.median([card.index_px for card in row] or [0.0]))
    doubtful = [card for card in without(shown, row) if not _stands_alone(card, tall)]
    if len(row) < ROW or not (doubtful or hints):
        return [*shown], [*hints]
    known = {card.card for card in shown}
    new = [card for card in hints if card.card not in known]
    joined = [card for card in new if _stands_in(card, row) and not any(_printed_on(other, card) for other in row)]
    standing = sum(_stands_in(card, row) for card in row) if doubtful else 0
    left = [card for card in doubtful if not _stands_in(card, row)] if standing >= max(ROW, len(row) / 2) else []
    return without(shown, left) + joined, without(hints, joined) + left


def _stands_alone(card: FoundCard, tall: float) -> bool:
    """Whether *card* counts though it stands in no row, whose indices are so *tall*."""
    return card.whole and card.confidence >= OFF_ROW and card.index_px >= OFF_SIZE * tall


def _printed_on(card: FoundCard, corner: FoundCard) -> bool:
    """Whether *corner* is one of *card*'s own, misread: it lies on it, and nothing else does."""
    return misread_on(corner, card) or (card.pips > 0 and card.open and lies_in(corner, card))


def without(cards: Sequence[FoundCard], others: Sequence[FoundCard]) -> list[FoundCard]:
    """*cards* but for those that are among *others*."""
    return [card for card in cards if not any(card is other for other in others)]


def _sure(card: FoundCard) -> bool:
    """Whether *card* tells where the row is."""
    return card.card is not None and card.confidence >= ROW_SURE and not card.elsewhere


def _stands_in(card: FoundCard, row: Sequence[FoundCard]) -> bool:
    """Whether a corner of *card*, which was read, stands where one of the other cards' *row* may."""
    others = _indices([other for other in row if other is not card])
    return card.card is not None and any(off_row(quad, others) <= 1 for quad in card.indices_px)


def _indices(cards: Sequence[FoundCard]) -> Points:
    """All indices (n, 4, 2) by which *cards* were read."""
    return np.concatenate([np.zeros((0, 4, 2), np.float32), *(card.indices_px for card in cards)])


def hint_problem(card: FoundCard, image: Image) -> str:
    """What to ask about what may be a card."""
    where, code = place(card.middle, image), _code(card.card)
    if card.card is None:
        text = say("is what lies %(where)s a card? it was not counted", where=where) if card.whole else _unread(where)
        return at(card.middle, text)
    text = (
        say("is the %(card)s %(where)s a card, or on a screen? it was not counted", where=where, card=code)
        if card.elsewhere
        else say("is there a card %(where)s, perhaps the %(card)s? it was not counted", where=where, card=code)
    )
    return at(card.middle, text)


def _unread(where: Said) -> Said:
    return say("a card %(where)s can't be read: show its corner, or type it", where=where)


def visible(cards: Sequence[FoundCard]) -> list[FoundCard]:
    """*cards* without outlines that are only the sum of cards already read: a ribbon taken for one card."""
    read = [card for card in cards if card.card is not None]
    return read + [card for card in cards if card.card is None and not _explained(card, read)]


def _explained(card: FoundCard, read: Sequence[FoundCard]) -> bool:
    """Whether a card already read lies within an unread outline, covers most of it, or is a corner on its edge: then
    the outline is that corner's card, a little off. An unread corner is a card's own where it stands as one."""
    if not card.whole:
        return any(other.whole and stands_as_own(card.corners_px, other.corners_px) for other in read)
    return any(
        share_inside(other.corners_px, card.corners_px) > (WITHIN if other.whole else ON_EDGE)
        or share_inside(card.corners_px, other.corners_px) > COVERS
        for other in read
    )


def card_problems(cards: Sequence[FoundCard], image: Image, limits: FaceLimits) -> list[str]:
    """What a person should look at before these cards are believed."""
    problems: list[str] = []
    doubted, odd = doubtful(cards, limits.sure), odd_sized(cards, image, limits.odd_size)
    for card in cards:
        where, code = place(card.middle, image), _code(card.card)
        if card.card is None:
            text = _unread(where)
        elif any(card is other for other in doubted) or _doubted(card, cards, limits):
            text = (
                say("the corners of a card %(where)s read differently: is it %(card)s?", where=where, card=code)
                if card.disagree
                else say("not sure that the card %(where)s is %(card)s", where=where, card=code)
            )
        elif card.index_px < limits.small_px:
            text = say("the %(card)s %(where)s is very small: take the picture from closer", where=where, card=code)
        elif card.whole and cut_by_edge(card.corners_px, image):
            text = say(
                "the %(card)s %(where)s is cut by the picture's edge: show the whole table", where=where, card=code
            )
        elif any(card is other for other in odd):
            text = say("the %(card)s %(where)s has an odd size: is it a card of this table?", where=where, card=code)
        else:
            continue
        problems.append(at(card.middle, text))
    return problems


def _doubted(card: FoundCard, cards: Sequence[FoundCard], limits: FaceLimits) -> bool:
    """Whether *card*, one of *cards*, is asked about however likely all of them are."""
    least = limits.alike if card.disagree else limits.read if card.open or card.pips > 0 else limits.single
    return card.confidence < least or card.real < DOUBTFUL or (not card.whole and _lies_on(card, cards))


def _lies_on(corner: FoundCard, cards: Sequence[FoundCard]) -> bool:
    """Whether *corner* lies on one of *cards* that nothing covers, where only that card's own are."""
    bare = [card for card in cards if card.whole and (card.open or card.pips > 0)]
    return any(share_inside(corner.corners_px, card.corners_px) > ANOTHER for card in bare)


def doubtful(cards: Sequence[FoundCard], sure: float) -> list[FoundCard]:
    """The fewest of *cards* to ask about so that all others are right together as likely as *sure*."""
    read = [card for card in cards if card.card is not None]
    return [read[n] for n in least_believed([belief(card) for card in read], sure)]


def odd_sized(cards: Sequence[FoundCard], image: Image, least: float) -> list[FoundCard]:
    """Those of *cards* whose area on the table is less than this share of the others', or larger by as much; none
    where fewer than TELLING outlines tell how large a card is in which part of the picture."""
    sizes = sizes_among(image, cards)
    return [card for card, size in zip(cards, sizes, strict=True) if not least < size < 1 / least]


def once_each(cards: Sequence[FoundCard]) -> list[FoundCard]:
    """*cards*, of those that read the same the one most to be believed: mostly two corners of one card."""
    best: dict[Card | None, FoundCard] = {}
    for card in sorted(cards, key=belief):
        best[card.card] = card
    return [card for card in cards if card.card is None or card is best[card.card]]


def seen_twice(cards: Sequence[FoundCard]) -> list[str]:
    """What to ask about a card that is there twice, or between whose corners another card's stands: a deck has it once
    (rules M6), so one of the two may be misread."""
    read = [card for card in cards if card.card is not None]
    counts = Counter(card.card for card in read)
    twice = {card.card for card in read if parted(card.indices_px, _indices(without(read, [card])))}
    problems: list[str] = []
    for code in (card for card, count in counts.items() if count > 1 or card in twice):
        same = [card for card in read if card.card == code]
        text = say("%(card)s was seen twice: a deck has it once, so it was counted once", card=_code(code))
        problems.append(at(min(same, key=belief).middle, text))
    return problems


def _code(card: Card | None) -> str:
    return card.code if card else "?"
