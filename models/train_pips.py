"""
Trains the network that reads whole faces by their pips and pictures.

    python datasets/render_art.py --out datasets/out/art
    python models/train_pips.py models/pips/recipe.toml
    python models/train_pips.py models/pips/recipe.toml epochs=4 art=
"""

from __future__ import annotations

from scorekeeper.training.pips import train
from scorekeeper.training.recipes import run
from scorekeeper.training.small_net import Recipe

if __name__ == "__main__":
    run(__doc__, Recipe, train)
