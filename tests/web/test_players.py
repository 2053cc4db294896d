"""Players with phones of their own: they join by a code, say what their side may say, and nothing else."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from io import BytesIO

import gevent
import pytest

from scorekeeper.rules.buzzer import Moment
from scorekeeper.rules.house import Rules, TieBreaker
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import make_sides
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import open_log
from web import create_app
from web.buzzer import Buzzer, Press
from web.players import MOST


@pytest.fixture
def code(client, game_id) -> str:
    """The player code, as the scorekeeper finds it on the page Join."""
    return re.search(r'class="player-code">(\w+)<', client.get(f"/g/{game_id}/join").text)[1]


@pytest.fixture
def amy(app, game_id, code):
    """Amy's phone."""
    return seated(app, game_id, code, "amy", "Amy Smith")


@pytest.fixture
def ben(app, game_id, code):
    """Ben's phone."""
    return seated(app, game_id, code, "ben")


def seated(app, game_id, code, side, name=""):
    phone = app.test_client()
    answer = phone.post(f"/g/{game_id}/play/join", data={"code": code, "side": side, "name": name})
    assert answer.status_code == 303, answer.text
    return phone


def tap(phone, game_id, did, hand=1, **fields):
    fields = {"request_id": f"{did} of {id(phone)}", "hand": str(hand), "did": did, **fields}
    return phone.post(f"/g/{game_id}/play", data=fields)


def tell(phone, game_id, left, hand=1, **headers):
    return phone.post(f"/g/{game_id}/play/left", data={"left": left, "hand": str(hand)}, headers=headers)


def test_a_player_joins_by_the_link_and_picks_a_side(watcher, game_id, code):
    asked = watcher.get(f"/g/{game_id}/play?code={code}").text
    assert f'value="{code}"' in asked
    assert 'value="amy"' in asked
    answer = watcher.post(f"/g/{game_id}/play/join", data={"code": f" {code.upper()} ", "side": "amy"})
    assert answer.location == f"/g/{game_id}/play"
    assert "This phone plays for Amy" in watcher.get(answer.location).text
    assert f'href="/g/{game_id}/play"' in watcher.get(f"/g/{game_id}").text


@pytest.mark.parametrize(
    ("fields", "status", "text"),
    [
        pytest.param({"code": "nonono", "side": "amy"}, 403, "That is not the player code", id="a wrong code"),
        pytest.param({"side": "amy"}, 403, "That is not the player code", id="no code"),
        pytest.param({"side": "zoe"}, 422, "Choose the side you play for", id="a side that does not play"),
        pytest.param({}, 422, "Choose the side you play for", id="no side"),
    ],
)
def test_who_can_not_join_is_told_why(watcher, game_id, code, fields, status, text):
    sent = {"code": code, **fields} if status == 422 else fields
    answer = watcher.post(f"/g/{game_id}/play/join", data=sent)
    assert answer.status_code == status
    assert text in answer.text
    assert watcher.post(f"/g/{game_id}/play", data={"did": "ready", "hand": "1"}).status_code == 403


def test_guessing_codes_takes_longer_and_longer(watcher, game_id, code):
    elsewhere = {"REMOTE_ADDR": "192.168.1.7"}
    for _ in range(3):
        watcher.post(f"/g/{game_id}/play/join", data={"code": "nonono", "side": "amy"}, environ_overrides=elsewhere)
    answer = watcher.post(f"/g/{game_id}/play/join", data={"code": code, "side": "amy"}, environ_overrides=elsewhere)
    assert answer.status_code == 429
    assert "Wait 2 seconds" in answer.text


def test_only_the_scorekeeper_sees_the_code(watcher, amy, client, game_id, code):
    for phone in (watcher, amy):
        assert code not in phone.get(f"/g/{game_id}/join").text
        assert phone.get(f"/g/{game_id}/players.svg").status_code == 303
        assert phone.post(f"/g/{game_id}/players", data={"action": "renew"}).status_code == 403
        assert phone.get(f"/g/{game_id}/hand/told").status_code == 303
    assert client.get(f"/g/{game_id}/players.svg").mimetype == "image/svg+xml"


