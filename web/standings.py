"""A game as the board shows it: places, distances, the table of hands, and every step of the judgement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorekeeper.rules import ending
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Partnership, Scoring
from scorekeeper.rules.played import Played
from scorekeeper.rules.points import format_points
from scorekeeper.rules.scoring import Adjustment, Points, Side, SideId
from scorekeeper.scorebook import GameSummary
from web.language import gettext as _
from web.language import listed, ngettext, said


@dataclass(frozen=True, slots=True)
class Standing:
    """One side's line of the board."""

    side: Side
    place: int
    """1 for the leader; level sides share a place. 0 for a side that left."""
    total: Points
    to_go: Points
    """Points still missing to the target; 0 or less when reached, or where there is no target."""
    last: Points | None
    """Points of the last hand; None before the first, and where the side did not play it."""
    calls: int
    wins: bool
    share: float
    """How far the side has come, in percent: to the target, or to the leader where there is none."""

    @property
    def gone(self) -> bool:
        """Whether the side has left the table."""
        return self.place == 0


@dataclass(frozen=True, slots=True)
class Cell:
    """One side's part of one hand."""

    points: Points
    counts: str
    """``14/2`` as counted; empty where one number was typed, or nothing was counted."""
    lake: int | None
    left: int | None
    ranks: tuple[tuple[int, int], ...]
    called: bool
    share: Points
    """Its part of the bonus."""
    adjustments: tuple[Adjustment, ...]
    """Penalties and extra points, those given during the hand too."""


@dataclass(frozen=True, slots=True)
class Line:
    """One hand of the table; cells stand in the order of the sides."""

    number: int
    cells: tuple[Cell | None, ...]
    """None where a side did not play."""
    dispute: str | None
    late: bool
    """Whether it came after the end, and the table has not said whether it counts (rules K14)."""
    left_out: bool
    """Whether the table said that it does not count."""

    @property
    def adjusted(self) -> bool:
        """Whether anybody has a penalty or extra points in it."""
        return any(cell is not None and cell.adjustments for cell in self.cells)


def standings(game: Game) -> list[Standing]:
    """Every side, best first; who left comes last."""
    return list(_standings(game))


def _standings(game: Game) -> Iterator[Standing]:
    totals, calls = game.totals, game.calls
    last = game.hand_points(len(game.hands)) if game.hands and not game.played[-1].left_out else {}
    ranking, levels = game.ranking, game.levels
    level = [levels[side.id] for side in ranking]
    goal = game.rules.target or max(1, *totals.values())
    winners = _winners(game)
    for side, rank in zip(ranking, level, strict=True):
        total = totals[side.id]
        yield Standing(
            side=side,
            place=0 if side.id in game.gone else level.index(rank) + 1,
            total=total,
            to_go=game.rules.target - total if game.rules.target else 0,
            last=last.get(side.id),
            calls=calls[side.id],
            wins=side.id in winners,
            share=round(float(max(0, min(100, total * 100 / goal))), 1),
        )


def _winners(game: Game) -> tuple[SideId, ...]:
    """The side that has won; where a person wins, nobody's side does."""
    return (game.winner,) if game.winner else ()


def lines(game: Game) -> list[Line]:
    """The table of hands, the latest first."""
    return [line(game, number) for number in range(len(game.hands), 0, -1)]


def line(game: Game, number: int) -> Line:
    """Hand *number*, counted from 1."""
    played = game.played[number - 1]
    points = played.points
    there = {side.id for side in played.sides} | set(points)
    cells = tuple(_cell(played, side.id, points.get(side.id, 0)) if side.id in there else None for side in game.sides)
    return Line(number, cells, played.dispute, number in game.late, played.left_out)


def _cell(played: Played, side: SideId, points: Points) -> Cell:
    hand = played.hand
    tally = next((tally for tally in hand.tallies if tally.side == side), None)
    lake = tally.lake if tally and played.rules.scoring is not Scoring.LEFTOVERS else None
    left = tally.nertz_left if tally and played.rules.scoring is not Scoring.FOUNDATION else None
    return Cell(
        points=points,
        counts="/".join(str(number) for number in (lake, left) if number is not None),
        lake=lake,
        left=left,
        ranks=tally.ranks if tally else (),
        called=side in hand.callers,
        share=hand.bonus_shares(played.rules).get(side, 0) if played.rules.bonus else 0,
        adjustments=tuple(each for each in (*hand.adjustments, *played.penalties) if each.side == side),
    )


def people(game: Game) -> list[tuple[str, Points]]:
    """Everybody's own points, best first, where partners rotate; nobody elsewhere (rules A5)."""
    if game.rules.partnership is not Partnership.ROTATING:
        return []
    return sorted(game.credit.items(), key=lambda each: -each[1])


def verdict(game: Game) -> str:
    """Why the game is over, or what it waits for, without the doubts about its hands."""
    if game.late:
        late = listed([str(number) for number in game.late])
        return ngettext("Does hand %(late)s count?", "Do hands %(late)s count?", len(game.late), late=late)
    return said(ending.verdict(game.standing))


def unofficial(game: Game) -> str:
    """Which hands are disputed, so that the score is not official; empty when none is (rules H7)."""
    if game.official:
        return ""
    names = listed([str(number) for number in game.disputed])
    return ngettext(
        "Unofficial: hand %(names)s is disputed",
        "Unofficial: hands %(names)s are disputed",
        len(game.disputed),
        names=names,
    )


def steps(game: Game) -> list[str]:
    """Each step of the judgement but the last, which the verdict says (rules D2-D5)."""
    if game.late:
        return [said(ending.verdict(game.standing))]
    reasons = [said(reason) for reason in game.reasons]
    return reasons if game.state == "playing" else reasons[:-1]


def handicap_words(side: Side) -> list[str]:
    """What evens out experience for *side*, short: ``from 20``, ``pile of 10``, ``+2 a hand`` (rules H6)."""
    handicap = side.handicap
    words = [_("from %(points)s", points=format_points(handicap.start))] if handicap.start else []
    words += [_("pile of %(size)s", size=handicap.pile_size)] if handicap.pile_size is not None else []
    words += [_("%(points)s a hand", points=f"{handicap.per_hand:+d}")] if handicap.per_hand else []
    return words


def news(game: Game) -> str:
    """What a screen reader says when the board changes: the last hand, then the verdict."""
    if not game.hands:
        return verdict(game)
    last = line(game, len(game.hands))
    caller = [side.name for side, cell in zip(game.sides, last.cells, strict=True) if cell and cell.called]
    if caller:
        values = {"number": last.number, "names": listed(caller), "verdict": verdict(game)}
        return _("Hand %(number)s, %(Call)s by %(names)s: %(verdict)s", **values)
    return _("Hand %(number)s: %(verdict)s", number=last.number, verdict=verdict(game))


def state_words(game: GameSummary) -> str:
    """How a game of the list stands, in a few words: ``Amy leads``, ``Amy won``."""
    leaders = [stand.name for stand in game.stands if stand.leads]
    if game.trouble:
        return _("This game can't be read")
    if game.winner:
        return _("%(name)s won", name=game.winner)
    if game.state == "tie-breaker":
        return _("Tie-breaker to play")
    if not game.hands:
        return _("Just started")
    return ngettext("%(names)s leads", "%(names)s are level", len(leaders), names=listed(leaders))


def no_hand(game: Game, number: int) -> str:
    """Why there is no hand *number*."""
    return _("there is no hand %(number)s: this game has %(all)s", number=number, all=len(game.hands))
