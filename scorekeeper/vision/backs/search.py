"""From what the detector found to the best scene: proposals, evidence, search; and once more where something is odd."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.backs.evidence import Evidence, evidence_of, raster_of
from scorekeeper.vision.backs.gallery import Gallery
from scorekeeper.vision.backs.memo import Memo
from scorekeeper.vision.backs.proposals import CLEAR, SAME_POSE, Poses, Proposals, moved_onto, poses_of, proposed
from scorekeeper.vision.backs.scene import GROUND, Scene, best_scene
from scorekeeper.vision.detector import BACK, Detections
from scorekeeper.vision.geometry import PROPORTION, Corners, Points
from scorekeeper.vision.places import overlaps_any
from scorekeeper.vision.templates import cell_middles
from scorekeeper.vision.windows import Near

Floats = npt.NDArray[np.float32]

DOUBT = 2.5
"""A card that wins less than this (log odds) is looked at once more; so is a proposal that loses less than this."""
MOST_WIDE, NEAR = 16, 0.6
"""So many such cards and proposals are, at most, and what has a higher IoU with one of them."""
NO_GROUND, NO_CARD = -1.5, -1.0
"""Pixels of the raster that show neither: those below the first that would show the ground, below the second a card."""
SURELY = 3.0
"""A card whose evidence is more than this surely shows there."""
LEAST_RESIDUE, BESIDE, ALONE = 0.12, 19, 0.5
"""As large a patch of them, in areas of a card, may be a card where most of it lies so near to one, in pixels;
elsewhere one as large as the last of these that the picture's edge does not cut."""
SAME_PLACE = 0.4
"""Of proposals with a higher IoU that nearly are cards the best one is told."""
TURNS, SHIFT, SEED = 6, 0.2, 0.3
"""There cards are looked for, turned so many ways, and so many lengths of a card about; with such a score; ..."""
MOST_SPOTS, KEPT, LEAST_SURE = 8, 3, 0.2
"""... in so many such places, the largest; and of each so many outlines are kept, each as surely on a card as this."""

WINDOW, HIT = 1.2, 0.6
"""There the picture is looked at in windows so many lengths of a card about each place; what is found counts whose
middle lies so near to one."""

Looks = Callable[[Near, float], list[Detections]]
"""What turned looks near some places show; cards are so many pixels long."""


