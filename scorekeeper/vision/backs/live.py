"""Counts the backs a still camera shows, again and again: only where the picture has changed is it looked at anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.rules.lake import SpreadReading
from scorekeeper.vision.backs.gallery import Gallery
from scorekeeper.vision.backs.memo import Memo
from scorekeeper.vision.backs.spread import SETTINGS, judged, reading_of, turned_looks
from scorekeeper.vision.camera.steady import Small, SteadySettings, change, small_of
from scorekeeper.vision.detector import BACK, FACE, Detections
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.geometry import Boxes, Image

Mask = npt.NDArray[np.uint8]
"""Shape of a small picture (``small_of``)."""

CHANGED = SteadySettings(least_levels=4.0)
"""When a place differs: sooner than anything moves, as a dark card may lie on dark cloth; too often only takes time."""
MOST_CHANGED = 0.3
"""Share of the picture from which on all of it is looked at anew."""
LIGHT = 0.05
"""Natural logarithm of brightness from which on it is, too."""
JOINED = 9
"""What differs in a small picture is joined when nearer than this, in its pixels; half as much round it is taken in."""


@dataclass(slots=True)
class _Known:
    """What is known of the table."""

    small: Small
    """The picture, as each part was when it was last looked at."""
    rough: Mask
    """1 where that was in a picture that was not settled."""
    found: Detections
    memo: Memo
    reading: SpreadReading


class Follower:
    """Reads the pictures of one camera; *eye* gives the eye when it is needed, *gallery* holds the enrolled decks."""

    def __init__(self, eye: Callable[[], Eye], gallery: Gallery) -> None:
        self._eye = eye
        self._gallery = gallery
        self._known: _Known | None = None

    def forget(self) -> None:
        """Looks at the next picture as if it were the first."""
        self._known = None

    def __call__(self, picture: Image, *, settled: bool) -> SpreadReading:
        """How many cards of each deck *picture* shows.

        A picture is *settled* when it is the mean of several: what was last looked at in one that was not, a single
        frame with all its noise, is then looked at again, and what is doubtful once more (``turned_looks``).
        """
        small = small_of(picture)
        known = self._known
        mask = None if known is None else _changed(known, picture, small, settled)
        if known is None or mask is None:
            found = self._eye().look(picture, min_score=SETTINGS.least_score, turned=False)
            rough = np.full(small.shape[:2], not settled, np.uint8)
            known = self._read(small, rough, found, Memo(picture), settled)
        elif mask.any():
            known = self._look_again(known, picture, small, mask, settled)
        self._known = known
        return known.reading

    def _look_again(self, known: _Known, picture: Image, small: Small, mask: Mask, settled: bool) -> _Known:
        """*known* with what *picture* shows where *mask* says."""
        image, before, rough = known.memo.image.copy(), known.small.copy(), known.rough.copy()
        spots, boxes = _boxes(mask, picture)
        for (left, top, right, bottom), (x0, y0, x1, y1) in zip(spots, boxes.astype(int), strict=True):
            image[y0:y1, x0:x1] = picture[y0:y1, x0:x1]
            before[top:bottom, left:right] = small[top:bottom, left:right]
            rough[top:bottom, left:right] = not settled
        found = self._eye().look_again(image, known.found, boxes, min_score=SETTINGS.least_score)
        known.memo.changed(image, boxes)
        return self._read(before, rough, found, known.memo, settled)

    def _read(self, small: Small, rough: Mask, found: Detections, memo: Memo, settled: bool) -> _Known:
        looks = partial(turned_looks, memo.image, self._eye()) if settled else None
        reading = reading_of([judged(found, memo, self._gallery, turned=looks)], self._gallery)
        return _Known(small, rough, found, memo, reading)


def _changed(known: _Known, picture: Image, small: Small, settled: bool) -> Mask | None:
    """Where (1) the table is to be looked at again; None for everywhere."""
    found = change(known.small, small, CHANGED)
    if (
        picture.shape != known.memo.image.shape
        or found.moved
        or abs(found.gain) > LIGHT
        or not len(known.found.of(FACE, BACK))
    ):
        return None
    mask = found.mask | known.rough if settled else found.mask
    mask = np.asarray(cv2.dilate(mask, np.ones((JOINED, JOINED), np.uint8)), np.uint8)
    return None if mask.mean() > MOST_CHANGED else mask


def _boxes(mask: Mask, picture: Image) -> tuple[list[list[int]], Boxes]:
    """The upright boxes round what *mask* says, left top right bottom: in its own pixels, and in those of *picture*."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    spots = [[left, top, left + width, top + height] for left, top, width, height, _ in stats[1:].tolist()]
    scale = picture.shape[1] / mask.shape[1], picture.shape[0] / mask.shape[0]
    return spots, np.asarray(np.round(np.array(spots) * (scale * 2)), np.float32)
