"""Who sends a request: the address it comes from, and whether its browser has kept score here before."""

from __future__ import annotations

import ipaddress
import secrets
from urllib.parse import urlsplit

from flask import request, session

from scorekeeper.network import is_only_here
from web.address import known_names
from web.here import settings
from web.slowdown import Caller

KNOWN = "browser"
"""Where a browser's name lies in its cookie."""


def address() -> str:
    """The numeric address of the phone; behind a proxy that the settings tell of, the one that the proxy names."""
    direct = request.remote_addr or "?"
    forwarded = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    is_proxy = settings().https or (settings().base_url is not None and is_only_here(direct))
    return forwarded[:64] if forwarded and is_proxy else direct


def caller() -> Caller:
    """Who types a PIN or a code: a browser that has kept score, this machine, or an address."""
    known = known_browser()
    if known:
        return Caller(f"browser {known}", stranger=False, trusted=on_this_machine())
    return Caller(_network(address()), trusted=on_this_machine())


def on_this_machine() -> bool:
    """Whether the browser runs where the server runs; never through a proxy, which runs there for everybody."""
    forwarded = {"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} & set(request.headers.keys())
    if forwarded or settings().https:
        return False
    direct, called = request.remote_addr or "?", urlsplit(request.host_url).hostname or ""
    return (is_only_here(direct) and is_only_here(called)) or (direct == called and direct in known_names)


def known_browser() -> str:
    """The name of a browser that signed in once; empty for any other."""
    return str(session.get(KNOWN, ""))


def remember() -> None:
    """From now on this browser is known, signed in or not; all else is forgotten of it."""
    known = known_browser() or secrets.token_urlsafe(12)
    session.clear()
    session.permanent = True
    session[KNOWN] = known


def _network(text: str) -> str:
    """Of an IPv6 address the network, as one phone may have any number of addresses in it."""
    try:
        ip = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return text
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is None and not ip.is_loopback:
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(getattr(ip, "ipv4_mapped", None) or ip)
