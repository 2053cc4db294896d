"""The file for spreadsheets: what each column says, and that the parts of a score add up to it."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.events import (
    Event,
    GameStarted,
    HandCorrected,
    HandDisputed,
    HandRecorded,
    PenaltyGiven,
    SideJoined,
    SideLeft,
)
from scorekeeper.rules.fold import fold
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import RULES_RANGES, Scoring
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Adjustment, Hand, Handicap, Rules, Side, SideId, Tally, Typed, make_sides
from scorekeeper.rules.sheet import CSV_COLUMNS, parts, score_csv

AMY, BEN, CID = SideId("amy"), SideId("ben"), SideId("cid")
PARTS = CSV_COLUMNS[CSV_COLUMNS.index("lake points") : CSV_COLUMNS.index("points")]
"""The columns whose sum is the points."""


def played(*hands: str, rules: Rules, sides: tuple[Side, ...] = make_sides(["Amy", "Ben"])) -> Game:
    return fold([GameStarted(sides, rules), *(HandRecorded(parse_hand(text)) for text in hands)])


def rows(game: Game, **style: bool) -> list[dict[str, str]]:
    """The lines of the file as a spreadsheet shows them."""
    text = score_csv(game, **style).removeprefix("\ufeff")
    return list(csv.DictReader(io.StringIO(text), delimiter=";" if style.get("semicolon") else ","))


def number(cell: str) -> Fraction:
    return Fraction(cell.replace(",", "."))


def exact(cell: str) -> Fraction:
    """``-3 1/3`` as it is meant."""
    whole, _, rest = cell.removeprefix("-").partition(" ")
    return (Fraction(whole) + Fraction(rest or 0)) * (-1 if cell.startswith("-") else 1)


def test_c20_a_spreadsheet_gets_a_line_for_each_side_of_each_hand():
    game = played("amy 14/0! ben 9/3 -5(misdeal)", "amy =3 ben =8!", rules=Rules(bonus=10))
    assert score_csv(game).removeprefix("\ufeff").splitlines() == [
        "hand,side,people,called,lake,left,"
        "lake points,left points,rank points,typed points,bonus,penalties,handicap,points,"
        "start,total,exact points,exact total,disputed",
        "1,Amy,Amy,yes,14,0,14,0,0,0,10,0,0,24,0,24,24,24,",
        "1,Ben,Ben,,9,3,9,-6,0,0,0,-5,0,-2,0,-2,-2,-2,",
        "2,Amy,Amy,,,,0,0,0,3,0,0,0,3,0,27,3,27,",
        "2,Ben,Ben,yes,,,0,0,0,8,0,0,0,8,0,6,8,6,",
    ]


@pytest.mark.parametrize(
    ("rules", "hand", "amy"),
    [
        pytest.param(
            Rules(lake_value=2, nertz_penalty=3), "amy 14/2 ben 9/0!",
            {"lake": "14", "left": "2", "lake points": "28", "left points": "-6", "points": "22"},
            id="C11 other weights",
        ),
        pytest.param(
            Rules(rank_extras=((1, 2), (13, -5))), "amy 9/0!{3xA 1xK} ben 0/0",
            {"lake points": "9", "rank points": "1", "points": "10"}, id="C11 ranks worth extra",
        ),
        pytest.param(
            Rules(scoring=Scoring.LEFTOVERS), "amy 0/0! ben 0/7",
            {"lake": "", "left": "0", "left points": "7", "points": "7"}, id="J5 what the other has left",
        ),
        pytest.param(
            Rules(scoring=Scoring.FOUNDATION), "amy 40/0 ben 9/0",
            {"lake": "40", "left": "", "lake points": "40", "points": "40"}, id="J5 foundations",
        ),
        pytest.param(
            Rules(target=5, scoring=Scoring.HANDS), "amy! -1(late) ben!",
            {"lake": "", "left": "", "bonus": "0.5", "penalties": "-1", "points": "-0.5", "exact points": "-0 1/2"},
            id="K19 half a hand won, and one taken off",
        ),
        pytest.param(
            Rules(jokers=2), "amy 54/0! ben 0/0", {"lake": "54", "lake points": "54", "points": "54"}, id="I3 jokers"
        ),
        pytest.param(
            Rules(bonus=10), "amy =-5/2 ben =12!",
            {"typed points": "-2.5", "bonus": "0", "points": "-2.5", "exact points": "-2 1/2"}, id="C17 a typed score",
        ),
    ],
)  # fmt: skip
def test_c20_each_way_to_score_fills_its_own_columns(rules, hand, amy):
    row = rows(played(hand, rules=rules))[0]
    assert {name: row[name] for name in amy} == amy
    assert sum(number(row[name]) for name in PARTS) == number(row["points"])


def test_c20_c10_thirds_of_a_bonus_are_numbers_a_spreadsheet_adds():
    sides = make_sides(["Amy", "Ben", "Cid"])
    game = played(
        "amy 10/0! ben 1/0! cid 4/0!", "amy 0/1 ben 0/0 cid 0/0", rules=Rules(target=150, bonus=10), sides=sides
    )
    lines = rows(game)
    assert [line["points"] for line in lines[:3]] == ["13.3333333333", "4.3333333333", "7.3333333333"]
    assert [line["exact points"] for line in lines[:3]] == ["13 1/3", "4 1/3", "7 1/3"]
    assert (lines[3]["total"], lines[3]["exact total"]) == ("11.3333333333", "11 1/3")
    assert round(float(sum(number(line["bonus"]) for line in lines)), 6) == 10


def test_c20_the_parts_of_handicaps_penalties_and_starts_have_columns():
    amy = Side(AMY, "Amy", "#0072b2", members=("Ann", "Al"), handicap=Handicap(start=20, per_hand=2))
    ben = Side(BEN, "Ben", "#d55e00")
    events = [PenaltyGiven(BEN, -5, "peeked"), HandRecorded(parse_hand("amy 9/0! ben 4/0 +3(kind)"))]
    first, second = rows(fold([GameStarted((amy, ben), Rules()), *events]))
    assert (first["people"], first["handicap"], first["points"], first["start"], first["total"]) == (
        "Ann, Al", "2", "11", "20", "31"
    )  # fmt: skip
    assert (second["penalties"], second["points"], second["total"]) == ("-2", "2", "2")


def test_c20_h5_who_was_penalised_and_left_has_a_line():
    events = [PenaltyGiven(CID, -5, "peeked"), SideLeft(CID), HandRecorded(parse_hand("amy 9/0! ben 4/0"))]
    last = rows(fold([GameStarted(make_sides(["Amy", "Ben", "Cid"]), Rules()), *events]))[-1]
    assert (last["side"], last["lake"], last["penalties"], last["points"], last["total"]) == (
        "Cid",
        "",
        "-5",
        "-5",
        "-5",
    )


@pytest.mark.parametrize("semicolon", [False, True])
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        pytest.param("=1+1", "'=1+1", id="a formula"),
        pytest.param("+1", "'+1", id="a plus"),
        pytest.param("@sum", "'@sum", id="an at"),
        pytest.param("Amy; Ben", "Amy; Ben", id="a semicolon"),
        pytest.param('Amy "the, Ace"', 'Amy "the, Ace"', id="a comma and quotes"),
        pytest.param("Zoë 力", "Zoë 力", id="letters from elsewhere"),
    ],
)
def test_c20_a_name_is_only_a_name_in_a_spreadsheet(semicolon, name, shown):
    sides = (Side(AMY, name, "#0072b2"), Side(BEN, "Ben", "#d55e00"))
    line = rows(played("amy 1/0! ben 0/0", rules=Rules(), sides=sides), semicolon=semicolon)[0]
    assert (line["side"], line["people"], line["lake"], line["total"]) == (shown, shown, "1", "1")


@pytest.mark.parametrize("semicolon", [False, True])
def test_c20_h7_what_is_doubted_stays_one_cell(semicolon):
    doubts = [HandRecorded(parse_hand("amy 1/0! ben 0/0")), HandDisputed(1, "=who; called, then?")]
    line = rows(fold([GameStarted(make_sides(["Amy", "Ben"]), Rules()), *doubts]), semicolon=semicolon)[0]
    assert (line["total"], line["disputed"]) == ("1", "'=who; called, then?")


def test_c20_a_european_spreadsheet_gets_semicolons_and_decimal_commas():
    game = played("amy 10/0! ben 1/0!", rules=Rules(bonus=5))
    text = score_csv(game, semicolon=True)
    assert text.startswith("\ufeffhand;side;people;called;")
    assert text.splitlines()[1] == "1;Amy;Amy;yes;10;0;10;0;0;0;2,5;0;0;12,5;0;12,5;12 1/2;12 1/2;"


def test_c20_the_file_says_that_it_is_utf_8():
    assert score_csv(played(rules=Rules())).encode()[:3] == b"\xef\xbb\xbf"


# Any game


small = st.integers(-9, 9)
thirds = st.builds(Fraction, st.integers(-40, 40), st.integers(1, 7))
sides = st.builds(
    lambda handicaps: tuple(
        Side(SideId(name.lower()), name, "#0072b2", handicap=handicap)
        for name, handicap in zip(["Amy", "Ben", "Cid"], handicaps, strict=True)
    ),
    st.tuples(*[st.builds(Handicap, small, st.none(), small)] * 3),
)
house = st.sampled_from(Scoring).flatmap(
    lambda scoring: st.builds(
        Rules,
        target=st.just(RULES_RANGES["target"][1]),
        lake_value=st.integers(1, 3),
        nertz_penalty=st.integers(0, 3),
        bonus=st.just(0) if scoring is Scoring.HANDS else st.integers(0, 20),
        rank_extras=st.just(()) if scoring is Scoring.HANDS else st.sampled_from([(), ((1, 2),), ((1, 2), (13, -5))]),
        scoring=st.just(scoring),
    )
)


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    """Counts or typed scores of three sides, with callers, votes and penalties."""
    counted = {side: draw(st.booleans()) for side in (AMY, BEN, CID)}
    tallies = [
        Tally(side, draw(st.integers(0, 52)), draw(st.integers(0, 13)), ((1, draw(st.integers(0, 4))),))
        for side, cards in counted.items()
        if cards
    ]
    typed = [Typed(side, draw(thirds)) for side, cards in counted.items() if not cards]
    callers = draw(st.lists(st.sampled_from([AMY, BEN, CID]), unique=True))
    voted = draw(st.booleans())
    shares = [(side, draw(thirds)) for side in callers if voted]
    given = draw(st.lists(st.builds(Adjustment, st.sampled_from([AMY, BEN, CID]), small, st.just("why")), max_size=3))
    return Hand(tuple(tallies), tuple(callers), tuple(given), tuple(shares), tuple(typed))


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Some hands, penalties while they were played, a correction, and somebody who joins before the last hand."""
    events: list[Event] = [GameStarted(draw(sides), draw(house))]
    for _ in range(draw(st.integers(1, 3))):
        penalties = draw(st.lists(st.tuples(st.sampled_from([AMY, BEN, CID]), st.integers(1, 9)), max_size=2))
        events += [PenaltyGiven(side, -points, "peeked") for side, points in penalties]
        events.append(HandRecorded(draw(hands())))
    if draw(st.booleans()):
        removed = (1,) if fold(events).played[0].penalties else ()
        events.append(HandCorrected(1, draw(hands()), "counted anew", removed=removed))
    if draw(st.booleans()):
        events += [PenaltyGiven(CID, -3, "peeked"), SideLeft(CID)]
        events.append(SideJoined(Side(SideId("dan"), "Dan", "#cc79a7", handicap=Handicap(start=draw(small)))))
        events.append(HandRecorded(parse_hand("amy 3/1 ben 4/0! dan 5/0")))
    return fold(events)


@given(games())
def test_c20_the_parts_of_every_score_make_the_score(game):
    for hand in game.played:
        made_of = parts(hand)
        assert {side: each.points for side, each in made_of.items()} == {
            side: hand.points.get(side, 0) for side in made_of
        }
        assert set(hand.points) <= set(made_of)


@given(games(), st.booleans())
def test_c20_the_columns_of_any_game_add_up(game, semicolon):
    lines = rows(game, semicolon=semicolon)
    for line in lines:
        rounded = sum(number(line[name]) for name in PARTS)
        assert abs(rounded - exact(line["exact points"])) < Fraction(1, 10**9)
        assert abs(number(line["points"]) - exact(line["exact points"])) < Fraction(1, 10**9)
    for side in game.sides:
        own = [line for line in lines if line["side"] == side.name]
        gained = sum((exact(line["exact points"]) for line in own), Fraction(0))
        assert gained == game.totals[side.id] - side.handicap.start
        assert all(exact(line["exact total"]) == number(line["start"]) + sum_to(own, at) for at, line in enumerate(own))


def sum_to(lines: list[dict[str, str]], last: int) -> Fraction:
    return sum((exact(line["exact points"]) for line in lines[: last + 1]), Fraction(0))
