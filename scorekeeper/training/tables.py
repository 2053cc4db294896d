"""What lies under and beside the cards: table tops, cloths, and things that look like cards but are none."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""Shape (height, width, 3), BGR."""
Layer = npt.NDArray[np.uint8]
"""Shape (height, width, 4), BGRA."""
Rng = np.random.Generator
_Float = npt.NDArray[np.float32]


def noise(rng: Rng, size: tuple[int, int], cells: tuple[float, float], octaves: int = 4) -> _Float:
    """Smooth noise in 0..1 of shape *size* (height, width); *cells* is how many blobs fit (down, across)."""
    height, width = size
    total = np.zeros(size, np.float32)
    weight = 1.0
    for octave in range(octaves):
        rows = int(np.clip(cells[0] * 2**octave, 2, height))
        cols = int(np.clip(cells[1] * 2**octave, 2, width))
        grid = rng.random((rows, cols), dtype=np.float32)
        total += weight * cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
        weight *= 0.5
    low, high = float(total.min()), float(total.max())
    return (total - low) / max(high - low, 1e-6)


def colour(rng: Rng, *, low: float = 0.05, high: float = 0.95) -> _Float:
    """A BGR colour in 0..255, any hue, saturated or grey."""
    hsv = np.array([[[rng.integers(0, 180), 255 * rng.random() ** 0.7, 255 * rng.uniform(low, high)]]], np.uint8)
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def _two_tone(mask: _Float, a: _Float, b: _Float) -> _Float:
    return a + (b - a) * mask[..., None]


def _plain(rng: Rng, size: tuple[int, int]) -> _Float:
    base = colour(rng)
    return _two_tone(noise(rng, size, (2, 2), 2) * rng.uniform(0, 0.2), base, colour(rng))


def _felt(rng: Rng, size: tuple[int, int]) -> _Float:
    hue = rng.choice([65, 75, 110, 0, 170, int(rng.integers(0, 180))])
    hsv = np.array([[[hue, rng.integers(90, 240), rng.integers(40, 190)]]], np.uint8)
    base = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
    grain = rng.normal(1, rng.uniform(0.02, 0.1), size).astype(np.float32)
    return base * (grain * (0.85 + 0.3 * noise(rng, size, (3, 3))))[..., None]


def _wood(rng: Rng, size: tuple[int, int]) -> _Float:
    base = np.array([rng.uniform(20, 120), rng.uniform(50, 160), rng.uniform(80, 220)], np.float32)
    if rng.random() < 0.25:
        base = colour(rng, low=0.1)
    cells = (rng.uniform(10, 60), rng.uniform(1, 3))
    grain = noise(rng, size, cells, 4)
    rings = np.sin(grain * rng.uniform(4, 40)).astype(np.float32) * 0.5 + 0.5
    plank = _two_tone(rings * rng.uniform(0.1, 0.5) + grain * 0.4, base, base * rng.uniform(0.3, 0.7))
    if rng.random() < 0.4:
        plank[:: max(8, int(size[0] / rng.uniform(2, 7)))] *= 0.5
    return np.ascontiguousarray(plank.swapaxes(0, 1)) if rng.random() < 0.5 and size[0] == size[1] else plank


def _cloth(rng: Rng, size: tuple[int, int]) -> _Float:
    period = rng.uniform(8, 90)
    angle = rng.uniform(0, np.pi)
    yy, xx = np.mgrid[: size[0], : size[1]].astype(np.float32)
    u = np.cos(angle) * xx + np.sin(angle) * yy
    v = -np.sin(angle) * xx + np.cos(angle) * yy
    pattern = rng.integers(4)
    if pattern == 0:
        mask = (np.sin(2 * np.pi * u / period) > rng.uniform(-0.5, 0.5)).astype(np.float32)
    elif pattern == 1:
        mask = 0.5 * (np.sin(2 * np.pi * u / period) > 0) + 0.5 * (np.sin(2 * np.pi * v / period) > 0)
    elif pattern == 2:
        mask = (np.sin(2 * np.pi * u / period) * np.sin(2 * np.pi * v / period) > rng.uniform(0, 0.8)).astype(
            np.float32
        )
    else:
        mask = (noise(rng, size, (size[0] / period, size[1] / period), 2) > rng.uniform(0.4, 0.7)).astype(np.float32)
    return _two_tone(mask.astype(np.float32), colour(rng), colour(rng))


