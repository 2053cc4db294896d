"""Counting the backs of a spread, and what a person is told when it is not clear."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from scorekeeper.rules.lake import DeckId, spots_of
from scorekeeper.training.back_designs import drawn_back
from scorekeeper.training.measure_backs import cases, compose, enrolment_picture, lay
from scorekeeper.vision.backs.found import FoundBack
from scorekeeper.vision.backs.gallery import Gallery, Match
from scorekeeper.vision.backs.memo import Memo
from scorekeeper.vision.backs.spread import SETTINGS, judged, read_spread, too_alike
from scorekeeper.vision.detector import BACK, FACE, Detections
from scorekeeper.vision.eye import Eye, load_eye
from scorekeeper.vision.templates import Signature, balanced, upright, upright_quad
from scorekeeper.vision.windows import TurnedBack

DECKS = (DeckId("red"), DeckId("blue"), DeckId("green"))


class KnowsTheBoxes:
    """A detector that is told where the cards of each picture lie, however it is turned."""

    def __init__(self, *pictures):
        self.found = {image.tobytes(): detections for image, detections in pictures}

    def detect(self, image, *, long_side=1280, min_score=0.25):
        for turn in range(4):
            found = self.found.get(np.rot90(image, -turn).tobytes())
            if found is not None:
                return found.at(TurnedBack(-turn % 4, image.shape[1::-1], (0, 0))(found.corners_px))
        return Detections.none()


def detections(corners, kinds=None, scores=None):
    count = len(corners)
    kinds = np.full(count, BACK) if kinds is None else np.asarray(kinds)
    scores = np.full(count, 0.9) if scores is None else np.asarray(scores)
    return Detections(
        np.asarray(corners, np.float32).reshape(-1, 4, 2), kinds.astype(np.int64), scores.astype(np.float32)
    )


def seen(spread):
    kinds = [FACE if card.deck < 0 else BACK for card in spread.cards]
    return spread.image, detections([card.corners_px for card in spread.cards], kinds)


def eye(*pictures):
    return Eye(KnowsTheBoxes(*pictures), None)


@pytest.fixture(scope="module")
def backs():
    return [drawn_back(np.random.default_rng(seed)) for seed in (1, 7, 15)]


@pytest.fixture(scope="module")
def gallery(backs):
    rng = np.random.default_rng(31)
    texts = {deck: [text_of(enrolment_picture(rng, back))] for deck, back in zip(DECKS, backs, strict=True)}
    return Gallery.from_signatures(texts)


def text_of(lone):
    """The signature of the back in an enrolment picture."""
    quad = upright_quad(lone.cards[0].corners_px.astype(np.float32))
    return Signature(balanced(upright(lone.image, quad, 224, 160))).to_text()


def counts_of(*spreads):
    return Counter(DECKS[card.deck] for spread in spreads for card in spread.cards if card.deck >= 0)


class Overlooks:
    """The trained detector, but for one card that it never sees in a whole picture."""

    def __init__(self, middle_px, size):
        self.middle, self.size, self.trained = middle_px, size, load_eye().detector

    def detect(self, image, *, long_side=1280, min_score=0.25):
        found = self.trained.detect(image, long_side=long_side, min_score=min_score)
        if image.shape[:2] != self.size:
            return found
        far = np.linalg.norm(found.corners_px.mean(1) - self.middle, axis=1) > 60
        return found.pick(np.flatnonzero(far))


def test_a_card_that_the_first_look_overlooks_is_found_by_a_second(backs, gallery):
    spread = compose(np.random.default_rng(61), backs, 9, least_visible=1.0, card_px=170, tilt=20.0)
    short_sighted = Eye(Overlooks(spread.cards[4].corners_px.mean(0), spread.image.shape[:2]), None)
    found = short_sighted.look(spread.image, min_score=SETTINGS.least_score)
    backs_seen, _ = judged(found, Memo(spread.image), gallery)
    assert sum(back.counted for back in backs_seen) == 8
    assert read_spread([spread.image], short_sighted, gallery).counts == counts_of(spread)


class SeesParts:
    """A detector that takes parts of the cards' patterns for small cards, unless it sees the picture small."""

    def __init__(self, spread):
        self.cards, self.size = [card.corners_px.astype(np.float32) for card in spread.cards], spread.image.shape[:2]

    def detect(self, image, *, long_side=1280, min_score=0.25):
        if image.shape[:2] != self.size:
            return Detections.none()
        if long_side < 600:
            return detections(self.cards)
        return detections([quad.mean(0) + 0.3 * (quad - quad.mean(0)) for quad in self.cards])


