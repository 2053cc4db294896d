"""Watchers watch; the PIN makes a scorekeeper; other sites can't write."""

from __future__ import annotations

import re
import socket
import time
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from web import create_app
from web.sessions import LASTS_S, Sessions
from web.slowdown import MOST, Caller, Slowdown

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


def sign_in_from(phone, address, pin, **headers):
    return phone.post("/sign-in", data={"pin": pin}, environ_overrides={"REMOTE_ADDR": address}, headers=headers)


def test_many_wrong_pins_must_wait_and_the_right_one_too(watcher, pin):
    for _ in range(3):
        sign_in_from(watcher, "192.168.1.7", "000000")
    answer = sign_in_from(watcher, "192.168.1.7", pin)
    assert answer.status_code == 429
    assert "Wait 2 seconds" in answer.text


def test_typos_of_many_phones_keep_nobody_out(app, pin):
    for number in range(1, 61):
        assert sign_in_from(app.test_client(), f"192.168.1.{number}", "314159").status_code == 403
    assert sign_in_from(app.test_client(), "192.168.1.77", pin).status_code == 303


def test_one_who_guesses_keeps_nobody_else_out(app, pin):
    for _ in range(200):
        sign_in_from(app.test_client(), "192.168.1.66", "314159")
    assert sign_in_from(app.test_client(), "192.168.1.66", pin).status_code == 429
    assert sign_in_from(app.test_client(), "192.168.1.7", pin).status_code == 303


def test_mistyped_player_codes_are_no_wrong_pins(app, game_id, pin):
    there = {"REMOTE_ADDR": "192.168.1.7"}
    for _ in range(5):
        app.test_client().post(
            f"/g/{game_id}/play/join", data={"code": "nonono", "side": "amy"}, environ_overrides=there
        )
    assert sign_in_from(app.test_client(), "192.168.1.7", pin).status_code == 303


def test_while_a_crowd_guesses_the_true_scorekeeper_gets_in(app, client, pin):
    """From the server's own machine, and from a phone that has kept score before."""
    sign_in_from(client, "192.168.1.7", pin)
    client.post("/sign-out")
    for number in range(150):
        sign_in_from(app.test_client(), f"10.0.{number}.1", "314159")
    assert sign_in_from(app.test_client(), "192.168.1.8", pin).status_code == 429
    assert sign_in_from(client, "192.168.1.8", pin).status_code == 303
    assert sign_in_from(app.test_client(), "127.0.0.1", pin).status_code == 303


def test_a_known_browser_that_guesses_waits_as_well(app, client):
    answers = {sign_in_from(client, f"192.168.1.{number}", "314159").status_code for number in range(9)}
    assert answers == {403, 429}


def test_a_proxy_is_believed_only_where_the_settings_tell_of_one(book, settings, pin):
    def waits(forwarded: str, by: str, **told: object) -> bool:
        app = create_app(book, None, replace(settings, **told))
        for _ in range(3):
            sign_in_from(app.test_client(), by, "314159", **{"X-Forwarded-For": "203.0.113.9"})
        return sign_in_from(app.test_client(), by, pin, **{"X-Forwarded-For": forwarded}).status_code == 429

    other, base = "203.0.113.10", {"base_url": "http://score.example"}
    assert waits(other, "127.0.0.1"), "somebody on this machine makes names up"
    assert waits(other, "192.168.1.7", **base), "a phone that does not come through the proxy"
    assert not waits(other, "127.0.0.1", **base)
    assert waits("203.0.113.9", "127.0.0.1", **base)


def test_who_comes_through_a_proxy_is_not_on_the_servers_machine(book, settings, pin):
    app = create_app(book, None, replace(settings, base_url="http://score.example"))
    for _ in range(3):
        sign_in_from(app.test_client(), "127.0.0.1", "314159", **{"X-Forwarded-For": "6.6.6.6, 203.0.113.9"})
    answers = [
        sign_in_from(app.test_client(), "127.0.0.1", pin, **{"X-Forwarded-For": f"7.7.7.7, {address}"}).status_code
        for address in ("203.0.113.9", "203.0.113.10")
    ]
    assert answers == [429, 303]


def test_a_wrong_pin_is_logged_without_the_pin(app, caplog):
    sign_in_from(app.test_client(), "192.168.1.7", "314159")
    assert "wrong PIN from 192.168.1.7" in caplog.text
    assert "314159" not in caplog.text


def test_each_further_wrong_pin_doubles_the_wait():
    now = [0.0]
    slowdown, phone = Slowdown(clock=lambda: now[0]), Caller("phone")
    waits = []
    for _ in range(10):
        slowdown.wrong(phone)
        waits.append(slowdown.wait_s(phone))
    assert waits == [0, 0, 2, 4, 8, 16, 32, 60, 60, 60]
    assert slowdown.wait_s(Caller("another phone")) == 0
    now[0] = 60.0
    assert slowdown.wait_s(phone) == 0


def test_wrong_pins_are_forgotten_one_by_one():
    now = [0.0]
    slowdown, phone = Slowdown(clock=lambda: now[0]), Caller("phone")
    for _ in range(6):
        slowdown.wrong(phone)
    assert slowdown.wait_s(phone) == 16
    now[0] = 240.0
    slowdown.wrong(phone)
    assert slowdown.wait_s(phone) == 2


def test_no_number_of_callers_fills_the_memory():
    slowdown = Slowdown(clock=lambda: 0.0)
    for number in range(3 * MOST):
        slowdown.wrong(Caller(f"phone {number}"))
    assert len(slowdown._wrong) <= MOST


