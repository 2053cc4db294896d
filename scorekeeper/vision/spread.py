"""Counts the backs of a spread: the Lake turned over, in one picture or several that share no card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import numpy as np

from scorekeeper.rules.lake import DeckId, SeenBack, Spotted, SpreadReading, spots_of, spotted
from scorekeeper.rules.said import Said, say
from scorekeeper.vision.backs import Gallery
from scorekeeper.vision.belief import least_believed
from scorekeeper.vision.detector import BACK, FACE, INDEX, Detections, suppressed
from scorekeeper.vision.doubled import counted_once
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.found import FoundBack, Judged, belief
from scorekeeper.vision.geometry import Corners, Image, Points, box_of, side_lengths
from scorekeeper.vision.glances import Glances
from scorekeeper.vision.heap import heaped, sizes_of
from scorekeeper.vision.looks import height_px
from scorekeeper.vision.places import at, cut_by_edge, lies_on_any, place, share_inside
from scorekeeper.vision.relaid import (
    HEAPED,
    OUTLINED,
    accounted,
    corrected,
    explaining,
    laid_exactly,
    left_over,
    recovered,
    shown_by_pattern,
)
from scorekeeper.vision.turns import TURNS, Agreed, agreed, turned_back
from scorekeeper.vision.votes import same_doubt
from scorekeeper.vision.whose import bent, straightened, whose
from scorekeeper.vision.windows import Near, turned_window, whole


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadSettings:
    """When a card is counted, and when a reading is believed without being looked at."""

    least_score: float = 0.02
    """Detections below this (0 to 1) are ignored."""
    known: float = 0.90
    """A back this surely of an enrolled deck counts, however hardly it is seen."""
    no_face: float = 0.60
    """A card taken for a face is a back when it is this surely of an enrolled deck and no index was found on it; with
    one, it must be ``known``."""
    any_index: float = 0.30
    """What may be an index by this much."""
    least_view: float = 0.5
    """A back of no deck that shows less than this is not counted but asked about: cards spread show more."""
    stranger: float = 0.30
    """Nor is one counted that was found less clearly than this, as where it lies across two cards of one deck, ..."""
    likely: float = 0.80
    """... nor a back that is less surely of a deck: of 38 such outlines 17 were cards of that deck."""
    again: float = 0.30
    """What a second look where something may be finds less clearly is left out."""
    surely: float = 0.97
    """A back less surely of its deck than this is asked about where it is no clearer than a ``stranger`` may be (and so
    is one ``astray``, farther than this from its deck); and one so unsure, or of no deck, ..."""
    astray: float = 0.6
    far: tuple[float, float] = (0.75, 0.90)
    """One farther than the first of these and less surely of its deck than the second is asked about, too: of 161
    certain readings of heaps two had one, and one of these was wrong."""
    plainly: float = 0.60
    """... or one whose outline was found less clearly than this (on an uneven cloth: and one that was) ..."""
    bare: float = 0.7
    """... does not count where more than this share of what shows of it has the cloth's colour; and what does not count
    is not even asked about where that is so on an even cloth: of 71 outlines half bare or more none was a card."""
    asked: float = 0.12
    """Other cards below this are ignored too."""
    counted: float = 0.15
    """Backs below this are not counted; from ``asked`` on they may be asked about."""
    clear: float = 0.40
    """Whose outline was found less clearly than this is asked whether it is there, and otherwise whose it is."""
    sure: float = 0.80
    """All backs together must be right this likely, by ``belief``; the least likely ones are asked about until they
    are. Chosen on spreads nothing was fitted on: see models/README.md."""
    odd_size: float = 0.72
    """A card whose area is this much smaller, or as much larger, than the others' may be two cards or a part of one."""
    apart: float = 5.0
    """A card of one of two decks that are too alike (rules M13) is asked about unless so much more (log odds) says that
    it is of that one, as where light tells them apart: of 269 such cards of 34 heaps 24 were of the other deck, and no
    more than 2.8 said that they were not."""
    fits: float = 0.35
    """One nearer than this to its deck, or ``surely`` of it, is neither."""
    hidden: tuple[float, float] = (17.0, 21.0)
    """Where as much as the first of so many cards is hidden under others, outlines are asked about that no counted card
    is on (``left_over``); and where it is as much as the second, a whole card may be hidden, and nothing tell of it."""
    heap: float = 4.0
    """Where as much as so many cards is hidden, the cards are looked at turned, too (``HEAP_LOOKS``)."""
    crowded: float = 0.12
    """There, and where more than this share of all cards is hidden, they must account for all that is seen of them
    (``accounted``); and where it is this share, the whole picture is read turned, too."""
    alone: float = 0.10
    """One that alone explains no more than this share of itself then may be none, ..."""
    idle: float = 0.07
    """... and is none where it is no more than this: of 10,500 cards of heaps none was so idle, of 14 outlines that
    counted twice three were."""
    least_px: float = 34.0
    """Cards lower than this are too small to tell decks apart."""


