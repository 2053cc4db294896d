"""Presses of the buzzer: those in flight at the same moment are waited for, then noted in order (rules C8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import gevent
from gevent.event import Event

from scorekeeper.rules.buzzer import Moment
from scorekeeper.rules.sides import SideId
from scorekeeper.scorebook import GameId

WAIT_S = 0.25
"""How long the first press waits for others that are on their way; one that comes later still finds its place."""


@dataclass(frozen=True, slots=True)
class Press:
    """One phone's button."""

    side: SideId
    moment: Moment
    request_id: str
    who: str
    """Whose phone it is."""


@dataclass(slots=True)
class _Window:
    presses: dict[SideId, Press] = field(default_factory=dict)
    done: Event = field(default_factory=Event)
    failed: dict[SideId, Exception] = field(default_factory=dict)


@dataclass(slots=True)
class Buzzer:
    """Collects the presses of each game for a moment."""

    wait_s: float = WAIT_S
    _open: dict[GameId, _Window] = field(default_factory=dict)

    def press(self, game_id: GameId, press: Press, note: Callable[[Press], None]) -> None:
        """Comes back when *press* and those beside it are noted in order; raises what *note* raised for this one."""
        window = self._open.get(game_id)
        if window is not None:
            _keep_first(window.presses, press)
            window.done.wait()
        else:
            window = self._open[game_id] = _Window({press.side: press})
            self._lead(game_id, window, note)
        if press.side in window.failed:
            raise window.failed[press.side]

    def _lead(self, game_id: GameId, window: _Window, note: Callable[[Press], None]) -> None:
        """The first press of a window notes them all."""
        try:
            gevent.sleep(self.wait_s)
        finally:
            del self._open[game_id]
        try:
            for press in sorted(window.presses.values(), key=lambda press: press.moment.at_ms):
                try:
                    note(press)
                except Exception as error:
                    window.failed[press.side] = error
        finally:
            window.done.set()


def _keep_first(presses: dict[SideId, Press], press: Press) -> None:
    """Of two presses of one side the earlier counts."""
    known = presses.get(press.side)
    if known is None or press.moment.at_ms < known.moment.at_ms:
        presses[press.side] = press
