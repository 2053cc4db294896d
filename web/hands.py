"""The hand page: count, look, confirm; undo and correct."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import IllegalHandError, NotFoundError, ScorekeeperError
from scorekeeper.rules.checks import Problem
from scorekeeper.rules.fold import terms, vet_hand
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Rules
from scorekeeper.rules.lake import Evidence, FanReading, LakeReading, Pile, SpreadReading
from scorekeeper.rules.scoring import Adjustment, Hand, Side, SideId, bonus_of
from scorekeeper.scorebook import GameId
from scorekeeper.watch import Seen
from web import here, posted
from web.drafts import NEW_HAND, Draft, Look, drop_draft, read_draft, save_draft, spread_of, with_piles
from web.forms import whole_number
from web.guard import keepers_only, who
from web.hand_form import TOTALS, HandForm, hand_field_names, hand_fields, read_hand
from web.language import gettext as _
from web.posted import digest, posted_version
from web.refusals import keep_form, sentence
from web.standings import no_hand
from web.uploads import eye, uploaded

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
    def penalties(self) -> tuple[Adjustment, ...]:
        """Given while the hand was played; they are added by themselves (rules H5)."""
        return self.game.played[self.number - 1].penalties if self.number else self.game.live.penalties

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


@bp.get("/hand")
def page(game_id: str) -> str:
    """The next hand, with everything entered so far."""
    return draw(open_desk(game_id))


@bp.post("/hand")
def record(game_id: str) -> ResponseReturnValue:
    """Records the hand that the form shows."""
    desk = posted_desk(game_id)
    keep_form(lambda error: draw(desk, error))
    if desk.version == here.game_version(desk.id):
        save_draft(desk.id, desk.draft)
    if request.form.get("action") == "check":
        return draw(desk)
    game = here.book().record_hand(
        desk.id,
        readable(desk),
        request_id=request_id(desk),
        who=who(),
        expected=desk.version,
        evidence=desk.evidence,
        confirm_doubts=request.form.get("anyway") == mark_of(desk),
    )
    here.pictures().attach(game_id, f"hand-{len(game.hands)}", desk.version + 1, desk.draft.evidence)
    return redirect(url_for("board.page", game_id=game_id), 303)


@bp.post("/hand/draft")
def draft(game_id: str) -> str:
    """Keeps the field that just changed and answers with the sums; the form itself stays as it is."""
    number = whole_number(request.form.get("number", "")) or NEW_HAND
    desk = posted_desk(game_id, number)
    keep_form(lambda error: draw_sums(desk, error))
    names = hand_field_names(desk.sides) | {"reason"}
    changed = request.headers.get("HX-Trigger-Name", "")
    fields = {name: desk.draft.fields.get(name, "") for name in ({changed} if changed in names else names)}
    save_draft(desk.id, read_draft(desk.id, number).with_fields(fields), number, expected=desk.version)
    return draw_sums(desk)


@bp.post("/hand/lake")
def lake(game_id: str) -> ResponseReturnValue:
    """Reads a picture of the Lake as it lies and proposes T."""
    desk = desk_for_picture(game_id, "lake")
    watching = eye()
    pictures = uploaded("lake")
    seen = watching.lake(pictures[0])
    standing = Evidence(lake=seen.reading, start=desk.form.evidence().start).standing
    look = look_at(pictures[:1], seen, standing, piles=seen.reading.piles)
    return looked(desk, "lake", look, {"total": str(look.total)})


@bp.post("/hand/spread")
def spread(game_id: str) -> ResponseReturnValue:
    """Counts one more batch of the Lake turned over, together with the batches before."""
    desk = desk_for_picture(game_id, "spread")
    watching = eye()
    before = read_draft(desk.id).looks.get("spread")
    kept = [here.pictures().data(picture) for picture in (before.pictures if before else ())]
    pictures = [*kept, *uploaded("spread")]
    looks = {side.deck: (side.color, side.pattern) for side in desk.sides if side.deck}
    seen = watching.spread(pictures, desk.game.signatures, looks)
    counts = {str(deck): count for deck, count in seen.reading.counts.items()}
    look = look_at(pictures, seen, seen.reading.total, counts, seen.reading.unknown)
    proposed = {f"lake.{side.id}": str(counts[side.deck]) for side in desk.sides if side.deck in counts}
    return looked(desk, "spread", look, proposed)


@bp.post("/hand/left/<side>")
def left(game_id: str, side: str) -> ResponseReturnValue:
    """Counts the cards one side has left, from their fan."""
    step = f"left.{side}"
    desk = desk_for_picture(game_id, step)
    desk.game.side(SideId(side))
    watching = eye()
    pictures = uploaded(step)
    seen = watching.fan(pictures[0])
    look = look_at(pictures[:1], seen, seen.reading.count)
    return looked(desk, step, look, {step: str(look.total)})


@bp.post("/hand/forget/<step>")
def forget(game_id: str, step: str) -> ResponseReturnValue:
    """Drops the pictures of one step and the numbers they proposed."""
    desk = desk_for_picture(game_id, step)
    names = {"lake": ["total"], "spread": [f"lake.{side.id}" for side in desk.sides]}.get(step, [step])
    return looked(desk, step, None, dict.fromkeys(names, ""))


@bp.get("/undo")
def undo_page(game_id: str) -> str:
    """Asks why the last hand is taken back."""
    return draw_undo(GameId(game_id))


@bp.post("/undo")
def undo(game_id: str) -> ResponseReturnValue:
    """Takes the last hand back."""
    game, reason = GameId(game_id), request.form.get("reason", "")
    keep_form(lambda error: draw_undo(game, error, reason))
    here.book().undo_last_hand(game, reason, request_id=posted.request_id(reason), who=who(), expected=posted_version())
    return redirect(url_for("board.page", game_id=game_id), 303)


@bp.get("/hands/<int:number>/correct")
def correct_page(game_id: str, number: int) -> str:
    """An earlier hand, its numbers in the form."""
    return draw(open_desk(game_id, number))


@bp.post("/hands/<int:number>/correct")
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
    )
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
    return Desk(GameId(game_id), game, version, Draft({**begun, **kept.fields}, kept.looks), number)


def heard(game: Game) -> dict[str, str]:
    """What a new hand begins with: the calls that stand, and totals alone where the last hand had no counts."""
    fields = {f"called.{claim.side}": "1" for claim in game.live.claims if claim.verified}
    totals_only = bool(game.hands) and bool(game.hands[-1].typed) and not game.hands[-1].tallies
    return {**fields, "how": TOTALS} if totals_only else fields


def posted_desk(game_id: str, number: int = NEW_HAND) -> Desk:
    """The desk with the fields of the posted form, at the version its page was made for."""
    desk = open_desk(game_id, number)
    names = hand_field_names(desk.sides) | {"reason"}
    fields = {name: request.form.get(name, "")[:200] for name in names}
    return Desk(desk.id, desk.game, posted_version(), desk.draft.with_fields(fields), number)


def desk_for_picture(game_id: str, step: str) -> Desk:
    """The desk for a picture's post; a refused picture shows its reason in its own step, the form kept."""
    desk = posted_desk(game_id)
    if "HX-Request" not in request.headers:
        save_draft(desk.id, desk.draft)
    keep_form(lambda error: draw_step(desk, step, sentence(str(error))))
    return desk


