"""Backs laid anew: where an outline fits no deck, its card is looked for by the pattern of one; and cards that no
outline was on are found so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.rules.lake import DeckId
from scorekeeper.vision.aligned import ABOUT, HERE, Start, aligned
from scorekeeper.vision.backs import Compared, Gallery, exposure_of
from scorekeeper.vision.claims import UNEXPLAINED, Patterned, explained, gaps, in_one_piece, lost, odd_in, unlike_deck
from scorekeeper.vision.cloth import Cloth, Mask
from scorekeeper.vision.detector import BACK, Detections
from scorekeeper.vision.geometry import Corners, Points, grown, side_lengths, touching, upright_boxes
from scorekeeper.vision.glances import Glances
from scorekeeper.vision.heap import HeapSettings, Outlines, in_steps
from scorekeeper.vision.looks import cell_middles, softened
from scorekeeper.vision.network import two_at_a_time
from scorekeeper.vision.outline import Tilt, covered
from scorekeeper.vision.places import cut_by_edge, is_any, lies_on_any, may_share, share_of_both
from scorekeeper.vision.refine import opened
from scorekeeper.vision.registration import WINDOW, Print, print_of, registered, seen_in, spots_px
from scorekeeper.vision.rooms import rooms
from scorekeeper.vision.whose import bent, compared_in, likeness_in

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class RelaidSettings:
    """When an outline is moved, and when a card is new; chosen on composed spreads of invented backs."""

    fits: float = 0.35
    """A card nearer than this to a deck lies where its box says."""
    worth_moving: float = 1.5
    """How much more must say that a card is of its nearest deck elsewhere (log odds) for it to be moved there."""
    shows_as_much: float = 0.7
    """There it must show so much of what it shows where it is, ..."""
    far_better: float = 4.0
    """... or, where so much more says that it is of its deck, ..."""
    shows_far_better: float = 0.5
    """... so much; ..."""
    spared: int = 3
    """Other outlines found beside a card that are looked at."""
    most_moved: int = 12
    """Cards of one picture that are looked for elsewhere, the worst first."""
    settled: float = 1.0
    """A back of which so much says that it is of its nearest deck (log odds) lies where it was outlined, and as much
    must say so of a card that is new."""
    sown: int = 24
    """So many other outlines, the clearest, are looked round for new cards, under every deck, ..."""
    bared: float = 0.25
    """... of which settled cards leave so much, as a new card shows as much as ``shown``, ..."""
    roomy: float | None = None
    """... those first of which no settled card explains so much, where this is given, ..."""
    apart: float = 0.4
    """... but not where another one is nearer than so many lengths of a card."""
    same_card: float = 0.75
    """Two outlines which both lie within the other by this share are one, ..."""
    rival: float = 0.4
    """... and by this share may be one: of these the new one must be so much better as one that is moved."""
    far_nearer: float = 0.5
    """In a heap it need only be better than one of the same deck of whose distance it has less than this share."""
    loses: float = 0.4
    """There it takes their place only if it explains what they do, but for so much of one card."""
    shown: float = 0.3
    """Of a new card at least this share shows, ..."""
    shown_little: tuple[float, float] | None = None
    """... or the first of these, where they are given, and more than the second says that it is of its deck (log odds):
    then ``left_to_it`` must be explained by no card before it, and not speak against its deck."""
    left_to_it: float = 0.3
    faint: float = 0.2
    """A card of which less shows by the network shows where no other one explains what is seen; ..."""
    more_surely: float = 0.5
    """... and so does one that is not of its deck ``beyond_doubt``, if so much more says then that it is."""
    explains: float = 0.35
    """Of a card that has room (``rooms``) at least this share must be neither cloth nor another card, and ..."""
    peeping: float = 0.1
    """... this share must show by the network, which may take for its neighbour's what shows of it."""
    unexplained: float = 0.42
    """A card that hardly shows by the network may be new all the same where no settled one explains this share of it by
    its deck's pattern, ..."""
    on_another: float = 0.54
    """... none of them and it lie so much within each other (of a card that counts, 45 % shows), ..."""
    claimed: float = 0.15
    """... and its own pattern explains more than this share of it and no other does; ..."""
    claimed_plainly: float = 0.4
    """... or so much, where hardly anything says of which deck it is, ..."""
    there: float = 0.25
    """... and, there or where that deck is plain, if by the network it lies there as surely as this: bare cloth looks
    like a plain card (five such places had 0.03 to 0.21); ..."""
    beyond_doubt: float | None = None
    """Where more than this says that it is of its deck, if it is given, of those limits only these two count: ..."""
    on_another_surely: float = 0.62
    """... it and a settled one lie so much within each other, ..."""
    claimed_surely: float = 0.2
    """... and it alone explains so much; ..."""
    claimed_far: float = 1.0
    """... none may be farther from its deck than this, ..."""
    keeps: float = 0.5
    """... and a settled card with which it shares more than ``rival`` must keep so much of what it explains, ..."""
    ill: float = 0.35
    """... or, where that usually is so unlike its deck, and so may lie a little off the same card, ..."""
    ill_keeps: float = 0.75
    """... so much."""
    bare: float = 0.7
    """Where more of what no settled card covers has the cloth's colour, none is, ..."""
    claimed_bare: float = 0.4
    """... and of one that hardly shows by the network no more than this may have it."""
    beside: float = 0.1
    """An outline of which less lies in a new card, and so much of none in it, is on what it was on before."""
    on_none: float = 0.65
    """An outline that shares no more than this with any card that counts may be on one more, ..."""
    left_over: tuple[float, float] = (0.5, 0.6)
    """... if it was found so clearly, and the cards leave more than the second of these of it unexplained; ..."""
    left_alike: tuple[float, float] = (0.3, 0.35)
    """... or if it was found and left so much, and is sooner of a deck than not; ..."""
    deep: tuple[float, float, float] = (0.3, 0.2, 0.5)
    """... and in a deep heap one found and unexplained so much, if it is nearer to a deck than the third of these."""
    lies: float = 0.4
    """A card that one of several readings shows (``turns``) is one where it lies there as surely as this, and ..."""
    needed: float = 0.2
    """... explains so much of itself that others do not, as well as usual of it: of 7 such 6 were cards, of 38 others
    9."""
    rounds: int = 1
    """So often they are looked for, each time beside those found before."""
    exact: float = 0.1
    """A card farther than this from its deck may lie a little off its outline: it is laid exactly ..."""
    nearer: float = 0.8
    """... where it is nearer to it by such a factor, and surely of it."""
    tried: int = 0
    """So many decks' patterns an outline is laid onto that is not surely of one."""
    laid: float = 0.5
    """How clearly (0 to 1) a card counts as found whose pattern is."""
    sizes: tuple[float, float] = (0.4, 2.5)
    """What covers less, or more, of the picture than the usual card by such factors is none."""

    def is_beyond_doubt(self, evidence: float) -> bool:
        """Whether so much says that a card is of its deck that this is beyond doubt."""
        return self.beyond_doubt is not None and evidence > self.beyond_doubt


