"""Measures whose cards the eye says they are, on composed spreads of backs that it has never seen.

python -m scorekeeper.training.measure_backs 30                                     # boxes from the truth, a little off
python -m scorekeeper.training.measure_backs 12 models/detector/detector.onnx       # heaps
python -m scorekeeper.training.measure_backs 24 models/detector/detector.onnx 0.75  # three quarters of each card show
python -m scorekeeper.training.measure_backs 50 models/detector/detector.onnx 0.7 90000 12 20 24 30  # so many cards
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.rules.lake import DeckId
from scorekeeper.training.back_designs import PLAIN, Picture, drawn_back, recoloured
from scorekeeper.vision.backs.gallery import DEFAULTS, Gallery, Match, separability
from scorekeeper.vision.backs.identity import identified, straightened
from scorekeeper.vision.backs.memo import Memo
from scorekeeper.vision.backs.spread import read_spread
from scorekeeper.vision.detector import OnnxDetector
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.geometry import Corners, Image
from scorekeeper.vision.places import share_of_both
from scorekeeper.vision.templates import Signature, balanced, upright, upright_quad

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Laid:
    """One card of a composed spread."""

    deck: int
    """Which of the backs; -1 for a card that lies face up."""
    corners_px: Floats
    """Shape (4, 2), from the card's top left clockwise."""
    visible: float
    """Share that no other card covers."""


@dataclass(frozen=True, slots=True)
class Composed:
    """A spread with its truth."""

    image: Image
    cards: tuple[Laid, ...]
    """From the lowest to the uppermost."""


