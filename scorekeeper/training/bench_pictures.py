"""Pictures to time the eye with, composed from drawn decks: Lakes, cards face up, spreads of backs, single backs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import cv2
import numpy as np

from scorekeeper.rules.lake import DeckId
from scorekeeper.training.decks import DeckPool
from scorekeeper.training.scene import CODES, DeckSprites, Laid, Matrix, compose, fan, pile
from scorekeeper.training.tables import Image, Rng, noise
from scorekeeper.vision.camera.sources import encode_jpeg
from scorekeeper.vision.templates import CELL, COLUMNS, ROWS, Signature, balanced

FULL_HD, PHOTO = (1080, 1920), (3024, 4032)
"""Height and width of a video frame and of a phone's photograph of 12 megapixels."""
Task = Literal["lake", "fan", "spread", "enrol"]


@dataclass(frozen=True, slots=True)
class Plan:
    """One row of the benchmark: which pictures, and how long each may take."""

    name: str
    task: Task
    cards: int
    """Piles of a Lake, cards of anything else."""
    decks: int = 4
    size: tuple[int, int] = FULL_HD
    target_ms: int | None = None
    """What the eye promises on two processor cores."""


PLANS = (
    Plan("lake, 24 piles", "lake", 24, target_ms=250),
    Plan("lake, 24 piles, 12 megapixels", "lake", 24, size=PHOTO, target_ms=800),
    Plan("fan, 13 cards", "fan", 13),
    Plan("spread, 40 cards of 4 decks", "spread", 40, target_ms=250),
    Plan("enrol, 1 card", "enrol", 1, 1, target_ms=300),
    *(Plan(f"faces, {cards} cards", "fan", cards) for cards in (10, 50, 100)),
    *(
        Plan(f"spread, {cards} cards of {decks} decks", "spread", cards, decks)
        for decks in (2, 12)
        for cards in (10, 50, 100)
    ),
)


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture as it is sent."""

    data: bytes
    """JPEG."""
    signatures: Mapping[DeckId, Sequence[str]] = field(default_factory=dict)
    """The decks enrolled for a spread."""


def shots(plan: Plan, count: int, seed: int) -> Iterator[Shot]:
    """*count* pictures of *plan*, always the same for one *seed*."""
    for number in range(count):
        rng = np.random.default_rng([seed, number, plan.cards, plan.decks, *plan.size])
        decks = DeckPool(rng, None, plan.decks).decks
        image = _picture(rng, plan, _LAY[plan.task](rng, decks, plan))
        yield Shot(encode_jpeg(image, 88), {DeckId(deck.name): [_signature(deck)] for deck in decks})


def _picture(rng: Rng, plan: Plan, cards: Sequence[Laid]) -> Image:
    """*cards* on felt, filling a picture that is taken a little aslant."""
    height, width = plan.size
    spots = np.array([(abs(card.x) + 0.7, abs(card.y) + 0.7) for card in cards])
    card_px = min(width / 2 / spots[:, 0].max(), height / 2 / spots[:, 1].max(), 0.6 * height)
    tilt = np.deg2rad(rng.uniform(3, 12))
    focal = 1.1 * width
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    view: Matrix = lens @ np.array([[1, 0, 0], [0, np.cos(tilt), 0], [0, np.sin(tilt), focal / card_px]])
    grain = rng.normal(1, 0.05, (*plan.size, 1)) * (0.9 + 0.2 * noise(rng, plan.size, (3, 4)))[..., None]
    felt = np.clip(np.array([62, 96, 34]) * grain, 0, 255).astype(np.uint8)
    return compose(rng, plan.size, cards, view, top=felt, calm=True).image


def _spots(rng: Rng, plan: Plan, room: float) -> list[tuple[float, float]]:
    """Places *room* card lengths apart, in rows as the picture is wide, with some mess."""
    across = max(1, round(float(np.sqrt(plan.cards * plan.size[1] / plan.size[0]))))
    rows = -(-plan.cards // across)
    grid = [(column - (across - 1) / 2, row - (rows - 1) / 2) for row in range(rows) for column in range(across)]
    mess = rng.normal(0, 0.06, (len(grid), 2))
    return [(float(x * room + dx), float(y * room + dy)) for (x, y), (dx, dy) in zip(grid, mess, strict=True)]


def _lake(rng: Rng, decks: Sequence[DeckSprites], plan: Plan) -> list[Laid]:
    laid: list[Laid] = []
    for x, y in _spots(rng, plan, 1.3)[: plan.cards]:
        laid += pile(rng, decks, str(rng.choice(list("SHDC"))), int(rng.integers(1, 14)), x, y, 0.4)
    return laid


def _faces(rng: Rng, decks: Sequence[DeckSprites], plan: Plan) -> list[Laid]:
    laid = []
    for x, y in _spots(rng, plan, 1.05)[: plan.cards]:
        deck = decks[int(rng.integers(len(decks)))]
        laid.append(Laid(deck.face(str(rng.choice(CODES))), x, y, float(rng.uniform(0, 2 * np.pi)), deck.name))
    return laid


def _fan(rng: Rng, decks: Sequence[DeckSprites], plan: Plan) -> list[Laid]:
    if plan.cards > 13 or plan.name.startswith("faces"):
        return _faces(rng, decks, plan)
    return fan(rng, [decks[0].face(str(code)) for code in rng.choice(CODES, plan.cards)], 0, 1.4, 0.0, tidy=True)


def _backs(rng: Rng, decks: Sequence[DeckSprites], plan: Plan) -> list[Laid]:
    """Backs of every deck in turn, overlapping a little."""
    order = rng.permutation(np.arange(plan.cards) % len(decks))
    angles = rng.uniform(0, 2 * np.pi, plan.cards)
    return [
        Laid(decks[owner].back, x, y, float(angle), decks[owner].name)
        for owner, angle, (x, y) in zip(order, angles, _spots(rng, plan, 0.95), strict=False)
    ]


_LAY: Mapping[Task, Callable[[Rng, Sequence[DeckSprites], Plan], list[Laid]]] = {
    "lake": _lake,
    "fan": _fan,
    "spread": _backs,
    "enrol": _backs,
}


def _signature(deck: DeckSprites) -> str:
    size = 2 * COLUMNS * CELL, 2 * ROWS * CELL
    back = cv2.resize(deck.back.levels[0][..., :3], size, interpolation=cv2.INTER_AREA)
    return Signature(balanced(back.astype(np.uint8, copy=False))).to_text()
