"""Reads the Lake as it lies: cards to piles, piles to heights, heights to T (rules E2, E3, M1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scorekeeper.rules.cards import KING, RANKS, Suit, parse_card
from scorekeeper.rules.lake import LakeReading, Pile, spotted
from scorekeeper.rules.said import say
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.faces.cards import Found, FoundCard, face_down, find_cards, printed_in, second_thoughts
from scorekeeper.vision.faces.doubts import AGAIN, Doubt, asked, in_doubt
from scorekeeper.vision.faces.fan import (
    SHOWN,
    belief,
    card_doubt,
    hint_doubt,
    missed,
    sorted_out,
    strange_suits,
    without,
)
from scorekeeper.vision.faces.indices import SUITS
from scorekeeper.vision.faces.opinions import SECOND, second_opinions, spots_in
from scorekeeper.vision.faces.pips import load_pips
from scorekeeper.vision.geometry import Image, box_of
from scorekeeper.vision.places import at, cut_by_edge, near_edge, place, share_inside, share_of_either

ONE_PILE = 0.6
"""Cards of one suit whose middles are closer than this share of a card's length lie on one pile."""
HEAPED = 0.45
"""The same for cards of any suit: piles of the Lake lie apart, so one of them is misread."""
COVERED = 0.4
"""So do cards of which one hides this share of the other."""
PEEP = 1.0
"""A corner without an outline nearer to a pile than this, in card lengths, peeps out from under it."""
LONE_SURE = 0.99
"""A corner without an outline far from every pile counts as one where it is read this surely: of eight such corners on
composed tables six were on a phone's screen."""
LONE = 0.6
"""So far it is believed: it may peep out from under a card that nobody outlined, or from under the next pile."""
DIAGONAL = 1.25
"""Two such corners nearer to each other than this, in card lengths, may peep out from under one card."""
TRUST, NEXT, HEARSAY, DOUBT = 0.9995, 0.9, 0.5, 6
"""The top's own reading is believed as far as TRUST at most, that of other cards which are outlined or show opposite
corners by NEXT, and what peeps out by HEARSAY, of how likely it is to the power of DOUBT, since partly hidden corners
are read worse than they seem."""
PIPS_SHOW = 1.0
"""A card whose pips speak this much for it lies open."""
RIVAL_SURE, RIVAL_CORNER = 0.8, 0.99
"""A second card of another suit in one place, read this surely, is asked about, and so is a corner that peeps out."""
MOST_DOUBTS = 1
"""Where more is unsure a second look settles nothing: none of 25 such Lakes became certain, of 62 others 18 did."""
DIM = 0.15
"""A face-down top less likely than ``SHOWN``, and likelier than this, does not count and may be asked about."""
BACK_SURE, CARD_LIKELY = 0.75, 0.75
"""Those found with a lower score (0 to 1) do not count where a card is less likely than CARD_LIKELY: paper, mostly. Nor
does such an outline in which nothing can be read."""


@dataclass(frozen=True, slots=True)
class Heap:
    """Cards in one place of the table: one Lake pile."""

    outlined: tuple[FoundCard, ...]
    """Cards whose outline was found, the likeliest top first."""
    peeping: tuple[FoundCard, ...] = ()
    """Corners that show from under them."""


@dataclass(frozen=True, slots=True)
class SeenLake:
    """The Lake's piles as they were seen."""

    heaps: tuple[Heap, ...]
    dead: tuple[FoundCard, ...]
    """Face-down tops."""
    stray: tuple[FoundCard, ...]
    """What does not count and is asked about: doubtful corners far from every pile, cards that lie elsewhere or can
    hardly be read, and papers."""


