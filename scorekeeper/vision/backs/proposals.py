"""Where cards may lie: outlines that the detector proposes, moved onto what is there and onto their deck's template."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.backs.alignment import FREELY, RIGIDLY, Steps, aligned
from scorekeeper.vision.backs.gallery import Compared, Gallery, back_from, exposure_of, shifted, unlike_in
from scorekeeper.vision.backs.identity import bent, compared_in, likeness_in
from scorekeeper.vision.backs.memo import Memo
from scorekeeper.vision.backs.plane import in_picture, lying, sizes_by
from scorekeeper.vision.backs.refiner import SHOWN, Refined
from scorekeeper.vision.detector import Detections, other_guesses, suppressed
from scorekeeper.vision.geometry import Corners, Points, side_lengths
from scorekeeper.vision.networks import two_at_a_time
from scorekeeper.vision.outline import Tilt
from scorekeeper.vision.places import overlaps_any, share_of_both
from scorekeeper.vision.templates import COLUMNS, ROWS, Seen, cell_middles, softened

Floats = npt.NDArray[np.float32]

LEAST_JOINT = 0.1
"""A proposal whose joint score (the root of the detector's times the refiner's) is lower is dropped."""
SAME_POSE = 0.8
"""Of two proposals with a higher IoU the one with the lower joint score is dropped."""
CLEAR = 0.5
"""Proposals with a joint score from here on tell the cards' size and how the camera is tilted."""
FITS = 0.1
"""A proposal nearer than this to its deck needs no alignment; ..."""
NEARER = 0.85
"""... one that is aligned counts where its distance has become less by such a factor."""
FARTHEST = 1.3
"""One farther than this from every deck is none of theirs."""
NEARLY = 0.3
"""It is aligned with the second deck, too, where that is no more than this farther."""
ONE_POSE = 0.92
"""Aligned outlines with a higher IoU are one."""
LEAST_LEFT = 0.7
"""Nor does one count of which less than this of what showed before shows."""
WELL, LEAST_KNOWN = 0.6, 4
"""Outlines nearer than this to their deck tell how the camera looks at the table, where they are so many."""
OFF_SIZE = 0.04
"""Outlines whose sides are off by more than this share are aligned anew as cards of their deck's size."""
NO_DECK = np.zeros(0, np.float32)
SAME_CARD = 0.55
"""An aligned outline and the one that it comes from lie within each other by this share."""


@dataclass(frozen=True, slots=True)
class Proposals:
    """What may be cards of one picture; arrays go in parallel."""

    quads: Points
    """(n, 4, 2) outlines in pixels, as ``straightened`` orders them."""
    kinds: npt.NDArray[np.int64]
    """(n,) FACE or BACK."""
    joint: Floats
    """(n,) the root of the detector's score times the refiner's, 0 to 1."""
    sure: Floats
    """(n,) the refiner's score alone."""
    given: Points
    """(n, 4, 2) the outlines that ``shows`` is about."""
    shows: Floats
    """(n, 24, 24) how likely each shows in its window, by the refiner."""
    compared: tuple[Compared, ...]
    alike: Floats
    """(n,) log odds of the verification network that each is of its nearest deck."""
    unlike: Floats
    """(n, cells) how unlike its nearest deck each cell is, 0 to 1."""
    nobodys: Floats
    """(n,) how likely each is of no deck, 0 to 1; 0 where none is enrolled."""
    sizes: Floats
    """(n,) natural logarithm of the area on the table, 0 is usual."""
    length_px: float
    """How long the cards are."""

    def __len__(self) -> int:
        return len(self.quads)


