"""Reads face-up cards: a fan, a ribbon, a table full; each physical card once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from scorekeeper.rules.cards import Card
from scorekeeper.rules.lake import FanReading, SeenFace
from scorekeeper.rules.said import Said, say
from scorekeeper.vision.belief import likely, odds
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.faces.cards import (
    Found,
    FoundCard,
    find_cards,
    lies_in,
    lone,
    misread_on,
    second_thoughts,
    stands_as_own,
)
from scorekeeper.vision.faces.doubts import AGAIN, SMALL_PX, Doubt, asked, in_doubt
from scorekeeper.vision.faces.inks import in_two_inks
from scorekeeper.vision.faces.opinions import HINT, THIRD, differences, second_opinions, spots_in, turned_look
from scorekeeper.vision.faces.row import gaps_in, off_row, parted
from scorekeeper.vision.geometry import Image, Points, box_of
from scorekeeper.vision.places import at, place, share_inside, share_of_either
from scorekeeper.vision.weights import READ, UNSEEN

SHOWN, CORNER = 0.35, 0.6
"""Outlined cards below the first confidence do not count, as more often than not they are none, nor does a corner
without an outline below the second; either may be asked about."""
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


def features(card: FoundCard, *, on_another: bool = False) -> dict[str, float]:
    """What tells how likely a card is read right; a corner may lie *on_another* card."""
    covered = not (card.open or card.pips > 0)
    return {
        "bias": 1.0,
        "confidence": odds(card.confidence, 0.005),
        "single": float(covered and card.corners <= 1),
        "on_another": float(on_another),
    }


def belief(card: FoundCard, *, on_another: bool = False) -> float:
    """How likely this card is there and read right, 0 to 1: calibrated, unlike its confidence. What can't be read has
    no name, and so no right one."""
    read = likely(features(card, on_another=on_another), READ) if card.card else 0.0
    return (card.confidence if card.joker else read) * card.table


def unseen_features(hint: FoundCard, *, twice: bool = False) -> dict[str, float]:
    """What tells whether a card is missing where this *hint* of one did not count, which may read as one that does."""
    return {"bias": 1.0, "unread": float(hint.card is None), "twice": float(twice)}


def missed(hint: FoundCard, *, twice: bool = False) -> float:
    """How likely a card is missing from a reading where this *hint* of one did not count, 0 to 1."""
    return hint.table if hint.elsewhere else likely(unseen_features(hint, twice=twice), UNSEEN)


def read_fan(image: Image, eye: Eye, *, left: bool = False) -> FanReading:
    """Every physical face-up card of *image* once, whatever its position; certain, or with what to look at.

    Cards that are *left* are of one deck, which has each once (rules M6), and only their number matters: what a card is
    called is not asked about. Of others, equal ones that lie apart are two, of two decks.
    """
    cards, backs = see_fan(image, eye)
    return reading_of(cards, image, left=left, backs=len(backs))


def see_fan(image: Image, eye: Eye) -> Found:
    """The cards of *image*, which is seen twice; a third time where the two looks differ or the first is unsure. And
    what is read where one of their row is missing."""
    found = find_cards(image, eye)
    turned = turned_look(image, eye, found)
    if turned is None:
        return found
    unsure = spots_in([doubt.problem for doubt in in_doubt(doubts_of(told_apart(found[0]), image), AGAIN)])
    spots = np.concatenate([unsure, differences(found, turned)])
    cards, backs = second_opinions(image, eye, [found, turned], spots, THIRD)
    return [*cards, *_in_gaps(image, eye, cards)], backs


def _in_gaps(image: Image, eye: Eye, cards: Sequence[FoundCard]) -> list[FoundCard]:
    """Others than *cards* show, whose corners are read in gaps of the row in which they stand, to be asked about."""
    row = _indices([card for card in cards if _sure(card)])
    readings = eye.reader.read(image, gaps_in(row))
    sure = np.flatnonzero(readings.confidence >= GAP_SURE)
    read = [lone(readings, np.array([n])) for n in sorted(sure, key=lambda n: float(readings.confidence[n]))]
    best, known = {card.card: card for card in read}, {card.card for card in cards if card.confidence >= SHOWN}
    return [replace(card, confidence=HINT) for code, card in best.items() if code not in known]


def reading_of(cards: Sequence[FoundCard], image: Image, *, left: bool = False, backs: int = 0) -> FanReading:
    """What the *cards* found in *image* are together, beside so many *backs*; what may be one that counts already is
    not asked about."""
    told = told_apart(cards, left=left)
    shown = told.shown
    problems = asked(doubts_of(told, image, left=left), image, [card.index_px for card in shown if card.corners])
    if not shown:
        problems.append(say("no face-up card was seen: lay the cards with their corners showing, closer to the camera"))
    elif len(shown) == 1 and backs:
        text = say("one card shows its face, and others lie face down: turn over what counts")
        problems.append(at(shown[0].middle, text))
    problems = problems or strange_suits(shown, image)
    faces = tuple(
        SeenFace(card.card, round(belief(card), 3), box_of(card.corners_px), second_thoughts(card), card.joker)
        for card in shown
    )
    return FanReading(faces, not problems, tuple(problems))


class Told(NamedTuple):
    """The cards of a picture, told apart."""

    shown: list[FoundCard]
    """Those that count, ..."""
    twice: list[FoundCard]
    """... what reads as one of them elsewhere, or that one where others stand between its corners, ..."""
    hints: list[FoundCard]
    """... and what else may be a card."""


def told_apart(cards: Sequence[FoundCard], *, left: bool = False) -> Told:
    """The *cards* found in a picture: those that count, and those that may."""
    seen, hints = by_their_row(*sorted_out(cards))
    shown = once_each(seen, one_deck=left)
    twice = [card for card in without(seen, shown) if not any(_is_one_with(card, other) for other in shown)]
    return Told(shown, [*twice, *_parted(shown)], uncounted(hints, shown))


def doubts_of(told: Told, image: Image, *, left: bool = False) -> list[Doubt]:
    """What a person may have to look at."""
    rights = [belief(card, on_another=lies_on(card, told.shown)) for card in told.shown]
    rights = [card.table if card.whole and left else right for card, right in zip(told.shown, rights, strict=True)]
    doubts = [card_doubt(card, image, right) for card, right in zip(told.shown, rights, strict=True)]
    doubts += [_twice_doubt(card) for card in told.twice]
    doubts += [_mirrored_doubt(card, image) for card in mirrored(told.shown)]
    return doubts + [hint_doubt(card, image, missed(card)) for card in told.hints]


def strange_suits(cards: Sequence[FoundCard], image: Image) -> list[str]:
    """What to ask about *cards* that may have other suits than the French ones."""
    if not in_two_inks(image, [card.indices_px[0] for card in cards if card.card is not None and len(card.indices_px)]):
        return []
    return [say("the cards' ranks and suits have different colours: are these spades, hearts, diamonds and clubs?")]


def sorted_out(cards: Sequence[FoundCard]) -> tuple[list[FoundCard], list[FoundCard]]:
    """The cards that count, and what a person may have to look at: corners and outlined cards too doubtful to count,
    cards that may be on a screen."""
    seen = visible([card for card in cards if not card.elsewhere])
    shown = [c for c in seen if (c.confidence >= (SHOWN if c.whole else CORNER) if c.said else c.whole)]
    hints = [c for c in seen if not c.whole and (c.said is None or SHOWN <= c.confidence < CORNER)]
    dim = [c for c in seen if c.whole and c.card and c.confidence < SHOWN]
    read = [card for card in shown if card.said]
    for card in dim:
        if not _explained(card, read):
            hints.append(replace(card, card=None))
        elif card.confidence >= HEARD:
            hints.append(card)
    return shown, hints + [card for card in cards if card.elsewhere]


def uncounted(hints: Sequence[FoundCard], shown: Sequence[FoundCard]) -> list[FoundCard]:
    """Those of *hints* that may be another card than those *shown*: what reads the same is mostly that, seen again."""
    known = {card.card for card in shown if card.card is not None}
    return [card for card in hints if card.elsewhere or card.card not in known]


def by_their_row(shown: Sequence[FoundCard], hints: Sequence[FoundCard]) -> tuple[list[FoundCard], list[FoundCard]]:
    """The cards that count, and those to look at, by the rows in which sure ones stand, as in a fan.

    A hint counts whose corner stands in a row, whatever lies round it, and is none of its cards' own, misread. Where
    most sure ones stand in rows, a doubtful card that stands in none does not.
    """
    row = [card for card in shown if _sure(card)]
    tall = float(np.median([card.index_px for card in row] or [0.0]))
    doubtful = [card for card in without(shown, row) if not card.joker and not _stands_alone(card, tall)]
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


def hint_doubt(card: FoundCard, image: Image, missing: float) -> Doubt:
    """What to ask about what may be a card and did not count; *missing* is how likely it is one."""
    where, code = place(card.middle, image), _code(card.card)
    if card.card is None:
        text = say("is what lies %(where)s a card? it was not counted", where=where) if card.whole else _unread(where)
    elif card.elsewhere:
        text = say("is the %(card)s %(where)s a card, or on a screen? it was not counted", where=where, card=code)
    else:
        text = say("is there a card %(where)s, perhaps the %(card)s? it was not counted", where=where, card=code)
    return Doubt(1 - missing, at(card.middle, text))


def _unread(where: Said) -> Said:
    return say("a card %(where)s can't be read: show its corner, or type it", where=where)


def visible(cards: Sequence[FoundCard]) -> list[FoundCard]:
    """*cards* without outlines that are only the sum of cards already read: a ribbon taken for one card."""
    read = [card for card in cards if card.said is not None]
    return read + [card for card in cards if card.said is None and not _explained(card, read)]


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


def card_doubt(card: FoundCard, image: Image, right: float) -> Doubt:
    """What to ask about a *card* that counts, which is so likely *right*."""
    where, code = place(card.middle, image), _code(card.card)
    if card.joker:
        text = say("is the card %(where)s a joker?", where=where)
    elif card.card is None:
        text = _unread(where)
    elif card.table * card.table < right:  # that it lies on the table is less likely than that it is read right
        text = say("the %(card)s %(where)s: is it a card of this table?", where=where, card=code)
    elif card.corners and card.index_px < SMALL_PX:
        text = say("the %(card)s %(where)s is very small: take the picture from closer", where=where, card=code)
    elif card.disagree:
        text = say("the corners of a card %(where)s read differently: is it %(card)s?", where=where, card=code)
    else:
        text = say("not sure that the card %(where)s is %(card)s", where=where, card=code)
    return Doubt(right, at(card.middle, text))


def lies_on(corner: FoundCard, cards: Sequence[FoundCard]) -> bool:
    """Whether *corner* lies on one of *cards* that nothing covers, where only that card's own are."""
    bare = [card for card in cards if card.whole and (card.open or card.pips > 0)]
    return not corner.whole and any(share_inside(corner.corners_px, card.corners_px) > ANOTHER for card in bare)


