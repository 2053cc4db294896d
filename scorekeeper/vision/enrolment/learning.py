"""Learns a deck's back from pictures that each show one card of it, lying alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.errors import EnrolmentError
from scorekeeper.rules.said import Said, say
from scorekeeper.vision.background import SHADES, colours_of, from_cloth, outer_part
from scorekeeper.vision.backs.memo import Memo
from scorekeeper.vision.detector import BACK, FACE, INDEX, Detections
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.faces.cards import MIN_IS_INDEX, SHOWN
from scorekeeper.vision.faces.pips import load_pips
from scorekeeper.vision.geometry import Corners, Image, fit_within, grown
from scorekeeper.vision.outline import (
    Tilt,
    edge_strength,
    edge_strengths,
    long_axis,
    side_strength,
    snapped,
    true_quads,
)
from scorekeeper.vision.places import near_edge, share_inside, share_of_both
from scorekeeper.vision.templates import CELL, COLUMNS, ROWS, Signature, balanced, height_px, upright, upright_quad


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrolmentSettings:
    """When a picture is good enough to know a deck by."""

    least_px: float = 70.0
    """Cards lower than this, in pixels, show too little of their pattern."""
    sure: float = 0.5
    """Detections from here on are believed when they contradict: a face, a second card."""
    asked: float = 0.25
    """What was found less clearly is nothing."""
    on_card: float = 0.5
    """What else was found is a card where it lies on one this surely, which papers and patches of cloth do not, ..."""
    surely_on: float = 0.7
    """... and in any case where the card itself does less surely."""
    whole_card: float = 0.8
    """What lies on a card less surely may lie on its print only: an outline around it that more surely does counts."""
    any_index: float = 0.4
    """A face shows two indices found at least this clearly that look like some to the reader, too, ..."""
    read: float = 0.4
    """... or one that is read this surely, or its pips (``SHOWN``); a back that was only taken for one has none, or
    ornaments like one."""
    clear_edge: float = 7.0
    """Grey levels by which all four edges of a card differ from the cloth, at least."""
    blur: float = 0.045
    """An edge that takes more than this share of the card's height to change is blurred."""
    washed_out: float = 0.40
    """From this share of the print on that is as bright as a camera can tell, its colours are lost."""


SETTINGS = EnrolmentSettings()

AFAR = 480
"""Pixels of the longer side in which a lone card is seen as a whole."""
NEARBY = 960
"""The same in which a fine print is seen that is only grey in a smaller picture."""
SMALL = 480
"""The same in which things that could be a card are looked for by their colours."""
SURER = 0.1
"""An outline around another one lies on a card instead where it does so by this much more surely."""
NEARLY_AS_CLEAR = 0.6
"""It is worth this share of the clearest one at least."""
COLOURS = (3, 4)
"""Into so many colours a picture is parted where a card can't be told from the cloth otherwise."""


@dataclass(frozen=True, slots=True)
class Enrolment:
    """A deck's back as it was learned."""

    signature_texts: tuple[str, ...]
    crops: tuple[Image, ...]
    """The card of each good picture, upright."""
    problems: tuple[str, ...]
    """Why other pictures were left out, and what may be wrong with those that were not."""


def enrol(images: Sequence[Image], eye: Eye, *, settings: EnrolmentSettings = SETTINGS) -> Enrolment:
    """Learns one deck from one to five pictures; raises EnrolmentError when none shows exactly one sharp back."""
    if not images:
        raise EnrolmentError(say("there is no picture: photograph one card of the deck, face down and alone"))
    texts, crops, problems = [], [], list[str]()
    for number, image in enumerate(images, 1):
        try:
            quad = lone_back(image, eye, settings)
        except EnrolmentError as error:
            problems.append(_of_picture(str(error), number, len(images)))
            continue
        crop = upright(image, quad, 2 * ROWS * CELL, 2 * COLUMNS * CELL)
        if _washed_out(crop, settings):
            text = say("the back is almost white in this light: if it is not, take the picture again in less light")
            problems.append(_of_picture(text, number, len(images)))
        texts.append(Signature(balanced(crop)).to_text())
        crops.append(crop)
    if not texts:
        raise EnrolmentError(reduce(_and, problems))
    return Enrolment(tuple(texts), tuple(crops), tuple(problems))


