"""Uploaded pictures and overlays, kept in the data folder as evidence under names nobody can guess."""

from __future__ import annotations

import io
import json
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NewType

from PIL import Image, ImageOps, UnidentifiedImageError

from scorekeeper.errors import NotFoundError
from web.language import gettext as _

PictureId = NewType("PictureId", str)

_ID = re.compile(r"[A-Za-z0-9_-]{22}")
SMALL = (320, 240)
"""Width and height that a small picture fits into."""
_ORIENTATION = 0x0112
"""The EXIF field that says how the camera was held; from 5 on it lay on its side."""
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

    def small(self, picture: str) -> bytes:
        """The picture as a JPEG that fits into 320 by 240, made once; raises NotFoundError for an unknown id."""
        data = self.data(picture)
        path = self.folder / f"{picture}.small"
        if not path.exists():
            path.write_bytes(_small(data))
        return path.read_bytes()

    def forget(self, pictures: Iterable[str]) -> None:
        """Deletes pictures for good; those that are gone already are no matter."""
        for picture in pictures:
            if _ID.fullmatch(picture):
                for ending in ("picture", "small"):
                    (self.folder / f"{picture}.{ending}").unlink(missing_ok=True)

    def attach(self, game_id: str, topic: str, version: int, evidence: Mapping[str, Sequence[str]]) -> None:
        """Remembers titled pictures of a *topic* such as ``hand-3``; *version* is the game's after it was written."""
        if any(evidence.values()):
            self.folder.mkdir(parents=True, exist_ok=True)
            path = self.folder / f"{game_id}.{topic}.{version}.json"
            path.write_text(json.dumps({title: list(ids) for title, ids in evidence.items()}), "utf-8")

    def at(self, game_id: str, topic: str, version: int) -> dict[str, list[str]]:
        """The pictures of a topic as they were attached at *version*; empty when there were none."""
        path = self.folder / f"{game_id}.{topic}.{version}.json"
        return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else {}

    def about(self, game_id: str, topic: str) -> dict[str, list[str]]:
        """The latest pictures of a topic by title; empty when it was typed."""
        start = f"{game_id}.{topic}."
        versions = [path.name[len(start) : -len(".json")] for path in self.folder.glob(f"{start}*.json")]
        latest = max((int(version) for version in versions if version.isdigit()), default=None)
        if latest is None:
            return {}
        return dict(json.loads((self.folder / f"{start}{latest}.json").read_text("utf-8")))

    def attached(self) -> set[str]:
        """The ids of all pictures that some topic remembers."""
        return {found for path in self.folder.glob("*.json") for found in ids_in(path.read_text("utf-8"))}

    def older_than(self, moment: datetime) -> list[PictureId]:
        """The pictures that came before *moment*."""
        paths = self.folder.glob("*.picture")
        return [PictureId(path.stem) for path in paths if path.stat().st_mtime < moment.timestamp()]

    def _path(self, picture: PictureId) -> Path:
        return self.folder / f"{picture}.picture"


def ids_in(text: str) -> set[str]:
    """Everything in *text* that could name a picture."""
    return set(re.findall(rf"(?<![A-Za-z0-9_-]){_ID.pattern}(?![A-Za-z0-9_-])", text))


def _small(data: bytes) -> bytes:
    """*data* as a small JPEG; what can't be decoded stays as it is."""
    try:
        with Image.open(io.BytesIO(data)) as picture:
            picture.draft("RGB", SMALL)
            shown = ImageOps.exif_transpose(picture).convert("RGB")
            shown.thumbnail(SMALL)
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError, SyntaxError):
        return data
    small = io.BytesIO()
    shown.save(small, "JPEG", quality=62, optimize=True)
    return small.getvalue()


def size_of(data: bytes) -> tuple[int, int]:
    """Width and height of a picture as it is shown, by its first bytes; nothing where they don't say."""
    try:
        with Image.open(io.BytesIO(data)) as picture:
            turned = picture.getexif().get(_ORIENTATION, 1) >= 5
            return (picture.height, picture.width) if turned else picture.size
    except (UnidentifiedImageError, OSError):
        return 0, 0


def kind_of(data: bytes) -> str:
    """The media type by the first bytes; anything unknown is offered as plain bytes."""
    return next((kind for magic, kind in _MAGIC.items() if data.startswith(magic)), "application/octet-stream")
