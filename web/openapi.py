"""An OpenAPI description of every route, read off the code, for tests that ask everything of it.

Addresses, methods and roles come from the application; the fields of a form from the names that the sources ask for.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from scorekeeper import __version__
from web import guard

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.routing import Rule

KINDS = {"form": "form", "args": "query", "files": "files"}
"""What a source asks of a request, and what is asked there."""
ANSWERS = {
    "200": "the page", "204": "nothing new", "303": "done, see there", "400": "not understood",
    "403": "not allowed", "404": "not found", "405": "not in this way", "409": "somebody was first",
    "413": "too large", "415": "not this kind", "421": "not this server", "422": "the rules forbid it",
    "429": "too many tries", "503": "can't be done now",
}  # fmt: skip
"""Every status that a route may answer with."""


def describe(app: Flask) -> dict[str, Any]:
    """The description as OpenAPI 3.1."""
    paths: dict[str, dict[str, Any]] = {}
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        for method in sorted((rule.methods or set()) & {"GET", "POST"}):
            paths.setdefault(path, {})[method.lower()] = _operation(app, rule, method)
    return {"openapi": "3.1.0", "info": {"title": "Nertz Scorekeeper", "version": __version__}, "paths": paths}


def _operation(app: Flask, rule: Rule, method: str) -> dict[str, Any]:
    """One route in one method."""
    view = app.view_functions[rule.endpoint]
    source = inspect.getmodule(inspect.unwrap(view))
    asked = _asked(source) if source is not None and source.__name__.startswith("web.") else {}
    numbers = {name for name, converter in rule._converters.items() if converter.regex == r"\d+"}
    operation: dict[str, Any] = {
        "operationId": f"{rule.endpoint}.{method.lower()}",
        "summary": (inspect.getdoc(view) or rule.endpoint).partition("\n")[0],
        "tags": [guard.role_of(app, rule.endpoint)],
        "parameters": [
            *(_parameter(name, "path", "integer" if name in numbers else "string") for name in sorted(rule.arguments)),
            *(_parameter(name, "query", "string") for name in sorted(asked.get("query", ()))),
        ],
        "responses": {status: {"description": text} for status, text in ANSWERS.items()},
    }
    if method == "POST":
        operation["requestBody"] = _body(asked)
    return operation


def _parameter(name: str, place: str, kind: str) -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": {"type": kind}}


def _body(asked: dict[str, set[str]]) -> dict[str, Any]:
    """A form of texts; where pictures or files are asked for it travels in parts."""
    files = asked.get("files", set())
    texts = {name: {"type": "string"} for name in sorted(asked.get("form", set()))}
    fields = {**texts, **{name: {"type": "string", "format": "binary"} for name in sorted(files)}}
    kind = "multipart/form-data" if files else "application/x-www-form-urlencoded"
    return {"content": {kind: {"schema": {"type": "object", "properties": fields}}}}


def _asked(source: ModuleType) -> dict[str, set[str]]:
    """What the sources of a page ask of a request, its helpers among the pages too."""
    names: dict[str, set[str]] = {}
    helpers = {
        module.__name__
        for value in vars(source).values()
        if (module := inspect.getmodule(value)) is not None and module.__name__.startswith("web.")
    }
    for file in {source.__name__, *helpers}:
        for kind, name in _names(file):
            names.setdefault(kind, set()).add(name)
    return names


@cache
def _names(module: str) -> tuple[tuple[str, str], ...]:
    """What one source asks for, such as ``("form", "version")``; ``lake.amy`` stands for ``lake.`` of any side."""
    file = sys.modules[module].__file__
    tree = ast.parse(Path(file).read_text("utf-8")) if file else ast.Module([], [])
    return tuple(found for node in ast.walk(tree) for found in _named(node))


def _named(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        where = node.func.value
        if isinstance(where, ast.Attribute) and where.attr in KINDS and (name := _text(node.args[0])):
            yield KINDS[where.attr], name
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "uploaded" and node.args:
        yield "files", _text(node.args[0]) or "picture"


def _text(node: ast.expr) -> str:
    """A name as it is written; ``amy`` for what is filled in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "amy" for part in node.values)
    return ""
