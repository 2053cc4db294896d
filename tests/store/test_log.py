"""The event log keeps what it said it kept: in order, once, also when two write at once or the server is killed."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError

from scorekeeper.errors import NotFoundError, StaleGameError
from scorekeeper.rules.events import Event, GameStarted, HandRecorded, LastHandUndone
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.store import EventLog

START = GameStarted(make_sides(["Amy", "Ben"]), Rules())
HAND = HandRecorded(parse_hand("amy 14/0! ben 9/4"))
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def add(log: EventLog, number: int, event: Event, request_id: str, game: str = "g"):
    return log.append(game, number, event, request_id=request_id, who="Zoe", at=NOON)


def test_an_empty_log_has_no_games(log):
    assert log.versions() == {}
    assert log.version("g") == 0
    assert log.draft("g") == {}
    assert log.find_request("g", "r") is None


@pytest.mark.parametrize("game", ["g", "", "a\x00b", "a\ud800b", "x" * 5000])
def test_a_game_that_is_not_there_is_not_found(log, game):
    assert log.version(game) == 0
    with pytest.raises(NotFoundError, match="look for it in the list of games"):
        log.read(game)


def test_entries_come_back_as_they_were_added(log, opened, url):
    add(log, 0, START, "r1")
    east = datetime(2026, 5, 1, 14, 0, 0, 123456, tzinfo=timezone(timedelta(hours=2)))
    log.append("g", 1, HAND, request_id="r2", who="Ünal", at=east)
    for each in (log, opened(url)):
        first, second = each.read("g")
        assert (first.number, first.who, first.request_id, first.event, first.at) == (1, "Zoe", "r1", START, NOON)
        assert (second.number, second.who, second.event, second.at) == (2, "Ünal", HAND, east)
        assert each.version("g") == 2


def test_the_second_of_two_writers_is_told_that_the_game_moved_on(log):
    add(log, 0, START, "r1")
    add(log, 1, HAND, "r2")
    with pytest.raises(StaleGameError, match="somebody else changed the game"):
        add(log, 1, HAND, "r3")
    assert log.version("g") == 2


def test_what_one_server_adds_another_reads_that_has_read_the_game_before(log, opened, url):
    other = opened(url)
    add(log, 0, START, "r1")
    assert [entry.number for entry in other.read("g")] == [1]
    add(log, 1, HAND, "r2")
    assert other.read("g") == log.read("g")
    assert [entry.event for entry in other.read("g")] == [START, HAND]


def test_a_reader_can_not_change_what_the_next_one_reads(log):
    add(log, 0, START, "r1")
    log.read("g").clear()
    assert [entry.event for entry in log.read("g")] == [START]


def test_a_file_that_was_put_in_place_of_another_is_read_anew(log, opened, tmp_path):
    add(log, 0, START, "r1")
    add(log, 1, HAND, "r2")
    log.read("g")
    restored = opened(f"sqlite:///{tmp_path / 'restored.db'}")
    add(restored, 0, START, "older")
    log.close()
    log._engine = restored._engine
    assert [entry.request_id for entry in log.read("g")] == ["older"]
    add(restored, 1, HAND, "otherwise")
    assert [entry.request_id for entry in log.read("g")] == ["older", "otherwise"]


def test_a_gap_is_a_mistake_of_ours(log):
    add(log, 0, START, "r1")
    with pytest.raises(ValueError, match="would leave a gap"):
        add(log, 2, HAND, "r2")
    assert log.version("g") == 1


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_repeated_request_gets_its_first_entry_again(log, number):
    add(log, 0, START, "r1")
    first = add(log, 1, HAND, "r2")
    assert add(log, number, LastHandUndone("other"), "r2") == first
    assert log.version("g") == 2


def test_the_same_request_id_in_another_game_is_another_request(log):
    add(log, 0, START, "r1", game="g")
    add(log, 0, START, "r1", game="h")
    assert set(log.versions()) == {"g", "h"}


def together(count, write):
    """Runs *write* in *count* threads that start at the same moment; answers or exceptions."""
    barrier = Barrier(count)

    def one(number):
        barrier.wait()
        try:
            return write(number)
        except StaleGameError as error:
            return error

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def test_of_writers_at_the_same_moment_one_wins(log):
    add(log, 0, START, "r")
    for round_number in range(1, 6):
        answers = together(4, lambda number, at=round_number: add(log, at, HAND, f"r{at}-{number}"))
        assert sum(isinstance(answer, StaleGameError) for answer in answers) == 3
        assert log.version("g") == round_number + 1


def test_a_double_tap_at_the_same_moment_writes_once(log):
    add(log, 0, START, "r")
    for round_number in range(1, 6):
        answers = together(4, lambda _, at=round_number: add(log, at, HAND, f"r{at}"))
        assert [answer.number for answer in answers] == [round_number + 1] * 4
        assert log.version("g") == round_number + 1


@pytest.mark.parametrize("statement", ["UPDATE event SET who = 'Eve'", "DELETE FROM event"])
def test_the_database_itself_refuses_to_change_what_happened(log, url, statement):
    add(log, 0, START, "r1")
    engine = create_engine(url)
    with pytest.raises(DBAPIError, match="events are only added"), engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()
    assert [entry.who for entry in log.read("g")] == ["Zoe"]


def test_a_summary_is_known_until_the_game_goes_on(log):
    log.append("g", 0, START, request_id="r1", at=NOON, summary="just begun")
    assert log.summary("g", 1) == "just begun"
    add(log, 1, HAND, "r2")
    assert log.versions() == {"g": 2}
    assert log.summary("g", 2) is None
    log.keep_summary("g", 2, "one hand")
    assert log.summary("g", 2) == "one hand"


# Drafts


def test_a_draft_outlives_the_server_and_ends_with_its_hand(log, opened, url):
    add(log, 0, START, "r1")
    log.save_draft("g", {"amy": {"lake": "1"}})
    log.save_draft("g", {"amy": {"lake": "14"}, "note": "ö\x00\ud800"})
    assert opened(url).draft("g") == {"amy": {"lake": "14"}, "note": "ö\x00\ud800"}
    add(log, 1, HAND, "r2")
    assert log.draft("g") == {}


def test_undo_keeps_the_draft(log):
    add(log, 0, START, "r1")
    add(log, 1, HAND, "r2")
    log.save_draft("g", {"amy": 1})
    add(log, 2, LastHandUndone("twice"), "r3")
    assert log.draft("g") == {"amy": 1}


def test_a_hand_that_is_refused_keeps_the_draft(log):
    add(log, 0, START, "r1")
    log.save_draft("g", {"amy": 1})
    with pytest.raises(StaleGameError):
        add(log, 0, HAND, "r2")
    assert log.draft("g") == {"amy": 1}


def test_a_late_draft_of_a_recorded_hand_is_refused(log):
    add(log, 0, START, "r1")
    add(log, 1, HAND, "r2")
    with pytest.raises(StaleGameError, match="moved on"):
        log.save_draft("g", {"amy": 14}, expected=1)
    assert log.draft("g") == {}


def test_a_draft_needs_a_game(log):
    with pytest.raises(NotFoundError):
        log.save_draft("g", {})


def test_first_drafts_at_the_same_moment_leave_one(log):
    add(log, 0, START, "r1")
    together(4, lambda number: log.save_draft("g", {"from": number}))
    assert log.draft("g")["from"] in range(4)


# Crashes

WRITER = """
import sys
from datetime import UTC, datetime
from scorekeeper.rules.events import GameStarted, HandRecorded
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.store import open_log
log = open_log(sys.argv[1])
event = GameStarted(make_sides(["Amy", "Ben"]), Rules())
number = log.version("g")
while True:
    entry = log.append("g", number, event, request_id=f"r{number}", at=datetime.now(UTC))
    print(entry.number, flush=True)
    number, event = entry.number, HandRecorded(parse_hand(f"amy {number % 50}/0! ben 9/4"))
