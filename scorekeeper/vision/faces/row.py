"""The row of a fan or ribbon: its indices stand beside each other on a line or an arc, each a little further turned."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

from scorekeeper.vision.faces.indices import sides_of
from scorekeeper.vision.geometry import Corners, Points

NEAREST = 6
"""Two of so many indices of the row, the nearest that stand alike, tell where others stand."""
ALIKE = (35.0, 1.5)
"""Degrees, and how many times the height, by which indices of one row differ at most."""
ASIDE, SLANT = 0.5, 12.0
"""How far an index stands beside its row, in its heights, and how many degrees aslant, where it just stands in it."""
APART = 0.3
"""Nearer to one of the row than so many of its heights it is that one's own."""
BEYOND, COST = 2.2, 0.3
"""How far beyond two of the row others are looked for, in what lies between them; so much is one more step off."""
GAP, TURNED = (1.6, 5.0), 60.0
"""Between neighbours so many times as far apart as usual, at least and at most, one may be missing, though they differ
by so many degrees, ..."""
TRIED = (0.0, -0.25, 0.25)
"""... about where it would be in an even row: so many of its heights to the right."""
AMID = (0.25, 0.75)
"""An index stands between two others in this part of what lies between them."""

Complex = npt.NDArray[np.complex128]
Floats = npt.NDArray[np.float64]


def off_row(quad: Corners, row: Points) -> float:
    """How far the upright index *quad* stands from where one of the *row* (n, 4, 2), in any order, would.

    Up to 1 it may be one of them; infinitely far on one of them, and where no two of them tell.
    """
    places, ups = _standing(np.concatenate([quad[None], row]))
    gaps, tall = np.abs(places - places[0]), abs(ups[0])
    if (gaps[1:] < APART * tall).any():
        return np.inf
    near = [int(n) for n in np.argsort(gaps)[1:] if _alike(ups[n], ups[0])][:NEAREST]
    pairs = np.array(list(permutations(near, 2)), np.intp).reshape(-1, 2)
    one, other = pairs[np.abs(places[pairs[:, 0]] - places[pairs[:, 1]]) > APART * tall].T
    chord, turn = places[other] - places[one], np.angle(ups[other] / ups[one])
    way = (places[0] - places[one]) / chord
    beyond = np.maximum(np.maximum(-way.real, way.real - 1), 0)
    aside = np.abs(way.imag - _arc(turn, way.real)) * np.abs(chord) / (ASIDE * tall * (1 + beyond))
    slant = _degrees(ups[0] / (ups[one] * np.exp(1j * turn * way.real))) / SLANT
    told = (beyond < BEYOND) & _alike(ups[other], ups[one])
    return float(np.min((np.maximum(aside, slant) + COST * beyond)[told], initial=np.inf))


def gaps_in(row: Points) -> Points:
    """Where (m, 4, 2) in the *row* of upright indices (n, 4, 2) others may stand: evenly between neighbours that are
    much farther apart than most, each tried in several places. The row runs to the right, or down as a column does."""
    places, ups = _standing(row)
    pairs, far = max((_neighbours(places, ups, way) for way in (1j, -1)), key=lambda each: len(each[0]))
    usual = float(np.median(far)) if len(pairs) > 1 else np.inf
    between: list[Points] = []
    for (one, other), gap in zip(pairs, far, strict=True):
        if GAP[0] < gap / usual < GAP[1]:
            shares = np.arange(1, round(gap / usual)) / round(gap / usual)
            arcs = _arc(np.angle(ups[other] / ups[one]), shares)
            aside = 1j * ((places[other] - places[one]) * arcs[:, None] + ups[one] * np.array(TRIED))
            straight = row[one] + (row[other] - row[one]) * shares[:, None, None, None]
            between.append(straight + np.stack([aside.real, aside.imag], -1)[:, :, None])
    return np.concatenate([np.zeros((0, 4, 2), np.float32), *(each.reshape(-1, 4, 2) for each in between)])


def _neighbours(places: Complex, ups: Complex, way: complex) -> tuple[list[tuple[int, int]], list[float]]:
    """Which indices follow each other where the row runs that *way* from the one that stands upright, and how far."""
    away = places[None] - places[:, None]
    steps = away / (way * ups[:, None])  # in heights
    follows = (steps.real > 0.5 * np.abs(steps)) & (np.abs(steps) > APART) & _alike(ups[None], ups[:, None], TURNED)
    far = np.where(follows, np.abs(away), np.inf)
    pairs = [(k, int(far[k].argmin())) for k in range(len(places)) if follows[k].any()]
    pairs = [(one, other) for one, other in pairs if far[:, other].argmin() == one]
    return pairs, [float(far[pair]) for pair in pairs]


def parted(own: Points, others: Points) -> bool:
    """Whether one of *others* (m, 4, 2) stands between two of a card's *own* upright indices (n, 4, 2), which stand as
    in a row: then they are two cards', as what covers one of a card's corners covers what lies beyond it, too."""
    places, ups = _standing(own)
    theirs, their_ups = _standing(others)
    read_once = [not (np.abs(theirs - place) < APART * abs(up)).any() for place, up in zip(places, ups, strict=True)]
    for one, other in combinations(np.flatnonzero(read_once).tolist(), 2):
        chord = places[other] - places[one]
        if _alike(ups[one], ups[other]) and abs(chord) > 0:
            way = (theirs - places[one]) / chord
            aside = np.abs(way.imag * chord) < ASIDE * abs(ups[one])
            if (aside & (way.real > AMID[0]) & (way.real < AMID[1]) & _alike(their_ups, ups[one])).any():
                return True
    return False


def _arc(turn: Floats, way: Floats) -> Floats:
    """How far an arc that turns evenly by *turn* lies beside its chord, some *way* along it, both as shares of it."""
    return -turn / 2 * way * (1 - way)


def _alike(one: Complex, other: Complex, turned: float = ALIKE[0]) -> npt.NDArray[np.bool_]:
    """Whether indices that stand so, *turned* from each other by so many degrees at most, may be of one row."""
    differ = one / other
    return np.asarray((_degrees(differ) < turned) & (np.abs(np.log(np.abs(differ))) < np.log(ALIKE[1])), np.bool_)


def _standing(quads: Points) -> tuple[Complex, Complex]:
    """Where the upright *quads* (n, 4, 2) stand, and which way up and how high, as complex numbers (n,)."""
    return _complex(quads.mean(1)), _complex(-sides_of(quads)[:, 1])


def _complex(points: Points) -> Complex:
    return np.asarray(points[:, 0] + 1j * points[:, 1], np.complex128)


def _degrees(turns: Complex) -> Floats:
    return np.asarray(np.degrees(np.abs(np.angle(turns))), np.float64)
