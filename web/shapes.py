"""What the templates know: points, marks of sides, distances and fresh request ids."""

from __future__ import annotations

import secrets
from datetime import datetime

from flask import Flask

from scorekeeper.rules.presets import format_rules
from scorekeeper.rules.scoring import PATTERNS, Points, format_points
from web import guard


def teach(app: Flask) -> None:
    """Gives the templates their filters and globals."""
    app.jinja_env.filters.update(points=points, signed=signed, clock=clock, day=day)
    app.jinja_env.globals.update(
        is_keeper=guard.is_keeper,
        who=guard.who,
        fresh_id=lambda: secrets.token_urlsafe(12),
        rules_text=format_rules,
        patterns=PATTERNS,
        share=share,
    )


def points(value: Points | int) -> str:
    """Points with a true minus sign: ``\N{MINUS SIGN}5``."""
    return format_points(value).replace("-", "\N{MINUS SIGN}", 1)


def signed(value: Points | int) -> str:
    """Points gained in a hand, always with a sign."""
    return f"+{points(value)}" if value > 0 else points(value)


def share(value: Points | int, target: int) -> float:
    """How far *value* has come towards *target*, in percent, 0 to 100."""
    return round(float(max(0, min(100, value * 100 / target))), 1)


def clock(at: datetime) -> str:
    """Hours and minutes where the server stands."""
    return at.astimezone().strftime("%H:%M")


def day(at: datetime) -> str:
    return at.astimezone().strftime("%d %b %Y, %H:%M").lstrip("0")
