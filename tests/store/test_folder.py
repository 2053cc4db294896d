"""One server at a time has the data folder."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scorekeeper.errors import DataFolderError
from scorekeeper.store import lock_data_folder, open_log

HOLDER = """
import sys
from pathlib import Path
from scorekeeper.store import lock_data_folder, open_log
with lock_data_folder(Path(sys.argv[1])):
    print("mine", flush=True)
    sys.stdin.read()
"""


def test_a_missing_folder_is_made(tmp_path):
    with lock_data_folder(tmp_path / "new" / "games") as folder:
        assert folder.is_dir()


def test_a_second_server_is_told_what_to_do(tmp_path):
    with (
        lock_data_folder(tmp_path),
        pytest.raises(DataFolderError, match="stop it first, or choose another folder with --data"),
        lock_data_folder(tmp_path),
    ):
        pytest.fail("both have the folder")


def test_the_next_server_gets_the_folder(tmp_path):
    for _ in range(2):
        with lock_data_folder(tmp_path):
            pass


def test_the_folder_of_a_killed_server_is_free_again(tmp_path, checkout):
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=checkout) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "mine\n"
        with pytest.raises(DataFolderError, match="another Nertz Scorekeeper"), lock_data_folder(tmp_path):
            pass
        server.kill()
    with lock_data_folder(tmp_path):
        pass


def test_a_file_in_the_way_is_said(tmp_path):
    (tmp_path / "data").write_text("not a folder")
    with pytest.raises(DataFolderError, match="can't be written"), lock_data_folder(tmp_path / "data"):
        pass


def test_the_folder_is_its_owners_only(tmp_path):
    (tmp_path / "shared").mkdir(mode=0o755)
    for name in ("new", "shared"):
        with lock_data_folder(tmp_path / name) as folder:
            assert folder.stat().st_mode & 0o077 == 0


def test_a_folder_that_many_share_stays_as_it_is(tmp_path):
    tmp_path.chmod(0o1777)
    with lock_data_folder(tmp_path):
        assert tmp_path.stat().st_mode & 0o7777 == 0o1777


def test_the_database_is_its_owners_only(tmp_path):
    log = open_log(f"sqlite:///{tmp_path / 'games.db'}")
    log.shelf.change("server", "word", lambda _: "x")
    assert {path.stat().st_mode & 0o077 for path in tmp_path.iterdir()} == {0}
    log.close()
