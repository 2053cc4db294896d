"""``scorekeeper read``: one picture, one reading, as a table or as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from scorekeeper.errors import PictureError, SettingsError
from scorekeeper.rules.lake import Box, DeckId, FanReading, LakeReading, SpreadReading
from scorekeeper.rules.solve import explain, solve_backs
from scorekeeper.vision.camera.sources import MAX_BYTES
from scorekeeper.watch.seam import Seen
from scorekeeper.watch.sight import Sight


def lake(image: Path, *, as_json: bool, overlay: Path | None) -> None:
    """Reads and prints a Lake."""
    seen = Sight().lake(picture_bytes(image))
    save_overlays(seen, overlay)
    click.echo(json.dumps(lake_json(seen)) if as_json else _lake_table(seen.reading))


def fan(image: Path, *, as_json: bool, overlay: Path | None) -> None:
    """Reads and prints face-up cards."""
    seen = Sight().fan(picture_bytes(image))
    save_overlays(seen, overlay)
    click.echo(json.dumps(fan_json(seen)) if as_json else _fan_table(seen.reading))


def spread(
    images: Sequence[Path],
    decks: Mapping[str, Sequence[Path]],
    *,
    as_json: bool,
    overlay: Path | None,
    total: int | None = None,
) -> None:
    """Enrols the decks, then counts and prints their backs; with T, also the likeliest counts that fit it."""
    pictures = [picture_bytes(path) for path in images]
    sight = Sight()
    known = {DeckId(n): sight.enrol([picture_bytes(p) for p in paths]).signatures for n, paths in decks.items()}
    alike = sight.too_alike(known)
    seen = sight.spread(pictures, known)
    save_overlays(seen, overlay)
    click.echo(json.dumps(spread_json(seen, alike, total)) if as_json else spread_table(seen.reading, alike, total))


def picture_bytes(path: Path) -> bytes:
    """The file's content; raises PictureError."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise PictureError(f"{path.name} has more than 40 MB: make it smaller")
        return path.read_bytes()
    except OSError as error:
        raise PictureError(f"there is no picture {str(path)!r} that can be opened: check its name") from error


def lake_json(seen: Seen[LakeReading]) -> dict[str, object]:
    """The interface of ``read lake --json``."""
    reading = seen.reading
    piles = [
        {
            "top": pile.top.code if pile.top else None,
            "height": pile.height,
            "dead": pile.dead,
            "confidence": _share(pile.confidence),
            "box": _box(pile.box),
        }
        for pile in reading.piles
    ]
    return {"piles": piles, "total": reading.total, **_ending(reading.certain, reading.problems, seen.ms)}


def spread_json(seen: Seen[SpreadReading], alike: Sequence[str] = (), total: int | None = None) -> dict[str, object]:
    """The interface of ``read spread --json``; *alike* are problems of the decks themselves."""
    reading = seen.reading
    cards = [
        {"image": c.image, "deck": c.deck, "confidence": _share(c.confidence), "box": _box(c.box)}
        for c in reading.cards
    ]
    counted = {"counts": dict(reading.counts), "unknown": reading.unknown, "total": reading.total}
    ending = _ending(reading.certain and not alike, [*alike, *reading.problems], seen.ms)
    ms = ending.pop("ms")
    solved = {} if total is None else {"solved": _solved(reading, total)}
    return {**counted, **ending, **solved, "cards": cards, "ms": ms}


def _solved(reading: SpreadReading, total: int) -> dict[str, object]:
    """The likeliest counts by T (rules M1)."""
    best = solve_backs(reading, total, {}).best
    return {"counts": dict(best.lake), "missing": best.unsure, "said": str(explain(best, reading, total))}


def fan_json(seen: Seen[FanReading]) -> dict[str, object]:
    """The interface of ``read fan --json``."""
    reading = seen.reading
    cards = [{"code": f.code, "confidence": _share(f.confidence), "box": _box(f.box)} for f in reading.cards]
    return {"cards": cards, "count": reading.count, **_ending(reading.certain, reading.problems, seen.ms)}


def _ending(certain: bool, problems: Sequence[str], ms: float) -> dict[str, object]:
    return {"certain": certain, "problems": list(problems), "ms": round(ms)}


def _share(confidence: float) -> float:
    return round(float(confidence), 3)


def _box(box: Box) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in box]


def _lake_table(reading: LakeReading) -> str:
    rows = [
        f"{'full' if pile.dead else pile.top.code if pile.top else '?':>4}  {pile.height:>2}  {pile.confidence:4.0%}"
        for pile in reading.piles
    ]
    return _lines(["pile   n  sure", *rows, f"Lake {reading.total}"], reading.certain, reading.problems)


def _fan_table(reading: FanReading) -> str:
    rows = [f"{face.code or '?':>5}  {face.confidence:4.0%}" for face in reading.cards]
    return _lines(["card  sure", *rows, f"cards {reading.count}"], reading.certain, reading.problems)


def spread_table(reading: SpreadReading, alike: Sequence[str], total: int | None = None) -> str:
    """The counts for people."""
    width = max([len(deck) for deck in reading.counts] + [len("unknown")])
    rows = [f"{deck:<{width}}  {count:>3}" for deck, count in reading.counts.items()]
    rows += [f"{'unknown':<{width}}  {reading.unknown:>3}", f"{'all':<{width}}  {reading.total:>3}"]
    said = "" if total is None else str(_solved(reading, total)["said"])
    problems = [*alike, *reading.problems, *[said] * bool(said)]
    return _lines(rows, not problems and reading.certain, problems)


def _lines(rows: Sequence[str], certain: bool, problems: Sequence[str]) -> str:
    verdict = "certain" if certain else "please look:"
    return "\n".join([*rows, verdict, *(f"  - {problem}" for problem in problems)])


def save_overlays(seen: Seen[LakeReading] | Seen[SpreadReading] | Seen[FanReading], overlay: Path | None) -> None:
    """Writes what was seen, a file a picture."""
    if overlay is None:
        return
    several = len(seen.overlays) > 1
    for number, data in enumerate(seen.overlays, 1):
        path = overlay.with_stem(f"{overlay.stem}-{number}") if several else overlay
        try:
            path.write_bytes(data)
        except OSError as error:
            raise SettingsError(f"the overlay {str(path)!r} can't be written: {error.strerror}") from error
