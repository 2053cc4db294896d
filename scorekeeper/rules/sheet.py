"""The score sheet on paper: a table of hands in plain text, to print, to copy, or to go on by hand (rules C20)."""

from __future__ import annotations

from scorekeeper.rules.game import Game
from scorekeeper.rules.house_notation import format_rules
from scorekeeper.rules.played import Played
from scorekeeper.rules.points import format_points
from scorekeeper.rules.sides import Side


def score_rows(game: Game) -> list[list[str]]:
    """A heading, one row for each hand, and the totals; a dash where a side did not play."""
    starts = [format_points(side.handicap.start) for side in game.sides]
    rows = [["Hand", *(_heading(game, side) for side in game.sides)]]
    rows += [["Start", *starts]] if any(side.handicap.start for side in game.sides) else []
    rows += [[_number(number, played), *_cells(game, played)] for number, played in enumerate(game.played, 1)]
    return [*rows, ["Total", *(format_points(total) for total in game.totals.values())]]


def score_sheet(game: Game, empty: int = 0) -> str:
    """The whole sheet with house rules and verdict; *empty* lines are left before the totals to go on by hand."""
    rows = score_rows(game)
    blank = ["", *("" for _ in game.sides)]
    rows[-1:-1] = [blank] * empty
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([format_rules(game.rules), "", *lines, "", game.verdict]) + "\n"


def _heading(game: Game, side: Side) -> str:
    return f"{side.name} (left)" if side.id in game.gone else side.name


def _number(number: int, played: Played) -> str:
    return f"{number}?" if played.dispute is not None else str(number)


def _cells(game: Game, played: Played) -> list[str]:
    points = played.points
    calls = played.hand.callers
    return [
        f"{format_points(points[side.id])}{'!' if side.id in calls else ''}" if side.id in points else "-"
        for side in game.sides
    ]
