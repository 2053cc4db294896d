"""Whether the server is well: 200 or 503 for everybody, all of it for the scorekeeper, secrets for nobody."""

from __future__ import annotations

import errno
import io
import json
import logging
import os
import re
import shutil
import sqlite3
import zipfile
from contextlib import suppress

import pytest

from scorekeeper import sidefiles
from scorekeeper.logs import FILE, FOLDER, JsonLines, LastHour, last_hour, set_up
from scorekeeper.rules.notation import parse_hand
from web import status
from web.here import EXTENSION


@pytest.fixture(autouse=True)
def fresh_hour():
    """What went wrong in other tests of this process is not of this hour."""
    last_hour.clear()


def test_a_server_that_is_well_says_so_to_everybody_and_no_more(watcher):
    answer = watcher.get("/healthz")
    assert answer.status_code == 200
    assert answer.json == {"ok": True, "database": "ok", "disk": "ok", "eye": "ok", "camera": "ok"}


def test_a_table_without_an_eye_is_well_too(typed_app):
    assert typed_app.test_client().get("/healthz").json == {"ok": True, "database": "ok", "disk": "ok"}


def test_a_camera_that_fails_is_told(watcher, client, eye):
    eye.unplugged = True
    answer = watcher.get("/healthz")
    assert answer.status_code == 503
    assert answer.json["camera"] == "failed"
    assert "The camera was unplugged." in client.get("/status").text


def test_a_database_that_fails_is_told(watcher, client, settings):
    with sqlite3.connect(settings.data_dir / "scorekeeper.db") as database:
        database.execute("DROP TABLE event")
    answer = watcher.get("/healthz")
    assert answer.status_code == 503
    assert answer.json["database"] == "failed"
    assert "check the database" in client.get("/status").text


def test_a_database_that_was_deleted_is_told_and_never_made_anew(app, watcher, client, book, game_id, settings):
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="1")
    for path in settings.data_dir.glob("scorekeeper.db*"):
        path.unlink()
    assert watcher.get("/healthz").json["database"] == "failed"
    assert "was deleted or moved while the server was running" in client.get("/status").text
    assert client.post("/status/backup").status_code == 503
    caretaker = app.extensions[EXTENSION].caretaker
    caretaker.look()
    caretaker.close()
    assert list(settings.data_dir.rglob("*.db*")) == []


def test_a_damaged_file_is_told_and_no_part_of_a_backup(watcher, client, settings):
    (settings.data_dir / "pictures").mkdir(exist_ok=True)
    damaged = settings.data_dir / "pictures" / "spread.json"
    damaged.write_bytes(b"\xff")
    sidefiles.set_aside(damaged, "it is no text")
    assert watcher.get("/healthz").status_code == 200
    page = client.get("/status").text
    assert page.count('<li class="heed">') == 1
    assert "Damaged and set aside: 1. The newest is pictures/spread.json." in page
    assert "is damaged (it is no text)" in page
    answer = client.post("/status/backup")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as pack:
        assert not [name for name in pack.namelist() if "spread.json" in name]
    answer.close()


