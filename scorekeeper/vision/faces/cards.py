"""From indices to cards: which corners belong to one card, and what it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.rules.cards import ACE, RANKS, Card, parse_card
from scorekeeper.rules.lake import JOKER as JOKER_CODE
from scorekeeper.vision.background import like_its_ground, strange_grounds
from scorekeeper.vision.belief import likely, odds
from scorekeeper.vision.detector import BACK, CLEAR, FACE, INDEX, Detections
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.faces.around import Surroundings, load_around
from scorekeeper.vision.faces.beside import with_their_cards
from scorekeeper.vision.faces.indices import SUITS, Floats, IndexReadings
from scorekeeper.vision.faces.pips import PipReadings, load_pips
from scorekeeper.vision.geometry import Image, Points, grown, side_lengths
from scorekeeper.vision.networks import meanwhile
from scorekeeper.vision.outline import sizes_of
from scorekeeper.vision.places import share_inside, share_of_both, share_of_either
from scorekeeper.vision.weights import FACE_DOWN, TABLE

FACE_PX = 115
"""How long a card is in the look for faces: at 100 to 150 as many are read right, in less time."""
FAINT = 0.1
"""Cards found below CLEAR are ignored; indices are not, down to FAINT, where the reader is sure of them."""
MIN_IS_INDEX = 0.5
"""Below this the reader calls it no index."""
ONE_PLACE, ONE_SPOT = 0.6, 0.25
"""Boxes whose middles are closer than this share of their height hold one index: if they read alike, and if not."""
MARGIN = (0.055, 0.045)
"""How far an index stands from its card's side and end, as shares of width and length, however large it is."""
MARGIN_REACH = (0.12, 0.11)
"""How much further or nearer it may stand: decks and outlines differ."""
SLANT = 25.0
"""Degrees by which the two may differ in direction."""
PAIRED = 0.5
"""How much better an outline fits whose other corner reads the same: in a fan the neighbours' outlines fit, too."""
LOOSE = 2.2
"""How much further it may lie when the card's other index reads the same."""
FAR_OUT = 1.6
"""An index further from an outline's middle than its corners are, times this, can't even be its loose corner."""
USUAL_SIZES = ((0.17, 0.12, 0.05), (0.27, 0.21, 0.05))
"""Height, width and margin of indices as shares of the card's length and width."""
SEARCH_SURE = 0.7
"""What a corner that was not detected as an index must reach to be read all the same."""
SEARCH_TRUST = 0.85
"""Its confidence counts this much: it is asked about."""
UNREAD_SURE = 0.5
"""An outline found with a lower score in which nothing can be read is taken for no card."""
SNUG, LOUD, AS_LIKELY = 0.8, 0.85, 0.02
"""A corner that fits an outline better than SNUG but reads otherwise, less surely than LOUD, is misread if it is the
outline's card AS_LIKELY at least; it is another card's otherwise."""
ON_CARD = 0.75
"""A corner nearer to a card's middle than this share of its length, reading the same, is its own."""
INNER, OUTER = 0.75, 1.06
"""How far towards its edges no other card's index peeps out on a card that lies open; its own lie within OUTER."""
TOUCHING = 0.15
"""Outlines of one card share at least so much of the smaller one."""
RIVAL = 0.6
"""An outline whose second-best reading weighs this share of the best is asked about."""
UNCOVERED = 0.6
"""A face is read by its pips where nothing covers it, this surely; ..."""
PIPS_TRUST, INDEX_TRUST = 0.995, 0.95
"""... they are believed so far, and its corners, which err alike, together so far; ..."""
PIPS_ALONE = 0.9
"""... and a card without readable corners is read by them alone, this surely."""
AT_HOME = 0.99
"""A card of the table this likely is one: all lie on one table, so that the doubts of many do not add up."""
TELLING, HUGE = 5, 2.5
"""With fewer outlines a small card may be one far away; and what is larger than so many cards is none: a paper."""
NO_CARD, SURELY_BACK = 0.1, 0.85
"""What can't be read, and is a card less likely than this, is none; unless it surely looks like a back."""
SHOWN = 0.9
"""What looks like a back is a face where pips show, this surely, or it is a card as surely, and face down by FACE_UP at
most."""
FACE_UP = 0.05
PLAINLY, CLOTH, DOUBTED = 0.75, 0.4, 0.3
"""What is found as a back less plainly, and has so much of its colours round it, may be a part of a patterned cloth: it
is believed so far at most, does not count and is asked about; what surely looks like a back is, too, at least."""
TURNED, TURNED_SURE, BOTH_SURE = 0.9, 0.5, 0.74
"""An outline found as a face lies face down where `pips` or `around` says so, this surely; the second is how sure that
is: so it is asked about, even where another look finds a back. Where both say so the third is how sure that is. ..."""
PRINTED = 0.95
"""... But not where a sure index lies in it by this share, as a card's own do, unless both say so and it is no ace's:
prints of some aces look like backs."""
JOKER, PLAIN = 0.99, 0.9
"""An outline is a joker where `pips` says so, more surely than the first; of one that others may cover not where an
index is read as surely as PLAIN in it that is no K, Q or J: the letters of a joker's corners look like these; nor what
was found as a back and may be cloth. ..."""
TWO_JOKERS = 0.7
"""... Two of them share so much where they are one card's."""
LEAST = 0.002
"""No reading is believed to rule a rank or suit out more than this."""
AS_TALL, TALLS = 1.6, 3
"""The indices of one card differ no more in height than by the first, seen aslant; and so many cards' tell how high
other cards' are."""
ALONE_WIDTHS = (1.6, 5.2)
"""Two indices of one card stand this many index heights apart across the card, least and most, ..."""
ALONE_LENGTHS = (2.0, 6.5)
"""... and this many along it."""


