"""The end of a game, as a table of cases a player can check by hand, and in steps for the board."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper.rules.events import GameStarted, HandRecorded, RulesChanged
from scorekeeper.rules.fold import fold
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Partnership, Rules, Scoring
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.presets import PRESETS, parse_rules
from scorekeeper.rules.scoring import Handicap, Side, SideId, make_sides

CASES = Path(__file__).with_name("ties.txt").read_text("utf-8").splitlines()


def cases():
    heading = ""
    for line in CASES:
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line:
            rules, hands, says = (part.strip() for part in line.split("|"))
            yield pytest.param(rules, hands.split(";") if hands else [], says, id=f"{heading}: {hands}")


def play(rules: Rules, hands: list[str], names: tuple[str, ...] = ("Amy", "Ben")) -> Game:
    sides = make_sides(names)
    return fold([GameStarted(sides, rules), *(HandRecorded(parse_hand(hand)) for hand in hands)])


@pytest.mark.parametrize(("rules", "hands", "says"), [*cases()])
def test_the_board_says_how_the_game_stands(rules, hands, says):
    names = ("Amy", "Ben", "Cleo") if "cleo" in " ".join(hands) else ("Amy", "Ben")
    game = play(parse_rules(rules), hands, names)
    assert game.verdict == says
    assert game.over == (" wins" in says)
    assert (game.winner_name or "") == (says.split(" wins")[0] if game.over else "")


@pytest.mark.parametrize(
    ("rules", "hands", "steps"),
    [
        pytest.param("13 to 20, x1 -2", [], ["The game ends at 20 points or more"], id="D2 K2b before the first hand"),
        pytest.param(
            "13 to 20 within 6 hands, x1 -2", ["amy 3/0! ben 1/0"],
            ["The game ends at 20 points or more or after 6 hands, whatever comes first"], id="D6 both ends",
        ),
        pytest.param("13 for 2 hands, x1 -2", [], ["The game ends after 2 hands"], id="D6 after two hands"),
        pytest.param(
            "13 to 20, x1 -2", ["amy 20/0! ben 24/2"],
            [
                "Amy and Ben have 20 points or more, and that ends the game",
                "Most points: Amy and Ben with 20 each",
                "Then the most Nertz calls: Amy 1, Ben 0",
                "Amy wins: level with Ben at 20 points, but 1 Nertz call to 0",
            ],
            id="D4 each step",
        ),
        pytest.param(
            "13 to 20, x1 -2, straight to the tie-breaker", ["amy 20/0! ben 24/2"],
            [
                "Amy and Ben have 20 points or more",
                "Most points: Amy and Ben with 20 each",
                "Amy and Ben are tied at 20 points: play a tie-breaker hand",
            ],
            id="D4 calls are no step where they do not break ties",
        ),
        pytest.param(
            "13 for 1 hand, x1 -2", ["amy 9/0! ben 1/0"],
            ["1 hand is played, and that ends the game", "Most points: Amy with 9", "Amy wins with 9 points"],
            id="D6 D9 one hand",
        ),
        pytest.param(
            "13 to 1, x1 -2, hands won", ["amy!"],
            ["Amy has 1 hand won or more, and that ends the game", "Most hands won: Amy with 1",
             "Amy wins with 1 hand won"],
            id="D7 hands won",
        ),
    ],
)  # fmt: skip
def test_the_judgement_step_by_step(rules, hands, steps):
    assert list(play(parse_rules(rules), hands).reasons) == steps


@pytest.mark.parametrize(
    ("hand", "says", "winner"),
    [
        pytest.param("amy 52/0", "Amy wins with 52 points", SideId("amy"), id="J5 all 52 win"),
        pytest.param("amy 31/8", "Amy ends with 31 of 52 points", None, id="J5 fewer end the game without a winner"),
    ],
)
def test_canfield_is_won_by_all_cards(hand, says, winner):
    game = play(PRESETS["canfield"].rules, [hand], ("Amy",))
    assert (game.verdict, game.winner, game.over) == (says, winner, True)


def test_d3_a_lower_target_ends_a_game_that_has_it_and_a_start_is_no_end():
    game = play(Rules(target=100), ["amy 30/0! ben 5/0"])
    assert not game.over
    lower = fold([GameStarted(game.sides, game.rules), HandRecorded(game.hands[0]), RulesChanged(Rules(target=30))])
    assert lower.winner == "amy"
    assert play(Rules(target=1), []).state == "playing"


def test_a5_with_rotating_partners_the_best_person_wins():
    rules = Rules(target=20, partnership=Partnership.ROTATING)
    sides = (
        Side(SideId("red"), "Red", "#0072b2", members=("Amy", "Ben")),
        Side(SideId("blue"), "Blue", "#d55e00", members=("Cleo", "Dan"), handicap=Handicap(start=3)),
    )
    game = fold([GameStarted(sides, rules), HandRecorded(parse_hand("red 21/0! blue 5/0"))])
    assert game.credit == {"Amy": 21, "Ben": 21, "Cleo": 8, "Dan": 8}
    assert game.state == "tie-breaker"
    assert game.verdict.startswith("Amy and Ben are tied at 21 points with 1 Nertz call each")
    assert game.leaders == ("red",)
    assert (game.winner, game.winner_name) == (None, None)


def test_a_tally_of_hands_needs_no_counts():
    game = play(Rules(target=2, scoring=Scoring.HANDS), ["amy!", "", "ben! amy -1(late)"])
    assert game.totals == {"amy": 0, "ben": 1}