def test_everybody_sees_who_has_joined(watcher, amy, game_id):
    page = watcher.get(f"/g/{game_id}/join").text
    assert "Amy Smith" in page
    assert page.count("no phone yet") == 1


def test_a_new_code_ends_the_old_links_and_the_old_seats(client, amy, app, game_id, code):
    client.post(f"/g/{game_id}/players", data={"action": "renew"})
    assert tap(amy, game_id, "ready").status_code == 403
    assert "I play" in amy.get(f"/g/{game_id}/play").text
    late = app.test_client().post(f"/g/{game_id}/play/join", data={"code": code, "side": "amy"})
    assert late.status_code == 403


def test_one_phone_is_sent_away_and_the_other_stays(client, amy, ben, game_id):
    away = re.findall(r'value="(away\.[^"]+)"', client.get(f"/g/{game_id}/join").text)
    assert len(away) == 2
    client.post(f"/g/{game_id}/players", data={"action": away[0]})
    assert [tap(phone, game_id, "ready").status_code for phone in (amy, ben)] == [403, 303]
    assert client.post(f"/g/{game_id}/players", data={"action": away[0]}).status_code == 422


def test_a_player_gives_the_seat_back(amy, game_id):
    assert amy.post(f"/g/{game_id}/play/leave").location == f"/g/{game_id}"
    assert tap(amy, game_id, "ready").status_code == 403


def test_the_code_of_one_game_opens_no_other(app, book, game_id, code, amy):
    other = book.start_game(make_sides(["Amy", "Ben"]), Rules(), request_id="other")
    answer = app.test_client().post(f"/g/{other}/play/join", data={"code": code, "side": "amy"})
    assert answer.status_code == 403
    assert amy.post(f"/g/{other}/play", data={"did": "ready", "hand": "1"}).status_code == 403


def test_seats_and_sign_ins_hold_on_another_server_of_the_same_database(
    settings, tmp_path, game_id, amy, client, pass_cookie
):
    log = open_log(settings.url)
    other = create_app(Scorebook(log), None, replace(settings, data_dir=tmp_path / "other"))
    for phone, page in ((amy, "play"), (client, "hand")):
        there = other.test_client()
        pass_cookie(phone, there)
        answer = there.get(f"/g/{game_id}/{page}")
        assert answer.status_code == 200
        assert "I play" not in answer.text
    log.close()


def test_a_phone_that_joins_again_and_again_has_one_seat(app, amy, game_id, code):
    for side in ("ben", "amy") * 20:
        amy.post(f"/g/{game_id}/play/join", data={"code": code, "side": side})
    assert [seat.side for seat in app.extensions["scorekeeper"].players.door(game_id).seats] == ["amy"]


def test_phones_that_fill_a_side_send_nobody_away(app, client, amy, ben, game_id, code):
    def join(side):
        return app.test_client().post(f"/g/{game_id}/play/join", data={"code": code, "side": side})

    answers = [join("amy").status_code for _ in range(MOST + 3)]
    assert answers == [303] * (MOST - 1) + [422] * 4
    assert "have the scorekeeper send one away" in join("amy").text
    assert [tap(phone, game_id, "ready").status_code for phone in (amy, ben)] == [303, 303]
    last = re.findall(r'value="(away\.[^"]+)"', client.get(f"/g/{game_id}/join").text)[MOST - 1]
    client.post(f"/g/{game_id}/players", data={"action": last})
    assert join("amy").status_code == 303


def test_signing_in_keeps_the_seat(amy, game_id, pin):
    amy.post("/sign-in", data={"pin": pin})
    assert tap(amy, game_id, "ready").status_code == 303


def test_the_scorekeeper_plays_too_without_a_code(client, book, game_id):
    assert client.post(f"/g/{game_id}/play/join", data={"side": "ben"}).status_code == 303
    tap(client, game_id, "ready")
    assert book.game(game_id).live.ready == {"ben"}


