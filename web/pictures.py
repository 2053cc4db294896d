"""Uploaded pictures and overlays, kept in the data folder as evidence under names nobody can guess."""

from __future__ import annotations

import io
import json
import re
import secrets
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import NewType, TypeVar

from PIL import Image, ImageOps

from scorekeeper import sidefiles
from scorekeeper.errors import DataFolderError, NotFoundError
from scorekeeper.recent import Recent
from scorekeeper.threads import in_thread
from web.language import gettext as _

PictureId = NewType("PictureId", str)
T = TypeVar("T")

_ID = re.compile(r"[A-Za-z0-9_-]{22}")
SMALL = {"small": (320, 240), "mark": (96, 96)}
"""Width and height that a small picture fits into: one for the board, and the back of a deck beside a name."""
_ORIENTATION = 0x0112
"""The EXIF field that says how the camera was held; from 5 on it lay on its side."""
MAX_PIXELS = 64_000_000
"""Larger pictures, which the eye refuses as well, are shown as they are."""
FORMATS = ("JPEG", "PNG", "WEBP", "AVIF", "BMP", "GIF", "TIFF")
_MAGIC = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG": "image/png", b"RIFF": "image/webp"}


@dataclass(frozen=True, slots=True)
class Pictures:
    """One folder of pictures, and small JSON files that say what they show."""

    folder: Path
    backs: Recent[tuple[str, str, int], str] = field(default_factory=lambda: Recent(512))
    """Ids of the pictures of decks by game, side and what is known of the deck; one learned anew has another."""

    def keep(self, data: bytes) -> PictureId:
        """Stores the bytes of a picture; the id has 128 random bits. Raises DataFolderError, and then keeps nothing."""
        picture = PictureId(secrets.token_urlsafe(16))
        sidefiles.write(self._path(picture), data)
        return picture

    def data(self, picture: str) -> bytes:
        """The bytes of a kept picture; raises NotFoundError for an unknown id, and for a picture that was damaged."""
        return self.load(picture, bytes)

    def load(self, picture: str, decode: Callable[[bytes], T]) -> T:
        """What *decode* makes of the bytes kept under an id; raises NotFoundError where there is nothing of use."""
        found = sidefiles.read(self._path(PictureId(picture)), _some(decode)) if _ID.fullmatch(picture) else None
        if found is None:
            raise NotFoundError(_("there is no picture %(name)r", name=picture))
        return found

    def small(self, picture: str, kind: str = "small") -> bytes:
        """The picture as a JPEG of one *kind* of SMALL, made once; raises NotFoundError for an unknown id."""
        data = self.data(picture)
        path = self.folder / f"{picture}.{kind}"
        known = sidefiles.read(path, _some(bytes))
        if known is None:
            known = in_thread(_small, data, SMALL[kind])
            with suppress(DataFolderError):  # it is made anew the next time
                sidefiles.write(path, known)
        return known

    def forget(self, pictures: Iterable[str]) -> None:
        """Deletes pictures for good; those that are gone already are no matter."""
        known = [picture for picture in pictures if _ID.fullmatch(picture)]
        sidefiles.remove(self.folder / f"{picture}.{ending}" for picture in known for ending in ("picture", *SMALL))

    def attach(self, game_id: str, topic: str, version: int, evidence: Mapping[str, Sequence[str]]) -> None:
        """Remembers titled pictures of a *topic* such as ``hand-3``; *version* is the game's after it was written.

        Raises DataFolderError.
        """
        if any(evidence.values()):
            text = json.dumps({title: list(ids) for title, ids in evidence.items()})
            sidefiles.write(self._evidence(game_id, topic, version), text.encode())

    def detach(self, game_id: str, topic: str, version: int) -> None:
        """Forgets what a topic was given for *version*, which was not written; its pictures go when all is tidied."""
        sidefiles.remove([self._evidence(game_id, topic, version)])

    def at(self, game_id: str, topic: str, version: int) -> dict[str, list[str]]:
        """The pictures of a topic as they were attached at *version*; empty when there were none."""
        return sidefiles.read(self._evidence(game_id, topic, version), _titled) or {}

    def about(self, game_id: str, topic: str) -> dict[str, list[str]]:
        """The latest pictures of a topic by title that can be read; empty when it was typed."""
        start = f"{game_id}.{topic}."
        endings = [path.name[len(start) : -len(".json")] for path in self.folder.glob(f"{start}*.json")]
        versions = sorted((int(version) for version in endings if version.isdecimal()), reverse=True)
        return next(filter(None, (self.at(game_id, topic, version) for version in versions)), {})

    def attached(self) -> set[str]:
        """The ids of all pictures that some topic remembers, those of damaged files too."""
        texts = (sidefiles.read(path, _text) or "" for path in self.folder.glob("*.json*"))
        return {found for text in texts for found in ids_in(text)}

    def older_than(self, moment: datetime) -> list[PictureId]:
        """The pictures that came before *moment*."""
        paths = self.folder.glob("*.picture")
        return [PictureId(path.stem) for path in paths if path.stat().st_mtime < moment.timestamp()]

    def _path(self, picture: PictureId) -> Path:
        return self.folder / f"{picture}.picture"

    def _evidence(self, game_id: str, topic: str, version: int) -> Path:
        return self.folder / f"{game_id}.{topic}.{version}.json"


def _some(decode: Callable[[bytes], T]) -> Callable[[bytes], T]:
    """*decode* for a file that is not empty, as one is after a power cut under an older program."""

    def decode_some(data: bytes) -> T:
        if not data:
            raise ValueError("it is empty")
        return decode(data)

    return decode_some


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _titled(data: bytes) -> dict[str, list[str]]:
    """Ids by title; raises ValueError for anything else."""
    kept = json.loads(data)
    if not isinstance(kept, dict) or not all(
        isinstance(ids, list) and all(isinstance(each, str) for each in ids) for ids in kept.values()
    ):
        raise ValueError("it does not say which pictures there are")
    return kept


def ids_in(text: str) -> set[str]:
    """Everything in *text* that could name a picture."""
    return set(re.findall(rf"(?<![A-Za-z0-9_-]){_ID.pattern}(?![A-Za-z0-9_-])", text))


def _small(data: bytes, size: tuple[int, int]) -> bytes:
    """*data* as a small JPEG; what can't be decoded stays as it is."""
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(data), formats=FORMATS) as picture:
            warnings.simplefilter("ignore")  # odd metadata
            picture.draft("RGB", size)  # a large photo is decoded small at once
            if picture.width * picture.height > MAX_PIXELS:
                return data
            shown = ImageOps.exif_transpose(picture).convert("RGB")
            shown.thumbnail(size)
            small = io.BytesIO()
            shown.save(small, "JPEG", quality=62, optimize=True)
            return small.getvalue()
    except Exception:  # decoders raise many kinds: OSError, SyntaxError, ValueError, struct.error
        return data


def size_of(data: bytes) -> tuple[int, int]:
    """Width and height of a picture as it is shown, by its first bytes; nothing where they don't say."""
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(data), formats=FORMATS) as picture:
            warnings.simplefilter("ignore")
            turned = picture.getexif().get(_ORIENTATION, 1) >= 5
            return (picture.height, picture.width) if turned else picture.size
    except Exception:  # as above
        return 0, 0


def kind_of(data: bytes) -> str:
    """The media type by the first bytes; anything unknown is offered as plain bytes."""
    return next((kind for magic, kind in _MAGIC.items() if data.startswith(magic)), "application/octet-stream")
