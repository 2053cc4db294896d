"""Watchers watch; the PIN makes a scorekeeper; other sites can't write."""

from __future__ import annotations

import pytest

from web.slowdown import Slowdown

WRITES = ["/start", "/g/{}/hand", "/g/{}/hand/draft", "/g/{}/hand/lake", "/g/{}/undo", "/g/{}/decks/amy"]


@pytest.mark.parametrize("path", WRITES)
def test_a_watcher_can_not_write(watcher, book, game_id, path):
    answer = watcher.post(path.format(game_id), data={"version": "1", "lake.amy": "50"})
    assert answer.status_code == 403
    assert "Only the scorekeeper can change the game" in answer.text
    assert book.version(game_id) == 1


@pytest.mark.parametrize("path", ["/start", "/g/{}/hand", "/g/{}/undo", "/g/{}/decks"])
def test_a_watcher_is_asked_to_sign_in_and_led_back(watcher, game_id, pin, path):
    asked = watcher.get(path.format(game_id))
    assert asked.status_code == 303
    form = watcher.get(asked.location)
    assert "Keep score" in form.text
    entered = watcher.post("/sign-in", data={"pin": pin, "next": path.format(game_id)})
    assert entered.location == path.format(game_id)
    assert watcher.get(entered.location).status_code == 200


def test_a_wrong_pin_opens_nothing(watcher, game_id):
    answer = watcher.post("/sign-in", data={"pin": "000000", "who": "Eve"})
    assert answer.status_code == 403
    assert "That is not the PIN" in answer.text
    assert 'value="Eve"' in answer.text
    assert watcher.get(f"/g/{game_id}/hand").status_code == 303


def test_many_wrong_pins_must_wait_and_the_right_one_too(watcher, pin):
    for _ in range(3):
        watcher.post("/sign-in", data={"pin": "000000"})
    answer = watcher.post("/sign-in", data={"pin": pin})
    assert answer.status_code == 429
    assert "Wait 2 seconds" in answer.text


def test_each_further_wrong_pin_doubles_the_wait():
    now = [0.0]
    slowdown = Slowdown(clock=lambda: now[0])
    waits = []
    for _ in range(10):
        slowdown.wrong("phone")
        waits.append(slowdown.wait_s("phone"))
    assert waits == [0, 0, 2, 4, 8, 16, 32, 60, 60, 60]
    assert slowdown.wait_s("another phone") == 0
    now[0] = 60.0
    assert slowdown.wait_s("phone") == 0


def test_guessing_from_many_addresses_slows_everybody_down():
    slowdown = Slowdown(clock=lambda: 0.0)
    for number in range(30):
        slowdown.wrong(f"phone {number}")
    assert slowdown.wait_s("a new phone") > 0


def test_signing_out_makes_a_watcher(client, game_id):
    client.post("/sign-out")
    assert client.get(f"/g/{game_id}/hand").status_code == 303


def test_another_pin_ends_old_sessions(client, book, settings, game_id):
    from dataclasses import replace

    from web import create_app

    other = create_app(book, None, replace(settings, pin="999999")).test_client()
    other.set_cookie("scorekeeper", client.get_cookie("scorekeeper").value)
    assert other.get(f"/g/{game_id}/hand").status_code == 303


def test_a_server_without_a_pin_makes_one_up(book, settings):
    from dataclasses import replace

    from web import create_app

    app = create_app(book, None, replace(settings, pin=None))
    assert app.test_client().post("/sign-in", data={"pin": app.config["PIN"]}).status_code == 303
    assert app.test_client().post("/sign-in", data={"pin": "None"}).status_code == 403


@pytest.mark.parametrize("way", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_signing_in_leads_to_no_other_site(watcher, pin, way):
    assert watcher.post("/sign-in", data={"pin": pin, "next": way}).status_code == 400


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"Origin": "https://evil.example"}, id="another origin"),
        pytest.param({"Origin": "null"}, id="a hidden origin"),
        pytest.param({"Sec-Fetch-Site": "cross-site"}, id="the browser says cross-site"),
        pytest.param({"Sec-Fetch-Site": "same-site"}, id="another port of this machine"),
        pytest.param({"Referer": "https://evil.example/page"}, id="another referrer"),
    ],
)
def test_another_site_can_not_write_in_the_scorekeepers_name(client, book, game_id, hand, headers):
    answer = client.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 9/3"), headers=headers)
    assert answer.status_code == 403
    assert "another site" in answer.text
    assert book.version(game_id) == 1


def test_the_own_site_can_write(client, game_id, hand):
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert client.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 9/3"), headers=headers).status_code == 303


def test_the_cookie_stays_with_this_site(watcher, pin):
    cookie = watcher.post("/sign-in", data={"pin": pin}).headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_the_key_of_the_cookies_is_kept_for_its_owner(app, settings):
    key = settings.data_dir / "secret.key"
    assert key.stat().st_mode & 0o077 == 0
    assert len(key.read_bytes()) == 32
