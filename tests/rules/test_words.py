"""History is told in the words of the table."""

from __future__ import annotations

import pytest

from scorekeeper.rules.game import (
    DeckEnrolled,
    GameStarted,
    HandCorrected,
    HandRecorded,
    LastHandUndone,
    fold,
)
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, SideId, make_sides
from scorekeeper.rules.words import describe

START = GameStarted(make_sides(["Amy", "Ben"]), Rules(bonus=10))
HAND = parse_hand("amy 14/0! ben 9/4 -5(misdeal)")


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
        (DeckEnrolled(SideId("ben"), DeckId("blue"), ("s",)), "Ben showed its deck: blue"),
    ],
)
def test_what_happened_in_words(event, text):
    assert describe(fold([START, HandRecorded(HAND)]), event) == text


def test_the_start_names_sides_and_house_rules():
    assert describe(None, START) == "Game started: Amy and Ben, 13+10 to 100, x1 -2"
