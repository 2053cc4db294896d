"""The list of pages in the documentation is the list of routes."""

from __future__ import annotations

import re
from pathlib import Path

HOUSE = Path(__file__).resolve().parent.parent.parent


def test_every_route_stands_in_the_documentation(app):
    text = (HOUSE / "docs/pages.md").read_text("utf-8")
    written = set(re.findall(r"^\| `(GET|POST)` \| `([^`]+)` \|", text, re.M))
    known = {
        (method, re.sub(r"<(?:\w+:)?(\w+)>", r"<\1>", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in rule.methods & {"GET", "POST"}
    }
    assert written == known


def test_vendored_files_keep_their_licences():
    vendor = HOUSE / "web/static/vendor"
    names = {path.name for path in vendor.iterdir()}
    assert {"htmx.min.js", "htmx.LICENSE", "htmx-ext-sse.min.js", "htmx-ext-sse.LICENSE"} <= names


def test_the_stylesheet_stays_small():
    assert (HOUSE / "web/static/scorekeeper.css").stat().st_size < 40_000