def _washed_out(crop: Image, settings: EnrolmentSettings) -> bool:
    """Whether the print of the upright card *crop*, its border left out, is too bright to tell its colours."""
    high, wide = crop.shape[0] // 8, crop.shape[1] // 8
    second = np.sort(crop[high:-high, wide:-wide], axis=2)[..., 1]
    return float((second >= 252).mean()) > settings.washed_out


def _of_picture(problem: str, number: int, pictures: int) -> str:
    """*problem* of a picture, counted from 1, of so many."""
    return say("picture %(number)s: %(problem)s", number=number, problem=problem) if pictures > 1 else problem


def _and(one: str, other: str) -> Said:
    return say("%(one)s; %(other)s", one=one, other=other)


def lone_back(image: Image, eye: Eye, settings: EnrolmentSettings = SETTINGS) -> Corners:
    """The outline of the only card of *image*; raises EnrolmentError when it is not exactly one sharp back."""
    small, scale = fit_within(image, 1280)
    seen = eye.look(small, min_score=0.2)
    found = _with_afar(seen.of(FACE, BACK), small, eye, settings)
    quad = _outline(small, found, settings)
    if quad is None:
        seen = eye.detector.detect(small, long_side=NEARBY, min_score=settings.asked)
        found = seen.of(FACE, BACK)
        quad = _outline(small, found, settings)
    if quad is None:
        quad = _of_one_colour(small, [], [], settings)
    if quad is None:
        raise EnrolmentError(
            say("no card was seen: lay one card face down on a plain cloth and fill half of the picture")
        )
    _refuse_face(small, seen, quad, eye, settings)
    _refuse_others(small, found, quad, settings)
    if near_edge(quad, small):
        raise EnrolmentError(say("the card is cut by the picture's edge: show the whole card"))
    if height_px(quad) < settings.least_px:
        raise EnrolmentError(say("the card is too small in the picture: take it from closer"))
    if edge_width(small, quad) > max(5.0, settings.blur * height_px(quad)):
        raise EnrolmentError(say("the picture is blurred: hold still, wait for the focus, and take it again"))
    return upright_quad(quad / np.float32(scale))


def _with_afar(found: Detections, image: Image, eye: Eye, settings: EnrolmentSettings) -> Detections:
    """*found*, and what is seen in the picture made small: there a large print does not fall apart into what may be
    several cards."""
    afar = eye.detector.detect(image, long_side=AFAR, min_score=settings.asked).of(FACE, BACK)
    scores, new = found.scores.copy(), np.ones(len(afar), np.bool_)
    for n, corners in enumerate(afar.corners_px):
        for k, known in enumerate(found.corners_px):
            if share_of_both(corners, known) > 0.8:
                scores[k], new[n] = max(scores[k], afar.scores[n]), False
    return Detections.joined([Detections(found.corners_px, found.kinds, scores), afar.pick(new)])


def _refuse_face(image: Image, seen: Detections, quad: Corners, eye: Eye, settings: EnrolmentSettings) -> None:
    """Raises EnrolmentError for a face in *quad*: two of its indices can be read, or it rather looks like a face and
    has two, one that can be read, or pips."""
    seen = seen.pick(np.array([share_inside(corners, quad) > 0.5 for corners in seen.corners_px], np.bool_))
    faces, backs = (seen.scores[seen.kinds == kind].max(initial=0) for kind in (FACE, BACK))
    indices = seen.of(INDEX).pick(seen.of(INDEX).scores > settings.asked)
    said = eye.reader.read(image, indices.corners_px)
    read, clear = said.confidence > settings.read, indices.scores > settings.any_index
    face = read.sum() > 1
    if not face and faces > max(settings.sure, 1.5 * backs):
        indexed = read[clear].any() or (clear & (said.is_index >= MIN_IS_INDEX)).sum() > 1
        face = indexed or load_pips().read(image, [upright_quad(quad)]).open[0] >= SHOWN
    if face:
        raise EnrolmentError(say("the card lies face up: turn it over, its back is what is learned"))