@dataclass(frozen=True)
class FoundCard:
    """One physical face-up card."""

    card: Card | None
    """None where a face was seen but no index could be read, and for a joker."""
    confidence: float
    corners_px: Points
    """(4, 2); the whole card where its outline was found, otherwise just the index."""
    whole: bool
    """Whether ``corners_px`` is the card's outline."""
    disagree: bool = False
    """Its corners read differently."""
    open: bool = False
    """Whether opposite corners were read, so that nothing lies on it unseen."""
    real: float = 1.0
    """How likely it is a card of the table, by what lies round it alone: not shown on a screen, and no paper."""
    table: float = 1.0
    """How likely that is by its ground, its size and the other cards, too, by ``TABLE``."""
    index_px: float = 0.0
    """Height of its tallest index in pixels of the picture."""
    corners: int = 0
    """How many of its corners were read, and read the same."""
    ranks: Floats = field(default_factory=lambda: np.full(13, 1 / 13, np.float32), compare=False)
    """(13,) how likely each rank is by all its corners, in the order of RANKS."""
    suits: Floats = field(default_factory=lambda: np.full(4, 1 / 4, np.float32), compare=False)
    """(4,) the same for the suits, in the order of SUITS."""
    indices_px: Points = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32), compare=False)
    """(n, 4, 2) the indices by which it was read, upright."""
    pips: float = 0.0
    """How much its pips speak for this card, natural logarithm; below 0 against it, 0 where they don't show."""
    joker: bool = False
    """Whether it is a joker."""

    @property
    def said(self) -> Card | str | None:
        """The card, or JOKER; None where nothing was read."""
        return JOKER_CODE if self.joker else self.card

    @cached_property
    def middle(self) -> Points:
        """The middle of what was found, (2,) pixels: of a card without outline the one between its opposite corners."""
        between = self.indices_px if self.open and not self.whole else self.corners_px
        return np.asarray(between.reshape(-1, 2).mean(0), np.float32)

    @cached_property
    def index_spots(self) -> list[tuple[float, float, float]]:
        """The middle of each of its indices, x and y, and how high it is."""
        return [(float(quad[:, 0].mean()), float(quad[:, 1].mean()), _height(quad)) for quad in self.indices_px]

    @property
    def elsewhere(self) -> bool:
        """Whether it rather lies on something else than the table: on a phone's screen, say."""
        return self.table < 0.5

    @cached_property
    def likely(self) -> float:
        """How likely its likeliest rank and suit are by its corners."""
        return float(self.ranks.max() * self.suits.max())

    @cached_property
    def long_px(self) -> float:
        """The card's length in pixels; guessed from the index where the outline is missing."""
        longest = float(side_lengths(self.corners_px).max())
        return longest if self.whole else longest / 0.2


def second_thoughts(found: FoundCard, most: int = 4, least: float = 0.005) -> tuple[tuple[Card, float], ...]:
    """What else *found* may be by its corners, at *most* so many, none less likely than *least*."""
    chances = np.outer(found.ranks, found.suits)
    likely = np.dstack(np.unravel_index(np.argsort(-chances, axis=None)[: most + 1], chances.shape))[0]
    cards = [(parse_card(RANKS[rank] + SUITS[suit]), round(float(chances[rank, suit]), 3)) for rank, suit in likely]
    return tuple((card, chance) for card, chance in cards if card != found.card and chance >= least)[:most]


Found = tuple[list[FoundCard], Detections]
"""Every face-up card of a picture once, and the backs."""


def find_cards(image: Image, eye: Eye) -> Found:
    """The cards of *image*, those marked that lie on something else than the others."""
    cards, backs = seen_cards(image, eye)
    return placed(image, cards), backs


