"""What may happen while a game is played, tied or won: one row for each kind of event (rules K14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from scorekeeper.errors import RulesError
from scorekeeper.rules import events
from scorekeeper.rules.events import Event, HandBegun, HandRecorded, LateHandsSettled, RulesChanged
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import TieBreaker
from scorekeeper.rules.said import Names, Said, say, say_count


class May(StrEnum):
    """Whether a kind of event may happen."""

    YES = "yes"
    """It changes nothing about the end, or it is the hand that may end the game."""
    SAID = "said first"
    """Where it moves the end, the page first says what becomes of the standings."""
    NO = "no"


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of event, by the state of the game."""

    playing: May
    tied: May
    won: May

    def at(self, game: Game) -> May:
        """What holds in *game* as it stands."""
        return {"playing": self.playing, "tie-breaker": self.tied, "over": self.won}[game.state]


ALWAYS = Row(May.YES, May.YES, May.YES)
SAID_FIRST = Row(May.SAID, May.SAID, May.SAID)
UNTIL_WON = Row(May.YES, May.YES, May.NO)
SAID_UNTIL_WON = Row(May.SAID, May.SAID, May.NO)

PERMITTED: Mapping[type[Event], Row] = MappingProxyType({
    events.GameStarted: Row(May.NO, May.NO, May.NO),
    HandRecorded: UNTIL_WON,
    events.HandCorrected: SAID_FIRST,
    events.LastHandUndone: SAID_FIRST,
    LateHandsSettled: Row(May.NO, May.NO, May.SAID),
    events.HandDisputed: ALWAYS,
    events.DisputeSettled: ALWAYS,
    RulesChanged: SAID_FIRST,
    events.RulesConfirmed: ALWAYS,
    events.SideJoined: Row(May.YES, May.SAID, May.NO),
    events.SideLeft: Row(May.YES, May.SAID, May.NO),
    events.SideReturned: SAID_UNTIL_WON,
    events.SideRenamed: ALWAYS,
    events.SideRestyled: ALWAYS,
    events.SeatsChanged: ALWAYS,
    events.HandicapSet: SAID_UNTIL_WON,
    events.PartnersChanged: SAID_UNTIL_WON,
    events.DeckEnrolled: ALWAYS,
    events.ReadySaid: UNTIL_WON,
    HandBegun: UNTIL_WON,
    events.TimeOutCalled: UNTIL_WON,
    events.TimeOutEnded: UNTIL_WON,
    events.NertzCalled: UNTIL_WON,
    events.CallVerified: UNTIL_WON,
    events.CallRefused: UNTIL_WON,
    events.PenaltyGiven: UNTIL_WON,
    events.PenaltyRemoved: UNTIL_WON,
    events.StuckMoved: UNTIL_WON,
})  # fmt: skip
"""Every kind of event; docs/end-of-game.md shows the same table to people."""


def refuse(game: Game, event: Event) -> None:
    """Raises RulesError where *event* may not happen in *game*, with what to do instead."""
    nothing_late = isinstance(event, LateHandsSettled) and not game.late
    if nothing_late or PERMITTED[type(event)].at(game) is May.NO:
        raise RulesError(_why_not(game, event))
    if isinstance(event, RulesChanged):
        _refuse_other_scoring(game, event)
    if isinstance(event, HandRecorded | HandBegun):
        _refuse_partners_alone(game)


def nothing_late() -> Said:
    """Why nothing is decided."""
    return say("no hand came after the end of this game, so there is nothing to decide")


def _why_not(game: Game, event: Event) -> str:
    match event:
        case events.GameStarted():
            return say("this game has begun already: start another one")
        case LateHandsSettled():
            return nothing_late()
        case _ if game.late:
            return game.verdict
        case HandRecorded():
            what = say("undo or correct a hand, or start another game")
        case events.SideJoined() | events.SideLeft() | events.SideReturned() | events.PartnersChanged():
            what = say("nobody joins, leaves or changes sides any more; in a rematch they can")
        case events.HandicapSet():
            what = say("a handicap can't change it any more; give one in the rematch")
        case _:
            what = say("undo or correct a hand, or start another game")
    return say("the game is over (%(verdict)s): %(what)s", verdict=game.verdict, what=what)


def _refuse_other_scoring(game: Game, event: RulesChanged) -> None:
    """Points can't become hands won, nor the other way round: each hand was counted in one of them (rules K19)."""
    others = [played for played in game.played if played.rules.scoring is not event.rules.scoring]
    if others and event.rules.scoring is not game.rules.scoring:
        raise RulesError(
            say_count(
                "the hand played so far was scored in another way: keep this scoring, undo the hand, or start another "
                "game",
                "the %(num)s hands played so far were scored in another way: keep this scoring, undo the hands, or "
                "start another game",
                len(game.played),
            )
        )


def _refuse_partners_alone(game: Game) -> None:
    """A tie-breaker of the tied takes two sides (rules K8)."""
    if game.rules.tie_breaker is TieBreaker.TIED and game.standing.partners:
        raise RulesError(_partners(game))


def _partners(game: Game) -> Said:
    names = Names(each.name for each in game.standing.leaders)
    return say(
        "%(names)s are tied, but not on two sides: change partners first, then play the tie-breaker", names=names
    )
