"""What of the table a card explains by its deck's pattern, cell by cell, and what other cards there explain as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.backs import Gallery, back_from, shifted, unlike_in
from scorekeeper.vision.cloth import SMALL, Cloth, Mask
from scorekeeper.vision.geometry import Corners, Points, scale_within, scaled, upright_boxes
from scorekeeper.vision.looks import COLUMNS, FRAME, ROWS, Floats, Seen, cell_middles

MOST_UNLIKE = 0.5
"""Cells that differ more say nothing of where a card exactly lies."""
EXPLAINED, BETTER = 0.35, 0.15
"""A card explains a cell that differs less from its deck; and alone, where others differ by so much more."""
UNEXPLAINED = 0.5
"""A cell that differs more from each card's deck is explained by none."""
EVEN = 5
"""So many cells across, most of them decide."""
ODD, BRUSH = 0.3, 0.16
"""What differs from each card's deck by ODD more than is usual of that card, in a patch BRUSH wide, as a share of a
card's size (the root of its area), is of no known card."""
IN_CARDS, BESIDE, WITH_BESIDE = 0.2, 0.08, 0.28
"""Such a patch in known cards is told that is as large as this share of a card, or as BESIDE, where it and what it goes
on in beside them, which is no cloth, are as large as WITH_BESIDE."""
RIM = 0.06
"""What lies round a card that nothing is said of, as a share of its size, parts no patch."""
MOST_USUAL = 0.4
"""A card that usually differs more from its deck explains no more than one that differs so much."""


@dataclass(frozen=True, slots=True)
class Patterned:
    """A card, and how unlike its deck each of its cells is."""

    quad: Corners
    """As ``straightened`` orders it."""
    unlike: Floats
    """(cells,) 0 to 1."""
    usual: float
    """How unlike it those are that show, usually."""

    def at(self, points_px: Points) -> Floats:
        """How unlike its deck the card is at points (n, 2) of the picture; infinitely beyond it."""
        if not len(points_px):
            return np.zeros(0, np.float32)
        matrix = cv2.getPerspectiveTransform(self.quad.astype(np.float32), FRAME)
        spots = np.floor(cv2.perspectiveTransform(points_px[None], matrix)[0]).astype(int)
        inside = ((spots >= 0) & (spots < (COLUMNS, ROWS))).all(1)
        x, y = np.clip(spots, 0, (COLUMNS - 1, ROWS - 1)).T
        return np.where(inside, self.unlike.reshape(ROWS, COLUMNS)[y, x], np.float32(np.inf))

    def share_beside(self, theirs: Floats) -> float:
        """How much of the card it alone explains, 0 to 1, where others are *theirs* (cells,) unlike their decks."""
        return float(((self.unlike < EXPLAINED) & (self.unlike + BETTER < theirs)).mean())

    def needed_beside(self, theirs: Floats) -> float:
        """How much of the card it explains as well as usual of it, and better than others, 0 to 1."""
        as_usual = self.unlike - min(self.usual, MOST_USUAL) < BETTER
        return float((as_usual & (self.unlike + BETTER < theirs)).mean())

    def keeps_beside(self, other: Patterned) -> float:
        """How much of what it explains *other* does not explain as well, 0 to 1; 1 where it explains nothing."""
        mine = float((self.unlike < EXPLAINED).mean())
        return self.share_beside(other.at(cell_middles(self.quad))) / mine if mine else 1.0


def unlike_deck(gallery: Gallery, seen: Seen, deck: int, exposure: np.float32, light: Floats) -> Floats:
    """How unlike the deck with this number each cell of a card is in *light* (3,), (cells,) 0 to 1, hidden or not; the
    card may lie either way around, and a cell off."""
    moved, inside = shifted(seen.exposed(exposure), np.ones(len(seen.look), np.float32))
    unlike = unlike_in(moved, gallery.looks[seen.level, gallery.owners == deck], light, gallery.settings)
    unlike = np.where(inside[:, None] > 0, unlike, np.float32(1))
    shift, view = np.unravel_index(int(np.minimum(unlike, MOST_UNLIKE).mean(2).argmin()), unlike.shape[:2])
    return back_from(unlike[shift, view], int(shift))


def explained(points_px: Points, cards: Sequence[Patterned]) -> Floats:
    """How unlike its deck that one of *cards* is which explains points (n, 2) of the picture best: (n,)."""
    nothing = np.full(len(points_px), np.inf, np.float32)
    return np.asarray(np.min([nothing, *(card.at(points_px) for card in cards)], axis=0), np.float32)


