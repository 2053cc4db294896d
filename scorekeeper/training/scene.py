"""Composes pictures of card tables with their truth: which card lies where, and how much of it shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.rules.cards import RANKS, Suit
from scorekeeper.training import light, tables
from scorekeeper.training.tables import Image, Layer, Rng

Matrix = npt.NDArray[np.float64]
Points = npt.NDArray[np.float32]

CODES = tuple(f"{rank}{suit.value}" for suit in Suit for rank in RANKS)
RASTER = 64
"""Pixels of a card's length where it is told what of each shows."""
FACE, BACK, INDEX = 0, 1, 2
"""Classes of the detector, in the order of its labels."""


@dataclass(frozen=True)
class Sprite:
    """One side of one card, ready to be laid on a table."""

    code: str | None
    """None for a back."""
    levels: tuple[Layer, ...]
    """The picture (h, w, 4) and its halves, for cards of every size without aliasing."""
    indices: Points
    """Corners of each index in pixels of level 0: (n, 4, 2), ``tl tr br bl`` of the index's own upright frame."""

    @classmethod
    def of(cls, image: Layer, code: str | None = None, indices: Points | None = None) -> Sprite:
        """A sprite of a BGRA picture with straight alpha."""
        level = image.copy()
        level[..., :3] = (image[..., :3].astype(np.uint16) * image[..., 3:] // 255).astype(np.uint8)
        levels = [level]
        while level.shape[0] > 48:
            half = (level.shape[1] // 2, level.shape[0] // 2)
            level = np.asarray(cv2.resize(level, half, interpolation=cv2.INTER_AREA), np.uint8)
            levels.append(level)
        return cls(code, tuple(levels), np.zeros((0, 4, 2), np.float32) if indices is None else indices)


@dataclass(frozen=True)
class DeckSprites:
    """A deck: its faces, drawn when first asked for, and its back."""

    make: Callable[[str], Sprite]
    back: Sprite
    name: str = ""
    _made: dict[str, Sprite] = field(default_factory=dict)

    def face(self, code: str) -> Sprite:
        """The face of *code*, such as "10H"."""
        if code not in self._made:
            self._made[code] = self.make(code)
        return self._made[code]


class Laid(NamedTuple):
    """A card on the table; later ones lie on top of earlier ones."""

    sprite: Sprite
    x: float
    """Of the card's middle; the unit is one card length."""
    y: float
    angle: float
    """Radians, clockwise as seen from above."""
    deck: str = ""
    scale: float = 1.0
    """How long it is, in card lengths."""


@dataclass(frozen=True)
class Seen:
    """The truth of one card in the picture."""

    laid: Laid
    corners: Points
    """(4, 2) pixels, ``tl tr br bl`` of the card's own frame; may lie outside the picture."""
    visible: float
    """Share of the card's outline that shows, 0..1; what lies outside the picture does not show."""
    indices: tuple[tuple[Points, float], ...]
    """Each index's corners (4, 2) and the share of it that shows."""


@dataclass(frozen=True)
class Picture:
    """A composed picture and its truth, lowest card first."""

    image: Image
    cards: tuple[Seen, ...]


# ---- the camera ------------------------------------------------------------------------------------------------


def camera(rng: Rng, size: tuple[int, int], card_px: float, *, most_tilt: float = 45) -> Matrix:
    """A homography from the table (card lengths, middle at 0, 0) to a picture of *size* (height, width)."""
    height, width = size
    tilt = np.deg2rad(most_tilt * rng.random() ** 1.5)
    f = max(width, height) / rng.uniform(0.5, 1.3)
    d = f / card_px
    c, s = np.cos(tilt), np.sin(tilt)
    tilted = np.array([[1, 0, 0], [0, c, 0], [0, s, d]])
    turned = _turn(0.0 if rng.random() < 0.5 else rng.uniform(0, 2 * np.pi))
    roll = _turn(rng.choice([0.0, rng.normal(0, 0.15), rng.uniform(0, 2 * np.pi)]))
    lens = np.array([[f, 0, width / 2], [0, f, height / 2], [0, 0, 1]])
    return lens @ roll @ tilted @ turned


def _turn(angle: float) -> Matrix:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _place(card: Laid) -> Matrix:
    """From pixels of the card's level 0 to the table."""
    h, w = card.sprite.levels[0].shape[:2]
    to_middle = np.array([[1 / h, 0, -w / h / 2], [0, 1 / h, -0.5], [0, 0, 1 / card.scale]])
    return np.array([[1, 0, card.x], [0, 1, card.y], [0, 0, 1]]) @ _turn(card.angle) @ to_middle


def sees_whole(view: Matrix, middles: Points, size: tuple[int, int]) -> bool:
    """Whether cards anywhere round their *middles* (n, 2) lie in a picture of *size* (height, width) seen by *view*."""
    around = np.concatenate([middles + turn for turn in ((-0.6, -0.6), (0.6, -0.6), (0.6, 0.6), (-0.6, 0.6))])
    seen = project(around.astype(np.float32), view)
    return bool((seen > 0).all() and (seen < size[::-1]).all())


def project(points: Points, homography: Matrix) -> Points:
    """*points* (..., 2) seen through *homography*."""
    flat = points.reshape(-1, 1, 2).astype(np.float64)
    return cv2.perspectiveTransform(flat, homography).reshape(points.shape).astype(np.float32)


def length_px(quad: Points) -> float:
    """How long a card with these corners (4, 2), ``tl tr br bl``, is on its left side."""
    return float(np.linalg.norm(quad[0] - quad[3]))


def thinned(cards: Sequence[Laid], least_visible: float) -> list[Laid]:
    """*cards*, lowest first, without the most hidden ones, so that each of the others shows by *least_visible*."""
    left, middles = list(cards), np.array([(card.x, card.y) for card in cards]).reshape(-1, 2)
    low = middles.min(0, initial=0) - 1
    to_raster = np.array([[RASTER, 0, -low[0] * RASTER], [0, RASTER, -low[1] * RASTER], [0, 0, 1]])
    size = np.ceil((middles.max(0, initial=0) + 1 - low) * RASTER).astype(int)[::-1]
    while left:
        owner, quads = np.full(size, -1, np.int16), [project(_outline(card), to_raster @ _place(card)) for card in left]
        for number, quad in enumerate(quads):
            cv2.fillConvexPoly(owner, np.round(quad).astype(np.int32), number)
        shows = [_share(owner, quad, number) for number, quad in enumerate(quads)]
        if min(shows) >= least_visible:
            break
        del left[int(np.argmin(shows))]
    return left


def _outline(card: Laid) -> Points:
    """Its corners (4, 2) in pixels of the sprite's level 0."""
    height, width = card.sprite.levels[0].shape[:2]
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)


# ---- drawing ---------------------------------------------------------------------------------------------------


def _window(quad: Points, size: tuple[int, int], margin: int) -> tuple[int, int, int, int] | None:
    x0, y0 = np.floor(quad.min(0)).astype(int) - margin
    x1, y1 = np.ceil(quad.max(0)).astype(int) + margin + 1
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, size[1]), min(y1, size[0])
    return (x0, y0, x1, y1) if x1 - x0 > 1 and y1 - y0 > 1 else None


