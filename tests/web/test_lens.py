"""The page of the table's camera: the scorekeeper chooses while the server runs, and the choice is kept."""

from __future__ import annotations

import io
import stat
from dataclasses import replace

import numpy as np
import pytest

from scorekeeper.errors import CameraError
from scorekeeper.watch import PHONE, CameraChoice, EyeProcess
from web import create_app
from web.lens import CHOSEN, Lens

SECRET = "http://amy:hunter2@192.168.1.20:8080/video"


def choose(phone, **form):
    return phone.post("/camera", data={"source": "address", **form})


def test_the_scorekeeper_chooses_a_camera_its_rotation_and_its_size(client, eye, settings):
    answer = choose(client, address="http://192.168.1.20:8080/video", rotate="90", size="2560x1440")
    assert answer.status_code == 303
    assert eye.choice == CameraChoice("http://192.168.1.20:8080/video", 90, (2560, 1440))
    page = client.get("/camera").text
    assert 'value="90" checked' in page
    assert '<option value="2560x1440" selected' in page
    assert Lens.of(settings).at_start() == eye.choice, "the next start has it, too"


def test_a_server_started_with_another_camera_takes_that_one(client, settings):
    choose(client, address="http://192.168.1.20:8080/video", rotate="180")
    assert Lens.of(replace(settings, camera="0")).at_start() == CameraChoice("0")


def test_a_password_of_the_camera_is_shown_nowhere_and_kept(client, eye, settings):
    choose(client, address=SECRET)
    assert eye.choice.source == SECRET
    for path in ("/camera", "/status"):
        assert "hunter2" not in client.get(path).text
    choose(client, address="http://192.168.1.20:8080/video", rotate="270")
    assert eye.choice == CameraChoice(SECRET, 270)
    assert stat.S_IMODE((settings.data_dir / CHOSEN).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "typed", ["", "192.168.1.20", "/etc", "file:///etc/passwd", "http://", "http://[x", "ftp://a/b"]
)
def test_what_is_no_camera_of_the_network_is_refused_beside_its_field(client, eye, typed):
    before = eye.choice
    answer = choose(client, address=typed)
    assert answer.status_code == 422
    assert "type the whole address" in answer.text.lower()
    assert f'value="{typed}"' in answer.text
    assert eye.choice == before


@pytest.mark.parametrize("port", ["0", "65536", "999999", "http"])
def test_a_port_that_can_not_be_is_refused_beside_its_field(client, eye, port):
    before = eye.choice
    answer = choose(client, address=f"http://192.168.1.20:{port}/video")
    assert answer.status_code == 422
    assert "A port is a number from 1 to 65535" in answer.text
    assert f'value="http://192.168.1.20:{port}/video"' in answer.text
    assert eye.choice == before


@pytest.mark.parametrize("source", ["device.77", "device./etc", "/root", "device.", "x"])
def test_a_camera_that_is_not_there_is_refused(client, eye, source):
    before = eye.choice
    assert client.post("/camera", data={"source": source}).status_code == 422
    assert eye.choice == before


def test_a_folder_can_be_chosen_again_only_where_the_server_was_started_with_it(book, eye, settings, pin):
    phone = create_app(book, eye, replace(settings, camera="datasets/samples")).test_client()
    phone.post("/sign-in", data={"pin": pin})
    assert "datasets/samples" in phone.get("/camera").text
    phone.post("/camera", data={"source": "none"})
    assert eye.choice.source is None
    phone.post("/camera", data={"source": "started"})
    assert eye.choice.source == "datasets/samples"


def test_a_damaged_choice_is_set_aside(settings):
    (settings.data_dir / CHOSEN).write_text("{no")
    assert Lens.of(settings).at_start() == CameraChoice(None)


def test_the_page_shows_what_the_camera_shows_or_why_not(client, eye):
    assert client.get("/camera/picture").mimetype == "image/jpeg"
    eye.unplugged = True
    answer = client.get("/camera/picture")
    assert answer.status_code == 503
    assert answer.text == "The camera was unplugged."


def test_only_the_phone_that_started_last_is_the_camera(client, eye, photo):
    def send(token, data=photo):
        return client.post("/camera/phone/picture", data={"token": token, "picture": (io.BytesIO(data), "a.jpg")})

    assert send("").status_code == 422
    first, second = (client.post("/camera/phone").json["token"] for _ in "12")
    assert eye.choice.source == PHONE
    assert send(first).json["trouble"].startswith("Another phone is the camera now")
    assert send(second).json == {"trouble": ""}
    assert eye.fed == [photo]
    assert "gives no picture" in send(second, b"no picture").json["trouble"]


def test_a_watcher_sees_nothing_of_it(watcher, game_id):
    for path in ("/camera", "/camera/picture", "/camera/phone", "/camera/phone.svg"):
        assert watcher.get(path).status_code == 303
    for path in ("/camera", "/camera/phone", "/camera/phone/picture"):
        assert watcher.post(path).status_code == 403


# The camera's own process


def test_the_camera_changes_while_the_eye_runs(tmp_path, camera):
    camera.show([np.full((48, 64, 3), 90, np.uint8)])
    eye = EyeProcess(str(tmp_path))
    try:
        with pytest.raises(CameraError, match="no picture that can be read"):
            eye.snapshot()
        eye.use(CameraChoice(camera.address))
        assert eye.snapshot().startswith(b"\xff\xd8\xff")
        with pytest.raises(CameraError, match="another camera was chosen"):
            eye.feed(b"")
        eye.use(CameraChoice(PHONE))
        assert "sends no picture" in eye.condition()["camera"].trouble
        with pytest.raises(CameraError, match="sends no picture"):
            eye.snapshot()
        eye.use(CameraChoice(None))
        with pytest.raises(CameraError, match="has no camera"):
            eye.snapshot()
    finally:
        eye.close()
