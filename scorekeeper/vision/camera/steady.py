"""Is the picture still, and is it the same as before: what a camera over a table shows between two readings.

Frames are compared small and after their light was made equal, so that a webcam's noise and its automatic exposure are
no motion. A full picture is never looked at here, so this keeps up with a camera.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.vision.geometry import Corners, Image, grown

Small = npt.NDArray[np.float32]
"""A frame of SteadySettings.width pixels across, shape (height, width, 3), BGR, 0 to 255."""
Mask = npt.NDArray[np.uint8]
"""Shape (height, width) of a small frame: 1 where it differs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SteadySettings:
    """When a picture counts as still."""

    width: int = 320
    """Pixels across at which frames are compared."""
    still_s: float = 0.5
    """How long nothing may have moved."""
    lag_s: float = 0.12
    """Frames at least this far apart are compared, and those ``still_s`` apart: quick and slow motion."""
    least_levels: float = 11.0
    """Grey levels (of 255) by which a pixel must differ; more where the camera is noisy."""
    most_levels: float = 24.0
    """However noisy the camera is, this is no noise."""
    noises: float = 6.0
    """Times the noise by which a pixel must differ."""
    least_blob: float = 0.0006
    """Share of the picture that has to differ in one place: a finger tip, a twelfth of a card."""
    hand: float = 0.004
    """A moving blob larger than this that reaches the picture's edge is an arm."""
    wide: float = 0.015
    """From this share of the picture on, it is asked whether the camera itself was moved."""
    light: float = 0.09
    """Natural logarithm of brightness by which two frames ``still_s`` apart differ while the light changes."""
    black: float = 22.0
    """A picture whose brightest twentieth is darker than this shows nothing."""
    bright: float = 0.6
    """Share of wholly white pixels from which on a picture shows nothing."""
    frozen_s: float = 4.0
    """A lens never gives the same picture twice; for so long it may."""


SETTINGS = SteadySettings()


class Stillness(Enum):
    """What a frame shows, compared with those before."""

    STILL = auto()
    MOVING = auto()
    """Something small moves, or moved a moment ago."""
    HAND = auto()
    """Something large that reaches in from the edge moves."""
    CAMERA = auto()
    """The camera itself was moved."""
    LIGHT = auto()
    """The light, or the camera's answer to it, is changing."""
    BLACK = auto()
    BRIGHT = auto()
    FROZEN = auto()
    """The camera repeats one picture."""


@dataclass(frozen=True, slots=True)
class Change:
    """How one small frame differs from another, light left out."""

    mask: Mask
    """1 in the blobs that differ."""
    share: float
    """Of the picture, 0 to 1."""
    gain: float
    """How much brighter it is, natural logarithm."""
    moved: bool
    """Whether it is the same scene seen from elsewhere."""


def small_of(frame: Image, settings: SteadySettings = SETTINGS) -> Small:
    """*frame* as it is compared."""
    height, width = frame.shape[:2]
    size = (settings.width, max(1, round(height * settings.width / width)))
    return cv2.resize(frame, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def change(before: Small, now: Small, settings: SteadySettings = SETTINGS) -> Change:
    """How *now* differs from *before*; frames of another shape differ wholly."""
    if before.shape != now.shape:
        return Change(np.ones(now.shape[:2], np.uint8), 1.0, 0.0, True)
    lit, gain = _relit(before, now)
    rough = _rough(lit, now, settings)
    moved = float(rough.mean()) > settings.wide and _displaced(before, now, rough, settings)
    mask = _blobs(rough, settings)
    return Change(mask, float(mask.mean()), gain, moved)


def _relit(before: Small, now: Small) -> tuple[Small, float]:
    """*before* in the light of *now*, and the logarithm of the change: what most pixels agree about, by channel."""
    x, y = before[::4, ::4].reshape(-1, 3), now[::4, ::4].reshape(-1, 3)
    gains = np.ones(3, np.float32)
    for channel in range(3):
        fit = (x[:, channel] > 20) & (x[:, channel] < 240) & (y[:, channel] < 250)
        if fit.sum() > 50:
            gains[channel] = np.median(y[fit, channel] / x[fit, channel])
    return np.minimum(before * gains, 255), float(np.log(np.maximum(gains, 0.01)).mean())


def _rough(lit: Small, now: Small, settings: SteadySettings) -> Mask:
    """1 where the two differ by more than noise."""
    off = np.abs(now - lit).max(2)
    noise = float(np.percentile(off[::2, ::2], 25)) / 0.6  # of the quietest part: the rest may have moved
    least = float(np.clip(settings.noises * noise, settings.least_levels, settings.most_levels))
    return np.asarray(off > least, np.uint8)


def _blobs(rough: Mask, settings: SteadySettings) -> Mask:
    """*rough* without specks and lines."""
    opened = cv2.morphologyEx(rough, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=8)
    big = stats[:, cv2.CC_STAT_AREA] >= settings.least_blob * rough.size
    big[0] = False
    return big[labels].astype(np.uint8) if count > 1 else np.zeros_like(rough)


def _displaced(before: Small, now: Small, rough: Mask, settings: SteadySettings) -> bool:
    """Whether most of the difference goes away when the picture is displaced as a whole, or all of it differs."""
    a, b = (cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) for picture in (before, now))
    high, wide = (side // 8 for side in a.shape)
    _, _, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(b, a[high:-high, wide:-wide], cv2.TM_CCOEFF_NORMED))
    if (x, y) != (wide, high):
        matrix = np.array([[1, 0, x - wide], [0, 1, y - high]], np.float32)
        there = cv2.warpAffine(before, matrix, (a.shape[1], a.shape[0]), borderMode=cv2.BORDER_REPLICATE)
        lit, _ = _relit(there.astype(np.float32, copy=False), now)
        if float(_rough(lit, now, settings).mean()) < 0.5 * float(rough.mean()):
            return True
    return float(rough.mean()) > 0.6


