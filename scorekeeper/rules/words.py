"""What happened, in words for the people at the table."""

from __future__ import annotations

from collections.abc import Sequence
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
from scorekeeper.rules.house_words import points_or_hands, rules_card
from scorekeeper.rules.played import Played
from scorekeeper.rules.points import Points
from scorekeeper.rules.said import Names, Said, Signed, in_a_row, say, say_count, with_commas
from scorekeeper.rules.scoring import Adjustment, Hand, Tally
from scorekeeper.rules.sides import Handicap, Side, SideId


def describe(before: Game | None, event: Event) -> Said:
    """*event* in one sentence, given the game *before* it; who and when stand beside it."""
    if isinstance(event, GameStarted):
        names = Names(_named(side) for side in event.sides)
        return say(
            "Game started: %(names)s, %(rules)s",
            names=names,
            rules=brief_rules(event.rules).replace(" -", " \N{MINUS SIGN}"),
        )
    if before is None:
        raise ValueError(f"{type(event).__name__} before the game started")
    if isinstance(event, SeatEvent):
        return _seat(before, event)
    match event:
        case DeckEnrolled(side, deck):
            return say("%(name)s showed its deck: %(deck)s", name=before.side(side).name, deck=deck)
        case HandRecorded() | HandCorrected() | LastHandUndone():
            return _hand(before, event)
        case LateHandsSettled(count):
            return _late_hands(before.late, count=count)
        case RulesChanged(rules, reason):
            return _so(say("House rules changed"), reason, in_a_row(changed_rules(before.rules, rules)))
        case RulesConfirmed(side):
            return say("%(name)s agreed to the house rules", name=before.side(side).name)
        case HandDisputed(number, reason):
            return say("Hand %(number)s is disputed: %(reason)s", number=number, reason=reason)
        case DisputeSettled(number, settlement):
            return say("The dispute about hand %(number)s is settled: %(how)s", number=number, how=settlement)
        case _:
            return _live(before, event)


def describe_hand(game: Game, hand: Hand, number: int | None = None) -> Said:
    """Callers, then the points of each side with the cards they come from; of hand *number*, or of the next one."""
    return in_a_row([_calls(game, hand), *_lines(game, _as_played(game, hand, number)).values()])


def changed_rules(old: Rules, new: Rules) -> list[Said]:
    """Each house rule that differs, as it is now."""
    before = dict(rules_card(old))
    card = rules_card(new)
    return [say("%(what)s: %(how)s", what=label, how=text) for label, text in card if before.get(label) != text]


def _as_played(game: Game, hand: Hand, number: int | None) -> Played:
    """*hand* under the rules and penalties it is scored by."""
    if number is None:
        return Played(hand, game.rules, game.next_sides, game.live.penalties, absent=game.next_absent)
    played = game.played[number - 1]
    return Played(hand, played.rules, played.sides, played.penalties, absent=played.absent)


def _hand(before: Game, event: HandRecorded | HandCorrected | LastHandUndone) -> Said:
    match event:
        case HandRecorded(hand, doubts):
            number, told = len(before.hands) + 1, describe_hand(before, hand)
            return _confirmed(say("Hand %(number)s: %(hand)s", number=number, hand=told), doubts)
        case HandCorrected(number, hand, reason, doubts, removed):
            changes = _changes(before, number, before.played[number - 1].counted_anew(hand, removed))
            return _confirmed(_so(say("Hand %(number)s corrected", number=number), reason, changes), doubts)
        case LastHandUndone(reason):
            last = len(before.hands)
            undone = _because(say("Hand %(number)s undone", number=last), reason)
            return say("%(what)s; it was: %(hand)s", what=undone, hand=describe_hand(before, before.hands[-1], last))
        case _:
            assert_never(event)


def _calls(game: Game, hand: Hand) -> Said:
    names = Names(_named(side) for side in game.sides if side.id in hand.callers)
    return say("%(names)s called %(Call)s", names=names) if names else say("nobody called %(Call)s")