def test_a_disk_that_is_nearly_full_is_told(watcher, client, monkeypatch):
    usage = shutil.disk_usage("/")._replace(free=1_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert watcher.get("/healthz").status_code == 503
    assert "Only 1 MB are free" in client.get("/status").text


def test_a_disk_that_can_hold_no_more_files_is_told(watcher, client, monkeypatch):
    full = os.statvfs_result((*tuple(os.statvfs("/"))[:7], 0, *tuple(os.statvfs("/"))[8:]))
    monkeypatch.setattr(os, "statvfs", lambda _: full)
    assert watcher.get("/healthz").json["disk"] == "failed"
    assert "can hold no more files" in client.get("/status").text


def test_a_folder_that_can_not_be_written_is_told(watcher, client, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    assert watcher.get("/healthz").json["disk"] == "failed"
    assert "allow this user to write there" in client.get("/status").text


def test_only_the_scorekeeper_sees_the_rest(watcher, client, settings):
    assert watcher.get("/status").status_code == 303
    assert watcher.post("/status/backup").status_code == 403
    page = client.get("/status").text
    assert str(settings.data_dir) in page
    assert "Nothing went wrong" in page
    assert "How the server is" in client.get("/").text
    assert "How the server is" not in watcher.get("/").text


def test_wrong_pins_of_the_last_hour_are_shown(app, client):
    app.test_client().post("/sign-in", data={"pin": "314159"}, environ_overrides={"REMOTE_ADDR": "192.168.1.7"})
    page = client.get("/status").text
    assert "wrong PIN from 192.168.1.7" in page
    assert "314159" not in page


def test_what_goes_wrong_again_and_again_pushes_no_error_out(client):
    logging.getLogger("scorekeeper").error("the disk failed")
    for number in (*range(250), 249):
        logging.getLogger("web").warning("wrong PIN from 10.0.0.%d", number)
    page = client.get("/status").text
    assert "the disk failed" in page
    assert page.count("wrong PIN") < 250
    assert re.search(r"wrong PIN from 10\.0\.0\.249 <b>\s*2 times", page)


def test_the_button_saves_everything_in_one_file(client, book, game_id, settings, pin):
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="1")
    answer = client.post("/status/backup")
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=nertz-")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as pack:
        assert json.loads(pack.read("backup.json"))["games"] == 1
        assert pin.encode() not in answer.data
    answer.close()
    assert [path.name for path in settings.data_dir.iterdir() if path.name.startswith(".backup")] == []


def test_a_backup_that_finds_no_room_is_said(client, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    answer = client.post("/status/backup")
    assert answer.status_code == 503
    assert "The disk is full: free some space, then repeat." in answer.text


def test_a_part_that_is_looked_at_has_a_title_of_its_own(client, app):
    with app.test_request_context():
        titles = [check.title for check in status.checks()]
    assert len(titles) == len(set(titles))
    assert all(title in client.get("/status").text for title in titles)


@pytest.fixture
def log_file(tmp_path):
    """A log of this test alone."""
    root = logging.getLogger()
    before = list(root.handlers)
    set_up(tmp_path, ("271828", "word"))
    yield tmp_path / FOLDER / FILE
    for handler in set(root.handlers) - set(before):
        root.removeHandler(handler)
        handler.close()


def lines_of(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_every_write_is_a_line_of_the_log_without_what_was_typed(log_file, app, client, game_id):
    client.post("/sign-in", data={"pin": "314159", "who": "Pam"})
    client.post(f"/g/{game_id}/referee", data={"did": "ready.amy", "hand": "1", "request_id": "tap"})
    lines = lines_of(log_file)
    assert {"method": "POST", "path": f"/g/{game_id}/referee", "status": 303, "from": "127.0.0.1"}.items() <= lines[
        -1
    ].items()
    assert "314159" not in log_file.read_text("utf-8")
    assert log_file.parent.stat().st_mode & 0o077 == 0


def test_the_log_has_no_secrets_wherever_they_come_from(log_file):
    logger = logging.getLogger("scorekeeper.test")
    try:
        raise ValueError("postgresql://me:word@host")
    except ValueError:
        logger.exception("the PIN 271828 of %s", "line\nbreak")
    text = log_file.read_text("utf-8")
    assert "271828" not in text
    assert "word@" not in text
    assert lines_of(log_file)[0]["trace"].endswith("ValueError: postgresql://me:***@host")


def test_a_log_without_secrets_changes_nothing():
    record = logging.LogRecord("web", logging.INFO, "x", 1, "as it is", None, None)
    assert json.loads(JsonLines(()).format(record))["text"] == "as it is"


def test_the_log_rotates(log_file):
    logger = logging.getLogger("scorekeeper.test")
    for _ in range(1500):
        logger.warning("x" * 900)
    assert sorted(path.name for path in log_file.parent.iterdir()) == [FILE, f"{FILE}.1"]


@pytest.mark.parametrize("fault", ["the disk is full", "a file lies where its folder was"])
def test_a_log_that_can_not_be_written_stops_nobody_and_is_said_once(tmp_path, capsys, fault):
    if fault == "the disk is full":
        (tmp_path / FOLDER).mkdir()
        (tmp_path / FOLDER / FILE).symlink_to("/dev/full")
    else:
        (tmp_path / FOLDER).write_text("no folder")
    root = logging.getLogger()
    before = list(root.handlers)
    set_up(tmp_path)
    for number in range(3):
        logging.getLogger("scorekeeper").error("this is error %d", number)
    for handler in set(root.handlers) - set(before):
        root.removeHandler(handler)
        with suppress(OSError):
            handler.close()
    said = [trouble for trouble in last_hour.troubles() if "can't be written" in trouble.text]
    assert [trouble.times for trouble in said] == [1]
    assert "Traceback" not in capsys.readouterr().err


def test_troubles_are_forgotten_after_an_hour(monkeypatch):
    handler = LastHour()
    for hours in (2, 0.5):
        record = logging.LogRecord("web", logging.ERROR, "x", 1, f"{hours} hours ago", None, None)
        record.created -= hours * 3600
        handler.emit(record)
    assert [trouble.text for trouble in handler.troubles()] == ["0.5 hours ago"]


# The doctor


def test_the_doctor_looks_at_everything_on_a_page(client, eye, game_id):
    page = client.get("/doctor").text
    for title in ("Program", "Computer", "Data folder", "Games", "Network", "Port", "Certificate", "Camera"):
        assert f"<b>{title}</b>" in page
    titles = re.findall("<li[^>]*><b>(.*?)</b>", page)
    assert len(titles) == len(set(titles)), "each thing has one name, and one line"
    assert "this server is using it" in page
    assert "24 of 49 cards" in page, "an eye on paper reads every picture alike"
    eye.unplugged = True
    assert 'class="failed"><b>Camera</b> <span>The camera was unplugged.' in client.get("/doctor").text


def test_the_doctor_is_for_the_scorekeeper(watcher):
    assert watcher.get("/doctor").status_code == 303
