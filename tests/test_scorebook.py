"""The scorebook keeps a table's games: every write once, in order, checked, and told in words."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from threading import Barrier

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scorekeeper.errors import IllegalHandError, NotFoundError, RulesError, StaleGameError
from scorekeeper.rules.game import GameStarted
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.notation import format_hand, parse_hand
from scorekeeper.rules.scoring import Hand, Rules, SideId, Tally, make_sides
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
        book.record_hand(game, parse_hand("amy 60/2! ben 9/20"), request_id="h1", lake=3, confirm_doubts=True)
    assert [problem.kind for problem in refusal.value.problems] == ["range", "range", "M11", "M1"]
    assert book.version(game) == 1


def test_a_refused_request_may_come_again_with_better_numbers(book, game):
    with pytest.raises(IllegalHandError):
        book.record_hand(game, parse_hand("amy 60/0! ben 9/4"), request_id="h1")
    assert book.record_hand(game, HAND, request_id="h1").totals == {AMY: 14, BEN: 1}


def test_a_doubt_that_a_person_confirms_is_remembered(book, game):
    with pytest.raises(IllegalHandError, match="The Lake holds 24 cards"):
        book.record_hand(game, HAND, request_id="h1", lake=24)
    book.record_hand(game, HAND, request_id="h1", lake=24, confirm_doubts=True)
    assert "Confirmed knowingly: The Lake holds 24 cards" in book.history(game)[-1].text


def test_a_correction_passes_the_same_checks(book, game):
    book.record_hand(game, HAND, request_id="h1")
    with pytest.raises(IllegalHandError, match="a caller has none"):
        book.correct_hand(game, 1, parse_hand("amy 14/1! ben 9/4"), "typo", request_id="c1")
    with pytest.raises(IllegalHandError, match="The Lake holds 29 cards"):
        book.correct_hand(game, 1, WIN, "typo", request_id="c1", lake=29)
    assert book.version(game) == 2


def test_undo_reopens_a_won_game(book, game):
    assert book.record_hand(game, WIN, request_id="h1").winner == AMY
    with pytest.raises(RulesError, match="the game is over"):
        book.record_hand(game, HAND, request_id="h2")
    assert book.undo_last_hand(game, "counted twice", request_id="u1").winner is None
    assert book.record_hand(game, HAND, request_id="h2").totals == {AMY: 14, BEN: 1}


def test_a_correction_after_the_end_reopens_the_game(book, game):
    book.record_hand(game, WIN, request_id="h1")
    assert not book.correct_hand(game, 1, HAND, "a 21 was a 14", request_id="c1").over


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
    assert book.undo_last_hand(game, "Ben had 9 and 2 left", request_id="u").state == "tie-breaker"
    assert book.record_hand(game, parse_hand("amy 3/0! ben 9/2"), request_id="h6").winner == BEN
    ended = book.correct_hand(game, 6, parse_hand("amy 6/0! ben 9/2"), "a 3 was a 6", request_id="c")
    assert ended.verdict == "Amy wins with 106 points"


# Any table, any order of things, any number of restarts

TABLE = make_sides(["Amy", "Ben", "Cleo"])
counts = st.tuples(st.integers(0, 39), st.integers(0, 13))
tables = st.lists(counts, min_size=3, max_size=3)
callers = st.sets(st.sampled_from([side.id for side in TABLE]))


def make_hand(numbers: list[tuple[int, int]], calling: set[SideId]) -> Hand:
    tallies = tuple(
        Tally(side.id, lake, 0 if side.id in calling else left)
        for side, (lake, left) in zip(TABLE, numbers, strict=True)
    )
    return Hand(tallies, tuple(calling))


@settings(
    max_examples=25, stateful_step_count=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)  # a real file and real restarts take their time
class Evening(RuleBasedStateMachine):
    """A table that records, corrects, undoes, taps twice and restarts; a plain list of lines counts along."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="scorekeeper-"))
        self.requests = 0
        self.lines: list[str] = []
        self.open()

    def open(self) -> None:
        self.log = open_log(f"sqlite:///{self.folder / 'games.db'}")
        self.book = Scorebook(self.log)

    def next_request(self) -> str:
        self.requests += 1
        return f"r{self.requests}"

    @initialize(bonus=st.integers(0, 11), goal=st.integers(20, 90))
    def sit_down(self, bonus: int, goal: int) -> None:
        self.rules = Rules(bonus=bonus, target=goal)
        self.game_id = self.book.start_game(TABLE, self.rules, request_id=self.next_request())
        self.events = 1

    @rule(numbers=tables, calling=callers, taps=st.integers(1, 2))
    def record(self, numbers: list[tuple[int, int]], calling: set[SideId], taps: int) -> None:
        hand, request = make_hand(numbers, calling), self.next_request()
        if self.book.game(self.game_id).over:
            with pytest.raises(RulesError, match="the game is over"):
                self.book.record_hand(self.game_id, hand, request_id=request)
            return
        for _ in range(taps):
            self.book.record_hand(self.game_id, hand, request_id=request, expected=self.events)
        self.lines.append(format_hand(hand))
        self.events += 1

    @precondition(lambda self: self.lines)
    @rule(numbers=tables, calling=callers, data=st.data())
    def correct(self, numbers: list[tuple[int, int]], calling: set[SideId], data: st.DataObject) -> None:
        number = data.draw(st.integers(1, len(self.lines)))
        hand = make_hand(numbers, calling)
        self.book.correct_hand(self.game_id, number, hand, "miscounted", request_id=self.next_request())
        self.lines[number - 1] = format_hand(hand)
        self.events += 1

    @rule()
    def undo(self) -> None:
        if not self.lines:
            with pytest.raises(RulesError, match="no hand to undo"):
                self.book.undo_last_hand(self.game_id, "oops", request_id=self.next_request())
            return
        self.book.undo_last_hand(self.game_id, "oops", request_id=self.next_request())
        self.lines.pop()
        self.events += 1

    @rule(numbers=tables)
    def confirm_an_old_page(self, numbers: list[tuple[int, int]]) -> None:
        with pytest.raises(StaleGameError):
            self.book.record_hand(
                self.game_id, make_hand(numbers, set()), request_id=self.next_request(), expected=self.events - 1
            )

    @rule()
    def restart(self) -> None:
        self.log.close()
        self.open()

    @invariant()
    def totals_are_a_plain_recount(self) -> None:
        totals = {side.id: Fraction(0) for side in TABLE}
        for line in self.lines:
            words = [line.split()[at : at + 2] for at in range(0, len(line.split()), 2)]
            calls = sum(count.endswith("!") for _, count in words)
            for side, count in words:
                lake, left = count.rstrip("!").split("/")
                share = Fraction(self.rules.bonus, calls) if count.endswith("!") else 0
                totals[SideId(side)] += int(lake) - 2 * int(left) + share
        game = self.book.game(self.game_id)
        assert game.totals == totals
        assert [format_hand(hand) for hand in game.hands] == self.lines

    @invariant()
    def the_end_is_judged_by_the_totals(self) -> None:
        game = self.book.game(self.game_id)
        best = max(game.totals.values())
        assert (game.state == "playing") == (best < self.rules.target)
        if game.winner:
            assert game.totals[game.winner] == best

    @invariant()
    def everything_that_happened_is_told(self) -> None:
        assert self.book.version(self.game_id) == self.events
        assert [row.number for row in self.book.history(self.game_id)] == list(range(1, self.events + 1))

    def teardown(self) -> None:
        self.log.close()
        shutil.rmtree(self.folder)


TestEvening = Evening.TestCase
