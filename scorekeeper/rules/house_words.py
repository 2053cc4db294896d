"""House rules in plain words, one line each: the sheet that everybody confirms before the first hand (rules A11)."""

from __future__ import annotations

from scorekeeper.rules.cards import RANKS
from scorekeeper.rules.house import (
    Alternation,
    Deal,
    EmptySlot,
    Finished,
    HandsUsed,
    Partnership,
    Play,
    Rules,
    Scoring,
    Simultaneous,
    StuckTable,
    TieBreaker,
    Words,
)
from scorekeeper.rules.layout import Layout
from scorekeeper.rules.said import Said, say, say_count, with_commas

WORDS = {
    Scoring.POINTS: say("points for cards in the %(Lake)s, less what is left"),
    Scoring.HANDS: say("a tally of hands: the caller wins the hand, nothing is counted"),
    Scoring.LEFTOVERS: say("who is done first scores the cards the others have left"),
    Scoring.FOUNDATION: say("one player: cards on the foundations"),
    TieBreaker.EVERYBODY: say("everybody plays the tie-breaker hand"),
    TieBreaker.TIED: say("only the tied sides play the tie-breaker hand"),
    Partnership.FREE: say("singles and teams of two or three, as they come"),
    Partnership.SINGLES: say("everybody alone"),
    Partnership.DOUBLES: say("teams of two; an odd player plays alone"),
    Partnership.MIXED_DOUBLES: say("teams of a woman and a man; an odd player plays alone"),
    Partnership.ROTATING: say("partners change; each person is credited, and the best person wins"),
    Deal.FACE_DOWN: say("face down, the last card up"),
    Deal.FACE_UP: say("face up"),
    EmptySlot.ANY: say("any card from %(Pile)s or %(Stream)s, or none"),
    EmptySlot.NERTZ: say("must be filled from the %(Pile)s"),
    Finished.TURNED: say("the king is turned face down"),
    Finished.ASIDE: say("moved aside; put back for the photo or entered as finished piles"),
    HandsUsed.BOTH: say("both hands"),
    HandsUsed.ONE: say("one hand"),
    HandsUsed.OTHER_HOLDS: say("one hand plays, the other holds the %(Stream)s"),
    Simultaneous.FIRST_STAYS: say("the first card stays"),
    Simultaneous.BOTH_STAY: say("in a clear tie both cards stay"),
    StuckTable.NATIONAL: say("two passes each, then all burn the %(Stream)s; after three burns a %(Game)s card"),
    StuckTable.NEW_STOCK: say("all form a new %(Stream)s"),
    StuckTable.TOP_TO_BOTTOM: say("all move the top card of the %(Stream)s to the bottom"),
    StuckTable.HAND_ENDS: say("the hand ends and is scored"),
    Alternation.OFF: say("no turns"),
    Alternation.SUGGESTED: say("partners take turns at the %(Pile)s"),
    Alternation.MANDATORY: say("partners must take turns at the %(Pile)s"),
    Words.NERTZ: say("Nertz"),
    Words.NERTS: say("Nerts"),
    Words.POUNCE: say("Pounce"),
    Words.RACING_DEMON: say("Racing Demon"),
    Words.PEANUTS: say("Peanuts"),
    Words.NUTS: say("Nuts"),
    Layout.NERTZ: say("laid out as in %(game)s", game="Nertz"),
    Layout.NUTS: say("laid out as in Nuts; two pairs"),
    Layout.PISHE_PASHA: say("laid out as in Pishe Pasha; two players share one deck"),
    Layout.DOUBLE_SOLITAIRE: say("laid out as in Double Solitaire; two players share one deck"),
    Layout.CANFIELD: say("laid out as in Canfield; one player"),
}
"""What each choice means at the table."""


def rules_card(rules: Rules) -> list[tuple[Said, str]]:
    """Every house rule as a label and a sentence, in the order of a hand."""
    also = (say("Also agreed"), rules.note or say("nothing else"))
    return [*_score_lines(rules), *_table_lines(rules), *_play_lines(rules.play), also]


def _score_lines(rules: Rules) -> list[tuple[Said, str]]:
    lines: list[tuple[Said, str]] = [
        (say("Scoring"), WORDS[rules.scoring]),
        (say("End"), _end(rules)),
        (say("Tie"), _tie(rules)),
    ]
    if rules.counts:
        lines += _card_lines(rules)
    if rules.rank_extras:
        extras = ", ".join(f"{RANKS[rank - 1]} {extra:+d}" for rank, extra in rules.rank_extras)
        lines.append((say("Cards worth more or less"), extras))
    return [*lines, (say("False call"), _false_call(rules))]


def _card_lines(rules: Rules) -> list[tuple[Said, str]]:
    shared = say("%(points)s, shared by all callers", points=_points(rules.bonus))
    return [
        (say("Card in the %(Lake)s"), _points(rules.lake_value)),
        (say("%(Game)s card left"), say("%(points)s off", points=_points(rules.nertz_penalty))),
        (say("Call"), shared if rules.bonus else say("no bonus")),
    ]