def _stone(rng: Rng, size: tuple[int, int]) -> _Float:
    mask = noise(rng, size, (rng.uniform(2, 8), rng.uniform(2, 8)), 6)
    return _two_tone(mask, colour(rng), colour(rng, low=0.3))


def _carpet(rng: Rng, size: tuple[int, int]) -> _Float:
    cells = rng.uniform(40, 160)
    return _two_tone(noise(rng, size, (cells, cells), 2), colour(rng, low=0.1), colour(rng, low=0.2))


def _map(rng: Rng, size: tuple[int, int]) -> _Float:
    """Busy print: a newspaper, a map, a table cloth with flowers."""
    top = np.clip(_stone(rng, size), 0, 255).astype(np.uint8)
    for _ in range(rng.integers(20, 120)):
        x, y = rng.integers(0, size[1]), rng.integers(0, size[0])
        ink = tuple(float(c) for c in colour(rng))
        if rng.random() < 0.5:
            text = "".join(rng.choice(list("AKQJ1098765432abcdefgh"), rng.integers(1, 7)))
            cv2.putText(
                top, text, (int(x), int(y)), int(rng.integers(0, 4)), rng.uniform(0.2, 1.2), ink, 1, cv2.LINE_AA
            )
        else:
            end = (int(x + rng.normal(0, 60)), int(y + rng.normal(0, 60)))
            cv2.line(top, (int(x), int(y)), end, ink, int(rng.integers(1, 4)), cv2.LINE_AA)
    return top.astype(np.float32)


TOPS: tuple[Callable[[Rng, tuple[int, int]], _Float], ...] = (
    _plain, _felt, _felt, _wood, _wood, _cloth, _stone, _carpet, _map,
)  # fmt: skip


def table_top(rng: Rng, size: tuple[int, int]) -> Image:
    """A table top of shape *size* (height, width); sometimes two meet, such as a cloth's edge."""
    top = TOPS[rng.integers(len(TOPS))](rng, size)
    if rng.random() < 0.15:
        other = TOPS[rng.integers(len(TOPS))](rng, size)
        x, y, angle = rng.uniform(0, size[1]), rng.uniform(0, size[0]), rng.uniform(0, 2 * np.pi)
        yy, xx = np.mgrid[: size[0], : size[1]]
        side = (np.cos(angle) * (xx - x) + np.sin(angle) * (yy - y)) > size[0] * 0.3
        top = np.where(side[..., None], other, top)
    return np.clip(top, 0, 255).astype(np.uint8)


def _layer(size: int) -> Layer:
    return np.zeros((size, size, 4), np.uint8)


def _fill(rng: Rng, layer: Layer, points: npt.NDArray[np.float32], ink: _Float) -> None:
    cv2.fillPoly(layer, [points.astype(np.int32)], (*(float(c) for c in ink), 255.0), cv2.LINE_AA)


