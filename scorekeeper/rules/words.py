"""What happened, in words for the people at the table."""

from __future__ import annotations

from typing import assert_never

from scorekeeper.rules.game import DeckEnrolled, Event, Game, GameStarted, HandCorrected, HandRecorded, LastHandUndone
from scorekeeper.rules.presets import format_rules
from scorekeeper.rules.scoring import Hand, Points, SideId, and_join, format_points


def describe(before: Game | None, event: Event) -> str:
    """*event* in one sentence, given the game *before* it; who and when stand beside it."""
    if isinstance(event, GameStarted):
        return f"Game started: {and_join([side.name for side in event.sides])}, {format_rules(event.rules)}"
    if before is None:
        raise ValueError(f"{type(event).__name__} before the game started")
    match event:
        case DeckEnrolled(side, deck):
            return f"{before.side(side).name} showed its deck: {deck}"
        case HandRecorded(hand, doubts):
            return f"Hand {len(before.hands) + 1}: {describe_hand(before, hand)}{_confirmed(doubts)}"
        case HandCorrected(number, hand, reason, doubts):
            changes = _changes(before, before.hands[number - 1], hand)
            return f"Hand {number} corrected ({reason}): {changes}{_confirmed(doubts)}"
        case LastHandUndone(reason):
            taken_back = describe_hand(before, before.hands[-1])
            return f"Hand {len(before.hands)} undone ({reason}); it was: {taken_back}"
        case _:
            assert_never(event)


def describe_hand(game: Game, hand: Hand) -> str:
    """Callers, then the points of each side with the cards they come from."""
    return "; ".join([_calls(game, hand), *_lines(game, hand).values()])


def _calls(game: Game, hand: Hand) -> str:
    if not hand.callers:
        return "nobody called Nertz"
    return f"{and_join([game.side(side).name for side in hand.callers])} called Nertz"


def _lines(game: Game, hand: Hand) -> dict[SideId, str]:
    """One line for each side: ``Ben +1 (9 in the Lake, 4 left, -5 misdeal)``."""
    points, shares = hand.points(game.rules), hand.bonus_shares(game.rules)
    lines: dict[SideId, str] = {}
    for tally in hand.tallies:
        parts = [f"{tally.lake} in the Lake", f"{tally.nertz_left or 'none'} left"]
        if shares.get(tally.side):
            parts.append(f"bonus {_signed(shares[tally.side])}")
        parts += [f"{each.points:+d} {each.reason}" for each in hand.adjustments if each.side == tally.side]
        lines[tally.side] = f"{game.side(tally.side).name} {_signed(points[tally.side])} ({', '.join(parts)})"
    return lines


def _changes(game: Game, old: Hand, new: Hand) -> str:
    """Only the lines that differ, as they are now, with the points they were."""
    before, after, was = _lines(game, old), _lines(game, new), old.points(game.rules)
    changes = [
        f"{after[side.id]} instead of {_signed(was[side.id])}"
        for side in game.sides
        if before.get(side.id) != after.get(side.id)
    ]
    calls = [] if set(old.callers) == set(new.callers) else [_calls(game, new)]
    return "; ".join([*calls, *changes]) or "nothing changed"


def _confirmed(doubts: tuple[str, ...]) -> str:
    return f". Confirmed knowingly: {'; '.join(doubts)}" if doubts else ""


def _signed(points: Points) -> str:
    text = format_points(points)
    return text if text.startswith("-") else f"+{text}"
