"""Which proposals are the cards: the scene with the highest posterior, a sum of the terms in ``Terms``.

A scene is a set of proposals. Of two that overlap, the evidence in what they share says which lies above; so each pixel
shows one card, or none. One search looks for the best scene: it adds, removes and replaces as long as that wins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from scorekeeper.vision.backs.evidence import Evidence, log_odds
from scorekeeper.vision.backs.proposals import Proposals

Floats = npt.NDArray[np.float32]
GROUND = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What each thing counts in a scene's log posterior; fitted by models/train_evidence.py, all but *nobodys*."""

    over_ground: float = 1.34
    """The evidence of pixels that would show the ground without the card, for one card's area."""
    over_cards: float = 0.69
    """The evidence of pixels that would show another card."""
    overlap: float = -10.48
    """The squared IoU of each two cards."""
    card: float = 2.04
    """Each card, whatever is known of it."""
    sure: float = 0.33
    """The refiner's log odds."""
    joint: float = 0.20
    """The log odds of the joint score."""
    size: float = -5.93
    """How far its area is from the usual one, natural logarithm."""
    nobodys: float = -1.0
    """How likely it is of no deck, which on real tables hardly a card is: set by hand."""


TERMS = Terms()
MOST_SIZE = 1.0
ROUNDS = 3
"""So often all cards are tried anew."""


