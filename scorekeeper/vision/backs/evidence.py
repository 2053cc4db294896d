"""What each pixel of a small raster says: how likely a proposed card shows there, and how likely none does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import onnxruntime

from scorekeeper.resources import data_path
from scorekeeper.vision.background import Cloth
from scorekeeper.vision.backs.proposals import Proposals
from scorekeeper.vision.backs.refiner import SHOWN, WINDOW, to_window
from scorekeeper.vision.networks import open_session
from scorekeeper.vision.templates import COLUMNS, FRAME, ROWS

Floats = npt.NDArray[np.float32]

LONG = 36.0
"""How long a card is in the raster, in pixels."""
MOST = 5.0
"""Log odds say no more than this for or against."""
CARD_FEATURES, GROUND_FEATURES = 14, 3


@dataclass(frozen=True, slots=True)
class Patch:
    """One proposal in the raster."""

    left: int
    top: int
    values: Floats
    """(h, w, k) or (h, w): what is known of each pixel; nan beyond the card."""

    @property
    def window(self) -> tuple[slice, slice]:
        """Its rows and columns of the raster."""
        return slice(self.top, self.top + self.values.shape[0]), slice(self.left, self.left + self.values.shape[1])


@dataclass(frozen=True, slots=True)
class Raster:
    """The pixels of one picture and what each proposal's are like."""

    scale: float
    """Its pixels for one of the picture."""
    ground: Floats
    """(h, w, 3) what the background's pixels are like."""
    patches: tuple[Patch, ...]
    """Features (h, w, 14) of each proposal's pixels."""


def raster_of(proposals: Proposals, size: tuple[int, int], cloth: Cloth | None) -> Raster:
    """The raster of a picture of *size* (height, width), whose background is *cloth* where it is known."""
    scale = LONG / proposals.length_px
    height, width = int(np.ceil(size[0] * scale)), int(np.ceil(size[1] * scale))
    if cloth is None:
        off, usual = np.full((height, width), 20, np.float32), 20.0
    else:
        off = np.asarray(cv2.resize(cloth.off, (width, height), interpolation=cv2.INTER_AREA), np.float32)
        usual = max(cloth.usual, 0.5)
    even = np.full_like(off, min(usual, 10) / 5)
    ground = np.dstack([np.minimum(off, 40) / 10, even, np.minimum(off / usual, 10) / 5]).astype(np.float32)
    patches = (_patch(proposals, n, scale, ground) for n in range(len(proposals)))
    return Raster(scale, ground, tuple(patches))


def _patch(proposals: Proposals, n: int, scale: float, ground: Floats) -> Patch:
    height, width = ground.shape[:2]
    quad = proposals.quads[n] * np.float32(scale)
    left, top = np.maximum(np.floor(quad.min(0)).astype(int), 0).tolist()
    right, bottom = np.minimum(np.ceil(quad.max(0)).astype(int) + 1, [width, height]).tolist()
    if right <= left or bottom <= top:
        return Patch(0, 0, np.zeros((0, 0, CARD_FEATURES), np.float32))
    y, x = np.mgrid[top:bottom, left:right].astype(np.float32) + np.float32(0.5)
    spots = np.stack([x, y], 2).reshape(1, -1, 2)
    cells = cv2.perspectiveTransform(spots, cv2.getPerspectiveTransform(quad, FRAME))[0]
    inside = ((cells >= 0) & (cells < (COLUMNS, ROWS))).all(1)
    column, row = np.clip(np.floor(cells).astype(int), 0, (COLUMNS - 1, ROWS - 1)).T
    unlike = proposals.unlike[n].reshape(ROWS, COLUMNS)
    blurred = [unlike, cv2.blur(unlike, (3, 3)), cv2.blur(unlike, (7, 7))]
    differs = [each[row, column] for each in blurred]
    to_shown = to_window(proposals.given[n], proposals.length_px, SHOWN / WINDOW)
    at = cv2.transform(spots / np.float32(scale), to_shown).astype(np.float32)
    shows = cv2.remap(proposals.shows[n], at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)[0]
    plainly = inside & (shows > 0.7)
    usual = float(np.median(differs[1][plainly] if plainly.sum() > 8 else differs[0][inside])) if inside.any() else 0.0
    edge = np.minimum(np.minimum(cells[:, 0], COLUMNS - cells[:, 0]), np.minimum(cells[:, 1], ROWS - cells[:, 1]))
    one = proposals.compared[n]
    card = [
        usual,
        min(one.far, 2.0),
        log_odds(proposals.sure[n]),
        log_odds(proposals.joint[n]),
    ]
    card += [float(proposals.alike[n]) / 4, min(one.visible, 1.0)]
    cloth = ground[top:bottom, left:right].reshape(-1, GROUND_FEATURES)
    columns = [log_odds(shows), *differs, *(np.full(len(cells), each, np.float32) for each in card), *cloth.T]
    columns.append(np.minimum(edge, 4) / 2)
    features = np.stack(columns, 1).astype(np.float32)
    features[~inside] = np.nan
    return Patch(left, top, features.reshape(bottom - top, right - left, -1))


def log_odds(chance: npt.ArrayLike) -> Floats:
    """The logarithm of the odds of chances, 0 to 1, which are kept a thousandth from either end."""
    kept = np.clip(np.asarray(chance, np.float32), 1e-3, 1 - 1e-3)
    return np.asarray(np.log(kept / (1 - kept)), np.float32)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Log odds of what shows where; all of one picture go together, as a softmax has them."""

    scale: float
    ground: Floats
    """(h, w) that no card shows."""
    cards: tuple[Patch, ...]
    """(h, w) that each proposal shows."""

    @property
    def area(self) -> float:
        """How many pixels a card has, usually."""
        return float(np.median([np.isfinite(card.values).sum() for card in self.cards])) if self.cards else 1.0


def evidence_of(raster: Raster) -> Evidence:
    """What the networks say of a picture's pixels."""
    card_net, ground_net = _networks()
    flat = [patch.values.reshape(-1, CARD_FEATURES) for patch in raster.patches]
    rows = np.concatenate([np.zeros((0, CARD_FEATURES), np.float32), *flat])
    known = np.isfinite(rows[:, 0])
    odds = np.full(len(rows), np.nan, np.float32)
    if known.any():
        odds[known] = np.clip(card_net.run(None, {"pixels": rows[known]})[0].reshape(-1), -MOST, MOST)
    parts = np.split(odds, np.cumsum([len(each) for each in flat])[:-1]) if flat else []
    cards = (
        Patch(patch.left, patch.top, part.reshape(patch.values.shape[:2]))
        for patch, part in zip(raster.patches, parts, strict=True)
    )
    height, width = raster.ground.shape[:2]
    bare = ground_net.run(None, {"pixels": raster.ground.reshape(-1, GROUND_FEATURES)})[0]
    return Evidence(raster.scale, np.clip(bare.reshape(height, width), -MOST, MOST), tuple(cards))


@cache
def _networks() -> tuple[onnxruntime.InferenceSession, onnxruntime.InferenceSession]:
    folder = data_path("models/evidence/card.onnx"), data_path("models/evidence/ground.onnx")
    return open_session(folder[0], 1), open_session(folder[1], 1)
