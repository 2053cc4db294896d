"""The referee: lists every problem with a hand instead of stopping at the first."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.rules.checks_counts import check_counts
from scorekeeper.rules.checks_lake import check_lake
from scorekeeper.rules.checks_typed import check_typed
from scorekeeper.rules.house import Rules
from scorekeeper.rules.lake import Evidence
from scorekeeper.rules.problems import Problem
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.sides import Side
from scorekeeper.rules.table import check_sides

__all__ = ["Problem", "check_hand", "check_sides"]


def check_hand(hand: Hand, rules: Rules, sides: Sequence[Side], evidence: Evidence | None = None) -> list[Problem]:
    """Every problem of *hand* as *sides* played it: blocking ones first, then the most exact explanation first."""
    seen = evidence or Evidence()
    problems = [
        *check_counts(hand, rules, sides, seen),
        *check_typed(hand, rules, sides, seen),
        *check_lake(hand, rules, sides, seen),
    ]
    return sorted(problems, key=lambda problem: not problem.blocking)
