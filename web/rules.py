"""House rules as pages: of a game, with what changed when and who agrees, and by themselves, to pass them on."""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import datetime

import segno
from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import RulesError, ScorekeeperError
from scorekeeper.rules.events import GameStarted, HandRecorded, LastHandUndone, RulesChanged, RulesConfirmed
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Rules
from scorekeeper.rules.house_notation import format_rules, parse_rules
from scorekeeper.rules.names import clean
from scorekeeper.rules.sides import SideId
from scorekeeper.rules.words import changed_rules
from scorekeeper.scorebook import GameId
from web import here, language
from web.address import base_address
from web.announce import announcement, moved_text, note_announced
from web.guard import for_everybody, keepers_only, who
from web.guide import card_topics, game_title
from web.house_form import FIELDS, GROUPS, HouseForm, house_form, meaning, read_house
from web.language import gettext as _
from web.language import said
from web.posted import news_since, posted_version, request_id
from web.refusals import keep_form, sentence, troubles_of
from web.rules_file import rules_file
from web.start import sum_up

bp = Blueprint("rules", __name__)
bp.before_request(for_everybody)
keepers = Blueprint("rules_change", __name__, url_prefix="/g/<game_id>/rules")
keepers.before_request(keepers_only)

EVERYBODY = "everybody"
CODE_LIMIT = 2_000
"""Letters of an address that a phone still reads from a QR code."""


@dataclass(frozen=True, slots=True)
class Period:
    """Hands in a row that were played by the same house rules."""

    first: int
    last: int | None
    """None for the hands still to come."""
    rules: Rules


@dataclass(frozen=True, slots=True)
class Change:
    """One change of the house rules in the course of a game."""

    number: int
    """The hand it came before."""
    at: datetime
    who: str
    reason: str
    texts: list[str]
    """Each rule that differs, as it is now."""


@bp.get("/rules")
def shared() -> str:
    """House rules somebody passed on, in words, with their QR code and their file; without any the usual ones."""
    rules = asked_for() if "rules" in request.args else Rules()
    address = address_of(rules)
    return render_template(
        "rules_shared.html",
        rules=rules,
        line=format_rules(rules),
        title=game_title(rules),
        meaning=meaning(rules),
        topics=card_topics(rules),
        address=address,
        with_code=len(address) <= CODE_LIMIT,
    )


@bp.get("/rules.svg")
def code() -> Response:
    """The QR code of such a page."""
    picture = io.BytesIO()
    address = address_of(asked_for())
    if len(address) > CODE_LIMIT:
        raise RulesError(_("these rules are too long for a QR code: pass on their link or their file"))
    segno.make(address, error="m").save(picture, kind="svg", scale=8, border=2, light="#ffffff", xmldecl=False)
    return Response(picture.getvalue(), mimetype="image/svg+xml", headers={"Cache-Control": "no-cache"})


@bp.get("/rules.txt")
def file() -> Response:
    """The rules as a file to keep, which the page that starts a game reads."""
    rules = asked_for()
    lines = [f"{label}: {' '.join(said)}" for _title, lines in card_topics(rules) for label, said in lines]
    words = [line for text in lines for line in text.splitlines()]
    headers = {"Content-Disposition": 'attachment; filename="nertz-rules.txt"'}
    return Response(rules_file(rules, words), mimetype="text/plain", headers=headers)


@bp.get("/g/<game_id>/rules")
def page(game_id: str) -> str:
    """The house rules of a game: every rule in words, who agrees, what changed when."""
    return draw(GameId(game_id))


@keepers.post("/agree")
def agree(game_id: str) -> ResponseReturnValue:
    """One side, or everybody, says yes to the rules as they stand (rules A11)."""
    word, side = GameId(game_id), request.form.get("side", "")
    keep_form(lambda error: draw(word, error))
    game, version = here.book().game(word), posted_version()
    names = [each.id for each in game.playing if each.id not in game.agreed] if side == EVERYBODY else [SideId(side)]
    for step, name in enumerate(names):
        here.book().note(word, RulesConfirmed(name), request_id=request_id(name), who=who(), expected=version + step)
    return redirect(url_for("rules.page", game_id=game_id, _anchor="agreed"), 303)