def _false_call(rules: Rules) -> Said:
    if not rules.false_call:
        return say("no penalty; play goes on")
    return say("%(points)s off; play goes on", points=points_or_hands(rules.false_call, hands=not rules.counts))


def points_or_hands(number: int, *, hands: bool) -> Said:
    """What is added or taken, with its unit: ``5 points``, or ``1 hand won`` where hands are tallied (rules K19)."""
    return say_count("%(points)s hand won", "%(points)s hands won", number, points=number) if hands else _points(number)


def _points(number: int) -> Said:
    return say_count("%(num)s point", "%(num)s points", number)


def _cards(number: int) -> Said:
    return say_count("%(num)s card", "%(num)s cards", number)


def _times(number: int) -> Said:
    return say_count("%(num)s time", "%(num)s times", number)


def _tie(rules: Rules) -> Said:
    last = WORDS[rules.tie_breaker]
    return say("more calls win; else %(last)s", last=last) if rules.calls_break_ties else last


def _end(rules: Rules) -> Said:
    """When the game ends, and who wins."""
    if rules.scoring is Scoring.HANDS:
        return say("%(when)s; most hands won win", when=_when(rules))
    return say("%(when)s; most points win", when=_when(rules))


def _when(rules: Rules) -> Said:
    if not rules.target:
        return say_count("when %(num)s hand is played", "when %(num)s hands are played", rules.rounds)
    if not rules.rounds:
        return _reached(rules)
    return say_count(
        "%(reached)s or %(num)s hand is played",
        "%(reached)s or %(num)s hands are played",
        rules.rounds,
        reached=_reached(rules),
    )


def _reached(rules: Rules) -> Said:
    if rules.scoring is Scoring.HANDS:
        return say("when somebody has %(target)s hands won or more at the end of a hand", target=rules.target)
    return say("when somebody has %(target)s points or more at the end of a hand", target=rules.target)


def _table_lines(rules: Rules) -> list[tuple[Said, str]]:
    play = rules.play
    stays = say("everybody moves on one seat after each hand") if play.rotate_seats else say("seats stay")
    stream = say("%(cards)s, turned %(flip)s at a time", cards=_cards(rules.stream), flip=_cards(play.flip))
    return [
        (say("The game is called"), WORDS[rules.words]),
        (say("Teams"), WORDS[rules.partnership]),
        (say("Turns"), WORDS[play.alternation]),
        (say("Seats"), stays),
        (say("Deck"), _deck(rules)),
        (say("Layout"), WORDS[rules.layout]),
        (say("%(Pile)s"), with_commas([_cards(rules.pile_size), WORDS[play.deal]])),
        (say("%(River)s"), _river(rules)),
        (say("%(Stream)s"), stream),
        (say("Shuffle"), _shuffle(play)),
    ]


def _deck(rules: Rules) -> Said:
    if not rules.jokers:
        return say("52 cards")
    return say_count("52 cards and %(num)s joker", "52 cards and %(num)s jokers", rules.jokers)


def _shuffle(play: Play) -> Said:
    parts = [say("%(times)s, cut %(cuts)s", times=_times(play.shuffles), cuts=_times(play.cuts))] if play.cuts else []
    parts = parts or [_times(play.shuffles)]
    return with_commas([*parts, say("each a neighbour’s deck")] if play.round_robin else parts)


def _river(rules: Rules) -> Said:
    if not rules.columns:
        return say("none; %(cards)s on the foundations", cards=_cards(rules.foundation))
    number, free = say_count("%(num)s column", "%(num)s columns", len(rules.columns)), rules.available
    if not rules.plan.staggered:
        return say("%(columns)s, so %(free)s cards are available", columns=number, free=free)
    sizes = ", ".join(map(str, rules.columns))
    return say("%(columns)s of %(sizes)s, so %(free)s cards are available", columns=number, sizes=sizes, free=free)


def _play_lines(play: Play) -> list[tuple[Said, str]]:
    return [
        (
            say("Holding back"),
            say("aces and %(Game)s cards may be held back")
            if play.withholding
            else say("aces are played, and %(Game)s cards that have no place in the %(River)s"),
        ),
        (
            say("Several cards at once"),
            say("allowed, the table is unanimous") if play.stacking else say("one card at a time"),
        ),
        (say("Empty %(River)s slot"), WORDS[play.empty_slot]),
        (say("Finished pile"), WORDS[play.finished]),
        (say("Hands used"), WORDS[play.hands]),
        (say("Two cards at once"), WORDS[play.simultaneous]),
        (
            say("Direction"),
            say("some cards turn the direction of the %(Lake)s") if play.reversing else say("the %(Lake)s goes up"),
        ),
        (
            say("Both ends"),
            say("%(Stream)s and %(River)s are played from both ends") if play.both_ends else say("one end only"),
        ),
        (say("Empty %(Pile)s"), say("must call at once") if play.call_at_once else say("may wait with the call")),
        (
            say("Card on its way"),
            say("counts when %(Call)s is called") if play.last_card else say("does not count after the call"),
        ),
        (say("Stuck table"), WORDS[play.stuck]),
        (
            say("Partners’ piles"),
            say("partners play each other's") if play.share_piles else say("only the owner plays a pile"),
        ),
    ]
