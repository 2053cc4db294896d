"""What typed scores can be: range, parity and sum, by the values of the house rules (rules C17, M8-M10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd

from scorekeeper.rules.checks_counts import Table
from scorekeeper.rules.house import Rules, Scoring
from scorekeeper.rules.lake import Evidence
from scorekeeper.rules.points import Points
from scorekeeper.rules.problems import Problem, cards, doubt
from scorekeeper.rules.said import say
from scorekeeper.rules.scoring import Hand, Typed
from scorekeeper.rules.sides import Side


def check_typed(hand: Hand, rules: Rules, sides: Sequence[Side], seen: Evidence) -> Iterator[Problem]:
    """Every problem of typed scores; nothing where ranks are worth extra or other games are played."""
    if not hand.typed or rules.scoring is not Scoring.POINTS or rules.rank_extras:
        return
    table = Table(sides, rules)
    possible = True
    for typed in hand.typed:
        for problem in _check_one(typed, hand, table, seen):
            possible = False
            yield problem
    if possible and seen.total is not None and rules.lake_checks and len(hand.counted) == len(sides):
        yield from _check_sum(hand, table, seen.total)


def _bare(typed: Typed, hand: Hand, rules: Rules) -> Points:
    """The score without the bonus: what cards alone make."""
    return typed.score - hand.bonus_shares(rules).get(typed.side, 0)


def _check_one(typed: Typed, hand: Hand, table: Table, seen: Evidence) -> Iterator[Problem]:
    rules, name, bare = table.rules, table.name(typed.side), _bare(typed, hand, table.rules)
    most_left = 0 if typed.side in hand.callers else table.most_left(typed.side)
    low, high = -rules.nertz_penalty * most_left, rules.lake_value * rules.deck_size
    step = gcd(rules.lake_value, rules.nertz_penalty)
    score = say("%(points)s without the bonus", points=bare) if bare != typed.score else say("%(points)s", points=bare)
    if not low <= bare <= high:
        text = say(
            "%(name)s can't score %(score)s: cards make %(low)s to %(high)s, so correct it, "
            "and enter penalties beside it",
            name=name,
            score=score,
            low=low,
            high=high,
        )
        yield Problem("M8", text, typed.side, entry="score")
    elif bare % step:
        text = say(
            "%(name)s can't score %(score)s: by these rules cards make multiples of %(step)s",
            name=name,
            score=score,
            step=step,
        )
        yield Problem("M9", text, typed.side, entry="score")
    else:
        yield from _check_backs(typed, bare, most_left, table, seen)


def _check_backs(typed: Typed, bare: Points, most_left: int, table: Table, seen: Evidence) -> Iterator[Problem]:
    """With the cards of its deck in the Lake known, a score leaves a whole number of Nertz cards (rules M9)."""
    side, rules = table.find(typed.side), table.rules
    if side is None or side.deck is None or seen.spread is None or seen.spread.unknown:
        return
    if (lake := seen.spread.counts.get(side.deck)) is None:
        return
    off = rules.lake_value * lake - bare
    fits = 0 <= off <= rules.nertz_penalty * most_left and (off % rules.nertz_penalty == 0 if off else True)
    if not fits:
        text = say(
            "%(name)s has %(cards)s in the %(Lake)s, and no number of cards left makes %(score)s of it: "
            "add up again, or record anyway",
            name=side.name,
            cards=cards(lake),
            score=bare,
        )
        yield doubt("M9", text, typed.side)


def _check_sum(hand: Hand, table: Table, total: int) -> Iterator[Problem]:
    """All scores together fit the Lake as it lies (rules M9, M10)."""
    rules, points, shares = table.rules, hand.points(table.rules), hand.bonus_shares(table.rules)
    for each in hand.adjustments:
        points[each.side] -= each.points
    score = sum(points[side] - shares.get(side, 0) for side in hand.counted)
    typed_left = sum(table.most_left(typed.side) for typed in hand.typed if typed.side not in hand.callers)
    high = rules.lake_value * total - rules.nertz_penalty * sum(tally.nertz_left for tally in hand.tallies)
    low = high - rules.nertz_penalty * typed_left
    where = say(
        "The %(Lake)s holds %(cards)s, and all scores without bonus make %(score)s", cards=cards(total), score=score
    )
    if not low <= score <= high:
        text = say(
            "%(where)s, but they must make %(low)s to %(high)s: add up again, or record anyway",
            where=where,
            low=low,
            high=high,
        )
        yield doubt("M10", text)
    elif rules.nertz_penalty and (high - score) % rules.nertz_penalty:
        text = say(
            "%(where)s, but they must be %(high)s less a multiple of %(step)s: one is wrong; "
            "check again, or record anyway",
            where=where,
            high=high,
            step=rules.nertz_penalty,
        )
        yield doubt("M9", text)