def piles_of(found: Found, image: Image) -> SeenLake:
    """What was *found* in *image*, by piles."""
    cards, backs = _outlined(found[0]), found[1]
    seen = _apart([pile for pile in face_down(backs) if pile.confidence >= DIM])
    down = [pile for pile in seen if pile.confidence >= SHOWN]
    shown, hints = sorted_out(cards)
    up = [card for card in shown if card.whole and not any(_on_one_pile(card, pile) for pile in down)]
    papers = _papers([*down, *up], image)
    dead, outlines = without(down, papers), without(up, papers)
    corners = [card for card in [*shown, *hints] if not card.whole]
    heaps, stray = _peeping(_heaps(outlines), corners, dead)
    length = max([card.long_px for card in outlines or corners], default=0.0)
    lone, doubtful = _lone(stray, image, length)
    heaps += _heaps(lone)
    dim = [pile for pile in without(seen, down) if not any(_on_one_pile(pile, card) for card in up)]
    doubtful += [card for card in hints if card.whole] + papers + dim
    return SeenLake(tuple(heaps), tuple(dead), tuple(doubtful))


def _outlined(cards: Sequence[FoundCard]) -> list[FoundCard]:
    """*cards*, of which those that can't be read are what the surest corner says that lies in their outline: it was too
    loose for that. Where others there say something else, too, it is asked about."""
    whole = [card for card in cards if card.whole]
    corners = [card for card in cards if not card.whole]
    for n, card in enumerate(whole):
        mine = [corner for corner in corners if card.said is None and _lies_within(corner, card)]
        if mine:
            surest, several = max(mine, key=lambda corner: corner.confidence), len({corner.card for corner in mine}) > 1
            disagree = surest.disagree or several
            whole[n] = replace(surest, corners_px=card.corners_px, whole=True, disagree=disagree)
            corners = without(corners, mine)
    return whole + corners


def _lies_within(corner: FoundCard, card: FoundCard) -> bool:
    """Whether *corner*, which was read, lies in the outline of *card*."""
    return corner.card is not None and all(printed_in(index, card.corners_px) for index in corner.indices_px)


def _papers(cards: Sequence[FoundCard], image: Image) -> list[FoundCard]:
    """Those of *cards* in which nothing was read and that, found so clearly, are too unlikely to be cards."""
    doubtful = [card for card in cards if card.said is None and card.confidence < BACK_SURE]
    likely = load_pips().read(image, [card.corners_px for card in doubtful]).card
    return [card for card, chance in zip(doubtful, likely, strict=True) if chance < CARD_LIKELY]


def read_lake(image: Image, eye: Eye) -> LakeReading:
    """The piles of *image*: every pile is A..top of one suit, so its top is its height; a face-down top counts 13."""
    return reading_of(see_lake(image, eye), image)


def see_lake(image: Image, eye: Eye) -> Found:
    """The cards and backs of *image*, seen again, turned, where the first look is unsure of one place."""
    found = find_cards(image, eye)
    spots = spots_in([doubt.problem for doubt in in_doubt(doubts_of(piles_of(found, image), image), AGAIN)])
    if not 0 < len(spots) <= MOST_DOUBTS:
        return found
    return second_opinions(image, eye, [found], spots, SECOND)


def reading_of(found: Found, image: Image) -> LakeReading:
    """What was *found* in *image* as a Lake."""
    lake = piles_of(found, image)
    tops = [top_of(heap) for heap in lake.heaps]
    piles = [_pile(top) for top in tops] + [
        Pile(None, KING, True, round(d.confidence, 3), box_of(d.corners_px)) for d in lake.dead
    ]
    problems = asked(doubts_of(lake, image), image, [top.index_px for top in tops if top.corners])
    problems += _cut([*tops, *lake.dead], image)
    if not piles:
        problems.append(
            say("no %(Lake)s pile was seen: show the whole %(Lake)s from above, closer and with more light")
        )
    problems = problems or strange_suits(tops, image)
    return LakeReading(tuple(piles), not problems, tuple(problems))


def doubts_of(lake: SeenLake, image: Image) -> list[Doubt]:
    """What a person may have to look at in a *lake*."""
    tops = [top_of(heap) for heap in lake.heaps]
    doubts = [_top_doubt(top, image) for top in tops]
    doubts += [_down_doubt(pile, image) for pile in lake.dead]
    doubts += [hint_doubt(card, image, missed(card)) for card in lake.stray]
    return doubts + [doubt for heap in lake.heaps for doubt in _rivals(heap, image)]


