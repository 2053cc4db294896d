"""Damaged files and damaged games: each is said where it matters, and everything else goes on."""

from __future__ import annotations

import io
import re
import sqlite3
from contextlib import closing

import pytest
from flask import Flask

from scorekeeper import sidefiles
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import open_log
from web import create_app
from web.here import EXTENSION

GARBAGE = {"empty": b"", "no letters": b"\xff\xfe\x80", "a list": b"[1]"}


def pages(game_id: str) -> list[str]:
    """Every page of a game with a recorded hand, and those of the whole house."""
    parts = ("", "/board", "/hands/1", "/history", "/statistics", "/sheet", "/scores.csv", "/game.json", "/join")
    keeper = (
        "/hand",
        "/decks",
        "/undo",
        "/hands/1/correct",
        "/rematch",
        "/referee",
        "/rules",
        "/sides",
        "/audit",
        "/seats",
    )
    return ["/", "/people", "/start", "/import", *(f"/g/{game_id}{part}" for part in (*parts, *keeper))]


def broken(app: Flask, client, game_id: str) -> list[str]:
    """The pages that answer with 500 or worse."""
    app.config["PROPAGATE_EXCEPTIONS"] = False
    answers = {page: client.get(page).status_code for page in pages(game_id)}
    return [page for page, status in answers.items() if status >= 500]


@pytest.fixture
def photographed(client, game_id, photo, hand) -> None:
    """A recorded hand with pictures, enrolled decks, and a phone that plays for Amy."""
    for side in ("amy", "ben"):
        files = {"pictures": (io.BytesIO(photo), "back.jpg"), "request_id": f"deck-{side}"}
        assert client.post(f"/g/{game_id}/decks/{side}", data=files).status_code == 303
    for step in ("lake", "spread"):
        assert (
            client.post(
                f"/g/{game_id}/hand/{step}", data={step: (io.BytesIO(photo), "a.jpg"), "version": "3"}
            ).status_code
            == 303
        )
    version = int(re.search(r'name="version" value="(\d+)"', client.get(f"/g/{game_id}/hand").text)[1])
    recorded = client.post(f"/g/{game_id}/hand", data=hand("amy 10/0! ben 14/3", version, total="24"))
    assert recorded.status_code == 303


@pytest.mark.usefixtures("photographed")
@pytest.mark.parametrize("content", GARBAGE.values(), ids=GARBAGE)
def test_no_file_beside_the_log_can_break_a_page(book, eye, settings, game_id, client, content):
    assert len(client.get(f"/g/{game_id}/hands/1").text.split("<img")) > 1
    beside = [path for path in settings.data_dir.rglob("*") if path.is_file() and "scorekeeper.db" not in path.name]
    assert {path.suffix for path in beside} >= {".json", ".picture"}
    for path in beside:
        path.write_bytes(content)
    again = create_app(book, eye, settings)
    phone = again.test_client()
    assert phone.post("/sign-in", data={"pin": settings.pin}).status_code == 303
    assert broken(again, phone, game_id) == []
    assert phone.get(f"/g/{game_id}").status_code == 200
    assert sidefiles.found_damaged(settings.data_dir)


@pytest.mark.usefixtures("photographed")
@pytest.mark.parametrize(
    "body", ["", "\ufffd", "[1]", "null", '{"at": "x", "turn": -0.5, "seats": [{}]}', '"zz"', "[" * 9999]
)
def test_no_value_beside_the_games_can_break_a_page(app, book, eye, settings, game_id, client, body):
    joins(app, game_id)
    with closing(sqlite3.connect(settings.data_dir / "scorekeeper.db")) as database:
        changed = database.execute("UPDATE shelf SET body = ?", (body,))
        assert changed.rowcount >= 3  # the secret, a session and a door
        database.commit()
    again = create_app(book, eye, settings)
    phone = again.test_client()
    assert phone.post("/sign-in", data={"pin": settings.pin}).status_code == 303
    assert broken(again, phone, game_id) == []
    joins(again, game_id)


def joins(app: Flask, game_id: str) -> None:
    """A phone comes in for Amy."""
    code = app.extensions[EXTENSION].players.code(game_id)
    answer = app.test_client().post(f"/g/{game_id}/play/join", data={"code": code, "side": "amy"})
    assert answer.status_code == 303


