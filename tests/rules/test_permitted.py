"""Across the end of a game: what may happen while it is played, tied or won, and what is said first (rules K14)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from scorekeeper.errors import RulesError
from scorekeeper.rules.ending import State
from scorekeeper.rules.events import (
    CallRefused,
    CallVerified,
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
    LateHandsSettled,
    NertzCalled,
    PartnersChanged,
    PenaltyGiven,
    PenaltyRemoved,
    ReadySaid,
    RulesChanged,
    RulesConfirmed,
    SeatsChanged,
    SideJoined,
    SideLeft,
    SideRenamed,
    SideRestyled,
    SideReturned,
    StuckMove,
    StuckMoved,
    TimeOutCalled,
    TimeOutEnded,
    TimeOutReason,
)
from scorekeeper.rules.fold import apply, fold, follow
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Partnership, Rules, Scoring, TieBreaker
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.moved import moved_by
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.permitted import PERMITTED, May
from scorekeeper.rules.scoring import Handicap, Side, SideId, make_sides
from scorekeeper.rules.sheet import score_csv, score_rows
from scorekeeper.rules.statistics import figures_of_sides
from scorekeeper.rules.words import describe

AMY, BEN, CLEO = SideId("amy"), SideId("ben"), SideId("cleo")
THREE = make_sides(["Amy", "Ben", "Cleo"])
TO_100, TWO_HANDS = Rules(target=100), Rules(target=0, rounds=2)
ROTATING = Rules(target=100, partnership=Partnership.ROTATING)
PAIRS = (
    Side(SideId("t1"), "T1", "#0072b2", members=("Ann", "Bob")),
    Side(SideId("t2"), "T2", "#d55e00", members=("Cat", "Dan")),
    Side(SideId("t3"), "T3", "#009e73", members=("Eve", "Fay")),
)


def game_of(*events: Event | str, sides: tuple[Side, ...] = THREE, rules: Rules = TO_100) -> Game:
    happened = [HandRecorded(parse_hand(each)) if isinstance(each, str) else each for each in events]
    return fold([GameStarted(sides, rules), *happened])


def corrected(number: int, hand: str) -> HandCorrected:
    return HandCorrected(number, parse_hand(hand), "miscounted")


LEADING = "amy 52/0! ben 30/0 cleo 20/0"
LEVEL = "amy 50/0! ben 50/0! cleo 20/0"
PLAYING = game_of(LEADING)
TIED = game_of(LEVEL, LEVEL)
WON = game_of(LEADING, "amy 50/0! ben 30/0 cleo 20/0")
LATE = fold([
    GameStarted(THREE[:2], TO_100),
    *(HandRecorded(parse_hand(hand)) for hand in ("amy 50/0! ben 20/5", "amy 40/0! ben 40/0", "amy 0/0! ben 52/0")),
    corrected(2, "amy 50/0! ben 40/0"),
])  # fmt: skip
GAMES: dict[State, Game] = {"playing": PLAYING, "tie-breaker": TIED, "over": WON}
STATES: dict[State, str] = {"playing": "playing", "tie-breaker": "tied", "over": "won"}

PLAIN: dict[type[Event], Event] = {
    each.__class__: each
    for each in (
        GameStarted(THREE, TO_100),
        HandRecorded(parse_hand("amy 1/0! ben 1/0 cleo 1/0")),
        LateHandsSettled(True),
        HandDisputed(1, "counted twice"),
        DisputeSettled(1, "it was right"),
        RulesConfirmed(AMY),
        SideJoined(Side(SideId("dan"), "Dan", "#56b4e9")),
        SideLeft(CLEO),
        SideReturned(CLEO),
        SideRenamed(AMY, "Amelie"),
        SideRestyled(AMY, "#b3123f", "wave"),
        SeatsChanged((CLEO, AMY, BEN)),
        HandicapSet(CLEO, Handicap(per_hand=2)),
        PartnersChanged(((CLEO, ("Cleo", "Zoe")),)),
        DeckEnrolled(AMY, DeckId("red"), ("a back",)),
        ReadySaid(AMY),
        HandBegun(),
        TimeOutCalled(TimeOutReason.EMERGENCY),
        TimeOutEnded(),
        NertzCalled(AMY),
        CallVerified(AMY),
        CallRefused(AMY, 5),
        PenaltyGiven(AMY, -5, "threw a card"),
        PenaltyRemoved(1),
        StuckMoved(StuckMove.PASS, AMY),
    )
}
"""One event of each kind that changes nothing about the end of GAMES."""
BEFORE: dict[type[Event], Event] = {
    DisputeSettled: HandDisputed(1, "counted twice"),
    TimeOutEnded: TimeOutCalled(TimeOutReason.EMERGENCY),
    CallVerified: NertzCalled(AMY),
    CallRefused: NertzCalled(AMY),
    PenaltyRemoved: PenaltyGiven(AMY, -5, "threw a card"),
}
"""What must have happened first."""


@dataclass(frozen=True)
class Moving:
    """An event that moves the end."""

    game: Game
    event: Event
    says: str


def gone_ahead(rules: Rules) -> Game:
    """Cleo leads and leaves; the others go on by other rules."""
    return game_of("amy 10/0! ben 10/0! cleo 40/0", SideLeft(CLEO), RulesChanged(rules))


MOVING: dict[tuple[type[Event], State], Moving] = {
    (HandCorrected, "playing"): Moving(
        game_of(LEADING, LEADING.replace("52", "40")), corrected(2, LEADING), "This ends the game: Amy wins with 104"
    ),
    (HandCorrected, "tie-breaker"): Moving(
        TIED, corrected(2, LEVEL.replace("amy 50", "amy 51")), "This ends the game: Amy wins with 101 points."
    ),
    (HandCorrected, "over"): Moving(
        WON, corrected(2, "amy 40/0! ben 30/0 cleo 20/0"), "This reopens the game: Amy leads with 92 of 100 points."
    ),
    (LastHandUndone, "playing"): Moving(
        game_of(LEVEL, LEVEL, "amy 0/5 ben 0/6 cleo 5/0!"), LastHandUndone("oops"), "This makes it a tie: Amy and Ben"
    ),
    (LastHandUndone, "tie-breaker"): Moving(TIED, LastHandUndone("oops"), "This reopens the game: Amy and Ben lead"),
    (LastHandUndone, "over"): Moving(WON, LastHandUndone("oops"), "This reopens the game: Amy leads with 52 of 100"),
    (RulesChanged, "playing"): Moving(
        PLAYING, RulesChanged(Rules(target=50)), "This ends the game: Amy wins with 52 points."
    ),
    (RulesChanged, "tie-breaker"): Moving(
        TIED, RulesChanged(Rules(target=150)), "This reopens the game: Amy and Ben lead with 100 of 150 points."
    ),
    (RulesChanged, "over"): Moving(
        WON, RulesChanged(Rules(target=150)), "This reopens the game: Amy leads with 102 of 150 points."
    ),
    (LateHandsSettled, "over"): Moving(LATE, LateHandsSettled(True), "Ben wins with 102 points."),
    (SideJoined, "tie-breaker"): Moving(
        game_of(LEVEL, LEVEL, rules=TWO_HANDS),
        SideJoined(Side(SideId("dan"), "Dan", "#56b4e9", handicap=Handicap(start=120))),
        "This ends the game: Dan wins with 120 points.",
    ),
    (SideLeft, "tie-breaker"): Moving(TIED, SideLeft(BEN), "This ends the game: Amy wins with 100 points."),
    (SideReturned, "playing"): Moving(
        gone_ahead(Rules(target=30)), SideReturned(CLEO), "This ends the game: Cleo wins with 40 points."
    ),
    (SideReturned, "tie-breaker"): Moving(
        gone_ahead(Rules(target=10)), SideReturned(CLEO), "This ends the game: Cleo wins with 40 points."
    ),
    (HandicapSet, "playing"): Moving(
        PLAYING, HandicapSet(AMY, Handicap(start=50)), "This ends the game: Amy wins with 102 points."
    ),
    (HandicapSet, "tie-breaker"): Moving(
        TIED, HandicapSet(AMY, Handicap(start=5)), "This ends the game: Amy wins with 105 points."
    ),
    (PartnersChanged, "playing"): Moving(
        game_of(
            "t1 10/0 t2 10/0 t3 40/0!", SideLeft(SideId("t3")), RulesChanged(replace(ROTATING, target=30)),
            sides=PAIRS, rules=ROTATING,
        ),
        PartnersChanged(((SideId("t1"), ("Ann", "Eve")),)),
        "This ends the game: Eve wins with 40 points.",
    ),
    (PartnersChanged, "tie-breaker"): Moving(
        game_of("t1 0/5 t2 0/5 t3 0/5", sides=PAIRS, rules=replace(ROTATING, target=0, rounds=1)),
        PartnersChanged(((SideId("t1"), ("Ann", "Zoe")),)),
        "This ends the game: Zoe wins with 0 points.",
    ),
}  # fmt: skip

CELLS = [(kind, state) for kind in PERMITTED for state in STATES]


def happening(kind: type[Event], state: State) -> tuple[Game, Event]:
    """A game in *state* with an event of *kind* that moves nothing, or that is refused there."""
    game = GAMES[state]
    if kind is SideReturned and state != "over":
        game = follow(game, SideLeft(CLEO))
    if kind in BEFORE and PERMITTED[type(BEFORE[kind])].at(game) is not May.NO:
        game = apply(game, BEFORE[kind])
    return game, PLAIN[kind]


@pytest.mark.parametrize(
    ("kind", "state"), [pytest.param(*cell, id=f"{cell[0].__name__}-{STATES[cell[1]]}") for cell in CELLS]
)
def test_k14_what_may_happen(kind, state):
    match PERMITTED[kind].at(GAMES[state]):
        case May.NO:
            with pytest.raises(RulesError):
                apply(*happening(kind, state))
        case May.YES:
            game, event = happening(kind, state)
            after = apply(game, event)
            assert moved_by(game, event, after) is None
        case May.SAID:
            moving = MOVING[kind, state]
            assert moving.game.state == state
            moved = moved_by(moving.game, moving.event, apply(moving.game, moving.event))
            assert moved is not None
            assert moved.text.startswith(moving.says)


@pytest.mark.parametrize(
    "kind", [kind for kind in PLAIN if May.SAID in (PERMITTED[kind].playing, PERMITTED[kind].tied)]
)
def test_k14_what_moves_nothing_is_not_announced(kind):
    game, event = happening(kind, "playing")
    if kind is not LateHandsSettled:
        assert moved_by(game, event, apply(game, event)) is None


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        pytest.param(HandRecorded(parse_hand("amy 1/0! ben 1/0 cleo 1/0")), "undo or correct a hand", id="a hand"),
        pytest.param(SideLeft(AMY), "nobody joins, leaves or changes sides any more", id="who leaves"),
        pytest.param(HandicapSet(BEN, Handicap(start=99)), "a handicap can't change it any more", id="a handicap"),
        pytest.param(PenaltyGiven(AMY, -5, "threw a card"), "undo or correct a hand", id="a penalty"),
    ],
)
def test_k14_a_won_game_says_why_not_and_what_to_do(event, reason):
    with pytest.raises(RulesError, match=rf"the game is over \(Amy wins with 102 points\): .*{reason}"):
        apply(WON, event)


def test_the_document_shows_the_same_table():
    text = (Path(__file__).parents[2] / "docs/end-of-game.md").read_text("utf-8")
    rows = re.findall(r"^\| (\w+): [^|]+ \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", text, re.M)
    table = {kind.__name__: (row.playing, row.tied, row.won) for kind, row in PERMITTED.items()}
    assert {name: tuple(cells) for name, *cells in rows} == table


def test_every_kind_of_event_has_a_row():
    assert set(PERMITTED) == set(Event.__args__)


# The end, input by input


def test_k14_who_has_won_stays_the_winner_when_leaving():
    with pytest.raises(RulesError):
        apply(WON, SideLeft(AMY))
    assert (WON.winner, WON.verdict) == (AMY, "Amy wins with 102 points")


def test_k14_a_hand_that_came_after_the_end_is_for_the_table_to_decide():
    assert (LATE.winner, LATE.late, LATE.over) == (None, (3,), True)
    assert LATE.verdict == (
        "Amy had 100 points after hand 2, and that ended the game. Hand 3 came after the end: decide whether it counts"
    )
    counted = apply(LATE, LateHandsSettled(True))
    assert (counted.winner, counted.totals) == (BEN, {AMY: 100, BEN: 102})
    left_out = apply(LATE, LateHandsSettled(False))
    assert (left_out.winner, left_out.totals) == (AMY, {AMY: 100, BEN: 50})
    assert left_out.verdict == "Amy wins with 100 points"


def test_k14_nothing_is_played_on_while_a_hand_after_the_end_is_in_doubt():
    with pytest.raises(RulesError, match="Hand 3 came after the end"):
        apply(LATE, HandRecorded(parse_hand("amy 1/0! ben 1/0")))
    with pytest.raises(RulesError, match="nothing to decide"):
        apply(apply(LATE, LateHandsSettled(True)), LateHandsSettled(False))


def test_k14_a_hand_left_out_counts_again_when_the_end_before_it_is_corrected_away():
    left_out = apply(LATE, LateHandsSettled(False))
    again = apply(left_out, corrected(2, "amy 40/0! ben 40/0"))
    assert (again.winner, again.totals, again.late) == (BEN, {AMY: 90, BEN: 102}, ())


def test_k14_other_rules_can_go_on_after_a_hand_that_was_left_out():
    on = apply(apply(LATE, LateHandsSettled(False)), RulesChanged(Rules(target=200)))
    assert on.state == "playing"
    further = apply(on, HandRecorded(parse_hand("amy 1/0! ben 50/0")))
    assert further.totals == {AMY: 101, BEN: 100}
    assert [played.left_out for played in further.played] == [False, False, True, False]


def test_k14_a_win_of_somebody_who_left_later_is_not_lost():
    """Amy had won after hand 1, as a correction shows; she left after hand 2, before anybody knew."""
    played = game_of(
        "amy 40/0! ben 30/0 cleo 20/0", "amy 1/0! ben 1/0 cleo 1/0", SideLeft(AMY), "ben 1/0! cleo 1/0",
        rules=Rules(target=50),
    )  # fmt: skip
    late = apply(played, corrected(1, "amy 50/0! ben 30/0 cleo 20/0"))
    assert late.late == (2, 3)
    assert apply(late, LateHandsSettled(False)).winner == AMY


def test_k14_undoing_the_late_hand_decides_it_too():
    assert apply(LATE, LastHandUndone("it came after the end")).winner == AMY


@pytest.mark.parametrize("scoring", [Scoring.HANDS, Scoring.LEFTOVERS, Scoring.FOUNDATION])
def test_k19_points_do_not_become_hands_won(scoring):
    with pytest.raises(RulesError, match="the 2 hands played so far were scored in another way"):
        apply(game_of("amy 17/0! ben 6/0 cleo 1/0", LEADING), RulesChanged(Rules(target=5, scoring=scoring)))
    assert apply(game_of(), RulesChanged(Rules(target=5, scoring=scoring))).rules.scoring is scoring


def test_a_game_that_an_older_program_went_on_with_can_still_be_read():
    after = follow(follow(WON, SideLeft(AMY)), HandRecorded(parse_hand("ben 52/0! cleo 10/0")))
    assert after.verdict == "Ben wins with 112 points"
    late = follow(WON, HandRecorded(parse_hand("amy 0/0! ben 52/0 cleo 1/0")))
    assert (late.late, late.winner) == ((3,), None)
    assert late.verdict.startswith("Amy had 102 points after hand 2, and that ended the game. Hand 3 came")


# A name


def test_a_side_keeps_everything_under_another_name():
    game = apply(WON, SideRenamed(AMY, "Amelie"))
    assert (game.winner, game.verdict) == (AMY, "Amelie wins with 102 points")
    assert game.credit == {"Amelie": 102, "Ben": 60, "Cleo": 40}


def test_a_team_may_take_a_name_of_its_own_and_people_keep_theirs():
    game = game_of("amy 9/0! ben 1/0 cleo 1/0", PartnersChanged(((AMY, ("Amy", "Zoe")),)), SideRenamed(AMY, "Stars"))
    assert game.side(AMY).name == "Stars"
    assert game.credit == {"Amy": 9, "Ben": 1, "Cleo": 1, "Zoe": 0}


@pytest.mark.parametrize("name", ["ben", "BEN", "Amy", " "])
def test_a_name_that_is_taken_or_none_is_refused(name):
    with pytest.raises(RulesError):
        apply(PLAYING, SideRenamed(AMY, name))


# Who contends


def test_k15_who_changes_sides_keeps_the_points_of_a_side_that_left():
    game = game_of(
        "t1 10/0 t2 10/0 t3 40/0!", SideLeft(SideId("t3")), PartnersChanged(((SideId("t1"), ("Ann", "Eve")),)),
        "t1 52/0! t2 10/0", "t1 20/0! t2 10/0", sides=PAIRS, rules=ROTATING,
    )  # fmt: skip
    assert game.credit["Eve"] == 112
    assert game.verdict == "Eve wins with 112 points"


@pytest.mark.parametrize("eve", ["EVE", "eve"])
def test_k15_a_person_is_one_person_whatever_the_capitals(eve):
    game = game_of(
        "t1 10/0 t2 10/0 t3 40/0!", SideLeft(SideId("t3")), PartnersChanged(((SideId("t1"), ("Ann", eve)),)),
        "t1 52/0! t2 10/0", sides=PAIRS, rules=ROTATING,
    )  # fmt: skip
    assert game.credit == {"Ann": 62, "Bob": 10, "Cat": 20, "Dan": 20, "Eve": 92, "Fay": 40}


def test_k15_an_accent_in_one_or_two_characters_is_the_same_person():
    sides = (replace(PAIRS[0], members=("Ren\u00e9", "Bob")), PAIRS[1])
    game = game_of(
        "t1 10/0! t2 1/0", PartnersChanged(((SideId("t1"), ("Rene\u0301", "Zoe")),)), "t1 5/0! t2 1/0",
        sides=sides, rules=ROTATING,
    )  # fmt: skip
    assert game.credit["Ren\u00e9"] == 15
    assert len(game.credit) == 5


@pytest.mark.parametrize(("tie_breaker", "refused"), [(TieBreaker.TIED, True), (TieBreaker.EVERYBODY, False)])
def test_k8_k15_partners_who_are_tied_change_partners_first(tie_breaker, refused):
    rules = replace(ROTATING, target=30, tie_breaker=tie_breaker)
    tied = game_of("t1 30/0! t2 1/0 t3 1/0", sides=PAIRS, rules=rules)
    assert "change partners first" in tied.verdict
    hand = HandRecorded(parse_hand("t1 1/0! t2 1/0 t3 1/0" if not refused else "t1 1/0!"))
    if refused:
        for event in (HandBegun(), hand):
            with pytest.raises(RulesError, match="Ann and Bob are tied, but not on two sides: change partners first"):
                apply(tied, event)
    else:
        assert apply(tied, hand).state == "tie-breaker"
    parted = apply(tied, PartnersChanged(((SideId("t1"), ("Ann", "Cat")), (SideId("t2"), ("Bob", "Dan")))))
    assert "change partners" not in parted.verdict
    after = apply(parted, HandRecorded(parse_hand("t1 1/0! t2 2/0" if refused else "t1 1/0! t2 2/0 t3 0/0")))
    assert after.winner_name == "Bob"


def test_k14_a_hand_left_out_stands_on_no_sheet_as_counted():
    left_out = apply(LATE, LateHandsSettled(False))
    assert score_rows(left_out)[3] == ["3 (not counted)", "0!", "52"]
    assert [line.split(",")[0] for line in score_csv(left_out).splitlines()[1:]] == ["1", "1", "2", "2"]


# What was found when trying to break it


def test_k14_after_other_rules_reopened_the_game_the_end_of_before_is_forgotten():
    left_out = apply(LATE, LateHandsSettled(False))
    on = apply(apply(left_out, RulesChanged(Rules(target=150))), HandicapSet(BEN, Handicap(start=60)))
    assert on.verdict == "Ben leads with 110 of 150 points"
    assert apply(on, RulesChanged(TO_100)).winner == BEN


def test_k14_a_hand_left_out_stays_out_when_the_table_later_counts_another():
    hands = ("amy 40/0! ben 10/0", "amy 5/0! ben 30/0", "amy 0/0! ben 52/0")
    game = game_of(*hands, sides=THREE[:2], rules=Rules(target=50))
    game = apply(apply(game, corrected(2, "amy 10/0! ben 30/0")), LateHandsSettled(False))
    game = apply(apply(game, corrected(1, "amy 50/0! ben 10/0")), LateHandsSettled(True))
    assert (game.winner, game.totals) == (AMY, {AMY: 60, BEN: 40})
    again = apply(game, corrected(1, "amy 50/0! ben 9/0"))
    assert (again.winner, again.totals) == (AMY, {AMY: 60, BEN: 39})


def test_k14_the_verdict_and_the_board_count_the_same_starting_scores():
    sides = (replace(THREE[0], handicap=Handicap(start=20)), THREE[1])
    game = game_of("amy 50/0! ben 20/0", "amy 25/0! ben 20/0", "amy 0/0 ben 30/0!", sides=sides)
    game = apply(game, HandicapSet(AMY, Handicap()))
    game = apply(apply(game, corrected(2, "amy 30/0! ben 20/0")), LateHandsSettled(False))
    assert game.verdict == "Amy leads with 80 of 100 points"
    assert game.totals[AMY] == 80


def test_k14_a_game_of_one_that_is_won_after_all_says_so_first():
    canfield = Rules(target=52, rounds=1, scoring=Scoring.FOUNDATION)
    game = game_of("amy 40/0", sides=THREE[:1], rules=canfield)
    moved = moved_by(game, corrected(1, "amy 52/0"), apply(game, corrected(1, "amy 52/0")))
    assert moved is not None
    assert moved.text == "This ends the game: Amy wins with 52 points."


def test_k14_nothing_is_announced_where_a_side_wins_as_the_person_it_is():
    sides = make_sides(["Old Tom", "Ben"])
    game = game_of("old-tom 52/0! ben 1/0", "old-tom 52/0! ben 1/0", sides=sides)
    event = RulesChanged(ROTATING)
    assert moved_by(game, event, apply(game, event)) is None


def test_k15_a_name_that_was_typed_and_taken_back_is_nobody():
    rules = replace(ROTATING, target=0, rounds=1)
    typo = PartnersChanged(((SideId("t1"), ("Anm", "Bob")),))
    right = PartnersChanged(((SideId("t1"), ("Ann", "Bob")),))
    game = game_of(typo, right, "t1 5/10 t2 5/9", sides=PAIRS[:2], rules=rules)
    assert game.verdict.startswith("Cat and Dan are tied at -13 points")
    assert "Anm" not in game.credit


def test_d4_places_go_by_points_alone_where_calls_do_not_break_ties():
    hands = ("amy 52/0! ben 50/0 cleo 20/0", "amy 50/0! ben 52/0 cleo 20/0")
    by_points = game_of(*hands, rules=Rules(calls_break_ties=False))
    assert [by_points.levels[side.id] for side in by_points.ranking] == [(-102, 0), (-102, 0), (-40, 0)]
    by_calls = game_of(*hands)
    assert [side.id for side in by_calls.ranking] == [AMY, BEN, CLEO]


def test_k19_a_game_scored_in_points_that_was_changed_to_hands_won_can_be_changed_back():
    tally = RulesChanged(Rules(target=50, scoring=Scoring.HANDS))
    game = follow(game_of(LEADING), tally)
    back = apply(game, RulesChanged(TO_100))
    assert back.rules == TO_100


def test_a_stored_game_is_read_though_others_would_play_its_next_hand_today():
    """An older program called Ann, Cat and Dan tied, for Eve's points of a side that left were lost."""
    four = (*PAIRS, Side(SideId("t4"), "T4", "#cc79a7", members=("Gus", "Hal")))
    rules = replace(ROTATING, tie_breaker=TieBreaker.TIED)
    t3, ann_and_eve = SideLeft(SideId("t3")), PartnersChanged(((SideId("t1"), ("Ann", "Eve")),))
    hands = [HandRecorded(parse_hand(hand)) for hand in (
        "t1 30/0! t2 30/0 t3 40/0 t4 10/0", "t1 52/0! t2 52/0! t4 10/0", "t1 20/0 t2 20/0! t4 10/0!",
        "t1 20/0! t2 10/0",
    )]  # fmt: skip
    stored = [GameStarted(four, rules), hands[0], t3, ann_and_eve, *hands[1:3], ReadySaid(SideId("t2")), hands[3]]
    game = fold(stored, follow)
    assert (game.late, game.winner_name) == ((4,), None)
    accent = [GameStarted(THREE, TO_100), SideJoined(Side(SideId("e1"), "\u00c9va", "#56b4e9")), SideLeft(SideId("e1"))]
    two = fold([*accent, SideJoined(Side(SideId("e2"), "E\u0301va", "#56b4e9"))], follow)
    assert len(two.playing) == 4


