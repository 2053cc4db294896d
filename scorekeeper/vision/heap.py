"""Which outlines of a heap are its cards: each card shows somewhere where no card found more clearly does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.detector import Detections, other_guesses, suppressed
from scorekeeper.vision.geometry import Corners, Points, side_lengths
from scorekeeper.vision.glances import Glances
from scorekeeper.vision.outline import find_tilt
from scorekeeper.vision.places import lies_on_any
from scorekeeper.vision.refine import CARD, WINDOW, opened, places_in, shown_at

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeapSettings:
    """When an outline is a card."""

    faint: float = 0.10
    """An outline that lies on a card less surely than this, once moved, is not looked at again; ..."""
    same_place: float = 0.80
    """... nor one that shares this much (intersection over union) with a clearer one."""
    clear: float = 0.50
    """Outlines from here on (0 to 1) tell how large the cards are."""
    same_card: float = 0.60
    """Of cards that lie apart, two outlines of which one lies within the other by this share are one; ..."""
    same_heaped: float = 0.75
    """... of a heap's cards, by this one: of a card that is counted, half shows."""
    least_new: float = 0.50
    """Of what shows of an outline's card, this share must show of no card found more clearly."""
    least_shown: float = 0.07
    """An outline of which less than this share of its square shows is on no card."""
    least_size: float = 0.4
    """An outline whose area is a smaller share of the others' is a part of a card, and none that much larger."""
    usual_size: float = 0.12
    """Areas that differ less (natural logarithm) from the others' are as good as equal; ..."""
    size_cost: float = 1.5
    """... of the rest, this much is taken from the score's logarithm."""


SETTINGS = HeapSettings()


@dataclass(frozen=True, slots=True)
class Outlines:
    """What may be cards of a heap; arrays go in parallel."""

    cards: Detections
    given_px: Points
    """(n, 4, 2): the outlines of which the network said what shows of them."""
    shows: Floats
    """(n, 24, 24): how openly each card shows in its window (``refine``), 0 to 1."""
    length_px: float
    """How long the cards are."""

    def pick(self, which: npt.NDArray[np.intp]) -> Outlines:
        """Those numbered *which*."""
        return Outlines(self.cards.pick(which), self.given_px[which], self.shows[which], self.length_px)

    def new_share(self, number: int, others: Sequence[int]) -> float:
        """How much of what shows of an outline shows of none of *others*, 0 to 1."""
        middles = self.cards.corners_px.mean(1)
        gaps = np.linalg.norm(middles[others] - middles[number], axis=1)
        others = [k for k, gap in zip(others, gaps, strict=True) if gap < 1.25 * self.length_px]
        mine = self.shows[number].reshape(-1)
        places = places_in(self.given_px[number], self.length_px)
        theirs = [shown_at(places, self.shows[k], self.given_px[k], self.length_px) for k in others]
        left = np.maximum(mine - np.max(theirs, axis=0), 0) if theirs else mine
        return float(left.sum() / max(float(mine.sum()), 1e-6))

    def with_room(self, order: Iterable[int], kept: Sequence[int], settings: HeapSettings = SETTINGS) -> list[int]:
        """*kept*, and in this *order* those that show where none before them does."""
        shown, taken = self.shows.mean((1, 2)) * (WINDOW / CARD) ** 2, list(kept)
        for n in order:
            seen = shown[n] >= settings.least_shown and self.new_share(n, taken) >= settings.least_new
            if seen and not _on_any(self.cards, n, taken, settings.same_heaped):
                taken.append(n)
        return taken


def heaped(found: Detections, glances: Glances, settings: HeapSettings = SETTINGS) -> tuple[Detections, Detections]:
    """Each card of *found* once, on its card, best first; scores count how well it lies there and its size.

    And the outlines that are none of these, best first: each may be the better one of a card that is.
    """
    if not len(found):
        return found, found
    outlines = _card_sized(_refined(found, glances, settings), glances, settings)
    order = np.argsort(-outlines.cards.scores, kind="stable")
    kept = outlines.with_room(order.tolist(), [], settings)
    spare = order[~np.isin(order, kept)]
    return outlines.cards.pick(np.array(kept, np.intp)), outlines.cards.pick(spare)


def _refined(found: Detections, glances: Glances, settings: HeapSettings) -> Outlines:
    """*found*, each outline moved onto its card, with scores that count how well it now lies there; those at whose
    angle the network guesses are tried either way."""
    found = Detections.joined([found, other_guesses(found)])
    lengths, clear = side_lengths(found.corners_px).max(1), found.scores >= settings.clear
    length = in_steps(float(np.median(lengths[clear] if clear.any() else lengths)))
    said = glances.refined(found.corners_px, length)
    moved = found.at(said.corners_px)
    moved = moved.pick(np.sqrt(found.scores * said.sure) >= settings.faint)
    moved = suppressed(moved, most_overlap=settings.same_place)
    said = glances.refined(moved.corners_px, length)
    cards = Detections(said.corners_px, moved.kinds, np.sqrt(moved.scores * said.sure))
    return Outlines(cards, moved.corners_px, opened(said.shows), length)


def in_steps(length_px: float) -> float:
    """A length in steps of a fiftieth, so that a card more or less changes nothing that is known of the others."""
    return float(np.exp(np.round(50 * np.log(length_px)) / 50))


def _card_sized(outlines: Outlines, glances: Glances, settings: HeapSettings) -> Outlines:
    """*outlines* with lower scores for those larger or smaller than the cards, and without parts of cards and stretches
    of cloth."""
    cards = outlines.cards
    clear = cards.scores >= settings.clear
    if clear.sum() < 3:
        return outlines
    sizes = sizes_of(list(cards.corners_px), (glances.image.shape[0], glances.image.shape[1]), clear)
    odd = np.maximum(np.abs(np.log(np.maximum(sizes, 1e-3))) - settings.usual_size, 0)
    scores = cards.scores * np.exp(-settings.size_cost * odd).astype(np.float32)
    kept = np.flatnonzero((sizes > settings.least_size) & (sizes < 1 / settings.least_size))
    judged = Outlines(
        Detections(cards.corners_px, cards.kinds, scores), outlines.given_px, outlines.shows, outlines.length_px
    )
    return judged.pick(kept)


def sizes_of(
    quads: Sequence[Corners], picture_size: tuple[int, int], clear: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """How large each outline is on the table, 1 is the median of the *clear* ones; *picture_size* is height, width."""
    tilt = find_tilt([quad for quad, good in zip(quads, clear, strict=True) if good], picture_size)
    lying = tilt.to_table(np.concatenate(quads)).astype(np.float32).reshape(-1, 4, 2)
    areas = np.array([abs(cv2.contourArea(quad)) for quad in lying])
    return np.asarray(areas / max(float(np.median(areas[clear])), 1e-6), np.float64)


def one_each(found: Detections, settings: HeapSettings = SETTINGS) -> Detections:
    """*found*, cards that lie apart, with each card once, best first: an outline on one already taken is left out."""
    kept: list[int] = []
    for n in np.argsort(-found.scores, kind="stable"):
        if not _on_any(found, n, kept, settings.same_card):
            kept.append(int(n))
    return found.pick(np.array(kept, np.intp))


def _on_any(found: Detections, number: int, others: Sequence[int], share: float) -> bool:
    """Whether an outline and one of *others* lie within one another by *share*."""
    return lies_on_any(found.corners_px[number], found.corners_px[others], share)
