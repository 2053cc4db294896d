"""The eye: the two networks, loaded once, and how a picture of unknown scale is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from scorekeeper.resources import data_path
from scorekeeper.vision.detector import BACK, FACE, INDEX, Detections, Detector, Image, OnnxDetector, suppressed
from scorekeeper.vision.indices import IndexReader

FIRST_LOOK = 640
"""Pixels of the longer side in the first look, which only finds out how large the cards are."""
CARD_PX = 150
"""How long a card should be for the second look: an index is then about 28 px high."""
INDEX_SHARE = 0.19
"""An index's height as a share of its card's length, usually."""
LARGEST_LOOK = 2560


@dataclass(frozen=True, slots=True)
class Eye:
    """Finds cards and reads their indices."""

    detector: Detector
    reader: IndexReader

    def look(self, image: Image, *, min_score: float = 0.25) -> Detections:
        """Faces, backs and indices, looked for at the scale that suits the cards in *image*."""
        first = self.detector.detect(image, long_side=FIRST_LOOK, min_score=min_score)
        side = suitable_side(first, image)
        if 0.8 < side / FIRST_LOOK < 1.25:
            return first
        second = self.detector.detect(image, long_side=side, min_score=min_score)
        return merged(first, second)


def suitable_side(found: Detections, image: Image) -> int:
    """The longer side, in pixels, at which the cards *found* would be CARD_PX long."""
    longest = max(image.shape[:2])
    cards = found.of(FACE, BACK)
    if len(cards):
        lengths = _longer_sides(cards)
    elif len(found):
        lengths = _longer_sides(found.of(INDEX)) / INDEX_SHARE
    else:
        return 1280
    side = longest * CARD_PX / float(np.median(lengths))
    return int(np.clip(side, 320, min(LARGEST_LOOK, 2.2 * longest)))


def _longer_sides(found: Detections) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    corners = found.corners_px
    sides = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    return np.asarray(sides.max(axis=1), np.float32)


def merged(first: Detections, second: Detections) -> Detections:
    """Both looks as one; where they agree the second, better suited one counts."""
    weaker = Detections(first.corners_px, first.kinds, first.scores * np.float32(0.5))
    found = Detections.joined([weaker, second])
    cards = suppressed(found.of(FACE, BACK), most_overlap=0.6)
    return Detections.joined([cards, suppressed(found.of(INDEX), most_overlap=0.3)])


@cache
def load_eye(threads: int = 2) -> Eye:
    """The eye with the committed weights."""
    detector = OnnxDetector(data_path("models/detector/detector.onnx"), threads=threads)
    return Eye(detector, IndexReader(data_path("models/indices/indices.onnx"), threads=threads))
