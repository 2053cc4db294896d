"""Looks at pictures as they are sent: bytes in, a reading and its overlay out; what the eye's process runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from scorekeeper.errors import VisionError
from scorekeeper.rules.lake import DeckId, FanReading, LakeReading, SpreadReading
from scorekeeper.rules.said import Said, say
from scorekeeper.vision.backs.gallery import Gallery, separability
from scorekeeper.vision.backs.spread import read_spread
from scorekeeper.vision.camera.setup import check_view
from scorekeeper.vision.camera.sources import THE_PICTURE, decode_picture, encode_jpeg
from scorekeeper.vision.enrolment.colours import colour_of
from scorekeeper.vision.enrolment.learning import enrol
from scorekeeper.vision.enrolment.side_by_side import find_laid, known_as
from scorekeeper.vision.eye import Eye, load_eye
from scorekeeper.vision.faces.fan import read_fan
from scorekeeper.vision.faces.indices import Letters
from scorekeeper.vision.faces.lake import read_lake
from scorekeeper.vision.geometry import Image, fit_within
from scorekeeper.vision.overlay.draw import Look, draw_fan, draw_lake, draw_spread
from scorekeeper.watch.seam import EnrolledDeck, LaidDeck, Seen, TableCheck

T = TypeVar("T")

CHECKED_PX = 960
"""Longer side of the picture beside the set-up's list: it is looked at often."""
SHOWN_PX = 2000
"""Longer side of a picture on the hand page: enough to zoom in, quick to load."""


class Sight:
    """The eye in this process; the same questions as ``Watch``, without the camera.

    *letters* says whether a V is a jack or a queen. Raises VisionError where the weights are missing.
    """

    def __init__(self, eye: Eye | None = None, *, letters: Letters = "french") -> None:
        try:
            self._eye = eye or load_eye(letters=letters)
        except FileNotFoundError as error:
            raise VisionError(str(error)) from error

    def plain(self, picture: bytes) -> bytes:
        """The picture as JPEG; raises PictureError."""
        return encode_jpeg(decode_picture(picture), 92)

    def lake(self, picture: bytes) -> Seen[LakeReading]:
        """Reads a Lake as it lies."""
        image = decode_picture(picture)
        reading, ms = _timed(lambda: read_lake(image, self._eye))
        return Seen(reading, (encode_jpeg(draw_lake(image, reading)),), ms, (_shown(image),))

    def fan(self, picture: bytes, left: bool = False) -> Seen[FanReading]:
        """Reads face-up cards; of those that one side has *left* only the number matters."""
        image = decode_picture(picture)
        reading, ms = _timed(lambda: read_fan(image, self._eye, left=left))
        return Seen(reading, (encode_jpeg(draw_fan(image, reading)),), ms, (_shown(image),))

    def spread(
        self,
        pictures: Sequence[bytes],
        decks: Mapping[DeckId, Sequence[str]],
        looks: Mapping[DeckId, tuple[str, str]] | None = None,
    ) -> Seen[SpreadReading]:
        """Counts backs by deck; the pictures are batches that share no card."""
        images = [decode_picture(data, _numbered(n, len(pictures))) for n, data in enumerate(pictures, 1)]
        gallery = Gallery.from_signatures(decks)
        reading, ms = _timed(lambda: read_spread(images, self._eye, gallery))
        styles = {deck: Look(*look) for deck, look in (looks or {}).items()}
        overlays = (encode_jpeg(draw_spread(image, reading, n, styles)) for n, image in enumerate(images))
        return Seen(reading, tuple(overlays), ms, tuple(map(_shown, images)))

    def enrol(self, pictures: Sequence[bytes]) -> EnrolledDeck:
        """Learns one deck's back; raises EnrolmentError where a picture does not show exactly one."""
        images = [decode_picture(data, _numbered(n, len(pictures))) for n, data in enumerate(pictures, 1)]
        enrolment = enrol(images, self._eye)
        crop = enrolment.crops[0]
        return EnrolledDeck(
            tuple(enrolment.signature_texts), encode_jpeg(crop, 90), tuple(enrolment.problems), colour_of(crop).name
        )

    def laid(self, pictures: Sequence[bytes]) -> tuple[LaidDeck, ...]:
        """Learns the backs that lie side by side; raises EnrolmentError where a picture can't be used."""
        images = [decode_picture(data, _numbered(n, len(pictures))) for n, data in enumerate(pictures, 1)]
        return tuple(
            LaidDeck(back.signature_texts, encode_jpeg(back.crop, 90), back.colour.name, back.colour.lightness)
            for back in find_laid(images, self._eye)
        )

    def known_as(self, signatures: Sequence[str], decks: Mapping[DeckId, Sequence[str]]) -> DeckId | None:
        """Which deck looks like the one with these signatures."""
        return known_as(signatures, decks)

    def check_table(self, picture: bytes, decks: Mapping[DeckId, Sequence[str]]) -> TableCheck:
        """Whether the camera sees the table well enough."""
        image = decode_picture(picture)
        view = check_view(image, self._eye)
        return TableCheck(view, tuple(self.too_alike(decks)), encode_jpeg(fit_within(image, CHECKED_PX)[0], 80))

    def too_alike(self, decks: Mapping[DeckId, Sequence[str]]) -> list[str]:
        """A sentence for each pair of decks that can't be told apart (rules M13)."""
        return list(separability(Gallery.from_signatures(decks)))

    def warm_up(self) -> None:
        """Runs the models once, so that the first person does not wait for their first run."""
        blank: Image = np.zeros((480, 640, 3), np.uint8)
        read_fan(blank, self._eye)


def _shown(image: Image) -> bytes:
    """The picture for a page that draws the cards itself."""
    return encode_jpeg(fit_within(image, SHOWN_PX)[0], 80)


def _numbered(number: int, count: int) -> Said:
    return THE_PICTURE if count == 1 else say("picture %(number)s", number=number)


def _timed(read: Callable[[], T]) -> tuple[T, float]:
    """What *read* returns, and the milliseconds it took."""
    start = time.perf_counter()
    reading = read()
    return reading, (time.perf_counter() - start) * 1000
