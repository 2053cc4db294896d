"""The application factory: parts in, pages out."""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from flask import Flask, Response, request
from flask_compress import Compress
from msgspec import Meta

from scorekeeper.caretaker import Caretaker
from scorekeeper.logs import last_hour
from scorekeeper.scorebook import GameId
from web import bodies, guard, language, refusals, shapes
from web.address import ChosenAddress
from web.after import bp as after
from web.after import keepers as after_acts
from web.audit import bp as audit
from web.board import bp as board
from web.buzzer import Buzzer
from web.caller import address
from web.camera import bp as camera
from web.correct import bp as correct
from web.countdown import Countdown
from web.decks import bp as decks
from web.doctor import bp as doctor
from web.doors import bp as doors
from web.foot import bp as foot
from web.games import bp as games
from web.guide import bp as guide
from web.hands import bp as hands
from web.here import EXTENSION, Parts
from web.laid import bp as laid
from web.league import bp as league
from web.lens import Lens
from web.lens import bp as lens
from web.lessons import bp as lessons
from web.live import Live
from web.overlay import bp as overlay
from web.phone import bp as phone
from web.pictures import Pictures
from web.play import acts as play_acts
from web.play import bp as play
from web.players import Players
from web.referee import bp as referee
from web.referee import keepers as referee_acts
from web.replay import bp as replay
from web.replay import keepers as replay_acts
from web.result import bp as result
from web.rules import bp as rules
from web.rules import keepers as rules_change
from web.scan import bp as scan
from web.seats import own_side
from web.sessions import Sessions, TimelessCookies
from web.sides import bp as sides
from web.sides import keepers as sides_change
from web.signin import bp as signin
from web.slowdown import Slowdown
from web.start import bp as start
from web.status import bp as status
from web.status import keepers as status_page
from web.tables import Tables, beside, is_deleted, next_game, tell_next
from web.told import Count
from web.trust import bp as trust
from web.witness import Witness

if TYPE_CHECKING:
    from scorekeeper.config import Settings
    from scorekeeper.scorebook import Scorebook
    from scorekeeper.watch import Watch

logger = logging.getLogger(__name__)

Secret = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""What signs the cookies of all servers of one database, 32 random bytes; everybody signs in anew with another."""


def create_app(book: Scorebook, watch: Watch | None, settings: Settings) -> Flask:
    """The pages over *book*; without *watch* every number is typed. The PIN in force is ``app.config["PIN"]``."""
    app = Flask(__name__)
    app.session_interface = TimelessCookies()
    secret = bytes.fromhex(book.shelf.once("server", "secret", lambda: secrets.token_hex(32), Secret))
    settings = settings if settings.pin else replace(settings, pin=new_pin())
    app.config.update(
        PIN=settings.pin,
        SECRET_KEY=secret.hex(),
        MAX_CONTENT_LENGTH=bodies.FORM_LIMIT,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_NAME=cookie_name(secret),
        SESSION_COOKIE_SECURE=settings.encrypted,
        PERMANENT_SESSION_LIFETIME=timedelta(days=365),
    )
    logging.getLogger().addHandler(last_hour)
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.extensions[EXTENSION] = made_of(book, watch, settings, secret)
    pages = (board, games, signin, start, decks, hands, guide, foot, rules, rules_change, sides, sides_change)
    ends = (after, after_acts, league, result, overlay, replay, replay_acts, status, status_page, doctor)
    eyes = (camera, laid, lens, scan)
    acts = (correct, lessons, referee, referee_acts, audit, play, play_acts, doors, phone, trust)
    for part in (*pages, *eyes, *acts, *ends):
        app.register_blueprint(part)
    bodies.limit(app)
    guard.protect(app)
    Compress(app)
    app.after_request(close_at_the_end)
    app.after_request(note_writes)
    app.after_request(tell_next)
    refusals.answer(app)
    shapes.teach(app)
    app.jinja_env.globals.update(own_side=own_side, store_trouble=refusals.store_trouble, token=guard.token)
    app.jinja_env.globals.update(next_game=next_game, is_deleted=is_deleted)
    language.speak(app, lambda game_id: book.game(GameId(game_id)).rules.words)
    for endpoint in app.view_functions:
        guard.role_of(app, endpoint)
    return app


def cookie_name(secret: bytes) -> str:
    """A name for each database: browsers send a cookie to every port of a host, so to other servers there as well."""
    return f"scorekeeper-{hmac.new(secret, b'cookie', hashlib.sha256).hexdigest()[:8]}"


def made_of(book: Scorebook, watch: Watch | None, settings: Settings, secret: bytes) -> Parts:
    """The parts of one application, the live boards listening to *book*."""
    tables = Tables(book.shelf)

    countdown = Countdown(lambda game_id: live.tell(game_id, book.version(game_id)))

    def aside(game_id: GameId) -> dict[str, str]:
        go = countdown.go_at(game_id)
        return beside(tables, game_id) | ({"go": go} if go else {})

    live = Live(book, trouble=lambda: book.trouble, beside=aside)
    witness = Witness(book, watch)
    book.on_change(witness.follow)  # first, as it lets others in: a board shows what lies beside its hand
    book.on_change(live.tell)
    told = Count()
    return Parts(
        book=book,
        watch=watch,
        settings=settings,
        address=ChosenAddress(Path(settings.data_dir)),
        lens=Lens.of(settings),
        live=live,
        pictures=Pictures(Path(settings.data_dir) / "pictures"),
        sessions=Sessions(book.shelf, secret, str(settings.pin)),
        pins=Slowdown(),
        codes=Slowdown(),
        players=Players(book.shelf, secret, tables),
        countdown=countdown,
        tables=tables,
        buzzer=Buzzer(),
        caretaker=Caretaker(book.log),
        told_count=told,
        told=Live(told),
        witness=witness,
    )


def close_at_the_end(response: Response) -> Response:
    """Has a file closed with its response, as packing puts something else in its place."""
    if (close := getattr(response.response, "close", None)) is not None:
        response.call_on_close(close)
    return response


def note_writes(response: Response) -> Response:
    """Logs everything that may have changed something; what was typed is no part of it."""
    if request.method not in guard.SAFE_METHODS and request.endpoint not in UNLOGGED:
        fields = {"method": request.method, "path": request.path, "status": response.status_code, "from": address()}
        logger.info("%s %s: %s", request.method, request.path, response.status_code, extra={"fields": fields})
    return response


UNLOGGED = frozenset({"lens.frame"})
"""Eight pictures a second of a phone that is the camera would leave nothing else in the log."""


def new_pin() -> str:
    """Six digits for this evening."""
    return f"{secrets.randbelow(1_000_000):06}"
