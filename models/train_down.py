"""
Trains the branch of `pips` that says whether a card lies face down, and grafts it onto that network.

    python datasets/render_art.py --out datasets/out/art
    python models/train_down.py models/pips/down.toml
    python models/train_down.py models/pips/down.toml epochs=4 art=
"""

from __future__ import annotations

from scorekeeper.training.branch import Recipe
from scorekeeper.training.down import train
from scorekeeper.training.recipes import run

if __name__ == "__main__":
    run(__doc__, Recipe, train)
