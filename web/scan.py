"""The live scan: what the eye counts while people spread the Lake, and how its counts come into the hand."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import ScorekeeperError, StaleGameError, VisionError
from scorekeeper.guide.marks import mark
from scorekeeper.rules.lake import DeckId, SpreadReading
from scorekeeper.rules.names import isolated
from scorekeeper.rules.scoring import Side
from scorekeeper.rules.solve import dealt
from scorekeeper.scorebook import GameId
from scorekeeper.watch import Act, Phase, ScanOrder, ScanState, Solved
from web import here
from web.forms import whole_number
from web.guard import keepers_only, who
from web.hands import Desk, hand_over, open_desk
from web.language import gettext as _
from web.language import ngettext, said
from web.layers import Layer, layers
from web.looks import Act as Fix
from web.looks import Correction, look_of
from web.refusals import in_words, keep_form, sentence
from web.uploads import eye

bp = Blueprint("scan", __name__, url_prefix="/g/<game_id>/scan")
bp.before_request(keepers_only)

START, USE = "start", "use"
LIKELIER, OTHER = "use-likelier", "use-other"
"""Use the likeliest counts, where the eye read others, or the second likeliest."""
SEEN_ONLY = frozenset({Act.NEXT_BATCH, Act.UNDO_BATCH})
"""What may be done only to the scan as its page shows it: twice would be wrong."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Counts that may be right instead of those that were read."""

    act: str
    """What its button posts."""
    counts: Mapping[DeckId, int]
    listed: str
    """Such as ``Amy 14, Ben 9``."""
    why: str
    """How the cards may be read otherwise; empty where that is not known."""


_one_at_a_time = threading.Lock()
"""Between looking at the scan and acting on it nobody else acts."""

WHY = {
    Phase.OFF: mark("Nothing is being counted. Start when the cards lie spread, backs up."),
    Phase.WAITING: mark("Waiting for the cards …"),
    Phase.CLEAR_TABLE: mark("Take these cards away, then spread the next ones."),
    Phase.COUNTING: mark("Counting: hold everything still …"),
    Phase.LOCKED: mark("Counted. Look whether every card has its outline."),
}
"""What is said where the eye itself says nothing."""
GONE_ON = mark("the count has changed since this screen showed it: look at it, then tap again")


@bp.get("")
def page(game_id: str) -> str:
    """The live picture with what was counted so far."""
    return draw(open_desk(game_id))


@bp.get("/state")
def state(game_id: str) -> ResponseReturnValue:
    """The scan now, in parts; 204 when it is still as *seen*."""
    now = _state()
    if request.args.get("seen") == f"{now.owner}:{now.number}":
        return "", 204
    return jsonify(parts(open_desk(game_id), now))


@bp.get("/picture")
def picture(game_id: str) -> Response:
    """The newest frame of the table's camera, small, without marks."""
    here.game_version(GameId(game_id))
    watch = eye()
    data = watch.scan_picture() if watch.scan_state().phase is not Phase.OFF else watch.snapshot()
    return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@bp.post("")
def act(game_id: str) -> ResponseReturnValue:
    """One tap: ``start``, a ``use``, or an act of the scan; ``live`` asks for the answer in parts."""
    desk = open_desk(game_id)
    live, wish = "live" in request.form, request.form.get("act", "")
    keep_form(lambda error: _told(desk, error) if live else draw(desk, error))
    with _one_at_a_time:
        if wish in (USE, LIKELIER, OTHER):
            return use(desk, live, wish)
        now = begin(desk) if wish == START else tell(desk, Act(wish) if wish in [*Act] else Act.AGAIN)
    return jsonify(parts(desk, now)) if live else redirect(url_for("scan.page", game_id=game_id), 303)


def begin(desk: Desk) -> ScanState:
    """Starts to count for this hand; a scan that runs for it already goes on."""
    now = eye().scan_state()
    return now if mine(desk, now) else eye().scan(order(desk))


