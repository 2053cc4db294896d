"""What a picture can't have shown: more cards than there are, and a Lake that lies turned over already."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.guide.marks import mark
from scorekeeper.rules.house import Rules
from scorekeeper.rules.sides import Side, SideId
from scorekeeper.rules.table import most_left
from web.drafts import owner_of
from web.language import gettext as _
from web.looks import DEAD, Look

FEWEST_BACKS = 6
"""So many finished piles and hardly anything else are a Lake turned over: few tables finish as many."""
HARDLY = 0.25
"""The share of open piles up to which they are hardly anything."""
TOO_MANY = mark("%(number)s cards are more than the %(most)s there are, so nothing was filled in: look at the photo.")


def turned_over(look: Look, sides: Sequence[Side]) -> bool:
    """Whether a picture of the Lake as it lies shows backs where piles should be."""
    finished, piles = sum(card.what == DEAD for card in look.cards), look.total
    if finished > 4 * len(sides):
        return True
    return finished >= FEWEST_BACKS and piles - finished <= HARDLY * finished


def most_in_lake(sides: Sequence[Side], rules: Rules) -> int:
    """All cards of all decks."""
    return rules.deck_size * len(sides)


def can_be(number: int, most: int) -> str:
    """*number* to fill in; nothing where there are not so many cards."""
    return str(number) if number <= most else ""


def too_many(look: Look, step: str, sides: Sequence[Side], rules: Rules, standing: int = 0) -> list[str]:
    """A sentence for each number of a look that can't be; *standing* is what the piles of the Lake add up to."""
    if step == "lake":
        return [] if turned_over(look, sides) else _said(standing, most_in_lake(sides, rules))
    if step == "spread":
        counted = ((side, look.counts.get(owner_of(side), 0)) for side in sides)
        return [f"{side.name}: {text}" for side, number in counted for text in _said(number, rules.deck_size)]
    side = next((side for side in sides if step == f"left.{side.id}"), None)
    return _said(look.total, most_left(side, rules)) if side else []


def left_of(look: Look, side: SideId, sides: Sequence[Side], rules: Rules) -> str:
    """What a side has left by its fan; nothing where it can't have so many."""
    own = next((each for each in sides if each.id == side), None)
    return can_be(look.total, most_left(own, rules)) if own else str(look.total)


def _said(number: int, most: int) -> list[str]:
    return [_(TOO_MANY, number=number, most=most)] if number > most else []
