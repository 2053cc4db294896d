"""Reads a whole, uncovered card in a picture so small that its index cannot be read alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scorekeeper.vision.indices import (
    Floats,
    Image,
    IndexReadings,
    Network,
    crop_indices,
    open_network,
    read_crops,
    upright_quads,
)

CARD_SIZE = (64, 48)
"""Height and width of a card's crop."""
CARD_ENLARGE = 1.06


class WholeCardReader:
    """The trained network at *path*; *threads* of the processor."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        network, self.heat = open_network(path, threads)
        self._network: Network = network

    def read(self, image: Image, corners_px: Floats) -> IndexReadings:
        """Reads the cards outlined by *corners_px* (n, 4, 2); ``is_index`` says how surely a card lies uncovered."""
        quads = upright_quads(corners_px)
        crops = crop_indices(image, quads, CARD_ENLARGE, CARD_SIZE)
        ways = [read_crops(way, self._network, self.heat) for way in (crops, crops[:, ::-1, ::-1])]
        rank, suit, whole = (np.asarray((one + other) / 2, np.float32) for one, other in zip(*ways, strict=True))
        return IndexReadings(quads, rank, suit, whole)
