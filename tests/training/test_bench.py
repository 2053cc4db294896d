"""The benchmark composes its own pictures, needs no training packages, and prints a row for each kind."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from scorekeeper.training.bench import HEADER, STAGES, main
from scorekeeper.training.bench_pictures import FULL_HD, PHOTO, PLANS, shots
from scorekeeper.vision.camera.sources import decode_picture

PLAN = {plan.name: plan for plan in PLANS}


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines of the smallest run."""
    main(["--pictures", "1", "--repeats", "1", "--threads", "1", "--only", "10 cards"])
    return capsys.readouterr().out.splitlines()


def test_a_run_prints_every_row_with_its_stages_and_what_the_process_needs(told: list[str]) -> None:
    assert all(stage in told[2] for stage in STAGES)
    names = [name for name in PLAN if "10 cards" in name]
    rows = told[3 : 3 + len(names)]
    assert [row[:30].strip() for row in rows] == names
    for row in rows:
        readings, _, *figures = row[30:].split()
        assert len(figures) == len(HEADER) - 3
        assert readings == "1"
        assert all(float(figure) >= 0 for figure in figures)
        assert float(figures[0]) > 0
    assert Counter(line.split("  ")[0] for line in told[-3:]) == Counter(
        ["process start to first reading", "peak resident memory", "model files"]
    )


def test_the_pictures_are_always_the_same_and_of_the_size_they_say() -> None:
    for name, size in (("lake, 24 piles", FULL_HD), ("lake, 24 piles, 12 megapixels", PHOTO)):
        one, same = (next(shots(PLAN[name], 1, seed=3)).data for _ in range(2))
        assert one == same
        assert one != next(shots(PLAN[name], 1, seed=4)).data
        assert decode_picture(one).shape == (*size, 3)


def test_a_spread_comes_with_a_signature_of_each_deck() -> None:
    (shot,) = shots(PLAN["spread, 10 cards of 12 decks"], 1, seed=3)
    assert len(shot.signatures) == 12
    assert float(np.std(decode_picture(shot.data))) > 10


def test_the_benchmark_runs_without_the_training_packages() -> None:
    program = "import sys; sys.modules.update(dict.fromkeys(['torch', 'torchvision', 'ultralytics', 'onnx']))\n"
    program += "from scorekeeper.training.bench import main\n"
    program += "main(['--pictures', '1', '--repeats', '1', '--only', 'enrol', '--no-process'])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "enrol, 1 card" in done.stdout