def _top_doubt(top: FoundCard, image: Image) -> Doubt:
    """What to ask about the *top* of a pile; of a joker its height, as it shows no rank (rules I3)."""
    if not top.joker:
        return card_doubt(top, image, belief(top))
    text = say("a joker lies on the pile %(where)s: say which card it stands for", where=place(top.middle, image))
    return Doubt(0.0, at(top.middle, text))


def _cut(cards: Sequence[FoundCard], image: Image) -> list[str]:
    """What to ask where the picture's edge cuts one of a Lake's top *cards*: other piles may lie beyond it."""
    cut = [card for card in cards if card.whole and cut_by_edge(card.corners_px, image)]
    text = say("a pile is cut by the picture's edge: show the whole %(Lake)s")
    return [spotted(text, *(spot for card in cut for spot in at(card.middle, text).spots))] if cut else []


def _lone(corners: Sequence[FoundCard], image: Image, length_px: float) -> tuple[list[FoundCard], list[FoundCard]]:
    """*corners* far from every pile that surely are piles of their own, where a card *length_px* long would lie in the
    picture, and the others; of those that may peep out from under one card only the highest is."""
    lone: list[FoundCard] = []
    doubtful: list[FoundCard] = []
    for corner in sorted(corners, key=lambda card: -card.card.rank if card.card else 0):
        read = corner.card is not None and corner.confidence >= LONE_SURE
        alone = not any(math.dist(corner.middle, other.middle) < DIAGONAL * length_px for other in lone)
        if not read or not alone or near_edge(corner.corners_px, image, length_px):
            doubtful.append(corner)
        else:
            lone.append(replace(corner, confidence=LONE))
    return lone, doubtful


def _apart(dead: Sequence[FoundCard]) -> list[FoundCard]:
    """Face-down tops, one a pile."""
    kept: list[FoundCard] = []
    for card in sorted(dead, key=lambda d: -d.confidence):
        if not any(_on_one_pile(card, other) for other in kept):
            kept.append(card)
    return kept


def _on_one_pile(a: FoundCard, b: FoundCard) -> bool:
    return _near(a, b, ONE_PILE) or share_inside(a.corners_px, b.corners_px) > 0.6


def _near(a: FoundCard, b: FoundCard, reach: float) -> bool:
    """Whether their middles are closer than *reach* card lengths."""
    return math.dist(a.middle, b.middle) < reach * max(a.long_px, b.long_px)


def _heaps(cards: Sequence[FoundCard]) -> list[Heap]:
    """Outlined cards by place, one heap a pile; a card that lies between two of its suit makes them one."""
    groups: list[list[FoundCard]] = []
    for card in sorted(cards, key=_topness, reverse=True):
        mine = [group for group in groups if any(_heaped(card, other) for other in group)]
        if not mine:
            groups.append([card])
            continue
        mine[0].append(card)
        for group in mine[1:]:
            if card.card and {_suit(card)} == {_suit(mine[0][0]), _suit(group[0])}:
                mine[0] += group
                groups = [each for each in groups if each is not group]
    return [Heap(tuple(sorted(group, key=_topness, reverse=True))) for group in groups]


def _suit(card: FoundCard) -> Suit | None:
    return card.card.suit if card.card else None


def _topness(card: FoundCard) -> tuple[bool, bool, bool, float]:
    """What lies on top is read, shows its pips or opposite corners, and is read surely."""
    shows = card.joker and card.open
    return card.card is not None or shows, card.pips > PIPS_SHOW or shows, card.open, card.confidence


def _heaped(a: FoundCard, b: FoundCard) -> bool:
    """Whether two outlined cards lie on one pile."""
    if not _near(a, b, 1.0):
        return False  # too far apart to hide each other: no need to look closer
    alike = a.card is None or b.card is None or a.card.suit == b.card.suit
    if alike and (_on_one_pile(a, b) or _on_one_pile(b, a)):
        return True
    return _near(a, b, HEAPED) or share_of_either(a.corners_px, b.corners_px) > COVERED


