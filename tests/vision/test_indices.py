"""The index reader on indices printed with OpenCV's own letters, no photograph needed."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from scorekeeper.vision.faces.indices import (
    RANKS,
    IndexReader,
    IndexReadings,
    crop_indices,
    folded,
    moved,
    nearly_square,
    normalise,
    upright_quads,
)

WEIGHTS = Path(__file__).parents[2] / "models" / "indices" / "indices.onnx"
BOX = np.array([[100, 60], [124, 60], [124, 108], [100, 108]], np.float32)


def printed_card(rank: str, suit: str) -> np.ndarray:
    """A piece of a white card with an index in BOX: plain letters over a heart, a diamond or a club."""
    image = np.full((200, 220, 3), (60, 90, 40), np.uint8)
    cv2.rectangle(image, (90, 50), (215, 195), (250, 252, 252), -1)
    ink = (30, 20, 200) if suit in "HD" else (20, 20, 20)
    letter = np.full((90, 160, 3), 251, np.uint8)
    cv2.putText(letter, rank, (20, 70), cv2.FONT_HERSHEY_DUPLEX, 2.0, ink, 2, cv2.LINE_AA)
    rows, columns = (np.flatnonzero(letter.min(axis=(1 - axis, 2)) < 200) for axis in (0, 1))
    letter = letter[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    image[60:86, 102:122] = cv2.resize(letter, (20, 26), interpolation=cv2.INTER_AREA)
    if suit == "D":
        cv2.fillPoly(image, [np.array([[112, 88], [120, 98], [112, 108], [104, 98]])], ink, cv2.LINE_AA)
    elif suit == "H":
        for x in (107, 117):
            cv2.circle(image, (x, 93), 5, ink, -1, cv2.LINE_AA)
        cv2.fillPoly(image, [np.array([[102, 95], [122, 95], [112, 108]])], ink, cv2.LINE_AA)
    elif suit == "C":
        for centre in ((112, 92), (107, 99), (117, 99)):
            cv2.circle(image, centre, 5, ink, -1, cv2.LINE_AA)
        cv2.fillPoly(image, [np.array([[112, 96], [116, 108], [108, 108]])], ink, cv2.LINE_AA)
    return image


@pytest.fixture(scope="module")
def reader() -> IndexReader:
    if not WEIGHTS.exists():
        pytest.skip("the index reader's weights are not here")
    return IndexReader(WEIGHTS)


def test_no_boxes_give_no_readings(reader):
    assert len(reader.read(printed_card("5", "H"), np.zeros((0, 4, 2), np.float32))) == 0


@pytest.mark.parametrize("suit", ["H", "D", "C"])
@pytest.mark.parametrize("rank", ["2", "5", "8", "K", "10"])
def test_a_clear_index_is_read(reader, rank, suit):
    readings = reader.read(printed_card(rank, suit), BOX[None])
    assert readings.code(0) == rank + suit
    assert readings.is_index[0] > 0.5


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("rank", ["6", "9"])
def test_six_and_nine_are_told_apart_whichever_corner_comes_first(reader, rank, first):
    readings = reader.read(printed_card(rank, "D"), np.roll(BOX, first, axis=0)[None])
    assert readings.code(0) == f"{rank}D"
    np.testing.assert_allclose(readings.quads_px[0], BOX, atol=4)


def test_a_card_lying_upside_down_is_turned_upright(reader):
    image = printed_card("7", "H")[::-1, ::-1].copy()
    box = np.array([image.shape[1], image.shape[0]], np.float32) - BOX
    readings = reader.read(image, np.roll(box, 2, axis=0)[None])
    assert readings.code(0) == "7H"
    np.testing.assert_allclose(readings.quads_px[0], box, atol=4)


@pytest.mark.parametrize("aside", [(8, 0), (-7, 6), (4, -14)])
def test_a_box_beside_its_index_is_moved_onto_it(reader, aside):
    readings = reader.read(printed_card("9", "C"), BOX[None] + np.array(aside, np.float32))
    assert readings.code(0) == "9C"
    np.testing.assert_allclose(readings.quads_px[0].mean(0), BOX.mean(0), atol=4)


def test_bare_cloth_is_no_index(reader):
    cloth = np.full((200, 220, 3), (60, 90, 40), np.uint8)
    assert reader.read(cloth, BOX[None]).is_index[0] < 0.5


def test_dim_and_coloured_light_changes_nothing(reader):
    image = printed_card("4", "H").astype(np.float32) * np.array([0.5, 0.4, 0.32])
    assert reader.read(image.astype(np.uint8), BOX[None]).code(0) == "4H"


def test_many_indices_are_read_in_the_order_given(reader):
    images = np.hstack([printed_card("2", "D"), printed_card("K", "C")])
    boxes = np.stack([BOX + np.array([220, 0], np.float32), BOX])
    readings = reader.read(images, boxes)
    assert [readings.code(0), readings.code(1)] == ["KC", "2D"]


@pytest.mark.parametrize(("letters", "rank"), [("french", "J"), ("dutch", "Q")])
def test_a_v_is_a_jack_in_france_and_a_queen_in_holland(letters, rank):
    printed = np.full((1, 14), 0.02, np.float32)
    printed[0, 13] = 0.74
    meant = folded(printed, letters)[0]
    assert RANKS[int(meant.argmax())] == rank
    assert meant.sum() == pytest.approx(1, abs=1e-6)
    assert np.delete(meant, RANKS.index(rank)) == pytest.approx(0.02)


@pytest.mark.parametrize(("letters", "code"), [("french", "JD"), ("dutch", "QD")])
def test_the_reader_is_told_whose_v_it_is(letters, code):
    if not WEIGHTS.exists():
        pytest.skip("the index reader's weights are not here")
    assert IndexReader(WEIGHTS, letters=letters).read(printed_card("V", "D"), BOX[None]).code(0) == code


@pytest.mark.parametrize(
    ("letter", "rank"),
    [
        pytest.param("B", "J", id="a German or Dutch B is a jack"),
        pytest.param("D", "Q", id="a German or French D is a queen"),
        pytest.param("R", "K", id="a French R is a king"),
    ],
)
def test_other_languages_letters_have_their_meaning(reader, letter, rank):
    assert reader.read(printed_card(letter, "H"), BOX[None]).code(0) == f"{rank}H"


def test_quads_are_stood_on_their_short_side():
    lying = np.array([[0, 0], [40, 0], [40, 20], [0, 20]], np.float32)
    stood = upright_quads(lying[None])[0]
    assert np.linalg.norm(stood[1] - stood[0]) < np.linalg.norm(stood[3] - stood[0])


def test_a_square_box_may_stand_any_way():
    square = np.array([[0, 0], [20, 0], [20, 21], [0, 21]], np.float32)
    assert nearly_square(np.stack([square, BOX])).tolist() == [True, False]


def test_a_crop_beyond_the_picture_repeats_its_edge():
    crops = crop_indices(np.full((30, 30, 3), 77, np.uint8), BOX[None])
    assert crops.shape == (1, 48, 32, 3)
    assert (crops == 77).all()


def test_a_large_index_keeps_thin_lines():
    image = np.full((800, 800, 3), 255, np.uint8)
    image[:, ::8] = 0
    box = np.array([[100, 100], [500, 100], [500, 700], [100, 700]], np.float32)
    crop = crop_indices(image, box[None])[0]
    assert abs(float(crop.mean()) - 223) < 6


def test_paper_white_is_the_measure_of_all_colours():
    crop = np.full((1, 48, 32, 3), (100, 150, 200), np.uint8)
    crop[:, 10:20, 10:20] = (20, 30, 40)
    darker = (crop * 0.5).astype(np.uint8)
    np.testing.assert_allclose(normalise(crop), normalise(darker), atol=0.15)


def test_a_box_moves_by_shares_of_its_own_sides():
    move = np.array([[0.5, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0.5, -0.5]], np.float32)
    right, wider, leaning = moved(np.repeat(BOX[None], 3, axis=0), move)
    np.testing.assert_allclose(right, BOX + [12, 0])
    np.testing.assert_allclose(wider, BOX + np.array([[-12, 0], [12, 0], [12, 0], [-12, 0]]))
    np.testing.assert_allclose(leaning, [[94, 72], [118, 72], [130, 96], [106, 96]])


def test_readings_that_do_not_fit_are_refused():
    rank, suit = np.zeros((1, len(RANKS)), np.float32), np.zeros((2, 4), np.float32)
    with pytest.raises(ValueError, match="do not fit"):
        IndexReadings(BOX[None], rank, suit, np.zeros(1, np.float32))
