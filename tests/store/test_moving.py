"""A table moves from one kind of database to the other and back, with everything but its secrets."""

from __future__ import annotations

import pytest

from scorekeeper.backup import restore, write_backup
from scorekeeper.config import Settings
from scorekeeper.errors import StoreError
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.scorebook import Scorebook


def settings_of(kind, folder, postgres_url):
    return Settings(data_dir=folder, database_url=postgres_url if kind == "postgresql" else None)


def play(log):
    book = Scorebook(log)
    game = book.start_game(make_sides(["Amy", "Ben"]), Rules(), request_id="start")
    for number in range(3):
        book.record_hand(game, parse_hand("amy 14/0! ben 9/4"), request_id=str(number))
    book.save_rules("ours", Rules(target=70))
    log.save_draft(game, {"4": {"fields": {"lake.amy": "7"}}})
    for kind in ("server", "session", "door", "other"):
        log.shelf.change(kind, "x", lambda _: "word")


def told(log):
    return {game: log.read(game) for game in log.versions()}, log.saved_rules(), log.drafts()


@pytest.mark.parametrize(("source", "target"), [("sqlite", "postgresql"), ("postgresql", "sqlite")])
def test_a_table_moves_to_another_kind_of_database(tmp_path, postgres_url, opened, source, target):
    (tmp_path / "here").mkdir()
    here = settings_of(source, tmp_path / "here", postgres_url)
    log = opened(here.url)
    play(log)
    write_backup(log, here, tmp_path / "move.backup")
    there = settings_of(target, tmp_path / "there", postgres_url)
    restore(tmp_path / "move.backup", there)
    moved = opened(there.url)
    assert told(moved) == told(log)
    assert [moved.shelf.get(kind, "x") for kind in ("server", "session", "door")] == [None] * 3
    assert moved.shelf.get("other", "x") == "word"
    Scorebook(moved).record_hand(next(iter(told(moved)[0])), parse_hand("amy 14/0! ben 9/4"), request_id="next")


def test_a_database_with_games_is_not_written_over(tmp_path, postgres_url, opened):
    here = settings_of("postgresql", tmp_path / "here", postgres_url)
    here.data_dir.mkdir()
    log = opened(here.url)
    play(log)
    write_backup(log, here, tmp_path / "move.backup")
    (here.data_dir / "decks.json").write_text("x")
    before = told(log)
    with pytest.raises(StoreError, match="give an empty one"):
        restore(tmp_path / "move.backup", here)
    assert told(log) == before
    assert (here.data_dir / "decks.json").read_text() == "x"
