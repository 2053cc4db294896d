"""Composes crops of card indices as a camera would show them, for the index reader to learn from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from scorekeeper.training import tables
from scorekeeper.training.art import Floats, Pixels
from scorekeeper.training.back_designs import drawn_back
from scorekeeper.training.faces import CardFace, Deck, Rng, fonts, glyph, stamp
from scorekeeper.training.scene import CODES
from scorekeeper.vision.faces.indices import CROP_HEIGHT, CROP_WIDTH, MOVES, PRINTED, SUITS, crop_indices, sides_of

PATCH_HEIGHT = 64
"""Height of the index in a patch, pixels."""
UNKNOWN = -1
"""A label nobody knows, or that does not matter for this crop."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A piece of a card around a box, at about 64 px height of that box."""

    images: tuple[Pixels, ...]
    """(h, w, 4) BGRA, transparent beyond the card; each half the size of the one before."""
    quad: Floats
    """(4, 2) the box in the largest image, tl first, upright."""
    code: str
    """The card, or "" where the box holds no index."""
    letter: str = ""
    """What is printed for the rank, where it is not the rank as we write it."""


class Crop(NamedTuple):
    """A crop with its labels."""

    image: Pixels
    """(48, 32, 3) BGR."""
    rank: int
    """Place in PRINTED."""
    suit: int
    is_index: int
    tall: float
    """Height of the index in the camera's pixels."""
    move: Floats
    """(6,) how the box that was cropped must move to be the index's (``faces.indices.moved``); NaN where none is."""


def cut_patch(face: CardFace, quad: Floats, code: str) -> Patch:
    """The card around an upright *quad*, with as much of its surroundings as jitter may show."""
    (x0, y0), (x1, y1) = quad.min(axis=0), quad.max(axis=0)
    w, h = x1 - x0, y1 - y0
    scale = PATCH_HEIGHT / h
    left, top = x0 - max(1.3 * w, 0.6 * h), y0 - 0.9 * h
    size = (round((w + 2 * max(1.3 * w, 0.6 * h)) * scale), round(2.8 * h * scale))
    matrix = np.array([[scale, 0, -left * scale], [0, scale, -top * scale]], np.float32)
    image = face.image
    if scale < 0.7:
        image = np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        matrix[:, :2] *= 2
    patch = cv2.warpAffine(image, matrix, size, flags=cv2.INTER_LINEAR, borderValue=(0, 0, 0, 0))
    moved = (quad - np.array([left, top], np.float32)) * np.float32(scale)
    return Patch(halvings(patch.astype(np.uint8)), moved.astype(np.float32), code, face.letter)


