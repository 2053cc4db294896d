"""Looks at everything that an evening needs, and says what is wrong and what to do: for the command and for a page."""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path

from flask import Blueprint, render_template

from scorekeeper import __version__
from scorekeeper.config import Settings
from scorekeeper.errors import ScorekeeperError
from scorekeeper.guide.marks import mark
from scorekeeper.logs import FILE, FOLDER
from scorekeeper.network import Reach
from scorekeeper.resources import data_path
from scorekeeper.threads import in_thread
from scorekeeper.watch import Watch
from web import here
from web.address import usable_addresses
from web.guard import keepers_only
from web.language import gettext as _
from web.language import said
from web.refusals import sentence
from web.shapes import tenth

bp = Blueprint("doctor", __name__)
bp.before_request(keepers_only)

PARTS = ("opencv-python", "onnxruntime", "sqlalchemy", "gevent")
"""Packages whose versions a report of a mistake should name."""
FULL, NEARLY_FULL = 50_000_000, 500_000_000
"""With fewer bytes free nothing is surely kept; with fewer an evening of pictures may not fit."""
RENEWED = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    title: str
    text: str
    wrong: bool = False


Look = Callable[[], Iterable[Finding]]


@bp.get("/doctor")
def page() -> str:
    """Everything that the command `scorekeeper doctor` looks at, on the server that runs; takes some seconds."""
    settings, book, watch = here.settings(), here.book(), here.watch()
    games = _("%(count)s in %(place)s", count=len(book.games()), place=book.log.place)
    looks: list[tuple[str, Look]] = [
        (_("Program"), program),
        (_("Data folder"), lambda: folder(settings, _("this server is using it"))),
        (_("Games"), lambda: [Finding("", games)]),
        *around(settings, _("this server listens on it")),
        *(() if watch is None else seeing(watch)),
    ]
    findings = list(looked(looks))
    return render_template("doctor.html", findings=findings, wrong=sum(each.wrong for each in findings))


def looked(looks: Iterable[tuple[str, Look]]) -> Iterator[Finding]:
    """What each look finds under its title; one that fails is a finding, too."""
    for title, look in looks:
        try:
            for each in look():
                yield replace(each, title=each.title or title)
        except (ScorekeeperError, OSError) as error:
            yield Finding(title, sentence(str(error)), wrong=True)


def around(settings: Settings, listens: str = "") -> tuple[tuple[str, Look], ...]:
    """How phones get here; *listens* says that this server has the port, which else is tried."""
    return (
        (_("Network"), lambda: network(settings)),
        (_("Port"), lambda: port(settings, listens)),
        (_("Certificate"), lambda: certificate(settings)),
    )


def seeing(watch: Watch) -> tuple[tuple[str, Look], ...]:
    """The camera, and what reads its pictures."""
    return (_("Camera"), lambda: camera(watch)), (_("Card reading"), lambda: reading(watch))


def program() -> Iterator[Finding]:
    parts = ", ".join(f"{name} {version(name)}" for name in PARTS)
    yield Finding("", f"Nertz Scorekeeper {__version__}, {parts}")
    yield Finding(_("Computer"), f"{platform.platform()}, Python {platform.python_version()}")


def folder(settings: Settings, use: str) -> Iterator[Finding]:
    """Where the games are kept; *use* says who has them open."""
    place = settings.data_dir
    there = next(each for each in (place, *place.parents) if each.exists())
    free = shutil.disk_usage(there).free
    values = {"folder": place, "gb": tenth(free / 1e9), "log": place / FOLDER / FILE}
    text = _("%(folder)s, %(gb)s GB free; the log is %(log)s", **values)
    if free < NEARLY_FULL:
        yield Finding("", _("%(text)s: free some space", text=text), wrong=free < FULL)
    elif not place.exists():
        yield Finding("", _("%(text)s; it is made at the first start", text=text))
    else:
        yield Finding("", f"{text}; {use}")


def network(settings: Settings) -> Iterator[Finding]:
    if settings.only_here:
        text = _(
            "the server listens on %(host)s only, so phones can't come: start it without --host", host=settings.host
        )
        yield Finding("", text, wrong=True)
    elif settings.base_url:
        yield Finding("", _("phones use %(address)s", address=settings.base_url))
    elif own := usable_addresses(settings):
        far = _("far")
        names = (f"{each.ip} ({each.network}{f', {far}' if each.reach is Reach.FAR else ''})" for each in own)
        yield Finding("", _("phones can try %(addresses)s", addresses=", ".join(names)))
    else:
        text = mark("this computer is in no network: join a Wi-Fi, or turn on its hotspot")
        yield Finding("", _(text), wrong=True)


def port(settings: Settings, listens: str) -> Iterator[Finding]:
    if listens:
        yield Finding("", f"{settings.port}: {listens}")
        return
    with socket.socket() as probe:
        probe.settimeout(2)
        taken = probe.connect_ex(("127.0.0.1", settings.port)) == 0
    told = _("somebody listens on it: a scorekeeper that runs, or another program") if taken else _("free")
    yield Finding("", f"{settings.port}: {told}")


def certificate(settings: Settings) -> Iterator[Finding]:
    from web.certificate import certificate_end  # loads a library that a server without https does not need

    end = certificate_end(settings.data_dir)
    if end is None:
        yield Finding("", _("none; one is made by --https"))
        return
    left = end - datetime.now(UTC)
    told = _("it is made anew at the next start") if left < RENEWED else _("%(days)s days left", days=left.days)
    yield Finding("", _("until %(day)s, %(told)s", day=f"{end:%Y-%m-%d}", told=told))


def camera(watch: Watch) -> Iterator[Finding]:
    if watch.camera is None:
        yield Finding("", _("none is set: phones take the pictures, or choose one on the page Table camera"))
        return
    text, wrong = watch.glimpse()
    yield Finding("", said(text), wrong)


def reading(watch: Watch) -> Iterator[Finding]:
    """Reads a sample picture whose answer is known, and names the networks that read it."""
    try:
        models, sample = data_path("models"), data_path("datasets/samples/hand1")
    except FileNotFoundError as error:
        yield Finding("", str(error), wrong=True)
        return
    wanted = sum(json.loads((sample / "truth.json").read_text("utf-8"))["lake"].values())
    began = time.monotonic()
    total = watch.lake((sample / "lake.jpg").read_bytes()).reading.total
    values = {"seconds": tenth(time.monotonic() - began), "total": total, "all": wanted}
    text = _("a sample picture in %(seconds)s s, %(total)s of %(all)s cards", **values)
    networks = _("networks %(names)s", names=", ".join(in_thread(_prints, models)))
    yield Finding("", f"{text}; {networks}", wrong=total != wanted)


def _prints(models: Path) -> list[str]:
    """Each network with the beginning of its SHA-256."""
    files = sorted(models.glob("*/*.onnx"))
    return [f"{path.stem} {hashlib.sha256(path.read_bytes()).hexdigest()[:8]}" for path in files]
