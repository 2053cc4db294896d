"""The hand page: count, look, confirm; undo and correct."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import (
    EndMovesError,
    IllegalHandError,
    NotFoundError,
    RulesError,
    ScorekeeperError,
    StaleGameError,
    StoreError,
)
from scorekeeper.rules import permitted
from scorekeeper.rules.checks import Problem
from scorekeeper.rules.events import HandCorrected, HandRecorded, LastHandUndone, LateHandsSettled
from scorekeeper.rules.fold import apply, terms, vet_hand
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Rules
from scorekeeper.rules.lake import Evidence, FanReading, LakeReading, SpreadReading
from scorekeeper.rules.moved import Line, Moved, moved_by
from scorekeeper.rules.scoring import Adjustment, Hand, Side, SideId, bonus_of, without
from scorekeeper.scorebook import GameId
from scorekeeper.watch import Seen
from web import here, posted
from web.announce import announced, announcement, moved_text
from web.bodies import takes_pictures
from web.drafts import (
    NEW_HAND,
    Draft,
    Look,
    change_draft,
    drop_draft,
    has_arrived,
    one_at_a_time,
    owner_of,
    read_draft,
    save_draft,
    spread_of,
    unwanted,
    with_piles,
)
from web.evidence import evidence_of, pictures_of
from web.forms import whole_number
from web.guard import keepers_only, who
from web.hand_form import TOTALS, HandForm, hand_field_names, hand_fields, read_hand
from web.language import gettext as _
from web.language import said
from web.layers import confirms, face, in_words, layers, slug
from web.lessons import learn, lessons
from web.looks import Correction, asking_about_jokers, lake_reading, look_of
from web.pictures import size_of
from web.possible import can_be, left_of, most_in_lake, too_many, turned_over
from web.posted import digest, news_since, posted_version
from web.refusals import keep_form, sentence
from web.standings import no_hand
from web.told import told, with_told
from web.uploads import eye, uploaded
from web.way import Way, choose_way, way

bp = Blueprint("hands", __name__, url_prefix="/g/<game_id>")
bp.before_request(keepers_only)

Fields = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Desk:
    """One hand on the scorekeeper's desk: the game as it is now and the draft as this page shows it."""

    id: GameId
    game: Game
    version: int
    """The version of the game this page was made for; posted back, so that nobody writes unseen."""
    draft: Draft
    number: int = NEW_HAND
    """Which hand is corrected; NEW_HAND when a new one is entered."""

    def on(self, draft: Draft) -> Desk:
        """The same desk with another draft on it."""
        return replace(self, draft=draft)

    @property
    def rules(self) -> Rules:
        """The house rules this hand is counted by."""
        return terms(self.game, self.number or None)[0]

    @property
    def sides(self) -> tuple[Side, ...]:
        """Who plays this hand: in a tie-breaker of the tied only these (rules K8)."""
        return terms(self.game, self.number or None)[1]

    @property
    def resting(self) -> tuple[Side, ...]:
        """Who sits out the hand being entered."""
        return () if self.number else tuple(side for side in self.game.playing if side not in self.sides)

    @property
    def given(self) -> tuple[Adjustment, ...]:
        """Penalties of the time the hand was played (rules H5)."""
        return self.game.played[self.number - 1].penalties if self.number else self.game.live.penalties

    @property
    def ticks(self) -> tuple[str, ...]:
        """What a tick posts to take each of them back: it fits this penalty, not another that has its place by now."""
        return tuple(digest(repr(each)) for each in self.given)

    @property
    def removed(self) -> tuple[int, ...]:
        """Those of them that a correction takes back, counted from 1."""
        ticked = self.draft.fields
        return tuple(number for number, tick in enumerate(self.ticks, 1) if ticked.get(f"removed.{number}") == tick)

    @property
    def penalties(self) -> tuple[Adjustment, ...]:
        """Those of them that stay; they are added by themselves."""
        return without(self.given, self.removed)

    @property
    def field_names(self) -> frozenset[str]:
        """Every field that a draft of this hand keeps."""
        removable = range(1, len(self.given) + 1) if self.number else ()
        return hand_field_names(self.sides) | {"reason", *(f"removed.{number}" for number in removable)}

    @property
    def form(self) -> HandForm:
        return read_hand(self.draft.fields, self.sides, self.rules)

    @property
    def title(self) -> str:
        if self.number:
            return _("Correct hand %(number)s", number=self.number)
        return _("Hand %(number)s", number=len(self.game.hands) + 1)

    @property
    def evidence(self) -> Evidence:
        """What is known of the Lake beside the counts."""
        form = self.form
        if self.number:
            return form.evidence()
        return with_piles(form.evidence(spread_of(self.draft, self.sides, form.hand)), self.draft)

    def doubts(self) -> list[Problem]:
        """What the referee says of the hand as it stands; nothing while counts are missing."""
        form = self.form
        if problems := form.problems():
            return [problem for problem in problems if problem.kind != "missing"]
        try:
            vet_hand(self.game, form.hand, self.evidence, number=self.number or None)
        except IllegalHandError as error:
            return list(error.problems)
        return []

    def waits(self) -> str:
        """What comes before another hand, such as a change of partners; empty where it can be played, or is over."""
        try:
            permitted.refuse(self.game, HandRecorded(Hand()))
        except RulesError as error:
            return "" if self.number or self.game.over else sentence(str(error))
        return ""

    def moved(self) -> str:
        """What this correction would do to the end of the game; empty where the end stays, or something is missing."""
        if not self.number or self.form.problems():
            return ""
        with suppress(RulesError):
            moved = here.book().moved_by(
                self.id, HandCorrected(self.number, self.form.hand, "so far", (), self.removed)
            )
            return moved_text(moved) if moved else ""
        return ""


