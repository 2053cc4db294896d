"""Events survive being written as JSON, and what is not understood is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.errors import StoreError
from scorekeeper.rules.game import DeckEnrolled, GameStarted, HandCorrected, HandRecorded, LastHandUndone
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import (
    PATTERNS,
    RULES_RANGES,
    Adjustment,
    Hand,
    Rules,
    Side,
    Tally,
    make_sides,
    side_id,
)
from scorekeeper.store.codec import decode, encode

anything = st.text(max_size=30)
names = st.text(max_size=30).filter(lambda name: name.isprintable() and bool(name.strip())).map(str.strip)
side_ids = anything.map(side_id)
sides = st.builds(
    Side,
    side_ids,
    names,
    st.from_regex(r"#[0-9a-f]{6}", fullmatch=True),
    st.none() | names.map(DeckId),
    st.sampled_from(PATTERNS),
)
any_rules = st.builds(Rules, **{name: st.integers(low, high) for name, (low, high) in RULES_RANGES.items()})
tallies = st.builds(Tally, side_ids, st.integers(), st.integers())
adjustments = st.builds(Adjustment, side_ids, st.integers(), anything)


def tuples(of: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(of, max_size=4).map(tuple)


hands = st.builds(Hand, tuples(tallies), tuples(side_ids), tuples(adjustments))
events = st.one_of(
    st.builds(GameStarted, tuples(sides), any_rules),
    st.builds(DeckEnrolled, side_ids, anything.map(DeckId), tuples(anything)),
    st.builds(HandRecorded, hands, tuples(anything)),
    st.builds(HandCorrected, st.integers(), hands, anything, tuples(anything)),
    st.builds(LastHandUndone, anything),
)


@given(events)
def test_any_event_survives_the_log(event):
    kind, body = encode(event)
    assert decode(kind, body) == event
    assert body.isascii()
    assert json.loads(body)["v"] == 1


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
            "hand-corrected",
            '{"v":1,"number":2,"hand":{"tallies":[["amy",1,2]],"callers":[],"adjustments":[]},'
            '"reason":"a 9 was a 6","doubts":[]}',
            HandCorrected(2, parse_hand("amy 1/2"), "a 9 was a 6"),
            id="hand-corrected 1",
        ),
        pytest.param("last-hand-undone", '{"v":1,"reason":"twice"}', LastHandUndone("twice"), id="last-hand-undone 1"),
    ],
)
def test_what_was_ever_written_stays_readable(kind, body, event):
    assert decode(kind, body) == event
    assert encode(event) == (kind, body)


@pytest.mark.parametrize(
    ("kind", "body"),
    [("hand-burnt", '{"v":1}'), ("hand-recorded", '{"v":2,"cards":[]}')],
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
    ],
)
def test_a_damaged_event_asks_for_the_copy(body):
    with pytest.raises(StoreError, match="a 'hand-recorded' event can't be read .* restore the database from a copy"):
        decode("hand-recorded", body)