def tell(desk: Desk, wish: Act) -> ScanState:
    """Acts on the scan of this hand; raises StaleGameError where the page shows an older one."""
    now = eye().scan_state()
    if not mine(desk, now):
        raise StaleGameError(_("the count was ended or belongs to another game: start it again"))
    if wish in SEEN_ONLY:
        _refuse_stale(now)
    return eye().scan_act(wish)


def use(desk: Desk, live: bool, wish: str = USE) -> ResponseReturnValue:
    """Puts the counts into the hand, exactly as pictures that were uploaded, and ends the scan."""
    watch = eye()
    now = watch.scan_state()
    if mine(desk, now):
        _refuse_stale(now)
        scanned = watch.scan_result()
        corrections = [] if wish == USE else turned(scanned.seen.reading, offered(desk, now, wish), now)
        hand_over(desk.id, "spread", scanned.pictures, scanned.seen, corrections=corrections)
        watch.scan_act(Act.STOP)
    elif "spread" not in desk.draft.looks:
        raise StaleGameError(_("the count was ended or belongs to another game: start it again"))
    address = url_for("hands.page", game_id=desk.id, _anchor="step-spread")
    return jsonify(go=address) if live else redirect(address, 303)


def offered(desk: Desk, now: ScanState, wish: str) -> Mapping[DeckId, int]:
    """The counts of an offer; raises StaleGameError when it stands no longer."""
    for offer in offers(desk, now):
        if offer.act == wish:
            return offer.counts
    raise StaleGameError(_(GONE_ON))


def turned(reading: SpreadReading, counts: Mapping[DeckId, int], now: ScanState) -> list[Correction]:
    """The cards that are another side's by these counts: corrections of one tap, taken back together."""
    if dict(reading.counts) != now.counts:
        raise StaleGameError(_(GONE_ON))
    tap = f"scan {now.owner}:{now.number}"
    return [
        Correction(Fix.TAKEN, at + 1, str(deck), who=who(), request=tap) for at, deck in dealt(reading, counts).items()
    ]


def offers(desk: Desk, now: ScanState) -> list[Offer]:
    """Other counts than those that were read, once something can be used; the likelier first."""
    usable = now.phase is Phase.LOCKED or (now.phase is Phase.CLEAR_TABLE and now.batches)
    return list(_offers(desk, now)) if usable else []


def _offers(desk: Desk, now: ScanState) -> Iterator[Offer]:
    for act, solved in ((LIKELIER, now.solved), (OTHER, now.runner_up)):
        if solved is not None and dict(solved.counts) != now.counts:
            yield Offer(act, solved.counts, _listed(desk, solved), said(solved.said))


def _listed(desk: Desk, solved: Solved) -> str:
    sides = (side for side in desk.sides if side.deck in desk.game.signatures)
    return ", ".join(f"{isolated(side.name)} {solved.counts.get(side.deck, 0)}" for side in sides if side.deck)


def order(desk: Desk) -> ScanOrder:
    """What is to be counted in this hand; raises VisionError while the eye knows no deck."""
    if not desk.game.signatures:
        raise VisionError(_("no deck is known yet: photograph the decks first"))
    left = {side.id: whole_number(desk.draft.fields.get(f"left.{side.id}", "")) or 0 for side in desk.sides}
    return ScanOrder(
        owner=owner(desk),
        decks=desk.game.signatures,
        looks={side.deck: (side.color, side.pattern) for side in desk.sides if side.deck},
        total=desk.evidence.total,
        most={side.deck: desk.rules.deck_size - left[side.id] for side in desk.sides if side.deck},
    )


def owner(desk: Desk) -> str:
    """Whose scan this is: the hand being entered."""
    return f"{desk.id}/{len(desk.game.hands) + 1}"


def mine(desk: Desk, now: ScanState) -> bool:
    """Whether the scan that runs counts for this hand."""
    return now.phase is not Phase.OFF and now.owner == owner(desk)


