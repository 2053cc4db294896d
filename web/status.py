"""Whether the server is well: in one word for whatever watches it, and in full for the scorekeeper."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from socket import gethostname

from flask import Blueprint, Response, jsonify, render_template, send_file
from flask.typing import ResponseReturnValue

from scorekeeper import __version__, sidefiles
from scorekeeper.backup import write_backup
from scorekeeper.errors import StoreError
from scorekeeper.guide.marks import mark
from scorekeeper.logs import last_hour
from web import here
from web.guard import for_everybody, keepers_only
from web.language import gettext as _
from web.refusals import sentence
from web.shapes import tenth

bp = Blueprint("status", __name__)
bp.before_request(for_everybody)
keepers = Blueprint("status_page", __name__)
keepers.before_request(keepers_only)

FULL = 50_000_000
"""With fewer bytes free nothing more is surely kept."""
NEARLY_FULL = 500_000_000
"""With fewer bytes free the page warns."""
STARTED = time.monotonic()


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    title: str
    ok: bool
    text: str
    heed: bool = False
    """Whether somebody should do something about it, though all goes on."""


@bp.get("/healthz")
def health() -> ResponseReturnValue:
    """200 while all is well, else 503; says of each part whether it is, and no more, as anybody may ask."""
    found = checks()
    well = all(check.ok for check in found)
    answer = jsonify(ok=well, **{check.name: "ok" if check.ok else "failed" for check in found})
    answer.headers["Cache-Control"] = "no-store"
    return answer, 200 if well else 503


@keepers.get("/status")
def page() -> str:
    """What is well, who is there, what is kept, and what went wrong within the last hour."""
    log, live = here.book().log, here.live()
    ago = None if log.written_at is None else timedelta(seconds=time.monotonic() - log.written_at)
    return render_template(
        "status.html",
        checks=checks(),
        boards=live.open_boards,
        written=None if ago is None else datetime.now(UTC) - ago,
        copied=here.parts().caretaker.newest(),
        copies=here.parts().caretaker.folder,
        troubles=last_hour.troubles(),
        version=__version__,
        running=timedelta(seconds=round(time.monotonic() - STARTED)),
    )


@keepers.post("/status/backup")
def backup() -> Response:
    """Everything in one file; made new each time, kept nowhere."""
    folder = here.settings().data_dir
    name = f"nertz-{datetime.now(UTC):%Y-%m-%d-%H%M}.backup"
    with tempfile.TemporaryDirectory(prefix=sidefiles.WORKPLACE, dir=folder) as place:
        path = Path(place) / name
        write_backup(here.book().log, here.settings(), path)
        file = path.open("rb")  # stays readable when its name is gone
    return send_file(file, "application/zip", as_attachment=True, download_name=name, max_age=0)


def checks() -> list[Check]:
    """Everything that is looked at, in the order of its weight."""
    return [check for look in LOOKS for check in look()]


def _database() -> Iterator[Check]:
    began, log = time.monotonic(), here.book().log
    if log.trouble:
        yield Check("database", _("Games"), False, sentence(log.trouble))
        return
    try:
        log.ping()
        ms = round(1000 * (time.monotonic() - began))
        text = _("They lie in %(place)s, which answers in %(ms)s ms.", place=log.place, ms=ms)
        yield Check("database", _("Games"), True, text)
    except StoreError as error:
        yield Check("database", _("Games"), False, sentence(str(error)))


def _disk() -> Iterator[Check]:
    folder = here.settings().data_dir
    try:
        free, has_names = shutil.disk_usage(folder).free, _has_names(folder)
    except OSError as error:
        text = _("The folder %(folder)s can't be read: %(why)s.", folder=folder, why=error.strerror)
        yield Check("disk", _("Disk"), False, text)
        return
    well, text = True, _("%(gb)s GB are free in %(folder)s.", gb=tenth(free / 1e9), folder=folder)
    if free < NEARLY_FULL:
        message = mark("Only %(mb)s MB are free in %(folder)s: delete something else from this disk.")
        well, text = free >= FULL, _(message, mb=free // 1_000_000, folder=folder)
    if not has_names:
        message = mark("The disk of %(folder)s can hold no more files: delete some that are not needed.")
        well, text = False, _(message, folder=folder)
    if not os.access(folder, os.W_OK):
        message = mark("The folder %(folder)s can't be written: allow this user to write there, and check the disk.")
        well, text = False, _(message, folder=folder)
    yield Check("disk", _("Disk"), well, text, heed=free < NEARLY_FULL)


def _has_names(folder: Path) -> bool:
    """Whether the disk has room for the name of another file, as far as the system says."""
    room = os.statvfs(folder) if hasattr(os, "statvfs") else None
    return room is None or room.f_favail > 0 or room.f_files == 0


def _damaged() -> Iterator[Check]:
    """Files that can't be read any more; the game goes on without them, so that all is well."""
    folder = here.settings().data_dir
    if found := sidefiles.found_damaged(folder):
        message = mark(
            "Damaged and set aside: %(count)s. The newest is %(name)s. "
            "Look whether anything in them is worth keeping, then delete them."
        )
        text = _(message, count=len(found), name=found[0].relative_to(folder))
        yield Check("files", _("Files"), True, text, heed=True)


def _pictures() -> Iterator[Check]:
    """Whose the pictures are, where several servers may share one database."""
    if not here.settings().owns_folder:
        message = mark("Only this server has them, on %(host)s. Others of the same database show the numbers alone.")
        text = _(message, host=gethostname())
        yield Check("pictures", _("Pictures"), True, text)


def _eye() -> Iterator[Check]:
    watch = here.watch()
    if watch is None:
        return
    titles = {"eye": _("Reading pictures"), "camera": _("Camera")}
    for name, now in watch.condition().items():
        text = _("Ready.") if now.running else _("Starts when it is needed.")
        if now.waiting:
            text = _("Being read or waiting: %(count)s.", count=now.waiting)
        yield Check(name, titles[name], not now.trouble, sentence(now.trouble) if now.trouble else text)


LOOKS: tuple[Callable[[], Iterator[Check]], ...] = (_database, _disk, _damaged, _pictures, _eye)
"""What is looked at; a part that can fail adds its own."""