def _refuse_others(image: Image, found: Detections, quad: Corners, settings: EnrolmentSettings) -> None:
    """Raises EnrolmentError for what lies on a second card (``refiner``) about as large as the one in *quad*."""
    size = abs(cv2.contourArea(quad))
    others = [
        corners
        for corners, score in zip(found.corners_px, found.scores, strict=True)
        if score > settings.sure
        and share_inside(corners, quad) < 0.5
        and 0.4 < abs(cv2.contourArea(corners)) / size < 2.5
    ]
    if not others:
        return
    own, *sure = Memo(image).refined(np.array([quad, *others], np.float32), height_px(quad)).sure.tolist()
    cards = sum(each >= settings.on_card or own < settings.surely_on for each in sure)
    if cards:
        raise EnrolmentError(say("%(num)s cards were seen: lay one card of the deck alone", num=cards + 1))


def _outline(image: Image, found: Detections, settings: EnrolmentSettings) -> Corners | None:
    """The outline of the clearest card, by the detector's boxes and by what differs from the cloth; where no card lies
    in it (``refiner``), that in which one most surely does, by patches of one colour, too."""
    boxes = [corners for corners, score in zip(found.corners_px, found.scores, strict=True) if score > 0.3][:4]
    outlines = _clear(image, [*boxes, *(grown(box, 1.15) for box in boxes[:2]), *shapes(image)], boxes, settings)
    if outlines:
        _, best = max(outlines, key=lambda one: one[0])
        sure, surer = _sure([best], image)[0], None
        if sure < settings.on_card:  # it lies on a part of a large print, or on half of a cloth
            surer = _of_one_colour(image, boxes, [quad for _, quad in outlines], settings)
        elif sure < settings.whole_card:
            surer = _around(image, best, sure, outlines)
        return _outermost(image, best if surer is None else surer)
    sure_boxes = found.corners_px[found.scores > settings.sure]
    return upright_quad(snapped(image, upright_quad(sure_boxes[0]))) if len(sure_boxes) else None


def _around(image: Image, inner: Corners, sure: float, outlines: Sequence[tuple[float, Corners]]) -> Corners | None:
    """The outline of the card on whose stripes *inner* may lie, a card by *sure*: of *outlines* around it, about as
    clear, that in which one most surely does; None where none does much more surely."""
    least = NEARLY_AS_CLEAR * max(worth for worth, _ in outlines)
    clear = [quad for worth, quad in outlines if worth >= least]
    around = [quad for quad in clear if share_inside(inner, quad) > 0.95 and share_inside(quad, inner) < 0.95]
    return _surest(image, around, sure + SURER)


def _of_one_colour(
    image: Image, boxes: Sequence[Corners], quads: Sequence[Corners], settings: EnrolmentSettings
) -> Corners | None:
    """Of *quads* and the outlines of patches of one colour that in which a card most surely lies (``refiner``)."""
    either = [*quads, *(quad for _, quad in _clear(image, patches(image), boxes, settings))]
    return _surest(image, either, settings.surely_on)


def _surest(image: Image, quads: Sequence[Corners], least: float) -> Corners | None:
    """That of *quads* in which a card most surely lies; None where none does as surely as *least*."""
    sure = _sure(quads, image)
    return quads[int(np.argmax(sure))] if max(sure, default=0) >= least else None


def _clear(
    image: Image, around: Sequence[Corners], boxes: Sequence[Corners], settings: EnrolmentSettings
) -> list[tuple[float, Corners]]:
    """Clear outlines *around* which something was seen, and how much each is worth; the detector's *boxes* help."""
    outlines = list[tuple[float, Corners]]()
    for shape in around:
        for quad in _drawn_to_edges(image, shape):
            strength = edge_strength(image, quad)
            known = any(share_inside(quad, box) > 0.6 and share_inside(box, quad) > 0.6 for box in boxes)
            worth = strength * (2.0 if known else 1.0) * float(np.sqrt(abs(cv2.contourArea(quad))))
            clear = settings.clear_edge if known else 2 * settings.clear_edge
            if strength >= clear and _card_shaped(quad):
                outlines.append((worth, quad))
    return outlines


