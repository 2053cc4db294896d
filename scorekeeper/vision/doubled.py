"""Cards of one deck outlined twice, each time a little along its own pattern, where one outline says it all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from scorekeeper.vision.aligned import ABOUT, HERE
from scorekeeper.vision.backs import Gallery
from scorekeeper.vision.claims import Patterned, lost, won
from scorekeeper.vision.detector import Detections
from scorekeeper.vision.geometry import Corners, Points, grown
from scorekeeper.vision.glances import Glances
from scorekeeper.vision.looks import Floats
from scorekeeper.vision.outline import covered
from scorekeeper.vision.places import may_share, share_of_both
from scorekeeper.vision.relaid import Laying

TWO = 0.2
"""Two outlines of one deck which both lie within the other by this share may be on one card, ..."""
BETWEEN = 0.45
"""... and so may one that shares so much with both, ..."""
LEAVES = 0.05
"""... if it leaves no more than this share of a card unexplained that they explain, and less than it gains: of 13 heaps
the pairs on one card had 0.02 to 0.03, and those on two 0.07 and more; ..."""
BARE, NO_CLOTH = 0.1, 0.02
"""... or, where no way to lay it exactly does, if as much of both shows bare cloth and less of it shows any."""
ROUND = 2.0
"""Cards within so much of two outlines may explain what one between them does."""
BEYOND = 1.15
"""What lies beyond an outline grown so much is not explained by it, however it is laid."""


def counted_once(
    gallery: Gallery,
    glances: Glances,
    cards: Detections,
    backs: Sequence[int],
    spare: Detections,
) -> Detections:
    """*cards*, of whose *backs* two of one deck give way to one outline of *spare* between them that, laid exactly,
    explains what both do, and more."""
    if not backs or not gallery.decks:
        return cards
    backs = [*backs]
    while True:
        pairs = _Pairs.of(gallery, glances, cards.corners_px[backs])
        found = pairs.one_for_two(spare.corners_px)
        if found is None:
            return cards
        first, second, quad = found
        outlines = cards.corners_px.copy()
        outlines[backs[first]] = quad
        gone = backs[second]
        cards = cards.at(outlines).pick(np.delete(np.arange(len(cards)), gone))
        backs = [n - (n > gone) for n in backs if n != gone]


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The backs of a picture, any two of which may be one."""

    laying: Laying
    cards: Sequence[Patterned]
    decks: Sequence[int]

    @classmethod
    def of(cls, gallery: Gallery, glances: Glances, outlines: Points) -> _Pairs:
        """Those in *outlines* (n, 4, 2)."""
        laying = Laying.of(gallery, glances, [*outlines])
        fits = laying.fits([*outlines])
        cards = [laying.patterned(quad, fit) for quad, fit in zip(outlines, fits, strict=True)]
        return cls(laying, cards, [fit.deck for fit in fits])

    def one_for_two(self, spare: Points) -> tuple[int, int, Corners] | None:
        """Which two are one, and its outline, from one of *spare* (n, 4, 2); None where no two are."""
        for first, second in combinations(range(len(self.cards)), 2):
            two = self.cards[first].quad, self.cards[second].quad
            if self.decks[first] != self.decks[second] or share_of_both(*two) < TWO:
                continue
            between = [quad for quad in spare if min(share_of_both(quad, each) for each in two) >= BETWEEN]
            others = self._round(first, second) if between else []
            for quad in between:
                better = self._between(quad, first, second, others)
                if better is not None:
                    return first, second, better
        return None

    def _round(self, first: int, second: int) -> list[Patterned]:
        """The cards round these two, without them."""
        about = grown(np.concatenate([self.cards[first].quad, self.cards[second].quad]), ROUND)
        near = may_share(about, np.array([card.quad for card in self.cards], np.float32))
        return [self.cards[n] for n in np.flatnonzero(near).tolist() if n not in (first, second)]

    def _between(self, quad: Corners, first: int, second: int, others: Sequence[Patterned]) -> Corners | None:
        """The outline *quad*, laid exactly, if the card there says all that both of these do, beside *others*; else
        None."""
        two = self.cards[first], self.cards[second]
        if lost(lambda spots: beyond(grown(quad, BEYOND), spots), two, others) > LEAVES:
            return None
        beside = np.array([card.quad for card in others], np.float32).reshape(-1, 4, 2)
        ways: list[tuple[Corners, float]] = []
        exact: list[tuple[Corners, float]] = []
        for laid, free in self._laid(quad, self.decks[first], beside):
            fit = self.laying.fit_of(laid, free)
            if fit.deck != self.decks[first]:
                continue
            ways.append((laid, fit.evidence))
            one = self.laying.patterned(laid, fit)
            loses, wins = lost(one.at, two, others), won(one, two, others)
            if loses <= LEAVES and wins > loses:
                exact.append((laid, wins - loses))
        if not exact and self._beside_cloth(quad, two, others):
            exact = ways
        return max(exact, key=lambda way: way[1])[0] if exact else None

    def _beside_cloth(self, quad: Corners, two: Sequence[Patterned], others: Sequence[Patterned]) -> bool:
        """Whether both of *two* lie partly on bare cloth, and an outline in *quad* instead of them does not."""
        cloth = self.laying.glances.cloth([card.quad for card in self.cards])
        if cloth is None or cloth.uneven:
            return False
        beside = [card.quad for card in others]
        between, *bare = (cloth.within([each, *beside], [0])[0] for each in (quad, *(card.quad for card in two)))
        return between < NO_CLOTH and min(bare) >= BARE

    def _laid(self, quad: Corners, deck: int, others_px: Points) -> Iterator[tuple[Corners, Floats]]:
        """The outline *quad*, and laid exactly onto that *deck*'s pattern; each with what of it (cells,) none of the
        cards *others_px* (n, 4, 2) explains."""
        for start in (quad, *self.laying.onto_cards(quad[None])):
            free = self.laying.unexplained(start, others_px)
            fit = self.laying.fit_of(start, free)
            with self.laying.glances.claimed([start], [free]):
                laid = self.laying.onto_decks([start], [fit], [(0, deck, HERE), (0, deck, ABOUT)])
            yield start, free
            yield from ((each, self.laying.unexplained(each, others_px)) for each in laid if each is not None)


def beyond(quad: Corners, spots: Points) -> Floats:
    """(n,) infinite where *spots* (n, 2) lie beyond *quad*, and 0 in it."""
    return np.where(covered(spots, [quad]), np.float32(0), np.float32(np.inf))