SETTINGS = SpreadSettings()

AGAIN_PX = 120
"""How long a card is in a second look: another size than in the first."""

HEAP_LOOKS, HEAP_SCORE = ((1, 120), (2, 150)), 0.05
"""By how many quarters a heap is turned in each further look, and how long a card is there, in pixels: of what is
hidden one look outlines better what another does not; what it finds less clearly than HEAP_SCORE is left out."""

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
        problems.insert(0, say("no deck is enrolled yet: photograph the back of each deck first"))
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

    Where cards hide much of each other, the picture is read turned by half as well, and where these differ, or one asks
    and the other does not, turned by a quarter, too: what most readings show counts, and is certain where two readings
    that ask nothing say the same.
    """
    seen = look_once(image, eye, gallery, settings)
    if not gallery.decks or not _crowded(seen[0], settings):
        return seen
    readings = [seen]
    for turn in TURNS:
        turned, to_picture = turned_window(image, whole(image), turn)
        new = turned_back(look_once(turned, eye, gallery, settings), to_picture, image)
        for reading in readings:
            if not reading[1] and not new[1] and agreed([reading, new]).unanimous:
                return reading
        readings.append(new)
        told = agreed(readings)
        if told.unanimous and all(asked for _, asked in readings):
            break
    return _together(image, readings, _with_explaining(image, gallery, told))


def look_once(image: Image, eye: Eye, gallery: Gallery, settings: SpreadSettings = SETTINGS) -> Judged:
    """The same of the picture as it lies.

    Where something may be that does not count, the eye looks again, for more cards; at the whole picture where cards
    hide much of each other, and where hardly a card is of a deck: parts of a pattern look like small cards.
    """
    found, glances = eye.look(image, min_score=settings.least_score, turned=False), Glances(image)
    looks: list[Detections] = []

    def turned(quads: Sequence[Corners]) -> list[Detections]:
        if not looks:
            looks.extend(_turned_looks(image, eye, quads))
        return looks

    seen = judged(found, glances, gallery, settings, turned)
    if gallery.decks and _strange(seen):
        length = LARGE * max(image.shape[:2])
        afar = eye.look(image, min_score=settings.least_score, length_px=length, turned=False)
        larger = Glances(image)
        others = judged(afar, larger, gallery, settings)
        if not _strange(others):
            found, glances, seen, looks = afar, larger, others, []
    backs, problems = seen
    counted = [back.quad for back in backs if back.counted]
    spots = _spots(problems) - _spots([at(quad.mean(0), "") for quad in counted])
    if not counted or not spots:
        return seen
    again = _seen_again(image, eye, counted, np.array([(x, y) for _, x, y in sorted(spots)], np.float32), settings)
    if not len(again):
        return seen
    both = judged(Detections.joined([found, again]), glances, gallery, settings, turned)
    fewer = sum(back.counted for back in both[0]) < len(counted)
    return seen if fewer or _strange(both) and not _strange(seen) else both


def _with_explaining(image: Image, gallery: Gallery, told: Agreed) -> Agreed:
    """What is *told* of *image*, and those cards that fewer readings show and that explain what the others leave."""
    known = [card.back.quad for card in told.cards if card.back.match.deck is not None]
    if not known or not told.left:
        return told
    left = [card.back for card in told.left]
    more = explaining(gallery.exact, Glances(image), known, [(back.quad, back.match.deck) for back in left])
    return told.with_left(more)


def _together(image: Image, readings: Sequence[Judged], told: Agreed) -> Judged:
    """What several *readings* of *image* show, of which *told* is what most do; what they differ about, and what any
    of them asks, is asked."""
    (backs, problems), *others = readings
    counted, asked = [card.back for card in told.cards], [*problems]
    doubts = [_asked_at(back.quad.mean(0), image, _perhaps_none) for back in told.unseen]
    elsewhere = [*(card.back for card in told.left), *told.astray]
    doubts += [_asked_at(back.quad.mean(0), image, _perhaps_one_more) for back in elsewhere]
    for card in told.disputed:
        doubts.append(_asked_at(card.back.quad.mean(0), image, partial(_perhaps_of, card.decks)))
    near = 0.5 * _length([back.quad for back in counted]) if counted else 0.0
    for doubt in [*doubts, *chain.from_iterable(problems for _, problems in others)]:
        if not any(same_doubt(doubt, each, near) for each in asked):
            asked.append(doubt)
    return [*counted, *(back for back in backs if not back.counted)], asked


def _asked_at(middle: Points, image: Image, text: Callable[[Said], Said]) -> str:
    """What *text* asks about what lies at *middle* of *image*."""
    return at(middle, text(place(middle, image)))


def _hidden(backs: Sequence[FoundBack]) -> float:
    """How many cards' worth others hide of those of *backs* that count."""
    return sum(1 - back.match.view for back in backs if back.counted)