def _sure(quads: Sequence[Corners], image: Image) -> list[float]:
    """How surely a card lies in each of *quads*, each as large as the cards there."""
    lengths = [height_px(upright_quad(quad)) for quad in quads]
    asked = [Memo(image).refined(np.array([quad]), length).sure for quad, length in zip(quads, lengths, strict=True)]
    return [float(each[0]) for each in asked]


def traced(image: Image, box: Corners, settings: EnrolmentSettings = SETTINGS) -> Corners:
    """The outline of the card that a detector's *box* is around, drawn to its edges where they can be seen."""
    shapes = [box, grown(box, 1.1)]
    quads = [quad for shape in shapes for quad in _drawn_to_edges(image, shape) if _card_shaped(quad)]
    strengths = [edge_strength(image, quad) for quad in quads]
    if not quads or max(strengths) < settings.clear_edge:
        return upright_quad(snapped(image, upright_quad(box)))
    return _outermost(image, quads[int(np.argmax(strengths))])


def _outermost(image: Image, quad: Corners) -> Corners:
    """*quad*, each side moved to the edge of the paper where it lies on the frame of the print only."""
    for k in range(4):
        after = (k + 1) % 4
        along = quad[after] - quad[k]
        out = np.array([along[1], -along[0]], np.float32) / max(float(np.linalg.norm(along)), 1e-6)
        out = -out if out @ (quad.mean(0) - quad[k]) > 0 else out
        clear = 0.45 * side_strength(image, quad[k], quad[after])
        for share in (0.03, 0.045, 0.06, 0.075):
            moved = quad.copy()
            moved[[k, after]] += share * height_px(quad) * out
            drawn = snapped(image, moved, reach=0.015)
            moved[[k, after]] = drawn[[k, after]]
            sides = quad[[k, after]], moved[[k, after]]
            if side_strength(image, *sides[1]) > max(clear, 12.0) and _even_between(image, *sides):
                quad = moved
                break
    return upright_quad(quad)


