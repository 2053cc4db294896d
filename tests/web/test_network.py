"""Which of this computer's addresses phones are told, in networks made for it: hotspots, VPNs, IPv6, no network at all.

Each computer here is a network namespace with interfaces of its own, in which the real program runs.
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from scorekeeper.config import Settings, load_settings
from scorekeeper.errors import RulesError, SettingsError
from scorekeeper.network import OwnAddress, Reach, _Found, phone_addresses, ranked
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import open_log
from web import create_app

HOUSE = Path(__file__).parents[2]
TOLD = "import json, scorekeeper.network as n; print(json.dumps([own.ip for own in n.phone_addresses()]))"
OPEN_VPN = """
import fcntl, os, struct
tun = os.open("/dev/net/tun", os.O_RDWR)
fcntl.ioctl(tun, 0x400454CA, struct.pack("16sH", b"corp0", 1))
print("open", flush=True)
os.read(0, 1)
"""
FETCH = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=60).read().decode())"


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


@dataclass
class Computer:
    """A computer of its own as far as networks go, with a phone at the other end of each of its networks."""

    name: str = field(default_factory=lambda: f"table-{secrets.token_hex(3)}")
    phones: list[str] = field(default_factory=list)
    programs: list[subprocess.Popen[str]] = field(default_factory=list)

    def start(self, inside: str, *words: str) -> subprocess.Popen[str]:
        program = subprocess.Popen(
            ["ip", "netns", "exec", inside, *words],
            cwd=HOUSE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.programs.append(program)
        return program

    def run(self, *words: str, inside: str = "") -> str:
        program = self.start(inside or self.name, *words)
        said = program.communicate(timeout=120)[0]
        assert program.returncode == 0
        return said

    def join(self, network: str, own: str, phone: str) -> None:
        """Connects a phone at the address *phone* by *network*; both with the length of the network's prefix."""
        peer = f"phone-{secrets.token_hex(3)}"
        ip("netns", "add", peer)
        self.phones.append(peer)
        ip("-n", self.name, "link", "add", network, "type", "veth", "peer", "name", "wlan0", "netns", peer)
        for name, interface, address in ((self.name, network, own), (peer, "wlan0", phone)):
            ip("-n", name, "address", "add", address, "dev", interface, *(["nodad"] if ":" in address else []))
            ip("-n", name, "link", "set", interface, "up")

    def open_vpn(self, address: str) -> None:
        """A VPN that takes all traffic, as OpenVPN and WireGuard do by two halves of the internet."""
        program = self.start(self.name, sys.executable, "-c", OPEN_VPN)
        assert program.stdout is not None
        assert program.stdout.readline() == "open\n"
        ip("-n", self.name, "address", "add", address, "dev", "corp0")
        ip("-n", self.name, "link", "set", "corp0", "up")
        for half in ("0.0.0.0/1", "128.0.0.0/1"):
            ip("-n", self.name, "route", "add", half, "dev", "corp0")

    def told(self) -> list[str]:
        """What the program tells phones here."""
        return list(json.loads(self.run(sys.executable, "-c", TOLD)))

    def leave(self) -> None:
        for program in self.programs:
            program.terminate()
            program.communicate(timeout=60)
        for name in (self.name, *self.phones):
            ip("netns", "delete", name)


@pytest.fixture
def computer() -> Iterator[Computer]:
    """A computer that is in no network yet."""
    here = Computer()
    if os.name != "posix" or os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("networks of one's own want root and the program ip (package iproute2)")
    try:
        ip("netns", "add", here.name)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no networks of one's own here: {error.stderr.strip()}")
    ip("-n", here.name, "link", "set", "lo", "up")
    yield here
    here.leave()


def hotspot(here: Computer) -> None:
    here.join("wlan0", "10.42.0.1/24", "10.42.0.7/24")


def hotspot_and_cable(here: Computer) -> None:
    here.join("eth0", "192.168.7.20/24", "192.168.7.1/24")
    ip("-n", here.name, "route", "add", "default", "via", "192.168.7.1")
    hotspot(here)


