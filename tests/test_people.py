"""Statistics, credit, the board and the winner agree about people, whatever sides they sat in or left (rules K15)."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from datetime import timedelta

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scorekeeper.errors import RulesError
from scorekeeper.rules.events import (
    Event,
    GameStarted,
    HandCorrected,
    HandicapSet,
    HandRecorded,
    LastHandUndone,
    LateHandsSettled,
    PartnersChanged,
    PenaltyGiven,
    RulesChanged,
    SideJoined,
    SideLeft,
    SideRenamed,
    SideReturned,
)
from scorekeeper.rules.fold import apply
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Partnership, Rules, TieBreaker
from scorekeeper.rules.moved import moved_by
from scorekeeper.rules.names import name_key
from scorekeeper.rules.scoring import Hand, Handicap, Side, SideId, Tally
from scorekeeper.rules.statistics import figures_of_people, winners_of
from web.standings import people

NAMES = ["Ann", "Bob", "Cléo", "Dan", "Eve", "Fay", "Gil", "Hal"]
SPELLINGS = [str, str.upper, str.lower, lambda name: unicodedata.normalize("NFD", name)]
spelled = st.builds(lambda name, spell: spell(name), st.sampled_from(NAMES), st.sampled_from(SPELLINGS))
teams = st.lists(spelled, min_size=1, max_size=2)
SIDES = tuple(SideId(f"t{number}") for number in range(4))
MAY_MOVE_THE_END = (HandCorrected, LastHandUndone, RulesChanged, LateHandsSettled)


class Evening(RuleBasedStateMachine):
    """Partners rotate, people come, go and are spelled in many ways; a plain list of hands counts along."""

    game: Game

    @initialize(
        seats=st.lists(teams, min_size=2, max_size=3),
        goal=st.integers(20, 60),
        rounds=st.integers(0, 4),
        tie_breaker=st.sampled_from(TieBreaker),
        rotating=st.booleans(),
        start=st.integers(-5, 5),
    )
    def sit_down(self, seats, goal, rounds, tie_breaker, rotating, start):
        partnership = Partnership.ROTATING if rotating else Partnership.FREE
        rules = Rules(target=goal, rounds=rounds, tie_breaker=tie_breaker, partnership=partnership)
        sides = tuple(
            Side(SIDES[at], f"T{at}", "#0072b2", members=tuple(team), handicap=Handicap(start=start))
            for at, team in enumerate(seats)
        )
        try:
            self.game = apply(None, GameStarted(sides, rules))
        except RulesError:
            plain = tuple(replace(side, members=()) for side in sides)
            self.game = apply(None, GameStarted(plain, rules))

    def happen(self, event: Event) -> None:
        """What the table does; a decided game may refuse it, and changes its winner by few things only (K14)."""
        before = self.game
        try:
            self.game = apply(before, event)
        except RulesError:
            assert self.game is before
            return
        if before.over and not before.late:
            moved = moved_by(before, event, self.game)
            assert moved is None or isinstance(event, MAY_MOVE_THE_END)
            if isinstance(event, SideRenamed):
                assert self.points_of_winner(before) == self.points_of_winner(self.game)
            elif self.winner(before) != self.winner(self.game):
                assert moved is not None
                assert {line.name for line in moved.lines} >= {each.name for each in before.standing.leaders}

    def winner(self, game: Game) -> str | None:
        return game.standing.winner.key if game.standing.winner else None

    def points_of_winner(self, game: Game) -> object:
        return game.standing.winner and game.standing.winner[2:]

    def hand(self, sides: tuple[Side, ...], lakes: list[int], caller: int) -> Hand:
        tallies = tuple(Tally(side.id, lake, 0) for side, lake in zip(sides, lakes, strict=False))
        return Hand(tallies, (sides[caller % len(sides)].id,) if sides else ())

    @rule(lakes=st.lists(st.integers(0, 30), min_size=4, max_size=4), caller=st.integers(0, 3))
    def play(self, lakes, caller):
        self.happen(HandRecorded(self.hand(self.game.next_sides, lakes, caller)))

    @precondition(lambda self: self.game.played)
    @rule(lakes=st.lists(st.integers(0, 30), min_size=4, max_size=4), caller=st.integers(0, 3), at=st.integers(0, 20))
    def correct(self, lakes, caller, at):
        number = at % len(self.game.played)
        sides = self.game.played[number].sides
        self.happen(HandCorrected(number + 1, self.hand(sides, lakes, caller), "miscounted"))

    @rule()
    def undo(self):
        self.happen(LastHandUndone("twice"))

    @rule(side=st.sampled_from(SIDES), team=teams)
    def change_partners(self, side, team):
        self.happen(PartnersChanged(((side, tuple(team)),)))

    @rule(side=st.sampled_from(SIDES))
    def leave(self, side):
        self.happen(SideLeft(side))

    @rule(side=st.sampled_from(SIDES))
    def come_back(self, side):
        self.happen(SideReturned(side))

    @rule(team=teams, start=st.integers(-5, 9))
    def join(self, team, start):
        self.happen(SideJoined(Side(SIDES[3], "Late", "#56b4e9", members=tuple(team), handicap=Handicap(start=start))))

    @rule(side=st.sampled_from(SIDES), start=st.integers(-5, 19), per_hand=st.integers(-2, 2))
    def set_a_handicap(self, side, start, per_hand):
        self.happen(HandicapSet(side, Handicap(start=start, per_hand=per_hand)))

    @rule(side=st.sampled_from(SIDES), points=st.integers(-9, -1))
    def give_a_penalty(self, side, points):
        self.happen(PenaltyGiven(side, points, "threw a card"))

    @rule(side=st.sampled_from(SIDES), name=st.sampled_from(["Stars", "stars", "T9", "Ann"]))
    def rename(self, side, name):
        self.happen(SideRenamed(side, name))

    @rule(goal=st.integers(20, 90))
    def change_the_target(self, goal):
        self.happen(RulesChanged(replace(self.game.rules, target=goal)))

    @rule(count=st.booleans())
    def decide_about_late_hands(self, count):
        self.happen(LateHandsSettled(count))

    @invariant()
    def everybody_has_the_points_of_their_hands(self):
        """Credit is a plain recount over the hands, and the statistics say the same."""
        recount = {name_key(who): 0 for side in self.game.sides for who in side.people}
        for played in self.game.played:
            for side in (*played.sides, *played.absent) if not played.left_out else ():
                for who in side.people:
                    recount[name_key(who)] = recount.get(name_key(who), 0) + played.points.get(side.id, 0)
        starts = self.game.everybody.starts
        credit = {name_key(name): points for name, points in self.game.credit.items()}
        assert credit == {who: points + starts[who] for who, points in recount.items()}
        times = [timedelta(minutes=1)] * len(self.game.played)
        figures = {name_key(name): each.points for name, each in figures_of_people([(self.game, times)]).items()}
        assert {who: figures.get(who, 0) for who in recount} == recount

    @invariant()
    def the_best_of_those_who_can_win_wins(self):
        game = self.game
        if game.rules.partnership is not Partnership.ROTATING or game.ended_after:
            return
        can_win = {name for name in game.credit if name_key(name) not in game.everybody.away}
        assert {name_key(who) for side in game.playing for who in side.people} <= {name_key(name) for name in can_win}
        assert {each.name: each.points for each in game.standing.contenders} == {
            name: points for name, points in game.credit.items() if name in can_win
        }
        assert dict(people(game)) == game.credit
        if game.winner_name:
            best = max(points for name, points in game.credit.items() if name in can_win)
            assert game.credit[game.winner_name] == best
            assert winners_of(game) == {name_key(game.winner_name)}


Evening.TestCase.settings = settings(
    max_examples=60, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestEvening = Evening.TestCase