"""


def test_what_was_answered_is_there_after_the_server_is_killed(sqlite_url, opened, checkout):
    shown = 0
    for round_number in range(4):
        command = [sys.executable, "-c", WRITER, sqlite_url]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=checkout) as server:
            assert server.stdout is not None
            shown = [int(server.stdout.readline()) for _ in range(7 + round_number)][-1]
            server.kill()
            shown = max([shown, *(int(line) for line in server.stdout if line.endswith("\n"))])
        log = opened(sqlite_url)
        numbers = [entry.number for entry in log.read("g")]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= shown
        log.close()


def test_files_of_sqlite_stay_in_one_folder(log, url, tmp_path):
    add(log, 0, START, "r1")
    if url.startswith("sqlite"):
        assert {path.name for path in Path(tmp_path).iterdir()} <= {"games.db", "games.db-wal", "games.db-shm"}


# The server's way: many phones in one thread

GREENLETS = """
import sys
from gevent import monkey
monkey.patch_all()
import gevent
from scorekeeper.errors import StaleGameError
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import open_log
log = open_log(sys.argv[1])
book = Scorebook(log)
game = book.start_game(make_sides(["Amy", "Ben"]), Rules(target=100_000), request_id="start")
def phone(number):
    for tap in range(3):
        while True:
            try:
                book.record_hand(game, parse_hand(f"amy {number}/0! ben {tap}/4"), request_id=f"h{number}-{tap}")
                break
            except StaleGameError:
                gevent.sleep(0)
        gevent.sleep(0)
        book.save_draft(game, {"from": number})
gevent.joinall([gevent.spawn(phone, number) for number in range(6)], raise_error=True)
assert book.version(game) == 19, book.version(game)
assert book.game(game).totals["amy"] == 3 * sum(range(6))
log.close()
"""


def test_phones_of_one_server_lose_nothing(url, checkout):
    subprocess.run([sys.executable, "-c", GREENLETS, url], cwd=checkout, check=True)


def test_house_rules_are_kept_by_name_and_replaced(log):
    log.save_rules("Zoe's", "13 to 100, x1 -2")
    log.save_rules("amy's", "13 to 50, x1 -2")
    log.save_rules("Zoe's", "13 to 75, x1 -2")
    assert list(log.saved_rules().items()) == [("amy's", "13 to 50, x1 -2"), ("Zoe's", "13 to 75, x1 -2")]
    log.forget_rules("amy's")
    assert list(log.saved_rules()) == ["Zoe's"]
    with pytest.raises(NotFoundError, match='no house rules called "amy\'s"'):
        log.forget_rules("amy's")
