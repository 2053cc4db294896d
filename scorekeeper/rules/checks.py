"""The referee: lists every problem with a hand instead of stopping at the first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scorekeeper.rules.lake import LakeReading, SpreadReading
from scorekeeper.rules.scoring import Adjustment, Hand, Rules, Side, SideId, Tally, format_points, is_text

MAX_REASON = 200
"""Longest reason in characters."""
MAX_ADJUSTMENT = 100_000
"""Most points one adjustment adds or takes."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a hand."""

    kind: str
    """A row of the rules sheet such as "M7", or "sides", "range", "lake", "spread", "adjustment"."""
    text: str
    """One sentence: what is wrong and what to do."""
    where: SideId | None = None
    """The side it is about; None for the whole table."""
    blocking: bool = True
    """Whether the hand can't be recorded; else a person may confirm it knowingly."""


def check_hand(
    hand: Hand,
    rules: Rules,
    sides: Sequence[Side],
    *,
    lake: LakeReading | int | None = None,
    spread: SpreadReading | None = None,
) -> list[Problem]:
    """Every problem of *hand*, blocking ones first; *lake* is the reading of the Lake as it lies, or T as typed."""
    names = {side.id: side.name for side in sides}
    problems = [
        *_check_sides(hand, names),
        *(problem for tally in hand.tallies for problem in _check_tally(tally, rules, _name(names, tally.side))),
        *_check_callers(hand, names),
        *_check_adjustments(hand, names),
        *_check_bonus(hand, rules, names),
        *_check_range(hand, rules, names),
        *_check_lake(hand, rules, lake, len(sides)),
        *_check_spread(hand, sides, spread),
    ]
    return sorted(problems, key=lambda problem: not problem.blocking)


def check_sides(sides: Sequence[Side]) -> list[Problem]:
    """Every reason why these *sides* can't play one game together (rules A2, A6, K1)."""
    problems = []
    if len(sides) < 2:
        problems.append(Problem("sides", "A game needs two or more sides: add one"))
    for what, values in (
        ("short name", [side.id for side in sides]),
        ("name", [side.name.casefold() for side in sides]),
        ("deck", [side.deck for side in sides if side.deck is not None]),
    ):
        for value in _repeated(values):
            problems.append(Problem("sides", f"Two sides have the {what} {value!r}: give each its own"))
    return problems


def _repeated(values: Iterable[str]) -> list[str]:
    return [value for value, times in Counter(values).items() if times > 1]


def _name(names: dict[SideId, str], side: SideId) -> str:
    return names.get(side, side)


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _check_sides(hand: Hand, names: dict[SideId, str]) -> Iterator[Problem]:
    counted = [tally.side for tally in hand.tallies]
    for side in names:
        if side not in counted:
            text = f"{names[side]} has no counts: enter its cards in the Lake and the cards left in its Nertz pile"
            yield Problem("sides", text, side)
    for repeated in _repeated(counted):
        side = SideId(repeated)
        yield Problem("sides", f"{_name(names, side)} is counted twice: keep one of the two counts", side)
    for stranger in dict.fromkeys([*counted, *hand.callers, *(each.side for each in hand.adjustments)]):
        if stranger not in names:
            text = f"{stranger} does not play in this game: take it out, or use one of {', '.join(names)}"
            yield Problem("sides", text, stranger)


def _check_tally(tally: Tally, rules: Rules, name: str) -> Iterator[Problem]:
    """Plain ranges, then the conservation of a deck (rules B1, M7)."""
    lake, left, deck = tally.lake, tally.nertz_left, rules.deck_size
    if not 0 <= lake <= deck:
        text = f"{name} can't have {_cards(lake)} in the Lake: enter 0 to {deck}, the size of a deck"
        yield Problem("range", text, tally.side)
    if not 0 <= left <= rules.pile_size:
        text = f"{name} can't have {_cards(left)} left: enter 0 to {rules.pile_size}, the size of a Nertz pile"
        yield Problem("range", text, tally.side)
    if 0 <= lake <= deck and 0 <= left <= rules.pile_size and lake + left > deck:
        text = (
            f"{name} has {lake} in the Lake and {left} left, {_cards(lake + left)} of a deck of {deck}: "
            "count both again"
        )
        yield Problem("M7", text, tally.side)


def _check_callers(hand: Hand, names: dict[SideId, str]) -> Iterator[Problem]:
    """A caller has no card left (rules C12, M11)."""
    for tally in hand.tallies:
        if tally.side in hand.callers and tally.nertz_left != 0:
            text = (
                f"{_name(names, tally.side)} called Nertz with {_cards(tally.nertz_left)} left: "
                "a caller has none, so correct the caller or what is left"
            )
            yield Problem("M11", text, tally.side)