def face_down(backs: Detections) -> list[FoundCard]:
    """*backs* as cards of which nothing can be read."""
    seen = zip(backs.corners_px, backs.scores, strict=True)
    return [FoundCard(None, float(score), corners, whole=True) for corners, score in seen]


def seen_cards(
    image: Image, eye: Eye, length_px: float | None = None, near: Callable[[Points], bool] = lambda _: True
) -> Found:
    """The cards of *image*, on whatever ground, of which the middles of outlines and indices are *near* something; they
    are *length_px* long, where that is known."""
    found = eye.look(image, min_score=CLEAR, min_index_score=FAINT, card_px=FACE_PX, length_px=length_px)
    found = found.pick(np.array([near(middle) for middle in found.corners_px.mean(1)], np.bool_))
    cards_found, indices = found.of(FACE, BACK), found.of(INDEX)
    looking = meanwhile(lambda: _Looked.at(image, [*cards_found.corners_px]))
    readings = eye.reader.read(image, indices.corners_px)
    faint_but_read = (readings.is_index >= SEARCH_SURE) & (readings.confidence >= SEARCH_SURE)
    clear_enough = (readings.is_index >= MIN_IS_INDEX) & (indices.scores >= CLEAR)
    read = clear_enough | faint_but_read
    unread = indices.pick(~read & (indices.scores >= UNREAD_SURE))
    readings = _each_once(_picked(readings, np.flatnonzero(read)))
    if eye.reader.letters == "french":  # a V that is a queen is a jack to what reads the cards
        readings = with_their_cards(image, readings)
    looked = looking.result()
    backs, shown = _backs_and_faces(image, cards_found, looked)
    faces = Detections.joined([found.of(FACE), shown])
    fits = _fits(readings, faces)
    home = _homes(readings, fits)
    cards, said = [], looked.of([*faces.corners_px])[0]
    for k, outline in enumerate(faces.corners_px):
        mine = np.flatnonzero(home == k)
        plain = (readings.confidence[mine] >= PLAIN) & (readings.rank[mine].argmax(1) < RANKS.index("J"))
        if said.joker[k] > JOKER and (said.open[k] >= UNCOVERED or not plain.any()):
            cards.append(_joker_at(readings.quads_px[mine], outline, float(said.joker[k])))
            continue
        card, strangers = _settled(readings, mine, fits[:, k], outline)
        misread = (fits[strangers, k] < SNUG) & _may_be(readings, strangers, card)
        home[strangers] = np.where(misread, k, -1)
        card = searched(image, eye, outline, readings.quads_px) if card.card is None else card
        if card.card is not None or faces.scores[k] >= UNREAD_SURE:
            cards.append(card)
    cards, turned = _seconded(_once(cards), looked)
    backs = Detections.joined([backs, turned])
    alone = _alone(readings, np.flatnonzero(home < 0))
    alone = [
        card for card in alone + _unread(unread, readings) if not any(_is_corner_of(card, other) for other in cards)
    ]
    return cards + [_doubted(card, cards) if card.card else card for card in alone], backs


@dataclass(frozen=True, slots=True)
class _Looked:
    """What two networks say of some outlines, by what shows in them and round them."""

    rows: dict[bytes, int]
    said: PipReadings
    around: Surroundings

    @classmethod
    def at(cls, image: Image, outlines_px: Sequence[Points]) -> _Looked:
        """What they say of *outlines_px*, each (4, 2), of *image*."""
        rows = {outline.tobytes(): n for n, outline in enumerate(outlines_px)}
        return cls(rows, load_pips().read(image, outlines_px), load_around().read(image, outlines_px))

    def of(self, outlines_px: Sequence[Points]) -> tuple[PipReadings, Surroundings]:
        """What they said of these."""
        which = np.array([self.rows[outline.tobytes()] for outline in outlines_px], np.int64)
        return self.said.pick(which), self.around.pick(which)


def _backs_and_faces(image: Image, cards: Detections, looked: _Looked) -> tuple[Detections, Detections]:
    """Those of the *cards* found as backs that lie face down, as sure as that is by the detector and by what lies round
    them, without patches of cloth, phones and chips; and those that are faces."""
    found = cards.of(BACK)
    said, around = looked.of([*found.corners_px])
    shown = (said.open >= SHOWN) | (np.maximum(said.down, around.down) <= FACE_UP) & (said.card >= SHOWN)
    for n in np.flatnonzero(said.joker > JOKER):
        shown[n] |= not _may_be_cloth(image, found, int(n), cards)
    card = (said.card >= NO_CARD) | (found.scores >= SURELY_BACK)
    sure = np.zeros(len(found), np.float32)
    for n in np.flatnonzero(card & ~shown):
        score = float(found.scores[n])
        down, on_pile = float(said.down[n]), float(around.down[n])
        sure[n] = likely({"found": odds(score), "down": odds(down), "around": odds(on_pile)}, FACE_DOWN)
        if score >= SURELY_BACK:
            sure[n] = max(sure[n], DOUBTED)
        if _may_be_cloth(image, found, int(n), cards):
            sure[n] = min(sure[n], DOUBTED)
    backs = Detections(found.corners_px, found.kinds, sure)
    return backs.pick(card & ~shown), found.pick(shown)


