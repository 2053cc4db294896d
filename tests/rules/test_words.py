"""History is told in the words of the table."""

from __future__ import annotations

import pytest

from scorekeeper.rules.events import (
    CallRefused,
    CallVerified,
    DeckEnrolled,
    DisputeSettled,
    GameStarted,
    HandBegun,
    HandCorrected,
    HandDisputed,
    HandicapSet,
    HandRecorded,
    LastHandUndone,
    NertzCalled,
    PartnersChanged,
    PenaltyGiven,
    PenaltyRemoved,
    ReadySaid,
    RulesChanged,
    RulesConfirmed,
    SideJoined,
    SideLeft,
    SideReturned,
    StuckMove,
    StuckMoved,
    TimeOutCalled,
    TimeOutEnded,
    TimeOutReason,
)
from scorekeeper.rules.fold import fold
from scorekeeper.rules.house import Scoring
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Handicap, Rules, Side, SideId, make_sides
from scorekeeper.rules.words import describe, describe_hand

AMY, BEN = SideId("amy"), SideId("ben")
START = GameStarted(make_sides(["Amy", "Ben"]), Rules(bonus=10))
HAND = parse_hand("amy 14/0! ben 9/4 -5(misdeal)")
TEAM = Side(SideId("team"), "Team", "#009e73", members=("Cleo", "Dan"), handicap=Handicap(start=7))


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (
            HandRecorded(HAND),
            "Hand 2: Amy called Nertz; Amy +24 (14 in the Lake, none left, bonus +10); "
            "Ben -4 (9 in the Lake, 4 left, -5 misdeal)",
        ),
        (
            HandRecorded(parse_hand("amy 3/5 ben 3/1"), ("the Lake holds 7 cards",)),
            "Hand 2: nobody called Nertz; Amy -7 (3 in the Lake, 5 left); Ben +1 (3 in the Lake, 1 left). "
            "Confirmed knowingly: the Lake holds 7 cards",
        ),
        (
            HandRecorded(parse_hand("amy =24! ben 3/0!")),
            "Hand 2: Amy and Ben called Nertz; Amy +24 (typed); Ben +8 (3 in the Lake, none left, bonus +5)",
        ),
        (
            HandRecorded(parse_hand("amy 14/0!10 ben 9/0!0")),
            "Hand 2: Amy and Ben called Nertz; Amy +24 (14 in the Lake, none left, bonus +10); "
            "Ben +9 (9 in the Lake, none left)",
        ),
        (
            HandCorrected(1, parse_hand("amy 14/0! ben 6/4 -5(misdeal)"), "the 9 was a 6"),
            "Hand 1 corrected (the 9 was a 6): Ben -7 (6 in the Lake, 4 left, -5 misdeal) instead of -4",
        ),
        (
            HandCorrected(1, parse_hand("amy 14/0 ben 9/4 -5(misdeal)"), "no call"),
            "Hand 1 corrected (no call): nobody called Nertz; Amy +14 (14 in the Lake, none left) instead of +24",
        ),
        (HandCorrected(1, HAND, "again"), "Hand 1 corrected (again): nothing changed"),
        (
            LastHandUndone("wrong table"),
            "Hand 1 undone (wrong table); it was: Amy called Nertz; Amy +24 (14 in the Lake, none left, bonus +10); "
            "Ben -4 (9 in the Lake, 4 left, -5 misdeal)",
        ),
        (DeckEnrolled(BEN, DeckId("blue"), ("s",)), "Ben showed its deck: blue"),
        (
            RulesChanged(Rules(bonus=5, target=50), "it is late"),
            "House rules changed (it is late): End: when somebody has 50 points or more at the end of a hand; "
            "most points win; Call: 5 points, shared by all callers",
        ),
        (RulesConfirmed(AMY), "Amy agreed to the house rules"),
        (SideJoined(TEAM), "Team joined (Cleo and Dan) with +7 points"),
        (SideJoined(Side(SideId("eve"), "Eve", "#009e73")), "Eve joined with 0 points"),
        (SideLeft(BEN, "the last bus"), "Ben left (the last bus)"),
        (SideReturned(BEN), "Ben came back"),
        (
            HandicapSet(BEN, Handicap(start=20, pile_size=10, per_hand=-2)),
            "Ben plays from +20 points, with a pile of 10 and with -2 points each hand",
        ),
        (HandicapSet(BEN, Handicap()), "Ben plays without a handicap"),
        (
            PartnersChanged(((AMY, ("Amy", "Dan")), (BEN, ("Ben", "Cleo")))),
            "Amy is now Amy and Dan; Ben is now Ben and Cleo",
        ),
        (PartnersChanged(((AMY, ()), (BEN, ("Ben", "Cleo")))), "Amy plays alone; Ben is now Ben and Cleo"),
        (ReadySaid(AMY), "Amy is ready"),
        (ReadySaid(AMY, ready=False), "Amy is not ready yet"),
        (HandBegun(), "Hand 2: Go!"),
        (
            TimeOutCalled(TimeOutReason.ACCIDENT, (AMY, BEN), "the lamp fell"),
            "Time-out for an accident between Amy and Ben (the lamp fell)",
        ),
        (TimeOutCalled(TimeOutReason.EMERGENCY), "Time-out for an emergency"),
        (TimeOutEnded(), "Time-out ended"),
        (NertzCalled(AMY), "Amy called Nertz: play stopped"),
        (CallVerified(AMY), "The call of Amy stands"),
        (CallRefused(AMY), "The call of Amy did not stand: play went on"),
        (CallRefused(AMY, 5), "The call of Amy did not stand, 5 points off: play went on"),
        (PenaltyGiven(BEN, -3, "late"), "Ben -3 in hand 2: late"),
        (StuckMoved(StuckMove.PASS, AMY), "Amy went through its Stream and found nothing"),
        (StuckMoved(StuckMove.PLAY), "A card was played: nobody is stuck any more"),
        (StuckMoved(StuckMove.BURN), "Everybody burnt the Stream"),
        (StuckMoved(StuckMove.NERTZ_BURN), "Everybody burnt a Nertz card"),
        (StuckMoved(StuckMove.TOP_CARD, BEN), "Ben moved its top card and waits"),
        (HandDisputed(1, "who called?"), "Hand 1 is disputed: who called?"),
        (DisputeSettled(1, "Amy did"), "The dispute about hand 1 is settled: Amy did"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_what_happened_in_words(event, text):
    assert describe(fold([START, HandRecorded(HAND)]), event) == text


def test_h5_a_removed_penalty_is_told_with_what_it_was():
    game = fold([START, PenaltyGiven(AMY, -2, "late"), PenaltyGiven(BEN, -3, "peeked")])
    assert describe(game, PenaltyRemoved(2)) == "Penalty removed: Ben -3 in hand 1: peeked"


def test_h5_a_correction_tells_which_penalty_fell():
    game = fold([START, PenaltyGiven(BEN, -3, "peeked"), HandRecorded(parse_hand("amy 14/0! ben 9/4"))])
    text = describe(game, HandCorrected(1, game.hands[0], "nobody peeked", removed=(1,)))
    assert text == "Hand 1 corrected (nobody peeked): Ben +1 (9 in the Lake, 4 left) instead of -2"


def test_h5_a_correction_tells_that_the_penalty_of_a_side_that_left_fell():
    eve = Side(SideId("eve"), "Eve", "#009e73")
    events = [SideJoined(eve), PenaltyGiven(eve.id, -3, "peeked"), SideLeft(eve.id), HandRecorded(HAND)]
    game = fold([START, *events])
    text = describe(game, HandCorrected(1, HAND, "nobody peeked", removed=(1,)))
    assert text == "Hand 1 corrected (nobody peeked): Eve 0 instead of -3"


def test_k19_where_hands_are_tallied_a_false_call_costs_hands_won():
    game = fold([GameStarted(START.sides, Rules(target=5, scoring=Scoring.HANDS)), NertzCalled(AMY)])
    assert describe(game, CallRefused(AMY, 1)) == "The call of Amy did not stand, 1 hand won off: play went on"


def test_the_start_names_sides_and_house_rules():
    assert describe(None, START) == "Game started: Amy and Ben, 13+10 to 100, x1 \N{MINUS SIGN}2"
    with pytest.raises(ValueError, match="HandBegun before the game started"):
        describe(None, HandBegun())


def test_penalties_and_handicaps_are_told_with_the_hand_they_count_in():
    per_hand = HandicapSet(BEN, Handicap(per_hand=2))
    game = fold([START, per_hand, CallRefused(AMY, 5)])
    assert describe(game, HandRecorded(parse_hand("amy 3/0! ben 1/0"))) == (
        "Hand 1: Amy called Nertz; Amy +8 (3 in the Lake, none left, bonus +10, -5 false call); "
        "Ben +3 (1 in the Lake, none left, +2 handicap)"
    )


def test_an_old_hand_is_told_by_the_rules_it_was_played_by():
    game = fold([START, HandRecorded(HAND), RulesChanged(Rules(nertz_penalty=1))])
    assert describe(game, LastHandUndone("twice")).endswith(
        "Amy +24 (14 in the Lake, none left, bonus +10); Ben -4 (9 in the Lake, 4 left, -5 misdeal)"
    )
    assert "Ben 0" in describe_hand(game, HAND)


def test_d7_a_hand_won_is_told_without_counts():
    game = fold([GameStarted(START.sides, Rules(target=3, scoring=Scoring.HANDS))])
    assert describe(game, HandRecorded(parse_hand("amy!"))) == "Hand 1: Amy called Nertz; Amy +1; Ben 0"


@pytest.mark.parametrize("name", ["Tom; Jerry", "Tom, Jerry", "Tom: Jerry"])
def test_a_name_with_marks_of_its_own_is_one_name_in_the_history(name):
    start = GameStarted(make_sides([name, "Ben"]), Rules())
    tom = start.sides[0].id
    assert describe(None, start).startswith(f"Game started: “{name}” and Ben, ")
    assert describe(fold([start]), HandRecorded(parse_hand(f"{tom} 3/0! ben 1/0"))) == (
        f"Hand 1: “{name}” called Nertz; “{name}” +3 (3 in the Lake, none left); Ben +1 (1 in the Lake, none left)"
    )
