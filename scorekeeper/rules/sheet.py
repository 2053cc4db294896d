"""The score sheet: a table of hands in plain text, to print or to go on by hand, and for spreadsheets (rules C20)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from fractions import Fraction
from typing import assert_never

from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Rules, Scoring
from scorekeeper.rules.house_notation import format_rules
from scorekeeper.rules.played import Played
from scorekeeper.rules.points import Points, format_points
from scorekeeper.rules.scoring import Hand, Tally, extras_of, worth_left
from scorekeeper.rules.sides import Side, SideId


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What the points of one side in one hand are made of; in a tally of hands the bonus is the hand itself."""

    lake: int = 0
    """Its Lake cards, as any Lake card counts."""
    left: int = 0
    """Nertz cards left, below 0; or what the others have left, for who was done first (rules J5)."""
    ranks: int = 0
    """Lake cards worth more or less than others, beyond what any counts (rules C11)."""
    typed: Points = 0
    """One typed number instead of counts, its bonus in it (rules C17)."""
    bonus: Points = 0
    penalties: int = 0
    """Penalties and extra points, also those given while it was played (rules H5)."""
    handicap: int = 0
    """For each hand (rules H6)."""

    @property
    def points(self) -> Points:
        """All of them together."""
        return sum(astuple(self), Fraction(0))


def parts(played: Played) -> dict[SideId, Parts]:
    """What the points of everybody who is in a hand are made of."""
    return {side.id: _parts(played, side) for side in (*played.sides, *played.absent)}


def _parts(played: Played, side: Side) -> Parts:
    hand, rules = played.hand, played.rules
    given = (*hand.adjustments, *played.penalties)
    beside = Parts(
        penalties=sum(each.points for each in given if each.side == side.id),
        handicap=side.handicap.per_hand if side in played.sides else 0,
    )
    for typed in hand.typed:
        if typed.side == side.id:
            return replace(beside, typed=typed.score)
    counted = replace(beside, bonus=hand.bonus_shares(rules).get(side.id, 0))
    for tally in hand.tallies:
        if tally.side == side.id:
            return _with_counts(counted, tally, hand, rules)
    return counted


def _with_counts(beside: Parts, tally: Tally, hand: Hand, rules: Rules) -> Parts:
    """The cards of one side as its house rules count them."""
    lake, ranks = tally.lake * rules.lake_value, extras_of(tally, rules)
    match rules.scoring:
        case Scoring.POINTS:
            return replace(beside, lake=lake, left=-tally.nertz_left * rules.nertz_penalty, ranks=ranks)
        case Scoring.FOUNDATION:
            return replace(beside, lake=lake, ranks=ranks)
        case Scoring.LEFTOVERS:
            return replace(beside, left=worth_left(hand, tally, rules))
        case Scoring.HANDS:
            return beside
        case scoring:
            assert_never(scoring)


CSV_COLUMNS = (
    "hand", "side", "people", "called", "lake", "left",
    "lake points", "left points", "rank points", "typed points", "bonus", "penalties", "handicap", "points",
    "start", "total", "exact points", "exact total", "disputed",
)  # fmt: skip
"""The first line of the file for spreadsheets; the columns from ``lake points`` to ``handicap`` make ``points``."""
MARK = "\ufeff"
"""The first letter of such a file: it tells a spreadsheet that what follows is UTF-8."""
DECIMALS = 10
"""Decimal places of points that are thirds."""


def score_csv(game: Game, *, semicolon: bool = False) -> str:
    """Every hand of every side as one line for a spreadsheet; empty where nothing was counted.

    With *semicolon* for one that expects these between the columns, and a comma before the decimals.
    """
    text, mark = io.StringIO(), "," if semicolon else "."
    writer = csv.writer(text, delimiter=";" if semicolon else ",")
    writer.writerow(CSV_COLUMNS)
    for number, played in _counting(game):
        for line in _csv_lines(game, number, played):
            writer.writerow([cell if isinstance(cell, str) else _decimal(cell, mark) for cell in line])
    return MARK + text.getvalue()


def _counting(game: Game) -> Iterator[tuple[int, Played]]:
    """The hands that make the score, each with its number."""
    return ((number, played) for number, played in enumerate(game.played, 1) if not played.left_out)


def _csv_lines(game: Game, number: int, played: Played) -> Iterator[list[str | Points]]:
    totals, made_of = game.totals_after(number), parts(played)
    for side in (*played.sides, *played.absent):
        each = made_of[side.id]
        yield [
            number,
            _harmless(side.name),
            _harmless(", ".join(side.people)),
            "yes" if side.id in played.hand.callers else "",
            *_counts(played, side.id),
            *astuple(each),
            each.points,
            game.side(side.id).handicap.start,
            totals[side.id],
            _exact(each.points),
            _exact(totals[side.id]),
            _harmless(played.dispute or ""),
        ]


def _counts(played: Played, side: SideId) -> tuple[str | int, str | int]:
    """Cards in the Lake and cards left; empty where nothing was counted."""
    tally = next((tally for tally in played.hand.tallies if tally.side == side), None)
    if tally is None:
        return "", ""
    lake = "" if played.rules.scoring is Scoring.LEFTOVERS else tally.lake
    return lake, "" if played.rules.scoring is Scoring.FOUNDATION else tally.nertz_left


def _decimal(points: Points, mark: str) -> str:
    """Points as a spreadsheet adds them, *mark* before the decimals: ``14``, ``-2.5`` or ``3.3333333333``."""
    scaled = round(points * 10**DECIMALS)
    whole, rest = divmod(abs(scaled), 10**DECIMALS)
    decimals = f"{rest:0{DECIMALS}}".rstrip("0")
    return f"{'-' if scaled < 0 else ''}{whole}{f'{mark}{decimals}' if decimals else ''}"


def _exact(points: Points) -> str:
    """Points as a whole and a fraction: ``14``, ``3 1/3`` or ``-0 1/2``, which no spreadsheet takes for a date."""
    exact = Fraction(points)
    whole, rest = divmod(abs(exact), 1)
    return f"{'-' if exact < 0 else ''}{whole}{f' {rest}' if rest else ''}"


def _harmless(text: str) -> str:
    """*text* as a spreadsheet shows it: a name such as ``=1+1`` is no formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _heading(game: Game, side: Side) -> str:
    return f"{side.name} (left)" if side.id in game.gone else side.name


def _number(number: int, played: Played) -> str:
    if played.left_out:
        return f"{number} (not counted)"
    return f"{number}?" if played.dispute is not None else str(number)


def _cells(game: Game, played: Played) -> list[str]:
    points = played.points
    calls = played.hand.callers
    return [
        f"{format_points(points[side.id])}{'!' if side.id in calls else ''}" if side.id in points else "-"
        for side in game.sides
    ]
