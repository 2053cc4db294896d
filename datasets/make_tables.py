"""
Composes whole tables to measure on, with decks, fonts and backs that nothing was trained on.

    python datasets/make_tables.py --art ART --out tables/ --tables 20 --seed 1
    python datasets/make_tables.py --art ART --out tables/ --tables 20 --seed 1 --traced
    scorekeeper measure tables/

A table is a folder: a picture of each deck's back, three Lakes as they lie, the Lake turned over in two batches,
fans and ribbons of 2 to 13 cards, and `truth.json`. Any light and cloth, tilt to 40 degrees, cards 45 % visible or
more. With `--traced` the pictures are path-traced, with nothing but cards on the table, one Lake and two fans.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from scorekeeper.rules.cards import RANKS
from scorekeeper.training import tables
from scorekeeper.training.decks import HELD_OUT, DeckPool
from scorekeeper.training.faces import split_fonts
from scorekeeper.training.light import calm
from scorekeeper.training.scene import (
    CODES,
    DeckSprites,
    Laid,
    Seen,
    Sprite,
    camera,
    compose,
    fan,
    pile,
    project,
    ribbon,
)
from scorekeeper.training.tables import Image, Rng
from scorekeeper.training.traced import traced

SIZE = (1080, 1920)
LEAST_VISIBLE = 0.45
LEGIBLE, LEGIBLE_PX = 0.9, 14.0
"""A card of a fan shows at least one index to this share, and this high."""
Lay = Callable[[], list[Laid]]


def shown(
    rng: Rng,
    top: Image,
    most: int | None,
    lay: Lay,
    card_px: float,
    *,
    least: float = 0.0,
    legible: bool = False,
) -> Image:
    """What *lay* lays on the cloth *top*, whole in the picture, no card less visible than *least*.

    At *most* so many other things lie there; where None, none, and the picture is path-traced. With *legible* every
    card shows an index that can be read.
    """
    while True:
        cards = lay()
        view = framed(rng, cards, card_px)
        if view is None:
            card_px *= 0.93
            continue
        clutter = 0 if most is None else int(rng.integers(0, most + 1))
        picture = compose(rng, SIZE, cards, view, top=top, clutter=clutter, calm=most is None)
        if all(seen.visible >= least for seen in picture.cards) and (not legible or all(map(_legible, picture.cards))):
            return picture.image if most is not None else calm(rng, traced(rng, cards, view, top))


def _legible(seen: Seen) -> bool:
    return any(share >= LEGIBLE and np.linalg.norm(at[0] - at[3]) >= LEGIBLE_PX for at, share in seen.indices)


def framed(rng: Rng, cards: Sequence[Laid], card_px: float, tries: int = 12) -> np.ndarray | None:
    """A camera that sees every card whole; None when none was found."""
    spots = np.array([(card.x, card.y) for card in cards], np.float32)
    middle = np.eye(3)
    middle[:2, 2] = -(spots.min(0) + spots.max(0)) / 2
    for _ in range(tries):
        view = camera(rng, SIZE, card_px, most_tilt=40) @ middle
        around = np.concatenate([spots + turn for turn in ((-0.6, -0.6), (0.6, -0.6), (0.6, 0.6), (-0.6, 0.6))])
        seen = project(around.astype(np.float32), view)
        if (seen > 0).all() and (seen[:, 0] < SIZE[1]).all() and (seen[:, 1] < SIZE[0]).all():
            return view
    return None


def heights(rng: Rng, decks: int) -> list[tuple[str, int]]:
    """Suit and height of each Lake pile: never more piles of a suit than decks (rules M5)."""
    return [
        (suit, int(rng.choice(13, p=np.linspace(2, 1, 13) / 19.5)) + 1)
        for suit in "SHDC"
        for _ in range(int(rng.integers(1 if suit == "S" else 0, min(decks, 4) + 1)))
    ]


def lake(rng: Rng, decks: Sequence[DeckSprites], piles: Sequence[tuple[str, int]]) -> list[Laid]:
    """The piles in loose rows."""
    mess, across = float(rng.choice([0.1, 0.4, 0.8, 1.2])), int(rng.integers(3, 6))
    room, laid = rng.uniform(1.35, 1.8), list[Laid]()
    for number, (suit, height) in enumerate(piles):
        x = number % across * room + rng.normal(0, 0.07)
        y = number // across * room + rng.normal(0, 0.07)
        laid += pile(rng, decks, suit, height, x, y, mess)
    return laid


def turned_over(rng: Rng, decks: Sequence[DeckSprites], owners: Sequence[int]) -> list[Laid]:
    """One batch of the Lake, face down, pushed apart."""
    across = max(3, round(np.sqrt(len(owners) * 1.6)))
    room = rng.uniform(0.7, 1.0)
    return [
        Laid(
            decks[owner].back,
            float(k % across * room + rng.normal(0, 0.09)),
            float(k // across * room + rng.normal(0, 0.09)),
            float(rng.uniform(0, 2 * np.pi)),
            decks[owner].name,
        )
        for k, owner in enumerate(owners)
    ]


def table(rng: Rng, pool: Sequence[DeckSprites], folder: Path, most: int | None) -> None:
    """One table's pictures and truth."""
    lakes, fans = (3, 4) if most is not None else (1, 2)
    decks = [pool[i] for i in rng.choice(len(pool), int(rng.integers(2, 7)), replace=False)]
    see = partial(shown, rng, tables.table_top(rng, SIZE), most)
    shots: dict[str, tuple[Image, dict[str, object]]] = {}
    for deck in decks:
        seen = see(lambda deck=deck: [Laid(deck.back, 0, 0, float(rng.uniform(0, 6.28)))], 430)
        shots[f"enrol-{deck.name}.jpg"] = (seen, {"kind": "enrol", "deck": deck.name})
    for number in range(1, lakes + 1):
        piles = heights(rng, len(decks))
        seen = see(lambda piles=piles: lake(rng, decks, piles), rng.uniform(140, 260))
        truth = [{"top": None if h == 13 else RANKS[h - 1] + s, "height": h, "dead": h == 13} for s, h in piles]
        about = {"kind": "lake-up", "piles": truth, "total": sum(h for _, h in piles)}
        shots[f"lake-up-{number}.jpg"] = (seen, about)
    for number in (1, 2):
        owners = rng.integers(0, len(decks), int(rng.integers(8, 31))).tolist()
        seen = see(lambda owners=owners: turned_over(rng, decks, owners), 230, least=LEAST_VISIBLE)
        counts = Counter(decks[owner].name for owner in owners)
        shots[f"lake-down-{number}.jpg"] = (seen, {"kind": "lake-down", "counts": dict(counts)})
    for number in range(fans):
        deck, count = decks[number % len(decks)], int(rng.integers(2, 14))
        codes = [str(code) for code in rng.choice(CODES, count, replace=False)]
        faces = [deck.face(code) for code in codes]
        lay: Lay = (
            (lambda faces=faces: fan(rng, faces, 0, 0, float(rng.normal(0, 0.4)), tidy=True))
            if number % 2
            else (lambda faces=faces: tidy_ribbon(rng, faces))
        )
        seen = see(lay, rng.uniform(220, 420), legible=True)
        shots[f"cards-{number}.jpg"] = (seen, {"kind": "fan", "cards": codes})
    folder.mkdir(parents=True, exist_ok=True)
    for name, (image, _) in shots.items():
        cv2.imwrite(str(folder / name), image, [cv2.IMWRITE_JPEG_QUALITY, 88])
    written = {"decks": [deck.name for deck in decks], "shots": {name: about for name, (_, about) in shots.items()}}
    (folder / "truth.json").write_text(json.dumps(written, indent=1) + "\n", "utf-8")