def _may_be_cloth(image: Image, found: Detections, n: int, cards: Detections) -> bool:
    """Whether the back *found* with number *n* may be a part of a patterned cloth, on which *cards* lie."""
    if found.scores[n] >= PLAINLY:
        return False
    return like_its_ground(image, found.corners_px[n], [*cards.corners_px]) > CLOTH


def placed(image: Image, cards: Sequence[FoundCard]) -> list[FoundCard]:
    """*cards*, each with how likely it is a card of the table."""
    whole, sizes, marked = [n for n, card in enumerate(cards) if card.whole], sizes_among(image, cards), [*cards]
    for n, strange in zip(whole, strange_grounds(image, [cards[n].corners_px for n in whole]), strict=True):
        table = likely(table_features(cards[n].real, float(strange), float(sizes[n])), TABLE)
        table = 1.0 if table >= AT_HOME else table
        marked[n] = replace(cards[n], table=table if sizes[n] < HUGE else 0.0)
    return marked


def table_features(real: float, strange: float, size: float) -> dict[str, float]:
    """What tells how likely an outline is a card of the table: how *strange* its ground is, how odd its *size*, 1 being
    usual, and how likely it is *real* by what lies round it. That counts as far as ground or size are odd: alone the
    network errs on tables like none it was taught."""
    odd = math.log(size) ** 2
    return {"bias": 1.0, "strange": strange, "size": odd, "unreal": (strange + odd) * max(0.0, -odds(real, 0.02))}


def sizes_among(image: Image, cards: Sequence[FoundCard]) -> npt.NDArray[np.float64]:
    """(n,) how large each card is on the table, 1 is usual; 1 also without an outline, and where fewer than TELLING
    outlines tell how large a card is in which part of the picture."""
    whole = [n for n, card in enumerate(cards) if card.whole]
    sizes = np.ones(len(cards))
    if len(whole) >= TELLING:
        quads = [cards[n].corners_px for n in whole]
        sizes[whole] = sizes_of(quads, (image.shape[0], image.shape[1]), np.ones(len(whole), np.bool_))
    return sizes


def _seconded(cards: Sequence[FoundCard], looked: _Looked) -> tuple[list[FoundCard], Detections]:
    """Outlined *cards* with what the pips of those say that nothing covers, without paper, cups and cloth taken for
    cards; and the outlines that rather lie face down, which are hardly believed to be those cards."""
    said, around = looked.of([card.corners_px for card in cards])
    faces, backs, sure = list[FoundCard](), list[Points](), list[float]()
    for n, found in enumerate(cards):
        if said.card[n] < NO_CARD and found.said is None:
            continue
        card, trust = replace(found, real=float(around.real[n])), PIPS_TRUST * float(said.open[n])
        if card.joker:
            faces.append(replace(card, open=bool(said.open[n] >= UNCOVERED)))
            continue
        if said.open[n] >= UNCOVERED:
            card = _by_pips(card, _softer(said.rank[n], trust), _softer(said.suit[n], trust))
        down = max(said.down[n], around.down[n])
        if down >= TURNED and down > said.open[n]:
            both = min(said.down[n], around.down[n]) >= BOTH_SURE
            if _shows_index(found) and (not both or found.card is None or found.card.rank == ACE):
                card = replace(card, disagree=True)
            else:
                card = replace(card, confidence=min(card.confidence, TURNED_SURE))
                backs.append(found.corners_px)
                sure.append(BOTH_SURE if both else TURNED_SURE)
        faces.append(card)
    turned = np.array(backs, np.float32).reshape(-1, 4, 2)
    return faces, Detections(turned, np.full(len(backs), BACK), np.array(sure, np.float32))


def _shows_index(card: FoundCard) -> bool:
    """Whether *card* was surely read by an index that lies in its outline, and so hardly peeps out from under it."""
    return card.confidence >= LOUD and any(printed_in(index, card.corners_px) for index in card.indices_px)


def printed_in(index: Points, outline: Points) -> bool:
    """Whether *index* (4, 2) lies in *outline* (4, 2) as a card's own does."""
    return share_inside(index, outline) > PRINTED


def _softer(likely: Floats, trust: float) -> Floats:
    """Probabilities (n,) believed as far as *trust* goes."""
    return np.asarray(trust * likely + (1 - trust) / len(likely), np.float32)


