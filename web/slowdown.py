"""Waiting times after wrong PINs and codes: guessing takes longer than the evening, and keeps nobody else out."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

EVERYBODY = ""
"""Where the tries of all strangers together are counted."""
MOST = 4096
"""Callers that are remembered; those that have to wait least go first."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who tries: one browser or one address."""

    name: str
    stranger: bool = True
    """Whether nothing is known of it, so that it waits with all other strangers, too."""
    trusted: bool = False
    """Whether it never waits, such as the server's own machine."""


@dataclass(slots=True)
class Slowdown:
    """Counts wrong tries of each caller, and of all strangers together; they are forgotten one by one."""

    clock: Callable[[], float] = time.monotonic
    free: int = 3
    """Wrong tries of one caller before it has to wait; each further one doubles the wait."""
    longest_s: float = 60.0
    """The longest wait of one caller, and the time after which one of its wrong tries is forgotten."""
    free_together: int = 100
    """Wrong tries of all strangers before all of them have to wait."""
    together_s: float = 6.0
    """The time after which one wrong try of all strangers is forgotten."""
    _wrong: dict[str, tuple[float, float]] = field(default_factory=dict)
    """How many wrong tries were left when, by caller."""

    def wait_s(self, caller: Caller) -> float:
        """Seconds until *caller* may try again; 0 when it may now."""
        if caller.trusted:
            return 0.0
        crowd = self._left(EVERYBODY) - self.free_together + 1 if caller.stranger else 0.0
        return max(self._wait_s(caller.name), crowd * self.together_s, 0.0)

    def wrong(self, caller: Caller) -> None:
        """Remembers one wrong try."""
        self._add(caller.name)
        if caller.stranger:
            self._add(EVERYBODY)
        if len(self._wrong) > MOST:
            kept = sorted(self._wrong, key=self._left)[MOST // 4 :]
            self._wrong = {name: self._wrong[name] for name in kept}

    def right(self, caller: Caller) -> None:
        """Forgets what *caller* did wrong."""
        self._wrong.pop(caller.name, None)

    def _add(self, name: str) -> None:
        self._wrong[name] = (self._left(name) + 1, self.clock())

    def _left(self, name: str) -> float:
        """The wrong tries that are not forgotten yet."""
        count, at = self._wrong.get(name, (0.0, 0.0))
        forget_s = self.together_s if name == EVERYBODY else self.longest_s
        return max(0.0, count - (self.clock() - at) / forget_s)

    def _wait_s(self, name: str) -> float:
        count, at = self._wrong.get(name, (0.0, 0.0))
        if math.ceil(count) < self.free:
            return 0.0
        wait = min(self.longest_s, 2.0 ** min(math.ceil(count) - self.free + 1, 10))
        return max(0.0, at + wait - self.clock())
