"""
Trains the branch of `pips` that says whether a card is a joker, and grafts it onto that network.

    python datasets/render_art.py --out datasets/out/art
    python models/train_joker.py models/pips/joker.toml
    python models/train_joker.py models/pips/joker.toml epochs=4 art=
"""

from __future__ import annotations

from scorekeeper.training.branch import Recipe
from scorekeeper.training.joker import train
from scorekeeper.training.recipes import run

if __name__ == "__main__":
    run(__doc__, Recipe, train)
