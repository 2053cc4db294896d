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
from scorekeeper.training.labels import Shard, labels, load_shard, save_shard  # noqa: E402
from scorekeeper.training.layouts import fans, loose, random_picture, spread  # noqa: E402
from scorekeeper.training.pool import MOST_BOXES, Pool, turned  # noqa: E402
from scorekeeper.training.quantised import ROWS  # noqa: E402
from scorekeeper.training.rounding import rounding  # noqa: E402
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
    save_shard(folder / "shard-0.npz", [random_picture(rng, decks, SIZE, card_px=(50, 120)) for _ in range(ROWS)])
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
    images, moved = turned(torch.tensor(picture[None]), torch.tensor(rows[None]), torch.tensor([quarter]))
    box = rotated_corners(moved[0, :, 1:].numpy())[0]
    ys, xs = np.nonzero(images[0, ..., 0].numpy())
    np.testing.assert_allclose(box.min(0), [xs.min(), ys.min()], atol=1)
    np.testing.assert_allclose(box.max(0), [xs.max() + 1, ys.max() + 1], atol=1)


def test_a_pool_keeps_the_newest_pictures_with_their_labels():
    def shard(first, count):
        images = np.stack([np.full((8, 8, 3), 10 * (first + k), np.uint8) for k in range(count)])
        return Shard(images, tuple(np.full((2, 6), first + k, np.float32) for k in range(count)))

    pool = Pool(4, "cpu")
    pool.take(shard(1, 3))
    pool.take(shard(4, 3))
    (kept,) = pool.batches(9)
    greys = (kept["img"][:, 0, 0, 0] * 25.5).round().tolist()
    assert sorted(greys) == [3, 4, 5, 6]
    assert kept["cls"].ravel().tolist() == [grey for grey in greys for _ in range(2)]
    assert kept["batch_idx"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


def test_a_picture_with_more_labels_than_a_pool_holds_is_left_out():
    crowded = np.zeros((MOST_BOXES + 1, 6), np.float32)
    pool = Pool(4, "cpu")
    pool.take(Shard(np.zeros((2, 8, 8, 3), np.uint8), (crowded, crowded[:1])))
    assert len(pool) == 1


def test_rounding_is_what_eight_bits_will_do_to_a_layer():
    torch.manual_seed(1)
    block = torch.nn.Module()
    block.conv, block.bn = torch.nn.Conv2d(3, 4, 3, bias=False), torch.nn.BatchNorm2d(4)
    exact = torch.nn.functional.conv2d(pixels := torch.rand(2, 3, 9, 9), block.conv.weight)
    rounding(block)
    rounded = block.conv(pixels)
    off = (rounded - exact).abs()
    assert 0 < off.max() < 0.02 * exact.abs().max()
    rounded.sum().backward()
    assert block.conv.weight.grad.abs().min() > 0


def run(script: str, *arguments: object) -> None:
    """A script as a person runs it: in a process of its own, since ultralytics changes how pictures are opened."""
    command = [sys.executable, str(ROOT / script), *map(str, arguments)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_it_trains_resumes_and_exports_a_network_that_agrees(shard_folder, tmp_path):
    knobs = (f"data={shard_folder}", f"out={tmp_path}", "batch=4", "warmup=2", "steps=3", "pool=20", "width=0.25")
    run("models/train_detector.py", "models/detector/recipe.toml", *knobs, "hours=0.002", "eight_bits=0.5")
    steps = torch.load(tmp_path / "last.pt", weights_only=True)["step"]
    assert steps > 0
    shutil.copy(tmp_path / "last.pt", tmp_path / "first.pt")
    more = ("hours=0.004", "resume=true", f"photos={shard_folder}", f"also={shard_folder}", "also_share=0.25")
    run("models/train_detector.py", "models/detector/recipe.toml", *knobs, *more)
    assert (tmp_path / "best.pt").exists()
    assert torch.load(tmp_path / "last.pt", weights_only=True)["step"] > steps
    run("models/export_detector.py", tmp_path / "first.pt", tmp_path / "last.pt", tmp_path / "float.onnx")
    exported = tmp_path / "detector.onnx"
    run("models/export_detector.py", tmp_path / "last.pt", exported, "--ranges", shard_folder)
    assert exported.stat().st_size < 12e6
    assert exported.stat().st_size < 0.7 * (tmp_path / "float.onnx").stat().st_size
    found = OnnxDetector(exported).detect(np.full((100, 300, 3), 200, np.uint8), min_score=0.0)
    assert found.corners_px.shape[1:] == (4, 2)


def test_the_loss_is_fed_labels_within_the_picture(shard_folder):
    pool = Pool(20, "cpu")
    pool.take(load_shard(next(shard_folder.glob("*.npz"))))
    batch = pool.batch(4)
    assert batch["img"].shape == (4, 3, *SIZE)
    assert len(batch["cls"]) == len(batch["bboxes"]) == len(batch["batch_idx"]) > 0
    assert batch["bboxes"][:, :2].min() >= 0
    assert batch["bboxes"][:, :2].max() <= 1
