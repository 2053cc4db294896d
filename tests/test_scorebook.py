"""The scorebook keeps a table's games: every write once, in order, checked, and told in words."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from threading import Barrier

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scorekeeper.errors import EndMovesError, IllegalHandError, NotFoundError, RulesError, StaleGameError
from scorekeeper.rules.events import (
    CallRefused,
    CallVerified,
    DisputeSettled,
    Event,
    GameStarted,
    HandDisputed,
    HandicapSet,
    HandRecorded,
    LastHandUndone,
    LateHandsSettled,
    NertzCalled,
    PenaltyGiven,
    PenaltyRemoved,
    ReadySaid,
    RulesChanged,
    RulesConfirmed,
    SideJoined,
    SideLeft,
    SideReturned,
    TimeOutCalled,
    TimeOutEnded,
    TimeOutReason,
)
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Play, TieBreaker
from scorekeeper.rules.lake import DeckId, Evidence
from scorekeeper.rules.moved import moved_by
from scorekeeper.rules.notation import format_hand, parse_hand
from scorekeeper.rules.scoring import Hand, Handicap, Rules, Side, SideId, Tally, make_sides
from scorekeeper.scorebook import GameId, Scorebook
from scorekeeper.store import EventLog, open_log

AMY, BEN = SideId("amy"), SideId("ben")
SIDES = make_sides(["Amy", "Ben"])
HAND = parse_hand("amy 14/0! ben 9/4")
WIN = parse_hand("amy 21/0! ben 9/4")


class Clock:
    """A minute passes between two looks."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def log(tmp_path: Path) -> Iterator[EventLog]:
    log = open_log(f"sqlite:///{tmp_path / 'games.db'}")
    yield log
    log.close()


@pytest.fixture
def book(log: EventLog) -> Scorebook:
    return Scorebook(log, Clock())


@pytest.fixture
def game(book: Scorebook) -> GameId:
    return book.start_game(SIDES, Rules(target=20), request_id="start", who="Zoe")


def test_a_new_book_has_no_games(book):
    assert book.games() == []


def test_a_game_starts_with_nothing(book, game):
    assert book.game(game).totals == {AMY: 0, BEN: 0}
    assert book.version(game) == 1
    assert book.draft(game) == {}


def test_games_have_short_words_of_their_own(book):
    games = {book.start_game(SIDES, Rules(), request_id=f"r{number}") for number in range(20)}
    assert len(games) == 20
    assert all(game.isascii() and game.isalpha() and len(game) == 10 for game in games)


def test_a_double_tap_on_start_makes_one_game(book, game):
    assert book.start_game(SIDES, Rules(target=20), request_id="start") == game
    assert len(book.games()) == 1


def test_the_same_start_with_other_rules_is_refused(book, game):
    with pytest.raises(StaleGameError, match="sent already with other values"):
        book.start_game(SIDES, Rules(target=50), request_id="start")


def test_a_word_that_is_taken_gives_another(book, log, game, tmp_path):
    other_log = open_log(f"sqlite:///{tmp_path / 'other.db'}")
    word = Scorebook(other_log).start_game(SIDES, Rules(), request_id="later")
    log.append(word, 0, GameStarted(SIDES, Rules()), request_id="earlier", at=datetime.now(UTC))
    assert book.start_game(SIDES, Rules(), request_id="later") not in (word, game)
    assert book.version(word) == 1
    other_log.close()


def test_sides_that_cannot_play_together_start_no_game(book):
    with pytest.raises(RulesError, match="two or more sides"):
        book.start_game(make_sides(["Amy"]), Rules(), request_id="r")
    assert book.games() == []


@pytest.mark.parametrize("use", ["game", "history"])
def test_a_game_that_is_not_there_is_not_found(book, use):
    with pytest.raises(NotFoundError, match="there is no game 'nowhere'"):
        getattr(book, use)(GameId("nowhere"))


