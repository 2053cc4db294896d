"""``scorekeeper serve``: joins the scorebook, the eye and the pages, and says how to get there.

Imported only after gevent has patched the standard library, as everything here waits for phones.
"""

from __future__ import annotations

import io
import ipaddress
import itertools
import logging
import os
import secrets
import signal
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
from scorekeeper.config import Settings, load_settings
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import EventLog, lock_data_folder, open_log
from scorekeeper.watch import EyeProcess
from web import create_app
from web.address import network_address, own_names
from web.here import EXTENSION
from web.pictures import Pictures
from web.server import bind
from web.tidy import tidy

if TYPE_CHECKING:
    from web.certificate import Certificate

logger = logging.getLogger(__name__)

PIN_NAME = "pin.txt"
PIN_DIGITS = 6
Pin = Annotated[str, Meta(pattern="^[0-9]{4,12}$")]
LOOKS_AGAIN = 6
"""Rounds of the caretaker after which a camera that failed is asked again."""
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What ends the server after the requests that are being answered."""
JOURNALS = {"JOURNAL_STREAM", "INVOCATION_ID"}
"""What systemd tells a service."""
WARNING = (
    "  Each phone warns once that the connection is not private, because this computer",
    '  made the certificate itself. Choose "Advanced" or "Details", then go on.',
)
"""What a self-signed certificate looks like to a phone."""


def run(settings: Path | None, **options: object) -> None:
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
            logs.set_up(ready.data_dir, (str(ready.pin), urlsplit(ready.url).password or ""))
            with EyeProcess(ready.camera, letters=ready.letters, rotate=ready.rotate) as watch:
                _serve(Scorebook(log), watch, ready)
        finally:
            log.close()


def _serve(book: Scorebook, watch: EyeProcess, settings: Settings) -> None:
    """Listens first, so that what is printed is true, then answers until Ctrl-C."""
    tidy(book, Pictures(settings.data_dir / "pictures"), datetime.now(UTC))
    certificate = own_certificate(settings) if settings.self_signed else None
    app = create_app(book, watch, settings)
    server = bind(app, settings.host, settings.port, certificate, one_proxy=settings.https)
    for number in STOPS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup sets it
            gevent.signal_handler(number, server.stop, timeout=1)
    click.echo(greeting(replace(settings, port=server.server_port), certificate))
    gevent.spawn(book.catch_up)
    caretaker: Caretaker = app.extensions[EXTENSION].caretaker
    rounds = gevent.spawn(_look_after, caretaker, watch)
    logger.info("serving")
    server.serve_forever()
    rounds.kill()
    caretaker.close()
    logger.info("stopped")
    click.echo(f"\nStopped, but {book.trouble}" if book.trouble else "\nStopped. Every recorded hand is kept.")


def _look_after(caretaker: Caretaker, watch: EyeProcess) -> None:
    for number in itertools.count(1):
        gevent.sleep(ROUND_S)
        caretaker.look()
        if number % LOOKS_AGAIN == 0:
            gevent.spawn(watch.look_again)


def own_certificate(settings: Settings) -> Certificate:
    """The certificate for every name that phones may use."""
    from web.certificate import kept_certificate

    base = urlsplit(settings.base_url or "").hostname
    names = own_names() | {name for name in (base, settings.host) if name and not _is_any(name)}
    return kept_certificate(settings.data_dir, frozenset(names))


def greeting(settings: Settings, certificate: Certificate | None = None) -> str:
    """Where the pages are, as an address and as a QR code, and the scorekeeper's PIN."""
    address = address_of(settings)
    code = io.StringIO()
    segno.make(address, error="l").terminal(out=code, compact=True, border=2)
    pin = settings.pin if shows_secrets() else f"in the settings or in {settings.data_dir / PIN_NAME}"
    lines = [code.getvalue(), f"  Board           {address}", f"  Scorekeeper PIN {pin}"]
    kept = str(settings.data_dir) if settings.owns_folder else "in the database of the settings"
    lines.append(f"  Games are kept  {kept}")
    if settings.camera is not None:
        lines.append(f"  Camera          {settings.camera}")
    if certificate is not None:
        lines += [f"  Certificate     {certificate.fingerprint} ...", *WARNING]
    return "\n".join([*lines, "  Ctrl-C ends the server.", ""])


def address_of(settings: Settings) -> str:
    """The address that phones in the same network can open."""
    if settings.base_url:
        return settings.base_url
    own = settings.host
    if _is_any(own):
        own = network_address()
    shown = f"[{own}]" if ":" in own else own
    return f"{'https' if settings.self_signed else 'http'}://{shown}:{settings.port}"


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
    pin = data.decode("ascii").strip()
    if not (pin.isdecimal() and 4 <= len(pin) <= 12):
        raise ValueError("it is no PIN: a new one was made")
    return pin


def _is_any(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False