def _blend(canvas: Image, window: tuple[int, int, int, int], layer: Layer, gain: float = 1.0) -> None:
    """Lays a premultiplied layer onto its window of the canvas."""
    x0, y0, x1, y1 = window
    view = canvas[y0:y1, x0:x1]
    rest = 255 - layer[..., 3:].astype(np.uint16)
    over = layer[..., :3].astype(np.float32) * gain + view * rest / 255
    view[:] = np.clip(over, 0, 255).astype(np.uint8)


def _shadow(canvas: Image, quad: Points, offset: Points, depth: float) -> None:
    size = length_px(quad)
    soft = max(1, int(size * 0.03))
    window = _window(quad + offset, canvas.shape[:2], 3 * soft)
    if window is None:
        return
    x0, y0, x1, y1 = window
    mask = np.zeros((y1 - y0, x1 - x0), np.float32)
    cv2.fillConvexPoly(mask, (quad + offset - (x0, y0)).astype(np.int32), 1.0)
    dark = depth * np.asarray(cv2.blur(mask, (2 * soft + 1, 2 * soft + 1)), np.float32)
    canvas[y0:y1, x0:x1] = (canvas[y0:y1, x0:x1] * (1 - dark[..., None])).astype(np.uint8)


def _lay(canvas: Image, owner: npt.NDArray[np.int16], number: int, card: Laid, homography: Matrix, gain: float) -> None:
    levels = card.sprite.levels
    h, w = levels[0].shape[:2]
    to_picture = homography @ _place(card)
    quad = project(_outline(card), to_picture)
    window = _window(quad, canvas.shape[:2], 1)
    if window is None:
        return
    long_px = max(float(np.linalg.norm(quad[0] - quad[3])), float(np.linalg.norm(quad[1] - quad[2])))
    k = int(np.clip(np.floor(np.log2(max(h / max(long_px, 1) / 1.15, 1))), 0, len(levels) - 1))
    level = levels[k]
    shrink = np.diag([w / level.shape[1], h / level.shape[0], 1.0])
    x0, y0, x1, y1 = window
    shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
    warped = cv2.warpPerspective(level, shift @ to_picture @ shrink, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    layer = np.asarray(warped, np.uint8)
    _blend(canvas, window, layer, gain)
    owner[y0:y1, x0:x1][layer[..., 3] > 127] = number


def _share(owner: npt.NDArray[np.int16], quad: Points, number: int) -> float:
    """How much of *quad* still belongs to card *number*."""
    area = float(cv2.contourArea(quad))
    window = _window(quad, owner.shape, 0)
    if window is None or area < 1:
        return 0.0
    x0, y0, x1, y1 = window
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad - (x0, y0)).astype(np.int32), 1)
    mine = int(np.count_nonzero(mask & (owner[y0:y1, x0:x1] == number)))
    return min(1.0, mine / max(area, float(mask.sum()) if _inside(quad, owner.shape) else area))


