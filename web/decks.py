"""The decks of a game: a photo of each back, so that the eye can tell whose card is whose."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import CameraError, EnrolmentError, ScorekeeperError
from scorekeeper.rules.game import Game
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.scoring import Side, SideId
from scorekeeper.scorebook import GameId
from web import here
from web.guard import keepers_only, who
from web.refusals import keep_form, sentence
from web.uploads import eye, uploaded

bp = Blueprint("decks", __name__, url_prefix="/g/<game_id>")
bp.before_request(keepers_only)


@bp.get("/decks")
def page(game_id: str) -> str:
    """Every side's deck: its back as learned, or the way to show it."""
    return draw(GameId(game_id))


@bp.post("/decks/<side>")
def enrol(game_id: str, side: str) -> ResponseReturnValue:
    """Learns one deck from its pictures."""
    game_word, wanted = GameId(game_id), SideId(side)
    name = " ".join(request.form.get("deck", "").split())
    keep_form(lambda error: draw(game_word, error, wanted, name))
    player = here.book().game(game_word).side(wanted)
    deck = DeckId(name or player.deck or player.name)
    watching = eye()
    learned = watching.enrol(uploaded("pictures"))
    request_id = request.form.get("request_id", "")[:64]
    here.book().enrol_deck(game_word, wanted, deck, learned.signatures, request_id=request_id, who=who())
    crop = here.pictures().keep(learned.crop)
    here.pictures().attach(game_id, f"deck-{side}", here.game_version(game_word), {"back": [crop]})
    said = " ".join(learned.problems)
    return redirect(url_for("decks.page", game_id=game_id, said=said or None, side=side, _anchor=f"deck-{side}"), 303)


def draw(game_id: GameId, error: ScorekeeperError | None = None, at: SideId | None = None, name: str = "") -> str:
    here.game_version(game_id)
    game = here.book().game(game_id)
    watch = here.watch()
    said = sentence(str(error)) if error else request.args.get("said", "")
    return render_template(
        "decks.html",
        game=game,
        game_id=game_id,
        backs={side.id: back_of(game_id, game, side) for side in game.sides},
        alike=too_alike(game),
        said={str(at or request.args.get("side", "")): said} if said else {},
        typed={str(at): name} if at else {},
        eye=watch is not None,
        camera=watch.camera if watch else None,
    )


def back_of(game_id: GameId, game: Game, side: Side) -> str | None:
    """The picture of a deck's back; None while the deck is not learned."""
    if side.deck not in game.signatures:
        return None
    return next(iter(here.pictures().about(game_id, f"deck-{side.id}").get("back", [])), "")


def too_alike(game: Game) -> list[str]:
    """A sentence for each pair of decks the eye can't tell apart (rules M13); also when it can't be asked."""
    if len(game.signatures) < 2:
        return []
    try:
        return eye().too_alike(game.signatures)
    except (CameraError, EnrolmentError) as error:
        return [sentence(str(error))]