def _one_corner(likely: Floats, corners: int) -> Floats:
    """What so many corners of a card say together, *likely* (n,), as if it were said once: one font's corners err
    alike."""
    powers = np.maximum(likely, 1e-12) ** (1 / max(corners, 1))
    return _softer(powers / powers.sum(), INDEX_TRUST)


def _by_pips(card: FoundCard, rank: Floats, suit: Floats) -> FoundCard:
    """*card* as its corners and its pips read it together."""
    ranks = _one_corner(card.ranks, card.corners) * rank
    suits = _one_corner(card.suits, card.corners) * suit
    ranks, suits = ranks / ranks.sum(), suits / suits.sum()
    best = parse_card(RANKS[int(ranks.argmax())] + SUITS[int(suits.argmax())])
    sure = float(ranks.max() * suits.max())
    if card.card is None:
        read = sure >= PIPS_ALONE
        return replace(card, card=best, confidence=PIPS_TRUST * sure, ranks=ranks, suits=suits) if read else card
    speak = float(np.log(13 * rank[best.rank - 1]) + np.log(4 * suit[SUITS.index(best.suit.value)]))
    sure = min(1.0, card.confidence / card.likely) * sure
    changed = best != card.card
    return replace(
        card, card=best, confidence=sure, ranks=ranks, suits=suits, pips=speak, disagree=card.disagree or changed
    )


def _joker_at(quads: Points, outline: Points, sure: float) -> FoundCard:
    """The joker in *outline*, whose corners were read in *quads* (n, 4, 2), whatever they say."""
    tall = max((_height(quad) for quad in quads), default=0.0)
    return FoundCard(None, sure, outline, whole=True, index_px=tall, indices_px=quads, joker=True)


def _picked(readings: IndexReadings, which: npt.NDArray[np.int64]) -> IndexReadings:
    return IndexReadings(readings.quads_px[which], readings.rank[which], readings.suit[which], readings.is_index[which])


def _each_once(readings: IndexReadings) -> IndexReadings:
    """*readings* without those of an index that was read more surely from another box."""
    if len(readings) == 0:
        return readings
    middles, sides = readings.quads_px.mean(1), side_lengths(readings.quads_px)
    tall = (sides[:, 1] + sides[:, 3]) / 2
    codes = np.array([readings.code(i) for i in range(len(readings))])
    share = np.where(codes[:, None] == codes, ONE_PLACE, ONE_SPOT)
    gaps = np.linalg.norm(middles[:, None] - middles, axis=2)
    one = gaps < share * np.maximum(tall[:, None], tall)
    kept = np.zeros(len(readings), np.bool_)
    for i in np.argsort(-readings.confidence, kind="stable"):
        kept[i] = not (one[i] & kept).any()
    return _picked(readings, np.flatnonzero(kept))


def share_an_index(one: FoundCard, other: FoundCard) -> bool:
    """Whether two cards that read alike were read by about the same index."""
    return any(
        math.hypot(x - u, y - v) < ONE_PLACE * max(tall, high)
        for x, y, tall in one.index_spots
        for u, v, high in other.index_spots
    )


def stands_as_own(index: Points, outline: Points) -> bool:
    """Whether *index* (4, 2) stands in *outline* (4, 2) as a corner of its card does."""
    return float(_misfits(index[None], outline[None])[0]) < 1


def _misfits(quads: Points, outlines: Points) -> Floats:
    """(n,) how badly indices *quads* (n, 4, 2) fit a corner of their cards' *outlines* (n, 4, 2); 1 and more is not its
    card."""
    up, edges = quads[:, 0] - quads[:, 3], np.stack([outlines[:, 1] - outlines[:, 0], outlines[:, 2] - outlines[:, 1]])
    aside, above = _margins(quads, outlines)
    across, along = np.abs(aside - MARGIN[0]) / MARGIN_REACH[0], np.abs(above - MARGIN[1]) / MARGIN_REACH[1]
    lengths = np.linalg.norm(edges, axis=2)
    edge = np.where((lengths[0] > lengths[1])[:, None], *edges)
    slant = np.abs((up * edge).sum(1)) / (np.linalg.norm(up, axis=1) * lengths.max(0) + 1e-6)
    askew = np.degrees(np.arccos(np.minimum(slant, 1))) / SLANT
    return np.asarray(np.maximum(np.maximum(across, along), askew), np.float32)


