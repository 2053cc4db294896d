"""Composes crops of whole cards, for pictures in which the index alone is too small to be read."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from scorekeeper.training.art import Floats, Pixels
from scorekeeper.training.faces import CardFace, Rng
from scorekeeper.training.indices import UNKNOWN, Batch, Crop, Patch, Patches, compose_photograph, halvings, jittered
from scorekeeper.vision.indices import RANKS, SUITS, crop_indices
from scorekeeper.vision.whole_cards import CARD_ENLARGE, CARD_SIZE

CARD_PATCH = 144
"""Height of a card in its patch, pixels."""


def card_patch(face: CardFace) -> Patch:
    """The whole card with nothing around it."""
    h, w = face.image.shape[:2]
    width = round(CARD_PATCH * w / h)
    image = cv2.resize(face.image, (width, CARD_PATCH), interpolation=cv2.INTER_AREA).astype(np.uint8)
    edge = 24
    image = cv2.copyMakeBorder(image, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0)).astype(np.uint8)
    quad = np.array([[0, 0], [width, 0], [width, CARD_PATCH], [0, CARD_PATCH]], np.float32) + edge
    return Patch(halvings(image), quad, face.code)


def card_patches(faces: Sequence[CardFace]) -> Patches:
    """All of a deck's cards."""
    return Patches([card_patch(face) for face in faces], [])


def compose_card(patches: Sequence[Patches], rng: Rng, tall: tuple[float, float] = (34, 96)) -> Crop:
    """One crop of a card, either way up; one in five is covered by another card and has no label but that."""
    pool = patches[int(rng.integers(len(patches)))].indices
    patch = pool[int(rng.integers(len(pool)))]
    height = float(np.exp(rng.uniform(np.log(tall[0]), np.log(tall[1]))))
    covered = rng.random() < 0.2
    reach = (0.0, 0.6) if covered else (0.93, 1.4)
    canvas, quad = compose_photograph(patch, height, patches, rng, reach if covered or rng.random() < 0.3 else None)
    quad = _loose(quad, rng)
    if rng.random() < 0.5:
        quad = np.roll(quad, 2, axis=0)
    crop = crop_indices(canvas, quad[None], CARD_ENLARGE, CARD_SIZE)[0]
    if covered:
        return Crop(crop, UNKNOWN, UNKNOWN, 0, height)
    return Crop(crop, RANKS.index(patch.code[:-1]), SUITS.index(patch.code[-1]), 1, height)


def _loose(quad: Floats, rng: Rng) -> Floats:
    """A card's outline is found more exactly than an index's."""
    return np.asarray(quad + (jittered(quad, rng) - quad) * np.float32(0.5), np.float32)


def compose_cards(patches: Sequence[Patches], count: int, rng: Rng, tall: tuple[float, float] = (34, 96)) -> Batch:
    """*count* crops."""
    images: Pixels = np.empty((count, *CARD_SIZE, 3), np.uint8)
    labels = np.empty((count, 4), np.float32)
    for i in range(count):
        crop = compose_card(patches, rng, tall)
        images[i], labels[i] = crop.image, crop[1:]
    return Batch(images, labels)
