"""What the hands of an evening say about sides and people."""

from __future__ import annotations

from datetime import timedelta

import pytest

from scorekeeper.rules.events import GameStarted, HandRecorded, PartnersChanged, SideJoined
from scorekeeper.rules.fold import fold
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Scoring
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, Side, SideId, make_sides
from scorekeeper.rules.statistics import Figures, figures_of_people, figures_of_sides

AMY, BEN, CLEO = SideId("amy"), SideId("ben"), SideId("cleo")
TWO = timedelta(minutes=2)


def played(*hands: str, rules: Rules | None = None) -> Game:
    """Amy and Ben at the table, and these hands."""
    start = GameStarted(make_sides(["Amy", "Ben"]), rules or Rules())
    return fold([start, *(HandRecorded(parse_hand(hand)) for hand in hands)])


def test_before_the_first_hand_there_is_nothing_to_say():
    figures = figures_of_sides(played(), [])[AMY]
    assert figures == Figures(())
    assert (figures.average, figures.lake, figures.best, figures.time, figures.per_minute) == (None,) * 5


def test_averages_best_and_worst_hand_calls_and_pace():
    game = played("amy 14/0! ben 9/3", "amy 4/5 ben 20/0!", "amy 9/2 ben 5/0!")
    amy = figures_of_sides(game, [TWO, None, 2 * TWO])[AMY]
    assert (amy.hands, amy.won, amy.calls, amy.points) == (3, 2, 1, 13)
    assert (amy.average, amy.lake, amy.left) == pytest.approx((13 / 3, 9, 7 / 3))
    assert amy.best is not None
    assert (amy.best.number, amy.best.points) == (1, 14)
    assert amy.worst is not None
    assert (amy.worst.number, amy.worst.points) == (2, -6)
    assert amy.time == timedelta(minutes=3)
    assert amy.per_minute == pytest.approx(19 / 6)


def test_a_hand_with_equal_points_is_won_by_both():
    figures = figures_of_sides(played("amy 9/0! ben 9/0!"), [None])
    assert (figures[AMY].won, figures[BEN].won) == (1, 1)


def test_typed_scores_have_no_cards_to_average():
    amy = figures_of_sides(played("amy =12! ben =3"), [None])[AMY]
    assert (amy.lake, amy.left, amy.average) == (None, None, 12)


@pytest.mark.parametrize(
    ("scoring", "hand", "lake", "left"),
    [
        pytest.param(Scoring.LEFTOVERS, "amy 0/0! ben 0/7", None, 0, id="only what is left"),
        pytest.param(Scoring.FOUNDATION, "amy 9/0 ben 7/0", 9, None, id="only foundations"),
    ],
)
def test_what_a_scoring_does_not_count_has_no_average(scoring, hand, lake, left):
    amy = figures_of_sides(played(hand, rules=Rules(scoring=scoring)), [None])[AMY]
    assert (amy.lake, amy.left) == (lake, left)


def test_where_hands_are_tallied_the_caller_wins():
    figures = figures_of_sides(played("ben!", rules=Rules(target=5, scoring=Scoring.HANDS)), [None])
    assert (figures[AMY].won, figures[BEN].won) == (0, 1)


def test_people_keep_their_hands_when_partners_change_and_over_games():
    sides = (
        Side(SideId("one"), "One", "#0072b2", members=("Amy", "Ben")),
        Side(SideId("two"), "Two", "#d55e00", members=("Cleo", "Dan")),
    )
    swap = PartnersChanged(((SideId("one"), ("Amy", "Cleo")), (SideId("two"), ("Ben", "Dan"))))
    first, second = (HandRecorded(parse_hand(text)) for text in ("one 9/0! two 4/2", "one 3/1 two 8/0!"))
    game = fold([GameStarted(sides, Rules()), first, swap, second])
    alone = fold([GameStarted(make_sides(["AMY", "Eve"]), Rules()), HandRecorded(parse_hand("amy 5/0! eve 1/0"))])
    people = figures_of_people([(game, [None, None]), (alone, [TWO])])
    assert {name: figures.points for name, figures in people.items()} == {
        "Amy": 9 + 1 + 5, "Ben": 9 + 8, "Cleo": 0 + 1, "Dan": 0 + 8, "Eve": 1
    }  # fmt: skip


def test_who_came_late_has_only_the_hands_played():
    late = SideJoined(Side(CLEO, "Cleo", "#009e73"))
    hands = [HandRecorded(parse_hand("amy 9/0! ben 4/2")), late, HandRecorded(parse_hand("amy 3/1 ben 8/0! cleo 2/2"))]
    game = fold([GameStarted(make_sides(["Amy", "Ben"]), Rules()), *hands])
    figures = figures_of_sides(game, [None, None])
    assert [figures[side].hands for side in (AMY, BEN, CLEO)] == [2, 2, 1]
