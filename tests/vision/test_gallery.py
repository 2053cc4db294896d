"""Whose cards these are: backs enrolled from one picture, told apart in another light, half covered, turned around."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from scorekeeper.errors import EnrolmentError
from scorekeeper.rules.lake import DeckId
from scorekeeper.training.back_designs import drawn_back, in_colours_of, recoloured
from scorekeeper.training.measure_backs import compose, enrolment_picture
from scorekeeper.vision.backs.gallery import BackSettings, Compared, Gallery, exposure_of, separability
from scorekeeper.vision.backs.identity import (
    PLAINLY_LIKE,
    PLAINLY_NEAR,
    compared_in,
    identified,
    likeness_in,
    straightened,
)
from scorekeeper.vision.backs.likeness import Likeness
from scorekeeper.vision.backs.memo import Memo
from scorekeeper.vision.camera.sources import read_picture
from scorekeeper.vision.detector import Detections
from scorekeeper.vision.enrolment.learning import enrol, lone_back
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.places import share_of_both
from scorekeeper.vision.templates import Signature, balanced, border_white, height_px, upright, upright_quad

RED, BLUE, GREEN = DeckId("red"), DeckId("blue"), DeckId("green")
TABLES = Path(__file__).parents[3] / "shared" / "photos" / "tables"


class SeesNothing:
    """A detector before its training: enrolment must do without."""

    def detect(self, image, *, long_side=1280, min_score=0.25):
        return Detections.none()


class SeesWhatIsThere:
    """A detector that knows the boxes of the picture."""

    def __init__(self, corners, kinds, scores):
        self.found = Detections(np.asarray(corners, np.float32), np.asarray(kinds), np.asarray(scores, np.float32))

    def detect(self, image, *, long_side=1280, min_score=0.25):
        return self.found


class Reads:
    """An index reader that is so sure of everything, and that it is an index."""

    def __init__(self, sure=0.0, index=0.0):
        self.sure, self.index = sure, index

    def read(self, image, corners_px):
        confidence, is_index = (np.full(len(corners_px), said) for said in (self.sure, self.index))
        return SimpleNamespace(confidence=confidence, is_index=is_index)


BLIND = Eye(SeesNothing(), Reads())


@pytest.fixture(scope="module")
def backs():
    return {
        RED: drawn_back(np.random.default_rng(1)),
        BLUE: drawn_back(np.random.default_rng(7)),
        GREEN: drawn_back(np.random.default_rng(15)),
    }


def signature(lone):
    quad = upright_quad(lone.cards[0].corners_px.astype(np.float32))
    return Signature(balanced(upright(lone.image, quad, 224, 160))).to_text()


@pytest.fixture(scope="module")
def signatures(backs):
    rng = np.random.default_rng(11)
    return {deck: [signature(enrolment_picture(rng, back))] for deck, back in backs.items()}


def drawn(seed):
    """An upright card as an enrolment keeps it."""
    return cv2.resize(drawn_back(np.random.default_rng(seed))[..., :3], (160, 224), interpolation=cv2.INTER_AREA)


def boxes_of(spread):
    return [cv2.boxPoints(cv2.minAreaRect(card.corners_px.astype(np.float32))) for card in spread.cards]


def matches_of(gallery, spread):
    """Whose the cards of a composed spread are."""
    memo = Memo(spread.image)
    return identified(gallery, memo, straightened(memo, boxes_of(spread)))


def test_a_gallery_without_decks_knows_nobody():
    spread = compose(np.random.default_rng(1), [drawn_back(np.random.default_rng(1))], 3)
    matches = matches_of(Gallery.from_signatures({}), spread)
    assert [match.deck for match in matches] == [None, None, None]


def test_a_deck_without_a_picture_has_no_cards(backs, signatures):
    spread = compose(np.random.default_rng(5), list(backs.values()), 9, least_visible=0.9, tilt=0)
    matches = matches_of(Gallery.from_signatures({**signatures, DeckId("unseen"): []}), spread)
    assert [match.deck for match in matches] == [[*backs][card.deck] for card in spread.cards]


def test_a_picture_without_cards_has_no_matches(signatures):
    assert straightened(Memo(np.zeros((90, 160, 3), np.uint8)), []) == []
    assert identified(Gallery.from_signatures(signatures), Memo(np.zeros((90, 160, 3), np.uint8)), []) == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_backs_are_told_apart_half_covered_aslant_and_in_another_light(backs, signatures, seed):
    spread = compose(np.random.default_rng(seed), list(backs.values()), 16)
    matches = matches_of(Gallery.from_signatures(signatures), spread)
    assert [match.deck for match in matches] == [list(backs)[card.deck] for card in spread.cards]


def test_a_deck_nobody_enrolled_is_nobodys(backs, signatures):
    two = {deck: signatures[deck] for deck in (RED, BLUE)}
    spread = compose(np.random.default_rng(5), [backs[GREEN]], 8)
    matches = matches_of(Gallery.from_signatures(two), spread)
    assert [match.deck for match in matches] == [None] * 8


@pytest.mark.parametrize("seed", [2, 4, 8, 31])
def test_a_deck_nobody_enrolled_in_the_colours_of_one_that_was_is_nobodys(backs, signatures, seed):
    look_alike = in_colours_of(backs[RED], drawn_back(np.random.default_rng(seed)))
    two = {deck: signatures[deck] for deck in (RED, BLUE)}
    spread = compose(np.random.default_rng(seed), [backs[RED], look_alike], 12)
    matches = matches_of(Gallery.from_signatures(two), spread)
    assert [match.deck for match in matches] == [(RED, None)[card.deck] for card in spread.cards]


def judged(signatures, far, odds, beside=lambda card, other: 0, exact=False, warmth=0.0):
    """Whose cards are that lie so *far* from each of three decks, when the network's log odds are these (all rows of a
    column for each deck), and those of a doubtful card *beside* another of the picture, by their numbers; *exact* ones
    are laid on their patterns, and they lie in light of such *warmth* (one, or one for each)."""
    looks = np.arange(3) * 2
    lights = np.zeros((len(far), 3, 3), np.float32)
    lights[..., 0], lights[..., 1] = -np.reshape(warmth, (-1, 1)), np.reshape(warmth, (-1, 1))
    compared = [Compared(np.array(row, np.float32), each, looks, 0.9) for row, each in zip(far, lights, strict=True)]
    said = np.array(odds, np.float32)

    def both(cards, others):
        return np.array([beside(*each) for each in zip(cards, others, strict=True)], np.float32)

    gallery = Gallery.from_signatures(signatures)
    return (gallery.exact if exact else gallery).judge(
        compared, lambda cards, decks: said[cards, decks], both, np.zeros((len(far), 2), np.float32)
    )


def test_a_card_goes_to_the_second_nearest_deck_when_the_network_knows_it_as_that():
    sure, beside = [(0.2, 1.5, 1.5)] * 9, (0.6, 0.8, 1.5)
    signatures = {deck: [Signature(drawn(seed)).to_text()] for deck, seed in ((RED, 1), (BLUE, 7), (GREEN, 15))}
    *others, last = judged(signatures, [*sure, beside], [(6, -6, -6)] * 9 + [(-4, 5, -6)])
    assert {match.deck for match in others} == {RED}
    assert (last.deck, last.runner_up) == (BLUE, RED)


@pytest.mark.parametrize(("exact", "deck"), [(False, RED), (True, None)])
def test_a_card_laid_exactly_is_nobodys_where_it_stays_far_from_every_deck_though_the_network_knows_it(exact, deck):
    signatures = {deck: [Signature(drawn(seed)).to_text()] for deck, seed in ((RED, 1), (BLUE, 7), (GREEN, 15))}
    far, odds = [(0.2, 2.5, 2.5)] * 9 + [(1.9, 2.5, 2.5)], [(6, -6, -6)] * 9 + [(2, -6, -6)]
    *others, last = judged(signatures, far, odds, exact=exact)
    assert {match.deck for match in others} == {RED}
    assert (last.deck, last.nearest) == (deck, RED)


def test_a_card_whose_deck_was_enrolled_in_quite_another_light_goes_to_it_when_the_network_knows_it_as_that():
    decks = [DeckId(f"deck {seed}") for seed in range(5)]
    signatures = {deck: [Signature(drawn(seed)).to_text()] for seed, deck in enumerate(decks)}
    near, far, usual = (0.1, 1.5, 1.5, 1.5, 1.5), (0.7, 0.75, 0.8, 0.85, 0.2), np.zeros((5, 3), np.float32)
    odd, looks = usual + np.array([[0, 0, 0]] * 4 + [[0.7, -0.7, 0]], np.float32), np.arange(5) * 2
    compared = [Compared(np.array(near, np.float32), usual, looks, 0.9)] * 9
    compared.append(Compared(np.array(far, np.float32), odd, looks, 0.9))
    said = np.array([(6, -6, -6, -6, -6)] * 9 + [(-6, -6, -6, -6, 6)], np.float32)
    matches = Gallery.from_signatures(signatures).judge(
        compared,
        lambda cards, decks: said[cards, decks],
        lambda cards, others: np.zeros(len(cards), np.float32),
        np.zeros((10, 2), np.float32),
    )
    assert [match.deck for match in matches] == [decks[0]] * 9 + [decks[4]]


def test_a_doubtful_card_is_believed_among_sure_ones_and_not_among_strangers():
    signatures = {deck: [Signature(drawn(seed)).to_text()] for deck, seed in ((RED, 1), (BLUE, 7), (GREEN, 15))}
    far = [(0.5, 1.5, 1.5)] * 20
    *_, among_sure = judged(signatures, far, [(6, -6, -6)] * 19 + [(-2, -6, -6)])
    *_, among_strangers = judged(signatures, far, [(-6, -6, -6)] * 19 + [(-2, -6, -6)])
    assert (among_sure.deck, among_strangers.deck) == (RED, None)


@pytest.mark.parametrize(
    ("surer", "mate", "deck"),
    [(4, 4, RED), (-4, 4, None), (-4, -4, RED)],
    ids=["like them", "unlike them, like each other", "badly seen: unlike them and each other"],
)
def test_cards_near_an_enrolled_deck_are_held_beside_its_surest_cards_on_the_table(surer, mate, deck):
    signatures = {deck: [Signature(drawn(seed)).to_text()] for deck, seed in ((RED, 1), (BLUE, 7), (GREEN, 15))}
    far, odds = [(0.5, 1.5, 1.5)] * 20, [(6, -6, -6)] * 18 + [(0, -6, -6)] * 2
    *others, one, other = judged(signatures, far, odds, lambda card, beside: mate if beside >= 18 else surer)
    assert ({match.deck for match in others}, one.deck, other.deck) == ({RED}, deck, deck)


@pytest.mark.parametrize(("like", "deck"), [(5, RED), (0, None), (-5, None)])
def test_cards_far_from_their_decks_picture_are_its_where_they_are_like_surer_cards_of_it_on_the_table(like, deck):
    signatures = {deck: [Signature(drawn(seed)).to_text()] for deck, seed in ((RED, 1), (BLUE, 7), (GREEN, 15))}
    far, odds = [(0.2, 2.5, 2.5)] * 9 + [(1.9, 2.5, 2.5)], [(6, -6, -6)] * 9 + [(1, -6, -6)]
    *others, last = judged(signatures, far, odds, lambda card, beside: like, exact=True)
    assert {match.deck for match in others} == {RED}
    assert (last.deck, last.nearest) == (deck, RED)


def test_decks_that_look_the_same_in_the_light_they_were_enrolled_in_are_told_apart_by_the_light_of_their_cards():
    signatures = {deck: [Signature(drawn(seed)).to_text()] for deck, seed in ((RED, 1), (BLUE, 7), (GREEN, 15))}
    far, odds = [(0.3, 0.35, 1.5)] * 12, [(3, 2.8, -6)] * 12
    alike = judged(signatures, far, odds)
    apart = judged(signatures, far, odds, warmth=[0.1] * 7 + [-0.1] * 5)
    assert [match.deck for match in alike] == [RED] * 12
    assert len({match.deck for match in apart[:7]}) == len({match.deck for match in apart[7:]}) == 1
    assert {match.deck for match in apart} == {RED, BLUE}


@pytest.mark.parametrize(("warmth", "deck"), [(0.0, RED), (0.25, None)], ids=["in their light", "in another"])
def test_a_doubtful_card_is_its_decks_only_in_the_light_of_the_others(warmth, deck):
    signatures = {deck: [Signature(drawn(seed)).to_text()] for deck, seed in ((RED, 1), (BLUE, 7), (GREEN, 15))}
    far, odds = [(0.2, 1.5, 1.5)] * 10, [(6, -6, -6)] * 9 + [(-1, -6, -6)]
    *others, last = judged(signatures, far, odds, warmth=[0.0] * 9 + [warmth])
    assert {match.deck for match in others} == {RED}
    assert (last.deck, last.nearest) == (deck, RED)


def test_a_card_turned_around_is_the_same_card(backs, signatures):
    spread = compose(np.random.default_rng(6), [backs[BLUE]], 1, tilt=0.0)
    around = np.ascontiguousarray(spread.image[::-1, ::-1])
    height, width = around.shape[:2]
    box = np.array([width - 1, height - 1], np.float32) - boxes_of(spread)[0]
    (match,) = identified(Gallery.from_signatures(signatures), Memo(around), straightened(Memo(around), [box]))
    assert match.deck == BLUE


def test_a_signature_survives_its_text_and_stays_small(signatures):
    (text,) = signatures[RED]
    assert len(text) < 40_000
    assert text.startswith("back1 ")
    again = Signature.from_text(text).picture.astype(int)
    assert np.abs(Signature.from_text(Signature(again.astype(np.uint8)).to_text()).picture - again).mean() < 6


@pytest.mark.parametrize("text", ["", "back9 AAAA", "back1 ?", "back1 AAAA"])
def test_a_text_that_is_no_signature_is_refused(text):
    with pytest.raises(EnrolmentError, match="again"):
        Signature.from_text(text)


def test_different_decks_are_far_enough_apart(signatures):
    assert separability(Gallery.from_signatures(signatures)) == []


def test_one_deck_under_two_names_is_too_alike(signatures, backs):
    twice = {**signatures, DeckId("rot"): [signature(enrolment_picture(np.random.default_rng(12), backs[RED]))]}
    (problem,) = separability(Gallery.from_signatures(twice))
    assert "'red'" in problem
    assert "'rot'" in problem
    assert "another deck" in problem


def test_two_decks_of_one_colour_with_other_patterns_are_far_enough_apart(backs):
    kin = {
        DeckId(str(seed)): [signature(enrolment_picture(np.random.default_rng(seed), back))]
        for seed, back in ((1, backs[RED]), (8, in_colours_of(backs[RED], drawn_back(np.random.default_rng(8)))))
    }
    assert separability(Gallery.from_signatures(kin)) == []


def plain(*bgr: int):
    """A deck of one colour within a white border."""
    back = np.full((560, 400, 4), 250, np.uint8)
    back[30:-30, 30:-30, :3] = bgr
    back[..., 3] = 255
    return back


@pytest.mark.parametrize(
    ("others", "alike"),
    [
        pytest.param((140, 170, 135), True, id="a paler green, as where a lamp shines on the dark one"),
        pytest.param((60, 40, 190), False, id="red"),
        pytest.param((240, 240, 240), False, id="white"),
    ],
)
def test_two_plain_decks_of_which_one_may_be_the_other_in_a_reflection_are_too_alike(others, alike):
    decks = {
        deck: [signature(enrolment_picture(np.random.default_rng(3), back))]
        for deck, back in ((GREEN, plain(40, 95, 30)), (RED, plain(*others)))
    }
    assert bool(separability(Gallery.from_signatures(decks))) is alike


def test_a_grey_border_does_not_wash_the_colour_inside_out():
    card = np.full((224, 160, 3), 112, np.uint8)
    card[14:-14, 10:-10] = (40, 30, 200)
    lit = balanced(card)
    assert lit[112, 80].tolist() == pytest.approx([51, 38, 255], abs=1)
    assert set(lit[2, 2].tolist()) == {142}


def test_a_card_near_a_plain_deck_is_like_it_whatever_the_network_says(monkeypatch, backs):
    rng, both = np.random.default_rng(6), [plain(40, 30, 170), backs[BLUE]]
    gallery = Gallery.from_signatures(
        {deck: [signature(enrolment_picture(rng, back))] for deck, back in zip((RED, BLUE), both, strict=True)}
    )
    assert gallery.faint.tolist() == [True, False]
    spread = compose(rng, both, 16, least_visible=0.9, tilt=0)
    memo, owners = Memo(spread.image), np.array([card.deck for card in spread.cards])
    quads = straightened(memo, [card.corners_px.astype(np.float32) for card in spread.cards])
    exposure, numbers = exposure_of(memo.seen(quads)), np.arange(len(quads))
    distances = np.stack([each.distances for each in compared_in(gallery, memo, quads, exposure)])
    near = (owners == 0) & (distances[:, 0] < PLAINLY_NEAR)
    assert near.any()
    monkeypatch.setattr(Likeness, "said", lambda _, pairs, count: np.full(count, -4.0))
    alike = likeness_in(gallery, memo, quads, exposure)
    assert alike(numbers, owners).tolist() == np.where(near, PLAINLY_LIKE, -4).tolist()
    assert set(alike(numbers, 1 - owners).tolist()) == {-4.0}


@pytest.mark.parametrize("haze", [BackSettings().haze, 0.0], ids=["of which haze shows more", "were there no haze"])
def test_a_dark_plain_card_in_hazy_light_is_its_decks(backs, haze):
    """What is nearly black looks much brighter for a little haze, and the light would have to be odd to do that."""
    rng, dark = np.random.default_rng(6), np.full((560, 400, 4), 255, np.uint8)
    dark[..., :3] = (70, 6, 6)
    laid = [dark, backs[BLUE], backs[GREEN]]
    texts = {
        deck: [signature(enrolment_picture(rng, back))] for deck, back in zip((RED, BLUE, GREEN), laid, strict=True)
    }
    gallery = Gallery.from_signatures(texts, BackSettings(haze=haze)).exact
    spread = compose(np.random.default_rng(5), laid, 16, least_visible=0.9, tilt=0)
    hazy = replace(spread, image=cv2.addWeighted(spread.image, 0.95, np.full_like(spread.image, 255), 0.05, 0))
    matches = zip(matches_of(gallery, hazy), spread.cards, strict=True)
    found = {match.deck for match, card in matches if card.deck == 0}
    assert found == ({RED} if haze else {RED, None})


def test_one_design_in_two_colours_is_two_decks(signatures, backs):
    rng = np.random.default_rng(3)
    other = recoloured(backs[RED], rng)
    both = {RED: signatures[RED], DeckId("other"): [signature(enrolment_picture(rng, other))]}
    assert separability(Gallery.from_signatures(both)) == []
    spread = compose(rng, [backs[RED], other], 14)
    matches = matches_of(Gallery.from_signatures(both), spread)
    assert [match.deck for match in matches] == [("red", "other")[card.deck] for card in spread.cards]


@pytest.mark.parametrize(("inside", "white"), [(70, None), (40, 75)], ids=["plain and dark", "with a border"])
def test_a_dark_card_of_one_colour_has_no_white_border(inside, white):
    """Under a lamp's reflection a black back is grey to its edges."""
    card = np.full((224, 160, 3), 75, np.uint8)
    card[12:-12, 12:-12] = inside
    cv2.circle(card, (80, 50), 14, (60, 60, 200), -1)
    seen = border_white(card)
    assert seen is None if white is None else seen.tolist() == [white] * 3