def without_a_gateway(here: Computer) -> None:
    here.join("wlan0", "192.168.1.20/24", "192.168.1.7/24")


def only_ipv6(here: Computer) -> None:
    here.join("wlan0", "fd12::20/64", "fd12::7/64")


def without_ipv6(here: Computer) -> None:
    """As many a router's guide to security tells people to set their computer."""
    here.run("sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6")
    without_a_gateway(here)


def full_vpn(here: Computer) -> None:
    without_a_gateway(here)
    here.open_vpn("10.8.0.2/24")


@pytest.mark.parametrize(
    ("network", "addresses"),
    [
        pytest.param(lambda here: None, [], id="no network"),
        pytest.param(hotspot, ["10.42.0.1"], id="the computer is the hotspot"),
        pytest.param(hotspot_and_cable, ["10.42.0.1", "192.168.7.20"], id="a hotspot, and a cable to the internet"),
        pytest.param(without_a_gateway, ["192.168.1.20"], id="a router without a gateway"),
        pytest.param(only_ipv6, ["fd12::20"], id="IPv6 only"),
        pytest.param(full_vpn, ["192.168.1.20", "10.8.0.2"], id="a VPN that takes everything comes last"),
    ],
)
def test_phones_are_told_the_likeliest_address_first(computer, network, addresses):
    network(computer)
    assert computer.told() == addresses


@contextlib.contextmanager
def serving(computer: Computer, folder: Path, *options: str) -> Iterator[str]:
    """A server on *computer*, and what it says in its terminal."""
    words = [sys.executable, "-m", "scorekeeper", "serve", "--data", str(folder), *options]
    program = computer.start(computer.name, *words)
    assert program.stdout is not None
    said = ""
    while "Ctrl-C" not in said:
        line = program.stdout.readline()
        assert line, said
        said += line
    yield said


@pytest.fixture
def played(tmp_path: Path) -> str:
    """A game in the data folder; the address of its page Join."""
    log = open_log(f"sqlite:///{tmp_path / 'scorekeeper.db'}")
    game = Scorebook(log).start_game(make_sides(["Amy", "Ben"]), Rules(), request_id="start")
    log.close()
    return f"/g/{game}/join"


@pytest.mark.parametrize(
    ("network", "address"),
    [
        pytest.param(full_vpn, "http://192.168.1.20:8765", id="behind a VPN"),
        pytest.param(only_ipv6, "http://[fd12::20]:8765", id="IPv6 only"),
        pytest.param(without_ipv6, "http://192.168.1.20:8765", id="without IPv6"),
    ],
)
def test_a_phone_comes_by_the_address_that_the_terminal_tells(computer, tmp_path, played, network, address):
    network(computer)
    with serving(computer, tmp_path) as said:
        assert f"Board           {address}\n" in said
        assert "▄" in said or "█" in said, "a QR code"
        page = computer.run(sys.executable, "-c", FETCH, f"{address}{played}", inside=computer.phones[0])
        assert f'href="{address}{played.removesuffix("/join")}"' in page
        own = computer.run(sys.executable, "-c", FETCH, f"http://localhost:8765{played}")
        assert f'href="{address}{played.removesuffix("/join")}"' in own


def test_a_computer_without_a_network_says_what_to_do(computer, tmp_path, played):
    with serving(computer, tmp_path) as said:
        assert "in no network, so phones can't come yet" in said
        assert "█" not in said, "a QR code that leads nowhere"
        page = computer.run(sys.executable, "-c", FETCH, f"http://localhost:8765{played}")
        assert "in no network" in page
        assert "join.svg" not in page


def test_a_server_of_this_computer_alone_says_that_phones_can_not_come(book, settings, game_id):
    here = create_app(book, None, replace(settings, host="127.0.0.1")).test_client()
    page = here.get(f"/g/{game_id}/join", base_url="http://127.0.0.1:8765").text
    assert "Phones can't come: this server listens on 127.0.0.1 only" in page
    assert "join.svg" not in page
    assert not any(own.ip in page for own in phone_addresses())


