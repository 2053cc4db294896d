"""Sentences and values that several topics of the guide share."""

from __future__ import annotations

from collections.abc import Mapping

from scorekeeper.guide.marks import mark
from scorekeeper.rules.house import Partnership
from scorekeeper.rules.layout import Layout

OTHER_GAMES = (Layout.PISHE_PASHA, Layout.DOUBLE_SOLITAIRE, Layout.CANFIELD)
"""Games that are no Nertz: the guide says only how their score is kept (rules J5)."""

TEAMS: Mapping[object, str] = {
    Partnership.SINGLES: mark("everybody plays alone."),
    Partnership.DOUBLES: mark("teams of two play; an odd player plays alone."),
    Partnership.MIXED_DOUBLES: mark("people play in mixed doubles."),
    Partnership.ROTATING: mark("partners change, and each person has a score of their own."),
}
"""Who plays with whom, where the rules say so (rules A5)."""
