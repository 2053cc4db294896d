"""Who can sit down together: numbers, names, teams of one to three, and handicaps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorekeeper.errors import RulesError
from scorekeeper.rules.events import GameStarted, PartnersChanged, SideJoined, SideLeft
from scorekeeper.rules.fold import apply, fold
from scorekeeper.rules.house import Partnership, Play, Rules, Scoring
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.scoring import Handicap, Side, SideId
from scorekeeper.rules.table import check_sides, most_left, pile_of


def side(name: str, *members: str, **more: object) -> Side:
    return Side(SideId(name.lower()), name, "#0072b2", members=members, **more)


AMY, BEN, CLEO = side("Amy"), side("Ben"), side("Cleo")
SMITHS, ROSSIS = side("Smiths", "Zoe", "Yan"), side("Rossis", "Ada", "Bea", "Cid")
MILLERS = side("Millers", "Max", "Mia")
NUTS, PISHE_PASHA = PRESETS["nuts"].rules, PRESETS["pishe-pasha"].rules


@pytest.mark.parametrize(
    ("sides", "rules", "found"),
    [
        pytest.param([AMY, BEN], Rules(), [], id="A2 two players are two sides"),
        pytest.param([SMITHS, ROSSIS, AMY], Rules(), [], id="A3 A4 a team of two, one of three, and a single"),
        pytest.param([AMY], Rules(scoring=Scoring.FOUNDATION), [], id="J5 one plays Canfield"),
        pytest.param([], Rules(scoring=Scoring.FOUNDATION), ["sides"], id="J5 nobody plays Canfield"),
        pytest.param([AMY], Rules(), ["sides"], id="K1 one side alone"),
        pytest.param([side("A", "Zoe"), side("B", "zoe")], Rules(), ["K15"], id="A2 K15 a person plays for one side"),
        pytest.param([side("A", "Zoe", "ZOE"), BEN], Rules(), ["K15"], id="A3 K15 one person twice in a team"),
        pytest.param([side("A", "Zoe", "amy"), AMY], Rules(), ["K15"], id="A2 K15 in a team and alone"),
        pytest.param([side("Ren\u00e9"), side("Rene\u0301")], Rules(), ["K15"], id="K15 an accent in two ways"),
        pytest.param([SMITHS, AMY, BEN], Rules(partnership=Partnership.SINGLES), ["A5 smiths"], id="A5 singles only"),
        pytest.param([SMITHS, AMY], Rules(partnership=Partnership.DOUBLES), [], id="A4 an odd player out plays alone"),
        pytest.param([SMITHS, AMY, BEN], Rules(partnership=Partnership.DOUBLES), ["A5"], id="A5 two odd players"),
        pytest.param(
            [SMITHS, ROSSIS], Rules(partnership=Partnership.MIXED_DOUBLES), ["A5 rossis"], id="A5 three in doubles"
        ),
        pytest.param(
            [AMY, side("Ben", handicap=Handicap(start=100))], Rules(), ["H6 ben"], id="H6 nobody starts as the winner"
        ),
        pytest.param([AMY, side("Ben", handicap=Handicap(start=99))], Rules(), [], id="H6 one point short"),
        pytest.param([AMY, side("Ben", handicap=Handicap(pile_size=48))], Rules(), [], id="H6 B4 the largest pile"),
        pytest.param(
            [AMY, BEN] * 4, Rules(partnership=Partnership.SINGLES), ["sides"] * 2 + ["K15"] * 2,
            id="A1 eight sides are no hint, but names are doubled",
        ),
        pytest.param(
            [AMY, side("Ben", handicap=Handicap(start=500))], Rules(target=0, rounds=3), [], id="H6 D6 without a target"
        ),
        pytest.param(
            [AMY, side("Ben", handicap=Handicap(pile_size=48))], Rules(play=Play(river=5)), ["H6 ben"],
            id="H6 B4 a pile that leaves no River",
        ),
        pytest.param([SMITHS, MILLERS], NUTS, [], id="J1 two pairs play Nuts"),
        pytest.param([SMITHS, AMY], NUTS, [], id="J1 a pair may go by one name"),
        pytest.param([SMITHS, side("Solo", "Zed")], NUTS, ["J1 solo"], id="J1 a pair and a single are no game of Nuts"),
        pytest.param([SMITHS, ROSSIS], NUTS, ["J1 rossis"], id="J1 three are no pair"),
        pytest.param([SMITHS], NUTS, ["sides"], id="J1 one pair alone"),
        pytest.param([SMITHS, MILLERS, side("O", "X", "Y")], NUTS, ["sides"], id="J1 three pairs"),
        pytest.param(
            [replace(SMITHS, handicap=Handicap(pile_size=38)), MILLERS], NUTS, ["H6 smiths"], id="H6 J2 no columns left"
        ),
        pytest.param(
            [replace(SMITHS, handicap=Handicap(pile_size=37)), MILLERS], NUTS, [], id="H6 J2 all but the columns"
        ),
        pytest.param([AMY, BEN], PISHE_PASHA, [], id="J5 two play Pishe Pasha"),
        pytest.param([AMY, BEN, CLEO], PISHE_PASHA, ["sides"], id="J5 three don't play Pishe Pasha"),
        pytest.param(
            [AMY, side("Ben", handicap=Handicap(pile_size=27))], PISHE_PASHA, ["H6 ben"], id="H6 J5 over half a deck"
        ),
        pytest.param([AMY, BEN], PRESETS["double-solitaire"].rules, [], id="J5 two play Double Solitaire"),
        pytest.param([AMY], PRESETS["double-solitaire"].rules, ["sides"], id="J5 one doesn't"),
        pytest.param([AMY], PRESETS["canfield"].rules, [], id="J5 one plays Canfield as it is dealt"),
        pytest.param([AMY, BEN], PRESETS["canfield"].rules, ["sides"], id="J5 two don't play Canfield"),
    ],
)  # fmt: skip
def test_who_can_play_together(sides, rules, found):
    problems = check_sides(sides, rules)
    assert [f"{problem.kind} {problem.where or ''}".strip() for problem in problems] == found
    assert all(problem.blocking for problem in problems)


SIX = [side(name) for name in ("Amy", "Ben", "Cleo", "Dan", "Eve", "Fay")]


@pytest.mark.parametrize(
    ("sides", "rules", "hints"),
    [
        pytest.param(SIX[:5], Rules(), [], id="A1 five play alone"),
        pytest.param(SIX, Rules(), ["6 people play alone: consider pairs that share a deck"], id="A1 six do in pairs"),
        pytest.param([SMITHS, *SIX[1:]], Rules(), [], id="A1 A3 a team and five"),
        pytest.param(SIX, Rules(partnership=Partnership.SINGLES), [], id="A1 A5 six who want to play alone"),
    ],
)
def test_from_six_players_on_pairs_are_suggested(sides, rules, hints):
    problems = check_sides(sides, rules)
    assert [problem.text for problem in problems] == hints
    assert not any(problem.blocking for problem in problems)


@pytest.mark.parametrize(
    ("values", "reasons"),
    [
        pytest.param({"start": 2.5, "per_hand": 200_000}, ["starting score", "handicap for each"], id="H6 both wrong"),
        pytest.param({"pile_size": 0}, ["1 to 48 cards"], id="H6 no pile"),
        pytest.param({"pile_size": 49}, ["1 to 48 cards"], id="H6 B1 a pile too large"),
        pytest.param({"start": -100_000, "pile_size": 48, "per_hand": 100_000}, [], id="H6 the largest"),
        pytest.param({"start": True}, ["starting score"], id="H6 a start of yes"),
    ],
)
def test_a_handicap_that_cannot_be_is_refused(values, reasons):
    if not reasons:
        Handicap(**values)
        return
    with pytest.raises(RulesError) as refusal:
        Handicap(**values)
    found = str(refusal.value).split("; ")
    assert len(found) == len(reasons)
    assert all(reason in text for reason, text in zip(reasons, found, strict=True))


def test_h6_a_pile_of_ones_own_counts_for_that_side():
    assert pile_of(AMY, Rules()) == 13
    assert pile_of(side("Ben", handicap=Handicap(pile_size=10)), Rules()) == 10


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        pytest.param(Rules(), "two or more sides", id="K1 two are needed"),
        pytest.param(Rules(scoring=Scoring.FOUNDATION), "a player", id="J5 one is needed"),
    ],
)
def test_an_empty_table_is_told_how_many_are_needed(rules, text):
    assert [problem.text for problem in check_sides([], rules)] == [f"A game needs {text}: add one"]


def test_a3_a_side_has_three_people_at_most_each_with_a_name():
    with pytest.raises(RulesError, match="Team has 4 people"):
        side("Team", "A", "B", "C", "D")
    with pytest.raises(RulesError, match="' A' can't be the name of a person"):
        side("Team", " A")
    assert (AMY.people, SMITHS.people) == (("Amy",), ("Zoe", "Yan"))


def test_j5_nobody_joins_a_game_of_two_and_nobody_leaves_it():
    game = fold([GameStarted((AMY, BEN), PISHE_PASHA)])
    with pytest.raises(RulesError, match="Pishe Pasha is for two players: name two, not 3"):
        apply(game, SideJoined(CLEO))
    with pytest.raises(RulesError, match="Ben can't leave"):
        apply(game, SideLeft(BEN.id))


def test_j1_a_pair_of_nuts_takes_another_partner_but_stays_a_pair():
    game = fold([GameStarted((SMITHS, MILLERS), NUTS)])
    assert apply(game, PartnersChanged(((SMITHS.id, ("Zoe", "Eve")),))).side(SMITHS.id).members == ("Zoe", "Eve")
    with pytest.raises(RulesError, match="Smiths is 1 person, and Nuts is for two pairs"):
        apply(game, PartnersChanged(((SMITHS.id, ("Zoe",)),)))


@pytest.mark.parametrize(
    ("preset", "most"),
    [
        pytest.param("national", 13, id="B1 M8 the Nertz pile"),
        pytest.param("nuts", 11, id="J2 M8 the pile of Nuts"),
        pytest.param("canfield", 13, id="J5 M8 the pile of Canfield"),
        pytest.param("pishe-pasha", 52, id="J5 M8 all cards in stock and discard pile"),
    ],
)
def test_how_many_cards_a_side_can_have_left(preset, most):
    assert most_left(AMY, PRESETS[preset].rules) == most
