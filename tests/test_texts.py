"""Files that people save with editors of all systems: with a byte order mark, in UTF-16, in another code page."""

from __future__ import annotations

import codecs
import io

import pytest
from click.testing import CliRunner

from scorekeeper.cli import main
from scorekeeper.cli.serving import kept_pin
from scorekeeper.config import load_settings
from scorekeeper.errors import SettingsError
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import open_log
from scorekeeper.texts import decode_text
from scorekeeper.watch.labels import read_labels
from web.rules_file import read_rules_file

SAVED = {
    "UTF-8": lambda text: text.encode(),
    "UTF-8 with a mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "UTF-16 of Windows": lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    "UTF-16 the other way": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    "UTF-16 without a mark": lambda text: text.encode("utf-16-le"),
    "UTF-16 the other way without a mark": lambda text: text.encode("utf-16-be"),
    "lines of Windows": lambda text: text.replace("\n", "\r\n").encode(),
}
saved = pytest.mark.parametrize("save", SAVED.values(), ids=SAVED)


@saved
def test_a_text_is_read_as_it_was_written(save):
    assert decode_text(save("")) == ""
    assert decode_text(save("1")) == "1"
    assert decode_text(save("Zoë ♠\n")).splitlines() == ["Zoë ♠"]


@saved
def test_settings_are_read(save, tmp_path):
    (tmp_path / "house.toml").write_bytes(save('port = 9000\ndata_dir = "/Zoë"\n'))
    assert load_settings(tmp_path / "house.toml", environ={}).port == 9000


def test_settings_with_a_letter_of_another_code_page_are_refused_with_the_line(tmp_path):
    (tmp_path / "house.toml").write_bytes('port = 9000\ndata_dir = "/Zoë"\n'.encode("cp1252"))
    with pytest.raises(SettingsError, match="line 2 has letters that are no UTF-8; save it as UTF-8"):
        load_settings(tmp_path / "house.toml", environ={})


@saved
def test_a_pin_that_somebody_edited_is_kept(save, tmp_path):
    (tmp_path / "pin.txt").write_bytes(save("4711\n"))
    assert kept_pin(tmp_path) == "4711"


@saved
def test_house_rules_are_read(save):
    assert read_rules_file(io.BytesIO(save("# ours\n13+10 to 150, x1 -2\n"))) == "13+10 to 150, x1 -2"


@saved
def test_labels_are_read(save, tmp_path):
    (tmp_path / "labels.jsonl").write_bytes(save('{"file": "a.jpg", "kind": "fan", "use": "measure", "cards": []}\n'))
    assert [label.name for label in read_labels(tmp_path, "measure")] == ["a.jpg"]


@pytest.fixture(scope="module")
def game(tmp_path_factory) -> str:
    """The file of a game of Zoë's."""
    folder = tmp_path_factory.mktemp("games")
    log = open_log(f"sqlite:///{folder / 'scorekeeper.db'}")
    word = Scorebook(log).start_game(make_sides(["Zoë", "Ben"]), Rules(), request_id="start")
    log.close()
    return CliRunner().invoke(main, ["export", word, "--data", str(folder)]).stdout


@saved
def test_a_game_is_read(save, tmp_path, game, runner):
    (tmp_path / "friday.json").write_bytes(save(game))
    done = runner.invoke(main, ["import", str(tmp_path / "friday.json"), "--data", str(tmp_path)])
    assert "is read in" in done.output
    assert "Zoë" in runner.invoke(main, ["export", "--data", str(tmp_path)]).output


def test_a_game_that_was_edited_by_hand_is_refused_with_the_line(tmp_path, game, runner):
    edited = game.replace('"kind"', ',"kind"')
    (tmp_path / "friday.json").write_text(edited, "utf-8")
    done = runner.invoke(main, ["import", str(tmp_path / "friday.json"), "--data", str(tmp_path)])
    assert done.exit_code == 1
    line = edited.partition(',"kind"')[0].count("\n") + 1
    assert f"is damaged in line {line}: save it again where it was played" in done.output