def compose(
    rng: np.random.Generator,
    backs: Sequence[Picture],
    count: int,
    *,
    size: tuple[int, int] = (1080, 1920),
    tilt: float | None = None,
    least_visible: float = 0.45,
    card_px: float | None = None,
    faces: int = 0,
) -> Composed:
    """*count* cards thrown on a table and photographed; *card_px* is the cards' mean height, by default to fill it."""
    room_px = size[0] * size[1]
    card_px = card_px or float(np.clip(np.sqrt(room_px / max(count, 4) * rng.uniform(0.65, 1.3)), 60, 0.5 * size[0]))
    camera = camera_over(rng, size, card_px / 88, float(rng.uniform(0, 42)) if tilt is None else tilt)
    image = cv2.resize(cloth(rng), (size[1], size[0]), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    decks = [int(rng.integers(len(backs))) for _ in range(count)] + [-1] * faces
    rng.shuffle(decks)
    poses = _poses(
        rng, camera, size, [backs[deck].shape[1] / backs[deck].shape[0] * 88 for deck in decks], least_visible
    )
    laid = []
    for deck, (corners_mm, visible) in zip(decks, poses, strict=False):
        corners = cv2.perspectiveTransform(corners_mm[None], camera)[0]
        lay(image, backs[deck] if deck >= 0 else face(rng), corners, card_px)
        laid.append(Laid(deck, corners, visible))
    return Composed(_photographed(rng, image), tuple(laid))


def face(rng: np.random.Generator) -> Picture:
    """A plain face: white paper, two indices and some pips."""
    card = np.full((560, 400, 4), 250, np.uint8)
    ink = (30, 30, 30, 255) if rng.random() < 0.5 else (40, 30, 200, 255)
    text = str(rng.choice(list("A23456789JQK")))
    for _ in range(2):
        cv2.putText(card, text, (18, 75), cv2.FONT_HERSHEY_DUPLEX, 2.2, ink, 6, cv2.LINE_AA)
        for row in range(int(rng.integers(1, 4))):
            cv2.circle(card, (130 + 140 * (row % 2), 90 + 85 * row), 28, ink, -1, cv2.LINE_AA)
        card = np.ascontiguousarray(card[::-1, ::-1])
    return card


def cloth(rng: np.random.Generator) -> Image:
    """A table: felt, wood, stone or plain."""
    base = rng.uniform(20, 210, 3) if rng.random() < 0.7 else np.array([60, 90, 40]) + rng.normal(0, 20, 3)
    height, width = 540, 960
    level = np.zeros((height, width), np.float32)
    for cells, strength in ((6, 14), (40, 5), (200, 4)):
        shape = (cells, max(2, int(cells * rng.choice([0.1, 1.0, 1.8]))))
        noise = rng.normal(0, strength * rng.uniform(0.1, 1.3), shape).astype(np.float32)
        level += cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.clip(base + level[..., None] * rng.uniform(0.5, 1.2, 3), 0, 255).astype(np.uint8)


def camera_over(rng: np.random.Generator, size: tuple[int, int], px_per_mm: float, tilt: float) -> Floats:
    """The homography from the table's millimetres (middle of the picture is 0, 0) to pixels."""
    height, width = size
    angle, spin = np.deg2rad(tilt), np.deg2rad(rng.uniform(-12, 12))
    focal = 1.1 * width
    away = focal / px_per_mm
    turn = np.array([[np.cos(spin), -np.sin(spin)], [np.sin(spin), np.cos(spin)]])
    plane = np.eye(3)
    plane[:2, :2] = np.array([[1, 0], [0, np.cos(angle)]]) @ turn
    plane[2] = [0, 0, away]
    plane[2, :2] = np.array([0, -np.sin(angle)]) @ turn
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    return np.asarray(lens @ plane, np.float64)


def _poses(
    rng: np.random.Generator, camera: Floats, size: tuple[int, int], widths_mm: Sequence[float], least_visible: float
) -> list[tuple[Floats, float]]:
    """Corners in millimetres and visible shares of cards that fit the picture and leave each other visible enough."""
    height, width = size
    step = 4  # the mask of who lies on top, in quarter resolution
    owner = np.full((height // step, width // step), -1, np.int32)
    areas: list[int] = []
    placed: list[Floats] = []
    spin0 = rng.uniform(0, 180)
    spread = rng.choice([8.0, 180.0])
    for width_mm in widths_mm:
        for _ in range(250):
            middle_px = rng.uniform((0.06 * width, 0.08 * height), (0.94 * width, 0.92 * height))
            middle = cv2.perspectiveTransform(np.array([[middle_px]]), np.linalg.inv(camera))[0, 0]
            turn = np.deg2rad(spin0 + rng.uniform(-spread, spread) + 180 * rng.integers(2))
            axis = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
            box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width_mm / 2, 44] @ axis + middle
            corners = cv2.perspectiveTransform(box[None], camera)[0]
            if corners.min() < 3 or (corners.max(0) > (width - 3, height - 3)).any():
                continue
            trial = owner.copy()
            cv2.fillConvexPoly(trial, np.round(corners / step).astype(np.int32), len(placed))
            seen = np.bincount(trial[trial >= 0], minlength=len(placed) + 1)
            if all(seen[i] >= least_visible * area for i, area in enumerate(areas)):
                owner = trial
                areas.append(int(seen[-1]))
                placed.append(box.astype(np.float64))
                break
    seen = np.bincount(owner[owner >= 0], minlength=len(placed))
    return [(box, float(seen[i] / max(areas[i], 1))) for i, box in enumerate(placed)]


def lay(image: npt.NDArray[np.float32], card: Picture, corners: Floats, card_px: float) -> None:
    """Draws *card* and its shadow into *image*."""
    scale = min(1.0, card_px * 1.4 / card.shape[0])
    small = cv2.resize(card, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    pad = 12
    low = np.maximum(np.floor(corners.min(0)).astype(int) - pad, 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + pad, (image.shape[1], image.shape[0]))
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    warp = cv2.getPerspectiveTransform(source, (corners - low).astype(np.float32))
    shape = (int(high[0] - low[0]), int(high[1] - low[1]))
    drawn = cv2.warpPerspective(small, warp, shape, flags=cv2.INTER_AREA).astype(np.float32)
    alpha = drawn[..., 3:] / 255
    shadow = cv2.GaussianBlur(np.roll(alpha[..., 0], (3, 3), (0, 1)), (0, 0), max(1.5, card_px / 60))[..., None]
    part = image[low[1] : high[1], low[0] : high[0]]
    part *= 1 - 0.35 * shadow
    part += alpha * (drawn[..., :3] - part)


def _photographed(rng: np.random.Generator, image: npt.NDArray[np.float32]) -> Image:
    """Light, its colour, a gradient, softness, noise and JPEG."""
    height, width = image.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    slope = rng.uniform(-0.3, 0.3, 2)
    shade = (1 + slope[0] * x + slope[1] * y)[..., None].astype(np.float32)
    warm = rng.normal(0, 0.11)
    cast = np.exp([-warm, rng.normal(0, 0.04), warm]).astype(np.float32)
    lit = image * shade * cast * np.float32(rng.uniform(0.45, 1.15))
    lit = 255 * (np.clip(lit, 0, 255) / 255) ** np.float32(rng.uniform(0.85, 1.2))
    lit = cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.3, 1.3))
    lit += rng.normal(0, rng.uniform(0.5, 5), lit.shape[:2]).astype(np.float32)[..., None]
    _, data = cv2.imencode(
        ".jpg", np.clip(lit, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 96))]
    )
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def enrolment_picture(rng: np.random.Generator, back: Picture) -> Composed:
    """One card alone."""
    return compose(
        rng, [back], 1, size=(720, 1280), card_px=float(rng.uniform(160, 420)), tilt=float(rng.uniform(0, 38))
    )


