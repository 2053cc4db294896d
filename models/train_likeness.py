"""
Trains the network that says whether a card seen and a back enrolled are one design, and fits how far it is believed.

    python models/train_likeness.py models/likeness/recipe.toml
    python models/train_likeness.py models/likeness/recipe.toml epochs=4 out=models/out/likeness
    python models/train_likeness.py models/likeness/recipe.toml --fit models/likeness/likeness.onnx
    python models/train_likeness.py models/likeness/recipe.toml --average A.onnx B.onnx

Prints the weights for BackSettings in scorekeeper/vision/backs.py, fitted on spreads of decks never trained on.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from scorekeeper.training.likeness import average, features_of, train
from scorekeeper.training.logistic import fitted
from scorekeeper.training.recipes import read_recipe
from scorekeeper.training.small_net import Recipe

NAMES = ("chance", "by_likeness", "by_distance", "by_view")
FIT_SEEDS = range(300_000, 300_060)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("overrides", nargs="*", metavar="knob=value")
    parser.add_argument("--fit", type=Path, help="train nothing; fit the weights to this network")
    parser.add_argument("--average", type=Path, nargs="+", help="train nothing; one network of the mean of these")
    options = parser.parse_args()
    recipe = read_recipe(Recipe, options.recipe, options.overrides)
    trained = Path(recipe.out) / "likeness.onnx"
    if options.average:
        trained.parent.mkdir(parents=True, exist_ok=True)
        average(options.average, trained)
    elif options.fit is None:
        train(recipe)
    features, right = features_of(FIT_SEEDS, options.fit or trained)
    for name, weight in zip(NAMES, fitted(features, right.astype(float)), strict=True):
        print(f"{name} {weight:.2f}")


if __name__ == "__main__":
    main()
