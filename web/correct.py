"""Corrections of what the eye saw: a card changes its owner, is added or removed, and the last tap is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import RulesError, ScorekeeperError, StaleGameError
from scorekeeper.guide.marks import mark
from scorekeeper.rules.lake import Spot
from scorekeeper.rules.scoring import Side
from web import hands, posted
from web.bodies import takes_pictures
from web.drafts import Draft, change_draft, owner_of
from web.forms import whole_number
from web.guard import keepers_only, who
from web.hands import Desk, proposals
from web.language import gettext as _
from web.layers import is_code, slug
from web.looks import DEAD, UNKNOWN, Act, Correction, Look, overtaken
from web.refusals import keep_form, sentence

bp = Blueprint("correct", __name__, url_prefix="/g/<game_id>")
bp.before_request(keepers_only)

GONE_PICTURE = mark(
    "these pictures belong to the hand no longer: it was recorded, or somebody took others; look at the page again"
)
CHANGED_CARD = mark("%(who)s changed this card at the same moment: look at it, then tap again if it is still wrong")


@dataclass(frozen=True, slots=True)
class Tap:
    """What was posted: which look the person saw, and what they tapped."""

    step: str
    look: str
    """The name of the look."""
    revision: int
    """How often it had been corrected."""
    fix: str
    """Such as ``is red``, ``rank 7``, ``gone``, ``fine``, ``fine 2 3``, ``none 4`` or ``undo``."""
    card: str
    """The number of a card; ``more`` for one that the eye overlooked."""
    suit: str
    spot: Spot | None
    request: str


@bp.post("/hand/fix/<step>")
@takes_pictures
def fix(game_id: str, step: str) -> ResponseReturnValue:
    """Corrects one card of a look, and with it the numbers of the form."""
    desk = hands.posted_desk(game_id)
    keep_form(lambda error: draw_refused(desk, step, error))
    plain, tap = "HX-Request" not in request.headers, posted_tap(step)
    news: list[str] = []
    moved: dict[str, str] = {}

    def change(kept: Draft) -> Draft:
        whole = kept if step in kept.looks else kept.with_look(step, desk.draft.looks.get(step))
        typed = desk.on(whole.with_fields(typed_beside(desk, tap, whole)) if plain else whole)
        after = corrected(typed, tap, news)
        moved.update(moved_by(typed.on(after), step, kept if fresh(tap, kept) else desk.draft))
        return after

    kept = change_draft(desk.id, change)
    if plain:
        return redirect(f"{url_for('hands.page', game_id=desk.id)}#seen-{slug(step)}", 303)
    shown = desk.draft.with_look(step, kept.looks.get(step)).with_fields(moved)
    return draw(desk.on(shown), step, *news, proposed=moved)


def typed_beside(desk: Desk, tap: Tap, kept: Draft) -> dict[str, str]:
    """What the posted form says besides; the numbers of a look only if the page saw it as it is."""
    own = {} if fresh(tap, kept) else proposals(desk.on(kept), tap.step)
    return {name: text for name, text in desk.draft.fields.items() if name not in own}


def fresh(tap: Tap, kept: Draft) -> bool:
    """Whether nobody corrected the look since the page was drawn."""
    look = kept.looks.get(tap.step)
    return look is not None and look.revision == tap.revision


def moved_by(after: Desk, step: str, before: Draft) -> dict[str, str]:
    """The numbers of the form that the look filled in anew."""
    now = {name: after.draft.fields.get(name, "") for name in proposals(after, step)}
    return {name: text for name, text in now.items() if text != before.fields.get(name, "")}


def posted_tap(step: str) -> Tap:
    """The tap of the posted form."""
    own = slug(step)

    def field(name: str) -> str:
        return request.form.get(f"{name}.{own}", "")[:200]

    revision, did = whole_number(field("revision")), request.form.get("fix", "")[:200]
    return Tap(
        step,
        field("look"),
        -1 if revision is None else revision,
        did,
        field("card"),
        field("suit"),
        read_spot(field("spot")),
        f"{field('fix_id')[:64]}:{posted.digest(repr([did, *map(field, ('card', 'suit', 'spot'))]))}",
    )


def read_spot(text: str) -> Spot | None:
    """``0 412.5 96`` as picture, x and y; None for anything else."""
    try:
        picture, x, y = text.split()
        spot = int(picture), float(x), float(y)
    except ValueError:
        return None
    return spot if isfinite(spot[1]) and isfinite(spot[2]) else None


def corrected(desk: Desk, tap: Tap, news: list[str]) -> Draft:
    """The draft after the tap; raises StaleGameError when somebody else was first, and adds to *news* what they did."""
    look = desk.draft.looks.get(tap.step)
    if look is None or look.name != tap.look:
        raise StaleGameError(_(GONE_PICTURE))
    if tap.request in {each.request for each in look.corrections}:
        return desk.draft
    correction = correction_of(tap, look, desk)
    if overtaken(look, correction, tap.revision):
        raise overtaken_by(look, tap)
    if look.revision > tap.revision:
        text = mark("%(who)s corrected these pictures too, at the same time: this is how they stand now.")
        news.append(_(text, who=others(look, tap)))
    before = proposals(desk, tap.step)
    fixed = desk.on(desk.draft.with_look(tap.step, look.with_correction(correction)))
    after = proposals(fixed, tap.step)
    changed = {name: text for name, text in after.items() if text != before.get(name)}
    return fixed.draft.with_fields(changed)


def others(look: Look, tap: Tap) -> str:
    """Who corrected the look since the page was drawn."""
    since = look.corrections[max(tap.revision, 0) :]
    return next((each.who for each in since if each.who), _("Somebody else"))


def overtaken_by(look: Look, tap: Tap) -> StaleGameError:
    """The refusal of a tap on something that others changed first."""
    return StaleGameError(_(CHANGED_CARD, who=others(look, tap)))


def correction_of(tap: Tap, look: Look, desk: Desk) -> Correction:
    """What the tap does to the look; raises RulesError when something was not chosen."""
    act, _space, rest = tap.fix.partition(" ")
    signed = Correction(Act.UNDO, who=who(), request=tap.request)
    if act == "undo":
        return signed
    if act in ("fine", "none") and rest:
        return replace(signed, act=Act.FINE, doubts=numbers(rest, look))
    if tap.card == "more":
        return _one_more(tap, look, desk, signed)
    number = whole_number(tap.card) or 0
    card = look.card(number)
    if card is None and look.at(max(tap.revision, 0)).card(number):
        raise overtaken_by(look, tap)
    if card is None:
        raise RulesError(_("choose which card is meant first"))
    if act in ("gone", "fine"):
        return replace(signed, act=Act(act), card=card.number)
    return replace(signed, act=Act.IS, card=card.number, what=what_of(tap, desk))


def _one_more(tap: Tap, look: Look, desk: Desk, signed: Correction) -> Correction:
    if tap.fix in ("gone", "fine"):
        raise RulesError(_("say what the card is that lies there too, or choose another card"))
    near = tuple(
        number
        for number, doubt in look.open.items()
        if doubt.spot and tap.spot and not doubt.card and _close(doubt.spot, tap.spot, look)
    )
    spot = tap.spot if tap.spot and 0 <= tap.spot[0] < len(look.sizes) else None
    return replace(signed, act=Act.MORE, card=look.next_number(), what=what_of(tap, desk), spot=spot, doubts=near)


def _close(one: Spot, other: Spot, look: Look) -> bool:
    """Whether a card at one place would lie at the other, too."""
    box = look.box_at(one)
    long_px = max(abs(x - box[0][0]) + abs(y - box[0][1]) for x, y in box)
    return one[0] == other[0] and abs(one[1] - other[1]) + abs(one[2] - other[2]) < long_px / 2


def numbers(text: str, look: Look) -> tuple[int, ...]:
    """Places in the list of doubts, as far as there are such."""
    found = (whole_number(word) for word in text.split())
    return tuple(number for number in found if number is not None and 0 <= number < len(look.doubts))


def what_of(tap: Tap, desk: Desk) -> str:
    """What the tap says the card is; raises RulesError for what it can't be."""
    act, _space, what = tap.fix.partition(" ")
    if act == "rank":
        what = f"{what}{tap.suit}"
        if not tap.suit:
            raise RulesError(_("choose the suit first, then the rank"))
    if act not in ("is", "rank") or what not in allowed(tap.step, desk.sides, what):
        raise RulesError(_("say what the card is: %(what)r is none", what=what))
    return what


def allowed(step: str, sides: Sequence[Side], what: str) -> set[str]:
    """What a card of this step may be called."""
    if step == "spread":
        return {owner_of(side) for side in sides}
    faces = {what} if is_code(what) else set()
    return faces | ({DEAD} if step == "lake" else {UNKNOWN})


def draw_refused(desk: Desk, step: str, error: ScorekeeperError) -> str:
    """What was posted, with the reason; where somebody else was first, with what they made of it."""
    now = hands.open_desk(desk.id, desk.number)
    moved = moved_by(now, step, desk.draft) if isinstance(error, StaleGameError) else {}
    shown = desk.draft.with_look(step, now.draft.looks.get(step)).with_fields(moved)
    return draw(now.on(shown), step, sentence(str(error)), proposed=moved)


def draw(desk: Desk, step: str, *said: str, proposed: hands.Fields | None = None) -> str:
    """The look anew with the numbers it changed for htmx; the whole page for a plain browser."""
    if "HX-Request" not in request.headers:
        return hands.draw_step(desk, step, said[0] if said else None)
    return render_template(
        "_fixed.html", desk=desk, step=step, said_so=said, proposed=proposed or {}, **hands.surroundings(desk)
    )