@pytest.mark.parametrize(
    "path", ["/hand", "/hand/draft", "/referee", "/undo", "/rules/change", "/sides", "/hands/1/dispute", "/players"]
)
def test_a_player_can_do_nothing_else(amy, book, game_id, path):
    before = book.version(game_id)
    answer = amy.post(f"/g/{game_id}{path}", data={"did": "go", "version": "1", "request_id": "x", "lake.amy": "9"})
    assert answer.status_code == 403
    assert book.version(game_id) == before


def test_players_say_ready_and_take_it_back(amy, ben, book, game_id):
    tap(amy, game_id, "ready")
    tap(ben, game_id, "ready")
    tap(amy, game_id, "not-ready")
    assert book.game(game_id).live.ready == {"ben"}
    assert book.history(game_id)[1].who == "Amy Smith"


def test_a_tap_speaks_for_the_own_side_only(amy, book, game_id):
    assert tap(amy, game_id, "ready.ben").status_code == 400
    tap(amy, game_id, "call", side="ben")
    assert [claim.side for claim in book.game(game_id).live.claims] == ["amy"]


def test_a_player_asks_for_a_time_out(amy, book, game_id):
    book.begin_hand(game_id, request_id="go", anyway=True)
    alone = tap(amy, game_id, "time-out", why="accident")
    assert alone.status_code == 422
    assert "own fumble stops nobody" in alone.text
    tap(amy, game_id, "time-out", why="accident", between="ben", reason="a cup fell")
    assert book.game(game_id).live.time_out.sides == ("amy", "ben")
    assert "Time-out" in amy.get(f"/g/{game_id}/play").text


def test_the_buzzer_calls_and_a_double_tap_changes_nothing(amy, book, game_id):
    book.begin_hand(game_id, request_id="go", anyway=True)
    assert [tap(amy, game_id, "call").status_code for _ in range(2)] == [303, 303]
    (claim,) = book.game(game_id).live.claims
    assert claim.pressed.within_ms == 251
    assert "Show that your Nertz pile is empty" in amy.get(f"/g/{game_id}/play").text


def test_c8_presses_in_flight_are_put_in_order_by_the_clocks_of_the_phones(app, amy, ben, book, game_id):
    book.begin_hand(game_id, request_id="go", anyway=True)
    now = float(amy.get("/ping").text)
    stamps = {
        amy: {"pressed": "5000", "pings": f"4000,{now - 1000},4004"},
        ben: {"pressed": "77200", "pings": f"76500,{now - 800},76504;nonsense;1,2;9,9,1"},
    }
    gevent.joinall([gevent.spawn(tap, phone, game_id, "call", **stamps[phone]) for phone in (ben, amy)])
    live = book.game(game_id).live
    assert {claim.side: claim.pressed.within_ms for claim in live.claims} == {"amy": 3, "ben": 3}
    assert ([claim.side for claim in live.claims], live.tied) == (["ben", "amy"], ())


def test_c9_the_same_moment_is_left_to_the_table(client, amy, ben, book, game_id):
    book.begin_hand(game_id, request_id="go", anyway=True)
    now = float(amy.get("/ping").text)
    for phone, pressed in ((amy, 1000), (ben, 1003)):
        tap(phone, game_id, "call", pressed=str(pressed), pings=f"900,{now - 100},906")
    assert book.game(game_id).live.tied == ("amy", "ben")
    page = client.get(f"/g/{game_id}/referee").text
    assert "Between Amy and Ben the phones can't tell who was first" in page
    assert "0.00 s later, ± 0.01 s" in page
    version = re.search(r'data-version="(\d+)"', page)[1]
    fields = {"did": "second.ben", "request_id": "s", "version": version}
    client.post(f"/g/{game_id}/referee", data=fields)
    assert [claim.side for claim in book.game(game_id).live.claims] == ["amy"]
    assert book.game(game_id).live.penalties == ()
    page = client.get(f"/g/{game_id}/referee").text
    assert "The call of Ben came second." in page
    assert "not valid." not in page + client.get(f"/g/{game_id}/history").text
    tap(ben, game_id, "call", request_id="again")
    assert "came second" not in client.get(f"/g/{game_id}/referee").text


