"""Uploaded pictures and overlays, kept in the data folder as evidence under names nobody can guess."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NewType

from scorekeeper.errors import NotFoundError
from web.language import gettext as _

PictureId = NewType("PictureId", str)

_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_MAGIC = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG": "image/png", b"RIFF": "image/webp"}


@dataclass(frozen=True, slots=True)
class Pictures:
    """One folder of pictures, and small JSON files that say what they show."""

    folder: Path

    def keep(self, data: bytes) -> PictureId:
        """Stores the bytes of a picture; the id has 128 random bits."""
        self.folder.mkdir(parents=True, exist_ok=True)
        picture = PictureId(secrets.token_urlsafe(16))
        self._path(picture).write_bytes(data)
        return picture

    def data(self, picture: str) -> bytes:
        """The bytes of a kept picture; raises NotFoundError for an unknown id."""
        if not _ID.fullmatch(picture):
            raise NotFoundError(_("there is no picture %(name)r", name=picture))
        try:
            return self._path(PictureId(picture)).read_bytes()
        except FileNotFoundError as error:
            raise NotFoundError(_("there is no picture %(name)r", name=picture)) from error

    def attach(self, game_id: str, topic: str, version: int, evidence: Mapping[str, Sequence[str]]) -> None:
        """Remembers titled pictures of a *topic* such as ``hand-3``; *version* is the game's after it was written."""
        if any(evidence.values()):
            self.folder.mkdir(parents=True, exist_ok=True)
            path = self.folder / f"{game_id}.{topic}.{version}.json"
            path.write_text(json.dumps({title: list(ids) for title, ids in evidence.items()}), "utf-8")

    def about(self, game_id: str, topic: str) -> dict[str, list[str]]:
        """The latest pictures of a topic by title; empty when it was typed."""
        start = f"{game_id}.{topic}."
        versions = [path.name[len(start) : -len(".json")] for path in self.folder.glob(f"{start}*.json")]
        latest = max((int(version) for version in versions if version.isdigit()), default=None)
        if latest is None:
            return {}
        return dict(json.loads((self.folder / f"{start}{latest}.json").read_text("utf-8")))

    def _path(self, picture: PictureId) -> Path:
        return self.folder / f"{picture}.picture"


def kind_of(data: bytes) -> str:
    """The media type by the first bytes; anything unknown is offered as plain bytes."""
    return next((kind for magic, kind in _MAGIC.items() if data.startswith(magic)), "application/octet-stream")
