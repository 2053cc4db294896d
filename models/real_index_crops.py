"""
Cuts corners of cards out of the photographs that may be trained on, for the index reader.

    python models/real_index_crops.py PHOTOS models/indices/indices.onnx --part 0 --out datasets/out/real-train.npz
    python models/real_index_crops.py PHOTOS models/indices/indices.onnx --part 1 --out datasets/out/real-held.npz

PHOTOS holds train/edje.jsonl (rank and box of each card) and labels.jsonl, which adds the suits of some of the same
photographs. Part 0 is every second photograph; train on it and never on part 1. The detector says where indices are, a
reader which way up; the label comes from the photograph's truth. Every photograph is cut as it is and in poorer copies:
smaller, in other light, blurred, compressed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.training.art import Floats, Pixels
from scorekeeper.training.faces import Rng
from scorekeeper.training.indices import UNKNOWN, jittered
from scorekeeper.vision.detector import INDEX
from scorekeeper.vision.eye import Eye, load_eye
from scorekeeper.vision.faces.indices import PRINTED, SUITS, IndexReader, crop_indices

SURE, NONE = 0.6, 0.2
"""An index is kept from this confidence on, a place without one up to it; what lies between is left out."""


class Photograph(NamedTuple):
    """A picture and its cards."""

    picture: Pixels
    boxes: npt.NDArray[np.float32]
    """(n, 4) ``x0 y0 x1 y1`` of the cards."""
    ranks: tuple[str, ...]
    codes: frozenset[str]
    """All codes in the picture; empty where they are not known."""


class Found(NamedTuple):
    """A place on a photograph with its labels."""

    quad: Floats
    """(4, 2) upright."""
    rank: int
    suit: int
    is_index: int


def photographs(folder: Path, part: int) -> Iterator[Photograph]:
    """Every second photograph of train/edje, from *part* on."""
    codes = _codes(folder)
    for line in sorted((folder / "train" / "edje.jsonl").read_text("utf-8").splitlines())[part::2]:
        row = json.loads(line)
        data = (folder / "train" / row["file"]).read_bytes()
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if picture is None:
            raise SystemExit(f"cannot read {row['file']}")
        boxes = np.array([card["box_xyxy"] for card in row["cards"]], np.float32).reshape(-1, 4)
        known = codes.get(hashlib.sha256(data).hexdigest(), frozenset())
        yield Photograph(picture.astype(np.uint8), boxes, tuple(card["rank"] for card in row["cards"]), known)


def _codes(folder: Path) -> dict[str, frozenset[str]]:
    """The codes in each picture of labels.jsonl that may be trained on, by the file's digest."""
    rows = (json.loads(line) for line in (folder / "labels.jsonl").read_text("utf-8").splitlines())
    return {
        hashlib.sha256((folder / row["file"]).read_bytes()).hexdigest(): frozenset(
            card["code"] for card in row["cards"] if card["code"]
        )
        for row in rows
        if row["use"] == "train"
    }


def places(photo: Photograph, eye: Eye, rng: Rng, others: int = 8) -> list[Found]:
    """Indices and other places of a photograph whose labels are beyond doubt."""
    quads = eye.look(photo.picture, min_index_score=0.1).of(INDEX).corners_px
    if len(quads) == 0:
        return []
    tall = np.linalg.norm(quads[:, 0] - quads[:, 3], axis=1)
    elsewhere = [_somewhere(photo, float(rng.choice(tall)), rng) for _ in range(others)]
    readings = eye.reader.read(photo.picture, np.concatenate([quads, np.array(elsewhere, np.float32)]))
    found = []
    for k, quad in enumerate(readings.quads_px):
        rank = _only_rank(photo, quad.mean(axis=0))
        if readings.is_index[k] < NONE or _on_a_middle(photo, quad.mean(axis=0)):
            found.append(Found(quad, UNKNOWN, UNKNOWN, 0))
        elif k < len(quads) and readings.confidence[k] > SURE and rank == readings.code(k)[:-1]:
            suits = [code[-1] for code in photo.codes if code[:-1] == rank]
            suit = SUITS.index(suits[0]) if len(suits) == 1 else UNKNOWN
            found.append(Found(quad, PRINTED.index(rank), suit, 1))
    return found