def _inside(quad: Points, size: tuple[int, int]) -> bool:
    return bool((quad >= 0).all() and (quad[:, 0] < size[1]).all() and (quad[:, 1] < size[0]).all())


def _drop(canvas: Image, owner: npt.NDArray[np.int16], layer: Layer, x: int, y: int, angle: float) -> None:
    """Drops a square thing with straight alpha at *x*, *y* (its middle), hiding what lies below."""
    size = layer.shape[0]
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), np.rad2deg(angle), 1.0)
    layer = np.asarray(cv2.warpAffine(layer, turn, (size, size)), np.uint8)
    quad = np.array([[x - size / 2, y - size / 2], [x + size / 2, y + size / 2]], np.float32)
    window = _window(quad, canvas.shape[:2], 0)
    if window is None:
        return
    x0, y0, x1, y1 = window
    left, top = int(x - size / 2), int(y - size / 2)
    cut = layer[max(0, y0 - top) : y1 - top, max(0, x0 - left) : x1 - left]
    window = (x0, y0, x0 + cut.shape[1], y0 + cut.shape[0])
    cut = cut.copy()
    cut[..., :3] = (cut[..., :3].astype(np.uint16) * cut[..., 3:] // 255).astype(np.uint8)
    _blend(canvas, window, cut)
    owner[window[1] : window[3], window[0] : window[2]][cut[..., 3] > 127] = -2


def compose(
    rng: Rng,
    size: tuple[int, int],
    cards: Sequence[Laid],
    homography: Matrix,
    *,
    clutter: int = 0,
    hands: int = 0,
    top: Image | None = None,
    calm: bool = False,
) -> Picture:
    """A picture of shape *size* (height, width) of *cards* on a table *top* (any, where None) through *homography*.

    *calm* leaves bad light and bad lenses out.
    """
    canvas = tables.table_top(rng, size) if top is None else top.copy()
    owner = np.full(size, -1, np.int16)
    for _ in range(clutter):
        side = int(rng.uniform(0.06, 0.4) * size[1])
        spot = (int(rng.uniform(0, size[1])), int(rng.uniform(0, size[0])))
        shown = cards[int(rng.integers(len(cards)))].sprite if cards and rng.random() < 0.15 else None
        thing = tables.thing(rng, side) if shown is None else tables.screen(rng, side, shown.levels[0])
        _drop(canvas, owner, thing, *spot, rng.uniform(0, 2 * np.pi))
    depth = rng.uniform(0.1, 0.6) if rng.random() < 0.8 else 0.0
    lean = rng.uniform(-0.03, 0.03, 2)
    paper = rng.uniform(0.9, 1.0)
    quads = []
    for number, card in enumerate(cards):
        quad = project(_outline(card), homography @ _place(card))
        quads.append(quad)
        if depth:
            long_px = length_px(quad)
            _shadow(canvas, quad, (lean * long_px).astype(np.float32), depth * rng.uniform(0.6, 1))
        _lay(canvas, owner, number, card, homography, paper * rng.uniform(0.94, 1.04))
    for _ in range(hands):
        edge = rng.uniform(0, 2 * np.pi)
        spot = (int(size[1] / 2 * (1 + np.sin(edge))), int(size[0] / 2 * (1 + np.cos(edge))))
        _drop(canvas, owner, tables.hand(rng, int(rng.uniform(0.3, 0.8) * size[1])), *spot, edge)
    seen = tuple(
        _truth(owner, number, card, quad, homography)
        for number, (card, quad) in enumerate(zip(cards, quads, strict=True))
    )
    if calm:
        return Picture(light.calm(rng, canvas), seen)
    if rng.random() < 0.4:
        canvas, seen = bent(canvas, seen, float(rng.normal(0, 0.07)))
    return Picture(light.photographed(rng, light.lit(rng, canvas)), seen)


def _truth(owner: npt.NDArray[np.int16], number: int, card: Laid, quad: Points, homography: Matrix) -> Seen:
    indices = (
        project(card.sprite.indices, homography @ _place(card)) if len(card.sprite.indices) else card.sprite.indices
    )
    shares = tuple((index, _share(owner, index, number)) for index in indices)
    return Seen(card, quad, _share(owner, quad, number), shares)


def bent(image: Image, seen: tuple[Seen, ...], strength: float) -> tuple[Image, tuple[Seen, ...]]:
    """The picture and its truth through a lens that bends lines outwards (*strength* > 0) or inwards.

    *strength* is the shift at the picture's corners, as a share of half its diagonal.
    """
    height, width = image.shape[:2]
    middle, reach = np.array([width / 2, height / 2], np.float32), np.hypot(width, height) / 2
    yy, xx = np.mgrid[:height, :width].astype(np.float32)
    far = 1 + strength * (((xx - middle[0]) ** 2 + (yy - middle[1]) ** 2) / reach**2 - 1)
    source = (middle[0] + (xx - middle[0]) * far, middle[1] + (yy - middle[1]) * far)
    picture = cv2.remap(
        image, source[0].astype(np.float32), source[1].astype(np.float32), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )  # fmt: skip

    def moved(points: Points) -> Points:
        away = (points - middle) / reach
        out = away.copy()
        for _ in range(6):
            out = away / (1 + strength * (np.square(out).sum(-1, keepdims=True) - 1))
        return np.asarray(out * reach + middle, np.float32)

    cards = tuple(
        replace(
            card, corners=moved(card.corners), indices=tuple((moved(index), share) for index, share in card.indices)
        )
        for card in seen
    )
    return np.asarray(picture, np.uint8), cards


# ---- what people lay -------------------------------------------------------------------------------------------


def pile(rng: Rng, deck: Sequence[DeckSprites], suit: str, height: int, x: float, y: float, mess: float) -> list[Laid]:
    """A Lake pile A..height of *suit*, bottom first; a king is turned down (rules E3)."""
    ranks = [code for code in CODES if code.endswith(suit)][:height]
    base = rng.uniform(0, 2 * np.pi)
    laid = []
    for code in ranks[-6:]:
        owner = deck[int(rng.integers(len(deck)))]
        sprite = owner.back if code.startswith("K") else owner.face(code)
        angle = base + rng.normal(0, 0.25 * mess) + (np.pi if rng.random() < 0.5 else 0)
        laid.append(Laid(sprite, x + rng.normal(0, 0.08 * mess), y + rng.normal(0, 0.08 * mess), angle, owner.name))
    return laid


def fan(
    rng: Rng, sprites: Sequence[Sprite], x: float, y: float, angle: float, deck: str = "", *, tidy: bool = False
) -> list[Laid]:
    """Cards held like a hand of cards: turned about a point below them; *tidy* shows every left corner."""
    step = np.deg2rad(rng.uniform(5, 16)) * (1 if tidy or rng.random() < 0.85 else -1)
    radius = rng.uniform(0.9, 1.8)
    start = -step * (len(sprites) - 1) / 2
    laid = []
    for k, sprite in enumerate(sprites):
        a = angle + start + step * k + rng.normal(0, 0.015)
        laid.append(
            Laid(
                sprite,
                x + radius * np.sin(a) + rng.normal(0, 0.01),
                y - radius * np.cos(a) + rng.normal(0, 0.01),
                a,
                deck,
            )
        )
    return laid


def ribbon(rng: Rng, sprites: Sequence[Sprite], x: float, y: float, angle: float, deck: str = "") -> list[Laid]:
    """Cards in a row or a column, each covering a part of the one before."""
    down = rng.random() < 0.45
    step = rng.uniform(0.17, 0.5) if down else rng.uniform(0.13, 0.4)
    if rng.random() < 0.15:
        step = -step
    along = np.array([-np.sin(angle), np.cos(angle)]) if down else np.array([np.cos(angle), np.sin(angle)])
    wobble = rng.uniform(0, 0.04)
    laid = []
    for k, sprite in enumerate(sprites):
        spot = np.array([x, y]) + along * step * (k - (len(sprites) - 1) / 2) + rng.normal(0, wobble / 2, 2)
        laid.append(Laid(sprite, float(spot[0]), float(spot[1]), angle + rng.normal(0, wobble), deck))
    return laid
