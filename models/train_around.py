"""
Trains the network that sees what lies round a card: whether it is one of the table, and whether it lies face down.

    python datasets/render_art.py --out datasets/out/art
    python models/train_around.py models/around/recipe.toml photos=PHOTOS/train/edje.jsonl
    python models/train_around.py models/around/recipe.toml epochs=4 art=
"""

from __future__ import annotations

from scorekeeper.training.around import Recipe, train
from scorekeeper.training.recipes import run

if __name__ == "__main__":
    run(__doc__, Recipe, train)
