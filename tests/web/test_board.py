"""The board: readable without JavaScript, live with it, open to everybody, closed to their writing."""

from __future__ import annotations

import gzip
import zlib

import pytest

from scorekeeper.network import phone_addresses
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, make_sides


def record(book, game_id, text, request_id="one"):
    return book.record_hand(game_id, parse_hand(text), request_id=request_id)


def test_the_list_of_games_is_empty_at_first(watcher):
    assert "No game yet" in watcher.get("/").text


def test_a_watcher_finds_the_game_and_its_board(watcher, game_id):
    assert f"/g/{game_id}" in watcher.get("/").text
    board = watcher.get(f"/g/{game_id}").text
    assert "The first hand is being played, to 100" in board
    assert "13 to 100, x1 −2" in board
    assert "Record a hand" not in board


def test_the_board_shows_standings_distance_and_every_hand(watcher, book, game_id):
    record(book, game_id, "amy 14/0! ben 2/9")
    board = watcher.get(f"/g/{game_id}").text
    assert "Amy leads with 14 of 100 points" in board
    assert "86 to go" in board
    assert "−16" in board
    assert "called Nertz" in board
    assert f'href="/g/{game_id}/hands/1"' in board


def test_a_tie_is_explained(watcher, book):
    game_id = book.start_game(make_sides(["Amy", "Ben"]), Rules(target=30), request_id="tie")
    record(book, game_id, "amy 30/0! ben 30/0!")
    assert (
        "Amy and Ben are tied at 30 points with 1 Nertz call each: play a tie-breaker"
        in watcher.get(f"/g/{game_id}").text
    )


def test_polling_answers_only_news(watcher, book, game_id):
    assert watcher.get(f"/g/{game_id}/board?seen=1").status_code == 204
    record(book, game_id, "amy 14/0! ben 2/9")
    news = watcher.get(f"/g/{game_id}/board?seen=1")
    assert news.status_code == 200
    assert 'data-version="2"' in news.text
    assert "<html" not in news.text


@pytest.fixture
def stream(watcher, app, game_id):
    """The open stream of one board, piece by piece."""
    app.extensions["scorekeeper"].live.beat_s = 0.02
    response = watcher.get(f"/g/{game_id}/events")
    assert response.mimetype == "text/event-stream"
    yield (piece.decode() for piece in response.iter_encoded())
    response.close()


def test_the_stream_speaks_at_once_and_tells_the_whole_board(stream):
    assert next(stream).startswith("retry:")
    first = next(stream)
    assert first.startswith("id: 1\nevent: board\ndata: ")
    assert "The first hand is being played" in first
    assert first.endswith("\n\n")


def test_the_stream_beats_while_nothing_happens(stream):
    assert [next(stream), next(stream)][1].startswith("id: 1")
    assert next(stream) == "event: beat\ndata: .\n\n"


def test_the_stream_tells_a_change(stream, book, game_id):
    [next(stream), next(stream)]
    record(book, game_id, "amy 14/0! ben 2/9")
    news = next(piece for piece in stream if "event: board" in piece)
    assert news.startswith("id: 2\n")
    assert "Amy leads with 14 of 100 points" in news


@pytest.mark.parametrize("how", [{"query_string": {"seen": 1}}, {"headers": {"Last-Event-ID": "1"}}])
def test_a_board_that_shows_the_state_already_is_not_told_it_again(watcher, app, book, game_id, how):
    app.extensions["scorekeeper"].live.beat_s = 0.02
    response = watcher.get(f"/g/{game_id}/events", **how)
    pieces = (piece.decode() for piece in response.iter_encoded())
    assert [next(pieces), next(pieces)][1].startswith("event: beat")
    record(book, game_id, "amy 14/0! ben 2/9")
    assert "Amy leads with 14 of 100 points" in next(piece for piece in pieces if "event: board" in piece)
    response.close()


def test_a_board_that_shows_an_older_state_is_told_the_new_one(watcher, book, game_id):
    record(book, game_id, "amy 14/0! ben 2/9")
    response = watcher.get(f"/g/{game_id}/events?seen=1")
    pieces = response.iter_encoded()
    assert [next(pieces), next(pieces)][1].startswith(b"id: 2\nevent: board")
    response.close()


def first_told(phone, game_id, **how):
    """What the stream of a phone says of the board when it opens."""
    response = phone.get(f"/g/{game_id}/events", **how)
    pieces = response.iter_encoded()
    told = [next(pieces), next(pieces)][1].decode()
    response.close()
    return told


def test_phones_that_share_a_drawn_board_keep_their_own_address(watcher, client, game_id):
    at = {"base_url": "http://192.168.1.20:8765", "environ_overrides": {"SERVER_ADDR": "192.168.1.20"}}
    assert f"http://127.0.0.1/g/{game_id}" not in first_told(watcher, game_id, **at)
    assert f"192.168.1.20:8765/g/{game_id}" in first_told(client, game_id, **at)
    assert "192.168.1.20" not in first_told(client, game_id, base_url=f"http://{phone_addresses()[0].ip}")


def test_phones_that_share_a_drawn_board_keep_their_own_language_and_rights(watcher, client, game_id):
    german = first_told(client, game_id, headers={"Accept-Language": "de"})
    english = first_told(watcher, game_id, headers={"Accept-Language": "en"})
    assert "Die erste Runde" in german
    assert "The first hand is being played" in english
    for told in (german, english):
        assert "Pam" not in told
        assert "/undo" not in told


def test_a_phone_that_never_signed_in_does_not_load_what_keeps_writes(watcher, client, game_id):
    assert "outbox.js" not in watcher.get(f"/g/{game_id}").text
    assert "outbox.js" in client.get(f"/g/{game_id}").text
    assert "outbox.js" in watcher.get("/").text


