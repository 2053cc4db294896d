"""Everything a table keeps in one file: the games, the pictures and the decks, to be put back here or elsewhere."""

from __future__ import annotations

import json
import os
import shutil
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from scorekeeper import __version__, sidefiles
from scorekeeper.config import DATABASE_NAME, Settings
from scorekeeper.errors import BackupError
from scorekeeper.rules.said import say
from scorekeeper.store import EventLog, check_copy, copy_database, lock_data_folder, open_log, put_back
from scorekeeper.store.copies import FOLDER

SUFFIX = ".backup"
FORMAT, VERSION = "nertz-scorekeeper-backup", 1
HEAD, FILES = "backup.json", "files/"
SECRETS = {"pin.txt", "secret.key", "server.key", "server.crt", "authority.key", "authority.crt", "camera.json"}
NOT_KEPT = frozenset({"copies", "logs", "in-use.lock", *SECRETS})
"""What is no part of a backup: copies of what is in it, logs, and secrets."""
ASIDE = "before-restore-"
READY = f"{ASIDE}ready"
"""The folder from which a backup is being put in place."""
NEWER = say("this backup was made by a newer Nertz Scorekeeper: update this one, then restore it")
FOREIGN = say("this is no backup of the Nertz Scorekeeper: choose a file that `backup` wrote")


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup says of itself."""

    at: datetime
    """UTC."""
    program: str
    """The version that made it."""
    games: int
    files: int
    """Pictures and other files beside the database."""


def write_backup(log: EventLog, settings: Settings, path: Path, now: datetime | None = None) -> Backup:
    """Writes the new file *path*, for its owner only, while the server runs; raises BackupError or StoreError.

    PIN, certificate and sessions are not in it.
    """
    database, fresh = (path.with_name(f"{path.name}{end}{sidefiles.FRESH}") for end in (".db", ""))
    try:
        copy_database(log, database)
        files = list(_files(settings.data_dir, path))
        about = Backup(now or datetime.now(UTC), __version__, len(log.versions()), len(files))
        with os.fdopen(os.open(fresh, os.O_CREAT | os.O_RDWR | os.O_TRUNC, 0o600), "w+b") as written:
            _write(written, about, database, settings.data_dir, files)
            os.fsync(written.fileno())
        fresh.replace(path)
    except OSError as error:
        why = say(
            "the file %(path)s can't be written (%(reason)s): choose another file",
            path=path,
            reason=error.strerror or str(error),
        )
        raise BackupError(sidefiles.ADVICE.get(error.errno or 0, why)) from error
    finally:
        database.unlink(missing_ok=True)
        fresh.unlink(missing_ok=True)
    return about


def _write(written: object, about: Backup, database: Path, folder: Path, files: list[Path]) -> None:
    head = {"format": FORMAT, "v": VERSION, "at": about.at.isoformat(), "program": about.program}
    with zipfile.ZipFile(written, "w") as pack:  # type: ignore[call-overload]
        pack.writestr(HEAD, json.dumps({**head, "games": about.games, "files": about.files}, indent=1))
        pack.write(database, DATABASE_NAME, zipfile.ZIP_DEFLATED)
        for file in files:
            if file.is_file():  # a picture may be forgotten meanwhile
                pack.write(file, f"{FILES}{file.relative_to(folder).as_posix()}")
            time.sleep(0)  # lets phones be answered in between


def _files(folder: Path, own: Path) -> Iterator[Path]:
    """The files beside the database that belong to a table."""
    for path in sorted(folder.rglob("*")):
        first = path.relative_to(folder).parts[0]
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        kept = not hidden and not first.startswith((DATABASE_NAME, ASIDE, own.name)) and first not in NOT_KEPT
        if kept and path.is_file() and not path.is_symlink() and path.suffix not in {SUFFIX, sidefiles.ASIDE}:
            yield path


def read_head(pack: zipfile.ZipFile) -> Backup:
    """What a backup says of itself; raises BackupError for any other file."""
    try:
        head = json.loads(pack.read(HEAD))
        if head["format"] != FORMAT or head["v"] != VERSION:
            raise BackupError(NEWER)
        return Backup(datetime.fromisoformat(head["at"]), str(head["program"]), int(head["games"]), int(head["files"]))
    except (KeyError, TypeError, ValueError) as error:
        raise BackupError(FOREIGN) from error


def restore(path: Path, settings: Settings, now: datetime | None = None) -> Backup:
    """Puts a backup back where *settings* keep their games; what lies in the data folder is moved aside, not deleted.

    Raises BackupError for a file that is no whole backup, DataFolderError while a server runs, and StoreError where
    a database of its own is not empty. Nothing is changed then.
    """
    with lock_data_folder(settings.data_dir) as folder:
        fresh, ready = folder / f"{ASIDE}new", folder / READY
        try:
            shutil.rmtree(fresh, ignore_errors=True)
            about = _unpack(path, fresh)
            check_copy(fresh / DATABASE_NAME)
            open_log(f"sqlite:///{fresh / DATABASE_NAME}").close()  # may come from an older program
            shutil.rmtree(fresh / FOLDER, ignore_errors=True)  # the backup itself is the copy from before its update
            shutil.rmtree(ready, ignore_errors=True)
            _put_in_place(fresh.rename(ready), settings, now or datetime.now(UTC))
            shutil.rmtree(ready, ignore_errors=True)
        except OSError as error:
            raise BackupError(
                say(
                    "the backup can't be restored (%(reason)s), and nothing was changed: check the disk, then repeat",
                    reason=error.strerror or str(error),
                )
            ) from error
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return about


def check_restored(folder: Path) -> None:
    """Raises BackupError where a restore was ended in the middle, so that nobody plays on with half of the files."""
    if (folder / READY).exists():
        raise BackupError(
            say(
                "a restore was ended in the middle: repeat it, or put the files of %(aside)s back and delete %(ready)s",
                aside=folder / f"{ASIDE}...",
                ready=folder / READY,
            )
        )


def _unpack(path: Path, fresh: Path) -> Backup:
    """Writes a backup into the folder *fresh*; raises BackupError when a byte of it is missing."""
    try:
        with zipfile.ZipFile(path) as pack:
            about = read_head(pack)
            for name in pack.namelist():
                if name == HEAD:
                    continue
                target = fresh / _place(name)
                target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with pack.open(name) as packed, target.open("xb") as file:
                    shutil.copyfileobj(packed, file)
                    file.flush()
                    os.fsync(file.fileno())
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, NotImplementedError, RuntimeError) as error:
        raise BackupError(say("%(name)s is damaged, or no backup: choose another file", name=path.name)) from error
    if not (fresh / DATABASE_NAME).is_file():
        raise BackupError(say("%(name)s has no games in it: choose another file", name=path.name))
    return about


def _place(name: str) -> Path:
    """Where a file of a backup goes, below the data folder; raises BackupError for a name that leads elsewhere."""
    parts = PurePosixPath(name.removeprefix(FILES)).parts
    fits = name == DATABASE_NAME or (name.startswith(FILES) and parts and parts[0] not in NOT_KEPT)
    if not fits or any(part in ("", ".", "..") or "\\" in part or ":" in part for part in parts) or parts[0] == "/":
        raise BackupError(say("the backup names a file that can't be in one: %(name)s", name=repr(name[:80])))
    return Path(*parts)


def _put_in_place(ready: Path, settings: Settings, now: datetime) -> None:
    """Moves what is there aside and the backup in, the database last; moves all back where that fails."""
    folder, aside = settings.data_dir, settings.data_dir / f"{ASIDE}{now:%Y%m%dT%H%M%S}"
    old = [path for path in folder.iterdir() if path.name not in NOT_KEPT and not path.name.startswith(ASIDE)]
    new = [path for path in ready.iterdir() if settings.owns_folder or path.name != DATABASE_NAME]
    moves = [(path, aside / path.name) for path in sorted(old, key=_is_database)]
    moves += [(path, folder / path.name) for path in sorted(new, key=_is_database)]
    done: list[tuple[Path, Path]] = []
    if old:
        aside.mkdir(mode=0o700)
    try:
        for path, target in moves:
            path.replace(target)
            done.append((path, target))
        sidefiles.sync_folder(folder)
        if not settings.owns_folder:
            with closing(open_log(settings.url)) as log:
                put_back(ready / DATABASE_NAME, log)
    except BaseException:
        for path, target in reversed(done):
            target.replace(path)
        with suppress(OSError):
            aside.rmdir()
        shutil.rmtree(ready, ignore_errors=True)
        raise


def _is_database(path: Path) -> bool:
    return path.name.startswith(DATABASE_NAME)
