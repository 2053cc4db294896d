"""
Trains the branch of `pips` that says whether a card lies face down, and grafts it onto that network.

    python datasets/render_art.py --out datasets/out/art
    python models/train_down.py models/pips/down.toml
    python models/train_down.py models/pips/down.toml epochs=4 art=
"""

from __future__ import annotations

import sys
from pathlib import Path

from scorekeeper.training.down import Recipe, train
from scorekeeper.training.recipes import read_recipe

if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    train(read_recipe(Recipe, Path(sys.argv[1]), sys.argv[2:]))