def _crowded(backs: Sequence[FoundBack], settings: SpreadSettings) -> bool:
    """Whether others hide much of those of *backs* that count."""
    return _hidden(backs) > settings.crowded * sum(back.counted for back in backs)


def _turned_looks(image: Image, eye: Eye, quads: Sequence[Corners]) -> list[Detections]:
    """What turned looks at all of *image*, in which cards lie in *quads*, show."""
    length = _length(quads)
    return [_turned_look(image, eye, whole(image), length, *each, HEAP_SCORE) for each in HEAP_LOOKS]


def _turned_look(
    image: Image, eye: Eye, box: Sequence[int], length: float, turn: int, card_px: float, least: float
) -> Detections:
    """What the upright *box* of *image*, where cards are *length* pixels long, shows from the score *least* on, turned
    by so many quarters and with cards *card_px* long."""
    window, to_image = turned_window(image, box, turn)
    found = eye.look(window, min_score=least, card_px=card_px, length_px=length, turned=False)
    return found.at(to_image(found.corners_px))


def _length(quads: Sequence[Corners]) -> float:
    """How long the cards in *quads* usually are, in pixels."""
    return float(np.median(side_lengths(np.array(quads, np.float32)).max(1)))


def _strange(seen: Judged) -> bool:
    """Whether most cards that count are of no deck."""
    counted = [back for back in seen[0] if back.counted]
    return 2 * sum(back.match.deck is not None for back in counted) < len(counted)


def _spots(problems: Sequence[str]) -> set[tuple[int, float, float]]:
    return {spot for text in problems for spot in spots_of(text)}


def _seen_again(
    image: Image, eye: Eye, counted: Sequence[Corners], spots: Points, settings: SpreadSettings
) -> Detections:
    """The cards near *spots* (n, 2), none of those *counted*, that a look turned by a quarter shows clearly."""
    taken = np.array(counted, np.float32)
    length = _length(counted)
    near, around = Near(spots, length), Near(spots, 2 * length)
    boxes = around.windows(image).astype(int).tolist()
    seen = [_turned_look(image, eye, box, length, 1, AGAIN_PX, settings.again) for box in boxes]
    cards = Detections.joined(seen).of(FACE, BACK)
    new = [near(quad.mean(0)) and not lies_on_any(quad, taken, 0.5) for quad in cards.corners_px]
    return cards.pick(np.flatnonzero(new))


Turned = Callable[[Sequence[Corners]], list[Detections]]
"""Says what turned looks at a picture show in which these cards lie."""