def test_an_invented_back_is_the_same_each_time_and_has_round_corners():
    back = drawn_back(np.random.default_rng(5), (280, 200))
    assert back.shape == (280, 200, 4)
    assert back[0, 0, 3] == 0
    assert back[140, 100, 3] == 255
    assert np.array_equal(back, drawn_back(np.random.default_rng(5), (280, 200)))


# Enrolment


@pytest.mark.parametrize("seed", [21, 22, 23, 24])
def test_a_card_alone_is_enrolled_by_its_edges_without_any_detector(backs, seed):
    lone = enrolment_picture(np.random.default_rng(seed), backs[BLUE])
    learned = enrol([lone.image], BLIND)
    assert len(learned.signature_texts) == 1
    assert learned.crops[0].shape == (224, 160, 3)
    gallery = Gallery.from_signatures({BLUE: learned.signature_texts})
    (match,) = identified(gallery, Memo(lone.image), [lone.cards[0].corners_px.astype(np.float32)])
    assert match.deck == BLUE


def test_bare_cloth_has_no_card_to_enrol():
    with pytest.raises(EnrolmentError, match="no card was seen"):
        enrol([np.full((720, 1280, 3), (60, 110, 50), np.uint8)], BLIND)


def test_no_picture_is_refused():
    with pytest.raises(EnrolmentError, match="no picture"):
        enrol([], BLIND)


