"""
Exports a checkpoint's averaged weights, or the mean of several, to ONNX: computed in eight bits where a folder of
shards, which tells the ranges of its numbers, is given; else stored in half precision and computed in full.

    python models/export_detector.py last.pt models/detector/detector.onnx --ranges datasets/out/scenes
    python models/export_detector.py best.pt last.pt float.onnx
"""

from __future__ import annotations

import argparse
from pathlib import Path

from scorekeeper.training.export import export_detector

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", nargs="+", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--ranges", type=Path, help="folder of shards, as the network was trained on")
    options = parser.parse_args()
    export_detector(options.checkpoints, options.target, options.ranges)