def judged(
    found: Detections,
    glances: Glances,
    gallery: Gallery,
    settings: SpreadSettings = SETTINGS,
    turned: Turned | None = None,
) -> Judged:
    """The same of a picture in which the detector *found* this; where cards hide much of each other *turned* looks show
    more, and each card is laid exactly, unless there is no time for that."""
    image = glances.image
    cards, spare, exact = outlined(glances, found.of(FACE, BACK), gallery, settings, turned)
    gallery = gallery.exact if exact else gallery
    cards = _backs_after_all(glances, cards, found.of(INDEX), gallery, settings)
    backs, unaccounted = _found_backs(glances, cards, gallery, settings), list[str]()
    if gallery.decks and (_hidden(backs) > settings.heap or _crowded(backs, settings)):
        backs, unaccounted = _accounted(glances, backs, gallery, settings)
    unaccounted += _left_over(glances, backs, spare, gallery, settings)
    up = [*cards.corners_px[(cards.kinds == FACE) & (cards.scores >= settings.counted)]]
    problems = _doubts(image, backs, gallery, settings) + _faces(image, up, found.of(INDEX))
    if any(back.counted for back in backs):
        asked = _spots(problems)
        known = [back.quad for back in backs if back.counted or asked.issuperset(spots_of(at(back.quad.mean(0), "")))]
        problems += _missed(glances, known + up, exact)
        problems += [text for text in unaccounted if not asked.issuperset(spots_of(text))]
    else:
        problems.insert(0, say("no cards seen: turn the cards face down, spread them, and show the whole table"))
    return backs, problems


def _seen(picture: int, back: FoundBack) -> SeenBack:
    """*back* of the picture with this number, and which other deck it may be."""
    match = back.match
    other = match.nearest if match.deck is None else match.runner_up
    others = () if other is None else ((other, round(1 - match.confidence, 3)),)
    return SeenBack(picture, match.deck, round(belief(back), 3), box_of(back.quad), others)


def outlined(
    glances: Glances,
    found: Detections,
    gallery: Gallery,
    settings: SpreadSettings,
    turned: Turned | None = None,
) -> tuple[Detections, Detections, bool]:
    """Each card once, with its outline, as ``straightened`` orders it, as exact as it can be seen; the outlines that
    are none of these; and whether backs are laid exactly onto their decks' patterns."""
    glances.unsettle()
    cards, spare = _apart(glances, found)
    backs = _counted(cards, settings)
    quads = [cards.corners_px[n] for n in backs]
    looks: Sequence[Detections] = []
    if turned is not None and sum(1 - float(seen.free.mean()) for seen in glances.seen(quads)) > settings.heap:
        looks = turned(quads)
    if looks:
        found = Detections.joined([found, *(each.of(FACE, BACK) for each in looks)])
        cards, spare = _apart(glances, found)
        backs = _counted(cards, settings)
    outlines = corrected(gallery, glances, [*cards.corners_px], backs, [*spare.corners_px])
    if not looks:
        return recovered(gallery, glances, cards.at(outlines), backs, spare), spare, False
    boxes = suppressed(found, most_overlap=0.8)
    spare = Detections.in_turn([spare, boxes.at(bent(glances.known_tilt(quads), [*boxes.corners_px]))])
    spare = spare.pick(np.argsort(-spare.scores, kind="stable"))
    outlines = laid_exactly(gallery, glances, outlines, backs)
    outlines = corrected(gallery, glances, outlines, backs, [*spare.corners_px], OUTLINED)
    outlines = laid_exactly(gallery, glances, outlines, backs)
    cards = recovered(gallery, glances, cards.at(outlines), backs, spare, HEAPED)
    cards = counted_once(gallery, glances, cards, _counted(cards, settings), spare)
    shown_by_pattern(gallery, glances, [cards.corners_px[n] for n in _counted(cards, settings)], HEAPED)
    return cards, spare, True


def _apart(glances: Glances, found: Detections) -> tuple[Detections, Detections]:
    """Each card of *found* once, and the outlines that are none of these (``heaped``), as ``straightened`` has them."""
    cards, spare = heaped(found, glances)
    both = straightened(glances, list(cards.corners_px), list(spare.corners_px))
    return cards.at(both[: len(cards)]), spare.at(both[len(cards) :])


def _counted(cards: Detections, settings: SpreadSettings) -> list[int]:
    """Places of the backs that count."""
    return [int(n) for n in np.flatnonzero((cards.kinds == BACK) & (cards.scores >= settings.counted))]


def _backs_after_all(
    glances: Glances, cards: Detections, indices: Detections, gallery: Gallery, settings: SpreadSettings
) -> Detections:
    """*cards*, of which those taken for faces are backs where they surely are of an enrolled deck."""
    faces = [int(n) for n in np.flatnonzero((cards.kinds == FACE) & (cards.scores >= settings.asked))]
    if not faces:
        return cards
    shown = indices.corners_px[indices.scores >= settings.any_index]
    kinds, numbers = cards.kinds.copy(), [*faces, *_counted(cards, settings)]
    for n, match in zip(faces, whose(gallery, glances, [*cards.corners_px[numbers]]), strict=False):
        indexed = any(share_inside(corners, cards.corners_px[n]) > 0.5 for corners in shown)
        if match.deck is not None and match.confidence >= (settings.known if indexed else settings.no_face):
            kinds[n] = BACK
    return Detections(cards.corners_px, kinds, cards.scores)


