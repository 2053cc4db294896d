"""The data folder: one server at a time."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from scorekeeper.errors import DataFolderError

LOCK_NAME = "in-use.lock"


@contextmanager
def lock_data_folder(path: Path) -> Iterator[Path]:
    """Keeps the folder *path* (made when missing) for this server; the system frees it even after a crash.

    Raises DataFolderError when another server has it or it can't be written.
    """
    lock = FileLock(path / LOCK_NAME, timeout=0, thread_local=False)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        keep_private(path)
        lock.acquire()
    except Timeout as error:
        raise DataFolderError(
            f"another Nertz Scorekeeper is using the data folder {str(path)!r}: "
            "open the address it printed, stop it first, or choose another folder with --data"
        ) from error
    except (OSError, NotImplementedError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DataFolderError(
            f"the data folder {str(path)!r} can't be written ({reason}): "
            "allow writing to it, or choose another folder with --data"
        ) from error
    try:
        yield path
    finally:
        lock.release()


def home() -> Path | None:
    """The folder of this user; None for a user without one."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def keep_private(path: Path) -> None:
    """Takes others' rights to the folder away, where it is this user's own; what many share stays as it is."""
    known = path.stat()
    if os.name == "posix" and known.st_uid == os.geteuid() and not known.st_mode & stat.S_ISVTX and path != home():
        path.chmod(known.st_mode & 0o700)
