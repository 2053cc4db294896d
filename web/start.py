"""The page that starts a game: who plays, by which house rules, and the rules a table keeps as its own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import RulesError, ScorekeeperError
from scorekeeper.rules.house import Rules
from scorekeeper.rules.house_notation import format_rules, parse_rules
from scorekeeper.rules.names import clean
from scorekeeper.rules.presets import PRESETS, preset_of
from web import here, language
from web.guard import keepers_only, who
from web.house_form import FIELDS, GROUPS, HouseForm, meaning
from web.known import game_before, known_sides, usual_rules
from web.language import gettext as _
from web.refusals import keep_form, sentence, troubles_of
from web.rules_file import read_rules_file
from web.start_form import StartForm, fresh_start, read_start
from web.tables import go_on
from web.way import Way, choose_way, way

bp = Blueprint("start", __name__)
bp.before_request(keepers_only)

OWN = "own."
"""What the name of the table's own rules begins with in the form, apart from presets."""


@bp.get("/start")
def page() -> str:
    """The empty form, under the preset or the line of rules asked for."""
    typed, preset = request.args.get("rules", ""), request.args.get("preset", "")
    if typed:
        keep_form(lambda error: draw(fresh_start(Rules()), error))
        return draw(fresh_start(parse_rules(typed)))
    if preset in known_rules():
        return draw(fresh_start(known_rules()[preset], preset))
    return draw(fresh_start(usual_rules()))


@bp.post("/start")
def post() -> ResponseReturnValue:
    """Starts the game; the other buttons of the form change the form only."""
    wanted = request.form.getlist("known")
    known = sorted((side for side in known_sides() if side.name in wanted), key=lambda side: wanted.index(side.name))
    form = read_start(request.form.to_dict(), request.form.getlist("name"), usual_rules()).with_seated(known)
    action, _dot, what = request.form.get("action", "start").partition(".")
    keep_form(lambda error: draw(form, error))
    return start(form) if action == "start" else draw(*CHANGES.get(action, CHANGES["show"])(form, what))


def start(form: StartForm) -> ResponseReturnValue:
    """Starts the game and goes to its first hand where the numbers are typed, else to its decks."""
    sides, rules = form.parse()
    game_id = here.book().start_game(sides, rules, request_id=request_id(form), who=who())
    choose_way(request.form.get("way", ""))
    if (before := game_before()) and request.form.get("after") == before.id:
        go_on(before.id, game_id)
    return redirect(url_for("hands.page" if way() is Way.TYPED else "decks.page", game_id=game_id), 303)


Changed = tuple[StartForm] | tuple[StartForm, None, str]


def use_rules(form: StartForm, name: str) -> Changed:
    """The rules of a preset, or of the table's own."""
    if name not in known_rules():
        raise RulesError(_("there are no house rules of that name any more: choose others"))
    return (form.with_rules(known_rules()[name], name),)


def last_players(form: StartForm, _what: str) -> Changed:
    """Everybody of the newest game, in the same seats."""
    return (form.with_seated([side for game in here.book().newest_games(1) for side in game.playing]),)


def use_target(form: StartForm, number: str) -> Changed:
    """The target that goes with such a bonus."""
    values = {**form.house.values, "target": number}
    return (StartForm(HouseForm(values), form.rows, form.preset),)


def save(form: StartForm, _what: str) -> Changed:
    """Keeps the rules under a name of the table's own."""
    name = clean(request.form.get("own_name", ""))
    if not name:
        raise RulesError(_("give your rules a name first"))
    here.book().save_rules(name, form.house.parse())
    kept = StartForm(form.house, form.rows, f"{OWN}{name}")
    return kept, None, _("Saved as %(name)s. You find it beside the other rules.", name=name)


def forget(form: StartForm, name: str) -> Changed:
    """Drops rules of the table's own; games under them go on."""
    here.book().forget_rules(name)
    return form, None, _("%(name)s is deleted. Games that play by it go on.", name=name)


def take_in(form: StartForm, _what: str) -> Changed:
    """Rules from a file, or from a line somebody sent."""
    file = request.files.get("rules_file")
    text = read_rules_file(file.stream) if file and file.filename else request.form.get("rules_text", "")
    if not text.strip():
        raise RulesError(_("choose a file of rules, or paste their line"))
    return form.with_rules(parse_rules(text)), None, _("The rules are filled in below.")


def at_row(change: Callable[[StartForm, int], StartForm]) -> Callable[[StartForm, str], Changed]:
    """A button that belongs to one row."""
    return lambda form, what: (change(form, int(what)) if what.isdecimal() else form,)


CHANGES: Mapping[str, Callable[[StartForm, str], Changed]] = {
    "show": lambda form, _what: (form,),
    "onward": lambda form, _what: (form,),  # Enter before the script is there: the page goes on at the next name
    "use": use_rules,
    "target": use_target,
    "same": last_players,
    "add": lambda form, _what: (form.with_row(),),
    "remove": at_row(StartForm.without_row),
    "up": at_row(StartForm.with_row_up),
    "save": save,
    "forget": forget,
    "import": take_in,
}
"""What each button does to the form; the part of its value after the dot says which one."""


def known_rules() -> dict[str, Rules]:
    """Presets and the table's own rules by the name the form gives them."""
    own = {f"{OWN}{name}": rules for name, rules in here.book().saved_rules().items()}
    return {**{name: preset.rules for name, preset in PRESETS.items()}, **own}


def request_id(form: StartForm) -> str:
    """The form's id and what it says: the same tap twice is one game, a changed form is another."""
    digest = hashlib.sha256(repr(form).encode()).hexdigest()[:16]
    return f"{request.form.get('request_id', '')[:64]}:{digest}"


def draw(form: StartForm, error: ScorekeeperError | None = None, done: str = "") -> str:
    language.use(form.words)
    known = known_rules()
    chosen, changed = form.chosen(known)
    return render_template(
        "start.html",
        form=form,
        presets=PRESETS,
        own={name.removeprefix(OWN): rules for name, rules in known.items() if name.startswith(OWN)},
        chosen=chosen,
        changed=changed,
        fields=FIELDS,
        groups=GROUPS,
        troubles_said=troubles_of(error),
        done=done,
        known_sides=known_sides(),
        way=way(),
        eye=here.watch() is not None,
        before=game_before(),
        first_game=not here.book().newest_games(1),
        request_id=request.form.get("request_id"),
        marked=form.house.marked(known.get(chosen, Rules())) - {"words"},
        **sum_up(form.house),
    )


def sum_up(house: HouseForm) -> dict[str, object]:
    """What the rules come to as they stand in the form: in words, as a line, or why they can't be."""
    wrong: list[str] = []
    rules = house.read(wrong)
    return {
        "house": house,
        "line": format_rules(rules) if rules else "",
        "meaning": meaning(rules) if rules else "",
        "wrong": [sentence(reason) for reason in wrong],
        "other_target": None if rules and preset_of(rules) else house.other_target(),
    }
