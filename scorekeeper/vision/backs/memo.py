"""What was found out about the cards of a picture: no place is looked at twice while nothing changes there."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from scorekeeper.vision.background import Cloth
from scorekeeper.vision.backs.plane import fitted
from scorekeeper.vision.backs.refiner import Refined, RefinedOne, Suited, load_refiner, opened, shown_at, suited
from scorekeeper.vision.geometry import Boxes, Corners, Image, Points, side_lengths, touching
from scorekeeper.vision.outline import MUCH, Tilt, find_tilt
from scorekeeper.vision.templates import Floats, Seen, cell_middles

T = TypeVar("T")

REACH = 0.7
"""What changes farther than so many lengths of a card from an outline's middle hardly matters to what was found out
about it: the network sees a little more, but not of the card."""


class Memo:
    """One picture, or the frames of a camera that stands still, and what was found out about places in it."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self._suited: Suited | None = None
        self._known: dict[tuple[Hashable, bytes], Any] = {}
        self._asked: set[tuple[Hashable, bytes]] = set()
        self._reach = 0.0
        self.known_tilt: Tilt | None = None
        self._plane: Tilt | None = None
        self._length: float | None = None
        self._cloth: tuple[Cloth | None] | None = None
        self._visible: dict[bytes, Floats] = {}

    def changed(self, image: Image, boxes_px: Boxes) -> None:
        """The picture is *image* now, which differs only in *boxes_px*.

        What was found out there is forgotten, and what nobody asked about since the last change.
        """
        kept = {key: fact for key, fact in self._known.items() if key in self._asked}
        near = self._near([outline for _, outline in kept], boxes_px)
        self._known = {key: fact for (key, fact), gone in zip(kept.items(), near, strict=True) if not gone}
        cloth = self._cloth[0].changed(image, boxes_px) if self._cloth and self._cloth[0] else None
        self._cloth = (cloth,) if cloth else None
        self.image, self._suited, self._asked = image, None, set()

    def once(
        self,
        asked: Sequence[Hashable],
        outlines_px: Sequence[Corners] | Points,
        find: Callable[[list[int]], Sequence[T]],
    ) -> list[T]:
        """What *find* says of each outline, one thing *asked* of each; it is given the numbers of those not yet known.

        It may depend on nothing but what is asked, the outline (4, 2), float32, and the picture within its ``REACH``,
        or hardly on more.
        """
        keys = [(what, outline.tobytes()) for what, outline in zip(asked, outlines_px, strict=True)]
        new = [n for n, key in enumerate(keys) if key not in self._known]
        if new:
            self._known.update(zip([keys[n] for n in new], find(new), strict=True))
        self._asked.update(keys)
        return [self._known[key] for key in keys]

    def refined(self, outlines_px: Points, lengths_px: npt.ArrayLike) -> Refined:
        """What the network (``refiner``) says of outlines (n, 4, 2); *lengths_px*, one or (n,), as it takes them."""
        lengths = np.broadcast_to(np.asarray(lengths_px, float), len(outlines_px))
        self._reach = max(self._reach, REACH * float(lengths.max(initial=0)))

        def find(new: list[int]) -> list[RefinedOne]:
            return load_refiner()(self._suit(float(np.median(lengths))), outlines_px[new], lengths[new]).each()

        asked = [("refined", length) for length in lengths.tolist()]
        return Refined.of(self.once(asked, outlines_px, find))

    def tilt(self, boxes_px: Sequence[Corners]) -> Tilt:
        """How the camera looks at the table, by its cards' boxes (each (4, 2)): as before while that explains them."""
        self.known_tilt = find_tilt(boxes_px, (self.image.shape[0], self.image.shape[1]), self.known_tilt)
        return self.known_tilt

    def plane(self, quads: Points, groups: npt.NDArray[np.intp]) -> Tilt:
        """The same exactly, by outlines (n, 4, 2), of which those of one group are equally large: as before, too, while
        that explains them."""
        self._plane = fitted(self.known_tilt or self.tilt([*quads]), quads, groups, self._plane)
        return self._plane

    def length(self, length_px: float) -> float:
        """How long the picture's cards are: as before until it is ``MUCH`` another, so that a card more changes nothing
        that is known of the others."""
        if self._length is None or abs(np.log(length_px / self._length)) > np.log(MUCH):
            self._length = length_px
        return self._length

    def cloth(self, quads: Sequence[Corners]) -> Cloth | None:
        """What lies round the cards in *quads*, of which there is one at least, None where they leave hardly any; its
        colour as it was first asked for."""
        if self._cloth is None:
            self._cloth = (Cloth.of(self.image, quads),)
        return self._cloth[0]

    def seen(self, quads: Sequence[Corners]) -> list[Seen]:
        """The cards in *quads*, as ``straightened`` orders them, ready to be compared, and what shows of them by the
        network (``refiner``), and where for a while more is known (``visible``) by that, too."""

        def find(new: list[int]) -> list[Seen]:
            outlines = np.stack([quads[n] for n in new])
            free = self._shown([cell_middles(quad) for quad in outlines], outlines)
            free = [each * self._visible.get(quads[n].tobytes(), 1) for n, each in zip(new, free, strict=True)]
            return [Seen.of(self.image, *each) for each in zip(outlines, free, strict=True)]

        return self.once([("seen", each) for each in self.masks(quads)], quads, find)

    @contextmanager
    def visible(self, quads: Sequence[Corners], free: Sequence[Floats]) -> Iterator[None]:
        """Says for a while how much (cells,) of each cell of the cards in *quads* shows at most."""
        self._visible = {quad.tobytes(): shows for quad, shows in zip(quads, free, strict=True)}
        try:
            yield
        finally:
            self._visible = {}

    def masks(self, quads: Sequence[Corners]) -> list[int]:
        """What was said of each of *quads* so, as a number; 0 where nothing was, or that all of it shows."""
        said = (self._visible.get(quad.tobytes()) for quad in quads)
        return [0 if free is None or free.all() else hash(free.tobytes()) for free in said]

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
