"""Collects every marked message of the sources and brings the translations up to date.

python -m web.messages       every language
python -m web.messages nl    and one more, empty at first
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po, write_po

from scorekeeper.rules.presets import PRESETS
from web.language import LANGUAGES, SOURCES, SPOKEN

ROOT = Path(__file__).parent.parent
PLACES = {
    "web": [("templates/**.html", "jinja2"), ("**.py", "python")],
    "scorekeeper": [("sidefiles.py", "python"), ("scorebook.py", "python"), ("backup.py", "python")],
    "scorekeeper/guide": [("**.py", "python")],
    "scorekeeper/rules": [("**.py", "python")],
    "scorekeeper/store": [("**.py", "python")],
    "scorekeeper/vision": [("**.py", "python")],
    "scorekeeper/watch": [("**.py", "python")],
}
"""Where messages are, and how each kind of file is read."""
KEYWORDS = {**DEFAULT_KEYWORDS, "mark": None, "say": None, "say_count": (1, 2)}
"""Calls whose texts are messages."""


def collected() -> Catalog:
    """Every message of the sources."""
    catalog = Catalog(project="Nertz Scorekeeper", fuzzy=False)
    options = {"**.html": {"silent": "false"}}
    for folder, methods in PLACES.items():
        found = extract_from_dir(ROOT / folder, methods, options, KEYWORDS, strip_comment_tags=True)
        for name, _, message, comments, _ in found:
            catalog.add(message, locations=[(f"{folder}/{name}", 0)], auto_comments=comments)
    for preset in PRESETS.values():
        catalog.add(preset.title, locations=[("scorekeeper/rules/presets.py", 0)])
        catalog.add(preset.text, locations=[("scorekeeper/rules/presets.py", 0)])
    return catalog


def translations(language: str) -> Catalog:
    """The messages of *language* as they are kept; none before the first update."""
    path = SOURCES / f"{language}.po"
    if not path.exists():
        return Catalog(locale=language, fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def updated(language: str) -> bytes:
    """The file of *language* with every message of the sources, and none that is gone."""
    catalog = translations(language)
    catalog.update(collected(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    file = io.BytesIO()
    write_po(file, catalog, sort_output=True, omit_header=True, include_lineno=False, ignore_obsolete=True, width=120)
    return file.getvalue()


def update(languages: Iterable[str]) -> None:
    """Writes the files of the *languages*."""
    for language in languages:
        (SOURCES / f"{language}.po").write_bytes(updated(language))


if __name__ == "__main__":
    update({*LANGUAGES, *sys.argv[1:]} - {SPOKEN})