SETTINGS = RelaidSettings()
HEAPED = RelaidSettings(shown_little=(0.1, 1.5), sown=32, bared=0.0, roomy=0.3, beyond_doubt=2.5, rounds=2, tried=3)
"""For cards that hide much of each other, which is worth more time."""
OUTLINED = RelaidSettings(spared=6, most_moved=0)
"""For cards that may lie in another outline found, and are looked for nowhere else."""

INSIDE = 0.94
"""Points in so much of a card that is known are its own; beside that they may be a neighbour's."""
SPECK = 3
"""Pixels of ``Cloth``: what is narrower that differs from a known card's deck is none that lies on it."""
NEWCOMERS = HeapSettings(least_new=0.3, same_heaped=0.85)
"""What a deck's pattern shows may lie so much under settled cards: its pattern says that it is there."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well the nearest deck fits a card in some outline."""

    compared: Compared
    alike: float
    evidence: float
    """Log odds, but for a constant, that the card is of that deck."""

    @property
    def deck(self) -> int:
        """That deck's number."""
        return int(self.compared.distances.argmin())

    @property
    def distance(self) -> float:
        """To that deck."""
        return float(self.compared.distances.min())

    @property
    def light(self) -> Floats:
        """The light (3,) in which it would be of that deck, as ``Compared`` has it."""
        return np.asarray(self.compared.lights[self.deck], np.float32)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a card explains that no other does."""

    free: Floats
    """(cells,) 1 where no other card explains what is seen there."""
    evidence: float
    """As ``Fit`` has it, by those cells."""


@dataclass(frozen=True, slots=True)
class _Left:
    """What cards leave to one beside and under them."""

    others: Sequence[Patterned]
    unlike: Floats
    """(cells,) how unlike its deck that of *others* is which explains the card's cell best."""
    free: Floats
    """(cells,) 1 where none of them explains it."""