@dataclass(frozen=True, slots=True)
class LateChoice:
    """What becomes of the game when the hands that came after its end count, or do not."""

    count: bool
    text: str
    lines: tuple[Line, ...]


@bp.get("/hand")
def page(game_id: str) -> str:
    """The next hand, with everything entered so far."""
    return draw(open_desk(game_id))


@bp.post("/hand")
@takes_pictures
def record(game_id: str) -> ResponseReturnValue:
    """Records the hand that the form shows."""
    desk = posted_desk(game_id)
    keep_form(lambda error: draw(desk, error))
    if fresh := desk.version == here.game_version(desk.id):
        save_draft(desk.id, desk.draft)
    if request.form.get("action") == "check":
        return draw(desk)
    with one_at_a_time, evidence_of(desk.id, desk.game, desk.version, desk.draft) as kept:
        here.book().record_hand(
            desk.id,
            readable(desk),
            request_id=request_id(desk),
            who=who(),
            expected=desk.version,
            evidence=desk.evidence,
            confirm_doubts=request.form.get("anyway") == mark_of(desk),
        )
    if fresh:
        learn(desk.id, desk.game, len(desk.game.hands) + 1, agreed_looks(desk))
    return redirect(url_for("board.page", game_id=game_id, unkept=None if kept else 1), 303)


@bp.post("/hand/way")
@takes_pictures
def change_way(game_id: str) -> ResponseReturnValue:
    """Types the numbers from now on, or takes photos; what was typed stays."""
    desk = posted_desk(game_id)
    choose_way(request.form.get("way", ""))
    if desk.version == here.game_version(desk.id):
        save_draft(desk.id, desk.draft)
    return redirect(url_for("hands.page", game_id=game_id), 303)


@bp.post("/hand/draft")
def draft(game_id: str) -> str:
    """Keeps the field that just changed and answers with the sums; the form itself stays as it is."""
    number = whole_number(request.form.get("number", "")) or NEW_HAND
    desk = posted_desk(game_id, number)
    keep_form(lambda error: draw_sums(desk, error))
    names = desk.field_names
    names &= {request.form.get("field", "")} if "field" in request.form else names
    fields = {name: desk.draft.fields.get(name, "") for name in names}

    def put(kept: Draft) -> Draft:
        if posted.late():
            refuse_overtaken(kept, fields)
        return kept.with_fields(fields)

    change_draft(desk.id, put, number, expected=draft_version(desk))
    return draw_sums(desk)


