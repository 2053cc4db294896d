"""What may be asked of the eye: the seam between the pages and it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from scorekeeper.rules.lake import DeckId, FanReading, LakeReading, SpreadReading

Reading = TypeVar("Reading", covariant=True)


@dataclass(frozen=True, slots=True)
class Seen(Generic[Reading]):
    """A reading with the pictures that show it."""

    reading: Reading
    overlays: tuple[bytes, ...]
    """JPEG, one per picture read."""
    ms: float
    """How long the eye looked, decoding and drawing left out."""


@dataclass(frozen=True, slots=True)
class EnrolledDeck:
    """One deck's back as learned from its pictures."""

    signatures: tuple[str, ...]
    """Opaque texts, to be kept and given back to ``spread``."""
    crop: bytes
    """JPEG of the back."""
    problems: tuple[str, ...]
    """Sentences for a person; the deck can be used nevertheless."""


class Watch(Protocol):
    """What the pages ask of the eye; every method may raise VisionError."""

    @property
    def camera(self) -> str | None:
        """The source of ``snapshot`` in words; None without a camera."""

    def lake(self, picture: bytes) -> Seen[LakeReading]:
        """Reads a Lake as it lies."""

    def spread(
        self,
        pictures: Sequence[bytes],
        decks: Mapping[DeckId, Sequence[str]],
        looks: Mapping[DeckId, tuple[str, str]] | None = None,
    ) -> Seen[SpreadReading]:
        """Counts backs by deck; *looks* are ``(#rrggbb, pattern)`` for the overlays."""

    def fan(self, picture: bytes) -> Seen[FanReading]:
        """Reads face-up cards."""

    def enrol(self, pictures: Sequence[bytes]) -> EnrolledDeck:
        """Learns one deck's back."""

    def too_alike(self, decks: Mapping[DeckId, Sequence[str]]) -> list[str]:
        """A sentence for each pair of decks that can't be told apart."""

    def snapshot(self) -> bytes:
        """JPEG of what the camera shows now; CameraError when there is none."""
