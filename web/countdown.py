"""Three, two, one, Go: every screen of a game counts down together, then the hand begins."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import gevent
from gevent.event import Event

from scorekeeper.scorebook import GameId

WAIT_S = 3.5
"""From the tap to Go: three seconds to count, and a moment for the screens to hear of it."""
SHOWN_S = 1.5
"""So long after Go a screen that comes late still hears of it."""


@dataclass(slots=True)
class Countdown:
    """The games that are counted down just now."""

    tell: Callable[[GameId], None]
    """Has the open pages of a game ask for what is new beside it."""
    wait_s: float = WAIT_S
    _go_at: dict[GameId, float] = field(default_factory=dict)
    _done: dict[GameId, Event] = field(default_factory=dict)

    def go_at(self, game_id: GameId) -> str:
        """When Go is, in milliseconds since 1970; empty for a game that nobody counts down."""
        at = self._go_at.get(game_id, 0.0)
        return str(round(at * 1000)) if time.time() < at + SHOWN_S else ""

    def run(self, game_id: GameId) -> None:
        """Comes back at Go; a second tap meanwhile waits for the first one's Go."""
        if (running := self._done.get(game_id)) is not None:
            running.wait()
            return
        self._done[game_id] = Event()
        self._go_at[game_id] = time.time() + self.wait_s
        try:
            self.tell(game_id)
            gevent.sleep(self.wait_s)
        finally:
            self._done.pop(game_id).set()
