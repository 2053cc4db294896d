"""
Trains the network that says whether a card seen and a back enrolled are one design, and fits how far it is believed.

    python models/train_likeness.py models/likeness/recipe.toml
    python models/train_likeness.py models/likeness/recipe.toml epochs=4 out=models/out/likeness
    python models/train_likeness.py models/likeness/recipe.toml --fit models/likeness/likeness.onnx

Prints the weights for BackSettings in scorekeeper/vision/backs/gallery.py, fitted on spreads of decks never trained on.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from scorekeeper.training.likeness import known_of, spread_of, train
from scorekeeper.training.logistic import fitted
from scorekeeper.training.recipes import read_recipe
from scorekeeper.training.small_net import Recipe
from scorekeeper.vision.backs.likeness import Likeness
from scorekeeper.vision.eye import load_eye

KNOWN = ("features", "right", "leads")
FIT_SEEDS = range(300_000, 300_100)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("overrides", nargs="*", metavar="knob=value")
    parser.add_argument("--fit", type=Path, help="train nothing; fit the weights to this network")
    options = parser.parse_args()
    recipe = read_recipe(Recipe, options.recipe, options.overrides)
    trained = Path(recipe.out) / "likeness.onnx"
    if options.fit is None:
        train(recipe)
    likeness, eye = Likeness(options.fit or trained), load_eye()
    known = [known_of(spread_of(seed, eye, strays=True), likeness) for seed in FIT_SEEDS]
    features, right, leads = (np.concatenate([getattr(each, name) for each in known]) for name in KNOWN)
    chance, by_likeness, by_distance, by_view = fitted(features, right.astype(float))
    (choice,) = fitted(np.concatenate([leads, -leads])[:, None], np.repeat([1.0, 0.0], len(leads)))
    print(f"chance {chance:.2f}, by likeness {by_likeness:.2f}, by distance {-by_distance:.2f}, by view {-by_view:.2f}")
    print(f"choice {choice:.2f}, strangers {1 - right.mean():.2f}")


if __name__ == "__main__":
    main()
