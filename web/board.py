"""Pages for everybody: the games, the live board, the hands, the history, the way in for more phones."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, redirect, render_template, request, stream_with_context, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import NotFoundError, ScorekeeperError
from scorekeeper.network import is_only_here
from scorekeeper.rules.game import Game
from scorekeeper.rules.points import Points
from scorekeeper.scorebook import GameId
from web import here
from web.address import address_for, base_address, usable_addresses
from web.drafts import picture_titles
from web.evidence import pictures_of
from web.forms import whole_number
from web.guard import for_everybody, is_keeper
from web.known import game_before, known_sides, usual_rules
from web.language import language
from web.live import Live
from web.pictures import kind_of
from web.plot import curve
from web.refusals import sentence
from web.seats import joined
from web.shapes import points
from web.standings import (
    handicap_words,
    line,
    lines,
    news,
    no_hand,
    people,
    standings,
    steps,
    unofficial,
    verdict,
)
from web.way import way

bp = Blueprint("board", __name__)
bp.before_request(for_everybody)

GAMES_OF_A_PAGE = 50


@bp.get("/")
def home() -> str:
    """The games, the newest first, and the way to start one; ``?page=2`` shows older ones, ``?away=1`` hidden ones."""
    games = here.book().games()
    away = [game for game in games if not game.label.listed] if is_keeper() else []
    listed = away if away and request.args.get("away") else [game for game in games if game.label.listed]
    pages = max(1, -(-len(listed) // GAMES_OF_A_PAGE))
    page = min(max(whole_number(request.args.get("page", "")) or 1, 1), pages)
    changed = next((game for game in away if game.id == request.args.get("changed")), None)
    return render_template(
        "home.html",
        games=listed[(page - 1) * GAMES_OF_A_PAGE : page * GAMES_OF_A_PAGE],
        page=page,
        pages=pages,
        away=len(away),
        shows_away=listed is away,
        changed=changed,
        eye=here.watch() is not None,
        **(_quick_start() if is_keeper() else {}),
    )


def _quick_start() -> dict[str, object]:
    """What the front page begins a game with for the scorekeeper."""
    return {"known_sides": known_sides(), "usual_rules": usual_rules(), "way": way(), "before": game_before()}


@bp.get("/g/<game_id>")
def page(game_id: str) -> ResponseReturnValue:
    """The board, whole without JavaScript; ``?tv=1`` is for a screen across the room: its table's newest."""
    version, game = look(game_id)
    if request.args.get("tv") and (newest := here.parts().tables.newest(game_id)) != game_id:
        return redirect(url_for("board.page", game_id=newest, tv=1), 303)
    undone = here.book().undone(GameId(game_id)) if is_keeper() else None
    shown = _board(game_id, game, version)
    label = here.book().label(GameId(game_id))
    return render_template("board.html", **shown, tv=bool(request.args.get("tv")), undone=undone, label=label)


@bp.get("/g/<game_id>/board")
def part(game_id: str) -> ResponseReturnValue:
    """The board alone, for a browser that can't have the stream; 204 when it has *seen* this version."""
    version, game = look(game_id)
    if request.args.get("seen") == str(version):
        return "", 204
    return render_template("_board_change.html", **_board(game_id, game, version))


@bp.get("/g/<game_id>/events")
def events(game_id: str) -> Response:
    """Server-sent events: the whole board after every change, a heartbeat in between.

    On connect, too, unless the browser has *seen* this version, or heard it on the stream that broke.
    """
    game = GameId(game_id)
    here.game_version(game)
    seen = whole_number(request.headers.get("Last-Event-ID") or request.args.get("seen", ""))

    def draw() -> str:
        version, now = look(game_id)
        return render_template("_board_change.html", **_board(game_id, now, version))

    return streamed(game, draw, f"board {language()} {base_address()}", seen=seen)


def streamed(
    game: GameId, draw: Callable[[], str], reader: str, live: Live | None = None, seen: int | None = None
) -> Response:
    """The stream of what *draw* draws for one kind of *reader*; *live* tells of changes, the game's own by default."""
    stream = (live or here.live()).stream(game, draw, reader, -1 if seen is None else seen)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(stream_with_context(stream), mimetype="text/event-stream", headers=headers)


@bp.get("/g/<game_id>/history")
def history(game_id: str) -> str:
    """Everything that happened, in words, undo and corrections too."""
    version, game = look(game_id)
    rows = here.book().history(GameId(game_id))
    return render_template("history.html", game=game, game_id=game_id, rows=rows)


@bp.get("/g/<game_id>/more")
def more(game_id: str) -> str:
    """Everything of a game that the foot of a phone has no room for."""
    here.game_version(GameId(game_id))
    return render_template("more.html", game_id=game_id, label=here.book().label(GameId(game_id)))


@bp.get("/g/<game_id>/hands/<int:number>")
def hand(game_id: str, number: int) -> str:
    """One hand with its pictures."""
    return draw_hand(game_id, number)