def test_a_press_that_fails_fails_for_its_own_phone_only(game_id):
    def note(press):
        if press.side == "amy":
            raise ValueError("no")

    buzzer = Buzzer(wait_s=0.01)
    with pytest.raises(ValueError, match="no"):
        buzzer.press(game_id, Press("amy", Moment(1, 1), "a", ""), note)
    buzzer.press(game_id, Press("ben", Moment(1, 1), "b", ""), note)


def test_a_call_in_a_time_out_is_refused_in_words(amy, book, game_id):
    book.begin_hand(game_id, request_id="go", anyway=True)
    tap(amy, game_id, "time-out", why="emergency")
    answer = tap(amy, game_id, "call")
    assert answer.status_code == 422
    assert "end it before anybody calls" in answer.text


def test_a_number_of_a_player_stands_in_the_hand_form(client, amy, game_id):
    tell(amy, game_id, "4")
    page = client.get(f"/g/{game_id}/hand").text
    assert re.search(r'name="left.amy" value="4"', page)
    assert "Amy Smith typed 4" in page
    assert "The scorekeeper sees 4" in amy.get(f"/g/{game_id}/play").text


def test_a_number_of_the_scorekeeper_is_never_overwritten(client, amy, book, game_id, hand):
    fields = hand("amy 14/2 ben 9/0!", action="check")
    client.post(f"/g/{game_id}/hand", data=fields)
    tell(amy, game_id, "4")
    page = client.get(f"/g/{game_id}/hand").text
    assert re.search(r'name="left.amy" value="2"', page)
    assert "Amy Smith typed 4" in page


@pytest.mark.parametrize("typed", ["14", "-1", "three", "99999999999"])
def test_a_number_that_can_not_be_is_refused_and_stays_in_the_field(client, amy, game_id, typed):
    answer = tell(amy, game_id, typed)
    assert answer.status_code == 422
    assert "enter a number from 0 to 13" in answer.text
    assert f'value="{typed}"' in answer.text
    assert "typed" not in client.get(f"/g/{game_id}/hand").text.partition('id="told-0"')[2][:60]


def test_a_number_is_taken_back(client, amy, game_id):
    tell(amy, game_id, "4")
    tell(amy, game_id, "")
    page = client.get(f"/g/{game_id}/hand").text
    assert re.search(r'name="left.amy" value=""', page)
    assert "took the number back" in page


