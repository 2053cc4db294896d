"""Small networks in eight bits say what they said in floats, and training goes on from them."""

from __future__ import annotations

import numpy as np
import pytest
from onnxruntime import InferenceSession

from scorekeeper.vision.faces.indices import Temperatures, normalise, open_network

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")

from scorekeeper.training import small_net  # noqa: E402
from scorekeeper.training.index_net import IndexNet, export, logits_of, start_from  # noqa: E402
from scorekeeper.training.quantised import ROWS, quantise, watched  # noqa: E402
from scorekeeper.training.small_net import pyramid  # noqa: E402


@pytest.fixture(scope="module")
def crops():
    return np.random.default_rng(4).integers(0, 256, (64, 48, 32, 3)).astype(np.uint8)


@pytest.fixture(scope="module")
def both(tmp_path_factory, crops):
    """An index reader as it was exported, in floats and in eight bits."""
    torch.manual_seed(2)
    folder = tmp_path_factory.mktemp("networks")
    export(IndexNet().eval(), folder / "float.onnx", Temperatures(rank=1.25))
    quantise(folder / "float.onnx", normalise(crops), folder / "int8.onnx")
    return folder / "float.onnx", folder / "int8.onnx"


def test_eight_bits_say_nearly_the_same_in_less_room_and_keep_the_temperatures(both, crops):
    (exact, heat), (rounded, same_heat) = (open_network(path, 1) for path in both)
    said, nearly = exact(normalise(crops)), rounded(normalise(crops))
    off = np.abs(said - nearly)
    assert 0 < off.mean() < 0.1 * said.std(0).mean()
    assert same_heat == heat
    assert both[1].stat().st_size < 0.8 * both[0].stat().st_size


def test_only_the_first_layer_and_the_answers_stay_in_floats(both):
    nodes = onnx.load(str(both[1])).graph.node
    whole = {name for node in nodes if node.op_type == "DequantizeLinear" for name in node.output}
    convolutions = [node for node in nodes if node.op_type == "Conv"]
    assert [node.input[0] in whole for node in convolutions] == [False, *[True] * (len(convolutions) - 1)]
    assert not any(set(node.input) <= whole for node in nodes if node.op_type == "Gemm")


def test_training_goes_on_from_a_network_in_eight_bits(both, crops):
    learner = IndexNet()
    start_from(learner, both[1], crops)
    said = open_network(both[0], 1)[0](normalise(crops))
    assert np.abs(logits_of(learner, crops) - said).mean() < 0.1 * said.std(0).mean()


def test_too_few_inputs_and_networks_in_eight_bits_are_refused(both, crops, tmp_path):
    with pytest.raises(ValueError, match=f"give {ROWS} at least"):
        quantise(both[0], normalise(crops[:5]), tmp_path / "never.onnx")
    with pytest.raises(ValueError, match="in eight bits already"):
        quantise(both[1], normalise(crops), tmp_path / "never.onnx")
    assert not (tmp_path / "never.onnx").exists()


def test_what_a_network_is_asked_is_kept_up_to_a_number_of_rows_each_as_likely(both, crops):
    network = open_network(both[0], 1)[0]
    inputs = normalise(crops)
    with watched(20) as asked:
        for part in (inputs[:30], inputs[30:]):
            network(part)
    network(inputs)
    kept = np.stack(asked["crops"])
    numbers = [int(np.abs(inputs - row).reshape(len(inputs), -1).sum(1).argmin()) for row in kept]
    assert len(set(numbers)) == 20
    assert max(numbers) >= 30
    np.testing.assert_array_equal(inputs[numbers], kept)


def test_what_stays_in_floats_is_stored_as_halves_again_where_it_was(tmp_path):
    torch.manual_seed(3)
    shape = (3, 64, 48)
    net, exact, rounded = pyramid(shape[1:], 16, 32, 5, dropout=0.1), tmp_path / "half.onnx", tmp_path / "int8.onnx"
    small_net.export(net, shape, exact, ("crops", "logits"), half=True)
    rows = np.random.default_rng(6).normal(size=(ROWS, *shape)).astype(np.float32)
    quantise(exact, rows, rounded)
    said, nearly = (InferenceSession(path).run(None, {"crops": rows})[0] for path in (exact, rounded))
    assert 0 < np.abs(said - nearly).mean() < 0.15 * said.std(0).mean()
    kept = onnx.load(str(rounded)).graph.initializer
    assert {len(each.dims) for each in kept if each.data_type == onnx.TensorProto.FLOAT16} >= {2}
    assert rounded.stat().st_size < 0.8 * exact.stat().st_size