def test_a_hand_is_recorded(book, game):
    after = book.record_hand(game, HAND, request_id="h1")
    assert after.totals == {AMY: 14, BEN: 1}
    assert book.game(game) == after
    assert book.version(game) == 2


def test_a_double_tap_on_confirm_records_one_hand(book, game):
    first = book.record_hand(game, HAND, request_id="h1", expected=1)
    assert book.record_hand(game, HAND, request_id="h1", expected=1) == first
    assert book.version(game) == 2


def test_a_repeated_request_is_answered_as_it_was_then(book, game):
    first = book.record_hand(game, HAND, request_id="h1")
    book.undo_last_hand(game, "not finished", request_id="u1")
    assert book.record_hand(game, HAND, request_id="h1") == first
    assert book.game(game).hands == ()


def test_a_repeated_request_with_other_numbers_is_refused(book, game):
    book.record_hand(game, HAND, request_id="h1")
    with pytest.raises(StaleGameError, match="sent already with other values: load the page again"):
        book.record_hand(game, WIN, request_id="h1")
    with pytest.raises(StaleGameError):
        book.undo_last_hand(game, "why", request_id="h1")
    assert book.version(game) == 2


@pytest.mark.parametrize("request_id", ["", " ", "a\nb", "x" * 101])
def test_a_request_without_a_proper_id_is_refused(book, game, request_id):
    with pytest.raises(RulesError, match="no proper id: load the page again"):
        book.record_hand(game, HAND, request_id=request_id)


def test_whoever_saw_an_older_game_is_told(book, game):
    book.record_hand(game, HAND, request_id="h1", expected=1)
    with pytest.raises(StaleGameError, match="it is at step 2, you saw step 1"):
        book.record_hand(game, HAND, request_id="h2", expected=1)
    with pytest.raises(StaleGameError):
        book.undo_last_hand(game, "twice", request_id="u1", expected=1)
    with pytest.raises(StaleGameError):
        book.correct_hand(game, 1, WIN, "miscounted", request_id="c1", expected=1)
    assert book.version(game) == 2


def test_two_people_who_confirm_at_once_record_one_hand(book, game):
    barrier = Barrier(2)

    def confirm(number):
        barrier.wait()
        try:
            return book.record_hand(game, HAND, request_id=f"h{number}", expected=1)
        except StaleGameError as error:
            return error

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(confirm, range(2)))
    assert sum(isinstance(answer, StaleGameError) for answer in answers) == 1
    assert book.game(game).totals == {AMY: 14, BEN: 1}


def test_two_sides_may_show_their_decks_at_once(book, game):
    barrier = Barrier(2)

    def show(side):
        barrier.wait()
        book.enrol_deck(game, side, DeckId(f"deck of {side}"), ["s"], request_id=f"d-{side}")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(show, [AMY, BEN]))
    assert [side.deck for side in book.game(game).sides] == ["deck of amy", "deck of ben"]


def test_an_impossible_hand_is_refused_with_every_problem(book, game):
    with pytest.raises(IllegalHandError) as refusal:
        book.record_hand(
            game, parse_hand("amy 60/2! ben 9/20"), request_id="h1", evidence=Evidence(lake=3), confirm_doubts=True
        )
    assert [problem.kind for problem in refusal.value.problems] == ["range", "range", "M11", "M1"]
    assert book.version(game) == 1


def test_a_refused_request_may_come_again_with_better_numbers(book, game):
    with pytest.raises(IllegalHandError):
        book.record_hand(game, parse_hand("amy 60/0! ben 9/4"), request_id="h1")
    assert book.record_hand(game, HAND, request_id="h1").totals == {AMY: 14, BEN: 1}


def test_a_doubt_that_a_person_confirms_is_remembered(book, game):
    with pytest.raises(IllegalHandError, match="The Lake holds 24 cards"):
        book.record_hand(game, HAND, request_id="h1", evidence=Evidence(lake=24))
    book.record_hand(game, HAND, request_id="h1", evidence=Evidence(lake=24), confirm_doubts=True)
    assert "Confirmed knowingly: The Lake holds 24 cards" in book.history(game)[-1].text