@dataclass(slots=True)
class Pairs:
    """What is known of each two proposals that overlap, looked up when it is first asked for."""

    evidence: Evidence
    near: list[list[int]]
    """Which others overlap each."""
    _known: dict[tuple[int, int], tuple[bool, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, evidence: Evidence) -> Pairs:
        """Those of all proposals."""
        boxes = np.array(
            [(c.left, c.top, c.left + c.values.shape[1], c.top + c.values.shape[0]) for c in evidence.cards]
        ).reshape(-1, 4)
        low, high = boxes[:, None, :2], boxes[:, None, 2:]
        touch = np.asarray(((low < boxes[None, :, 2:]) & (boxes[None, :, :2] < high)).all(2))
        near = [[k for k in np.flatnonzero(row).tolist() if k != n] for n, row in enumerate(touch)]
        return cls(evidence, near)

    def above(self, one: int, other: int) -> bool:
        """Whether *one* lies above *other*."""
        return self._pair(one, other)[0] if one < other else not self._pair(other, one)[0]

    def iou(self, one: int, other: int) -> float:
        """What both share, 0 to 1."""
        return self._pair(min(one, other), max(one, other))[1]

    def _pair(self, one: int, other: int) -> tuple[bool, float]:
        if (one, other) not in self._known:
            self._known[one, other] = self._compared(one, other)
        return self._known[one, other]

    def _compared(self, one: int, other: int) -> tuple[bool, float]:
        a, b = self.evidence.cards[one], self.evidence.cards[other]
        top, left = max(a.top, b.top), max(a.left, b.left)
        bottom = min(a.top + a.values.shape[0], b.top + b.values.shape[0])
        right = min(a.left + a.values.shape[1], b.left + b.values.shape[1])
        mine, theirs = (c.values[top - c.top : bottom - c.top, left - c.left : right - c.left] for c in (a, b))
        more = np.maximum(mine, 0) - np.maximum(theirs, 0)
        both = np.isfinite(more)
        shared = int(both.sum())
        whole = int(np.isfinite(a.values).sum() + np.isfinite(b.values).sum()) - shared
        return bool(more[both].sum() > 0), shared / max(whole, 1)


class Scene:
    """Some of the proposals, and which of them each pixel shows."""

    def __init__(self, pairs: Pairs, alone: Floats, terms: Terms = TERMS) -> None:
        self._pairs, self._alone = pairs, alone
        self._weights = terms.over_ground, terms.over_cards, terms.overlap
        self._cards, self._area = pairs.evidence.cards, pairs.evidence.area
        self.owner = np.full(pairs.evidence.ground.shape, GROUND, np.int32)
        """(h, w) the number of the card that shows, or GROUND."""
        self.odds = pairs.evidence.ground.copy()
        """(h, w) the log odds of what shows."""
        self.cards: set[int] = set()

    def copy(self) -> Scene:
        """The same scene, to be changed."""
        new = Scene.__new__(Scene)
        new._pairs, new._alone, new._weights, new._cards, new._area = (
            self._pairs, self._alone, self._weights, self._cards, self._area,
        )  # fmt: skip
        new.owner, new.odds, new.cards = self.owner.copy(), self.odds.copy(), set(self.cards)
        return new

    def gain(self, card: int) -> float:
        """By how much the log posterior grows with *card*."""
        return float(np.dot(self.terms(card), self._weights)) + float(self._alone[card])

    def terms(self, card: int) -> tuple[float, float, float]:
        """What *card* wins over the ground and over other cards, in areas of a card; and its overlap with them."""
        takes, owner = self._takes(card), self.owner[self._cards[card].window]
        values = self._cards[card].values
        more = (values - self.odds[self._cards[card].window])[takes]
        ground, area = owner[takes] == GROUND, max(self._area, float(np.isfinite(values).sum()))
        overlap = sum(self._pairs.iou(card, k) ** 2 for k in self._pairs.near[card] if k in self.cards)
        return float(more[ground].sum()) / area, float(more[~ground].sum()) / area, overlap

    def worth(self, card: int) -> float:
        """By how much the log posterior is higher with *card*, one of the scene's, than without it."""
        window = self._cards[card].window
        owner, odds = self.owner[window].copy(), self.odds[window].copy()
        self.remove(card)
        won = self.gain(card)
        self.owner[window], self.odds[window] = owner, odds
        self.cards.add(card)
        return won

    def near(self, card: int) -> list[int]:
        """The proposals that overlap *card*."""
        return self._pairs.near[card]

    def add(self, card: int) -> None:
        """Lays *card* where it belongs."""
        takes, window = self._takes(card), self._cards[card].window
        self.owner[window][takes] = card
        self.odds[window][takes] = self._cards[card].values[takes]
        self.cards.add(card)

    def remove(self, card: int) -> None:
        """Takes *card* away; what it hid shows."""
        self.cards.discard(card)
        window = self._cards[card].window
        gone = self.owner[window] == card
        self.owner[window][gone] = GROUND
        self.odds[window][gone] = self._pairs.evidence.ground[window][gone]
        bare = np.zeros(self.owner.shape, bool)
        bare[window] = gone
        for other in self._pairs.near[card]:
            if other in self.cards:
                takes, place = self._takes(other) & bare[self._cards[other].window], self._cards[other].window
                self.owner[place][takes] = other
                self.odds[place][takes] = self._cards[other].values[takes]

    def _takes(self, card: int) -> npt.NDArray[np.bool_]:
        """Which pixels of its patch would show *card*: bare ones, and those of cards that lie below it."""
        owner, inside = self.owner[self._cards[card].window], np.isfinite(self._cards[card].values)
        takes = inside & (owner == GROUND)
        for other in np.unique(owner[inside & (owner >= 0)]).tolist():
            if other != card and self._pairs.above(card, other):
                takes |= inside & (owner == other)
        return np.asarray(takes, np.bool_)

    def grow(self, numbers: Iterable[int]) -> float:
        """Adds those proposals that win, the best first; by how much the log posterior grew."""
        gains = {card: self.gain(card) for card in numbers if card not in self.cards}
        total = 0.0
        while gains:
            best = max(gains, key=lambda card: gains[card])
            won = gains.pop(best)
            if won <= 0:
                break
            self.add(best)
            total += won
            for card in self._pairs.near[best]:
                if card in gains:
                    gains[card] = self.gain(card)
        return total

    def without(self, card: int) -> tuple[Scene, float]:
        """The scene without *card*, and what that costs."""
        left = self.copy()
        left.remove(card)
        return left, left.gain(card)


def best_scene(proposals: Proposals, evidence: Evidence, terms: Terms = TERMS) -> Scene:
    """The scene with the highest log posterior that the search finds."""
    scene = Scene(Pairs.of(evidence), alone_of(proposals, terms), terms)
    every = range(len(proposals))
    scene.grow(every)
    for _ in range(ROUNDS):
        changed = False
        for card in sorted(scene.cards):
            better = _replaced(scene, card) if card in scene.cards else None
            if better is not None:
                scene, changed = better, True
        if scene.grow(every) <= 0 and not changed:
            break
    return scene


def _replaced(scene: Scene, card: int) -> Scene | None:
    """The scene with others in the place of *card*, or none; None where that is no better."""
    others = [k for k in scene.near(card) if k not in scene.cards]
    if not others and scene.worth(card) >= 0:
        return None
    left, cost = scene.without(card)
    won = left.grow(others)
    if len(left.cards) >= len(scene.cards) and (more := left.gain(card)) > 0:
        left.add(card)
        won += more
    return left if won > cost + 1e-6 else None


def alone_of(proposals: Proposals, terms: Terms = TERMS) -> Floats:
    """(n,) what counts for each proposal wherever the others lie."""
    weights = np.array([terms.card, terms.sure, terms.joint, terms.size, terms.nobodys], np.float32)
    return np.asarray(alone_features(proposals) @ weights, np.float32)


def alone_features(proposals: Proposals) -> Floats:
    """(n, 5) what is weighed for that."""
    size = np.minimum(np.abs(proposals.sizes), MOST_SIZE)
    ones = np.ones(len(proposals), np.float32)
    return np.stack([ones, log_odds(proposals.sure), log_odds(proposals.joint), size, proposals.nobodys], 1)
