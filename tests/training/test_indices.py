"""The index reader learns from drawn cards: a small training from fonts alone."""

from __future__ import annotations

import shutil
from dataclasses import replace

import cv2
import numpy as np
import pytest

from scorekeeper.rules.cards import RANKS
from scorekeeper.vision.faces.indices import PRINTED, IndexReader, Temperatures, moved, normalise

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
if shutil.which("fc-list") is None:
    pytest.skip("needs fontconfig", allow_module_level=True)

from scorekeeper.training import faces  # noqa: E402
from scorekeeper.training.faces import CardFace, draw_face, draw_style, drawn_faces, fonts, split_fonts  # noqa: E402
from scorekeeper.training.index_net import IndexNet, export, logits_of, start_from, train_step  # noqa: E402
from scorekeeper.training.indices import (  # noqa: E402
    Patches,
    _next_in_row,
    compose_batch,
    deck_patches,
    jittered,
    move_between,
    other_patch,
    read_crops_of,
    strange_patches,
)
from scorekeeper.training.scene import CODES  # noqa: E402

if not fonts():
    pytest.skip("needs a font with A, J, Q, K and digits", allow_module_level=True)


@pytest.fixture(scope="module")
def patches():
    rng = np.random.default_rng(3)
    return [deck_patches(drawn_faces(rng), rng) for _ in range(2)]


def test_a_drawn_deck_has_every_card_with_indices_inside_it():
    deck = drawn_faces(np.random.default_rng(1), size=(280, 190))
    for code in CODES:
        face = deck(code)
        assert face.image.shape == (280, 190, 4)
        assert len(face.indices) in (2, 4)
        assert face.indices.min() >= 0
        assert (face.indices <= np.array([190, 280])).all()


def test_a_font_family_that_is_held_out_stays_so_whatever_other_fonts_are_installed(monkeypatch):
    train, held = split_fonts()
    names = sorted(path for family in (*train, *held) for path in family)
    monkeypatch.setattr(faces, "fonts", lambda: tuple(names[1::2]))
    fewer_train, fewer_held = split_fonts.__wrapped__()
    for fewer, known in ((fewer_train, train), (fewer_held, held)):
        assert {path for family in fewer for path in family} == {p for family in known for p in family} & {*names[1::2]}
    assert fewer_train


def test_a_broken_font_draws_nothing(tmp_path):
    (tmp_path / "broken.ttf").write_bytes(b"no font at all")
    assert faces.glyph("A", str(tmp_path / "broken.ttf")) is None


def test_a_font_that_draws_a_pip_as_a_tall_stroke_still_makes_cards():
    rng = np.random.default_rng(1)
    style = draw_style(rng, (420, 280), (), split_fonts()[0])
    strokes = replace(style, pips=dict.fromkeys("SHDC", np.ones((400, 20), np.float32)), pip_width=40)
    face = draw_face("7S", strokes, rng)
    assert face.indices.min() >= 0
    assert (face.indices <= np.array([280, 420])).all()


def test_an_index_in_the_lower_right_stands_on_its_head():
    face = drawn_faces(np.random.default_rng(2))("7S")
    top, bottom = face.indices[:2]
    assert top[0, 1] < top[3, 1]
    assert bottom[0, 1] > bottom[3, 1]
    np.testing.assert_allclose(bottom, np.array(face.image.shape[1::-1]) - top, atol=1)


def test_the_same_seed_draws_the_same_crops(patches):
    first, second = (compose_batch(patches, 20, np.random.default_rng(9)) for _ in range(2))
    np.testing.assert_array_equal(first.images, second.images)
    np.testing.assert_array_equal(first.labels, second.labels)


def test_a_crop_that_is_no_upright_index_has_no_rank_and_no_suit(patches):
    labels = compose_batch(patches, 200, np.random.default_rng(4)).labels
    index = labels[:, 2] == 1
    assert 0.4 < index.mean() < 0.8
    assert (labels[~index, :2] == -1).all()
    assert (labels[index, :2] >= 0).all()


def test_decks_speak_other_languages_and_each_says_what_is_printed():
    decks = [drawn_faces(np.random.default_rng(seed)) for seed in range(24)]
    printed = [{rank: deck(f"{rank}S").letter or rank for rank in ("A", "J", "Q", "K")} for deck in decks]
    assert {letters["J"] for letters in printed} > {"J", "B"}
    assert {"J": "B", "Q": "D", "K": "K", "A": "A"} in printed
    assert all(letters["K"] == "R" for letters in printed if letters["J"] == "V")


def test_a_v_is_labelled_as_what_is_printed_not_as_what_it_means(patches):
    queens = [replace(patch, letter="V") for patch in patches[0].indices if patch.code[:-1] == "Q"]
    labels = compose_batch([Patches(queens, [])], 60, np.random.default_rng(5)).labels
    assert set(labels[labels[:, 2] == 1, 0]) == {PRINTED.index("V")}
    assert PRINTED.index("V") == len(RANKS)


