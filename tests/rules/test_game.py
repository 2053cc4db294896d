"""A game is what happened: totals, the end, ties, undo and correction."""

from __future__ import annotations

from fractions import Fraction

import pytest

from scorekeeper.errors import IllegalHandError, RulesError
from scorekeeper.rules.events import (
    DeckEnrolled,
    Event,
    GameStarted,
    HandCorrected,
    HandRecorded,
    LastHandUndone,
)
from scorekeeper.rules.fold import apply, fold, vet_hand
from scorekeeper.rules.game import Game
from scorekeeper.rules.lake import DeckId, Evidence
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, SideId, make_sides

AMY, BEN, CLEO = SideId("amy"), SideId("ben"), SideId("cleo")
TO_20 = Rules(target=20)


def play(*hands: str, rules: Rules = TO_20, names: tuple[str, ...] = ("Amy", "Ben")) -> Game:
    return fold([GameStarted(make_sides(names), rules), *(HandRecorded(parse_hand(hand)) for hand in hands)])


def then(game: Game, *events: Event) -> Game:
    for event in events:
        game = apply(game, event)
    return game


def correct(number: int, hand: str, reason: str = "miscounted") -> HandCorrected:
    return HandCorrected(number, parse_hand(hand), reason)


def test_before_the_first_hand_everybody_has_nothing():
    game = play()
    assert game.totals == {AMY: 0, BEN: 0}
    assert game.leaders == (AMY, BEN)
    assert (game.state, game.winner) == ("playing", None)


def test_c18_totals_add_up_in_exact_points():
    game = play("amy 5/0! ben 4/0!", "amy 1/0! ben 1/0!", rules=Rules(bonus=5))
    assert game.totals == {AMY: 11, BEN: 10}
    assert game.totals_after(1) == {AMY: Fraction(15, 2), BEN: Fraction(13, 2)}


@pytest.mark.parametrize(
    ("hands", "state", "winner"),
    [
        pytest.param(["amy 19/0! ben 9/4"], "playing", None, id="D2 one short of the target"),
        pytest.param(["amy 20/0! ben 9/4"], "over", AMY, id="K2b reaching the target is enough"),
        pytest.param(["amy 20/0! ben 25/1"], "over", BEN, id="D3 both cross, most points wins, C14 not the caller"),
        pytest.param(["amy 20/0! ben 24/2"], "over", AMY, id="D4 equal points, more Nertz calls win"),
        pytest.param(["amy 20/0! ben 20/0!"], "tie-breaker", None, id="D5 equal points and calls: another hand"),
        pytest.param(["amy 20/0 ben 20/0"], "tie-breaker", None, id="D5 a tie with no call at all"),
        pytest.param(["amy 20/0! ben 20/0!", "amy 5/0! ben 2/1"], "over", AMY, id="D5 the tie-breaker hand decides"),
        pytest.param(
            ["amy 20/0! ben 20/0!", "amy 0/3 ben 0/2"], "playing", None, id="D5 scores may fall below the target"
        ),
        pytest.param(
            ["amy 20/0! ben 20/0!", "amy 5/0 ben 5/0"], "tie-breaker", None, id="D5 a tie-breaker that ties again"
        ),
        pytest.param(
            ["amy 20/0! ben 20/0!", "amy 3/0! ben 5/1"], "over", AMY, id="D4 after the tie-breaker calls count again"
        ),
        pytest.param(["amy 0/13 ben 0/13"] * 3, "playing", None, id="C4 negative totals go on"),
    ],
)
def test_the_end_of_a_game(hands, state, winner):
    game = play(*hands)
    assert (game.state, game.winner, game.over) == (state, winner, state == "over")


def test_a_third_side_can_win_after_a_tie():
    tied = play("amy 20/0! ben 20/0! cleo 19/0", names=("Amy", "Ben", "Cleo"))
    assert tied.state == "tie-breaker"
    assert then(tied, HandRecorded(parse_hand("amy 0/2 ben 0/1 cleo 3/0!"))).winner == CLEO


def test_a_tie_behind_the_leader_is_no_tie():
    assert play("amy 30/0! ben 20/0 cleo 20/0", names=("Amy", "Ben", "Cleo")).winner == AMY


def test_ranking_is_by_points_then_calls():
    game = play("amy 1/0 ben 5/0 cleo 5/0!", names=("Amy", "Ben", "Cleo"))
    assert [side.id for side in game.ranking] == [CLEO, BEN, AMY]


def test_every_caller_of_a_hand_is_credited_with_a_call():
    assert play("amy 1/0! ben 1/0!", "amy 1/0! ben 1/2").calls == {AMY: 2, BEN: 1}


@pytest.mark.parametrize(
    ("hands", "verdict"),
    [
        ([], "The first hand is being played, to 20"),
        (["amy 9/0! ben 5/0"], "Amy leads with 9 of 20 points"),
        (["amy 9/0! ben 9/0"], "Amy and Ben lead with 9 of 20 points"),
        (["amy 20/0! ben 5/0"], "Amy wins with 20 points"),
        (["amy 20/0! ben 20/0"], "Amy wins: level with Ben at 20 points, but 1 Nertz call to 0"),
        (["amy 20/0! ben 20/0!"], "Amy and Ben are tied at 20 points with 1 Nertz call each: play a tie-breaker hand"),
    ],
)
def test_the_verdict_says_why(hands, verdict):
    assert play(*hands).verdict == verdict


