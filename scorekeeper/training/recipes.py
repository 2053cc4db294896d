"""Recipes: the knobs of a training run as a value, read from TOML and overridden on the command line."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

R = TypeVar("R")


def read_recipe(kind: type[R], path: Path, overrides: list[str]) -> R:
    """The recipe in the file *path*, with ``key=value`` *overrides*; raises KeyError for a key it does not have."""
    recipe = kind(**tomllib.loads(path.read_text("utf-8")))
    for pair in overrides:
        key, _, text = pair.partition("=")
        known = getattr(recipe, key)
        value = text.lower() in ("1", "true", "yes") if isinstance(known, bool) else type(known)(text)
        recipe = replace(recipe, **{key: value})  # type: ignore[type-var]
    return recipe
