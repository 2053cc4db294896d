"""Lays an outline onto its card exactly, by the pattern of the card's deck."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.geometry import Corners, Image
from scorekeeper.vision.templates import CELL, COLUMNS, ROWS

Floats = npt.NDArray[np.float32]
MARGIN = 16
"""Pixels round the upright card, 80 x 112, that are looked at."""
Steps = Sequence[tuple[int, int]]
"""How the pattern may be moved, first roughly, and over how many pixels both are smoothed for it."""
FREELY: Steps = ((cv2.MOTION_EUCLIDEAN, 11), (cv2.MOTION_AFFINE, 5))
RIGIDLY: Steps = ((cv2.MOTION_EUCLIDEAN, 11), (cv2.MOTION_EUCLIDEAN, 5))
UNTIL = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 30, 1e-3)
WIDTH, HEIGHT = COLUMNS * CELL, ROWS * CELL
CARD = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32) - np.float32(0.5)


def aligned(
    image: Image, quad: Corners, pattern: Image, free: Floats, *, anywhere: bool = False, steps: Steps = FREELY
) -> Corners | None:
    """The outline *quad* of *image* (BGR), as ``upright_quad`` orders it, moved to where what shows of its card, *free*
    (cells,), correlates best with *pattern* (112, 80, 3), in any light; None where nothing does.

    It is moved from where it lies, or from where the pattern, unturned, correlates best *anywhere* in the window.
    """
    to_window = cv2.getPerspectiveTransform(quad.astype(np.float32), CARD + np.float32(MARGIN))
    size = WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN
    window = cv2.warpPerspective(image, to_window, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shows = np.zeros(size[::-1], np.uint8)
    cells = (free.reshape(ROWS, COLUMNS) > 0.5).astype(np.uint8)
    shows[MARGIN:-MARGIN, MARGIN:-MARGIN] = 255 * cv2.resize(cells, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST)
    wanted, seen = (cv2.cvtColor(each, cv2.COLOR_BGR2GRAY).astype(np.float32) for each in (pattern, window))
    right, down = _nearest(wanted, seen, shows) if anywhere else (0.0, 0.0)
    moves = np.array([[1, 0, MARGIN + right], [0, 1, MARGIN + down]], np.float32)
    for motion, smooth in steps:
        try:
            moves = np.asarray(cv2.findTransformECC(wanted, seen, moves, motion, UNTIL, shows, smooth)[1], np.float32)
        except cv2.error:  # there is too little of a pattern, or none like this one
            return None
    corners = cv2.transform(CARD[None], moves)
    return np.asarray(cv2.perspectiveTransform(corners, np.linalg.inv(to_window))[0], np.float32)


def _nearest(pattern: Floats, window: Floats, shows: Image) -> tuple[float, float]:
    """How far right and down what *shows* of the *pattern* correlates best, unturned, with the *window*, to two
    pixels."""
    wanted, seen = (cv2.resize(cv2.GaussianBlur(each, (5, 5), 0), None, fx=0.5, fy=0.5) for each in (pattern, window))
    mask = (shows[MARGIN:-MARGIN:2, MARGIN:-MARGIN:2] > 0).astype(np.float32)
    agrees = cv2.matchTemplate(seen, wanted, cv2.TM_CCOEFF_NORMED, mask=mask)
    agrees = np.nan_to_num(agrees, nan=-1, posinf=-1, neginf=-1)
    down, right = np.unravel_index(int(agrees.argmax()), agrees.shape)
    return 2.0 * float(right) - MARGIN, 2.0 * float(down) - MARGIN
