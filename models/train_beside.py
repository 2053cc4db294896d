"""
Trains the network that reads a card by one of its indices and by what shows of the card beside it.

    python datasets/render_art.py --out datasets/out/art
    python models/train_beside.py models/beside/recipe.toml
    python models/train_beside.py models/beside/recipe.toml epochs=3 art=
"""

from __future__ import annotations

from scorekeeper.training.beside import train
from scorekeeper.training.recipes import run
from scorekeeper.training.small_net import Recipe

if __name__ == "__main__":
    run(__doc__, Recipe, train)
