"""Where the letters of a picture's cards stand: on what shows of each card, and never on each other."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, inf
from statistics import fmean, median

from scorekeeper.rules.lake import Box

Point = tuple[float, float]

CORNER = 0.17
"""How far from the edges of a card its corner letters are printed, as a share of its sides."""
OUTSIDE = 0.8
"""How far beyond its card a label stands that names a corner, in heights of its letters."""
WIDE = 1.9
"""Width of a label in heights of its letters, and a little room."""
STEPS = 24
"""How far a label is moved at most where nothing is free, in quarters of its height."""


def places(boxes: Sequence[Box], labelled: Sequence[bool], letters: float, size: tuple[int, int]) -> list[Point]:
    """A point for the label of each box in a picture of that *size*; *letters* is their height.

    Boxes that are not *labelled* take no room. A card whose middle shows has its label there; one that others cover, as
    in a fan, just outside its outer corner.
    """
    found: list[Point] = [_middle(box) for box in boxes]
    centre = _middle(found) if found else (0.0, 0.0)
    taken: list[Point] = []
    for number in sorted(range(len(boxes)), key=lambda number: _hidden(found[number], number, boxes)):
        if not labelled[number]:
            continue
        if _hidden(found[number], number, boxes) or not _clear(found[number], taken, letters):
            found[number] = _beside(number, boxes, centre, taken, letters, size)
        taken.append(found[number])
    return found


def _beside(
    number: int, boxes: Sequence[Box], centre: Point, taken: Sequence[Point], letters: float, size: tuple[int, int]
) -> Point:
    """The first free place outside the corner of a card that shows best."""
    a, b, c, d = _upright(boxes[number])
    ends = sorted([(a, b, c, d), (c, d, a, b)], key=lambda box: (-_rounded(dist(_middle(box[:2]), centre)), box[0][1]))
    outer = ends[0]
    left = CORNER if _turns_right(outer) else 1 - CORNER  # of cards fanned out the left corner shows, as a rule
    along = min((left, 1 - left), key=lambda along: _hidden(_inside(outer, along, CORNER), number, boxes))
    long_px = dist(outer[0], outer[3]) or 1.0
    ways = [*range(STEPS), *(-step for step in range(1, STEPS))]
    beyond = [_inside(outer, along, -letters * (OUTSIDE + step / 4) / long_px) for step in ways]
    return next((spot for spot in beyond if _clear(spot, taken, letters) and _shown(spot, size, letters)), beyond[0])


def _shown(spot: Point, size: tuple[int, int], letters: float) -> bool:
    """Whether a label there is whole within the picture."""
    (x, y), (width, height) = spot, size
    return WIDE / 2 * letters <= x <= width - WIDE / 2 * letters and letters / 2 <= y <= height - letters / 2


def _turns_right(box: Box) -> bool:
    """Whether the corners come clockwise, as a picture shows them."""
    (ax, ay), (bx, by), _, (dx, dy) = box
    return (bx - ax) * (dy - ay) - (by - ay) * (dx - ax) > 0


def _upright(box: Box) -> Box:
    """The corners in order, the first two those of a short side."""
    a, b, c, d = box
    return box if dist(a, b) <= dist(b, c) else (b, c, d, a)


def _rounded(far: float) -> int:
    """Distances that differ by little are the same: of a row both ends lie as far out."""
    return round(far / 10)


def _inside(box: Box, along: float, across: float) -> Point:
    a, b, c, d = box
    return _between(_between(a, b, along), _between(d, c, along), across)


def _between(one: Point, other: Point, share: float) -> Point:
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def _middle(points: Sequence[Point]) -> Point:
    return fmean(x for x, _ in points), fmean(y for _, y in points)


def tallest(boxes: Sequence[Box]) -> float:
    """How high letters may be so that those of neighbours in a fan find room side by side; endless without a fan."""
    middles = [_middle(box) for box in boxes]
    if not any(_hidden(middle, number, boxes) for number, middle in enumerate(middles)):
        return inf
    near = [min(dist(one, other) for other in middles if other is not one) for one in middles if len(middles) > 1]
    return median(near) / WIDE if near else inf


def _clear(spot: Point, taken: Sequence[Point], letters: float) -> bool:
    return all(_apart(spot, other, letters) for other in taken)


def _apart(one: Point, other: Point, letters: float) -> bool:
    """Whether two labels do not touch."""
    return abs(one[0] - other[0]) >= WIDE * letters or abs(one[1] - other[1]) >= 1.15 * letters


def _hidden(spot: Point, number: int, boxes: Sequence[Box]) -> int:
    """How many other cards lie where *spot* is; any of them may cover it."""
    return sum(other != number and _within(spot, box) for other, box in enumerate(boxes))


def _within(spot: Point, box: Box) -> bool:
    sides = [
        (bx - ax) * (spot[1] - ay) - (by - ay) * (spot[0] - ax)
        for (ax, ay), (bx, by) in zip(box, (*box[1:], box[0]), strict=True)
    ]
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)