def _even_between(image: Image, inner: Corners, outer: Corners) -> bool:
    """Whether what lies between two nearly parallel lines (2, 2) may be a card's border: paper of one colour, no cloth
    with a pattern."""
    along, across = np.linspace(0.1, 0.9, 60)[:, None, None], np.array([0.3, 0.5, 0.7])[:, None]
    first, last = (line[0] + along * (line[1] - line[0]) for line in (inner, outer))
    spots = (first + across * (last - first)).astype(np.float32)
    seen = cv2.remap(image, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = seen.reshape(-1, 3).astype(np.float32)
    off = np.abs(colours - np.median(colours, axis=0)).max(1)
    return float(np.percentile(off, 80)) < max(14.0, 0.16 * float(colours.max(1).mean()))


def _drawn_to_edges(image: Image, shape: Corners) -> list[Corners]:
    """The likeliest card outlines around *shape*, which may be a rectangle around a card seen aslant."""
    height, width = image.shape[:2]
    scale = long_axis(shape)[2] / 88
    views = [(angle, way) for angle in (15, 27, 39) for way in range(0, 360, 30)]
    tilts = [
        Tilt((width / 2, height / 2), max(height, width), np.deg2rad(angle), np.deg2rad(way), scale, 0.0)
        for angle, way in views
    ]
    quads = true_quads(tilts, [shape])
    clearest = quads[np.argsort(-edge_strengths(image, quads), kind="stable")[:2]]
    return [_tightened(image, upright_quad(quad)) for quad in (shape, *clearest)]


def _tightened(image: Image, quad: Corners) -> Corners:
    for reach in (0.1, 0.05, 0.025):
        quad = upright_quad(snapped(image, quad, reach=reach))
    return quad


def _card_shaped(quad: Corners) -> bool:
    """Whether the four sides could be a card's, seen from at most 50 degrees aslant."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    short, long = float(sides[0] + sides[2]), float(sides[1] + sides[3])
    even = min(sides[0], sides[2]) > 0.6 * max(sides[0], sides[2]) and min(sides[1], sides[3]) > 0.6 * max(
        sides[1], sides[3]
    )
    return bool(cv2.isContourConvex(quad.astype(np.float32))) and even and 1.0 <= long / max(short, 1.0) < 2.4


def shapes(image: Image) -> list[Corners]:
    """Quadrilaterals around things that differ from the cloth and could be a card, largest first."""
    small, scale = fit_within(image, SMALL)
    lab = colours_of(small)
    differs = from_cloth(lab, outer_part(lab))
    masks = [differs > level for level in (8.0, 14.0, 24.0, 36.0)]
    edges = cv2.Canny(cv2.GaussianBlur(small, (0, 0), 1.2), 30, 90)
    masks.append(cv2.dilate(edges, np.ones((3, 3), np.uint8)) > 0)
    return _quadrilaterals(masks, small, scale)


def patches(image: Image) -> list[Corners]:
    """Quadrilaterals around patches of one colour that could be a card, largest first: on a cloth of several colours a
    card may differ from none of them as much as they do from each other."""
    small, scale = fit_within(image, SMALL)
    lab = colours_of(small) * SHADES
    colours, masks = lab[::3, ::3].reshape(-1, 3), []
    for count in COLOURS:
        cv2.setRNGSeed(count)
        ends = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
        _, _, middles = cv2.kmeans(colours, count, np.empty(0, np.int32), ends, 2, cv2.KMEANS_PP_CENTERS)
        nearest = np.linalg.norm(lab[:, :, None] - middles, axis=3).argmin(2)
        masks += [nearest == number for number in range(count)]
    return _quadrilaterals(masks, small, scale)


def _quadrilaterals(masks: Sequence[npt.NDArray[np.bool_]], small: Image, scale: float) -> list[Corners]:
    """What could be cards among what *masks* of a picture made *small* show, in its pixels before, largest first."""
    found: list[Corners] = []
    for mask in masks:
        closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
        opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
        contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        found += [
            quad for contour in contours if (quad := _quadrilateral(np.asarray(contour, np.int32), small)) is not None
        ]
    found.sort(key=lambda quad: -abs(cv2.contourArea(quad)))
    return [(quad / np.float32(scale)).astype(np.float32) for quad in found[:8]]


def _quadrilateral(contour: npt.NDArray[np.int32], image: Image) -> Corners | None:
    """Four corners around a contour that could be a card, neither tiny nor the whole picture; else None."""
    hull = cv2.convexHull(contour)
    area, whole = cv2.contourArea(hull), image.shape[0] * image.shape[1]
    if not 0.004 * whole < area < 0.75 * whole:
        return None
    around = cv2.arcLength(hull, True)
    for tolerance in (0.02, 0.035, 0.05, 0.07):
        corners = cv2.approxPolyDP(hull, tolerance * around, True)
        if len(corners) == 4 and cv2.contourArea(corners) > 0.88 * area:
            return np.asarray(corners.reshape(4, 2), np.float32)
    rect = cv2.minAreaRect(hull)
    short, long = sorted(rect[1])
    if short < 8 or long / short > 2.6 or area < 0.68 * short * long:
        return None
    return np.asarray(cv2.boxPoints(rect), np.float32)


def edge_width(image: Image, quad: Corners) -> float:
    """Over how many pixels the sharpest side of the card changes from cloth to card."""
    widths = []
    middle = quad.mean(0)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    reach = max(8.0, 0.09 * height_px(quad))
    offsets = np.linspace(-reach, reach, int(4 * reach) + 1)
    for k in range(4):
        a, b = quad[k].astype(float), quad[(k + 1) % 4].astype(float)
        out = np.array([b[1] - a[1], a[0] - b[0]]) / max(float(np.linalg.norm(b - a)), 1e-6)
        out = -out if out @ (middle - a) > 0 else out
        points = ((a + np.linspace(0.15, 0.85, 24)[:, None] * (b - a))[:, None] + offsets[None, :, None] * out).astype(
            np.float32
        )
        seen = cv2.remap(grey, points[..., 0], points[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        slopes = np.abs(np.diff(seen.astype(np.float32), axis=1))
        for row, slope in zip(seen.astype(np.float32), slopes, strict=True):
            if float(np.ptp(row)) > 25:
                widths.append(float(np.ptp(row)) / max(float(slope.max()), 1e-3) * (offsets[1] - offsets[0]))
    return float(np.percentile(widths, 25)) if len(widths) >= 8 else 0.0