def lone_with_corners(backs):
    """A picture of one card, its outline, and two opposite corners in which an index may be seen."""
    lone = enrolment_picture(np.random.default_rng(21), backs[BLUE])
    card = lone.cards[0].corners_px
    return lone, card, [card[k] + 0.15 * (card - card[k]) for k in (0, 2)]


def test_a_face_is_refused(backs):
    lone, card, corners = lone_with_corners(backs)
    with pytest.raises(EnrolmentError, match="face up"):
        enrol([lone.image], Eye(SeesWhatIsThere([card, *corners], [0, 2, 2], [0.9, 0.6, 0.6]), Reads(0.2, 0.9)))
    ornaments = Eye(SeesWhatIsThere([card, *corners], [0, 2, 2], [0.9, 0.6, 0.6]), Reads(0.2, 0.1))
    assert len(enrol([lone.image], ornaments).signature_texts) == 1


def test_a_face_taken_for_a_back_is_refused_where_two_indices_can_be_read(backs):
    lone, card, corners = lone_with_corners(backs)
    with pytest.raises(EnrolmentError, match="face up"):
        enrol([lone.image], Eye(SeesWhatIsThere([card, *corners], [1, 2, 2], [0.9, 0.6, 0.3]), Reads(0.9, 0.9)))


def test_a_face_with_indices_nobody_can_read_is_refused_by_its_pips(backs):
    lone = enrolment_picture(np.random.default_rng(21), backs[BLUE])
    card, face = lone.cards[0].corners_px.astype(np.float32), np.full((140, 100, 3), 245, np.uint8)
    for x, y in [(x, y) for x in (28, 72) for y in (30, 70, 110)]:
        cv2.fillConvexPoly(face, np.array([[x, y - 13], [x + 9, y], [x, y + 13], [x - 9, y]]), (40, 30, 200))
    onto = cv2.getPerspectiveTransform(np.float32([[0, 0], [100, 0], [100, 140], [0, 140]]), upright_quad(card))
    size = lone.image.shape[1::-1]
    there = cv2.warpPerspective(np.ones(face.shape[:2], np.uint8), onto, size) > 0
    table = np.where(there[..., None], cv2.warpPerspective(face, onto, size), lone.image)
    with pytest.raises(EnrolmentError, match="face up"):
        enrol([table], Eye(SeesWhatIsThere([card], [0], [0.9]), Reads()))


