"""Pictures as they come in: from a phone's file field, or from the table's camera."""

from __future__ import annotations

from flask import request
from werkzeug.datastructures import FileStorage

from scorekeeper.errors import CameraError, PictureError
from scorekeeper.guide.marks import mark
from scorekeeper.watch import Watch
from web.here import watch
from web.language import gettext as _

PICTURE_LIMIT = 40 * 1024 * 1024
"""Bytes of one uploaded picture."""
HEIF = b"ftyp"
"""How photos of iPhones begin, after four bytes, and other pictures that few browsers show; videos, too."""


def eye() -> Watch:
    """The eye; raises CameraError on a table without one."""
    found = watch()
    if found is None:
        raise CameraError(_("photos can't be read on this server: type the numbers"))
    return found


def uploaded(field: str) -> list[bytes]:
    """The pictures of a file field, or one from the camera when its button was pressed; raises PictureError."""
    if request.form.get("camera") == field:
        return [eye().snapshot()]
    pictures = [_bytes_of(file) for file in request.files.getlist(field) if file.filename]
    if not pictures:
        raise PictureError(_("no picture came with that: take or choose one first"))
    return pictures


def _bytes_of(file: FileStorage) -> bytes:
    data = file.stream.read(PICTURE_LIMIT + 1)
    if len(data) > PICTURE_LIMIT:
        text = mark("the picture %(name)r is larger than 40 MB: take a smaller one, or choose another")
        raise PictureError(_(text, name=file.filename))
    return eye().plain(data) if data[4:8] == HEIF else data