def look_at(
    pictures: Sequence[bytes],
    seen: Seen[LakeReading] | Seen[SpreadReading] | Seen[FanReading],
    total: int,
    counts: Mapping[str, int] | None = None,
    unknown: int = 0,
    piles: Sequence[Pile] = (),
) -> Look:
    """What the eye said, its pictures kept."""
    keep = here.pictures().keep
    reading = seen.reading
    return Look(
        pictures=tuple(keep(data) for data in pictures),
        overlays=tuple(keep(data) for data in seen.overlays),
        problems=tuple(reading.problems),
        certain=reading.certain,
        total=total,
        counts=counts or {},
        unknown=unknown,
        tops=tuple("dead" if pile.dead else pile.top.code if pile.top else "?" for pile in piles),
    )


def looked(desk: Desk, step: str, look: Look | None, proposed: Fields) -> ResponseReturnValue:
    """Keeps a look and the numbers it proposes; htmx gets the step anew, a plain browser the page."""
    kept = read_draft(desk.id).with_look(step, look).with_fields(proposed)
    save_draft(desk.id, kept)
    if "HX-Request" not in request.headers:
        return redirect(f"{url_for('hands.page', game_id=desk.id)}#step-{step}", 303)
    shown = desk.draft.with_look(step, look).with_fields(proposed)
    return draw_step(Desk(desk.id, desk.game, desk.version, shown), step, proposed=proposed)


