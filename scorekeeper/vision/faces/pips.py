"""Reads a whole face by its pips and pictures: a second opinion on the corner index, for cards that nothing covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scorekeeper.resources import data_path
from scorekeeper.vision.faces.indices import over_paper_white, softmax
from scorekeeper.vision.geometry import Corners, Image
from scorekeeper.vision.networks import open_session, said_of
from scorekeeper.vision.templates import Floats, upright, upright_quad

HEIGHT, WIDTH = 120, 80
BATCH = 32


@dataclass(frozen=True, slots=True)
class PipReadings:
    """What n faces show beside their corners; arrays go in parallel."""

    rank: Floats
    """(n, 13) probabilities in the order of RANKS."""
    suit: Floats
    """(n, 4) probabilities in the order of SUITS."""
    open: Floats
    """(n,) probability that nothing covers the card."""
    card: Floats
    """(n,) probability that it is a card at all, face up or down."""
    down: Floats
    """(n,) probability that it is a card that lies face down."""
    joker: Floats
    """(n,) probability that it is a joker."""

    def pick(self, which: npt.NDArray[np.int64]) -> PipReadings:
        """What was said of those numbered *which*."""
        return PipReadings(*(each[which] for each in self.parts()))

    def parts(self) -> tuple[Floats, ...]:
        """The arrays, as they are passed in."""
        return self.rank, self.suit, self.open, self.card, self.down, self.joker


class PipReader:
    """The trained network at *path*; sessions are safe to share."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self._session = open_session(path, threads)

    def read(self, image: Image, outlines_px: Sequence[Corners]) -> PipReadings:
        """The faces inside *outlines_px*, each (4, 2), whichever corner comes first."""
        if not outlines_px:
            return PipReadings(*(np.zeros(shape, np.float32) for shape in ((0, 13), (0, 4), 0, 0, 0, 0)))

        def faces(rows: slice) -> Floats:
            return normalised(np.stack([face_crop(image, outline) for outline in outlines_px[rows]]))

        logits = said_of(self._session, faces, len(outlines_px), BATCH)
        likely = (1 / (1 + np.exp(-logits[:, 17:]))).astype(np.float32)
        return PipReadings(softmax(logits[:, :13], 1.0), softmax(logits[:, 13:17], 1.0), *likely.T)


@cache
def load_pips() -> PipReader:
    """The committed network."""
    return PipReader(data_path("models/pips/pips.onnx"))


def face_crop(image: Image, outline_px: Corners) -> Image:
    """The card in *outline_px*, standing, (120, 80, 3) BGR."""
    return upright(image, upright_quad(outline_px), HEIGHT, WIDTH)


def normalised(crops: Image) -> Floats:
    """(n, 3, 120, 80) network input: each channel over the card's own paper white, around 0."""
    return over_paper_white(crops, 0.9)
