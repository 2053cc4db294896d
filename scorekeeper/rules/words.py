"""What happened, in words for the people at the table."""

from __future__ import annotations

from typing import assert_never

from scorekeeper.rules.events import (
    CallRefused,
    CallVerified,
    DeckEnrolled,
    DisputeSettled,
    Event,
    GameStarted,
    HandBegun,
    HandCorrected,
    HandDisputed,
    HandicapSet,
    HandRecorded,
    LastHandUndone,
    LateHandsSettled,
    LiveEvent,
    NertzCalled,
    PartnersChanged,
    PenaltyGiven,
    PenaltyRemoved,
    ReadySaid,
    RulesChanged,
    RulesConfirmed,
    SeatEvent,
    SeatsChanged,
    SideJoined,
    SideLeft,
    SideRenamed,
    SideRestyled,
    SideReturned,
    StuckMove,
    StuckMoved,
    TimeOutCalled,
    TimeOutEnded,
    TimeOutReason,
)
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Rules
from scorekeeper.rules.house_notation import brief_rules
from scorekeeper.rules.house_words import rules_card
from scorekeeper.rules.played import Played
from scorekeeper.rules.points import and_join, in_units, signed
from scorekeeper.rules.scoring import Adjustment, Hand
from scorekeeper.rules.sides import Handicap, Side, SideId

STUCK_WORDS = {
    StuckMove.PASS: "{side} went through its Stream and found nothing",
    StuckMove.PLAY: "A card was played: nobody is stuck any more",
    StuckMove.BURN: "Everybody burnt the Stream",
    StuckMove.NERTZ_BURN: "Everybody burnt a Nertz card",
    StuckMove.TOP_CARD: "{side} moved its top card and waits",
}


def describe(before: Game | None, event: Event) -> str:
    """*event* in one sentence, given the game *before* it; who and when stand beside it."""
    if isinstance(event, GameStarted):
        return f"Game started: {and_join([side.name for side in event.sides])}, {brief_rules(event.rules)}"
    if before is None:
        raise ValueError(f"{type(event).__name__} before the game started")
    match event:
        case DeckEnrolled(side, deck):
            return f"{before.side(side).name} showed its deck: {deck}"
        case HandRecorded() | HandCorrected() | LastHandUndone():
            return _hand(before, event)
        case LateHandsSettled(count):
            return f"The table decided: {_late_hands(before.late)} {'counts' if count else 'does not count'}"
        case RulesChanged(rules, reason):
            return f"House rules changed{_because(reason)}: {'; '.join(changed_rules(before.rules, rules))}"
        case RulesConfirmed(side):
            return f"{before.side(side).name} agreed to the house rules"
        case HandDisputed(number, reason):
            return f"Hand {number} is disputed: {reason}"
        case DisputeSettled(number, settlement):
            return f"The dispute about hand {number} is settled: {settlement}"
        case (
            SideJoined()
            | SideLeft()
            | SideReturned()
            | SideRenamed()
            | SideRestyled()
            | SeatsChanged()
            | HandicapSet()
            | PartnersChanged()
        ):
            return _seat(before, event)
        case _:
            return _live(before, event)


def describe_hand(game: Game, hand: Hand, number: int | None = None) -> str:
    """Callers, then the points of each side with the cards they come from; of hand *number*, or of the next one."""
    return "; ".join([_calls(game, hand), *_lines(game, _as_played(game, hand, number)).values()])


def changed_rules(old: Rules, new: Rules) -> list[str]:
    """Each house rule that differs, as it is now."""
    before = dict(rules_card(old))
    return [f"{label}: {text}" for label, text in rules_card(new) if before.get(label) != text]


def _as_played(game: Game, hand: Hand, number: int | None) -> Played:
    """*hand* under the rules and penalties it is scored by."""
    if number is None:
        return Played(hand, game.rules, game.next_sides, game.live.penalties, absent=game.next_absent)
    played = game.played[number - 1]
    return Played(hand, played.rules, played.sides, played.penalties, absent=played.absent)


def _hand(before: Game, event: HandRecorded | HandCorrected | LastHandUndone) -> str:
    match event:
        case HandRecorded(hand, doubts):
            return f"Hand {len(before.hands) + 1}: {describe_hand(before, hand)}{_confirmed(doubts)}"
        case HandCorrected(number, hand, reason, doubts, removed):
            changes = _changes(before, number, before.played[number - 1].counted_anew(hand, removed))
            return f"Hand {number} corrected{_in_brackets(reason)}: {changes}{_confirmed(doubts)}"
        case LastHandUndone(reason):
            last = len(before.hands)
            return f"Hand {last} undone{_in_brackets(reason)}; it was: {describe_hand(before, before.hands[-1], last)}"
        case _:
            assert_never(event)


def _in_brackets(reason: str) -> str:
    return f" ({reason})" if reason else ""


def _calls(game: Game, hand: Hand) -> str:
    if not hand.callers:
        return "nobody called Nertz"
    return f"{and_join([side.name for side in game.sides if side.id in hand.callers])} called Nertz"


def _lines(game: Game, played: Played) -> dict[SideId, str]:
    """One line for each side: ``Ben +1 (9 in the Lake, 4 left, -5 misdeal)``."""
    points, parts = played.points, _parts(played)
    return {
        side.id: f"{side.name} {signed(points[side.id])}{f' ({why})' if (why := ', '.join(parts[side.id])) else ''}"
        for side in game.sides
        if side.id in points
    }


