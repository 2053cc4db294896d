"""
Measures the index reader on real photographs of cards that lie apart.

    python models/measure_indices.py PHOTOS models/indices/indices.onnx [--use train|measure] [--look LOOK.png]
    python models/measure_indices.py PHOTOS models/indices/indices.onnx --reliability held.npz

PHOTOS holds labels.jsonl, pictures/ and train/edje.jsonl. Cards are outlined by their contour, an index is looked for
at several sizes in the corners of each outline, so what is measured is the reader without a detector. --reliability
prints how far the confidences can be believed, on crops never trained on: those that train_indices.py leaves in its
work folder, or those of real_index_crops.py, of which some know no suit.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from scorekeeper.rules.cards import RANKS
from scorekeeper.training.art import Floats, Pixels
from scorekeeper.vision.faces.indices import IndexReader, crop_indices, read_crops

CORNERS = ((0.02, 0.02, 0.155, 0.22), (0.02, 0.025, 0.17, 0.27), (0.03, 0.03, 0.13, 0.19), (0.02, 0.02, 0.24, 0.36))
"""Boxes tried for an index, x0 y0 x1 y1 as fractions of the card."""


@dataclass(frozen=True, slots=True)
class Corner:
    """One index of a real card and what was read there."""

    quad: Floats
    code: str
    confidence: float
    tall: float


def outlines(picture: Pixels, least: float = 0.002) -> list[Floats]:
    """(4, 2) corners of bright, whole, rectangular cards, upright: the short side is the first."""
    grey = picture.min(axis=2)
    quads: list[Floats] = []
    levels = [cv2.threshold(grey, 0, 255, cv2.THRESH_OTSU)[0]]
    for level in [levels[0] * k for k in (1, 0.75, 1.25)]:
        mask = cv2.morphologyEx((grey > level).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            quad = _card_like(cv2.convexHull(contour), least * grey.size)
            if quad is not None and all(np.linalg.norm(quad.mean(0) - other.mean(0)) > 20 for other in quads):
                quads.append(quad)
    return quads


def _card_like(hull: np.ndarray, least: float) -> Floats | None:
    area = cv2.contourArea(hull)
    if area < least:
        return None
    quad = cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True)
    box = quad.reshape(-1, 2).astype(np.float32) if len(quad) == 4 else cv2.boxPoints(cv2.minAreaRect(hull))
    if area < 0.9 * cv2.contourArea(cv2.boxPoints(cv2.minAreaRect(hull))) and len(quad) != 4:
        return None
    if area < 0.88 * cv2.contourArea(box):
        return None
    if cv2.contourArea(box, True) < 0:
        box = box[::-1]
    sides = np.linalg.norm(np.roll(box, -1, axis=0) - box, axis=1)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        box, sides = np.roll(box, -1, axis=0), np.roll(sides, -1)
    ratio = (sides[1] + sides[3]) / (sides[0] + sides[2])
    return np.asarray(box, np.float32) if 1.2 < ratio < 1.8 else None


def corner_quads(card: Floats) -> Floats:
    """(8, 4, 2) places where the index of an outlined card may stand: four sizes at two opposite corners."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_picture = cv2.getPerspectiveTransform(unit, card)
    boxes = np.array([[[x0, y0], [x1, y0], [x1, y1], [x0, y1]] for x0, y0, x1, y1 in CORNERS], np.float32)
    every = np.concatenate([boxes, 1 - boxes])
    moved = cv2.perspectiveTransform(every.reshape(1, -1, 2), to_picture)
    return np.asarray(moved.reshape(-1, 4, 2), np.float32)


def read_card(picture: Pixels, card: Floats, reader: IndexReader) -> list[Corner]:
    """The best reading at each of the card's two corners."""
    quads = corner_quads(card)
    seen = reader.read(picture, quads)
    half = len(quads) // 2
    best = [int(seen.confidence[:half].argmax()), half + int(seen.confidence[half:].argmax())]
    tall = np.linalg.norm(seen.quads_px[:, 3] - seen.quads_px[:, 0], axis=1)
    return [Corner(seen.quads_px[i], seen.code(i), float(seen.confidence[i]), float(tall[i])) for i in best]


def _picture(path: Path) -> Pixels:
    picture = cv2.imread(str(path))
    if picture is None:
        raise SystemExit(f"cannot read {path}")
    return picture.astype(np.uint8)


def edje_cards(photos: Path, part: int) -> Iterator[tuple[Pixels, Floats, str]]:
    """Outlined cards of train/edje with their rank; *part* 0 or 1 takes every second photo."""
    lines = (photos / "train" / "edje.jsonl").read_text("utf-8").splitlines()
    for number, line in enumerate(sorted(lines)):
        if number % 2 != part:
            continue
        row = json.loads(line)
        picture = _picture(photos / "train" / row["file"])
        for card in row["cards"]:
            x0, y0, x1, y1 = (int(v) for v in card["box_xyxy"])
            x0, y0 = max(0, x0 - 8), max(0, y0 - 8)
            window = picture[y0 : y1 + 8, x0 : x1 + 8]
            for quad in outlines(window, 0.4)[:1]:
                yield picture, quad + np.array([x0, y0], np.float32), card["rank"]


