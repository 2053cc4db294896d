"""Games go out as files and come in again from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from scorekeeper.cli import main
from scorekeeper.config import Settings
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import open_log


@pytest.fixture
def house(tmp_path: Path) -> tuple[Path, str]:
    """A data folder with one game, and its name."""
    log = open_log(Settings(data_dir=tmp_path).url)
    book = Scorebook(log)
    game_id = book.start_game(make_sides(["Amy", "Ben"]), Rules(), request_id="start")
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="hand")
    log.close()
    return tmp_path, game_id


def run(runner: CliRunner, *words: str | Path) -> tuple[int, str]:
    told = runner.invoke(main, [str(word) for word in words])
    return told.exit_code, told.output


def test_the_games_are_listed(runner, house):
    folder, game_id = house
    code, told = run(runner, "export", "--data", folder)
    assert code == 0
    assert told.startswith(game_id)
    assert told.rstrip().endswith("1 hands  Amy, Ben")


def test_a_game_goes_to_another_house_and_back(runner, house, tmp_path):
    folder, game_id = house
    file, other = tmp_path / "evening.json", tmp_path / "other"
    assert run(runner, "export", game_id, "--data", folder, "--out", file)[0] == 0
    assert run(runner, "import", file, "--data", other) == (0, f"Game {game_id} is read in, 2 entries of it new.\n")
    assert run(runner, "import", file, "--data", other) == (0, f"Game {game_id} was here already, nothing is new.\n")
    assert run(runner, "export", game_id, "--data", other)[1] == file.read_text("utf-8")


@pytest.mark.parametrize(
    ("kind", "begins"),
    [("csv", "\ufeffhand,side,people"), ("sheet", "13 to 100, x1 -2"), ("json", "{")],
)
def test_a_game_is_printed_in_three_ways(runner, house, kind, begins):
    folder, game_id = house
    code, told = run(runner, "export", game_id, "--data", folder, "--as", kind)
    assert code == 0
    assert told.startswith(begins)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("no game", "this is no game of the Nertz Scorekeeper", id="foreign"),
        pytest.param('{"format": "nertz-scorekeeper-game", "v": 9}', "newer Nertz Scorekeeper", id="too new"),
        pytest.param('{"format": "nertz-scorekeeper-game", "v"', "is damaged", id="cut short"),
    ],
)
def test_what_is_no_game_is_refused_in_one_sentence(runner, tmp_path, text, says):
    file = tmp_path / "some.json"
    file.write_text(text)
    code, told = run(runner, "import", file, "--data", tmp_path / "house")
    assert code == 1
    assert told.startswith("Error: ")
    assert says in told
    assert told.count("\n") == 1


def test_a_file_larger_than_any_game_is_refused(runner, tmp_path):
    file = tmp_path / "large.json"
    with file.open("wb") as large:
        large.truncate(17 * 1024 * 1024)
    code, told = run(runner, "import", file, "--data", tmp_path / "house")
    assert code == 1
    assert "larger than any game" in told


def test_an_unknown_game_is_refused(runner, house):
    code, told = run(runner, "export", "nosuchgame", "--data", house[0])
    assert code == 1
    assert "there is no game" in told


def test_an_exported_file_says_what_it_is(runner, house):
    folder, game_id = house
    data = json.loads(run(runner, "export", game_id, "--data", folder)[1])
    assert (data["format"], data["v"], data["game"]) == ("nertz-scorekeeper-game", 1, game_id)
    assert [event["kind"] for event in data["events"]] == ["game-started", "hand-recorded"]
