"""Setting up the camera: what is wrong with a picture is said, and nothing is said where all is well."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorekeeper.resources import data_path
from scorekeeper.rules.view import Point, View
from scorekeeper.vision.camera.setup import check_view
from scorekeeper.vision.camera.sources import read_picture
from scorekeeper.vision.eye import load_eye
from scorekeeper.vision.geometry import Image

HAND = data_path("datasets/samples/hand1")


def table(name: str = "spread-1.jpg") -> Image:
    return read_picture(HAND / name)


def checked(image: Image) -> View:
    return check_view(image, load_eye())


def wrong(view: View) -> set[Point]:
    return {remark.point for remark in view.remarks if remark.good is False}


def aslant(image: Image, degrees: float) -> Image:
    """The same table seen by a camera that was moved to one side and looks at its middle."""
    height, width = image.shape[:2]
    focal, turn = 1.1 * width, np.deg2rad(degrees)
    camera = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    pose = np.array([[1, 0, 0], [0, np.cos(turn), 0], [0, np.sin(turn), 1.35 * focal]])
    to_table = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    seen = cv2.warpPerspective(image, camera @ pose @ to_table, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return seen.astype(np.uint8, copy=False)


def shining(image: Image, at: tuple[int, int], radius: int) -> Image:
    """A lamp mirrored on the cards."""
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    light = 220 * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (0.5 * radius**2))
    return np.clip(image + light[..., None], 0, 255).astype(np.uint8)


@pytest.mark.parametrize("name", ["lake.jpg", "spread-1.jpg", "spread-2.jpg", "fan-ben.jpg", "decks.jpg"])
def test_nothing_is_wrong_with_a_good_picture(name):
    assert wrong(checked(table(name))) == set()


def test_a_good_picture_of_the_whole_table_is_good_in_every_point():
    view = checked(table("lake.jpg"))
    assert view.good
    assert len(view.boxes) == 8
    assert view.size == (1920, 1080)
    assert [remark.point for remark in view.remarks] == list(Point)


def test_a_blurred_picture_is_not_sharp():
    assert Point.SHARP in wrong(checked(cv2.GaussianBlur(table(), (0, 0), 4)))


def test_a_dark_picture_is_not_bright_enough():
    noise = np.random.default_rng(1).normal(0, 4, table().shape)
    assert Point.BRIGHT in wrong(checked(np.clip(0.2 * table() + noise, 0, 255).astype(np.uint8)))


def test_a_picture_that_is_too_bright_loses_the_colours():
    assert Point.BLOWN in wrong(checked(np.clip(2.2 * table().astype(float), 0, 255).astype(np.uint8)))


@pytest.mark.parametrize("radius", [150, 250])
def test_a_mirrored_lamp_is_seen_on_its_card(radius):
    view = checked(shining(table(), (700, 350), radius))
    assert wrong(view) == {Point.GLARE}
    assert 1 <= view.remark(Point.GLARE).value <= 3


def test_cards_that_the_edge_cuts_are_counted():
    view = checked(np.ascontiguousarray(table()[:, 250:]))
    assert Point.WHOLE in wrong(view)
    assert view.remark(Point.WHOLE).value >= 2


def test_a_camera_that_looks_from_the_side_looks_aslant():
    assert Point.TILT in wrong(checked(aslant(table("lake.jpg"), 50)))


def test_cards_far_away_are_too_small():
    view = checked(cv2.resize(table("lake.jpg"), None, fx=0.35, fy=0.35, interpolation=cv2.INTER_AREA))
    assert wrong(view) == {Point.SIZE}
    assert 10 < view.remark(Point.SIZE).value < 20


def test_an_empty_table_tells_nothing_but_that_cards_are_missing():
    cloth = np.full((480, 640, 3), (60, 140, 70), np.uint8)
    view = checked(cloth)
    assert wrong(view) == {Point.CARDS}
    assert all(remark.good is None for remark in view.remarks if remark.point is not Point.CARDS)


def test_a_covered_lens_is_dark():
    assert wrong(checked(np.zeros((480, 640, 3), np.uint8))) == {Point.CARDS, Point.BRIGHT}


def test_one_card_does_not_tell_how_the_camera_looks_at_the_table():
    assert checked(table("enrol-red.jpg")).remark(Point.TILT).good is None
