"""``scorekeeper watch``: the live count of a spread in the terminal, batch by batch."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from scorekeeper.cli.reading import picture_bytes, save_overlays, spread_table
from scorekeeper.errors import VisionError
from scorekeeper.rules.lake import DeckId
from scorekeeper.watch import Act, EyeProcess, Phase, ScanOrder, ScanState

KEYS = {"": Act.NEXT_BATCH, "c": Act.CLEARED, "a": Act.AGAIN, "u": Act.UNDO_BATCH}
"""What a typed line means; q ends."""
HELP = "Enter: next batch   c: the table is clear   a: count again   u: take the last batch back   q: done"
POLL_S = 0.1


def run(
    source: str, decks: Mapping[str, Sequence[Path]], *, total: int | None, rotate: int, overlay: Path | None
) -> None:
    """Counts until q, or until the first count stands where nobody can type; prints what was counted."""
    with EyeProcess(source, rotate=rotate) as eye:
        learned = {DeckId(n): eye.enrol([picture_bytes(p) for p in paths]).signatures for n, paths in decks.items()}
        alike = eye.too_alike(learned)
        eye.scan(ScanOrder(owner="terminal", decks=learned, total=total))
        if sys.stdin.isatty():
            click.echo(HELP)
        _follow(eye, _typed())
        scanned = eye.scan_result()
    save_overlays(scanned.seen, overlay)
    click.echo(spread_table(scanned.seen.reading, alike, total))


def _follow(eye: EyeProcess, typed: queue.Queue[str | None]) -> None:
    """Shows the scan and does what is typed, until the count stands and nothing more is to come."""
    shown, done = "", False
    while True:
        state = eye.scan_state()
        if (line := line_of(state)) != shown:
            click.echo(line)
            shown = line
        while not typed.empty():
            word = typed.get()
            done = done or word in (None, "q")
            if word is not None and word in KEYS:
                _act(eye, KEYS[word])
        if done and (state.phase is Phase.LOCKED or state.phase is Phase.CLEAR_TABLE):
            return
        time.sleep(POLL_S)


def _act(eye: EyeProcess, act: Act) -> None:
    try:
        eye.scan_act(act)
    except VisionError as error:
        click.echo(f"  {error}")


def line_of(state: ScanState) -> str:
    """One state on one line."""
    counts = "  ".join(f"{deck} {count}" for deck, count in state.counts.items())
    said = state.solved.said if state.solved else ""
    parts = [state.phase.value, f"batch {state.batches + 1}", counts, state.why or said]
    return "  |  ".join(part for part in parts if part)


def _typed() -> queue.Queue[str | None]:
    """The lines that are typed; None when there are no more."""
    lines: queue.Queue[str | None] = queue.Queue()

    def listen() -> None:
        for line in sys.stdin:
            lines.put(line.strip().lower())
        lines.put(None)

    threading.Thread(target=listen, name="keyboard", daemon=True).start()
    return lines