def measure_edje(photos: Path, reader: IndexReader) -> None:
    """Ranks of single card corners, photographs not trained on."""
    right: list[bool] = []
    sure: list[tuple[float, bool]] = []
    for picture, quad, rank in edje_cards(photos, 1):
        for corner in read_card(picture, quad, reader):
            right.append(corner.code[:-1] == rank)
            sure.append((corner.confidence, right[-1]))
    print(f"edje, corners: rank right {np.mean(right):.4f} of {len(right)}")
    _print_sure(sure)


def _print_sure(sure: list[tuple[float, bool]]) -> None:
    for least in (0.5, 0.8, 0.9):
        kept = [good for confidence, good in sure if confidence >= least]
        share = len(kept) / max(1, len(sure))
        print(f"  confidence >= {least}: {share:.3f} kept, {np.mean(kept or [False]):.4f} right")


def measure_pictures(photos: Path, use: str, reader: IndexReader, look: Path | None) -> None:
    """Whole cards found by their outline in labelled pictures; a code that the picture does not hold is an error."""
    tiles: list[Pixels] = []
    sure: list[tuple[float, bool]] = []
    by_source: dict[str, Counter[str]] = {}
    for line in (photos / "labels.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        codes = {card["code"] for card in row["cards"] if card["side"] == "face"}
        if row["use"] != use or None in codes:
            continue
        picture = _picture(photos / row["file"])
        for card in outlines(picture):
            corners = [corner for corner in read_card(picture, card, reader) if corner.confidence > 0.1]
            for corner in corners:
                good = corner.code in codes
                sure.append((corner.confidence, good))
                count = by_source.setdefault(row["source"].split("/")[0], Counter())
                count["right" if good else "wrong"] += 1
                count["suit"] += corner.code[-1] in {code[-1] for code in codes if code[:-1] == corner.code[:-1]}
                count["rank"] += corner.code[:-1] in {code[:-1] for code in codes}
                if look:
                    tiles.append(_tile(picture, corner, good))
    print(f"{use}: corners {len(sure)}, right {np.mean([good for _, good in sure]):.4f}")
    _print_sure(sure)
    for source, count in by_source.items():
        print(f"  {source}: {dict(count)}")
    if look and tiles:
        tiles += [tiles[0] * 0] * (-len(tiles) % 24)
        cv2.imwrite(str(look), np.vstack([np.hstack(tiles[i : i + 24]) for i in range(0, len(tiles), 24)]))


def _tile(picture: Pixels, corner: Corner, good: bool) -> Pixels:
    tile = np.full((120, 68, 3), (40, 90, 40) if good else (40, 40, 200), np.uint8)
    tile[2:98, 2:66] = cv2.resize(crop_indices(picture, corner.quad[None])[0], (64, 96))
    text = f"{corner.code} {corner.confidence:.2f}"
    cv2.putText(tile, text, (2, 114), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (255, 255, 255), 1)
    return tile


BINS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)
"""Bounds of the confidences whose readings are counted together."""


def measure_reliability(crops: Path, reader: IndexReader) -> None:
    """How often what is read with some confidence is right; a crop that shows no upright index is never right."""
    with np.load(crops) as data:
        images, labels = data["images"], data["labels"]
    said = read_crops(images, reader._network, reader.heat)
    rank, suit, is_index = said.rank, said.suit, said.is_index
    meaning = [*range(13), RANKS.index("J")]
    truth = np.array([meaning[int(row)] if row >= 0 else -1 for row in labels[:, 0]])
    known = labels[:, 1] >= 0
    confidence = is_index * rank.max(axis=1) * np.where(known, suit.max(axis=1), 1)
    right = (rank.argmax(axis=1) == truth) & (~known | (suit.argmax(axis=1) == labels[:, 1]))
    print(f"{crops.name}: {len(labels)} crops, {(labels[:, 2] > 0).sum()} upright indices")
    print("confidence    crops   mean  right")
    for low, high in pairwise(BINS):
        here = (confidence >= low) & (confidence < high + (high == 1))
        if here.any():
            print(f"{low:.2f} to {high:.2f} {here.sum():6d} {confidence[here].mean():6.3f} {right[here].mean():6.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--use", choices=("train", "measure"), default="train")
    parser.add_argument("--look", type=Path)
    parser.add_argument("--reliability", type=Path)
    options = parser.parse_args()
    reader = IndexReader(options.weights)
    if options.reliability:
        measure_reliability(options.reliability, reader)
        return
    if options.use == "train":
        measure_edje(options.photos, reader)
    measure_pictures(options.photos, options.use, reader, options.look)


if __name__ == "__main__":
    main()
