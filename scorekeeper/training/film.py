"""A film of a Lake being counted: hands come in, leave cards on the table, take them away again, frame by frame.

The camera stands still, and every frame has a noise of its own, as a webcam's has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.rules.lake import DeckId
from scorekeeper.training.back_designs import Picture, drawn_back
from scorekeeper.training.measure_backs import camera_over, cloth, lay
from scorekeeper.vision.geometry import Image
from scorekeeper.vision.templates import CELL, COLUMNS, ROWS, Signature, balanced

Rng = np.random.Generator
Floats = npt.NDArray[np.float32]

DESIGNS = {DeckId("eyes"): 1, DeckId("blue"): 7, DeckId("green"): 15}
"""The decks of the film, and the seeds their backs are drawn from."""
REACH = 8
"""Frames in which a hand comes in, and in which it leaves."""
AT_ONCE = 5
"""Cards that a hand lays down or takes away in one go."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card on the table, face down."""

    deck: DeckId
    x: float
    """Millimetres from the middle of the picture, to the right."""
    y: float
    """The same, downwards."""
    turn: float
    """Radians."""


@dataclass(frozen=True, slots=True)
class Table:
    """What the camera sees while no hand is in its view."""

    ground: Floats
    """(height, width, 3): cloth without cards."""
    view: Floats
    """(3, 3): from millimetres to pixels."""
    card_px: float
    cards: tuple[Card, ...] = ()

    @property
    def counts(self) -> Counter[DeckId]:
        """Cards per deck that lie there."""
        return Counter(card.deck for card in self.cards)

    def with_cards(self, cards: Sequence[Card]) -> Table:
        """The same table under other cards."""
        return replace(self, cards=tuple(cards))

    def clean(self) -> Image:
        """Its picture without noise."""
        image = self.ground.copy()
        for card in self.cards:
            lay(image, _BACKS[card.deck], self.outline(card), self.card_px)
        return np.clip(image, 0, 255).astype(np.uint8)

    def outline(self, card: Card) -> Floats:
        """Corners (4, 2) of a card in the picture."""
        back = _BACKS[card.deck]
        wide = back.shape[1] / back.shape[0] * 88
        c, s = np.cos(card.turn), np.sin(card.turn)
        box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [wide / 2, 44] @ [[c, s], [-s, c]]
        return cv2.perspectiveTransform((box + [card.x, card.y])[None], self.view)[0].astype(np.float32)


_BACKS: dict[DeckId, Picture] = {deck: drawn_back(np.random.default_rng(seed)) for deck, seed in DESIGNS.items()}


def signatures() -> dict[DeckId, list[str]]:
    """The decks as they are enrolled."""
    size = 2 * COLUMNS * CELL, 2 * ROWS * CELL
    shrunk = {deck: cv2.resize(back[..., :3], size, interpolation=cv2.INTER_AREA) for deck, back in _BACKS.items()}
    return {deck: [Signature(balanced(np.asarray(back, np.uint8))).to_text()] for deck, back in shrunk.items()}


def empty_table(rng: Rng, size: tuple[int, int] = (1080, 1920), *, card_px: float = 150) -> Table:
    """Cloth under a camera that looks down a little aslant."""
    height, width = size
    ground = cv2.resize(_felt(rng), (width, height), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    return Table(ground, camera_over(rng, size, card_px / 88, 12.0), card_px)


def _felt(rng: Rng) -> Image:
    grain = cloth(rng).astype(np.float32)
    return np.clip(np.array([60, 90, 40]) + 0.25 * (grain - grain.mean((0, 1))), 0, 255).astype(np.uint8)


def spread_out(rng: Rng, table: Table, count: int) -> list[Card]:
    """*count* cards of all decks in turn, each in full view, in rows with some mess."""
    height, width = table.ground.shape[:2]
    step = 1.3 * 88
    across = int(0.9 * width / table.card_px * 88 / step)
    rows = -(-count // across)
    if rows * step > 0.95 * height / table.card_px * 88:
        raise ValueError(f"{count} cards do not fit on this table")
    spots = [((n % across - (across - 1) / 2) * step, (n // across - (rows - 1) / 2) * step) for n in range(count)]
    decks = list(DESIGNS)
    return [
        Card(decks[n % len(decks)], x + rng.normal(0, 4), y + rng.normal(0, 4), rng.normal(0, 0.25))
        for n, (x, y) in enumerate(spots)
    ]


def laying(table: Table, cards: Sequence[Card]) -> Iterator[Image]:
    """A hand comes in again and again and leaves *cards* on *table*."""
    lying = list(table.cards)
    for start in range(0, len(cards), AT_ONCE):
        some = cards[start : start + AT_ONCE]
        yield from _reaching(table.with_cards(lying), table.with_cards([*lying, *some]), some)
        lying += some


def taking(table: Table) -> Iterator[Image]:
    """A hand comes in again and again and takes every card away."""
    lying = list(table.cards)
    while lying:
        some, rest = lying[:AT_ONCE], lying[AT_ONCE:]
        yield from _reaching(table.with_cards(lying), table.with_cards(rest), some)
        lying = rest


def _reaching(before: Table, after: Table, cards: Sequence[Card]) -> Iterator[Image]:
    """A hand comes in as far as *cards*, and leaves; under it the table changes."""
    goal = np.mean([cv2.perspectiveTransform(np.array([[[c.x, c.y]]]), before.view)[0, 0] for c in cards], axis=0)
    first, second = before.clean(), after.clean()
    for step in range(REACH):
        yield with_arm(first, goal, (step + 1) / REACH)
    for step in range(REACH):
        yield with_arm(second, goal, 1 - step / REACH)
    yield second


def with_arm(picture: Image, goal_px: npt.ArrayLike, reach: float) -> Image:
    """*picture* with a sleeve and a hand that come from below and are *reach* (0 to 1) of the way to the goal."""
    height, width = picture.shape[:2]
    goal = np.asarray(goal_px, float)
    start = np.array([0.5 * (goal[0] + width / 2), height * 1.25])
    tip = start + (goal - start) * reach
    along = (goal - start) / max(float(np.linalg.norm(goal - start)), 1.0)
    side, size = np.array([-along[1], along[0]]), 0.05 * width
    wrist = tip - along * 1.6 * size
    drawn = picture.copy()
    sleeve = np.array([start - side * 1.3 * size, start + side * 1.3 * size, wrist + side * size, wrist - side * size])
    cv2.fillPoly(drawn, [np.rint(sleeve).astype(np.int32)], (92, 60, 48), cv2.LINE_AA)
    for spread in (-0.6, -0.2, 0.2, 0.6):
        finger = tip + side * spread * size + along * 0.5 * size
        ends = [tuple(int(v) for v in point) for point in (wrist + side * spread * size, finger)]
        cv2.line(drawn, ends[0], ends[1], (120, 160, 215), max(2, int(0.34 * size)), cv2.LINE_AA)
    return drawn


class Grain:
    """A webcam's noise, other for every frame, and quick: pieces of one large field of noise."""

    def __init__(self, rng: Rng, size: tuple[int, int], strength: float = 4.0) -> None:
        self._rng = rng
        self.size = size
        field = rng.normal(0, strength, (size[0] + 64, size[1] + 64, 3))
        self._field = np.rint(field).astype(np.int16)

    def on(self, picture: Image) -> Image:
        """*picture* as the webcam gives it now."""
        y, x = (int(v) for v in self._rng.integers(0, 64, 2))
        noise = self._field[y : y + self.size[0], x : x + self.size[1]]
        return cv2.add(picture, noise, dtype=cv2.CV_8U).astype(np.uint8, copy=False)
