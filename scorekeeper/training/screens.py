"""Phones and tablets that show cards, and mats on which cards lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import cv2
import numpy as np

from scorekeeper.training import tables
from scorekeeper.training.scene import CODES, DeckSprites, Laid, Points, Sprite
from scorekeeper.training.tables import TOPS, Image, Layer, Rng, colour, noise

SCREEN, MAT = "a screen", "a mat"
"""What stands instead of a deck's name where no card lies."""
PHONES = 0.7
"""So many of the screens are phones, as long as 1.3 to 2.2 cards; the others are tablets, or nearer to the camera."""
ONE = 0.95
"""So many show a single card."""
DEVICE_PX = 480


def screen(rng: Rng, decks: Sequence[DeckSprites]) -> tuple[Sprite, float]:
    """A phone or tablet that shows cards, whose corners stand for its indices, and its length in card lengths."""
    phone = rng.random() < PHONES
    length = float(rng.uniform(1.3, 2.2) if phone else rng.uniform(1.8, 3.5))
    tall, wide = DEVICE_PX, round(DEVICE_PX / float(rng.uniform(1.75, 2.3) if phone else rng.uniform(1.25, 1.6)))
    edge = max(2, round(wide * float(rng.uniform(0.01, 0.09))))
    chin = max(edge, round(tall * float(rng.uniform(0.01, 0.1))))
    glass = (tall - 2 * chin, wide - 2 * edge)
    shown, quads = _shown(rng, decks, _wallpaper(rng, glass))
    body = np.empty((tall, wide, 3), np.uint8)
    body[:] = rng.integers(0, 60) if rng.random() < 0.75 else colour(rng).astype(np.uint8)
    body[chin:-chin, edge:-edge] = np.clip(shown * float(rng.uniform(0.5, 1.15)), 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        body = _reflecting(rng, body)
    alpha = _rounded((tall, wide), round(wide * float(rng.uniform(0, 0.16))))
    return Sprite.of(np.dstack([body, alpha]), None, quads + np.array((edge, chin), np.float32)), length


def mat(rng: Rng) -> tuple[Sprite, float]:
    """A mat, a tray, a book on which cards may lie, and its length in card lengths."""
    tall, wide = 240, round(240 / float(rng.uniform(1, 1.8)))
    top = np.clip(TOPS[rng.integers(len(TOPS))](rng, (tall, tall)), 0, 255).astype(np.uint8)[:, :wide]
    if rng.random() < 0.5:
        cv2.rectangle(top, (0, 0), (wide - 1, tall - 1), colour(rng).tolist(), int(rng.integers(2, 12)))
    return Sprite.of(np.dstack([top, _rounded((tall, wide), int(rng.integers(0, 30)))])), float(rng.uniform(2, 5))


def other(rng: Rng) -> tuple[Sprite, float]:
    """A paper, a chip, a cup on which cards may lie, and its length in card lengths."""
    return Sprite.of(tables.thing(rng, 240)), float(rng.uniform(0.5, 2.5))


def among(rng: Rng, decks: Sequence[DeckSprites], cards: Sequence[Laid], width: float, height: float) -> list[Laid]:
    """*cards* with screens and mats below some of them: a part of each screen may lie under a pile."""
    below: list[Laid] = []
    makers: tuple[tuple[Callable[[Rng], tuple[Sprite, float]], str, int], ...] = (
        (mat, MAT, 1), (other, MAT, 3), (partial(screen, decks=decks), SCREEN, 3),
    )  # fmt: skip
    for make, name, most in makers:
        for _ in range(int(rng.integers(0, most + 1))):
            sprite, length = make(rng)
            x, y = rng.uniform(-0.5, 0.5, 2) * (width + 0.6, height + 0.6)
            angle = float(rng.uniform(0, 2 * np.pi))
            if cards and rng.random() < 0.5:
                near = cards[int(rng.integers(len(cards)))]
                away, far = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.5, 1.6))
                x, y = near.x + far * np.cos(away), near.y + far * np.sin(away)
                angle = near.angle if rng.random() < 0.3 else angle
            below.append(Laid(sprite, float(x), float(y), angle, name, length))
    return [*below, *cards]