def touches_edge(mask: Mask, least_share: float) -> bool:
    """Whether one blob larger than *least_share* of the picture reaches its edge."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    rim = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    return any(number and stats[number, cv2.CC_STAT_AREA] >= least_share * mask.size for number in rim)


def no_cards(mask: Mask, cards_px: Sequence[Corners], scale: float) -> Mask:
    """*mask* without what cards explain: *cards_px* are outlines in the frame, *scale* makes them small."""
    rest = mask.copy()
    for corners in cards_px:
        cv2.fillConvexPoly(rest, np.rint(grown(corners, 1.15) * scale).astype(np.int32), 0)
    return rest


class Mean:
    """The mean of frames in which nothing moves: less noise than any of them."""

    def __init__(self) -> None:
        self.frames = 0
        self._sum: npt.NDArray[np.float32] | None = None

    def add(self, frame: Image) -> None:
        """Takes in one more frame, as large as those before."""
        if self._sum is None:
            self._sum = np.zeros(frame.shape, np.float32)
        cv2.accumulate(frame, self._sum)
        self.frames += 1

    def picture(self) -> Image:
        """The mean; there was one frame at least."""
        if self._sum is None:
            raise ValueError("no frame was added")
        return np.asarray(cv2.convertScaleAbs(self._sum, alpha=1 / self.frames), np.uint8)


_RANK = (Stillness.LIGHT, Stillness.MOVING, Stillness.HAND, Stillness.CAMERA)
"""What is said of several motions within a second: the last of these."""


class Steady:
    """Watches the frames of one camera and says of each whether it can be counted on."""

    def __init__(self, *, live: bool = True, settings: SteadySettings = SETTINGS) -> None:
        self._live = live
        self._settings = settings
        self._past: deque[tuple[float, Small]] = deque()
        self._kind = (Stillness.MOVING, -np.inf)
        self._moved_s = -np.inf
        self._frozen_since: float | None = None
        self._last: Image | None = None

    @property
    def small(self) -> Small:
        """The last frame as it is compared."""
        return self._past[-1][1]

    def look(self, frame: Image, at_s: float) -> Stillness:
        """What *frame*, taken *at_s* seconds, shows."""
        small = small_of(frame, self._settings)
        if self._past and self._past[-1][1].shape != small.shape:
            self._past.clear()
        frozen = self._is_frozen(frame, at_s)
        sight = self._judge(small, at_s)
        self._past.append((at_s, small))
        while len(self._past) > 1 and self._past[1][0] <= at_s - self._settings.still_s:
            self._past.popleft()  # one that is old enough stays, however slow the camera
        return Stillness.FROZEN if frozen and sight is Stillness.STILL else sight

    def _judge(self, small: Small, at_s: float) -> Stillness:
        s = self._settings
        if float(np.percentile(small[::2, ::2].max(2), 95)) < s.black:
            return self._disturbed(at_s, Stillness.BLACK)
        if float((small[::2, ::2].min(2) >= 250).mean()) > s.bright:
            return self._disturbed(at_s, Stillness.BRIGHT)
        near = next((old for then, old in reversed(self._past) if at_s - then >= s.lag_s), None)
        far = self._past[0][1] if self._past and at_s - self._past[0][0] >= s.still_s else None
        for old in (near, far):
            if old is not None and (motion := self._motion(old, small)):
                return self._disturbed(at_s, motion)
        return self._kind[0] if far is None or at_s - self._moved_s < s.still_s else Stillness.STILL

    def _disturbed(self, at_s: float, by: Stillness) -> Stillness:
        """Remembers that something moved; an arm whose hand alone moves now is still an arm."""
        kind, since_s = self._kind
        if by in _RANK and kind in _RANK and at_s - since_s < 1 and _RANK.index(kind) > _RANK.index(by):
            by = kind
        else:
            self._kind = (by, at_s)
        self._moved_s = at_s
        return by

    def _motion(self, old: Small, small: Small) -> Stillness | None:
        found = change(old, small, self._settings)
        if found.moved:
            return Stillness.CAMERA
        if found.share > 0:
            return Stillness.HAND if touches_edge(found.mask, self._settings.hand) else Stillness.MOVING
        return Stillness.LIGHT if abs(found.gain) > self._settings.light else None

    def _is_frozen(self, frame: Image, at_s: float) -> bool:
        """Whether the camera has given this very picture, to the last bit, for some seconds."""
        last, self._last = self._last, frame
        if not self._live or last is None or last.shape != frame.shape or not np.array_equal(last, frame):
            self._frozen_since = None
            return False
        self._frozen_since = at_s if self._frozen_since is None else self._frozen_since
        return at_s - self._frozen_since >= self._settings.frozen_s
