"""``scorekeeper doctor``: looks at everything that an evening needs, and says what is wrong and what to do."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from scorekeeper.config import Settings, default_settings_file, load_settings
from scorekeeper.devices import devices
from scorekeeper.errors import ScorekeeperError
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import lock_data_folder, open_log
from scorekeeper.vision.camera.sources import open_newest
from scorekeeper.watch import EyeProcess
from scorekeeper.watch.glimpse import glimpse
from web.doctor import Finding, around, folder, looked, program, seeing
from web.lens import Lens


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
    yield from looked([("Program", program)])
    file = settings or default_settings_file()
    try:
        chosen = load_settings(settings, {"data_dir": data, "camera": camera})
        there = file is not None and file.is_file()
        yield Finding("Settings", f"{file} was read" if there else f"none; their usual place is {file}")
    except ScorekeeperError as error:
        yield Finding("Settings", str(error), wrong=True)
        return
    with EyeProcess(letters=chosen.letters) as eye:
        eye.use(Lens.of(chosen).at_start())
        kept = (("Data folder", lambda: folder(chosen, _who_has(chosen.data_dir))), ("Games", lambda: _games(chosen)))
        yield from looked([*kept, *around(chosen), *seeing(eye)])


def _who_has(place: Path) -> str:
    """Whether a server runs on the folder; raises DataFolderError where it can't be written."""
    if not place.exists():
        return ""
    try:
        with lock_data_folder(place):
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


def cameras() -> None:
    """Prints every camera of this computer, and what it gives."""
    shown = False
    for device in devices():
        try:
            with open_newest(device.number) as newest:
                told = str(glimpse(newest)[0])
        except ScorekeeperError as error:
            if sys.platform != "linux":
                continue
            told = str(error)
        shown = True
        click.echo(f"--camera {device.number}   {device.name}\n    {told}")
    if not shown:
        click.echo(
            "There is no camera at this computer. A phone becomes one on the page Table camera (with --https), or by "
            "an app that serves its picture: start it, and give its address, such as "
            "--camera http://192.168.1.20:8080/video"
        )
