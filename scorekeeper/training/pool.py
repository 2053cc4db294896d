"""Pictures of many shards kept on the device that trains, and batches drawn from all of them at once."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor

from scorekeeper.training.labels import Shard

MOST_BOXES = 192
"""Pictures with more labels are left out."""


def turned(images: Tensor, rows: Tensor, quarters: Tensor) -> tuple[Tensor, Tensor]:
    """Square *images* (n, side, side, 3) and their labels (n, k, 6) after as many *quarters* (n,) of a turn each.

    Anticlockwise; never mirrored.
    """
    side, images, rows = images.shape[1], images.clone(), rows.clone()
    for quarter in range(1, 4):
        chosen = quarters == quarter
        images[chosen] = torch.rot90(images[chosen], quarter, (1, 2))
        x, y = rows[chosen, :, 1], rows[chosen, :, 2]
        for _ in range(quarter):
            x, y = y, side - x
        rows[chosen, :, 1], rows[chosen, :, 2] = x, y
    angle = rows[..., 5] - quarters[:, None] * (math.pi / 2)
    rows[..., 5] = (angle + math.pi / 4) % math.pi - math.pi / 4
    return images, rows


def recoloured(images: Tensor) -> Tensor:
    """*images* (n, h, w, 3), 0 to 1; every second one in another exposure and white balance."""
    gains = torch.randn(len(images), 1, 1, 3, device=images.device) * 0.08
    gains = gains + torch.randn(len(images), 1, 1, 1, device=images.device) * 0.12
    changed = torch.rand(len(images), 1, 1, 1, device=images.device) < 0.5
    return (images * torch.where(changed, gains, 0).exp()).clamp(0, 1)


class Pool:
    """The newest *most* pictures of those taken in, on *device*."""

    def __init__(self, most: int, device: str) -> None:
        self._most, self._device = most, device
        self._images = torch.empty(0)
        self._rows = torch.empty(0)
        self._counts = torch.empty(0)
        self._next = 0
        self.taken = 0
        """Pictures taken in so far."""

    def __len__(self) -> int:
        return min(self.taken, self._most)

    def take(self, shard: Shard) -> None:
        """Keeps the pictures of *shard*, in place of the oldest."""
        kept = [k for k, rows in enumerate(shard.boxes) if len(rows) <= MOST_BOXES][: self._most]
        if not self.taken:
            shape = (self._most, *shard.images.shape[1:])
            self._images = torch.empty(shape, dtype=torch.uint8, device=self._device)
            self._rows = torch.zeros((self._most, MOST_BOXES, 6), device=self._device)
            self._counts = torch.zeros(self._most, dtype=torch.long, device=self._device)
        rows = np.zeros((len(kept), MOST_BOXES, 6), np.float32)
        for n, k in enumerate(kept):
            rows[n, : len(shard.boxes[k])] = shard.boxes[k]
        places = (self._next + torch.arange(len(kept))) % self._most
        places = places.to(self._device)
        self._images[places] = torch.from_numpy(shard.images[kept]).to(self._device)
        self._rows[places] = torch.from_numpy(rows).to(self._device)
        self._counts[places] = torch.tensor([len(shard.boxes[k]) for k in kept], device=self._device)
        self._next = (self._next + len(kept)) % self._most
        self.taken += len(kept)

    def batch(self, size: int) -> dict[str, Tensor]:
        """*size* pictures drawn at random, augmented, in the form that the loss of ultralytics wants."""
        return self._fed(torch.randint(len(self), (size,), device=self._device), augmented=True)

    def batches(self, size: int) -> list[dict[str, Tensor]]:
        """All pictures as they are, *size* a batch."""
        return [self._fed(places, augmented=False) for places in torch.arange(len(self)).split(size)]

    def _fed(self, places: Tensor, *, augmented: bool) -> dict[str, Tensor]:
        places = places.to(self._device)
        images, rows, counts = self._images[places], self._rows[places], self._counts[places]
        if augmented:
            images, rows = turned(images, rows, torch.randint(4, (len(images),), device=self._device))
        pixels = images.float() / 255
        if augmented:
            pixels = recoloured(pixels)
        owner, number = (torch.arange(MOST_BOXES, device=self._device) < counts[:, None]).nonzero(as_tuple=True)
        shown = rows[owner, number]
        shown[:, 1:5] /= images.shape[1]
        return {
            "img": pixels.flip(3).permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last),
            "cls": shown[:, :1],
            "bboxes": shown[:, 1:],
            "batch_idx": owner.float(),
        }
