"""Second opinions: what is unsure in a picture is looked at again, turned, and the looks vote card by card."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from scorekeeper.rules.cards import Card
from scorekeeper.rules.lake import spots_of
from scorekeeper.vision.detector import BACK, Detections
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.faces.cards import ON_CARD, Found, FoundCard, face_down, placed, seen_cards, share_an_index
from scorekeeper.vision.geometry import Image, Points, side_lengths
from scorekeeper.vision.places import share_of_both
from scorekeeper.vision.windows import Near, turned_window

SECOND, THIRD = 1, 2
"""By how many quarters the picture is turned for each further look: the networks err otherwise there."""
REACH, ROOM = 0.6, 0.6
"""Put to the vote are cards nearer to what is unsure than so many lengths of a card; seen again is so much more."""
WORTH_ASKING = 0.8
"""A card that one of two looks shows is put to the vote where it is read this surely."""
HINT = 0.5
"""A confidence that asks about a corner and does not count it; what few of the looks say is believed so far."""
UNREAD = 0.3
"""A look that can't read a card speaks against the others' reading this much."""
SAME_CARD, SAME_PLACE, SAME_BACK = 0.3, 0.7, 0.5
"""Outlines of two looks are one card's where each lies within the other by this share: if they read alike, if not, and
if both are backs."""


def turned_look(image: Image, eye: Eye, found: Found) -> Found | None:
    """All of *image* seen again, turned by a quarter; None where no card was *found*, which tells how long they are."""
    length = _card_length(found) if found[0] else None
    if length is None:
        return None
    height, width = image.shape[:2]
    return _seen_turned(image, eye, (0, 0, width, height), length, SECOND)


def differences(one: Found, other: Found) -> Points:
    """Where (n, 2) two looks do not show the same card."""
    spots = []
    for group in _grouped([one[0], other[0]], _alike):
        cards = list(group.values())
        alike = len({card.said for card in cards}) == 1 if len(cards) == 2 else cards[0].confidence < WORTH_ASKING
        if not alike:
            spots.append(cards[0].middle)
    return np.array(spots, np.float32).reshape(-1, 2)


def spots_in(problems: Sequence[str]) -> Points:
    """The places (n, 2) in a picture that *problems* are about."""
    return np.array([(x, y) for problem in problems for _, x, y in spots_of(problem)], np.float32).reshape(-1, 2)


def second_opinions(image: Image, eye: Eye, looks: Sequence[Found], spots: Points, turn: int) -> Found:
    """The first of *looks* at all of *image*, where cards near *spots* (n, 2) are what most looks show.

    One more look sees what is near *spots*, turned by so many quarters. Where cards lie is judged anew.
    """
    length = _card_length(looks[0])
    if len(spots) == 0 or length is None:
        return looks[0]
    near = Near(spots, REACH * length)
    around = Near(spots, (REACH + ROOM) * length)
    again = [_seen_turned(image, eye, box, length, turn, around) for box in around.windows(image).astype(int).tolist()]
    cards = [*(cards for cards, _ in looks), [card for cards, _ in again for card in cards]]
    backs = [*(backs for _, backs in looks), Detections.joined([backs for _, backs in again])]
    return placed(image, voted(cards, near)), _voted_backs(backs, near)


def _card_length(found: Found) -> float | None:
    """How long the cards are, in pixels, by their outlines where there are any; None where nothing was found."""
    cards, backs = found
    outlines = [card.corners_px for card in cards if card.whole] + list(backs.corners_px)
    lengths = [float(side_lengths(outline).max()) for outline in outlines] or [card.long_px for card in cards]
    return float(np.median(lengths)) if lengths else None


def _seen_turned(
    image: Image,
    eye: Eye,
    box: Sequence[int],
    length: float,
    turn: int,
    near: Callable[[Points], bool] = lambda _: True,
) -> Found:
    """What is *near* something in the upright *box* of *image*, where cards are *length* pixels long, seen turned by so
    many quarters."""
    window, to_image = turned_window(image, box, turn)
    seen, down = seen_cards(window, eye, length, lambda middle: near(to_image(middle)))
    cards = [replace(card, corners_px=to_image(card.corners_px), indices_px=to_image(card.indices_px)) for card in seen]
    return cards, down.at(to_image(down.corners_px))


Cards = Sequence[FoundCard]
Alike = Callable[[FoundCard, FoundCard], float]
"""How surely two looks' cards are one, 0 where they are not."""


