"""Every row of the rules sheet has a test that carries its name, and the guide answers the rows that are its own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from scorekeeper.guide import ENTRIES

HOUSE = Path(__file__).resolve().parents[2]
ROWS = dict(re.findall(r"^\| ([A-M]\w*) \| (\w+) \|", (HOUSE / "docs/rules-rows.md").read_text("utf-8"), re.MULTILINE))
BY_GUIDE = {"guide"}
ELSEWHERE = {"other"}
NAME = re.compile(r"(?<![a-z0-9])([a-m][0-9]{1,2}b?|l)(?![a-z0-9])", re.IGNORECASE)


@pytest.fixture(scope="module")
def tested() -> set[str]:
    """The rows that names of tests carry, guide entries left out."""
    words = [sys.executable, "-m", "pytest", "--collect-only", "-q", "tests/rules", "tests/test_scorebook.py"]
    done = subprocess.run(words, cwd=HOUSE, capture_output=True, text=True, check=True)
    names = [line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line]
    kept = " ".join(name.replace("_", " ") for name in names if "guide" not in name)
    return {_row(name) for name in NAME.findall(kept)}


def _row(name: str) -> str:
    return name[0].upper() + name[1:].lower()


def test_the_list_of_rows_is_whole():
    letters = {letter: sum(row.startswith(letter) for row in ROWS) for letter in "ABCDEFGHIJKLM"}
    assert list(letters.values()) == [14, 12, 20, 9, 18, 8, 4, 7, 3, 5, 20, 1, 13]


def test_every_row_has_a_test_of_its_name(tested):
    wanted = {row for row, kind in ROWS.items() if kind not in BY_GUIDE | ELSEWHERE}
    assert sorted(wanted - tested) == []


def test_every_row_of_the_guide_is_answered():
    answered = {row for entry in ENTRIES for row in entry.rows}
    assert sorted({row for row, kind in ROWS.items() if kind in BY_GUIDE} - answered) == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: " ".join(entry.rows))
def test_the_guide_names_rows_that_are_there(entry):
    assert set(entry.rows) <= set(ROWS)
