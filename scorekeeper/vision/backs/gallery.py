"""Whose cards these are: decks enrolled from a picture or two, and backs compared with them in any light.

A card is brought upright, cut into cells, and each cell keeps its colour and the direction of its lines. Two cards are
compared cell by cell, each colour channel scaled by the light that fits best, hidden cells left out, both half turns
tried. How far the fitted light is from that of the other cards on the table counts too: it is what tells the red deck
from the blue one where no white border does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.said import say
from scorekeeper.vision.backs.illumination import OwnLight, evened
from scorekeeper.vision.backs.likeness import load_likeness, pair
from scorekeeper.vision.geometry import Image, Points
from scorekeeper.vision.templates import (
    CELL,
    COLOURS,
    COLUMNS,
    CONTRAST,
    LEVELS,
    LINES,
    ROWS,
    Floats,
    Seen,
    Signature,
    border_white,
    look_of,
    softened,
)

__all__ = [
    "BackSettings",
    "Compared",
    "Gallery",
    "Match",
    "alike",
    "apart",
    "separability",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class BackSettings:
    """What the comparison of two backs depends on; chosen on composed spreads of invented backs."""

    colour_spread: float = 0.10
    """Cells whose colours differ by more (of 0 to 1) count as fully different."""
    line_spread: float = 0.55
    """The same for the strength of lines, relative to the card's mean."""
    line_share: float = 0.6
    """How much lines count beside colour."""
    light_spread: float = 0.16
    """Usual differences of the light's colour between two pictures, natural logarithm of blue or red over green."""
    white_light_spread: float = 0.12
    """The same for white-bordered decks, whose enrolled pictures were brought under white light."""
    light_share: float = 0.06
    """How much an unusual light counts."""
    own_light_spread: float = 0.05
    """Light differs less than that between cards of one deck in one picture, but for how it changes evenly
    (``illumination``); chosen, as are the next three, on the true outlines of 600 heaps."""
    own_light_share: float = 0.9
    """How much it counts that a card's light is not that of the other cards of its deck, ..."""
    own_light_known: float = 0.25
    """... of those which show more than this, and are sooner of some deck than not."""
    own_light_free: float = 1.5
    """It tells decks apart, but only what it counts beyond this says that a card is of none."""
    contrast_share: float = 0.25
    """How much it counts that lines are stronger or weaker than they should be."""
    strength_scale: float = 0.24
    """How much the light's strength counts beside its colour: shadows and exposure change it more."""
    chance: float = 1.07
    """Log odds that the nearest deck is right when nothing differs; this and the next three were fitted by
    models/train_likeness.py."""
    chance_by_likeness: float = 0.84
    """What the log odds of the network (``likeness``) count."""
    chance_by_distance: float = 1.24
    """What the distance takes away."""
    chance_by_view: float = -0.21
    """What a full view takes away."""
    chance_by_more: float = 0.0
    """What the distance takes away besides, whichever deck it is: more where outlines are exact (``Gallery.exact``)."""
    strangers: float = 0.39
    """The share of cards that were of no enrolled deck where these were fitted, ..."""
    expected: float = 5.0
    """... how many cards' worth that counts beside what a picture itself shows of such cards, ..."""
    fewest: float = 0.15
    """... and the least share that is thought possible."""
    doubtful: float = 0.95
    """A card credited less surely than this is held beside surer ones of its likeliest deck, ..."""
    surer: int = 2
    """... so many, the surest, ..."""
    shows: float = 0.35
    """... of which so much shows; ..."""
    unlike: float = 2.5
    """... what they say against its being of that deck counts so much, ..."""
    mates: float = 1.0
    """... where another doubtful card is like it by so much (log odds)."""
    most_likeness: float = 8.0
    """Beyond this the network's log odds say no more."""
    surely_alike: float = 3.0
    """A card less like its nearest deck than this may be of one of the next decks, ..."""
    near: float = 0.3
    """... and so may one that is not this much nearer to it; ..."""
    asked: int = 3
    """... so many of the nearest decks are asked about, ..."""
    far: float = 2.5
    """... but none that is farther than this."""
    nearly: float = 0.5
    """Decks farther than the nearest one by more than this are not compared a cell off, too."""
    least_chance: float = 0.35
    """A card less surely of its likeliest deck than this is nobody's."""
    choice: float = 2.0
    """How much more than that the difference between two decks says."""
    least_view: float = 0.1
    """A card of which less is seen is nobody's: that little looks like anything."""
    haze: float = 0.04
    """How much brighter or darker than in its light a channel may look, where white paper is 1: a dark one tells the
    light the less surely."""
    lone_cost: float = 0.15
    """What it costs to be the only card known of a deck."""