def draft_version(desk: Desk) -> int:
    """The version what is typed is kept at: a page that says its hand may be older, as long as that one is entered."""
    if "hand" not in request.form:
        return desk.version
    now = here.game_version(desk.id)
    posted.of_this_hand(here.book().game(desk.id))
    return now


def refuse_overtaken(kept: Draft, fields: Fields) -> None:
    """Refuses what waited on a phone while somebody else changed the same; ``was`` is what that phone knew of it."""
    known = request.form.getlist("was")
    if any(kept.fields.get(name, text) not in (text, *known) for name, text in fields.items()):
        raise StaleGameError(
            _("somebody else changed it meanwhile: look at the hand, and send yours again if it is the right one")
        )


@bp.post("/hand/lake")
@takes_pictures
def lake(game_id: str) -> ResponseReturnValue:
    """Reads a picture of the Lake as it lies and proposes T."""
    desk = desk_for_picture(game_id, "lake")
    if has_arrived(desk.id, posted.picture_id()):
        return show_look(desk, "lake")
    watching = eye()
    pictures = uploaded("lake")
    return looked(desk, "lake", look_at(pictures[:1], watching.lake(pictures[0])))


@bp.post("/hand/spread")
@takes_pictures
def spread(game_id: str) -> ResponseReturnValue:
    """Counts one more batch of the Lake turned over, together with the batches before."""
    desk = desk_for_picture(game_id, "spread")
    if has_arrived(desk.id, posted.picture_id()):
        return show_look(desk, "spread")
    watching = eye()
    styles = {side.deck: (side.color, side.pattern) for side in desk.sides if side.deck}
    batches = [look_at([data], watching.spread([data], desk.game.signatures, styles)) for data in uploaded("spread")]
    return looked(desk, "spread", reduce(Look.with_batch, batches), add=True)


@bp.post("/hand/lake/turned")
@takes_pictures
def turned(game_id: str) -> ResponseReturnValue:
    """Counts the picture of the Lake as one of backs: it lay turned over already."""
    desk = posted_desk(game_id)
    keep_form(lambda error: draw_step(desk, "lake", sentence(str(error))))
    if "hand" in request.form:
        posted.of_this_hand(desk.game)
    look = desk.draft.looks.get("lake")
    if look is None:
        raise StaleGameError(_("somebody deleted the photo meanwhile: take another one"))
    save_draft(desk.id, desk.draft)
    pictures = [here.pictures().data(each) for each in look.pictures]
    styles = {side.deck: (side.color, side.pattern) for side in desk.sides if side.deck}
    counted = look_at(pictures, eye().spread(pictures, desk.game.signatures, styles))

    def put(kept: Draft) -> Draft:
        cleared = with_seen(desk.on(kept), "lake", None).draft
        return with_seen(desk.on(cleared), "spread", counted, add=True).draft

    change_draft(desk.id, put)
    return redirect(f"{url_for('hands.page', game_id=desk.id)}#step-spread", 303)


@bp.post("/hand/left/<side>")
@takes_pictures
def left(game_id: str, side: str) -> ResponseReturnValue:
    """Counts the cards one side has left, from their fan."""
    step = f"left.{side}"
    desk = desk_for_picture(game_id, step)
    desk.game.side(SideId(side))
    if has_arrived(desk.id, posted.picture_id()):
        return show_look(desk, step)
    watching = eye()
    pictures = uploaded(step)
    return looked(desk, step, look_at_fan(pictures[0], watching.fan(pictures[0], left=True), desk.game.rules))


@bp.post("/hand/cancel")
def cancel(game_id: str) -> ResponseReturnValue:
    """A picture that is still being read is not wanted any more: nothing comes of it."""
    here.game_version(GameId(game_id))
    unwanted(GameId(game_id), posted.picture_id())
    return "", 204


