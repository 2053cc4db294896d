"""A player's own phone: ready, the buzzer, a time-out, and the own cards in the Lake and left; nothing else."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from dataclasses import replace

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import RulesError, ScorekeeperError
from scorekeeper.guide.marks import mark
from scorekeeper.rules.buzzer import Ping, moment
from scorekeeper.rules.events import Event, NertzCalled, ReadySaid
from scorekeeper.rules.game import Game
from scorekeeper.rules.live import not_ready
from scorekeeper.rules.names import clean
from scorekeeper.rules.sides import Side, SideId
from scorekeeper.rules.table import most_left
from scorekeeper.scorebook import GameId
from web import here
from web.board import look, streamed
from web.bodies import takes_pictures
from web.buzzer import Press
from web.caller import address, caller
from web.drafts import has_arrived, unwanted
from web.forms import whole_number
from web.guard import for_everybody, is_keeper
from web.hand_form import asked
from web.hands import look_at_fan
from web.language import gettext as _
from web.language import language
from web.layers import face, layers
from web.players import Seat
from web.possible import can_be, too_many
from web.posted import late, of_this_hand, picture_id, request_id
from web.referee import time_out
from web.refusals import keep_form, sentence
from web.seats import my_seat, players_only, rise, seat, sit
from web.standings import standings, verdict
from web.told import Told, tell, told
from web.uploads import eye, uploaded

bp = Blueprint("play", __name__, url_prefix="/g/<game_id>/play")
bp.before_request(for_everybody)
acts = Blueprint("play_acts", __name__, url_prefix="/g/<game_id>/play")
acts.before_request(players_only)

logger = logging.getLogger(__name__)

MAX_NAME = 40
MOST_PINGS = 12
"""Comparisons of clocks that a press may bring along."""


@bp.get("")
def page(game_id: str) -> ResponseReturnValue:
    """The player's page; a phone without a seat is asked for the code and its side."""
    version, game = look(game_id)
    newest = here.parts().tables.newest(game_id)
    if game.over and newest != game_id and seat(newest):
        return redirect(url_for("play.page", game_id=newest), 303)
    taken = seat(game_id)
    if taken is None:
        return draw_join(game_id, game, request.args.get("code", ""))
    return draw(game_id, taken)


@bp.post("/join")
def join(game_id: str) -> ResponseReturnValue:
    """Takes a seat by the player code; wrong codes wait longer and longer."""
    version, game = look(game_id)
    typed, tries = request.form.get("code", ""), here.parts().codes
    wait = 0.0 if is_keeper() else tries.wait_s(caller())
    if wait > 0:
        text = _("Too many wrong codes. Wait %(seconds)s seconds, then try again.", seconds=math.ceil(wait))
        return draw_join(game_id, game, typed, text), 429
    if not is_keeper() and not here.parts().players.fits(game_id, typed):
        tries.wrong(caller())
        logger.warning("wrong player code for game %s from %s", game_id, address())
        text = _("That is not the player code. The scorekeeper finds it on the page Join.")
        return draw_join(game_id, game, typed, text), 403
    side = next((side for side in game.playing if side.id == request.form.get("side")), None)
    if side is None:
        return draw_join(game_id, game, typed, _("Choose the side you play for.")), 422
    name = clean(request.form.get("name", ""))[:MAX_NAME]
    keep_form(lambda error: draw_join(game_id, game, typed, sentence(str(error))))
    before = seat(game_id)
    sit(game_id, here.parts().players.join(game_id, side, name, time.time(), before.key if before else ""))
    return redirect(url_for("play.page", game_id=game_id), 303)


@bp.post("/leave")
def leave(game_id: str) -> ResponseReturnValue:
    """Gives the seat back: this phone only watches again."""
    here.game_version(GameId(game_id))
    rise(game_id)
    return redirect(url_for("board.page", game_id=game_id), 303)


@acts.get("/now")
def part(game_id: str) -> ResponseReturnValue:
    """The hand in play for one player alone; 204 when the phone has *seen* this version."""
    version, game = look(game_id)
    taken = my_seat(game_id)
    if request.args.get("seen") == str(version):
        return "", 204
    return render_template("_play_now.html", **_shown(game_id, game, version, taken))