DEFAULTS = BackSettings()

NEAR = 1.0
"""Cards nearer than this to a deck tell how light changes over the table."""
DARKEST = 1e-6
"""A channel's mean square is thought to be no less than this."""


Places = npt.NDArray[np.intp]
Alike = Callable[[Places, Places], Floats]
"""Says how alike cards and decks, or cards and others of one picture, by their numbers (n,) and (n,), are: log odds
(n,) that both are of one design."""


@dataclass(frozen=True, slots=True)
class Match:
    """Whose card it may be."""

    deck: DeckId | None
    """The likeliest deck; None where none is likely enough."""
    confidence: float
    """0 to 1: that ``deck`` (or None) is right."""
    runner_up: DeckId | None
    nearest: DeckId | None
    """The likeliest deck even where ``deck`` is None."""
    distance: float
    """To that deck; about 0 for the same card, 1 and more for another."""
    margin: float
    """Log odds that it is of that deck and not of the second."""
    view: float = 1.0
    """Share of the card that no other hides, as far as was seen."""


# Comparing


def _looks_of(picture: Image) -> Floats:
    """The looks (levels, cells, 8) of an upright card of 80 x 112 pixels, at every sharpness."""
    return np.array([look_of(softened(picture, level)) for level in range(len(LEVELS))], np.float32)


@lru_cache(maxsize=64)
def _shown(signature: str) -> tuple[tuple[tuple[Image, Floats], ...], bool]:
    """An enrolled card either way around, each with its looks, and whether it has a white border.

    Raises EnrolmentError when the text is no signature.
    """
    stored = Signature.from_text(signature).picture
    picture = cv2.resize(stored, (COLUMNS * CELL, ROWS * CELL), interpolation=cv2.INTER_AREA).astype(
        np.uint8, copy=False
    )
    ways = (picture, np.ascontiguousarray(picture[::-1, ::-1]))
    return tuple((way, _looks_of(way)) for way in ways), border_white(stored) is not None


SHIFTS = ((0, 0), (0, 1), (0, -1), (1, 0), (-1, 0))
"""Cells by which a seen card is moved against an enrolled one: outlines are not exact."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One seen card against every deck."""

    distances: Floats
    """(decks,): without the light's share."""
    lights: Floats
    """(decks, 3): the light that fits each deck: logarithm of blue and red over green, and of its strength, scaled."""
    views: npt.NDArray[np.intp]
    """(decks,): which look of each deck fits best."""
    visible: float
    """Share of the card that was compared."""

    @property
    def nearest(self) -> int:
        """The number of the nearest deck; there is one."""
        return int(self.distances.argmin())

    @property
    def far(self) -> float:
        """How far the nearest deck is; infinite where none is enrolled."""
        return float(self.distances.min(initial=np.inf))


