"""Where cards may lie: outlines that the detector proposes, moved onto what is there and onto their deck's template."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.aligned import ABOUT, HERE, Start, aligned
from scorekeeper.vision.backs import Compared, Gallery, back_from, exposure_of, shifted, unlike_in
from scorekeeper.vision.detector import Detections, other_guesses, suppressed
from scorekeeper.vision.geometry import Corners, Points, side_lengths
from scorekeeper.vision.glances import Glances
from scorekeeper.vision.looks import COLUMNS, ROWS, Seen, cell_middles, softened
from scorekeeper.vision.network import two_at_a_time
from scorekeeper.vision.outline import in_steps, sizes_of
from scorekeeper.vision.places import share_of_both
from scorekeeper.vision.refine import SHOWN, Refined
from scorekeeper.vision.whose import bent, compared_in, likeness_in, straightened

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
    sizes: Floats
    """(n,) natural logarithm of the area on the table, 0 is usual."""
    length_px: float
    """How long the cards are."""

    def __len__(self) -> int:
        return len(self.quads)

    @property
    def distances(self) -> Floats:
        """(n,) to the nearest deck."""
        return np.array([each.distances.min(initial=np.inf) for each in self.compared], np.float32)

    @property
    def visible(self) -> Floats:
        """(n,) which share of each shows, by the refiner."""
        return np.array([each.visible for each in self.compared], np.float32)


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

    def pick(self, which: npt.NDArray[np.intp]) -> Poses:
        """Those numbered *which*."""
        said = self.said
        picked = Refined(said.corners_px[which], said.sure[which], said.shows[which])
        return Poses(self.quads[which], self.kinds[which], self.joint[which], picked, self.given[which])


def poses_of(found: Detections, glances: Glances) -> tuple[Poses, float]:
    """What is *found*, moved by the refiner onto what lies there, each pose once; and how long cards are, in pixels."""
    found = Detections.joined([found, other_guesses(found)])
    lengths, clear = side_lengths(found.corners_px).max(1), found.scores >= CLEAR
    length = in_steps(float(np.median(lengths[clear] if clear.any() else lengths)))
    return moved_onto(found, glances, length), length


def moved_onto(found: Detections, glances: Glances, length_px: float) -> Poses:
    """What is *found*, moved twice by the refiner; cards are *length_px* long."""
    first = glances.refined(found.corners_px, length_px)
    joint = np.sqrt(found.scores * first.sure)
    moved = Detections(first.corners_px, found.kinds, joint).pick(joint >= LEAST_JOINT)
    kept = suppressed(moved, most_overlap=SAME_POSE)
    said = glances.refined(kept.corners_px, length_px)
    clear = kept.scores >= CLEAR
    if clear.sum() >= 3:
        quads = bent(glances.tilt([*said.corners_px[clear]]), [*said.corners_px])
    elif len(kept):
        quads = straightened(glances, [*said.corners_px])
    else:
        quads = []
    return Poses(np.array(quads, np.float32).reshape(-1, 4, 2), kept.kinds, kept.scores, said, kept.corners_px)


def proposed(
    gallery: Gallery,
    glances: Glances,
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
    seen = glances.seen(quads)
    if not gallery.decks:
        nothing = [
            Compared(NO_DECK, np.zeros((0, 3), np.float32), np.zeros(0, np.intp), float(s.free.mean())) for s in seen
        ]
        unlike = np.ones((len(quads), ROWS * COLUMNS), np.float32)
        return _together(
            glances, poses, quads, nothing, np.full(len(quads), -gallery.settings.most_likeness), unlike, length_px
        )
    clear = [one for one, joint in zip(seen, poses.joint, strict=True) if joint >= CLEAR]
    exposure = exposure_of(clear or seen)
    compared = compared_in(gallery, glances, quads, exposure)
    alike = _alike(gallery, glances, quads, compared, exposure)
    ways = _ways(quads, seen, compared, wide, unexplained)
    laid = _onto_templates(gallery, glances, quads, seen, ways)
    moved = [(way[0], quad) for way, quad in zip(ways, laid, strict=True) if quad is not None]
    others = compared_in(gallery, glances, [quad for _, quad in moved], exposure)
    odds = _alike(gallery, glances, [quad for _, quad in moved], others, exposure)
    for (n, quad), one, like in zip(moved, others, odds.tolist(), strict=True):
        was, now = float(compared[n].distances.min()), float(one.distances.min())
        worth = gallery.evidence(np.array([was, now], np.float32), np.array([alike[n], like], np.float32))
        if now < NEARER * was and worth[1] > worth[0] and one.visible > 0.7 * compared[n].visible:
            quads[n], compared[n], alike[n] = quad, one, like
    final = glances.seen(quads)
    cells = [_unlike(gallery, *each, exposure) for each in zip(final, compared, strict=True)]
    differs = np.array(cells, np.float32).reshape(len(quads), -1)
    return _together(glances, poses, quads, compared, np.asarray(alike, np.float32), differs, length_px)


def _ways(
    quads: Sequence[Corners],
    seen: Sequence[Seen],
    compared: Sequence[Compared],
    wide: Sequence[int],
    unexplained: Callable[[Points], Floats] | None,
) -> list[Way]:
    """How each outline is aligned that does not fit its nearest deck well; those numbered *wide* more widely."""
    far = [float(one.distances.min()) for one in compared]
    ways: list[Way] = []
    for n, one in enumerate(compared):
        if FITS <= far[n] < FARTHEST:
            near = [deck for deck in np.argsort(one.distances)[:2] if one.distances[deck] < far[n] + NEARLY]
            ways += [(n, int(one.views[deck]), HERE, seen[n].free) for deck in near]
    for n in wide:
        if far[n] >= FITS:
            left = seen[n].free if unexplained is None else unexplained(cell_middles(quads[n]))
            views = [int(compared[n].views[deck]) for deck in np.argsort(compared[n].distances)[:2]]
            ways += [(n, view, ABOUT, free) for view in (*views, views[0] ^ 1) for free in (seen[n].free, left)]
    return ways


def _together(
    glances: Glances,
    poses: Poses,
    quads: Sequence[Corners],
    compared: Sequence[Compared],
    alike: Floats,
    unlike: Floats,
    length_px: float,
) -> Proposals:
    outlines = np.array(quads, np.float32).reshape(-1, 4, 2)
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
        _sizes(outlines, poses.joint, (glances.image.shape[0], glances.image.shape[1])),
        length_px,
    )


def _alike(
    gallery: Gallery, glances: Glances, quads: Sequence[Corners], compared: Sequence[Compared], exposure: np.float32
) -> Floats:
    nearest = np.array([int(one.distances.argmin()) for one in compared], np.intp)
    odds = likeness_in(gallery, glances, quads, exposure)(np.arange(len(quads)), nearest)
    most = gallery.settings.most_likeness
    return np.clip(odds, -most, most)


Way = tuple[int, int, Sequence[Start], Floats]
"""An outline and a look of the gallery by their numbers, the starts, and how much of each cell shows (cells,)."""


def _onto_templates(
    gallery: Gallery, glances: Glances, quads: Sequence[Corners], seen: Sequence[Seen], ways: Sequence[Way]
) -> list[Corners | None]:
    """Each outline aligned as one of *ways* says."""

    def lay(way: int) -> Corners | None:
        n, view, starts, free = ways[way]
        template = softened(gallery.pictures[view], seen[n].level)
        moved = aligned(glances.image, quads[n], template, free, starts)
        fine = moved is not None and cv2.isContourConvex(moved) and share_of_both(moved, quads[n]) > SAME_CARD
        return moved if fine else None

    asked = [("aligned", view, len(starts), hash(free.tobytes())) for _, view, starts, free in ways]
    return glances.once(asked, [quads[way[0]] for way in ways], lambda new: two_at_a_time(lay, new))


def _unlike(gallery: Gallery, seen: Seen, compared: Compared, exposure: np.float32) -> Floats:
    """How unlike its nearest deck each cell of a card is, (cells,) 0 to 1; either way around, and a cell off."""
    deck = int(compared.distances.argmin())
    light = gallery.light(np.asarray(compared.lights[deck], np.float32))
    moved, inside = shifted(seen.exposed(exposure), np.ones(len(seen.look), np.float32))
    unlike = unlike_in(moved, gallery.looks[seen.level, gallery.owners == deck], light, gallery.settings)
    unlike = np.where(inside[:, None] > 0, unlike, np.float32(1))
    shift, view = np.unravel_index(int(np.minimum(unlike, 0.5).mean(2).argmin()), unlike.shape[:2])
    return back_from(unlike[shift, view], int(shift))


def _sizes(quads: Points, joint: Floats, size: tuple[int, int]) -> Floats:
    """(n,) natural logarithm of each area on the table; 0 is that of the clear ones, and of all where few are."""
    clear = joint >= CLEAR
    if clear.sum() < 3:
        areas = np.array([max(abs(cv2.contourArea(quad)), 1.0) for quad in quads])
        return np.asarray(np.log(areas / np.median(areas[clear] if clear.any() else areas)), np.float32)
    return np.log(np.maximum(sizes_of([*quads], size, clear), 1e-3)).astype(np.float32)
