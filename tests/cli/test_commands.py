"""The commands say what they are for, what is wrong with a call, and end with the status they promise."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from scorekeeper.cli import main


def commands(group: click.Group, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in group.commands.items():
        yield (*words, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*words, name))


@pytest.mark.parametrize(("words", "command"), list(commands(main)))
def test_every_command_explains_itself_and_its_options(
    runner: CliRunner, words: tuple[str, ...], command: click.Command
) -> None:
    told = runner.invoke(main, [*words, "--help"])
    assert told.exit_code == 0
    assert command.help
    assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_help_needs_neither_the_eye_nor_a_server() -> None:
    program = "import sys; from scorekeeper.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    program += "assert not {'cv2', 'onnxruntime', 'gevent', 'flask', 'sqlalchemy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("read", id="no picture kind"),
        pytest.param("read lake", id="no picture"),
        pytest.param("read pond a.jpg", id="an unknown kind"),
        pytest.param("read spread a.jpg", id="no deck"),
        pytest.param("read spread a.jpg --deck red", id="a deck without pictures"),
        pytest.param("read spread a.jpg --deck =red.jpg", id="a deck without a name"),
        pytest.param("read spread a.jpg --deck red=r.jpg --deck red=s.jpg", id="a deck named twice"),
        pytest.param("read fan a.jpg --overlay out.txt", id="an overlay that is no JPEG"),
        pytest.param("measure no-such-folder", id="no folder"),
        pytest.param("measure . --use everything", id="an unknown use"),
        pytest.param("serve --port 70000", id="no port"),
        pytest.param("serve --port some", id="a port that is no number"),
        pytest.param("serve --rotate 45", id="a camera turned by no quarter"),
        pytest.param("watch 0", id="a live count without decks"),
        pytest.param("watch --deck red=r.jpg", id="a live count without a camera"),
        pytest.param("demo --port -1", id="a negative port"),
        pytest.param("play", id="no such command"),
    ],
)
def test_a_wrong_call_ends_with_2(runner: CliRunner, words: str) -> None:
    told = runner.invoke(main, words.split())
    assert told.exit_code == 2
    assert "Usage:" in told.stderr
    assert not told.stdout


def test_a_folder_without_labels_ends_with_1_and_one_sentence(runner: CliRunner, tmp_path: Path) -> None:
    told = runner.invoke(main, ["measure", str(tmp_path)])
    assert told.exit_code == 1
    assert told.stderr.startswith("Error: ")
    assert told.stderr.count("\n") == 1
    assert not told.stdout


@pytest.mark.parametrize("name", ["missing.jpg", "text.jpg", "empty.jpg", "."])
def test_a_picture_that_is_none_ends_with_1_and_one_sentence(tmp_path: Path, name: str, runner: CliRunner) -> None:
    (tmp_path / "text.jpg").write_text("no picture")
    (tmp_path / "empty.jpg").touch()
    told = runner.invoke(main, ["read", "lake", str(tmp_path / name), "--json"])
    assert told.exit_code == (2 if name == "." else 1)
    assert "Traceback" not in told.stderr
    assert not told.stdout
