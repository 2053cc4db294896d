"""What each pixel of a small raster says: how likely a proposed card shows there, and how likely none does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import onnxruntime

from scorekeeper.resources import data_path
from scorekeeper.vision.background import Cloth
from scorekeeper.vision.backs.memo import Memo
from scorekeeper.vision.backs.proposals import Proposals
from scorekeeper.vision.backs.refiner import SHOWN, WINDOW, to_window
from scorekeeper.vision.geometry import Corners
from scorekeeper.vision.networks import open_session
from scorekeeper.vision.templates import COLUMNS, FRAME, ROWS

Floats = npt.NDArray[np.float32]

LONG = 36.0
"""How long a card is in the raster, in pixels."""
MOST = 5.0
"""Log odds say no more than this for or against."""
CARD_FEATURES, GROUND_FEATURES = 14, 3
MOST_OFF, MOST_USUAL, ASKED = 40.0, 10.0, 512
"""Pixels farther than this from the cloth's colour, or so many times as far as the cloth itself, are alike."""


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
    """The pixels of one picture, made small."""

    scale: float
    """Its pixels for one of the picture."""
    off: Floats
    """(h, w) how far each pixel is from the cloth's colour."""
    usual: float
    """How far the cloth itself is, in the middle."""

    @property
    def ground(self) -> Floats:
        """(h, w, 3) what the background's pixels are like."""
        return ground_features(self.off, self.usual)

    def window(self, quad_px: Corners) -> tuple[slice, slice]:
        """The rows and columns in which an outline (4, 2) of the picture lies; none where it lies outside."""
        quad, size = quad_px * np.float32(self.scale), self.off.shape[::-1]
        left, top = np.maximum(np.floor(quad.min(0)).astype(int), 0).tolist()
        right, bottom = np.minimum(np.ceil(quad.max(0)).astype(int) + 1, size).tolist()
        return slice(top, bottom), slice(left, right)


def raster_of(length_px: float, size: tuple[int, int], cloth: Cloth | None) -> Raster:
    """The raster of a picture of *size* (height, width) with cards *length_px* long, whose background is *cloth* where
    it is known."""
    scale = LONG / length_px
    height, width = int(np.ceil(size[0] * scale)), int(np.ceil(size[1] * scale))
    if cloth is None:
        return Raster(scale, np.full((height, width), 20, np.float32), 20.0)
    off = np.asarray(cv2.resize(cloth.off, (width, height), interpolation=cv2.INTER_AREA), np.float32)
    return Raster(scale, off, max(cloth.usual, 0.5))


def ground_features(off: Floats, usual: float) -> Floats:
    """(..., 3) what pixels so far (...) from the cloth's colour are like, where the cloth itself is *usual* far."""
    near, even = np.minimum(off, MOST_OFF), np.full_like(off, min(usual, 10) / 5)
    return np.stack([near / 10, even, np.minimum(off / usual, MOST_USUAL) / 5], -1).astype(np.float32)


def patch_of(proposals: Proposals, n: int, raster: Raster) -> Patch:
    """The features (h, w, 14) of the pixels of proposal *n*."""
    rows, columns = raster.window(proposals.quads[n])
    top, left, bottom, right = rows.start, columns.start, rows.stop, columns.stop
    if right <= left or bottom <= top:
        return Patch(0, 0, np.zeros((0, 0, CARD_FEATURES), np.float32))
    quad = proposals.quads[n] * np.float32(raster.scale)
    y, x = np.mgrid[top:bottom, left:right].astype(np.float32) + np.float32(0.5)
    spots = np.stack([x, y], 2).reshape(1, -1, 2)
    cells = cv2.perspectiveTransform(spots, cv2.getPerspectiveTransform(quad, FRAME))[0]
    inside = ((cells >= 0) & (cells < (COLUMNS, ROWS))).all(1)
    column, row = np.clip(np.floor(cells).astype(int), 0, (COLUMNS - 1, ROWS - 1)).T
    unlike = proposals.unlike[n].reshape(ROWS, COLUMNS)
    blurred = [unlike, cv2.blur(unlike, (3, 3)), cv2.blur(unlike, (7, 7))]
    differs = [each[row, column] for each in blurred]
    to_shown = to_window(proposals.given[n], proposals.length_px, SHOWN / WINDOW)
    at = cv2.transform(spots / np.float32(raster.scale), to_shown).astype(np.float32)
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
    cloth = ground_features(raster.off[rows, columns].reshape(-1), raster.usual)
    told = [log_odds(shows), *differs, *(np.full(len(cells), each, np.float32) for each in card), *cloth.T]
    told.append(np.minimum(edge, 4) / 2)
    features = np.stack(told, 1).astype(np.float32)
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


def evidence_of(proposals: Proposals, raster: Raster, memo: Memo) -> Evidence:
    """What the networks say of a picture's pixels."""

    def find(new: list[int]) -> list[Patch]:
        return _odds_of([patch_of(proposals, n, raster) for n in new])

    asked = [("evidence", _told(proposals, n, raster)) for n in range(len(proposals))]
    return Evidence(raster.scale, _bare(raster), tuple(memo.once(asked, proposals.quads, find)))


def _told(proposals: Proposals, n: int, raster: Raster) -> int:
    """All that the features of proposal *n* depend on, as a number."""
    p, one = proposals, proposals.compared[n]
    numbers = p.joint[n], p.sure[n], p.alike[n], one.far, one.visible, p.length_px, raster.scale, raster.usual
    off = raster.off[raster.window(p.quads[n])]
    return hash((numbers, *(each.tobytes() for each in (p.given[n], p.shows[n], p.unlike[n], off))))


def _odds_of(patches: Sequence[Patch]) -> list[Patch]:
    """(h, w) that each proposal shows, by the features (h, w, 14) of its pixels."""
    rows = np.concatenate([patch.values.reshape(-1, CARD_FEATURES) for patch in patches])
    known = np.isfinite(rows[:, 0])
    odds = np.full(len(rows), np.nan, np.float32)
    if known.any():
        odds[known] = np.clip(_networks()[0].run(None, {"pixels": rows[known]})[0].reshape(-1), -MOST, MOST)
    parts = np.split(odds, np.cumsum([patch.values[..., 0].size for patch in patches])[:-1])
    return [
        Patch(patch.left, patch.top, part.reshape(patch.values.shape[:2]))
        for patch, part in zip(patches, parts, strict=True)
    ]


def _bare(raster: Raster) -> Floats:
    """(h, w) what the network says of the background's pixels; in one picture only how far each is from the cloth tells
    them apart, so that it is asked of so many distances (ASKED) and no more."""
    off = np.linspace(0, max(MOST_OFF, MOST_USUAL * raster.usual), ASKED, dtype=np.float32)
    odds = _networks()[1].run(None, {"pixels": ground_features(off, raster.usual)})[0].reshape(-1)
    return np.asarray(np.clip(np.interp(raster.off, off, odds), -MOST, MOST), np.float32)


@cache
def _networks() -> tuple[onnxruntime.InferenceSession, onnxruntime.InferenceSession]:
    folder = data_path("models/evidence/card.onnx"), data_path("models/evidence/ground.onnx")
    return open_session(folder[0], 1), open_session(folder[1], 1)
