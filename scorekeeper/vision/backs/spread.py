"""Counts the backs of a spread: the Lake turned over, in one picture or several that share no card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from scorekeeper.rules.lake import DeckId, SeenBack, Spotted, SpreadReading, spots_of, spotted
from scorekeeper.rules.said import Said, say, say_count
from scorekeeper.vision.backs.found import FoundBack, Judged, belief, there
from scorekeeper.vision.backs.gallery import Gallery, Match
from scorekeeper.vision.backs.identity import identified
from scorekeeper.vision.backs.memo import Memo
from scorekeeper.vision.backs.search import Found, Looks, found_scene
from scorekeeper.vision.belief import least_believed
from scorekeeper.vision.detector import BACK, FACE, INDEX, Detections
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.geometry import Corners, Image, Points, box_of
from scorekeeper.vision.places import at, cut_by_edge, place, share_inside
from scorekeeper.vision.templates import height_px
from scorekeeper.vision.windows import Near, turned_window


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadSettings:
    """When a face is a back after all, and when a reading is believed without being looked at."""

    least_score: float = 0.02
    """Detections below this (0 to 1) are ignored."""
    known: float = 0.90
    """A card taken for a face on which an index was found is a back when it is this surely of an enrolled deck; ..."""
    no_face: float = 0.60
    """... without an index, when it is this surely of one."""
    any_index: float = 0.30
    """What may be an index by this much."""
    sure: float = 0.80
    """All backs together must be right this likely, by ``belief``; the least likely ones are asked about until they
    are."""
    apart: float = 5.0
    """A card of one of two decks that are too alike (rules M13) is asked about unless so much more (log odds) says that
    it is of that one."""
    most_asked: int = 3
    """More questions about places than this are one: where to spread the cards again."""
    least_px: float = 34.0
    """Cards lower than this are too small to tell decks apart."""


SETTINGS = SpreadSettings()

EITHER = 3.0
"""A card that is of one deck by less than this (log odds) may be of another."""
LOOKS, LOOK_SCORE = ((1, 120), (2, 150), (3, 150), (0, 120)), 0.05
"""By how many quarters the picture is turned in each further look, and how long a card is there, in pixels; what it
finds less clearly than LOOK_SCORE is left out."""

LARGE = 0.3
"""How long cards would be that are looked for where hardly a card is of a deck, in the picture's longer sides."""


def read_spread(
    images: Sequence[Image], eye: Eye, gallery: Gallery, *, settings: SpreadSettings = SETTINGS
) -> SpreadReading:
    """How many cards of each deck lie face down in *images*, which share no card; certain, or with what to do."""
    return reading_of([look(image, eye, gallery, settings) for image in images], gallery)


def reading_of(looks: Sequence[Judged], gallery: Gallery) -> SpreadReading:
    """What pictures that share no card show together."""
    cards = tuple(_seen(number, back) for number, (backs, _) in enumerate(looks) for back in backs if back.counted)
    texts = [_of_picture(text, number, len(looks)) for number, (_, asked) in enumerate(looks) for text in asked]
    problems: list[str] = [*summed_up(texts)]
    if not gallery.decks:
        problems.insert(0, say("no deck is known yet: photograph the back of each deck first"))
    if not looks:
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


def look(image: Image, eye: Eye, gallery: Gallery, settings: SpreadSettings = SETTINGS) -> Judged:
    """The backs in one picture that count or may be asked about, and what a person should look at.

    Where hardly a card is of a deck, larger cards are looked for: parts of a pattern look like small ones.
    """
    found = eye.look(image, min_score=settings.least_score, turned=False)
    seen = judged(found, Memo(image), gallery, settings, partial(turned_looks, image, eye))
    if gallery.decks and _strange(seen):
        length = LARGE * max(image.shape[:2])
        afar = eye.look(image, min_score=settings.least_score, length_px=length, turned=False)
        larger = judged(afar, Memo(image), gallery, settings)
        return seen if _strange(larger) else larger
    return seen


def turned_looks(image: Image, eye: Eye, near: Near, length_px: float) -> list[Detections]:
    """The cards, *length_px* long, that turned looks at what is *near* some places of *image* show."""
    looks = []
    for box in near.windows(image).astype(int).tolist():
        for turn, card_px in LOOKS:
            window, to_image = turned_window(image, box, turn)
            found = eye.look(window, min_score=LOOK_SCORE, card_px=card_px, length_px=length_px, turned=False)
            looks.append(found.at(to_image(found.corners_px)).of(FACE, BACK))
    return looks


