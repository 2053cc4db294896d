"""The server's log: one JSON object a line in a file that rotates, and the troubles of the last hour in memory."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from logging.handlers import RotatingFileHandler
from pathlib import Path

FOLDER, FILE = "logs", "scorekeeper.log"
BYTES, FILES = 1_000_000, 5
"""The size of one file, and how many older ones are kept."""
HOUR = timedelta(hours=1)
MOST = 200
"""Troubles that are remembered at once; errors stay longer than warnings."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A warning or an error of the log."""

    at: datetime
    """UTC; of the last time."""
    level: str
    text: str
    times: int = 1
    """How often it was said."""


class LastHour(logging.Handler):
    """Remembers what went wrong within the last hour."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._troubles: dict[tuple[str, str], Trouble] = {}
        """By level and text, the one said last at the end."""

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage().strip().splitlines() or [""]
        if record.exc_info and record.exc_info[1] is not None:
            text = [f"{text[0]}: {record.exc_info[1]!r}"]
        key, at = (record.levelname, text[0]), datetime.fromtimestamp(record.created, UTC)
        before = self._troubles.pop(key, None)
        times = before.times + 1 if before and before.at >= at - HOUR else 1
        self._troubles[key] = Trouble(at, *key, times)
        if len(self._troubles) > MOST:
            oldest_warning = next((each for each in self._troubles if each[0] == "WARNING"), None)
            del self._troubles[oldest_warning or next(iter(self._troubles))]

    def troubles(self) -> list[Trouble]:
        """The newest first."""
        since = datetime.fromtimestamp(time.time(), UTC) - HOUR
        return [trouble for trouble in reversed([*self._troubles.values()]) if trouble.at >= since]

    def clear(self) -> None:
        """Forgets everything."""
        self._troubles.clear()


last_hour = LastHour()
logger = logging.getLogger(__name__)


class JsonLines(logging.Formatter):
    """A record as one line of JSON, without the *secrets*, wherever in it they stand."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__()
        known = "|".join(re.escape(secret) for secret in secrets if secret)
        self._secret = re.compile(rf"(?<![\w])(?:{known})(?![\w])") if known else None

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "text": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        text = {name: self._clean(value) if isinstance(value, str) else value for name, value in line.items()}
        return json.dumps(text, ensure_ascii=False, default=str)

    def _clean(self, text: str) -> str:
        return self._secret.sub("***", text) if self._secret else text


class LogFile(RotatingFileHandler):
    """A log that a full disk makes incomplete and nothing worse; it is said once, until it can be written again."""

    fault: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        before, self.fault = self.fault, None
        super().emit(record)
        if self.fault and not before:
            logger.error("the log %s can't be written: %s", self.baseFilename, self.fault)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging calls it so
        self.fault = sys.exc_info()[1]
        if not isinstance(self.fault, OSError):
            super().handleError(record)


def set_up(folder: Path, secrets: Iterable[str] = ()) -> None:
    """Logs into *folder* from now on, everything from INFO on that is the scorekeeper's own."""
    place = folder / FOLDER
    with suppress(OSError):  # said when the first line can't be written
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = LogFile(place / FILE, maxBytes=BYTES, backupCount=FILES, encoding="utf-8", delay=True)
    file.setFormatter(JsonLines(secrets))
    root = logging.getLogger()
    root.addHandler(file)
    root.addHandler(last_hour)
    for name in ("scorekeeper", "web"):
        logging.getLogger(name).setLevel(logging.INFO)
