"""Files beside the log are written whole or not at all, and a damaged one stands in nobody's way."""

from __future__ import annotations

import json
import logging
import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scorekeeper import sidefiles
from scorekeeper.errors import DataFolderError


@contextmanager
def full_disk() -> Iterator[None]:
    """No file may become longer than 1,000 bytes: the system refuses what goes beyond, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_file_is_written_with_the_folders_it_lies_in(tmp_path: Path) -> None:
    path = tmp_path / "some" / "where" / "note.json"
    sidefiles.write(path, b"[1]")
    sidefiles.write(path, b"[1, 2]")
    assert sidefiles.read(path, json.loads) == [1, 2]
    assert [each.name for each in path.parent.iterdir()] == ["note.json"]


def test_a_private_file_is_its_owners_from_the_first_moment(tmp_path: Path) -> None:
    sidefiles.write(tmp_path / "key", b"secret", private=True)
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


def test_a_file_that_is_not_there_is_none(tmp_path: Path) -> None:
    assert sidefiles.read(tmp_path / "nothing", bytes) is None
    assert sidefiles.read(tmp_path / "no" / "folder", bytes) is None
    assert sidefiles.found_damaged(tmp_path) == []


@pytest.mark.parametrize("content", [b"", b"\0" * 40, b"[1", b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_file_is_set_aside_and_a_whole_one_takes_its_place(tmp_path, caplog, content):
    path = tmp_path / "note.json"
    path.write_bytes(content)
    assert sidefiles.read(path, json.loads) is None
    assert not path.exists()
    [aside] = sidefiles.found_damaged(tmp_path)
    assert aside.read_bytes() == content
    assert f"{path} is damaged" in caplog.text
    sidefiles.write(path, b"[]")
    assert sidefiles.read(path, json.loads) == []


def test_a_full_disk_leaves_the_file_as_it_was_and_nothing_else(tmp_path, caplog):
    path = tmp_path / "picture"
    sidefiles.write(path, b"before")
    with full_disk(), pytest.raises(DataFolderError, match="the disk is full: free some space"):
        sidefiles.write(path, b"x" * 5000)
    assert [each.name for each in tmp_path.iterdir()] == ["picture"]
    assert path.read_bytes() == b"before"
    assert any(record.levelno == logging.ERROR for record in caplog.records)


def test_what_a_stopped_server_was_writing_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    for name in (".players.json.1a2b.new", "pictures/.x.picture.3c4d.new", "players.json"):
        (tmp_path / name).write_bytes(b"half")
    (tmp_path / ".backup-x1").mkdir()
    (tmp_path / ".backup-x1" / "nertz.backup").write_bytes(b"half")
    sidefiles.clear_unfinished(tmp_path)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["players.json"]
