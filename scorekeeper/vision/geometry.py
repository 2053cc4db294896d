"""Points, boxes and sizes of pictures, shared by everything that looks."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.rules.lake import Box

Image = npt.NDArray[np.uint8]
"""Shape (height, width, 3), BGR as OpenCV gives it."""

Points = npt.NDArray[np.float32]
"""Shape (..., 2): ``x y`` in pixels."""

Corners = npt.NDArray[np.float32]
"""Shape (4, 2): ``x y`` in pixels, in order around the card."""

Boxes = npt.NDArray[np.float32]
"""Upright boxes (n, 4) in pixels: left, top, right, bottom."""

PROPORTION = 1.4
"""How much longer than broad a card is."""

ROTATIONS: Mapping[int, int | None] = {
    0: None,
    90: cv2.ROTATE_90_CLOCKWISE,
    180: cv2.ROTATE_180,
    270: cv2.ROTATE_90_COUNTERCLOCKWISE,
}
"""Degrees clockwise by which a picture can be turned, and what OpenCV calls them."""


def upright_boxes(corners_px: Points) -> Boxes:
    """The upright boxes (n, 4) round outlines (n, 4, 2)."""
    return np.concatenate([corners_px.min(1), corners_px.max(1)], 1)


def touching(boxes_px: Boxes, others_px: Boxes) -> npt.NDArray[np.bool_]:
    """(n, m) which of the upright boxes (n, 4) touch which of the others (m, 4)."""
    boxes = boxes_px[:, None]
    return np.asarray(((boxes[..., :2] <= others_px[:, 2:]) & (others_px[:, :2] <= boxes[..., 2:])).all(2), np.bool_)


def side_lengths(corners_px: Points) -> Points:
    """Lengths (..., 4) of the sides of quadrilaterals (..., 4, 2), in pixels: first to second corner, and on."""
    steps = corners_px[..., [1, 2, 3, 0], :] - corners_px
    return np.asarray(np.hypot(steps[..., 0], steps[..., 1]), np.float32)


def grown(quad: Points, size: float) -> Points:
    """*quad*, or each of some (..., 4, 2), so many times as large about its middle."""
    middle = quad.mean(-2, keepdims=True)
    return np.asarray(middle + np.float32(size) * (quad - middle), np.float32)


def fit_within(image: Image, longest_px: int) -> tuple[Image, float]:
    """A copy of *image* whose longer side is at most *longest_px*, and its scale (1 where it already fits)."""
    scale = scale_within((image.shape[0], image.shape[1]), longest_px)
    if scale == 1.0:
        return image.copy(), 1.0
    return resized(image, scale), scale


def scale_within(size: tuple[int, int], longest_px: int) -> float:
    """How small ``fit_within`` makes a picture of this *size*, height and width."""
    return min(1.0, longest_px / max(*size, 1))


def scaled(size: tuple[int, int], scale: float) -> tuple[int, int]:
    """Height and width of a picture of this *size* at *scale*, as ``resized`` has them."""
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def resized(image: Image, scale: float) -> Image:
    """*image* at *scale*; one too large is halved while it may be, which is many times faster than one step to an odd
    share of it."""
    height, width = scaled((image.shape[0], image.shape[1]), scale)
    while 2 * width <= image.shape[1] and 2 * height <= image.shape[0]:
        half = image.shape[1] // 2, image.shape[0] // 2
        image = cv2.resize(image, half, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    if (width, height) == (image.shape[1], image.shape[0]):
        return image
    how = cv2.INTER_AREA if width < image.shape[1] else cv2.INTER_CUBIC
    return cv2.resize(image, (width, height), interpolation=how).astype(np.uint8, copy=False)


def corners_of(box: Box) -> Corners:
    """The box as an array (4, 2)."""
    return np.asarray(box, np.float32)


def box_of(corners_px: Corners) -> Box:
    """Four corners as the plain tuples of a reading, a tenth of a pixel exact."""
    (a, b, c, d) = ((round(float(x), 1), round(float(y), 1)) for x, y in corners_px)
    return (a, b, c, d)
