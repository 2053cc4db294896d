"""Counts the backs of a spread: the Lake turned over, in one picture or several that share no card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scorekeeper.rules.lake import DeckId, SeenBack, Spotted, SpreadReading, spots_of, spotted
from scorekeeper.rules.said import Said, say
from scorekeeper.vision.backs import Gallery, Glances, Match, corrected, straightened, whose
from scorekeeper.vision.cloth import leftovers
from scorekeeper.vision.detector import BACK, FACE, INDEX, Detections
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.geometry import Corners, Image, box_of
from scorekeeper.vision.heap import heaped, sizes_of
from scorekeeper.vision.looks import height_px, upright_quad
from scorekeeper.vision.places import at, cut_by_edge, place, share_inside


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadSettings:
    """When a card is counted, and when a reading is believed without being looked at."""

    least_score: float = 0.02
    """Detections below this (0 to 1) are ignored."""
    known: float = 0.90
    """A back this surely of an enrolled deck is clear, however hardly it is seen."""
    least_view: float = 0.5
    """A back of no deck that shows less than this is not counted but asked about: cards spread show more."""
    stranger: float = 0.30
    """Nor is one counted that was found less clearly than this."""
    asked: float = 0.12
    """Other cards below this are ignored too."""
    counted: float = 0.15
    """Backs below this are not counted; from ``asked`` on they are asked about."""
    clear: float = 0.40
    """Backs below this are counted, and asked about."""
    sure: float = 0.60
    """Cards whose deck is less certain than this are asked about."""
    odd_size: float = 0.72
    """A card whose area is this much smaller, or as much larger, than the others' may be two cards or a part of one."""
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
    cards = heaped(found, glances)
    quads = straightened(glances.image, list(cards.corners_px))
    quads = corrected(gallery, glances, quads, _counted(cards, settings))
    exact = Detections(np.array(quads, np.float32).reshape(-1, 4, 2), cards.kinds, cards.scores)
    return exact, quads


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
        elif match.deck is None and (match.view < settings.least_view or scores[n] < settings.stranger):
            scores[n] = min(scores[n], settings.asked)
    kept = [int(n) for n in np.flatnonzero(scores >= settings.asked)]
    left = Detections(cards.corners_px, cards.kinds, scores).pick(np.array(kept, np.int64))
    return left, [quads[n] for n in kept], {k: owners[n] for k, n in enumerate(kept) if n in owners}


def _counted(cards: Detections, settings: SpreadSettings) -> list[int]:
    """Places of the backs that count."""
    return [int(n) for n in np.flatnonzero((cards.kinds == BACK) & (cards.scores >= settings.counted))]


def _doubts(image: Image, cards: Detections, quads: Sequence[Corners], settings: SpreadSettings) -> list[str]:
    """Backs that may be none, may be two, or are not wholly in the picture."""
    sure = (cards.scores >= settings.clear) & (cards.kinds == BACK)
    sizes = sizes_of(quads, (image.shape[0], image.shape[1]), sure) if sure.sum() >= 3 else np.ones(len(quads))
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
