"""The application factory: parts in, pages out."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask, Response
from flask_compress import Compress

from scorekeeper import sidefiles
from scorekeeper.scorebook import GameId
from web import bodies, guard, language, refusals, shapes
from web.after import bp as after
from web.after import keepers as after_acts
from web.audit import bp as audit
from web.board import bp as board
from web.buzzer import Buzzer
from web.camera import bp as camera
from web.correct import bp as correct
from web.decks import bp as decks
from web.doors import bp as doors
from web.foot import bp as foot
from web.guide import bp as guide
from web.hands import bp as hands
from web.here import EXTENSION, Parts
from web.laid import bp as laid
from web.lessons import bp as lessons
from web.live import Live
from web.overlay import bp as overlay
from web.phone import bp as phone
from web.pictures import Pictures
from web.play import bp as play
from web.players import Players
from web.referee import bp as referee
from web.referee import keepers as referee_acts
from web.replay import bp as replay
from web.replay import keepers as replay_acts
from web.rules import bp as rules
from web.rules import keepers as rules_change
from web.scan import bp as scan
from web.seats import own_side
from web.sides import bp as sides
from web.sides import keepers as sides_change
from web.signin import bp as signin
from web.slowdown import Slowdown
from web.start import bp as start
from web.told import Count
from web.witness import Witness

if TYPE_CHECKING:
    from scorekeeper.config import Settings
    from scorekeeper.scorebook import Scorebook
    from scorekeeper.watch import Watch

KEY_BYTES = 32


def create_app(book: Scorebook, watch: Watch | None, settings: Settings) -> Flask:
    """The pages over *book*; without *watch* every number is typed. The PIN in force is ``app.config["PIN"]``."""
    app = Flask(__name__)
    settings = settings if settings.pin else replace(settings, pin=new_pin())
    app.config.update(
        PIN=settings.pin,
        SECRET_KEY=secret_key(Path(settings.data_dir)),
        MAX_CONTENT_LENGTH=bodies.FORM_LIMIT,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_NAME="scorekeeper",
        SESSION_COOKIE_SECURE=settings.encrypted,
        PERMANENT_SESSION_LIFETIME=timedelta(days=7),
    )
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    live = Live(book, trouble=lambda: book.trouble)
    witness = Witness(book, watch)
    book.on_change(witness.follow)  # first, as it lets others in: a board shows what lies beside its hand
    book.on_change(live.tell)
    pictures = Pictures(Path(settings.data_dir) / "pictures")
    told = Count()
    players = Players(Path(settings.data_dir))
    app.extensions[EXTENSION] = Parts(
        book, watch, settings, live, pictures, Slowdown(), players, Buzzer(), told, Live(told), witness
    )
    pages = (board, signin, start, decks, hands, guide, foot, rules, rules_change, sides, sides_change)
    ends = (after, after_acts, overlay, replay, replay_acts)
    eyes = (camera, laid, scan)
    for part in (*pages, *eyes, correct, lessons, referee, referee_acts, audit, play, doors, phone, *ends):
        app.register_blueprint(part)
    bodies.limit(app)
    guard.protect(app)
    Compress(app)
    app.after_request(close_at_the_end)
    refusals.answer(app)
    shapes.teach(app)
    app.jinja_env.globals.update(own_side=own_side, store_trouble=refusals.store_trouble)
    language.speak(app, lambda game_id: book.game(GameId(game_id)).rules.words)
    return app


def close_at_the_end(response: Response) -> Response:
    """Has a file closed with its response, as packing puts something else in its place."""
    if (close := getattr(response.response, "close", None)) is not None:
        response.call_on_close(close)
    return response


def new_pin() -> str:
    """Six digits for this evening."""
    return f"{secrets.randbelow(1_000_000):06}"


def secret_key(folder: Path) -> bytes:
    """The key that signs the cookies; made once, kept in the data folder for its owner only."""
    path = folder / "secret.key"
    key = sidefiles.read(path, _key)
    if key is None:
        key = secrets.token_bytes(KEY_BYTES)
        sidefiles.write(path, key, private=True)
    return key


def _key(data: bytes) -> bytes:
    if len(data) != KEY_BYTES:
        raise ValueError("it is no key: everybody signs in anew")
    return data
