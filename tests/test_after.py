"""After the game: it goes out as a file and comes in again once, and the same table plays on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.errors import GameFileError, NotFoundError, StaleGameError
from scorekeeper.rules.events import PenaltyGiven, SideJoined, SideLeft
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Handicap, Rules, Side, SideId, make_sides
from scorekeeper.scorebook import GameId, Scorebook
from scorekeeper.store import open_log

DECKS = {"Amy": DeckId("red"), "Ben": DeckId("blue"), "Cleo": DeckId("green")}


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Scorebook]:
    log = open_log(f"sqlite:///{tmp_path / 'here.db'}")
    yield Scorebook(log)
    log.close()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Scorebook]:
    """The scorebook of another house."""
    log = open_log(f"sqlite:///{tmp_path / 'elsewhere.db'}")
    yield Scorebook(log)
    log.close()


@pytest.fixture
def game_id(book: Scorebook) -> GameId:
    """Three sides with decks, a penalty, two hands, a correction."""
    game_id = book.start_game(make_sides(["Amy", "Ben", "Cleo"], DECKS), Rules(bonus=10), request_id="start")
    book.enrol_deck(game_id, SideId("ben"), DeckId("blue"), ["a signature"], request_id="deck")
    book.note(game_id, PenaltyGiven(SideId("amy"), -5, "peeked"), request_id="penalty", who="Pam")
    record(book, game_id, "amy 14/0! ben 9/4 cleo 3/5", "1")
    record(book, game_id, "amy 10/3 ben 12/0! cleo 3/5", "2")
    book.correct_hand(game_id, 1, parse_hand("amy 15/0! ben 9/4 cleo 3/5"), "one more ace", request_id="correct")
    return game_id


def record(book: Scorebook, game_id: GameId, hand: str, request_id: str) -> None:
    book.record_hand(game_id, parse_hand(hand), request_id=request_id, who="Pam", confirm_doubts=True)


def test_a_game_is_the_same_in_another_house(book, elsewhere, game_id):
    text = book.export_game(game_id)
    done = elsewhere.import_game(text)
    assert (done.id, done.added) == (game_id, book.version(game_id))
    assert elsewhere.game(game_id) == book.game(game_id)
    assert elsewhere.history(game_id) == book.history(game_id)
    assert elsewhere.export_game(game_id) == text


def test_a_game_read_in_twice_is_there_once(book, game_id):
    before = book.export_game(game_id)
    assert book.import_game(before).added == 0
    assert [game.id for game in book.games()] == [game_id]
    assert book.export_game(game_id) == before


def test_a_longer_file_goes_on_where_the_shorter_one_ended(book, elsewhere, game_id):
    elsewhere.import_game(book.export_game(game_id))
    record(book, game_id, "amy 1/3 ben 12/0! cleo 3/5", "3")
    assert elsewhere.import_game(book.export_game(game_id)).added == 1
    assert elsewhere.game(game_id) == book.game(game_id)


def test_an_older_file_takes_nothing_away(book, game_id):
    older = book.export_game(game_id)
    record(book, game_id, "amy 1/3 ben 12/0! cleo 3/5", "3")
    assert book.import_game(older).added == 0
    assert len(book.game(game_id).hands) == 3


def test_a_game_that_went_on_differently_is_left_alone(book, elsewhere, game_id):
    elsewhere.import_game(book.export_game(game_id))
    record(book, game_id, "amy 1/3 ben 12/0! cleo 3/5", "here")
    record(elsewhere, game_id, "amy 2/3 ben 12/0! cleo 3/5", "there")
    before = book.export_game(game_id)
    with pytest.raises(StaleGameError, match="went on differently"):
        book.import_game(elsewhere.export_game(game_id))
    assert book.export_game(game_id) == before


def test_another_game_of_the_same_word_gets_a_word_of_its_own(book, elsewhere, game_id):
    other = elsewhere.start_game(make_sides(["Dan", "Eve"]), Rules(), request_id="start")
    assert other == game_id, "the same request makes the same word in each house"
    text = elsewhere.export_game(other)
    first, again = book.import_game(text), book.import_game(text)
    assert first.id == again.id != game_id
    assert again.added == 0
    assert [side.name for side in book.game(first.id).sides] == ["Dan", "Eve"]
    assert len(book.games()) == 2


def test_open_boards_hear_of_a_game_read_in(book, elsewhere, game_id):
    told = []
    elsewhere.on_change(lambda game, version: told.append((game, version)))
    elsewhere.import_game(book.export_game(game_id))
    assert told == [(game_id, book.version(game_id))]


def test_a_damaged_file_changes_nothing(book, game_id):
    before = book.export_game(game_id)
    with pytest.raises(GameFileError):
        book.import_game(before[:-40])
    assert book.export_game(game_id) == before


def test_a_game_that_is_not_there_can_not_go_out(book):
    with pytest.raises(NotFoundError):
        book.export_game(GameId("nosuchgame"))


def test_the_same_table_plays_again_one_seat_further(book, game_id):
    again = book.rematch(game_id, request_id="again", who="Pam")
    game = book.game(again)
    assert [side.name for side in game.sides] == ["Cleo", "Amy", "Ben"]
    assert game.rules == book.game(game_id).rules
    assert {side.name: side.deck for side in game.sides} == DECKS
    assert game.signatures == {DeckId("blue"): ("a signature",)}
    assert game.hands == ()
    assert {side.id: (side.color, side.pattern) for side in game.sides} == {
        side.id: (side.color, side.pattern) for side in book.game(game_id).sides
    }


def test_two_taps_on_the_rematch_start_one_game(book, game_id):
    first = book.rematch(game_id, request_id="again")
    assert book.rematch(game_id, request_id="again") == first
    assert len(book.games()) == 2


def test_a_rematch_is_for_who_sits_there_and_latecomers_start_level(book, game_id):
    book.note(game_id, SideLeft(SideId("cleo")), request_id="left")
    dan = Side(SideId("dan"), "Dan", "#e69f00", handicap=Handicap(start=40, per_hand=2))
    book.note(game_id, SideJoined(dan), request_id="joined")
    game = book.game(book.rematch(game_id, request_id="again"))
    assert [side.name for side in game.sides] == ["Dan", "Amy", "Ben"]
    assert game.sides[0].handicap == Handicap(per_hand=2)


def test_the_hands_being_entered_are_known(book, game_id):
    assert book.drafts() == {}
    book.save_draft(game_id, {"0": {"fields": {"lake.amy": "14"}}})
    assert book.drafts() == {game_id: {"0": {"fields": {"lake.amy": "14"}}}}
