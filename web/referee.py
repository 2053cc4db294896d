"""The live referee: ready and Go, time-outs, calls and whether they stand, the stuck table, penalties, disputes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import RulesError, ScorekeeperError
from scorekeeper.rules.events import (
    CallRefused,
    CallVerified,
    DisputeSettled,
    Event,
    HandDisputed,
    NertzCalled,
    PenaltyGiven,
    PenaltyRemoved,
    ReadySaid,
    StuckMove,
    StuckMoved,
    TimeOutCalled,
    TimeOutEnded,
    TimeOutReason,
)
from scorekeeper.rules.game import Game
from scorekeeper.rules.live import not_ready
from scorekeeper.rules.names import clean
from scorekeeper.rules.people import duties, seat_order
from scorekeeper.rules.scoring import SideId
from scorekeeper.rules.stuck import BURNS_BEFORE_NERTZ, PASSES, advice, why_not
from scorekeeper.scorebook import GameId
from web import here
from web.board import draw_hand, look, streamed
from web.forms import penalty_typed, whole_number
from web.guard import for_everybody, is_keeper, keepers_only, who
from web.language import gettext as _
from web.language import language
from web.posted import posted_version, request_id
from web.refusals import keep_form, sentence

bp = Blueprint("referee", __name__, url_prefix="/g/<game_id>")
bp.before_request(for_everybody)
keepers = Blueprint("referee_acts", __name__, url_prefix="/g/<game_id>")
keepers.before_request(keepers_only)

BY_SIDE: Mapping[str, Callable[[SideId], Event]] = {
    "ready": ReadySaid,
    "not-ready": lambda side: ReadySaid(side, ready=False),
    "call": NertzCalled,
    "stands": CallVerified,
    "falls": lambda side: CallRefused(side, penalty=_penalty()),
    "second": lambda side: CallRefused(side, second=True),
    "pass": lambda side: StuckMoved(StuckMove.PASS, side),
    "top-card": lambda side: StuckMoved(StuckMove.TOP_CARD, side),
}
"""What a button does for one side, by the first word of its value, such as ``call.amy``."""

BY_TABLE: Mapping[str, Callable[[], Event]] = {
    "time-out": lambda: time_out(),
    "play-on": TimeOutEnded,
    "played": lambda: StuckMoved(StuckMove.PLAY),
    "burn": lambda: StuckMoved(StuckMove.BURN),
    "nertz-burn": lambda: StuckMoved(StuckMove.NERTZ_BURN),
    "penalty": lambda: _given_penalty(),
}
"""What a button does for the whole table."""

AT_ONCE = frozenset({"ready", "not-ready", "call", "pass", "time-out", "penalty"})
"""Taps that count whatever else was tapped at that moment: nobody's call is lost because another call came first."""


@bp.get("/referee")
def page(game_id: str) -> str:
    """The hand in play, for everybody; the buttons are the scorekeeper's."""
    return draw(GameId(game_id))


@bp.get("/referee/now")
def part(game_id: str) -> ResponseReturnValue:
    """The hand in play alone, for a browser that can't have the stream; 204 when it has *seen* this version."""
    version, game = look(game_id)
    if request.args.get("seen") == str(version):
        return "", 204
    return render_template("_referee.html", **_shown(game_id, game, version))


@bp.get("/referee/events")
def events(game_id: str) -> Response:
    """Server-sent events: the hand in play on connect and after every change."""
    here.game_version(GameId(game_id))

    def show() -> str:
        version, now = look(game_id)
        return render_template("_referee.html", **_shown(game_id, now, version))

    return streamed(GameId(game_id), show, f"referee {'keeper' if is_keeper() else 'watcher'} {language()}")


@keepers.post("/referee")
def act(game_id: str) -> ResponseReturnValue:
    """One tap: ``did`` says what happened, such as ``ready.amy``, ``go`` or ``time-out``."""
    word, did = GameId(game_id), request.form.get("did", "")
    here.game_version(word)
    if "HX-Request" not in request.headers:
        keep_form(lambda error: draw(word, error))
    if did in ("go", "go-anyway", "count-down"):
        if did == "count-down":
            _count_down(word)
        _go(word, anyway=did == "go-anyway")
    elif did == "all-ready":
        _all_ready(word)
    else:
        _note(word, did)
    return redirect(url_for("referee.page", game_id=game_id), 303)


@keepers.post("/hands/<int:number>/dispute")
def dispute(game_id: str, number: int) -> ResponseReturnValue:
    """Marks a hand as doubted: the score is unofficial until it is settled (rules H7)."""
    return _settle(game_id, number, HandDisputed(number, _reason()))


@keepers.post("/hands/<int:number>/settle")
def settle(game_id: str, number: int) -> ResponseReturnValue:
    """Ends a dispute with what the table agreed on."""
    return _settle(game_id, number, DisputeSettled(number, _reason()))


