"""``measure`` prints the same numbers for people and for programs."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from click.testing import CliRunner

from scorekeeper.cli import main
from scorekeeper.cli.measuring import line_of, report, table
from scorekeeper.resources import data_path
from scorekeeper.watch.labels import Labelled, Task
from scorekeeper.watch.measure import Measured, Outcome


def outcome(name: str, truth: str, read: str, certain: bool, refused: str = "") -> Outcome:
    labelled = Labelled(name, Task.FAN, "fan", "somebody/cards", (), Counter(truth.split()))
    return Outcome(labelled, Counter(read.split()), 0, certain, 12.34, refused=refused)


MEASURED = Measured(
    (
        outcome("a.jpg", "7C AS 10H", "7C AS 10H", certain=True),
        outcome("b.jpg", "7C AS", "7C 3S", certain=True),
        outcome("c.jpg", "KD", "", certain=False, refused="too dark"),
    )
)


def test_the_table_names_every_figure() -> None:
    head, *rows = table(MEASURED).splitlines()
    columns = dict(zip(head.split(), rows[1].split()[2:], strict=True))
    assert columns == {
        "pictures": "3", "cards": "6", "found": "4", "wrong": "1", "missed": "2", "prec": "0.800", "recall": "0.667",
        "F1": "0.727", "right": "1", "asked": "1", "silent": "1", "sure": "100%", "ms": "12",
    }  # fmt: skip
    assert rows[-2] == "pictures wholly right: 1 of 3; silent errors: 1"
    assert rows[-1] == "refused: c.jpg: too dark"


def test_the_json_says_the_same() -> None:
    told = json.loads(json.dumps(report(MEASURED, each=True)))
    (row,) = told["tasks"]
    assert (row["name"], row["found"], row["wrong"], row["missed"], row["silent"]) == ("read fan", 4, 1, 2, 1)
    assert (row["precision"], row["recall"], row["f1"]) == (0.8, 0.6667, 0.7273)
    assert told["silent"] == ["b.jpg"]
    assert told["refused"] == {"c.jpg": "too dark"}
    assert told["each"][1]["missed"] == ["AS"]
    assert told["each"][1]["wrong"] == ["3S"]


@pytest.mark.parametrize(
    ("number", "line"),
    [
        (0, "right  certain  a.jpg: 3 of 3  12 ms"),
        (1, "SILENT  certain  b.jpg: 1 of 2  missed AS  wrong 3S  12 ms"),
        (2, "wrong  asks  c.jpg: 0 of 1  missed KD  12 ms  too dark"),
    ],
)
def test_a_line_per_picture(number: int, line: str) -> None:
    assert line_of(MEASURED.outcomes[number]) == line


def test_the_samples_are_measured(runner: CliRunner) -> None:
    told = runner.invoke(main, ["measure", str(data_path("datasets/samples")), "--json"])
    assert told.exit_code == 0, told.stderr or told.exception
    assert {row["name"] for row in json.loads(told.stdout)["tasks"]} == {"read fan", "read lake", "read spread"}
