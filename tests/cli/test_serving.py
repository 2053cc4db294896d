"""A server says where it is, keeps its PIN, and refuses to share its folder or its port."""

from __future__ import annotations

import contextlib
import io
import json
import re
import signal
import socket
import ssl
import stat
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from scorekeeper.cli import main
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import open_log

SERVE = [sys.executable, "-m", "scorekeeper", "serve", "--host", "127.0.0.1"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def serving(data: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server of its own process, and what it has said when it was ready."""
    process = subprocess.Popen([*SERVE, "--data", str(data), *options], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        said = ""
        for line in process.stdout:
            said += line
            if "Ctrl-C" in line:
                break
        yield process, said
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def refused(data: Path, port: int) -> str:
    done = subprocess.run(
        [*SERVE, "--data", str(data), "--port", str(port)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_server_tells_the_way_and_ends_cleanly(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path, "--port", str(port), "--address", "127.0.0.1") as (process, said):
        assert f"http://127.0.0.1:{port}" in said
        assert "▄" not in said
        assert "Phones can't come: this server listens on 127.0.0.1 only" in said
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        assert "Every recorded hand is kept" in process.stdout.read()
        assert process.wait(timeout=30) == 0


def test_the_pin_is_the_same_after_a_restart_and_for_its_owner_only(tmp_path: Path) -> None:
    pins = []
    for _ in range(2):
        with serving(tmp_path, "--port", str(free_port())) as (_, said):
            pins += re.findall(r"PIN ([0-9]{6})\b", said)
    assert len(pins) == 2
    assert pins[0] == pins[1]
    assert stat.S_IMODE((tmp_path / "pin.txt").stat().st_mode) == 0o600


def test_a_second_server_on_the_same_folder_or_port_is_refused_and_the_first_lives_on(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path / "one", "--port", str(port)):
        assert "is using the data folder" in refused(tmp_path / "one", free_port())
        assert f"port {port} is in use" in refused(tmp_path / "two", port)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
            assert answer.status == 200


def test_after_a_kill_the_folder_is_free_again(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", str(free_port())) as (process, _):
        process.kill()
        process.wait()
    with serving(tmp_path, "--port", str(free_port())) as (_, said):
        assert "PIN" in said


def test_a_camera_is_named(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", str(free_port()), "--camera", str(tmp_path)) as (_, said):
        assert f"Camera          {tmp_path}" in said


def test_a_damaged_pin_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "pin.txt").write_text("abc")
    with serving(tmp_path, "--port", str(free_port())) as (_, said):
        assert re.search(r"PIN [0-9]{6}\b", said)


def test_settings_are_checked_before_anything_starts(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text("prot = 80\n")
    done = subprocess.run(
        [*SERVE, "--settings", str(tmp_path / "house.toml")], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "'prot'" in done.stderr


def test_a_server_with_a_certificate_of_its_own_says_what_phones_will_warn_about(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path, "--port", str(port), "--https") as (_, said):
        assert f"https://127.0.0.1:{port}" in said
        assert "warns once that the connection is not private" in said
        trusting = ssl.create_default_context(cafile=str(tmp_path / "authority.crt"))
        with urllib.request.urlopen(f"https://127.0.0.1:{port}/sign-in", context=trusting) as answer:
            assert answer.status == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_server_that_is_told_to_stop_ends_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path, "--port", str(free_port())) as (process, _said):
        process.send_signal(number)
        assert process.stdout is not None
        assert "Every recorded hand is kept" in process.stdout.read()
        assert process.wait(timeout=30) == 0


def test_a_service_does_not_write_the_pin_into_its_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOURNAL_STREAM", "8:12345")
    with serving(tmp_path, "--port", str(free_port())) as (_, said):
        assert (tmp_path / "pin.txt").read_text().strip() not in said
        assert str(tmp_path / "pin.txt") in said


def test_a_running_server_is_well_is_saved_and_leaves_a_log_and_a_copy(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path, "--port", str(port)) as (process, _said):
        pin, here = (tmp_path / "pin.txt").read_text().strip(), f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=here, headers={"Origin": here}, follow_redirects=True) as link:
            assert link.get("/healthz").json()["database"] == "ok"
            link.post("/sign-in", data={"pin": "wrong" + pin})
            link.post("/sign-in", data={"pin": pin})
            form = {"name": ["Amy", "Ben"], "preset": "national", "request_id": "start", "target": "100"}
            link.post("/start", data=form)
            saved = link.post("/status/backup")
            assert "wrong PIN from 127.0.0.1" in link.get("/status").text
        with zipfile.ZipFile(io.BytesIO(saved.content)) as pack:
            assert pack.testzip() is None
            assert json.loads(pack.read("backup.json"))["games"] == 1
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0
    lines = [json.loads(line) for line in (tmp_path / "logs/scorekeeper.log").read_text().splitlines()]
    assert {"POST /sign-in: 403", "POST /start: 303", "stopped"} <= {line["text"] for line in lines}
    assert pin not in (tmp_path / "logs/scorekeeper.log").read_text()
    assert len(list((tmp_path / "copies").glob("*-evening.db"))) == 1
    assert [path.name for path in tmp_path.iterdir() if path.stat().st_mode & 0o077] == []


def test_a_backup_is_written_and_put_back_from_the_command_line(tmp_path: Path) -> None:
    log = open_log(f"sqlite:///{tmp_path / 'scorekeeper.db'}")
    Scorebook(log).start_game(make_sides(["Amy", "Ben"]), Rules(), request_id="start")
    log.close()
    cli = CliRunner()
    made = cli.invoke(main, ["backup", str(tmp_path / "friday.backup"), "--data", str(tmp_path)])
    assert "1 game and 0 files are in" in made.output
    back = cli.invoke(main, ["restore", str(tmp_path / "friday.backup"), "--data", str(tmp_path / "new")])
    assert "1 game and 0 files of" in back.output
    again = cli.invoke(main, ["restore", str(tmp_path / "friday.backup"), "--data", str(tmp_path / "new")])
    assert "before-restore-" in again.output
    assert cli.invoke(main, ["export", "--data", str(tmp_path / "new")]).output.count("Amy, Ben") == 1
