"""Recipes: the knobs of a training run as a value, read from TOML and overridden on the command line."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

R = TypeVar("R")


def read_recipe(kind: type[R], path: Path, overrides: list[str]) -> R:
    """The recipe in the file *path*, with ``key=value`` *overrides*; AttributeError names a knob it lacks."""
    recipe = kind(**tomllib.loads(path.read_text("utf-8")))
    for pair in overrides:
        key, _, text = pair.partition("=")
        recipe = replace(recipe, **{key: _like(getattr(recipe, key), text)})  # type: ignore[type-var]
    return recipe


def run(usage: str | None, kind: type[R], train: Callable[[R], None]) -> None:
    """Trains by the recipe and the overrides that the command line names; ends with *usage* where it names none."""
    if len(sys.argv) < 2:
        raise SystemExit(usage)
    train(read_recipe(kind, Path(sys.argv[1]), sys.argv[2:]))


def _like(known: object, text: str) -> object:
    """*text* as a value of the kind *known* is; a list is written with commas."""
    match known:
        case bool():
            return text.lower() in ("1", "true", "yes")
        case list():
            return text.split(",")
        case int() | float() | str():
            return type(known)(text)
        case _:
            raise ValueError(f"a knob can't be a {type(known).__name__}")
