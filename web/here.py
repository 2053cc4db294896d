"""What a request may reach: the scorebook, the eye, the settings and the live boards of this application."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from flask import current_app

from scorekeeper.errors import NotFoundError
from web.language import gettext as _

if TYPE_CHECKING:
    from scorekeeper.caretaker import Caretaker
    from scorekeeper.config import Settings
    from scorekeeper.scorebook import GameId, Scorebook
    from scorekeeper.watch import Watch
    from web.address import ChosenAddress
    from web.buzzer import Buzzer
    from web.countdown import Countdown
    from web.lens import Lens
    from web.live import Live
    from web.pictures import Pictures
    from web.players import Players
    from web.sessions import Sessions
    from web.slowdown import Slowdown
    from web.tables import Tables
    from web.told import Count
    from web.witness import Witness

EXTENSION = "scorekeeper"
FAILED = "scorekeeper.store_failed"
"""Marks a request whose database failed, so that the page that says so asks it for nothing more."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that ``create_app`` was given or made, kept once per application."""

    book: Scorebook
    watch: Watch | None
    """None on a table without an eye: every number is typed."""
    settings: Settings
    address: ChosenAddress
    lens: Lens
    """Which camera was chosen."""
    live: Live
    pictures: Pictures
    sessions: Sessions
    """Who is signed in."""
    pins: Slowdown
    """Wrong PINs."""
    codes: Slowdown
    """Wrong player codes."""
    players: Players
    """Who plays with a phone of their own."""
    countdown: Countdown
    """The games that are counted down to Go."""
    tables: Tables
    """Which games are played at one table, one after the other."""
    buzzer: Buzzer
    caretaker: Caretaker
    """Keeps copies of the games."""
    told_count: Count
    told: Live
    """Tells the scorekeeper's pages what players typed."""
    witness: Witness
    """Has the camera keep the last seconds of a hand."""


def parts() -> Parts:
    return cast(Parts, current_app.extensions[EXTENSION])


def book() -> Scorebook:
    return parts().book


def watch() -> Watch | None:
    return parts().watch


def witness() -> Witness:
    return parts().witness


def settings() -> Settings:
    return parts().settings


def pictures() -> Pictures:
    return parts().pictures


def live() -> Live:
    return parts().live


def game_version(game_id: GameId) -> int:
    """Number of events of the game; raises NotFoundError for a game that does not exist."""
    version = book().version(game_id)
    if version == 0:
        raise NotFoundError(_("there is no game %(game)r: look at the list of games", game=game_id))
    return version