def found(text: str, *, point_to_point: bool = False) -> _Found:
    """``wlan0 192.168.1.20/24``, as this system may tell it."""
    network, _, address = text.rpartition(" ")
    parsed = ipaddress.ip_interface(address)
    return _Found(parsed.ip, parsed.network.prefixlen, network, point_to_point)


@pytest.mark.parametrize(
    ("networks", "out", "first"),
    [
        (["Tailscale 100.90.1.2/32", "Wi-Fi 192.168.1.20/24"], "100.90.1.2", "192.168.1.20"),
        (["NordLynx 10.5.0.2/16", "Ethernet 192.168.1.20/24"], "10.5.0.2", "192.168.1.20"),
        (["utun4 10.9.0.2/32", "en0 192.168.1.20/24"], "10.9.0.2", "192.168.1.20"),
        (["home 10.9.0.2/32", "wlan0 192.168.1.20/24"], "10.9.0.2", "192.168.1.20"),
        (["docker0 172.17.0.1/16", "wlan0 192.168.1.20/24"], "192.168.1.20", "192.168.1.20"),
        (["vEthernet (WSL) 172.20.0.1/20", "Wi-Fi 192.168.1.20/24"], "192.168.1.20", "192.168.1.20"),
        (["wwan0 10.20.30.40/29", "Local Area Connection* 10 192.168.137.1/24"], "10.20.30.40", "192.168.137.1"),
        (["Ethernet 169.254.3.4/16", "Wi-Fi 192.168.1.20/24"], "", "192.168.1.20"),
        (["eth0 192.168.1.30/24", "wlan0 192.168.2.20/24"], "192.168.2.20", "192.168.2.20"),
        (["wlan0 2001:db8:1::20/64", "wlan0 192.168.1.20/24"], "2001:db8:1::20 192.168.1.20", "192.168.1.20"),
        (["docker0 172.17.0.1/16"], "", "172.17.0.1"),
    ],
    ids=lambda value: value if isinstance(value, str) else " and ".join(value),
)
def test_networks_of_all_systems_are_told_apart(networks, out, first):
    """VPNs, containers and mobile data come last, what only connects two devices after what a router gave out."""
    told = ranked(map(found, networks), frozenset(out.split()))
    assert told[0].ip == first
    assert len(told) == len(networks)


# The pages


@pytest.fixture
def own() -> OwnAddress:
    """An address of this computer in a real network."""
    near = [each for each in phone_addresses() if each.reach <= Reach.NEAR]
    if not near:
        pytest.skip("this machine is in no network")
    return near[0]


@pytest.fixture
def at(own) -> Callable[..., dict[str, object]]:
    """How a browser on this computer asks by *host*."""
    return lambda host: {"base_url": f"http://{host}", "environ_overrides": {"SERVER_PORT": host.rpartition(":")[2]}}


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "localhost", "{name}", "{name}.local", "127.0.0.1"])
def test_the_qr_code_has_a_numeric_address_whatever_the_browser_called_this_computer(watcher, game_id, own, at, host):
    name = f"{host.format(name=socket.gethostname())}:9102"
    page = watcher.get(f"/g/{game_id}/join", **at(name)).text
    shown = f"[{own.ip}]" if ":" in own.ip else own.ip
    assert f'href="http://{shown}:9102/g/{game_id}"' in page


def test_the_scorekeeper_chooses_the_address_and_it_is_kept(app, client, book, settings, game_id, at):
    other = phone_addresses()[-1].ip
    page = f"/g/{game_id}/join"
    assert client.post(f"/g/{game_id}/address", data={"address": other}).status_code == 303
    shown = f"[{other}]" if ":" in other else other
    for there in (app, create_app(book, None, settings)):
        assert f'href="http://{shown}:9102/g/{game_id}"' in there.test_client().get(page, **at("localhost:9102")).text
    client.post(f"/g/{game_id}/address", data={"address": ""})
    assert app.extensions["scorekeeper"].address.ip is None


