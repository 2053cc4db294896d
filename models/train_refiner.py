"""
Trains the network that moves outlines onto the cards they are meant for.

    python datasets/make_scenes.py --art ART --out datasets/out/backs --shards 40 --backs
    python models/train_refiner.py models/refiner/recipe.toml
    python models/train_refiner.py models/refiner/recipe.toml minutes=5 data=datasets/out/backs
"""

from __future__ import annotations

import sys
from pathlib import Path

from scorekeeper.training.recipes import read_recipe
from scorekeeper.training.refine import Recipe, train

if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    train(read_recipe(Recipe, Path(sys.argv[1]), sys.argv[2:]))
