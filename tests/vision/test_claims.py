"""What cards explain of a table by their decks' patterns: a card under others is told by what none of them explains."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from scorekeeper.rules.lake import DeckId
from scorekeeper.training.back_designs import drawn_back
from scorekeeper.training.measure_backs import enrolment_picture, lay, signature
from scorekeeper.vision.backs import Gallery
from scorekeeper.vision.claims import Patterned, explained, gaps, in_one_piece
from scorekeeper.vision.cloth import Cloth
from scorekeeper.vision.glances import Glances
from scorekeeper.vision.looks import COLUMNS, ROWS, cell_middles
from scorekeeper.vision.places import share_of_both
from scorekeeper.vision.relaid import HEAPED, SETTINGS, Laying, _beats, _spares, accounted, explaining, shown_by_pattern
from scorekeeper.vision.spread import SETTINGS as SPREAD
from scorekeeper.vision.whose import straightened

BLUE, RED = DeckId("blue"), DeckId("red")
APART = [((250 + 330 * (n % 5), 200 + 680 * (n // 5)), 15.0 * n) for n in range(10)]
LOWER, UPPER = ((800, 540), 20.0), ((880, 575), 75.0)


def outline(middle, degrees):
    """A card 190 px long round *middle*, beginning with a short side, clockwise."""
    box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [68, 95]
    turn = np.deg2rad(degrees)
    return (box @ [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]] + middle).astype(np.float32)


@pytest.fixture(scope="module")
def backs():
    return {BLUE: drawn_back(np.random.default_rng(7)), RED: drawn_back(np.random.default_rng(1))}


@pytest.fixture(scope="module")
def laying(backs):
    """Ten cards that lie apart, and one under another: blue ones but the uppermost."""
    image = np.full((1080, 1920, 3), (60, 110, 50), np.float32)
    for place in (*APART, LOWER, UPPER):
        lay(image, backs[RED if place is UPPER else BLUE], outline(*place), 190)
    picture = cv2.GaussianBlur(np.clip(image, 0, 255).astype(np.uint8), (0, 0), 0.7)
    rng = np.random.default_rng(3)
    gallery = Gallery.from_signatures({deck: [signature(enrolment_picture(rng, back))] for deck, back in backs.items()})
    glances = Glances(picture)
    return Laying.of(gallery, glances, straightened(glances, [outline(*place) for place in (*APART, UPPER)]))


def known(laying, *places):
    return np.array(straightened(laying.glances, [outline(*place) for place in places]), np.float32)


def test_a_card_under_another_explains_what_no_other_card_does(laying):
    (lower,) = known(laying, LOWER)
    claim = laying.claims([lower], known(laying, *APART, UPPER), SETTINGS)[0]
    assert claim is not None
    hidden = share_of_both(lower, outline(*UPPER))
    assert claim.free.mean() == pytest.approx(1 - hidden, abs=0.08)


def test_an_outline_of_which_known_cards_explain_all_stays_where_it_is(laying):
    (again,) = known(laying, APART[6])
    assert laying.onto_patterns([again], known(laying, *APART, UPPER), HEAPED)[0] is again


def test_a_card_on_a_known_one_is_found_by_its_pattern_and_none_where_all_are_known(laying):
    middle = np.array([UPPER[0]], np.float32)
    assert laying.places(middle, known(laying, *APART, LOWER, UPPER), HEAPED) == []
    (found, *_) = laying.places(middle, known(laying, *APART, LOWER), HEAPED)
    assert share_of_both(found, outline(*UPPER)) > 0.95


def test_a_card_of_which_little_shows_is_one_only_where_the_others_leave_enough_and_its_deck_fits(laying):
    (lower,), (cloth,) = known(laying, LOWER), known(laying, ((1400, 540), 0.0))
    assert laying.left_to(lower, known(laying, *APART, UPPER), HEAPED)
    assert not laying.left_to(lower, known(laying, *APART, UPPER, LOWER), HEAPED)
    assert not laying.left_to(cloth, known(laying, *APART, UPPER), HEAPED)


def test_an_outline_on_part_of_a_new_card_is_its_rival_unless_that_explains_what_no_other_does(laying):
    lower, upper = known(laying, LOWER, UPPER)
    beside = np.asarray(lower + (9, -7), np.float32)
    apart, outlined = known(laying, *APART), np.stack([upper, beside])
    single, heaped = (replace(settings, rival=0.2) for settings in (SETTINGS, HEAPED))
    assert laying.rivals(lower, apart, outlined, [0, 1], single) == [0, 1]
    assert laying.rivals(lower, apart, outlined, [0], heaped) == []
    assert laying.rivals(lower, apart, outlined, [1], heaped) == [1]


@pytest.mark.parametrize(("usual", "left"), [(0.1, True), (0.6, False)], ids=["lies well", "lies badly"])
def test_a_new_card_leaves_more_to_a_known_one_that_lies_badly(usual, left):
    unlike = np.zeros(ROWS * COLUMNS, np.float32)
    card, other = (Patterned(outline((300, y), 0), unlike, 0.0) for y in (300, 410))
    assert 0.5 < other.keeps_beside(card) < 0.75
    assert _spares(card, [replace(other, usual=usual)], replace(HEAPED, rival=0.3)) == left


@pytest.mark.parametrize(
    ("evidence", "distance", "rival", "beaten"),
    [(2.6, 0.6, 0.6, True), (2.4, 0.6, 0.6, False), (2.6, 0.6, 0.1, False), (2.6, 0.2, 0.1, True)],
    ids=["much surer", "hardly surer", "surer, but the other fits its deck", "surer, and fits, too"],
)
def test_a_new_card_takes_the_place_of_an_outline_where_it_is_much_surer(laying, evidence, distance, rival, beaten):
    (fit,) = laying.fits([*known(laying, APART[0])])
    lies = [replace(fit, compared=replace(fit.compared, distances=np.float32([d, 2]))) for d in (distance, rival)]
    assert _beats(evidence, lies[0], replace(lies[1], evidence=1.0), HEAPED) == beaten


def test_where_the_network_sees_little_of_a_card_what_no_other_one_explains_shows_of_it(laying):
    quads = [*known(laying, *APART, LOWER, UPPER, ((1400, 540), 0.0))]
    shown_by_pattern(laying.gallery, laying.glances, quads, replace(HEAPED, faint=1.0))
    *cards, cloth = (laying.glances.is_claimed(quad) for quad in quads)
    lower = laying.glances.seen(quads)[10]
    laying.glances.unsettle()
    assert all(cards)
    assert not cloth
    assert lower.free.mean() == pytest.approx(1 - share_of_both(outline(*LOWER), outline(*UPPER)), abs=0.08)


def test_what_shows_by_the_network_shows_where_all_that_no_known_card_explains_fits_much_worse(laying):
    quads = [*known(laying, *APART, LOWER, UPPER)]
    laying.glances.settle(quads)
    for n in (3, 10):
        laying.glances.claim(quads[n], np.ones(ROWS * COLUMNS, np.float32))
    shown_by_pattern(laying.gallery, laying.glances, quads, HEAPED)
    open_card, lower = (laying.glances.is_claimed(quads[n]) for n in (3, 10))
    laying.glances.unsettle()
    assert open_card
    assert not lower


def test_a_new_card_takes_the_place_of_no_outline_that_explains_what_it_does_not(laying):
    quads, settings = known(laying, *APART), replace(HEAPED, beyond_doubt=None)
    (x, y), degrees = APART[6]
    again, beside = known(laying, ((x + 3, y - 2), degrees), ((x + 80, y), degrees))
    others = np.delete(quads, 6, axis=0)
    assert laying.loses(again, quads[[6]], others) < HEAPED.loses / 2
    assert laying.loses(beside, quads[[6]], others) > HEAPED.loses
    assert laying.rivals(again, others, quads, [6], settings) == [6]
    assert laying.rivals(beside, others, quads, [6], settings) is None


@pytest.mark.parametrize(
    ("moved", "turned"), [((0, 0), 0), ((20, 10), 3), ((40, 0), 90)], ids=["the same", "a little beside", "across"]
)
def test_nothing_is_claimed_where_a_known_card_lies(laying, moved, turned):
    middle, degrees = APART[6]
    (again,) = known(laying, (np.add(middle, moved), degrees + turned))
    assert laying.claims([again], known(laying, *APART, UPPER), SETTINGS)[0] is None


def test_bare_cloth_is_no_card(laying):
    (cloth,) = known(laying, ((1400, 540), 0.0))
    assert laying.claims([cloth], known(laying, *APART, UPPER), SETTINGS)[0] is None


def test_bare_cloth_of_the_colour_of_a_plain_deck_is_no_card(backs):
    plain = np.full((560, 400, 4), (60, 110, 50, 255), np.uint8)
    image = np.full((1080, 1920, 3), (60, 110, 50), np.float32)
    for place in APART:
        lay(image, backs[BLUE], outline(*place), 190)
    rng = np.random.default_rng(3)
    decks = {BLUE: [signature(enrolment_picture(rng, backs[BLUE]))], RED: [signature(enrolment_picture(rng, plain))]}
    glances = Glances(np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8))
    laying = Laying.of(Gallery.from_signatures(decks), glances, straightened(glances, [outline(*p) for p in APART]))
    (cloth,) = known(laying, ((1400, 540), 0.0))
    assert laying.claims([cloth], known(laying, *APART), replace(SETTINGS, there=0))[0] is not None
    assert laying.claims([cloth], known(laying, *APART), SETTINGS)[0] is None


def test_the_lower_card_is_none_once_it_is_known(laying):
    (lower,) = known(laying, LOWER)
    beside = np.asarray(lower + (9, -7), np.float32)
    assert laying.claims([beside], known(laying, *APART, UPPER, LOWER), SETTINGS)[0] is None


@pytest.mark.parametrize(
    ("places", "deck", "found"),
    [
        ([LOWER], BLUE, [0]),
        ([LOWER], RED, []),
        ([LOWER, LOWER], BLUE, [0]),
        ([((1400, 540), 0.0)], BLUE, []),
        ([((APART[6][0][0] + 20, APART[6][0][1] + 10), APART[6][1])], BLUE, []),
    ],
    ids=["the card under another", "of another deck", "twice", "bare cloth", "beside a known card"],
)
def test_a_card_that_one_reading_shows_is_one_where_it_explains_what_known_cards_leave(laying, places, deck, found):
    others = [(quad, deck) for quad in known(laying, *places)]
    taken = [*known(laying, *APART, UPPER)]
    assert explaining(laying.gallery, Glances(laying.glances.image), taken, others) == found


def accounts(laying, *places, others=()):
    return accounted(laying.gallery, laying.glances, [*known(laying, *places)], others)


def test_cards_that_are_all_known_account_for_all_that_is_seen_of_them(laying):
    alone, left = accounts(laying, *APART, LOWER, UPPER)
    assert left == []
    assert alone[:10].min() > 0.7
    assert 0.1 < alone[10] < 1 - share_of_both(outline(*LOWER), outline(*UPPER)) + 0.1


def test_a_card_that_nobody_found_leaves_a_gap_where_it_lies_on_another_and_on_cloth(laying):
    _, (gap,) = accounts(laying, *APART, LOWER)
    assert np.linalg.norm(gap - UPPER[0]) < 20
    _, left = accounts(laying, *APART, LOWER, others=[outline(*UPPER)])
    assert left == []


def test_a_card_beyond_the_edge_of_the_picture_leaves_no_gap():
    odd = np.where(np.arange(ROWS * COLUMNS) < ROWS * COLUMNS // 2, 1, 0).astype(np.float32)
    inside, outside = (Patterned(outline((middle, 300), 0), odd, 0.0) for middle in (300, -300))
    assert len(gaps([inside], [], (600, 600))) == 1
    assert gaps([outside], [], (600, 600)) == []


def test_a_card_that_hardly_fits_its_deck_explains_no_gap_away():
    odd = np.where(np.arange(ROWS * COLUMNS) < ROWS * COLUMNS // 2, 1, 0).astype(np.float32)
    assert len(gaps([Patterned(outline((300, 300), 0), odd, 0.9)], [], (600, 600))) == 1


@pytest.mark.parametrize(
    ("rows", "beside", "found"), [(3, True, 1), (3, False, 0), (1, True, 0), (6, False, 1)], ids=str
)
def test_a_strip_of_a_card_that_fits_no_deck_is_a_gap_where_it_is_large_or_goes_on_beside_the_card(rows, beside, found):
    unlike = np.where(np.arange(ROWS * COLUMNS) < rows * COLUMNS, 1, 0).astype(np.float32)
    card = Patterned(outline((300, 300), 0), unlike, 0.0)
    image = np.full((600, 600, 3), (60, 110, 50), np.uint8)
    if beside:
        cv2.rectangle(image, (235, 150), (365, 205), (20, 20, 160), -1)
    assert len(gaps([card], [], (600, 600), Cloth.of(image, [card.quad]))) == found


def test_what_a_card_claims_is_what_shows_of_it_until_everything_is_forgotten(laying):
    quad, half = laying.tilt.standing(outline(*APART[3])), np.repeat([1.0, 0.0], ROWS * COLUMNS // 2).astype(np.float32)
    laying.glances.claim(quad, half)
    laying.glances.settle([outline(*APART[6])])
    assert np.array_equal(laying.glances.seen([quad])[0].free, half)
    laying.glances.unsettle()
    assert laying.glances.seen([quad])[0].free.mean() > 0.8


def test_an_outline_across_known_cards_explains_nothing_alone(laying):
    (middle, degrees), beside = APART[6], (12, 6)
    alone, _ = accounts(laying, *APART, LOWER, UPPER, (np.add(middle, beside), degrees + 2))
    assert alone[-1] < SPREAD.idle
    assert alone[:-1].min() > SPREAD.alone


def test_beyond_a_card_it_explains_nothing():
    quad = outline((300, 300), 30)
    card = Patterned(quad, np.zeros(ROWS * COLUMNS, np.float32), 0.0)
    assert not card.at(cell_middles(quad)).any()
    assert np.isinf(card.at(cell_middles(quad) + np.float32(400))).all()
    assert np.isinf(explained(cell_middles(quad), [])).all()


def test_a_card_keeps_what_the_other_explains_worse():
    quad, half = outline((300, 300), 0), np.zeros((ROWS, COLUMNS), np.float32)
    half[: ROWS // 2] = 1
    all_of_it = Patterned(quad, np.zeros(ROWS * COLUMNS, np.float32), 0.0)
    lower_half = Patterned(quad, half.reshape(-1), 0.0)
    assert all_of_it.keeps_beside(lower_half) == pytest.approx(0.5)
    assert lower_half.keeps_beside(all_of_it) == 0
    assert all_of_it.share_beside(lower_half.unlike) == pytest.approx(0.5)


def test_a_card_far_from_its_deck_is_needed_for_what_it_explains_as_well_as_usual_of_it():
    quad = outline((300, 300), 0)
    dim = Patterned(quad, np.full(ROWS * COLUMNS, 0.45, np.float32), 0.45)
    nothing, as_well = (np.full(ROWS * COLUMNS, unlike, np.float32) for unlike in (1.0, 0.45))
    assert (dim.share_beside(nothing), dim.needed_beside(nothing), dim.needed_beside(as_well)) == (0, 1, 0)


def test_single_cells_count_with_those_round_them():
    cells = np.zeros((ROWS, COLUMNS), bool)
    cells[:, : COLUMNS // 2] = True
    cells[5, 5], cells[20, 15] = False, True
    assert (in_one_piece(cells.reshape(-1)).reshape(ROWS, COLUMNS) == (np.arange(COLUMNS) < COLUMNS // 2)).all()
