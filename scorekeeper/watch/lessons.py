"""Corrected pictures, kept in the data folder while the table agrees, and handed out as labels to learn from."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorekeeper import sidefiles
from scorekeeper.errors import SettingsError

FOLDER = "corrections"
"""The name of the folder in the data folder."""
CONSENT = "agreed.txt"
"""The file that is there while the table agrees."""


@dataclass(frozen=True, slots=True)
class Lessons:
    """One folder of corrected pictures; nothing in it leaves this computer unless a person copies it."""

    folder: Path

    @property
    def agreed(self) -> bool:
        """Whether corrected pictures may be kept."""
        return (self.folder / CONSENT).is_file()

    @property
    def count(self) -> int:
        """How many readings are kept."""
        return len(self._rows())

    def agree(self, yes: bool, who: str = "") -> None:
        """Begins or ceases to keep them; what is kept already stays. Raises DataFolderError."""
        if yes:
            sidefiles.write(self.folder / CONSENT, f"{who or 'the scorekeeper'} agreed\n".encode())
        else:
            (self.folder / CONSENT).unlink(missing_ok=True)

    def keep(self, name: str, row: Mapping[str, Any], pictures: Sequence[bytes]) -> None:
        """Keeps the label *row* with its *pictures*, whose files it names; an older one of that name is replaced.

        Raises DataFolderError.
        """
        for file, data in zip(row["files"], pictures, strict=True):
            sidefiles.write(self.folder / file, data)
        sidefiles.write(self.folder / f"{name}.json", json.dumps(row).encode())

    def export(self, target: Path, use: str) -> int:
        """Writes everything as ``labels.jsonl`` with its pictures into *target*, for *use*; returns how many readings.

        Raises SettingsError where nothing is kept, or *target* holds labels already or can't be written.
        """
        rows = self._rows()
        if not rows:
            raise SettingsError(
                f"no corrected pictures are kept in {str(self.folder)!r}: let the table agree to it on the hand page"
            )
        labels = target / "labels.jsonl"
        if labels.exists():
            raise SettingsError(f"{str(target)!r} has a labels.jsonl already: name an empty folder")
        try:
            target.mkdir(parents=True, exist_ok=True)
            for row in rows:
                for file in row["files"]:
                    (target / file).write_bytes((self.folder / file).read_bytes())
            labels.write_text("".join(f"{json.dumps({**row, 'use': use})}\n" for row in rows), "utf-8")
        except OSError as error:
            raise SettingsError(f"the pictures can't be written to {str(target)!r}: {error.strerror}") from error
        return len(rows)

    def _rows(self) -> list[dict[str, Any]]:
        """The labels that can be read, with all their pictures."""
        found = (sidefiles.read(path, _row) for path in sorted(self.folder.glob("*.json")))
        return [row for row in found if row and all((self.folder / file).is_file() for file in row["files"])]


def _row(data: bytes) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(data)
    if not all(isinstance(file, str) and file == Path(file).name for file in row["files"]):
        raise ValueError("its pictures have no names")
    return row


def file_word(text: str) -> str:
    """*text* as part of a file's name."""
    return re.sub(r"[^\w-]+", "-", text)
