"""Which of several boxes stay, and that a card is found in a photograph of any size."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorekeeper.resources import data_path
from scorekeeper.vision.camera.sources import read_picture
from scorekeeper.vision.detector import (
    BACK,
    FACE,
    Detections,
    OnnxDetector,
    other_guesses,
    rotated_corners,
    suppressed,
    too_square,
    turned_down,
)
from scorekeeper.vision.geometry import Points


def found(*boxes: tuple[float, float, float, float, float]) -> Detections:
    """Boxes ``x y w h degrees``, the first one the surest."""
    rows = np.array(boxes, np.float32).reshape(-1, 5)
    rows[:, 4] = np.deg2rad(rows[:, 4])
    scores = np.linspace(0.9, 0.5, len(rows), dtype=np.float32)
    return Detections(rotated_corners(rows), np.zeros(len(rows), np.int64), scores)


@pytest.mark.parametrize(
    ("boxes", "kept"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([(50, 50, 30, 20, 0), (51, 50, 30, 20, 3)], [0], id="one card twice"),
        pytest.param([(50, 50, 30, 20, 0), (120, 50, 30, 20, 0)], [0, 1], id="two cards apart"),
        pytest.param([(50, 50, 90, 20, 45), (50, 50, 90, 20, 135)], [0, 1], id="two cards across each other"),
        pytest.param([(50, 50, 90, 90, 0), (50, 50, 10, 10, 0)], [0, 1], id="a corner on a card"),
        pytest.param(
            [(50, 50, 30, 20, 0), (58, 50, 30, 20, 0), (66, 50, 30, 20, 0)], [0, 2], id="what is left out hides nothing"
        ),
    ],
)
def test_of_two_boxes_around_one_card_the_better_one_stays(
    boxes: list[tuple[float, float, float, float, float]], kept: list[int]
) -> None:
    every = found(*boxes)
    assert suppressed(every, most_overlap=0.5).scores.tolist() == every.scores[kept].tolist()


def test_a_face_in_whose_place_a_back_may_lie_is_a_card_turned_down() -> None:
    faces = found((50, 50, 90, 60, 0), (250, 50, 90, 60, 0))
    back, shy = found((52, 51, 92, 62, 3)), found((250, 50, 90, 60, 0))
    backs = Detections.joined(
        [Detections(b.corners_px, np.array([BACK]), np.array([s], np.float32)) for b, s in ((back, 0.3), (shy, 0.1))]
    )
    cards = turned_down(faces, backs)
    assert cards.kinds.tolist() == [BACK, FACE]
    assert np.allclose(cards.scores, [0.6, 0.5])


@pytest.mark.parametrize(
    ("box", "others"),
    [
        pytest.param((50, 50, 90, 60, 20), [], id="its angle is clear"),
        pytest.param((50, 50, 90, 60, 130), [(50, 50, 60, 90, 130)], id="it points to where angles begin anew"),
        pytest.param((50, 50, 70, 70, 10), [(50, 50, 59.16, 82.83, 10), (50, 50, 82.83, 59.16, 10)], id="too square"),
    ],
)
def test_a_card_at_whose_angle_the_network_guesses_may_lie_the_other_way(
    box: tuple[float, float, float, float, float], others: list[tuple[float, float, float, float, float]]
) -> None:
    guesses = other_guesses(found(box))
    assert guesses.corners_px == pytest.approx(found(*others).corners_px, abs=0.02)
    assert guesses.scores.tolist() == [found(box).scores[0]] * len(others)


def test_only_a_box_too_square_for_a_card_leaves_open_which_side_is_the_long_one() -> None:
    boxes = found((50, 50, 90, 60, 130), (250, 50, 70, 70, 10), (450, 50, 70, 60, 135))
    assert too_square(boxes).tolist() == [False, True, True]


def test_a_faint_box_is_left_as_it_was_guessed() -> None:
    card = found((50, 50, 90, 60, 130))
    assert len(other_guesses(Detections(card.corners_px, card.kinds, card.scores * np.float32(0.2)))) == 0


def test_suppression_is_that_of_every_pair_looked_at_exactly() -> None:
    rng = np.random.default_rng(5)
    rows = np.concatenate(
        [rng.uniform(0, 200, (120, 2)), rng.uniform(10, 60, (120, 2)), rng.uniform(0, 180, (120, 1))], 1
    )
    every = found(*(tuple(map(float, row)) for row in rows))
    kept: list[int] = []
    for i, corners in enumerate(every.corners_px):
        if all(_overlap(corners, every.corners_px[j]) <= 0.3 for j in kept):
            kept.append(i)
    assert suppressed(every, most_overlap=0.3).scores.tolist() == every.scores[kept].tolist()


def _overlap(first: Points, second: Points) -> float:
    shared, _ = cv2.intersectConvexConvex(first, second)
    return shared / (cv2.contourArea(first) + cv2.contourArea(second) - shared)


def test_a_card_is_found_where_it_lies_in_a_picture_of_any_size() -> None:
    sample = read_picture(next(data_path("datasets/samples").glob("*/enrol-green.jpg")))
    detector = OnnxDetector(data_path("models/detector/detector.onnx"), threads=1)
    middles = []
    for scale in (0.4, 1.0, 2.3):
        image = cv2.resize(sample, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8)
        cards = detector.detect(image, long_side=640, min_score=0.4).of(FACE, BACK)
        middles.append(cards.corners_px[0].mean(0) / scale)
    assert np.ptp(middles, axis=0).max() < 6
