"""Rules that change, sides that come and go, partners that move, handicaps, disputes, and who does what."""

from __future__ import annotations

import pytest

from scorekeeper.errors import IllegalHandError, RulesError
from scorekeeper.rules.events import (
    DeckEnrolled,
    DisputeSettled,
    Event,
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
    ReadySaid,
    RulesChanged,
    RulesConfirmed,
    SeatsChanged,
    SideJoined,
    SideLeft,
    SideRestyled,
    SideReturned,
    StuckMove,
    StuckMoved,
)
from scorekeeper.rules.fold import apply, fold, terms, vet_hand
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Alternation, Partnership, Play, Rules, Scoring, TieBreaker
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.people import Duties, duties, propose_partners, rematch_sides, seat_order
from scorekeeper.rules.scoring import Handicap, Side, SideId, make_sides

AMY, BEN, CLEO = (SideId(name) for name in ("amy", "ben", "cleo"))
SIDES = make_sides(["Amy", "Ben"])
THREE = make_sides(["Amy", "Ben", "Cleo"])
TO_100 = Rules()


def game_of(*events: Event | str, sides: tuple[Side, ...] = SIDES, rules: Rules = TO_100) -> Game:
    """The game after *events*; a line of notation is a recorded hand."""
    happened = [HandRecorded(parse_hand(event)) if isinstance(event, str) else event for event in events]
    return fold([GameStarted(sides, rules), *happened])


def late(name: str, start: int = 0) -> SideJoined:
    return SideJoined(Side(SideId(name.lower()), name, "#009e73", handicap=Handicap(start=start)))


def correct(number: int, hand: str) -> HandCorrected:
    return HandCorrected(number, parse_hand(hand), "miscounted")


# House rules


def test_a_changed_rule_leaves_earlier_hands_alone():
    game = game_of("amy 10/0! ben 4/2", RulesChanged(Rules(bonus=10, nertz_penalty=1)), "amy 10/0! ben 4/2")
    assert [game.hand_points(number) for number in (1, 2)] == [{AMY: 10, BEN: 0}, {AMY: 20, BEN: 2}]
    assert game.totals == {AMY: 30, BEN: 2}


def test_a_correction_keeps_the_rules_of_its_hand():
    game = game_of("amy 10/0! ben 4/2", RulesChanged(Rules(bonus=10)), correct(1, "amy 12/0! ben 4/3"))
    assert game.totals == {AMY: 12, BEN: -2}
    assert terms(game, 1) == (TO_100, SIDES)
    assert terms(game) == terms(game, 7) == (Rules(bonus=10), SIDES)


def test_a_correction_is_vetted_by_the_rules_and_sides_of_its_hand_and_not_by_the_calls_of_this_one():
    game = game_of("amy 10/0! ben 4/2", late("Cleo"), RulesChanged(Rules(pile_size=5)), NertzCalled(CLEO))
    assert vet_hand(game, parse_hand("amy 10/0! ben 4/13"), number=1) == ()
    with pytest.raises(IllegalHandError):
        vet_hand(game, parse_hand("amy 10/0! ben 4/13"))


def test_a11_everybody_confirms_the_house_rules_and_again_after_a_change():
    game = game_of(RulesConfirmed(AMY), RulesConfirmed(BEN))
    assert game.agreed == {AMY, BEN}
    assert game_of(RulesConfirmed(AMY), RulesChanged(Rules(target=50)), RulesConfirmed(BEN)).agreed == {BEN}


# Coming and going


def test_who_joins_late_starts_at_nothing_or_at_a_typed_score():
    game = game_of("amy 9/0! ben 1/0", late("Cleo"), late("Dan", 7), "amy 1/0 ben 1/0 cleo 5/0! dan 1/1")
    assert game.totals == {AMY: 10, BEN: 2, CLEO: 5, "dan": 6}
    assert game.totals_after(1) == {AMY: 9, BEN: 1, CLEO: 0, "dan": 7}
    assert game.hand_points(1) == {AMY: 9, BEN: 1}
    assert game.credit == {"Amy": 10, "Ben": 2, "Cleo": 5, "Dan": 6}


def test_who_leaves_keeps_a_row_and_cannot_win_any_more():
    game = game_of("amy 60/0! ben 1/0 cleo 5/0", SideLeft(AMY, "the last bus"), "ben 99/0! cleo 3/1", sides=THREE)
    assert game.totals == {AMY: 60, BEN: 100, CLEO: 6}
    assert [side.id for side in game.playing] == [BEN, CLEO]
    assert [side.id for side in game.ranking] == [BEN, CLEO, AMY]
    assert game.winner == BEN