@dataclass(frozen=True, slots=True)
class Laying:
    """The decks of a table, and one picture of its cards."""

    gallery: Gallery
    glances: Glances
    exposure: np.float32
    """Of the picture (``exposure_of``)."""
    tilt: Tilt
    """How the camera looks at the table."""
    length: float
    """How long a card is, in the tilt's units of the table."""

    @classmethod
    def of(cls, gallery: Gallery, glances: Glances, backs_px: Sequence[Corners]) -> Self:
        """With the exposure and the size that these backs tell, as ``straightened`` orders them."""
        tilt = glances.known_tilt(backs_px)
        lengths = side_lengths(tilt.to_table(np.concatenate(backs_px)).reshape(-1, 4, 2).astype(np.float32)).max(1)
        return cls(gallery, glances, exposure_of(glances.seen(backs_px)), tilt, in_steps(float(np.median(lengths))))

    def fits(self, quads: Sequence[Corners]) -> list[Fit]:
        """How well the cards in *quads* fit the deck that is nearest to each."""
        compared = compared_in(self.gallery, self.glances, quads, self.exposure)
        nearest = np.array([int(one.distances.argmin()) for one in compared], np.intp)
        odds = likeness_in(self.gallery, self.glances, quads, self.exposure)(np.arange(len(quads)), nearest)
        most = self.gallery.settings.most_likeness
        alike = np.clip(odds, -most, most)
        far = np.array([float(one.distances.min()) for one in compared])
        evidence = self.gallery.evidence(far, alike)
        return [Fit(*each) for each in zip(compared, alike.tolist(), evidence.tolist(), strict=True)]

    def aligned(self, quads: Sequence[Corners], fits: Sequence[Fit], settings: RelaidSettings) -> list[list[Corners]]:
        """Each outline of *quads*, which *fits* are about, laid exactly onto the patterns of its nearest decks: of one
        where the card surely is of that, of ``tried`` otherwise."""
        ways: list[tuple[int, int, Sequence[Start]]] = []
        for n, fit in enumerate(fits):
            sure = fit.evidence > settings.settled
            wanted = np.argsort(fit.compared.distances)[: 1 if sure else settings.tried]
            ways += [(n, deck, HERE if sure else ABOUT) for deck in wanted.tolist()]
        laid: list[list[Corners]] = [[] for _ in quads]
        for (n, _, _), moved in zip(ways, self.onto_decks(quads, fits, ways), strict=True):
            laid[n] += [] if moved is None else [moved]
        return laid

    def onto_decks(
        self, quads: Sequence[Corners], fits: Sequence[Fit], ways: Sequence[tuple[int, int, Sequence[Start]]]
    ) -> list[Corners | None]:
        """Outlines of *quads*, which *fits* are about, laid exactly onto decks' patterns, as each of *ways* says: the
        outline and the deck by their numbers, and from the best of which starts; None where that is no such card."""
        seen, told = self.glances.seen(quads), self.glances.told(quads)
        views = [int(fits[n].compared.views[deck]) for n, deck, _ in ways]

        def lay(way: int) -> Corners | None:
            n, _, starts = ways[way]
            pattern = softened(self.gallery.pictures[views[way]], seen[n].level)
            moved = aligned(self.glances.image, quads[n], pattern, seen[n].free, starts)
            fine = moved is not None and _same_card(moved, quads[n]) and cv2.isContourConvex(moved)
            return moved if fine else None

        asked = [("aligned", view, len(way[2]), told[way[0]]) for view, way in zip(views, ways, strict=True)]
        return self.glances.once(asked, [quads[n] for n, _, _ in ways], lambda new: two_at_a_time(lay, new))

    def exact(self, quads: Sequence[Corners], settings: RelaidSettings) -> list[Corners]:
        """*quads*, each laid exactly onto the pattern of its deck, where it is nearer to that so; one that is not
        surely of a deck onto that of a near one, where it surely is of that."""
        fits, better = self.fits(quads), list(quads)
        off = [n for n, fit in enumerate(fits) if fit.distance >= settings.exact]
        laid = self.aligned([quads[n] for n in off], [fits[n] for n in off], settings)
        self.fits([quad for each in laid for quad in each])  # all at once, which takes less time
        for n, places in zip(off, laid, strict=True):
            fit = fits[n]
            others = np.array(better[:n] + better[n + 1 :], np.float32).reshape(-1, 4, 2)
            sure = fit.evidence > settings.settled
            least = settings.settled if sure else max(settings.settled, fit.evidence + settings.worth_moving)
            nearest = settings.nearer * fit.distance
            for moved in places:
                if is_any(moved, others, 0.6):
                    continue
                (found,) = self.fits([moved])
                shows = found.compared.visible > 0.7 * fit.compared.visible
                if shows and found.evidence > least and found.distance < nearest:
                    better[n], nearest = moved, found.distance
        return better

    def places(self, middles_px: Points, known_px: Points, settings: RelaidSettings) -> list[Corners]:
        """Where cards near *middles_px* (n, 2) lie by the pattern of a deck, the surest first; what is seen of cards
        *known_px* (n, 4, 2) is not looked at, nor what is nearer than ``apart`` to middles before."""
        prints = [print_of(text) for texts in self.gallery.signatures for text in texts]
        windows = self.tilt.squares(middles_px[self._apart(middles_px, settings.apart)], WINDOW * self.length)
        near = [known_px[each] for each in touching(upright_boxes(windows), upright_boxes(known_px))]
        held = {card.quad.tobytes(): card for card in self.held([*known_px])} if settings.tried else {}

        def see(new: list[int]) -> list[Print]:
            return two_at_a_time(lambda n: seen_in(self.glances.image, windows[n]), new)

        seen = self.glances.once(["points"] * len(windows), windows, see)

        def others(n: int) -> Print:
            spots = spots_px(seen[n], windows[n])
            if settings.tried:
                return seen[n].pick(explained(spots, [held[quad.tobytes()] for quad in near[n]]) > UNEXPLAINED)
            return seen[n].pick(~covered(spots, [*grown(near[n], INSIDE)]))

        def find(new: list[int]) -> list[list[tuple[int, Corners]]]:
            return two_at_a_time(lambda n: list(registered(others(n), windows[n], prints)), new)

        self.glances.once([("laid", settings.tried, each.tobytes()) for each in near], windows, find)
        found = (one for each in self.glances.all_of("laid") for one in each)
        return [corners for _, corners in sorted(found, key=lambda one: -one[0])]

    def onto_cards(self, boxes_px: Points) -> list[Corners]:
        """The outlines *boxes_px* (n, 4, 2), each moved onto the card that lies about there (``refine``)."""
        if not len(boxes_px):
            return []
        moved = self.glances.refined(boxes_px, side_lengths(boxes_px).max(1))
        return bent(self.tilt, [*moved.corners_px])

    def within(self, quads: Sequence[Corners]) -> list[Corners]:
        """Those of *quads* that the picture's edge does not cut, which shows too little of what nothing outlined."""
        return [quad for quad in quads if not cut_by_edge(quad, self.glances.image)]

    def onto_patterns(self, quads: Sequence[Corners], taken_px: Points, settings: RelaidSettings) -> list[Corners]:
        """The outlines *quads* of cards that may lie beside and under the cards *taken_px* (n, 4, 2), each laid exactly
        onto a near deck's pattern, where that fits better what none of these explains."""
        free, best = [self.unexplained(quad, taken_px) for quad in quads], list(quads)
        roomy = [n for n, each in enumerate(free) if each.mean() >= (settings.roomy or 0)]
        some, left = [quads[n] for n in roomy], [free[n] for n in roomy]
        fits = self.fits_of(some, left)
        with self.glances.claimed(some, left):
            laid = self.aligned(some, fits, settings)
        moved = [quad for each in laid for quad in each]
        found = iter(self.fits_of(moved, [self.unexplained(quad, taken_px) for quad in moved]))
        for n, fit, places in zip(roomy, fits, laid, strict=True):
            evidence = fit.evidence
            for quad, other in zip(places, found, strict=False):
                if other.evidence > evidence:
                    best[n], evidence = quad, other.evidence
        return best

    def left_by(self, quad: Corners, taken_px: Points) -> _Left:
        """What those of the cards *taken_px* (n, 4, 2) that may hide part of one in *quad* leave to that."""
        others = self.held([*taken_px[may_share(quad, taken_px)]])
        unlike = explained(cell_middles(quad), others)
        return _Left(others, unlike, in_one_piece(unlike > UNEXPLAINED))

    def gaps(self, quads: Points, cloth: Cloth | None) -> Points:
        """Middles (k, 2) of patches that lie in *quads* (n, 4, 2), and perhaps go on beside them, and are of none of
        their decks (``claims.gaps``)."""
        found = gaps(self.held([*quads]), (), self._size, cloth) if len(quads) else []
        return np.array(found, np.float32).reshape(-1, 2)

    def odd_in(self, quads: Points) -> Mask:
        """(h, w) what in *quads* (n, 4, 2) plainly differs from the decks of the cards there (``claims.odd_in``)."""
        odd = odd_in(self.held([*quads]), self._size)[1].astype(np.uint8)
        return np.asarray(cv2.morphologyEx(odd, cv2.MORPH_OPEN, np.ones((SPECK, SPECK))) > 0, bool)

    @property
    def _size(self) -> tuple[int, int]:
        """Height and width of the picture."""
        return self.glances.image.shape[0], self.glances.image.shape[1]

    def unexplained(self, quad: Corners, taken_px: Points) -> Floats:
        """(cells,) 1 where none of the cards *taken_px* (n, 4, 2) explains a card in *quad*."""
        return self.left_by(quad, taken_px).free

    def fits_of(self, quads: Sequence[Corners], free: Sequence[Floats | None]) -> list[Fit]:
        """How well cards in *quads* fit, of each of which so much (cells,) shows; None: what the network says."""
        with self.glances.claimed(quads, free):
            return self.fits(quads)

    def fit_of(self, quad: Corners, free: Floats | None) -> Fit:
        """The same of one card."""
        return self.fits_of([quad], [free])[0]

    def _card(self, quad: Corners, fit: Fit, free: Floats) -> Patterned:
        """The card in *quad*, which *fit* is about, held against its deck, where *free* (cells,) shows."""
        with self.glances.claimed([quad], [free]):
            return self.patterned(quad, fit)

    def claims(self, quads: Sequence[Corners], taken_px: Points, settings: RelaidSettings) -> list[Claim | None]:
        """What a card in each of *quads* explains and none of the cards *taken_px* (n, 4, 2) does; None where that is
        too little for a card."""
        some = [n for n, quad in enumerate(quads) if not is_any(quad, taken_px, settings.on_another_surely)]
        left = {n: self.left_by(quads[n], taken_px) for n in some}
        apart = {n: not is_any(quads[n], taken_px, settings.on_another) for n in some}
        apart = {n: apart[n] and each.free.mean() >= settings.unexplained for n, each in left.items()}
        some = [n for n in some if apart[n] or settings.beyond_doubt is not None]
        fits = self.fits_of([quads[n] for n in some], [left[n].free for n in some])
        found: list[Claim | None] = [None] * len(quads)
        for n, fit in zip(some, fits, strict=True):
            found[n] = self._claim(quads[n], fit, left[n], apart[n], settings)
        return found

    def _claim(self, quad: Corners, fit: Fit, left: _Left, apart: bool, settings: RelaidSettings) -> Claim | None:
        """The claim of one card, which *fit* is about; others have *left* so much to it, and it may lie *apart*."""
        if fit.alike <= 0 or fit.distance > settings.claimed_far:
            return None
        card = self._card(quad, fit, left.free)
        share = card.share_beside(left.unlike)
        surely = settings.is_beyond_doubt(fit.evidence) and share > settings.claimed_surely
        enough = fit.evidence > settings.settled and share > settings.claimed
        plainly = fit.evidence > 0 and share > settings.claimed_plainly
        evident = enough and not self.gallery.faint[fit.deck]
        there = evident or (enough or plainly) and self.lies(quad) >= settings.there
        if not (surely or apart and there):
            return None
        return Claim(left.free, fit.evidence) if _spares(card, left.others, settings) else None

    def rivals(
        self, quad: Corners, taken_px: Points, quads: Points, numbers: Sequence[int], settings: RelaidSettings
    ) -> list[int] | None:
        """Those of *numbers* whose outline in *quads* (n, 4, 2) may be on the card in *quad*. In a heap none where that
        has a claim beside them and *taken_px* (k, 4, 2), otherwise those that explain little it does not; None where
        there are none such, or all together explain more."""
        near = [n for n in numbers if share_of_both(quad, quads[n]) > settings.rival]
        if not near or not settings.tried:
            return near
        if self.claims([quad], np.concatenate([taken_px, quads[near]]), settings)[0]:
            return []
        gone = [n for n in near if self.loses(quad, quads[[n]], taken_px) <= settings.loses]
        return gone if gone and self.loses(quad, quads[gone], taken_px) <= settings.loses else None

    def loses(self, quad: Corners, gone_px: Points, taken_px: Points) -> float:
        """Which share of a card those in *gone_px* (k, 4, 2) explain, and neither one in *quad*, in their place, nor
        the cards *taken_px* (n, 4, 2) do."""
        one, *gone = self.held([quad, *gone_px])
        beside = np.unique(np.concatenate([np.flatnonzero(may_share(each, taken_px)) for each in gone_px]))
        return lost(one.at, gone, self.held([*taken_px[beside]]) if len(beside) else [])

    def left_to(self, quad: Corners, taken_px: Points, settings: RelaidSettings) -> bool:
        """Whether cards *taken_px* (n, 4, 2) leave enough to one in *quad*, and that does not speak against it."""
        left = self.left_by(quad, taken_px)
        if left.free.mean() <= settings.left_to_it:
            return False
        fit = self.fit_of(quad, left.free)
        return fit.evidence > 0 and _spares(self._card(quad, fit, left.free), left.others, settings)

    def takes(self, quad: Corners, taken_px: Points, settings: RelaidSettings) -> bool:
        """Whether a card in *quad* has such a claim; then what it explains is what shows of it."""
        (claim,) = self.claims([quad], taken_px, settings)
        if claim:
            self.glances.claim(quad, claim.free)
        return claim is not None

    def taken(
        self,
        numbers: Iterable[int],
        quads: Points,
        known_px: Points,
        settings: RelaidSettings,
        test: Callable[[Corners, Points, RelaidSettings], bool] | None = None,
    ) -> list[int]:
        """Those of *numbers*, in turn, whose card in *quads* (n, 4, 2) has such a claim beside those before it and
        *known_px* (k, 4, 2), or passes another *test* beside them."""
        taken: list[int] = []
        for n in numbers:
            if (test or self.takes)(quads[n], np.concatenate([known_px, quads[taken]]), settings):
                taken.append(n)
        return taken

    def lies(self, quad: Corners) -> float:
        """How likely a card lies in *quad*, or nearly, by the network, 0 to 1."""
        return float(self.glances.refined(quad[None], side_lengths(quad[None]).max(1)).sure[0])

    def held(self, quads: Sequence[Corners]) -> list[Patterned]:
        """The cards in *quads*, each held against the deck that is nearest to it."""
        return [self.patterned(quad, fit) for quad, fit in zip(quads, self.fits(quads), strict=True)]

    def patterned(self, quad: Corners, fit: Fit) -> Patterned:
        """The card in *quad*, which *fit* is about, held against its deck cell by cell."""

        def find(_: list[int]) -> list[Patterned]:
            (seen,) = self.glances.seen([quad])
            unlike = unlike_deck(self.gallery, seen, fit.deck, self.exposure, self.gallery.light(fit.light))
            shown = unlike[seen.free > 0.5]
            return [Patterned(quad, unlike, float(np.median(shown)) if len(shown) else 1.0)]

        asked = ("unlike", fit.deck, fit.light.tobytes(), float(self.exposure), *self.glances.told([quad]))
        (card,) = self.glances.once([asked], [quad], find)
        return card

    def _apart(self, middles_px: Points, apart: float) -> list[int]:
        """Which of *middles_px* (n, 2) are farther than *apart* cards from those before them."""
        spots, chosen = self.tilt.to_table(middles_px), list[int]()
        for n, spot in enumerate(spots):
            if (np.linalg.norm(spots[chosen] - spot, axis=1) > apart * self.length).all():
                chosen.append(n)
        return chosen


