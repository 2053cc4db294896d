"""How far what was seen may be believed: how likely each thing is right, and the fewest to ask a person about."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence


def likely(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """How likely something with these *features* is right, 0 to 1: a logistic regression with *weights* as fitted."""
    return 1 / (1 + math.exp(-sum(weight * features[name] for name, weight in weights.items())))


def odds(chance: float, least: float = 0.003, most: float = 0.9995) -> float:
    """The logarithm of the odds of a *chance*, 0 to 1, which is taken for *least* at least and for *most* at most."""
    kept = min(max(chance, least), most)
    return math.log(kept / (1 - kept))


def least_believed(chances: Sequence[float], sure: float) -> list[int]:
    """Places of the fewest things to ask about so that all others are right together as likely as *sure*, 0 to 1."""
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    rests = [math.prod(chances[place] for place in order[asked:]) for asked in range(len(order) + 1)]
    return order[: next(asked for asked, rest in enumerate(rests) if rest >= sure)]