def drawn_backs(rng: np.random.Generator, count: int, *, plain: float = PLAIN) -> list[Picture]:
    """Backs of different decks, each printed one of one colour with the chance *plain*."""
    return [drawn_back(rng, (560, int(rng.choice([400, 400, 364]))), plain=plain) for _ in range(count)]


@dataclass(frozen=True, slots=True)
class Case:
    """A composed spread and the decks that were enrolled for it."""

    seed: int
    spread: Composed
    signatures: dict[DeckId, list[str]]
    """Decks 0, 1, ... in the order of their numbers; a deck with a higher number was not enrolled."""
    boxes_px: list[Corners]
    """What a good detector would have given: rectangles around the cards, a little off."""

    @property
    def laid(self) -> Counter[DeckId]:
        """How many cards of each deck lie there, of those nobody enrolled, too."""
        return Counter(DeckId(str(card.deck)) for card in self.spread.cards)

    def right(self, counts: Mapping[DeckId, int]) -> bool:
        """Whether these are the *counts* of all enrolled decks."""
        return all(counts.get(deck, 0) == self.laid[deck] for deck in self.signatures)


def cases(
    count: int, first_seed: int = 9000, least_visible: float = 0.45, cards: Sequence[int] = (20, 40, 60)
) -> Iterator[Case]:
    """Spreads of 2 to 12 decks and so many *cards*, of each of which so much shows, always the same."""
    for seed in range(first_seed, first_seed + count):
        rng = np.random.default_rng(seed)
        decks = (2, 3, 4, 6, 12)[seed % 5]
        backs = drawn_backs(rng, decks + 1)
        if seed % 3 == 0:
            backs[1] = recoloured(backs[0], rng)
        spread = compose(
            rng, backs if seed % 2 else backs[:decks], cards[seed % len(cards)], least_visible=least_visible
        )
        signatures = {DeckId(str(n)): [signature(enrolment_picture(rng, back))] for n, back in enumerate(backs[:decks])}
        yield Case(seed, spread, signatures, [rough_box(rng, card.corners_px) for card in spread.cards])


