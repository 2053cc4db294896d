"""The container, the service and the workflows do what they say, as far as a machine without them can tell."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from scorekeeper.cli import main
from scorekeeper.cli.demonstration import free_port, server
from scorekeeper.config import ENVIRONMENT, load_settings

HOUSE = Path(__file__).parents[1]
CONTAINER = re.sub(r"\\\n\s*", "", (HOUSE / "Containerfile").read_text("utf-8"))
UNIT = (HOUSE / "packaging/nertz-scorekeeper.service").read_text("utf-8")
COMPOSE = yaml.safe_load((HOUSE / "compose.yaml").read_text("utf-8"))
WORKFLOWS = sorted((HOUSE / ".github/workflows").glob("*.yml"))


def step(name: str) -> str:
    """What the one line *name* of the container's file says."""
    (found,) = re.findall(rf"^{name} (.*)$", CONTAINER, re.MULTILINE)
    return found


def test_the_container_starts_the_server_as_a_user_without_rights():
    command = [*json.loads(step("ENTRYPOINT")), *json.loads(step("CMD"))]
    assert command[0] == "scorekeeper"
    assert command[1] in main.commands
    assert step("USER") not in ("root", "0")
    assert step("ENV") == f"SCOREKEEPER_DATA={step('VOLUME')}"
    assert CONTAINER.index("\nUSER ") < CONTAINER.index("\nENTRYPOINT ")


def test_the_container_takes_only_what_a_checkout_has_after_make_wheel():
    taken = step("COPY").split()[:-1]
    ignored = (HOUSE / ".dockerignore").read_text("utf-8").split("\n")
    assert ignored[1] == "*"
    assert {f"!{name}" for name in taken} == {line for line in ignored if line.startswith("!")}
    assert (HOUSE / taken[0]).is_file()
    assert "--directory dist" in (HOUSE / "Makefile").read_text("utf-8")


def test_the_container_is_well_when_the_server_is(tmp_path):
    check = json.loads(step("HEALTHCHECK").partition("CMD ")[2])
    port = free_port()
    words = [sys.executable, *(word.replace(":8765/", f":{port}/") for word in check[1:])]
    assert subprocess.run(words, capture_output=True, check=False).returncode != 0
    with server(tmp_path, port):
        assert subprocess.run(words, capture_output=True, check=False, timeout=60).returncode == 0


@pytest.mark.parametrize("text", [CONTAINER, UNIT, json.dumps(COMPOSE)], ids=["container", "unit", "compose"])
def test_every_variable_that_is_set_is_one_that_is_read(text):
    assert set(re.findall(r"SCOREKEEPER_\w+", text)) <= set(ENVIRONMENT)


def test_compose_gives_the_server_a_database_and_an_address():
    given = COMPOSE["services"]["scorekeeper"]["environment"]
    values = {name: re.sub(r"\$\{(\w+)[^}]*\}", "192.168.1.20", text) for name, text in given.items()}
    settings = load_settings(environ=values)
    assert settings.address == "192.168.1.20"
    assert settings.url == "postgresql+psycopg://nertz:192.168.1.20@database/nertz"
    assert COMPOSE["services"]["scorekeeper"]["build"]["dockerfile"] == "Containerfile"


def test_the_unit_is_one_that_systemd_takes(tmp_path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze")
    command = re.search(r"^ExecStart=(\S+) (\w+)$", UNIT, re.MULTILINE)
    assert command[2] in main.commands
    (tmp_path / "nertz.service").write_text(UNIT.replace(command[1], sys.executable), "utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", tmp_path / "nertz.service"], capture_output=True, text=True, check=False
    )
    assert "nertz.service" not in done.stderr


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_run_what_is_there(workflow):
    jobs = yaml.safe_load(workflow.read_text("utf-8"))["jobs"]
    lines = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    assert lines
    targets = set(re.findall(r"^([.\w/]+):", (HOUSE / "Makefile").read_text("utf-8"), re.MULTILINE))
    for line in lines:
        program, *words = line.split()
        if program == "make":
            assert set(words) <= targets
        elif program == "scorekeeper":
            assert words[0] in main.commands
        for path in re.findall(r"\b(?:tests|packaging)/\S+|\bContainerfile\b|^\.ci/\S+", line):
            assert (HOUSE / path).exists(), path
