"""The command ``scorekeeper``: every subcommand parses, calls one function, prints.

What a command needs is imported when it runs, so that ``--help`` is quick, ``read`` knows nothing of a server and
``serve`` can prepare the process before anything else is loaded.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import click

from scorekeeper import __version__
from scorekeeper.errors import ScorekeeperError


class _Refusing(click.Group):
    """Ends with status 1 and one sentence where the scorekeeper refuses."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except ScorekeeperError as error:
            raise click.ClickException(str(error)) from error


IMAGE = click.Path(dir_okay=False, path_type=Path)


class _OverlayPath(click.Path):
    """A JPEG that is to be written."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(str(super().convert(value, param, ctx)))
        if path.suffix.lower() not in (".jpg", ".jpeg"):
            self.fail(f"{path.name!r} has to end in .jpg", param, ctx)
        return path


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
overlay_option = click.option(
    "--overlay",
    type=_OverlayPath(dir_okay=False),
    metavar="OUT.jpg",
    help="Draw what was seen; several pictures become OUT-1.jpg, OUT-2.jpg ...",
)


@click.group(cls=_Refusing, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Keeps the score of a Nertz table, and reads it from photographs.

    Without a command it serves the pages as `serve --open` does.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console that lacks a letter shows ? in its place
    if ctx.invoked_subcommand is None:
        ctx.invoke(serve, open_browser=True)


@main.group()
def read() -> None:
    """Read cards from a picture."""


@read.command("lake")
@click.argument("image", type=IMAGE)
@json_option
@overlay_option
def read_lake(image: Path, as_json: bool, overlay: Path | None) -> None:
    """Read the Lake as it lies: each pile's top card and height, and their sum."""
    from scorekeeper.cli import reading

    reading.lake(image, as_json=as_json, overlay=overlay)


def _deck_pictures(ctx: click.Context, param: click.Parameter, decks: tuple[str, ...]) -> dict[str, list[Path]]:
    pictures: dict[str, list[Path]] = {}
    for deck in decks:
        name, equals, files = deck.partition("=")
        paths = [Path(file) for file in files.split(",") if file]
        if not (name and equals and paths):
            raise click.BadParameter(f"expected NAME=IMAGE[,IMAGE...], not {deck!r}", ctx, param)
        if name in pictures:
            raise click.BadParameter(f"{name!r} is named twice; give all its pictures at once", ctx, param)
        pictures[name] = paths
    return pictures


deck_option = click.option(
    "--deck",
    "decks",
    multiple=True,
    required=True,
    callback=_deck_pictures,
    metavar="NAME=IMAGE[,IMAGE...]",
    help="A deck and pictures of its back alone; once for each deck of the table.",
)
total_option = click.option(
    "--total", type=click.IntRange(min=0), metavar="T", help="How many cards the Lake has, by its piles."
)
rotate_option = click.option(
    "--rotate", type=click.Choice([0, 90, 180, 270]), help="Degrees by which the camera's picture is turned clockwise."
)


@read.command("spread")
@click.argument("images", type=IMAGE, nargs=-1, required=True, metavar="IMAGE...")
@deck_option
@total_option
@json_option
@overlay_option
def read_spread(
    images: tuple[Path, ...], decks: dict[str, list[Path]], total: int | None, as_json: bool, overlay: Path | None
) -> None:
    """Count the backs of the Lake turned over and spread; several images are batches that share no card."""
    from scorekeeper.cli import reading

    reading.spread(images, decks, as_json=as_json, overlay=overlay, total=total)


@main.command("watch")
@click.argument("source")
@deck_option
@total_option
@rotate_option
@overlay_option
def watch_spread(
    source: str, decks: dict[str, list[Path]], total: int | None, rotate: int | None, overlay: Path | None
) -> None:
    """Count the backs before a camera live: SOURCE is a device number, a video, a folder of pictures, an address."""
    from scorekeeper.cli import watching

    watching.run(source, decks, total=total, rotate=rotate or 0, overlay=overlay)


@read.command("fan")
@click.argument("image", type=IMAGE)
@json_option
@overlay_option
def read_fan(image: Path, as_json: bool, overlay: Path | None) -> None:
    """Read face-up cards, each physical card once, wherever it lies."""
    from scorekeeper.cli import reading

    reading.fan(image, as_json=as_json, overlay=overlay)


@main.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--use", type=click.Choice(["measure", "train", "all"]), default="measure", show_default=True, help="Which labels."
)
@click.option("--only", default="", metavar="TEXT", help="Only pictures whose name or kind contains TEXT.")
@click.option("--each", is_flag=True, help="Print a line per picture, too.")
@click.option("--worst", type=click.IntRange(min=1), default=10, show_default=True, help="How many overlays to save.")
@click.option(
    "--overlays",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Save overlays of the worst here.",
)
@json_option
def measure(folder: Path, use: str, only: str, each: bool, worst: int, overlays: Path | None, as_json: bool) -> None:
    """Read the labelled pictures of FOLDER and print how many cards are found, wrong and missed."""
    from scorekeeper.cli import measuring

    measuring.run(folder, use=use, only=only, each=each, worst=worst, overlays=overlays, as_json=as_json)


