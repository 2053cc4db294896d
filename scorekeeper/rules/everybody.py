"""Everybody who ever sat at the table: people by who they are, whatever sides they sat in or left (rules K15)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from scorekeeper.rules.names import name_key
from scorekeeper.rules.sides import Side


@dataclass(frozen=True, slots=True)
class Everybody:
    """The people of a game, each by what the spellings of the name share."""

    names: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """As typed first."""
    starts: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """What each began with."""
    away: frozenset[str] = frozenset()
    """Who left the table and has not sat down again."""

    def seated(self, sides: Iterable[Side]) -> Everybody:
        """With the people of *sides* at the table; who is new begins with the starting score of the side."""
        new = {name_key(who): (who, side.handicap.start) for side in sides for who in side.people}
        names = {**self.names, **{key: who for key, (who, _) in new.items() if key not in self.names}}
        starts = {**self.starts, **{key: start for key, (_, start) in new.items() if key not in self.starts}}
        return Everybody(MappingProxyType(names), MappingProxyType(starts), self.away - new.keys())

    def left(self, side: Side) -> Everybody:
        """With the people of *side* gone."""
        return replace(self, away=self.away | {name_key(who) for who in side.people})

    def given(self, side: Side, more: int) -> Everybody:
        """With *more* points to begin with for the people of *side*."""
        theirs = {name_key(who) for who in side.people}
        starts = {key: start + (more if key in theirs else 0) for key, start in self.starts.items()}
        return replace(self, starts=MappingProxyType(starts))

    def renamed(self, old: str, new: str) -> Everybody:
        """With the person called *old* under the name *new*."""
        before, after = name_key(old), name_key(new)
        names = {after if key == before else key: new if key == before else name for key, name in self.names.items()}
        starts = {after if key == before else key: start for key, start in self.starts.items()}
        away = frozenset(after if key == before else key for key in self.away)
        return Everybody(MappingProxyType(names), MappingProxyType(starts), away)
