"""Waiting times after wrong PINs, so that guessing takes longer than the evening."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

EVERYBODY = "everybody"


@dataclass(slots=True)
class Slowdown:
    """Counts wrong PINs per address and of everybody together; each further one doubles the wait."""

    clock: Callable[[], float] = time.monotonic
    free: int = 3
    """Wrong PINs of one address before it has to wait."""
    free_together: int = 30
    """Wrong PINs of all addresses before everybody has to wait."""
    longest_s: float = 60.0
    _wrong: dict[str, tuple[int, float]] = field(default_factory=dict)

    def wait_s(self, address: str) -> float:
        """Seconds until *address* may try again; 0 when it may now."""
        return max(self._wait_s(address, self.free), self._wait_s(EVERYBODY, self.free_together))

    def wrong(self, address: str) -> None:
        """Remembers one wrong PIN from *address*."""
        for key in (address, EVERYBODY):
            self._wrong[key] = (self._wrong.get(key, (0, 0.0))[0] + 1, self.clock())

    def right(self, address: str) -> None:
        """Forgets what *address* did wrong."""
        self._wrong.pop(address, None)

    def _wait_s(self, key: str, free: int) -> float:
        count, at = self._wrong.get(key, (0, 0.0))
        if count < free:
            return 0.0
        wait = min(self.longest_s, 2.0 ** min(count - free + 1, 10))
        return max(0.0, at + wait - self.clock())
