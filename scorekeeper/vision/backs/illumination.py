"""What the light tells of whose cards are: those of one deck lie in one light, which changes evenly over a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scorekeeper.vision.geometry import Points
from scorekeeper.vision.templates import Floats

Numbers = npt.NDArray[np.intp]
Marks = npt.NDArray[np.bool_]

TREND, ASTRAY, LEVEL = 3, 0.06, 1.0
"""So many cards of a deck tell how light changes over the table; cards so far from that say little of it; and so much
speaks for its being the same everywhere."""
ROUNDS = 6
"""So often at most cards change decks until all agree."""
TOGETHER = 2.0
"""Cards of one deck err alike: which of two decks is which no more of each than so many tell."""
UNSURE = 6.0
"""Cards of which so much more says that they are of one deck (log odds) are never of the other."""


def evened(lights: Floats, owners: Numbers, known: Marks, places: Points) -> Floats:
    """*lights* (cards, decks, 3), as ``Compared`` has them, without how their colour changes evenly over the table.

    That is told by the cards *known* (cards,) to be of decks *owners* (cards,), at *places* (cards, 2), in any unit.
    """
    spots = places - places.mean(0)
    spots = spots / max(float(np.abs(spots).max()), 1e-6)
    colours = np.take_along_axis(lights[..., :2], owners[:, None, None], 1)[:, 0]
    differ, apart = [np.zeros((0, 2))], [np.zeros((0, 2))]
    for deck in np.unique(owners[known]):
        own = known & (owners == deck)
        if own.sum() >= TREND:
            differ.append(colours[own] - np.median(colours[own], 0))
            apart.append(spots[own] - np.median(spots[own], 0))
    y, x = np.concatenate(differ), np.concatenate(apart)
    trend, weights = np.zeros((2, 2), np.float64), np.ones((len(y), 1), np.float64)
    for _ in range(10):
        trend[:] = np.linalg.solve((x * weights).T @ x + LEVEL * np.eye(2), (x * weights).T @ y)
        weights[:, 0] = 1 / (1 + ((y - x @ trend) ** 2).sum(1) / ASTRAY**2)
    even = lights.copy()
    even[..., :2] -= (spots @ trend).astype(np.float32)[:, None]
    return even


@dataclass(frozen=True, slots=True)
class OwnLight:
    """Cards of one picture, and what else says whose they are."""

    colours: Floats
    """(cards, decks, 2): of the light that fits each deck, ``evened``."""
    evidence: Floats
    """(cards, decks): log odds, but for a constant."""
    known: Marks
    """(cards,) which surely are of some deck."""
    spread: float
    """Cards whose light differs by so much from their deck's are rare, ..."""
    share: float
    """... and how much that counts."""
    lone: float
    """What it costs to be the only card known of a deck."""

    def costs(self) -> Floats:
        """What it costs each card (cards, decks) that its light is not that of a deck's other cards.

        Decks that light alone tells apart are all one at first, if that is what was enrolled: so any two are tried with
        their cards parted where their light is farthest apart. Which of them is which the light does not say: no card
        is surer of that than both decks' cards together.
        """
        decks = range(self.evidence.shape[1])
        owners = self._settled(self.evidence.argmax(1), np.arange(len(self.evidence)), decks)
        pairs = [(first, other) for first in decks for other in decks[first + 1 :]]
        for first, other in pairs:
            owners = self._parted(owners, first, other)
        costs = self._costs(owners, decks)
        for pair in pairs:
            costs = self._doubted(costs, owners, pair)
        return costs

    def _costs(self, owners: Numbers, decks: Sequence[int]) -> Floats:
        """The same (cards, *decks*), were the cards of *owners* (cards,)."""
        costs = np.full((len(owners), len(decks)), self.lone, np.float32)
        for column, deck in zip(costs.T, decks, strict=True):
            own = self.known & (owners == deck)
            if own.any():
                away = self.colours[:, deck] - np.median(self.colours[own, deck], 0)
                column[:] = self.share * np.log1p((away**2).sum(1) / self.spread**2)
            if own.sum() == 1:
                column[own] = self.lone
        return costs

    def _settled(self, owners: Numbers, cards: Numbers, decks: Sequence[int]) -> Numbers:
        """*owners* after each of *cards* has gone to the likeliest of *decks*, again and again."""
        for _ in range(ROUNDS):
            before, owners = owners, owners.copy()
            likeliest = (self.evidence[:, decks] - self._costs(before, decks)).argmax(1)
            owners[cards] = np.array(decks)[likeliest[cards]]
            if (owners == before).all():
                break
        return owners

    def _parted(self, owners: Numbers, first: int, other: int) -> Numbers:
        """*owners*, with cards of these two decks parted otherwise where that is likelier."""
        cards = self._either(owners, first, other)
        if len(cards) < TREND:
            return owners
        away = self.colours[cards, first] - self.colours[cards, first].mean(0)
        along = away @ np.linalg.svd(away, full_matrices=False)[2][0]
        order, gap = cards[np.argsort(along)], int(np.diff(np.sort(along)).argmax()) + 1
        more = self._more(first, other)
        pair = (first, other) if np.median(more[order[:gap]]) > np.median(more[order[gap:]]) else (other, first)
        ways = [owners]
        for here, there in (pair, (first, first), (other, other)):
            tried = owners.copy()
            tried[order[:gap]], tried[order[gap:]] = here, there
            ways.append(self._settled(tried, cards, (first, other)))
        return max(ways, key=lambda tried: self._likely(tried, (first, other)))

    def _more(self, first: int, other: int) -> Floats:
        """How much more (cards,) says that each card is of the *first* deck than of the *other*."""
        return self.evidence[:, first] - self.evidence[:, other]

    def _either(self, owners: Numbers, first: int, other: int) -> Numbers:
        """Numbers of the known cards of *owners* of these two decks that may be the other's."""
        alike = np.abs(self._more(first, other)) < UNSURE
        return np.flatnonzero(self.known & np.isin(owners, (first, other)) & alike)

    def _doubted(self, costs: Floats, owners: Numbers, pair: tuple[int, int]) -> Floats:
        """*costs* (cards, decks), none of which says more between the two decks of a *pair* than their cards do, one
        deck's beside the other's."""
        cards = self._either(owners, *pair)
        first, other = (cards[owners[cards] == deck] for deck in pair)
        if not len(first) or not len(other):
            return costs
        more = self._more(*pair)
        number = min(2 * len(first) * len(other) / len(cards), TOGETHER)
        lead = max(number * float(np.median(more[first]) - np.median(more[other])), 0.0)
        kept = costs.copy()
        for own, rival, some in ((*pair, first), (*pair[::-1], other)):
            margin = self.evidence[some, own] - costs[some, own] - self.evidence[some, rival]
            kept[some, rival] = np.minimum(costs[some, rival], lead - margin)
        return kept

    def _likely(self, owners: Numbers, decks: Sequence[int]) -> float:
        """How likely it is that those known cards that *owners* (cards,) gives to *decks* are theirs: log odds, but for
        a constant."""
        total = self.evidence[:, decks] - self._costs(owners, decks)
        return float(sum(total[self.known & (owners == deck), k].sum() for k, deck in enumerate(decks)))
