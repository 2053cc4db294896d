"""``scorekeeper serve``: joins the scorebook, the eye and the pages, and says how to get there.

Imported only after gevent has patched the standard library, as everything here waits for phones.
"""

from __future__ import annotations

import io
import itertools
import logging
import os
import secrets
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import click
import gevent
import segno
from msgspec import Meta

from scorekeeper import logs, sidefiles
from scorekeeper.backup import check_restored
from scorekeeper.caretaker import ROUND_S, Caretaker
from scorekeeper.config import Settings, default_settings_file, load_settings
from scorekeeper.errors import PortTakenError, ScorekeeperError
from scorekeeper.network import is_any, is_only_here, secrets_in
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import EventLog, lock_data_folder, open_log
from scorekeeper.texts import decode_text
from scorekeeper.watch import EyeProcess
from web import create_app
from web.address import ChosenAddress, own_names, set_address, usable_addresses
from web.here import EXTENSION
from web.lens import Lens
from web.pictures import Pictures
from web.server import bind
from web.tidy import tidy

if TYPE_CHECKING:
    from flask import Flask

    from web.certificate import Certificate
    from web.connections import Server
    from web.server import SafeServer

logger = logging.getLogger(__name__)

PIN_NAME = "pin.txt"
PIN_DIGITS = 6
Pin = Annotated[str, Meta(pattern="^[0-9]{4,12}$")]
LOOKS_AGAIN = 6
"""Rounds of the caretaker after which a camera that failed is asked again."""
STOPS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""What ends the server after the requests that are being answered; no system has them all."""
JOURNALS = {"JOURNAL_STREAM", "INVOCATION_ID"}
"""What systemd tells a service."""
NEXT = (
    "",
    "  Scan the code with a phone, or open the address in a browser. Sign in with the PIN to keep score,",
    "  and start a game. The page Join lets the other phones in.",
)
"""What to do first."""
TRIES, MAX_PORT = 10, 65535
"""How many ports are tried for somebody who just wants to begin, and the last one there is."""
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
"""What tells that somebody looks at a screen of this Linux machine."""
WARNING = (
    "  Each phone warns once that the connection is not private, because this computer",
    '  made the certificate itself. Choose "Advanced" or "Details", then go on. Once there,',
    "  %s/trust says how a phone gets to trust it for good.",
)
"""What a certificate of an unknown authority looks like to a phone."""
CERTIFICATE_ROUND_S = 30.0
"""How often a server that speaks https looks whether its certificate still does."""
NO_NETWORK = (
    "  This computer is in no network, so phones can't come yet. Join a Wi-Fi, or turn on its hotspot;",
    "  the page Join then shows the code.",
)
"""What to do where no address can be told."""


def run(settings: Path | None, *, open_browser: bool = False, **options: object) -> None:
    """Serves until Ctrl-C by a file of *settings* and *options*; raises DataFolderError or SettingsError."""
    terminal = logging.StreamHandler()
    terminal.setLevel(logging.WARNING)
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s", handlers=[terminal])
    os.umask(0o077)
    chosen = load_settings(settings, options)
    with lock_data_folder(chosen.data_dir):
        check_restored(chosen.data_dir)
        sidefiles.clear_unfinished(chosen.data_dir)
        log = open_log(chosen.url)
        try:
            ready = replace(chosen, pin=chosen.pin or shared_pin(log, chosen))
            hidden = (str(ready.pin), urlsplit(ready.url).password or "", *secrets_in(ready.camera or ""))
            logs.set_up(ready.data_dir, hidden)
            with EyeProcess(letters=ready.letters) as watch:
                watch.use(Lens.of(ready).at_start())
                _serve(Scorebook(log), watch, ready, open_browser=open_browser, settings_file=settings)
        finally:
            log.close()


def _serve(
    book: Scorebook, watch: EyeProcess, settings: Settings, *, open_browser: bool, settings_file: Path | None
) -> None:
    """Listens first, so that what is printed is true, then answers until Ctrl-C."""
    tidy(book, Pictures(settings.data_dir / "pictures"), datetime.now(UTC))
    certificate = own_certificate(settings) if settings.self_signed else None
    app = create_app(book, watch, settings)
    server = bind_near(app, settings, certificate, tries=TRIES if open_browser else 1)
    for number in (getattr(signal, name) for name in STOPS if hasattr(signal, name)):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup sets it
            gevent.signal_handler(number, server.stop, timeout=1)
    settings = replace(settings, port=server.server_port)
    click.echo(greeting(settings, certificate, settings_file, watch.camera))
    if open_browser:
        show_pages(settings)
    gevent.spawn(book.catch_up)
    caretaker: Caretaker = app.extensions[EXTENSION].caretaker
    rounds = [gevent.spawn(_look_after, caretaker, watch)]
    if certificate is not None:
        rounds.append(gevent.spawn(_keep_certificate, server, settings, certificate))
    logger.info("serving")
    if server.started:  # it may have been told to stop meanwhile, and would begin anew
        server.serve_forever()
    gevent.killall(rounds)
    caretaker.close()
    logger.info("stopped")
    click.echo(f"\nStopped, but {book.trouble}" if book.trouble else "\nStopped. Every recorded hand is kept.")


def bind_near(app: Flask, settings: Settings, certificate: Certificate | None, *, tries: int) -> Server:
    """A server on the port of the *settings*; where that is taken, on one of the next, *tries* in all."""
    port = settings.port
    try:
        return bind(app, settings.host, port, certificate, one_proxy=settings.https)
    except PortTakenError:
        if tries <= 1 or port >= MAX_PORT:
            raise
        return bind_near(app, replace(settings, port=port + 1), certificate, tries=tries - 1)


def show_pages(settings: Settings) -> None:
    """Opens the pages in the browser of this computer, where it has a screen; a browser that fails harms nobody."""
    if sys.platform == "linux" and not any(os.environ.get(name) for name in SCREENS):
        return
    host = "localhost" if is_any(settings.host) or is_only_here(settings.host) else settings.host
    address = f"{'https' if settings.self_signed else 'http'}://{f'[{host}]' if ':' in host else host}:{settings.port}/"
    command = [sys.executable, "-m", "webbrowser", "-t", address]
    subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _look_after(caretaker: Caretaker, watch: EyeProcess) -> None:
    for number in itertools.count(1):
        gevent.sleep(ROUND_S)
        caretaker.look()
        if number % LOOKS_AGAIN == 0:
            gevent.spawn(watch.look_again)


def _keep_certificate(server: SafeServer, settings: Settings, certificate: Certificate) -> None:
    """Makes the certificate anew before it ends, and when this computer has moved to another network."""
    while True:
        gevent.sleep(CERTIFICATE_ROUND_S)
        try:
            known, certificate = certificate, own_certificate(settings)
            if certificate != known:
                server.present(certificate)
                logger.info("the certificate was made anew")
        except (ScorekeeperError, OSError) as error:
            logger.warning("the certificate could not be renewed: %s", error)


def own_certificate(settings: Settings) -> Certificate:
    """The certificate for every name that phones may use."""
    from web.certificate import kept_certificate

    base = urlsplit(settings.base_url or "").hostname
    set_ones = {name for name in (base, settings.address, settings.host) if name and not is_any(name)}
    return kept_certificate(settings.data_dir, own_names(), own=frozenset(set_ones))


def greeting(
    settings: Settings,
    certificate: Certificate | None = None,
    settings_file: Path | None = None,
    camera: str | None = None,
) -> str:
    """Where the pages are, as an address and as a QR code, the scorekeeper's PIN, and where everything is kept."""
    address = address_of(settings)
    pin = settings.pin if shows_secrets() else f"in the settings or in {settings.data_dir / PIN_NAME}"
    lines = [*way_for_phones(settings, address), f"  Board           {address}", f"  Scorekeeper PIN {pin}"]
    kept = str(settings.data_dir) if settings.owns_folder else "in the database of the settings"
    lines += [
        f"  Games are kept  {kept}",
        f"  Log             {settings.data_dir / logs.FOLDER / logs.FILE}",
        f"  Settings        {settings_file or default_settings_file() or 'none'}",
    ]
    if camera is not None:
        lines.append(f"  Camera          {camera}")
    if certificate is not None:
        lines += [f"  Certificate     {certificate.fingerprint} ...", *WARNING[:2], WARNING[2] % address]
    return "\n".join([*lines, *NEXT, "  Ctrl-C ends the server.", ""])