def _lines(game: Game, played: Played) -> dict[SideId, Said]:
    """One line for each side: ``Ben +1 (9 in the Lake, 4 left, -5 misdeal)``."""
    points, parts = played.points, _parts(played)
    return {side.id: _line(side, points[side.id], parts[side.id]) for side in game.sides if side.id in points}


def _line(side: Side, points: Points, parts: Sequence[str] = ()) -> Said:
    return _because(say("%(name)s %(points)s", name=_named(side), points=Signed(points)), with_commas(parts))


def _named(side: Side) -> str:
    """The name, in quotation marks where one of its own marks could part it in two: ``“Tom; Jerry”``."""
    return say("“%(name)s”", name=side.name) if any(mark in side.name for mark in ";,:") else side.name


def _parts(played: Played) -> dict[SideId, list[str]]:
    """What the points of each side come from."""
    hand, rules = played.hand, played.rules
    parts: dict[SideId, list[str]] = {side.id: [] for side in played.sides}
    parts |= {side: [] for side in played.points if side not in parts}
    for tally in hand.tallies if rules.counts else ():
        parts[tally.side] += _counted(tally)
    for typed in hand.typed:
        parts[typed.side].append(say("typed"))
    for side, share in hand.bonus_shares(rules).items():
        if share and rules.counts and side not in [typed.side for typed in hand.typed]:
            parts[side].append(say("bonus %(points)s", points=Signed(share)))
    for each in (*hand.adjustments, *played.penalties):
        parts[each.side].append(say("%(points)s %(reason)s", points=Signed(each.points), reason=each.reason))
    for seat in played.sides:
        if seat.handicap.per_hand:
            parts[seat.id].append(say("%(points)s handicap", points=Signed(seat.handicap.per_hand)))
    return parts


def _counted(tally: Tally) -> list[Said]:
    left = tally.nertz_left
    return [
        say("%(cards)s in the %(Lake)s", cards=tally.lake),
        say("%(cards)s left", cards=left) if left else say("none left"),
    ]


def _changes(game: Game, number: int, now: Played) -> Said:
    """Only the lines that differ, as they are now, with the points they were."""
    old = game.played[number - 1]
    was, before, after = old.points, _lines(game, old), _lines(game, now)
    changes = [
        say("%(now)s instead of %(points)s", now=after.get(side.id, _line(side, 0)), points=Signed(was.get(side.id, 0)))
        for side in game.sides
        if before.get(side.id) != after.get(side.id)
    ]
    calls = [] if set(old.hand.callers) == set(now.hand.callers) else [_calls(game, now.hand)]
    return in_a_row([*calls, *changes]) or say("nothing changed")


def _late_hands(numbers: tuple[int, ...], *, count: bool) -> Said:
    hands = Names(str(number) for number in numbers)
    if count:
        return say_count(
            "The table decided: hand %(hands)s, played after the end, counts",
            "The table decided: each of hands %(hands)s, played after the end, counts",
            len(numbers),
            hands=hands,
        )
    return say_count(
        "The table decided: hand %(hands)s, played after the end, does not count",
        "The table decided: each of hands %(hands)s, played after the end, does not count",
        len(numbers),
        hands=hands,
    )


def _seat(game: Game, event: SeatEvent) -> Said:
    match event:
        case SideJoined(side):
            joined = _because(say("%(name)s joined", name=side.name), Names(side.members))
            return say("%(what)s with %(points)s points", what=joined, points=Signed(side.handicap.start))
        case SideLeft(side_id, reason):
            return _because(say("%(name)s left", name=game.side(side_id).name), reason)
        case SideReturned(side_id):
            return say("%(name)s came back", name=game.side(side_id).name)
        case SideRenamed(side_id, name):
            return say("%(name)s is called %(new)s now", name=game.side(side_id).name, new=name)
        case SideRestyled(side_id):
            return say("%(name)s has another colour or pattern", name=game.side(side_id).name)
        case SeatsChanged(order):
            return say("New order of the seats: %(names)s", names=Names(game.side(side).name for side in order))
        case HandicapSet(side_id, handicap):
            return say("%(name)s plays %(how)s", name=game.side(side_id).name, how=describe_handicap(handicap))
        case PartnersChanged(partners):
            return in_a_row([_partners(game.side(side), people) for side, people in partners])
        case _:
            assert_never(event)


