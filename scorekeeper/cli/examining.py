"""``scorekeeper doctor``: looks at everything that an evening needs, and says what is wrong and what to do."""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path

import click
import numpy as np

from scorekeeper import __version__
from scorekeeper.config import Settings, default_settings_file, load_settings
from scorekeeper.devices import devices
from scorekeeper.errors import ScorekeeperError
from scorekeeper.logs import FILE, FOLDER
from scorekeeper.network import Reach
from scorekeeper.resources import data_path
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import lock_data_folder, open_log
from scorekeeper.vision.camera import is_live, open_newest
from scorekeeper.watch.sight import Sight
from web.address import usable_addresses
from web.certificate import certificate_end

PARTS = ("opencv-python", "onnxruntime", "sqlalchemy", "gevent")
"""Packages whose versions a report of a mistake should name."""
FULL, NEARLY_FULL = 50_000_000, 500_000_000
"""With fewer bytes free nothing is surely kept; with fewer an evening of pictures may not fit."""
LOOK_S = 2.0
"""How long the camera's pictures are counted."""
SLOW = 2.0
"""With fewer pictures a second nothing is counted live."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    title: str
    text: str
    wrong: bool = False


def run(settings: Path | None, data: Path | None, camera: str | None) -> bool:
    """Prints what was found; False where something is wrong."""
    findings = list(_looked(settings, data, camera))
    for each in findings:
        click.echo(f"{'WRONG' if each.wrong else 'ok':<7}{each.title:<14}{each.text}")
    wrong = sum(each.wrong for each in findings)
    click.echo(
        f"\n{wrong} {'thing is' if wrong == 1 else 'things are'} wrong." if wrong else "\nEverything looks fine."
    )
    return not wrong


def _looked(settings: Path | None, data: Path | None, camera: str | None) -> Iterator[Finding]:
    yield from _program()
    file = settings or default_settings_file()
    try:
        chosen = load_settings(settings, {"data_dir": data, "camera": camera})
        there = file is not None and file.is_file()
        yield Finding("Settings", f"{file} was read" if there else f"none; their usual place is {file}")
    except ScorekeeperError as error:
        yield Finding("Settings", str(error), wrong=True)
        return
    looks: tuple[tuple[str, Callable[[Settings], Iterator[Finding]]], ...] = (
        ("Data folder", _folder),
        ("Games", _games),
        ("Network", _network),
        ("Port", _port),
        ("Certificate", _certificate),
        ("Camera", _camera),
        ("Card reading", _eye),
    )
    for title, look in looks:
        try:
            for each in look(chosen):
                yield replace(each, title=title)
        except (ScorekeeperError, OSError) as error:
            yield Finding(title, str(error), wrong=True)


def _program() -> Iterator[Finding]:
    parts = ", ".join(f"{name} {version(name)}" for name in PARTS)
    yield Finding("Program", f"Nertz Scorekeeper {__version__}, {parts}")
    yield Finding("Computer", f"{platform.platform()}, Python {platform.python_version()}")


def _folder(settings: Settings) -> Iterator[Finding]:
    folder = settings.data_dir
    there = next(place for place in (folder, *folder.parents) if place.exists())
    free = shutil.disk_usage(there).free
    text = f"{folder}, {free / 1e9:.1f} GB free; the log is {folder / FOLDER / FILE}"
    if free < NEARLY_FULL:
        yield Finding("", f"{text}: free some space", wrong=free < FULL)
    elif not folder.exists():
        yield Finding("", f"{text}; it is made at the first start")
    else:
        yield Finding("", f"{text}; {_who_has(folder)}")


def _who_has(folder: Path) -> str:
    """Whether a server runs on the folder; raises DataFolderError where it can't be written."""
    try:
        with lock_data_folder(folder):
            return "no server is using it"
    except ScorekeeperError as error:
        if "another Nertz Scorekeeper" not in str(error):
            raise
        return "a server is using it now"


def _games(settings: Settings) -> Iterator[Finding]:
    if settings.owns_folder and not Path(settings.data_dir, "scorekeeper.db").exists():
        yield Finding("", "there are none yet")
        return
    log = open_log(settings.url)
    try:
        games = len(Scorebook(log).games())
        yield Finding("", f"{games} in {log.place}")
    finally:
        log.close()


