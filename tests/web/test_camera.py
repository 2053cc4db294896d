"""The set-up check: one list for a live camera, a photo or the sample, with what to do beside what is wrong."""

from __future__ import annotations

import io

import pytest

from scorekeeper.rules.view import Point

GERMAN = {"Accept-Language": "de"}


def photo_of(data):
    return {"picture": (io.BytesIO(data), "table.jpg")}


def test_the_table_camera_is_looked_through_at_once(client, game_id):
    page = client.get(f"/g/{game_id}/camera").text
    assert "data:image/jpeg;base64," in page
    assert "<polygon" in page
    assert "Near enough" in page


def test_what_is_wrong_comes_with_what_to_do(client, eye, game_id):
    eye.good = {Point.SHARP: False, Point.TILT: None}
    page = client.get(f"/g/{game_id}/camera").text
    assert "1 thing to put right" in page
    assert "Wait for the focus" in page
    assert "Four whole cards are needed to tell" in page
    assert "Bring the camera nearer" not in page


def test_a_page_that_stays_gets_the_picture_and_the_list_anew(client, eye, game_id):
    eye.good = {Point.GLARE: False}
    told = client.get(f"/g/{game_id}/camera/now").json
    assert told["picture"].startswith("data:image/jpeg;base64,")
    assert told["size"] == [640, 480]
    assert "until the shine is off" in told["list"]
    assert "<polygon" in told["marks"]


def test_a_frame_of_a_phone_is_judged_without_a_page(client, game_id, photo):
    told = client.post(f"/g/{game_id}/camera", data={"live": "1", **photo_of(photo)}).json
    assert "Near enough" in told["list"]
    assert told["trouble"] == ""


def test_a_photo_is_judged_without_javascript(client, eye, game_id, photo):
    eye.camera = None
    assert "This server has no camera of its own" in client.get(f"/g/{game_id}/camera").text
    page = client.post(f"/g/{game_id}/camera", data=photo_of(photo)).text
    assert "Near enough" in page


def test_the_sample_can_be_tried(client, game_id):
    assert "Near enough" in client.post(f"/g/{game_id}/camera", data={"sample": "1"}).text


@pytest.mark.parametrize("live", [{}, {"live": "1"}])
def test_a_broken_picture_is_refused_in_one_sentence(client, game_id, live):
    answer = client.post(f"/g/{game_id}/camera", data={**live, **photo_of(b"no picture")})
    assert answer.status_code == 422
    assert "The picture is no image" in answer.text


def test_a_camera_that_is_gone_is_said_and_a_photo_remains(client, eye, game_id):
    eye.unplugged = True
    page = client.get(f"/g/{game_id}/camera")
    assert page.status_code == 200
    assert "The camera was unplugged" in page.text
    assert 'name="picture"' in page.text
    assert client.get(f"/g/{game_id}/camera/now").json["trouble"] == "The camera was unplugged."


def test_decks_that_look_alike_stand_in_the_list(client, eye, game_id):
    eye.alike = ["the backs of 'red' and 'blue' are too alike"]
    page = client.get(f"/g/{game_id}/camera").text
    assert "The backs of &#39;red&#39; and &#39;blue&#39; are too alike." in page


def test_decks_that_were_not_shown_are_no_error(client, game_id):
    page = client.get(f"/g/{game_id}/camera").text
    assert "0 of 2 decks are known." in page
    assert "Everything looks fine." in page


def test_numbers_have_the_readers_decimal_mark(client, game_id):
    assert "20.0 % of its length" in client.get(f"/g/{game_id}/camera").text


def test_a_table_without_an_eye_is_told_so(typed_app, game_id):
    phone = typed_app.test_client()
    phone.post("/sign-in", data={"pin": "271828"})
    assert "Photos can't be read on this server" in phone.get(f"/g/{game_id}/camera").text


def test_watchers_are_asked_to_sign_in(watcher, game_id):
    assert watcher.get(f"/g/{game_id}/camera").location.startswith("/sign-in")
    assert watcher.post(f"/g/{game_id}/camera", data={"sample": "1"}).status_code == 403


def test_a_game_that_is_not_there_has_no_camera(client):
    assert client.get("/g/nowhere/camera").status_code == 404