def once_each(cards: Sequence[FoundCard], *, one_deck: bool = False) -> list[FoundCard]:
    """*cards*, of those that read the same the one most to be believed: mostly two corners of one card. Where they are
    not of *one_deck*, those that lie apart and open are several cards."""
    kept: list[FoundCard] = []
    for card in sorted(cards, key=belief, reverse=True):
        same = [other for other in kept if card.card is not None and other.card == card.card]
        if not same or (not one_deck and all(_lie_apart(card, other) for other in same)):
            kept.append(card)
    return [card for card in cards if any(card is other for other in kept)]


def _lie_apart(one: FoundCard, other: FoundCard) -> bool:
    """Whether two cards that read the same are two: both lie open, and neither touches the other."""
    bare = all(card.whole and (card.open or card.pips > 0) for card in (one, other))
    return bare and share_of_either(one.corners_px, other.corners_px) == 0


def _is_one_with(card: FoundCard, other: FoundCard) -> bool:
    """Whether what reads the same as *other* lies where that card does, and so is it, seen again."""
    if card.card != other.card or not other.whole:
        return False
    return share_inside(card.corners_px, other.corners_px) > WITHIN


def _parted(cards: Sequence[FoundCard]) -> list[FoundCard]:
    """Those of *cards* between whose corners another card's stands: they may be two, one of them misread."""
    read = [card for card in cards if card.card is not None]
    return [card for card in read if parted(card.indices_px, _indices(without(read, [card])))]


def _twice_doubt(card: FoundCard) -> Doubt:
    """What to ask about a card that is there twice: a deck has it once (rules M6), so one of the two may be misread."""
    text = say("%(card)s was seen twice: a deck has it once, so it was counted once", card=_code(card.card))
    return Doubt(1 - missed(card, twice=True), at(card.middle, text))


def mirrored(cards: Sequence[FoundCard]) -> list[FoundCard]:
    """Of *cards* that read the same the one that is least likely real by what lies round it: a phone that lies on the
    table may show what lies there."""
    same: dict[Card, list[FoundCard]] = {}
    for card in cards:
        if card.card is not None and card.whole:
            same.setdefault(card.card, []).append(card)
    return [min(each, key=lambda card: card.real) for each in same.values() if len(each) > 1]


def _mirrored_doubt(card: FoundCard, image: Image) -> Doubt:
    """What to ask about a card that is there elsewhere, too, and may be on a screen."""
    where = place(card.middle, image)
    text = say(
        "is the %(card)s %(where)s a card, or on a screen? there is another one", where=where, card=_code(card.card)
    )
    return Doubt(card.real, at(card.middle, text))


def _code(card: Card | None) -> str:
    return card.code if card else "?"
