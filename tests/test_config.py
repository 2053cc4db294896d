"""Settings come from a file, the environment and the command line, and every bad one is named."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from scorekeeper.config import CHECKS, Settings, load_settings
from scorekeeper.errors import SettingsError
from scorekeeper.store import open_log


@pytest.fixture
def write(tmp_path):
    """Writes a settings file."""

    def write(text: str) -> Path:
        path = tmp_path / "settings.toml"
        path.write_text(text, "utf-8")
        return path

    return write


def test_without_any_setting_everything_has_a_default():
    settings = load_settings(environ={})
    assert settings == Settings()
    assert settings.data_dir.name == "nertz-scorekeeper"
    assert settings.url == f"sqlite:///{settings.data_dir / 'scorekeeper.db'}"
    assert settings.owns_folder


@pytest.mark.parametrize("name", ["plain", "with space", "50%41#?&x=1", "Jürgen", "'quoted'"])
def test_games_lie_in_the_data_folder_whatever_its_name(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    open_log(Settings(data_dir=folder).url).close()
    assert (folder / "scorekeeper.db").is_file()


def test_every_setting_is_checked():
    assert set(CHECKS) == {field.name for field in fields(Settings)}


def test_the_file_sets_everything(write, tmp_path):
    path = write(
        f"""
        data_dir = '{tmp_path}'
        database_url = "postgresql+psycopg://amy@localhost/nertz"
        host = "127.0.0.1"
        port = 9000
        camera = 0
        pin = "0042"
        base_url = "http://192.168.1.20:9000/"
        https = true
        """
    )
    assert load_settings(path, environ={}) == Settings(
        data_dir=tmp_path,
        database_url="postgresql+psycopg://amy@localhost/nertz",
        host="127.0.0.1",
        port=9000,
        camera="0",
        pin="0042",
        base_url="http://192.168.1.20:9000",
        https=True,
    )


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(write):
    path = write('data_dir = "/file"\ndatabase_url = "sqlite:////file.db"\nport = 1')
    environ = {"SCOREKEEPER_DATA": "/environment", "SCOREKEEPER_DATABASE_URL": "sqlite:////environment.db"}
    settings = load_settings(path, {"data_dir": Path("/line"), "port": None}, environ)
    assert settings.data_dir == Path("/line")
    assert settings.url == "sqlite:////environment.db"
    assert not settings.owns_folder
    assert settings.port == 1


def test_the_environment_of_the_process_counts(monkeypatch, tmp_path):
    monkeypatch.setenv("SCOREKEEPER_DATA", str(tmp_path))
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", "")
    assert load_settings() == Settings(data_dir=tmp_path)


def test_every_bad_key_is_named(write):
    path = write(
        'prot = 80\nport = 70000\nhttps = "yes"\npin = "12"\nbase_url = "table.local"\nhost = ""\ncamera = true'
    )
    with pytest.raises(SettingsError) as refusal:
        load_settings(path, environ={})
    text = str(refusal.value)
    assert "there is no setting 'prot': use data_dir," in text
    for key in ("port", "https", "pin", "base_url", "host", "camera"):
        assert f"{key} must be " in text
    assert str(path) in text


def test_a_secret_is_not_repeated():
    with pytest.raises(SettingsError) as refusal:
        load_settings(overrides={"pin": "77abc", "database_url": "postgresql://amy:secret@h/\n"}, environ={})
    assert "77abc" not in str(refusal.value)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize("rotate", [45, -90, 360, "90", False])
def test_a_camera_is_turned_by_quarters(rotate):
    with pytest.raises(SettingsError, match="rotate must be 0, 90, 180 or 270"):
        load_settings(overrides={"rotate": rotate}, environ={})
    assert load_settings(overrides={"rotate": 270}, environ={}).rotate == 270


@pytest.mark.parametrize("port", [-1, 65536, "80", 80.0, True])
def test_a_port_is_a_number(port):
    with pytest.raises(SettingsError, match="port must be a whole number from 0 to 65535"):
        load_settings(overrides={"port": port}, environ={})


def test_a_file_that_is_not_there_or_no_toml_is_refused(tmp_path, write):
    with pytest.raises(SettingsError, match="can't be read: No such file"):
        load_settings(tmp_path / "none.toml", environ={})
    with pytest.raises(SettingsError, match="is no TOML"):
        load_settings(write("port: 80"), environ={})
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b'host = "\xe9"')
    with pytest.raises(SettingsError, match="is no TOML"):
        load_settings(latin, environ={})