def test_who_comes_back_goes_on_with_the_same_row():
    game = game_of("amy 6/0! ben 1/0 cleo 5/0", SideLeft(AMY), "ben 9/0! cleo 3/1", SideReturned(AMY), sides=THREE)
    assert game.totals[AMY] == 6
    assert [side.id for side in game.playing] == [AMY, BEN, CLEO]


def test_who_leaves_is_no_longer_waited_for():
    moves = [ReadySaid(AMY), RulesConfirmed(AMY), StuckMoved(StuckMove.PASS, AMY), NertzCalled(AMY), SideLeft(AMY)]
    game = game_of(*moves, sides=THREE)
    assert (game.live.ready, game.live.claims, game.live.stuck.passes, game.agreed) == (
        frozenset(),
        (),
        {},
        frozenset(),
    )


def test_the_deck_of_who_left_may_be_played_by_another():
    shown = DeckEnrolled(AMY, DeckId("red"), ("s",))
    game = game_of(shown, SideLeft(AMY), DeckEnrolled(BEN, DeckId("red"), ("t",)), sides=THREE)
    assert game.side(BEN).deck == "red"
    with pytest.raises(RulesError, match="have the deck 'red'"):
        game_of(shown, SideLeft(AMY), DeckEnrolled(BEN, DeckId("red"), ("t",)), SideReturned(AMY), sides=THREE)


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        pytest.param([late("Ben")], "Ben has a row in this game already", id="L the same short name"),
        pytest.param(
            [SideJoined(Side(SideId("b2"), "BEN", "#000000"))], "Ben has a row", id="L the same name in large letters"
        ),
        pytest.param([late("Cleo", 100)], "would start with 100 of 100", id="L a start that wins"),
        pytest.param(["amy 100/0! ben 1/0", late("Cleo")], "the game is over", id="L after the end"),
        pytest.param([SideLeft(AMY)], "too few to play on", id="K1 one side can't play alone"),
        pytest.param([late("Cleo"), SideLeft(CLEO), SideLeft(CLEO)], "Cleo has left the table", id="L leaving twice"),
        pytest.param([late("Cleo"), SideLeft(CLEO, "a\nb")], "one line", id="L a reason of two lines"),
        pytest.param([SideReturned(AMY)], "Amy sits at the table already", id="L back without having left"),
        pytest.param([RulesChanged(TO_100)], "these are the house rules already", id="A11 nothing changed"),
        pytest.param([RulesChanged(Rules(target=9), "x" * 201)], "at most 200 letters", id="A11 a long reason"),
        pytest.param(
            [PartnersChanged(((AMY, ("Zoe", "Yan")),)), RulesChanged(Rules(partnership=Partnership.SINGLES))],
            "everybody plays alone here", id="A5 rules that the teams don't fit",
        ),
        pytest.param([PartnersChanged(())], "nobody changed sides", id="A5 no change"),
        pytest.param([PartnersChanged(((AMY, ("Zoe",)), (BEN, ("zoe",))))], "'zoe' plays twice", id="A5 in two teams"),
        pytest.param([HandicapSet(AMY, Handicap(start=100))], "would start with 100", id="H6 a start that wins"),
        pytest.param([HandicapSet(CLEO, Handicap())], "'cleo' does not play", id="H6 a stranger"),
        pytest.param([HandDisputed(1, "why")], "there is no hand 1: this game has 0", id="H7 no such hand"),
        pytest.param(["amy 1/0 ben 1/0", DisputeSettled(1, "so")], "nobody disputes hand 1", id="H7 nothing to settle"),
        pytest.param(["amy 1/0 ben 1/0", HandDisputed(1, "")], "say why hand 1 is disputed", id="H7 no reason"),
        pytest.param(["amy 1/0 ben 1/0 cleo 3/0"], "hand 1 must count amy, ben, each once", id="A2 a stranger"),
        pytest.param(["amy 1/0 ben 1/0 ben 1/0"], "each once", id="A2 counted twice"),
        pytest.param(["amy 100/0! ben 1/0", HandBegun()], "the game is over", id="D9 no Go after the end"),
    ],
)  # fmt: skip
def test_what_cannot_happen_says_why(events, reason):
    with pytest.raises(RulesError, match=reason):
        game_of(*events)


def test_k19_a_tally_of_hands_names_its_sides_only():
    rules = Rules(target=3, scoring=Scoring.HANDS)
    assert game_of("amy!", "amy 1/0 ben 2/1!", rules=rules).totals == {AMY: 1, BEN: 1}
    with pytest.raises(RulesError, match="hand 1 must count amy, ben"):
        game_of("zoe!", rules=rules)


