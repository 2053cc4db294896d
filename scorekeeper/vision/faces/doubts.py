"""What a reading asks about: the fewest places that leave the rest right together, and never a list of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scorekeeper.rules.lake import Spotted, spotted
from scorekeeper.rules.said import Said, say
from scorekeeper.vision.belief import least_believed
from scorekeeper.vision.geometry import Image, Points
from scorekeeper.vision.places import place

SURE = 0.92
"""A reading is certain where everything together is right this likely."""
AGAIN = 0.97
"""What keeps everything together from being right this likely is looked at again."""
MOST = 3
"""More questions than this are one sentence: what to do about the picture."""
SMALL_PX = 14.0
"""Indices lower than this, in pixels of the picture, are hard to read."""
MIRRORED, WHITE = 0.5, 252
"""Where more than this share of what is unclear is so white in all colours, light mirrors on the cards."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """One place of a picture: how likely the reading is right about it, 0 to 1, and what to ask about it."""

    right: float
    problem: Spotted


def in_doubt(doubts: Sequence[Doubt], sure: float = SURE) -> list[Doubt]:
    """The fewest of *doubts* without which the rest is right together as likely as *sure*, the least likely first."""
    return [doubts[n] for n in least_believed([doubt.right for doubt in doubts], sure)]


def asked(doubts: Sequence[Doubt], image: Image, index_px: Sequence[float]) -> list[str]:
    """What a person is asked about a reading of *image* whose indices are so high: about the places in doubt, or where
    these are too many, one thing to do."""
    chosen = [doubt.problem for doubt in in_doubt(doubts)]
    if len(chosen) <= MOST:
        return [*chosen]
    spots = [spot for problem in chosen for spot in problem.spots]
    return [spotted(_to_do(image, np.array([(x, y) for _, x, y in spots], np.float32), index_px), *spots)]


def _to_do(image: Image, middles: Points, index_px: Sequence[float]) -> Said:
    """What makes the next picture clearer, of one in which much is unclear at *middles* (n, 2)."""
    told = [place(middle, image) for middle in middles]
    where, high = max(told, key=told.count), float(np.median(index_px)) if len(index_px) else SMALL_PX
    if high < SMALL_PX:
        return say("the numbers are only %(high)s pixels high: take the picture from closer", high=round(high))
    if _mirrored(image, middles, high) > MIRRORED:
        return say("light mirrors on the cards %(where)s: move the lamp, and take the picture again", where=where)
    return say("much is unclear %(where)s: spread the cards there, and take the picture again", where=where)


def _mirrored(image: Image, middles: Points, reach: float) -> float:
    """How much of what lies within *reach* pixels of *middles* (n, 2) is as white as can be, 0 to 1."""
    near = np.zeros(image.shape[:2], np.uint8)
    for x, y in np.round(middles).astype(int).tolist():
        cv2.circle(near, (x, y), round(reach), 1, -1)
    return float((image[near > 0] >= WHITE).all(1).mean())