@dataclass(frozen=True, slots=True)
class Gallery:
    """The decks enrolled at this table."""

    decks: tuple[DeckId, ...]
    owners: npt.NDArray[np.intp]
    """(looks,): which deck each look is of; every signature is there twice, the second a half turn around."""
    looks: Floats
    """(levels, looks, cells, 8)"""
    pictures: Image
    """(looks, 112, 80, 3): the upright cards the looks are of, BGR."""
    white: npt.NDArray[np.bool_]
    """(decks,): which have a white border, by which their enrolled pictures were balanced."""
    faint: npt.NDArray[np.bool_]
    """(decks,): which have hardly a line inside, as plain ones have none but a camera's noise."""
    squares: Floats
    """(decks, 3): how bright each one's blue, green and red are, 0 to 1, squared."""
    signatures: tuple[tuple[str, ...], ...]
    """Of each deck."""
    settings: BackSettings = DEFAULTS

    @classmethod
    def from_signatures(cls, signatures: Mapping[DeckId, Sequence[str]], settings: BackSettings = DEFAULTS) -> Gallery:
        """The gallery of these decks; raises EnrolmentError when a text is no signature."""
        owners, looks, white, seen = [], [], [], []
        for number, texts in enumerate(signatures.values()):
            shown = [_shown(text) for text in texts]
            white.append(bool(shown) and all(bordered for _, bordered in shown))
            for turned, look in (each for ways, _ in shown for each in ways):
                owners.append(number)
                seen.append(turned)
                looks.append(look)
        shaped = np.array(looks, np.float32).reshape(-1, len(LEVELS), ROWS * COLUMNS, 8).swapaxes(0, 1)
        upright = np.array(seen, np.uint8).reshape(-1, ROWS * CELL, COLUMNS * CELL, 3)
        kept = tuple(tuple(each) for each in signatures.values())
        owned, bordered = np.array(owners, np.intp), np.array(white, bool)
        drawn = _lines_inside(shaped[-1]) >= FAINT
        faint = np.array([not drawn[owned == deck].any() for deck in range(len(white))], bool)
        squared = (shaped[-1, ..., COLOURS] ** 2).mean(1)
        squares = [squared[owned == deck].sum(0) / max((owned == deck).sum(), 1) for deck in range(len(white))]
        lit = np.array(squares, np.float32).reshape(-1, 3)
        return cls(tuple(signatures), owned, shaped, upright, bordered, faint, lit, kept, settings)

    @property
    def exact(self) -> Gallery:
        """The same decks, for cards laid exactly onto their patterns, which are half as far from them as others: fitted
        on 213 heaps (9,022 backs), strangers' share and all."""
        return replace(self, settings=replace(self.settings, chance=3.0, chance_by_more=3.08, chance_by_view=-1.41))

    def too_alike(self, one: DeckId, other: DeckId) -> bool:
        """Whether two of the decks can't be told apart (rules M13)."""
        first, second = (self.signatures[self.decks.index(deck)] for deck in (one, other))
        return _too_alike(first, second)

    def compare(self, seen: Sequence[Seen], exposure: np.float32 | None = None) -> list[Compared]:
        """The cards of one picture, whose ``exposure_of`` is *exposure*, against every deck."""
        known = exposure_of(seen) if exposure is None else exposure
        levels, looks = [one.level for one in seen], [one.exposed(known) for one in seen]
        every = tuple(range(len(self.owners)))
        as_they_lie = [(look[None], one.free[None]) for look, one in zip(looks, seen, strict=True)]
        first = self._far(levels, as_they_lie, [every] * len(seen))
        best = [self._nearest(gaps[0]) for gaps, _ in first]
        moved = self._far(levels, [shifted(look[0], free[0]) for look, free in as_they_lie], best)
        return [self._compared(*each) for each in zip(seen, first, best, moved, strict=True)]

    def _far(
        self, levels: Sequence[int], cards: Sequence[tuple[Floats, Floats]], looks: Sequence[tuple[int, ...]]
    ) -> list[tuple[Floats, Floats]]:
        """``far`` of each of *cards*, its looks (n, cells, 8) and weights (n, cells), from the *looks* at its
        level with such numbers: those compared with the same ones all at once, which takes less time."""
        alike: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        for n, each in enumerate(zip(levels, looks, strict=True)):
            alike.setdefault(each, []).append(n)
        found: dict[int, tuple[Floats, Floats]] = {}
        for (level, numbers), some in alike.items():
            seen, weights = (np.concatenate([cards[n][part] for n in some]) for part in range(2))
            gaps, lights = far(seen, weights, self.looks[level][list(numbers)], self.settings)
            ends = np.cumsum([len(cards[n][0]) for n in some])[:-1]
            found |= dict(zip(some, zip(np.split(gaps, ends), np.split(lights, ends), strict=True), strict=True))
        return [found[n] for n in range(len(cards))]

    def _nearest(self, gaps: Floats) -> tuple[int, ...]:
        """Numbers of the looks nearest to a card that is so far (looks,) from each."""
        best = np.argsort(gaps)[: max(8, 2 * min(4, len(self.decks)))]
        return tuple(sorted(best[gaps[best] <= gaps.min(initial=np.inf) + self.settings.nearly].tolist()))

    def _compared(
        self, seen: Seen, first: tuple[Floats, Floats], best: tuple[int, ...], moved: tuple[Floats, Floats]
    ) -> Compared:
        """One card, ``far`` from all looks as it lies, and *moved* by a cell from the *best* of them."""
        (gaps, lights), (near, lit) = first, moved
        nearest = near.argmin(0), np.arange(len(best))
        numbers = np.concatenate([np.arange(len(self.owners)), np.array(best, np.intp)])
        gaps, lights = np.concatenate([gaps[0], near[nearest]]), np.concatenate([lights[0], lit[nearest]])
        distances = np.full(len(self.decks), np.inf, np.float32)
        found = np.zeros((len(self.decks), 3), np.float32)
        views = np.zeros(len(self.decks), np.intp)
        for deck in np.unique(self.owners):
            own = np.flatnonzero(self.owners[numbers] == deck)
            k = own[gaps[own].argmin()]
            distances[deck], found[deck], views[deck] = gaps[k], lights[k], numbers[k]
        return Compared(distances, found, views, float(seen.free.mean()))

    def judge(self, compared: Sequence[Compared], likeness: Alike, beside: Alike, places: Points) -> list[Match]:
        """Whose cards these are, all of one picture, at *places* (cards, 2): cards of one deck must agree on the light
        they are seen in, and look alike *beside* each other."""
        if not compared or not self.decks:
            return [Match(None, 1.0, None, None, np.inf, 0.0) for _ in compared]
        s, visible = self.settings, np.array([one.visible for one in compared], np.float32)
        compared = self._evened(compared, visible, places)
        scores = self.scores(compared)
        alike = self.alike(compared, scores, likeness)
        evidence = self.evidence(scores, alike)
        own = self._own_light(compared, evidence, self._odds(evidence, scores, visible), visible)
        free = np.minimum(own, s.own_light_free)
        evidence = evidence - own
        odds = self._odds(evidence, scores, visible, free)
        evidence = evidence - self._unlike_surer(evidence, odds, visible, beside)
        odds = self._odds(evidence, scores, visible, free)
        chances = _in_company(odds + self._like_surer(evidence, odds, visible, beside), s)
        return [self._match(*each) for each in zip(evidence, scores, chances, visible.tolist(), strict=True)]

    def alike(self, compared: Sequence[Compared], scores: Floats, likeness: Alike) -> Floats:
        """How alike each card and its nearest deck are, by *likeness*, and of a doubtful card the next decks and the
        one that would be nearest in any light: log odds (cards, decks), bounded; the least there are of decks that are
        not asked about."""
        s, cards, order = self.settings, np.arange(len(scores)), np.argsort(scores, axis=1)
        alike = np.full(scores.shape, -s.most_likeness, np.float32)
        alike[cards, order[:, 0]] = likeness(cards, order[:, 0])
        doubtful = (alike.max(1) < s.surely_alike) | (_margins(scores) < s.near)
        distances = np.stack([one.distances for one in compared])
        wanted = np.zeros(scores.shape, bool)
        np.put_along_axis(wanted, order[:, 1 : s.asked], True, 1)
        wanted &= scores < s.far
        wanted[cards, distances.argmin(1)] = True
        asked, decks = np.nonzero(wanted & doubtful[:, None] & (alike <= -s.most_likeness))
        alike[asked, decks] = likeness(asked, decks)
        return np.clip(alike, -s.most_likeness, s.most_likeness)

    def evidence(self, scores: Floats, alike: Floats) -> Floats:
        """What likeness and distance say for each deck (cards, decks): log odds, but for a constant."""
        return self.settings.chance_by_likeness * alike - self.settings.chance_by_distance * scores

    def nobodys(self, distances: Floats, alike: Floats, visible: Floats) -> Floats:
        """How likely cards (n,) are of no deck, 0 to 1, by how far and how alike each is to its nearest one and how
        much of it shows."""
        scores = distances[:, None]
        odds = self._odds(self.evidence(scores, alike[:, None]), scores, visible)
        return np.asarray(1 / (1 + np.exp(odds)), np.float32)

    def _odds(self, evidence: Floats, scores: Floats, visible: Floats, free: Floats | None = None) -> Floats:
        """Log odds (cards,) that each card, looked at alone, is of its likeliest deck; of what *evidence* lacks there,
        so much (cards, decks) is *free*."""
        s, likeliest = self.settings, evidence.argmax(1)[:, None]
        far = np.take_along_axis(scores, likeliest, 1)[:, 0]
        given = 0 if free is None else np.take_along_axis(free, likeliest, 1)[:, 0]
        odds = evidence.max(1) + given + s.chance - s.chance_by_more * far - s.chance_by_view * visible
        return np.asarray(odds, np.float32)

    def _unlike_surer(self, evidence: Floats, odds: Floats, visible: Floats, beside: Alike) -> Floats:
        """What it costs cards (cards, decks), doubtful by *odds*, that they are unlike surer ones of their likeliest
        deck in the same picture: a stranger's design may be near an enrolled one in another light, but it lies in the
        same.

        It costs nothing where a card is not like another doubtful one either: then it is badly seen.
        """
        s, likeliest = self.settings, evidence.argmax(1)
        surest, chances = np.argsort(-odds), _in_company(odds, s)
        doubtful, shown = chances < s.doubtful, surest[visible[surest] >= s.shows]
        asked = np.flatnonzero(doubtful & (chances >= s.least_chance))
        cards, others, like_them = self._beside_surer(asked, shown, likeliest, odds, beside)
        against = np.maximum(-like_them, 0)
        pairs = []
        for card in np.flatnonzero(against):
            like = np.flatnonzero(doubtful & (likeliest == likeliest[card]))
            like = np.setdiff1d(like, [card, *others[cards == card]])
            pairs += [(card, like[visible[like].argmax()])] if len(like) else []
        strange, mates = np.array(pairs, np.intp).reshape(-1, 2).T
        unlike = strange[beside(strange, mates) >= s.mates]
        costs = np.zeros(evidence.shape, np.float32)
        costs[unlike, likeliest[unlike]] = s.unlike * against[unlike]
        return costs

    def _like_surer(self, evidence: Floats, odds: Floats, visible: Floats, beside: Alike) -> Floats:
        """What cards (cards,) that by *odds* would be nobody's gain by being like surer ones of their likeliest deck in
        the same picture, which show the design in the same light: log odds, 0 at least."""
        s, likeliest, surest = self.settings, evidence.argmax(1), np.argsort(-odds)
        chances = _in_company(odds, s)
        shown = surest[(visible[surest] >= s.shows) & (chances[surest] >= s.doubtful)]
        strange = np.flatnonzero((chances < s.least_chance) & (visible >= s.shows))
        return np.maximum(self._beside_surer(strange, shown, likeliest, odds, beside)[2], np.float32(0))

    def _beside_surer(
        self,
        asked: npt.NDArray[np.intp],
        shown: npt.NDArray[np.intp],
        likeliest: npt.NDArray[np.intp],
        odds: Floats,
        beside: Alike,
    ) -> tuple[Places, Places, Floats]:
        """Each of the cards *asked* and the first surer ones by *odds* among those *shown* of its likeliest deck, as
        pairs (n,) and (n,); and how alike it is to them on average (cards,), 0 where there are none."""
        pairs = [
            (card, other)
            for card in asked
            for other in shown[(likeliest[shown] == likeliest[card]) & (odds[shown] > odds[card])][
                : self.settings.surer
            ]
        ]
        cards, others = np.array(pairs, np.intp).reshape(-1, 2).T
        number = np.maximum(np.bincount(cards, minlength=len(odds)), 1)
        mean = np.bincount(cards, beside(cards, others), len(odds)) / number
        return cards, others, np.asarray(mean, np.float32)

    def scores(self, compared: Sequence[Compared]) -> Floats:
        """Distances (cards, decks) and what the light costs."""
        distances = np.stack([one.distances for one in compared])
        lights = np.stack([one.lights for one in compared])
        seen = np.array([one.visible > 0.25 for one in compared])
        scores = distances + self.tint_costs(lights)
        for _ in range(2):
            clear = seen & (_margins(scores) > 0.05)
            if clear.sum() < 3:
                break
            scores = distances + self._light_costs(lights, scores.argmin(1), clear)
        return np.asarray(scores, np.float32)

    def tint_costs(self, lights: Floats, decks: slice | int = slice(None)) -> Floats:
        """What it costs each card that *lights* (cards, decks, 3), in which it would be of these *decks*, or look of
        one deck, are coloured."""
        s = self.settings
        variances = s.light_spread**2 + self._hazy()[decks, :2]
        return s.light_share * _odd(lights[..., :2], np.zeros(2, np.float32), variances, 25)

    def _light_costs(self, lights: Floats, nearest: npt.NDArray[np.intp], clear: npt.NDArray[np.bool_]) -> Floats:
        """What it costs each card (cards, decks) that its light is not the picture's."""
        s = self.settings
        common = np.median(lights[clear, nearest[clear]], axis=0)
        spreads = np.where(self.white, s.white_light_spread, s.light_spread).astype(np.float32)
        return s.light_share * _odd(lights, common, spreads[:, None] ** 2 + self._hazy(), 25)

    def _evened(self, compared: Sequence[Compared], visible: Floats, places: Points) -> list[Compared]:
        """The cards, in light that is the same all over the table (``evened``)."""
        scores, lights = self.scores(compared), np.stack([one.lights for one in compared])
        known = (scores.min(1) < NEAR) & (visible > self.settings.own_light_known)
        even = evened(lights, scores.argmin(1), known, places)
        return [replace(one, lights=light) for one, light in zip(compared, even, strict=True)]

    def _own_light(self, compared: Sequence[Compared], evidence: Floats, odds: Floats, visible: Floats) -> Floats:
        """What it costs each card (cards, decks) that its light is not that of its deck's others (``OwnLight``)."""
        s = self.settings
        colours = np.stack([one.lights[:, :2] for one in compared])
        known = (odds > 0) & (visible > s.own_light_known)
        return OwnLight(colours, evidence, known, s.own_light_spread, s.own_light_share, s.lone_cost).costs()

    def _hazy(self) -> Floats:
        """How much haze changes the light (decks, 3) that fits each deck, squared: it is told by two channels each."""
        blue, green, red = (self.settings.haze**2 / np.maximum(self.squares, DARKEST)).T
        return np.stack([blue + green, red + green, np.zeros_like(green)], 1)

    def _match(self, evidence: Floats, scores: Floats, chance: np.float32, view: float) -> Match:
        s = self.settings
        order = np.argsort(-evidence)
        likeliest, best = self.decks[int(order[0])], float(scores[order[0]])
        margin = s.choice * float(evidence[order[0]] - evidence[order[1]]) if len(order) > 1 else np.inf
        confidence = float(chance / (1 + np.exp(-margin)))
        if confidence < s.least_chance or view < s.least_view:
            return Match(None, max(1 - float(chance), 0.5), likeliest, likeliest, best, margin, view)
        runner_up = self.decks[int(order[1])] if len(order) > 1 else None
        return Match(likeliest, confidence, runner_up, likeliest, best, margin, view)

    def pairs(
        self, seen: Sequence[Seen], compared: Sequence[Compared], decks: npt.NDArray[np.intp], exposure: np.float32
    ) -> Floats:
        """What ``Likeness`` judges (cards, 7, 112, 80): each card beside that of its deck's looks that fits best."""
        pairs = np.empty((len(seen), 7, ROWS * CELL, COLUMNS * CELL), np.float32)
        for row, one, found, deck in zip(pairs, seen, compared, decks, strict=True):
            theirs = softened(self.pictures[found.views[deck]], one.level)
            row[:] = pair(one.picture, theirs, self.light(found.lights[deck]) * exposure, one.free)
        return pairs

    def light(self, found: Floats) -> Floats:
        """The light (3,), blue, green and red, that ``far`` expressed as logarithms (3,)."""
        blue, red = np.exp(found[:2])
        green = 3 * np.exp(found[2] / self.settings.strength_scale) / (1 + blue + red)
        return np.array([blue * green, green, red * green], np.float32)