def _spares(card: Patterned, others: Sequence[Patterned], settings: RelaidSettings) -> bool:
    """Whether each of *others* that is its rival explains enough that *card* does not."""
    rivals = [other for other in others if share_of_both(card.quad, other.quad) > settings.rival]
    least = [settings.ill_keeps if other.usual > settings.ill else settings.keeps for other in rivals]
    return all(other.keeps_beside(card) >= each for other, each in zip(rivals, least, strict=True))


def corrected(
    gallery: Gallery,
    glances: Glances,
    quads: Sequence[Corners],
    backs: Sequence[int],
    spare: Sequence[Corners] = (),
    settings: RelaidSettings = SETTINGS,
) -> list[Corners]:
    """The quads, those *backs* that neither fit a deck nor are like one moved to where one nearby fits much better:
    to where its pattern lies, to an outline of *spare*, those found beside the quads, or its other side taken for the
    short one."""
    improved = list(quads)
    if not backs or not gallery.decks:
        return improved
    wanted, surely = [quads[n] for n in backs], gallery.settings.surely_alike
    laying = Laying.of(gallery, glances, wanted)
    fits = dict(zip(backs, laying.fits(wanted), strict=True))
    beside = np.array(spare, np.float32).reshape(-1, 4, 2)

    def move(ways: Mapping[int, Sequence[Corners]]) -> None:
        laying.fits([quad for places in ways.values() for quad in places])  # all at once, which takes less time
        for n, places in ways.items():
            others = np.array(improved[:n] + improved[n + 1 :], np.float32).reshape(-1, 4, 2)
            for quad in (each for each in places if not is_any(each, others, 0.6)):
                (moved,) = laying.fits([quad])
                more = moved.evidence - fits[n].evidence
                least = settings.shows_far_better if more > settings.far_better else settings.shows_as_much
                shows = moved.compared.visible > max(0.3, least * fits[n].compared.visible)
                if shows and moved.alike > 0 and more > settings.worth_moving:
                    fits[n], improved[n] = moved, quad

    def lost() -> list[int]:
        astray = [n for n in backs if fits[n].distance >= settings.fits and fits[n].alike < surely]
        return sorted(astray, key=lambda n: -fits[n].distance)

    ways: dict[int, list[Corners]] = {}
    for n in lost():
        found = [quad for quad in beside[may_share(quads[n], beside)] if _same_card(quad, quads[n])][: settings.spared]
        ways[n] = [*found, *(quad[[1, 2, 3, 0]] for quad in (quads[n], *found))]
    move(ways)
    worst = lost()[: settings.most_moved]
    known = np.array([improved[n] for n in backs if n not in worst], np.float32).reshape(-1, 4, 2)
    middles = np.array([improved[n].mean(0) for n in worst], np.float32).reshape(-1, 2)
    laid = laying.places(middles, known, settings)
    move({n: [quad for quad in laid if _same_card(quad, quads[n])] for n in worst})
    return improved


