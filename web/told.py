"""What players say of their cards, from phones of their own, until the scorekeeper records the hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from scorekeeper.rules.game import Game
from scorekeeper.rules.sides import SideId
from scorekeeper.scorebook import GameId
from web import here
from web.drafts import NEW_HAND, Draft, Look, change_drafts, part_of, read_look

DRAFT = "told"
"""Where the numbers lie among the drafts of a game; recording the hand clears them with it."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one side says it has in the Lake and has left."""

    hand: int
    """Of which hand, counted from 1."""
    left: str
    """The number as typed."""
    who: str = ""
    """Whose phone said it."""
    look: Look | None = None
    """What the eye said of what is left, where the player took a picture."""
    lake: str = ""
    """The cards in the Lake as typed."""


@dataclass(slots=True)
class Count:
    """How often something changed in each game: the version of a stream of its own."""

    _counts: dict[GameId, int] = field(default_factory=dict)

    def version(self, game_id: GameId) -> int:
        return self._counts.get(game_id, 0)

    def more(self, game_id: GameId) -> int:
        """The next version."""
        self._counts[game_id] = self.version(game_id) + 1
        return self._counts[game_id]


def told(game_id: GameId, game: Game) -> dict[SideId, Told]:
    """What the players said of the hand being entered, by side."""
    nobody: dict[SideId, Told] = {}
    known = part_of(here.book().draft(game_id), DRAFT, _all, nobody)
    return {side: said for side, said in known.items() if said.hand == len(game.hands) + 1}


def tell(game_id: GameId, side: SideId, nothing: Told, change: Callable[[Told], Told], *, once: str = "") -> None:
    """Keeps what *change* makes of what a side said before, *nothing* at first; a picture's id comes in *once*."""

    def put(drafts: Mapping[str, Any]) -> dict[str, Any]:
        nobody: dict[SideId, Told] = {}
        known = part_of(drafts, DRAFT, _all, nobody)
        before = known.get(side, nothing)
        said = change(before if before.hand == nothing.hand else nothing)
        looked = _with_look(drafts, f"left.{side}", asdict(before)["look"], said.look)
        return {**looked, DRAFT: {each: asdict(told) for each, told in {**known, side: said}.items()}}

    change_drafts(game_id, put, once=once)


def with_told(draft: Draft, said: Mapping[SideId, Told]) -> Draft:
    """*draft* with what players said where the scorekeeper has typed nothing."""
    numbers = {f"{what}.{side}": getattr(each, what) for side, each in said.items() for what in ("lake", "left")}
    return draft.with_fields({name: number for name, number in numbers.items() if not draft.fields.get(name)})


def _with_look(drafts: Mapping[str, Any], step: str, before: object, look: Look | None) -> dict[str, Any]:
    """*drafts* with a player's picture, where the scorekeeper has taken or corrected none."""
    hand: dict[str, Any] = part_of(drafts, str(NEW_HAND), dict, {})
    looks: dict[str, Any] = part_of(hand, "looks", dict, {})
    if look is None or looks.get(step) not in (None, before):
        return dict(drafts)
    return {**drafts, str(NEW_HAND): {**hand, "looks": {**looks, step: asdict(look)}}}


def _all(kept: Mapping[str, Any]) -> dict[SideId, Told]:
    return {SideId(side): _read(said) for side, said in kept.items()}


def _read(kept: Mapping[str, Any]) -> Told:
    look = kept.get("look")
    return Told(**{**kept, "look": read_look(look) if look else None})
