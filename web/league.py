"""The league over all evenings: games won and points, person by person, since when one likes."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, datetime, timedelta

from babel.dates import format_date
from flask import Blueprint, render_template, request

from scorekeeper.rules.league import Meeting, Order, evenings, league
from scorekeeper.threads import in_thread
from web import here
from web.guard import for_everybody
from web.language import gettext as _
from web.language import locale

bp = Blueprint("league", __name__)
bp.before_request(for_everybody)

LATE = timedelta(hours=5)
"""A game that begins before five in the morning belongs to the evening before."""
MONTHS = timedelta(days=91)
MOST_EVENINGS = 60
"""So many evenings are listed one by one."""


@bp.get("/league")
def page() -> str:
    """Who has won most; ``?since=2026-01-01`` counts later evenings only, ``?by=points`` or ``average`` orders them."""
    typed, today = request.args.get("since", "").strip(), evening_of(datetime.now().astimezone())
    since = read_day(typed)
    order = next((each for each in Order if each == request.args.get("by")), Order.WON)
    games = [Meeting(evening_of(each.started_at), each.people) for each in here.book().counted()]
    later = [game for game in games if since is None or game.day >= since]
    return render_template(
        "league.html",
        rows=in_thread(league, later, order),
        evenings=in_thread(evenings, later, order)[:MOST_EVENINGS],
        order=order,
        since=since,
        spans={"": _("All"), today.replace(month=1, day=1).isoformat(): _("This year"),
               (today - MONTHS).isoformat(): _("Last 3 months")},
        trouble=_("%(text)r is no date: choose one, or leave it empty", text=typed[:20]) if typed and not since else "",
        date_words=date_words,
    )  # fmt: skip


def evening_of(at: datetime) -> date:
    """The day on which the evening of a moment began, where the server stands."""
    return (at.astimezone() - LATE).date()


def read_day(text: str) -> date | None:
    """The day written as ``2026-01-31``; None for anything else."""
    with suppress(ValueError):
        return date.fromisoformat(text)
    return None


def date_words(day: date) -> str:
    """``3 Jan 2026``."""
    return format_date(day, "d MMM y", locale=locale())
