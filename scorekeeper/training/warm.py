"""Training goes on from an exported network: its ONNX weights put back into a network that can learn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn


def warmed(model: nn.Module, path: Path, examples: Iterable[torch.Tensor]) -> None:
    """Gives *model* the weights of the network in *path*, exported from one like it; it then says the same.

    Exporting melts every normalisation into the convolution before it. *examples*, a few batches (n, 3, h, w) of
    pictures as in training, tell what the normalisations' means and spreads were, so that they go on from there.
    Raises ValueError when the networks differ.
    """
    weights = _weights(_graph(path))
    blocks = [block for block in model.modules() if isinstance(getattr(block, "bn", None), nn.BatchNorm2d)]
    owned = {id(block.conv): block.bn for block in blocks}
    with torch.no_grad():
        for name, conv in model.named_modules():
            if isinstance(conv, nn.Conv2d):
                _fill(name, conv, owned.get(id(conv)), weights)
        _settle(model, [(block.conv, block.bn) for block in blocks], examples)


def warmed_in_turn(model: nn.Module, path: Path, examples: Sequence[torch.Tensor]) -> None:
    """The same for a network whose layers the file does not name: convolutions, each with its normalisation after it in
    an ``nn.Sequential`` or without one, and fully connected layers, those of one shape in the order in which they work.

    *examples*, one batch at least, are as ``warmed`` takes them. Raises ValueError when the networks differ.
    """
    graph = _graph(path)
    weights = _weights(graph)
    stored = [[weights[name] for name in node.input[1:]] for node in graph.node if node.op_type in ("Conv", "Gemm")]
    layers, owned = _in_turn(model, examples[0]), dict[int, nn.BatchNorm2d]()
    for block in (block for block in model.modules() if isinstance(block, nn.Sequential)):
        owned |= {id(a): b for a, b in pairwise(block) if isinstance(b, nn.BatchNorm2d)}
    with torch.no_grad():
        for layer in layers:
            alike = (n for n, (weight, _) in enumerate(stored) if weight.shape == layer.weight.shape)
            if (first := next(alike, None)) is None:
                raise ValueError(f"the network in {path} has no layer of shape {tuple(layer.weight.shape)} left")
            weight, bias = stored.pop(first)
            layer.weight.copy_(weight)
            if id(layer) in owned:
                _only_adds(owned[id(layer)], bias)
            else:
                layer.bias.copy_(bias)
        _settle(model, [(layer, owned[id(layer)]) for layer in layers if id(layer) in owned], examples)


def _in_turn(model: nn.Module, example: torch.Tensor) -> list[Any]:
    """The convolutions and fully connected layers of *model* in the order in which they work."""
    worked: list[Any] = []
    layers = [layer for layer in model.modules() if isinstance(layer, nn.Conv2d | nn.Linear)]
    hooks = [layer.register_forward_pre_hook(lambda layer, _: worked.append(layer)) for layer in layers]
    with torch.no_grad():
        model(example)
    for hook in hooks:
        hook.remove()
    return worked


def _graph(path: Path) -> Any:
    import onnx

    return onnx.load(str(path)).graph


def _weights(graph: Any) -> dict[str, torch.Tensor]:
    from scorekeeper.training.quantised import weights_of

    return {name: torch.from_numpy(array.astype(np.float32)) for name, array in weights_of(graph).items()}


def _fill(name: str, conv: nn.Conv2d, norm: nn.BatchNorm2d | None, weights: dict[str, torch.Tensor]) -> None:
    """One convolution; its normalisation, where it has one, only adds the exported bias for now."""
    weight, bias = weights.get(f"{name}.weight"), weights.get(f"{name}.bias")
    if weight is None or weight.shape != conv.weight.shape or (bias is None and (norm or conv.bias) is not None):
        raise ValueError(f"the exported network has no {name} of shape {tuple(conv.weight.shape)}")
    conv.weight.copy_(weight)
    if norm is None:
        if conv.bias is not None and bias is not None:
            conv.bias.copy_(bias)
        return
    assert bias is not None
    _only_adds(norm, bias)


def _only_adds(norm: nn.BatchNorm2d, bias: torch.Tensor) -> None:
    """Makes *norm* add *bias* and do nothing else."""
    assert norm.running_mean is not None
    assert norm.running_var is not None
    norm.running_mean.zero_()
    norm.running_var.fill_(1 - norm.eps)
    norm.weight.fill_(1)
    norm.bias.copy_(bias)


def _settle(model: nn.Module, pairs: list[tuple[nn.Conv2d, Any]], examples: Iterable[torch.Tensor]) -> None:
    """Measures what goes into each normalisation and makes it undo itself, so that live statistics change nothing."""
    sums: dict[int, list[Any]] = {id(norm): [0.0, 0.0, 0] for _, norm in pairs}

    def listen(norm: nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
        seen = sums[id(norm)]
        values = inputs[0].float()
        seen[0] = seen[0] + values.mean((0, 2, 3))
        seen[1] = seen[1] + values.square().mean((0, 2, 3))
        seen[2] += 1

    hooks = [norm.register_forward_pre_hook(listen) for _, norm in pairs]
    was = model.training
    model.eval()
    for batch in examples:
        model(batch)
    model.train(was)
    for hook in hooks:
        hook.remove()
    for _, norm in pairs:
        total, squares, count = sums[id(norm)]
        mean, var = total / count, (squares / count - (total / count) ** 2).clamp_min(1e-6)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(var)
        norm.weight.copy_((var + norm.eps).sqrt())
        norm.bias.add_(mean)