def test_a_face_of_which_one_index_is_seen_is_refused_if_that_can_be_read_and_an_ornament_like_one_is_learned(backs):
    lone, card, corners = lone_with_corners(backs)
    seen = SeesWhatIsThere([card, corners[0]], [0, 2], [0.9, 0.6])
    with pytest.raises(EnrolmentError, match="face up"):
        enrol([lone.image], Eye(seen, Reads(0.9)))
    assert len(enrol([lone.image], Eye(seen, Reads(0.2))).signature_texts) == 1


def test_a_card_on_a_cloth_of_two_colours_is_learned_though_half_of_the_cloth_has_clear_edges_too(backs):
    lone = enrolment_picture(np.random.default_rng(22), backs[GREEN])
    card = lone.cards[0].corners_px.astype(np.float32)
    table = np.full(lone.image.shape, (150, 200, 220), np.uint8)
    cv2.fillConvexPoly(table, np.array([[500, 0], [1280, 0], [1280, 600]], np.int32), (200, 60, 20))
    on_card = cv2.fillConvexPoly(np.zeros(table.shape[:2], np.uint8), np.rint(card).astype(np.int32), 1) > 0
    table[on_card] = lone.image[on_card]
    half = cv2.boxPoints(cv2.minAreaRect(np.array([[500, 0], [1280, 600], [640, 715], [100, 300]], np.float32)))
    assert share_of_both(lone_back(table, Eye(SeesWhatIsThere([half], [1], [0.46]), Reads())), card) > 0.95


