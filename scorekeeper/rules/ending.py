"""The end of a game: who is in front, whether that ends it, and how a tie is broken (rules D)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, assert_never

from scorekeeper.rules.house import Partnership, Rules, Scoring, TieBreaker
from scorekeeper.rules.names import name_key
from scorekeeper.rules.played import NO_MARK, NO_SCORE, Played, Score, Table, add_hand
from scorekeeper.rules.points import Points
from scorekeeper.rules.said import Names, Said, say, say_count, with_commas

State = Literal["playing", "tie-breaker", "over"]


class Contender(NamedTuple):
    """Whoever can win: a side, or a person where partners rotate."""

    key: str
    """The short name of the side, or what the spellings of the person's name share (rules K15)."""
    name: str
    points: Points
    calls: int


@dataclass(frozen=True, slots=True)
class Standing:
    """The contenders after some hands, judged anew each time (rules D5)."""

    contenders: tuple[Contender, ...]
    rules: Rules
    hands: int
    """Hands played that count."""
    late: tuple[int, ...] = ()
    """Numbers of hands that came after this end, while the table has not said whether they count (rules K14)."""
    ended_after: int = 0
    """The hand that had ended the game before these."""
    partners: bool = False
    """Whether the sides at the table can't part those in front: they are partners, or sit out (rules K8, K15)."""

    @property
    def best(self) -> Points:
        """The most points anybody has."""
        return max(each.points for each in self.contenders)

    @property
    def ahead(self) -> tuple[Contender, ...]:
        """Those with most points."""
        best = self.best
        return tuple(each for each in self.contenders if each.points == best)

    @property
    def leaders(self) -> tuple[Contender, ...]:
        """Those in front by points, then by calls where these break ties (rules D3, D4)."""
        if not self.rules.calls_break_ties:
            return self.ahead
        most = max(each.calls for each in self.ahead)
        return tuple(each for each in self.ahead if each.calls == most)

    @property
    def reached(self) -> bool:
        """Whether somebody has the target or more (rules D2, K2b)."""
        return self.hands > 0 and 0 < self.rules.target <= self.best

    @property
    def played_out(self) -> bool:
        """Whether the agreed number of hands is played (rules D6)."""
        return 0 < self.rules.rounds <= self.hands

    @property
    def state(self) -> State:
        """Judged at the end of a hand only (rules D3)."""
        if not (self.reached or self.played_out):
            return "playing"
        return "over" if len(self.leaders) == 1 else "tie-breaker"

    @property
    def winner(self) -> Contender | None:
        """Who has won; None while nobody has, or hands came after the end, or a game of one ended without success."""
        if self.state != "over" or self._failed or self.late:
            return None
        return self.leaders[0]

    @property
    def _failed(self) -> bool:
        """A game of one is won by its target only (rules J5)."""
        return self.rules.scoring is Scoring.FOUNDATION and len(self.contenders) == 1 and not self.reached


def contenders(rules: Rules, score: Score, table: Table) -> tuple[Contender, ...]:
    """Who can win, with what they have: the sides, or the people where partners rotate (rules A5, K15).

    Who left the table can't win; a person who sits out a hand, or sits at another side now, can.
    """
    if rules.partnership is Partnership.ROTATING:
        starts, names = table.everybody.starts, table.everybody.names
        there = (who for who in playing_people(score, table) if who not in table.everybody.away)
        people = ((who, score.people.get(who, NO_MARK)) for who in there)
        return tuple(Contender(who, names[who], mark.points + starts[who], mark.calls) for who, mark in people)
    sides = ((side, score.sides.get(side.id, NO_MARK)) for side in table.sides)
    return tuple(Contender(side.id, side.name, mark.points + side.handicap.start, mark.calls) for side, mark in sides)


