"""Tells cards whose ranks and suits have different inks: no French suits, but bells, acorns, cups or swords."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.geometry import Image, Points
from scorekeeper.vision.templates import upright

Floats = npt.NDArray[np.float32]

HEIGHT, WIDTH = 48, 32
"""Of an index as it is looked at, in pixels."""
RANK, PIP, ASIDE = slice(2, 24), slice(26, 46), slice(3, WIDTH - 3)
"""Rows of the rank and of the pip below it, and the columns of both."""
PAPER, FAINT, FULL = 80, 12.0, 0.6
"""What is lighter than this percentile of an index is its paper; ink differs from that by FAINT (Lab) and by this share
of the fullest ink."""
MOST = 8
"""About so many indices of a picture are enough."""
LEAST = 12
"""Fewer pixels of ink tell nothing."""
DIFFERENT = 40.0
"""Two inks whose colours (a and b of Lab) usually lie farther apart are two: so they do in 4 of 2,127 composed pictures
that were read rightly, and in all of five with a Swiss deck that were not."""


def in_two_inks(image: Image, indices_px: Sequence[Points]) -> bool:
    """Whether ranks and pips of most of the indices (each (4, 2), upright) in *image* (BGR) have different colours."""
    some = indices_px[:: max(1, len(indices_px) // MOST)]
    apart = [each for each in (_apart(image, quad) for quad in some) if each is not None]
    return bool(apart) and float(np.median(apart)) > DIFFERENT


def _apart(image: Image, index_px: Points) -> float | None:
    """How far the colours of an index's rank and pip lie apart; None where there is too little ink."""
    seen = upright(image, index_px, HEIGHT, WIDTH).astype(np.float32) / np.float32(255)
    lab = cv2.cvtColor(seen, cv2.COLOR_BGR2LAB).astype(np.float32)
    light = lab[..., 0]
    off = np.asarray(lab - np.median(lab[light >= np.percentile(light, PAPER) - 3], axis=0), np.float32)
    rank, pip = (_ink(off[rows, ASIDE]) for rows in (RANK, PIP))
    return None if rank is None or pip is None else float(np.hypot(*(rank - pip)[1:]))


def _ink(off: Floats) -> Floats | None:
    """The ink's colour (3,) where pixels differ so much from the paper (h, w, 3)."""
    strength = np.linalg.norm(off, axis=2)
    ink = strength > max(FULL * float(np.percentile(strength, 97)), FAINT)
    return np.asarray(np.median(off[ink], axis=0), np.float32) if ink.sum() >= LEAST else None
