"""Whose the cards of one picture are: what ``gallery`` says of each, asked about once while nothing changes there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scorekeeper.vision.backs.gallery import Alike, Compared, Gallery, Match, Places, exposure_of, far, shifted
from scorekeeper.vision.backs.likeness import load_likeness, pair
from scorekeeper.vision.backs.memo import Memo
from scorekeeper.vision.geometry import Corners
from scorekeeper.vision.outline import Tilt, true_quads
from scorekeeper.vision.templates import Floats, Seen, upright_quad

LIKE = {"bias": 2.0, "likeness": 1.0, "distance": -3.0, "tint": -40.0}
"""What tells whether two cards in one picture are of one deck: log odds by the network's, by their distance and by how
much differently coloured, natural logarithm squared, their light would have to be. About as a logistic regression on
44,000 such pairs has it, but sooner against it."""
PLAINLY_NEAR, PLAINLY_LIKE = 0.2, 2.0
"""A card so near to a ``faint`` deck is so much like it (log odds) at least: of plain cards the network knows little,
and all 186 so near to a plain deck in 232 heaps were of it."""
MOST_LIKE = 6.0
"""Beyond this the network's log odds say no more."""
MOST_TINT = 0.3
"""Nor does light that differs more."""
LEAST_COMMON = 0.15
"""Two cards that show less than this of the same places say nothing of each other."""


def straightened(memo: Memo, boxes_px: Sequence[Corners]) -> list[Corners]:
    """The boxes of a picture's cards, each bent as the camera looks, beginning with a side that is short on the table:
    seen aslant, a card's longer side may look the shorter one."""
    return bent(memo.tilt(boxes_px), boxes_px) if len(boxes_px) else []


def bent(tilt: Tilt, boxes_px: Sequence[Corners]) -> list[Corners]:
    """The boxes of cards, each bent as the camera looks, beginning with a side that is short on the table."""
    return [tilt.standing(upright_quad(quad)) for quad in true_quads([tilt], boxes_px)]


def compared_in(gallery: Gallery, memo: Memo, quads: Sequence[Corners], exposure: np.float32) -> list[Compared]:
    """The cards in *quads* against every deck of the one gallery of this *memo*."""

    def find(new: list[int]) -> list[Compared]:
        return gallery.compare(memo.seen([quads[n] for n in new]), exposure)

    asked = [("compared", float(exposure), mask) for mask in memo.masks(quads)]
    return memo.once(asked, quads, find)


def identified(gallery: Gallery, memo: Memo, quads: Sequence[Corners]) -> list[Match]:
    """Whose cards the *quads* are."""
    exposure = exposure_of(memo.seen(quads))
    compared = compared_in(gallery, memo, quads, exposure)
    likeness = likeness_in(gallery, memo, quads, exposure)
    places = np.array(quads, np.float32).reshape(-1, 4, 2).mean(1)
    return gallery.judge(compared, likeness, beside_in(gallery, memo, quads), places)


def likeness_in(gallery: Gallery, memo: Memo, quads: Sequence[Corners], exposure: np.float32) -> Alike:
    """What the network says of cards in *quads*, each asked about once, and decks of the one gallery of *memo*; and
    of those near to a plain one what their distance says."""

    def likeness(cards: Places, decks: Places) -> Floats:
        def find(new: list[int]) -> list[float]:
            some = [wanted[n] for n in new]
            seen, compared = memo.seen(some), compared_in(gallery, memo, some, exposure)

            def pairs(rows: slice) -> Floats:
                return gallery.pairs(seen[rows], compared[rows], decks[new][rows], exposure)

            odds = load_likeness().said(pairs, len(new))
            far = np.array([one.distances[deck] for one, deck in zip(compared, decks[new], strict=True)])
            plainly = gallery.faint[decks[new]] & (far < PLAINLY_NEAR)
            least = np.where(plainly, np.float32(PLAINLY_LIKE), -np.inf)
            return [float(each) for each in np.maximum(odds, least)]

        wanted = [quads[n] for n in cards.tolist()]
        masks = memo.masks(wanted)
        asked = [("alike", deck, float(exposure), mask) for deck, mask in zip(decks.tolist(), masks, strict=True)]
        return np.array(memo.once(asked, wanted, find), np.float32)

    return likeness


def beside_in(gallery: Gallery, memo: Memo, quads: Sequence[Corners]) -> Alike:
    """How alike cards in *quads*, each asked about once, are to others of them: the light is the same there, and so it
    tells decks apart that are the same in another one."""

    def beside(cards: Places, others: Places) -> Floats:
        seen = memo.seen(quads)

        def find(new: list[int]) -> list[float]:
            return _beside(gallery, [seen[first[n]] for n in new], [seen[second[n]] for n in new])

        first, second = np.concatenate([cards, others]), np.concatenate([others, cards])
        asked = [("beside", hash(seen[n].picture.tobytes() + seen[n].free.tobytes())) for n in second]
        both = memo.once(asked, [quads[n] for n in first], find)
        return np.asarray(np.mean(np.reshape(both, (2, -1)), 0), np.float32)

    return beside


def _beside(gallery: Gallery, cards: Sequence[Seen], others: Sequence[Seen]) -> list[float]:
    """Log odds that each of *cards* is of the deck of the one of *others*, which lies in the same picture."""
    both = list(zip(cards, others, strict=True))
    pairs, rest = zip(*(_laid_on(gallery, *each) for each in both), strict=True)
    odds = np.clip(load_likeness()(np.stack(pairs)), -MOST_LIKE, MOST_LIKE)
    common = np.array([float((one.free * other.free).mean()) for one, other in both])
    return [float(each) for each in np.where(common > LEAST_COMMON, LIKE["likeness"] * odds + np.array(rest), 0)]


def _laid_on(gallery: Gallery, card: Seen, other: Seen) -> tuple[Floats, float]:
    """*card* beside *other* as it fits best, either way around, for the network (7, 112, 80); and what else says that
    they are of one deck, log odds."""
    looks, free = shifted(card.look, card.free)
    fits = []
    for way in (1, -1):  # a card's cells the other way around are those of the card turned by half
        distances, lights = far(looks, free * other.free[::way], other.look[None, ::way], gallery.settings)
        best = int(distances[:, 0].argmin())
        fits.append((float(distances[best, 0]), lights[best, 0], other.picture[::way, ::way], other.free[::way]))
    distance, light, picture, shows = min(fits, key=lambda fit: fit[0])
    tint = min(float(np.abs(light[:2]).max()), MOST_TINT)
    rest = LIKE["bias"] + LIKE["distance"] * distance + LIKE["tint"] * tint**2
    return pair(card.picture, picture, gallery.light(light), card.free * shows), rest