def playing_people(score: Score, table: Table) -> tuple[str, ...]:
    """Who played a hand or belongs to a side; a name that was typed and taken back before a hand is nobody."""
    seated = {name_key(who) for side in table.sides for who in side.people}
    return tuple(who for who in table.everybody.names if who in seated or who in score.people)


class Judged(NamedTuple):
    """The hands of a game with what they add up to."""

    played: tuple[Played, ...]
    scores: tuple[Score, ...]
    ended_after: int
    """The hand that had ended the game though others were played after it; 0 where none had (rules K14)."""


def judge(hands: Sequence[Played], agreed: int) -> Judged:
    """Every hand by its own rules; about the first *agreed* ones the table has decided (rules K14).

    A later one that was left out counts again where the game was not over before it any more.
    """
    played: list[Played] = []
    scores: list[Score] = []
    ended = 0
    for number, hand in enumerate(hands):
        after = ended or number
        open_still = number >= max(agreed, 1)
        over = open_still and _ended(hand.rules, scores[after - 1], hands[after].table)
        ended = after if over else 0
        played.append(replace(hand, left_out=over) if hand.left_out and open_still else hand)
        scores.append(add_hand(scores[-1] if scores else NO_SCORE, played[-1]))
    return Judged(tuple(played), tuple(scores), ended)


def _ended(rules: Rules, score: Score, table: Table) -> bool:
    return bool(table.sides) and Standing(contenders(rules, score, table), rules, score.hands).state == "over"


def verdict(standing: Standing) -> str:
    """Why the game is over, or what it waits for, in one sentence."""
    match standing.state:
        case "playing":
            return _playing(standing)
        case "tie-breaker":
            return _tied(standing)
        case "over":
            return _over(standing)
        case state:
            assert_never(state)


def reasons(standing: Standing) -> tuple[str, ...]:
    """Each step of the judgement, for the board: the end, most points, then calls, then what follows (rules D2-D5)."""
    steps: list[str] = [_why_now(standing)]
    if standing.state == "playing":
        return tuple(steps)
    steps.append(_most(standing))
    if len(standing.ahead) > 1 and standing.rules.calls_break_ties:
        calls = with_commas([say("%(name)s %(calls)s", name=each.name, calls=each.calls) for each in standing.ahead])
        steps.append(say("Then the most %(Call)s calls: %(calls)s", calls=calls))
    steps.append(verdict(standing))
    return tuple(steps)


def _most(standing: Standing) -> Said:
    ahead, best = _names(standing.ahead), standing.best
    each_has = say_count("%(points)s", "%(points)s each", len(ahead), points=best)
    if standing.rules.scoring is Scoring.HANDS:
        return say("Most hands won: %(names)s with %(points)s", names=ahead, points=each_has)
    return say("Most points: %(names)s with %(points)s", names=ahead, points=each_has)


def _why_now(standing: Standing) -> Said:
    rules = standing.rules
    target, hands = _amount(rules.target, rules), _hands(rules.rounds)
    if standing.reached:
        there = _names([each for each in standing.contenders if each.points >= rules.target])
        if standing.state == "tie-breaker":
            return say_count(
                "%(names)s has %(target)s or more",
                "%(names)s have %(target)s or more",
                len(there),
                names=there,
                target=target,
            )
        return say_count(
            "%(names)s has %(target)s or more, and that ends the game",
            "%(names)s have %(target)s or more, and that ends the game",
            len(there),
            names=there,
            target=target,
        )
    if standing.played_out:
        if standing.state == "tie-breaker":
            return say_count("%(num)s hand is played", "%(num)s hands are played", rules.rounds)
        return say_count(
            "%(num)s hand is played, and that ends the game",
            "%(num)s hands are played, and that ends the game",
            rules.rounds,
        )
    if rules.target and rules.rounds:
        return say(
            "The game ends at %(target)s or more or after %(hands)s, whatever comes first", target=target, hands=hands
        )
    if rules.target:
        return say("The game ends at %(target)s or more", target=target)
    return say("The game ends after %(hands)s", hands=hands)


