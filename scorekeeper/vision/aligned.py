"""Lays an outline onto its card exactly, by the pattern of the card's deck."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.geometry import Corners, Image
from scorekeeper.vision.looks import CELL, COLUMNS, ROWS

Floats = npt.NDArray[np.float32]
Start = tuple[float, float]
"""Pixels of the upright card, right and down, by which it may be off."""

HERE: Sequence[Start] = ((0, 0),)
ABOUT: Sequence[Start] = ()
"""A card whose outline may be a tenth of it off is looked for where its pattern correlates best, unturned."""
MARGIN = 16
"""Pixels round the upright card, 80 x 112, that are looked at."""
FARTHEST = 10
"""So many of them at most is a card off."""
Steps = Sequence[tuple[int, int]]
"""How the pattern may be moved, first roughly, and over how many pixels both are smoothed for it."""
FREELY: Steps = ((cv2.MOTION_EUCLIDEAN, 11), (cv2.MOTION_AFFINE, 5))
RIGIDLY: Steps = ((cv2.MOTION_EUCLIDEAN, 11), (cv2.MOTION_EUCLIDEAN, 5))
UNTIL = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 30, 1e-3)
WIDTH, HEIGHT = COLUMNS * CELL, ROWS * CELL
CARD = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32) - np.float32(0.5)


def aligned(
    image: Image, quad: Corners, pattern: Image, free: Floats, starts: Sequence[Start] = HERE, steps: Steps = FREELY
) -> Corners | None:
    """The outline *quad* of *image* (BGR), as ``upright_quad`` orders it, moved from one of *starts* to where what
    shows of its card, *free* (cells,), correlates best with *pattern* (112, 80, 3), in any light; None where nothing
    does."""
    to_window = cv2.getPerspectiveTransform(quad.astype(np.float32), CARD + np.float32(MARGIN))
    size = WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN
    window = cv2.warpPerspective(image, to_window, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shows = np.zeros(size[::-1], np.uint8)
    cells = (free.reshape(ROWS, COLUMNS) > 0.5).astype(np.uint8)
    shows[MARGIN:-MARGIN, MARGIN:-MARGIN] = 255 * cv2.resize(cells, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST)
    wanted, seen = (cv2.cvtColor(each, cv2.COLOR_BGR2GRAY).astype(np.float32) for each in (pattern, window))
    first, *later = steps
    starts = starts or [_nearest(wanted, seen, shows)]
    found = [_moved(wanted, seen, shows, _start(*start), first) for start in starts]
    _, moves = max((each for each in found if each is not None), key=lambda each: each[0], default=(0.0, None))
    for step in later:
        better = None if moves is None else _moved(wanted, seen, shows, moves, step)
        moves = None if better is None else better[1]
    if moves is None:
        return None
    corners = cv2.transform(CARD[None], moves)
    return np.asarray(cv2.perspectiveTransform(corners, np.linalg.inv(to_window))[0], np.float32)


def _nearest(pattern: Floats, window: Floats, shows: Image) -> Start:
    """Where what *shows* of the *pattern* correlates best, unturned, with the *window*, to two pixels."""
    wanted, seen = (cv2.resize(cv2.GaussianBlur(each, (5, 5), 0), None, fx=0.5, fy=0.5) for each in (pattern, window))
    mask = (shows[MARGIN:-MARGIN:2, MARGIN:-MARGIN:2] > 0).astype(np.float32)
    agrees = cv2.matchTemplate(seen, wanted, cv2.TM_CCOEFF_NORMED, mask=mask)
    reach = (MARGIN - FARTHEST) // 2
    near = np.nan_to_num(agrees[reach:-reach, reach:-reach], nan=-1, posinf=-1, neginf=-1)
    down, right = np.unravel_index(int(near.argmax()), near.shape)
    return 2.0 * float(right) - FARTHEST, 2.0 * float(down) - FARTHEST


def _start(right: float, down: float) -> Floats:
    return np.array([[1, 0, MARGIN + right], [0, 1, MARGIN + down]], np.float32)


def _moved(
    wanted: Floats, seen: Floats, shows: Image, start: Floats, step: tuple[int, int]
) -> tuple[float, Floats] | None:
    """How well both correlate and where, from *start* on; None where there is too little of a pattern, or none like
    this one."""
    motion, smooth = step
    try:
        agrees, found = cv2.findTransformECC(wanted, seen, start.copy(), motion, UNTIL, shows, smooth)
    except cv2.error:
        return None
    return agrees, np.asarray(found, np.float32)