@bp.post("/hand/forget/<step>")
def forget(game_id: str, step: str) -> ResponseReturnValue:
    """Drops the pictures of one step and the numbers they proposed."""
    desk = desk_for_picture(game_id, step)
    return looked(desk, step, None)


@bp.get("/undo")
def undo_page(game_id: str) -> str:
    """Asks why the last hand is taken back."""
    return draw_undo(GameId(game_id))


@bp.post("/undo")
def undo(game_id: str) -> ResponseReturnValue:
    """Takes the last hand back; its page has said what that does to the standings."""
    game, reason = GameId(game_id), request.form.get("reason", "")
    keep_form(lambda error: draw_undo(game, error, reason))
    here.book().undo_last_hand(
        game,
        reason,
        request_id=posted.request_id(reason),
        who=who(),
        expected=posted_version(),
        announced="standings" in request.form,
    )
    return redirect(url_for("board.page", game_id=game_id), 303)


@bp.post("/redo")
def redo(game_id: str) -> ResponseReturnValue:
    """Records the hand that was just undone again, with its pictures."""
    here.game_version(GameId(game_id))
    here.book().redo_hand(GameId(game_id), request_id=posted.request_id("redo"), who=who(), expected=posted_version())
    return redirect(url_for("board.page", game_id=game_id), 303)


@bp.get("/late")
def late_page(game_id: str) -> str:
    """Asks whether the hands that came after the end count, and says what follows."""
    return draw_late(GameId(game_id))


@bp.post("/late")
def settle_late(game_id: str) -> ResponseReturnValue:
    """The table has decided about the hands that came after the end."""
    game, event = GameId(game_id), LateHandsSettled(request.form.get("count") == "1")
    keep_form(lambda error: draw_late(game, error))
    posted_id = posted.request_id(repr(event))
    here.book().note(game, event, request_id=posted_id, who=who(), expected=posted_version(), announced=True)
    return redirect(url_for("board.page", game_id=game_id), 303)


@bp.get("/hands/<int(min=1):number>/correct")
def correct_page(game_id: str, number: int) -> str:
    """An earlier hand, its numbers in the form."""
    return draw(open_desk(game_id, number))


@bp.post("/hands/<int(min=1):number>/correct")
def correct(game_id: str, number: int) -> ResponseReturnValue:
    """Counts an earlier hand anew, with a reason."""
    desk = posted_desk(game_id, number)
    keep_form(lambda error: draw(desk, error))
    if desk.version == here.game_version(desk.id):
        save_draft(desk.id, desk.draft, number)
    if request.form.get("action") == "check":
        return draw(desk)
    here.book().correct_hand(
        desk.id,
        number,
        readable(desk),
        desk.draft.fields.get("reason", ""),
        request_id=request_id(desk),
        who=who(),
        expected=desk.version,
        evidence=desk.evidence,
        confirm_doubts=request.form.get("anyway") == mark_of(desk),
        announced=announced(),
        removed=desk.removed,
    )
    with suppress(StoreError):  # the correction is recorded, whatever becomes of its draft
        drop_draft(desk.id, number)
    return redirect(url_for("board.page", game_id=game_id), 303)


def open_desk(game_id: str, number: int = NEW_HAND) -> Desk:
    """The desk from what the server keeps; raises NotFoundError for an unknown game or hand."""
    version = here.game_version(GameId(game_id))
    game = here.book().game(GameId(game_id))
    if number > len(game.hands):
        raise NotFoundError(no_hand(game, number))
    kept = read_draft(GameId(game_id), number)
    begun = hand_fields(game.hands[number - 1], game.played[number - 1].rules) if number else heard(game)
    draft = Draft({**begun, **kept.fields}, kept.looks)
    said = {} if number else told(GameId(game_id), game)
    return Desk(GameId(game_id), game, version, with_told(draft, said), number)


