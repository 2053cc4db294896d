"""Hands of every kind of scoring: totals alone, hands won, leftovers, foundation, ranks worth extra, shared bonus."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from scorekeeper.rules.events import CallVerified, NertzCalled, SideLeft
from scorekeeper.rules.house import Finished, Play, Rules, Scoring, Simultaneous, TieBreaker
from scorekeeper.rules.notation import format_hand, parse_hand
from scorekeeper.rules.scoring import Adjustment, Hand, SideId, Tally, Typed, make_sides
from scorekeeper.rules.sides import Handicap
from web.hand_form import amount, hand_fields, read_hand

SIDES = make_sides(["Amy", "Ben"])
COUNTS = {"lake.amy": "14", "lake.ben": "9", "left.ben": "3", "left.amy": "0"}


@pytest.fixture
def begin(book):
    """Starts a game under house rules: ``begin(bonus=10)``."""

    def start(names=("Amy", "Ben"), **rules):
        return book.start_game(make_sides(list(names)), Rules(**rules), request_id="start")

    return start


def record(phone, game_id, version=1, **fields):
    named = {name.replace("_", "."): text for name, text in fields.items()}
    return phone.post(f"/g/{game_id}/hand", data={"version": str(version), "request_id": "tap", **named})


def only_hand(book, game_id):
    return format_hand(book.game(game_id).hands[-1])


@pytest.mark.parametrize(
    ("text", "points"),
    [
        pytest.param("14", 14, id="whole"),
        pytest.param("−5", -5, id="a true minus"),
        pytest.param("2.5", Fraction(5, 2), id="a point"),
        pytest.param("2,5", Fraction(5, 2), id="a comma"),
        pytest.param("10/3", Fraction(10, 3), id="a fraction"),
        pytest.param("3 1/3", Fraction(10, 3), id="whole and fraction"),
        pytest.param("3⅓", Fraction(10, 3), id="as the board writes it"),
        pytest.param("-½", Fraction(-1, 2), id="less than none"),
        pytest.param("", None, id="nothing"),
        pytest.param("1/0", None, id="by nothing"),
        pytest.param("ten", None, id="a word"),
        pytest.param("1 2", None, id="two numbers"),
    ],
)
def test_points_are_typed_as_people_write_them(text, points):
    assert amount(text) == points


TOTALS = Hand((), (SideId("amy"),), (), (), (Typed(SideId("amy"), 24), Typed(SideId("ben"), Fraction(5, 2))))
RANKS = Hand((Tally(SideId("amy"), 14, 0, ((1, 3), (13, 1))), Tally(SideId("ben"), 9, 3)), (SideId("amy"),))
SHARES = Hand(
    (Tally(SideId("amy"), 14, 0), Tally(SideId("ben"), 9, 0)),
    (SideId("amy"), SideId("ben")),
    (Adjustment(SideId("ben"), -5, "late"),),
    ((SideId("amy"), Fraction(20, 3)), (SideId("ben"), Fraction(10, 3))),
)


@pytest.mark.parametrize(
    ("hand", "rules"),
    [
        pytest.param(TOTALS, Rules(bonus=10), id="totals"),
        pytest.param(RANKS, Rules(rank_extras=((1, 2), (13, 5))), id="ranks"),
        pytest.param(SHARES, Rules(bonus=10), id="voted shares"),
        pytest.param(Hand((), (SideId("ben"),)), Rules(target=3, scoring=Scoring.HANDS), id="hands won"),
    ],
)
def test_a_recorded_hand_stands_in_the_form_as_it_was(hand, rules):
    form = read_hand(hand_fields(hand, rules), SIDES, rules)
    assert form.hand == hand
    assert form.problems() == []


def test_one_number_for_each_side_is_enough(client, book, begin):
    game_id = begin(bonus=10)
    answer = record(client, game_id, how="totals", called_amy="1", score_amy="24", score_ben="-3")
    assert answer.status_code == 303
    assert only_hand(book, game_id) == "amy =24! ben =-3"
    assert book.game(game_id).totals == {"amy": 24, "ben": -3}
    assert 'id="how-totals" checked' in client.get(f"/g/{game_id}/hand").text


def test_a_total_that_can_not_be_is_refused(client, book, begin):
    game_id = begin()
    answer = record(client, game_id, how="totals", score_amy="80", score_ben="x")
    assert "Ben: &#39;x&#39; is no score" in answer.text
    answer = record(client, game_id, how="totals", score_amy="80", score_ben="4")
    assert "Amy can&#39;t score 80: cards make \N{MINUS SIGN}26 to 52" in answer.text
    assert 'name="score.amy" value="80"' in answer.text


def test_totals_that_do_not_fit_the_lake_are_doubtful(client, begin):
    answer = record(client, begin(), how="totals", score_amy="10", score_ben="9", called_amy="1", total="18")
    assert "must make" in answer.text
    assert "Record anyway" in answer.text


def test_a_tally_of_hands_asks_only_who_called(client, book, begin):
    game_id = begin(target=3, scoring=Scoring.HANDS)
    page = client.get(f"/g/{game_id}/hand").text
    assert 'name="called.amy"' in page
    assert "lake.amy" not in page
    assert record(client, game_id, called_ben="1").status_code == 303
    assert only_hand(book, game_id) == "ben!"
    assert "Ben leads with 1 of 3 hands won" in client.get(f"/g/{game_id}").text


def test_a_hand_nobody_won_is_said_not_forgotten(client, book, begin):
    game_id = begin(target=3, scoring=Scoring.HANDS)
    assert "Tick who called Nertz, or that nobody did" in record(client, game_id).text
    assert record(client, game_id, nobody="1").status_code == 303
    assert book.game(game_id).totals == {"amy": 0, "ben": 0}


def test_the_caller_scores_what_the_others_have_left(client, book, begin):
    game_id = begin(target=100, scoring=Scoring.LEFTOVERS, names=("Amy", "Ben"))
    assert "lake.amy" not in client.get(f"/g/{game_id}/hand").text
    assert record(client, game_id, called_amy="1", left_ben="17").status_code == 303
    assert book.game(game_id).totals == {"amy": 17, "ben": 0}


def test_one_player_counts_the_foundations(client, book, begin):
    game_id = begin(names=("Amy",), target=52, scoring=Scoring.FOUNDATION)
    page = client.get(f"/g/{game_id}/hand").text
    assert "First rank of the foundations" in page
    assert "left.amy" not in page
    assert record(client, game_id, lake_amy="31").status_code == 303
    assert book.game(game_id).totals == {"amy": 31}


def test_cards_of_a_rank_worth_extra_are_counted(client, book, begin):
    game_id = begin(rank_extras=((1, 2), (13, 5)))
    fields = {"rank1.amy": "3", "rank13.amy": "1", "rank1.ben": "0", "rank13.ben": "x", "called.amy": "1", **COUNTS}
    assert "Ben: &#39;x&#39; is no whole number" in record(client, game_id, **fields).text
    assert record(client, game_id, **{**fields, "rank13.ben": "0"}).status_code == 303
    assert book.game(game_id).totals == {"amy": 14 + 6 + 5, "ben": 3}


def test_a_bonus_is_shared_equally_by_itself(client, book, begin):
    game_id = begin(bonus=5)
    fields = {**COUNTS, "left.ben": "0", "called.amy": "1", "called.ben": "1"}
    words = client.post(f"/g/{game_id}/hand/draft", data={"version": "1", **fields}).text
    assert "Amy <b>2.5</b>" in words
    assert "equal shares" in words
    assert record(client, game_id, **fields).status_code == 303
    assert book.game(game_id).totals == {"amy": Fraction(33, 2), "ben": Fraction(23, 2)}


def test_the_table_votes_on_the_shares(client, book, begin):
    game_id = begin(bonus=10)
    fields = {**COUNTS, "left.ben": "0", "called.amy": "1", "called.ben": "1", "vote": "1", "share.amy": "20/3"}
    assert "Ben: enter its share of the bonus, 0 if none" in record(client, game_id, **fields).text
    assert "make 15⅔ of 10, 5⅔ too much" in record(client, game_id, **fields, **{"share.ben": "9"}).text
    assert record(client, game_id, **fields, **{"share.ben": "3 1/3"}).status_code == 303
    assert only_hand(book, game_id) == "amy 14/0!20/3 ben 9/0!10/3"


def test_nobody_called_is_said_before_it_is_recorded(client, begin):
    assert "Nobody called Nertz: no bonus is paid" in client.get(f"/g/{begin(bonus=10)}/hand").text


def test_finished_piles_set_aside_count_thirteen(client, book, begin):
    game_id = begin(play=Play(finished=Finished.ASIDE))
    assert record(client, game_id, **COUNTS, called_amy="1", total="10", aside="1").status_code == 303


def test_cards_that_stayed_twice_are_added(client, book, begin):
    game_id = begin(play=Play(simultaneous=Simultaneous.BOTH_STAY))
    assert record(client, game_id, **COUNTS, called_amy="1", total="22", duplicates="1").status_code == 303


def test_where_no_pile_is_set_aside_nobody_is_asked(client, game_id):
    page = client.get(f"/g/{game_id}/hand").text
    assert 'name="aside"' not in page
    assert 'name="duplicates"' not in page


def test_who_is_not_tied_sits_the_tie_breaker_out(client, book, begin):
    game_id = begin(names=("Amy", "Ben", "Cleo"), target=30, tie_breaker=TieBreaker.TIED)
    book.record_hand(game_id, parse_hand("amy 30/0! ben 30/0! cleo 9/9"), request_id="one")
    page = client.get(f"/g/{game_id}/hand").text
    assert "Tie-breaker of the tied sides. Sitting out: Cleo" in page
    assert "lake.cleo" not in page
    assert record(client, game_id, 2, **COUNTS, called_amy="1").status_code == 303
    board = client.get(f"/g/{game_id}").text
    assert "did not play this hand" in board
    assert client.get(f"/g/{game_id}/hands/2").status_code == 200
    assert client.get(f"/g/{game_id}/undo").status_code == 200


def test_calls_that_were_heard_must_fit_the_hand(client, book, game_id):
    book.note(game_id, NertzCalled(SideId("amy")), request_id="call")
    book.note(game_id, CallVerified(SideId("amy")), request_id="stands")
    answer = record(client, game_id, 3, **{**COUNTS, "left.amy": "1"})
    assert "Amy called Nertz, but the hand says otherwise" in answer.text
    assert "Record anyway" in answer.text


def test_a_corrected_hand_is_judged_by_its_own_rules(client, book, begin):
    game_id = begin(bonus=10)
    book.record_hand(game_id, parse_hand("amy =24! ben =4"), request_id="one")
    page = client.get(f"/g/{game_id}/hands/1/correct").text
    assert 'id="how-totals" checked' in page
    assert 'name="score.amy" value="24"' in page
    fields = {"version": "2", "request_id": "tap", "reason": "added up wrong", "how": "totals", "called.amy": "1"}
    posted = {**fields, "score.amy": "22", "score.ben": "4"}
    assert client.post(f"/g/{game_id}/hands/1/correct", data=posted).status_code == 303
    assert only_hand(book, game_id) == "amy =22! ben =4"


# What the board makes of them


def test_the_board_marks_who_left_and_who_has_a_handicap(watcher, book):
    amy, ben, cleo = make_sides(["Amy", "Ben", "Cleo"])
    sides = (amy, replace(ben, handicap=Handicap(start=20, pile_size=10, per_hand=2)), cleo)
    game_id = book.start_game(sides, Rules(), request_id="even")
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3 cleo 4/4"), request_id="one")
    book.note(game_id, SideLeft(SideId("cleo"), "bedtime"), request_id="left")
    board = watcher.get(f"/g/{game_id}").text
    assert "from 20 · pile of 10 · +2 a hand" in board
    assert "left the table" in board


def test_each_step_of_the_end_is_explained(watcher, book, begin):
    game_id = begin(target=30)
    book.record_hand(game_id, parse_hand("amy 30/0! ben 30/0!"), request_id="one")
    book.record_hand(game_id, parse_hand("amy 6/0! ben 10/2"), request_id="two")
    board = watcher.get(f"/g/{game_id}").text
    assert "Amy and Ben have 30 points or more, and that ends the game" in board
    assert "Then the most Nertz calls: Amy 2, Ben 1" in board
    assert "Amy wins: level with Ben at 36 points, but 2 Nertz calls to 1" in board


def test_a_game_of_rounds_says_how_many(watcher, book, begin):
    game_id = begin(target=0, rounds=3)
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="one")
    board = watcher.get(f"/g/{game_id}").text
    assert "Amy leads with 14 points after hand 1 of 3" in board
    assert "1 hand of 3" in board
    assert "to go" not in board
