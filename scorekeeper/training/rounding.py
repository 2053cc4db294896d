"""Convolutions that learn with the rounding that eight bits will bring (quantisation-aware training)."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

STEPS, HALF = 255, 63
"""Steps of what goes into a convolution, and of a weight on either side of nought (seven bits, as in ``quantised``)."""
PACE = 0.02
"""How fast the ranges follow what goes in."""


class _Straight(torch.autograd.Function):
    """Rounds; what is learned passes through, where nothing was cut off."""

    @staticmethod
    def forward(ctx: Any, values: Tensor, step: Tensor, low: Tensor, high: Tensor) -> Tensor:
        ctx.save_for_backward((values >= low) & (values <= high))
        return ((torch.minimum(torch.maximum(values, low), high) - low) / step).round() * step + low

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None, None]:
        (inside,) = ctx.saved_tensors
        return gradients[0] * inside, None, None, None


class Rounded:
    """Makes *conv* round what it is given and its weights, as they will be rounded when it is exported."""

    def __init__(self, conv: nn.Conv2d) -> None:
        self._conv = conv
        self._low: Tensor | None = None
        self._high: Tensor | None = None
        conv._conv_forward = self

    def __call__(self, values: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        """The convolution of rounded *values* with the rounded *weight*."""
        least, most = values.detach().float().aminmax()
        least, most = least.clamp(max=0), most.clamp(min=1e-3)
        if self._low is None or self._high is None:
            self._low, self._high = least, most
        elif self._conv.training:
            self._low, self._high = self._low.lerp(least, PACE), self._high.lerp(most, PACE)
        low, high = self._low, self._high
        step = (high - low) / STEPS
        low = (low / step).round() * step
        given = _Straight.apply(values, step.to(values.dtype), low.to(values.dtype), high.to(values.dtype))
        reach = weight.detach().abs().amax((1, 2, 3), keepdim=True).clamp_min(1e-8)
        rounded = _Straight.apply(weight, reach / HALF, -reach, reach)
        return nn.Conv2d._conv_forward(self._conv, given, rounded, bias)


def rounding(model: nn.Module) -> None:
    """From now on *model* learns as in eight bits, but for its attention and the layers that answer."""
    for name, block in model.named_modules():
        if isinstance(getattr(block, "bn", None), nn.BatchNorm2d) and "attn" not in name:
            assert isinstance(block.conv, nn.Conv2d)
            Rounded(block.conv)
