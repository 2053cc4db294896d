"""The eye: the two networks, loaded once, and how a picture of unknown scale is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.resources import data_path
from scorekeeper.vision.detector import (
    BACK,
    CLEAR,
    FACE,
    INDEX,
    Detections,
    Detector,
    OnnxDetector,
    suppressed,
    too_square,
)
from scorekeeper.vision.faces.indices import IndexReader, Letters
from scorekeeper.vision.geometry import Boxes, Image, Points, side_lengths, touching

FIRST_LOOK = 512
"""Pixels of the longer side in the first look, which only finds out how large the cards are."""
CARD_PX = 150
"""How long a card should be for the second look, where nothing else is asked: an index is then about 28 px high."""
MOST_INDICES = 3
"""Cards show fewer each, usually."""
INDEX_SHARE = 0.19
"""An index's height as a share of its card's length, usually."""
LARGEST_LOOK = 2560
ROUND, BESIDE = 0.8, 0.15
"""What has changed is looked at with so many lengths of a card round it; cards count whose middle is found in it or so
near beside it, so that one that is found a little aside now is not lost."""
WINDOW_PX = 256
"""Side of the window of that look; a card is CARD_PX long in it."""


@dataclass(frozen=True, slots=True)
class Eye:
    """Finds cards and reads their indices."""

    detector: Detector
    reader: IndexReader

    def look(
        self,
        image: Image,
        *,
        min_score: float = 0.25,
        min_index_score: float | None = None,
        card_px: float = CARD_PX,
        length_px: float | None = None,
        turned: bool = True,
    ) -> Detections:
        """Faces, backs and indices, looked for at the scale that makes the cards in *image* *card_px* long.

        Indices are kept down to *min_index_score*, where given, which is lower than *min_score*. How long the cards are
        a first look tells, unless *length_px* does. Cards whose box is too square for one are seen again *turned*; who
        moves outlines onto their cards anyway (``refiner``) need not ask for that.
        """
        least = min_score if min_index_score is None else min_index_score
        if length_px is not None:
            side = _side(image, card_px / length_px, least=32)
            found = self.detector.detect(image, long_side=side, min_score=least)
        else:
            found = self._two_looks(image, card_px, least)
        if least < min_score:
            found = found.pick((found.kinds == INDEX) | (found.scores >= min_score))
        return self._unsquared(image, found) if turned else found

    def _two_looks(self, image: Image, card_px: float, min_score: float) -> Detections:
        """What is found in *image*, of which a first look tells how long the cards are."""
        found = self.detector.detect(image, long_side=FIRST_LOOK, min_score=min_score)
        side = suitable_side(found, image, card_px)
        if 0.8 < side / FIRST_LOOK < 1.25:
            return found
        return merged(found, self.detector.detect(image, long_side=side, min_score=min_score))

    def look_again(self, image: Image, known: Detections, boxes_px: Boxes, *, min_score: float = 0.25) -> Detections:
        """What *image* shows, of which *known* was found before it changed in *boxes_px*: only those are looked at.

        Cards whose middle lies elsewhere are as they were. They are as long as those known, of which there is one at
        least.
        """
        side, longest = suitable_side(known, image), max(image.shape[:2])
        length = CARD_PX * longest / side
        beside = length * np.array([-BESIDE, -BESIDE, BESIDE, BESIDE], np.float32)
        gone = np.asarray(touching(_middles(known), boxes_px).any(1), np.bool_)
        parts = [known.pick(~gone)]
        for box in boxes_px:
            left, top = (max(0, int(edge - ROUND * length)) for edge in box[:2])
            right, bottom = (int(edge + ROUND * length) + 1 for edge in box[2:])
            window = image[top:bottom, left:right]
            scaled = max(32, round(side * max(window.shape[:2]) / longest))
            found = self.detector.detect(window, long_side=scaled, min_score=min_score)
            found = found.at(found.corners_px + np.array([left, top], np.float32))
            found = found.pick(touching(_middles(found), (box + beside)[None])[:, 0])
            parts.append(found)
        return once_each(Detections.joined(parts))

    def _unsquared(self, image: Image, found: Detections) -> Detections:
        """*found* in *image*, cards whose box is too square for one seen again in a turned window."""
        corners = found.corners_px.copy()
        for k in np.flatnonzero(too_square(found)):
            corners[k] = self._turned_look(image, corners[k])
        return found.at(corners)

    def _turned_look(self, image: Image, corners_px: Points) -> Points:
        """The outline of one card seen again in a window turned by an eighth; as it was where nothing is found."""
        window, to_window = eighth_turn(image, corners_px)
        again = self.detector.detect(window, long_side=WINDOW_PX).of(FACE, BACK)
        if len(again) == 0:
            return corners_px
        middle = np.float32(WINDOW_PX / 2)
        gaps = np.linalg.norm(again.corners_px.mean(1) - middle, axis=1)
        nearest = int(gaps.argmin())
        if gaps[nearest] > 0.12 * WINDOW_PX:
            return corners_px
        back = cv2.invertAffineTransform(to_window)
        return np.asarray(cv2.transform(again.corners_px[nearest : nearest + 1], back)[0], np.float32)


def _middles(found: Detections) -> Boxes:
    """The middles of what is *found*, as upright boxes (n, 4) of no size."""
    return np.tile(found.corners_px.mean(1), 2)


def suitable_side(found: Detections, image: Image, card_px: float = CARD_PX) -> int:
    """The longer side, in pixels, at which the cards *found* would be *card_px* long.

    Indices tell where there are no cards, or so many more that most cards have no outline: a ribbon is taken for one.
    """
    cards, indices = found.of(FACE, BACK), found.of(INDEX)
    outlined, shown = (int((each.scores >= CLEAR).sum()) for each in (cards, indices))
    if len(indices) and (shown > MOST_INDICES * max(outlined, 1) or not len(cards)):
        lengths = side_lengths(indices.corners_px).max(1) / INDEX_SHARE
    elif len(cards):
        lengths = side_lengths(cards.corners_px).max(1)
    else:
        return 1280
    return _side(image, card_px / float(np.median(lengths)), least=320)


def _side(image: Image, scale: float, least: int) -> int:
    """The longer side of *image* at *scale*, *least* at least and not so large that it takes seconds."""
    longest = max(image.shape[:2])
    return int(np.clip(longest * scale, least, max(least, min(LARGEST_LOOK, 2.2 * longest))))


def eighth_turn(image: Image, corners_px: Points) -> tuple[Image, npt.NDArray[np.float64]]:
    """A square window of WINDOW_PX round a card, turned by 45 degrees, and the affine map (2, 3) into it."""
    x, y = (float(v) for v in corners_px.mean(0))
    matrix = cv2.getRotationMatrix2D((x, y), 45.0, CARD_PX / max(float(side_lengths(corners_px).max()), 1.0))
    shift = np.array([[0, 0, WINDOW_PX / 2 - x], [0, 0, WINDOW_PX / 2 - y]])
    to_window = np.asarray(matrix + shift, np.float64)
    window = cv2.warpAffine(image, to_window, (WINDOW_PX, WINDOW_PX), flags=cv2.INTER_LINEAR, borderValue=(114,) * 3)
    return window.astype(np.uint8, copy=False), to_window


def merged(first: Detections, second: Detections) -> Detections:
    """Both looks as one; where they agree the second, better suited one counts."""
    weaker = Detections(first.corners_px, first.kinds, first.scores * np.float32(0.5))
    return once_each(Detections.joined([weaker, second]))


def once_each(found: Detections) -> Detections:
    """*found* without what overlaps something found more clearly."""
    cards = suppressed(found.of(FACE, BACK), most_overlap=0.6)
    return Detections.joined([cards, suppressed(found.of(INDEX), most_overlap=0.3)])


@cache
def load_eye(threads: int = 2, letters: Letters = "french") -> Eye:
    """The eye with the committed weights; *letters* says whether a V is a jack or a queen."""
    detector = OnnxDetector(data_path("models/detector/detector.onnx"), threads=threads)
    return Eye(detector, IndexReader(data_path("models/indices/indices.onnx"), letters=letters))
