"""
Blends two networks that went on from one: the mean of their weights errs less than either.

    python models/blend.py first.onnx second.onnx blended.onnx --keep 0.5

Both as they were exported, before `quantise.py`; KEEP is the first one's share.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import onnx

from scorekeeper.training.small_net import blended


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--keep", type=float, default=0.5)
    options = parser.parse_args()
    onnx.save(blended(options.first, options.second, options.keep), str(options.out))


if __name__ == "__main__":
    main()
