"""What a table says of a game beside what happened in it: its name, and whether it is listed and counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.store import Shelf

KIND = "label"
"""Of what lies on the shelf for a game that was named, hidden or deleted."""
MAX_NAME = 60
"""Longest name of a game in characters; more is cut."""


@dataclass(frozen=True, slots=True)
class Label:
    """What one game is called, and where it shows."""

    name: str = ""
    """Empty for a game that is called by who plays."""
    hidden: bool = False
    """Out of the list of games, but counted in every statistic."""
    deleted: bool = False
    """Out of the list, the statistics and the league; its events stay, so that it can be restored."""

    @property
    def listed(self) -> bool:
        """Whether the front page shows the game."""
        return not (self.hidden or self.deleted)


def clean_name(text: str) -> str:
    """*text* as the name of a game: one line, no signs that can't be shown."""
    shown = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(shown.split())[:MAX_NAME].strip()


def following_name(name: str) -> str:
    """The name of the game that follows *name*: ``Christmas`` becomes ``Christmas 2``, then ``Christmas 3``."""
    words, _, number = name.rpartition(" ")
    if words and number.isdecimal() and len(number) < 4:
        return f"{words} {int(number) + 1}"
    return clean_name(f"{name[: MAX_NAME - 2]} 2") if name else ""


def label_of(shelf: Shelf, game_id: str) -> Label:
    """The label of one game; an empty one where nobody gave it any."""
    label: Label | None = shelf.get(KIND, game_id, Label)
    return label or Label()


def all_labels(shelf: Shelf) -> dict[str, Label]:
    """The label of every game that has one."""
    return {game: label or Label() for game, label in shelf.all(KIND, Label).items()}


def change_label(shelf: Shelf, game_id: str, change: Callable[[Label], Label]) -> Label:
    """Puts *change* of the label in its place and returns it."""
    label: Label = shelf.change(KIND, game_id, lambda before: change(before or Label()), Label)
    return label