def test_a_plain_card_over_both_colours_of_a_cloth_is_learned_by_its_own_colour():
    rng = np.random.default_rng(3)
    table = np.full((720, 1280, 3), (150, 200, 220), np.uint8)
    cv2.fillConvexPoly(table, np.array([[180, 0], [1280, 0], [1280, 600]], np.int32), (200, 80, 20))
    card = cv2.boxPoints(((640.0, 358.0), (280.0, 196.0), -25.0))
    cv2.fillConvexPoly(table, np.rint(card).astype(np.int32), (70, 55, 60))
    table = np.clip(table + rng.normal(0, 3, table.shape), 0, 255).astype(np.uint8)
    half = cv2.boxPoints(cv2.minAreaRect(np.array([[400, 110], [1280, 600], [640, 715], [100, 300]], np.float32)))
    for eye in (BLIND, Eye(SeesWhatIsThere([half], [1], [0.46]), Reads())):
        assert share_of_both(lone_back(table, eye), card) > 0.95


def test_a_striped_back_is_learned_to_its_edges_though_its_stripes_are_clearer():
    table = np.full((720, 1280, 3), (66, 84, 70), np.uint8)
    cv2.rectangle(table, (540, 216), (739, 503), (96, 66, 86), -1)
    for x in range(560, 721, 29):
        cv2.rectangle(table, (x, 218), (x + 8, 501), (150, 160, 170), -1)
    table = np.clip(table + np.random.default_rng(3).normal(0, 2, table.shape), 0, 255).astype(np.uint8)
    card = np.array([[540, 216], [740, 216], [740, 504], [540, 504]], np.float32)
    assert share_of_both(lone_back(table, Eye(SeesWhatIsThere([card], [1], [0.9]), Reads())), card) > 0.95