def test_cards_of_which_parts_were_taken_for_small_cards_are_looked_at_from_afar(backs, gallery):
    spread = compose(np.random.default_rng(62), backs, 9, least_visible=1.0, card_px=250, tilt=0.0)
    reading = read_spread([spread.image], Eye(SeesParts(spread), None), gallery)
    assert reading.counts == {deck: counts_of(spread)[deck] for deck in DECKS}


@pytest.mark.parametrize("border", [30, 0], ids=["a deck with a border", "a deck that is all of the cloth's colour"])
def test_a_faint_outline_on_bare_cloth_is_no_card(backs, border):
    plain = np.full((560, 400, 4), 255, np.uint8)
    plain[border : 560 - border, border : 400 - border, :3] = (60, 110, 50)
    rng = np.random.default_rng(31)
    both = [text_of(enrolment_picture(rng, back)) for back in (plain, backs[1])]
    spread = compose(np.random.default_rng(34), [backs[1]], 6, least_visible=1.0, card_px=150, tilt=0.0)
    cards = [card.corners_px for card in spread.cards]
    on_cards = np.zeros(spread.image.shape[:2], np.uint8)
    for quad in cards:
        cv2.fillConvexPoly(on_cards, quad.astype(np.int32), 1)
    weave = np.random.default_rng(1).normal((60, 110, 50), 3, spread.image.shape)
    image = np.where(on_cards[..., None] > 0, spread.image, np.clip(weave, 0, 255)).astype(np.uint8)
    found = detections([*cards, cards[0] - cards[0].min(0) + 8], scores=[0.9] * 6 + [0.4])
    gallery = Gallery.from_signatures({deck: [text] for deck, text in zip(DECKS, both, strict=False)})
    reading = read_spread([image], eye((image, found)), gallery)
    assert reading.total == 6


def test_an_empty_table_says_that_no_card_was_seen(gallery):
    reading = read_spread([np.full((540, 960, 3), 80, np.uint8)], eye(), gallery)
    assert reading.counts == dict.fromkeys(DECKS, 0)
    assert reading.total == 0
    assert not reading.certain
    assert reading.problems[0].startswith("no cards seen")


def test_no_picture_is_no_reading(gallery):
    reading = read_spread([], eye(), gallery)
    assert not reading.certain
    assert reading.problems[0].startswith("no cards seen")


def test_a_clear_spread_is_counted_and_certain(backs, gallery):
    spread = compose(np.random.default_rng(1), backs, 15, least_visible=0.8, card_px=170)
    reading = read_spread([spread.image], eye(seen(spread)), gallery)
    assert reading.counts == counts_of(spread)
    assert reading.problems == ()
    assert reading.certain


def test_an_overlapping_spread_is_counted(backs, gallery):
    spread = compose(np.random.default_rng(2), backs, 40, least_visible=0.55)
    reading = read_spread([spread.image], eye(seen(spread)), gallery)
    assert reading.counts == counts_of(spread)


def test_a_heap_is_counted_and_certain(backs, gallery):
    heap = compose(np.random.default_rng(14), backs, 30, least_visible=0.5, card_px=240)
    reading = read_spread([heap.image], load_eye(), gallery)
    assert reading.counts == counts_of(heap)
    assert reading.certain


def with_one_more(spread, back):
    """*spread* with a card of this *back* on the others in its middle, which no look outlines, and where that lies."""
    image, found = seen(spread)
    outline = found.corners_px.mean((0, 1)) + np.float32([[-60, -84], [60, -84], [60, 84], [-60, 84]])
    covered = image.astype(np.float32)
    lay(covered, back, outline, 168)
    return np.clip(covered, 0, 255).astype(np.uint8), found, outline


def test_a_strange_card_that_no_look_outlines_is_asked_about_where_it_lies_on_others_of_a_heap(backs, gallery):
    heap = compose(np.random.default_rng(14), backs, 30, least_visible=0.5, card_px=240)
    image, found, stranger = with_one_more(heap, drawn_back(np.random.default_rng(22)))
    reading = read_spread([image], eye((image, found)), gallery)
    assert not reading.certain
    spots = [(x, y) for problem in reading.problems for _, x, y in spots_of(problem)]
    assert any(cv2.pointPolygonTest(stranger, spot, False) > 0 for spot in spots)