def draw(desk: Desk, error: ScorekeeperError | None = None) -> str:
    """The page; after a refusal with the reason."""
    watch = here.watch()
    trouble = in_words(error) if error else ""
    now = ScanState()
    if watch is not None and watch.camera is not None:
        try:
            now = watch.scan_state()
        except VisionError as lost:
            trouble = trouble or in_words(lost)
    known = bool(desk.game.signatures)
    return render_template(
        "scan.html", desk=desk, now=now, known=known, camera=watch.camera if watch else None, trouble=trouble,
        **shown(desk, now),
    )  # fmt: skip


def parts(desk: Desk, now: ScanState) -> dict[str, object]:
    """What a page that stays puts in its places."""
    own = mine(desk, now)
    return {
        "seen": f"{now.owner}:{now.number}",
        "number": now.number,
        "phase": now.phase if own else Phase.OFF,
        "batches": now.batches if own else 0,
        "size": now.size,
        "marks": render_template("_scan_marks.html", desk=desk, **shown(desk, now)),
        "now": render_template("_scan_now.html", desk=desk, now=now, **shown(desk, now)),
        "spoken": spoken(desk, now) if own and now.phase is Phase.LOCKED else "",
        "trouble": "",
    }


def shown(desk: Desk, now: ScanState) -> Mapping[str, object]:
    """What the templates draw of a scan."""
    own = mine(desk, now)
    others = offers(desk, now) if own else []
    likelier = any(each.act == LIKELIER for each in others)
    return {
        "own": own,
        "offers": others,
        "foreign": now.phase is not Phase.OFF and not own,
        "why": why(desk, now),
        "missing": missing,
        "counts": counts(desk, now) if own else [],
        "unknown": now.banked_unknown + now.reading.unknown if own else 0,
        "hint": said(now.solved.said) if own and now.solved and not likelier else "",
        "layer": layer(desk, now) if own else None,
    }


def why(desk: Desk, now: ScanState) -> str:
    """One sentence: what the eye does, or what it waits for."""
    if now.phase is not Phase.OFF and not mine(desk, now):
        return _("The camera is counting for another game or hand. Starting here ends that.")
    text = said(now.why)
    return sentence(text) if text else _(WHY[now.phase])


def counts(desk: Desk, now: ScanState) -> list[tuple[Side, int, int]]:
    """Each side whose deck is known, its cards in all batches, and those that lie on the table."""
    whole, here_now = now.counts, now.reading.counts
    return [
        (side, whole.get(side.deck, 0), here_now.get(side.deck, 0))
        for side in desk.sides
        if side.deck and side.deck in desk.game.signatures
    ]


def layer(desk: Desk, now: ScanState) -> Layer | None:
    """The cards on the table as shapes; None before anything was read."""
    look = look_of(now.reading, ["live"], [], ["live"], [now.size])
    found = layers(look, desk.sides)
    return found[0] if found else None


def spoken(desk: Desk, now: ScanState) -> str:
    """What is said aloud when the counts lock: ``Amy 14, Ben 9. 1 card is missing.``"""
    said_counts = ", ".join(f"{isolated(side.name)} {number}" for side, number, _table in counts(desk, now))
    return f"{said_counts}. {missing(now)}".strip()


def missing(now: ScanState) -> str:
    """How far the cards seen are from the Lake's tops; empty where nobody counted those."""
    gap = now.missing
    if gap is None:
        return ""
    if gap == 0:
        return _("All cards found")
    if gap > 0:
        return ngettext("%(num)s more card to find", "%(num)s more cards to find", gap)
    return ngettext("%(num)s card too many", "%(num)s cards too many", -gap)


def _refuse_stale(now: ScanState) -> None:
    if whole_number(request.form.get("number", "")) != now.number:
        raise StaleGameError(_(GONE_ON))


def _state() -> ScanState:
    watch = here.watch()
    return watch.scan_state() if watch is not None and watch.camera is not None else ScanState()


def _told(desk: Desk, error: ScorekeeperError) -> Response:
    try:
        now = parts(desk, _state())
    except VisionError:
        now = {}
    return jsonify({**now, "trouble": in_words(error)})
