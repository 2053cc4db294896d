"""Tables to measure on, shards from photographs, and how far readings may be believed: the scripts, run for real."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from scorekeeper.training.decks import DeckPool
from scorekeeper.training.faces import split_fonts
from scorekeeper.training.labels import load_shard
from scorekeeper.training.scene import FACE, INDEX, Laid, bent, compose
from scorekeeper.watch.labels import Task, read_labels

if shutil.which("fc-list") is None:
    pytest.skip("needs fontconfig", allow_module_level=True)

ROOT = Path(__file__).parents[2]


def run(script: str, *arguments: object) -> str:
    command = [sys.executable, str(ROOT / script), *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def deck():
    """Printed in plain letters, whatever other fonts there are."""
    plain = [family for family in split_fonts()[0] if any(name in family[0] for name in ("DejaVu", "Liberation"))]
    return DeckPool(np.random.default_rng(3), None, 1, families=plain or None, dutch=False).decks[0]


def photograph(deck, codes, rng):
    """Cards side by side, seen from straight above, and their labels as a photograph's."""
    view = np.array([[260.0, 0, 400], [0, 260.0, 300], [0, 0, 1]])
    cards = [Laid(deck.face(code), (k - 1) * 0.95, 0, 0.05 * k) for k, code in enumerate(codes)]
    picture = compose(rng, (600, 800), cards, view, top=np.full((600, 800, 3), (60, 90, 40), np.uint8), calm=True)
    boxes = [[*map(float, seen.corners.min(0)), *map(float, seen.corners.max(0))] for seen in picture.cards]
    return picture, [{"rank": code[:-1], "box_xyxy": box} for code, box in zip(codes, boxes, strict=True)]


def test_a_composed_table_says_what_every_picture_shows(tmp_path):
    run("datasets/make_tables.py", "--out", tmp_path, "--tables", 1, "--seed", 4)
    labels = read_labels(tmp_path)
    tasks = [one.task for one in labels]
    assert (tasks.count(Task.LAKE), tasks.count(Task.SPREAD), tasks.count(Task.FAN)) == (3, 2, 4)
    assert all(path.stat().st_size > 10_000 for one in labels for path in one.pictures)
    assert all(2 <= sum(one.truth.values()) <= 13 for one in labels if one.task is Task.FAN)
    assert all(one.enrol and set(one.truth) <= set(one.enrol) for one in labels if one.task is Task.SPREAD)


def test_only_photographs_whose_labels_fit_what_is_seen_become_shards(deck, tmp_path):
    rng = np.random.default_rng(5)
    rows = []
    for name, codes, spoilt in (("a", ["7H", "QS", "10D"], False), ("b", ["AS", "4C"], False), ("c", ["9H"], True)):
        picture, cards = photograph(deck, codes, rng)
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), picture.image)
        if spoilt:
            cards[0]["box_xyxy"] = [0, 0, 90, 90]
        rows.append(json.dumps({"file": f"{name}.jpg", "cards": cards}))
    (tmp_path / "labels.jsonl").write_text("\n".join(rows))
    said = run("datasets/make_photo_shards.py", tmp_path / "labels.jsonl", "--out", tmp_path / "out")
    assert "train: 3 pictures of 3 photographs" in said
    shard = load_shard(tmp_path / "out" / "train" / "photos.npz")
    assert shard.images.shape[1:] == (416, 416, 3)
    kinds = {int(kind) for rows in shard.boxes for kind in rows[:, 0]}
    assert kinds == {FACE, INDEX}


def test_a_bent_lens_moves_the_labels_with_the_picture(deck):
    picture, _ = photograph(deck, ["7H"], np.random.default_rng(2))
    image, (card,) = bent(picture.image, picture.cards, 0.1)
    white = cv2.inRange(image, (170, 170, 170), (255, 255, 255))
    ys, xs = np.nonzero(white)
    np.testing.assert_allclose(card.corners.min(0), [xs.min(), ys.min()], atol=8)
    np.testing.assert_allclose(card.corners.max(0), [xs.max(), ys.max()], atol=8)
    assert np.abs(card.corners - picture.cards[0].corners).max() > 5


def test_how_far_readings_may_be_believed_is_fitted_to_labelled_pictures(tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra 'train'")
    samples, plot = ROOT / "datasets/samples", tmp_path / "plot.png"
    said = run("models/calibrate_faces.py", "--composed", samples, "--screens", "3", "--check", samples, "--plot", plot)
    assert [line.split(" = ")[0] for line in said.splitlines()[:3]] == ["READ", "UNSEEN", "TABLE"]
    assert "right ones certain" in said
    assert cv2.imread(str(plot)).shape[0] > 300


def test_how_far_counts_of_backs_may_be_believed_is_shown_on_composed_spreads(tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra 'train'")
    said = run("models/calibrate_backs.py", "4", "--plot", tmp_path / "plot.png")
    assert "right ones certain" in said
    assert cv2.imread(str(tmp_path / "plot.png")).shape[0] > 300
