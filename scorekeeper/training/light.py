"""What light and lens do to a picture: shade, glare, colour, blur, noise, JPEG."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.training.tables import Image, Rng, noise

_Float = npt.NDArray[np.float32]


def _shade(rng: Rng, size: tuple[int, int]) -> _Float:
    """Uneven light, about 0.4..1.2 over the picture."""
    field = 1 - rng.uniform(0, 0.45) * noise(rng, size, (1.5, 1.5), 2)
    if rng.random() < 0.3:
        points = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * (size[1], size[0])
        mask = np.zeros(size, np.float32)
        cv2.fillPoly(mask, [points.astype(np.int32)], 1.0)
        soft = cv2.GaussianBlur(mask, (0, 0), rng.choice([1.0, 4.0, 20.0]))
        field *= 1 - rng.uniform(0.2, 0.6) * soft
    return field


def _glare(rng: Rng, size: tuple[int, int]) -> _Float:
    yy, xx = np.mgrid[: size[0], : size[1]].astype(np.float32)
    x, y = rng.uniform(0, size[1]), rng.uniform(0, size[0])
    sx, sy = rng.uniform(0.03, 0.25, 2) * size[1]
    return (rng.uniform(40, 220) * np.exp(-(((xx - x) / sx) ** 2) - ((yy - y) / sy) ** 2)).astype(np.float32)


def lit(rng: Rng, image: Image) -> Image:
    """*image* under some lamp: brightness 0.25..1.2, warm to cold, shaded, sometimes glaring."""
    size = image.shape[:2]
    gain = np.exp(rng.normal(0, 0.1, 3)).astype(np.float32)
    if rng.random() < 0.5:
        warmth = rng.normal(0, 0.18)
        gain *= np.exp(np.array([-warmth, 0, warmth], np.float32))
    exposure = np.clip(rng.normal(0.92, 0.22), 0.3, 1.35)
    out = image.astype(np.float32) * (gain * exposure) * _shade(rng, size)[..., None]
    if rng.random() < 0.2:
        out += _glare(rng, size)[..., None]
    gamma = np.exp(rng.normal(0, 0.18))
    return np.clip(255 * (np.clip(out, 0, 255) / 255) ** gamma, 0, 255).astype(np.uint8)


def calm(rng: Rng, image: Image) -> Image:
    """*image* in good light by a decent camera: a little shade, a little softness, a little noise."""
    field = 1 - 0.15 * noise(rng, image.shape[:2], (1.5, 1.5), 2)
    soft = cv2.GaussianBlur(image, (0, 0), 0.7) * field[..., None] + rng.normal(0, 2, image.shape)
    return np.clip(soft, 0, 255).astype(np.uint8)


def _motion(rng: Rng, image: Image, length: float) -> Image:
    n = max(3, int(length) | 1)
    kernel = np.zeros((n, n), np.float32)
    angle = rng.uniform(0, np.pi)
    dx, dy = np.cos(angle) * n / 2, np.sin(angle) * n / 2
    c = n / 2
    cv2.line(kernel, (int(c - dx), int(c - dy)), (int(c + dx), int(c + dy)), 1.0)
    return np.asarray(cv2.filter2D(image, -1, kernel / max(kernel.sum(), 1)), np.uint8)


def photographed(rng: Rng, image: Image) -> Image:
    """*image* through a webcam or phone: blur, noise, sharpening, JPEG, now and then grey."""
    out = image
    kind = rng.random()
    if kind < 0.45:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), rng.uniform(0.4, 1.3)), np.uint8)
    elif kind < 0.55:
        out = _motion(rng, out, rng.uniform(3, 6))
    elif kind < 0.7:
        factor = rng.uniform(1.2, 2.0)
        small = cv2.resize(out, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
        out = np.asarray(cv2.resize(small, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_CUBIC), np.uint8)
    if rng.random() < 0.25:
        out = np.asarray(cv2.addWeighted(out, 1.8, cv2.GaussianBlur(out, (0, 0), 1.2), -0.8, 0), np.uint8)
    if rng.random() < 0.6:
        grain = cv2.resize(rng.normal(0, rng.uniform(1, 10), (256, 256, 3)).astype(np.float32), image.shape[1::-1])
        grain = np.roll(grain, rng.integers(0, 256, 2), (0, 1))
        out = np.clip(out + grain, 0, 255).astype(np.uint8)
    if rng.random() < 0.08:
        out = np.asarray(cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)
    if rng.random() < 0.6:
        _, jpeg = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 92))])
        out = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
    return out
