"""``scorekeeper export-corrections``: the corrected pictures of a data folder as labels to measure or train with."""

from __future__ import annotations

from pathlib import Path

import click

from scorekeeper.config import load_settings
from scorekeeper.watch.lessons import FOLDER, Lessons


def export(target: Path, use: str, settings: Path | None, data: Path | None) -> None:
    """Writes and says how many; raises SettingsError where it can't."""
    chosen = load_settings(settings, {"data_dir": data})
    count = Lessons(chosen.data_dir / FOLDER).export(target, use)
    click.echo(f"{count} corrected reading{'' if count == 1 else 's'} in {target / 'labels.jsonl'}")