def _network(settings: Settings) -> Iterator[Finding]:
    if settings.only_here:
        yield Finding("", f"the server would listen on {settings.host} only, so phones can't come", wrong=True)
    elif settings.base_url:
        yield Finding("", f"phones use {settings.base_url}")
    elif own := usable_addresses(settings):
        told = ", ".join(f"{each.ip} ({each.network}{', far' if each.reach is Reach.FAR else ''})" for each in own)
        yield Finding("", f"phones can try {told}")
    else:
        yield Finding("", "this computer is in no network: join a Wi-Fi, or turn on its hotspot", wrong=True)


def _port(settings: Settings) -> Iterator[Finding]:
    with socket.socket() as probe:
        probe.settimeout(2)
        taken = probe.connect_ex(("127.0.0.1", settings.port)) == 0
    told = "somebody listens on it: a scorekeeper that runs, or another program" if taken else "free"
    yield Finding("", f"{settings.port}: {told}")


def _certificate(settings: Settings) -> Iterator[Finding]:
    end = certificate_end(settings.data_dir)
    if end is None:
        yield Finding("", "none; one is made by --https")
    else:
        left = end - datetime.now(UTC)
        told = "it is made anew at the next start" if left < timedelta(days=7) else f"{left.days} days left"
        yield Finding("", f"until {end:%Y-%m-%d}, {told}")


def _camera(settings: Settings) -> Iterator[Finding]:
    if settings.camera is None:
        yield Finding("", "none is set: phones take the pictures, or give one with --camera")
    else:
        yield Finding("", *glimpse(settings.camera, settings.rotate))


def glimpse(source: int | str, rotate: int = 0) -> tuple[str, bool]:
    """What a camera gives within two seconds, in words, and whether that is too little; raises CameraError."""
    with open_newest(source, rotate=rotate) as newest:
        number, first = newest.wait(after=0, timeout_s=15)
        began, last, frame, moved = time.monotonic(), number, first, False
        while time.monotonic() < began + LOOK_S:
            if found := newest.peek(after=last, timeout_s=LOOK_S):
                last, frame = found
                moved = moved or not np.array_equal(first, frame)
        rate = (last - number) / (time.monotonic() - began)
    told = f"gives {frame.shape[1]} by {frame.shape[0]} pixels, {rate:.1f} pictures a second"
    if not is_live(source):
        return told, False
    if not moved:
        return f"{told}, always the very same one: it is frozen, so start it again", True
    if rate < SLOW:
        return f"{told}: that is too slow to count live; choose a smaller picture, or a better Wi-Fi", True
    return told, False


def cameras() -> None:
    """Prints every camera of this computer, and what it gives."""
    shown = False
    for device in devices():
        try:
            told = glimpse(device.number)[0]
        except ScorekeeperError as error:
            if sys.platform != "linux":
                continue
            told = str(error)
        shown = True
        click.echo(f"--camera {device.number}   {device.name}\n    {told}")
    if not shown:
        click.echo(
            "There is no camera at this computer. A phone becomes one by an app that serves its picture: start it, and "
            "give its address, such as --camera http://192.168.1.20:8080/video"
        )


def _eye(settings: Settings) -> Iterator[Finding]:
    """Reads a sample picture whose answer is known, and names the networks that read it."""
    try:
        models, sample = data_path("models"), data_path("datasets/samples/hand1")
    except FileNotFoundError as error:
        yield Finding("", str(error), wrong=True)
        return
    wanted = sum(json.loads((sample / "truth.json").read_text("utf-8"))["lake"].values())
    began = time.monotonic()
    total = (
        Sight(letters="dutch" if settings.letters == "dutch" else "french")
        .lake((sample / "lake.jpg").read_bytes())
        .reading.total
    )
    told = f"a sample picture in {time.monotonic() - began:.1f} s, {total} of {wanted} cards"
    yield Finding("", told, wrong=total != wanted)
    prints = (f"{path.stem} {hashlib.sha256(path.read_bytes()).hexdigest()[:8]}" for path in models.glob("*/*.onnx"))
    yield Finding("", f"networks {', '.join(sorted(prints))}")