def heard(game: Game) -> dict[str, str]:
    """What a new hand begins with: the calls that stand, and totals alone where the last hand had no counts."""
    fields = {f"called.{claim.side}": "1" for claim in game.live.claims if claim.verified}
    totals_only = bool(game.hands) and bool(game.hands[-1].typed) and not game.hands[-1].tallies
    return {**fields, "how": TOTALS} if totals_only else fields


def posted_desk(game_id: str, number: int = NEW_HAND) -> Desk:
    """The desk with the fields of the posted form, at the version its page was made for."""
    desk = open_desk(game_id, number)
    fields = {name: request.form.get(name, "")[:200] for name in desk.field_names}
    return Desk(desk.id, desk.game, posted_version(), desk.draft.with_fields(fields), number)


def desk_for_picture(game_id: str, step: str) -> Desk:
    """The desk for a picture's post; a refused picture shows its reason in its own step, the form kept."""
    desk = posted_desk(game_id)
    keep_form(lambda error: draw_step(desk, step, sentence(str(error))))
    if "hand" in request.form:
        posted.of_this_hand(desk.game)
    if "HX-Request" not in request.headers:
        save_draft(desk.id, desk.draft)
    return desk


def look_at(pictures: Sequence[bytes], seen: Seen[LakeReading] | Seen[SpreadReading] | Seen[FanReading]) -> Look:
    """What the eye said of *pictures*, which are kept."""
    keep = here.pictures().keep
    kept = [keep(data) for data in pictures]
    shown = [keep(data) for data in seen.shown] or kept
    return look_of(seen.reading, kept, [keep(data) for data in seen.overlays], shown, [size_of(d) for d in pictures])


def look_at_fan(picture: bytes, seen: Seen[FanReading], rules: Rules) -> Look:
    """What the eye said of what is left; a joker is asked about where the decks have none (rules I3)."""
    look = look_at([picture], seen)
    return look if rules.jokers else asking_about_jokers(look)


def hand_over(
    game_id: GameId,
    step: str,
    pictures: Sequence[bytes],
    seen: Seen[LakeReading] | Seen[SpreadReading] | Seen[FanReading],
    *,
    add: bool = False,
    corrections: Sequence[Correction] = (),
) -> None:
    """Puts a reading into the hand being entered, where it is corrected; *add* keeps the batches before it."""
    look = replace(look_at(pictures, seen), corrections=tuple(corrections))
    change_draft(game_id, lambda kept: with_seen(open_desk(game_id).on(kept), step, look, add=add).draft)


def looked(desk: Desk, step: str, look: Look | None, *, add: bool = False) -> ResponseReturnValue:
    """Keeps a look and the numbers it proposes, and shows them."""
    late = posted.late()

    def put(kept: Draft) -> Draft:
        return with_seen(desk.on(kept), step, look, add=add, late=late).draft

    change_draft(desk.id, put, once=posted.picture_id())
    return show_look(desk, step)


def show_look(desk: Desk, step: str) -> ResponseReturnValue:
    """The look of *step* as it is kept now: htmx gets the step anew, a plain browser the page."""
    if "HX-Request" not in request.headers:
        return redirect(f"{url_for('hands.page', game_id=desk.id)}#step-{slug(step)}", 303)
    kept = read_draft(desk.id)
    fields = proposals(desk.on(kept), step)
    if posted.late():
        fields = untyped(fields, desk, step)
    shown = desk.draft.with_look(step, kept.looks.get(step)).with_fields(fields)
    return draw_step(desk.on(shown), step, proposed=fields)


def with_seen(desk: Desk, step: str, look: Look | None, *, add: bool = False, late: bool = False) -> Desk:
    """The desk with a look, and with the numbers that it proposes; of a *late* one what was typed meanwhile stays."""
    before = desk.draft.looks.get(step)
    whole = before.with_batch(look) if add and before and look else look
    seen = desk.on(desk.draft.with_look(step, whole))
    fields = proposals(seen, step)
    return seen.on(seen.draft.with_fields(untyped(fields, desk, step) if late else fields))


