"""The numeric addresses of this computer that phones can use, the likeliest first."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple
from urllib.parse import quote, unquote

import psutil

OUTSIDE = {socket.AF_INET: ("192.0.2.1", 9), socket.AF_INET6: ("2001:db8::1", 9)}
"""Addresses of documentation (RFC 5737, RFC 3849): asking for the way there sends nothing."""
LASTS_S = 5.0
"""How long the addresses are remembered: a hotspot may be turned on at any moment."""
FAR = re.compile(
    r"tun|tap|utun|wg|ppp|ipsec|zt|tailscale|wwan|nordlynx|proton|mullvad|.*(vpn|wireguard|anyconnect)", re.IGNORECASE
)
"""How networks are called that no phone of the table is in: VPNs and mobile data."""
INSIDE = re.compile(
    r"docker|br-[0-9a-f]{12}|virbr|vmnet|vboxnet|veth|lxc|lxd|incus|podman|cni"
    r"|vethernet \((wsl|default)|virtualbox|vmware",
    re.IGNORECASE,
)
"""How networks are called that connect only programs of this computer."""

SECRETS = re.compile(r"(?i)([?&](?:pass\w*|pwd|pw|token|auth|key|secret|usr|user\w*)=)([^&#]*)")
"""What cameras take in their address that is no matter of anybody's."""

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class Reach(IntEnum):
    """Who can come by an address, the likeliest for a phone first."""

    HOTSPOT = 0
    """This computer is the network's access point, or its router."""
    NEAR = 1
    INSIDE = 2
    """Only containers and virtual machines of this computer, as far as the name tells."""
    FAR = 3
    """A VPN or mobile data."""


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """An address of this computer."""

    ip: str
    """Numeric, such as ``192.168.1.20`` or ``fd00::2``."""
    network: str
    """As this system calls it, such as ``wlan0`` or ``Wi-Fi``."""
    reach: Reach


class _Found(NamedTuple):
    ip: IPAddress
    prefix: int
    """Leading bits that all addresses of its network share."""
    network: str
    point_to_point: bool


@dataclass(slots=True)
class _Remembered:
    addresses: tuple[OwnAddress, ...] = ()
    until: float = float("-inf")


_remembered = _Remembered()


def phone_addresses() -> tuple[OwnAddress, ...]:
    """All own addresses that phones can use, the likeliest first; empty without a network."""
    if time.monotonic() >= _remembered.until:
        _remembered.addresses = ranked(_found(), ways_out())
        _remembered.until = time.monotonic() + LASTS_S
    return _remembered.addresses


def without_secrets(address: str) -> str:
    """The address of a camera as anybody may see it: without name and password, wherever they stand in it."""
    return SECRETS.sub(r"\1***", re.sub(r"://.*@", "://", address))


def with_quoted_password(address: str) -> str:
    """The address of a camera as programs want it, with its name and password as somebody may have typed them."""
    scheme, there, rest = address.partition("://")
    user, at, place = rest.rpartition("@")
    if not (there and at and ":" in user):
        return address
    name, _, password = user.partition(":")
    return f"{scheme}://{quote(unquote(name), safe='')}:{quote(unquote(password), safe='')}@{place}"


def secrets_in(address: str) -> tuple[str, ...]:
    """The words in the address of a camera that no log may have."""
    user, at, _ = address.partition("://")[2].rpartition("@")
    password = user.partition(":")[2] if at else ""
    return tuple({word for word in (password, unquote(password), *(m[2] for m in SECRETS.finditer(address))) if word})


def is_only_here(host: str) -> bool:
    """Whether *host* means this computer to itself, so that a phone could not use it."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_any(host: str) -> bool:
    """Whether *host* means all addresses of a computer, such as ``0.0.0.0``."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def ranked(found: Iterable[_Found], ways_out: frozenset[str]) -> tuple[OwnAddress, ...]:
    """Near before far, a router's own before the rest, then the way out, IPv4, and what a router gave out."""

    def rank(each: _Found) -> tuple[Reach, bool, bool, bool]:
        return _reach(each), str(each.ip) not in ways_out, each.ip.version == 6, each.ip.is_link_local

    return tuple(OwnAddress(str(each.ip), each.network, _reach(each)) for each in sorted(found, key=rank))


def ways_out() -> frozenset[str]:
    """The own addresses by which this computer reaches others, one of each kind at most."""
    found = set()
    for family, outside in OUTSIDE.items():
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(outside)
            found.add(str(probe.getsockname()[0]))
    return frozenset(found)


def _reach(each: _Found) -> Reach:
    alone = each.prefix == each.ip.max_prefixlen  # such as WireGuard's 10.0.0.2/32
    if each.point_to_point or FAR.match(each.network) or (alone and each.ip.version == 4):
        return Reach.FAR
    if INSIDE.match(each.network):
        return Reach.INSIDE
    first = ipaddress.ip_network((each.ip, each.prefix), strict=False).network_address + 1
    return Reach.HOTSPOT if each.ip.version == 4 and each.ip.is_private and each.ip == first else Reach.NEAR


def _found() -> Iterator[_Found]:
    """Every address of a network that is up, but for those that need the name of the network behind them."""
    try:
        addresses, states = psutil.net_if_addrs(), psutil.net_if_stats()
    except (OSError, psutil.Error):  # a system that does not tell
        yield from (_Found(ip, 24 if ip.version == 4 else 64, "", False) for ip in map(_parsed, ways_out()) if ip)
        return
    for network, found in addresses.items():
        state = states.get(network)
        if state is not None and not state.isup:
            continue
        for each in found:
            ip = _parsed(each.address) if each.family in OUTSIDE else None
            if ip is not None:
                prefix = _prefix(each.netmask, ip)
                yield _Found(ip, prefix, network, "pointopoint" in getattr(state, "flags", ""))


def _parsed(text: str) -> IPAddress | None:
    """An address that a phone can open; None for one that means this computer, or nothing without its network."""
    try:
        ip = ipaddress.ip_address(text)
    except ValueError:
        return None
    useless = ip.is_loopback or ip.is_unspecified or ip.is_multicast or (ip.version == 6 and ip.is_link_local)
    return None if useless else ip


def _prefix(netmask: str | None, ip: IPAddress) -> int:
    """The number of ones in *netmask*; what is usual where the system does not tell."""
    try:
        return int(ipaddress.ip_address(netmask or "")).bit_count()
    except ValueError:
        return 24 if ip.version == 4 else 64
