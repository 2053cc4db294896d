"""What keeps the database whole in one file and copies it, whenever nobody is writing."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from scorekeeper.store import EventLog, checkpoint, copies, keep_copy
from scorekeeper.store.copies import FOLDER

QUIET_S = 5.0
"""Seconds without a write after which the one file is made whole."""
EVENING_S = 2 * 3600.0
"""Seconds without a write after which an evening is over."""
ROUND_S = 5.0
"""How often the caretaker looks, in seconds."""

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Caretaker:
    """Looks after an SQLite log; where the games lie in a database server, its owner does."""

    log: EventLog
    clock: Callable[[], float] = time.monotonic
    _whole_at: float | None = field(default=None)
    """The write after which the file was made whole last."""
    _copied_at: float | None = field(default=None)
    """The write that is in the newest copy."""

    def look(self) -> None:
        """One round: makes the file whole, and copies it when the evening is over."""
        written, file = self.log.written_at, self.log.file
        if written is None or file is None or self.log.trouble:
            return
        quiet_s = self.clock() - written
        try:
            if quiet_s >= QUIET_S and self._whole_at != written and checkpoint(file):
                self._whole_at = written
            if quiet_s >= EVENING_S:
                self.copy()
        except (sqlite3.Error, OSError) as error:
            logger.error("the database can't be made whole and copied: %s", error)
            self._whole_at = self._copied_at = written  # said once, until something is written again

    def copy(self) -> None:
        """Copies the database, unless nothing was written since the last time. Raises sqlite3.Error or OSError."""
        written, file = self.log.written_at, self.log.file
        if written is not None and file is not None and not self.log.trouble and self._copied_at != written:
            keep_copy(file, "evening")
            self._copied_at = written

    def close(self) -> None:
        """The last round, before the server ends."""
        try:
            self.copy()
        except (sqlite3.Error, OSError) as error:
            logger.error("the database can't be copied: %s", error)

    def newest(self) -> datetime | None:
        """When the newest copy was made (UTC); None where there is none."""
        kept = copies(self.log.file.parent / FOLDER) if self.log.file else []
        return datetime.fromtimestamp(kept[0].stat().st_mtime, UTC) if kept else None

    @property
    def folder(self) -> Path | None:
        """Where the copies lie; None for a database server."""
        return self.log.file.parent / FOLDER if self.log.file else None