def signature(lone: Composed) -> str:
    """The signature of the card in an enrolment picture."""
    quad = upright_quad(lone.cards[0].corners_px.astype(np.float32))
    return Signature(balanced(upright(lone.image, quad, 224, 160))).to_text()


def rough_box(rng: np.random.Generator, corners_px: Floats, off: float = 0.015) -> Corners:
    """The rectangle around a card, wrong by the share *off* of its length and a hundred times as many degrees."""
    (x, y), size, angle = cv2.minAreaRect(corners_px.astype(np.float32))
    wrong = rng.normal(0, off * max(size), 4)
    rect = ((x + wrong[0], y + wrong[1]), (size[0] + wrong[2], size[1] + wrong[3]), angle + rng.normal(0, 100 * off))
    return np.asarray(cv2.boxPoints(rect), np.float32)


def cards_under(outlines_px: Sequence[Corners], laid: Composed, least: float) -> list[int | None]:
    """On which card of *laid* each outline lies, one of them and the other within each other by more than *least*.

    Each card once: those first that come first.
    """
    free = {n: card.corners_px.astype(np.float32) for n, card in enumerate(laid.cards)}
    under: list[int | None] = []
    for outline in outlines_px:
        shares = {n: share_of_both(outline, corners) for n, corners in free.items()}
        best = max(shares, key=lambda n: shares[n], default=None)
        under.append(best if best is not None and shares[best] > least else None)
        if under[-1] is not None:
            del free[under[-1]]
    return under


Method = Callable[[Case], list[DeckId | None]]
"""Says for each card of a case whose it is."""


def ours(case: Case) -> list[DeckId | None]:
    """The method of the eye."""
    return [match.deck for match in _matches(case, Gallery.from_signatures(case.signatures))]


def likeliest_only(case: Case) -> list[DeckId | None]:
    """The same without ever saying "nobody's"."""
    return [match.nearest for match in _matches(case, Gallery.from_signatures(case.signatures))]


UNASKED = replace(DEFAULTS, chance_by_likeness=0.0)
"""The network is not asked: cells and light alone say which deck is nearest."""


def nearest_only(case: Case) -> list[DeckId | None]:
    """The nearest deck, whatever the network says of it."""
    return [match.nearest for match in _matches(case, Gallery.from_signatures(case.signatures, UNASKED))]


def without_common_light(case: Case) -> list[DeckId | None]:
    """Each card on its own: the light of the others is not looked at, either."""
    settings = replace(UNASKED, own_light_share=0.0, lone_cost=0.0)
    return [match.nearest for match in _matches(case, Gallery.from_signatures(case.signatures, settings))]


def _matches(case: Case, gallery: Gallery) -> list[Match]:
    memo = Memo(case.spread.image)
    return identified(gallery, memo, straightened(memo, case.boxes_px))


def chroma_histograms(case: Case) -> list[DeckId | None]:
    """Colour alone: the nearest histogram of hue and saturation after balancing by the card's own border."""
    theirs = {deck: _histogram(Signature.from_text(texts[0]).picture) for deck, texts in case.signatures.items()}
    nearest: list[DeckId | None] = []
    for quad in straightened(Memo(case.spread.image), case.boxes_px):
        mine = _histogram(balanced(upright(case.spread.image, quad)))
        far = {deck: cv2.compareHist(mine, other, cv2.HISTCMP_BHATTACHARYYA) for deck, other in theirs.items()}
        nearest.append(min(far, key=lambda deck: far[deck]))
    return nearest


def _histogram(picture: Image) -> Floats:
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)
    counts = cv2.calcHist([lab], [1, 2], None, [24, 24], [64, 192, 64, 192])
    return np.asarray(cv2.GaussianBlur(counts, (0, 0), 0.8) / lab[..., 0].size, np.float32)


