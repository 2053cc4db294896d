"""One card of each deck laid side by side: every back in one picture found, and known again in further pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from scorekeeper.errors import EnrolmentError
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.said import say, say_count
from scorekeeper.vision.backs.gallery import TOO_ALIKE, Gallery, apart
from scorekeeper.vision.detector import BACK, FACE, Detections, one_each
from scorekeeper.vision.enrolment.colours import Colour, colour_of
from scorekeeper.vision.enrolment.learning import SETTINGS, EnrolmentSettings, edge_width, traced
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.geometry import Corners, Image, fit_within
from scorekeeper.vision.places import near_edge, share_of_either
from scorekeeper.vision.templates import CELL, COLUMNS, ROWS, Signature, balanced, height_px, upright, upright_quad

LOOK_PX = 1920
"""Longer side of the picture as it is looked at."""
ON_EACH_OTHER = 0.06
"""Cards of which one hides more than this share of the other are not side by side."""
MOST_PICTURES = 5


@dataclass(frozen=True, slots=True)
class LaidBack:
    """One of the cards."""

    quad: Corners
    """In pixels of the first picture."""
    crop: Image
    """Upright, from the first picture."""
    signature_texts: tuple[str, ...]
    """One from each picture."""
    colour: Colour


def find_laid(images: Sequence[Image], eye: Eye, settings: EnrolmentSettings = SETTINGS) -> list[LaidBack]:
    """The backs that lie side by side in the first of *images*, from left to right; further ones show them again.

    Raises EnrolmentError with one sentence where a picture can't be used.
    """
    if len(images) > MOST_PICTURES:
        raise EnrolmentError(say("%(num)s pictures are too many: five are enough", num=len(images)))
    backs = [backs_in(image, eye, settings) for image in images]
    if not backs:
        raise EnrolmentError(say("there is no picture: lay one card of each deck face down and photograph them"))
    crops = [[_crop(image, quad) for quad in quads] for image, quads in zip(images, backs, strict=True)]
    texts = [[Signature(balanced(crop)).to_text() for crop in some] for some in crops]
    for number, more in enumerate(texts[1:], 2):
        if len(more) != len(texts[0]):
            raise EnrolmentError(
                say(
                    "picture %(number)s shows %(more)s cards, the first one %(first)s: show the same cards each time",
                    number=number,
                    more=len(more),
                    first=len(texts[0]),
                )
            )
    orders = [range(len(texts[0])), *(same_order(texts[0], more) for more in texts[1:])]
    return [
        LaidBack(quad, crop, tuple(some[order[n]] for some, order in zip(texts, orders, strict=True)), colour_of(crop))
        for n, (quad, crop) in enumerate(zip(backs[0], crops[0], strict=True))
    ]


def backs_in(image: Image, eye: Eye, settings: EnrolmentSettings = SETTINGS) -> list[Corners]:
    """The outlines of the backs of *image*, from left to right; raises EnrolmentError with what is wrong."""
    small, scale = fit_within(image, LOOK_PX)
    found = eye.look(small, min_score=0.2).of(FACE, BACK)
    sure = one_each(found.pick(found.scores > settings.sure))
    _refuse_cards(sure, small)
    quads = [traced(small, box, settings) for box in sure.corners_px]
    _refuse_outlines(quads, small, settings)
    quads.sort(key=lambda quad: float(quad[:, 0].mean()))
    return [upright_quad(quad / np.float32(scale)) for quad in quads]


def _refuse_cards(sure: Detections, image: Image) -> None:
    if not len(sure):
        raise EnrolmentError(
            say("no card was seen: lay one card of each deck face down, side by side, on a plain cloth")
        )
    if faces := int((sure.kinds == FACE).sum()):
        raise EnrolmentError(
            say_count(
                "a card lies face up: turn it over, its back is what is learned",
                "%(num)s cards lie face up: turn them over, their backs are what is learned",
                faces,
            )
        )
    if any(near_edge(corners, image) for corners in sure.corners_px):
        raise EnrolmentError(say("a card is cut by the picture's edge: show every card whole"))


def _refuse_outlines(quads: Sequence[Corners], image: Image, settings: EnrolmentSettings) -> None:
    for a, b in combinations(quads, 2):
        if share_of_either(a, b) > ON_EACH_OTHER:
            raise EnrolmentError(say("two cards lie on each other: lay them side by side"))
    if min(height_px(quad) for quad in quads) < settings.least_px:
        raise EnrolmentError(say("the cards are too small in the picture: take it from closer"))
    if any(edge_width(image, quad) > max(5.0, settings.blur * height_px(quad)) for quad in quads):
        raise EnrolmentError(say("the picture is blurred: hold still, wait for the focus, and take it again"))


def _crop(image: Image, quad: Corners) -> Image:
    return upright(image, quad, 2 * ROWS * CELL, 2 * COLUMNS * CELL)


def same_order(first: Sequence[str], more: Sequence[str]) -> list[int]:
    """For each of the signatures *first*, which one of *more* is the same card; the nearest pairs first."""
    gallery = Gallery.from_signatures({DeckId(str(n)): (text,) for n, text in enumerate([*first, *more])})
    count = len(first)
    far = np.array([[apart(gallery, a, count + b) for b in range(count)] for a in range(count)])
    order = [0] * count
    for _ in range(count):
        a, b = (int(place) for place in np.unravel_index(int(far.argmin()), far.shape))
        order[a] = b
        far[a, :] = far[:, b] = np.inf
    return order


def known_as(texts: Sequence[str], decks: Mapping[DeckId, Sequence[str]]) -> DeckId | None:
    """The deck among *decks* that looks like the one with the signatures *texts*; None where none does."""
    known = {deck: some for deck, some in decks.items() if some}
    gallery = Gallery.from_signatures({**known, DeckId(""): tuple(texts)})
    last = len(known)
    far = [min(apart(gallery, n, last), apart(gallery, last, n)) for n in range(last)]
    return gallery.decks[int(np.argmin(far))] if far and min(far) < TOO_ALIKE else None
