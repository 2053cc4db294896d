"""Whether the files of an SQLite database are still the ones that were opened."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from pathlib import Path

from scorekeeper.errors import StoreError
from scorekeeper.rules.said import say

Identity = tuple[int, int]
"""Device and number of a file; another file under the same name has others."""

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Files:
    """The database file and its write-ahead log: what is written into a file that was deleted is lost at the end."""

    path: Path
    _known: dict[Path, Identity] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.check()

    @property
    def trouble(self) -> str:
        """What became of the files, for everybody at the table; empty while all is well."""
        for path in (self.path, self.path.with_name(f"{self.path.name}-wal")):
            now, known = _identity(path), self._known.get(path)
            if known is None and now is not None:
                self._known[path] = now
            elif known is not None and now != known:
                return GONE if now is None else OTHER
        return ""

    def check(self) -> None:
        """Raises StoreError where they are gone or others lie in their place.

        To be asked before each write, and before another connection is opened, which would make an empty database.
        """
        if trouble := self.trouble:
            logger.error("the files of the database %s are not those that were opened", self.path)
            raise StoreError(trouble)


GONE = say(
    "the file of the games was deleted or moved while the server was running, so nothing more can be recorded: "
    "put it back where it was, or stop the server and start it again"
)
OTHER = say(
    "another file lies where the games were kept, so nothing more can be recorded: "
    "put the one from before back, or stop the server and start it again"
)


def _identity(path: Path) -> Identity | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