def _on_a_middle(photo: Photograph, at: Floats) -> bool:
    """Whether the point lies in the middle of one large card, where no index can be."""
    sides = photo.boxes[:, 2:] - photo.boxes[:, :2]
    inside = np.flatnonzero((photo.boxes[:, :2] <= at).all(axis=1) & (photo.boxes[:, 2:] >= at).all(axis=1))
    if len(inside) != 1 or sides[inside[0]].prod() < 0.6 * sides.prod(axis=1).max():
        return False
    middle = (photo.boxes[inside[0], :2] + photo.boxes[inside[0], 2:]) / 2
    return bool(np.linalg.norm(at - middle) < 0.25 * sides[inside[0]].min())


def _only_rank(photo: Photograph, at: Floats) -> str | None:
    """The rank of the cards that the point may belong to, if it is the same for all."""
    inside = (photo.boxes[:, :2] <= at).all(axis=1) & (photo.boxes[:, 2:] >= at).all(axis=1)
    ranks = {rank for rank, here in zip(photo.ranks, inside, strict=True) if here}
    return ranks.pop() if len(ranks) == 1 else None


def _somewhere(photo: Photograph, tall: float, rng: Rng) -> Floats:
    """A box like an index's anywhere, or on a card's middle."""
    h, w = photo.picture.shape[:2]
    turn, wide = rng.uniform(0, 2 * np.pi), rng.uniform(0.35, 0.7)
    box = np.array([[-wide, -1], [wide, -1], [wide, 1], [-wide, 1]]) / 2 * tall * np.exp(rng.normal(0, 0.2))
    turned = box @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    spot = rng.uniform((0, 0), (w, h))
    if len(photo.boxes) and rng.random() < 0.5:
        x0, y0, x1, y1 = photo.boxes[rng.integers(len(photo.boxes))]
        spot = np.array([x0 + x1, y0 + y1]) / 2 + rng.uniform(-0.2, 0.2, 2) * min(x1 - x0, y1 - y0)
    return np.asarray(turned + spot, np.float32)


def poorer(picture: Pixels, rng: Rng) -> tuple[Pixels, float]:
    """A smaller, worse copy of the picture and its scale."""
    scale = float(np.exp(rng.uniform(np.log(0.2), 0)))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32)
    warm = rng.normal(0, 0.15)
    lit = small * np.exp([-warm, rng.normal(0, 0.05), warm]).astype(np.float32) * np.float32(rng.uniform(0.4, 1.25))
    if rng.random() < 0.5:
        lit = cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.4, 1.2)).astype(np.float32)
    lit = lit + rng.standard_normal(lit.shape, np.float32) * np.float32(rng.uniform(0, 7))
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))]
    _, data = cv2.imencode(".jpg", np.clip(lit, 0, 255).astype(np.uint8), quality)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8), scale


def crops_of(
    photo: Photograph, found: list[Found], rng: Rng, copies: int
) -> Iterator[tuple[Pixels, tuple[float, ...]]]:
    """Crops with their labels: rank, suit, is-index, height; a quarter of the indices upside down, as no index."""
    for k in range(copies):
        picture, scale = poorer(photo.picture, rng) if k else (photo.picture, 1.0)
        for place in found:
            quad = jittered(place.quad * np.float32(scale), rng)
            tall = float(np.linalg.norm(place.quad[3] - place.quad[0])) * scale
            if tall < 8:
                continue
            turned = rng.random() < 0.25
            crop = crop_indices(picture, (np.roll(quad, 2, axis=0) if turned else quad)[None])[0]
            hidden = turned or not place.is_index
            yield crop, (UNKNOWN, UNKNOWN, 0, tall) if hidden else (place.rank, place.suit, 1, tall)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--part", type=int, choices=(0, 1), required=True)
    parser.add_argument("--copies", type=int, default=4)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    rng = np.random.default_rng(5 + options.part)
    eye = Eye(load_eye().detector, IndexReader(options.weights))
    images, labels = [], []
    for photo in photographs(options.photos, options.part):
        for crop, label in crops_of(photo, places(photo, eye, rng), rng, options.copies):
            images.append(crop)
            labels.append(label)
    table = np.array(labels, np.float32)
    np.savez_compressed(options.out, images=np.array(images), labels=table)
    here = table[:, 2] > 0
    print(f"{len(table)} crops, {here.sum()} indices, suit known of {(table[here, 1] >= 0).sum()}")


if __name__ == "__main__":
    main()
