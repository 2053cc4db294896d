"""What lies on the table when a hand begins: one layout for each game, with every number that follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Layout(StrEnum):
    """The game whose cards are laid out (rules B1-B4, J1, J2, J5, K13)."""

    NERTZ = "as-nertz"
    """A pile, a row of single cards, and the rest as the Stream."""
    NUTS = "as-nuts"
    """A pile, columns of one card fewer each, and the rest; two pairs."""
    PISHE_PASHA = "as-pishe-pasha"
    """One deck dealt out to two players."""
    DOUBLE_SOLITAIRE = "as-double-solitaire"
    """Four foundation cards, the rest of one deck dealt out to two players."""
    CANFIELD = "as-canfield"
    """A pile, one foundation card, a row of single cards, and the rest; one player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a layout fixes; all else follows from the size of deck, pile and River."""

    foundation: int = 0
    """Cards on the foundations before the first play."""
    columns: bool = True
    """Whether there are columns at all."""
    staggered: bool = False
    """Whether each column has one card fewer than the one before, down to one."""
    sharers: int = 1
    """Players who are dealt from one deck."""
    sides: int = 0
    """So many sides play, no more and no fewer; 0 for any number."""
    people: int = 0
    """So many people make one side; 0 for any number."""

    def columns_of(self, number: int) -> tuple[int, ...]:
        """Cards in each of *number* columns at the start: ``(5, 4, 3, 2, 1)``."""
        if not self.columns:
            return ()
        return tuple(range(number, 0, -1)) if self.staggered else (1,) * number


PLANS: Mapping[Layout, Plan] = MappingProxyType(
    {
        Layout.NERTZ: Plan(),
        Layout.NUTS: Plan(staggered=True, sides=2, people=2),
        Layout.PISHE_PASHA: Plan(columns=False, sharers=2, sides=2),
        Layout.DOUBLE_SOLITAIRE: Plan(foundation=4, columns=False, sharers=2, sides=2),
        Layout.CANFIELD: Plan(foundation=1, sides=1),
    }
)

GAMES: Mapping[Layout, str] = MappingProxyType(
    {
        Layout.NERTZ: "Nertz",
        Layout.NUTS: "Nuts",
        Layout.PISHE_PASHA: "Pishe Pasha",
        Layout.DOUBLE_SOLITAIRE: "Double Solitaire",
        Layout.CANFIELD: "Canfield",
    }
)
"""What each game is called."""