def untyped(fields: Fields, desk: Desk, step: str) -> dict[str, str]:
    """Of the *fields* that a look fills those that nobody typed: they are empty, or as the look before filled them."""
    before, now = proposals(desk, step), desk.draft.fields
    return {name: text for name, text in fields.items() if now.get(name, "") in ("", before.get(name, ""))}


def agreed_looks(desk: Desk) -> dict[str, Look]:
    """The looks whose numbers stand in the form as they are, so that a person confirmed them."""
    typed = desk.draft.fields
    return {
        step: look
        for step, look in desk.draft.looks.items()
        if all(typed.get(name) == text for name, text in proposals(desk, step).items())
    }


def proposals(desk: Desk, step: str) -> dict[str, str]:
    """The fields that the look of *step* fills; empty ones without a look."""
    look = desk.draft.looks.get(step)
    if step == "lake":
        unclear = look is None or turned_over(look, desk.sides)
        return {"total": "" if unclear else can_be(standing(desk, look), most_in_lake(desk.sides, desk.rules))}
    if step != "spread":
        return {step: left_of(look, SideId(step.removeprefix("left.")), desk.sides, desk.rules) if look else ""}
    if look is None:
        return {f"lake.{side.id}": "" for side in desk.sides}
    counted = {side: look.counts[owner_of(side)] for side in desk.sides if owner_of(side) in look.counts}
    return {f"lake.{side.id}": can_be(number, desk.rules.deck_size) for side, number in counted.items()}


def standing(desk: Desk, look: Look | None) -> int:
    """The cards of the piles that a look shows; 0 without one."""
    return Evidence(lake=lake_reading(look), start=desk.form.evidence().start).standing if look else 0


def impossible(desk: Desk, look: Look, step: str) -> list[str]:
    """Why a look fills in nothing where it shows more cards than there are."""
    return too_many(look, step, desk.sides, desk.rules, standing(desk, look) if step == "lake" else 0)


def readable(desk: Desk) -> Hand:
    """The hand of the form; raises IllegalHandError while something is missing or no number."""
    if problems := desk.form.problems():
        raise IllegalHandError(problems)
    return desk.form.hand


def request_id(desk: Desk) -> str:
    """The form's id and the hand it shows: a double tap repeats it, changed numbers make another."""
    return posted.request_id(desk.form.hand, *desk.removed)


def mark_of(desk: Desk) -> str:
    """What the button 'Record it anyway' carries: it fits these numbers and these doubts only."""
    return digest(repr((desk.form.hand, desk.form.evidence(), [problem.text for problem in desk.doubts()])))


def draw(desk: Desk, error: ScorekeeperError | None = None) -> str:
    """The whole page; after a refusal with its reasons, and with a fresh version when somebody else was first."""
    now = here.game_version(desk.id)
    stale = now != desk.version
    problems = list(error.problems) if isinstance(error, IllegalHandError) else []
    doubtful = bool(problems) and not any(problem.blocking for problem in problems) and not stale
    faults = faults_of(problems)
    return render_template(
        "hand.html",
        desk=desk,
        **sums(desk) | {"faults": faults},
        **(pictures_of(desk.id, desk.number, desk.game.sides) if desk.number else {}),
        version=now,
        shown_problems=[problem for problem in problems if field_of(problem) not in faults],
        announcement=None if stale else announcement(error),
        trouble=sentence(said(str(error))) if error and not problems and not isinstance(error, EndMovesError) else None,
        news=news_since(desk.id, now) if stale else [],
        anyway=mark_of(desk) if doubtful else None,
        request_id=request.form.get("request_id"),
    )


def field_of(problem: Problem) -> str:
    """The field that a problem is about, such as ``lake.amy``; empty where it is about the whole hand."""
    return f"{problem.entry}.{problem.where}" if problem.entry and problem.where else problem.entry