def readable(desk: Desk) -> Hand:
    """The hand of the form; raises IllegalHandError while something is missing or no number."""
    if problems := desk.form.problems():
        raise IllegalHandError(problems)
    return desk.form.hand


def request_id(desk: Desk) -> str:
    """The form's id and the hand it shows: a double tap repeats it, changed numbers make another."""
    return posted.request_id(desk.form.hand)


def mark_of(desk: Desk) -> str:
    """What the button 'Record it anyway' carries: it fits these numbers and these doubts only."""
    return digest(repr((desk.form.hand, desk.form.evidence(), [problem.text for problem in desk.doubts()])))


def draw(desk: Desk, error: ScorekeeperError | None = None) -> str:
    """The whole page; after a refusal with its reasons, and with a fresh version when somebody else was first."""
    now = here.game_version(desk.id)
    stale = now != desk.version
    problems = list(error.problems) if isinstance(error, IllegalHandError) else []
    doubtful = bool(problems) and not any(problem.blocking for problem in problems) and not stale
    return render_template(
        "hand.html",
        desk=desk,
        **sums(desk),
        version=now,
        shown_problems=problems,
        trouble=sentence(str(error)) if error and not problems else None,
        news=[row.text for row in here.book().history(desk.id)[desk.version :]] if stale and desk.version > 0 else [],
        anyway=mark_of(desk) if doubtful else None,
        request_id=request.form.get("request_id"),
        camera=camera(),
        eye=here.watch() is not None,
    )


def draw_step(desk: Desk, step: str, trouble: str | None = None, proposed: Fields | None = None) -> str:
    """One step anew with the sums for htmx; the whole page for a plain browser."""
    here_too = {**sums(desk), "camera": camera(), "version": desk.version, "eye": here.watch() is not None}
    if "HX-Request" not in request.headers:
        page: dict[str, object] = {"shown_problems": [], "trouble": trouble, "news": [], "anyway": None}
        return render_template("hand.html", desk=desk, **here_too, **page, request_id=request.form.get("request_id"))
    return render_template(
        "_step_answer.html", desk=desk, step=step, step_trouble=trouble, proposed=proposed or {}, **here_too
    )


def draw_sums(desk: Desk, error: ScorekeeperError | None = None) -> str:
    return render_template("_sums.html", desk=desk, **sums(desk), trouble=sentence(str(error)) if error else None)


def sums(desk: Desk) -> dict[str, object]:
    """Points so far, the sum against T, and what the referee says already."""
    form = desk.form
    return {
        "game": desk.game,
        "form": form,
        "points": form.points(desk.sides, desk.penalties),
        "shares": form.shares,
        "total_bonus": bonus_of(desk.rules),
        "doubts": desk.doubts(),
    }


def camera() -> str | None:
    """The table's camera in words; None without one."""
    watch = here.watch()
    return watch.camera if watch else None


def draw_undo(game_id: GameId, error: ScorekeeperError | None = None, reason: str = "") -> str:
    version = here.game_version(game_id)
    return render_template(
        "undo.html",
        game_id=game_id,
        game=here.book().game(game_id),
        version=version,
        reason=reason,
        trouble=sentence(str(error)) if error else None,
    )