def tidy_ribbon(rng: Rng, faces: Sequence[Sprite]) -> list[Laid]:
    """A ribbon whose cards all show a corner."""
    while True:
        laid = ribbon(rng, faces, 0, 0, float(rng.uniform(0, 6.28)))
        first, last = laid[0], laid[-1]
        along = np.array([last.x - first.x, last.y - first.y])
        right = np.array([np.cos(first.angle), np.sin(first.angle)])
        down = np.array([-np.sin(first.angle), np.cos(first.angle)])
        if along @ right > -0.05 and along @ down > -0.05:
            return laid


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--art", type=Path, help="folder of rendered card art")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bare", action="store_true", help="nothing but cards: no cups, papers, phones")
    parser.add_argument("--traced", action="store_true", help="path-traced; some minutes a table; needs mitsuba")
    options = parser.parse_args()
    rng = np.random.default_rng([options.seed, 77])
    others = [path.name for path in options.art.iterdir() if path.name not in HELD_OUT] if options.art else []
    for number in range(options.tables):
        pool = DeckPool(rng, options.art, 6, leave_out=others, families=split_fonts()[1], dutch=False)
        most = None if options.traced else 0 if options.bare else 2
        table(rng, pool.decks, options.out / f"table{number:02d}", most)


if __name__ == "__main__":
    main()