def halvings(image: Pixels) -> tuple[Pixels, ...]:
    """The image, and it at half and at a quarter of the size."""
    images = [image]
    for _ in range(2):
        images.append(cv2.resize(images[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8))
    return tuple(images)


def index_patches(face: CardFace) -> list[Patch]:
    """The card's top indices; a lower one is the same upside down."""
    upright = [quad for quad in face.indices if quad[0, 1] < quad[3, 1]]
    return [cut_patch(face, quad, face.code) for quad in upright]


def other_patch(face: CardFace, rng: Rng) -> Patch | None:
    """A box somewhere else on the card; None when it came too near an index."""
    h, w = face.image.shape[:2]
    tall = rng.uniform(0.08, 0.3) * h
    wide = tall * rng.uniform(0.35, 0.9)
    snug = rng.random() < SNUG
    middle = _on_ink(face.image, rng) if snug else rng.uniform((0.1 * w, 0.1 * h), (0.9 * w, 0.9 * h))
    half = np.array([wide, tall], np.float32) / 2
    low, high = np.asarray(middle - half, np.float32), np.asarray(middle + half, np.float32)
    if snug:
        low, high = _round_the_ink(face.image, low, high)
    sides = np.ptp(face.indices, axis=1)
    away = np.abs(face.indices.mean(axis=1) - (low + high) / 2) / (sides + high - low)
    if (away.max(axis=1, initial=0) < 0.42).any() and len(face.indices):
        return None
    box = np.array([low, [high[0], low[1]], high, [low[0], high[1]]], np.float32)
    return cut_patch(face, box, "")


def _on_ink(image: Pixels, rng: Rng) -> Floats:
    """Somewhere on what is printed, (2,) x and y."""
    step = 4
    coarse = image[::step, ::step, :3].astype(int)
    paper = np.percentile(coarse.reshape(-1, 3), 80, axis=0)
    spots = np.argwhere((np.abs(coarse - paper).max(axis=2) > INK) & (image[::step, ::step, 3] > 0))
    if len(spots) == 0:
        return np.asarray(np.array(image.shape[1::-1]) / 2, np.float32)
    return np.asarray(spots[rng.integers(len(spots))][::-1] * step, np.float32)


def _round_the_ink(image: Pixels, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """The box *low* to *high* (x, y) drawn in to what is printed there: a box moved once lies round something."""
    x0, y0 = np.maximum(low, 0).astype(int)
    x1, y1 = np.ceil(high).astype(int)
    part = image[y0:y1, x0:x1, :3].astype(int)
    paper = np.percentile(part.reshape(-1, 3), 80, axis=0)
    y, x = np.nonzero(np.abs(part - paper).max(axis=2) > INK)
    if len(x) < 20 or np.ptp(x) < 0.25 * (x1 - x0) or np.ptp(y) < 0.25 * (y1 - y0):
        return low, high
    inked = np.array([[x0 + x.min(), y0 + y.min()], [x0 + x.max() + 1, y0 + y.max() + 1]], np.float32)
    return inked[0], inked[1]


def strange_patches(rng: Rng, each: int = 5) -> list[Patch]:
    """Places on a back, on printed paper and on something else that lies about on tables."""
    things = (drawn_back(rng, (280, 196)), _printed_paper(rng), tables.thing(rng, 300))
    nowhere = np.zeros((0, 4, 2), np.float32)
    faces = [CardFace("", np.asarray(thing, np.uint8), nowhere) for thing in things]
    return [patch for face in faces for _ in range(each) if (patch := other_patch(face, rng))]


def _printed_paper(rng: Rng, size: tuple[int, int] = (300, 240)) -> Pixels:
    """A sheet with lines of letters and digits in all sizes, as on bills, business cards and packets."""
    paper = np.full((*size, 3), rng.integers(215, 256) if rng.random() < 0.8 else rng.integers(0, 256, 3), np.uint8)
    signs, font = list("ABDEHJKQRTVan0123456789.-%"), str(rng.choice(fonts()))
    y = int(rng.integers(2, 20))
    while y < size[0]:
        tall = int(np.exp(rng.uniform(np.log(8), np.log(70))))
        text = "".join(rng.choice(signs, int(rng.integers(3, 12))))
        ink = glyph(text, font, size=80)
        if ink is not None:
            color = tuple(int(v) for v in rng.integers(0, 110, 3))
            wide = round(tall * ink.shape[1] / ink.shape[0])
            stamp(paper, ink, (color[0], color[1], color[2]), (int(rng.integers(0, 60)), y, wide, tall))
        y += round(tall * rng.uniform(1.2, 1.8))
    return np.dstack([paper, np.full(size, 255, np.uint8)])


@dataclass(slots=True)
class Patches:
    """What crops are composed from."""

    indices: list[Patch]
    others: list[Patch]

    @staticmethod
    def of_faces(faces: Sequence[CardFace], rng: Rng) -> Patches:
        """All indices of *faces*, one other place on each, and some where no card is."""
        others = [patch for face in faces if (patch := other_patch(face, rng))] + strange_patches(rng)
        return Patches([patch for face in faces for patch in index_patches(face)], others)


def deck_patches(deck: Deck, rng: Rng) -> Patches:
    """A drawn deck's patches."""
    return Patches.of_faces([deck(code) for code in CODES], rng)


# The picture


UPRIGHT, TURNED, LYING, NOTHING = range(4)
KINDS = (0.53, 0.20, 0.05, 0.22)
"""How often a crop shows an index upright, upside down, on its side, or none at all."""
SNUG = 0.6
"""So many boxes that hold no index lie close round something else that is printed."""
INK = 60
"""Levels by which what is printed differs from its paper, at least."""
AGAIN, MOVED = 0.4, 0.3
"""So many crops are of boxes that were moved once already: only so far off as the detector's."""
IN_A_ROW = 0.65
"""So many neighbours lie as the next card of a fan or ribbon lies."""
GREY = 0.2
"""So many pictures of poor colour have none."""
NOWHERE = np.full(MOVES, np.nan, np.float32)
"""No move at all."""


def compose(patches: Sequence[Patches], rng: Rng, tall: tuple[float, float] = (8, 60)) -> Crop:
    """One crop of some kind, of an index *tall* (least and most) pixels high."""
    group = patches[int(rng.integers(len(patches)))]
    kind = int(rng.choice(4, p=KINDS))
    pool = group.others if kind == NOTHING and group.others else group.indices
    patch = pool[rng.integers(len(pool))]
    height = float(np.exp(rng.uniform(np.log(tall[0]), np.log(tall[1]))))
    canvas, quad = compose_photograph(patch, height, patches, rng, _reach(rng), group if patch.code else None)
    steps = {UPRIGHT: 0, TURNED: 2, LYING: int(rng.choice([1, 3])), NOTHING: 2 * int(rng.integers(2))}[kind]
    box = jittered(quad, rng, MOVED if rng.random() < AGAIN else 1.0)
    crop = crop_indices(canvas, np.roll(box, steps, axis=0)[None])[0]
    if kind != UPRIGHT or not patch.code:
        return Crop(crop, UNKNOWN, UNKNOWN, 0, height, NOWHERE)
    rank = PRINTED.index(patch.letter if patch.letter in PRINTED[13:] else patch.code[:-1])
    return Crop(crop, rank, SUITS.index(patch.code[-1]), 1, height, move_between(box, quad))


def move_between(box: Floats, quad: Floats) -> Floats:
    """(6,) the move that takes *box* to *quad*, both (4, 2): the inverse of ``vision.faces.indices.moved``."""
    mine, theirs = sides_of(box[None])[0], sides_of(quad[None])[0]
    steps = np.vstack([quad.mean(axis=0) - box.mean(axis=0), theirs - mine])
    return np.asarray(np.linalg.solve(mine.T, steps.T).T.ravel(), np.float32)


def _reach(rng: Rng) -> tuple[float, float] | None:
    """Where another card's edge lies, in half sizes of the index from its middle; below 1 it covers a part."""
    kind = rng.random()
    if kind < 0.52:
        return None
    return (0.9, 1.6) if kind < 0.72 else (0.1, 0.95)


def compose_photograph(
    patch: Patch,
    height: float,
    patches: Sequence[Patches],
    rng: Rng,
    reach: tuple[float, float] | None,
    deck: Patches | None = None,
) -> tuple[Pixels, Floats]:
    """The patch on a table under some light, in camera pixels, and where the box then is.

    Another card begins *reach* (lowest and highest) half sizes of the box from its middle; None: there is no other.
    With the patch's own *deck* it is most often the next card of a fan or ribbon.
    """
    side = int(height * (2.6 if patch.quad[0, 0] > 30 else 1.4) + 8)
    matrix = _view(patch, height, side, rng)
    canvas = _table(side, rng)
    _paste(canvas, patch, matrix, _ink(rng))
    quad = cv2.perspectiveTransform(patch.quad[None], matrix)[0].astype(np.float32)
    if reach and deck and rng.random() < IN_A_ROW:
        _next_in_row(canvas, patch, matrix, rng.uniform(*reach), deck, rng)
    elif reach:
        _neighbour(canvas, quad, rng.uniform(max(reach[0], 0.3), reach[1]), patches, rng)
    return _develop(_light(canvas, rng), height, rng), quad


def _view(patch: Patch, height: float, side: int, rng: Rng) -> Floats:
    """The camera's projection: turned any way, tilted, the box in the middle of the canvas."""
    angle, lean = rng.uniform(0, 2 * np.pi), rng.uniform(0, np.pi)
    flat = rng.uniform(0.62, 1) if rng.random() < 0.6 else rng.uniform(0.9, 1)
    scale = height / float(np.ptp(patch.quad[:, 1]))
    turn = _rotation(angle)
    tilt = _rotation(lean) @ np.diag([1, flat]) @ _rotation(-lean)
    stretch = np.diag([rng.uniform(0.85, 1.15), 1])
    linear = tilt @ turn @ stretch * scale
    matrix = np.eye(3)
    matrix[:2, :2] = linear
    matrix[:2, 2] = side / 2 + rng.uniform(-0.5, 0.5, 2) - linear @ patch.quad.mean(axis=0)
    bend = np.eye(3)
    bend[2, :2] = rng.normal(0, 0.06, 2) / side
    return np.asarray(bend @ matrix, np.float32)


def _rotation(angle: float) -> Floats:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], np.float32)