def _in_company(log_odds: Floats, settings: BackSettings) -> Floats:
    """How likely (cards,) cards of one picture are of their likeliest decks, by what *log_odds* (cards,) say of each
    alone: among cards that surely are of enrolled decks a stranger is less likely, among strangers more."""
    usual = share = settings.strangers
    for _ in range(10):
        shift = np.log((1 - share) / share) - np.log((1 - usual) / usual)
        chances = 1 / (1 + np.exp(-log_odds - shift))
        strange = float((1 - chances).sum()) + settings.expected
        share = max(strange / (len(log_odds) + settings.expected / usual), settings.fewest)
    return np.asarray(chances, np.float32)


def exposure_of(seen: Sequence[Seen]) -> np.float32:
    """How bright white paper is in the picture these cards are from, about, 0 to 1.2.

    In steps of 0.05, so that a card more or less changes nothing and nothing has to be compared again.
    """
    bright = [one.bright for one in seen if not np.isnan(one.bright)]
    level = np.percentile(bright, 75) / 0.9 if bright else 1.0
    return np.float32(np.clip(round(float(level) / 0.05) * 0.05, 0.1, 1.2))


def _odd(lights: Floats, about: Floats, variances: float | Floats, most: float) -> Floats:
    return np.asarray(np.minimum(((lights - about) ** 2 / variances).sum(-1), most), np.float32)


