"""What was made last, kept in memory so that it need not be made again, and never more than so much of it."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """The values put last, by key; the one put longest ago goes first. Threads may share it."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._kept: dict[K, V] = {}
        self._putting = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: K) -> V | None:
        """The value of *key*; None where it is not kept."""
        return self._kept.get(key)

    def put(self, key: K, value: V) -> None:
        """Keeps *value*."""
        with self._putting:
            self._kept.pop(key, None)
            self._kept[key] = value
            while len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