@acts.get("/events")
def events(game_id: str) -> Response:
    """Server-sent events: the hand in play for one player, on connect and after every change."""
    here.game_version(GameId(game_id))
    taken = my_seat(game_id)

    def show() -> str:
        version, now = look(game_id)
        return render_template("_play_now.html", **_shown(game_id, now, version, taken))

    return streamed(GameId(game_id), show, f"play {taken.side} {language()}")


@acts.post("")
def act(game_id: str) -> ResponseReturnValue:
    """One tap for the own side: ``did`` is ``ready``, ``not-ready``, ``call`` or ``time-out``."""
    version, game = look(game_id)
    taken = my_seat(game_id)
    if "HX-Request" not in request.headers:
        keep_form(lambda error: draw(game_id, taken, error))
    of_this_hand(game)
    did = request.form.get("did", "")
    if did == "call":
        _press(GameId(game_id), taken)
    else:
        event = _said(did, taken.side)
        here.book().note(GameId(game_id), event, request_id=request_id(event), who=_who(game, taken))
    if "HX-Request" not in request.headers:
        return redirect(url_for("play.page", game_id=game_id), 303)
    version, game = look(game_id)
    return render_template("_play_now.html", **_shown(game_id, game, version, taken))


@acts.post("/left")
def left(game_id: str) -> ResponseReturnValue:
    """Tells the scorekeeper how many cards the own side has in the Lake and has left; ``field`` where one was typed."""
    version, game = look(game_id)
    taken = my_seat(game_id)
    if "HX-Request" not in request.headers:
        keep_form(lambda error: draw(game_id, taken, error))
    of_this_hand(game)
    asks = {"lake", "left"} & asked(game.rules) & set(request.form)
    asks &= {request.form["field"]} if "field" in request.form else asks
    numbers = {what: _counted(game, taken, what) for what in asks}

    def typed_too(before: Told) -> Told:
        lake, left = numbers.get("lake", before.lake), numbers.get("left", before.left)
        return replace(before, lake=lake, left=left, who=_who(game, taken))

    return _told(game_id, taken, typed_too)


def _counted(game: Game, taken: Seat, what: str) -> str:
    """The number typed for ``lake`` or ``left``, empty for none; raises RulesError for one that can't be."""
    typed = request.form.get(what, "").strip()
    number, most = whole_number(typed), _most(game, taken.side, what)
    if typed and (number is None or not 0 <= number <= most):
        message = mark("%(text)r can't be left in your %(Pile)s: enter a number from 0 to %(most)s")
        message = (
            mark("%(text)r can't lie in the %(Lake)s: enter a number from 0 to %(most)s") if what == "lake" else message
        )
        raise RulesError(_(message, text=typed[:20], most=most))
    return "" if number is None else str(number)


@acts.post("/fan")
@takes_pictures
def fan(game_id: str) -> ResponseReturnValue:
    """Counts what the own pile has left, from a picture of its fan."""
    version, game = look(game_id)
    taken = my_seat(game_id)
    keep_form(lambda error: _draw_left(game_id, taken, error))
    of_this_hand(game)
    if has_arrived(GameId(game_id), picture_id()):
        return _said_so(game_id, taken, "_play_left.html")
    watching = eye()
    pictures = uploaded("fan")
    shown = look_at_fan(pictures[0], watching.fan(pictures[0], left=True), game.rules)

    def seen_too(before: Told) -> Told:
        stays = late() and before.left and before.look is None
        counted = can_be(shown.total, _most(game, taken.side, "left"))
        return replace(before, left=before.left if stays else counted, who=_who(game, taken), look=shown)

    return _told(game_id, taken, seen_too, once=picture_id())


@acts.post("/cancel")
def cancel(game_id: str) -> ResponseReturnValue:
    """The own picture that is still being read is not wanted any more: nothing comes of it."""
    my_seat(game_id)
    unwanted(GameId(game_id), picture_id())
    return "", 204


def draw(game_id: str, taken: Seat, error: ScorekeeperError | None = None) -> str:
    """The whole page; after a refusal with the reason and what was typed."""
    version, game = look(game_id)
    shown = _shown(game_id, game, version, taken)
    return render_template(
        "play.html", **shown, **_left_shown(game, taken, error), trouble=sentence(str(error)) if error else None
    )


def draw_join(game_id: str, game: Game, code: str, trouble: str | None = None) -> str:
    return render_template(
        "play_join.html", game=game, game_id=game_id, code=code[:40], trouble=trouble, chosen=request.form.get("side")
    )