def _strange(seen: Judged) -> bool:
    """Whether most cards that count are of no deck."""
    counted = [back for back in seen[0] if back.counted]
    return 2 * sum(back.match.deck is not None for back in counted) < len(counted)


def judged(
    found: Detections,
    memo: Memo,
    gallery: Gallery,
    settings: SpreadSettings = SETTINGS,
    turned: Looks | None = None,
) -> Judged:
    """The same of a picture in which the detector *found* this; *turned* looks show more, if there is time for them."""
    image = memo.image
    scene = found_scene(found.of(FACE, BACK), memo, gallery, turned)
    if scene is None:
        return [], [say("no cards seen: turn the cards face down, spread them, and show the whole table")]
    backs, faces = _backs_and_faces(scene, memo, found.of(INDEX), gallery, settings)
    problems = _doubts(image, backs, gallery, settings) + _faces(image, faces, found.of(INDEX))
    if not any(back.counted for back in backs):
        problems.insert(0, say("no cards seen: turn the cards face down, spread them, and show the whole table"))
    return backs, problems


def _backs_and_faces(
    found: Found, memo: Memo, indices: Detections, gallery: Gallery, settings: SpreadSettings
) -> tuple[list[FoundBack], list[Corners]]:
    """The scene's backs and those proposals that nearly are cards of it, which do not count; and its faces."""
    proposals, scene, image = found.proposals, found.scene, memo.image
    cards = sorted(scene.cards)
    quads = [proposals.quads[n] for n in cards]
    with memo.visible(quads, [found.visible(n) for n in cards]):
        matches = identified(gallery.exact, memo, quads)
    shown = indices.corners_px[indices.scores >= settings.any_index]
    backs, faces = list[FoundBack](), list[Corners]()
    for n, quad, match in zip(cards, quads, matches, strict=True):
        if proposals.kinds[n] == FACE and not _is_back(quad, match, shown, settings):
            faces.append(quad)
            continue
        backs.append(FoundBack(quad, float(proposals.joint[n]), match, True, found.gains[n], cut_by_edge(quad, image)))
    for n in found.rivals():
        match = Match(None, 0.5, None, None, proposals.compared[n].far, 0.0)
        score = float(proposals.joint[n])
        backs.append(FoundBack(proposals.quads[n], score, match, False, found.gains[n], False))
    return backs, faces


def _is_back(quad: Corners, match: Match, indices: Points, settings: SpreadSettings) -> bool:
    """Whether what was taken for a face is a back: it surely is of an enrolled deck."""
    indexed = any(share_inside(corners, quad) > 0.5 for corners in indices)
    return match.deck is not None and match.confidence >= (settings.known if indexed else settings.no_face)


def _seen(picture: int, back: FoundBack) -> SeenBack:
    """*back* of the picture with this number, and which other deck it may be."""
    match = back.match
    other = match.nearest if match.deck is None else match.runner_up
    others = () if other is None else ((other, round(1 - match.confidence, 3)),)
    return SeenBack(picture, match.deck, round(belief(back), 3), box_of(back.quad), others)


def _doubts(image: Image, backs: Sequence[FoundBack], gallery: Gallery, settings: SpreadSettings) -> list[str]:
    """What a person should look at before these backs are believed: three questions about places at most."""
    problems: list[str] = []
    counted = [back for back in backs if back.counted]
    if any(height_px(back.quad) < settings.least_px for back in counted):
        problems.append(say("the cards are very small: take the picture from closer, or in two groups"))
    cut = [back for back in counted if back.cut]
    strange = [back for back in counted if gallery.decks and back.match.deck is None and not back.cut]
    alike = [back for back in too_alike(backs, gallery, settings) if not back.cut]
    told = {id(back) for back in (*cut, *strange, *alike)}
    weighed = [back for back in backs if gallery.decks and id(back) not in told]
    beliefs = [belief(back) for back in weighed]
    asked = [weighed[n] for n in sorted(least_believed(beliefs, settings.sure), key=lambda n: beliefs[n])]
    problems += map(_whose_of_two, alike)
    problems += _of_all(cut, image, _cut_by_the_edge) + _of_all(strange, image, _of_no_deck)
    if len(asked) > settings.most_asked:
        return [*problems, _spread_again(image, asked)]
    return [*problems, *(_asked_at(back.quad.mean(0), image, partial(_asked, back)) for back in asked)]


def _of_all(backs: Sequence[FoundBack], image: Image, text: Callable[[int, Said], Said]) -> list[str]:
    """What *text* says of so many *backs*, of which the first lies where it is told; nothing of none."""
    if not backs:
        return []
    return [_at_all(backs, text(len(backs), place(backs[0].quad.mean(0), image)))]


