"""The numeric address that a phone at the table can reach."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from flask import request, url_for

from web.here import settings

OUTSIDE = ("192.0.2.1", 9)
"""An address of documentation (RFC 5737): asking for the way there sends nothing."""
NAMES_LAST_S = 30.0
"""How long the names of this computer are remembered: it may move to another network."""

AT_HOME = (".lan", ".home", ".home.arpa", ".internal", ".localdomain", ".fritz.box")
"""What routers put behind a computer's name; nobody elsewhere can have such a name."""

Names = frozenset[str]
"""Host names and numeric addresses."""


def address_for(game_id: str) -> str:
    """The board's address for a QR code: the set base address, else the one this browser uses, else the network's."""
    path = url_for("board.page", game_id=game_id)
    return f"{base_address()}{path}"


def base_address() -> str:
    """Scheme, host and port without a slash at the end."""
    if settings().base_url:
        return str(settings().base_url).rstrip("/")
    parts = urlsplit(request.host_url)
    host = parts.hostname or ""
    if not is_only_here(host):
        return f"{parts.scheme}://{parts.netloc}"
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{network_address()}{port}"


def outside_address() -> str:
    """Where phones reach this server, whatever name this browser came by."""
    if settings().base_url:
        return str(settings().base_url)
    return f"{request.scheme}://{network_address()}:{request.environ.get('SERVER_PORT', settings().port)}"


def is_only_here(host: str) -> bool:
    """Whether *host* means this machine to itself, so that a phone could not use it."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def network_address() -> str:
    """This machine's own address in its network; 127.0.0.1 without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(OUTSIDE)
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def plain_address(address: str) -> str:
    """An IPv4 address as such, also where a socket for both kinds writes it as ``::ffff:192.168.1.20``."""
    return address.removeprefix("::ffff:") if "." in address else address


def own_names() -> Names:
    """What phones may call this computer: localhost, its name, and its addresses in the network."""
    host = socket.gethostname()
    names = {"localhost", "127.0.0.1", "::1", network_address(), host.removesuffix(".local"), f"{host}.local"}
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
    base = urlsplit(str(settings().base_url or ""))
    try:
        parts = urlsplit(host_url)
        port = parts.port
    except ValueError:  # such as http://[evil or http://evil:port
        return False
    if base.netloc and parts.netloc.lower() == base.netloc.lower():
        return True
    if port is not None and str(port) != request.environ.get("SERVER_PORT"):
        return False
    name = (parts.hostname or "").rstrip(".")
    short = next((name.removesuffix(ending) for ending in AT_HOME if name.endswith(ending)), name)
    return name in {settings().host, request.environ.get("SERVER_ADDR")} or name in known_names or short in known_names