def _table(side: int, rng: Rng) -> Pixels:
    """Cloth, wood or anything: a colour with coarse and fine variation."""
    color = rng.uniform(0, 255, 3) * rng.uniform(0.2, 1)
    cells = int(rng.integers(2, 9))
    coarse = rng.normal(0, rng.choice([3, 15, 50]), (cells, cells, 3)).astype(np.float32)
    ground = cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC) + color
    return np.clip(ground, 0, 255).astype(np.uint8)


def _ink(rng: Rng) -> Floats:
    """How much of B, G and R the ink takes away: fainter, darker, more orange or more purple than the art's."""
    red = rng.uniform(0.85, 1.9) if rng.random() < 0.5 else 1.0
    ink = np.array([rng.uniform(0.6, 1.05), rng.uniform(0.7, 1.05), rng.uniform(0.7, 1.0) * red], np.float32)
    return np.asarray(ink * rng.uniform(0.4, 0.9), np.float32) if rng.random() < 0.1 else ink


def _paste(canvas: Pixels, patch: Patch, matrix: Floats, ink: Floats) -> None:
    """Warps a card's piece onto the canvas."""
    side = canvas.shape[0]
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
    level = min(2, max(0, int(np.log2(1 / scale))))
    back = np.diag([2.0**level, 2.0**level, 1])
    warped = cv2.warpPerspective(patch.images[level], matrix @ back, (side, side), flags=cv2.INTER_LINEAR)
    cover = warped[..., 3:].astype(np.float32) / 255
    card = np.clip(255 - (255 - warped[..., :3].astype(np.float32)) * ink, 0, 255)
    canvas[:] = (canvas + (card - canvas) * cover).astype(np.uint8)