def _at_all(backs: Sequence[FoundBack], text: Said) -> Spotted:
    """*text* about the places of all *backs*."""
    return spotted(text, *(spot for back in backs for spot in at(back.quad.mean(0), text).spots))


def _cut_by_the_edge(number: int, where: Said) -> Said:
    return say_count(
        "a card %(where)s is cut by the picture's edge: show the whole table",
        "%(num)s cards are cut by the picture's edge: show the whole table",
        number,
        where=where,
    )


def _of_no_deck(number: int, where: Said) -> Said:
    return say_count(
        "a card %(where)s fits no known deck: whose is it?",
        "%(num)s cards fit no known deck: whose are they?",
        number,
        where=where,
    )


def _asked_at(middle: Points, image: Image, text: Callable[[Said], Said]) -> str:
    """What *text* asks about what lies at *middle* of *image*."""
    return at(middle, text(place(middle, image)))


def _spread_again(image: Image, asked: Sequence[FoundBack]) -> str:
    """One question about all that is doubtful: spread the cards again where most of it lies."""
    told = [place(back.quad.mean(0), image) for back in asked]
    where = max(told, key=told.count)
    text = say("the cards cannot be told apart %(where)s: spread them there and take the picture again", where=where)
    return _at_all(asked, text)


def too_alike(backs: Sequence[FoundBack], gallery: Gallery, settings: SpreadSettings) -> list[FoundBack]:
    """Those of two decks that can't be told apart (rules M13): the decks' own pictures say so, or more cards may be of
    either than are asked about one by one."""
    of_two: dict[tuple[DeckId, DeckId], list[FoundBack]] = {}
    for back in backs:
        if back.counted and back.match.deck is not None and back.match.runner_up is not None:
            first, other = sorted((back.match.deck, back.match.runner_up))
            of_two.setdefault((first, other), []).append(back)
    told: list[FoundBack] = []
    for pair, some in of_two.items():
        either = [back for back in some if back.match.margin < EITHER]
        if gallery.too_alike(*pair):
            told += [back for back in some if back.match.margin <= settings.apart]
        elif len(either) > settings.most_asked:
            told += either
    return told


def _whose_of_two(back: FoundBack) -> str:
    """Asks whose *back* is, which is of one of two decks that can't be told apart."""
    first, other = sorted(str(deck) for deck in (back.match.deck, back.match.runner_up))
    text = say(
        "the backs of %(deck)r and %(other)r are too alike to be told apart: whose is this card?",
        deck=first,
        other=other,
    )
    return at(back.quad.mean(0), text)


def _perhaps_of(decks: Sequence[DeckId | None], where: Said) -> Said:
    """Asks whose the card *where* is, which may be of these *decks*, the likeliest first; None stands for no deck."""
    first, *others = [deck for deck in decks if deck is not None]
    if others:
        return say(
            "not sure whose the card %(where)s is: %(deck)r or %(other)r?",
            where=where,
            deck=str(first),
            other=str(others[0]),
        )
    return say("not sure whose the card %(where)s is: %(deck)r?", where=where, deck=str(first))


def _perhaps_none(where: Said) -> Said:
    return say("not sure that there is a card %(where)s: spread the cards there", where=where)


def _asked(back: FoundBack, where: Said) -> Said:
    """What is asked about a back that is likely wrong."""
    match = back.match
    if not back.counted:
        return _perhaps_one_more(where)
    if there(back) < match.confidence:
        return _perhaps_none(where)
    return _perhaps_of([match.deck, match.runner_up if match.margin < EITHER else None], where)


def _perhaps_one_more(where: Said) -> Said:
    return say("there may be one more card %(where)s: spread the cards there and take the picture again", where=where)


def _faces(image: Image, faces: Sequence[Corners], indices: Detections) -> list[str]:
    """Cards that lie face up among the backs."""
    problems: list[str] = []
    for quad in faces:
        middle = quad.mean(0)
        text = say("a card %(where)s lies face up: turn it over, it is not counted", where=place(middle, image))
        problems.append(at(middle, text))
    for corners, score in zip(indices.corners_px, indices.scores, strict=True):
        if score >= 0.6 and not any(share_inside(corners, quad) > 0.5 for quad in faces):
            middle = corners.mean(0)
            problems.append(
                at(middle, say("a card %(where)s may lie face up: turn it over", where=place(middle, image)))
            )
    return problems