def draw_hand(game_id: str, number: int, error: ScorekeeperError | None = None) -> str:
    """The page of one hand; after a refused dispute with the reason and what was typed."""
    version, game = look(game_id)
    if not 1 <= number <= len(game.hands):
        raise NotFoundError(no_hand(game, number))
    return render_template(
        "one_hand.html",
        game=game,
        game_id=game_id,
        version=version,
        line=line(game, number),
        played=game.played[number - 1],
        time=here.book().hand_times(GameId(game_id))[number - 1],
        **pictures_of(GameId(game_id), number, game.sides),
        moments=here.pictures().about(game_id, f"replay-{number}").get("replay", []),
        watchable=here.witness().hand(GameId(game_id)) == number and here.witness().stands(GameId(game_id)),
        trouble=sentence(str(error)) if error else None,
    )


@bp.get("/g/<game_id>/join")
def join(game_id: str) -> str:
    """The address of the board, large and as a QR code."""
    version, game = look(game_id)
    address, settings = address_for(game_id), here.settings()
    return render_template(
        "join.html",
        game=game,
        game_id=game_id,
        address=address,
        here_only=settings.host if settings.only_here else None,
        no_way=settings.only_here or is_only_here(urlsplit(address).hostname or ""),
        own=() if settings.base_url or settings.address else usable_addresses(settings),
        chosen=urlsplit(address).hostname,
        **joined(game_id, game),
    )


@bp.get("/g/<game_id>/join.svg")
def join_code(game_id: str) -> Response:
    """The QR code of the board's address."""
    here.game_version(GameId(game_id))
    code = io.BytesIO()
    segno.make(address_for(game_id), error="m").save(
        code, kind="svg", scale=8, border=2, light="#ffffff", xmldecl=False
    )
    return Response(code.getvalue(), mimetype="image/svg+xml", headers={"Cache-Control": "no-cache"})


@bp.get("/g/<game_id>/looking")
def looking(game_id: str) -> dict[str, object]:
    """How far the picture is that is read now, and how many wait, for the phone that sent one."""
    here.game_version(GameId(game_id))
    watch = here.watch()
    eye = watch.condition().get("eye") if watch else None
    return {"stage": eye.stage if eye else "", "waiting": max(0, eye.waiting - 1) if eye else 0}


@bp.get("/pictures/<picture>")
def picture(picture: str) -> Response:
    """A kept picture or overlay; its name is the key."""
    data = here.pictures().data(picture)
    return Response(data, mimetype=kind_of(data), headers={"Cache-Control": "private, max-age=31536000, immutable"})


@bp.get("/pictures/<picture>/small")
def small_picture(picture: str) -> Response:
    """A kept picture, small enough for the board."""
    return _smaller(picture, "small")


@bp.get("/pictures/<picture>/mark")
def mark_picture(picture: str) -> Response:
    """The back of a deck, small enough to stand beside a name."""
    return _smaller(picture, "mark")


def _smaller(picture: str, kind: str) -> Response:
    data = here.pictures().small(picture, kind)
    return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=31536000, immutable"})


def look(game_id: str) -> tuple[int, Game]:
    """Version and game; the version is read first, so that what is drawn is never older than it says."""
    version = here.game_version(GameId(game_id))
    return version, here.book().game(GameId(game_id))


@dataclass(frozen=True, slots=True)
class LastHand:
    """The hand that was recorded last, as the board tells it."""

    number: int
    callers: tuple[str, ...]
    best: tuple[str, ...]
    """Who had most points in it; empty where nothing is counted."""
    most: Points
    time: timedelta | None
    """None where nobody said Go."""
    picture: str | None
    """One of its pictures; None where it was typed."""
    title: str


def last_hand(game_id: str, game: Game) -> LastHand | None:
    """The last hand; None before the first."""
    number = len(game.hands)
    if not number:
        return None
    played = game.played[-1]
    points, names = played.points, {side.id: side.name for side in game.sides}
    most = max(points.values(), default=0)
    kept = [(step, each[0]) for step, each in here.pictures().about(game_id, f"hand-{number}").items() if each]
    step, picture = next(iter(kept), ("", None))
    return LastHand(
        number,
        tuple(names[side] for side in played.hand.callers),
        tuple(names[side] for side, value in points.items() if value == most) if played.rules.counts else (),
        most,
        here.book().hand_times(GameId(game_id))[-1],
        picture,
        picture_titles(game.sides).get(step, step),
    )


def _board(game_id: str, game: Game, version: int) -> dict[str, object]:
    return {
        "game": game,
        "game_id": game_id,
        "version": version,
        "standings": standings(game),
        "lines": lines(game),
        "people": people(game),
        "verdict": verdict(game),
        "unofficial": unofficial(game),
        "steps": steps(game),
        "handicap_words": handicap_words,
        "claimed_names": [game.side(claim.side).name for claim in game.live.claims],
        "clock": here.book().hand_clock(GameId(game_id)),
        "news": news(game),
        "curve": curve(game),
        "curve_names": [f"{row.side.name} {points(row.total)}" for row in standings(game)],
        "last": last_hand(game_id, game),
        "address": address_for(game_id),
    }
