"""Counts the backs of a spread: the Lake turned over, in one picture or several that share no card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.rules.lake import DeckId, SeenBack, Spotted, SpreadReading, spots_of, spotted
from scorekeeper.rules.said import Said, say
from scorekeeper.vision.backs import Gallery, Glances, Match, corrected, straightened, whose
from scorekeeper.vision.cloth import leftovers
from scorekeeper.vision.detector import BACK, FACE, INDEX, Detections
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.geometry import Corners, Image, box_of, side_lengths
from scorekeeper.vision.looks import height_px, upright_quad
from scorekeeper.vision.outline import find_tilt
from scorekeeper.vision.places import at, cut_by_edge, place, share_inside
from scorekeeper.vision.refine import load_refiner


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadSettings:
    """When a card is counted, and when a reading is believed without being looked at."""

    least_score: float = 0.02
    """Detections below this (0 to 1) are ignored."""
    known: float = 0.90
    """A back this surely of an enrolled deck is clear, however hardly it is seen."""
    least_view: float = 0.5
    """A back of no deck that shows less than this is not counted but asked about: cards spread show more."""
    asked: float = 0.25
    """Other cards below this are ignored too."""
    counted: float = 0.30
    """Backs below this are not counted; from ``asked`` on they are asked about."""
    clear: float = 0.50
    """Backs below this are counted, and asked about."""
    sure: float = 0.85
    """Cards whose deck is less certain than this are asked about."""
    same_card: float = 0.60
    """Two outlines of which one lies within the other by this share are one card; of a card seen, a third shows."""
    odd_size: float = 0.72
    """A card whose area is this much smaller, or as much larger, than the others' may be two cards or a part of one."""
    least_size: float = 0.4
    """A box whose area is smaller than this share of the others' is a part of a card, and none that much larger."""
    usual_size: float = 0.12
    """Areas that differ less (natural logarithm) from the others' are as good as equal; ..."""
    size_cost: float = 1.5
    """... of the rest, this much is taken from the score's logarithm."""
    least_px: float = 34.0
    """Cards lower than this are too small to tell decks apart."""


SETTINGS = SpreadSettings()


@dataclass(frozen=True, slots=True)
class _Sight:
    """What one picture shows."""

    cards: tuple[SeenBack, ...]
    problems: tuple[str, ...]


def read_spread(
    images: Sequence[Image], eye: Eye, gallery: Gallery, *, settings: SpreadSettings = SETTINGS
) -> SpreadReading:
    """How many cards of each deck lie face down in *images*, which share no card; certain, or with what to do."""
    sights = [_look(image, number, eye, gallery, settings) for number, image in enumerate(images)]
    cards = tuple(card for sight in sights for card in sight.cards)
    texts = [_of_picture(text, number, len(images)) for number, sight in enumerate(sights) for text in sight.problems]
    problems: list[str] = [*summed_up(texts)]
    if not gallery.decks:
        problems.insert(0, say("no deck is enrolled yet: photograph the back of each deck first"))
    if not images:
        problems.append(say("no cards seen: take a picture of the cards turned over and spread"))
    counts = {deck: sum(card.deck == deck for card in cards) for deck in gallery.decks}
    return SpreadReading(cards, counts, not problems, tuple(problems))


def _of_picture(text: str, number: int, pictures: int) -> Spotted:
    """*text* about picture *number*, counted from 0, of so many."""
    told = say("%(problem)s in picture %(number)s", problem=text, number=number + 1) if pictures > 1 else text
    return moved_to(number, told, text)


def moved_to(picture: int, text: str, before: str) -> Spotted:
    """*text* about the places of *before*, all in one picture."""
    return spotted(text, *((picture, x, y) for _, x, y in spots_of(before)))


def summed_up(problems: Sequence[Spotted]) -> list[Spotted]:
    """Each sentence once, with the places of all that say the same."""
    same: dict[str, list[Spotted]] = {}
    for problem in problems:
        same.setdefault(problem, []).append(problem)
    return [
        spotted(_times(each[0], len(each)), *(spot for one in each for spot in one.spots)) for each in same.values()
    ]


def _times(problem: Spotted, number: int) -> Said:
    return say("%(problem)s (%(num)s such)", problem=problem, num=number) if number > 1 else problem


