"""Reads the corner index of a playing card: its rank, its suit and which way up it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.rules.cards import RANKS, Suit
from scorekeeper.vision.geometry import Image, side_lengths
from scorekeeper.vision.networks import in_batches, open_session

Floats = npt.NDArray[np.float32]

SUITS = tuple(suit.value for suit in Suit)
PRINTED = (*RANKS, "V")
"""What the network tells apart: a V is a jack in France and a queen in Holland."""
Letters = Literal["french", "dutch"]
"""Whose V it is; every other letter has one meaning everywhere."""
LETTERS: tuple[Letters, ...] = get_args(Letters)
MEANING_OF_V: dict[Letters, str] = {"french": "J", "dutch": "Q"}
CROP_HEIGHT, CROP_WIDTH = 48, 32
BROAD = 1.6
"""Height over width below which an index may be one whose suit stands beside its rank."""
ENLARGE = 1.25
"""How much more than the index's box a crop shows, so that paper and card edge are seen."""
BATCH = 128
UPRIGHT = 0.9
"""Where an index stands this likely it is not read upside down as well."""
WORTH_MOVING = 0.02
"""Where an index stands at least this likely it is read again with its box moved onto it."""
MOVES = 6
"""Numbers that say how a box must move to be the index's."""


@dataclass(frozen=True, slots=True)
class IndexReadings:
    """What was read at n places; arrays go in parallel."""

    quads_px: Floats
    """(n, 4, 2) corners tl, tr, br, bl in the index's own upright frame."""
    rank: Floats
    """(n, 13) probabilities in the order of RANKS."""
    suit: Floats
    """(n, 4) probabilities in the order of SUITS."""
    is_index: Floats
    """(n,) probability that an index stands there, the way up that *quads_px* says."""

    def __post_init__(self) -> None:
        n = len(self.is_index)
        shapes = (self.quads_px.shape, self.rank.shape, self.suit.shape)
        if shapes != ((n, 4, 2), (n, 13), (n, 4)):
            raise ValueError(f"arrays {shapes} do not fit {n} readings")

    def __len__(self) -> int:
        return len(self.is_index)

    def parts(self) -> tuple[Floats, Floats, Floats, Floats]:
        """The four arrays, as they are passed in."""
        return self.quads_px, self.rank, self.suit, self.is_index

    def code(self, i: int) -> str:
        """The likeliest card of reading *i*, e.g. ``10H``."""
        return RANKS[int(self.rank[i].argmax())] + SUITS[int(self.suit[i].argmax())]

    @property
    def confidence(self) -> Floats:
        """(n,) probability that rank, suit and way up are all right."""
        return np.asarray(self.rank.max(axis=1) * self.suit.max(axis=1) * self.is_index, np.float32)


def upright_quads(corners_px: Floats) -> Floats:
    """(n, 4, 2) with the longer sides standing; a half turn stays open."""
    quads = np.asarray(corners_px, np.float32).reshape(-1, 4, 2)
    sides = side_lengths(quads)
    lying = sides[:, 0] + sides[:, 2] > sides[:, 1] + sides[:, 3]
    return np.where(lying[:, None, None], np.roll(quads, -1, axis=1), quads)


def sides_of(quads: Floats) -> Floats:
    """(n, 2, 2) the sides across and down of *quads* (n, 4, 2), each the mean of two."""
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    return np.asarray(np.stack([across, down], axis=1), np.float32)


def moved(quads: Floats, moves: Floats) -> Floats:
    """*quads* (n, 4, 2) moved by *moves* (n, 6): of the middle, of the side across and of the side down, each as shares
    of both sides. What comes out is a parallelogram."""
    sides = sides_of(quads)
    steps = moves.reshape(-1, 3, 2) @ sides
    half = (sides + steps[:, 1:]) / 2
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    return np.asarray((quads.mean(axis=1) + steps[:, 0])[:, None] + signs @ half, np.float32)


def nearly_square(quads: Floats, ratio: float = 1.2) -> npt.NDArray[np.bool_]:
    """(n,) where height over width says too little about which way the index stands."""
    sides = side_lengths(quads)
    return np.asarray((sides[:, 1] + sides[:, 3]) < ratio * (sides[:, 0] + sides[:, 2]))