def lost(one: Callable[[Points], Floats], cards: Sequence[Patterned], others: Sequence[Patterned]) -> float:
    """Which share of a card *cards* explain, and neither *others* nor *one* does, which says of points (n, 2) of the
    picture how unlike its deck it is there."""
    middles = [cell_middles(card.quad) for card in cards]
    each = [spots[np.isinf(explained(spots, cards[:n]))] for n, spots in enumerate(middles)]
    spots = np.concatenate(each)
    theirs = explained(spots, others)
    now, then = np.minimum(theirs, explained(spots, cards)), np.minimum(theirs, one(spots))
    return float(((now < EXPLAINED) & (now + BETTER < then)).sum() / len(middles[0]))


def won(one: Patterned, cards: Sequence[Patterned], others: Sequence[Patterned]) -> float:
    """Which share of the card *one* it explains, and neither *cards* nor *others* do."""
    return one.share_beside(explained(cell_middles(one.quad), [*cards, *others]))


def in_one_piece(cells: npt.NDArray[np.bool_]) -> Floats:
    """(cells,) 1 where most cells round one are among *cells*."""
    shares = cv2.blur(cells.reshape(ROWS, COLUMNS).astype(np.float32), (EVEN, EVEN), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(shares > 0.5, np.float32).reshape(-1)


def gaps(
    cards: Sequence[Patterned], others: Sequence[Corners], size: tuple[int, int], cloth: Cloth | None = None
) -> list[Points]:
    """Middles ``x y`` of patches that lie in *cards* and look like none of their decks there, and go on, perhaps, where
    no card lies nor *cloth* shows: a card may lie there that is none of these. What *others* cover does not count;
    *size* is the picture's, height and width."""
    inside, odd = odd_in(cards, size)
    scale = scale_within(size, SMALL)
    usual = float(np.median([cv2.contourArea(card.quad) for card in cards])) * scale**2
    brush, rim = (max(3, int(share * np.sqrt(usual)) | 1) for share in (BRUSH, RIM))
    patches = odd.astype(np.uint8)
    if cloth:
        patches |= cloth.odd([*(card.quad for card in cards), *others]).astype(np.uint8)
        patches = np.asarray(cv2.morphologyEx(patches, cv2.MORPH_CLOSE, np.ones((rim, rim))), np.uint8)
    for quad in others:
        cv2.fillConvexPoly(patches, np.round(quad * scale).astype(np.int32), 0)
    wide = cv2.morphologyEx(patches, cv2.MORPH_OPEN, np.ones((brush, brush)))
    count, labels, stats, middles = cv2.connectedComponentsWithStats(wide)
    within = np.bincount(labels[inside], minlength=count) / usual
    told = (within >= IN_CARDS) | ((within >= BESIDE) & (stats[:, cv2.CC_STAT_AREA] / usual >= WITH_BESIDE))
    return [np.asarray(middles[n] / scale, np.float32) for n in range(1, count) if told[n]]


def odd_in(cards: Sequence[Patterned], size: tuple[int, int]) -> tuple[Mask, Mask]:
    """(h, w) each, of a picture of that *size*, height and width, made as small as ``Cloth`` has it: what lies in
    *cards*, and what of it differs from the deck of each of them there."""
    scale = scale_within(size, SMALL)
    more = _more_than_usual(cards, scale, scaled(size, scale))
    inside = np.isfinite(more)
    return inside, inside & (more > ODD)


def _more_than_usual(cards: Sequence[Patterned], scale: float, size: tuple[int, int]) -> Floats:
    """How much more than usual (h, w) what lies in *cards* differs from the deck of each there; infinite beyond them.
    *size*, height and width, is that of the picture made small by *scale*."""
    height, width = size
    quads = np.array([card.quad for card in cards], np.float32) * np.float32(scale)
    boxes = np.clip(upright_boxes(quads) + np.array([0, 0, 1, 1]), 0, [width, height, width, height]).astype(int)
    odd = np.full(size, np.inf, np.float32)
    for card, quad, (left, top, right, bottom) in zip(cards, quads, boxes.tolist(), strict=True):
        part = odd[top:bottom, left:right]
        if not part.size:
            continue
        matrix = cv2.getPerspectiveTransform(FRAME - np.float32(0.5), quad - np.array([left, top], np.float32))
        more = cv2.blur(card.unlike.reshape(ROWS, COLUMNS) - np.float32(min(card.usual, MOST_USUAL)), (3, 3))
        seen = cv2.warpPerspective(
            more, matrix, part.shape[::-1], flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=np.inf
        )
        np.minimum(part, seen, out=part)
    return odd