def test_h7_the_verdict_of_a_disputed_game_knows_how_it_was_made():
    game = apply(WON, HandDisputed(1, "counted twice"))
    assert game.verdict == "Amy wins with 102 points (unofficial: hand 1 is disputed)"
    assert game.verdict.message == "%(verdict)s (unofficial: %(hands)s)"


def test_k14_the_hand_that_ended_the_game_is_named_also_where_the_next_one_was_left_out_before():
    left_out = apply(LATE, LateHandsSettled(False))
    stored = follow(left_out, HandRecorded(parse_hand("amy 1/0! ben 1/0")))
    assert stored.late == (4,)
    assert stored.verdict.startswith("Amy had 100 points after hand 2, and that ended the game. Hand 4 came after")


def test_k14_a_win_that_goes_to_another_is_said_so():
    event = corrected(2, "amy 10/0! ben 52/0 cleo 50/0")
    game = game_of(LEADING, "amy 50/0! ben 30/0 cleo 20/0", rules=TWO_HANDS)
    moved = moved_by(game, event, apply(game, event))
    assert moved is not None
    assert moved.text == "This takes the win from Amy: Ben wins with 82 points."
    lines = [(line.name, line.before, line.after) for line in moved.lines]
    assert lines == [("Ben", 60, 82), ("Cleo", 40, 70), ("Amy", 102, 62)]