def test_a_correction_passes_the_same_checks(book, game):
    book.record_hand(game, HAND, request_id="h1")
    with pytest.raises(IllegalHandError, match="a caller has none"):
        book.correct_hand(game, 1, parse_hand("amy 14/1! ben 9/4"), "typo", request_id="c1")
    with pytest.raises(IllegalHandError, match="The Lake holds 29 cards"):
        book.correct_hand(game, 1, WIN, "typo", request_id="c1", evidence=Evidence(lake=29))
    assert book.version(game) == 2


def test_undo_reopens_a_won_game(book, game):
    assert book.record_hand(game, WIN, request_id="h1").winner == AMY
    with pytest.raises(RulesError, match="the game is over"):
        book.record_hand(game, HAND, request_id="h2")
    with pytest.raises(EndMovesError, match="This reopens the game"):
        book.undo_last_hand(game, "counted twice", request_id="u1")
    assert book.undo_last_hand(game, "counted twice", request_id="u1", announced=True).winner is None
    assert book.record_hand(game, HAND, request_id="h2").totals == {AMY: 14, BEN: 1}


def test_a_correction_after_the_end_reopens_the_game(book, game):
    book.record_hand(game, WIN, request_id="h1")
    with pytest.raises(EndMovesError, match="This reopens the game: Amy leads with 14 of 20 points"):
        book.correct_hand(game, 1, HAND, "a 21 was a 14", request_id="c1")
    assert not book.correct_hand(game, 1, HAND, "a 21 was a 14", request_id="c1", announced=True).over


def test_a_finished_game_says_so_before_it_looks_at_the_counts(book, game):
    book.record_hand(game, WIN, request_id="h1")
    with pytest.raises(RulesError, match="the game is over"):
        book.record_hand(game, parse_hand("amy 99/0!"), request_id="h2")


def test_history_says_who_when_and_why(book, game):
    book.record_hand(game, HAND, request_id="h1", who="Amy")
    book.correct_hand(game, 1, parse_hand("amy 14/0! ben 6/4"), "the 9 was a 6", request_id="c1", who="Ben")
    book.undo_last_hand(game, "wrong table", request_id="u1", who=" Zoe\x00\ud800" + "e" * 99)
    rows = book.history(game)
    assert [row.number for row in rows] == [1, 2, 3, 4]
    assert [row.at.minute for row in rows] == [1, 2, 3, 4]
    assert [row.who for row in rows] == ["Zoe", "Amy", "Ben", "Zoe" + "e" * 77]
    assert [row.text for row in rows[2:]] == [
        "Hand 1 corrected (the 9 was a 6): Ben -2 (6 in the Lake, 4 left) instead of +1",
        "Hand 1 undone (wrong table); it was: Amy called Nertz; Amy +14 (14 in the Lake, none left); "
        "Ben -2 (6 in the Lake, 4 left)",
    ]


def test_the_list_of_games_tells_how_they_stand(book, game):
    book.record_hand(game, WIN, request_id="h1")
    book.start_game(make_sides(["Cleo", "Dan", "Eve"]), Rules(), request_id="second")
    second, first = book.games()
    assert (second.sides, second.state, second.winner, second.hands) == (("Cleo", "Dan", "Eve"), "playing", None, 0)
    assert (first.id, first.state, first.winner, first.hands) == (game, "over", "Amy", 1)
    assert first.started_at < second.started_at


def test_a_draft_is_kept_until_its_hand_is_recorded(book, game):
    book.save_draft(game, {"amy": {"lake": "14"}}, expected=1)
    assert book.draft(game) == {"amy": {"lake": "14"}}
    book.record_hand(game, HAND, request_id="h1")
    assert book.draft(game) == {}
    with pytest.raises(StaleGameError):
        book.save_draft(game, {"amy": {"lake": "14"}}, expected=1)