def _neighbour(canvas: Pixels, quad: Floats, begins: float, patches: Sequence[Patches], rng: Rng) -> None:
    """Another card covers the canvas beyond a line near the box, with a shadow at its edge."""
    side = canvas.shape[0]
    height = float(np.linalg.norm(quad[3] - quad[0]))
    angle = rng.uniform(0, 2 * np.pi)
    out = np.array([np.cos(angle), np.sin(angle)], np.float32)
    edge = begins * float(((quad - quad.mean(axis=0)) @ out).max())
    y, x = np.mgrid[0:side, 0:side].astype(np.float32)
    distance = (x - quad[:, 0].mean()) * out[0] + (y - quad[:, 1].mean()) * out[1] - edge
    group = patches[int(rng.integers(len(patches)))]
    pool = group.others if group.others and rng.random() < 0.5 else group.indices
    other = pool[rng.integers(len(pool))]
    top = np.full((side, side, 3), rng.integers(225, 256), np.uint8)
    start = quad.mean(axis=0) + out * (edge + height * rng.uniform(0.2, 1.2))
    matrix = _view(other, height, side, rng)
    matrix[:2, 2] += start - side / 2
    _paste(top, other, matrix, np.ones(3, np.float32))
    shadow = 1 - rng.uniform(0, 0.6) * np.exp(np.minimum(distance, 0) / max(0.8, height * rng.uniform(0.02, 0.15)))
    cover = np.clip(distance + 0.5, 0, 1)[..., None]
    canvas[:] = (canvas * shadow[..., None] * (1 - cover) + top * cover).astype(np.uint8)


def _next_in_row(canvas: Pixels, patch: Patch, matrix: Floats, begins: float, deck: Patches, rng: Rng) -> None:
    """Covers the right of the index, at times another side, by the next card of a fan or ribbon, with its shadow."""
    other = deck.indices[rng.integers(len(deck.indices))]
    turn = int(rng.choice([0, 1, 2, 3], p=[0.76, 0.08, 0.08, 0.08]))
    half = np.ptp(patch.quad, axis=0) / 2
    edge = begins * (half[1] if turn % 2 else half[0])
    border = _border(other)
    middle, theirs = patch.quad.mean(axis=0), other.quad.mean(axis=0)
    step = np.eye(3)
    step[:2, :2] = _rotation(rng.normal(0, 0.12))
    slide = rng.normal(0, 0.35 * half[1] if not turn else 1.5 * half[1])
    step[:2, 2] = np.array([edge, slide]) - step[:2, :2] @ [border - theirs[0], 0]
    around = np.eye(3)
    around[:2, :2] = _rotation(turn * np.pi / 2)
    there, here = np.eye(3), np.eye(3)
    there[:2, 2], here[:2, 2] = -theirs, middle
    placed = np.asarray(matrix @ here @ around @ step @ there, np.float32)
    side = canvas.shape[0]
    cover = cv2.warpPerspective(other.images[0][..., 3], placed, (side, side)).astype(np.float32) / 255
    wide = max(0.6, float(np.linalg.norm(matrix[:2, 1])) * 64 * rng.uniform(0.02, 0.12))
    shade = cv2.GaussianBlur(cover, (0, 0), wide) * rng.uniform(0, 0.7)
    canvas[:] = (canvas * (1 - shade[..., None])).astype(np.uint8)
    _paste(canvas, other, placed, np.ones(3, np.float32))


