"""The server's log: one JSON object a line in a file that rotates, and the troubles of the last hour in memory."""

from __future__ import annotations

import json
import logging
import re
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path

FOLDER, FILE = "logs", "scorekeeper.log"
BYTES, FILES = 1_000_000, 5
"""The size of one file, and how many older ones are kept."""
HOUR_S = 3600.0
MOST = 200
"""Troubles that are remembered at once."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A warning or an error of the log."""

    at: datetime
    """UTC."""
    level: str
    text: str


class LastHour(logging.Handler):
    """Remembers what went wrong within the last hour."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._troubles: deque[Trouble] = deque(maxlen=MOST)

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage().strip().splitlines() or [""]
        if record.exc_info and record.exc_info[1] is not None:
            text = [f"{text[0]}: {record.exc_info[1]!r}"]
        self._troubles.append(Trouble(datetime.fromtimestamp(record.created, UTC), record.levelname, text[0]))

    def troubles(self) -> list[Trouble]:
        """The newest first."""
        since = datetime.fromtimestamp(time.time() - HOUR_S, UTC)
        return [trouble for trouble in reversed(self._troubles) if trouble.at >= since]


last_hour = LastHour()


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


def set_up(folder: Path, secrets: Iterable[str] = ()) -> None:
    """Logs into *folder* from now on, everything from INFO on that is the scorekeeper's own."""
    place = folder / FOLDER
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = RotatingFileHandler(place / FILE, maxBytes=BYTES, backupCount=FILES, encoding="utf-8", delay=True)
    file.setFormatter(JsonLines(secrets))
    root = logging.getLogger()
    root.addHandler(file)
    root.addHandler(last_hour)
    for name in ("scorekeeper", "web"):
        logging.getLogger(name).setLevel(logging.INFO)