def _margins(scores: Floats) -> Floats:
    """How much farther the second deck is than the first, for each card (cards, decks)."""
    if scores.shape[1] < 2:
        return np.ones(len(scores), np.float32)
    ordered = np.sort(scores, axis=1)
    return np.asarray(ordered[:, 1] - ordered[:, 0], np.float32)


def far(
    seen: Floats, weights: Floats, theirs: Floats, settings: BackSettings, *, tinted: bool = True
) -> tuple[Floats, Floats]:
    """Distances (seen, looks) and lights (seen, looks, 3) of cards *seen* (seen, cells, 8), of which *weights* (seen,
    cells) show, from the looks *theirs* (looks, cells, 8).

    The light may be coloured, unless not *tinted*.
    """
    s = settings
    colours, paints = _by_feature(seen, COLOURS), _by_feature(theirs, COLOURS)
    both, squares = colours[:, :, None] * paints[:, None], (paints * paints)[:, None]
    kept, total = weights[:, None], weights.sum(1)[:, None] + np.float32(1e-6)
    for _ in range(2):  # the light by least squares, once more without the cells that do not fit
        above, below = (kept * both).sum(-1), (kept * squares).sum(-1)
        if not tinted:
            above, below = above.sum(0, keepdims=True), below.sum(0, keepdims=True)
        light = np.clip((above + 1e-3) / (below + 1e-3), 0.08, 6) * np.ones((3, 1, 1), np.float32)
        differs = _unlike(colours, light[..., None] * paints[:, None], s.colour_spread)
        kept = weights[:, None] * (differs < 0.98)
    unlike = _lines_unlike(seen, theirs, s)
    distances = (weights[:, None] * (differs + np.float32(s.line_share) * unlike)).sum(2) / total
    distances += s.contrast_share * _contrasts_differ(seen[..., CONTRAST], theirs[..., CONTRAST], weights)
    tint = np.log(light[[0, 2]] / light[1])
    strength = s.strength_scale * np.log(light.mean(0, keepdims=True))
    lights = np.concatenate([tint, strength]).transpose(1, 2, 0)
    return distances.astype(np.float32), lights.astype(np.float32)


