"""Files beside the log: each is written whole and is on the disk before anybody is answered, or is not there at all.

A file that is found damaged all the same, by a disk or by an older program, is set aside under another name and logged;
its reader goes on as if there were none.
"""

from __future__ import annotations

import errno
import logging
import os
import secrets
import shutil
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from scorekeeper.errors import DataFolderError
from scorekeeper.rules.said import Said, say
from scorekeeper.threads import in_thread

T = TypeVar("T")

FRESH = ".new"
"""How the name of a file ends that is still being written."""
WORKPLACE = ".backup-"
"""How the name of a folder begins in which a backup is being made."""
ASIDE = ".damaged"
"""How the name of a file ends that was set aside."""
FULL = say("the disk is full: free some space, then repeat")
ADVICE = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EFBIG: FULL,
    errno.EIO: say("the disk failed: check the disk, then repeat"),
    errno.EROFS: say("the disk can't be written: allow writing to it, then repeat"),
    errno.EACCES: say("the data folder can't be written: allow this user to write there, then repeat"),
    errno.EPERM: say("the data folder can't be written: allow this user to write there, then repeat"),
    errno.EMFILE: say("too many files are open: close some pages, then repeat"),
    errno.ENFILE: say("too many files are open: close some pages, then repeat"),
}
"""What happened and what to do, by the number the system gives a fault."""

logger = logging.getLogger(__name__)


def write(path: Path, data: bytes, *, private: bool = False) -> None:
    """Puts *data* into the file *path*, in place of what was there, and has it on the disk.

    A *private* file is for its owner only. Raises DataFolderError; the file then is as it was before.
    """
    try:
        in_thread(_write, path, data, 0o600 if private else 0o644)
    except OSError as error:
        logger.error("%s could not be written: %s", path, error)
        raise DataFolderError(advice(error)) from error


def read(path: Path, decode: Callable[[bytes], T]) -> T | None:
    """What *decode* makes of the file *path*; None where there is none, or only a damaged one, which is set aside.

    *decode* raises ValueError, KeyError, TypeError or AttributeError for what it can't be.
    """
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:  # a disk that fails may read it the next time
        logger.error("%s could not be read: %s", path, error)
        return None
    try:
        return decode(data)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        set_aside(path, error)
        return None


def set_aside(path: Path, why: object) -> None:
    """Gives a damaged file another name, so that a whole one can take its place and a person can look at it."""
    now = datetime.now(UTC)
    aside = path.with_name(f"{path.name}.{now:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}{ASIDE}")
    logger.error("%s is damaged (%s) and is kept as %s", path, why, aside.name)
    with suppress(OSError):
        path.rename(aside)


def remove(paths: Iterable[Path]) -> None:
    """Deletes files for good; those that are gone already are no matter."""
    for path in paths:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def found_damaged(folder: Path) -> list[Path]:
    """The files in *folder* and the folders in it that were set aside, the one of last first."""
    found = [path for path in folder.glob(f"**/*{ASIDE}") if path.is_file()]
    return sorted(found, key=lambda path: path.name.split(".")[-2], reverse=True)


def clear_unfinished(folder: Path) -> None:
    """Deletes what a server was writing when it was stopped; only before anything is written there."""
    remove([path for path in folder.glob(f"**/*{FRESH}") if path.is_file()])
    for place in folder.glob(f"{WORKPLACE}*/"):
        shutil.rmtree(place, ignore_errors=True)


def advice(error: OSError) -> Said:
    """What happened and what to do, for a person."""
    unknown = say(
        "a file could not be written (%(reason)s): check the disk, then repeat", reason=error.strerror or str(error)
    )
    return ADVICE.get(error.errno or 0, unknown)


def _write(path: Path, data: bytes, mode: int) -> None:
    _make_folder(path.parent)
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}{FRESH}")
    try:
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def _make_folder(folder: Path) -> None:
    """Makes *folder* and what it lies in, each entry on the disk."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Has the names in *folder* on the disk; systems that can't open a folder keep them by themselves."""
    with suppress(PermissionError, IsADirectoryError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
