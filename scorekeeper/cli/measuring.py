"""``scorekeeper measure``: the eye against labelled pictures, printed as a table or as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import click

from scorekeeper.errors import SettingsError
from scorekeeper.watch.labels import Labelled, read_labels
from scorekeeper.watch.measure import Measured, Outcome, Score, add_up, measure
from scorekeeper.watch.sight import Sight

HEADER = (
    "",
    "pictures",
    "cards",
    "found",
    "wrong",
    "missed",
    "prec",
    "recall",
    "F1",
    "right",
    "asked",
    "silent",
    "sure",
    "ms",
)


def run(folder: Path, *, use: str, only: str, each: bool, worst: int, overlays: Path | None, as_json: bool) -> None:
    """Measures and prints; saves the overlays of the *worst* pictures where *overlays* names a folder."""
    labels = [labelled for labelled in read_labels(folder, use) if only in labelled.name or only in labelled.kind]
    if not labels:
        raise SettingsError(f"no labelled picture has {only!r} in its name or kind")
    outcomes = []
    for outcome in measure(labels, Sight()):
        outcomes.append(outcome)
        if each and not as_json:
            click.echo(line_of(outcome))
    measured = Measured(tuple(outcomes))
    if overlays is not None:
        _save_worst(measured.worst(worst), overlays)
    click.echo(json.dumps(report(measured, each), indent=1) if as_json else table(measured))


def report(measured: Measured, each: bool = False) -> dict[str, object]:
    """What ``measure --json`` prints."""
    parts: dict[str, object] = {
        "tasks": [score.as_json() for score in measured.by(_task)],
        "kinds": [score.as_json() for score in measured.by(_kind)],
        "sources": [score.as_json() for score in measured.by(_source)],
        "silent": [outcome.labelled.name for outcome in measured.outcomes if outcome.silent],
        "refused": {outcome.labelled.name: outcome.refused for outcome in measured.outcomes if outcome.refused},
    }
    return parts | ({"each": [_as_json(outcome) for outcome in measured.outcomes]} if each else {})


def table(measured: Measured) -> str:
    """The same for people: by reading, by kind of picture, by source."""
    blocks = [measured.by(_task), measured.by(_kind), measured.by(_source)]
    width = max(len(score.name) for block in blocks for score in block)
    lines = [_row(HEADER, width)]
    for block in blocks:
        lines += ["", *(_row(_cells(score), width) for score in block)]
    whole = add_up("all", measured.outcomes)
    lines += ["", f"pictures wholly right: {whole.right} of {whole.readings}; silent errors: {whole.silent}"]
    lines += [f"refused: {o.labelled.name}: {o.refused}" for o in measured.outcomes if o.refused]
    return "\n".join(lines)


def line_of(outcome: Outcome) -> str:
    """One picture: what was missed, what was wrong, what was left without a name."""
    truth, read = Counter(outcome.labelled.truth), Counter(outcome.read)
    parts = [
        "SILENT" if outcome.silent else "right" if outcome.right else "wrong",
        "certain" if outcome.certain else "asks",
        f"{outcome.labelled.name}: {outcome.found} of {outcome.found + outcome.missed}",
    ]
    if outcome.missed:
        parts.append(f"missed {_codes(truth - read)}")
    if outcome.wrong:
        parts.append(f"wrong {_codes(read - truth)}")
    if outcome.unread:
        parts.append(f"without a name {outcome.unread}")
    return "  ".join([*parts, f"{outcome.ms:.0f} ms", outcome.refused]).rstrip()


def _task(outcome: Outcome) -> str:
    return f"read {outcome.labelled.task.value}"


def _kind(outcome: Outcome) -> str:
    return outcome.labelled.kind


def _source(outcome: Outcome) -> str:
    return _short(outcome.labelled)


def _short(labelled: Labelled) -> str:
    return labelled.source if len(labelled.source) <= 40 else labelled.source[:37] + "..."


def _codes(cards: Counter[str]) -> str:
    return " ".join(sorted(cards.elements()))


def _cells(score: Score) -> tuple[str, ...]:
    counts = (score.readings, score.cards, score.found, score.wrong, score.missed)
    shares = (score.precision, score.recall, score.f1)
    rest = (score.right, score.asked, score.silent)
    numbers = [*map(str, counts), *(f"{share:.3f}" for share in shares), *map(str, rest)]
    return (score.name, *numbers, f"{score.right_certain:.0%}" if score.right else "-", f"{score.ms:.0f}")


def _row(cells: Iterable[str], width: int) -> str:
    first, *rest = cells
    return f"{first:<{width}} " + " ".join(
        f"{cell:>{max(6, len(head))}}" for cell, head in zip(rest, HEADER[1:], strict=True)
    )


def _as_json(outcome: Outcome) -> dict[str, object]:
    truth, read = Counter(outcome.labelled.truth), Counter(outcome.read)
    return {
        "name": outcome.labelled.name,
        "found": outcome.found,
        "missed": sorted((truth - read).elements()),
        "wrong": sorted((read - truth).elements()) if outcome.wrong else [],
        "unread": outcome.unread,
        "certain": outcome.certain,
        "right": outcome.right,
        "silent": outcome.silent,
        "ms": round(outcome.ms, 1),
    }


def _save_worst(worst: Iterable[Outcome], folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for rank, outcome in enumerate(worst, 1):
            name = Path(outcome.labelled.name).with_suffix("").as_posix().replace("/", "_")
            for number, overlay in enumerate(outcome.overlays, 1):
                (folder / f"{rank:02}-{name}-{number}.jpg").write_bytes(overlay)
    except OSError as error:
        raise SettingsError(f"the folder {str(folder)!r} can't be written ({error.strerror}): name another") from error