@dataclass(frozen=True, slots=True)
class Poses:
    """Outlines before they are compared with decks; arrays go in parallel."""

    quads: Points
    kinds: npt.NDArray[np.int64]
    joint: Floats
    said: Refined
    given: Points

    @classmethod
    def joined(cls, parts: Sequence[Poses]) -> Poses:
        """All of *parts*, one after the other."""
        quads, kinds, joint, given = (
            np.concatenate([getattr(part, name) for part in parts]) for name in ("quads", "kinds", "joint", "given")
        )
        said = Refined.of([one for part in parts for one in part.said.each()])
        return cls(quads, kinds, joint, said, given)

    def unlike(self, others: Poses) -> Poses:
        """Those that are none of *others*."""
        new = [n for n, quad in enumerate(self.quads) if not overlaps_any(quad, others.quads, SAME_POSE)]
        return self.pick(np.array(new, np.intp))

    def pick(self, which: npt.NDArray[np.intp]) -> Poses:
        """Those numbered *which*."""
        said = self.said
        picked = Refined(said.corners_px[which], said.sure[which], said.shows[which])
        return Poses(self.quads[which], self.kinds[which], self.joint[which], picked, self.given[which])


def poses_of(found: Detections, memo: Memo) -> tuple[Poses, float]:
    """What is *found*, moved by the refiner onto what lies there, each pose once; and how long cards are, in pixels."""
    found = Detections.joined([found, other_guesses(found)])
    lengths, clear = side_lengths(found.corners_px).max(1), found.scores >= CLEAR
    length = memo.length(float(np.median(lengths[clear] if clear.any() else lengths)))
    return moved_onto(found, memo, length), length


def moved_onto(found: Detections, memo: Memo, length_px: float, tilt: Tilt | None = None) -> Poses:
    """What is *found*, moved twice by the refiner, and bent by this *tilt*, or by that which it tells itself; cards are
    *length_px* long."""
    first = memo.refined(found.corners_px, length_px)
    joint = np.sqrt(found.scores * first.sure)
    moved = Detections(first.corners_px, found.kinds, joint).pick(joint >= LEAST_JOINT)
    kept = suppressed(moved, most_overlap=SAME_POSE)
    said = memo.refined(kept.corners_px, length_px)
    quads = list[Corners]()
    if len(kept):
        clear = kept.scores >= CLEAR
        quads = bent(tilt or memo.tilt([*said.corners_px[clear if clear.sum() >= 3 else ...]]), [*said.corners_px])
    return Poses(np.array(quads, np.float32).reshape(-1, 4, 2), kept.kinds, kept.scores, said, kept.corners_px)


def proposed(
    gallery: Gallery,
    memo: Memo,
    poses: Poses,
    length_px: float,
    wide: Sequence[int] = (),
    unexplained: Callable[[Points], Floats] | None = None,
) -> Proposals:
    """The *poses* beside the enrolled decks, each aligned with the template of its deck where that fits better.

    Those numbered *wide* are tried on the templates of two decks, and from places farther away, by what no known card
    explains: that *unexplained* says of points (n, 2) of the picture, 0 or 1.
    """
    quads = [*poses.quads]
    seen = memo.seen(quads)
    if not gallery.decks:
        nothing = [
            Compared(NO_DECK, np.zeros((0, 3), np.float32), np.zeros(0, np.intp), float(s.free.mean())) for s in seen
        ]
        unlike = np.ones((len(quads), ROWS * COLUMNS), np.float32)
        alike = np.full(len(quads), -gallery.settings.most_likeness)
        return _together(gallery, poses, quads, nothing, alike, unlike, length_px, None)
    clear = poses.joint >= CLEAR
    exposure = exposure_of([one for one, good in zip(seen, clear, strict=True) if good] or seen)
    placed = _Placed(gallery, memo, exposure, quads, compared_in(gallery, memo, quads, exposure))
    placed.aligned(_ways(quads, seen, placed.compared, wide, unexplained), NEARER)
    tilt = placed.tilt(clear)
    if tilt is not None:
        placed.aligned(_of_one_size(memo, placed, tilt, clear), 1.0)
    poses = placed.once_each(poses)
    alike = _alike(gallery, memo, placed.quads, placed.compared, exposure)
    unlike = _unlike_in(gallery, memo, placed.quads, placed.compared, exposure)
    return _together(gallery, poses, placed.quads, placed.compared, alike, unlike, length_px, tilt)


@dataclass(frozen=True, slots=True)
class Way:
    """How one outline is aligned with a template."""

    number: int
    quad: Corners
    """Where it begins."""
    view: int
    """The look of the gallery, by its number."""
    free: Floats
    """(cells,) how much of each cell of *quad* shows the card."""
    anywhere: bool = False
    """Whether it begins where the pattern correlates best about there."""
    steps: Steps = FREELY