def laid_exactly(
    gallery: Gallery,
    glances: Glances,
    quads: Sequence[Corners],
    backs: Sequence[int],
    settings: RelaidSettings = HEAPED,
) -> list[Corners]:
    """The quads, those *backs* laid exactly onto their decks' patterns."""
    improved = list(quads)
    if backs and gallery.decks:
        laying = Laying.of(gallery, glances, [quads[n] for n in backs])
        for n, quad in zip(backs, laying.exact([quads[n] for n in backs], settings), strict=True):
            improved[n] = quad
    return improved


def _same_card(moved: Corners, quad: Corners) -> bool:
    """Whether one outline may be the other, better laid, with or without a dark frame round it: about there."""
    grown = abs(cv2.contourArea(moved)) / max(abs(cv2.contourArea(quad)), 1e-6)
    return 0.6 < grown < 1.7 and share_of_both(moved, quad) > 0.4


@dataclass(frozen=True, slots=True)
class _Found:
    """What is known of a picture's cards."""

    cards: Detections
    backs: Sequence[int]
    """Places of those that are backs and count."""
    spare: Detections
    """Outlines that are none of these, in the order in which they are looked round."""


def recovered(
    gallery: Gallery,
    glances: Glances,
    cards: Detections,
    backs: Sequence[int],
    spare: Detections,
    settings: RelaidSettings = SETTINGS,
) -> Detections:
    """*cards*, and those that a deck's pattern shows where none of them lies.

    They are looked for round those *backs* that are not surely of a deck, *spare*, what else was outlined, and what is
    no cloth. Outlines of which new cards leave nothing are left out, and looked round once more.
    """
    if not backs or not gallery.decks:
        return cards
    found = _Found(cards, backs, spare)
    for _ in range(settings.rounds):
        more = _with_new(gallery, glances, found, settings)
        if more is None:
            break
        found = more
    return cards if found.cards is cards else Detections.joined([found.cards])