def test_no_hand_is_played_after_the_end():
    with pytest.raises(RulesError, match=r"the game is over \(Amy wins with 20 points\): undo or correct"):
        then(play("amy 20/0! ben 5/0"), HandRecorded(parse_hand("amy 1/0! ben 0/1")))


def test_undo_reopens_a_won_game():
    game = then(play("amy 9/0! ben 5/0", "amy 20/0! ben 5/0"), LastHandUndone("counted twice"))
    assert (game.state, game.totals) == ("playing", {AMY: 9, BEN: 5})


def test_a_correction_reopens_a_won_game():
    assert then(play("amy 20/0! ben 5/0"), correct(1, "amy 19/0! ben 5/0")).state == "playing"


def test_a_correction_of_an_early_hand_ends_a_game():
    game = then(play("amy 9/0! ben 5/0", "amy 9/0! ben 5/0"), correct(1, "amy 11/0! ben 5/0"))
    assert game.winner == AMY
    assert game.hands[1] == parse_hand("amy 9/0! ben 5/0")


def test_a_correction_of_the_caller_turns_a_win():
    game = then(play("amy 20/0! ben 20/0"), correct(1, "amy 20/0 ben 20/0!"))
    assert game.winner == BEN


@pytest.mark.parametrize("number", [-1, 0, 2])
def test_only_a_hand_that_was_played_is_corrected(number):
    with pytest.raises(RulesError, match=f"there is no hand {number}: this game has 1"):
        then(play("amy 9/0! ben 5/0"), correct(number, "amy 8/0! ben 5/0"))


@pytest.mark.parametrize("reason", ["  ", "two\nlines", "x" * 201])
def test_a_reason_for_undo_or_correction_is_one_line(reason):
    game = play("amy 9/0! ben 5/0")
    with pytest.raises(RulesError, match="at most 200 letters in one line"):
        then(game, LastHandUndone(reason))
    with pytest.raises(RulesError, match="at most 200 letters in one line"):
        then(game, correct(1, "amy 8/0! ben 5/0", reason))


def test_undo_and_correction_need_no_reason():
    game = play("amy 9/0! ben 5/0")
    assert then(game, correct(1, "amy 8/0! ben 5/0", "")).totals == {"amy": 8, "ben": 5}
    assert not then(game, LastHandUndone("")).hands


def test_without_a_hand_there_is_nothing_to_undo():
    with pytest.raises(RulesError, match="there is no hand to undo"):
        then(play(), LastHandUndone("why not"))


@pytest.mark.parametrize("hand", ["amy 9/0!", "amy 9/0! ben 1/1 zoe 1/1"])
def test_a_hand_counts_exactly_the_sides_of_the_game(hand):
    with pytest.raises(RulesError, match="hand 1 must count amy, ben, each once"):
        play(hand)


def test_a_game_begins_once():
    start = GameStarted(make_sides(["Amy", "Ben"]), TO_20)
    with pytest.raises(RulesError, match="has begun already"):
        fold([start, start])
    with pytest.raises(RulesError, match="begins with its sides"):
        fold([LastHandUndone("early")])
    with pytest.raises(RulesError, match="no events"):
        fold([])


def test_a_game_needs_sides_that_can_play_together():
    with pytest.raises(RulesError, match=r"two or more sides.*"):
        fold([GameStarted(make_sides(["Amy"]), TO_20)])


def test_a_deck_is_shown_and_shown_anew():
    game = then(play(), DeckEnrolled(AMY, DeckId("red"), ("s1",)), DeckEnrolled(BEN, DeckId("blue"), ("s2",)))
    assert [side.deck for side in game.sides] == ["red", "blue"]
    again = then(game, DeckEnrolled(AMY, DeckId("green"), ("s3", "s4")))
    assert again.signatures == {"blue": ("s2",), "green": ("s3", "s4")}


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (DeckEnrolled(BEN, DeckId("red"), ("s2",)), "the deck 'red' is Amy's"),
        (DeckEnrolled(CLEO, DeckId("green"), ("s2",)), "'cleo' does not play in this game"),
        (DeckEnrolled(BEN, DeckId("blue"), ()), "take its picture again"),
        (DeckEnrolled(BEN, DeckId(" "), ("s2",)), "can't be the name of a deck"),
    ],
)
def test_a_deck_that_cannot_be_is_refused(event, words):
    game = then(play(), DeckEnrolled(AMY, DeckId("red"), ("s1",)))
    with pytest.raises(RulesError, match=words):
        then(game, event)


def test_a_doubtful_hand_needs_a_person_who_confirms_it():
    game, hand = play(), parse_hand("amy 9/0! ben 5/1")
    assert vet_hand(game, hand, Evidence(lake=14)) == ()
    with pytest.raises(IllegalHandError, match="The Lake holds 15 cards"):
        vet_hand(game, hand, Evidence(lake=15))
    (doubt,) = vet_hand(game, hand, Evidence(lake=15), confirm_doubts=True)
    assert "1 card missed" in doubt


def test_a_blocked_hand_cannot_be_confirmed_and_names_the_doubts_too():
    with pytest.raises(IllegalHandError) as refusal:
        vet_hand(play(), parse_hand("amy 9/2! ben 5/1"), Evidence(lake=15), confirm_doubts=True)
    assert [problem.kind for problem in refusal.value.problems] == ["M11", "M1"]
