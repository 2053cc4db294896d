"""Finds faces, backs and indices in a picture: oriented boxes with scores, by the exported network."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt
import onnxruntime as ort

from scorekeeper.vision import progress
from scorekeeper.vision.geometry import PROPORTION, Image, Points, resized
from scorekeeper.vision.places import lies_on_any

Numbers = npt.NDArray[np.int64]

FACE, BACK, INDEX = 0, 1, 2
_STRIDE = 32
_GREY = 114 / 255
"""Of what lies outside the picture."""
SHY = 0.2
"""A face that may be a back by this much is one: of 1,664 tops of piles that lay face up no other was."""
SEAM = 22.0
"""Degrees round 135 in which the angle of a card is a guess: there the network's angles begin anew."""
SQUARE = 1.22
"""A wrong guess comes out as a box too square for a card: its sides differ by less than this factor."""
CLEAR = 0.25
"""What is found less clearly may be something else; cards so faint are left as they were guessed."""
_BLOCK = 64
"""So many boxes at a time are held against all later ones."""
_MOST = 2000
"""Boxes kept before suppression: about twelve for each card and index, and a full table has 100 cards."""


@dataclass(frozen=True, slots=True)
class Detections:
    """What was found, best first."""

    corners_px: Points
    """(n, 4, 2) clockwise round each box; the first side is a long one."""
    kinds: npt.NDArray[np.int64]
    """(n,) FACE, BACK or INDEX."""
    scores: npt.NDArray[np.float32]
    """(n,) 0 to 1."""

    def __post_init__(self) -> None:
        n = len(self.scores)
        if self.corners_px.shape != (n, 4, 2) or self.kinds.shape != (n,) or self.scores.shape != (n,):
            raise ValueError(f"corners {self.corners_px.shape}, kinds {self.kinds.shape}, scores {self.scores.shape}")

    def __len__(self) -> int:
        return len(self.scores)

    def pick(self, which: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> Detections:
        """Those that *which*, a mask or places, names."""
        return Detections(self.corners_px[which], self.kinds[which], self.scores[which])

    def at(self, corners_px: npt.ArrayLike) -> Detections:
        """The same in these outlines (n, 4, 2)."""
        return Detections(np.asarray(corners_px, np.float32).reshape(-1, 4, 2), self.kinds, self.scores)

    def of(self, *kinds: int) -> Detections:
        """Those of the given kinds."""
        return self.pick(np.isin(self.kinds, kinds))

    @classmethod
    def none(cls) -> Detections:
        """Nothing found."""
        return cls(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.int64), np.zeros(0, np.float32))

    @classmethod
    def joined(cls, parts: list[Detections]) -> Detections:
        """All of *parts*, best first."""
        whole = cls.in_turn(parts)
        return whole.pick(np.argsort(-whole.scores, kind="stable"))

    @classmethod
    def in_turn(cls, parts: list[Detections]) -> Detections:
        """All of *parts*, one after the other."""
        if not parts:
            return cls.none()
        return cls(
            np.concatenate([part.corners_px for part in parts]),
            np.concatenate([part.kinds for part in parts]),
            np.concatenate([part.scores for part in parts]),
        )


class Detector(Protocol):
    """Anything that finds cards."""

    def detect(self, image: Image, *, long_side: int = 1280, min_score: float = 0.25) -> Detections:
        """What is in *image*, looked at with its longer side reduced or enlarged to *long_side* pixels."""
        ...


def rotated_corners(boxes: npt.NDArray[np.float32]) -> Points:
    """Corners (n, 4, 2) of boxes (n, 5) ``x y w h angle`` (radians)."""
    cos, sin = np.cos(boxes[:, 4]), np.sin(boxes[:, 4])
    along = np.stack([cos, sin], 1) * boxes[:, 2:3] / 2
    across = np.stack([-sin, cos], 1) * boxes[:, 3:4] / 2
    middle = boxes[:, :2]
    corners = np.stack(
        [middle - along - across, middle + along - across, middle + along + across, middle - along + across], 1
    )
    return corners.astype(np.float32)


