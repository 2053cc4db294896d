"""The settings of a server: read once at the edge, then passed on as a value."""

from __future__ import annotations

import ipaddress
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import platformdirs

from scorekeeper.errors import SettingsError
from scorekeeper.network import is_only_here
from scorekeeper.texts import decode_text

APP_NAME = "nertz-scorekeeper"
SETTINGS_NAME = "settings.toml"
DATABASE_NAME = "scorekeeper.db"
PLAIN = "/\\: "
"""What may stand in an address as it is, besides letters and digits."""
ENVIRONMENT = {
    "SCOREKEEPER_DATABASE_URL": "database_url",
    "SCOREKEEPER_DATA": "data_dir",
    "SCOREKEEPER_CAMERA": "camera",
    "SCOREKEEPER_ADDRESS": "address",
}
"""Variables that stand between the settings file and the command line."""


def default_data_dir() -> Path:
    """The folder this system keeps a program's data in; raises SettingsError for a user without a home folder."""
    folder = _folder_of_this_user(platformdirs.user_data_dir)
    if folder is None:
        raise SettingsError("this user has no home folder: say with --data where the games shall be kept")
    return folder


def default_settings_file() -> Path | None:
    """The file that is read where no other is named; it need not be there. None for a user without a home folder."""
    folder = _folder_of_this_user(platformdirs.user_config_dir)
    return folder / SETTINGS_NAME if folder else None


def _folder_of_this_user(find: Callable[..., str]) -> Path | None:
    try:
        folder = Path(find(APP_NAME, appauthor=False))
    except (OSError, RuntimeError):
        return None
    return folder if folder.is_absolute() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set; every field has a default that works at a table without a network."""

    data_dir: Path = field(default_factory=default_data_dir)
    """Folder of the database, kept by one server at a time."""
    database_url: str | None = None
    """Any SQLAlchemy address; None for an SQLite file in the data folder."""
    host: str = "::"
    """Address to listen on; ``::`` lets every phone of the house in, by IPv4 and by IPv6, ``0.0.0.0`` by IPv4 only."""
    port: int = 8765
    """0 to 65535; 0 takes any free one."""
    camera: str | None = None
    """Device number, video file, folder of pictures, or an http(s) or rtsp address; None for no camera."""
    rotate: int = 0
    """Degrees by which the camera's picture is turned clockwise: 0, 90, 180 or 270."""
    pin: str | None = None
    """4 to 12 digits that make a phone the scorekeeper; None makes up new ones at every start."""
    base_url: str | None = None
    """The whole address phones reach this server by, such as a proxy's, for the QR code; None finds it out."""
    address: str | None = None
    """Of the addresses of this computer the one for the QR code; None takes the likeliest."""
    letters: str = "french"
    """What a V on a card is: a jack ("french") or a queen ("dutch"); all other letters are read without being told."""
    https: bool = False
    """Whether phones come by https, through a proxy before the server; cookies then travel by nothing else."""
    self_signed: bool = False
    """Whether the server itself speaks https, with a certificate that it makes."""

    keep_pictures: bool = True
    """Whether the pictures of a recorded hand stay as evidence; otherwise they are deleted with its confirmation."""

    @property
    def url(self) -> str:
        """The SQLAlchemy address of the event log."""
        return self.database_url or f"sqlite:///{quote(str(self.data_dir / DATABASE_NAME), safe=PLAIN)}"

    @property
    def only_here(self) -> bool:
        """Whether nobody but this computer itself can come: no phone, and no proxy for it."""
        return self.base_url is None and is_only_here(self.host)

    @property
    def encrypted(self) -> bool:
        """Whether phones come by https, one way or the other."""
        return self.https or self.self_signed

    @property
    def owns_folder(self) -> bool:
        """Whether the games lie in the data folder, so that no second server may use it."""
        return self.database_url is None


def load_settings(
    path: Path | None = None,
    overrides: Mapping[str, object] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Settings from the TOML file *path*, the environment, then *overrides* that are not None.

    Without a *path* the default file is read, if there is one. Raises SettingsError that names every bad key.
    """
    environ = os.environ if environ is None else environ
    usual = default_settings_file()
    if path is None and usual and usual.is_file():
        path = usual
    values: dict[str, object] = _read(path) if path else {}
    values |= {key: environ[name] for name, key in ENVIRONMENT.items() if environ.get(name)}
    values |= {key: value for key, value in (overrides or {}).items() if value is not None}
    wrong = list(_wrong(values))
    if wrong:
        where = f" (settings file {path})" if path else ""
        raise SettingsError("; ".join(wrong) + where)
    return Settings(**{key: CHECKS[key].read(value) for key, value in values.items()})


def _read(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(decode_text(data := path.read_bytes()))
    except OSError as error:
        raise SettingsError(f"the settings file {str(path)!r} can't be read: {error.strerror or error}") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"the settings file {str(path)!r} is no TOML: {error}") from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SettingsError(
            f"the settings file {str(path)!r} is no TOML: line {line} has letters that are no UTF-8; save it as UTF-8"
        ) from error


def _wrong(values: Mapping[str, object]) -> Iterator[str]:
    for key, value in values.items():
        check = CHECKS.get(key)
        if check is None:
            yield f"there is no setting {key!r}: use {', '.join(CHECKS)}"
        elif not check.fits(value):
            shown = "that" if key in ("pin", "database_url", "camera") else repr(value)
            yield f"{key} must be {check.wanted}, not {shown}"


@dataclass(frozen=True, slots=True)
class _Check:
    wanted: str
    fits: Callable[[Any], bool]
    read: Callable[[Any], Any] = lambda value: value


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def _is_folder(value: object) -> bool:
    return isinstance(value, Path) or _is_text(value)


def _is_port(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 65535


def _is_camera(value: object) -> bool:
    return _is_text(value) or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)


def _is_pin(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9]{4,12}", value) is not None


def _is_web_address(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"https?://[^\s/]+(/\S*)?", value) is not None


def _is_host(value: object) -> bool:
    """A name or a numeric address, IPv6 without brackets."""
    if isinstance(value, str) and ":" in value:
        return _is_ipv6(value)
    return isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9.-]+", value) is not None


def _is_ipv6(text: str) -> bool:
    try:
        return bool(ipaddress.IPv6Address(text))
    except ValueError:
        return False


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


CHECKS: Mapping[str, _Check] = {
    "data_dir": _Check("the name of a folder", _is_folder, lambda value: Path(value).expanduser()),
    "database_url": _Check("a database address such as 'sqlite:////home/me/nertz.db'", _is_text),
    "host": _Check("an address to listen on such as '::' or '127.0.0.1'", _is_text),
    "port": _Check("a whole number from 0 to 65535", _is_port),
    "camera": _Check("a device number, a file, a folder, or an http or rtsp address", _is_camera, str),
    "rotate": _Check("0, 90, 180 or 270", lambda value: value in (0, 90, 180, 270) and not isinstance(value, bool)),
    "pin": _Check("4 to 12 digits in quotes", _is_pin),
    "base_url": _Check(
        "an address such as 'http://192.168.1.20:8765'", _is_web_address, lambda value: value.rstrip("/")
    ),
    "address": _Check("an address without http:// and port such as '192.168.1.20'", _is_host),
    "letters": _Check("'french' or 'dutch'", lambda value: value in ("french", "dutch")),
    "https": _Check("true or false", _is_switch),
    "self_signed": _Check("true or false", _is_switch),
    "keep_pictures": _Check("true or false", _is_switch),
}
"""What each setting must be, and how it is read."""
