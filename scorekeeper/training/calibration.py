"""Whether beliefs are what they say, and what a limit on them costs: tables and a plot of both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

BINS = (0.0, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
LIMITS = (0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99)


@dataclass(frozen=True, slots=True)
class Judged:
    """One picture's reading."""

    chance: float
    """How likely all of it is right, as is believed."""
    whole: bool
    """Whether it is."""
    asked: bool
    """Whether something is asked about, however likely all is right."""


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What readings of some pictures believe, and what is right."""

    belief: Floats
    """(things,) how likely each thing is right, as is believed."""
    right: Floats
    """(things,) 1 where it is."""
    pictures: Sequence[Judged]


def reliability(belief: Floats, right: Floats) -> Iterator[tuple[float, float, int]]:
    """Mean belief, share right and number of things of each bin."""
    for low, high in zip(BINS, BINS[1:], strict=False):
        here = (belief >= low) & (belief < high if high < 1 else belief <= 1)
        if here.any():
            yield float(belief[here].mean()), float(right[here].mean()), int(here.sum())


def trade_off(pictures: Sequence[Judged]) -> Iterator[tuple[float, float, float, int]]:
    """For each limit: share of whole readings that are certain, share of certain readings that are wrong, certain."""
    whole = sum(picture.whole for picture in pictures)
    for sure in LIMITS:
        certain = [picture for picture in pictures if not picture.asked and picture.chance >= sure]
        good = sum(picture.whole for picture in certain)
        yield sure, good / max(whole, 1), 1 - good / len(certain) if certain else 0.0, len(certain)


def as_code(name: str, features: Iterable[str], weights: Floats) -> str:
    """Fitted *weights* of these *features* as the line of the source that holds them."""
    return f"{name} = {{" + ", ".join(f'"{n}": {w:.2f}' for n, w in zip(features, weights, strict=True)) + "}"


def report(told: Beliefs) -> str:
    """Both tables as text: of the beliefs, and of the limit."""
    lines = ["belief  right   number"]
    lines += [f"{mean:.3f}   {share:.3f}  {count:6d}" for mean, share, count in reliability(told.belief, told.right)]
    lines.append("sure   right ones certain   certain ones wrong   certain")
    for sure, certain, wrong, count in trade_off(told.pictures):
        lines.append(f"{sure:.2f}   {certain:18.1%}   {wrong:18.1%}   {count:7d}")
    return "\n".join(lines)


def plot(path: Path, named: Mapping[str, Beliefs]) -> None:
    """Reliability on the left, trade-off on the right, a line for each of the *named*."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, (left, far) = pyplot.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    left.plot([0, 1], [0, 1], color="0.7")
    left.set(xlabel="belief", ylabel="share right", title="cards")
    far.set(xlabel="right readings that are certain", ylabel="certain readings that are wrong, %", title="pictures")
    most = 1.0
    for name, told in named.items():
        table, curve = list(reliability(told.belief, told.right)), list(trade_off(told.pictures))
        left.plot([b for b, _, _ in table], [r for _, r, _ in table], "o-", label=name)
        far.plot([c for _, c, _, _ in curve], [100 * w for _, _, w, _ in curve], "o-", label=name)
        for sure, certain, wrong, _ in (point for point in curve if point[2] > 0):
            far.annotate(f"{sure:g}", (certain, 100 * wrong), textcoords="offset points", xytext=(4, 4), fontsize=8)
        most = max(most, *(110 * wrong for _, _, wrong, _ in curve))
    far.set_ylim(0, most)
    left.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