@pytest.mark.parametrize(
    "number",
    [9007, 10511, 11313],
    ids=[
        "one look outlines it badly",
        "it is plain and badly lit",
        "the cloth goes on across the picture's edge",
    ],
)
def test_a_card_of_a_heap_is_counted_once_though(number):
    """20 to 60 cards, as little as 45 % of each to be seen, some of a deck that nobody enrolled in 9007."""
    (heap,) = cases(1, number)
    gallery = Gallery.from_signatures(heap.signatures)
    reading = read_spread([heap.spread.image], load_eye(), gallery)
    assert reading.counts == {deck: heap.laid[deck] for deck in heap.signatures}
    strange = len(heap.spread.cards) - sum(reading.counts.values())
    assert not (strange and reading.certain)


def test_a_heap_before_any_deck_is_enrolled_says_so(backs):
    heap = compose(np.random.default_rng(9), backs, 36, least_visible=0.4, card_px=260)
    reading = read_spread([heap.image], eye(seen(heap)), Gallery.from_signatures({}))
    assert reading.problems[0] == "no deck is known yet: photograph the back of each deck first"


def test_batches_are_added(backs, gallery):
    first, second = (compose(np.random.default_rng(seed), backs, 12, least_visible=0.8, card_px=170) for seed in (3, 4))
    reading = read_spread([first.image, second.image], eye(seen(first), seen(second)), gallery)
    assert reading.counts == counts_of(first, second)
    assert {card.image for card in reading.cards} == {0, 1}


def test_a_card_seen_twice_counts_once(backs, gallery):
    spread = compose(np.random.default_rng(5), backs, 10, least_visible=0.9, card_px=170)
    corners = [card.corners_px for card in spread.cards]
    twice = detections([*corners, corners[0] + 4], scores=[0.9] * 10 + [0.5])
    reading = read_spread([spread.image], eye((spread.image, twice)), gallery)
    assert reading.total == 10


def test_a_card_that_lies_face_up_is_reported_and_not_counted(backs, gallery):
    spread = compose(np.random.default_rng(6), backs, 9, faces=1, least_visible=0.9, card_px=170)
    reading = read_spread([spread.image], eye(seen(spread)), gallery)
    assert reading.total == 9
    assert not reading.certain
    assert any("lies face up: turn it over" in problem for problem in reading.problems)


def test_a_back_that_was_taken_for_a_face_is_counted(backs, gallery):
    spread = compose(np.random.default_rng(6), backs, 9, least_visible=0.9, card_px=170)
    found = detections([card.corners_px for card in spread.cards], [FACE] + [BACK] * 8)
    reading = read_spread([spread.image], eye((spread.image, found)), gallery)
    assert reading.counts == counts_of(spread)
    assert not any("lies face up" in problem for problem in reading.problems)


def test_m13_cards_of_decks_that_are_too_alike_are_asked_about(backs):
    rng = np.random.default_rng(31)
    enrolled = {DeckId("one"): backs[0], DeckId("two"): backs[0], DeckId("blue"): backs[1]}
    texts = {deck: [text_of(enrolment_picture(rng, back))] for deck, back in enrolled.items()}
    spread = compose(np.random.default_rng(6), backs[:2], 8, least_visible=0.9, card_px=170)
    reading = read_spread([spread.image], eye(seen(spread)), Gallery.from_signatures(texts))
    asked = [problem for problem in reading.problems if "too alike" in problem]
    assert not reading.certain
    assert len(asked) == 1
    assert "the backs of 'one' and 'two'" in asked[0]
    assert len(asked[0].spots) == sum(card.deck == 0 for card in spread.cards)


def test_m13_light_mostly_parts_cards_of_decks_enrolled_alike_and_which_is_which_is_asked(backs):
    """A red deck, and the same one printed paler, which was enrolled in light that made up for it."""
    rng, paler = np.random.default_rng(31), backs[0].copy()
    paler[..., :3] = np.clip(paler[..., :3] * np.array([1.0, 0.9, 0.82]), 0, 255)
    enrolled = dict(zip(DECKS, (backs[0], backs[0], backs[1]), strict=True))
    texts = {deck: [text_of(enrolment_picture(rng, back))] for deck, back in enrolled.items()}
    parted = 0
    for seed in range(1, 9):
        spread = compose(np.random.default_rng(seed), [backs[0], paler, backs[1]], 18, least_visible=0.9, card_px=170)
        reading = read_spread([spread.image], eye(seen(spread)), Gallery.from_signatures(texts))
        counts = counts_of(spread)
        parted += sorted(reading.counts.values()) == sorted(counts.values())
        assert reading.counts[DECKS[2]] == counts[DECKS[2]]
        assert any("too alike" in problem for problem in reading.problems)
    assert parted >= 6