def test_an_address_that_this_computer_does_not_have_is_not_chosen(app, client, game_id):
    answer = client.post(f"/g/{game_id}/address", data={"address": "203.0.113.9"})
    assert answer.status_code == 422
    assert "no longer" in answer.text
    with pytest.raises(RulesError):
        app.extensions["scorekeeper"].address.choose("nonsense")


def test_a_watcher_does_not_choose(watcher, game_id):
    assert watcher.post(f"/g/{game_id}/address", data={"address": "127.0.0.1"}).status_code == 403


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("192.168.1.77", "http://192.168.1.77:9102"),
        ("fd12::7", "http://[fd12::7]:9102"),
        ("laptop.lan", "http://laptop.lan:9102"),
    ],
)
def test_a_set_address_is_told_and_welcome(book, settings, game_id, at, given, told):
    phone = create_app(book, None, replace(settings, address=given)).test_client()
    for host in ("localhost:9102", told.removeprefix("http://")):
        page = phone.get(f"/g/{game_id}/join", **at(host))
        assert page.status_code == 200
        assert f'href="{told}/g/{game_id}"' in page.text


@pytest.mark.parametrize("wrong", ["http://192.168.1.20", "192.168.1.20:80", "a b", "", "[fd12::7]"])
def test_what_is_no_address_is_refused(wrong):
    with pytest.raises(SettingsError, match="address must be an address without"):
        load_settings(overrides={"address": wrong}, environ={})


# Behind a proxy, and beside another server


@pytest.mark.parametrize(
    ("base", "host"),
    [
        pytest.param("https://score.example", "127.0.0.1:8765", id="nginx sends its own name for the server"),
        pytest.param("http://score.example:8080", "score.example", id="the proxy drops the port"),
        pytest.param("https://score.example", "score.example", id="the proxy keeps the name"),
        pytest.param("https://score.example", "localhost:8765", id="the proxy is on this machine"),
    ],
)
def test_a_page_of_the_set_address_may_write_whatever_the_proxy_calls_the_server(book, settings, pin, base, host):
    app = create_app(book, None, replace(settings, base_url=base))
    more = {"headers": {"Host": host, "Origin": base}, "environ_overrides": {"SERVER_PORT": "8765"}}
    assert app.test_client().post("/sign-in", data={"pin": pin}, **more).status_code == 303
    evil = {**more, "headers": {"Host": host, "Origin": "https://evil.example"}}
    assert app.test_client().post("/sign-in", data={"pin": pin}, **evil).status_code == 403
    plain = {**more, "headers": {"Host": host, "Origin": "https://score.example:9"}}
    assert app.test_client().post("/sign-in", data={"pin": pin}, **plain).status_code == 403


def test_two_servers_on_one_host_do_not_sign_each_other_out(app, tmp_path, pin):
    """A browser sends the cookies of a host to every port of it."""
    log = open_log(f"sqlite:///{tmp_path / 'other.db'}")
    other = create_app(Scorebook(log), None, Settings(data_dir=tmp_path / "other", pin=pin))
    cookies: dict[str, str] = {}
    for server in (app, other, app):
        phone = server.test_client()
        for name, value in cookies.items():
            phone.set_cookie(name, value)
        if phone.get("/status").status_code == 303:
            phone.post("/sign-in", data={"pin": pin})
        name = server.config["SESSION_COOKIE_NAME"]
        cookies[name] = phone.get_cookie(name).value
    assert len(cookies) == 2
    for server in (app, other):
        phone = server.test_client()
        for name, value in cookies.items():
            phone.set_cookie(name, value)
        assert phone.get("/status").status_code == 200
        assert re.search("Sign out", phone.get("/").text)
    log.close()