@dataclass(frozen=True)
class Found:
    """The best scene of a picture, and all it was chosen from."""

    proposals: Proposals
    evidence: Evidence
    scene: Scene

    @cached_property
    def gains(self) -> dict[int, float]:
        """By how much the log posterior is higher with each proposal than without it."""
        cards = self.scene.cards
        return {n: self.scene.worth(n) if n in cards else self.scene.gain(n) for n in range(len(self.proposals))}

    def odd(self) -> list[int]:
        """Cards that hardly win anything."""
        return [n for n in sorted(self.scene.cards) if self.gains[n] < DOUBT]

    def rivals(self) -> list[int]:
        """Proposals that nearly are cards of the scene, the best first: each on a place of its own."""
        quads, kept = self.proposals.quads, list[int]()
        nearly = [n for n, gain in self.gains.items() if n not in self.scene.cards and gain >= -DOUBT]
        for n in sorted(nearly, key=lambda n: -self.gains[n]):
            if not overlaps_any(quads[n], quads[kept], SAME_PLACE):
                kept.append(n)
        return kept

    def visible(self, card: int) -> Floats:
        """(cells,) 1 where *card* shows in the scene."""
        row, column = self._pixels(cell_middles(self.proposals.quads[card]))
        return np.asarray(self.scene.owner[row, column] == card, np.float32)

    def unexplained(self, points_px: Points) -> Floats:
        """(n,) 1 where points (n, 2) of the picture show no card that surely is there."""
        row, column = self._pixels(points_px)
        surely = (self.scene.owner[row, column] != GROUND) & (self.scene.odds[row, column] > SURELY)
        return np.where(surely, np.float32(0), np.float32(1))

    def _pixels(self, points_px: Points) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Rows and columns (n,) of the raster at points (n, 2) of the picture."""
        height, width = self.evidence.ground.shape[:2]
        spots = np.floor(points_px * self.evidence.scale).astype(np.intp)
        return np.clip(spots[:, 1], 0, height - 1), np.clip(spots[:, 0], 0, width - 1)

    def _odd(self) -> npt.NDArray[np.bool_]:
        """(h, w) what shows neither the ground nor one of the cards."""
        owner, odds = self.scene.owner, self.scene.odds
        return np.asarray(np.where(owner == GROUND, odds < NO_GROUND, odds < NO_CARD), np.bool_)

    def residue(self) -> Points:
        """Middles (n, 2) in the picture of what shows neither the ground nor one of the cards, and may be one."""
        odd = cv2.morphologyEx(self._odd().astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        count, labels, stats, middles = cv2.connectedComponentsWithStats(odd)
        areas = stats[:, cv2.CC_STAT_AREA]
        reach = np.ones((BESIDE, BESIDE), np.uint8)
        beside = cv2.dilate((self.scene.owner != GROUND).astype(np.uint8), reach)
        touching = np.bincount(labels[beside > 0], minlength=count) > areas / 2
        least, alone = LEAST_RESIDUE * self.evidence.area, ALONE * self.evidence.area
        ends = stats[:, :2] + stats[:, 2:4]
        whole = (stats[:, :2] > 0).all(1) & (ends < odd.shape[::-1]).all(1)
        told = (areas > least) & touching | (areas > alone) & whole
        large = [n for n in np.argsort(-areas, kind="stable") if n and told[n]]
        return np.array([(middles[n] + 0.5) / self.evidence.scale for n in large], np.float32).reshape(-1, 2)


def found_scene(found: Detections, memo: Memo, gallery: Gallery, looks: Looks | None = None) -> Found | None:
    """The best scene of the cards of a picture, in which the detector *found* this; None where it proposes none.

    Where a card hardly is one, another nearly is, or nothing explains what is seen, the picture is looked at once more,
    turned (*looks*), outlines are sown for the refiner to move, and those there are aligned with more templates.
    """
    poses, length = poses_of(found, memo) if len(found) else (None, 0.0)
    if poses is None or not len(poses.quads):
        return None
    first = _searched(gallery, memo, poses, length)
    if looks is None:
        return first
    odd, residue = first.odd(), first.residue()
    rivals = first.rivals()
    if not odd and not rivals and not len(residue):
        return first
    quads = first.proposals.quads
    nearly, hardly = quads[rivals], quads[odd]
    spots = np.concatenate([residue, nearly.mean(1).reshape(-1, 2), hardly.mean(1).reshape(-1, 2)])
    doubtful = np.concatenate([nearly, hardly])[:MOST_WIDE]
    wide = [n for n, quad in enumerate(poses.quads) if overlaps_any(quad, doubtful, NEAR)]
    known, near = len(poses.quads), Near(spots, HIT * length)
    seen = Detections.joined(looks(Near(spots, WINDOW * length), length))
    seen = seen.pick(np.array([near(quad.mean(0)) for quad in seen.corners_px], bool))
    for more in (moved_onto(seen, memo, length, memo.known_tilt), _seeded(spots[:MOST_SPOTS], poses, memo, length)):
        poses = Poses.joined([poses, more.unlike(poses)])
    wide += range(known, len(poses.quads))
    return _searched(gallery, memo, poses, length, wide, first.unexplained)


def _searched(
    gallery: Gallery,
    memo: Memo,
    poses: Poses,
    length: float,
    wide: Sequence[int] = (),
    unexplained: Callable[[Points], Floats] | None = None,
) -> Found:
    proposals = proposed(gallery, memo, poses, length, wide, unexplained)
    clear = [*proposals.quads[proposals.joint >= CLEAR]]
    size = memo.image.shape[0], memo.image.shape[1]
    raster = raster_of(length, size, memo.cloth(clear) if clear else None)
    evidence = evidence_of(proposals, raster, memo)
    return Found(proposals, evidence, best_scene(proposals, evidence))


def _seeded(spots: Points, known: Poses, memo: Memo, length: float) -> Poses:
    """The outlines of cards *length* pixels long about each of *spots* that the refiner is surest of, none of them
    *known*."""
    kept = list[Corners]()
    if len(spots):
        seeds = np.concatenate([_seeds(spot, length) for spot in spots])
        said = memo.refined(seeds, length)
        each = len(seeds) // len(spots)
        for first in range(0, len(seeds), each):
            before = len(kept)
            for n in first + np.argsort(-said.sure[first : first + each], kind="stable"):
                quad, others = said.corners_px[n], np.array([*known.quads, *kept])
                if said.sure[n] < LEAST_SURE or len(kept) - before == KEPT:
                    break
                if not overlaps_any(quad, others, SAME_POSE):
                    kept.append(quad)
    corners, number = np.array(kept, np.float32).reshape(-1, 4, 2), len(kept)
    found = Detections(corners, np.full(number, BACK, np.int64), np.full(number, SEED, np.float32))
    return moved_onto(found, memo, length, memo.known_tilt)


def _seeds(spot: Points, length: float) -> Points:
    """Outlines (n, 4, 2) of cards *length* pixels long about *spot*, turned every way."""
    quads = []
    for turn in np.arange(0, 180, 180 / TURNS).tolist():
        for right, down in ((0, 0), (SHIFT, 0), (-SHIFT, 0), (0, SHIFT), (0, -SHIFT)):
            middle = float(spot[0] + right * length), float(spot[1] + down * length)
            quads.append(cv2.boxPoints((middle, (length / PROPORTION, length), turn)))
    return np.array(quads, np.float32)
