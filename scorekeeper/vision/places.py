"""Where something is in a picture: in words for a person, and against edges and other cards."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.rules.lake import Spotted, spotted
from scorekeeper.rules.said import Said, say
from scorekeeper.vision.geometry import Corners, Image, Points, side_lengths, touching, upright_boxes

PLACES = (
    (say("at the top left"), say("at the top"), say("at the top right")),
    (say("at the left"), say("in the middle"), say("at the right")),
    (say("at the bottom left"), say("at the bottom"), say("at the bottom right")),
)
"""The thirds of a picture, row by row."""


def place(middle_px: npt.NDArray[np.float32], image: Image) -> Said:
    """Such as "at the top left" for a point ``x y``."""
    height, width = image.shape[:2]
    return PLACES[_third(float(middle_px[1]) / height)][_third(float(middle_px[0]) / width)]


def _third(share: float) -> int:
    return 0 if share < 1 / 3 else 2 if share > 2 / 3 else 1


def at(middle_px: Points, text: str, picture: int = 0) -> Spotted:
    """*text* about the point ``x y`` of a picture."""
    return spotted(text, (picture, round(float(middle_px[0]), 1), round(float(middle_px[1]), 1)))


EDGE = 0.004
"""A card to be learned or measured by keeps this share of the picture's longer side from its edge."""
CUT = 0.025
"""A card is cut where more than this share of its length lies beyond the picture's edge: less is its border, or an
outline a little off."""


def near_edge(corners_px: Corners, image: Image, reach_px: float | None = None) -> bool:
    """Whether an outline (4, 2) passes the picture's edge, or comes nearer than *reach_px*, or where that is not given
    too near to be learned from."""
    return bool(_inside_by(corners_px, image) < (EDGE * max(image.shape[:2]) if reach_px is None else reach_px))


def cut_by_edge(corners_px: Corners, image: Image) -> bool:
    """Whether the picture's edge cuts the card with this outline (4, 2)."""
    return _inside_by(corners_px, image) < -CUT * float(side_lengths(corners_px).max())


def _inside_by(corners_px: Corners, image: Image) -> float:
    """How far all of an outline lies inside the picture, in pixels; below 0 where some of it does not."""
    height, width = image.shape[:2]
    return float(min(corners_px.min(), (np.array([width - 1, height - 1]) - corners_px.max(0)).min()))


def may_share(outline: Corners, others: Points) -> npt.NDArray[np.bool_]:
    """Which of *others* (n, 4, 2) may share something with *outline*: their upright boxes touch."""
    return np.asarray(touching(upright_boxes(outline[None]), upright_boxes(others))[0], np.bool_)


def share_inside(inner: Corners, outer: Corners) -> float:
    """How much of the outline *inner* lies within *outer*, 0..1."""
    return _share(_shared(inner, outer), inner)


def share_of_either(one: Corners, other: Corners) -> float:
    """How much of the outline that lies more within the other does, 0..1."""
    shared = _shared(one, other)
    return max(_share(shared, one), _share(shared, other))


def lies_on_any(outline: Corners, others: Points, share: float) -> bool:
    """Whether *outline* and one of *others* (n, 4, 2) lie within one another by *share*."""
    return any(share_of_either(outline, other) >= share for other in others[may_share(outline, others)])


def share_of_both(one: Corners, other: Corners) -> float:
    """How much of each outline lies within the other, at least, 0..1."""
    shared = _shared(one, other)
    return min(_share(shared, one), _share(shared, other))


def iou(one: Corners, other: Corners) -> float:
    """What two outlines share of what they cover together (intersection over union), 0..1."""
    shared = _shared(one, other)
    return shared / max(abs(cv2.contourArea(one)) + abs(cv2.contourArea(other)) - shared, 1e-6) if shared else 0.0


def overlaps_any(outline: Corners, others: Points, most: float) -> bool:
    """Whether *outline* has a higher IoU than *most* with one of *others* (n, 4, 2)."""
    if not len(others):
        return False
    return any(iou(outline, other) > most for other in others[may_share(outline, others)])


def _shared(one: Corners, other: Corners) -> float:
    """The area of what two outlines share, in pixels."""
    return float(cv2.intersectConvexConvex(_hull(one), _hull(other))[0])


def _share(shared: float, outline: Corners) -> float:
    area = abs(float(cv2.contourArea(outline))) if shared > 0 else 0.0
    return min(1.0, shared / area) if area >= 1 else 0.0


def _hull(corners: Corners) -> Corners:
    return cv2.convexHull(corners.astype(np.float32)).reshape(-1, 2).astype(np.float32)