def _margins(quads: Points, outlines: Points) -> tuple[Floats, Floats]:
    """How far *quads* (n, 4, 2) stand from the nearer side and from the end above them of their *outlines* (n, 4, 2),
    as shares of width and length, (n,) each."""
    up = quads[:, 0] - quads[:, 3]
    begun = np.stack([np.roll(outlines, -k, axis=1) for k in range(4)]).astype(np.float32)
    ups = begun[:, :, 0] - begun[:, :, 3] + begun[:, :, 1] - begun[:, :, 2]
    turned = begun[(ups * up).sum(2).argmax(0), np.arange(len(quads))]
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrices = np.array([cv2.getPerspectiveTransform(each, unit) for each in turned]).reshape(-1, 3, 3)
    spots = quads.astype(np.float64) @ matrices[:, :, :2].transpose(0, 2, 1) + matrices[:, None, :, 2]
    across, along = (spots[..., :2] / spots[..., 2:]).transpose(2, 0, 1)
    left, right = across[:, [0, 3]].mean(1), 1 - across[:, [1, 2]].mean(1)
    return np.minimum(left, right).astype(np.float32), along[:, :2].mean(1).astype(np.float32)


def _fits(readings: IndexReadings, faces: Detections) -> Points:
    """(readings, faces) how badly each index fits each outline; infinitely where it lies far outside."""
    fits = np.full((len(readings), len(faces)), np.inf, np.float32)
    gaps = np.linalg.norm(readings.quads_px.mean(1)[:, None] - faces.corners_px.mean(1), axis=2)
    reach = np.linalg.norm(faces.corners_px - faces.corners_px.mean(1, keepdims=True), axis=2).max(1, initial=0)
    near = np.nonzero(gaps < FAR_OUT * reach)
    fits[near] = _misfits(readings.quads_px[near[0]], faces.corners_px[near[1]])
    return fits


def _homes(readings: IndexReadings, fits: Points) -> npt.NDArray[np.int64]:
    """For each reading the face it belongs to, or -1; an outline may be loose where its other corner reads the same."""
    home = np.full(len(readings), -1, np.int64)
    if fits.size == 0:
        return home
    codes = np.array([readings.code(i) for i in range(len(readings))])
    close = fits.min(1) < 1
    same = (codes[:, None] == codes[None]) & ~np.eye(len(codes), dtype=bool)
    paired = (fits < 1) & (same.astype(int) @ (fits < 1).astype(int) > 0)
    home[close] = np.where(fits < 1, fits - PAIRED * paired, np.inf)[close].argmin(1)
    for i in np.flatnonzero(~close):
        agreeing = [k for k in np.argsort(fits[i]) if fits[i, k] < LOOSE and codes[i] in codes[home == k]]
        home[i] = agreeing[0] if agreeing else -1
    return home


def _settled(
    readings: IndexReadings, mine: npt.NDArray[np.int64], fits: Points, outline: Points
) -> tuple[FoundCard, npt.NDArray[np.int64]]:
    """The card of one outline, and those of its indices that rather are other cards' corners peeping out there."""
    weight = {int(i): float(readings.confidence[i]) * float(np.exp(-(fits[i] ** 2))) for i in mine}
    totals: dict[str, float] = {}
    for i, value in weight.items():
        totals[readings.code(i)] = totals.get(readings.code(i), 0.0) + value
    if not totals:
        return _card_of(readings, mine, outline), mine
    code = max(totals, key=lambda c: totals[c])
    own = np.array([i for i in mine if readings.code(i) == code], np.int64)
    strangers = np.array([i for i in mine if readings.code(i) != code], np.int64)
    rival = max((weight[int(i)] for i in strangers), default=0.0)
    card = _card_of(readings, own, outline)
    return (replace(card, disagree=True) if rival > RIVAL * totals[code] else card), strangers


def _may_be(readings: IndexReadings, which: npt.NDArray[np.int64], card: FoundCard) -> npt.NDArray[np.bool_]:
    """(n,) which of the readings numbered *which* may be misread indices of *card*: none surely reads otherwise."""
    if card.card is None:
        return np.ones(len(which), np.bool_)
    ranks, suits = readings.rank[which, card.card.rank - 1], readings.suit[which, SUITS.index(card.card.suit.value)]
    return np.asarray((ranks * suits >= AS_LIKELY) & (readings.confidence[which] < LOUD), np.bool_)


