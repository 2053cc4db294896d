"""A game as it stands: who plays by which rules, every hand, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from scorekeeper.errors import RulesError
from scorekeeper.rules.ending import Contender, Standing, State, contenders, playing_people, reasons, verdict
from scorekeeper.rules.everybody import Everybody
from scorekeeper.rules.house import Partnership, Rules, TieBreaker
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.live import Live
from scorekeeper.rules.names import name_key
from scorekeeper.rules.played import NO_MARK, NO_SCORE, Played, Score, Table
from scorekeeper.rules.points import Points
from scorekeeper.rules.said import Names, Said, say, say_count
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.sides import Side, SideId


@dataclass(frozen=True, slots=True)
class Game:
    """The game as it stands; totals and the end follow from its hands alone."""

    sides: tuple[Side, ...]
    """Everybody who ever sat down; who left keeps the row."""
    rules: Rules
    """House rules of the next hand; each played hand keeps its own."""
    played: tuple[Played, ...] = ()
    signatures: Mapping[DeckId, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Enrolled decks, by the name of their back."""
    gone: frozenset[SideId] = frozenset()
    """Sides that left (rules L)."""
    everybody: Everybody = Everybody()
    """The people who ever sat down (rules K15)."""
    agreed: frozenset[SideId] = frozenset()
    """Sides that said yes to the house rules as they stand (rules A11)."""
    live: Live = Live()
    """The hand in play."""
    scores: tuple[Score, ...] = ()
    """Running sums beside the hands, so that nothing is added twice."""
    agreed_hands: int = 0
    """So many hands count whatever had ended the game before them, as the table said (rules K14)."""
    ended_after: int = 0
    """The hand that had ended the game before the last ones were played; 0 where the last one may end it."""

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The counts of every hand, in order."""
        return tuple(played.hand for played in self.played)

    @property
    def next_absent(self) -> tuple[Side, ...]:
        """Who has a penalty from the hand in play but does not play it to its end."""
        here, penalised = {side.id for side in self.next_sides}, {each.side for each in self.live.penalties}
        return tuple(side for side in self.sides if side.id in penalised and side.id not in here)

    @property
    def playing(self) -> tuple[Side, ...]:
        """The sides at the table now."""
        return tuple(side for side in self.sides if side.id not in self.gone)

    @property
    def next_sides(self) -> tuple[Side, ...]:
        """The sides that play the next hand: all, or in a tie-breaker of the tied only these (rules K8)."""
        if self.rules.tie_breaker is not TieBreaker.TIED or self.state != "tie-breaker":
            return self.playing
        return tuple(side for side in self.playing if side.id in self.leaders)

    @property
    def totals(self) -> dict[SideId, Points]:
        """Points of each side over all hands, in the order of the sides (rules C18)."""
        return self.totals_after(len(self.played))

    def totals_after(self, number: int) -> dict[SideId, Points]:
        """Points of each side after the first *number* hands, starting scores included."""
        score = self.scores[number - 1] if number else NO_SCORE
        return {side.id: score.sides.get(side.id, NO_MARK).points + side.handicap.start for side in self.sides}

    def hand_points(self, number: int) -> dict[SideId, Points]:
        """Points of each side that played hand *number*, counted from 1, by the rules of that hand."""
        return self.played[number - 1].points

    @property
    def calls(self) -> dict[SideId, int]:
        """How often each side called Nertz (rules G4)."""
        return {side.id: self.score.sides.get(side.id, NO_MARK).calls for side in self.sides}

    @property
    def credit(self) -> dict[str, Points]:
        """Points of each person by name: the starting score and every hand they played (rules A5, K15, L)."""
        marks, people = self.score.people, self.everybody
        known = playing_people(self.score, Table(self.sides, people))
        return {people.names[who]: marks.get(who, NO_MARK).points + people.starts[who] for who in known}

    @property
    def table(self) -> Table:
        """Who can win now."""
        return Table(self.playing, self.everybody)

    @property
    def contenders(self) -> tuple[Contender, ...]:
        """Everybody who can win, with the points of all hands."""
        return contenders(self.rules, self.score, self.table)

    @property
    def late(self) -> tuple[int, ...]:
        """Numbers of hands that came after the end, while the table has not said whether they count (rules K14)."""
        later = range(self.ended_after + 1, len(self.played) + 1) if self.ended_after else ()
        return tuple(number for number in later if not self.played[number - 1].left_out)

    @property
    def standing(self) -> Standing:
        """The contenders as they stand, or as they stood at the end where later hands are in doubt (rules A5, K14)."""
        end = self.ended_after
        if end:
            rules = self.played[end].rules if self.late else self.rules
            there = contenders(rules, self.scores[end - 1], self._table_at(end))
            standing = Standing(there, rules, self.scores[end - 1].hands, self.late, end)
            if standing.state == "over":
                return standing
        standing = Standing(self.contenders, self.rules, self.score.hands)
        alone = standing.state == "tie-breaker" and len(self._sides_of(standing)) < 2
        return replace(standing, partners=True) if alone else standing

    def _table_at(self, end: int) -> Table:
        """Who could win when hand *end* had ended the game; as they are today, once later hands are decided about."""
        then = self.played[end].table
        if self.late:
            return then
        sides = tuple(self.side(side.id) for side in then.sides)
        return Table(sides, replace(self.everybody, away=then.everybody.away))

    @property
    def leaders(self) -> tuple[SideId, ...]:
        """The sides in front by points, then by calls; everybody before the first hand (rules D3, D4)."""
        return self._sides_of(self.standing)

    @property
    def ranking(self) -> tuple[Side, ...]:
        """The sides from most points to least, ties by calls, then in the order of the sides; who left comes last."""
        levels = self.levels
        return tuple(sorted(self.sides, key=lambda side: (side.id in self.gone, levels[side.id])))

    @property
    def levels(self) -> dict[SideId, tuple[Points, int]]:
        """The least for who is in front, the same for who is level: by points, then by calls if these break ties."""
        totals, calls = self.totals, self.calls if self.rules.calls_break_ties else {}
        return {side.id: (-totals[side.id], -calls.get(side.id, 0)) for side in self.sides}

    @property
    def state(self) -> State:
        """Judged anew after every hand: playing, waiting for a tie-breaker hand, or over (rules D2, D3, D5)."""
        return self.standing.state

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state == "over"

    @property
    def winner(self) -> SideId | None:
        """The side that has won; None while playing, tied, or where a person wins instead of a side."""
        winner = self.standing.winner
        if winner is None or self.rules.partnership is Partnership.ROTATING:
            return None
        return SideId(winner.key)

    @property
    def winner_name(self) -> str | None:
        """Who has won, a side or a person; None while nobody has."""
        winner = self.standing.winner
        return winner.name if winner else None

    @property
    def disputed(self) -> tuple[int, ...]:
        """Numbers of the hands somebody doubts (rules H7)."""
        return tuple(number for number, played in enumerate(self.played, 1) if played.dispute is not None)

    @property
    def official(self) -> bool:
        """Whether the score stands: no hand is disputed."""
        return not self.disputed

    @property
    def verdict(self) -> str:
        """Why the game is over, or what it waits for, in one sentence."""
        text = verdict(self.standing)
        return text if self.official else say("%(verdict)s (unofficial: %(hands)s)", verdict=text, hands=self._doubted)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Each step of the judgement in words: what ends the game, most points, then calls (rules D2-D5)."""
        return reasons(self.standing)

    @property
    def _doubted(self) -> Said:
        names = Names(str(number) for number in self.disputed)
        return say_count("hand %(names)s is disputed", "hands %(names)s are disputed", len(names), names=names)

    def side(self, side_id: SideId) -> Side:
        """The side called *side_id*; raises RulesError when nobody is."""
        for side in self.sides:
            if side.id == side_id:
                return side
        raise RulesError(f"{side_id!r} does not play in this game: use one of {', '.join(s.id for s in self.sides)}")

    def _sides_of(self, standing: Standing) -> tuple[SideId, ...]:
        """The sides at the table that are in front, or that the people in front play for."""
        ahead = {contender.key for contender in standing.leaders}
        if self.rules.partnership is Partnership.ROTATING:
            return tuple(side.id for side in self.playing if ahead & {name_key(who) for who in side.people})
        return tuple(side.id for side in self.playing if side.id in ahead)

    @property
    def score(self) -> Score:
        """What all hands add up to, starting scores left out."""
        return self.scores[-1] if self.scores else NO_SCORE