def _parts(played: Played) -> dict[SideId, list[str]]:
    """What the points of each side come from."""
    hand, rules = played.hand, played.rules
    parts: dict[SideId, list[str]] = {side.id: [] for side in played.sides}
    parts |= {side: [] for side in played.points if side not in parts}
    for tally in hand.tallies if rules.counts else ():
        parts[tally.side] += [f"{tally.lake} in the Lake", f"{tally.nertz_left or 'none'} left"]
    for typed in hand.typed:
        parts[typed.side].append("typed")
    for side, share in hand.bonus_shares(rules).items():
        if share and rules.counts and side not in [typed.side for typed in hand.typed]:
            parts[side].append(f"bonus {signed(share)}")
    for each in (*hand.adjustments, *played.penalties):
        parts[each.side].append(f"{each.points:+d} {each.reason}")
    for seat in played.sides:
        if seat.handicap.per_hand:
            parts[seat.id].append(f"{seat.handicap.per_hand:+d} handicap")
    return parts


def _changes(game: Game, number: int, now: Played) -> str:
    """Only the lines that differ, as they are now, with the points they were."""
    old = game.played[number - 1]
    was, before, after = old.points, _lines(game, old), _lines(game, now)
    changes = [
        f"{after.get(side.id, f'{side.name} +0')} instead of {signed(was.get(side.id, 0))}"
        for side in game.sides
        if before.get(side.id) != after.get(side.id)
    ]
    calls = [] if set(old.hand.callers) == set(now.hand.callers) else [_calls(game, now.hand)]
    return "; ".join([*calls, *changes]) or "nothing changed"


def _late_hands(numbers: tuple[int, ...]) -> str:
    names = and_join([str(number) for number in numbers])
    return (
        f"hand {names}, played after the end," if len(numbers) == 1 else f"each of hands {names}, played after the end,"
    )


def _seat(game: Game, event: SeatEvent) -> str:
    match event:
        case SideJoined(side):
            return f"{side.name} joined{_team(side)} with {signed(side.handicap.start)} points"
        case SideLeft(side_id, reason):
            return f"{game.side(side_id).name} left{_because(reason)}"
        case SideReturned(side_id):
            return f"{game.side(side_id).name} came back"
        case SideRenamed(side_id, name):
            return f"{game.side(side_id).name} is called {name} now"
        case SideRestyled(side_id):
            return f"{game.side(side_id).name} has another colour or pattern"
        case SeatsChanged(order):
            return f"New order of the seats: {and_join([game.side(side).name for side in order])}"
        case HandicapSet(side_id, handicap):
            return f"{game.side(side_id).name} plays {describe_handicap(handicap)}"
        case PartnersChanged(partners):
            return "; ".join(f"{game.side(side).name} {_are(people)}" for side, people in partners)
        case _:
            assert_never(event)


def _are(people: tuple[str, ...]) -> str:
    return f"is now {and_join(people)}" if people else "plays alone"


def _team(side: Side) -> str:
    return f" ({and_join(side.members)})" if side.members else ""


def describe_handicap(handicap: Handicap) -> str:
    """``with a pile of 10 and +2 points each hand``, or that there is none."""
    parts = [f"from {signed(handicap.start)} points"] if handicap.start else []
    parts += [f"with a pile of {handicap.pile_size}"] if handicap.pile_size is not None else []
    parts += [f"with {signed(handicap.per_hand)} points each hand"] if handicap.per_hand else []
    return and_join(parts) if parts else "without a handicap"


def _live(game: Game, event: LiveEvent) -> str:
    match event:
        case ReadySaid(side, ready):
            return f"{game.side(side).name} is {'ready' if ready else 'not ready yet'}"
        case HandBegun():
            return f"Hand {len(game.played) + 1}: Go!"
        case TimeOutCalled():
            return _time_out(game, event)
        case TimeOutEnded():
            return "Time-out ended"
        case NertzCalled(side):
            return f"{game.side(side).name} called Nertz: play stopped"
        case CallVerified(side):
            return f"The call of {game.side(side).name} stands"
        case CallRefused(side, second=True):
            return f"The call of {game.side(side).name} came second"
        case CallRefused(side, penalty):
            taken = f", {_taken(game, penalty)}" if penalty else ""
            return f"The call of {game.side(side).name} did not stand{taken}: play went on"
        case PenaltyGiven(side, points, reason):
            return _penalty(game, Adjustment(side, points, reason))
        case PenaltyRemoved(number):
            return f"Penalty removed: {_penalty(game, game.live.penalties[number - 1])}"
        case StuckMoved(move, who):
            return STUCK_WORDS[move].format(side=game.side(who).name if who else "")
        case _:
            assert_never(event)


def _penalty(game: Game, each: Adjustment) -> str:
    return f"{game.side(each.side).name} {signed(each.points)} in hand {len(game.played) + 1}: {each.reason}"


def _taken(game: Game, penalty: int) -> str:
    return f"{in_units(penalty, hands=not game.rules.counts)} off"


def _time_out(game: Game, event: TimeOutCalled) -> str:
    what = "an emergency" if event.reason is TimeOutReason.EMERGENCY else "an accident"
    between = f" between {and_join([game.side(side).name for side in event.sides])}" if event.sides else ""
    return f"Time-out for {what}{between}{_because(event.note)}"


def _because(reason: str) -> str:
    return f" ({reason})" if reason else ""


def _confirmed(doubts: tuple[str, ...]) -> str:
    return f". Confirmed knowingly: {'; '.join(doubts)}" if doubts else ""
