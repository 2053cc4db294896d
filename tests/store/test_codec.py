"""Events survive being written as JSON, and what is not understood is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.errors import StoreError
from scorekeeper.rules import events as events_of
from scorekeeper.rules.events import DeckEnrolled, GameStarted, HandCorrected, HandRecorded, LastHandUndone
from scorekeeper.rules.house import Deal, EmptySlot, Partnership, Play, Scoring, StuckTable, Words
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.said import say
from scorekeeper.rules.scoring import (
    PATTERNS,
    RULES_RANGES,
    Adjustment,
    Hand,
    Handicap,
    Rules,
    Side,
    Tally,
    Typed,
    make_sides,
    side_id,
)
from scorekeeper.store.codec import KINDS, decode, encode

anything = st.text(max_size=30)
names = st.text(max_size=30).filter(lambda name: name.isprintable() and bool(name.strip())).map(str.strip)
side_ids = anything.map(side_id)
handicaps = st.builds(
    Handicap, st.integers(-100_000, 100_000), st.none() | st.integers(1, 48), st.integers(-100_000, 100_000)
)
sides = st.builds(
    Side,
    side_ids,
    names,
    st.from_regex(r"#[0-9a-f]{6}", fullmatch=True),
    st.none() | names.map(DeckId),
    st.sampled_from(PATTERNS),
    st.just(()) | st.lists(names, max_size=3).map(tuple),
    st.just(Handicap()) | handicaps,
)
ranges = {**RULES_RANGES, "pile_size": (1, 45), "bonus": (0, 0)}
plays = st.builds(Play, river=st.integers(3, 7), deal=st.sampled_from(Deal), stacking=st.booleans())
any_rules = st.builds(
    Rules,
    **{name: st.integers(low, high) for name, (low, high) in ranges.items()},
    scoring=st.sampled_from([Scoring.POINTS, Scoring.LEFTOVERS]),
    rank_extras=st.dictionaries(st.integers(1, 13), st.integers(1, 9), max_size=2).map(
        lambda extras: (*extras.items(),)
    ),
    partnership=st.sampled_from(Partnership),
    play=st.just(Play()) | plays,
    note=st.sampled_from(["", "Turn left.\nNo “phones”."]),
) | st.sampled_from([preset.rules for preset in PRESETS.values()])
ranks = st.dictionaries(st.integers(1, 13), st.integers(), max_size=2).map(lambda found: (*found.items(),))
tallies = st.builds(Tally, side_ids, st.integers(), st.integers(), ranks)
adjustments = st.builds(Adjustment, side_ids, st.integers(), anything)


def tuples(of: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(of, max_size=4).map(tuple)


points = st.fractions(-(10**9), 10**9, max_denominator=10**9)
shares = st.tuples(side_ids, points)
hands = st.builds(
    Hand, tuples(tallies), tuples(side_ids), tuples(adjustments), tuples(shares),
    tuples(st.builds(Typed, side_ids, points)),
)  # fmt: skip
some_side = st.none() | side_ids
events = st.one_of(
    st.builds(GameStarted, tuples(sides), any_rules),
    st.builds(DeckEnrolled, side_ids, anything.map(DeckId), tuples(anything)),
    st.builds(HandRecorded, hands, tuples(anything)),
    st.builds(HandCorrected, st.integers(), hands, anything, tuples(anything), tuples(st.integers())),
    st.builds(LastHandUndone, anything),
    st.builds(events_of.RulesChanged, any_rules, anything),
    st.builds(events_of.RulesConfirmed, side_ids),
    st.builds(events_of.SideJoined, sides),
    st.builds(events_of.SideLeft, side_ids, anything),
    st.builds(events_of.SideReturned, side_ids),
    st.builds(events_of.SideRenamed, side_ids, anything),
    st.builds(events_of.SideRestyled, side_ids, anything, anything),
    st.builds(events_of.SeatsChanged, tuples(side_ids)),
    st.builds(events_of.HandicapSet, side_ids, handicaps),
    st.builds(events_of.PartnersChanged, tuples(st.tuples(side_ids, tuples(anything)))),
    st.builds(events_of.ReadySaid, side_ids, st.booleans()),
    st.builds(events_of.HandBegun),
    st.builds(events_of.TimeOutCalled, st.sampled_from(events_of.TimeOutReason), tuples(side_ids), anything),
    st.builds(events_of.TimeOutEnded),
    st.builds(events_of.NertzCalled, side_ids, st.none() | st.integers(), st.integers()),
    st.builds(events_of.CallVerified, side_ids),
    st.builds(events_of.CallRefused, side_ids, st.integers(), st.booleans()),
    st.builds(events_of.PenaltyGiven, side_ids, st.integers(), anything),
    st.builds(events_of.PenaltyRemoved, st.integers()),
    st.builds(events_of.StuckMoved, st.sampled_from(events_of.StuckMove), some_side),
    st.builds(events_of.HandDisputed, st.integers(), anything),
    st.builds(events_of.DisputeSettled, st.integers(), anything),
)


def test_every_kind_of_event_can_be_written():
    assert set(KINDS) == set(get_args(events_of.Event))
    assert len({*KINDS.values()}) == len(KINDS)


@given(events)
def test_any_event_survives_the_log(event):
    kind, body = encode(event)
    assert decode(kind, body) == event
    assert body.isascii()
    assert json.loads(body)["v"] in (1, 2)


@pytest.mark.parametrize(
    ("kind", "body", "event"),
    [
        pytest.param(
            "game-started",
            '{"v":1,"sides":[{"id":"amy","name":"Amy","color":"#0072b2","deck":null,"pattern":"solid"},'
            '{"id":"ben","name":"Ben","color":"#d55e00","deck":null,"pattern":"dash"}],'
            '"rules":{"target":100,"lake_value":1,"nertz_penalty":2,"bonus":0,"pile_size":13,"jokers":0}}',
            GameStarted(make_sides(["Amy", "Ben"]), Rules()),
            id="game-started 1",
        ),
        pytest.param(
            "deck-enrolled",
            '{"v":1,"side":"amy","deck":"red","signatures":["abc"]}',
            DeckEnrolled(side_id("amy"), DeckId("red"), ("abc",)),
            id="deck-enrolled 1",
        ),
        pytest.param(
            "hand-recorded",
            '{"v":1,"hand":{"tallies":[["amy",14,0],["ben",9,4]],"callers":["amy"],'
            '"adjustments":[["ben",-5,"misdeal"]]},"doubts":["one card"]}',
            HandRecorded(parse_hand("amy 14/0! ben 9/4 -5(misdeal)"), ("one card",)),
            id="hand-recorded 1",
        ),
        pytest.param(
            "hand-recorded",
            '{"v":2,"hand":{"tallies":[["amy",14,0]],"callers":[],"adjustments":[]},"doubts":["one card","3 aces"],'
            '"said":[null,{"message":"%(num)s aces","many":"","values":{"num":3}}]}',
            HandRecorded(parse_hand("amy 14/0"), ("one card", say("%(num)s aces", num=3))),
            id="hand-recorded 2, doubts that know how they were made",
        ),
        pytest.param(
            "hand-corrected",
            '{"v":1,"number":2,"hand":{"tallies":[["amy",1,2]],"callers":[],"adjustments":[]},'
            '"reason":"a 9 was a 6","doubts":[]}',
            HandCorrected(2, parse_hand("amy 1/2"), "a 9 was a 6"),
            id="hand-corrected 1",
        ),
        pytest.param(
            "hand-corrected",
            '{"v":2,"number":2,"hand":{"tallies":[["amy",1,2]],"callers":[],"adjustments":[]},'
            '"reason":"a 9 was a 6","doubts":[],"removed":[1,3]}',
            HandCorrected(2, parse_hand("amy 1/2"), "a 9 was a 6", removed=(1, 3)),
            id="hand-corrected 2, penalties removed",
        ),
        pytest.param(
            "call-refused",
            '{"v":1,"side":"ben","penalty":5}',
            events_of.CallRefused(side_id("ben"), 5),
            id="call-refused 1",
        ),
        pytest.param(
            "call-refused",
            '{"v":2,"side":"ben","penalty":0,"second":true}',
            events_of.CallRefused(side_id("ben"), second=True),
            id="call-refused 2, it was second",
        ),
        pytest.param("penalty-removed", '{"v":1,"number":2}', events_of.PenaltyRemoved(2), id="penalty-removed 1"),
        pytest.param(
            "game-started",
            '{"v":2,"sides":[{"id":"team","name":"Team","color":"#0072b2","deck":"red","pattern":"solid",'
            '"members":["Cleo","Dan"],"handicap":{"start":5,"pile_size":null,"per_hand":0}}],'
            '"rules":{"target":0,"lake_value":1,"nertz_penalty":2,"bonus":0,"pile_size":13,"jokers":0,"rounds":6,'
            '"rank_extras":[[1,2]],"partnership":"doubles","play":{"river":5,"empty_slot":"nertz-card"}}}',
            GameStarted(
                (
                    Side(
                        side_id("team"),
                        "Team",
                        "#0072b2",
                        DeckId("red"),
                        members=("Cleo", "Dan"),
                        handicap=Handicap(start=5),
                    ),
                ),
                Rules(
                    target=0,
                    rounds=6,
                    rank_extras=((1, 2),),
                    partnership=Partnership.DOUBLES,
                    play=Play(river=5, empty_slot=EmptySlot.NERTZ),
                ),
            ),
            id="game-started 2",
        ),
        pytest.param(
            "game-started",
            '{"v":2,"sides":[],"rules":{"target":250,"lake_value":1,"nertz_penalty":2,"bonus":0,"pile_size":11,'
            '"jokers":0,"play":{"share_piles":false},"words":"nuts"}}',
            GameStarted((), Rules(target=250, pile_size=11, play=Play(share_piles=False), words=Words.NUTS)),
            id="game-started 2 by the Nuts of before layouts",
        ),
        pytest.param(
            "game-started",
            '{"v":2,"sides":[],"rules":{"target":250,"lake_value":1,"nertz_penalty":2,"bonus":0,"pile_size":11,'
            '"jokers":0,"play":{"river":5,"share_piles":false},"words":"nuts","layout":"as-nuts",'
            '"note":"Turn left.\\nNo phones."}}',
            GameStarted((), replace(PRESETS["nuts"].rules, note="Turn left.\nNo phones.")),
            id="game-started 2 by Nuts, with a note",
        ),
        pytest.param(
            "rules-changed",
            '{"v":1,"rules":{"target":100,"lake_value":1,"nertz_penalty":2,"bonus":0,"pile_size":13,"jokers":0,'
            '"calls_break_ties":false,"play":{"stuck":"hand-ends"}},"reason":"as agreed"}',
            events_of.RulesChanged(Rules(calls_break_ties=False, play=Play(stuck=StuckTable.HAND_ENDS)), "as agreed"),
            id="D4 F8 rules that came later",
        ),
        pytest.param(
            "hand-recorded",
            '{"v":2,"hand":{"tallies":[["amy",14,0,[[1,3]]]],"callers":["amy"],"adjustments":[],'
            '"shares":[["amy","7/2"]],"typed":[["ben","9"]]},"doubts":[]}',
            HandRecorded(parse_hand("amy 14/0!7/2{3xA} ben =9")),
            id="hand-recorded 2",
        ),
        pytest.param(
            "time-out-called",
            '{"v":1,"reason":"accident","sides":["amy","ben"],"note":""}',
            events_of.TimeOutCalled(events_of.TimeOutReason.ACCIDENT, (side_id("amy"), side_id("ben"))),
            id="time-out-called 1",
        ),
        pytest.param(
            "stuck-moved",
            '{"v":1,"move":"burn","side":null}',
            events_of.StuckMoved(events_of.StuckMove.BURN),
            id="stuck-moved 1",
        ),
        pytest.param("last-hand-undone", '{"v":1,"reason":"twice"}', LastHandUndone("twice"), id="last-hand-undone 1"),
    ],
)
def test_what_was_ever_written_stays_readable(kind, body, event):
    assert decode(kind, body) == event
    assert encode(event) == (kind, body)


@pytest.mark.parametrize(
    ("kind", "body"),
    [("hand-burnt", '{"v":1}'), ("hand-recorded", '{"v":3,"cards":[]}')],
)
def test_an_event_of_a_newer_program_asks_for_an_update(kind, body):
    with pytest.raises(StoreError, match=f"does not know the event '{kind}' version .* update this one"):
        decode(kind, body)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "null",
        "[]",
        "{}",
        '{"v":1}',
        '{"v":[]}',
        '{"v":1,"hand":{"tallies":[["amy",1]]}}',
        '{"v":1,"hand":7,"doubts":[]}',
        '{"v":2,"hand":{"tallies":[],"callers":[],"adjustments":[]},"doubts":["a","b"],"said":[null]}',
        '{"v":2,"hand":{"tallies":[],"callers":[],"adjustments":[]},"doubts":["a"],"said":[{"message":"%(a)99s"}]}',
    ],
)
def test_a_damaged_event_asks_for_the_copy(body):
    with pytest.raises(StoreError, match="a 'hand-recorded' event can't be read .* restore the database from a copy"):
        decode("hand-recorded", body)