def unlike_in(seen: Floats, theirs: Floats, light: Floats, settings: BackSettings) -> Floats:
    """How unlike cells (n, cells, 8) those of looks (m, cells, 8) are in a *light* (3,): (n, m, cells), 0 to 1."""
    s = settings
    paints = light[:, None, None] * _by_feature(theirs, COLOURS)
    differs = _unlike(_by_feature(seen, COLOURS), paints[:, None], s.colour_spread)
    return np.asarray((differs + s.line_share * _lines_unlike(seen, theirs, s)) / (1 + s.line_share), np.float32)


def _lines_unlike(seen: Floats, theirs: Floats, settings: BackSettings) -> Floats:
    """How much the lines of cells (n, cells, 8) differ from those of looks (m, cells, 8): (n, m, cells), at most 1."""
    return _unlike(_by_feature(seen, LINES), _by_feature(theirs, LINES)[:, None], settings.line_spread)


def _by_feature(looks: Floats, features: slice) -> Floats:
    """Some features of looks (n, cells, 8), each as a plane of its own: (features, n, cells)."""
    return np.ascontiguousarray(np.moveaxis(looks[..., features], -1, 0))


def _unlike(seen: Floats, theirs: Floats, spread: float) -> Floats:
    """How much cells (features, seen, cells) differ from (features, seen or 1, looks, cells): at most 1."""
    total = np.zeros((1, 1, 1), np.float32)
    for mine, other in zip(seen, theirs, strict=True):
        total = total + (mine[:, None] - other) ** 2
    return np.asarray(np.minimum(total * np.float32(1 / (len(seen) * spread**2)), 1), np.float32)