def shown_by_pattern(gallery: Gallery, glances: Glances, quads: Sequence[Corners], settings: RelaidSettings) -> None:
    """Says that of those cards in *quads* shows what no settled one explains, of which hardly anything shows by the
    network, or which more surely are of their decks so; and that what the network says shows of those which much more
    surely are of them by that, after all."""
    if not quads or not gallery.decks:
        return
    laying = Laying.of(gallery, glances, quads)
    fits, outlines = laying.fits(quads), np.array(quads, np.float32)
    settled = np.array([fit.evidence > settings.settled for fit in fits], bool)
    for n, (quad, fit) in enumerate(zip(quads, fits, strict=True)):
        faint = fit.compared.visible < settings.faint
        if glances.is_claimed(quad):
            seen = laying.fit_of(quad, None)
            if seen.compared.visible >= settings.faint and seen.evidence > fit.evidence + settings.worth_moving:
                glances.claim(quad, None)
            continue
        if settings.is_beyond_doubt(fit.evidence) and not faint:
            continue
        free = laying.unexplained(quad, outlines[settled & (np.arange(len(quads)) != n)])
        found = laying.fit_of(quad, free)
        least = settings.settled if faint else max(settings.settled, fit.evidence + settings.more_surely)
        if free.mean() > settings.left_to_it and found.evidence > least and found.distance < settings.claimed_far:
            glances.claim(quad, free)


def _with_new(gallery: Gallery, glances: Glances, found: _Found, settings: RelaidSettings) -> _Found | None:
    """What was *found*, and the new cards round it; None where there are none."""
    cards, backs = found.cards, found.backs
    outlined = [cards.corners_px[n] for n in backs]
    laying = Laying.of(gallery, glances, outlined)
    settled = [n for n, fit in zip(backs, laying.fits(outlined), strict=True) if fit.evidence > settings.settled]
    astray = [n for n in range(len(cards)) if n not in settled]
    glances.settle([cards.corners_px[n] for n in settled])
    fits = laying.fits([*cards.corners_px])
    usual = float(np.median([cv2.contourArea(cards.corners_px[n]) for n in backs]))
    round_what = Detections.in_turn([cards.pick(np.array(astray, np.intp)), found.spare])
    settled_px = cards.corners_px[settled]
    new = _new(laying, round_what, settled_px, cards.corners_px[astray], usual, settings)
    beats: dict[int, list[int]] = {}
    for k, (quad, mine, fit) in enumerate(
        zip(new.cards.corners_px, new.evidence, laying.fits([*new.cards.corners_px]), strict=True)
    ):
        rivals = laying.rivals(quad, settled_px, cards.corners_px, astray, settings)
        if rivals is not None and all(_beats(mine, fit, fits[n], settings) for n in rivals):
            beats[len(cards) + k] = rivals
    if not beats:
        return None
    both = Detections.in_turn([cards, new.cards])
    length = float(np.median(side_lengths(cards.corners_px).max(1)))
    outlines = Outlines(both, both.corners_px, opened(glances.refined(both.corners_px, length).shows), length)
    claimed, shown = ([n for n in beats if new.claimed[n - len(cards)] == hardly] for hardly in (True, False))
    kept = outlines.with_room(shown, [*settled, *claimed], NEWCOMERS)
    kept += laying.taken([n for n in shown if n not in kept], both.corners_px, both.corners_px[kept], settings)
    if len(kept) == len(settled):
        return None
    beaten = {rival for n, rivals in beats.items() if n in kept for rival in rivals}
    others = [n for n in astray if n not in beaten]
    added = both.corners_px[[n for n in kept if n >= len(cards)]]
    apart = [n for n in others if not lies_on_any(cards.corners_px[n], added, settings.beside)]
    left = outlines.with_room([n for n in others if n not in apart], [*kept, *apart])
    left += laying.taken([n for n in others if n not in left], both.corners_px, both.corners_px[left], settings)
    gone = cards.pick(np.array([n for n in range(len(cards)) if n not in left], np.intp))
    counting = [k for k, n in enumerate(left) if n in backs or n >= len(cards)]
    return _Found(both.pick(np.array(left, np.intp)), counting, Detections.in_turn([gone, found.spare]))


