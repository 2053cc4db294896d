"""The decks of a game: a photo of each back, so that the eye can tell whose card is whose."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import CameraError, DataFolderError, EnrolmentError, ScorekeeperError
from scorekeeper.rules.events import SideRestyled
from scorekeeper.rules.game import Game
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.names import clean
from scorekeeper.rules.scoring import Side, SideId
from scorekeeper.rules.sides import COLORS, PATTERNS
from scorekeeper.scorebook import GameId, KnownDeck
from web import here
from web.bodies import takes_pictures
from web.forms import COLOR_WORDS, color_of
from web.guard import keepers_only, who
from web.language import gettext as _
from web.posted import form_id
from web.refusals import in_words, keep_form, sentence
from web.uploads import eye, uploaded

bp = Blueprint("decks", __name__, url_prefix="/g/<game_id>")
bp.before_request(keepers_only)


@bp.get("/decks")
def page(game_id: str) -> str:
    """Every side's deck: its back as learned, or the way to show it."""
    return draw(GameId(game_id))


@bp.post("/decks/<side>")
@takes_pictures
def enrol(game_id: str, side: str) -> ResponseReturnValue:
    """Learns one deck from its pictures."""
    game_word, wanted = GameId(game_id), SideId(side)
    name = clean(request.form.get("deck", ""))
    keep_form(lambda error: draw(game_word, error, wanted, name))
    player = here.book().game(game_word).side(wanted)
    deck = DeckId(name or player.deck or player.name)
    watching = eye()
    learned = watching.enrol(uploaded("pictures"))
    take(game_word, wanted, deck, learned.signatures, here.pictures().keep(learned.crop), form_id())
    dress(game_word, wanted, [name or str(player.deck or ""), learned.colour], form_id())
    said = " ".join([*map(sentence, learned.problems), *renamed(game_word, deck, learned.signatures)])
    return redirect(url_for("decks.page", game_id=game_id, said=said or None, side=side, _anchor=f"deck-{side}"), 303)


@bp.post("/decks/<side>/known")
def known(game_id: str, side: str) -> ResponseReturnValue:
    """Takes a deck as an earlier game learned it."""
    game_word, wanted = GameId(game_id), SideId(side)
    keep_form(lambda error: draw(game_word, error, wanted))
    here.book().game(game_word).side(wanted)
    name = DeckId(request.form.get("known", ""))
    earlier = here.book().known_decks().get(name)
    if earlier is None:
        raise EnrolmentError(_("no earlier game knows a deck %(name)r: choose one of the list", name=str(name)))
    take(game_word, wanted, name, earlier.signatures, picture_of(earlier), form_id())
    dress(game_word, wanted, [name], form_id())
    return redirect(url_for("decks.page", game_id=game_id, _anchor=f"deck-{side}"), 303)


def take(
    game_id: GameId, side: SideId, deck: DeckId, signatures: Sequence[str], crop: str | None, request_id: str
) -> None:
    """Writes down how a side's deck looks, with the picture of its back; a full disk leaves out the picture only."""
    here.book().enrol_deck(game_id, side, deck, signatures, request_id=request_id, who=who())
    if crop:
        with suppress(DataFolderError):
            here.pictures().attach(game_id, f"deck-{side}", here.game_version(game_id), {"back": [crop]})


def dress(game_id: GameId, side: SideId, words: Sequence[str], request_id: str) -> None:
    """Gives a side the colour of its deck by the first of *words* that names one; a colour somebody chose stays."""
    game = here.book().game(game_id)
    now, color = game.side(side), next(filter(None, map(color_of, words)), None)
    if color is None or now.color == color or now.color.lower() not in {*COLORS, *COLOR_WORDS}:
        return
    taken = {each.pattern for each in game.sides if each.id != side and each.color == color}
    pattern = next((each for each in (now.pattern, *PATTERNS) if each not in taken), now.pattern)
    event = SideRestyled(side, color, pattern)
    here.book().note(game_id, event, request_id=f"{request_id}:look", who=who())


def picture_of(deck: KnownDeck) -> str | None:
    """The id of the picture of a deck that an earlier game learned; None where it is gone."""
    kept = here.pictures().at(deck.game, f"deck-{deck.side}", deck.number)
    return next(iter(kept.get("back", [])), None)


def renamed(game_id: GameId, deck: DeckId, signatures: Sequence[str]) -> list[str]:
    """A sentence where an earlier game had another name for this back, or this name for another back."""
    earlier = {name: each for name, each in here.book().known_decks().items() if each.game != game_id}
    looks = {name: each.signatures for name, each in earlier.items()}
    same = eye().known_as(signatures, looks) if looks else None
    said = []
    if same is not None and same != deck:
        said.append(
            _("This back was called %(before)r in an earlier game; here it is %(name)r.", before=same, name=deck)
        )
    if deck in looks and same != deck and eye().known_as(signatures, {deck: looks[deck]}) is None:
        said.append(_("In an earlier game %(name)r was another back; from now on it is this one.", name=deck))
    return said


def draw(game_id: GameId, error: ScorekeeperError | None = None, at: SideId | None = None, name: str = "") -> str:
    here.game_version(game_id)
    game = here.book().game(game_id)
    watch = here.watch()
    said = in_words(error) if error else request.args.get("said", "")
    return render_template(
        "decks.html",
        game=game,
        game_id=game_id,
        backs={side.id: back_of(game_id, game, side) for side in game.sides},
        alike=too_alike(game),
        said={str(at or request.args.get("side", "")): said} if said else {},
        typed={str(at): name} if at else {},
        earlier=[name for name in here.book().known_decks() if name not in game.signatures],
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
        return [sentence(text) for text in eye().too_alike(game.signatures)]
    except (CameraError, EnrolmentError) as error:
        return [in_words(error)]
