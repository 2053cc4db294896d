"""Training goes on from an exported network that has no normalisations left."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")

from scorekeeper.training.small_net import conv, export  # noqa: E402
from scorekeeper.training.warm import warmed, warmed_in_turn  # noqa: E402


class Block(torch.nn.Module):
    """A convolution, its normalisation and a bend."""

    def __init__(self, into: int, out: int) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(into, out, 3, padding=1, bias=False)
        self.bn = torch.nn.BatchNorm2d(out)

    def forward(self, x):
        return torch.relu(self.bn(self.conv(x)))


def network():
    return torch.nn.Sequential(Block(3, 8), Block(8, 6), torch.nn.Conv2d(6, 2, 1))


def exported(model, path):
    """Every normalisation melted into its convolution, as an exporter does it."""
    arrays = {}
    for name, block in model.named_children():
        if isinstance(block, Block):
            gain = block.bn.weight / (block.bn.running_var + block.bn.eps).sqrt()
            arrays[f"{name}.conv.weight"] = block.conv.weight * gain[:, None, None, None]
            arrays[f"{name}.conv.bias"] = block.bn.bias - block.bn.running_mean * gain
        else:
            arrays[f"{name}.weight"], arrays[f"{name}.bias"] = block.weight, block.bias
    kept = [onnx.numpy_helper.from_array(a.detach().numpy(), name) for name, a in arrays.items()]
    onnx.save(onnx.helper.make_model(onnx.helper.make_graph([], "net", [], [], kept)), str(path))


@pytest.fixture
def trained():
    torch.manual_seed(3)
    model = network()
    for _ in range(5):
        model(torch.rand(4, 3, 16, 16) * 3)
    with torch.no_grad():
        for block in model[:2]:
            block.bn.weight.uniform_(0.5, 2)
            block.bn.bias.uniform_(-1, 1)
    return model.eval()


def test_the_network_says_the_same_before_and_while_it_learns_on(trained, tmp_path):
    exported(trained, tmp_path / "net.onnx")
    pictures = torch.rand(8, 3, 16, 16) * 3
    again = network()
    warmed(again, tmp_path / "net.onnx", [pictures])
    with torch.no_grad():
        wanted = trained(pictures)
        torch.testing.assert_close(again.eval()(pictures), wanted, atol=1e-4, rtol=1e-3)
        torch.testing.assert_close(again.train()(pictures), wanted, atol=1e-3, rtol=1e-2)


def test_another_network_s_weights_are_refused(trained, tmp_path):
    exported(trained, tmp_path / "net.onnx")
    other = torch.nn.Sequential(Block(3, 9), Block(9, 6), torch.nn.Conv2d(6, 2, 1))
    with pytest.raises(ValueError, match="no 0.conv of shape"):
        warmed(other, tmp_path / "net.onnx", [torch.rand(2, 3, 16, 16)])


def test_a_half_precision_export_is_read_too(trained, tmp_path):
    exported(trained, tmp_path / "net.onnx")
    model = onnx.load(str(tmp_path / "net.onnx"))
    for each in list(model.graph.initializer):
        array = onnx.numpy_helper.to_array(each).astype(np.float16)
        model.graph.initializer.remove(each)
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, f"{each.name}_half"))
        model.graph.node.append(
            onnx.helper.make_node("Cast", [f"{each.name}_half"], [each.name], to=onnx.TensorProto.FLOAT)
        )
    onnx.save(model, str(tmp_path / "half.onnx"))
    pictures = torch.rand(8, 3, 16, 16)
    again = network()
    warmed(again, tmp_path / "half.onnx", [pictures])
    with torch.no_grad():
        torch.testing.assert_close(again.eval()(pictures), trained(pictures), atol=2e-2, rtol=2e-2)


def small():
    """Layers that the exported file does not name."""
    last = [torch.nn.Conv2d(6, 2, 1), torch.nn.Flatten(), torch.nn.Linear(32, 3)]
    return torch.nn.Sequential(*conv(3, 8, 2), *conv(8, 6, 2), *last)


def test_a_network_of_unnamed_layers_says_the_same_before_and_while_it_learns_on(tmp_path):
    torch.manual_seed(4)
    trained = small()
    for _ in range(5):
        trained(torch.rand(4, 3, 16, 16) * 3)
    export(trained.eval(), (3, 16, 16), tmp_path / "small.onnx", ("pictures", "answers"))
    pictures, again = torch.rand(8, 3, 16, 16) * 3, small()
    warmed_in_turn(again, tmp_path / "small.onnx", [pictures])
    with torch.no_grad():
        wanted = trained(pictures)
        torch.testing.assert_close(again.eval()(pictures), wanted, atol=1e-4, rtol=1e-3)
        torch.testing.assert_close(again.train()(pictures), wanted, atol=1e-3, rtol=1e-2)


def test_unnamed_layers_of_another_network_are_refused(tmp_path):
    export(small().eval(), (3, 16, 16), tmp_path / "small.onnx", ("pictures", "answers"))
    other = torch.nn.Sequential(*conv(3, 9, 2), *conv(9, 6, 2))
    with pytest.raises(ValueError, match="no layer of shape"):
        warmed_in_turn(other, tmp_path / "small.onnx", [torch.rand(2, 3, 16, 16)])
