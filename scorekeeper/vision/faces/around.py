"""Sees a card and what lies round it: whether it is only shown on a screen, or lies face down on its pile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scorekeeper.resources import data_path
from scorekeeper.vision.faces.pips import normalised
from scorekeeper.vision.geometry import Corners, Image, fit_within, side_lengths
from scorekeeper.vision.networks import open_session, said_of
from scorekeeper.vision.templates import Floats, upright, upright_quad

HEIGHT, WIDTH = 112, 96
REACH = (3.4, 2.8)
"""So many times as wide and as long as the card's outline is what is seen."""
SMALL_PX = 80
"""The longest card is made so small first, to look at many at once."""
BATCH = 32


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What n outlines are by what lies round them, too; arrays go in parallel."""

    real: Floats
    """(n,) probability that it is a card of the table at all: not on a screen, no paper, no cloth."""
    down: Floats
    """(n,) probability that a card lies there face down, on top of its pile."""

    def pick(self, which: npt.NDArray[np.int64]) -> Surroundings:
        """What was said of those numbered *which*."""
        return Surroundings(self.real[which], self.down[which])


class AroundReader:
    """The trained network at *path*; sessions are safe to share."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self._session = open_session(path, threads)

    def read(self, image: Image, outlines_px: Sequence[Corners]) -> Surroundings:
        """What lies in *outlines_px*, each (4, 2), whichever corner comes first."""
        if not outlines_px:
            return Surroundings(*np.zeros((2, 0), np.float32))
        longest = float(side_lengths(np.asarray(outlines_px)).max())
        small, scale = fit_within(image, round(max(image.shape[:2]) * min(1.0, SMALL_PX / longest)))

        def crops(rows: slice) -> Floats:
            return normalised(np.stack([wide_crop(small, scale * outline) for outline in outlines_px[rows]]))

        logits = said_of(self._session, crops, len(outlines_px), BATCH)
        # The first, whether it is shown on a screen, only helps in training.
        return Surroundings(*(1 / (1 + np.exp(-logits[:, 1:]))).astype(np.float32).T)


@cache
def load_around() -> AroundReader:
    """The committed network."""
    return AroundReader(data_path("models/around/around.onnx"))


def wide_crop(image: Image, outline_px: Corners) -> Image:
    """The card in *outline_px*, standing, and what lies round it, (112, 96, 3) BGR."""
    quad = upright_quad(outline_px)
    right, down = (quad[1] + quad[2] - quad[0] - quad[3]) / 2, (quad[2] + quad[3] - quad[0] - quad[1]) / 2
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) * np.array(REACH, np.float32) / 2
    return upright(image, quad.mean(0) + corners @ np.stack([right, down]), HEIGHT, WIDTH)