def _wallpaper(rng: Rng, size: tuple[int, int]) -> Image:
    """What a screen shows behind its cards: mostly one colour or a table's, now and then white or black."""
    kind = rng.random()
    if kind < 0.5:
        ground = np.ones((*size, 3), np.float32) * colour(rng)
        if rng.random() < 0.4:
            ground *= np.linspace(1, rng.uniform(0.4, 1), size[0], dtype=np.float32)[:, None, None]
    elif kind < 0.65:
        ground = np.full((*size, 3), rng.choice([0, 20, 235, 255]), np.float32)
    else:
        side = max(size)
        ground = TOPS[rng.integers(len(TOPS))](rng, (side, side))[: size[0], : size[1]]
    shown = np.clip(ground, 0, 255).astype(np.uint8).copy()
    if rng.random() < 0.4:  # the bars and buttons of a game
        for y, tall in ((0, rng.uniform(0.03, 0.12)), (1 - rng.uniform(0.05, 0.15), 1)):
            shown[round(y * size[0]) : round((y + tall) * size[0])] = colour(rng).astype(np.uint8)
        for _ in range(int(rng.integers(0, 6))):
            spot = (int(rng.uniform(0.05, 0.9) * size[1]), int(rng.choice([0.06, 0.95]) * size[0]))
            cv2.putText(shown, str(rng.integers(0, 999)), spot, 0, rng.uniform(0.4, 0.9), colour(rng).tolist(), 2)
    return shown


def _shown(rng: Rng, decks: Sequence[DeckSprites], ground: Image) -> tuple[Image, Points]:
    """*ground* with one or several cards on it, and their corners (n, 4, 2)."""
    deck, quads = decks[int(rng.integers(len(decks)))], []
    height, width = ground.shape[:2]
    rows, columns = (1, 1) if rng.random() < ONE else (int(rng.integers(1, 4)), int(rng.integers(1, 4)))
    cell = (height / rows, width / columns)
    for row in range(rows):
        for column in range(columns):
            face = deck.face(str(rng.choice(CODES))) if rng.random() < 0.9 else deck.back
            card = face.levels[0]
            turned = rng.random() < 0.12
            card = np.rot90(card) if turned else card
            fill = float(rng.uniform(0.45, 0.97))
            scale = fill * min(cell[0] / card.shape[0], cell[1] / card.shape[1])
            size = (max(4, round(card.shape[1] * scale)), max(4, round(card.shape[0] * scale)))
            x = round(column * cell[1] + (cell[1] - size[0]) / 2)
            y = round(row * cell[0] + (cell[0] - size[1]) / 2)
            small = cv2.resize(np.ascontiguousarray(card), size, interpolation=cv2.INTER_AREA)
            _paint(ground, np.asarray(small, np.uint8), x, y)
            quads.append([[x, y], [x + size[0], y], [x + size[0], y + size[1]], [x, y + size[1]]])
    return ground, np.array(quads, np.float32)


def _paint(ground: Image, card: Layer, x: int, y: int) -> None:
    """Lays a premultiplied *card* on *ground*."""
    view = ground[y : y + card.shape[0], x : x + card.shape[1]]
    card = card[: view.shape[0], : view.shape[1]]
    view[:] = np.clip(card[..., :3] + view * (1 - card[..., 3:] / 255), 0, 255).astype(np.uint8)


def _reflecting(rng: Rng, body: Image) -> Image:
    """*body* whose glass reflects a lamp or a window."""
    light = noise(rng, body.shape[:2], (2, 2), 2)[..., None] ** 3 * float(rng.uniform(30, 180))
    return np.clip(body + light, 0, 255).astype(np.uint8)


def _rounded(size: tuple[int, int], radius: int) -> Image:
    """The outline (h, w, 1) of something with round corners: 255 within."""
    mask = np.zeros(size, np.uint8)
    h, w = size
    cv2.rectangle(mask, (radius, 0), (w - 1 - radius, h - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (w - 1, h - 1 - radius), 255, -1)
    for x in (radius, w - 1 - radius):
        for y in (radius, h - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    return mask[..., None]
