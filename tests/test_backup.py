"""Everything of a table in one file, written while it plays, and put back here, elsewhere, or not at all."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from scorekeeper.backup import check_restored, restore, write_backup
from scorekeeper.config import Settings
from scorekeeper.errors import BackupError, DataFolderError, StoreError
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import keep_copy, lock_data_folder, open_log


@pytest.fixture
def here(tmp_path):
    """A table with a game, a picture, and secrets."""
    settings = Settings(data_dir=tmp_path / "here", pin="271828")
    settings.data_dir.mkdir()
    secrets = ("pin.txt", "server.key", "authority.key", "camera.json")
    for name in ("pictures/a.picture", "decks.json", *secrets, "logs/scorekeeper.log"):
        path = settings.data_dir / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"this is {name}")
    return settings


@pytest.fixture
def log(here):
    log = open_log(here.url)
    book = Scorebook(log)
    game = book.start_game(make_sides(["Amy", "Ben"]), Rules(), request_id="start")
    book.record_hand(game, parse_hand("amy 14/0! ben 9/4"), request_id="1")
    book.save_rules("ours", Rules(target=70))
    for kind in ("server", "session", "door"):
        log.shelf.change(kind, "x", lambda _: "a very secret word")
    yield log
    log.close()


@pytest.fixture
def file(here, log, tmp_path):
    path = tmp_path / "friday.backup"
    write_backup(log, here, path)
    return path


@pytest.fixture
def there(tmp_path):
    return Settings(data_dir=tmp_path / "there")


def played(settings):
    log = open_log(settings.url)
    book = Scorebook(log)
    found = {game.id: (game.hands, book.game(game.id).totals) for game in book.games()}, list(book.saved_rules())
    log.close()
    return found


def test_a_backup_brings_games_pictures_and_rules_elsewhere(here, there, file):
    about = restore(file, there)
    assert (about.games, about.files) == (1, 2)
    assert played(there) == played(here)
    assert played(there)[1] == ["ours"]
    assert (there.data_dir / "pictures/a.picture").read_text() == "this is pictures/a.picture"


def test_a_backup_has_no_secrets(file):
    assert file.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(file) as pack:
        assert set(pack.namelist()) == {"backup.json", "scorekeeper.db", "files/decks.json", "files/pictures/a.picture"}
        assert b"a very secret word" not in pack.read("scorekeeper.db")


def test_what_was_there_is_moved_aside(here, there, file, tmp_path):
    log = open_log(replace(there, data_dir=there.data_dir).url) if there.data_dir.mkdir() is None else None
    Scorebook(log).start_game(make_sides(["Cleo", "Dan"]), Rules(), request_id="start")
    log.close()
    (there.data_dir / "pin.txt").write_text("the pin of there")
    restore(file, there)
    assert played(there) == played(here)
    assert (there.data_dir / "pin.txt").read_text() == "the pin of there"
    (aside,) = there.data_dir.glob("before-restore-*")
    assert "Cleo" in str(played_names(aside))


def played_names(folder):
    log = open_log(Settings(data_dir=folder).url)
    names = [game.sides for game in Scorebook(log).games()]
    log.close()
    return names


def test_a_backup_of_an_older_program_is_brought_up_to_date(here, log, file, tmp_path):
    before = played(here)
    with zipfile.ZipFile(file) as pack:
        parts = {name: pack.read(name) for name in pack.namelist()}
    old = tmp_path / "old.db"
    old.write_bytes(parts["scorekeeper.db"])
    with closing(sqlite3.connect(old)) as database:
        database.executescript("DROP TABLE summary; DROP TABLE shelf; UPDATE alembic_version SET version_num = '0002'")
    with zipfile.ZipFile(file, "w") as pack:
        for name, data in {**parts, "scorekeeper.db": old.read_bytes()}.items():
            pack.writestr(name, data)
    log.close()
    copy = keep_copy(here.data_dir / "scorekeeper.db", "evening")
    restore(file, here)
    assert played(here) == before
    assert list((here.data_dir / "copies").iterdir()) == [copy]


class Cut(BaseException):
    """The power fails."""


@pytest.mark.parametrize("step", range(4))
@pytest.mark.parametrize("fault", [OSError(5, "Input/output error"), KeyboardInterrupt()], ids=["disk", "Ctrl-C"])
def test_a_restore_that_fails_in_the_middle_puts_everything_back(here, log, file, monkeypatch, step, fault):
    log.close()
    before = {path.relative_to(here.data_dir): path.read_bytes() for path in files_of(here.data_dir)}
    fail_at(monkeypatch, step, fault)
    with pytest.raises(BackupError if isinstance(fault, OSError) else KeyboardInterrupt):
        restore(file, here)
    monkeypatch.undo()
    assert {path.relative_to(here.data_dir): path.read_bytes() for path in files_of(here.data_dir)} == before
    check_restored(here.data_dir)


def test_a_server_does_not_start_on_half_a_restore(here, log, file, monkeypatch):
    log.close()
    before = played(here)
    with monkeypatch.context() as patched:
        fail_at(patched, 2, Cut(), for_good=True)
        with pytest.raises(Cut):
            restore(file, here)
    serve = [sys.executable, "-m", "scorekeeper", "serve", "--data", str(here.data_dir)]
    told = subprocess.run(serve, capture_output=True, text=True, timeout=60, check=False).stderr
    assert "a restore was ended in the middle: repeat it" in told
    restore(file, here)
    check_restored(here.data_dir)
    assert played(here) == before


def files_of(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "in-use.lock")


def fail_at(monkeypatch, step, fault, *, for_good=False):
    """The move number *step* fails, and all after it where the power has failed *for_good*."""
    moves, move = iter(range(1000)), Path.replace

    def once(path, target):
        now = next(moves)
        if now == step or (for_good and now > step):
            raise fault
        return move(path, target)

    monkeypatch.setattr(Path, "replace", once)


def test_nothing_is_restored_under_a_running_server(there, file):
    with lock_data_folder(there.data_dir), pytest.raises(DataFolderError, match="stop it first"):
        restore(file, there)


def test_a_backup_that_lost_a_byte_anywhere_changes_nothing(here, there, file):
    whole = file.read_bytes()
    for at in range(20, len(whole), len(whole) // 25):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        refused = False
        try:
            restore(file, there)
        except (BackupError, StoreError):
            refused = True
        if refused:
            assert [path.name for path in there.data_dir.iterdir()] == ["in-use.lock"]
        else:  # the byte was one that says nothing, such as a time in the head of a file
            assert played(there) == played(here)
            for path in sorted(there.data_dir.rglob("*"), reverse=True):
                if path.name != "in-use.lock":
                    path.rmdir() if path.is_dir() else path.unlink()


@pytest.mark.parametrize("cut", [0, 10, 1000, -1])
def test_a_backup_that_was_cut_short_changes_nothing(there, file, cut):
    file.write_bytes(file.read_bytes()[:cut])
    with pytest.raises(BackupError, match="damaged, or no backup"):
        restore(file, there)
    assert [path.name for path in there.data_dir.iterdir()] == ["in-use.lock"]


@pytest.mark.parametrize(
    "name",
    ["files/../../evil", "/etc/evil", "files//etc/evil", "evil", "files/a\\..\\evil", "files/C:/evil", "files/pin.txt"],
)
def test_a_backup_writes_nowhere_else(there, file, name, tmp_path):
    with zipfile.ZipFile(file, "a") as pack:
        pack.writestr(name, "evil")
    with pytest.raises(BackupError, match="can't be in one"):
        restore(file, there)
    assert not list(tmp_path.rglob("*evil*"))


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ({}, "no backup of the Nertz Scorekeeper"),
        ({"format": "nertz-scorekeeper-backup", "v": 2}, "made by a newer"),
        ([], "no backup of the Nertz Scorekeeper"),
    ],
)
def test_another_file_is_no_backup(there, tmp_path, head, words):
    path = tmp_path / "other.zip"
    with zipfile.ZipFile(path, "w") as pack:
        pack.writestr("backup.json", json.dumps(head))
    with pytest.raises(BackupError, match=words):
        restore(path, there)


def test_a_backup_that_can_not_be_written_is_said(here, log, tmp_path):
    with pytest.raises((BackupError, StoreError), match="written|opened"):
        write_backup(log, here, tmp_path / "nowhere" / "x.backup")


def test_a_backup_without_a_table_of_events_is_refused(there, file, tmp_path):
    with closing(sqlite3.connect(tmp_path / "empty.db")) as database:
        database.execute("CREATE TABLE x (y)")
    other = tmp_path / "other.backup"
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(other, "w") as new:
        new.writestr("backup.json", old.read("backup.json"))
        new.write(tmp_path / "empty.db", "scorekeeper.db")
    with pytest.raises(StoreError, match="damaged"):
        restore(other, there)