def searched(image: Image, eye: Eye, outline: Points, known: Points) -> FoundCard:
    """The card of an outline without indices: its corners are read where indices usually stand.

    Indices *known* (n, 4, 2) are not read again: there another card lies on it.
    """
    quads = _usual_places(outline)
    quads = quads[_away(quads, known)]
    readings = eye.reader.read(image, quads)
    ups = readings.quads_px[:, 0] - readings.quads_px[:, 3]
    standing = np.abs(np.einsum("ij,ij->i", ups, quads[:, 0] - quads[:, 3])) > 0.8 * (ups**2).sum(1)
    read = (readings.is_index >= SEARCH_SURE) & (readings.confidence >= SEARCH_SURE)
    good = np.flatnonzero(read & standing & _away(readings.quads_px, known))
    votes: dict[str, float] = {}
    for i in good:
        votes[readings.code(int(i))] = votes.get(readings.code(int(i)), 0.0) + float(readings.confidence[i])
    if not votes:
        return FoundCard(None, 0.0, outline, whole=True)
    code = max(votes, key=lambda c: votes[c])
    best = max(float(readings.confidence[i]) for i in good if readings.code(int(i)) == code)
    tall = _height(quads[good[0]])
    own = np.array([i for i in good if readings.code(int(i)) == code])
    return FoundCard(
        parse_card(code),
        SEARCH_TRUST * best,
        outline,
        whole=True,
        disagree=len(votes) > 1,
        index_px=tall,
        ranks=_together(readings.rank[own]),
        suits=_together(readings.suit[own]),
        indices_px=readings.quads_px[own],
    )


def _usual_places(outline: Points) -> Points:
    """(n, 4, 2) upright quads in all four corners of *outline*, of some usual sizes."""
    standing = outline if _is_tall(outline) else np.roll(outline, 1, 0)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    quads = []
    for frame in (standing, np.roll(standing, 2, 0)):
        matrix = cv2.getPerspectiveTransform(unit, frame.astype(np.float32))
        for tall, wide, margin in USUAL_SIZES:
            for left in (margin, 1 - margin - wide):
                top = margin * 0.7
                spot = [[left, top], [left + wide, top], [left + wide, top + tall], [left, top + tall]]
                quads.append(cv2.perspectiveTransform(np.array([spot], np.float32), matrix)[0])
    return np.array(quads, np.float32)


def _away(quads: Points, known: Points) -> npt.NDArray[np.bool_]:
    """(n,) those of *quads* whose middles are further than their height from all *known* ones."""
    if len(known) == 0:
        return np.ones(len(quads), np.bool_)
    gaps = np.linalg.norm(quads.mean(1)[:, None] - known.mean(1)[None], axis=2).min(1)
    return np.asarray(gaps > np.array([_height(quad) for quad in quads]), np.bool_)


def _is_tall(outline: Points) -> bool:
    return float(np.linalg.norm(outline[3] - outline[0])) >= float(np.linalg.norm(outline[1] - outline[0]))


def _height(quad: Points) -> float:
    return float(np.linalg.norm(quad[0] - quad[3]) + np.linalg.norm(quad[1] - quad[2])) / 2


def _card_of(readings: IndexReadings, mine: npt.NDArray[np.int64], outline: Points) -> FoundCard:
    """The card of one outline from its agreeing indices, which strengthen each other."""
    if len(mine) == 0:
        return FoundCard(None, 0.0, outline, whole=True)
    doubt = float(np.prod(1 - readings.confidence[mine]))
    tall = max(_height(readings.quads_px[i]) for i in mine)
    code = readings.code(int(mine[0]))
    return FoundCard(
        parse_card(code),
        1 - doubt,
        outline,
        whole=True,
        open=_across(readings.quads_px[mine], outline),
        index_px=tall,
        corners=len(mine),
        ranks=_together(readings.rank[mine]),
        suits=_together(readings.suit[mine]),
        indices_px=readings.quads_px[mine],
    )


def _together(likely: Floats) -> Floats:
    """What several corners (n, k) of one card say together, (k,)."""
    product = np.log(np.maximum(likely, LEAST)).sum(0)
    powers = np.exp(product - product.max())
    return np.asarray(powers / powers.sum(), np.float32)


def _across(quads: Points, outline: Points) -> bool:
    """Whether *quads* stand on both sides and at both ends of *outline*."""
    sides = np.stack([outline[1] - outline[0], outline[2] - outline[1]])
    shares = quads.mean(1) @ sides.T / (sides**2).sum(1)
    return bool((np.ptp(shares, axis=0) > 0.5).all())


def _alone(readings: IndexReadings, orphans: npt.NDArray[np.int64]) -> list[FoundCard]:
    """Cards of which only corners were found, as in a fan; two opposite corners of one card are one card."""
    cards, done = [], set[int]()
    for i in sorted(orphans, key=lambda k: -float(readings.confidence[k])):
        if i in done:
            continue
        partner = next((j for j in orphans if j not in done and j != i and _one_card(readings, int(i), int(j))), None)
        mine = np.array([i] if partner is None else [i, partner])
        done.update(int(k) for k in mine)
        cards.append(lone(readings, mine))
    return cards


def lone(readings: IndexReadings, mine: npt.NDArray[np.int64]) -> FoundCard:
    """The card of which only the corners numbered *mine*, the first the surest, were read."""
    return replace(_card_of(readings, mine, readings.quads_px[mine[0]]), whole=False)


