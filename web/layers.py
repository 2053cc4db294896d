"""The cards of a look as shapes over their pictures: what a page draws, and what a finger can touch."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from scorekeeper.errors import NotationError, NotFoundError
from scorekeeper.guide.marks import mark
from scorekeeper.rules.cards import parse_card
from scorekeeper.rules.lake import JOKER
from scorekeeper.rules.scoring import Side
from web import here
from web.drafts import owner_of
from web.language import gettext as _
from web.lettering import places, tallest
from web.looks import DEAD, UNKNOWN, CardSeen, Look, read_look, usual_length

SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
PLACES = (
    (mark("top left"), mark("top"), mark("top right")),
    (mark("left"), mark("middle"), mark("right")),
    (mark("bottom left"), mark("bottom"), mark("bottom right")),
)
"""By thirds of the picture, from its top left."""


LETTERS, MOST_LETTERS = 0.46, 52
"""Height of letters as a share of a card's width; so many would fit side by side into a picture of small cards."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One card over its picture."""

    card: CardSeen
    points: str
    """Corners as SVG has them."""
    x: float
    y: float
    """Its middle."""
    at: tuple[float, float]
    """Where its label stands."""
    label: str
    """What stands on it: ``7♣``, ``?``, nothing on a back that is somebody's."""
    red: bool
    side: Side | None
    """Whose back it is."""
    suspect: bool
    words: str
    """What it is, for those who can't see the picture."""
    doubts: tuple[int, ...]
    """Places in the list of open doubts that are about it."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One picture with everything that lies over it."""

    number: int
    """Counted from 0."""
    picture: str
    """Id of the copy to show."""
    width: int
    height: int
    unit: float
    """Width of a usual card in pixels of the picture, which patterns follow."""
    letters: float
    """Height of its letters in pixels of the picture."""
    shapes: tuple[Shape, ...]
    spots: tuple[tuple[int, float, float], ...]
    """Doubts about places without a card: number of the doubt, ``x y``."""


def remembered_cards(game_id: str, number: int, sides: Sequence[Side]) -> dict[str, list[Layer]]:
    """The layers of a recorded hand by step; none where its pictures are gone or of an older version."""
    found = {}
    for step, ids in here.pictures().about(game_id, f"cards-{number}").items():
        with suppress(NotFoundError):
            found[step] = layers(here.pictures().load(ids[0], _look), sides)
    return found


def _look(data: bytes) -> Look:
    return read_look(json.loads(data))


def slug(step: str) -> str:
    """The word for a step in the names of fields and elements: ``left-amy``."""
    return step.replace(".", "-")


def layers(look: Look, sides: Sequence[Side]) -> list[Layer]:
    """A layer for each picture whose size is known; none for looks of older versions."""
    owners = {owner_of(side): side for side in sides}
    cards, open_doubts, suspects = look.cards, look.open, look.suspects
    about: dict[int, tuple[int, ...]] = {}
    for n, doubt in open_doubts.items():
        about[doubt.card] = (*about.get(doubt.card, ()), n)
    unit = usual_length(cards) or max((max(size) for size in look.sizes), default=0) / 12
    found = []
    for number, (picture, (width, height)) in enumerate(zip(look.shown, look.sizes, strict=False)):
        if not width:
            continue
        mine = [card for card in cards if card.placed and card.picture == number]
        mine.sort(key=lambda card: card.number in suspects)
        boxes = [card.box for card in mine]
        letters = round(max(min(unit * LETTERS, tallest(boxes)), width / MOST_LETTERS), 1)
        named = [card.number in suspects or bool(_label(card, owners)) for card in mine]
        shapes = tuple(
            _shape(card, look, owners, at, card.number in suspects, about.get(card.number, ()))
            for card, at in zip(mine, places(boxes, named, letters, (width, height)), strict=True)
        )
        spots = tuple(
            (n, doubt.spot[1], doubt.spot[2])
            for n, doubt in open_doubts.items()
            if doubt.spot and doubt.spot[0] == number and not look.card(doubt.card)
        )
        found.append(Layer(number, picture, width, height, unit, letters, shapes, spots))
    return found


def _label(card: CardSeen, owners: Mapping[str, Side]) -> str:
    return "?" if card.what == UNKNOWN else "" if card.what in owners else face(card.what)


def _shape(
    card: CardSeen,
    look: Look,
    owners: Mapping[str, Side],
    at: tuple[float, float],
    suspect: bool,
    doubts: tuple[int, ...],
) -> Shape:
    (x, y), label = card.middle, _label(card, owners)
    return Shape(
        card,
        " ".join(f"{left:g},{top:g}" for left, top in card.box),
        round(x, 1),
        round(y, 1),
        (round(at[0], 1), round(at[1], 1)),
        label,
        label[-1:] in "♥♦" if label else False,
        owners.get(card.what),
        suspect,
        in_words(card, look, owners),
        doubts,
    )


def face(what: str) -> str:
    """``7♣`` for ``7C``; a finished pile shows its height, a joker its word, anything else its name."""
    if what == DEAD:
        return "13"
    if what == JOKER:
        return _("Joker")
    return f"{what[:-1]}{SYMBOLS[what[-1]]}" if is_code(what) else what


def is_code(what: str) -> bool:
    """Whether *what* names a playing card."""
    try:
        parse_card(what)
    except NotationError:
        return False
    return True


def in_words(card: CardSeen, look: Look, owners: Mapping[str, Side]) -> str:
    """One card for a list: ``Card 7, top left: Amy``."""
    values: dict[str, object] = {"number": card.number, "what": said_what(card.what, owners)}
    if not card.placed or card.picture >= len(look.sizes):
        return _("Card %(number)s: %(what)s", **values)
    place = _(place_of(card.middle, look.sizes[card.picture]))
    if len(look.pictures) > 1:
        text = mark("Card %(number)s, picture %(picture)s, %(place)s: %(what)s")
        return _(text, picture=card.picture + 1, place=place, **values)
    return _("Card %(number)s, %(place)s: %(what)s", place=place, **values)


def confirms(look: Look, numbers: Sequence[int], owners: Mapping[str, Side]) -> str:
    """What the tick behind a question confirms: ``It is 7♣``, ``All 3 are right``, ``No card is there``."""
    doubts = [look.doubts[number] for number in numbers]
    about = {card.number: card for doubt in doubts if (card := look.card(doubt.card))}
    if not about:
        return _("Not a card") if len(doubts) == 1 and doubts[0].spot else _("It is correct")
    if len(about) > 1:
        return _("All %(number)s are right", number=len(about))
    (card,) = about.values()
    if card.what == UNKNOWN:
        return _("Leave it unknown")
    return _("It is %(what)s", what=said_what(card.what, owners))


def said_what(what: str, owners: Mapping[str, Side]) -> str:
    """Whose back or which card it is."""
    if what == UNKNOWN:
        return _("unknown")
    if what == DEAD:
        return _("finished, face down")
    return owners[what].name if what in owners else face(what)


def place_of(middle: tuple[float, float], size: tuple[int, int]) -> str:
    """The message that says where a point of a picture is."""
    column, row = (min(2, max(0, int(3 * value / max(1, whole)))) for value, whole in zip(middle, size, strict=True))
    return PLACES[row][column]