def _border(patch: Patch) -> float:
    """Where the card begins left of the index, x in the largest image."""
    low, high = patch.quad[:, 1].min(), patch.quad[:, 1].max()
    return float(np.argmax(patch.images[0][int((low + high) / 2), :, 3] > 127))


def _light(canvas: Pixels, rng: Rng) -> Floats:
    """Exposure, the light's colour, its fall across the table, shadows and glare; (h, w, 3) 0 to 255."""
    side = canvas.shape[0]
    warm = rng.normal(0, 0.16 if rng.random() < 0.85 else 0.35)
    cast = np.exp(np.array([-warm, rng.normal(0, 0.06), warm]))
    exposure = rng.uniform(0.25, 1.25) if rng.random() < 0.5 else rng.uniform(0.7, 1.05)
    slope = rng.normal(0, 0.18, 2)
    ramp = np.linspace(-1, 1, side, dtype=np.float32)
    fall = 1 + slope[0] * ramp[:, None] + slope[1] * ramp[None]
    if rng.random() < 0.12:
        line = np.cos(a := rng.uniform(0, 6.3)) * ramp[:, None] + np.sin(a) * ramp[None] + rng.uniform(-0.5, 0.5)
        fall = fall * (1 - rng.uniform(0.2, 0.6) / (1 + np.exp(-line * rng.uniform(4, 40))))
    lit = canvas.astype(np.float32) * (cast * exposure).astype(np.float32) * fall.astype(np.float32)[..., None]
    if rng.random() < 0.16:
        lit += _glare(ramp, rng)[..., None]
    if rng.random() < 0.08:
        dirt = cv2.resize(
            rng.uniform(0.55, 1.3, (6, 6)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC
        )
        lit *= np.minimum(dirt, 1)[..., None]
    if rng.random() < 0.3:
        lit = 255 * np.power(np.clip(lit / 255, 0, 1), np.float32(rng.uniform(0.7, 1.5)))
    haze = rng.uniform(0, 30) if rng.random() < 0.3 else 0.0
    return np.asarray(lit * (1 - haze / 255) + haze, np.float32)


def _glare(ramp: Floats, rng: Rng) -> Floats:
    """A lamp mirrored in the card, round or as a band; levels to add, (h, w)."""
    spot, wide = rng.uniform(-0.6, 0.6, 2), rng.uniform(0.02, 0.6)
    y, x = ramp[:, None] - spot[0], ramp[None] - spot[1]
    if rng.random() < 0.4:
        turn = rng.uniform(0, np.pi)
        y, x = (y * np.cos(turn) + x * np.sin(turn)), np.zeros_like(x)
    return np.asarray(rng.uniform(20, 180) * np.exp(-(y**2 + x**2) / wide), np.float32)


def _develop(lit: Floats, height: float, rng: Rng) -> Pixels:
    """The camera: blur, motion, sharpening, noise, poor colour, a smaller picture blown up, JPEG."""
    if rng.random() < 0.65:
        blur = rng.uniform(0.3, 0.5 + min(1.3, 0.035 * height)) * (1.35 if rng.random() < 0.2 else 1)
        lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), blur), np.float32)
    if rng.random() < 0.16:
        path = _motion(rng.uniform(1.5, 1.6 + 0.09 * height), rng)
        lit = np.asarray(cv2.filter2D(lit, -1, path), np.float32)
    if rng.random() < 0.15:
        lit = _coarser(lit, rng)
    if rng.random() < 0.3:
        lit = lit + (lit - cv2.GaussianBlur(lit, (0, 0), 1.0)) * rng.uniform(0.3, 1.5)
    strength = np.float32(rng.uniform(0.5, 9) if rng.random() < 0.6 else 1)
    noise = rng.standard_normal(lit.shape, np.float32) * strength
    picture = np.clip(lit + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.24:
        picture = _poor_colour(picture, rng)
    if rng.random() < 0.5:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(28, 96))])
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return picture


