"""From a composed picture's truth to the detector's labels, and shards of both on disk."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.training.scene import BACK, FACE, INDEX, Picture, Points
from scorekeeper.training.tables import Image

MIN_CARD_SHOWS = 1 / 3
"""A card is labelled, to its full outline, when at least this share of it shows."""
MIN_INDEX_SHOWS = 0.6
MIN_INDEX_PX = 9.0
"""Shorter indices can't be read and are not asked for."""


def rotated_box(corners: Points, size: tuple[int, int]) -> npt.NDArray[np.float32] | None:
    """``x y w h angle`` of the part of *corners* (4, 2) inside a picture of *size* (height, width).

    Pixels and radians; w is the longer side, the angle lies in [-pi/4, 3pi/4) as the loss wants it.
    """
    frame = np.array([[0, 0], [size[1], 0], [size[1], size[0]], [0, size[0]]], np.float32)
    area, inside = cv2.intersectConvexConvex(corners.astype(np.float32), frame)
    if inside is None or area < 20:
        return None
    (x, y), (w, h), degrees = cv2.minAreaRect(inside.reshape(-1, 2))
    angle = math.radians(degrees)
    if w < h:
        w, h, angle = h, w, angle + math.pi / 2
    angle = (angle + math.pi / 4) % math.pi - math.pi / 4
    return np.array([x, y, w, h, angle], np.float32)


def labels(picture: Picture) -> npt.NDArray[np.float32]:
    """Labels (n, 6) of *picture*: class, then ``x y w h angle`` in pixels and radians."""
    size = picture.image.shape[:2]
    rows = []
    for card in picture.cards:
        if card.visible >= MIN_CARD_SHOWS:
            kind = BACK if card.laid.sprite.code is None else FACE
            rows.append((kind, rotated_box(card.corners, size)))
        for corners, shows in card.indices:
            tall = max(np.linalg.norm(corners[0] - corners[3]), np.linalg.norm(corners[1] - corners[2]))
            if shows >= MIN_INDEX_SHOWS and tall >= MIN_INDEX_PX:
                rows.append((INDEX, rotated_box(corners, size)))
    kept = [np.concatenate([[kind], box]) for kind, box in rows if box is not None]
    return np.array(kept, np.float32).reshape(-1, 6)


@dataclass(frozen=True)
class Shard:
    """A few hundred pictures in memory."""

    images: npt.NDArray[np.uint8]
    """(n, height, width, 3), BGR."""
    boxes: tuple[npt.NDArray[np.float32], ...]
    """For each picture its labels (k, 6), see ``labels``."""


def save_shard(path: Path, pictures: Sequence[Picture]) -> None:
    """Writes *pictures* with their labels."""
    save_rows(path, [picture.image for picture in pictures], [labels(picture) for picture in pictures])


def save_rows(path: Path, images: Sequence[Image], boxes: Sequence[npt.NDArray[np.float32]]) -> None:
    """Writes *images* and their labels at once or not at all, so that a reader never meets half a file."""
    part = path.with_suffix(".part.npz")
    np.savez(
        part,
        images=np.stack(images),
        boxes=np.concatenate(boxes) if boxes else np.zeros((0, 6), np.float32),
        counts=np.array([len(rows) for rows in boxes]),
    )
    part.replace(path)


def load_shard(path: Path) -> Shard:
    """The shard that ``save_shard`` wrote."""
    with np.load(path) as data:
        boxes = np.split(data["boxes"], np.cumsum(data["counts"])[:-1])
        return Shard(data["images"], tuple(boxes))


def shards(folder: Path) -> Iterator[Path]:
    """The finished shards of *folder*, oldest first."""
    yield from sorted(path for path in folder.glob("*.npz") if not path.name.endswith(".part.npz"))