def test_a_hand_is_recorded_when_its_pictures_find_no_room_and_says_so(client, game_id, photo, hand, settings, book):
    assert (
        client.post(f"/g/{game_id}/hand/lake", data={"lake": (io.BytesIO(photo), "a.jpg"), "version": "1"}).status_code
        == 303
    )
    (settings.data_dir / "pictures").rename(settings.data_dir / "elsewhere")
    (settings.data_dir / "pictures").write_bytes(b"no folder")
    data = hand("amy 10/0! ben 14/3", total="24")
    answer = client.post(f"/g/{game_id}/hand", data=data, follow_redirects=True)
    assert answer.status_code == 200
    assert "The hand is recorded. Its pictures could not be kept" in answer.text
    assert len(book.game(game_id).hands) == 1


def test_a_picture_that_finds_no_room_says_so_and_leaves_no_file(client, game_id, photo, settings):
    (settings.data_dir / "pictures").write_bytes(b"no folder")
    answer = client.post(f"/g/{game_id}/hand/lake", data={"lake": (io.BytesIO(photo), "a.jpg"), "version": "1"})
    assert answer.status_code == 503
    assert "check the disk, then repeat" in answer.text
    assert list(settings.data_dir.glob("**/*.new")) == []


def shown_of(page: str) -> list[str]:
    """The pictures of a page."""
    return re.findall(r"/pictures/[\w-]{22}", page)


@pytest.mark.usefixtures("photographed")
def test_the_second_tap_of_a_recorded_hand_keeps_the_pictures_of_the_first(client, game_id, hand, photo):
    first = shown_of(client.get(f"/g/{game_id}/hands/1").text)
    assert len(first) > 1
    assert (
        client.post(f"/g/{game_id}/hand/lake", data={"lake": (io.BytesIO(photo), "b.jpg"), "version": "4"}).status_code
        == 303
    )
    assert client.post(f"/g/{game_id}/hand", data=hand("amy 10/0! ben 14/3", 3, total="24")).status_code == 303
    assert shown_of(client.get(f"/g/{game_id}/hands/1").text) == first


def damage(settings, statement: str, *values: object) -> None:
    """What a bad disk or another program does to a row; the table's own guard is taken away first."""
    with closing(sqlite3.connect(settings.data_dir / "scorekeeper.db")) as database, database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
        database.execute(statement, values)


DAMAGES = {
    "a newer program's event": ("UPDATE event SET kind = 'moon-landed' WHERE game = ? AND number = 2", 503),
    "a newer version of one": ("UPDATE event SET body = '{\"v\": 9}' WHERE game = ? AND number = 2", 503),
    "no JSON": ("UPDATE event SET body = 'x' WHERE game = ? AND number = 2", 503),
    "a number without end": (
        'UPDATE event SET body = \'{"v":2,"hand":{"tallies":[],"callers":[],"adjustments":[],'
        '"typed":[["amy","1e999999999"],["ben","1"]]},"doubts":[]}\' WHERE game = ? AND number = 2',
        503,
    ),
    "a fraction of nothing": (
        'UPDATE event SET body = \'{"v":2,"hand":{"tallies":[],"callers":[],"adjustments":[],'
        '"typed":[["amy","1/0"],["ben","1"]]},"doubts":[]}\' WHERE game = ? AND number = 2',
        503,
    ),
    "a hand of strangers": (
        'UPDATE event SET body = \'{"v":1,"hand":{"tallies":[["zoe",1,1]],"callers":[],"adjustments":[]},\'\n'
        "|| '\"doubts\":[]}' WHERE game = ? AND number = 2",
        503,
    ),
    "a day before all days": ("UPDATE event SET at = '0001-01-01T00:00:00+14:00' WHERE game = ? AND number = 2", 503),
    "no start": ("DELETE FROM event WHERE game = ? AND number = 1", 503),
    "a draft that is none": ("INSERT OR REPLACE INTO draft (game, body) VALUES (?, '[[')", 200),
    "a draft of something else": (
        'INSERT OR REPLACE INTO draft (game, body) VALUES (?, \'{"0":{"looks":{"lake":[]}}}\')',
        200,
    ),
    "a draft without sense": (
        'INSERT OR REPLACE INTO draft (game, body) VALUES (?, \'{"0":7,"told":3,"arrived":1}\')',
        200,
    ),
    "a summary that is none": ("INSERT INTO summary (game, number, body) VALUES (?, 2, '{')", 200),
}