def _coarser(lit: Floats, rng: Rng) -> Floats:
    """The picture through fewer pixels, as films and shared photographs come."""
    ways = (cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_NEAREST)
    side = max(8, round(lit.shape[0] * rng.uniform(0.5, 0.95)))
    small = cv2.resize(lit, (side, side), interpolation=ways[rng.choice(3, p=[0.5, 0.4, 0.1])])
    back = cv2.resize(
        small, lit.shape[1::-1], interpolation=cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_LINEAR
    )
    return np.asarray(back, np.float32)


def _poor_colour(picture: Pixels, rng: Rng) -> Pixels:
    """Colour washed out, gone, or smeared as small sensors do."""
    if rng.random() < GREY:
        return np.asarray(cv2.merge([cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)] * 3), np.uint8)
    luma = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb).astype(np.float32)
    soft = cv2.GaussianBlur(luma[..., 1:], (0, 0), rng.uniform(0.7, 3))
    luma[..., 1:] = 128 + (soft - 128) * (rng.uniform(0.3, 1.2) if rng.random() < 0.5 else 1)
    return np.asarray(cv2.cvtColor(np.clip(luma, 0, 255).astype(np.uint8), cv2.COLOR_YCrCb2BGR), np.uint8)


def _motion(length: float, rng: Rng) -> Floats:
    size = int(length) | 1
    kernel = np.zeros((size, size), np.float32)
    way = np.array([np.cos(a := rng.uniform(0, np.pi)), np.sin(a)]) * length / 2
    ends = [tuple(int(v) for v in np.round((size // 2 + sign * way) * 16)) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / max(kernel.sum(), 1e-6), np.float32) if kernel.sum() > 0 else np.ones((1, 1), np.float32)


def jittered(quad: Floats, rng: Rng, much: float = 1.0) -> Floats:
    """The box as the detector gives it on composed tables, a little to the right and wide, with outliers, *much* so."""
    middle = quad.mean(axis=0)
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    often = rng.standard_t(4, 5) * 0.7 * much
    shift = across * (0.03 * much + 0.12 * often[0]) + down * 0.075 * often[1]
    scale = np.exp(np.clip([0.05 * much + 0.16 * often[2], 0.13 * often[3]], -0.5, 0.5))
    angle = np.deg2rad(np.clip(6 * often[4], -25, 25))
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 * scale
    box = half[:, :1] * across + half[:, 1:] * down
    return np.asarray(box @ _rotation(angle).T + middle + shift, np.float32)


class Batch(NamedTuple):
    """Crops with labels, in parallel."""

    images: Pixels
    """(n, 48, 32, 3)."""
    labels: Floats
    """(n, 10): rank, suit, is-index, height in camera pixels, -1 unknown; and the move to the index, NaN unknown."""


def compose_batch(patches: Sequence[Patches], count: int, rng: Rng, tall: tuple[float, float] = (8, 60)) -> Batch:
    """*count* crops."""
    images = np.empty((count, CROP_HEIGHT, CROP_WIDTH, 3), np.uint8)
    labels = np.empty((count, 4 + MOVES), np.float32)
    for i in range(count):
        crop = compose(patches, rng, tall)
        images[i], labels[i] = crop.image, (*crop[1:5], *crop.move)
    return Batch(images, labels)


def read_crops_of(paths: Sequence[Path]) -> Batch:
    """The crops and labels in the files *paths*; where a file says nothing of moves, none is known."""
    images, labels = [], []
    for path in paths:
        with np.load(path) as data:
            images.append(data["images"])
            known = np.full((len(data["labels"]), 4 + MOVES), np.nan, np.float32)
            known[:, : data["labels"].shape[1]] = data["labels"]
            labels.append(known)
    return Batch(np.concatenate(images), np.concatenate(labels))


def batches(patches: Sequence[Patches], size: int, rng: Rng) -> Iterator[Batch]:
    """Batches for ever."""
    while True:
        yield compose_batch(patches, size, rng)