def crop_indices(image: Image, quads: Floats) -> Image:
    """(n, 48, 32, 3) crops of *quads* (n, 4, 2), tl first, ENLARGE times as large as their boxes."""
    h, w = CROP_HEIGHT, CROP_WIDTH
    crops = np.empty((len(quads), h, w, 3), np.uint8)
    target = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    middle = quads.mean(axis=1, keepdims=True)
    wide = (quads - middle) * np.float32(ENLARGE) + middle
    for crop, quad in zip(crops, wide, strict=True):
        level = _level(quad)
        part, corner = _halved(image, quad, level) if level else (image, np.zeros(2, np.float32))
        source = ((quad - corner) / 2**level - 0.5).astype(np.float32)
        crop[:] = _warp(part, cv2.getPerspectiveTransform(source, target).astype(np.float64))
    return crops


def _halved(image: Image, quad: Floats, level: int) -> tuple[Image, Floats]:
    """The part of *image* round *quad* halved *level* times, and where ``x y`` in the image its top left is."""
    step, size = 2**level, np.array(image.shape[1::-1])
    low = np.clip((np.floor(quad.min(0) / step) - 2) * step, 0, (size - 1) // step * step).astype(int)
    high = np.maximum((np.ceil(quad.max(0) / step) + 2) * step, low + step).astype(int)
    part = image[low[1] : high[1], low[0] : high[0]]
    for _ in range(level):
        part = _half(part)
    return part, low.astype(np.float32)


def _warp(image: Image, matrix: npt.NDArray[np.float64]) -> Image:
    size = (CROP_WIDTH, CROP_HEIGHT)
    warped = cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return warped.astype(np.uint8)


def _level(quad: Floats) -> int:
    """How often the picture is halved first, so that no pixel of a large index is passed over."""
    tall = float(np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2
    return max(0, int(np.log2(max(tall / CROP_HEIGHT, 1) * 1.3)))


def _half(image: Image) -> Image:
    h, w = image.shape[:2]
    return cv2.resize(image, (max(1, w // 2), max(1, h // 2)), interpolation=cv2.INTER_AREA).astype(np.uint8)


def normalise(crops: Image) -> Floats:
    """(n, 3, height, width) network input: each channel over its own paper white, around 0."""
    return over_paper_white(crops, 0.95)


def over_paper_white(crops: Image, share: float) -> Floats:
    """(n, 3, height, width) around 0: each channel of *crops* (n, height, width, 3) over its paper white, which is what
    this *share* of its pixels does not exceed."""
    planes = crops.transpose(0, 3, 1, 2).astype(np.float32, order="C")
    pixels = planes.reshape(len(crops), 3, crops.shape[1] * crops.shape[2])
    kth = int(share * pixels.shape[2])
    white = np.partition(pixels, kth, axis=2)[:, :, kth]
    planes /= white[:, :, None, None] + 4
    np.minimum(planes, np.float32(1.3), out=planes)
    planes -= np.float32(0.75)
    planes *= np.float32(2.5)
    return planes


Network = Callable[[Floats], Floats]
"""(n, 3, 48, 32) to (n, 25): logits of 14 printed ranks, 4 suits, is it an upright index; then MOVES of the box."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Temperatures:
    """Divide the logits so that 0.9 is right nine times in ten."""

    rank: float = 1.0
    suit: float = 1.0
    is_index: float = 1.0


@dataclass(frozen=True, slots=True)
class CropReadings:
    """What n crops show as they stand; arrays go in parallel."""

    rank: Floats
    """(n, 13) probabilities in the order of RANKS."""
    suit: Floats
    """(n, 4) probabilities in the order of SUITS."""
    is_index: Floats
    """(n,) probability that the crop shows an upright index."""
    moves: Floats
    """(n, 6) how its box must move to be the index's, see ``moved``."""

    def joined(self, others: CropReadings) -> CropReadings:
        """These and *others*, in this order."""
        mine = (self.rank, self.suit, self.is_index, self.moves)
        theirs = (others.rank, others.suit, others.is_index, others.moves)
        return CropReadings(*(np.concatenate(parts) for parts in zip(mine, theirs, strict=True)))


def read_crops(crops: Image, network: Network, heat: Temperatures, letters: Letters = "french") -> CropReadings:
    """What *crops* (n, 48, 32, 3) show as they stand."""
    if len(crops) == 0:
        return CropReadings(*(np.zeros(shape, np.float32) for shape in ((0, 13), (0, 4), (0,), (0, MOVES))))
    said = in_batches(lambda rows: network(normalise(crops[rows])), len(crops), BATCH)
    rank, suit = folded(softmax(said[:, :14], heat.rank), letters), softmax(said[:, 14:18], heat.suit)
    is_index = (1 / (1 + np.exp(-said[:, 18] / heat.is_index))).astype(np.float32)
    return CropReadings(rank, suit, is_index, said[:, 19:])


def folded(printed: Floats, letters: Letters) -> Floats:
    """(n, 13) probabilities of ranks from those of what is printed (n, 14): V's go to the rank it means."""
    rank = printed[:, :13].copy()
    rank[:, RANKS.index(MEANING_OF_V[letters])] += printed[:, 13]
    return rank


def softmax(logits: Floats, temperature: float) -> Floats:
    """Probabilities along the last axis."""
    powers = np.exp((logits - logits.max(axis=-1, keepdims=True)) / temperature)
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), np.float32)


def open_network(path: Path, threads: int) -> tuple[Network, Temperatures]:
    """The network in the ONNX file at *path* and the temperatures written there."""
    session = open_session(path, threads)
    notes = session.get_modelmeta().custom_metadata_map
    heat = {name: float(notes.get(f"temperature_{name}", 1)) for name in ("rank", "suit", "is_index")}

    def network(inputs: Floats) -> Floats:
        logits: Floats = session.run(None, {"crops": inputs})[0]
        return logits

    return network, Temperatures(**heat)


class IndexReader:
    """The trained network at *path*; *threads* of the processor, sessions are safe to share."""

    def __init__(self, path: Path, *, threads: int = 1, letters: Letters = "french") -> None:
        network, self.heat = open_network(path, threads)
        self._network: Network = network
        self.letters: Letters = letters

    def read(self, image: Image, corners_px: Floats) -> IndexReadings:
        """Reads the indices in *corners_px* (n, 4, 2), whichever corner comes first, and turns them upright.

        A box that is nearly square is tried on all four sides, and so is a broad one in which nothing was read: there
        the suit may stand beside the rank.
        """
        quads = upright_quads(corners_px)
        standing = self._standing(image, quads)
        unread = nearly_square(quads, BROAD) & (standing.is_index < 0.5)
        doubtful = np.flatnonzero(nearly_square(quads) | unread)
        if len(doubtful) == 0:
            return standing
        lying = self._standing(image, np.roll(quads[doubtful], -1, axis=1))
        every = [np.concatenate(parts) for parts in zip(standing.parts(), lying.parts(), strict=True)]
        owner = np.concatenate([np.arange(len(quads)), doubtful])
        best = _best_of(owner, every[3] * every[1].max(axis=1), len(quads))
        return IndexReadings(*(part[best] for part in every))

    def _standing(self, image: Image, quads: Floats) -> IndexReadings:
        """The better reading of each of *quads* as it is and upside down; where it may be an index, moved onto it."""
        crops = crop_indices(image, quads)
        upright = read_crops(crops, self._network, self.heat, self.letters)
        unsure = np.flatnonzero(upright.is_index < UPRIGHT)
        down = read_crops(crops[unsure][:, ::-1, ::-1], self._network, self.heat, self.letters)
        said = upright.joined(down)
        turned = np.concatenate([quads, np.roll(quads[unsure], -2, axis=1)])
        owner = np.concatenate([np.arange(len(quads)), unsure])
        best = _best_of(owner, said.is_index * said.rank.max(axis=1), len(quads))
        readings = IndexReadings(turned[best], said.rank[best], said.suit[best], said.is_index[best])
        return self._closer(image, readings, said.moves[best])

    def _closer(self, image: Image, readings: IndexReadings, moves: Floats) -> IndexReadings:
        """*readings* with those that may show an index read again where the box then lies."""
        near = np.flatnonzero(readings.is_index >= WORTH_MOVING)
        if len(near) == 0:
            return readings
        quads = moved(readings.quads_px[near], moves[near])
        said = read_crops(crop_indices(image, quads), self._network, self.heat, self.letters)
        parts = [part.copy() for part in readings.parts()]
        for part, again in zip(parts, (quads, said.rank, said.suit, said.is_index), strict=True):
            part[near] = again
        return IndexReadings(*parts)


def _best_of(owner: npt.NDArray[np.int_], scores: Floats, n: int) -> npt.NDArray[np.int_]:
    """The row with the highest score for each of n owners."""
    order = np.argsort(-scores, kind="stable")
    _, first = np.unique(owner[order], return_index=True)
    assert len(first) == n
    return order[first]