@keepers.get("/change")
def change_page(game_id: str) -> str:
    """The full list of rules, as they stand."""
    here.game_version(GameId(game_id))
    return draw_change(GameId(game_id), house_form(here.book().game(GameId(game_id)).rules))


@keepers.post("/change")
def change(game_id: str) -> ResponseReturnValue:
    """Other rules from the next hand on; ``action=show`` only says what they come to."""
    word = GameId(game_id)
    here.game_version(word)
    form = read_house(request.form.to_dict(), here.book().game(word).rules)
    keep_form(lambda error: draw_change(word, form, error))
    action, _dot, target = request.form.get("action", "change").partition(".")
    if action == "target":
        return draw_change(word, HouseForm({**form.values, "target": target}))
    if action == "show":
        return draw_change(word, form)
    event = RulesChanged(form.parse(), clean(request.form.get("reason", "")))
    note_announced(word, event)
    return redirect(url_for("rules.page", game_id=game_id), 303)


def asked_for() -> Rules:
    """The rules of the address; raises NotationError for what is none."""
    rules = parse_rules(request.args.get("rules", ""))
    language.use(rules.words)
    return rules


def address_of(rules: Rules) -> str:
    """Where a phone finds these rules by themselves."""
    return f"{base_address()}{url_for('rules.shared', rules=format_rules(rules))}"


def periods(game: Game) -> list[Period]:
    """Which hands were played by which rules, in order, and by which the next ones are."""
    found: list[Period] = []
    for number, played in enumerate(game.played, 1):
        if found and found[-1].rules == played.rules:
            found[-1] = Period(found[-1].first, number, played.rules)
        else:
            found.append(Period(number, number, played.rules))
    if not game.over and (not found or found[-1].rules != game.rules):
        found.append(Period(len(game.played) + 1, None, game.rules))
    return found


def changes(game_id: GameId) -> list[Change]:
    """Every change of the house rules, in order."""
    found: list[Change] = []
    rules, hands = Rules(), 0
    for row in here.book().history(game_id):
        event = row.event
        hands += isinstance(event, HandRecorded) - isinstance(event, LastHandUndone)
        if isinstance(event, RulesChanged):
            texts = [said(text) for text in changed_rules(rules, event.rules)]
            found.append(Change(hands + 1, row.at, row.who, event.reason, texts))
        if isinstance(event, GameStarted | RulesChanged):
            rules = event.rules
    return found


def draw(game_id: GameId, error: ScorekeeperError | None = None) -> str:
    version = here.game_version(game_id)
    game = here.book().game(game_id)
    return render_template(
        "rules.html",
        game=game,
        game_id=game_id,
        version=version,
        line=format_rules(game.rules),
        title=game_title(game.rules),
        meaning=meaning(game.rules),
        topics=card_topics(game.rules),
        periods=periods(game),
        changes=changes(game_id),
        everybody=EVERYBODY,
        trouble=sentence(said(str(error))) if error else "",
        news=news_since(game_id, version) if error else [],
    )


def draw_change(game_id: GameId, form: HouseForm, error: ScorekeeperError | None = None) -> str:
    version = here.game_version(game_id)
    game = here.book().game(game_id)
    return render_template(
        "rules_change.html",
        game=game,
        game_id=game_id,
        version=version,
        fields=FIELDS,
        groups=GROUPS,
        reason=request.form.get("reason", ""),
        announcement=announcement(error),
        troubles_said=troubles_of(error),
        news=news_since(game_id, version) if error else [],
        marked=form.marked(game.rules),
        moves=would_move(game_id, form),
        request_id=request.form.get("request_id"),
        **sum_up(form),
    )


def would_move(game_id: GameId, form: HouseForm) -> str:
    """What these rules would do to the end of the game, or why they can't be; empty where the end stays."""
    rules = form.read([])
    if rules is None or rules == here.book().game(game_id).rules:
        return ""
    try:
        moved = here.book().moved_by(game_id, RulesChanged(rules))
    except RulesError as error:
        return sentence(str(error))
    return moved_text(moved) if moved else ""