def test_a_back_that_was_taken_for_a_face_but_shows_no_index_is_learned(backs):
    lone = enrolment_picture(np.random.default_rng(21), backs[BLUE])
    learned = enrol([lone.image], Eye(SeesWhatIsThere([lone.cards[0].corners_px], [0], [0.9]), Reads()))
    (match,) = identified(
        Gallery.from_signatures({BLUE: learned.signature_texts}), Memo(lone.image), [lone.cards[0].corners_px]
    )
    assert match.deck == BLUE


def test_a_card_that_looks_broader_than_long_begins_with_its_short_side(backs):
    spread = compose(np.random.default_rng(5), list(backs.values()), 24, tilt=42.0, card_px=170, least_visible=0.9)
    corners = [card.corners_px.astype(np.float32) for card in spread.cards]
    turned = [
        not np.allclose(np.sort(upright_quad(quad)[:2], 0), np.sort(quad[:2], 0))
        and not np.allclose(np.sort(upright_quad(quad)[:2], 0), np.sort(quad[2:], 0))
        for quad in corners
    ]
    boxes = [cv2.boxPoints(cv2.minAreaRect(quad)) for quad in corners]
    stood = straightened(Memo(spread.image), boxes)
    assert any(turned)
    for quad, truth in zip(stood, corners, strict=True):
        assert min(np.abs(quad - np.roll(truth, turn, 0)).mean() for turn in (0, 2)) < 15