def test_listeners_hear_of_every_committed_write_until_they_leave(book, game):
    heard = []
    leave = book.on_change(lambda game_id, version: heard.append((game_id, version, book.version(game_id))))
    book.record_hand(game, HAND, request_id="h1")
    with pytest.raises(IllegalHandError):
        book.record_hand(game, parse_hand("amy 1/1!"), request_id="h2")
    book.undo_last_hand(game, "twice", request_id="u1")
    leave()
    leave()
    book.record_hand(game, HAND, request_id="h3")
    assert heard == [(game, 2, 2), (game, 3, 3)]


def test_a_broken_listener_harms_nobody(book, game, caplog):
    heard = []

    def broken(game_id, version):
        raise OSError("the phone is gone")

    book.on_change(broken)
    book.on_change(lambda game_id, version: heard.append(version))
    assert book.record_hand(game, HAND, request_id="h1").totals == {AMY: 14, BEN: 1}
    assert heard == [2]
    assert "a listener failed" in caplog.text


def test_a_whole_game_with_a_tie_an_undo_and_a_correction(book):
    game = book.start_game(SIDES, Rules(target=100), request_id="start")
    for number in range(4):
        book.record_hand(game, parse_hand("amy 24/0! ben 24/0!"), request_id=f"h{number}")
    assert book.record_hand(game, parse_hand("amy 4/0! ben 4/0!"), request_id="h4").state == "tie-breaker"
    assert book.record_hand(game, parse_hand("amy 3/0! ben 9/4"), request_id="h5").winner == AMY
    undone = book.undo_last_hand(game, "Ben had 9 and 2 left", request_id="u", announced=True)
    assert undone.state == "tie-breaker"
    assert book.record_hand(game, parse_hand("amy 3/0! ben 9/2"), request_id="h6").winner == BEN
    longer = parse_hand("amy 6/0! ben 9/2")
    ended = book.correct_hand(game, 6, longer, "a 3 was a 6", request_id="c", announced=True)
    assert ended.verdict == "Amy wins with 106 points"


# The table between two hands


def test_a_changed_rule_counts_from_the_next_hand_on(book, game):
    book.record_hand(game, HAND, request_id="h1")
    book.note(game, RulesChanged(Rules(target=99, bonus=10)), request_id="r1")
    assert book.record_hand(game, HAND, request_id="h2").totals == {AMY: 38, BEN: 2}
    assert book.history(game)[2].text.startswith("House rules changed: End: when somebody has 99 points")


def test_l_who_comes_late_and_who_leaves(book, game):
    cleo = Side(SideId("cleo"), "Cleo", "#009e73", handicap=Handicap(start=3))
    book.note(game, SideJoined(cleo), request_id="j1")
    book.record_hand(game, parse_hand("amy 1/0 ben 1/0 cleo 2/0!"), request_id="h1")
    after = book.note(game, SideLeft(AMY), request_id="l1")
    assert after.totals == {AMY: 1, BEN: 1, "cleo": 5}
    assert book.record_hand(game, parse_hand("ben 1/0! cleo 2/0"), request_id="h2").totals["cleo"] == 7


def test_what_has_a_use_case_of_its_own_is_no_note(book, game):
    with pytest.raises(ValueError, match="HandRecorded has a use case of its own"):
        book.note(game, HandRecorded(HAND), request_id="n1")


def test_a_note_that_cannot_be_changes_nothing(book, game):
    with pytest.raises(RulesError, match="too few to play on"):
        book.note(game, SideLeft(AMY), request_id="l1")
    assert book.version(game) == 1


def test_b9_many_phones_say_ready_at_once(book, game):
    barrier = Barrier(2)

    def say(side):
        barrier.wait()
        book.note(game, ReadySaid(side), request_id=f"ready-{side}")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(say, [AMY, BEN]))
    assert book.game(game).live.ready == {AMY, BEN}


