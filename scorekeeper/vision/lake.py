"""Reads the Lake as it lies: cards to piles, piles to heights, heights to T (rules E2, E3, M1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scorekeeper.rules.cards import KING
from scorekeeper.rules.lake import LakeReading, Pile
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.faces import FoundCard, find_cards
from scorekeeper.vision.fan import LIMITS, FaceLimits, face_problems, hint_problem, sorted_out
from scorekeeper.vision.geometry import Image, box_of
from scorekeeper.vision.places import cut_by_edge, place, share_inside

ONE_PILE = 0.6
"""Cards of one suit whose middles are closer than this share of a card's length lie on one pile."""
STRAY = 1.0
"""A doubtful corner further than this, in card lengths, from every pile may be a pile that was missed."""
BACK_SURE = 0.6
"""Face-down tops found with a lower score (0 to 1) are asked about."""


def read_lake(image: Image, eye: Eye, *, limits: FaceLimits = LIMITS) -> LakeReading:
    """The piles of *image*: every pile is A..top of one suit, so its top is its height; a face-down top counts 13."""
    cards, backs = find_cards(image, eye)
    dead = [
        FoundCard(None, float(score), corners, whole=True)
        for corners, score in zip(backs.corners_px, backs.scores, strict=True)
        if score >= limits.shown
    ]
    dead = _apart(dead)
    shown, hints = sorted_out(cards, limits)
    stray = [card for card in hints if not any(_near(card, pile, STRAY) for pile in [*shown, *dead])]
    open_cards = [card for card in shown if not any(_on_one_pile(card, pile) for pile in dead)]
    groups = _piles(open_cards)
    tops = [_top(group) for group in groups]
    problems = face_problems(tops, image, limits) + _dead_problems(dead, image) + _torn(groups, tops, image)
    problems += [hint_problem(card, image) for card in stray]
    piles = [_pile(top) for top in tops] + [
        Pile(None, KING, True, round(d.confidence, 3), box_of(d.corners_px)) for d in dead
    ]
    if not piles:
        problems.append("no Lake pile was seen: show the whole Lake from above, closer and with more light")
    return LakeReading(tuple(piles), not problems, tuple(problems))


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
    return float(np.linalg.norm(a.middle - b.middle)) < reach * max(a.long_px, b.long_px)


def _piles(cards: Sequence[FoundCard]) -> list[list[FoundCard]]:
    """Cards of one suit in one place, together; a card that can't be read stays alone."""
    groups: list[list[FoundCard]] = []
    for card in sorted(cards, key=lambda c: (not c.whole, -c.confidence)):
        mine = next((g for g in groups if _same_pile(card, g)), None)
        if mine is None:
            groups.append([card])
        else:
            mine.append(card)
    return groups


def _same_pile(card: FoundCard, group: Sequence[FoundCard]) -> bool:
    first = group[0].card
    if card.card is None or first is None or card.card.suit != first.suit:
        return False
    return any(_on_one_pile(card, other) or _on_one_pile(other, card) for other in group)


def _top(group: Sequence[FoundCard]) -> FoundCard:
    """Piles go up, so the highest rank is the top (rules E2); the top lies open, so its outline is seen."""
    outlined = [card for card in group if card.whole] or group
    return max(outlined, key=lambda card: (card.card.rank if card.card else 0, card.confidence))


def _torn(groups: Sequence[Sequence[FoundCard]], tops: Sequence[FoundCard], image: Image) -> list[str]:
    """Piles of which a corner peeps out that reads higher than the top: one of them is misread."""
    problems = []
    for group, top in zip(groups, tops, strict=True):
        higher = [card.card for card in group if card.card and top.card and card.card.rank > top.card.rank]
        if higher and top.card:
            problems.append(f"is the top {place(top.middle, image)} the {top.card.code} or the {max(higher).code}?")
    return problems


def _pile(top: FoundCard) -> Pile:
    height = top.card.rank if top.card else 0
    return Pile(top.card, height, False, round(top.confidence, 3), box_of(top.corners_px))


def _dead_problems(dead: Sequence[FoundCard], image: Image) -> list[str]:
    problems = []
    for pile in dead:
        where = place(pile.middle, image)
        if pile.confidence < BACK_SURE:
            problems.append(f"is there a finished pile, face down, {where}?")
        elif cut_by_edge(pile.corners_px, image):
            problems.append(f"a face-down card {where} is cut by the picture's edge: show the whole Lake")
    return problems