def _found_backs(glances: Glances, cards: Detections, gallery: Gallery, settings: SpreadSettings) -> list[FoundBack]:
    """The backs among *cards* that count or may be asked about."""
    image, backs = glances.image, cards.of(BACK)
    quads = [*backs.corners_px]
    found: list[FoundBack] = []
    for quad, score, match in zip(quads, backs.scores.tolist(), whose(gallery, glances, quads), strict=True):
        cut = cut_by_edge(quad, image)
        if match.deck is not None and match.confidence >= settings.known and not cut:
            counted = True
        elif match.deck is None:
            counted = score >= settings.stranger and match.view >= settings.least_view
        else:
            counted = score >= (settings.counted if match.confidence >= settings.likely else settings.stranger)
        if counted or score >= settings.asked:
            found.append(FoundBack(quad, score, match, counted, 1.0, cut))
    return _beside_each_other(_without_cloth(glances, found, settings), (image.shape[0], image.shape[1]))


def _without_cloth(glances: Glances, backs: Sequence[FoundBack], settings: SpreadSettings) -> list[FoundBack]:
    """*backs*, of which those do not count that look like the cloth round them and are not surely of their deck or (on
    an uneven cloth: and) were not plainly outlined; and without those that do not count, look like an even cloth and
    not quite like their deck."""
    counted = [n for n, back in enumerate(backs) if back.counted]
    quads = [backs[n].quad for n in counted]
    cloth = glances.cloth(quads) if counted else None
    if cloth is None:
        return [*backs]
    doubtful = []
    for k, n in enumerate(counted):
        unsure, faint = backs[n].match.confidence < settings.surely, backs[n].score < settings.plainly
        if (unsure and faint) if cloth.uneven else (unsure or faint):
            doubtful.append(k)
    shares = cloth.within(quads, doubtful) if doubtful else []
    bare = {counted[k] for k, share in zip(doubtful, shares, strict=True) if share > settings.bare}
    left = [replace(back, counted=back.counted and n not in bare) for n, back in enumerate(backs)]
    if cloth.uneven:
        return left
    known = [back.quad for back in left if back.counted]
    plain = [back.counted or back.match.distance < settings.fits for back in left]  # as cloth-like as its deck is
    return [
        back
        for back, kept in zip(left, plain, strict=True)
        if kept or cloth.within([back.quad, *known], [0])[0] <= settings.bare
    ]


def _beside_each_other(backs: Sequence[FoundBack], picture_size: tuple[int, int]) -> list[FoundBack]:
    """*backs* of one picture, height and width, with what only the others tell of each."""
    quads, counted = [back.quad for back in backs], np.array([back.counted for back in backs], bool)
    sizes = sizes_of(quads, picture_size, counted) if counted.sum() >= 3 else np.ones(len(backs))
    return [replace(back, size=float(size)) for back, size in zip(backs, sizes, strict=True)]


def _doubts(image: Image, backs: Sequence[FoundBack], gallery: Gallery, settings: SpreadSettings) -> list[str]:
    """What a person should look at before these backs are believed."""
    problems: list[str] = []
    if any(back.counted and height_px(back.quad) < settings.least_px for back in backs):
        problems.append(say("the cards are very small: take the picture from closer, or in two batches"))
    if _hidden(backs) > settings.hidden[1]:
        problems.append(say("the cards hide much of each other, perhaps a whole one: spread them farther apart"))
    weighed = [back for back in backs if gallery.decks and (back.match.deck is not None or not back.counted)]
    asked = [weighed[n] for n in least_believed([belief(back) for back in weighed], settings.sure)]
    problems += _alike(backs, gallery, settings)
    for back in backs:
        where = place(back.quad.mean(0), image)
        text = _always_asked(back, where, gallery, settings)
        if text is None and any(back is each for each in asked):
            text = _asked(back, where, settings)
        if text is not None:
            problems.append(at(back.quad.mean(0), text))
    return problems


