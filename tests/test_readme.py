"""The README is true: its first screen is short, and every command in it runs."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scorekeeper.cli.demonstration import free_port
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import open_log

HOUSE = Path(__file__).resolve().parent.parent
README = (HOUSE / "README.md").read_text("utf-8")
SAMPLES = HOUSE / "datasets/samples/hand1"
PICTURES = {
    "table.jpg": "lake", "a.jpg": "spread-1", "b.jpg": "spread-2", "left.jpg": "fan-ben", "red.jpg": "enrol-red",
    "blue.jpg": "enrol-blue",
}  # fmt: skip
"""The files that the README's commands name, and which sample each is."""
ELSEWHERE = ("make", "pipx")
"""What tests/test_house.py looks at: the targets of the Makefile, and the installed wheel."""
PATIENCE_S = 240


def shell_lines() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    lines = (
        line.partition("#")[0].strip().removeprefix(".venv/bin/") for block in blocks for line in block.split("\n")
    )
    return list(dict.fromkeys(line for line in lines if line and not line.startswith(ELSEWHERE)))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A folder with the files that the README names, and the games of an evening."""
    for name, sample in PICTURES.items():
        shutil.copy(SAMPLES / f"{sample}.jpg", tmp_path / name)
    shutil.copytree(HOUSE / "datasets/samples", tmp_path / "pictures")
    (tmp_path / "games").mkdir()
    log = open_log(f"sqlite:///{tmp_path / 'games/scorekeeper.db'}")
    book = Scorebook(log)
    game = book.start_game(make_sides(["Amy", "Ben"]), Rules(), request_id="start")
    book.record_hand(game, parse_hand("amy 14/0! ben 9/4"), request_id="1")
    log.close()
    (tmp_path / "name").write_text(game, "utf-8")
    return tmp_path


@pytest.mark.parametrize("line", shell_lines())
def test_a_command_of_the_readme_runs(table, line):
    _, *words = shlex.split(line.replace("tavokimu", (table / "name").read_text("utf-8")))
    environment = {**os.environ, "SCOREKEEPER_DATA": str(table / "games"), "PYTHONPATH": str(HOUSE), "BROWSER": "true"}
    environment |= {"XDG_CONFIG_HOME": str(table / "config")}
    program = [sys.executable, "-m", "scorekeeper"]
    if words[:1] in ([], ["serve"], ["demo"]):
        port = [] if not words else ["--port", str(free_port())]
        ready = "Ctrl-C ends the demonstration" if words[:1] == ["demo"] else "Ctrl-C ends the server"
        assert ready in said_until(
            ready, [*program, *words, *port, *(["--fast"] if "demo" in words else [])], table, environment
        )
        return
    if words[0] == "import":
        subprocess.run([*program, *export(words[1], table)], cwd=table, env=environment, check=True)
    done = subprocess.run(
        [*program, *words], cwd=table, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    fails = words[0] == "doctor" and "1 thing is wrong" in done.stdout and "in no network" in done.stdout
    assert done.returncode == 0 or fails, done.stdout + done.stderr


def export(file: str, table: Path) -> list[str]:
    return ["export", (table / "name").read_text("utf-8"), "--out", file]


def said_until(ready: str, command: list[str], table: Path, environment: dict[str, str]) -> str:
    """What a server says until it is *ready*; it is ended then."""
    program = subprocess.Popen(
        command, cwd=table, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        said = ""
        while ready not in said:
            line = program.stdout.readline()
            assert line, said
            said += line
        return said
    finally:
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=60)


def test_the_first_screen_says_what_it_is_with_one_picture_and_two_commands():
    screen = "\n".join(README.splitlines()[:14])
    assert screen.startswith("# Nertz Scorekeeper\n\nKeeps the score of [Nertz]")
    assert len(re.findall(r"^!\[", screen, re.MULTILINE)) == 1
    (block,) = re.findall(r"```sh\n(.*?)```", screen, re.DOTALL)
    assert len(block.strip().splitlines()) == 2
    assert README.splitlines().index("## Try it") < 20


def test_the_changelog_has_one_line_a_change():
    text = (HOUSE / "CHANGELOG.md").read_text("utf-8")
    newest = text.partition("\n## ")[2]
    changes = [line for line in newest.splitlines()[1:] if line and not line.startswith("###")]
    assert changes
    assert [line for line in changes if not line.startswith("- ") or len(line) > 170] == []