@pytest.mark.parametrize(("margin", "asked"), [(2.8, 1), (SETTINGS.apart + 0.1, 0)])
def test_m13_a_card_of_decks_that_are_too_alike_is_asked_about_unless_its_light_tells_whose_it_is(backs, margin, asked):
    rng, (one, two) = np.random.default_rng(31), DECKS[:2]
    gallery = Gallery.from_signatures({deck: [text_of(enrolment_picture(rng, backs[0]))] for deck in (one, two)})
    assert len(too_alike([of_either(one, two, margin)], gallery, SETTINGS)) == asked


@pytest.mark.parametrize(
    ("cards", "asked"), [(SETTINGS.most_asked, 0), (SETTINGS.most_asked + 1, SETTINGS.most_asked + 1)]
)
def test_m13_decks_are_too_alike_where_many_cards_on_the_table_may_be_of_either(gallery, cards, asked):
    unsure = [of_either(DECKS[0], DECKS[1], 0.8) for _ in range(cards)]
    sure = [of_either(DECKS[0], DECKS[1], 9.0), of_either(DECKS[1], DECKS[2], 0.8)]
    assert len(too_alike([*unsure, *sure], gallery, SETTINGS)) == asked


def of_either(deck, other, margin):
    """A back of *deck*, surely by *margin* (log odds), or of the *other*."""
    match = Match(deck, 0.9, other, deck, 0.2, margin)
    return FoundBack(np.array([[0, 0], [60, 0], [60, 90], [0, 90]], np.float32), 0.9, match, True, 8.0, False)


def test_a_deck_nobody_enrolled_counts_as_unknown(backs, gallery):
    stranger = drawn_back(np.random.default_rng(106))
    spread = compose(np.random.default_rng(8), [*backs, stranger], 20, least_visible=0.8, card_px=170)
    reading = read_spread([spread.image], eye(seen(spread)), gallery)
    own = Counter(DECKS[card.deck] for card in spread.cards if card.deck < 3)
    assert all(reading.counts[deck] <= own[deck] for deck in DECKS)
    assert reading.unknown >= sum(card.deck == 3 for card in spread.cards)
    assert not reading.certain
    assert any("no known deck" in problem for problem in reading.problems)


def test_a_card_cut_by_the_edge_is_reported(backs, gallery):
    spread = compose(np.random.default_rng(9), backs, 10, least_visible=0.9, card_px=170)
    leftmost = min(card.corners_px[:, 0].min() for card in spread.cards)
    image = np.ascontiguousarray(spread.image[:, int(leftmost) + 12 :])
    corners = [card.corners_px - [int(leftmost) + 12, 0] for card in spread.cards]
    reading = read_spread([image], eye((image, detections(corners))), gallery)
    assert not reading.certain
    assert any("cut by the picture's edge" in problem for problem in reading.problems)


def test_a_card_of_which_a_border_at_most_lies_beyond_the_edge_is_not_cut(backs, gallery):
    spread = compose(np.random.default_rng(9), backs, 10, least_visible=0.9, card_px=170)
    leftmost = int(min(card.corners_px[:, 0].min() for card in spread.cards)) + 3
    image = np.ascontiguousarray(spread.image[:, leftmost:])
    corners = [card.corners_px - [leftmost, 0] for card in spread.cards]
    reading = read_spread([image], eye((image, detections(corners))), gallery)
    assert reading.total == 10
    assert not any("cut by the picture's edge" in problem for problem in reading.problems)


def test_a_card_hardly_seen_counts_when_it_surely_is_of_a_deck(backs, gallery):
    spread = compose(np.random.default_rng(10), backs, 10, least_visible=0.9, card_px=170)
    found = detections([card.corners_px for card in spread.cards], scores=[0.9] * 9 + [0.2])
    reading = read_spread([spread.image], eye((spread.image, found)), gallery)
    assert (reading.total, reading.unknown) == (10, 0)


def test_without_any_deck_the_backs_are_unknown(backs):
    spread = compose(np.random.default_rng(11), backs, 6, least_visible=0.9, card_px=170)
    reading = read_spread([spread.image], eye(seen(spread)), Gallery.from_signatures({}))
    assert (reading.total, reading.unknown) == (6, 6)
    assert reading.problems[0].startswith("no deck is known")