def _shown(game_id: str, game: Game, version: int, taken: Seat) -> dict[str, object]:
    """What the templates show of the hand in play to one player."""
    sides = game.next_sides
    return {
        "game": game,
        "game_id": game_id,
        "version": version,
        "live": game.live,
        "sides": sides,
        "me": game.side(taken.side),
        "plays": any(side.id == taken.side for side in sides),
        "waiting": not_ready(game.live, sides),
        "clock": here.book().hand_clock(GameId(game_id)),
        "verdict": verdict(game),
        "my_row": next(row for row in standings(game) if row.side.id == taken.side),
        "claimed_names": [game.side(claim.side).name for claim in game.live.claims],
    }


def _left_shown(game: Game, taken: Seat, error: ScorekeeperError | None = None) -> dict[str, object]:
    said = told(GameId(request.view_args["game_id"] if request.view_args else ""), game).get(taken.side)
    wrong = too_many(said.look, f"left.{taken.side}", game.sides, game.rules) if said and said.look else []
    return {
        "left_trouble": " ".join(wrong),
        "own": said,
        "typed": request.form if error else {},
        "asks": asked(game.rules),
        "eye": here.watch() is not None,
        "layers": lambda look: layers(look, game.sides),
        "face_of": lambda what: face(what) if what else "",
    }


def _draw_left(game_id: str, taken: Seat, error: ScorekeeperError) -> str:
    """After a refused picture: the reason beside the number, or the whole page for a plain browser."""
    if "HX-Request" not in request.headers:
        return draw(game_id, taken, error)
    version, game = look(game_id)
    shown = {**_shown(game_id, game, version, taken), **_left_shown(game, taken, error)}
    return render_template("_play_left.html", **shown, left_trouble=sentence(str(error)))


def _told(game_id: str, taken: Seat, change: Callable[[Told], Told], once: str = "") -> ResponseReturnValue:
    """Keeps what was told; htmx gets the answer beside the number, a plain browser the page."""
    nothing = Told(len(look(game_id)[1].hands) + 1, "")
    tell(GameId(game_id), taken.side, nothing, change, once=once)
    return _said_so(game_id, taken, "_play_left.html" if request.files else "_play_said.html")


def _said_so(game_id: str, taken: Seat, template: str) -> ResponseReturnValue:
    """What the scorekeeper sees of the own pile now."""
    if "HX-Request" not in request.headers:
        return redirect(url_for("play.page", game_id=game_id), 303)
    version, game = look(game_id)
    return render_template(template, **_shown(game_id, game, version, taken), **_left_shown(game, taken))


def _press(game_id: GameId, taken: Seat) -> None:
    """The buzzer: waits a moment for presses in flight, then notes them in order (rules C8)."""
    arrived_ms = time.time() * 1000
    pressed = moment(arrived_ms, _number(request.form.get("pressed", "")), _pings())
    who = _who(here.book().game(game_id), taken)
    press = Press(taken.side, pressed, request_id("call", taken.side), who)

    def note(press: Press) -> None:
        claims = here.book().game(game_id).live.claims
        if any(claim.side == press.side for claim in claims):
            return
        event = NertzCalled(press.side, press.moment.at_ms, press.moment.within_ms)
        here.book().note(game_id, event, request_id=press.request_id, who=press.who)

    here.parts().buzzer.press(game_id, press, note)


def _pings() -> list[Ping]:
    """The comparisons of clocks as posted, ``sent,server,heard;...``; what is none is left out."""
    found = []
    for text in request.form.get("pings", "").split(";")[:MOST_PINGS]:
        numbers = [_number(part) for part in text.split(",")]
        if len(numbers) == 3 and None not in numbers:
            try:
                found.append(Ping(*(number for number in numbers if number is not None)))
            except RulesError:
                continue
    return found


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _said(did: str, side: SideId) -> Event:
    """What a button of the own side says."""
    if did in ("ready", "not-ready"):
        return ReadySaid(side, ready=did == "ready")
    if did == "time-out":
        return time_out(side)
    abort(400)


def _most(game: Game, side: SideId, what: str) -> int:
    """So many cards a side can have in the Lake, or left."""
    return game.rules.deck_size if what == "lake" else most_left(game.side(side), game.rules)


def _who(game: Game, taken: Seat) -> str:
    side: Side = game.side(taken.side)
    return taken.name or side.name
