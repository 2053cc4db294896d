"""Reads a card by one of its indices and by what shows of it beside that: pips, pictures, the other corner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from scorekeeper.resources import data_path
from scorekeeper.rules.cards import RANKS
from scorekeeper.vision.faces.indices import SUITS, Floats, IndexReadings, sides_of, softmax
from scorekeeper.vision.faces.pips import normalised
from scorekeeper.vision.geometry import Image
from scorekeeper.vision.networks import open_session, said_of
from scorekeeper.vision.templates import upright

HEIGHT, WIDTH = 128, 96
TALL = 24
"""How high the index is in a crop, pixels."""
LEFT, ABOVE = 0.6, 0.5
"""So many times its height are seen to its left and above it."""
BATCH = 32
IS_INDEX, SURE = 0.5, 0.99
"""What is an index less likely is not looked at; one that is read more surely is believed as it is."""
RANK_WEIGHTS, SUIT_WEIGHTS, LEAST = (0.8, 0.7), (0.6, 0.7), 0.0005
"""How far an index and what shows of its card are believed; neither rules anything out by more than LEAST."""
COURTS = 0.4
"""So much of what is said of jack, queen and king goes to the three alike: their pictures differ from deck to deck."""


@dataclass(frozen=True, slots=True)
class BesideReadings:
    """What n indices' cards show; arrays go in parallel."""

    rank: Floats
    """(n, 13) probabilities in the order of RANKS; a V is a jack."""
    suit: Floats
    """(n, 4) probabilities in the order of SUITS."""


class BesideReader:
    """The trained network at *path*; sessions are safe to share."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self._session = open_session(path, threads)

    def read(self, image: Image, quads_px: Floats) -> BesideReadings:
        """The cards whose indices stand in *quads_px*, (n, 4, 2), upright, tl first."""
        if len(quads_px) == 0:
            return BesideReadings(np.zeros((0, 13), np.float32), np.zeros((0, len(SUITS)), np.float32))

        def crops(rows: slice) -> Floats:
            return normalised(beside_crops(image, quads_px[rows]))

        logits = said_of(self._session, crops, len(quads_px), BATCH)
        rank = softmax(logits[:, :13], 1.0)
        courts = rank[:, RANKS.index("J") :]
        courts += COURTS * (courts.mean(1, keepdims=True) - courts)
        return BesideReadings(rank, softmax(logits[:, 13:], 1.0))


@cache
def load_beside() -> BesideReader:
    """The committed network."""
    return BesideReader(data_path("models/beside/beside.onnx"))


def beside_crops(image: Image, quads_px: Floats) -> Image:
    """(n, 128, 96, 3) BGR: the cards to the right of and below the indices in *quads_px*, (n, 4, 2)."""
    return np.stack([upright(image, window, HEIGHT, WIDTH) for window in windows(quads_px)])


def windows(quads_px: Floats) -> Floats:
    """(n, 4, 2) what is seen of each index in *quads_px*: as far across as down, however wide its letter is."""
    across, down = sides_of(quads_px).transpose(1, 0, 2)
    tall = np.linalg.norm(down, axis=1, keepdims=True)
    right = across * (tall / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-3))
    corner = quads_px.mean(1) - (across + down) / 2 - LEFT * right - ABOVE * down
    right, down = right * np.float32(WIDTH / TALL), down * np.float32(HEIGHT / TALL)
    return np.asarray(np.stack([corner, corner + right, corner + right + down, corner + down], 1), np.float32)


def with_their_cards(image: Image, readings: IndexReadings) -> IndexReadings:
    """*readings* of *image*, those of indices less sure than SURE as they are by what shows of their cards, too."""
    unsure = np.flatnonzero((readings.is_index >= IS_INDEX) & (readings.confidence < SURE))
    if len(unsure) == 0:
        return readings
    said = load_beside().read(image, readings.quads_px[unsure])
    rank, suit = readings.rank.copy(), readings.suit.copy()
    rank[unsure] = _both(rank[unsure], said.rank, RANK_WEIGHTS)
    suit[unsure] = _both(suit[unsure], said.suit, SUIT_WEIGHTS)
    return replace(readings, rank=rank, suit=suit)


def _both(index: Floats, card: Floats, weights: tuple[float, float]) -> Floats:
    """What both say together, each (n, k) probabilities, which count by their *weights*."""
    first, second = (np.log(np.maximum(said, LEAST)) for said in (index, card))
    return softmax(np.asarray(weights[0] * first + weights[1] * second, np.float32), 1.0)
