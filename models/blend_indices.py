"""
Blends the index reader's weights before and after a training that went on from the former, and sets its temperatures.

    python models/blend_indices.py before.onnx after.onnx models/indices/indices.onnx --keep 0.25 --held HELD.npz ...

A blend reads decks unlike those of the last training better than either network. HELD are crops never trained on: what
train_indices.py leaves in its work folder, and what real_index_crops.py writes with --part 1.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import onnx
import torch

from scorekeeper.training.index_net import IndexNet, calibrate, export, judge, start_from
from scorekeeper.training.indices import read_crops_of
from scorekeeper.training.small_net import blended


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--keep", type=float, default=0.25)
    parser.add_argument("--held", type=Path, nargs="+", required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    onnx.save(blended(options.before, options.after, options.keep), str(options.out))
    held = read_crops_of(options.held)
    net = IndexNet()
    start_from(net, options.out, held.images[:1000])
    heat = calibrate(net, held)
    export(net, options.out, heat)
    print(json.dumps({**judge(net, held), "temperatures": [heat.rank, heat.suit, heat.is_index]}))


if __name__ == "__main__":
    main()