@main.command()
@click.option(
    "--camera", metavar="SOURCE", help="Device number, video file, folder of pictures, http(s):// or rtsp://."
)
@rotate_option
@click.option("--host", metavar="ADDRESS", help="Address to listen on; all of this computer's by default.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on.")
@click.option(
    "--address",
    metavar="ADDRESS",
    help="The address that phones use, for the QR code: 192.168.1.20, or a whole one such as https://nertz.example.",
)
@click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER", help="Where the games are kept."
)
@click.option("--https", "self_signed", is_flag=True, help="Speak https, with a certificate made on first use.")
@click.option("--open", "open_browser", is_flag=True, help="Open the pages in this computer's browser.")
@click.option("--forget-pictures", is_flag=True, help="Delete the pictures of a hand once it is recorded.")
@click.option(
    "--settings", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE", help="A TOML file."
)
def serve(
    settings: Path | None,
    data: Path | None,
    self_signed: bool,
    forget_pictures: bool,
    address: str | None,
    open_browser: bool,
    **options: object,
) -> None:
    """Serve the pages; prints the address, a QR code for it, and the scorekeeper's PIN."""
    from gevent import monkey

    monkey.patch_all()
    from scorekeeper.cli import serving

    options |= {"base_url" if "://" in (address or "") else "address": address}
    kept = False if forget_pictures else None
    options |= {"data_dir": data, "self_signed": self_signed or None, "keep_pictures": kept}
    serving.run(settings, open_browser=open_browser, **options)


@main.command()
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="PORT", help="Port; a free one by default.")
@click.option("--fast", is_flag=True, help="Without the pauses that let a person watch.")
@click.option("--once", is_flag=True, help="End when the hand is on the board, instead of serving on.")
def demo(port: int, fast: bool, once: bool) -> None:
    """Play a game from sample pictures on a real server, to be watched in a browser."""
    from scorekeeper.cli import demonstration

    demonstration.run(port=port, fast=fast, once=once)


data_option = click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER", help="Where the games are kept."
)
settings_option = click.option(
    "--settings", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE", help="A TOML file."
)


@main.command()
@click.option("--camera", metavar="SOURCE", help="A camera to try, as for serve.")
@data_option
@settings_option
@click.pass_context
def doctor(ctx: click.Context, camera: str | None, data: Path | None, settings: Path | None) -> None:
    """Look at everything an evening needs: network, camera, disk, games. Says what is wrong and what to do."""
    from scorekeeper.cli import examining

    ctx.exit(0 if examining.run(settings, data, camera) else 1)


@main.command()
def cameras() -> None:
    """List the cameras of this computer, and what each gives or lacks."""
    from scorekeeper.cli import examining

    examining.cameras()


@main.command("export")
@click.argument("game", required=False)
@click.option(
    "--as",
    "kind",
    type=click.Choice(["json", "csv", "sheet"]),
    default="json",
    show_default=True,
    help="The whole game, its hands for a spreadsheet, or the score sheet.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write it here.")
@data_option
@settings_option
def export_game(game: str | None, kind: str, out: Path | None, data: Path | None, settings: Path | None) -> None:
    """Print the GAME of that name, or the names of all games; a running server is not disturbed."""
    from scorekeeper.cli import carrying

    carrying.export(game, kind, out, settings, data)


@main.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@data_option
@settings_option
def import_game(file: Path, data: Path | None, settings: Path | None) -> None:
    """Read a game in from a FILE that was exported; the same file twice changes nothing."""
    from scorekeeper.cli import carrying

    carrying.take_in(file, settings, data)


@main.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@data_option
@settings_option
def back_up(file: Path, data: Path | None, settings: Path | None) -> None:
    """Write the games, the pictures and the decks into one FILE; a running server is not disturbed."""
    from scorekeeper.cli import carrying

    carrying.back_up(file, settings, data)


@main.command("restore")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@data_option
@settings_option
def restore(file: Path, data: Path | None, settings: Path | None) -> None:
    """Put a backup back; what is in the data folder is moved aside. Stop the server first."""
    from scorekeeper.cli import carrying

    carrying.put_back(file, settings, data)


@main.command("export-corrections")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--use", type=click.Choice(["measure", "train"]), default="measure", show_default=True, help="What they are for."
)
@data_option
@settings_option
def export_corrections(folder: Path, use: str, data: Path | None, settings: Path | None) -> None:
    """Write the corrected pictures that were kept into FOLDER, with what they show in labels.jsonl."""
    from scorekeeper.cli import lessons

    lessons.export(folder, use, settings, data)
