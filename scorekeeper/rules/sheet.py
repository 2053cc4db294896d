"""The score sheet on paper: a table of hands in plain text, to print, to copy, or to go on by hand (rules C20)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

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


CSV_COLUMNS = ("hand", "side", "people", "lake", "left", "called", "bonus", "extra", "points", "total", "disputed")
"""The first line of the file for spreadsheets."""


def score_csv(game: Game) -> str:
    """Every hand of every side as one line for a spreadsheet; empty where nothing was counted."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(CSV_COLUMNS)
    for number, played in enumerate(game.played, 1):
        writer.writerows(_csv_lines(game, number, played))
    return text.getvalue()


def _csv_lines(game: Game, number: int, played: Played) -> Iterator[list[str]]:
    points, totals = played.points, game.totals_after(number)
    tallies = {tally.side: tally for tally in played.hand.tallies}
    shares = played.hand.bonus_shares(played.rules)
    extra = (*played.hand.adjustments, *played.penalties)
    for side in played.sides:
        tally = tallies.get(side.id)
        yield [
            str(number),
            _harmless(side.name),
            _harmless(", ".join(side.people)),
            str(tally.lake) if tally else "",
            str(tally.nertz_left) if tally else "",
            "yes" if side.id in played.hand.callers else "",
            format_points(shares.get(side.id, 0)),
            str(sum(each.points for each in extra if each.side == side.id)),
            format_points(points.get(side.id, 0)),
            format_points(totals[side.id]),
            _harmless(played.dispute or ""),
        ]


def _harmless(text: str) -> str:
    """*text* as a spreadsheet shows it: a name such as ``=1+1`` is no formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


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