def test_b9_go_waits_for_everybody_unless_it_is_said_anyway(book, game):
    book.note(game, ReadySaid(AMY), request_id="r1")
    with pytest.raises(RulesError, match="not ready yet: Ben; wait for them, or begin anyway"):
        book.begin_hand(game, request_id="go")
    assert book.begin_hand(game, request_id="go", anyway=True).live.begun
    book.record_hand(game, HAND, request_id="h1")
    for side in (AMY, BEN):
        book.note(game, ReadySaid(side), request_id=f"again-{side}")
    assert book.begin_hand(game, request_id="go2").live.begun


def test_g2_h3_the_clock_of_a_hand_follows_from_when_things_happened(book, game):
    book.begin_hand(game, request_id="go", anyway=True)  # minute 2
    book.note(game, TimeOutCalled(TimeOutReason.EMERGENCY), request_id="t1")
    book.note(game, TimeOutEnded(), request_id="t2")
    book.note(game, NertzCalled(AMY), request_id="n1")  # minute 5
    clock = book.hand_clock(game)
    assert (clock.started.minute, clock.running) == (2, False)
    assert clock.played(datetime(2026, 5, 1, 13, tzinfo=UTC)) == timedelta(minutes=2)
    book.note(game, CallVerified(AMY), request_id="v1")
    book.record_hand(game, HAND, request_id="h1")
    assert book.hand_times(game) == [timedelta(minutes=2)]


def test_c15_a_false_call_costs_its_penalty_and_the_hand_goes_on(book, game):
    book.note(game, NertzCalled(BEN), request_id="n1")
    book.note(game, CallRefused(BEN, 2), request_id="f1")
    assert book.record_hand(game, HAND, request_id="h1").totals == {AMY: 14, BEN: -1}
    book.note(game, CallRefused(AMY), request_id="f2")
    with pytest.raises(IllegalHandError, match="the call of Amy was not valid in this hand"):
        book.record_hand(game, HAND, request_id="h2")


def test_h7_a_dispute_is_told_and_settled(book, game):
    book.record_hand(game, HAND, request_id="h1")
    assert not book.note(game, HandDisputed(1, "who called?"), request_id="d1").official
    assert book.note(game, DisputeSettled(1, "Amy did"), request_id="d2").official


def test_a10_the_scorekeeper_of_each_entry_is_kept(book, game):
    book.note(game, RulesConfirmed(AMY), request_id="c1", who="Amy")
    assert [row.who for row in book.history(game)] == ["Zoe", "Amy"]


# House rules of the table's own


def test_house_rules_of_ones_own_survive_a_restart(tmp_path):
    url = f"sqlite:///{tmp_path / 'own.db'}"
    rules = Rules(target=75, bonus=7, rank_extras=((1, 2),), play=Play(river=5, withholding=True))
    log = open_log(url)
    Scorebook(log).save_rules("  Aunt   Zoe's ", rules)
    Scorebook(log).save_rules("Aunt Zoe's", replace(rules, target=80))
    Scorebook(log).save_rules("a quick one", Rules(target=30))
    log.close()
    log = open_log(url)
    book = Scorebook(log)
    assert book.saved_rules() == {"a quick one": Rules(target=30), "Aunt Zoe's": replace(rules, target=80)}
    book.forget_rules("Aunt Zoe's")
    assert list(book.saved_rules()) == ["a quick one"]
    with pytest.raises(NotFoundError, match="no house rules called"):
        book.forget_rules("Aunt Zoe's")
    log.close()


def test_house_rules_cannot_have_the_name_of_a_preset(book):
    with pytest.raises(RulesError, match="'Nuts' is the name of a preset"):
        book.save_rules("Nuts", Rules())


# Any table, any order of things, any number of restarts