def test_what_lies_about_on_tables_is_no_index():
    strange = strange_patches(np.random.default_rng(8), each=2)
    assert len(strange) == 6
    assert not any(patch.code for patch in strange)


def test_boxes_are_off_like_a_detectors_and_stay_near():
    box = np.array([[0, 0], [20, 0], [20, 50], [0, 50]], np.float32)
    rng = np.random.default_rng(2)
    middles = np.array([jittered(box, rng).mean(axis=0) for _ in range(300)]) - box.mean(axis=0)
    assert 0.5 < middles[:, 0].std() < 6
    assert 1 < middles[:, 1].std() < 8
    assert abs(middles.mean(axis=0)).max() < 2


def test_a_crop_says_how_its_box_must_move_to_be_the_indexs(patches):
    labels = compose_batch(patches, 60, np.random.default_rng(3)).labels
    assert (np.isnan(labels[:, 4:]).any(axis=1) == (labels[:, 2] == 0)).all()
    quad = np.array([[10, 20], [30, 22], [28, 62], [8, 60]], np.float32)
    box = jittered(quad, np.random.default_rng(4))
    np.testing.assert_allclose(moved(box[None], move_between(box, quad)[None])[0], quad, atol=1e-4)


def test_places_without_an_index_often_lie_close_round_a_pip_or_a_letter():
    card = np.full((400, 280, 4), 255, np.uint8)
    cv2.circle(card, (140, 200), 30, (0, 0, 0, 255), -1)
    face = CardFace("", card, np.zeros((0, 4, 2), np.float32))
    rng = np.random.default_rng(1)
    patches = [patch for _ in range(40) if (patch := other_patch(face, rng))]
    inked = [float((patch.images[0][..., :3] < 100).mean()) for patch in patches]
    assert sum(share > 0.02 for share in inked) > 20


def test_the_next_card_of_a_row_most_often_covers_the_right_of_an_index(patches):
    deck, rng = patches[0], np.random.default_rng(6)
    patch = next(one for one in deck.indices if one.code == "7S")
    covered, side = {"left": 0, "right": 0}, max(patch.images[0].shape)
    for _ in range(40):
        canvas = np.full((side, side, 3), 90, np.uint8)
        _next_in_row(canvas, patch, np.eye(3), 0.5, deck, rng)
        (left, top), (right, bottom) = patch.quad.min(0), patch.quad.max(0)
        y = int((top + bottom) / 2)
        covered["left"] += int(canvas[y, int(left) + 1].max()) > 100
        covered["right"] += int(canvas[y, int(right) - 1].max()) > 100
    assert covered["right"] >= 22
    assert covered["left"] <= 10


def test_crops_of_an_earlier_day_know_no_move(tmp_path):
    np.savez(tmp_path / "old.npz", images=np.zeros((3, 48, 32, 3), np.uint8), labels=np.ones((3, 4), np.float32))
    batch = read_crops_of([tmp_path / "old.npz"])
    assert batch.labels.shape == (3, 10)
    assert np.isnan(batch.labels[:, 4:]).all()


def test_training_goes_on_from_an_export_as_if_it_had_never_stopped(patches, tmp_path):
    torch.manual_seed(3)
    crops = compose_batch(patches, 60, np.random.default_rng(7)).images
    before, after = IndexNet(), IndexNet()
    export(before, tmp_path / "net.onnx", Temperatures())
    start_from(after, tmp_path / "net.onnx", crops)
    np.testing.assert_allclose(logits_of(after, crops), logits_of(before, crops), atol=1e-3)
    after.train()
    live = after.look(torch.from_numpy(normalise(crops))).detach().numpy()
    after.eval()
    settled = after.look(torch.from_numpy(normalise(crops))).detach().numpy()
    assert np.abs(live - settled).mean() < 0.05 * np.abs(settled).mean()


def test_a_short_training_learns_and_its_export_says_the_same(patches, tmp_path):
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(6)
    net = IndexNet()
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3)
    batch = compose_batch(patches, 240, rng, tall=(24, 60))
    parts = [type(batch)(batch.images[i : i + 40], batch.labels[i : i + 40]) for i in range(0, 240, 40)]
    losses = [[train_step(net, optimizer, part) for part in parts] for _ in range(3)]
    assert np.mean(losses[-1]) < 0.9 * np.mean(losses[0])

    export(net, tmp_path / "net.onnx", Temperatures(rank=1.5, suit=1.25, is_index=2.0))
    reader = IndexReader(tmp_path / "net.onnx")
    assert reader.heat == Temperatures(rank=1.5, suit=1.25, is_index=2.0)
    few = batch.images[:7]
    np.testing.assert_allclose(reader._network(normalise(few)), logits_of(net, few), atol=1e-3)