def _look(image: Image, number: int, eye: Eye, gallery: Gallery, settings: SpreadSettings) -> _Sight:
    found, glances = eye.look(image, min_score=settings.least_score), Glances(image)
    cards, quads = _outlined(glances, found.of(FACE, BACK), gallery, settings)
    cards, quads, owners = _recognised(glances, cards, quads, gallery, settings)
    backs = _counted(cards, settings)
    matches = [owners[n] for n in backs]
    seen = tuple(
        SeenBack(number, match.deck, round(_sure(match, cards, n), 3), box_of(quads[n]), _others(match))
        for n, match in zip(backs, matches, strict=True)
    )
    problems = _doubts(image, cards, quads, settings) + _unclear(image, quads, backs, matches, gallery, settings)
    problems += _faces(image, cards, quads, found.of(INDEX), settings)
    if backs:
        problems += [
            at(
                middle,
                say(
                    "something %(where)s was not counted: if it is a card, spread the cards there",
                    where=place(middle, image),
                ),
            )
            for middle in leftovers(image, quads)
        ]
    else:
        problems.insert(0, say("no cards seen: turn the cards face down, spread them, and show the whole table"))
    return _Sight(seen, tuple(problems))


def _sure(match: Match, cards: Detections, n: int) -> float:
    """How likely there is a card, and that it is of this deck."""
    return float(min(match.confidence, float(cards.scores[n]) ** 0.25))


def _others(match: Match) -> tuple[tuple[DeckId, float], ...]:
    """Which other deck it may be."""
    other = match.nearest if match.deck is None else match.runner_up
    return () if other is None else ((other, round(1 - match.confidence, 3)),)


def _outlined(
    glances: Glances, found: Detections, gallery: Gallery, settings: SpreadSettings
) -> tuple[Detections, list[Corners]]:
    """Each card once, with its outline as exact as it can be seen."""
    cards = one_each(card_sized(refined(found, glances, settings), glances.image, settings), settings)
    quads = straightened(glances.image, list(cards.corners_px))
    quads = corrected(gallery, glances, quads, _counted(cards, settings))
    exact = Detections(np.array(quads, np.float32).reshape(-1, 4, 2), cards.kinds, cards.scores)
    cards = one_each(exact, settings)
    return cards, [upright_quad(corners) for corners in cards.corners_px]


def refined(found: Detections, glances: Glances, settings: SpreadSettings) -> Detections:
    """*found*, each outline moved onto its card, with scores that count how well it now lies there."""
    if not len(found):
        return found
    lengths, clear = side_lengths(found.corners_px).max(1), found.scores >= settings.clear
    length = float(np.median(lengths[clear] if clear.any() else lengths))
    corners = found.corners_px
    for _ in range(2):
        better = load_refiner()(glances.suited(length), corners, length)
        corners = better.corners_px
    return Detections(corners, found.kinds, np.sqrt(found.scores * better.sure))


def _recognised(
    glances: Glances, cards: Detections, quads: Sequence[Corners], gallery: Gallery, settings: SpreadSettings
) -> tuple[Detections, list[Corners], dict[int, Match]]:
    """*cards* in which what is hardly seen, but surely of a deck, is clear, and without the rest of what is hardly
    seen; and whose each back is."""
    backs = np.flatnonzero(cards.kinds == BACK)
    owners = dict(zip(backs.tolist(), whose(gallery, glances, quads, backs.tolist()), strict=True))
    scores = cards.scores.copy()
    for n, match in owners.items():
        seen_whole = not cut_by_edge(quads[n], glances.image)
        if match.deck is not None and match.confidence >= settings.known and seen_whole:
            scores[n] = max(scores[n], settings.clear)
        elif match.deck is None and match.view < settings.least_view:
            scores[n] = min(scores[n], settings.asked)
    kept = [int(n) for n in np.flatnonzero(scores >= settings.asked)]
    left = Detections(cards.corners_px, cards.kinds, scores).pick(np.array(kept, np.int64))
    return left, [quads[n] for n in kept], {k: owners[n] for k, n in enumerate(kept) if n in owners}


def _counted(cards: Detections, settings: SpreadSettings) -> list[int]:
    """Places of the backs that count."""
    return [int(n) for n in np.flatnonzero((cards.kinds == BACK) & (cards.scores >= settings.counted))]


def one_each(found: Detections, settings: SpreadSettings) -> Detections:
    """*found* with each card once, best first: an outline on one already taken, or made of several, is left out."""
    kept: list[int] = []
    for n in np.argsort(-found.scores, kind="stable"):
        box = found.corners_px[n]
        if all(_shared(box, found.corners_px[k]) < settings.same_card for k in kept):
            kept.append(int(n))
    return found.pick(np.array(kept, np.int64))


