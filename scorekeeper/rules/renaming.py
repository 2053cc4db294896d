"""A side under another name: the same side, in the hands that it has played, too."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scorekeeper.rules.everybody import Everybody
from scorekeeper.rules.names import name_key
from scorekeeper.rules.played import Played, Table
from scorekeeper.rules.sides import Side


@dataclass(frozen=True, slots=True)
class Renaming:
    """One side with its new name. Who plays alone is a person of that name; the people of a team keep theirs."""

    old: Side
    name: str

    def side(self, side: Side) -> Side:
        """*side* as it is called now, or with one of its people as they are."""
        own = side.id == self.old.id
        if self.old.members:
            return replace(side, name=self.name, members=side.people) if own else side
        person = name_key(self.old.name)
        members = tuple(self.name if name_key(who) == person else who for who in side.members)
        return replace(side, name=self.name if own else side.name, members=members)

    def sides(self, sides: tuple[Side, ...]) -> tuple[Side, ...]:
        """The same for several."""
        return tuple(map(self.side, sides))

    def everybody(self, people: Everybody) -> Everybody:
        """*people* with the one who plays alone under the new name."""
        return people if self.old.members else people.renamed(self.old.name, self.name)

    def played(self, hand: Played) -> Played:
        """*hand* as it would have been played under the new name."""
        table = Table(self.sides(hand.table.sides), self.everybody(hand.table.everybody))
        return replace(hand, sides=self.sides(hand.sides), absent=self.sides(hand.absent), table=table)
