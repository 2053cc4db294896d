"""The referee's eye keeps the last seconds, in bounds, and what a real camera process shows."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.errors import CameraError, NotFoundError
from scorekeeper.vision.camera.sources import decode_picture
from scorekeeper.watch.process import EyeProcess
from scorekeeper.watch.recall import Recall, Ring, Span

PATIENCE_S = 60.0


def test_at_first_there_is_nothing_to_watch():
    ring = Ring(Span())
    assert (ring.moments(), ring.size) == ((), 0)
    with pytest.raises(NotFoundError):
        ring.picture(1)


@given(st.lists(st.tuples(st.floats(0.01, 5), st.integers(1, 400)), max_size=60))
def test_no_more_than_the_seconds_and_the_bytes_are_kept(steps):
    ring, at_s = Ring(Span(seconds=10, most_bytes=1000)), 0.0
    pictures = {}
    for number, (step, size) in enumerate(steps, 1):
        at_s += step
        pictures[number] = bytes([number % 256]) * size
        ring.add(at_s, pictures[number])
    moments = ring.moments()
    assert ring.size == sum(len(ring.picture(moment.number)) for moment in moments) <= 1000
    assert all(0 <= moment.before_s <= 10 for moment in moments)
    assert [moment.number for moment in moments] == [*range(len(steps) - len(moments) + 1, len(steps) + 1)]
    assert all(ring.picture(moment.number) == pictures[moment.number] for moment in moments)


def test_a_forgotten_picture_never_comes_back_as_another():
    ring = Ring(Span())
    ring.add(1.0, b"one")
    ring.clear()
    ring.add(2.0, b"two")
    assert [moment.number for moment in ring.moments()] == [2]
    with pytest.raises(NotFoundError):
        ring.picture(1)


def wait_for(what: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.02)


def test_a_camera_that_breaks_leaves_what_it_has_shown():
    frames = iter([(1, np.full((90, 160, 3), 200, np.uint8))])

    def peek(_after: int, _timeout_s: float) -> tuple[int, np.ndarray]:
        frame = next(frames, None)
        if frame is None:
            raise CameraError("unplugged")
        return frame

    recall = Recall(Span(per_second=1000))
    recall.start(peek, afresh=True)
    wait_for(recall.moments)
    assert decode_picture(recall.picture(1)).shape == (90, 160, 3)


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Four seconds of film, larger than what is kept."""
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25, (1920, 1080))
    for number in range(100):
        writer.write(np.full((1080, 1920, 3), 2 * number, np.uint8))
    writer.release()
    return path


def test_a_camera_process_keeps_what_it_sees_until_it_is_told_to_stop(film):
    with EyeProcess(str(film)) as eye:
        assert eye.moments() == ()
        eye.record(True, afresh=True)
        wait_for(lambda: len(eye.moments()) >= 4)
        eye.record(False)
        kept = eye.moments()
        assert decode_picture(eye.moment(kept[0].number)).shape == (720, 1280, 3)
        assert kept[-1].before_s == 0
        assert [each.before_s for each in kept] == sorted((each.before_s for each in kept), reverse=True)
        assert eye.snapshot()
        assert eye.moments() == kept, "nothing is added once play has stopped"
        eye.record(True)
        wait_for(lambda: len(eye.moments()) > len(kept))
        eye.record(True, afresh=True)
        assert all(each.number > kept[-1].number for each in eye.moments())
        with pytest.raises(NotFoundError):
            eye.moment(kept[0].number)


def test_without_a_camera_nothing_is_kept_and_nothing_breaks():
    with EyeProcess() as eye:
        eye.record(True, afresh=True)
        assert eye.moments() == ()
        with pytest.raises(NotFoundError):
            eye.moment(1)