def card_sized(found: Detections, image: Image, settings: SpreadSettings) -> Detections:
    """*found* with lower scores for outlines larger or smaller than the cards, and without parts of cards and stretches
    of cloth."""
    clear = found.scores >= settings.clear
    if clear.sum() < 3:
        return found
    sizes = _sizes(list(found.corners_px), image, clear)
    odd = np.maximum(np.abs(np.log(np.maximum(sizes, 1e-3))) - settings.usual_size, 0)
    scores = found.scores * np.exp(-settings.size_cost * odd).astype(np.float32)
    kept = (sizes > settings.least_size) & (sizes < 1 / settings.least_size)
    return Detections(found.corners_px, found.kinds, scores).pick(kept)


def _sizes(quads: Sequence[Corners], image: Image, clear: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """How large each outline is on the table, 1 is the median of the *clear* ones."""
    tilt = find_tilt([quad for quad, good in zip(quads, clear, strict=True) if good], (image.shape[0], image.shape[1]))
    areas = np.array([abs(cv2.contourArea(tilt.to_table(quad).astype(np.float32))) for quad in quads])
    return np.asarray(areas / max(float(np.median(areas[clear])), 1e-6), np.float64)


def _shared(first: Corners, second: Corners) -> float:
    """How much of the smaller outline lies within the other: more than a card that is still seen can be covered."""
    if (first.min(0) > second.max(0)).any() or (second.min(0) > first.max(0)).any():
        return 0.0
    return max(share_inside(first, second), share_inside(second, first))


def _doubts(image: Image, cards: Detections, quads: Sequence[Corners], settings: SpreadSettings) -> list[str]:
    """Backs that may be none, may be two, or are not wholly in the picture."""
    sure = (cards.scores >= settings.clear) & (cards.kinds == BACK)
    sizes = _sizes(quads, image, sure) if sure.sum() >= 3 else np.ones(len(quads))
    problems: list[str] = []
    for n, quad in enumerate(quads):
        if cards.kinds[n] != BACK:
            continue
        where = place(quad.mean(0), image)
        if cards.scores[n] < settings.counted:
            text = say(
                "there may be one more card %(where)s: spread the cards there and take the picture again", where=where
            )
        elif cards.scores[n] < settings.clear:
            text = say("not sure that there is a card %(where)s: spread the cards there", where=where)
        elif cut_by_edge(quad, image):
            text = say("a card %(where)s is cut by the picture's edge: show the whole table", where=where)
        elif not settings.odd_size < sizes[n] < 1 / settings.odd_size:
            text = say("a card %(where)s has an odd size: are two cards lying on each other there?", where=where)
        else:
            continue
        problems.append(at(quad.mean(0), text))
    return problems


def _unclear(
    image: Image,
    quads: Sequence[Corners],
    backs: Sequence[int],
    matches: Sequence[Match],
    gallery: Gallery,
    settings: SpreadSettings,
) -> list[str]:
    """Backs of no enrolled deck, of two decks alike, or too small to tell."""
    problems: list[str] = []
    if backs and min(height_px(upright_quad(quads[n])) for n in backs) < settings.least_px:
        problems.append(say("the cards are very small: take the picture from closer, or in two batches"))
    for n, match in zip(backs, matches, strict=True):
        where = place(quads[n].mean(0), image)
        if not gallery.decks:
            continue
        if match.deck is None:
            text = say("a card %(where)s fits no enrolled deck: whose is it?", where=where)
            problems.append(at(quads[n].mean(0), text))
        elif match.confidence < settings.sure:
            problems.append(at(quads[n].mean(0), _whose_text(match, match.deck, where)))
    return problems


def _whose_text(match: Match, deck: DeckId, where: Said) -> Said:
    if match.runner_up and match.margin < 0.4:
        return say(
            "not sure whose the card %(where)s is: %(deck)r or %(other)r?",
            where=where,
            deck=str(deck),
            other=str(match.runner_up),
        )
    return say("not sure whose the card %(where)s is: %(deck)r?", where=where, deck=str(deck))


def _faces(
    image: Image, cards: Detections, quads: Sequence[Corners], indices: Detections, settings: SpreadSettings
) -> list[str]:
    """Cards that lie face up among the backs."""
    faces = [n for n in range(len(cards)) if cards.kinds[n] == FACE and cards.scores[n] >= settings.counted]
    problems: list[str] = []
    for n in faces:
        middle = quads[n].mean(0)
        text = say("a card %(where)s lies face up: turn it over, it is not counted", where=place(middle, image))
        problems.append(at(middle, text))
    for corners, score in zip(indices.corners_px, indices.scores, strict=True):
        if score >= 0.6 and not any(share_inside(corners, quads[n]) > 0.5 for n in faces):
            middle = corners.mean(0)
            problems.append(
                at(middle, say("a card %(where)s may lie face up: turn it over", where=place(middle, image)))
            )
    return problems