def test_many_kinds_of_readers_do_not_fill_the_memory(app, game_id):
    live = app.extensions["scorekeeper"].live
    for number in range(1000):
        live.drawn(game_id, 5, lambda: "board", f"board en http://{number}.example")
    assert len(live._drawn) <= 64


def test_a_board_that_closes_is_forgotten(watcher, app, game_id):
    live = app.extensions["scorekeeper"].live
    response = watcher.get(f"/g/{game_id}/events")
    pieces = response.iter_encoded()
    [next(pieces), next(pieces)]
    assert live.watching(game_id) == 1
    response.close()
    assert live.watching(game_id) == 0


def test_the_stream_heartbeat_is_ten_seconds_at_most(app):
    assert app.extensions["scorekeeper"].live.beat_s <= 10


PACKED = {"Accept-Encoding": "gzip, deflate"}
UNPACKED = {"gzip": gzip.decompress, "deflate": zlib.decompress}


@pytest.mark.parametrize("path", ["/static/vendor/htmx.min.js", "/static/scorekeeper.css", "/static/scorekeeper.js"])
def test_a_style_or_a_script_travels_packed_to_a_phone_that_can_unpack(watcher, path):
    plain, packed = watcher.get(path), watcher.get(path, headers=PACKED)
    assert "Content-Encoding" not in plain.headers
    assert UNPACKED[packed.headers["Content-Encoding"]](packed.data) == plain.data
    assert len(packed.data) < len(plain.data)
    assert "Accept-Encoding" in plain.headers["Vary"]
    again = watcher.get(path, headers={**PACKED, "If-None-Match": packed.headers["ETag"]})
    assert again.status_code == 304
    for answer in (plain, packed, again):
        answer.close()


def test_a_board_travels_packed_to_a_phone_that_can_unpack(watcher, game_id):
    packed = watcher.get(f"/g/{game_id}", headers=PACKED)
    page = UNPACKED[packed.headers["Content-Encoding"]](packed.data)
    assert b"The first hand is being played" in page
    assert len(packed.data) < len(page) / 2


def test_the_live_stream_of_a_board_is_not_held_back_to_be_packed(watcher, game_id):
    answer = watcher.get(f"/g/{game_id}/events", headers=PACKED)
    assert "Content-Encoding" not in answer.headers
    pieces = answer.iter_encoded()
    assert b"The first hand" in next(pieces) + next(pieces)
    answer.close()


def test_a_hundred_boards_draw_a_change_once(app, book, game_id, watcher):
    drawn = []
    live = app.extensions["scorekeeper"].live
    for _ in range(100):
        live.drawn(game_id, 5, lambda: drawn.append(1) or "board", "en")
    assert len(drawn) == 1


@pytest.mark.parametrize("page", ["", "/board", "/events", "/history", "/join", "/join.svg", "/hands/1"])
def test_a_game_that_is_not_there_is_said_in_words(watcher, page):
    answer = watcher.get(f"/g/nosuchgame{page}")
    assert answer.status_code == 404
    assert "There is no game" in answer.text


@pytest.mark.parametrize("number", [0, 1, 99])
def test_a_hand_that_is_not_there_is_said_in_words(watcher, game_id, number):
    assert watcher.get(f"/g/{game_id}/hands/{number}").status_code == 404


def test_the_history_tells_everything_in_words(watcher, book, game_id):
    record(book, game_id, "amy 14/0! ben 2/9")
    book.undo_last_hand(game_id, "counted twice", request_id="undo", who="Pam")
    text = watcher.get(f"/g/{game_id}/history").text
    assert "Game started" in text
    assert "counted twice" in text
    assert "Pam" in text


def test_the_way_in_is_a_numeric_address_and_its_code(watcher, game_id):
    at = {"base_url": "http://192.168.1.20:8765", "environ_overrides": {"SERVER_ADDR": "192.168.1.20"}}
    page = watcher.get(f"/g/{game_id}/join", **at).text
    assert f'href="http://192.168.1.20:8765/g/{game_id}"' in page
    assert watcher.get(f"/g/{game_id}/join.svg").text.startswith("<svg")


def test_the_way_in_is_never_this_machine_alone(watcher, game_id):
    page = watcher.get(f"/g/{game_id}/join", base_url="http://localhost:8765").text
    assert f'href="http://localhost:8765/g/{game_id}"' not in page
    assert f":8765/g/{game_id}" in page


@pytest.mark.parametrize("name", ["x" * 22, "..%2f..%2fsecret.key", "short"])
def test_a_guessed_picture_is_not_there(watcher, name):
    assert watcher.get(f"/pictures/{name}").status_code == 404


def test_a_page_that_is_not_there_is_said_in_words(watcher):
    answer = watcher.get("/nowhere")
    assert answer.status_code == 404
    assert "There is no such page" in answer.text


def test_a_mistake_of_ours_is_said_in_words_and_the_server_lives(app, watcher, game_id, book):
    app.config["PROPAGATE_EXCEPTIONS"] = False

    @app.get("/break")
    def broken():
        raise ZeroDivisionError

    answer = watcher.get("/break")
    assert answer.status_code == 500
    assert "Something broke" in answer.text
    assert watcher.get(f"/g/{game_id}").status_code == 200


def test_the_pages_need_nothing_from_elsewhere(client, game_id):
    for path in ("/", "/start", f"/g/{game_id}", f"/g/{game_id}/hand"):
        page = client.get(path)
        assert "default-src 'self'" in page.headers["Content-Security-Policy"]
        assert 'src="http' not in page.text
        assert "<script>" not in page.text
