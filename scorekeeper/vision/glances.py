"""What was found out about the cards of a picture: no place is looked at twice while nothing changes there."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from scorekeeper.vision.cloth import Cloth
from scorekeeper.vision.geometry import Boxes, Corners, Image, Points, side_lengths, touching, upright_boxes
from scorekeeper.vision.looks import Floats, Seen, cell_middles
from scorekeeper.vision.outline import Tilt, find_tilt
from scorekeeper.vision.refine import Refined, RefinedOne, Suited, load_refiner, opened, shown_at, suited

T = TypeVar("T")

REACH = 1.15
"""What is found out about an outline depends on the picture up to so many lengths of a card from its middle, at most:
the network sees a square of 1.6."""


class Glances:
    """One picture, or the frames of a camera that stands still, and what was found out about places in it."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self._suited: Suited | None = None
        self._known: dict[tuple[Hashable, bytes], Any] = {}
        self._asked: set[tuple[Hashable, bytes]] = set()
        self._reach = 0.0
        self._tilt: Tilt | None = None
        self._cloth: tuple[Cloth | None] | None = None
        self._settled: Points = np.zeros((0, 4, 2), np.float32)
        self._claims: dict[bytes, Floats] = {}

    def changed(self, image: Image, boxes_px: Boxes) -> None:
        """The picture is *image* now, which differs only in *boxes_px*.

        What was found out there is forgotten, and what nobody asked about since the last change.
        """
        kept = {key: fact for key, fact in self._known.items() if key in self._asked}
        near = self._near([outline for _, outline in kept], boxes_px)
        self._known = {key: fact for (key, fact), gone in zip(kept.items(), near, strict=True) if not gone}
        self.image, self._suited, self._cloth, self._asked = image, None, None, set()

    def once(
        self,
        asked: Sequence[Hashable],
        outlines_px: Sequence[Corners] | Points,
        find: Callable[[list[int]], Sequence[T]],
    ) -> list[T]:
        """What *find* says of each outline, one thing *asked* of each; it is given the numbers of those not yet known.

        It may depend on nothing but what is asked, the outline (4, 2), float32, and the picture within its ``REACH``.
        """
        keys = [(what, outline.tobytes()) for what, outline in zip(asked, outlines_px, strict=True)]
        new = [n for n, key in enumerate(keys) if key not in self._known]
        if new:
            self._known.update(zip([keys[n] for n in new], find(new), strict=True))
        self._asked.update(keys)
        return [self._known[key] for key in keys]

    def all_of(self, kind: str) -> list[Any]:
        """All that was found out since the picture changed by what is asked as a tuple that begins with *kind*."""
        kept = (key for key in self._known if key in self._asked and isinstance(key[0], tuple) and key[0][0] == kind)
        return [self._known[key] for key in kept]

    def refined(self, outlines_px: Points, lengths_px: npt.ArrayLike) -> Refined:
        """What the network (``refine``) says of outlines (n, 4, 2); *lengths_px*, one or (n,), as it takes them."""
        lengths = np.broadcast_to(np.asarray(lengths_px, float), len(outlines_px))
        self._reach = max(self._reach, REACH * float(lengths.max(initial=0)))

        def find(new: list[int]) -> list[RefinedOne]:
            return load_refiner()(self._suit(float(np.median(lengths))), outlines_px[new], lengths[new]).each()

        asked = [("refined", length) for length in lengths.tolist()]
        return Refined.of(self.once(asked, outlines_px, find))

    def tilt(self, boxes_px: Sequence[Corners]) -> Tilt:
        """How the camera looks at the table, by its cards' boxes (each (4, 2)): as before while that explains them."""
        self._tilt = find_tilt(boxes_px, (self.image.shape[0], self.image.shape[1]), self._tilt)
        return self._tilt

    def known_tilt(self, quads: Sequence[Corners]) -> Tilt:
        """The tilt that boxes last told; that of these *quads* where none was asked about."""
        return self._tilt or self.tilt(quads)

    def cloth(self, quads: Sequence[Corners]) -> Cloth | None:
        """What lies round the cards in *quads*, of which there is one at least, None where they leave hardly any; as it
        was first asked for, until the picture changes."""
        if self._cloth is None:
            self._cloth = (Cloth.of(self.image, quads),)
        return self._cloth[0]

    def seen(self, quads: Sequence[Corners]) -> list[Seen]:
        """The cards in *quads*, as ``straightened`` orders them, ready to be compared, and what shows of them by the
        network (``refine``)."""

        def find(new: list[int]) -> list[Seen]:
            outlines = np.stack([quads[n] for n in new])
            places = [cell_middles(quad) for quad in outlines]
            free = self._shown(places, outlines)
            for row, (n, over) in enumerate(zip(new, self.over(outlines), strict=True)):
                for theirs in self._shown([places[row]] * len(over), over):
                    free[row] = free[row] * (1 - theirs)
                free[row] = self._claims.get(quads[n].tobytes(), free[row])
            return [Seen.of(self.image, *each) for each in zip(outlines, free, strict=True)]

        return self.once([("seen", each) for each in self.told(quads)], quads, find)

    def settle(self, quads: Sequence[Corners]) -> None:
        """Says that cards surely lie in *quads*, and in no others: what shows of them shows of no other card."""
        self._settled = np.array(quads, np.float32).reshape(-1, 4, 2)

    def unsettle(self) -> None:
        """Says that no card surely lies anywhere, nor how much shows of any."""
        self.settle([])
        self._claims = {}

    def claim(self, quad: Corners, free: Floats | None) -> None:
        """Says how much (cells,) of each cell of the card in *quad* shows, whatever the network says; None: what that
        says."""
        others = {key: shows for key, shows in self._claims.items() if key != quad.tobytes()}
        self._claims = others if free is None else {**others, quad.tobytes(): free}

    def is_claimed(self, quad: Corners) -> bool:
        """Whether that was said of the card in *quad*."""
        return quad.tobytes() in self._claims

    @contextmanager
    def claimed(self, quads: Sequence[Corners], free: Sequence[Floats | None]) -> Iterator[None]:
        """Says so of some cards for a while."""
        before = self._claims
        for each in zip(quads, free, strict=True):
            self.claim(*each)
        try:
            yield
        finally:
            self._claims = before

    def told(self, quads: Sequence[Corners]) -> list[bytes]:
        """All that was said of what shows of each of *quads*."""
        claims = (self._claims.get(quad.tobytes()) for quad in quads)
        return [
            each.tobytes() + (b"" if claim is None else claim.tobytes())
            for each, claim in zip(self.over(quads), claims, strict=True)
        ]

    def over(self, quads: Sequence[Corners] | Points) -> list[Points]:
        """The settled cards (k, 4, 2) that may hide part of each of *quads*; none for those that are settled."""
        own = {quad.tobytes() for quad in self._settled}
        near = touching(upright_boxes(np.reshape(quads, (-1, 4, 2))), upright_boxes(self._settled))
        return [self._settled[which & (quad.tobytes() not in own)] for quad, which in zip(quads, near, strict=True)]

    def _shown(self, places: Sequence[Points], outlines_px: Points) -> list[Floats]:
        """How openly (n,) each of the cards in *outlines_px* shows at its *places* (n, 2), by the network."""
        lengths = side_lengths(outlines_px).max(1)
        shows = self.refined(outlines_px, lengths).shows
        rows = zip(places, outlines_px, shows, lengths.tolist(), strict=True)
        return [opened(shown_at(spots, each, quad, length)) for spots, quad, each, length in rows]

    def _suit(self, length_px: float) -> Suited:
        """The picture in the size that suits the network; *length_px* is how long its cards are."""
        if self._suited is None:
            self._suited = suited(self.image, length_px)
        return self._suited

    def _near(self, outlines: Sequence[bytes], boxes_px: Boxes) -> npt.NDArray[np.bool_]:
        """(n,) which outlines' surroundings touch one of *boxes_px* (m, 4)."""
        quads = np.frombuffer(b"".join(outlines), np.float32).reshape(-1, 4, 2)
        middles = quads.mean(1)
        low, high = np.minimum(middles - self._reach, quads.min(1)), np.maximum(middles + self._reach, quads.max(1))
        around = np.concatenate([low, high], 1)
        return np.asarray(touching(around, boxes_px).any(1), np.bool_)
