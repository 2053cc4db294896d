"""``scorekeeper watch`` on a film from a file, with the real eye."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from scorekeeper.cli import main
from scorekeeper.cli.watching import line_of
from scorekeeper.rules.lake import DeckId, SpreadReading
from scorekeeper.training import film
from scorekeeper.watch import Phase, ScanState, Solved

SIZE = (540, 960)


@pytest.fixture(scope="module")
def table() -> film.Table:
    empty = film.empty_table(np.random.default_rng(3), SIZE, card_px=95)
    return empty.with_cards(film.spread_out(np.random.default_rng(8), empty, 9))


@pytest.fixture
def clip(tmp_path: Path, table: film.Table) -> Path:
    """Three seconds of a table that nobody touches, played again and again."""
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, SIZE[::-1])
    grain, picture = film.Grain(np.random.default_rng(4), SIZE), table.clean()
    for _ in range(30):
        writer.write(grain.on(picture))
    writer.release()
    return path


def test_the_first_count_that_stands_is_printed_where_nobody_types(
    runner: CliRunner, clip: Path, table: film.Table, tmp_path: Path
) -> None:
    decks = []
    for deck in film.DESIGNS:
        lone = film.empty_table(np.random.default_rng(6), SIZE, card_px=260)
        (tmp_path / f"{deck}.png").write_bytes(
            cv2.imencode(".png", lone.with_cards([film.Card(deck, 0, 0, 0.1)]).clean())[1].tobytes()
        )
        decks += ["--deck", f"{deck}={tmp_path / f'{deck}.png'}"]
    seen = tmp_path / "seen.jpg"
    told = runner.invoke(main, ["watch", str(clip), *decks, "--total", "10", "--overlay", str(seen)], input="q\n")
    assert told.exit_code == 0, told.output
    assert "locked" in told.output
    assert all(f"{deck:<7}  {count:>3}" in told.output for deck, count in table.counts.items())
    assert "1 card is missing: look for cards that lie exactly on each other" in told.output
    assert cv2.imread(str(seen)) is not None


def test_a_state_is_one_line() -> None:
    red = DeckId("red")
    state = ScanState(
        phase=Phase.LOCKED,
        reading=SpreadReading((), {red: 3}, True, ()),
        banked={red: 4},
        batches=1,
        solved=Solved({red: 7}, "2 cards are missing"),
    )
    assert line_of(state) == "locked  |  batch 2  |  red 7  |  2 cards are missing"
    assert line_of(ScanState(phase=Phase.WAITING, why="something moves")) == "waiting  |  batch 1  |  something moves"
