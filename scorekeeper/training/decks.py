"""A pool of decks to lay on composed tables: rendered art, and decks drawn from fonts, each with some back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from scorekeeper.training.back_designs import drawn_back
from scorekeeper.training.faces import CardFace, Families, art_faces, drawn_faces
from scorekeeper.training.scene import DeckSprites, Sprite
from scorekeeper.training.tables import Rng

HELD_OUT = ("standard", "neoclassical", "neoclassical-four", "lattmann")
"""Art decks that only measure and are never trained on."""
HEIGHT = 420
"""Pixels of a drawn card's longer side."""


def _sprite(face: CardFace) -> Sprite:
    return Sprite.of(face.image, face.code, face.indices)


class DeckPool:
    """Decks that come and go: *count* at a time, *fresh* of them new each turn, a part of them rendered *art*."""

    def __init__(
        self,
        rng: Rng,
        art: Path | None,
        count: int = 16,
        *,
        art_share: float = 0.45,
        leave_out: Sequence[str] = HELD_OUT,
        families: Families | None = None,
        dutch: bool = True,
        varied: bool = False,
    ) -> None:
        """Fonts come from *families*, any where None, and are bent where *varied*; *dutch* decks, whose queen is a V,
        are among them."""
        self._rng = rng
        self._varied = varied
        self._dutch = dutch
        self._families = families
        self._art = [deck for deck in art_faces(art, leave_out) if len(deck) == 52] if art else []
        self._art_share = art_share if self._art else 0.0
        self._serial = 0
        self.decks = [self._new() for _ in range(count)]

    def refresh(self, fresh: int = 4) -> list[DeckSprites]:
        """The decks, after the oldest *fresh* ones were replaced."""
        self.decks = self.decks[fresh:] + [self._new() for _ in range(fresh)]
        return self.decks

    def _new(self) -> DeckSprites:
        self._serial += 1
        back = Sprite.of(drawn_back(self._rng, (HEIGHT, int(HEIGHT * self._rng.uniform(0.63, 0.715)))))
        return DeckSprites(self._faces(), back, f"deck-{self._serial}")

    def _faces(self) -> Callable[[str], Sprite]:
        if self._rng.random() < self._art_share:
            deck = self._art[self._rng.integers(len(self._art))]
            return lambda code: _sprite(deck[code])
        size = (HEIGHT, int(HEIGHT * self._rng.uniform(0.63, 0.715)))
        while True:
            drawn = drawn_faces(self._rng, size, families=self._families, varied=self._varied)
            if self._dutch or drawn("QS").letter != "V":
                return lambda code: _sprite(drawn(code))