def test_k14_the_lines_show_who_can_win_only_before_or_only_after():
    moved = moved_by(TIED, SideLeft(BEN), apply(TIED, SideLeft(BEN)))
    assert moved is not None
    assert [(line.name, line.after) for line in moved.lines] == [("Amy", 100), ("Ben", None), ("Cleo", 40)]


@pytest.mark.parametrize(
    "event", [GameStarted(THREE, TO_100), LateHandsSettled(True)], ids=["begun already", "nothing to decide"]
)
def test_what_never_made_sense_is_no_part_of_a_stored_game_either(event):
    with pytest.raises(RulesError):
        follow(PLAYING, event)


def test_k15_nobody_is_renamed_to_somebody_who_played_for_another_side():
    game = game_of("amy 9/0! ben 1/0 cleo 1/0", PartnersChanged(((BEN, ("Zoe", "Yan")),)))
    with pytest.raises(RulesError, match="Zoe has a row"):
        apply(game, SideRenamed(AMY, "zoe"))


@pytest.mark.parametrize(
    ("game", "event", "says"),
    [
        pytest.param(LATE, LateHandsSettled(True), "The table decided: hand 3, played after the end, counts", id="one"),
        pytest.param(
            follow(LATE, HandRecorded(parse_hand("amy 1/0! ben 1/0"))), LateHandsSettled(False),
            "The table decided: each of hands 3 and 4, played after the end, does not count", id="two",
        ),
        pytest.param(WON, SideRenamed(AMY, "Amelie"), "Amy is called Amelie now", id="another name"),
    ],
)  # fmt: skip
def test_the_history_tells_it(game, event, says):
    assert describe(game, event) == says


def test_h5_a_penalty_of_who_left_before_the_count_is_in_the_statistics_and_no_hand_played():
    penalty = PenaltyGiven(CLEO, -5, "threw a card")
    game = game_of(penalty, SideLeft(CLEO), "amy 9/0! ben 1/0", rules=TO_100)
    cleo = figures_of_sides(game, [None])[CLEO]
    assert (cleo.points, cleo.hands, cleo.average) == (-5, 0, None)
    left_out = apply(LATE, LateHandsSettled(False))
    assert figures_of_sides(left_out, [None] * 3)[BEN].points == 50
