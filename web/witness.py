"""The referee's eye: the camera keeps its last seconds while a hand is played, to be watched once play has stopped."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorekeeper.errors import ScorekeeperError

if TYPE_CHECKING:
    from scorekeeper.scorebook import GameId, Scorebook
    from scorekeeper.watch import Watch

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the camera shall do, and for which hand."""

    game: GameId
    hand: int
    """Counted from 1."""
    on: bool


class Witness:
    """Tells the camera when to keep pictures; knows whose they are. Nothing of them is ever on a disk."""

    def __init__(self, book: Scorebook, watch: Watch | None) -> None:
        self._book = book
        self._watch = watch
        self._lock = threading.Lock()
        self._applying = threading.Lock()
        self._wanted: Wanted | None = None
        self._done: Wanted | None = None

    @property
    def sees(self) -> bool:
        """Whether there is a camera at all."""
        return self._watch is not None and self._watch.camera is not None

    def hand(self, game_id: GameId) -> int | None:
        """Which hand of the game the pictures show; None where they show none of it."""
        wanted = self._wanted
        return wanted.hand if wanted is not None and wanted.game == game_id else None

    def stands(self, game_id: GameId) -> bool:
        """Whether play has stopped, so that the last seconds of the game can be watched."""
        wanted = self._wanted
        return wanted is not None and wanted.game == game_id and not wanted.on

    def follow(self, game_id: GameId, _version: int) -> None:
        """Called after every write: a hand begins to be played, stops, or goes on."""
        if not self.sees:
            return
        game = self._book.game(game_id)
        playing = game.live.phase == "playing" and not game.over
        with self._lock:
            before = self._wanted
            if playing:
                self._wanted = Wanted(game_id, len(game.hands) + 1, on=True)
            elif before is not None and before.game == game_id:
                self._wanted = Wanted(game_id, before.hand, on=False)
            changed = self._wanted != before
        if changed:
            self._tell()

    def again(self) -> None:
        """Another camera was chosen, which knows nothing yet."""
        self._done = None
        self._tell()

    def _tell(self) -> None:
        """A camera that takes its time keeps nobody waiting."""
        threading.Thread(target=self._apply, name="witness", daemon=True).start()

    def _apply(self) -> None:
        with self._applying:
            wanted, done = self._wanted, self._done
            if self._watch is None or wanted is None or wanted == done:
                return
            afresh = done is None or (wanted.game, wanted.hand) != (done.game, done.hand)
            try:
                self._watch.record(wanted.on, afresh=wanted.on and afresh)
                self._done = wanted
            except ScorekeeperError as error:
                logger.warning("the last seconds are not kept: %s", error)