def measure_methods(count: int) -> str:
    """The comparison of methods as a table in Markdown."""
    methods: dict[str, Method] = {
        "chroma histograms, nearest": chroma_histograms,
        "cells, each card on its own, nearest": without_common_light,
        "cells and common light, nearest": nearest_only,
        "cells, common light and likeness, likeliest": likeliest_only,
        "**the same, or nobody's**": ours,
    }
    unwarned = "the same, pictures whose decks are not called too alike"
    tallies = {name: Counter[str]() for name in (*methods, unwarned)}
    for case in cases(count):
        for name, method in methods.items():
            credited = _credited(case, method(case))
            tallies[name] += credited
            if method is ours and not separability(Gallery.from_signatures(case.signatures)):
                tallies[unwarned] += credited
    rows = ["| method | right | wrong deck | nobody's | unenrolled credited |", "|---|---|---|---|---|"]
    for name, tally in tallies.items():
        known, foreign = max(tally["known"], 1), max(tally["foreign"], 1)
        shares = [f"{100 * tally[key] / known:.2f} %" for key in ("right", "wrong", "left")]
        rows.append(f"| {name} | {' | '.join(shares)} | {100 * tally['stolen'] / foreign:.1f} % |")
    tally = tallies["chroma histograms, nearest"]
    rows.append(
        f"\n{count} pictures, {tally['known']} backs of enrolled decks, {tally['foreign']} of decks nobody enrolled"
    )
    return "\n".join(rows)


def _credited(case: Case, decks: Sequence[DeckId | None]) -> Counter[str]:
    tally = Counter[str]()
    for laid, deck in zip(case.spread.cards, decks, strict=True):
        if DeckId(str(laid.deck)) in case.signatures:
            tally["known"] += 1
            tally["left" if deck is None else "right" if deck == str(laid.deck) else "wrong"] += 1
        else:
            tally["foreign"] += 1
            tally["stolen"] += deck is not None
    return tally


class NoIndices:
    """Stands in for the index reader, which backs do not need."""

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"backs are read without indices, yet {name} was asked for")


def measure_pictures(
    count: int,
    detector: Path,
    least_visible: float = 0.45,
    first_seed: int = 9000,
    cards: Sequence[int] = (20, 40, 60),
) -> str:
    """Whole pictures, from detection to counts, as a table in Markdown."""
    eye = Eye(OnnxDetector(detector), NoIndices())  # type: ignore[arg-type]
    tallies: dict[str, Counter[str]] = {}
    for case in cases(count, first_seed, least_visible, cards):
        reading = read_spread([case.spread.image], eye, Gallery.from_signatures(case.signatures))
        right, laid = case.right(reading.counts), case.laid
        for kind in ("all", f"{len(case.signatures)} decks"):
            tally = tallies.setdefault(kind, Counter())
            tally["pictures"] += 1
            tally["wholly right"] += right
            tally["certain"] += reading.certain
            tally["silent errors"] += reading.certain and not right
            tally["right and certain"] += reading.certain and right
            tally["cards"] += len(case.spread.cards)
            tally["cards off"] += sum(abs(reading.counts[deck] - laid[deck]) for deck in case.signatures)
    names = ("pictures", "wholly right", "certain", "silent errors", "right and certain", "cards", "cards off")
    rows = [f"| decks | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for kind, tally in sorted(tallies.items(), key=lambda one: one[1]["pictures"], reverse=True):
        rows.append(f"| {kind} | " + " | ".join(str(tally[name]) for name in names) + " |")
    return "\n".join(rows)


def main(arguments: Sequence[str]) -> None:
    count = int(arguments[0]) if arguments else 20
    if len(arguments) > 1:
        visible = float(arguments[2]) if len(arguments) > 2 else 0.45
        seed = int(arguments[3]) if len(arguments) > 3 else 9000
        cards = [int(number) for number in arguments[4:]] or (20, 40, 60)
        table = measure_pictures(count, Path(arguments[1]), visible, seed, cards)
    else:
        table = measure_methods(count)
    sys.stdout.write(table + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