def test_k8_in_a_tie_breaker_of_the_tied_only_they_are_counted():
    rules = Rules(target=20, tie_breaker=TieBreaker.TIED)
    game = game_of("amy 20/0! ben 20/0! cleo 1/0", sides=THREE, rules=rules)
    assert [side.id for side in game.next_sides] == [AMY, BEN]
    with pytest.raises(RulesError, match="must count amy, ben, each once"):
        game_of("amy 20/0! ben 20/0! cleo 1/0", "amy 1/0! ben 1/0 cleo 1/0", sides=THREE, rules=rules)
    everybody = game_of("amy 20/0! ben 20/0! cleo 1/0", sides=THREE, rules=Rules(target=20))
    assert everybody.next_sides == everybody.playing


# Handicaps and partners


def test_h6_a_handicap_counts_from_the_next_hand_on():
    game = game_of("amy 9/0! ben 1/0", HandicapSet(BEN, Handicap(start=5, per_hand=3)), "amy 9/0! ben 1/0")
    assert game.totals == {AMY: 18, BEN: 10}
    assert game.credit == {"Amy": 18, "Ben": 10}
    assert game_of(HandicapSet(BEN, Handicap(start=5)), HandicapSet(BEN, Handicap())).credit["Ben"] == 0


RED = Side(SideId("red"), "Red", "#0072b2", members=("Amy", "Ben"))
BLUE = Side(SideId("blue"), "Blue", "#d55e00", members=("Cleo", "Dan"))
GREEN = Side(SideId("green"), "Green", "#009e73", members=("Eve", "Finn"))
TRIO = Side(SideId("trio"), "Trio", "#cc79a7", members=("Gil", "Hal", "Ida"))


def test_a5_each_person_is_credited_with_every_hand_of_theirs():
    swap = PartnersChanged(((RED.id, ("Amy", "Dan")), (BLUE.id, ("Cleo", "Ben"))))
    game = game_of("red 10/0! blue 4/0", swap, "red 1/0 blue 5/0!", sides=(RED, BLUE))
    assert game.credit == {"Amy": 11, "Ben": 15, "Cleo": 9, "Dan": 5}
    assert game.totals == {"red": 11, "blue": 9}


def test_a5_a_newcomer_in_a_team_begins_with_nothing():
    game = game_of("red 10/0! blue 4/0", PartnersChanged(((RED.id, ("Amy", "Zoe")),)), sides=(RED, BLUE))
    assert game.credit == {"Amy": 10, "Ben": 10, "Cleo": 4, "Dan": 4, "Zoe": 0}


def test_a5_who_left_with_a_team_cannot_win_alone():
    rules = Rules(target=20, partnership=Partnership.ROTATING)
    game = game_of("red 30/0! blue 9/0 green 5/0", SideLeft(RED.id), sides=(RED, BLUE, GREEN), rules=rules)
    assert game.verdict == "Cleo and Dan lead with 9 of 20 points"


def test_a5_in_time_everybody_plays_with_everybody():
    game, pairs = game_of(sides=(RED, BLUE, GREEN)), set()
    for _ in range(5):
        proposed = propose_partners(game)
        pairs |= {frozenset(people) for _, people in proposed}
        game = fold([GameStarted(game.playing, TO_100), PartnersChanged(proposed)])
    assert len(pairs) == 15


def test_a5_new_partners_take_two_teams_of_two():
    assert propose_partners(game_of(sides=(RED, TRIO))) == ()
    assert propose_partners(game_of(sides=(RED, BLUE))) == (("red", ("Amy", "Dan")), ("blue", ("Ben", "Cleo")))


def test_b11_who_plays_alone_takes_no_turns():
    assert list(duties(game_of(sides=(RED, Side(SideId("solo"), "Solo", "#009e73", members=("Zoe",)))))) == ["red"]


def test_h5_a_penalty_of_who_left_still_counts():
    game = game_of(PenaltyGiven(CLEO, -5, "threw a card"), SideLeft(CLEO), "amy 1/0 ben 1/0", sides=THREE)
    assert (game.totals, game.calls) == ({AMY: 1, BEN: 1, CLEO: -5}, {AMY: 0, BEN: 0, CLEO: 0})


@pytest.mark.parametrize(
    ("hands", "red", "trio"),
    [
        pytest.param(0, Duties("Amy", "Ben", None, "Ben"), Duties("Gil", "Hal", "Ida", "Hal"), id="B11 first hand"),
        pytest.param(1, Duties("Ben", "Amy", None, "Amy"), Duties("Hal", "Ida", "Gil", "Ida"), id="B11 J4 they change"),
        pytest.param(
            2, Duties("Amy", "Ben", None, "Ben"), Duties("Ida", "Gil", "Hal", "Gil"), id="B11 L teams of three"
        ),
    ],
)
def test_partners_take_turns_at_the_nertz_pile(hands, red, trio):
    game = game_of(*["red 1/0 trio 1/0 cleo 1/0"] * hands, sides=(RED, TRIO, THREE[2]))
    assert duties(game) == {"red": red, "trio": trio}


