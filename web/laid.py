"""All decks in one picture: the backs the eye found, named by their colour, and whose they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import EnrolmentError, ScorekeeperError
from scorekeeper.guide.marks import mark
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.names import clean
from scorekeeper.rules.scoring import Side, SideId
from scorekeeper.scorebook import GameId
from scorekeeper.watch import LaidDeck
from web import decks, here
from web.bodies import takes_pictures
from web.camera import look, sample
from web.forms import whole_number
from web.guard import keepers_only
from web.language import gettext as _
from web.posted import form_id
from web.refusals import in_words, keep_form
from web.uploads import eye, uploaded

bp = Blueprint("laid", __name__, url_prefix="/g/<game_id>/decks/laid")
bp.before_request(keepers_only)

SAMPLE = "datasets/samples/hand1/decks.jpg"
MOST = 12
"""Decks of one picture."""

COLOURS = {
    "red": mark("red"), "orange": mark("orange"), "yellow": mark("yellow"), "green": mark("green"),
    "turquoise": mark("turquoise"), "blue": mark("blue"), "purple": mark("purple"), "pink": mark("pink"),
    "brown": mark("brown"), "black": mark("black"), "grey": mark("grey"), "white": mark("white"),
}  # fmt: skip
ONES = {
    "red": mark("The red one"), "orange": mark("The orange one"), "yellow": mark("The yellow one"),
    "green": mark("The green one"), "turquoise": mark("The turquoise one"), "blue": mark("The blue one"),
    "purple": mark("The purple one"), "pink": mark("The pink one"), "brown": mark("The brown one"),
    "black": mark("The black one"), "grey": mark("The grey one"), "white": mark("The white one"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """One back of the picture, as the form shows it and posts it again."""

    title: str
    """Such as "The blue one"."""
    crop: str
    """Id of its picture."""
    signatures: tuple[str, ...]
    """Ids under which its signatures are kept until somebody says whose it is."""
    name: str
    """The deck's name as proposed or typed."""
    colour: str
    """Such as "blue"."""
    side: str = ""
    """Whose it is; empty for nobody's."""


@bp.post("")
@takes_pictures
def found(game_id: str) -> ResponseReturnValue:
    """Finds the backs of the pictures and asks whose each is."""
    game_word = GameId(game_id)
    keep_form(lambda error: decks.draw(game_word, error))
    game = look(game_id)
    pictures = [sample(SAMPLE)] if "sample" in request.form else uploaded("pictures")
    laid = eye().laid(pictures)
    if len(laid) > MOST:
        raise EnrolmentError(_("%(num)s cards are too many for one picture: show twelve at most", num=len(laid)))
    return draw(game_id, proposed(laid, game.playing))


@bp.post("/owners")
def owners(game_id: str) -> ResponseReturnValue:
    """Enrols every back that was given to a side."""
    game_word = GameId(game_id)
    posted = posted_backs()
    keep_form(lambda error: draw(game_id, posted, error))
    given = [one for one in posted if one.side]
    refuse_doubles(given, look(game_id).sides)
    texts = {
        one.crop: [here.pictures().data(kept).decode("ascii", "replace") for kept in one.signatures] for one in given
    }
    eye().too_alike({DeckId(one.crop): texts[one.crop] for one in given})  # raises what is no signature
    notes = []
    for one in given:
        notes += decks.renamed(game_word, DeckId(one.name), texts[one.crop])
        decks.take(game_word, SideId(one.side), DeckId(one.name), texts[one.crop], one.crop, f"{form_id()}:{one.side}")
        decks.dress(game_word, SideId(one.side), [one.name, one.colour], f"{form_id()}:{one.side}")
    side = given[0].side if given else None
    return redirect(url_for("decks.page", game_id=game_id, said=" ".join(notes) or None, side=side), 303)


def proposed(laid: Sequence[LaidDeck], sides: Sequence[Side]) -> list[Found]:
    """The backs with a name each: as an earlier game called it, else by its colour; and whose it is by that name."""
    earlier = {name: each.signatures for name, each in here.book().known_decks().items()}
    known = [eye().known_as(one.signatures, earlier) if earlier else None for one in laid]
    titles = shaded(laid)
    names = distinct([str(name) if name else _(COLOURS[one.colour]) for name, one in zip(known, laid, strict=True)])
    by_deck = {str(side.deck).casefold(): str(side.id) for side in sides if side.deck}
    keep = here.pictures().keep
    return [
        Found(
            title,
            keep(one.crop),
            tuple(keep(text.encode("ascii")) for text in one.signatures),
            name,
            one.colour,
            by_deck.get(name.casefold()) or by_deck.get(one.colour, ""),
        )
        for title, one, name in zip(titles, laid, names, strict=True)
    ]


def shaded(laid: Sequence[LaidDeck]) -> list[str]:
    """What each back is called in the picture; of two of one colour the darker one is said to be it."""
    times = Counter(one.colour for one in laid)
    titles = []
    for one in laid:
        title = _(ONES[one.colour])
        if times[one.colour] == 2:
            other = next(each for each in laid if each.colour == one.colour and each is not one)
            title = (
                _("%(one)s, darker", one=title) if one.lightness < other.lightness else _("%(one)s, lighter", one=title)
            )
        elif times[one.colour] > 2:
            number = [each for each in laid if each.colour == one.colour].index(one) + 1
            title = _("%(one)s, number %(number)s from the left", one=title, number=number)
        titles.append(title)
    return titles


def distinct(names: Sequence[str]) -> list[str]:
    """The names, each further one of a kind with a number: ``blue``, ``blue 2``."""
    taken: Counter[str] = Counter()
    numbered = []
    for name in names:
        taken[name] += 1
        numbered.append(f"{name} {taken[name]}" if taken[name] > 1 else name)
    return numbered


def posted_backs() -> list[Found]:
    """The backs as the form posts them."""
    count = min(whole_number(request.form.get("count", "")) or 0, MOST)
    fields: Mapping[str, str] = request.form
    return [
        Found(
            fields.get(f"title.{n}", "")[:80],
            fields.get(f"crop.{n}", ""),
            tuple(fields.get(f"signatures.{n}", "").split()),
            clean(fields.get(f"name.{n}", ""))[:40],
            fields.get(f"colour.{n}", "")[:20],
            fields.get(f"side.{n}", ""),
        )
        for n in range(count)
    ]


def refuse_doubles(given: Sequence[Found], sides: Sequence[Side]) -> None:
    """Raises EnrolmentError where a side got two backs, two backs got one name, or one got none."""
    if not given:
        raise EnrolmentError(_("say whose the cards are: nothing was learned yet"))
    names = {str(side.id): side.name for side in sides}
    for side, times in Counter(one.side for one in given).items():
        if times > 1:
            raise EnrolmentError(_("%(name)s has two of the cards: give each side one", name=names.get(side, side)))
    for name, times in Counter(one.name.casefold() for one in given).items():
        if not name:
            raise EnrolmentError(_("every deck needs a name, such as its colour"))
        if times > 1:
            raise EnrolmentError(_("two decks are called %(name)r: give each its own name", name=name))


def draw(game_id: str, backs: Sequence[Found], error: ScorekeeperError | None = None) -> str:
    """The backs with the question whose they are."""
    return render_template(
        "laid.html",
        game_id=game_id,
        game=look(game_id),
        backs=backs,
        trouble=in_words(error) if error else None,
        request_id=form_id() if error else None,
    )
