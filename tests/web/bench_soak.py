"""
Plays evenings at speed: 12 sides, each hand as soon as the one before is recorded, with pictures, backups and boards.

    python tests/web/bench_soak.py
    python tests/web/bench_soak.py --evenings 4 --boards 50

A hand takes three minutes at a table, so that the 120 hands of an evening stand for six hours. A real server in a
process of its own, the boards as raw streams. It prints what the server held after each evening, and what its log says
went wrong; at the end every recorded hand must be there.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path

import httpx
from bench_boards import Table, start_game
from bench_evening import Boards, held, served

from scorekeeper.cli.demonstration import sample_hands
from web.connections import allow_many_files

HANDS, SIDES = 120, 12
PICTURE_EACH, BACKUP_EACH = 5, 40
"""After how many hands a picture is read, and a backup saved."""


def play(table: Table, boards: Boards) -> tuple[list[float], Counter[int]]:
    """One evening; the milliseconds each hand took from the tap to the answer, and what became of the pictures.

    A busy computer may refuse one (503), as it would be too late.
    """
    picture, took, answers = (sample_hands()[0] / "lake.jpg").read_bytes(), [], Counter()
    for number in range(1, HANDS + 1):
        if number % PICTURE_EACH == 0:
            lake = {"lake": ("a.jpg", picture, "image/jpeg")}
            answer = table.link.post(f"/g/{table.game}/hand/lake", data={"version": str(number)}, files=lake)
            answers[answer.status_code] += 1
            assert set(answers) <= {303, 422, 503}, answer.text
        took.append(table.record(number).answered)
        if number % BACKUP_EACH == 0:
            assert table.link.post("/status/backup").content.startswith(b"PK")
    assert boards.broken == 0
    return took, answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evenings", type=int, default=4, help="of 120 hands each")
    parser.add_argument("--boards", type=int, default=50, help="open boards")
    chosen = parser.parse_args()
    allow_many_files()
    with tempfile.TemporaryDirectory() as folder:
        with served(Path(folder), 120) as (link, address, _, pid):
            games = [soak(link, address, pid, chosen.boards, evening) for evening in range(1, chosen.evenings + 1)]
            hands = [link.get(f"/g/{game}/game.json").text.count('"hand-recorded"') for game in games]
            health = link.get("/healthz").text.strip()
        log = [json.loads(line) for line in (Path(folder) / "logs" / "scorekeeper.log").read_text("utf-8").splitlines()]
    print(f"hands kept: {hands} of {HANDS} each; {health}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"warnings and errors: {[line['text'] for line in log if line['level'] != 'INFO']}")
    assert set(hands) == {HANDS}


def soak(link: httpx.Client, address: str, pid: int, count: int, evening: int) -> str:
    """Plays one evening before *count* boards and says what the server holds; returns the game's name."""
    began, table = time.monotonic(), start_game(link, address, SIDES)
    boards = Boards(address, table.game)
    reader = boards.open(count)
    boards.wait(count)
    took, answers = play(table, boards)
    during = held(pid)
    boards.close()
    reader.join()
    time.sleep(20)  # the server sees by its heartbeats who has gone
    after = held(pid)
    print(
        f"evening {evening}: {HANDS} hands in {time.monotonic() - began:.0f} s, {statistics.median(took):.0f} ms each, "
        f"{max(took):.0f} at most; pictures {dict(answers)}; memory {during.mb:.0f} MB, then {after.mb:.0f}; "
        f"open files {during.files}, then {after.files}",
        flush=True,
    )
    return table.game


if __name__ == "__main__":
    main()