def suppressed(found: Detections, *, most_overlap: float) -> Detections:
    """*found* without boxes that overlap a better one by more than *most_overlap* (intersection over union)."""
    if len(found) == 0:
        return found
    found = found.pick(np.argsort(-found.scores, kind="stable"))
    boxes = _Boxes.of(found.corners_px)
    kept, left = np.ones(len(found), np.bool_), np.arange(len(found))
    while len(left):
        best = left[:_BLOCK]
        for i, others in zip(best.tolist(), boxes.may_share(boxes, best, left, most_overlap), strict=True):
            if kept[i]:
                later = [j for j in left[others].tolist() if j > i and kept[j]]
                kept[[j for j in later if boxes.share(boxes, i, j) > most_overlap]] = False
        left = left[_BLOCK:]
        left = left[kept[left]]
    return found.pick(kept)


SAME_CARD = 0.6
"""Of cards that lie apart, two outlines of which one lies within the other by this share are one."""


def one_each(found: Detections) -> Detections:
    """*found*, cards that lie apart, with each card once, best first: an outline on one already taken is left out."""
    kept: list[int] = []
    for n in np.argsort(-found.scores, kind="stable"):
        if not lies_on_any(found.corners_px[n], found.corners_px[kept], SAME_CARD):
            kept.append(int(n))
    return found.pick(np.array(kept, np.intp))


def turned_down(cards: Detections, backs: Detections) -> Detections:
    """*cards* with those faces as backs in whose place one of *backs* is, more than SHY: a card turned down over others
    hides all of them but a corner, which looks like its own."""
    backs = backs.pick(backs.scores >= SHY)
    if len(backs) == 0:
        return cards
    kinds, scores = cards.kinds.copy(), cards.scores.copy()
    boxes, theirs, faces = _Boxes.of(cards.corners_px), _Boxes.of(backs.corners_px), np.flatnonzero(kinds == FACE)
    near = theirs.may_share(boxes, faces, np.arange(len(backs)), 0.5)
    for n, others in zip(faces.tolist(), near, strict=True):
        there = [k for k in np.flatnonzero(others).tolist() if theirs.share(boxes, n, k) > 0.5]
        if there:
            kinds[n], scores[n] = BACK, (scores[n] + backs.scores[there].max()) / 2
    return Detections(cards.corners_px, kinds, scores)


def too_square(found: Detections) -> npt.NDArray[np.bool_]:
    """(n,) the clear cards whose box is too square for a card: which of its sides is the long one is a guess."""
    _, long, short, _ = _sides(found.corners_px)
    return np.asarray((long < SQUARE * short) & _clear_cards(found), np.bool_)


def guessed(found: Detections) -> npt.NDArray[np.bool_]:
    """(n,) the clear cards at whose angle the network guesses."""
    _, _, _, angle = _sides(found.corners_px)
    off = (np.degrees(angle) - 135 + 90) % 180 - 90
    return np.asarray((np.abs(off) < SEAM) & _clear_cards(found) | too_square(found), np.bool_)


def _clear_cards(found: Detections) -> npt.NDArray[np.bool_]:
    return np.asarray((found.kinds != INDEX) & (found.scores >= CLEAR), np.bool_)


def other_guesses(found: Detections) -> Detections:
    """How clear cards at whose angle the network guesses may lie as well: turned by a quarter, and where the box is too
    square for a card, either way."""
    cards = found.pick(guessed(found))
    middle, long, short, angle = _sides(cards.corners_px)
    square = long < SQUARE * short
    length = np.where(square, np.sqrt(long * short * PROPORTION), long)
    width = np.where(square, length / PROPORTION, short)
    boxes = np.column_stack([middle, width, length, angle]).astype(np.float32)
    as_it_was = boxes[square][:, [0, 1, 3, 2, 4]]
    return Detections.in_turn([cards.at(rotated_corners(boxes)), cards.pick(square).at(rotated_corners(as_it_was))])


def _sides(boxes_px: Points) -> tuple[Points, Points, Points, Points]:
    """Middles (n, 2), longer and shorter sides (n,) of boxes (n, 4, 2), and where the longer point (n,): radians."""
    a, b = boxes_px[:, 1] - boxes_px[:, 0], boxes_px[:, 2] - boxes_px[:, 1]
    len_a, len_b = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    long = np.where((len_a >= len_b)[:, None], a, b)
    return boxes_px.mean(1), np.maximum(len_a, len_b), np.minimum(len_a, len_b), np.arctan2(long[:, 1], long[:, 0])