def way_for_phones(settings: Settings, address: str) -> list[str]:
    """The QR code of *address*, or why phones can't come; and which other addresses this computer has."""
    if settings.only_here:
        return [
            f"  Phones can't come: this server listens on {settings.host} only. For phones start it without --host.",
            "",
        ]
    own = usable_addresses(settings)
    if not (own or settings.base_url or settings.address):
        return [*NO_NETWORK, ""]
    code = io.StringIO()
    segno.make(address, error="l").terminal(out=code, compact=True, border=2)
    if not _is_printable(code.getvalue()):
        code = io.StringIO("  This console can't show the QR code; the page Join does.\n")
    if settings.base_url or settings.address:
        return [code.getvalue()]
    shown = {each.network for each in own if each.ip == urlsplit(address).hostname}
    others = [f"{each.ip} ({each.network})" for each in own if each.network not in shown]
    choice = f"  A phone can't open it? Try --address with {' or '.join(others)}, or choose on the page Join.\n"
    return [code.getvalue(), *([choice] if others else [])]


def address_of(settings: Settings) -> str:
    """The address that phones in the same network can open."""
    scheme = "https" if settings.self_signed else "http"
    return set_address(settings, scheme, settings.port, ChosenAddress(settings.data_dir).ip)


def _is_printable(text: str) -> bool:
    """Whether the terminal has all the letters of *text*."""
    try:
        return bool(text.encode(sys.stdout.encoding or "ascii"))
    except (UnicodeEncodeError, LookupError):
        return False


def shows_secrets() -> bool:
    """Whether what is printed goes to a person, and not into the journal of a service."""
    return sys.stdout.isatty() or not JOURNALS & set(os.environ)


def shared_pin(log: EventLog, settings: Settings) -> str:
    """The PIN of the data folder; with a database of their own several servers share the one that lies there."""
    if settings.owns_folder:
        return kept_pin(settings.data_dir)
    return str(log.shelf.once("server", "pin", lambda: kept_pin(settings.data_dir), Pin))


def kept_pin(folder: Path) -> str:
    """The PIN of this data folder: made once, for its owner only, and the same after a restart."""
    path = folder / PIN_NAME
    pin = sidefiles.read(path, _pin)
    if pin is None:
        pin = f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"
        sidefiles.write(path, f"{pin}\n".encode(), private=True)
    return pin


def _pin(data: bytes) -> str:
    pin = decode_text(data).strip()
    if not (pin.isdecimal() and 4 <= len(pin) <= 12):
        raise ValueError("it is no PIN: a new one was made")
    return pin
