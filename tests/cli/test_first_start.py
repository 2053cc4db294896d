"""The first start on whatever computer: without a screen, a home folder or a free port, on consoles of all kinds."""

from __future__ import annotations

import contextlib
import io
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scorekeeper.cli import main
from scorekeeper.cli.serving import greeting
from scorekeeper.config import Settings, load_settings
from scorekeeper.vision.camera.sources import open_newest
from scorekeeper.watch.glimpse import glimpse

BARE = [sys.executable, "-m", "scorekeeper"]
HOUSE = Path(__file__).parents[2]


@contextlib.contextmanager
def begun(**environment: str) -> Iterator[str]:
    """``scorekeeper`` alone, and all that it has said when it is ready."""
    program = subprocess.Popen(
        BARE,
        cwd=HOUSE,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding=environment.get("PYTHONIOENCODING", "utf-8"),
    )
    assert program.stdout is not None
    try:
        said = ""
        while "Ctrl-C" not in said:
            line = program.stdout.readline()
            assert line, said
            said += line
        yield said
    finally:
        program.terminate()
        program.communicate(timeout=60)


@pytest.fixture
def taken() -> Iterator[int]:
    """The usual port, on which somebody listens."""
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with contextlib.suppress(OSError):  # somebody else does
            other.bind(("0.0.0.0", Settings().port))
            other.listen()
        yield Settings().port


def test_the_command_alone_serves_opens_the_browser_and_says_what_to_do(tmp_path, taken):
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.new && mv {opened}.new {opened}\n', "utf-8")
    browser.chmod(0o755)
    data = tmp_path / "games"
    with begun(SCOREKEEPER_DATA=str(data), BROWSER=f"{browser} %s", PYTHONIOENCODING="cp1252") as said:
        assert "Traceback" not in said
        port = int(re.search(r"Board +http://\S+:(\d+)\n", said)[1])
        assert port > taken, "another port where the usual one is taken"
        for word in (str(data), str(data / "logs" / "scorekeeper.log"), "settings.toml", "Scan the code", "PIN"):
            assert word in said
        for _ in range(300):
            if opened.exists():
                break
            time.sleep(0.1)
        address = opened.read_text("utf-8").strip()
        assert address == f"http://localhost:{port}/"
        with urllib.request.urlopen(address, timeout=60) as answer:
            assert answer.status == 200


@pytest.mark.parametrize(
    ("encoding", "code"),
    [("utf-8", True), ("cp437", True), ("latin-1", False), ("cp1252", False), ("ascii", False), ("koi8-r", True)],
)
def test_a_console_that_lacks_the_letters_of_the_qr_code_says_so(tmp_path, monkeypatch, encoding, code):
    console = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", console)
    said = greeting(Settings(data_dir=tmp_path, pin="1234", address="192.168.1.20"))
    console.write(said)  # raises UnicodeEncodeError where the console can't
    assert ("█" in said) is code
    assert ("can't show the QR code" in said) is not code


def test_a_name_that_a_console_can_not_write_is_no_reason_to_stop(tmp_path):
    done = subprocess.run(
        [*BARE, "read", "fan", str(tmp_path / "Zoë-ℕ.jpg")],
        env={**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONPATH": str(HOUSE)},
        capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"check its name" in done.stderr


def test_a_home_that_can_not_be_written_is_said_in_one_sentence():
    environment = {"HOME": "/proc/1", "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "SCOREKEEPER_DATA": ""}
    done = subprocess.run(
        BARE, cwd=HOUSE, env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 1
    sentence = r"Error: the data folder '/proc/1/\S+' can't be written .*or choose another folder with --data\n"
    assert re.fullmatch(sentence, done.stderr)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can become somebody without a home")
def test_a_user_without_a_home_is_told_what_to_do():
    """A user that no list of users knows, as in many containers."""
    script = """
import os
from scorekeeper.config import load_settings
os.setuid(54321)
os.environ.pop("HOME", None)
try:
    load_settings(environ={})
except Exception as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=HOUSE, capture_output=True, text=True, check=True)
    assert done.stdout == "this user has no home folder: say with --data where the games shall be kept\n"


def test_settings_at_their_usual_place_are_read(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "nertz-scorekeeper").mkdir()
    (tmp_path / "nertz-scorekeeper" / "settings.toml").write_text("port = 9000\n", "utf-8")
    assert load_settings(environ={}).port == 9000
    (tmp_path / "other.toml").write_text("rotate = 90\n", "utf-8")
    assert load_settings(tmp_path / "other.toml", environ={}) == replace(Settings(), rotate=90)


# The doctor


def test_the_doctor_finds_nothing_wrong_with_a_table_of_phones(runner, tmp_path):
    done = runner.invoke(main, ["doctor", "--data", str(tmp_path)])
    lines = {line[7:21].strip(): line for line in done.output.splitlines() if line.startswith(("ok", "WRONG"))}
    assert {"Program", "Computer", "Settings", "Data folder", "Games", "Port", "Certificate", "Camera"} <= set(lines)
    assert [line for title, line in lines.items() if title != "Network" and line.startswith("WRONG")] == []
    assert "49 of 49 cards" in done.output
    assert str(tmp_path / "logs" / "scorekeeper.log") in lines["Data folder"]


def test_the_doctor_says_what_is_wrong_and_looks_on(runner, tmp_path):
    (tmp_path / "scorekeeper.db").write_bytes(b"no database")
    (tmp_path / "house.toml").write_text('host = "127.0.0.1"\n', "utf-8")
    options = ["--data", str(tmp_path), "--settings", str(tmp_path / "house.toml"), "--camera", str(tmp_path / "none")]
    done = runner.invoke(main, ["doctor", *options])
    assert done.exit_code == 1
    wrong = [line[7:21].strip() for line in done.output.splitlines() if line.startswith("WRONG")]
    assert wrong == ["Games", "Network", "Camera"]
    assert "3 things are wrong" in done.output


def test_the_doctor_counts_a_cameras_pictures_and_sees_a_frozen_one(runner, camera):
    camera.show([np.full((48, 64, 3), 90, np.uint8)])
    with open_newest(camera.address) as newest:
        assert glimpse(newest)[1] is False
        camera.freeze()
        time.sleep(0.5)
        told, wrong = glimpse(newest)
    assert wrong
    assert "64 by 48 pixels" in told
    assert "frozen" in told


def test_cameras_are_listed_or_said_to_be_none(runner):
    done = runner.invoke(main, ["cameras"])
    assert done.exit_code == 0
    assert re.search(r"--camera \d+ |There is no camera at this computer", done.output)


def test_the_doctor_names_settings_that_can_not_be(runner, tmp_path):
    (tmp_path / "house.toml").write_text("prot = 80\n", "utf-8")
    done = runner.invoke(main, ["doctor", "--settings", str(tmp_path / "house.toml")])
    assert done.exit_code == 1
    assert "there is no setting 'prot'" in done.output