def _peeping(
    heaps: Sequence[Heap], corners: Sequence[FoundCard], dead: Sequence[FoundCard]
) -> tuple[list[Heap], list[FoundCard]]:
    """*heaps* with the corners that peep out from under each, and the corners far from every pile."""
    mine: list[list[FoundCard]] = [[] for _ in heaps]
    stray = []
    for corner in corners:
        gaps = [math.dist(corner.middle, heap.outlined[0].middle) / heap.outlined[0].long_px for heap in heaps]
        home = int(np.argmin(gaps)) if gaps else -1
        if home >= 0 and gaps[home] < PEEP:
            mine[home].append(corner)
        elif not any(_near(corner, pile, PEEP) for pile in dead):
            stray.append(corner)
    return [replace(heap, peeping=tuple(own)) for heap, own in zip(heaps, mine, strict=True)], stray


def top_of(heap: Heap) -> FoundCard:
    """The card on top of a pile: the likeliest by all corners that show there.

    A pile has one suit and goes up: no card of it is higher than its top (rules E2). Opposite corners that show are no
    top's where another card shows its pips.
    """
    first = heap.outlined[0]
    if first.card is None:
        return first
    cards = [card for card in (*heap.outlined, *heap.peeping) if card.card is not None]
    suits, ranks = np.zeros(4), np.zeros(13)
    shown, uncovered = np.zeros(13), first.pips > PIPS_SHOW
    for card in cards:
        of_suit = _trust(card, card.whole or card.open, card is first)
        of_rank = _trust(card, card.whole or (card.open and not uncovered), card is first)
        suits += np.log(of_suit * card.suits + (1 - of_suit) / 4)
        ranks += np.log(of_rank * np.cumsum(card.ranks) + (1 - of_rank))
        shown += of_rank * card.ranks
    suit, rank = _shares(suits), _shares(ranks + np.log(shown + 1e-6))
    best = parse_card(RANKS[int(rank.argmax())] + SUITS[int(suit.argmax())])
    sure = min(1.0, first.confidence / first.likely) * float(rank.max() * suit.max())
    if best == first.card:
        return replace(first, confidence=sure)
    return replace(first, card=best, confidence=sure, disagree=True, open=False, pips=0.0)


def _trust(card: FoundCard, clear: bool, first: bool) -> float:
    """How far the reading of a pile's *card*, or of its *first*, is believed, which shows *clear* or peeps out."""
    return min(card.confidence, TRUST) if first else (NEXT if clear else HEARSAY) * card.likely**DOUBT


def _shares(logs: np.ndarray) -> np.ndarray:
    powers = np.exp(logs - logs.max())
    return np.asarray(powers / powers.sum())


def _rivals(heap: Heap, image: Image) -> list[Doubt]:
    """Open cards of another suit than the top of their *heap*: two piles that touch, or one misread."""
    top, doubts = heap.outlined[0], list[Doubt]()
    rivals = [card for card in heap.outlined[1:] if card.confidence > RIVAL_SURE]
    rivals += [corner for corner in heap.peeping if corner.confidence >= RIVAL_CORNER]
    for other in rivals:
        if other.card and top.card and other.card.suit != top.card.suit:
            text = say(
                "is there one pile %(where)s, or two: %(card)s and %(other)s?",
                where=place(top.middle, image),
                card=top.card.code,
                other=other.card.code,
            )
            doubts.append(Doubt(1 - belief(other), at(top.middle, text)))
    return doubts


def _pile(top: FoundCard) -> Pile:
    height, sure = (top.card.rank if top.card else 0), (0.0 if top.joker else belief(top))  # rules I3: no height shows
    return Pile(top.card, height, False, round(sure, 3), box_of(top.corners_px), second_thoughts(top))


def _down_doubt(pile: FoundCard, image: Image) -> Doubt:
    """What to ask about a *pile* that counts as finished."""
    text = say("is there a finished pile, face down, %(where)s?", where=place(pile.middle, image))
    return Doubt(pile.confidence, at(pile.middle, text))
