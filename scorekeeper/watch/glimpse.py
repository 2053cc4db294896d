"""What a camera gives within two seconds, in words."""

from __future__ import annotations

import time

import numpy as np

from scorekeeper.rules.said import Said, say
from scorekeeper.vision.camera.sources import Newest

LOOK_S = 2.0
"""How long the camera's pictures are counted."""
FIRST_S = 15.0
"""How long the first is waited for."""
SLOW = 2.0
"""With fewer pictures a second nothing is counted live."""


def glimpse(newest: Newest) -> tuple[Said, bool]:
    """What a camera gives, and whether that is too little; raises CameraError."""
    number, first = newest.wait(after=0, timeout_s=FIRST_S)
    began, last, frame, moved = time.monotonic(), number, first, False
    while time.monotonic() < began + LOOK_S:
        if found := newest.peek(after=last, timeout_s=LOOK_S):
            last, frame = found
            moved = moved or not np.array_equal(first, frame)
    rate = (last - number) / (time.monotonic() - began)
    values = {"width": frame.shape[1], "height": frame.shape[0], "rate": round(rate, 1)}
    if newest.live and not moved:
        return say(
            "gives %(width)s by %(height)s pixels, always the very same picture: it is frozen, so start it again",
            **values,
        ), True
    if newest.live and rate < SLOW:
        return say(
            "gives %(width)s by %(height)s pixels, %(rate)s pictures a second: that is too slow to count live; choose "
            "a smaller picture, or a better Wi-Fi",
            **values,
        ), True
    return say("gives %(width)s by %(height)s pixels, %(rate)s pictures a second", **values), False
