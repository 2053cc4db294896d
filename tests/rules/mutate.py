"""Breaks the rules on purpose, one small change at a time, and lists the changes that no test notices.

    python tests/rules/mutate.py scoring 50     # 50 changes of one module, chosen by a fixed seed
    python tests/rules/mutate.py all 25

Each change runs in a forked process of its own; see docs/mutation.md for what survives, and why.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.util
import os
import signal
import sys
from pathlib import Path
from random import Random

import hypothesis
import pytest

HERE = Path(__file__).resolve().parent
RULES = HERE.parents[1] / "scorekeeper/rules"
PATIENCE_S = 120
TESTS = {
    "cards": "cards", "checks_counts": "checks", "checks_lake": "checks_lake checks", "checks_typed": "checks_typed",
    "clock": "live", "decks": "decks", "ending": "ending game", "fold": "seats game live", "game": "seats game ending",
    "house": "house table", "house_notation": "presets", "lake": "checks_lake checks", "live": "live",
    "notation": "notation", "people": "seats", "played": "seats game live", "points": "scoring words",
    "presets": "presets", "scoring": "scoring notation", "sheet": "sheet", "sides": "scoring table", "solve": "solve",
    "stuck": "stuck", "table": "table checks", "words": "words",
}  # fmt: skip
SWAPS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Mod: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


def places(tree: ast.AST) -> list[tuple[ast.AST, str]]:
    """Every node that can be changed, with what is changed about it; annotations and decorators are left alone."""
    found: list[tuple[ast.AST, str]] = []
    skipped = {id(node) for each in ast.walk(tree) for note in _notes(each) for node in ast.walk(note)}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
            found.append((node, "ops"))
        elif isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in SWAPS:
            found.append((node, "op"))
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            found.append((node, "value"))
        elif isinstance(node, ast.Name) and node.id in NAMES:
            found.append((node, "id"))
        elif isinstance(node, ast.If | ast.IfExp):
            found.append((node, "test"))
    return found


def _notes(node: ast.AST) -> list[ast.AST]:
    """Annotations and decorators."""
    notes = [note for name in ("annotation", "returns") if (note := getattr(node, name, None)) is not None]
    return [*notes, *getattr(node, "decorator_list", ())]


def change(node: ast.AST, what: str) -> None:
    """Changes *node* in place."""
    if what == "ops":
        node.ops[0] = SWAPS[type(node.ops[0])]()
    elif what == "op":
        node.op = SWAPS[type(node.op)]()
    elif what == "value":
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1
    elif what == "id":
        node.id = NAMES[node.id]
    else:
        node.test = ast.UnaryOp(ast.Not(), node.test)


class Broken(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module of the rules from a changed tree."""

    def __init__(self, module: str, tree: ast.Module) -> None:
        self.name, self.tree = f"scorekeeper.rules.{module}", tree

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name == self.name else None

    def exec_module(self, module) -> None:
        exec(compile(ast.fix_missing_locations(self.tree), self.name, "exec"), module.__dict__)


def noticed(module: str, tree: ast.Module) -> bool:
    """Whether a test fails under the changed module; too slow counts as noticed."""
    if child := os.fork():
        return os.waitpid(child, 0)[1] != 0
    signal.alarm(PATIENCE_S)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    sys.meta_path.insert(0, Broken(module, tree))
    hypothesis.settings.register_profile("few", max_examples=20, deadline=None, database=None, derandomize=True)
    files = [str(HERE / f"test_{name}.py") for name in TESTS[module].split()]
    options = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-profile=few"]
    code = 1
    try:
        code = int(pytest.main([*files, *options, "-W", "ignore::pytest.PytestAssertRewriteWarning"]))
    finally:
        os._exit(code)


def survivors(module: str, most: int) -> tuple[int, list[str]]:
    """How many changes were tried, and those that no test noticed."""
    source = (RULES / f"{module}.py").read_text("utf-8")
    if noticed(module, ast.parse(source)):
        raise SystemExit(f"the tests of {module} fail without any change")
    number = len(places(ast.parse(source)))
    chosen = sorted(Random(7).sample(range(number), min(most, number)))
    alive = []
    for at in chosen:
        tree = ast.parse(source)
        node, what = places(tree)[at]
        before = ast.unparse(node)
        change(node, what)
        if not noticed(module, tree):
            alive.append(f"{module}.py:{node.lineno}  {before}  ->  {ast.unparse(node)}")
    return len(chosen), alive


def main(which: str, most: str) -> None:
    for module in TESTS if which == "all" else which.split(","):
        tried, alive = survivors(module, int(most))
        sys.stdout.write(f"{module}: {tried - len(alive)} of {tried} noticed\n")
        sys.stdout.writelines(f"    {line}\n" for line in alive)
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
