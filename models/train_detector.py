"""
Trains the detector (YOLO26-obb: face, back, index) on composed tables.

    python datasets/make_scenes.py --art ART --out datasets/out/scenes --shards 40
    python models/train_detector.py models/detector/recipe.toml
    python models/train_detector.py models/detector/recipe.toml hours=0.05 batch=4 device=cpu
    python models/train_detector.py models/detector/recipe.toml resume=true

It reads the folder of shards anew every round, so pictures may still be made while it trains; it writes
OUT/last.pt every round and stops when the hours are over, the learning rate having run down to nothing by then.
"""

from __future__ import annotations

import sys
from pathlib import Path

from scorekeeper.training.detect import Recipe, train
from scorekeeper.training.recipes import read_recipe

if __name__ == "__main__":
    train(read_recipe(Recipe, Path(sys.argv[1]), sys.argv[2:]))
