"""What an event does to the end of a game: the standings before and after it, said before it is saved (rules K14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.rules.ending import Contender
from scorekeeper.rules.events import Event, HandRecorded, SideRenamed
from scorekeeper.rules.game import Game
from scorekeeper.rules.names import name_key
from scorekeeper.rules.points import Points
from scorekeeper.rules.said import Said, say


@dataclass(frozen=True, slots=True)
class Line:
    """One contender's line of both standings."""

    name: str
    before: Points | None
    """None for who could not win before."""
    after: Points | None
    """None for who can't win any more."""


@dataclass(frozen=True, slots=True)
class Moved:
    """An end that moves."""

    before: Game
    after: Game

    @property
    def text(self) -> Said:
        """What becomes of the game, in one or two sentences."""
        old, new, verdict = self.before.standing, self.after.standing, self.after.verdict
        if new.late or (old.late and new.state == "over"):
            return say("%(verdict)s.", verdict=verdict)
        if new.state == "tie-breaker":
            return say("This makes it a tie: %(verdict)s.", verdict=verdict)
        if new.state == "playing":
            return say("This reopens the game: %(verdict)s.", verdict=verdict)
        if old.winner and new.winner:
            return say("This takes the win from %(name)s: %(verdict)s.", name=old.winner.name, verdict=verdict)
        return say("This ends the game: %(verdict)s.", verdict=verdict)

    @property
    def lines(self) -> tuple[Line, ...]:
        """Everybody who can win before or after, best first."""
        old, new = (_contenders(game) for game in (self.before, self.after))
        best = sorted({**old, **new}.items(), key=lambda each: -each[1].points)
        return tuple(Line(each.name, _points(old, who), _points(new, who)) for who, each in best)


def _contenders(game: Game) -> dict[str, Contender]:
    """Who can win, or could when the game ended, by name, with the points of all hands."""
    return {name_key(each.name): each for each in (*game.standing.contenders, *game.contenders)}


def _points(contenders: Mapping[str, Contender], key: str) -> Points | None:
    return contenders[key].points if key in contenders else None


def moved_by(before: Game, event: Event, after: Game) -> Moved | None:
    """How *event* moves the end, otherwise than a hand does; None where it stays, or the game just goes on."""
    if isinstance(event, HandRecorded | SideRenamed) or _end(before) == _end(after):
        return None
    return Moved(before, after)


def _end(game: Game) -> object:
    """What the table takes for the end: nothing yet, who is tied, or who has won."""
    standing = game.standing
    if standing.state == "playing":
        return standing.state
    names = {name_key(each.name) for each in standing.leaders}
    return standing.state, standing.late, names, standing.winner is None
