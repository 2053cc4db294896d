"""The address that a phone at the table opens, and the names by which it may call this server."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flask import request, url_for

from scorekeeper import sidefiles
from scorekeeper.config import Settings
from scorekeeper.errors import RulesError
from scorekeeper.network import OwnAddress, Reach, is_any, phone_addresses
from scorekeeper.texts import decode_text
from web.here import parts, settings
from web.language import gettext as _

NAMES_LAST_S = 30.0
"""How long the names of this computer are remembered: it may move to another network."""
CHOSEN = "address.txt"
"""The file in the data folder that says which address the scorekeeper chose."""

AT_HOME = (".lan", ".home", ".home.arpa", ".internal", ".localdomain", ".fritz.box")
"""What routers put behind a computer's name; nobody elsewhere can have such a name."""

Names = frozenset[str]
"""Host names and numeric addresses."""


class ChosenAddress:
    """The address that the scorekeeper chose for the QR codes, kept in the data folder of this server."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / CHOSEN
        self._ip = sidefiles.read(self._path, lambda data: str(ipaddress.ip_address(decode_text(data).strip()))) or ""

    @property
    def ip(self) -> str | None:
        """A numeric address; None where none was chosen, or this computer has it no longer."""
        return self._ip if self._ip in {own.ip for own in phone_addresses()} else None

    def choose(self, ip: str) -> None:
        """From now on *ip* is shown; empty for the likeliest. Raises RulesError and DataFolderError."""
        if ip and ip not in {own.ip for own in phone_addresses()}:
            raise RulesError(_("this computer has the address %(address)r no longer: load the page again", address=ip))
        if ip:
            sidefiles.write(self._path, f"{ip}\n".encode())
        else:
            sidefiles.remove([self._path])
        self._ip = ip


def address_for(game_id: str) -> str:
    """The board's address for a QR code."""
    path = url_for("board.page", game_id=game_id)
    return f"{base_address()}{path}"


def base_address() -> str:
    """Scheme, host and port without a slash at the end, for every phone of the table.

    That is what was set or chosen, else the numeric address that this browser uses, else the likeliest.
    """
    here = settings()
    if here.base_url:
        return here.base_url.rstrip("/")
    parsed = urlsplit(request.host_url)
    host = here.address or parts().address.ip or _numeric(parsed.hostname or "") or best_address(here)
    return _joined(parsed.scheme, host, parsed.port)


def outside_address() -> str:
    """Where phones reach this server, whatever name this browser came by."""
    port = request.environ.get("SERVER_PORT", settings().port)
    return set_address(settings(), request.scheme, int(port), parts().address.ip)


def set_address(settings: Settings, scheme: str, port: int, chosen: str | None = None) -> str:
    """Where phones reach a server of these *settings* by what is known without a browser."""
    return settings.base_url or _joined(scheme, settings.address or chosen or best_address(settings), port)


def best_address(settings: Settings) -> str:
    """The likeliest numeric address of a server; 127.0.0.1 where phones have no way to it."""
    return next((own.ip for own in usable_addresses(settings)), settings.host if not is_any(settings.host) else HERE)


HERE = "127.0.0.1"
"""This computer to itself."""


def usable_addresses(settings: Settings) -> tuple[OwnAddress, ...]:
    """The own addresses by which phones reach a server that listens as *settings* say, the likeliest first."""
    own = phone_addresses()
    if settings.host == "0.0.0.0":
        return tuple(each for each in own if ":" not in each.ip)
    return own if is_any(settings.host) else tuple(each for each in own if each.ip == settings.host)


def _numeric(host: str) -> str | None:
    """The address that a browser used, where phones can use it as well: neither a name, nor a VPN's."""
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return None
    far = any(own.ip == host and own.reach > Reach.NEAR for own in phone_addresses())
    return None if far or ip.is_loopback or ip.is_unspecified or ip.is_link_local else host


def _joined(scheme: str, host: str, port: int | None) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}:{port}" if port else f"{scheme}://{shown}"


def plain_address(address: str) -> str:
    """An IPv4 address as such, also where a socket for both kinds writes it as ``::ffff:192.168.1.20``."""
    return address.removeprefix("::ffff:") if "." in address else address


def own_names() -> Names:
    """What phones may call this computer: localhost, its name, and its addresses in the network."""
    host = socket.gethostname()
    names = {"localhost", HERE, "::1", host.removesuffix(".local"), f"{host}.local"}
    names |= {own.ip for own in phone_addresses()}
    with contextlib.suppress(OSError):
        names |= {str(info[4][0]).partition("%")[0] for info in socket.getaddrinfo(host, None)}
    return frozenset(name for name in names if name.isascii() and name.strip(".") and ".local.local" not in name)


@dataclass(slots=True)
class OwnNames:
    """The names of this computer, looked up again after a while."""

    _names: Names = frozenset()
    _until: float = field(default=float("-inf"))

    def __contains__(self, name: str) -> bool:
        if name not in self._names and time.monotonic() >= self._until:
            self._names = frozenset(each.lower() for each in own_names())
            self._until = time.monotonic() + NAMES_LAST_S
        return name in self._names


known_names = OwnNames()


def is_own(host_url: str) -> bool:
    """Whether a browser that opened *host_url* means this server, and not another site's name for it."""
    try:
        parsed = urlsplit(host_url)
        port = parsed.port
    except ValueError:  # such as http://[evil or http://evil:port
        return False
    name = (parsed.hostname or "").rstrip(".")
    if settings().base_url and name == urlsplit(str(settings().base_url)).hostname:
        return True  # a proxy may drop the port, and has a real one of its own
    if port is not None and str(port) != request.environ.get("SERVER_PORT"):
        return False
    short = next((name.removesuffix(ending) for ending in AT_HOME if name.endswith(ending)), name)
    set_ones = {settings().host, settings().address, request.environ.get("SERVER_ADDR")}
    return name in set_ones or is_any(name) or name in known_names or short in known_names


def is_own_origin(where: Any) -> bool:
    """Whether a page at *where*, an ``Origin`` or ``Referer``, is this server's, as phones or a proxy call it."""
    try:
        parsed = urlsplit(where)
    except ValueError:
        return False
    base = urlsplit(str(settings().base_url or ""))
    through_proxy = bool(base.netloc) and _origin(parsed) == _origin(base)
    return through_proxy or parsed.netloc == request.host


def _origin(parsed: Any) -> tuple[str, str | None, int | None]:
    """What browsers compare: scheme, host and port."""
    with contextlib.suppress(ValueError):
        return parsed.scheme, parsed.hostname, parsed.port or {"http": 80, "https": 443}.get(parsed.scheme)
    return "", None, None