def _contrasts_differ(seen: Floats, theirs: Floats, weights: Floats) -> Floats:
    """How much stronger or weaker the lines of cards (seen, cells) are than those of looks (looks, cells): 0 to 1.2."""
    a = (weights * seen).sum(1)[:, None] + 0.02 * weights.sum(1)[:, None] + np.float32(1e-6)
    b = weights @ theirs.T + 0.02 * weights.sum(1)[:, None] + np.float32(1e-6)
    return np.asarray(np.clip(np.abs(np.log(a / b)) - 0.35, 0, 1.2), np.float32)


def shifted(look: Floats, free: Floats) -> tuple[Floats, Floats]:
    """The look moved by each of SHIFTS (shifts, cells, 8), and how much of each cell is free (shifts, cells); cells
    that come from outside are not."""
    looks, weights = zip(*(_shifted(look, free, shift) for shift in SHIFTS), strict=True)
    return np.stack(looks), np.stack(weights)


def back_from(cells: Floats, shift: int) -> Floats:
    """*cells* (cells,) of a look moved by the one of SHIFTS with this number, where they were; 1 where none was."""
    down, right = SHIFTS[shift]
    moved, inside = _shifted(cells[:, None], np.ones_like(cells), (-down, -right))
    return np.where(inside > 0, moved[:, 0], np.float32(1))


def _shifted(look: Floats, free: Floats, shift: tuple[int, int]) -> tuple[Floats, Floats]:
    """The look moved by whole cells, and how much of each is free; cells that come from outside are not."""
    moved = np.roll(look.reshape(ROWS, COLUMNS, -1), shift, (0, 1)).reshape(look.shape)
    weights = np.roll(free.reshape(ROWS, COLUMNS), shift, (0, 1))
    if shift[0]:
        weights[0 if shift[0] > 0 else -1] = 0
    if shift[1]:
        weights[:, 0 if shift[1] > 0 else -1] = 0
    return moved, weights.reshape(-1)