def test_signing_out_makes_a_watcher(client, game_id):
    client.post("/sign-out")
    assert client.get(f"/g/{game_id}/hand").status_code == 303


def test_another_pin_ends_old_sessions(client, book, settings, game_id, pass_cookie):
    other = create_app(book, None, replace(settings, pin="999999")).test_client()
    pass_cookie(client, other)
    assert other.get(f"/g/{game_id}/hand").status_code == 303


def test_a_server_without_a_pin_makes_one_up(book, settings):
    app = create_app(book, None, replace(settings, pin=None))
    assert app.test_client().post("/sign-in", data={"pin": app.config["PIN"]}).status_code == 303
    assert app.test_client().post("/sign-in", data={"pin": "None"}).status_code == 403


@pytest.mark.parametrize(
    "way",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "/\t/evil.example",
        "/\n/evil.example",
        "/\r//evil.example",
        "\t//evil.example",
        "/\x00/evil.example",
        "/\u2028/evil.example",
        "evil.example",
        "///evil.example",
        "/g\\..\\\\evil.example",
    ],
)
@pytest.mark.parametrize("path", ["/sign-in", "/language"])
def test_no_page_leads_to_another_site(watcher, client, pin, path, way):
    assert watcher.post(path, data={"pin": pin, "language": "de", "next": way}).status_code == 400
    assert client.get("/sign-in", query_string={"next": way}).status_code == 400


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"Origin": "https://evil.example"}, id="another origin"),
        pytest.param({"Origin": "null"}, id="a hidden origin"),
        pytest.param({"Origin": "http://["}, id="an origin that is no address"),
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


def test_the_cookie_says_nothing_of_the_pin(app, pin):
    """Two sign-ins with one PIN give cookies that have nothing in common, so no guess can be checked against one."""
    marks = []
    for _ in range(2):
        phone = app.test_client()
        phone.post("/sign-in", data={"pin": pin})
        cookie = phone.get_cookie(app.config["SESSION_COOKIE_NAME"]).value
        marks.append(app.session_interface.get_signing_serializer(app).loads(cookie))
    assert set(marks[0]) == {"_permanent", "browser", "token", "keeper", "who", "seats"}
    assert marks[0]["keeper"] != marks[1]["keeper"]
    assert marks[0]["token"] != marks[1]["token"]


def test_signing_out_ends_every_copy_of_the_cookie(app, client, game_id, pass_cookie):
    copy = app.test_client()
    pass_cookie(client, copy)
    assert copy.get(f"/g/{game_id}/hand").status_code == 200
    client.post("/sign-out")
    assert copy.get(f"/g/{game_id}/hand").status_code == 303
    assert copy.post(f"/g/{game_id}/undo", data={"version": "1"}).status_code == 403


def test_a_clock_that_is_set_back_an_hour_signs_nobody_out(app, pin, game_id, monkeypatch):
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 3600)
    phone = app.test_client()
    phone.post("/sign-in", data={"pin": pin})
    monkeypatch.undo()
    assert phone.get(f"/g/{game_id}/hand").status_code == 200


def test_a_session_ends_after_a_month(book):
    now = [0.0]
    sessions = Sessions(book.shelf, b"secret", "1234", lambda: now[0])
    word = sessions.begin()
    now[0] = LASTS_S - 1
    assert sessions.lasts(word)
    now[0] = LASTS_S + 1
    assert not sessions.lasts(word)
    sessions.begin()
    assert len(book.shelf.all("session")) == 1


@pytest.mark.parametrize("token", ["", "wrong", "of another browser"])
def test_a_browser_that_hides_where_it_posts_from_needs_the_word_of_our_pages(
    app, client, book, game_id, token, pass_cookie
):
    bare = FlaskClient(app)
    pass_cookie(client, bare)
    page = bare.get(f"/g/{game_id}").text
    mine = re.search(r'data-token="([^"]+)"', page)[1]
    tap = {"did": "ready.amy", "hand": "1", "request_id": "tap", "token": token}
    assert bare.post(f"/g/{game_id}/referee", data=tap).status_code == 403
    assert book.version(game_id) == 1
    assert bare.post(f"/g/{game_id}/referee", data={**tap, "token": mine}).status_code == 303
    assert bare.post(f"/g/{game_id}/referee", data=tap, headers={"X-Token": mine}).status_code == 303


def test_the_page_of_a_watcher_has_no_token(watcher):
    assert "data-token" not in watcher.get("/").text


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:80",
        "localhost.evil.example",
        "203.0.113.9",
        "localhost:81",
        "localhost:x",
        "[::1",
        "",
        "a b",
    ],
)
def test_a_name_that_is_not_this_servers_is_refused(watcher, game_id, host):
    answer = watcher.get(f"/g/{game_id}", headers={"Host": host})
    assert answer.status_code in (400, 421)
    assert "Amy" not in answer.text


@pytest.mark.parametrize("ending", ["", ".local", ".lan", ".home.arpa", ".fritz.box"])
def test_the_name_of_this_computer_is_welcome_as_routers_write_it(watcher, ending):
    assert watcher.get("/", headers={"Host": f"{socket.gethostname()}{ending}"}).status_code == 200
    assert watcher.get("/", headers={"Host": f"evil{ending or '.example'}"}).status_code == 421


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "[::1]", "score.example", "score.example:443"])
def test_the_own_names_and_the_set_address_are_welcome(book, settings, host):
    base = "https://score.example:443" if host.endswith(":443") else "https://score.example"
    phone = create_app(book, None, replace(settings, base_url=base)).test_client()
    assert phone.get("/", headers={"Host": host}).status_code == 200
