"""A game goes into a file and comes back event by event; what is no such file is refused in one sentence."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.errors import GameFileError
from scorekeeper.rules.events import (
    DisputeSettled,
    Event,
    GameStarted,
    HandBegun,
    HandCorrected,
    HandDisputed,
    HandRecorded,
    LastHandUndone,
    NertzCalled,
    PenaltyGiven,
    ReadySaid,
    RulesChanged,
)
from scorekeeper.rules.fold import fold
from scorekeeper.rules.game import Game
from scorekeeper.rules.scoring import Adjustment, Hand, Rules, Tally, make_sides
from scorekeeper.rules.sheet import score_csv
from scorekeeper.store import Entry
from scorekeeper.store.transfer import DAMAGED, FOREIGN, NEWER, read_game, write_game

SIDES = make_sides(["Amy", "Ben", "Cleo"])
NOON = datetime(2026, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)
counts = st.integers(0, 39)
reasons = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=20)


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    """Counts of all three sides, any callers, perhaps a penalty."""
    tallies = tuple(Tally(side.id, draw(counts), draw(st.integers(0, 13))) for side in SIDES)
    callers = tuple(draw(st.sets(st.sampled_from([side.id for side in SIDES]))))
    extra = (Adjustment(SIDES[0].id, draw(st.integers(-9, 9)), draw(reasons)),) if draw(st.booleans()) else ()
    return Hand(tallies, callers, extra)


@st.composite
def evenings(draw: st.DrawFn) -> list[Event]:
    """A game as it can happen: hands with everything between and after them."""
    happened: list[Event] = [GameStarted(SIDES, Rules(target=0, rounds=1000, bonus=draw(st.integers(0, 20))))]
    number = 0
    for _ in range(draw(st.integers(0, 6))):
        if draw(st.booleans()):
            happened += [ReadySaid(SIDES[0].id), HandBegun(), NertzCalled(SIDES[1].id)]
            happened += [PenaltyGiven(SIDES[2].id, -3, draw(reasons))]
        happened, number = [*happened, HandRecorded(draw(hands()), (draw(reasons),))], number + 1
        after = draw(st.sampled_from(["nothing", "undo", "correct", "dispute", "rules"]))
        if after == "undo":
            happened, number = [*happened, LastHandUndone(draw(reasons))], number - 1
        elif after == "correct":
            happened.append(HandCorrected(number, draw(hands()), draw(reasons)))
        elif after == "dispute":
            happened += [HandDisputed(number, draw(reasons)), DisputeSettled(number, draw(reasons))]
        elif after == "rules":
            happened.append(RulesChanged(Rules(target=0, rounds=1000, bonus=100 + len(happened)), draw(reasons)))
    return happened


def entries_of(happened: list[Event]) -> list[Entry]:
    return [
        Entry(number, NOON + timedelta(seconds=number), "Pam" if number % 2 else "", f"tap-{number}", event)
        for number, event in enumerate(happened, 1)
    ]


@given(evenings())
def test_any_game_survives_its_file(happened):
    entries = entries_of(happened)
    text = write_game("tavokimu", entries)
    assert read_game(text) == ("tavokimu", entries)
    assert write_game(*read_game(text)) == text
    assert fold(entry.event for entry in entries) == fold(entry.event for entry in read_game(text)[1])


@pytest.fixture
def saved() -> str:
    hand = HandRecorded(Hand((Tally(SIDES[0].id, 9, 0), Tally(SIDES[1].id, 5, 2), Tally(SIDES[2].id, 4, 1))))
    return write_game("tavokimu", entries_of([GameStarted(SIDES, Rules()), hand]))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("13+10 to 150, x1 -2", id="a line of rules"),
        pytest.param("[]", id="a list"),
        pytest.param('{"format": "something else"}', id="another program's"),
        pytest.param("[" * 100_000, id="brackets without end"),
        pytest.param('"\\ud800"', id="half a letter"),
    ],
)
def test_a_foreign_file_is_refused(text):
    with pytest.raises(GameFileError) as refused:
        read_game(text)
    assert str(refused.value) == FOREIGN


@pytest.mark.parametrize("semicolon", [False, True])
def test_the_table_for_spreadsheets_is_no_game_and_is_said_to_be_one(semicolon):
    with pytest.raises(GameFileError, match="table for spreadsheets.* ends in .json"):
        read_game(score_csv(Game(SIDES, Rules()), semicolon=semicolon))


def changed(saved: str, **values: object) -> str:
    return json.dumps({**json.loads(saved), **values})


def test_a_file_of_a_newer_program_says_so(saved):
    with pytest.raises(GameFileError, match="newer Nertz Scorekeeper"):
        read_game(changed(saved, v=2))


def test_an_event_of_a_newer_program_says_so():
    from scorekeeper.store import transfer

    events = [{"at": "", "who": "", "request_id": "a", "kind": "moon-landed", "body": {"v": 1}}]
    head = {"format": transfer.FORMAT, "v": 1, "game": "tavokimu", "events": events}
    with pytest.raises(GameFileError) as refused:
        read_game(json.dumps({**head, "digest": transfer._digest(events)}))
    assert str(refused.value) == NEWER


@pytest.mark.parametrize("part", [0.2, 0.5, 0.9, 0.999])
def test_a_file_cut_short_is_damaged(saved, part):
    with pytest.raises(GameFileError) as refused:
        read_game(saved[: int(len(saved) * part) - 2])
    assert str(refused.value) == DAMAGED


@given(st.data())
def test_a_changed_digit_is_noticed(data):
    hand = HandRecorded(Hand((Tally(SIDES[0].id, 9, 0), Tally(SIDES[1].id, 5, 2), Tally(SIDES[2].id, 4, 1))))
    text = write_game("tavokimu", entries_of([GameStarted(SIDES, Rules()), hand]))
    start = text.index('"events"')
    places = [at for at, letter in enumerate(text) if at > start and letter.isdigit()]
    at = data.draw(st.sampled_from(places))
    with pytest.raises(GameFileError):
        read_game(f"{text[:at]}{(int(text[at]) + 1) % 10}{text[at + 1 :]}")


@pytest.mark.parametrize(
    "head",
    [
        pytest.param({"game": "../../etc"}, id="a name that is no word"),
        pytest.param({"game": 5}, id="a number for a name"),
        pytest.param({"events": []}, id="no events"),
        pytest.param({"events": None}, id="events that are none"),
        pytest.param({"digest": None}, id="no digest"),
    ],
)
def test_a_head_that_can_not_be_is_damaged(saved, head):
    with pytest.raises(GameFileError):
        read_game(changed(saved, **head))


@pytest.mark.parametrize(
    ("number", "values"),
    [
        pytest.param(0, {"at": "2026-05-01T12:00:00"}, id="a time without a zone"),
        pytest.param(0, {"at": "yesterday"}, id="no time"),
        pytest.param(0, {"who": "x" * 100}, id="a name too long"),
        pytest.param(0, {"request_id": ""}, id="no request id"),
        pytest.param(1, {"request_id": "tap-1"}, id="one request twice"),
        pytest.param(1, {"body": {"v": 1, "hand": 5}}, id="a hand that is none"),
        pytest.param(0, {"body": {"v": 1, "sides": [], "rules": {}}}, id="a game without sides"),
    ],
)
def test_an_event_that_can_not_be_is_damaged(saved, number, values):
    from scorekeeper.store import transfer

    data = json.loads(saved)
    data["events"][number] |= values
    data["digest"] = transfer._digest(data["events"])
    with pytest.raises(GameFileError) as refused:
        read_game(json.dumps(data))
    assert str(refused.value) == DAMAGED
