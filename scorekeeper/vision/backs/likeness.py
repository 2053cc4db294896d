"""Whether a card seen and a deck's enrolled back are one design: a small network's second opinion on ``gallery``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from scorekeeper.resources import data_path
from scorekeeper.vision import progress
from scorekeeper.vision.geometry import Image
from scorekeeper.vision.networks import in_batches, open_session
from scorekeeper.vision.templates import CELL, COLUMNS, ROWS, Floats

BATCH = 16


class Likeness:
    """The trained network at *path*; sessions are safe to share."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self._session = open_session(path, threads)

    def __call__(self, pairs: Floats) -> Floats:
        """Log odds (n,) that both cards of each pair, as ``pair`` makes them (n, 7, 112, 80), are of one design."""
        return self.said(lambda rows: pairs[rows], len(pairs))

    def said(self, prepared: Callable[[slice], Floats], count: int) -> Floats:
        """The same of *count* pairs, some at a time *prepared* first."""
        progress.at(progress.Stage.READING)
        return in_batches(lambda rows: self._session.run(None, {"pairs": prepared(rows)})[0], count, BATCH)


@cache
def load_likeness() -> Likeness:
    """The committed network."""
    return Likeness(data_path("models/likeness/likeness.onnx"))


def pair(seen: Image, theirs: Image, light: Floats, free: Floats) -> Floats:
    """One pair (7, 112, 80) for the network: the card seen, the enrolled back in *light* (3,), and what no card hides.

    Both are upright, 80 x 112 pixels, BGR; *free* (cells,) is how much of each cell shows, 0 to 1.
    """
    size = (COLUMNS * CELL, ROWS * CELL)
    mask = np.asarray(cv2.resize(free.reshape(ROWS, COLUMNS), size, interpolation=cv2.INTER_NEAREST), np.float32)
    mine = np.asarray(seen, np.float32) / np.float32(255)
    lit = as_contrasted(np.asarray(np.clip(theirs * light / 255, 0, 1), np.float32), mine, mask)
    return np.concatenate([mine.transpose(2, 0, 1), lit.transpose(2, 0, 1), mask[None]])


GRAIN = 1e-4
"""The variance that a camera's noise alone may give a card, brightness being 0 to 1: plain cards show no more."""


def as_contrasted(theirs: Floats, seen: Floats, mask: Floats) -> Floats:
    """*theirs* (h, w, 3) with as much contrast as *seen* has where *mask* (h, w) shows it: haze and exposure differ."""
    weight = (mask / max(float(mask.sum()), 1.0)).reshape(-1)
    mean = weight @ theirs.reshape(-1, 3)
    factor = np.clip(np.sqrt((_spread(seen, weight) + GRAIN) / (_spread(theirs, weight) + GRAIN)), 0.4, 2.5)
    return np.clip(mean + np.float32(factor) * (theirs - mean), 0, 1)


def _spread(picture: Floats, weight: Floats) -> float:
    """The variance of how bright a picture (h, w, 3) is, by *weight* (h * w,)."""
    grey = picture.reshape(-1, 3) @ np.full(3, 1 / 3, np.float32)
    return max(float(weight @ (grey * grey)) - float(weight @ grey) ** 2, 0.0)
