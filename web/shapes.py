"""What the templates know: points, marks of sides, distances and fresh request ids."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from babel.dates import format_datetime
from babel.numbers import format_decimal
from flask import Flask

from scorekeeper.guide.marks import mark
from scorekeeper.rules.cards import RANKS
from scorekeeper.rules.clock import HandClock
from scorekeeper.rules.house import Rules
from scorekeeper.rules.house_notation import brief_rules
from scorekeeper.rules.names import isolated
from scorekeeper.rules.scoring import Points, Side, format_points
from web import guard
from web.backs import back_of
from web.forms import penalty_typed
from web.language import decimal_symbol, listed, locale
from web.standings import state_words

PATTERN_WORDS = {
    "solid": mark("solid"), "dash": mark("dash"), "dot": mark("dot"), "double": mark("double"),
    "zigzag": mark("zigzag"), "wave": mark("wave"), "cross": mark("cross"), "check": mark("check"),
    "bar": mark("bar"), "ring": mark("ring"), "star": mark("star"), "plain": mark("plain"),
}  # fmt: skip
"""What the outlines of sides are called."""


def teach(app: Flask) -> None:
    """Gives the templates their filters and globals."""
    app.jinja_env.filters.update(points=points, signed=signed, clock=clock, day=day, minutes=minutes, played=played)
    app.jinja_env.filters.update(tenth=tenth, isolated=isolated, letters=letters)
    app.jinja_env.filters["seconds"] = seconds
    app.jinja_env.globals.update(
        back_of=back_of,
        is_keeper=guard.is_keeper,
        who=guard.who,
        fresh_id=lambda: secrets.token_urlsafe(12),
        rules_text=rules_text,
        state_words=state_words,
        patterns=PATTERN_WORDS,
        listed_names=listed_names,
        rank_names=RANKS,
        penalty_typed=penalty_typed,
        decimal_mark=lambda: decimal_symbol(locale()),
        now_ms=lambda: round(datetime.now(UTC).timestamp() * 1000),
    )


def points(value: Points | int) -> str:
    """Points with a true minus sign and the reader's decimal mark: ``\N{MINUS SIGN}5``, ``2.5`` or ``2,5``."""
    mark = decimal_symbol(locale())
    return format_points(value).replace("-", "\N{MINUS SIGN}", 1).replace(".", mark)


def letters(name: str) -> int:
    """How wide a name is in letters: a sign of the far East counts twice, an accent by itself not at all."""
    shown = (char for char in name if not unicodedata.combining(char))
    return max(1, sum(2 if unicodedata.east_asian_width(char) in "FW" else 1 for char in shown))


def tenth(value: float | None) -> str:
    """An average with one decimal: ``11.3``; a dash where there is none."""
    if value is None:
        return "\N{EN DASH}"
    return format_decimal(round(value, 1), "0.0", locale=locale()).replace("-", "\N{MINUS SIGN}", 1)


def seconds(ms: int) -> str:
    """Milliseconds as seconds to the hundredth: ``0.42``."""
    return format_decimal(ms / 1000, "0.00", locale=locale())


def signed(value: Points | int) -> str:
    """Points gained in a hand, with a sign unless they are none."""
    return f"+{points(value)}" if value > 0 else points(value)


def rules_text(rules: Rules) -> str:
    """House rules in short notation with a true minus sign: ``13+10 to 150, x1 \N{MINUS SIGN}2``; no note."""
    return re.sub(r"-(?=\d)", "\N{MINUS SIGN}", brief_rules(rules))


def listed_names(sides: Iterable[Side | str]) -> str:
    """Sides or names as people list them: ``Amy, Ben and Cleo``."""
    return listed([side.name if isinstance(side, Side) else side for side in sides])


def minutes(played: timedelta) -> str:
    """Time played as a clock shows it: ``4:07``, ``1:02:30``."""
    whole = int(played.total_seconds())
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def played(clock: HandClock) -> str:
    """What the clock of a hand shows at this moment."""
    return minutes(clock.played(datetime.now(UTC)))


def clock(at: datetime) -> str:
    """Hours and minutes where the server stands."""
    return at.astimezone().strftime("%H:%M")


def day(at: datetime) -> str:
    """Day and time where the server stands: ``3 Jan 2026, 19:30``."""
    return format_datetime(at.astimezone(), "d MMM y, HH:mm", locale=locale())
