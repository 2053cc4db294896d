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
from scorekeeper.rules.points import count, in_units

WORDS = {
    Scoring.POINTS: "points for cards in the Lake, less what is left",
    Scoring.HANDS: "a tally of hands: the caller wins the hand, nothing is counted",
    Scoring.LEFTOVERS: "who is done first scores the cards the others have left",
    Scoring.FOUNDATION: "one player: cards on the foundations",
    TieBreaker.EVERYBODY: "everybody plays the tie-breaker hand",
    TieBreaker.TIED: "only the tied sides play the tie-breaker hand",
    Partnership.FREE: "singles and teams of two or three, as they come",
    Partnership.SINGLES: "everybody alone",
    Partnership.DOUBLES: "teams of two; an odd player plays alone",
    Partnership.MIXED_DOUBLES: "teams of a woman and a man; an odd player plays alone",
    Partnership.ROTATING: "partners change; each person is credited, and the best person wins",
    Deal.FACE_DOWN: "face down, the last card up",
    Deal.FACE_UP: "face up",
    EmptySlot.ANY: "any card from Nertz pile or Stream, or none",
    EmptySlot.NERTZ: "must be filled from the Nertz pile",
    Finished.TURNED: "the king is turned face down",
    Finished.ASIDE: "moved aside; put back for the photo or entered as finished piles",
    HandsUsed.BOTH: "both hands",
    HandsUsed.ONE: "one hand",
    HandsUsed.OTHER_HOLDS: "one hand plays, the other holds the Stream",
    Simultaneous.FIRST_STAYS: "the first card stays",
    Simultaneous.BOTH_STAY: "in a clear tie both cards stay",
    StuckTable.NATIONAL: "two passes each, then all burn the Stream; after three burns a Nertz card",
    StuckTable.NEW_STOCK: "all form a new Stream",
    StuckTable.TOP_TO_BOTTOM: "all move the top card of the Stream to the bottom",
    StuckTable.HAND_ENDS: "the hand ends and is scored",
    Alternation.OFF: "no turns",
    Alternation.SUGGESTED: "partners take turns at the Nertz pile",
    Alternation.MANDATORY: "partners must take turns at the Nertz pile",
    Words.NERTZ: "Nertz",
    Words.NERTS: "Nerts",
    Words.POUNCE: "Pounce",
    Words.RACING_DEMON: "Racing Demon",
    Words.PEANUTS: "Peanuts",
    Words.NUTS: "Nuts",
    Layout.NERTZ: "laid out as in Nertz",
    Layout.NUTS: "laid out as in Nuts; two pairs",
    Layout.PISHE_PASHA: "laid out as in Pishe Pasha; two players share one deck",
    Layout.DOUBLE_SOLITAIRE: "laid out as in Double Solitaire; two players share one deck",
    Layout.CANFIELD: "laid out as in Canfield; one player",
}
"""What each choice means at the table."""


def rules_card(rules: Rules) -> list[tuple[str, str]]:
    """Every house rule as a label and a sentence, in the order of a hand."""
    also = ("Also agreed", rules.note or "nothing else")
    return [*_score_lines(rules), *_table_lines(rules), *_play_lines(rules.play), also]


def _score_lines(rules: Rules) -> list[tuple[str, str]]:
    lines = [("Scoring", WORDS[rules.scoring]), ("End", _end(rules)), ("Tie", _tie(rules))]
    if rules.counts:
        lines += [
            ("Card in the Lake", f"{count(rules.lake_value, 'point')}"),
            ("Nertz card left", f"{count(rules.nertz_penalty, 'point')} off"),
            ("Call", f"{count(rules.bonus, 'point')}, shared by all callers" if rules.bonus else "no bonus"),
        ]
    if rules.rank_extras:
        extras = ", ".join(f"{RANKS[rank - 1]} {extra:+d}" for rank, extra in rules.rank_extras)
        lines.append(("Cards worth more or less", extras))
    false_call = f"{in_units(rules.false_call, hands=not rules.counts)} off" if rules.false_call else "no penalty"
    return [*lines, ("False call", f"{false_call}; play goes on")]


def _tie(rules: Rules) -> str:
    return f"{'more calls win; else ' if rules.calls_break_ties else ''}{WORDS[rules.tie_breaker]}"


def _end(rules: Rules) -> str:
    unit = "hands won" if rules.scoring is Scoring.HANDS else "points"
    ends = [f"somebody has {rules.target} {unit} or more at the end of a hand"] if rules.target else []
    ends += [f"{count(rules.rounds, 'hand')} {'is' if rules.rounds == 1 else 'are'} played"] if rules.rounds else []
    return f"when {' or '.join(ends)}; most {unit} win"


def _table_lines(rules: Rules) -> list[tuple[str, str]]:
    play = rules.play
    jokers = f"52 cards and {count(rules.jokers, 'joker')}" if rules.jokers else "52 cards"
    seats = "everybody moves on one seat after each hand" if play.rotate_seats else "seats stay"
    shuffle = (
        f"{count(play.shuffles, 'time')}, cut {count(play.cuts, 'time')}" if play.cuts else f"{play.shuffles} times"
    )
    return [
        ("Name of the game", WORDS[rules.words]),
        ("Teams", WORDS[rules.partnership]),
        ("Turns", WORDS[play.alternation]),
        ("Seats", seats),
        ("Deck", jokers),
        ("Layout", WORDS[rules.layout]),
        ("Nertz pile", f"{count(rules.pile_size, 'card')}, {WORDS[play.deal]}"),
        ("River", _river(rules)),
        ("Stream", f"{count(rules.stream, 'card')}, turned {count(play.flip, 'card')} at a time"),
        ("Shuffle", f"{shuffle}{', each a neighbour’s deck' if play.round_robin else ''}"),
    ]


def _river(rules: Rules) -> str:
    if not rules.columns:
        return f"none; {count(rules.foundation, 'card')} on the foundations"
    cards = f" of {', '.join(map(str, rules.columns))}" if rules.plan.staggered else ""
    return f"{count(len(rules.columns), 'column')}{cards}, so {rules.available} cards are available"


def _play_lines(play: Play) -> list[tuple[str, str]]:
    return [
        (
            "Holding back",
            "aces and Nertz cards may be held back"
            if play.withholding
            else "aces are played, and Nertz cards that have no place in the River",
        ),
        ("Several cards at once", "allowed, the table is unanimous" if play.stacking else "one card at a time"),
        ("Empty River slot", WORDS[play.empty_slot]),
        ("Finished pile", WORDS[play.finished]),
        ("Hands", WORDS[play.hands]),
        ("Two cards at once", WORDS[play.simultaneous]),
        ("Direction", "some cards turn the direction of the Lake" if play.reversing else "the Lake goes up"),
        ("Both ends", "Stream and River are played from both ends" if play.both_ends else "one end only"),
        ("Empty Nertz pile", "must call at once" if play.call_at_once else "may wait with the call"),
        ("Card on its way", "counts when Nertz is called" if play.last_card else "does not count after the call"),
        ("Stuck table", WORDS[play.stuck]),
        ("Partners’ piles", "partners play each other's" if play.share_piles else "only the owner plays a pile"),
    ]
