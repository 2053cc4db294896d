"""
Trains the network that moves outlines onto the cards they are meant for.

    python datasets/make_scenes.py --art ART --out datasets/out/backs --shards 40 --backs
    python models/train_refiner.py models/refiner/recipe.toml
    python models/train_refiner.py models/refiner/recipe.toml minutes=5 data=datasets/out/backs
"""

from __future__ import annotations

from scorekeeper.training.recipes import run
from scorekeeper.training.refine import Recipe, train

if __name__ == "__main__":
    run(__doc__, Recipe, train)
