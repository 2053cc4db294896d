"""The detector learns from composed tables: a small training, from drawn cards to the exported network."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
if importlib.util.find_spec("ultralytics") is None or shutil.which("fc-list") is None:
    pytest.skip("needs ultralytics and fontconfig", allow_module_level=True)

from scorekeeper.training.decks import DeckPool  # noqa: E402
from scorekeeper.training.detect import batches, turned  # noqa: E402
from scorekeeper.training.labels import labels, load_shard, save_shard  # noqa: E402
from scorekeeper.training.layouts import fans, loose, random_picture, spread  # noqa: E402
from scorekeeper.training.scene import BACK, FACE, INDEX  # noqa: E402
from scorekeeper.vision.detector import OnnxDetector, rotated_corners  # noqa: E402

SIZE = (160, 160)
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def decks():
    return DeckPool(np.random.default_rng(3), None, 2).decks


@pytest.fixture(scope="module")
def shard_folder(decks, tmp_path_factory):
    folder = tmp_path_factory.mktemp("shards")
    rng = np.random.default_rng(5)
    save_shard(folder / "shard-0.npz", [random_picture(rng, decks, SIZE, card_px=(50, 120)) for _ in range(24)])
    return folder


def test_the_same_seed_composes_the_same_picture(decks):
    first, second = (random_picture(np.random.default_rng(8), decks, SIZE) for _ in range(2))
    np.testing.assert_array_equal(first.image, second.image)


def test_a_card_under_others_shows_less(decks):
    picture = random_picture(np.random.default_rng(1), decks, (400, 400), card_px=(120, 130), layout=fans)
    shares = [card.visible for card in picture.cards]
    assert min(shares) < 0.5 < max(shares)


def test_backs_are_labelled_as_backs_and_corners_as_indices(decks):
    rng = np.random.default_rng(2)
    down = labels(random_picture(rng, decks, (400, 400), card_px=(100, 110), layout=spread))
    up = labels(random_picture(rng, decks, (400, 400), card_px=(100, 110), layout=loose))
    assert (down[:, 0] == BACK).sum() > 3
    assert {FACE, INDEX} <= set(up[:, 0].astype(int))


@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
def test_a_quarter_turn_moves_labels_with_the_picture(quarter):
    picture = np.zeros((100, 100, 3), np.uint8)
    picture[20:30, 40:80] = 255
    rows = np.array([[FACE, 60, 25, 40, 10, 0.0]], np.float32)
    image, moved = turned(picture, rows, quarter)
    box = rotated_corners(moved[:, 1:])[0]
    ys, xs = np.nonzero(image[..., 0])
    np.testing.assert_allclose(box.min(0), [xs.min(), ys.min()], atol=1)
    np.testing.assert_allclose(box.max(0), [xs.max() + 1, ys.max() + 1], atol=1)


def run(script: str, *arguments: object) -> None:
    """A script as a person runs it: in a process of its own, since ultralytics changes how pictures are opened."""
    command = [sys.executable, str(ROOT / script), *map(str, arguments)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_it_trains_resumes_and_exports_a_network_that_agrees(shard_folder, tmp_path):
    knobs = (f"data={shard_folder}", f"out={tmp_path}", "batch=4", "warmup=2")
    run("models/train_detector.py", "models/detector/recipe.toml", *knobs, "hours=0.002")
    steps = torch.load(tmp_path / "last.pt", weights_only=True)["step"]
    assert steps > 0
    shutil.copy(tmp_path / "last.pt", tmp_path / "first.pt")
    more = ("hours=0.004", "resume=true", f"photos={shard_folder}")
    run("models/train_detector.py", "models/detector/recipe.toml", *knobs, *more)
    assert (tmp_path / "best.pt").exists()
    assert torch.load(tmp_path / "last.pt", weights_only=True)["step"] > steps
    run("models/export_detector.py", tmp_path / "first.pt", tmp_path / "last.pt", tmp_path / "detector.onnx")
    assert (tmp_path / "detector.onnx").stat().st_size < 12e6
    found = OnnxDetector(tmp_path / "detector.onnx").detect(np.full((100, 300, 3), 200, np.uint8), min_score=0.0)
    assert found.corners_px.shape[1:] == (4, 2)


def test_the_loss_is_fed_labels_within_the_picture(shard_folder):
    batch = next(batches(np.random.default_rng(0), load_shard(next(shard_folder.glob("*.npz"))), 4))
    assert batch["img"].shape == (4, 3, *SIZE)
    assert len(batch["cls"]) == len(batch["bboxes"]) == len(batch["batch_idx"]) > 0
    assert batch["bboxes"][:, :2].min() >= 0
    assert batch["bboxes"][:, :2].max() <= 1