def test_each_damaged_game_says_so_and_all_others_go_on(settings, eye):
    log = open_log(settings.url)
    book = Scorebook(log)
    games = {what: book.start_game(make_sides(["Amy", "Ben"]), Rules(), request_id=what) for what in (*DAMAGES, "none")}
    for game_id in games.values():
        book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="one")
    log.close()
    damage(settings, "DELETE FROM summary WHERE ? = 1", 1)
    for what, (statement, _status) in DAMAGES.items():
        damage(settings, statement, games[what])

    log = open_log(settings.url)
    book = Scorebook(log)
    app = create_app(book, eye, settings)
    phone = app.test_client()
    phone.post("/sign-in", data={"pin": settings.pin})
    book.catch_up()
    assert broken(app, phone, games["none"]) == []
    home = phone.get("/").text
    assert [what for what, game_id in games.items() if f'href="/g/{game_id}"' not in home] == []
    assert home.count("This game can&#39;t be read") == sum(status == 503 for _, status in DAMAGES.values())
    parts = ("", "/hand", "/history")
    statuses = {what: {phone.get(f"/g/{games[what]}{part}").status_code for part in parts} for what in DAMAGES}
    assert statuses == {what: {status} for what, (_, status) in DAMAGES.items()}
    assert phone.post(f"/g/{games['none']}/rematch", data={"request_id": "again"}).status_code == 303
    log.close()


@pytest.mark.parametrize("gone", ["deleted", "replaced", "log deleted"])
def test_a_database_that_was_taken_away_is_said_on_every_page_and_takes_nothing(
    settings, eye, tmp_path_factory, hand, gone
):
    log = open_log(settings.url)
    book = Scorebook(log)
    game_id = book.start_game(make_sides(["Amy", "Ben"]), Rules(), request_id="start")
    app = create_app(book, eye, settings)
    phone = app.test_client()
    phone.post("/sign-in", data={"pin": settings.pin})
    database, away = settings.data_dir / "scorekeeper.db", tmp_path_factory.mktemp("away")
    taken = [
        path for path in database.parent.glob("scorekeeper.db*") if gone != "log deleted" or path.name.endswith("-wal")
    ]
    for path in taken:
        path.rename(away / path.name)
    if gone == "replaced":
        database.write_bytes((away / database.name).read_bytes())
    answer = phone.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 9/3"))
    assert answer.status_code == 503
    assert "nothing more can be recorded" in answer.text
    for page in (f"/g/{game_id}", f"/g/{game_id}/board", "/people"):
        assert phone.get(page).text.count("nothing more can be recorded") == 1, page
    for path in taken:
        (away / path.name).replace(path)
    assert phone.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 9/3", request_id="again")).status_code == 303
    log.close()


def test_a_form_is_small_and_only_pictures_are_large(watcher, client, game_id):
    much = "x" * 400_000
    for phone, path in (
        (watcher, "/language"),
        (watcher, "/sign-in"),
        (client, f"/g/{game_id}/undo"),
        (client, "/start"),
    ):
        answer = phone.post(path, data={"much": much})
        assert answer.status_code == 413, path
        assert "too much text" in answer.text
        answer = phone.post(path, data={"much": (io.BytesIO(much.encode()), "much.txt")})
        assert answer.status_code == 413, path
    assert client.post(f"/g/{game_id}/hand/lake", data={"lake": much, "version": "1"}).status_code == 413
    picture = (io.BytesIO(much.encode()), "much.jpg")
    assert client.post(f"/g/{game_id}/hand/lake", data={"lake": picture, "version": "1"}).status_code == 422


def test_a_folder_of_a_thousand_games_is_listed_from_its_summaries(settings):
    log = open_log(settings.url)
    book = Scorebook(log)
    for number in range(3):
        game_id = book.start_game(make_sides(["Amy", "Ben"]), Rules(), request_id=f"game {number}")
        book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="one")
    people, games = book.people(), book.games()
    log.close()
    damage(settings, "UPDATE event SET body = 'unread' WHERE ? = 1", 1)
    log = open_log(settings.url)
    assert Scorebook(log).people() == people
    assert Scorebook(log).games() == games
    log.close()