@dataclass(frozen=True, slots=True)
class _Boxes:
    """Oriented boxes, ready to be held against each other."""

    rects: list[cv2.typing.RotatedRect]
    areas: npt.NDArray[np.float64]
    low: Points
    """(n, 2) the left and top of each upright box round one."""
    high: Points

    @classmethod
    def of(cls, corners_px: Points) -> _Boxes:
        """Those with these corners (n, 4, 2)."""
        rects = [cv2.minAreaRect(corners) for corners in corners_px]
        areas = np.array([max(w * h, 1e-6) for _, (w, h), _ in rects])
        return cls(rects, areas, corners_px.min(1), corners_px.max(1))

    def may_share(self, others: _Boxes, which: Numbers, among: Numbers, least: float) -> npt.NDArray[np.bool_]:
        """(which, among) where box *which* of *others* and these boxes *among* so many numbers may share more than
        *least* (intersection over union): their upright boxes share enough, and neither is far smaller."""
        high = np.minimum(others.high[which][:, None], self.high[among])
        room = np.maximum(high - np.maximum(others.low[which][:, None], self.low[among]), 0)
        one, other = others.areas[which][:, None], self.areas[among]
        most = np.minimum(room[..., 0] * room[..., 1], np.minimum(one, other))
        return np.asarray((most > 0) & (most > least * (one + other - most) * 0.999), np.bool_)

    def share(self, others: _Boxes, i: int, j: int) -> float:
        """What box *i* of *others* and box *j* of these share (intersection over union)."""
        how, points = cv2.rotatedRectangleIntersection(others.rects[i], self.rects[j])
        if how == cv2.INTERSECT_NONE or points is None or len(points) < 3:
            return 0.0
        shared = float(cv2.contourArea(cv2.convexHull(points)))
        return shared / float(others.areas[i] + self.areas[j] - shared)


class OnnxDetector:
    """The exported YOLO26-obb network."""

    def __init__(self, path: Path, *, threads: int = 2) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        # A thread that waits busily takes the time of the one that works where two processors share a core.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self._input = self._session.get_inputs()[0].name

    def detect(self, image: Image, *, long_side: int = 1280, min_score: float = 0.25) -> Detections:
        """Faces, backs and indices; cards suppress cards of either side, indices suppress indices."""
        scale = long_side / max(image.shape[:2])
        pixels, (left, top) = _letterboxed(image, scale)
        progress.at(progress.Stage.FINDING)
        (raw,) = self._session.run(None, {self._input: pixels})
        found = _decoded(raw[0], min_score)
        corners = (found.corners_px - np.array([left, top], np.float32)) / np.float32(scale)
        found = found.at(corners)
        cards = turned_down(suppressed(found.of(FACE, BACK), most_overlap=0.65), found.of(BACK))
        return Detections.joined([cards, suppressed(found.of(INDEX), most_overlap=0.35)])


def _letterboxed(image: Image, scale: float) -> tuple[npt.NDArray[np.float32], tuple[int, int]]:
    """The picture at *scale* on grey of whole strides, as the network's input (1, 3, h, w) RGB 0..1."""
    small = resized(image, scale)
    height, width = small.shape[:2]
    full_h, full_w = -(-height // _STRIDE) * _STRIDE, -(-width // _STRIDE) * _STRIDE
    top, left = (full_h - height) // 2, (full_w - width) // 2
    pixels = np.full((1, 3, full_h, full_w), _GREY, np.float32)
    for place, channel in enumerate(reversed(cv2.split(small))):
        np.multiply(channel, np.float32(1 / 255), out=pixels[0, place, top : top + height, left : left + width])
    return pixels, (left, top)


def _decoded(rows: npt.NDArray[np.float32], min_score: float) -> Detections:
    """The network's answer (8, anchors), rows ``x y w h``, the score of each class, the angle."""
    scores = rows[4:7].max(0)
    good = np.flatnonzero(scores >= min_score)
    best = good[np.argsort(-scores[good], kind="stable")[:_MOST]]
    boxes = rows[:, best].T
    return Detections(rotated_corners(boxes[:, [0, 1, 2, 3, 7]]), boxes[:, 4:7].argmax(1), scores[best])