def draw(game_id: GameId, error: ScorekeeperError | None = None) -> str:
    """The whole page; after a refusal with the reason."""
    version, game = look(game_id)
    return render_template(
        "referee.html", **_shown(game_id, game, version), trouble=sentence(str(error)) if error else None
    )


def _shown(game_id: str, game: Game, version: int) -> dict[str, object]:
    """What the templates show of the hand in play."""
    rules, live, sides = game.rules, game.live, game.next_sides
    procedure = rules.play.stuck
    return {
        "game": game,
        "game_id": game_id,
        "version": version,
        "sides": sides,
        "live": live,
        "clock": here.book().hand_clock(GameId(game_id)),
        "waiting": not_ready(live, sides),
        "watchable": here.witness().sees and not game.over,
        "duties": duties(game),
        "seats": seat_order(game) if rules.play.rotate_seats else (),
        "tied_names": [game.side(side).name for side in live.tied],
        "advice": advice(live.stuck, sides, procedure),
        "passes": PASSES[procedure],
        "burns_before_nertz": BURNS_BEFORE_NERTZ,
        "why_not": lambda move, side=None: why_not(live.stuck, StuckMove(move), side, sides, procedure),
    }


def _note(game_id: GameId, did: str) -> None:
    """Writes what one button says; raises RulesError for what can't be, StaleGameError for an old page."""
    verb, _dot, side = did.partition(".")
    if verb in BY_SIDE:
        event = BY_SIDE[verb](here.book().game(game_id).side(SideId(side)).id)
    elif did in BY_TABLE:
        event = BY_TABLE[did]()
    elif verb == "remove-penalty":
        event = PenaltyRemoved(whole_number(side) or 0)
    else:
        raise RulesError(_("this page does not know that button: load it again, then tap once more"))
    expected = None if verb in AT_ONCE else posted_version()
    here.book().note(game_id, event, request_id=request_id(event), who=who(), expected=expected)


def _go(game_id: GameId, *, anyway: bool) -> None:
    here.book().begin_hand(
        game_id, request_id=request_id("go", anyway), who=who(), expected=posted_version(), anyway=anyway
    )


def _count_down(game_id: GameId) -> None:
    """Waits until every screen has counted to Go; not where Go would be refused, or was said already."""
    live, sides = here.book().game(game_id).live, here.book().game(game_id).next_sides
    if live.phase == "waiting" and not not_ready(live, sides) and here.book().version(game_id) == posted_version():
        here.parts().countdown.run(game_id)


def _all_ready(game_id: GameId) -> None:
    """Everybody who has not said so yet is ready."""
    game = here.book().game(game_id)
    for side in not_ready(game.live, game.next_sides):
        event = ReadySaid(side.id)
        here.book().note(game_id, event, request_id=request_id(event), who=who())


def _settle(game_id: str, number: int, event: Event) -> ResponseReturnValue:
    here.game_version(GameId(game_id))
    keep_form(lambda error: draw_hand(game_id, number, error))
    here.book().note(GameId(game_id), event, request_id=request_id(event), who=who(), expected=posted_version())
    return redirect(url_for("board.hand", game_id=game_id, number=number), 303)


def _reason() -> str:
    return clean(request.form.get("reason", ""))


def _penalty() -> int:
    """What is taken off for a false call; nothing where the field is empty."""
    typed = request.form.get("penalty", "").strip()
    points = penalty_typed(typed) if typed else 0
    if points is None:
        raise RulesError(_("False call: %(text)r is no whole number: type how much to take off, or 0", text=typed))
    if points > 0:
        raise RulesError(_("False call: %(text)r would add to the score: type how much to take off, or 0", text=typed))
    return -points


def _given_penalty() -> Event:
    typed = request.form.get("points", "").strip()
    points = penalty_typed(typed)
    if not typed:
        raise RulesError(_("Penalty: type 5 to take 5 off, or +5 to add 5"))
    if points is None:
        raise RulesError(_("Penalty: %(text)r is no whole number: type 5 to take 5 off, or +5 to add 5", text=typed))
    return PenaltyGiven(SideId(request.form.get("side", "")), points, _reason())


def time_out(own: SideId | None = None) -> Event:
    """The time-out that a form asks for; an accident is between the sides ticked and the *own* one."""
    wanted = request.form.get("why", "")
    if wanted not in [*TimeOutReason]:
        raise RulesError(_("say why play stops: an accident between two sides, or an emergency"))
    reason = TimeOutReason(wanted)
    between = request.form.getlist("between") if reason is TimeOutReason.ACCIDENT else []
    sides = [own, *between] if own and reason is TimeOutReason.ACCIDENT else between
    return TimeOutCalled(reason, tuple(SideId(side) for side in sides), _reason())