def faults_of(problems: Sequence[Problem]) -> dict[str, str]:
    """The first thing wrong with each field, in a sentence to stand below it."""
    said_of: dict[str, str] = {}
    for problem in problems:
        if problem.blocking and (name := field_of(problem)):
            said_of.setdefault(name, sentence(str(problem.text)))
    return said_of


def draw_step(desk: Desk, step: str, trouble: str | None = None, proposed: Fields | None = None) -> str:
    """One step anew with the sums for htmx; the whole page for a plain browser."""
    here_too = surroundings(desk)
    if "HX-Request" not in request.headers:
        page: dict[str, object] = {
            "shown_problems": [], "trouble": trouble, "news": [], "anyway": None, "announcement": None,
        }  # fmt: skip
        return render_template("hand.html", desk=desk, **here_too, **page, request_id=request.form.get("request_id"))
    return render_template(
        "_step_answer.html", desk=desk, step=step, step_trouble=trouble, proposed=proposed or {}, **here_too
    )


def surroundings(desk: Desk) -> dict[str, object]:
    """What a part of the page needs to be drawn alone."""
    return {**sums(desk), "version": desk.version}


def draw_sums(desk: Desk, error: ScorekeeperError | None = None) -> str:
    return render_template("_sums.html", desk=desk, **sums(desk), trouble=sentence(str(error)) if error else None)


def sums(desk: Desk) -> dict[str, object]:
    """Points so far, the sum against T, and what the referee says already."""
    form, chosen, with_eye = desk.form, way(), here.watch() is not None
    return {
        "game": desk.game,
        "form": form,
        "points": form.points(desk.sides, desk.penalties),
        "shares": form.shares,
        "total_bonus": bonus_of(desk.rules),
        "doubts": desk.doubts(),
        "moved_text": desk.moved(),
        "waits": desk.waits(),
        "slug": slug,
        "owner_of": owner_of,
        "lessons": lessons(),
        "face_of": lambda what: face(what) if what else "",
        "confirms": lambda look, numbers: confirms(look, numbers, {owner_of(side): side for side in desk.sides}),
        "impossible": lambda look, step: impossible(desk, look, step),
        "turned_over": lambda look: turned_over(look, desk.sides),
        "layers": lambda look: layers(look, desk.sides),
        "in_words": lambda card, look: in_words(card, look, {owner_of(side): side for side in desk.sides}),
        "told": {} if desk.number else told(desk.id, desk.game),
        "faults": {},
        "fresh": chosen is Way.TYPED and not desk.number and not any(form.rows[side.id].lake for side in desk.sides),
        "camera": camera(),
        "eye": with_eye,
        "way": chosen,
        "photos": with_eye and (chosen is not Way.TYPED or bool(desk.draft.looks)),
    }


def camera() -> str | None:
    """The table's camera in words; None without one."""
    watch = here.watch()
    return watch.camera if watch else None


def draw_undo(game_id: GameId, error: ScorekeeperError | None = None, reason: str = "") -> str:
    version = here.game_version(game_id)
    game = here.book().game(game_id)
    event = LastHandUndone("so far")
    undone = Moved(game, apply(game, event)) if game.hands else None
    return render_template(
        "undo.html",
        game_id=game_id,
        game=game,
        version=version,
        reason=reason,
        lines=undone.lines if undone else (),
        moved_text=moved_text(undone) if undone and moved_by(game, event, undone.after) else "",
        trouble=sentence(str(error)) if error else None,
        news=news_since(game_id, version) if error else [],
    )


def draw_late(game_id: GameId, error: ScorekeeperError | None = None) -> str:
    version = here.game_version(game_id)
    game = here.book().game(game_id)
    after = {count: Moved(game, apply(game, LateHandsSettled(count))) for count in (False, True)} if game.late else {}
    return render_template(
        "late.html",
        game_id=game_id,
        game=game,
        version=version,
        choices=[LateChoice(count, moved_text(moved), moved.lines) for count, moved in after.items()],
        hands=[str(number) for number in game.late],
        troubles_said=[sentence(said(str(error)))] if error else [],
        news=news_since(game_id, version) if error else [],
    )