def _beats(evidence: float, fit: Fit, rival: Fit, settings: RelaidSettings) -> bool:
    """Whether a new card, of which so much says that it is of its deck, is so much better than one that was outlined,
    and that does not fit a deck where it is."""
    lies = rival.distance < settings.fits < fit.distance
    same = settings.tried > 0 and fit.deck == rival.deck and fit.distance < settings.far_nearer * rival.distance
    return evidence > rival.evidence + (0 if same else settings.worth_moving) and not lies


def accounted(
    gallery: Gallery, glances: Glances, quads: Sequence[Corners], others: Sequence[Corners]
) -> tuple[Floats, list[Points]]:
    """How much (n,) each of the cards in *quads*, all of decks, alone explains of what is seen there, 0 to 1; and the
    middles of patches of them that none explains (``gaps``), nor cloth, nor *others*, which are of no deck."""
    laying = Laying.of(gallery, glances, quads)
    cards = laying.held(quads)
    boxes = upright_boxes(np.array(quads, np.float32))
    near = touching(boxes, boxes) & ~np.eye(len(quads), dtype=bool)
    alone = [
        card.needed_beside(explained(cell_middles(card.quad), [cards[n] for n in np.flatnonzero(beside)]))
        for card, beside in zip(cards, near, strict=True)
    ]
    cloth = glances.cloth([*quads, *others])
    return np.array(alone, np.float32), gaps(cards, others, glances.image.shape[:2], cloth)


def explaining(
    gallery: Gallery,
    glances: Glances,
    quads: Sequence[Corners],
    others: Sequence[tuple[Corners, DeckId | None]],
    settings: RelaidSettings = HEAPED,
) -> list[int]:
    """Numbers of those *others*, outlines that may be on cards of these decks, which surely are, beside and under the
    cards in *quads* and those before them: they explain what these leave."""
    found, known = list[int](), list(quads)
    for n, (quad, deck) in enumerate(others):
        laying, taken = Laying.of(gallery, glances, known), np.array(known, np.float32)
        glances.settle(known)
        (fit,) = laying.fits([quad])
        surely = fit.evidence > settings.settled and laying.lies(quad) > settings.lies
        if surely and gallery.decks[fit.deck] == deck:
            left = laying.left_by(quad, taken).unlike
            if laying.patterned(quad, fit).needed_beside(left) > settings.needed:
                found.append(n)
                known.append(quad)
    return found


def left_over(
    gallery: Gallery,
    glances: Glances,
    quads: Sequence[Corners],
    spare: Detections,
    deep: bool,
    settings: RelaidSettings = HEAPED,
) -> list[Corners]:
    """Outlines of *spare*, the clearest first, that may be on cards which are none of those in *quads*, of decks; in a
    *deep* heap more of them."""
    taken, found = np.array(quads, np.float32), list[Corners]()
    (clear, free), (deep_clear, deep_free, near) = settings.left_over, settings.deep
    alike_clear, alike_free = settings.left_alike
    order = [n for n in np.argsort(-spare.scores, kind="stable") if spare.scores[n] >= min(alike_clear, deep_clear)]
    order = [n for n in order if not is_any(spare.corners_px[n], taken, settings.on_none)]
    if not order:
        return found
    laying = Laying.of(gallery, glances, quads)
    for n in order:
        quad, score = spare.corners_px[n], spare.scores[n]
        unexplained = laying.unexplained(quad, taken).mean()
        perhaps = score >= clear and unexplained > free
        if not perhaps and unexplained > min(alike_free, deep_free):
            (fit,) = laying.fits([quad])
            perhaps = score >= alike_clear and unexplained > alike_free and fit.evidence > 0
            perhaps |= deep and score >= deep_clear and unexplained > deep_free and fit.distance < near
        if perhaps and not is_any(quad, np.array(found, np.float32).reshape(-1, 4, 2), settings.on_none):
            found.append(quad)
    return found


@dataclass(frozen=True, slots=True)
class _New:
    """Cards that surely are of a deck, and none that was known; arrays go in parallel."""

    cards: Detections
    evidence: Floats
    """(n,) what says that they are of that deck."""
    claimed: npt.NDArray[np.bool_]
    """(n,) of which the network says that little or hardly anything shows, and their deck's pattern says more."""

    def pick(self, which: npt.NDArray[np.intp]) -> _New:
        """Those numbered *which*."""
        return _New(self.cards.pick(which), self.evidence[which], self.claimed[which])

    def and_also(self, others: _New) -> _New:
        """These and *others*."""
        return _New(
            Detections.in_turn([self.cards, others.cards]),
            np.concatenate([self.evidence, others.evidence]),
            np.concatenate([self.claimed, others.claimed]),
        )


