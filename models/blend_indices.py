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

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from scorekeeper.training.index_net import IndexNet, calibrate, export, judge, start_from, with_v
from scorekeeper.training.indices import read_crops_of


def blend(before: Path, after: Path, keep: float, out: Path) -> None:
    """Writes the network whose weights are *keep* of *before*'s and the rest of *after*'s."""
    old = {each.name: numpy_helper.to_array(each) for each in onnx.load(str(before)).graph.initializer}
    model = onnx.load(str(after))
    for each in model.graph.initializer:
        new = numpy_helper.to_array(each)
        if each.name not in old:  # the earlier network moved no box
            continue
        mine = torch.from_numpy(old[each.name].copy())
        kept = mine.numpy() if mine.shape == new.shape else with_v(mine).numpy()
        each.CopyFrom(numpy_helper.from_array((keep * kept + (1 - keep) * new).astype(np.float32), each.name))
    onnx.save(model, str(out))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--keep", type=float, default=0.25)
    parser.add_argument("--held", type=Path, nargs="+", required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    blend(options.before, options.after, options.keep, options.out)
    held = read_crops_of(options.held)
    net = IndexNet()
    start_from(net, options.out, held.images[:1000])
    heat = calibrate(net, held)
    export(net, options.out, heat)
    print(json.dumps({**judge(net, held), "temperatures": [heat.rank, heat.suit, heat.is_index]}))


if __name__ == "__main__":
    main()