def test_the_outline_stays_on_a_card_that_lies_on_a_spotted_cloth(backs):
    lone = enrolment_picture(np.random.default_rng(27), backs[BLUE])
    card = lone.cards[0].corners_px.astype(np.float32)
    cloth = np.full(lone.image.shape, (40, 130, 20), np.uint8)
    for row, y in enumerate(range(0, 720, 38)):
        for x in range(0, 1280, 38):
            cv2.circle(cloth, (x + 19 * (row % 2), y), 12, (170, 90, 220), -1, cv2.LINE_AA)
    on_card = cv2.fillConvexPoly(np.zeros(cloth.shape[:2], np.uint8), np.rint(card).astype(np.int32), 1) > 0
    cloth[on_card] = lone.image[on_card]
    outline = lone_back(cloth, Eye(SeesWhatIsThere([cv2.boxPoints(cv2.minAreaRect(card))], [1], [0.9]), Reads()))
    assert np.abs(outline - upright_quad(card)).max() < 0.02 * height_px(upright_quad(card))


def test_two_cards_are_refused(backs):
    two = compose(np.random.default_rng(2), [backs[BLUE]], 2, size=(720, 1280), card_px=260, least_visible=1.0)
    eye = Eye(SeesWhatIsThere([card.corners_px for card in two.cards], [1, 1], [0.9, 0.9]), Reads())
    with pytest.raises(EnrolmentError, match="2 cards"):
        enrol([two.image], eye)


def test_a_patch_of_cloth_taken_for_a_second_card_is_none(backs):
    lone = enrolment_picture(np.random.default_rng(21), backs[BLUE])
    card = lone.cards[0].corners_px
    patch = card - card.min(0) + 20
    assert share_of_both(patch.astype(np.float32), card.astype(np.float32)) == 0
    learned = enrol([lone.image], Eye(SeesWhatIsThere([card, patch], [1, 1], [0.9, 0.8]), Reads()))
    (match,) = identified(Gallery.from_signatures({BLUE: learned.signature_texts}), Memo(lone.image), [card])
    assert match.deck == BLUE


def test_a_print_that_is_only_grey_in_a_small_picture_is_looked_for_in_a_larger_one():
    """A card hardly brighter than the cloth shows no edges, either."""
    table = np.full((720, 1280, 3), 90, np.uint8)
    table[200:480, 500:700] = 95
    card = np.array([[500, 200], [700, 200], [700, 480], [500, 480]], np.float32)

    class SeesNearby(SeesWhatIsThere):
        def detect(self, image, *, long_side=1280, min_score=0.25):
            return self.found if 900 < long_side < 1000 else Detections.none()

    found = lone_back(table, Eye(SeesNearby([card], [1], [0.9]), Reads()))
    assert share_of_both(found, card) > 0.9