TABLE = make_sides(["Amy", "Ben", "Cleo"])
LATE = Side(SideId("dan"), "Dan", "#56b4e9", handicap=Handicap(start=4))
counts = st.tuples(st.integers(0, 39), st.integers(0, 10))
tables = st.lists(counts, min_size=4, max_size=4)
callers = st.sets(st.integers(0, 3))
reasons = "as agreed"
house = st.builds(
    Rules,
    target=st.integers(20, 90),
    bonus=st.integers(0, 11),
    lake_value=st.integers(1, 3),
    nertz_penalty=st.integers(0, 3),
    tie_breaker=st.sampled_from(TieBreaker),
    jokers=st.integers(0, 4),
    rounds=st.integers(0, 5),
    play=st.builds(Play, river=st.integers(4, 5), stacking=st.booleans()),
)


@dataclass
class Line:
    """What a person would have written on paper for one hand."""

    hand: Hand
    rules: Rules
    extra: dict[SideId, int]
    """Penalties and handicaps of that hand."""


@settings(
    max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)  # a real file and real restarts take their time
class Evening(RuleBasedStateMachine):
    """A table that records, corrects, undoes, changes rules, comes and goes, taps twice and restarts.

    A plain list of lines counts along.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="scorekeeper-"))
        self.requests = 0
        self.lines: list[Line] = []
        self.penalties: dict[SideId, int] = {}
        self.starts = {side.id: 0 for side in TABLE}
        self.per_hand = {side.id: 0 for side in (*TABLE, LATE)}
        self.open()

    def open(self) -> None:
        self.log = open_log(f"sqlite:///{self.folder / 'games.db'}")
        self.book = Scorebook(self.log)

    def next_request(self) -> str:
        self.requests += 1
        return f"r{self.requests}"

    @property
    def game(self) -> Game:
        return self.book.game(self.game_id)

    def note(self, event: Event) -> None:
        self.write(lambda request, said: self.book.note(self.game_id, event, request_id=request, announced=said))

    def write(self, change: Callable[[str, bool], Game]) -> None:
        """One write; where it moves the end, the scorebook says so first, and only then is it written."""
        before, refused = self.game, None
        try:
            change(self.next_request(), False)
        except EndMovesError as error:
            refused = error.moved
        if refused:
            assert self.game == before == refused.before
            assert change(self.next_request(), True) == refused.after
        else:
            assert moved_by(before, LastHandUndone("any"), self.game) is None
        self.events += 1

    @initialize(rules=house)
    def sit_down(self, rules: Rules) -> None:
        self.rules = rules
        self.game_id = self.book.start_game(TABLE, rules, request_id=self.next_request())
        self.events = 1

    def hand_of(self, sides: Sequence[Side], numbers: list[tuple[int, int]], calling: set[int]) -> Hand:
        callers = tuple(side.id for at, side in enumerate(sides) if at in calling)
        tallies = tuple(
            Tally(side.id, lake, 0 if side.id in callers else left)
            for side, (lake, left) in zip(sides, numbers, strict=False)
        )
        return Hand(tallies, callers)

    @rule(numbers=tables, calling=callers, taps=st.integers(1, 2))
    def record(self, numbers: list[tuple[int, int]], calling: set[int], taps: int) -> None:
        before = self.game
        hand, request = self.hand_of(before.next_sides, numbers, calling), self.next_request()
        if before.over:
            with pytest.raises(RulesError, match="the game is over|came after the end"):
                self.book.record_hand(self.game_id, hand, request_id=request)
            return
        for _ in range(taps):
            self.book.record_hand(self.game_id, hand, request_id=request, expected=self.events, confirm_doubts=True)
        sides = [side.id for side in before.next_sides]
        extra = {side: self.per_hand[side] for side in sides}
        extra |= {side: extra.get(side, 0) + points for side, points in self.penalties.items()}
        self.lines.append(Line(hand, self.rules, extra))
        self.penalties = {}
        self.events += 1

    @precondition(lambda self: self.lines)
    @rule(numbers=tables, calling=callers, data=st.data())
    def correct(self, numbers: list[tuple[int, int]], calling: set[int], data: st.DataObject) -> None:
        number = data.draw(st.integers(1, len(self.lines)))
        hand = self.hand_of(self.game.played[number - 1].sides, numbers, calling)
        self.write(
            lambda request, said: self.book.correct_hand(
                self.game_id, number, hand, "miscounted", request_id=request, announced=said
            )
        )
        self.lines[number - 1].hand = hand

    @rule()
    def undo(self) -> None:
        if not self.lines:
            with pytest.raises(RulesError, match="no hand to undo"):
                self.book.undo_last_hand(self.game_id, "oops", request_id=self.next_request())
            return
        again = self.game.played[-1].penalties
        self.write(
            lambda request, said: self.book.undo_last_hand(self.game_id, "oops", request_id=request, announced=said)
        )
        self.lines.pop()
        for each in again:
            self.penalties[each.side] = self.penalties.get(each.side, 0) + each.points

    @precondition(lambda self: self.game.late)
    @rule(count=st.booleans())
    def decide_about_late_hands(self, count: bool) -> None:
        self.note(LateHandsSettled(count))

    @rule(rules=house)
    def change_rules(self, rules: Rules) -> None:
        if rules != self.rules:
            self.note(RulesChanged(rules, reasons))
            self.rules = rules

    @precondition(lambda self: not self.game.over)
    @rule(data=st.data(), points=st.integers(-9, 9).filter(bool))
    def give_a_penalty(self, data: st.DataObject, points: int) -> None:
        side = data.draw(st.sampled_from(self.game.next_sides)).id
        self.note(PenaltyGiven(side, points, reasons))
        self.penalties[side] = self.penalties.get(side, 0) + points

    @precondition(lambda self: self.game.live.penalties and not self.game.over)
    @rule(data=st.data())
    def remove_a_penalty(self, data: st.DataObject) -> None:
        given = self.game.live.penalties
        number = data.draw(st.integers(1, len(given)))
        self.note(PenaltyRemoved(number))
        self.penalties[given[number - 1].side] -= given[number - 1].points

    @precondition(lambda self: not self.game.over)
    @rule(data=st.data(), per_hand=st.integers(-3, 3))
    def set_a_handicap(self, data: st.DataObject, per_hand: int) -> None:
        side = data.draw(st.sampled_from(self.game.playing))
        self.note(HandicapSet(side.id, replace(side.handicap, per_hand=per_hand)))
        self.per_hand[side.id] = per_hand

    @precondition(lambda self: LATE.id not in self.starts and not self.game.over)
    @rule()
    def somebody_comes_late(self) -> None:
        self.note(SideJoined(LATE))
        self.starts[LATE.id] = 4

    @precondition(lambda self: len(self.game.playing) > 2 and not self.game.over)
    @rule(data=st.data())
    def somebody_leaves(self, data: st.DataObject) -> None:
        self.note(SideLeft(data.draw(st.sampled_from(self.game.playing)).id))

    @precondition(lambda self: self.game.gone and not self.game.over)
    @rule(data=st.data())
    def somebody_comes_back(self, data: st.DataObject) -> None:
        self.note(SideReturned(data.draw(st.sampled_from(sorted(self.game.gone)))))

    @rule(numbers=tables)
    def confirm_an_old_page(self, numbers: list[tuple[int, int]]) -> None:
        hand = self.hand_of(self.game.next_sides, numbers, set())
        with pytest.raises(StaleGameError):
            self.book.record_hand(self.game_id, hand, request_id=self.next_request(), expected=self.events - 1)

    @rule()
    def restart(self) -> None:
        self.log.close()
        self.open()

    @invariant()
    def totals_are_a_plain_recount(self) -> None:
        totals = {side: Fraction(start) for side, start in self.starts.items()}
        counted = [line for line, each in zip(self.lines, self.game.played, strict=True) if not each.left_out]
        for line in counted:
            for tally in line.hand.tallies:
                share = Fraction(line.rules.bonus, len(line.hand.callers)) if tally.side in line.hand.callers else 0
                cards = line.rules.lake_value * tally.lake - line.rules.nertz_penalty * tally.nertz_left
                totals[tally.side] += cards + share
            for side, points in line.extra.items():
                totals[side] += points
        game = self.game
        assert game.totals == totals
        assert [format_hand(hand) for hand in game.hands] == [format_hand(line.hand) for line in self.lines]
        assert game.credit == {game.side(side).name: total for side, total in totals.items()}

    @invariant()
    def cards_alone_stay_within_their_bounds(self) -> None:
        """M8 and M10 of the rules sheet, by the values of each hand's rules."""
        for line in self.lines:
            rules, points, shares = line.rules, line.hand.points(line.rules), line.hand.bonus_shares(line.rules)
            for tally in line.hand.tallies:
                bare = points[tally.side] - shares.get(tally.side, 0)
                assert -rules.nertz_penalty * 13 <= bare <= rules.lake_value * (rules.deck_size - tally.nertz_left)
            assert sum(shares.values()) in (0, rules.bonus)
            assert sum(points.values()) - sum(shares.values()) <= rules.lake_value * line.hand.lake

    @invariant()
    def the_end_is_judged_by_the_totals(self) -> None:
        game = self.game
        if game.ended_after and game.over:
            assert bool(game.late) == (game.winner is None)
            return
        best = max(game.totals[side.id] for side in game.playing)
        hands = sum(not each.left_out for each in game.played)
        ends = bool(hands) and best >= game.rules.target
        ends = ends or 0 < game.rules.rounds <= hands
        assert (game.state == "playing") == (not ends)
        if game.winner:
            assert game.totals[game.winner] == best
            assert game.winner not in game.gone

    @invariant()
    def everything_that_happened_is_told(self) -> None:
        assert self.book.version(self.game_id) == self.events
        rows = self.book.history(self.game_id)
        assert [row.number for row in rows] == list(range(1, self.events + 1))
        assert all(row.text for row in rows)

    def teardown(self) -> None:
        self.log.close()
        shutil.rmtree(self.folder)


