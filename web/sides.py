"""Who sits at the table during a game: seats and duties, joining and leaving, partners, handicaps, and credit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import RulesError, ScorekeeperError
from scorekeeper.rules.checks import check_sides
from scorekeeper.rules.events import (
    Event,
    HandicapSet,
    PartnersChanged,
    SeatsChanged,
    SideJoined,
    SideLeft,
    SideRenamed,
    SideRestyled,
    SideReturned,
)
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Partnership
from scorekeeper.rules.names import clean, name_key
from scorekeeper.rules.people import duties, propose_partners, seat_order
from scorekeeper.rules.points import Points
from scorekeeper.rules.sides import SideId
from scorekeeper.scorebook import GameId
from web import here
from web.announce import announcement, note_announced
from web.forms import SideRow, fresh_row, people_of, read_handicap, read_row
from web.guard import for_everybody, keepers_only
from web.language import gettext as _
from web.language import said
from web.posted import news_since
from web.refusals import keep_form, troubles_of

bp = Blueprint("sides", __name__)
bp.before_request(for_everybody)
keepers = Blueprint("sides_change", __name__)
keepers.before_request(keepers_only)


@dataclass(frozen=True, slots=True)
class Person:
    """One line of the credit table."""

    name: str
    points: Points
    side: str
    """The side this person plays for now; empty for somebody who does not play."""


@bp.get("/g/<game_id>/sides")
def page(game_id: str) -> str:
    """The seats and duties of the next hand, and everybody's points."""
    return draw(GameId(game_id))


@keepers.post("/g/<game_id>/sides")
def post(game_id: str) -> ResponseReturnValue:
    """A side joins, leaves, comes back, gets a handicap, or partners change."""
    word = GameId(game_id)
    here.game_version(word)
    action, _dot, side = request.form.get("action", "").partition(".")
    keep_form(lambda error: draw(word, error))
    if action not in CHANGES:
        raise RulesError(_("choose what shall change: use one of the buttons"))
    event = CHANGES[action](here.book().game(word), SideId(side))
    note_announced(word, event)
    return redirect(url_for("sides.page", game_id=game_id), 303)


def join(game: Game, _side: SideId) -> Event:
    """A side sits down late, with the points typed."""
    row, wrong = joining(game), list[str]()
    if not row.title:
        wrong.append(_("name the side that joins"))
    others = [each.id for each in game.sides if name_key(each.name) != name_key(row.title)]
    side = row.read(others, wrong) if row.title else None
    if side is None or wrong:
        raise RulesError(*wrong)
    return SideJoined(side)


def leave(_game: Game, side: SideId) -> Event:
    return SideLeft(side, clean(request.form.get("reason", "")))


def rename(game: Game, side: SideId) -> Event:
    """Another name, as typed for one side."""
    name = clean(request.form.get(f"name.{side}", ""))
    if not name:
        raise RulesError(_("%(name)s: type the new name", name=game.side(side).name))
    return SideRenamed(side, name)


def restyle(game: Game, side: SideId) -> Event:
    """Another colour and pattern, as chosen for one side."""
    now = game.side(side)
    chosen = (request.form.get(f"{what}.{side}", "") or getattr(now, what) for what in ("color", "pattern"))
    return SideRestyled(side, *chosen)


def move_up(game: Game, side: SideId) -> Event:
    """One seat further up, in the order of the next hand."""
    order = [each.id for each in seat_order(game)]
    if side not in order[1:]:
        raise RulesError(_("choose somebody who does not sit first"))
    at = order.index(side)
    order[at - 1], order[at] = order[at], order[at - 1]
    return SeatsChanged(tuple(order))


def give_handicap(game: Game, side: SideId) -> Event:
    """Another handicap, as typed for one side."""
    wrong: list[str] = []
    typed = [request.form.get(f"{what}.{side}", "") for what in ("start", "pile", "per_hand")]
    handicap = read_handicap(game.side(side).name, typed[0], typed[1], typed[2], wrong)
    if handicap is None:
        raise RulesError(*wrong)
    return HandicapSet(side, handicap)


def partners(game: Game, _side: SideId) -> Event:
    """The people of each side as typed, where they differ from those whom the form showed before."""
    changed = []
    for side in game.playing:
        before, now = (people_of(request.form.get(f"{what}.{side.id}", "")) for what in ("before", "people"))
        changed += [(side.id, now)] if before != now else []
    return PartnersChanged(tuple(changed))


CHANGES: Mapping[str, Callable[[Game, SideId], Event]] = {
    "join": join,
    "leave": leave,
    "rename": rename,
    "look": restyle,
    "up": move_up,
    "return": lambda _game, side: SideReturned(side),
    "handicap": give_handicap,
    "partners": partners,
}
"""What each button does; the part of its value after the dot says for whom."""


def joining(game: Game) -> SideRow:
    """The side that sits down late, as typed; its look is the next one that nobody has."""
    name = request.form.get("name", "")
    others = [side for side in game.sides if name_key(side.name) != name_key(name)]
    return read_row(request.form.to_dict(), name, len(others))


def credit(game: Game) -> list[Person]:
    """Everybody's own points, most first, where a side is more than one person (rules A5)."""
    if game.rules.partnership is not Partnership.ROTATING and not any(side.members for side in game.sides):
        return []
    sides = {name_key(person): side.name for side in game.playing for person in side.people}
    people = [Person(name, points, sides.get(name_key(name), "")) for name, points in game.credit.items()]
    return sorted(people, key=lambda person: -person.points)


def draw(game_id: GameId, error: ScorekeeperError | None = None) -> str:
    version = here.game_version(game_id)
    game = here.book().game(game_id)
    action = request.form.get("action", "")
    typed = action if error else ""
    return render_template(
        "sides.html",
        game=game,
        game_id=game_id,
        version=version,
        seats=seat_order(game),
        duties=duties(game),
        proposed=[(game.side(side), people) for side, people in propose_partners(game)],
        credit=credit(game),
        hints=[said(each.text) for each in check_sides(game.playing, game.rules) if not each.blocking],
        row=joining(game) if typed == "join" else fresh_row(len(game.sides)),
        typed=typed,
        announcement=announcement(error),
        troubles_said=troubles_of(error),
        news=news_since(game_id, version) if error else [],
        request_id=request.form.get("request_id") if error else None,
    )
