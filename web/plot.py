"""Plots as numbers: where the lines, marks and labels of a drawing lie; the templates draw them as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.rules.game import Game
from scorekeeper.rules.points import Points
from scorekeeper.rules.sides import Side, SideId
from scorekeeper.rules.statistics import Figures

WIDTH, HEIGHT = 420, 236
"""Of the curve, in its own units."""
LEFT, RIGHT, TOP, BOTTOM = 48, 68, 14, 26
"""Margins: numbers, totals, air, hands."""
LABEL_GAP = 18.0
"""Between two totals at the ends of their lines."""
LABEL_RISE = 7.0
"""The lowest total stands so far above the bottom, clear of the numbers of the hands."""
FEWEST_HANDS = 5
"""An empty plot has room for so many hands."""
MOST_MARKS = 24
"""More hands than that are marked now and then only."""

DASHES: Mapping[str, str] = {
    "solid": "", "dash": "9 5", "dot": "1.5 5", "double": "16 4", "zigzag": "7 3 2 3", "wave": "12 4 4 4",
    "cross": "4 4", "check": "2 3 6 3", "bar": "20 5 3 5", "ring": "6 6", "star": "3 3 10 3", "plain": "14 8",
}  # fmt: skip
"""The stroke of each side's pattern."""
MARKS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", "M-3.6-3.6h7.2v7.2h-7.2z", "M0-4.8 4.5 3.4h-9z", "M0-5 5 0 0 5-5 0z",
    "M-4.6-1.6h3v-3h3.2v3h3v3.2h-3v3h-3.2v-3h-3z", "M0 4.8-4.5-3.4h9z",
)  # fmt: skip
"""Circle, square, triangle, diamond, plus, triangle on its tip; sides beyond the sixth have them hollow."""


@dataclass(frozen=True, slots=True)
class Line:
    """One side's way through the game."""

    side: Side
    path: tuple[tuple[float, float], ...]
    """Where the side stood after each of its hands, its start before them."""
    dash: str
    mark: str
    hollow: bool

    @property
    def points(self) -> str:
        """The path as SVG wants it."""
        return " ".join(f"{x:g},{y:g}" for x, y in self.path)


@dataclass(frozen=True, slots=True)
class Curve:
    """Totals over hands, and the target."""

    lines: tuple[Line, ...]
    levels: tuple[tuple[float, int], ...]
    """Height and value of each grid line."""
    hands: tuple[tuple[float, int], ...]
    """Place and number of the hands that have a number."""
    target: float | None
    """Height of the target; None where there is none."""
    left: float
    """Where the plot begins; the levels stand before it."""
    right: float
    """Where it ends; the totals stand behind it."""
    ends: tuple[tuple[float, float, Points], ...]
    """Each total of now: its height, the height of its number apart from the others, and the number."""


def curve(game: Game) -> Curve:
    """The score curve of a game; before the first hand its empty frame."""
    number = len(game.played)
    totals = [game.totals_after(hand) for hand in range(number + 1)]
    goal = game.rules.target
    values = [float(total) for each in totals for total in each.values()]
    low, high = min(0.0, *values), max(float(goal), 10.0, *values)
    span = number or FEWEST_HANDS

    def x_of(hand: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * hand / span, 1)

    def y_of(value: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low), 1)

    paths = {
        side.id: tuple((x_of(hand), y_of(float(totals[hand][side.id]))) for hand in range(first, last + 1))
        for side, (first, last) in _spans(game).items()
    }
    lines = tuple(Line(side, paths[side.id], DASHES[side.pattern], *_mark(at)) for at, side in enumerate(game.sides))
    now = sorted({totals[-1][side.id] for side in game.playing}) if number else []
    heights = spread_out([y_of(float(total)) for total in now], LABEL_GAP, TOP, HEIGHT - BOTTOM - LABEL_RISE)
    step = max(1, math.ceil(span / 10))
    return Curve(
        lines,
        tuple((y_of(level), level) for level in levels(low, high)),
        tuple((x_of(hand), hand) for hand in range(0, span + 1, step) if hand),
        y_of(goal) if goal else None,
        LEFT,
        WIDTH - RIGHT,
        tuple((y_of(float(total)), height, total) for total, height in zip(now, heights, strict=True)),
    )


def _spans(game: Game) -> dict[Side, tuple[int, int]]:
    """The hands between which each side's line runs: from before its first to its last."""
    found: dict[Side, tuple[int, int]] = {}
    for side in game.sides:
        theirs = [
            number for number, played in enumerate(game.played, 1) if side.id in {each.id for each in played.sides}
        ]
        end = len(game.played) if side.id not in game.gone else max(theirs, default=0)
        found[side] = (min(theirs, default=1) - 1 if theirs else end, end)
    return found


def _mark(at: int) -> tuple[str, bool]:
    return MARKS[at % len(MARKS)], at // len(MARKS) % 2 == 1


def levels(low: float, high: float, most: int = 6) -> list[int]:
    """Round numbers from *low* to *high*, *most* of them at most: 0, 20, 40 ..."""
    wanted = (high - low) / (most - 1)
    unit = 10 ** math.floor(math.log10(max(wanted, 1)))
    step = next(factor * unit for factor in (1, 2, 5, 10) if factor * unit >= wanted)
    return list(range(math.ceil(low / step) * step, math.floor(high) + 1, step))


def spread_out(heights: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """*heights* moved apart by *gap* at least, within *low* and *high* as far as there is room."""
    gap = min(gap, (high - low) / max(1, len(heights) - 1))
    order = sorted(range(len(heights)), key=lambda at: heights[at])
    placed = [0.0] * len(heights)
    below = low - gap
    for at in order:
        below = placed[at] = max(heights[at], below + gap)
    above = high + gap
    for at in reversed(order):
        above = placed[at] = min(placed[at], above - gap)
    return [round(height, 1) for height in placed]


@dataclass(frozen=True, slots=True)
class Strip:
    """Every hand of one side as a dot on a line of points."""

    side: Side
    y: float
    dots: tuple[tuple[float, int, Points], ...]
    """Place, hand and points."""
    average: float | None
    """Place of the average."""
    mark: str
    hollow: bool


@dataclass(frozen=True, slots=True)
class Strips:
    """The hands of all sides, one line each."""

    strips: tuple[Strip, ...]
    levels: tuple[tuple[float, int], ...]
    height: int


STRIP = 34
"""Height of one side's line."""


def strips(sides: Sequence[Side], figures: Mapping[SideId, Figures]) -> Strips:
    """How the points of each side's hands lie."""
    values = [float(turn.points) for side in sides for turn in figures[side.id].played]
    low, high = min(0.0, *values, 0.0), max(10.0, *values, 0.0)

    def x_of(value: float) -> float:
        return round(16 + (WIDTH - 32) * (value - low) / (high - low), 1)

    def build() -> Iterator[Strip]:
        for at, side in enumerate(sides):
            theirs = figures[side.id]
            dots = tuple((x_of(float(turn.points)), turn.number, turn.points) for turn in theirs.played)
            mean = None if theirs.average is None else x_of(theirs.average)
            yield Strip(side, 26 + STRIP * at, dots, mean, *_mark(at))

    scale = tuple((x_of(level), level) for level in levels(low, high))
    return Strips(tuple(build()), scale, STRIP * len(sides) + 28)
