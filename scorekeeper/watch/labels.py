"""Labelled pictures: what each shows in truth, read from the formats this project has.

Three kinds of folder are understood, together or alone: ``labels.jsonl`` (a reading a line, see ``label_row``), tables
(``truth.json`` with "shots"), and sample hands (``truth.json`` with "piles").
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from scorekeeper.errors import SettingsError
from scorekeeper.rules.lake import Box, DeckId
from scorekeeper.rules.scoring import side_id
from scorekeeper.texts import decode_text


class Task(Enum):
    """Which reading a picture is for."""

    FAN = "fan"
    LAKE = "lake"
    SPREAD = "spread"


@dataclass(frozen=True, slots=True)
class Labelled:
    """Pictures that are read together, and what they show."""

    name: str
    task: Task
    kind: str
    """Such as faces, mixed, lake, spread."""
    source: str
    pictures: tuple[Path, ...]
    truth: Mapping[str, int]
    """How often each card code, pile top or deck is there; a dead pile is "dead"."""
    complete: bool = True
    """False where something could not be labelled: then only what is missed counts."""
    nameless: int = 0
    """Cards that are there and could not be labelled; a reading may name them freely."""
    enrol: Mapping[DeckId, tuple[Path, ...]] = field(default_factory=dict)
    """Pictures of each deck's back."""
    signatures: Mapping[DeckId, tuple[str, ...]] = field(default_factory=dict)
    """The decks as they were enrolled, where their pictures are not there."""


DEAD = "dead"
"""What the labels call a finished pile."""


@dataclass(frozen=True, slots=True)
class LabelledCard:
    """One card of a label, or one pile of the Lake."""

    what: str | None
    """Its code, its deck, or DEAD; None where nobody can tell."""
    box: Box | None
    """Its outline in pixels of its picture; None where nobody said where it lies."""
    picture: int = 0
    """Which picture of the reading, counted from 0."""
    by_hand: bool = False
    """Whether a person put it there: then the box is about where the card lies, no outline."""


def label_row(
    task: Task,
    files: Sequence[str],
    cards: Sequence[LabelledCard],
    *,
    kind: str,
    source: str,
    signatures: Mapping[DeckId, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """A line of ``labels.jsonl`` but for its use; ``read_labels`` reads it again."""
    decks = {str(deck): list(texts) for deck, texts in (signatures or {}).items()}
    row = {"file": files[0], "files": list(files), "task": task.value, "kind": kind, "source": source}
    return {**row, "complete": True, "cards": [_card_row(task, card) for card in cards], "decks": decks}


def _card_row(task: Task, card: LabelledCard) -> dict[str, Any]:
    back = task is Task.SPREAD or card.what == DEAD
    return {
        "code": None if back else card.what,
        "side": "back" if back else "face",
        "deck": card.what if task is Task.SPREAD else None,
        "box": card.box,
        "picture": card.picture,
        "by_hand": card.by_hand,
    }


def read_labels(folder: Path, use: str = "measure") -> list[Labelled]:
    """Everything labelled in *folder*; *use* is measure, train or all. Raises SettingsError where there is nothing."""
    found: list[Labelled] = []
    if (folder / "labels.jsonl").is_file():
        found += _of_lines(folder, use)
    if use != "train":
        for truth in sorted(folder.rglob("truth.json")):
            found += _of_truth(truth, folder)
    if not found:
        raise SettingsError(f"{str(folder)!r} has no labels.jsonl or truth.json with pictures to {use}: name another")
    return found


def _of_lines(folder: Path, use: str) -> Iterator[Labelled]:
    path = folder / "labels.jsonl"
    for number, line in enumerate(decode_text(path.read_bytes()).splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if use in ("all", row["use"]):
                yield _of_row(row, folder)
        except (ValueError, KeyError, TypeError) as error:
            raise SettingsError(f"line {number} of {str(path)!r} is no label: {error!r}") from error


def _of_row(row: dict[str, Any], folder: Path) -> Labelled:
    task = Task(row.get("task", Task.FAN.value))
    names = [name for card in row["cards"] for name in _names(task, card)]
    return Labelled(
        name=row["file"],
        task=task,
        kind=row["kind"],
        source=row.get("source") or "unnamed",
        pictures=tuple(folder / file for file in row.get("files", [row["file"]])),
        truth=Counter(name for name in names if name is not None),
        complete=row.get("complete", True),
        nameless=names.count(None),
        signatures={DeckId(deck): tuple(texts) for deck, texts in row.get("decks", {}).items()},
    )


def _names(task: Task, card: dict[str, Any]) -> Iterator[str | None]:
    """What this card is called in a reading of that kind; nothing where it does not count."""
    if task is Task.SPREAD:
        yield card["deck"]
    elif card["side"] == "face":
        yield card["code"]
    elif task is Task.LAKE:
        yield DEAD


def _of_truth(path: Path, folder: Path) -> Iterator[Labelled]:
    try:
        truth = json.loads(decode_text(path.read_bytes()))
        name = path.parent.relative_to(folder).as_posix()
        yield from _of_table(truth, path.parent, name) if "shots" in truth else _of_sample(truth, path.parent, name)
    except (ValueError, KeyError, TypeError) as error:
        raise SettingsError(f"{str(path)!r} is no truth of a table: {error!r}") from error


def _of_table(truth: dict[str, Any], folder: Path, name: str) -> Iterator[Labelled]:
    enrol = {DeckId(deck): tuple(sorted(folder.glob(f"enrol-{deck}*.jpg"))) for deck in truth["decks"]}
    for file, shot in truth["shots"].items():
        known = (f"{name}/{file}", (folder / file,))
        match shot["kind"]:
            case "lake-up":
                yield _lake(*known, "tables", shot["piles"])
            case "lake-down":
                yield Labelled(
                    known[0], Task.SPREAD, "table spread", "tables", known[1], Counter(shot["counts"]), enrol=enrol
                )
            case "ribbon" | "fan":
                yield Labelled(known[0], Task.FAN, "table fan", "tables", known[1], Counter(shot["cards"]))


def _of_sample(truth: dict[str, Any], folder: Path, name: str) -> Iterator[Labelled]:
    yield _lake(f"{name}/lake.jpg", (folder / "lake.jpg",), "samples", truth["piles"])
    decks = [side["deck"] for side in truth["sides"]]
    enrol = {DeckId(deck): tuple(sorted(folder.glob(f"enrol-{deck}*.jpg"))) for deck in decks}
    spread = tuple(sorted(folder.glob("spread*.jpg")))
    yield Labelled(
        f"{name}/spread", Task.SPREAD, "sample spread", "samples", spread, Counter(truth["lake"]), enrol=enrol
    )
    for side, codes in truth["fans"].items():
        if not codes:
            continue
        file = f"fan-{side_id(side)}.jpg"
        yield Labelled(f"{name}/{file}", Task.FAN, "sample fan", "samples", (folder / file,), Counter(codes))


def _lake(name: str, pictures: tuple[Path, ...], source: str, piles: list[dict[str, Any]]) -> Labelled:
    tops = Counter(DEAD if pile["dead"] else pile["top"] for pile in piles)
    return Labelled(name, Task.LAKE, f"{source.removesuffix('s')} lake", source, pictures, tops)