def voted(looks: Sequence[Cards], near: Callable[[Points], bool]) -> list[FoundCard]:
    """The cards of the first look; where *near* says so, those that most looks show, as most of them read them.

    An outlined card that one look alone reads counts, too: every other one is there. One of three is believed less. A
    corner that one look alone shows is asked about where it was read surely: of such few are there.
    """

    def decided(group: Cards) -> FoundCard | None:
        card = _one(group, len(looks))
        if 2 * len(group) > len(looks) or (card.whole and card.said is not None):
            return card
        if card.said is not None and max(one.confidence for one in group) >= WORTH_ASKING:
            return replace(card, confidence=HINT)
        return None

    return _decided(looks, near, _alike, decided)


def _decided(
    looks: Sequence[Cards],
    near: Callable[[Points], bool],
    alike: Alike,
    decided: Callable[[Cards], FoundCard | None],
) -> list[FoundCard]:
    """The first look's cards; where *near* says so, what is *decided* of each card that some look shows."""
    kept = (
        decided(list(group.values())) if any(near(card.middle) for card in group.values()) else group.get(0)
        for group in _grouped(looks, alike)
    )
    return [card for card in kept if card is not None]


def _grouped(looks: Sequence[Cards], alike: Alike) -> list[dict[int, FoundCard]]:
    """The cards of all looks, those of one physical card together, by the look's number."""
    groups: list[dict[int, FoundCard]] = []
    for number, cards in enumerate(looks):
        pairs = [
            (max(alike(card, other) for other in group.values()), i, k)
            for i, card in enumerate(cards)
            for k, group in enumerate(groups)
        ]
        free = set(range(len(cards)))
        for surely, i, k in sorted(pairs, key=lambda pair: -pair[0]):
            if surely > 0 and i in free and number not in groups[k]:
                groups[k][number] = cards[i]
                free.discard(i)
        groups += [{number: cards[i]} for i in sorted(free)]
    return groups


def _alike(one: FoundCard, other: FoundCard) -> float:
    """How surely two looks' cards are one, 0 where they are not: by an index, by their outlines, by what they read."""
    same = one.said is not None and one.said == other.said
    gap = math.dist(one.middle, other.middle)
    reach = max(one.long_px, other.long_px)
    if gap > reach:
        return 0.0
    alike = float(same) * (gap < ON_CARD * reach)
    if share_an_index(one, other):
        return 2 + alike
    if one.whole and other.whole:
        share = share_of_both(one.corners_px, other.corners_px)
        return (1 + share) if share > (SAME_CARD if same else SAME_PLACE) else 0.0
    return alike


def _one(group: Cards, looks: int) -> FoundCard:
    """The card that *group*, of so many *looks*, most surely reads; unread where it rather is that."""
    said: dict[Card | str | None, float] = {}
    for card in group:
        said[card.said] = said.get(card.said, 0.0) + (card.confidence if card.said else UNREAD)
    code = max(said, key=lambda card: said[card])
    mine = [card for card in group if card.said == code]
    best = max(mine, key=lambda card: (card.whole, card.confidence))
    if code is None:
        return best
    return replace(
        best,
        confidence=said[code] / len(mine) * (1 if 2 * len(mine) >= looks else HINT),
        ranks=np.mean([card.ranks for card in mine], 0),
        suits=np.mean([card.suits for card in mine], 0),
        pips=float(np.mean([card.pips for card in mine])),
        open=any(card.open for card in mine),
        corners=max(card.corners for card in mine),
        disagree=2 * sum(card.disagree for card in mine) > len(mine),
    )


def _voted_backs(looks: Sequence[Detections], near: Callable[[Points], bool]) -> Detections:
    """The backs of the first look; where *near* says so, those that half of the looks show."""

    def alike(one: FoundCard, other: FoundCard) -> float:
        return float(
            share_of_both(one.corners_px, other.corners_px) > SAME_BACK
        )  # of several, the clearest comes first

    def decided(group: Cards) -> FoundCard | None:
        clearest = max(group, key=lambda back: back.confidence)
        together = sum(back.confidence for back in group) / len(looks)
        return replace(clearest, confidence=together) if 2 * len(group) >= len(looks) else None

    kept = _decided([face_down(backs) for backs in looks], near, alike, decided)
    outlines = np.array([back.corners_px for back in kept], np.float32).reshape(-1, 4, 2)
    return Detections(outlines, np.full(len(kept), BACK), np.array([back.confidence for back in kept], np.float32))