# Before the first hand


TOO_ALIKE = 0.35
"""Decks nearer than this to each other are warned of: light and covers cost that much at a real table, ..."""
UNLIKE = -3.0
"""... unless the network says that they are this much unlike (log odds)."""
PLAIN, FAINT = 0.12, 0.25
"""Decks whose lines are weaker than the first have colour alone; weaker than the second, hardly more in a dark
picture."""
PALER = (0.25, 0.5)
"""A lamp's reflection makes a plain card paler by such shares of white: ..."""
TOO_ALIKE_PALER = 0.45
"""... plain decks nearer than this then are too alike."""


def separability(gallery: Gallery) -> list[str]:
    """A sentence for each two decks that are too alike to be told apart (rules M13); none when all is well."""
    return [
        say(
            "the backs of %(deck)r and %(other)r are too alike to be told apart in this light: "
            "use another deck for one of them, or photograph both again in brighter, even light",
            deck=str(first),
            other=str(second),
        )
        for first, second in alike(gallery)
    ]


def alike(gallery: Gallery) -> list[tuple[DeckId, DeckId]]:
    """Each two decks that are too alike to be told apart."""
    return [(one, other) for one, other in combinations(gallery.decks, 2) if gallery.too_alike(one, other)]


@lru_cache(maxsize=1024)
def _too_alike(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Whether the decks with these signatures can't be told apart, or two plain ones not where a lamp shines on one."""
    gallery = Gallery.from_signatures({DeckId("first"): first, DeckId("second"): second})
    ways = ((0, 1), (1, 0))
    if min(apart(gallery, *way) for way in ways) < TOO_ALIKE and any(_resembles(gallery, *way) for way in ways):
        return True
    if not (_lines_inside(gallery.looks[-1]) < PLAIN).all():
        return False
    return any(apart(paler, *way) < TOO_ALIKE_PALER for paler in _paler(gallery) for way in ways)


def _lines_inside(looks: Floats) -> Floats:
    """How strong the lines inside cards with these *looks* (n, cells, 8) are: (n,)."""
    inside = looks.reshape(-1, ROWS, COLUMNS, looks.shape[-1])[:, 4:-4, 3:-3, CONTRAST]
    return np.asarray(inside.mean((1, 2)), np.float32)


def _resembles(gallery: Gallery, first: int, second: int) -> bool:
    """Whether a card of the *first* deck, in the light that fits best, may be one of the *second* for the network."""
    mine, theirs = np.flatnonzero(gallery.owners == first), np.flatnonzero(gallery.owners == second)
    all_of_it = np.ones((len(mine), ROWS * COLUMNS), np.float32)
    level = len(LEVELS) - 1
    _, lights = far(gallery.looks[level, mine], all_of_it, gallery.looks[level, theirs], gallery.settings)
    pairs = [
        pair(gallery.pictures[one], gallery.pictures[other], gallery.light(lights[row, column]), all_of_it[row])
        for row, one in enumerate(mine)
        for column, other in enumerate(theirs)
    ]
    return float(load_likeness()(np.stack(pairs)).max()) > UNLIKE


def _paler(gallery: Gallery) -> Iterator[Gallery]:
    """*gallery* with the looks of one deck, and then another, paler by each of PALER."""
    for deck in range(len(gallery.decks)):
        for share in PALER:
            looks = gallery.looks.copy()
            for number in np.flatnonzero(gallery.owners == deck):
                pale = cv2.convertScaleAbs(gallery.pictures[number], alpha=1 - share, beta=255 * share)
                looks[:, number] = _looks_of(np.asarray(pale, np.uint8))
            yield replace(gallery, looks=looks)


def apart(gallery: Gallery, first: int, second: int) -> float:
    """How far the enrolled pictures of one deck are from another deck, where they are nearest."""
    s = gallery.settings
    mine, theirs = np.flatnonzero(gallery.owners == first), np.flatnonzero(gallery.owners == second)
    if not len(mine) or not len(theirs):
        return np.inf
    known = bool(gallery.white[first] and gallery.white[second])  # both were brought under the same white light
    nearest = np.inf
    for level in range(1, len(LEVELS)):
        looks = gallery.looks[level, mine]
        shown, others = np.ones(looks.shape[:2], np.float32), gallery.looks[level, theirs]
        distances, lights = far(looks, shown, others, s, tinted=not known)
        nearest = min(nearest, float((distances + gallery.tint_costs(lights, second)).min()))
    return nearest