def _names(contenders: Sequence[Contender]) -> Names:
    return Names(each.name for each in contenders)


def _hands(number: int) -> Said:
    return say_count("%(num)s hand", "%(num)s hands", number)


def _amount(points: Points, rules: Rules) -> Said:
    if rules.scoring is Scoring.HANDS:
        return say_count("%(points)s hand won", "%(points)s hands won", 1 if points == 1 else 2, points=points)
    return say("%(points)s points", points=points)


def _playing(standing: Standing) -> Said:
    rules, best = standing.rules, standing.best
    if not standing.hands:
        return _first_hand(rules)
    ahead = _names(standing.ahead)
    if not rules.target:
        amount: object = _amount(best, rules)
    elif rules.scoring is Scoring.HANDS:
        amount = say("%(points)s of %(target)s hands won", points=best, target=rules.target)
    else:
        amount = say("%(points)s of %(target)s points", points=best, target=rules.target)
    lead = say_count(
        "%(names)s leads with %(amount)s", "%(names)s lead with %(amount)s", len(ahead), names=ahead, amount=amount
    )
    if not rules.rounds:
        return lead
    return say("%(lead)s after hand %(hand)s of %(rounds)s", lead=lead, hand=standing.hands, rounds=rules.rounds)


def _first_hand(rules: Rules) -> Said:
    target, hands = rules.target, _hands(rules.rounds)
    if target and rules.rounds:
        return say("The first hand is being played, to %(target)s, %(hands)s in all", target=target, hands=hands)
    if target:
        return say("The first hand is being played, to %(target)s", target=target)
    return say("The first hand is being played, %(hands)s in all", hands=hands)


def _tied(standing: Standing) -> Said:
    leader, rules = standing.leaders[0], standing.rules
    names, points = _names(standing.leaders), _amount(leader.points, rules)
    tie = say("%(names)s are tied at %(points)s", names=names, points=points)
    if rules.calls_break_ties:
        tie = say("%(tie)s with %(calls)s each", tie=tie, calls=_times(leader.calls))
    if standing.partners:
        return say(
            "%(tie)s: change partners first, so that they play against each other, then play a tie-breaker hand",
            tie=tie,
        )
    if rules.tie_breaker is TieBreaker.TIED:
        return say("%(tie)s: play a tie-breaker hand, only they", tie=tie)
    return say("%(tie)s: play a tie-breaker hand", tie=tie)


def _late(standing: Standing) -> Said:
    """The game had ended, and hands were played all the same (rules K14)."""
    return say_count(
        "%(names)s had %(points)s after hand %(end)s, and that ended the game. Hand %(late)s came after the end: "
        "decide whether it counts",
        "%(names)s had %(points)s after hand %(end)s, and that ended the game. Hands %(late)s came after the end: "
        "decide whether they count",
        len(standing.late),
        names=_names(standing.leaders),
        points=_amount(standing.best, standing.rules),
        end=standing.ended_after,
        late=Names(str(number) for number in standing.late),
    )


def _over(standing: Standing) -> Said:
    if standing.late:
        return _late(standing)
    winner, rules = standing.winner, standing.rules
    if winner is None:
        leader, best = standing.leaders[0].name, standing.best
        return say("%(name)s ends with %(points)s of %(target)s points", name=leader, points=best, target=rules.target)
    points, tied = _amount(standing.best, rules), [each for each in standing.ahead if each is not winner]
    if not tied:
        return say("%(name)s wins with %(points)s", name=winner.name, points=points)
    return say(
        "%(name)s wins: level with %(even)s at %(points)s, but %(calls)s to %(most)s",
        name=winner.name,
        points=points,
        even=_names(tied),
        calls=_times(winner.calls),
        most=max(each.calls for each in tied),
    )


def _times(calls: int) -> Said:
    return say_count("%(num)s %(Call)s call", "%(num)s %(Call)s calls", calls)