@dataclass(slots=True)
class _Placed:
    """Outlines beside the enrolled decks, each moved to where it fits its deck better."""

    gallery: Gallery
    memo: Memo
    exposure: np.float32
    quads: list[Corners]
    compared: list[Compared]

    def aligned(self, ways: Sequence[Way], nearer: float) -> None:
        """Tries these *ways*; one counts where its distance to its deck has become less by the factor *nearer*."""
        laid = _onto_templates(self.gallery, self.memo, ways)
        moved = [(way.number, quad) for way, quad in zip(ways, laid, strict=True) if quad is not None]
        compared = compared_in(self.gallery, self.memo, [quad for _, quad in moved], self.exposure)
        for (n, quad), one in zip(moved, compared, strict=True):
            if one.far < nearer * self.compared[n].far and one.visible > LEAST_LEFT * self.compared[n].visible:
                self.quads[n], self.compared[n] = quad, one

    def tilt(self, clear: npt.NDArray[np.bool_]) -> Tilt | None:
        """How the camera looks at the table, by the *clear* outlines that fit their decks; None where they are few."""
        known = self.known(clear)
        if known.sum() < LEAST_KNOWN:
            return None
        quads, decks = np.array(self.quads, np.float32), self.decks()
        return self.memo.plane(quads[known], decks[known])

    def once_each(self, poses: Poses) -> Poses:
        """Keeps of outlines that came to lie on each other the one with the highest joint score; *poses* likewise."""
        kept = list[int]()
        for n in np.argsort(-poses.joint, kind="stable").tolist():
            if not overlaps_any(self.quads[n], np.array([self.quads[k] for k in kept]), ONE_POSE):
                kept.append(n)
        kept.sort()
        self.quads, self.compared = [self.quads[n] for n in kept], [self.compared[n] for n in kept]
        return poses.pick(np.array(kept, np.intp))

    def known(self, clear: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """(n,) which of the *clear* ones fit their decks."""
        return clear & (np.array([one.far for one in self.compared]) < WELL)

    def decks(self) -> npt.NDArray[np.intp]:
        """(n,) the nearest one of each."""
        return np.array([one.nearest for one in self.compared], np.intp)


def _ways(
    quads: Sequence[Corners],
    seen: Sequence[Seen],
    compared: Sequence[Compared],
    wide: Sequence[int],
    unexplained: Callable[[Points], Floats] | None,
) -> list[Way]:
    """How each outline is aligned that does not fit its nearest deck well; those numbered *wide* more widely."""
    ways: list[Way] = []
    for n, one in enumerate(compared):
        if FITS <= one.far < FARTHEST:
            near = [deck for deck in np.argsort(one.distances)[:2] if one.distances[deck] < one.far + NEARLY]
            ways += [Way(n, quads[n], int(one.views[deck]), seen[n].free) for deck in near]
    for n in [n for n in wide if compared[n].far >= FITS]:
        left = seen[n].free if unexplained is None else unexplained(cell_middles(quads[n]))
        views = [int(compared[n].views[deck]) for deck in np.argsort(compared[n].distances)[:2]]
        ways += [Way(n, quads[n], view, left, anywhere=True) for view in views]
    return ways


def _of_one_size(memo: Memo, placed: _Placed, tilt: Tilt, clear: npt.NDArray[np.bool_]) -> list[Way]:
    """How outlines are aligned that are not as large as their deck's cards are: as such a card, from where the
    deck's pattern correlates best."""
    cards = lying(tilt, np.array(placed.quads, np.float32))
    sizes = sizes_by(cards, placed.decks(), placed.known(clear))
    exact = in_picture(tilt, replace(cards, sizes=sizes))
    off = cards.sizes / sizes - 1
    odd = np.flatnonzero((np.abs(off) > OFF_SIZE).any(1)).tolist()
    which = [n for n in odd if placed.compared[n].far < FARTHEST]
    ways = []
    for n, seen in zip(which, memo.seen([exact[n] for n in which]), strict=True):
        one = placed.compared[n]
        ways.append(Way(n, exact[n], int(one.views[one.nearest]), seen.free, anywhere=True, steps=RIGIDLY))
    return ways


def _together(
    gallery: Gallery,
    poses: Poses,
    quads: Sequence[Corners],
    compared: Sequence[Compared],
    alike: Floats,
    unlike: Floats,
    length_px: float,
    tilt: Tilt | None,
) -> Proposals:
    outlines = np.array(quads, np.float32).reshape(-1, 4, 2)
    distances = np.array([each.far for each in compared], np.float32)
    visible = np.array([each.visible for each in compared], np.float32)
    return Proposals(
        outlines,
        poses.kinds,
        poses.joint,
        poses.said.sure,
        poses.given,
        poses.said.shows.reshape(-1, SHOWN, SHOWN),
        tuple(compared),
        alike,
        unlike,
        gallery.nobodys(distances, alike, visible) if gallery.decks else np.zeros(len(outlines), np.float32),
        _sizes(outlines, poses.joint, tilt),
        length_px,
    )


def _alike(
    gallery: Gallery, memo: Memo, quads: Sequence[Corners], compared: Sequence[Compared], exposure: np.float32
) -> Floats:
    nearest = np.array([one.nearest for one in compared], np.intp)
    odds = likeness_in(gallery, memo, quads, exposure)(np.arange(len(quads)), nearest)
    most = gallery.settings.most_likeness
    return np.clip(odds, -most, most)


def _onto_templates(gallery: Gallery, memo: Memo, ways: Sequence[Way]) -> list[Corners | None]:
    """Each outline aligned as one of *ways* says."""
    levels = [seen.level for seen in memo.seen([way.quad for way in ways])]

    def lay(n: int) -> Corners | None:
        way = ways[n]
        template = softened(gallery.pictures[way.view], levels[n])
        moved = aligned(memo.image, way.quad, template, way.free, anywhere=way.anywhere, steps=way.steps)
        fine = moved is not None and cv2.isContourConvex(moved) and share_of_both(moved, way.quad) > SAME_CARD
        return moved if fine else None

    asked = [("aligned", way.view, way.anywhere, way.steps, hash(way.free.tobytes())) for way in ways]
    return memo.once(asked, [way.quad for way in ways], lambda new: two_at_a_time(lay, new))


def _unlike_in(
    gallery: Gallery, memo: Memo, quads: Sequence[Corners], compared: Sequence[Compared], exposure: np.float32
) -> Floats:
    """(n, cells) how unlike its nearest deck each cell of each card is, 0 to 1."""
    seen = memo.seen(quads)

    def find(new: list[int]) -> list[Floats]:
        return [_unlike(gallery, seen[n], compared[n], exposure) for n in new]

    cells = memo.once([("unlike", float(exposure))] * len(quads), quads, find)
    return np.array(cells, np.float32).reshape(len(quads), -1)


def _unlike(gallery: Gallery, seen: Seen, compared: Compared, exposure: np.float32) -> Floats:
    """How unlike its nearest deck each cell of a card is, (cells,) 0 to 1; either way around, and a cell off."""
    deck = compared.nearest
    light = gallery.light(np.asarray(compared.lights[deck], np.float32))
    moved, inside = shifted(seen.exposed(exposure), np.ones(len(seen.look), np.float32))
    unlike = unlike_in(moved, gallery.looks[seen.level, gallery.owners == deck], light, gallery.settings)
    unlike = np.where(inside[:, None] > 0, unlike, np.float32(1))
    shift, view = np.unravel_index(int(np.minimum(unlike, 0.5).mean(2).argmin()), unlike.shape[:2])
    return back_from(unlike[shift, view], int(shift))


def _sizes(quads: Points, joint: Floats, tilt: Tilt | None) -> Floats:
    """(n,) natural logarithm of each area on the table; 0 is that of the clear ones, and of all where few are."""
    lies = quads if tilt is None else tilt.to_table(quads.reshape(-1, 2)).reshape(-1, 4, 2).astype(np.float32)
    clear = joint >= CLEAR
    areas = np.array([max(abs(cv2.contourArea(quad)), 1.0) for quad in lies])
    return np.asarray(np.log(areas / np.median(areas[clear] if clear.any() else areas)), np.float32)