def _partners(side: Side, people: tuple[str, ...]) -> Said:
    if people:
        return say("%(name)s is now %(people)s", name=side.name, people=Names(people))
    return say("%(name)s plays alone", name=side.name)


def describe_handicap(handicap: Handicap) -> Said | Names:
    """``with a pile of 10 and +2 points each hand``, or that there is none."""
    parts = [say("from %(points)s points", points=Signed(handicap.start))] if handicap.start else []
    parts += [say("with a pile of %(size)s", size=handicap.pile_size)] if handicap.pile_size is not None else []
    parts += [say("with %(points)s points each hand", points=Signed(handicap.per_hand))] if handicap.per_hand else []
    return Names(parts) or say("without a handicap")


def _live(game: Game, event: LiveEvent) -> Said:
    match event:
        case ReadySaid(side, ready=True):
            return say("%(name)s is ready", name=game.side(side).name)
        case ReadySaid(side):
            return say("%(name)s is not ready yet", name=game.side(side).name)
        case HandBegun():
            return say("Hand %(number)s: Go!", number=len(game.played) + 1)
        case TimeOutCalled():
            return _time_out(game, event)
        case TimeOutEnded():
            return say("Time-out ended")
        case NertzCalled(side):
            return say("%(name)s called %(Call)s: play stopped", name=game.side(side).name)
        case CallVerified(side):
            return say("The call of %(name)s stands", name=game.side(side).name)
        case CallRefused():
            return _refused(game, event)
        case PenaltyGiven(side, points, reason):
            return _penalty(game, Adjustment(side, points, reason))
        case PenaltyRemoved(number):
            return say("Penalty removed: %(penalty)s", penalty=_penalty(game, game.live.penalties[number - 1]))
        case StuckMoved(move, who):
            return _stuck(move, game.side(who).name if who else "")
        case _:
            assert_never(event)


def _refused(game: Game, event: CallRefused) -> Said:
    name = game.side(event.side).name
    if event.second:
        return say("The call of %(name)s came second", name=name)
    if not event.penalty:
        return say("The call of %(name)s did not stand: play went on", name=name)
    taken = points_or_hands(event.penalty, hands=not game.rules.counts)
    return say("The call of %(name)s did not stand, %(taken)s off: play went on", name=name, taken=taken)


def _stuck(move: StuckMove, name: str) -> Said:
    match move:
        case StuckMove.PASS:
            return say("%(name)s went through its %(Stream)s and found nothing", name=name)
        case StuckMove.PLAY:
            return say("A card was played: nobody is stuck any more")
        case StuckMove.BURN:
            return say("Everybody burnt the %(Stream)s")
        case StuckMove.NERTZ_BURN:
            return say("Everybody burnt a %(Game)s card")
        case StuckMove.TOP_CARD:
            return say("%(name)s moved its top card and waits", name=name)
        case _:
            assert_never(move)


def _penalty(game: Game, each: Adjustment) -> Said:
    return say(
        "%(name)s %(points)s in hand %(number)s: %(reason)s",
        name=game.side(each.side).name,
        points=Signed(each.points),
        number=len(game.played) + 1,
        reason=each.reason,
    )


def _time_out(game: Game, event: TimeOutCalled) -> Said:
    emergency = event.reason is TimeOutReason.EMERGENCY
    told = say("Time-out for an emergency") if emergency else say("Time-out for an accident")
    if event.sides:
        names = Names(game.side(side).name for side in event.sides)
        told = say("%(what)s between %(names)s", what=told, names=names)
    return _because(told, event.note)


def _because(what: Said, reason: str | Names) -> Said:
    return say("%(what)s (%(reason)s)", what=what, reason=reason) if reason else what


def _so(what: Said, reason: str, how: Said) -> Said:
    return say("%(what)s: %(how)s", what=_because(what, reason), how=how)


def _confirmed(what: Said, doubts: tuple[str, ...]) -> Said:
    return say("%(what)s. Confirmed knowingly: %(doubts)s", what=what, doubts=in_a_row(doubts)) if doubts else what
