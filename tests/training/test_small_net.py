"""The small networks learn: a minute's training of each, from composed pictures to a file that the eye can load."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from onnxruntime import InferenceSession

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")

from scorekeeper.training import around, beside, branch, down, joker, likeness, pips, refine  # noqa: E402
from scorekeeper.training.back_designs import drawn_back, recoloured  # noqa: E402
from scorekeeper.training.decks import DeckPool  # noqa: E402
from scorekeeper.training.labels import save_shard  # noqa: E402
from scorekeeper.training.layouts import heap, loose, random_picture  # noqa: E402
from scorekeeper.training.recipes import read_recipe  # noqa: E402
from scorekeeper.training.small_net import Recipe, all_shards, begin, blended, export, fit  # noqa: E402
from scorekeeper.vision.backs.likeness import Likeness  # noqa: E402
from scorekeeper.vision.backs.refiner import SHOWN, Refiner, as_input, suited  # noqa: E402
from scorekeeper.vision.eye import load_eye  # noqa: E402
from scorekeeper.vision.faces.around import AroundReader  # noqa: E402
from scorekeeper.vision.faces.beside import BesideReader  # noqa: E402
from scorekeeper.vision.faces.pips import HEIGHT, WIDTH, PipReader  # noqa: E402
from scorekeeper.vision.templates import CELL, COLUMNS, ROWS  # noqa: E402

MODELS = Path(__file__).parents[2] / "models"


def small(name, folder, kind=Recipe, file="recipe.toml", **knobs):
    recipe = read_recipe(kind, MODELS / name / file, [])
    known = {"work": str(folder / "work"), "out": str(folder / "out"), "art": "", "shards": 1, "epochs": 2}
    return replace(recipe, **{**known, "batch": 16, **knobs})


def test_the_likeness_network_trains_from_composed_spreads_and_can_be_loaded(tmp_path):
    likeness.train(small("likeness", tmp_path, pictures=1))
    pairs = np.zeros((3, 7, ROWS * CELL, COLUMNS * CELL), np.float32)
    odds = Likeness(tmp_path / "out" / "likeness.onnx")(pairs)
    assert odds.shape == (3,)
    assert np.isfinite(odds).all()


def test_the_likeness_network_is_not_taught_that_decks_differ_which_only_the_light_tells_apart():
    rng = np.random.default_rng(4)
    plain, printed = (drawn_back(rng, plain=share) for share in (1.0, 0.0))
    assert likeness.only_light_tells(plain, recoloured(plain, rng))
    assert not likeness.only_light_tells(printed, recoloured(printed, rng))
    assert not likeness.only_light_tells(plain, printed)
    seen = likeness.spread_of(21, load_eye())  # three decks, 18 cards of these and 11 of others, no face
    taught = [same for _, same in likeness.pairs_of(seen, rng)]
    assert 0 < sum(taught) < len(taught)
    told_by_light = replace(seen, alike=np.ones_like(seen.alike))
    assert [same for _, same in likeness.pairs_of(told_by_light, rng)] == [True] * sum(taught)


def test_the_pip_network_trains_from_composed_tables_and_grows_an_answer_about_backs_and_can_be_loaded(tmp_path):
    pips.train(small("pips", tmp_path / "first", pictures=4))
    trained, grown = (tmp_path / part / "out" / "pips.onnx" for part in ("first", "second"))
    down.train(small("pips", tmp_path / "second", branch.Recipe, "down.toml", pictures=4, pips=str(trained)))
    outputs = onnx.load(grown).graph.output
    assert [output.name for output in outputs] == ["logits", "down"]
    faces = np.random.default_rng(3).normal(size=(3, 3, HEIGHT, WIDTH)).astype(np.float32)
    before, after = (InferenceSession(path).run(None, {"faces": faces}) for path in (trained, grown))
    assert np.allclose(before[0], after[0], atol=1e-5)


def test_an_answer_about_backs_takes_the_place_of_an_older_one(tmp_path):
    down.train(small("pips", tmp_path, branch.Recipe, "down.toml", pictures=4, pips=str(MODELS / "pips" / "pips.onnx")))
    outputs = onnx.load(tmp_path / "out" / "pips.onnx").graph.output
    assert [output.name for output in outputs] == ["logits", "down", "joker"]


def test_the_network_that_sees_what_lies_round_a_card_trains_from_composed_tables_and_photographs(tmp_path):
    rng = np.random.default_rng(5)
    table = random_picture(rng, DeckPool(rng, None, 2).decks, (300, 400), card_px=(90, 110), layout=loose)
    cv2.imwrite(str(tmp_path / "photo.png"), table.image)
    (tmp_path / "photos.jsonl").write_text('{"file": "photo.png", "cards": []}\n', "utf-8")
    knobs = {"pictures": 4, "photos": str(tmp_path / "photos.jsonl")}
    around.train(small("around", tmp_path, around.Recipe, **knobs))
    outline = np.array([[25, 25], [60, 25], [60, 80], [25, 80]], np.float32)
    said = AroundReader(tmp_path / "out" / "around.onnx").read(np.full((100, 80, 3), 200, np.uint8), [outline])
    assert 0 < said.real[0] < 1
    assert 0 < said.down[0] < 1


def test_the_pip_network_grows_an_answer_about_jokers_beside_the_others_and_can_be_loaded(tmp_path):
    before = MODELS / "pips" / "pips.onnx"
    joker.train(small("pips", tmp_path, branch.Recipe, "joker.toml", pictures=8, pips=str(before)))
    white, outline = np.full((100, 80, 3), 200, np.uint8), np.array([[5, 5], [60, 5], [60, 90], [5, 90]], np.float32)
    said, grown = (PipReader(path).read(white, [outline]) for path in (before, tmp_path / "out" / "pips.onnx"))
    assert said.rank.sum() == pytest.approx(1, abs=1e-4)
    assert np.allclose(said.rank, grown.rank)
    assert np.allclose(said.suit, grown.suit)
    assert np.allclose(said.down, grown.down)
    assert 0 < grown.joker[0] < 1


def test_the_network_that_reads_a_card_by_what_shows_beside_its_index_trains_from_composed_tables(tmp_path):
    beside.train(small("beside", tmp_path, pictures=4))
    index = np.array([[[20, 20], [30, 20], [30, 40], [20, 40]]], np.float32)
    said = BesideReader(tmp_path / "out" / "beside.onnx").read(np.full((100, 80, 3), 200, np.uint8), index)
    assert said.rank.sum() == pytest.approx(1, abs=1e-4)
    assert said.suit.sum() == pytest.approx(1, abs=1e-4)


def test_a_card_on_a_screen_is_an_example_of_what_is_none():
    made = around.compose_shard(range(7, 15), None)
    assert made["p"].any()
    assert not made["p"].all()
    assert made["x"].shape[1:] == (112, 96, 3)
    assert set(np.unique(made["d"])) <= {-1, 0, 1}


def test_the_refiner_trains_on_the_detector_s_outlines_and_can_be_loaded(tmp_path):
    rng = np.random.default_rng(4)
    decks = DeckPool(rng, None, 2).decks
    heaps = [random_picture(rng, decks, (160, 160), card_px=(50, 90), layout=heap) for _ in range(6)]
    save_shard(tmp_path / "shard-0.npz", heaps)
    knobs = {"data": str(tmp_path), "out": str(tmp_path / "out"), "detector": str(MODELS / "detector/detector.onnx")}
    refine.train(replace(read_recipe(refine.Recipe, MODELS / "refiner" / "recipe.toml", []), minutes=0.01, **knobs))
    outline = np.array([[[5, 5], [60, 5], [60, 90], [5, 90]]], np.float32)
    found = Refiner(tmp_path / "out" / "refiner.onnx")(suited(heaps[0].image, 85.0), outline, 85.0)
    assert found.corners_px.shape == (1, 4, 2)
    assert found.shows.shape == (1, SHOWN, SHOWN)
    assert 0 < found.sure[0] < 1


def test_the_refiner_goes_on_from_the_committed_one_of_eight_bits():
    rng = np.random.default_rng(5)
    windows = rng.integers(0, 255, (24, 96, 96, 4), np.uint8)
    rows = [refine.Example(each, np.zeros(5, np.float32), True, np.zeros((24, 24), np.float32)) for each in windows]
    path = MODELS / "refiner" / "refiner.onnx"
    learner = refine.Learner(refine.Recipe(start=str(path), batch=8), rows)
    with torch.no_grad():
        says = learner.net.eval()(torch.from_numpy(as_input(windows))).numpy()
    said = InferenceSession(path).run(None, {"windows": as_input(windows)})[0]
    assert np.corrcoef(says[:, 6:].ravel(), said[:, 6:].ravel())[0, 1] > 0.99
    assert np.allclose(says[:, :5], said[:, :5], atol=0.1)


def test_what_lies_on_a_card_hides_it():
    cards = np.array([[[0, 0], [40, 0], [40, 60], [0, 60]], [[20, 30], [60, 30], [60, 90], [20, 90]]], np.float32)
    owner = refine.owners(cards, (100, 100))
    assert (owner[10, 10], owner[45, 30], owner[80, 50], owner[95, 95]) == (0, 1, 1, -1)


def test_shards_are_composed_once(tmp_path):
    calls = []

    def compose(seeds):
        calls.append(seeds)
        return {"x": np.arange(3)}

    recipe = Recipe(work=str(tmp_path), out="", shards=2, pictures=5, first_seed=100)
    first, second = all_shards(recipe, compose), all_shards(recipe, compose)
    assert calls == [range(100, 105), range(1100, 1105)]
    assert first["x"].tolist() == second["x"].tolist() == [0, 1, 2, 0, 1, 2]


def test_training_makes_the_loss_smaller():
    begin(seed=1, threads=1)
    inputs = torch.randn(64, 3)
    wanted = (inputs[:, 0] > 0).float()
    net = torch.nn.Linear(3, 1)

    def loss_of(rows):
        return torch.nn.functional.binary_cross_entropy_with_logits(net(inputs[rows])[:, 0], wanted[rows])

    before = loss_of(np.arange(64)).item()
    fit(net, 64, loss_of, Recipe(work="", out="", epochs=20, batch=16, learning_rate=0.05), lambda: None)
    assert loss_of(np.arange(64)).item() < 0.5 * before


def test_a_blend_of_two_networks_lies_between_them(tmp_path):
    paths = [tmp_path / "a.onnx", tmp_path / "b.onnx"]
    for path in paths:
        export(torch.nn.Linear(3, 2), (3,), path, ("x", "y"))
    onnx.save(blended(*paths, 0.25), str(tmp_path / "c.onnx"))
    x = np.float32([[1, -2, 3]])
    first, second, both = (InferenceSession(path).run(None, {"x": x})[0] for path in (*paths, tmp_path / "c.onnx"))
    assert np.allclose(both, 0.25 * first + 0.75 * second, atol=1e-5)


def test_networks_with_other_layers_are_not_blended(tmp_path):
    export(torch.nn.Linear(3, 2), (3,), tmp_path / "a.onnx", ("x", "y"))
    export(torch.nn.Linear(3, 4), (3,), tmp_path / "b.onnx", ("x", "y"))
    with pytest.raises(ValueError, match="has no"):
        blended(tmp_path / "a.onnx", tmp_path / "b.onnx", 0.5)