def _alike(backs: Sequence[FoundBack], gallery: Gallery, settings: SpreadSettings) -> list[str]:
    """What is asked about backs of two decks that can't be told apart (rules M13)."""
    problems: list[str] = []
    for back in backs:
        match = back.match
        if not back.counted or match.deck is None or match.runner_up is None or match.margin > settings.apart:
            continue
        first, other = sorted((match.deck, match.runner_up))
        if gallery.too_alike(first, other):
            text = say(
                "the backs of %(deck)r and %(other)r are too alike to be told apart: whose is this card?",
                deck=str(first),
                other=str(other),
            )
            problems.append(at(back.quad.mean(0), text))
    return problems


def _always_asked(back: FoundBack, where: Said, gallery: Gallery, settings: SpreadSettings) -> Said | None:
    """What is asked about a back that counts, however likely it is right."""
    if not back.counted:
        return None
    if back.cut:
        return say("a card %(where)s is cut by the picture's edge: show the whole table", where=where)
    if gallery.decks and back.match.deck is None:
        return say("a card %(where)s fits no enrolled deck: whose is it?", where=where)
    unsure = back.match.confidence < settings.surely or back.match.distance > settings.astray
    if back.score < settings.stranger and unsure:
        return _perhaps_none(where)
    far, sure = settings.far
    if back.match.deck is not None and back.match.distance > far and back.match.confidence < sure:
        return _perhaps_of([back.match.deck], where)
    fits = back.match.distance < settings.fits or back.match.confidence > settings.surely
    if not fits and not settings.odd_size < back.size < 1 / settings.odd_size:
        return say("a card %(where)s has an odd size: are two cards lying on each other there?", where=where)
    return None


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


def _asked(back: FoundBack, where: Said, settings: SpreadSettings) -> Said:
    """What is asked about a back that is likely wrong."""
    match = back.match
    if not back.counted:
        return _perhaps_one_more(where)
    if back.score < settings.clear:
        return _perhaps_none(where)
    return _perhaps_of([match.deck, match.runner_up if match.margin < 3 else None], where)


def _perhaps_one_more(where: Said) -> Said:
    return say("there may be one more card %(where)s: spread the cards there and take the picture again", where=where)


def _left_over(
    glances: Glances, backs: Sequence[FoundBack], spare: Detections, gallery: Gallery, settings: SpreadSettings
) -> list[str]:
    """Where an outline of *spare* may be on a card that is none of *backs*."""
    known = [back.quad for back in backs if back.counted]
    if not known or not gallery.decks:
        return []
    quads = left_over(gallery, glances, known, spare.of(BACK), _hidden(backs) > settings.hidden[0])
    return [_asked_at(quad.mean(0), glances.image, _perhaps_one_more) for quad in quads]


def _missed(glances: Glances, quads: Sequence[Corners], exact: bool) -> list[str]:
    """Where something lies that is none of *quads*, *exact* outlines or not, which are counted or asked about."""
    cloth = glances.cloth(quads)
    found = cloth.leftovers(quads, exact=exact) if cloth else []
    return [_not_counted(middle, glances.image) for middle in found]


def _accounted(
    glances: Glances, backs: Sequence[FoundBack], gallery: Gallery, settings: SpreadSettings
) -> tuple[list[FoundBack], list[str]]:
    """The *backs* of a heap without those that count and explain nothing, the idlest first; and where the rest leave
    something unexplained, or one of them explains hardly anything."""
    left = [*backs]
    while known := [back for back in left if back.counted and back.match.deck is not None]:
        others = [back.quad for back in left if back.counted and back.match.deck is None]
        alone, gaps = accounted(gallery, glances, [back.quad for back in known], others)
        idlest = known[int(alone.argmin())]
        if alone.min() > settings.idle:
            idle = [back.quad.mean(0) for back, share in zip(known, alone, strict=True) if share <= settings.alone]
            none = [_asked_at(middle, glances.image, _perhaps_none) for middle in idle]
            return left, none + [_not_counted(middle, glances.image) for middle in gaps]
        left = [back for back in left if back is not idlest]
    return left, []


def _not_counted(middle: Points, image: Image) -> str:
    """What is asked about something at *middle* of *image* that is no known card."""
    where = place(middle, image)
    return at(middle, say("something %(where)s was not counted: if it is a card, spread the cards there", where=where))


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