def test_b11_new_partners_begin_their_turns_anew_and_some_tables_take_none():
    swap = PartnersChanged(((RED.id, ("Dan", "Amy")), (BLUE.id, ("Cleo", "Ben"))))
    assert duties(game_of("red 1/0 blue 1/0", swap, sides=(RED, BLUE)))[RED.id].nertz == "Dan"
    assert duties(game_of(sides=(RED, BLUE), rules=Rules(play=Play(alternation=Alternation.OFF)))) == {}


def test_a13_everybody_moves_on_one_seat_where_seats_rotate():
    rotating = Rules(play=Play(rotate_seats=True))
    hands = ["amy 1/0 ben 1/0 cleo 1/0"] * 4
    seats = [[side.name for side in seat_order(game_of(*hands[:n], sides=THREE, rules=rotating))] for n in (0, 1, 3, 4)]
    assert seats == [["Amy", "Ben", "Cleo"], ["Cleo", "Amy", "Ben"], ["Amy", "Ben", "Cleo"], ["Cleo", "Amy", "Ben"]]
    assert [side.name for side in seat_order(game_of(hands[0], sides=THREE))] == ["Amy", "Ben", "Cleo"]


def test_in_a_rematch_everybody_sits_one_seat_further_and_who_came_late_starts_at_nothing():
    game = game_of(late("Cleo", 7))
    assert [(side.name, side.handicap.start) for side in rematch_sides(game, {CLEO})] == [
        ("Cleo", 0), ("Amy", 0), ("Ben", 0),
    ]  # fmt: skip


def test_l_a_short_name_belongs_to_one_side():
    with pytest.raises(RulesError, match="has a row in this game already"):
        game_of(SideJoined(Side(AMY, "Somebody else", "#000000")))


# Disputes


def test_h7_a_disputed_hand_makes_the_score_unofficial_until_it_is_settled():
    hands = ["amy 9/0! ben 1/0", "amy 1/0! ben 1/0"]
    game = game_of(*hands, HandDisputed(1, "who called?"))
    assert (game.official, game.disputed) == (False, (1,))
    assert game.verdict == "Amy leads with 10 of 100 points (unofficial: hand 1 is disputed)"
    both = game_of(*hands, HandDisputed(1, "who?"), HandDisputed(2, "why?"))
    assert both.verdict.endswith("(unofficial: hands 1 and 2 are disputed)")
    assert game_of(*hands, HandDisputed(1, "who?"), DisputeSettled(1, "Amy did")).official


def test_h7_a_corrected_hand_stays_disputed_and_an_undone_one_is_gone():
    disputed = ["amy 9/0! ben 1/0", HandDisputed(1, "who called?")]
    assert game_of(*disputed, correct(1, "amy 9/0 ben 1/0!")).disputed == (1,)
    assert game_of(*disputed, LastHandUndone("again")).official


THREE_COUNT = "amy 14/0! ben 9/4 cleo 3/1"


def test_a_side_looks_like_its_deck_in_the_hands_it_has_played_too():
    game = game_of(THREE_COUNT, SideRestyled(AMY, "#b3123f", "wave"), sides=THREE)
    looks = [(side.color, side.pattern) for side in (game.side(AMY), game.played[0].sides[0])]
    assert looks == [("#b3123f", "wave")] * 2
    assert game.totals == {"amy": 14, "ben": 1, "cleo": 1}
    with pytest.raises(RulesError, match="Amy looks like that already"):
        apply(game, SideRestyled(AMY, "#b3123f", "wave"))
    with pytest.raises(RulesError, match="'red' is no colour of a side"):
        apply(game, SideRestyled(AMY, "red", "wave"))


@pytest.mark.parametrize("rotate", [False, True])
def test_seats_change_between_two_hands(rotate):
    game = game_of(THREE_COUNT, sides=THREE, rules=Rules(play=Play(rotate_seats=rotate)))
    moved = apply(game, SeatsChanged((BEN, AMY, CLEO)))
    assert [side.id for side in seat_order(moved)] == [BEN, AMY, CLEO]
    assert moved.totals == game.totals


def test_who_left_has_no_seat_to_change():
    game = game_of(SideLeft(CLEO), sides=THREE)
    with pytest.raises(RulesError, match="somebody joined or left meanwhile"):
        apply(game, SeatsChanged((CLEO, BEN, AMY)))
    assert [side.id for side in apply(game, SeatsChanged((BEN, AMY))).sides] == [BEN, AMY, CLEO]
