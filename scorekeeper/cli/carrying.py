"""``scorekeeper export`` and ``import``: games as files, beside a server that may be running."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from scorekeeper.backup import ASIDE, restore, write_backup
from scorekeeper.config import load_settings
from scorekeeper.errors import GameFileError, NotFoundError, SettingsError
from scorekeeper.rules.sheet import score_csv, score_sheet
from scorekeeper.scorebook import GameId, Scorebook
from scorekeeper.store import open_log
from scorekeeper.texts import decode_text

FILE_LIMIT = 16 * 1024 * 1024
"""Bytes of a game's file."""


def export(game: str | None, kind: str, out: Path | None, settings: Path | None, data: Path | None) -> None:
    """Prints or writes one game; without one, the names of all."""
    with _book(settings, data) as book:
        if game is None:
            _list(book)
            return
        word = GameId(game)
        text = {
            "json": lambda: book.export_game(word),
            "csv": lambda: score_csv(book.game(word)),
            "sheet": lambda: score_sheet(book.game(word)),
        }[kind]()
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        out.write_text(text, "utf-8", newline="")
    except OSError as error:
        raise SettingsError(f"{str(out)!r} can't be written ({error.strerror}): choose another file") from error
    click.echo(f"Game {game} is in {out}.")


def take_in(file: Path, settings: Path | None, data: Path | None) -> None:
    """Reads a game in, and says what came of it."""
    if file.stat().st_size > FILE_LIMIT:
        raise GameFileError(f"{str(file)!r} is larger than any game: choose one that was exported")
    try:
        text = decode_text(file.read_bytes(), "replace")
    except OSError as error:
        raise GameFileError(f"{str(file)!r} can't be read ({error.strerror})") from error
    with _book(settings, data) as book:
        done = book.import_game(text)
    if done.added:
        click.echo(f"Game {done.id} is read in, {done.added} {'entry' if done.added == 1 else 'entries'} of it new.")
    else:
        click.echo(f"Game {done.id} was here already, nothing is new.")


def back_up(file: Path, settings: Path | None, data: Path | None) -> None:
    """Writes everything into one file."""
    chosen = load_settings(settings, {"data_dir": data})
    with _book(settings, data) as book:
        done = write_backup(book.log, chosen, file)
    click.echo(f"{_count(done.games, 'game')} and {_count(done.files, 'file')} are in {file}. It has no PIN in it.")


def put_back(file: Path, settings: Path | None, data: Path | None) -> None:
    """Puts such a file back."""
    chosen = load_settings(settings, {"data_dir": data})
    done = restore(file, chosen)
    click.echo(
        f"{_count(done.games, 'game')} and {_count(done.files, 'file')} of {done.at:%Y-%m-%d %H:%M} UTC are back."
    )
    if aside := sorted(chosen.data_dir.glob(f"{ASIDE}*")):
        click.echo(f"What was there before is in {aside[-1]}.")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


@contextmanager
def _book(settings: Path | None, data: Path | None) -> Iterator[Scorebook]:
    chosen = load_settings(settings, {"data_dir": data})
    if chosen.owns_folder:
        chosen.data_dir.mkdir(parents=True, exist_ok=True)
    log = open_log(chosen.url)
    try:
        yield Scorebook(log)
    finally:
        log.close()


def _list(book: Scorebook) -> None:
    games = book.games()
    if not games:
        raise NotFoundError("there is no game here yet: choose another folder with --data, or start one")
    for game in games:
        if game.trouble:
            click.echo(f"{game.id}  {game.trouble}")
            continue
        names = ", ".join(game.sides)
        click.echo(f"{game.id}  {game.started_at.astimezone():%Y-%m-%d %H:%M}  {game.hands:3} hands  {names}")