def _unread(indices: Detections, readings: IndexReadings) -> list[FoundCard]:
    """Clear *indices* that nothing could be read in, as in letters nobody taught, away from all *readings*."""
    quads = indices.corners_px
    away = _away(quads, readings.quads_px)
    return [
        FoundCard(None, float(score), quad, whole=False, index_px=_height(quad), indices_px=quad[None])
        for quad, score in zip(quads[away], indices.scores[away], strict=True)
    ]


def _one_card(readings: IndexReadings, i: int, j: int) -> bool:
    """Whether two indices are corners of one card: same code, parallel, a card's width or length away."""
    return readings.code(i) == readings.code(j) and _two_corners(readings.quads_px[i], readings.quads_px[j])


def _two_corners(a: Points, b: Points) -> bool:
    """Whether indices *a* and *b*, each (4, 2), stand like two corners of a card: parallel, a width or length apart."""
    up_a, up_b = a[0] - a[3], b[0] - b[3]
    turn = float(up_a @ up_b) / (float(np.linalg.norm(up_a) * np.linalg.norm(up_b)) + 1e-6)
    if abs(turn) < 0.9:
        return False
    tall, taller = sorted((_height(a), _height(b)))
    if taller > AS_TALL * tall:
        return False
    tall = (tall + taller) / 2
    right = a[1] - a[0]
    way = b.mean(0) - a.mean(0)
    across = float(way @ right) / (float(np.linalg.norm(right)) * tall + 1e-6)
    along = -float(way @ up_a) / (float(np.linalg.norm(up_a)) * tall + 1e-6)
    wide, long = ALONE_WIDTHS[0] < abs(across) < ALONE_WIDTHS[1], ALONE_LENGTHS[0] < abs(along) < ALONE_LENGTHS[1]
    if turn > 0:
        return wide and abs(along) < 0.6
    return wide and long or long and abs(across) < 0.6


def _once(cards: list[FoundCard]) -> list[FoundCard]:
    """*cards* without second outlines of one card: same code, nearly the same place."""
    kept: list[FoundCard] = []
    for card in sorted(cards, key=lambda c: -c.confidence):
        if not any(card.said == other.said and _same_place(card, other) for other in kept):
            kept.append(card)
    return kept


def _same_place(a: FoundCard, b: FoundCard) -> bool:
    """Whether two outlines, of which the same was read, are of one card: by one index; or they cover each other, or do
    so a little and their indices are one card's."""
    if a.joker:
        return share_of_both(a.corners_px, b.corners_px) > TWO_JOKERS
    if a.card is None:
        return False
    if share_an_index(a, b):
        return True
    shared = share_of_either(a.corners_px, b.corners_px)
    if shared > 0.5:
        return _is_corner_of(a, b)
    return shared > TOUCHING and any(_two_corners(one, two) for one in a.indices_px for two in b.indices_px)


def _doubted(corner: FoundCard, cards: list[FoundCard]) -> FoundCard:
    """*corner*, hardly believed well inside a card whose opposite corners are open: what covers that is seen whole; and
    where it is far taller than those of *cards*: rather a pip."""
    tall = [card.index_px for card in cards if card.corners]
    pip = len(tall) >= TALLS and corner.index_px > AS_TALL * float(np.median(tall))
    if pip or any(lies_in(corner, card, INNER) for card in cards if card.whole and card.open):
        return replace(corner, confidence=min(corner.confidence, 0.5))
    return corner


def lies_in(corner: FoundCard, card: FoundCard, size: float = 1.0) -> bool:
    """Whether the middle of *corner* lies in the outline of *card* made so many times as large."""
    x, y = (float(v) for v in corner.middle)
    return cv2.pointPolygonTest(grown(card.corners_px, size), (x, y), False) > 0


def _is_corner_of(corner: FoundCard, card: FoundCard) -> bool:
    """Whether a corner that reads as *card* lies on it, as in decks with four indices, or stands to one of its indices
    like a second one, as where its outline is loose; or misreads only the suit, in its colour, where its pips show."""
    if card.joker:
        return (card.open or corner.card is None or corner.confidence < PLAIN) and lies_in(corner, card, OUTER)
    if corner.card is None or card.card is None:
        return False
    if corner.card != card.card:
        return card.pips > 0 and misread_on(corner, card)
    near = float(np.linalg.norm(corner.middle - card.middle)) < ON_CARD * card.long_px
    return near or any(_two_corners(mine, other) for mine in card.indices_px for other in corner.indices_px)


def misread_on(corner: FoundCard, card: FoundCard) -> bool:
    """Whether *corner* lies on *card* and reads otherwise only in its suit, but for the colour."""
    if corner.card is None or card.card is None or not card.whole:
        return False
    alike = corner.card.rank == card.card.rank and corner.card.red == card.card.red
    return alike and lies_in(corner, card, OUTER)
