"""
Cuts shards for the detector from photographs that may be trained on.

    python datasets/make_photo_shards.py PHOTOS/train/edje.jsonl --out datasets/out/photos

Such photographs say which ranks they show and where, as upright boxes. The committed eye outlines the cards and their
indices; only photographs in which every outline fills its box, and every index reads as its card's rank, are taken.
Every second photograph is kept apart in OUT/stop, to tell when training should stop; the others go to OUT/train.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from scorekeeper.training.labels import rotated_box, save_rows
from scorekeeper.training.scene import FACE, INDEX
from scorekeeper.vision.detector import Detections
from scorekeeper.vision.eye import load_eye
from scorekeeper.vision.geometry import Image, Points

SIDE = 416
CARD_PX = (60, 330)
CROPS = 3
"""Pictures cut from each photograph, each with cards of another size."""
FILLS = 0.72
"""An outline's upright box and the label's must overlap this much (intersection over union)."""
Labels = list[tuple[int, Points]]


def outlined(image: Image, cards: list[dict[str, object]]) -> Labels | None:
    """Kind and corners (4, 2) of every face and index in *image*; None where they do not fit what is labelled."""
    eye = load_eye()
    found = eye.look(image)
    faces, indices = found.of(FACE), found.of(INDEX)
    boxes = np.array([card["box_xyxy"] for card in cards], np.float32)
    mine = [_best(faces, box) for box in boxes]
    if None in mine or len(set(mine)) != len(boxes) or len(faces) != len(boxes):
        return None
    readings = eye.reader.read(image, indices.corners_px)
    labels: Labels = [(FACE, faces.corners_px[k]) for k in mine if k is not None]
    for i, corners in enumerate(indices.corners_px):
        x, y = corners.mean(0)
        ranks = {str(card["rank"]) for card, box in zip(cards, boxes, strict=True) if _holds(box, x, y)}
        if readings.is_index[i] > 0.5 and readings.code(i)[:-1] in ranks:
            labels.append((INDEX, corners))
    seen_indices = sum(kind == INDEX for kind, _ in labels)
    return labels if seen_indices >= len(boxes) else None


def _best(faces: Detections, box: Points) -> int | None:
    """Which outline fills *box* (x0 y0 x1 y1)."""
    if not len(faces):
        return None
    low, high = faces.corners_px.min(1), faces.corners_px.max(1)
    shared = (np.minimum(high, box[2:]) - np.maximum(low, box[:2])).clip(0).prod(1)
    union = (high - low).prod(1) + (box[2:] - box[:2]).prod() - shared
    k = int((shared / union).argmax())
    return k if shared[k] / union[k] > FILLS else None


def _holds(box: Points, x: float, y: float) -> bool:
    return bool(box[0] < x < box[2] and box[1] < y < box[3])


def cut(rng: np.random.Generator, image: Image, labels: Labels) -> tuple[Image, np.ndarray]:
    """A square of SIDE pixels around some card, and its labels (n, 6)."""
    cards = [corners for kind, corners in labels if kind == FACE]
    long_px = float(np.median([max(np.linalg.norm(c[1] - c[0]), np.linalg.norm(c[2] - c[1])) for c in cards]))
    scale = float(np.exp(rng.uniform(*np.log(CARD_PX)))) / long_px
    x, y = cards[rng.integers(len(cards))].mean(0) * scale + rng.normal(0, SIDE / 5, 2) - SIDE / 2
    matrix = np.array([[scale, 0, -x], [0, scale, -y]], np.float64)
    if scale < 0.7:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.45 / scale), np.uint8)
    picture = np.asarray(cv2.warpAffine(image, matrix, (SIDE, SIDE), borderValue=(114, 114, 114)), np.uint8)
    rows = []
    for kind, corners in labels:
        moved = np.asarray(cv2.transform(corners[None], matrix)[0], np.float32)
        box = rotated_box(moved, (SIDE, SIDE))
        if box is not None and (kind == FACE or box[2] >= 9):
            rows.append(np.concatenate([[kind], box]))
    return picture, np.array(rows, np.float32).reshape(-1, 6)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    taken: dict[str, list[tuple[Image, np.ndarray]]] = {"train": [], "stop": []}
    lines = options.labels.read_text("utf-8").splitlines()
    for number, line in enumerate(lines):
        row = json.loads(line)
        image = cv2.imread(str(options.labels.parent / row["file"]))
        if image is None or (labels := outlined(image.astype(np.uint8), row["cards"])) is None:
            continue
        part = taken["stop" if number % 2 else "train"]
        part += [cut(rng, image.astype(np.uint8), labels) for _ in range(CROPS)]
    for name, pictures in taken.items():
        (options.out / name).mkdir(parents=True, exist_ok=True)
        path = options.out / name / "photos.npz"
        save_rows(path, [image for image, _ in pictures], [rows for _, rows in pictures])
        print(f"{name}: {len(pictures)} pictures of {len(lines)} photographs in {path}")


if __name__ == "__main__":
    main()