def _check_adjustments(hand: Hand, names: dict[SideId, str]) -> Iterator[Problem]:
    for each in hand.adjustments:
        name = _name(names, each.side)
        if not is_text(each.reason, MAX_REASON):
            text = f"The {each.points:+d} of {name} needs a reason of 1 to {MAX_REASON} letters: say why, in one line"
            yield Problem("adjustment", text, each.side)
        if not 0 < abs(each.points) <= MAX_ADJUSTMENT:
            text = f"An adjustment of {each.points:+d} for {name} can't be: enter points to add or take, or drop it"
            yield Problem("adjustment", text, each.side)


def _check_bonus(hand: Hand, rules: Rules, names: dict[SideId, str]) -> Iterator[Problem]:
    """The bonus is paid once, by the engine, and only for a call (rules M12)."""
    shares = hand.bonus_shares(rules)
    for each in hand.adjustments:
        if rules.bonus and each.points in (rules.bonus, shares.get(each.side)):
            text = (
                f"{_bonus_text(each, shares.get(each.side), names)}: drop the adjustment, or confirm that it is right"
            )
            yield Problem("M12", text, each.side, blocking=False)


def _bonus_text(each: Adjustment, share: object, names: dict[SideId, str]) -> str:
    name = _name(names, each.side)
    if share is not None:
        return f"{name} gets the bonus for the call by itself, and {each.points:+d} by hand as well"
    return f"{name} did not call Nertz but gets {each.points:+d} by hand, as much as the bonus"


def _check_range(hand: Hand, rules: Rules, names: dict[SideId, str]) -> Iterator[Problem]:
    """Without the bonus, what a side can score at all (rules M8, by the values of these rules)."""
    shares, points = hand.bonus_shares(rules), hand.points(rules)
    adjusted = {each.side for each in hand.adjustments}
    for tally in hand.tallies:
        low = -rules.nertz_penalty * rules.pile_size
        high = rules.lake_value * (rules.deck_size - tally.nertz_left) - rules.nertz_penalty * tally.nertz_left
        score = points[tally.side] - shares.get(tally.side, 0)
        if tally.side in adjusted and not low <= score <= high:
            text = (
                f"{_name(names, tally.side)} would score {format_points(score)}, but cards alone make {low} to {high}: "
                "check the adjustment, or confirm that it is right"
            )
            yield Problem("M8", text, tally.side, blocking=False)


def _check_lake(hand: Hand, rules: Rules, lake: LakeReading | int | None, sides: int) -> Iterator[Problem]:
    """The cards of all sides are the cards of the Lake (rules M1)."""
    if lake is None:
        return
    total = lake if isinstance(lake, int) else lake.total
    most = sides * rules.deck_size
    if isinstance(lake, int) and not 0 <= lake <= most:
        text = f"The Lake can't hold {_cards(lake)}: enter 0 to {most}, or leave it empty"
        yield Problem("lake", text)
        return
    unread = 0 if isinstance(lake, int) else sum(pile.height == 0 for pile in lake.piles)
    if unread:
        piles = "1 pile" if unread == 1 else f"{unread} piles"
        text = f"{piles} of the Lake could not be read: enter the top card, or confirm the counts without this check"
        yield Problem("lake", text, blocking=False)
    elif total != hand.lake:
        yield Problem("M1", _lake_text(total, hand.lake), blocking=False)


def _lake_text(total: int, counted: int) -> str:
    gap = abs(total - counted)
    what = (
        f"{_cards(gap)} missed in the counts or a pile seen too high"
        if total > counted
        else (f"{_cards(gap)} counted twice or a pile overlooked")
    )
    return f"The Lake holds {_cards(total)}, but the sides have {counted} together, so {what}: look again, or confirm"


def _check_spread(hand: Hand, sides: Sequence[Side], spread: SpreadReading | None) -> Iterator[Problem]:
    """Every side has in the Lake what the spread shows of its deck, and every back is somebody's."""
    if spread is None:
        return
    if spread.unknown:
        backs = "1 back" if spread.unknown == 1 else f"{spread.unknown} backs"
        text = f"{backs} of the spread fit no deck: say whose, or confirm the counts as they are"
        yield Problem("spread", text, blocking=False)
    decks = {side.id: side for side in sides if side.deck is not None and side.deck in spread.counts}
    for tally in hand.tallies:
        side = decks.get(tally.side)
        seen = spread.counts[side.deck] if side and side.deck else tally.lake
        if side and seen != tally.lake:
            text = f"{side.name} has {tally.lake} in the Lake, but the spread shows {seen}: look again, or confirm"
            yield Problem("spread", text, side.id, blocking=False)
