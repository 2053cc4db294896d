"""
Trains the networks that say what each pixel of a spread shows, and fits what the terms of a scene count.

    python models/train_evidence.py models/evidence/recipe.toml
    python models/train_evidence.py models/evidence/recipe.toml tables=20 out=models/out/evidence
    python models/train_evidence.py models/evidence/recipe.toml --fit

With `--fit` nothing is trained: the weights for `Terms` in scorekeeper/vision/backs/scene.py are printed, fitted with
the committed networks on other tables.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from scorekeeper.training.evidence import Recipe, fitted_terms, train
from scorekeeper.training.recipes import read_recipe

TERMS = ("card", "sure", "joint", "size", "nobodys", "over_ground", "over_cards", "overlap")
FIT_SEED = 700_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("overrides", nargs="*", metavar="knob=value")
    parser.add_argument("--fit", action="store_true", help="train nothing; fit the terms")
    options = parser.parse_args()
    recipe = read_recipe(Recipe, options.recipe, options.overrides)
    if not options.fit:
        train(recipe)
        return
    for name, weight in zip(TERMS, fitted_terms(range(FIT_SEED, FIT_SEED + recipe.tables)), strict=True):
        print(f"{name} {weight:.2f}")


if __name__ == "__main__":
    main()