def _chip(rng: Rng, size: int) -> Layer:
    layer, c, r = _layer(size), size // 2, size // 2 - 2
    cv2.circle(layer, (c, c), r, (*map(float, colour(rng)), 255), -1, cv2.LINE_AA)
    edge = (*map(float, colour(rng, low=0.6)), 255)
    for k in range(rng.choice([6, 8])):
        a = k * 360 / 8
        cv2.ellipse(layer, (c, c), (r - r // 8, r - r // 8), 0, a, a + 20, edge, max(2, r // 4))
    cv2.circle(layer, (c, c), int(r * 0.6), edge, max(1, r // 12), cv2.LINE_AA)
    return layer


def _cup(rng: Rng, size: int) -> Layer:
    layer, c = _layer(size), size // 2
    for radius in (0.48, 0.4, 0.36):
        cv2.circle(layer, (c, c), int(size * radius), (*map(float, colour(rng)), 255), -1, cv2.LINE_AA)
    return layer


def _phone(rng: Rng, size: int) -> Layer:
    layer = _layer(size)
    w, h = int(size * rng.uniform(0.4, 0.55)), int(size * 0.96)
    x, y = (size - w) // 2, (size - h) // 2
    dark = float(rng.integers(5, 60))
    cv2.rectangle(layer, (x, y), (x + w, y + h), (dark, dark, dark, 255), -1)
    m = max(2, size // 40)
    if rng.random() < 0.7:
        cv2.rectangle(layer, (x + m, y + 2 * m), (x + w - m, y + h - 2 * m), (*map(float, colour(rng)), 255), -1)
    return layer


def _paper(rng: Rng, size: int) -> Layer:
    """A score sheet, a receipt, a business card: white and rectangular, and yet no card."""
    layer = _layer(size)
    h = int(size * rng.uniform(0.4, 0.95))
    w = int(size * rng.uniform(0.4, 0.95))
    white = float(rng.integers(190, 256))
    cv2.rectangle(layer, (0, 0), (w, h), (white, white, white, 255), -1)
    ink = (*map(float, colour(rng, high=0.6)), 255.0)
    step = max(4, int(size * rng.uniform(0.04, 0.12)))
    for y in range(step, h - 2, step):
        style = rng.integers(3)
        if style == 0:
            cv2.line(layer, (step, y), (int(w * rng.uniform(0.3, 0.95)), y), ink, 1, cv2.LINE_AA)
        elif style == 1:
            text = "".join(rng.choice(list("amyben0123456789+-="), rng.integers(2, 12)))
            cv2.putText(layer, text, (step // 2, y), 0, step / 40, ink, 1, cv2.LINE_AA)
    return layer


def _blob(rng: Rng, size: int) -> Layer:
    """A hand, a sleeve, a sweet: a soft round shape of any colour, often skin."""
    layer = _layer(size)
    n = int(rng.integers(6, 14))
    angles = np.sort(rng.uniform(0, 2 * np.pi, n))
    radii = size / 2 * rng.uniform(0.5, 1.0, n)
    points = size / 2 + np.stack([np.cos(angles) * radii, np.sin(angles) * radii], 1)
    skin = np.array([rng.uniform(60, 180), rng.uniform(80, 200), rng.uniform(110, 250)], np.float32)
    _fill(rng, layer, points.astype(np.float32), skin if rng.random() < 0.6 else colour(rng))
    return np.asarray(cv2.GaussianBlur(layer, (0, 0), size / 60), np.uint8)


THINGS = (_chip, _chip, _cup, _phone, _paper, _paper, _blob)


def thing(rng: Rng, size: int) -> Layer:
    """Something on the table that is no card, in a square of *size* pixels with alpha."""
    return THINGS[rng.integers(len(THINGS))](rng, size)


def screen(rng: Rng, size: int, card: Layer) -> Layer:
    """A phone that shows a *card* (h, w, 4): it looks like one and counts as none."""
    layer = _phone(rng, size)
    width = max(4, int(size * rng.uniform(0.16, 0.34)))
    height = min(int(width * card.shape[0] / card.shape[1]), int(size * 0.8))
    shown = cv2.resize(card, (width, height), interpolation=cv2.INTER_AREA)
    y, x = (size - height) // 2, (size - width) // 2
    cover = shown[..., 3:].astype(np.float32) / 255
    view = layer[y : y + height, x : x + width, :3]
    view[:] = np.clip(view * (1 - cover) + shown[..., :3] * rng.uniform(0.7, 1.2), 0, 255).astype(np.uint8)
    return layer


def hand(rng: Rng, size: int) -> Layer:
    """An arm that reaches in from below, with fingers: skin or sleeve coloured."""
    layer = _layer(size)
    skin = np.array([rng.uniform(60, 190), rng.uniform(80, 210), rng.uniform(110, 250)], np.float32)
    ink = (*map(float, skin), 255.0)
    c, palm = size / 2, size * 0.5
    cv2.ellipse(layer, (int(c), int(palm)), (int(size * 0.17), int(size * 0.2)), 0, 0, 360, ink, -1, cv2.LINE_AA)
    for k in range(5):
        angle = np.deg2rad(-150 + 30 * k + rng.normal(0, 6))
        length = size * rng.uniform(0.28, 0.42)
        tip = (int(c + np.cos(angle) * length), int(palm + np.sin(angle) * length))
        cv2.line(layer, (int(c), int(palm)), tip, ink, max(2, int(size * 0.07)), cv2.LINE_AA)
    sleeve = (*map(float, colour(rng)), 255.0) if rng.random() < 0.6 else ink
    cv2.rectangle(layer, (int(c - size * 0.14), int(palm + size * 0.12)), (int(c + size * 0.14), size), sleeve, -1)
    shade = 0.8 + 0.3 * noise(rng, (size, size), (4, 4), 2)
    layer[..., :3] = np.clip(layer[..., :3] * shade[..., None], 0, 255).astype(np.uint8)
    return np.asarray(cv2.GaussianBlur(layer, (0, 0), max(0.5, size / 150)), np.uint8)