class SeesPartsNearby:
    """A detector that takes the parts of a large print for cards, unless it sees the picture small."""

    def __init__(self, parts, afar):
        self.parts, self.afar = parts, afar

    def detect(self, image, *, long_side=1280, min_score=0.25):
        seen = self.afar if long_side < 640 else self.parts
        return Detections(np.array(seen, np.float32), np.ones(len(seen), np.int64), np.full(len(seen), 0.8, np.float32))


def test_a_print_that_falls_apart_into_several_cards_is_learned_as_the_one_seen_afar(backs):
    lone = enrolment_picture(np.random.default_rng(21), backs[BLUE])
    card = lone.cards[0].corners_px
    parts = [card[k] + 0.4 * (card - card[k]) for k in range(4)]
    learned = enrol([lone.image], Eye(SeesPartsNearby(parts, [card]), Reads()))
    (match,) = identified(Gallery.from_signatures({BLUE: learned.signature_texts}), Memo(lone.image), [card])
    assert match.deck == BLUE


def test_a_second_card_seen_afar_only_is_refused(backs):
    two = compose(np.random.default_rng(2), [backs[BLUE]], 2, size=(720, 1280), card_px=260, least_visible=1.0)
    first, second = (card.corners_px for card in two.cards)
    with pytest.raises(EnrolmentError, match="2 cards"):
        enrol([two.image], Eye(SeesPartsNearby([first], [first, second]), Reads()))


def test_a_blurred_picture_is_refused(backs):
    lone = enrolment_picture(np.random.default_rng(22), backs[BLUE])
    with pytest.raises(EnrolmentError, match="blurred"):
        enrol([cv2.GaussianBlur(lone.image, (0, 0), 8)], BLIND)


def test_a_card_cut_by_the_edge_is_refused(backs):
    lone = enrolment_picture(np.random.default_rng(22), backs[BLUE])
    corners = lone.cards[0].corners_px
    cut = np.ascontiguousarray(lone.image[:, int(corners[:, 0].mean()) - 20 :])
    with pytest.raises(EnrolmentError, match="edge|no card"):
        enrol([cut], BLIND)


def test_a_back_so_bright_that_it_loses_its_colours_is_learned_with_a_warning(backs):
    lone = enrolment_picture(np.random.default_rng(22), backs[BLUE])
    lamp = cv2.fillConvexPoly(np.ones(lone.image.shape[:2]), np.rint(lone.cards[0].corners_px).astype(np.int32), 5.0)
    bright = np.clip(lone.image * lamp[..., None], 0, 255).astype(np.uint8)
    assert enrol([lone.image], BLIND).problems == ()
    learned = enrol([lone.image, bright], BLIND)
    assert len(learned.signature_texts) == 2
    (problem,) = learned.problems
    assert problem.startswith("picture 2: the back is almost white")


def test_one_good_picture_of_two_is_enough(backs):
    lone = enrolment_picture(np.random.default_rng(22), backs[BLUE])
    learned = enrol([np.full((720, 1280, 3), 90, np.uint8), lone.image], BLIND)
    assert len(learned.signature_texts) == 1
    assert learned.problems[0].startswith("picture 1: no card was seen")


@pytest.mark.parametrize("table", ["table00", "table01"])
def test_rendered_enrolment_pictures_are_learned(table):
    if not TABLES.is_dir():
        pytest.skip("needs the shared pictures")
    pictures = [
        path for path in sorted((TABLES / table).glob("enrol-*.jpg")) if table == "table00" or "kennard" in path.name
    ]
    for path in pictures:
        assert enrol([read_picture(path)], BLIND).problems == ()


def test_a_card_is_looked_at_once(backs, signatures):
    spread = compose(np.random.default_rng(3), [backs[RED], backs[BLUE]], 6, tilt=10.0)
    gallery, memo = Gallery.from_signatures(signatures), Memo(spread.image)
    quads = straightened(Memo(spread.image), boxes_of(spread))
    (first,) = memo.seen(quads[:1])
    assert memo.seen([quads[0].copy()])[0] is first
    assert memo.seen([quads[0] + 20])[0] is not first
    matches = identified(gallery, memo, quads)
    assert identified(gallery, memo, quads) == matches
    assert [match.deck for match in identified(gallery, Memo(spread.image), quads)] == [match.deck for match in matches]
