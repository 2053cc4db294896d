"""A phone's camera by MJPEG: another size mid-stream, frozen, unplugged; and pictures of any source, turned."""

from __future__ import annotations

import numpy as np
import pytest

from scorekeeper.vision.camera.sources import Patience, encode_jpeg, is_live, open_camera, open_newest

PATIENT = Patience(first_s=60, next_s=60, attempts=100, pause_s=0.05)


def corner(shade: int, size: tuple[int, int] = (240, 320)) -> np.ndarray:
    """A grey picture whose top left quarter has *shade*."""
    picture = np.full((*size, 3), 90, np.uint8)
    picture[: size[0] // 2, : size[1] // 2] = shade
    return picture


def test_a_picture_that_changes_its_size_mid_stream_keeps_its_own_shape(camera):
    camera.show([corner(200)])
    with open_camera(camera.address, PATIENT) as frames:
        assert next(frames)[10, 10].mean() > 180
        camera.show([corner(20, (480, 640))])
        changed = next(frame for frame in (next(frames) for _ in range(500)) if frame[10, 10].mean() < 60)
        assert changed.shape == (480, 640, 3)


def test_an_unplugged_phone_is_seen_again_once_it_is_back(camera):
    camera.show([corner(200)])
    with open_newest(camera.address, PATIENT) as newest:
        number, _ = newest.wait(after=0, timeout_s=60)
        camera.unplug()
        while (found := newest.peek(after=number, timeout_s=0.5)) is not None:
            number, _ = found
        camera.show([corner(20)])
        camera.plug_in()
        number, frame = newest.wait(after=number, timeout_s=60)
        assert frame[10, 10].mean() < 60


def test_every_frame_of_a_lens_differs_and_a_frozen_one_repeats(camera):
    camera.show([corner(200)])
    with open_camera(camera.address, PATIENT) as frames:
        assert not np.array_equal(next(frames), next(frames))
        camera.freeze()
        assert any(np.array_equal(next(frames), next(frames)) for _ in range(100))


@pytest.mark.parametrize(
    ("rotate", "bright"), [(0, "top left"), (90, "top right"), (180, "bottom right"), (270, "bottom left")]
)
def test_a_camera_that_hangs_askew_is_turned_clockwise(tmp_path, rotate, bright):
    (tmp_path / "a.jpg").write_bytes(encode_jpeg(corner(240)))
    with open_camera(str(tmp_path), Patience(picture_s=0.05), rotate=rotate) as frames:
        frame = next(frames)
    assert frame.shape == ((240, 320, 3) if rotate in (0, 180) else (320, 240, 3))
    spots = {"top left": (9, 9), "top right": (9, -9), "bottom right": (-9, -9), "bottom left": (-9, 9)}
    assert [name for name, (y, x) in spots.items() if frame[y, x].mean() > 200] == [bright]


@pytest.mark.parametrize(
    ("source", "live"), [(0, True), ("1", True), ("/dev/video0", True), ("rtsp://camera", True), ("film.avi", False)]
)
def test_a_lens_is_known_from_a_film(source, live):
    assert is_live(source) is live
