"""Fits how likely a card lies where an outline of a spread of backs nearly counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from scorekeeper.training.evidence import Table
from scorekeeper.training.logistic import fitted
from scorekeeper.vision.backs.found import FoundBack, features
from scorekeeper.vision.backs.spread import look
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.places import iou
from scorekeeper.vision.weights import LEFT_OUT

ON_CARD = 0.5
"""An outline lies on a card from such an IoU on."""


def fit_left_out(tables: Iterable[Table], eye: Eye) -> npt.NDArray[np.float64]:
    """The weights of LEFT_OUT, by what the eye leaves out on *tables*."""
    told = [one for table in tables for one in left_out(table, eye)]
    rows = np.array([[row[name] for name in LEFT_OUT] for row, _ in told]).reshape(-1, len(LEFT_OUT))
    return fitted(rows, np.array([there for _, there in told], float))


def left_out(table: Table, eye: Eye) -> Iterator[tuple[Mapping[str, float], bool]]:
    """What is known of each outline of *table* that nearly counted, and whether it lies on a card that is missing."""
    backs, _ = look(table.image, eye, table.gallery)
    missing = [*range(len(table.corners_px))]
    for back in sorted(backs, key=lambda back: (not back.counted, -back.gain)):
        card = _under(back, table, missing)
        if card is not None:
            missing.remove(card)
        if not back.counted:
            yield features(back), card is not None


def _under(back: FoundBack, table: Table, cards: list[int]) -> int | None:
    """Which of *cards* *back* lies on; None where it lies on none."""
    best = max(cards, key=lambda card: iou(back.quad, table.corners_px[card]), default=None)
    return best if best is not None and iou(back.quad, table.corners_px[best]) > ON_CARD else None