def test_players_and_the_scorekeeper_type_at_once_and_nothing_is_lost(client, amy, ben, book, game_id):
    def keeper():
        for number in range(8):
            fields = {"version": "1", "number": "0", "field": "lake.amy", "lake.amy": str(number)}
            client.post(f"/g/{game_id}/hand/draft", data=fields)

    def player(phone, last):
        for number in range(8):
            tell(phone, game_id, str(last if number == 7 else number))

    work = [
        threading.Thread(target=keeper),
        threading.Thread(target=player, args=(amy, 11)),
        threading.Thread(target=player, args=(ben, 12)),
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    page = client.get(f"/g/{game_id}/hand").text
    for name, number in (("lake.amy", 7), ("left.amy", 11), ("left.ben", 12)):
        assert re.search(rf'name="{name}" value="{number}"', page), name


def test_a_photograph_of_the_fan_counts_it_and_is_kept_with_the_hand(client, amy, game_id, photo, hand, book):
    fields = {"hand": "1", "fan": (BytesIO(photo), "fan.jpg")}
    assert amy.post(f"/g/{game_id}/play/fan", data=fields).status_code == 303
    page = amy.get(f"/g/{game_id}/play").text
    assert "The scorekeeper sees 3" in page
    chips = page[page.index('class="card-chips"') :]
    for card in ("10♥", "2♠", "Q♦"):
        assert re.search(rf"<text [^>]*>{card}</text>", page), "it stands in the picture"
        assert f">{card}</span>" in chips
    assert re.search(r'name="left.amy" value="3"', client.get(f"/g/{game_id}/hand").text)
    client.post(f"/g/{game_id}/hand", data=hand("amy 14/3 ben 9/0!"))
    assert "Left: Amy" in client.get(f"/g/{game_id}/hands/1").text


def test_a_picture_that_is_none_is_refused_in_words(amy, game_id):
    answer = amy.post(f"/g/{game_id}/play/fan", data={"hand": "1", "fan": (BytesIO(b"no"), "fan.jpg")})
    assert answer.status_code == 422
    assert "take it again" in answer.text


def test_what_was_meant_for_a_recorded_hand_is_not_counted_in_the_next(client, amy, book, game_id):
    tell(amy, game_id, "4")
    book.record_hand(game_id, parse_hand("amy 14/4 ben 9/0!"), request_id="one")
    for answer in (tell(amy, game_id, "5"), tap(amy, game_id, "call")):
        assert answer.status_code == 410
        assert "Hand 1 is recorded already" in answer.text
    assert re.search(r'name="left.amy" value=""', client.get(f"/g/{game_id}/hand").text)
    book.undo_last_hand(game_id, "wrong", request_id="undo")
    assert re.search(r'name="left.amy" value=""', client.get(f"/g/{game_id}/hand").text)


def test_a_side_that_sits_out_is_told_so(app, book, client):
    rules = Rules(target=10, tie_breaker=TieBreaker.TIED)
    game = book.start_game(make_sides(["Amy", "Ben", "Cleo"]), rules, request_id="out")
    code = re.search(r'class="player-code">(\w+)<', client.get(f"/g/{game}/join").text)[1]
    cleo = seated(app, game, code, "cleo")
    book.record_hand(game, parse_hand("amy 14/0! ben 14/0! cleo 2/3"), request_id="one")
    page = cleo.get(f"/g/{game}/play").text
    assert "You sit this hand out" in page
    assert "data-buzz" not in page
    book.record_hand(game, parse_hand("amy 14/0! ben 2/0"), request_id="two")
    assert "Amy wins with 28 points" in cleo.get(f"/g/{game}/play").text


def test_a_side_tells_its_lake_and_what_is_left_and_sees_what_is_missing(client, amy, book, game_id):
    sent = {"hand": "1", "lake": "12", "left": ""}
    amy.post(f"/g/{game_id}/play/left", data={**sent, "field": "lake"})
    page = amy.get(f"/g/{game_id}/play").text
    assert "The scorekeeper sees 12 in the Lake." in page
    assert "Still missing: what you have left." in page
    amy.post(f"/g/{game_id}/play/left", data={**sent, "lake": "99", "left": "3", "field": "left"})
    assert "The scorekeeper sees 12 in the Lake and 3 left." in amy.get(f"/g/{game_id}/play").text
    page = client.get(f"/g/{game_id}/hand").text
    assert re.search(r'name="lake.amy" value="12"', page)
    assert re.search(r'name="left.amy" value="3"', page)
    refused = amy.post(f"/g/{game_id}/play/left", data={"hand": "1", "lake": "53"})
    assert "can&#39;t lie in the Lake: enter a number from 0 to 52" in refused.text


def test_a_side_sees_its_own_score_and_place(amy, ben, book, game_id):
    book.record_hand(game_id, parse_hand("amy 14/3 ben 9/0!"), request_id="one")
    book.record_hand(game_id, parse_hand("amy 4/3 ben 9/0!"), request_id="two")
    page = amy.get(f"/g/{game_id}/play").text
    assert re.search(r'class="my-score facts"><span><b>6</b> points.*place 2 of 2', page)
    assert "last hand \N{MINUS SIGN}2" in page
