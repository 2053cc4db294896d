"""The eye in its own process, with the real weights."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from scorekeeper.errors import EnrolmentError, PictureError
from scorekeeper.resources import data_path
from scorekeeper.vision.camera.sources import decode_picture, encode_jpeg
from scorekeeper.watch import EyeProcess


@pytest.fixture(scope="module")
def eye() -> Iterator[EyeProcess]:
    with EyeProcess() as eye:
        yield eye


@pytest.fixture(scope="module")
def cloth() -> bytes:
    """A table with nothing on it."""
    return encode_jpeg(np.full((480, 640, 3), (60, 90, 40), np.uint8))


def test_an_empty_table_has_no_cards(eye: EyeProcess, cloth: bytes) -> None:
    seen = eye.fan(cloth)
    assert seen.reading.cards == ()
    assert decode_picture(seen.overlays[0]).shape[1] == 640
    assert eye.lake(cloth).reading.total == 0
    assert eye.spread([cloth, cloth], {}).reading.total == 0


def test_a_broken_picture_is_refused_and_the_next_is_read(eye: EyeProcess, cloth: bytes) -> None:
    for broken in (b"", b"no picture", cloth[:400]):
        with pytest.raises(PictureError):
            eye.lake(broken)
    with pytest.raises(PictureError, match="picture 2"):
        eye.spread([cloth, b""], {})
    assert eye.fan(cloth).reading.count == 0


def test_a_table_without_a_back_is_no_deck(eye: EyeProcess, cloth: bytes) -> None:
    with pytest.raises(EnrolmentError):
        eye.enrol([cloth])


def test_the_samples_decks_are_learned_and_told_apart(eye: EyeProcess) -> None:
    folder = sorted(data_path("datasets/samples").glob("*/truth.json"))[0].parent
    decks = {path.stem.removeprefix("enrol-"): eye.enrol([path.read_bytes()]) for path in folder.glob("enrol-*.jpg")}
    assert all(deck.signatures and decode_picture(deck.crop).size for deck in decks.values())
    assert eye.too_alike({name: deck.signatures for name, deck in decks.items()}) == []
    twins = next(iter(decks.values())).signatures
    assert eye.too_alike({"one": twins, "other": twins})