TestEvening = Evening.TestCase


def test_a_game_that_an_older_program_went_on_with_is_read_and_its_late_hand_decided(log, book, game):
    """Before, nobody was told of a hand after the end: such a game can still be read, and the table decides."""
    book.record_hand(game, WIN, request_id="h1")
    log.append(game, 2, HandRecorded(HAND), request_id="h2", who="", at=datetime(2026, 1, 1, tzinfo=UTC))
    again = Scorebook(log)
    assert (again.game(game).late, again.game(game).winner) == ((2,), None)
    assert again.games()[0].hands == 2
    assert again.import_game(again.export_game(game)).added == 0
    assert again.note(game, LateHandsSettled(False), request_id="l", announced=True).winner == AMY


def test_an_undone_hand_is_recorded_again_as_long_as_nothing_else_happened(book, game):
    book.record_hand(game, parse_hand("amy 14/0! ben 9/3"), request_id="h1")
    book.correct_hand(game, 1, parse_hand("amy 13/0! ben 9/3"), "", request_id="c1")
    book.undo_last_hand(game, "", request_id="u1")
    book.save_draft(game, {"0": {"fields": {"lake.amy": "7"}}})
    for _double_tap in range(2):
        assert book.redo_hand(game, request_id="r1").hands == (parse_hand("amy 13/0! ben 9/3"),)
    assert book.draft(game) == {"0": {"fields": {"lake.amy": "7"}}}
    assert book.undone(game) is None
    with pytest.raises(RulesError, match="nothing was just undone"):
        book.redo_hand(game, request_id="r2")
