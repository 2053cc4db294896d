"""
Computes small networks in eight bits: half the time, a third of the size.

    python datasets/make_tables.py --art ART --out TABLES --tables 8 --seed 40
    python models/quantise.py TABLES models/indices/indices.onnx models/pips/pips.onnx models/refiner/refiner.onnx

The eye reads the tables with the networks as they are; what each is asked meanwhile tells the ranges of its numbers.
The files are written anew in their places. Measure before and after (models/README.md).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx

from scorekeeper.training.quantised import quantise, watched
from scorekeeper.watch.labels import read_labels
from scorekeeper.watch.measure import measure
from scorekeeper.watch.sight import Sight

MOST = 400
"""Inputs of each network that tell its ranges."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", type=Path)
    parser.add_argument("networks", nargs="+", type=Path)
    options = parser.parse_args()
    with watched(MOST) as asked:
        read = list(measure(read_labels(options.tables), Sight()))
    print(f"{len(read)} readings of {options.tables}")
    for network in options.networks:
        name = onnx.load(str(network)).graph.input[0].name
        quantise(network, np.stack(asked[name]), network)


if __name__ == "__main__":
    main()
