"""The numeric address that a phone at the table can reach."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from flask import request, url_for

from web.here import settings

OUTSIDE = ("192.0.2.1", 9)
"""An address of documentation (RFC 5737): asking for the way there sends nothing."""


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
