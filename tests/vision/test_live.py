"""A camera that stands still: only where the table has changed is it looked at anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scorekeeper.training import film
from scorekeeper.vision.backs.gallery import Gallery
from scorekeeper.vision.backs.live import Follower
from scorekeeper.vision.backs.memo import Memo
from scorekeeper.vision.detector import BACK, Detections
from scorekeeper.vision.eye import WINDOW_PX, Eye, load_eye
from scorekeeper.vision.geometry import Image
from tests.vision.test_spread import Overlooks

SIZE = (540, 960)


class Watched:
    """The real detector, and how much of a picture it was given."""

    def __init__(self) -> None:
        self.detector = load_eye().detector
        self.pixels = 0

    def detect(self, image, *, long_side=1280, min_score=0.25):
        if image.shape[:2] != (WINDOW_PX, WINDOW_PX):
            self.pixels += image.shape[0] * image.shape[1]
        return self.detector.detect(image, long_side=long_side, min_score=min_score)

    def looked_at(self) -> float:
        """Pictures looked at since it was last asked."""
        share, self.pixels = self.pixels / (SIZE[0] * SIZE[1]), 0
        return share


class Camera:
    """A table under a still camera, and what the follower says of it."""

    def __init__(self) -> None:
        self.empty = film.empty_table(np.random.default_rng(3), SIZE, card_px=95)
        self.cards = film.spread_out(np.random.default_rng(8), self.empty, 15)
        self.grain = film.Grain(np.random.default_rng(2), SIZE, 4.0)
        self.detector = Watched()
        eye = Eye(self.detector, load_eye().reader)
        self.follow = Follower(lambda: eye, Gallery.from_signatures(film.signatures()))

    def shows(self, cards, *, settled=True, light=1.0):
        """What is read of a table with *cards*; whether that is right, and how much of the picture was looked at."""
        table = self.empty.with_cards(cards)
        reading = self.follow(self._taken(table.clean(), settled, light), settled=settled)
        return dict(reading.counts) == dict.fromkeys(film.DESIGNS, 0) | dict(table.counts), self.detector.looked_at()

    def _taken(self, picture: Image, settled: bool, light: float) -> Image:
        frames = [self.grain.on((picture * light).astype(np.uint8)) for _ in range(6 if settled else 1)]
        return np.mean(frames, 0).astype(np.uint8)


@pytest.fixture
def camera() -> Camera:
    return Camera()


def test_a_card_more_is_counted_by_looking_at_its_place_alone(camera):
    right, looked_at = camera.shows(camera.cards[:11])
    assert right
    assert looked_at > 1
    for count in (12, 13, 14):
        right, looked_at = camera.shows(camera.cards[:count])
        assert right
        assert 0 < looked_at < 0.4


def test_a_card_taken_away_no_longer_counts(camera):
    camera.shows(camera.cards)
    right, looked_at = camera.shows(camera.cards[:4] + camera.cards[5:])
    assert right
    assert looked_at < 0.4


def test_a_card_that_was_moved_counts_once(camera):
    camera.shows(camera.cards[:11])
    moved = [*camera.cards[:10], replace(camera.cards[10], x=camera.cards[13].x, y=camera.cards[13].y)]
    assert camera.shows(moved)[0]


def test_where_nothing_changes_nothing_is_looked_at_but_once_more_without_the_noise(camera):
    camera.shows(camera.cards, settled=False)
    assert camera.shows(camera.cards, settled=False) == (True, 0.0)
    right, looked_at = camera.shows(camera.cards)
    assert right
    assert looked_at > 1
    assert camera.shows(camera.cards) == (True, 0.0)


def test_all_is_looked_at_anew_in_another_light_after_many_cards_and_when_told_to(camera):
    camera.shows(camera.cards[:6])
    assert camera.shows(camera.cards[:6], light=0.8)[1] > 1
    assert camera.shows(camera.cards)[1] > 1
    camera.follow.forget()
    right, looked_at = camera.shows(camera.cards)
    assert right
    assert looked_at > 1


def test_a_table_without_cards_shows_none_and_the_first_card_is_found(camera):
    assert camera.shows([])[0]
    assert camera.shows(camera.cards[:1])[0]
    assert camera.shows([])[0]


def test_a_card_that_was_overlooked_counts_once_the_picture_is_settled(camera):
    eye = Eye(Overlooks(camera.empty.outline(camera.cards[6]).mean(0), SIZE), load_eye().reader)
    camera.follow = Follower(lambda: eye, Gallery.from_signatures(film.signatures()))
    assert not camera.shows(camera.cards, settled=False)[0]
    assert camera.shows(camera.cards)[0]


CARD = np.float32([[400, 400], [400, 550], [500, 550], [500, 400]])


class Aside:
    """A detector that finds one card in every window, a little smaller than CARD and aside."""

    def detect(self, image, *, long_side=1280, min_score=0.25):
        left, top = (image.shape[1] - 40) / 2 - 47, (image.shape[0] - 40) / 2 - 50  # of the card, by what changed
        corners = np.float32([[0, 0], [0, 140], [80, 140], [80, 0]]) + np.float32([left, top])
        return Detections(corners[None], np.array([BACK]), np.array([0.8], np.float32))


def test_a_card_whose_middle_changes_is_not_lost_when_it_is_found_aside():
    again = seen_again(Aside(), [445, 450, 485, 490])
    assert again.scores.tolist() == [pytest.approx(0.8)]
    assert again.corners_px.mean(1)[0][0] < 445


class Blind:
    """A detector that finds nothing."""

    def detect(self, image, *, long_side=1280, min_score=0.25):
        return Detections.none()


@pytest.mark.parametrize(("changed", "cards"), [([440, 450, 480, 490], 0), ([480, 450, 520, 490], 1)])
def test_a_card_goes_when_its_middle_changes_and_stays_when_only_its_edge_does(changed, cards):
    assert len(seen_again(Blind(), changed)) == cards


def seen_again(detector, changed):
    """What is found where CARD was known, and the picture changed in this box."""
    known = Detections(CARD[None], np.array([BACK]), np.array([0.9], np.float32))
    eye = Eye(detector, load_eye().reader)
    return eye.look_again(np.zeros((1080, 1920, 3), np.uint8), known, np.float32([changed]))


def test_what_is_known_of_a_place_is_forgotten_where_the_picture_changes_and_where_nobody_asks():
    image = np.full((*SIZE, 3), 90, np.uint8)
    near, far = (np.float32([[0, 0], [60, 0], [60, 90], [0, 90]]) + shift for shift in (100, 400))
    memo, asked = Memo(image), []

    def once(*outlines):
        return memo.once(["where"] * len(outlines), outlines, lambda new: [asked.append(n) or n for n in new])

    memo.refined(np.stack([near, far]), 90.0)
    assert once(near, far) == [0, 1]
    assert once(far, near) == [1, 0]
    assert asked == [0, 1]
    memo.changed(image, np.float32([[150, 150, 200, 200]]))
    assert once(near, far) == [0, 1]
    assert asked == [0, 1, 0]
    memo.changed(image, np.zeros((0, 4), np.float32))
    once(near)
    memo.changed(image, np.zeros((0, 4), np.float32))
    once(far)
    assert asked == [0, 1, 0, 0]