def _new(
    laying: Laying, seeds: Detections, taken_px: Points, astray_px: Points, usual: float, settings: RelaidSettings
) -> _New:
    """What surely is a card of a deck round *seeds* and what is no cloth, best first; *usual* is the area of a card,
    *taken_px* (n, 4, 2) are settled, and *astray_px* (k, 4, 2) are not."""
    known = [*taken_px, *seeds.corners_px]
    cloth = laying.glances.cloth(known)
    spots = cloth.spots(known) if cloth else np.zeros((0, 2), np.float32)
    seeds = _others(seeds, taken_px, usual, settings)
    if settings.bared:
        bared = [1 - covered(cell_middles(quad), [*taken_px]).mean() for quad in seeds.corners_px]
        seeds = seeds.pick(np.flatnonzero(np.array(bared) >= settings.bared))
    least = settings.roomy
    taken = [least is not None and laying.unexplained(quad, taken_px).mean() < least for quad in seeds.corners_px]
    seeds = seeds.pick(np.argsort(taken, kind="stable")[: settings.sown])
    strange = laying.gaps(taken_px, cloth) if settings.tried else np.zeros((0, 2), np.float32)
    middles = np.concatenate([strange, seeds.corners_px.mean(1), spots])
    laid = laying.within(laying.places(middles, taken_px, settings))
    found = Detections.in_turn([_backs(laid, settings.laid), _backs(seeds.corners_px, seeds.scores)])
    new = _surely(laying, _others(found, taken_px, usual, settings), taken_px, astray_px, settings.shown, settings)
    if cloth and not cloth.uneven:
        bare = np.array([cloth.within([quad, *taken_px], [0])[0] for quad in new.cards.corners_px])
        new = new.pick(np.flatnonzero(bare < np.where(new.claimed, settings.claimed_bare, settings.bare)))
        taken_px = np.concatenate([taken_px, new.cards.corners_px])
        new = new.and_also(_with_room(laying, cloth, taken_px, astray_px, known, usual, settings))
    return new.pick(np.argsort(-new.evidence, kind="stable"))


def _with_room(
    laying: Laying,
    cloth: Cloth,
    taken_px: Points,
    astray_px: Points,
    about: Sequence[Corners],
    usual: float,
    settings: RelaidSettings,
) -> _New:
    """Cards that explain what is neither *cloth* nor one of *taken_px*."""
    odd = laying.odd_in(taken_px) if settings.tried and len(taken_px) else None
    roomy = laying.within(laying.onto_cards(rooms(cloth, laying.tilt, laying.length, taken_px, about, odd)))
    found = _others(_backs(roomy, settings.laid), taken_px, usual, settings)
    new = _surely(laying, found, taken_px, astray_px, settings.peeping, settings)
    kept: list[int] = []
    for n in np.argsort(-new.evidence, kind="stable").tolist():
        quad, known = new.cards.corners_px[n], np.concatenate([taken_px, new.cards.corners_px[kept]])
        explains = new.claimed[n] or cloth.unexplained(quad, known) > settings.explains
        if explains or laying.takes(quad, known, settings):
            kept.append(n)
    return new.pick(np.array(kept, np.intp))


def _surely(
    laying: Laying, found: Detections, taken_px: Points, astray_px: Points, shown: float, settings: RelaidSettings
) -> _New:
    """Those *found* that surely are of a deck and show more than *shown*, or a little (beside *astray_px*, too); and
    those that explain what none of these and of *taken_px* does."""
    fits, quads = laying.fits([*found.corners_px]), found.corners_px.copy()
    near = settings.claimed_far if settings.tried else np.inf
    like = np.array([fit.evidence > settings.settled and fit.alike > 0 and fit.distance < near for fit in fits], bool)
    sure = like & np.array([fit.compared.visible > shown for fit in fits], bool)
    kept = np.flatnonzero(sure).tolist()
    known = np.concatenate([taken_px, quads[kept]])
    unsure = np.flatnonzero(~sure).tolist()
    if settings.tried and unsure:
        quads[unsure] = laying.onto_patterns([*quads[unsure]], known, settings)
    claims = zip(unsure, laying.claims([*quads[unsure]], known, settings), strict=True)
    evidence_of = {n: claim.evidence for n, claim in claims if claim}
    claimed = laying.taken(sorted(evidence_of, key=lambda n: -evidence_of[n]), quads, known, settings)
    if settings.shown_little is not None:
        known, (little, surely) = np.concatenate([known, quads[claimed]]), settings.shown_little
        seen = like & ~sure & np.array([f.compared.visible > little and f.evidence > surely for f in fits], bool)
        seen[claimed] = False
        order = sorted(np.flatnonzero(seen).tolist(), key=lambda k: -fits[k].evidence)

        def left_to(quad: Corners, known_px: Points, settings: RelaidSettings) -> bool:
            beside = [each for each in astray_px if share_of_both(quad, each) <= settings.rival]
            return laying.left_to(quad, np.array([*known_px, *beside], np.float32).reshape(-1, 4, 2), settings)

        left = laying.taken(order, found.corners_px, known, settings, left_to)
        quads[left] = found.corners_px[left]
        claimed += left
    both = np.array([*kept, *claimed], np.intp)
    evidence = [fit.evidence for fit in laying.fits([*quads[both]])]
    return _New(found.at(quads).pick(both), np.array(evidence, np.float32), np.arange(len(both)) >= len(kept))


def _backs(corners_px: Points | Sequence[Corners], scores: npt.ArrayLike) -> Detections:
    """Backs in these outlines (n, 4, 2)."""
    count = len(corners_px)
    outlines = np.array(corners_px, np.float32).reshape(-1, 4, 2)
    return Detections(outlines, np.full(count, BACK, np.int64), np.broadcast_to(scores, count).astype(np.float32))


def _others(found: Detections, taken_px: Points, usual: float, settings: RelaidSettings) -> Detections:
    """Those *found* that are as large as a card, and none of *taken_px* nor of those before them."""
    kept: list[int] = []
    least, most = settings.sizes
    for n, quad in enumerate(found.corners_px):
        others = np.concatenate([taken_px, found.corners_px[kept]])
        sized = cv2.isContourConvex(quad) and least < cv2.contourArea(quad) / usual < most
        if sized and not is_any(quad, others, settings.same_card):
            kept.append(n)
    return found.pick(np.array(kept, np.intp))
