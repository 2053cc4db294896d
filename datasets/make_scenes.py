"""
Composes table pictures for the detector, as shards of pictures and labels.

    python datasets/make_scenes.py --art ART --out datasets/out/scenes --shards 20
    python datasets/make_scenes.py --art ART --out datasets/out/backs --shards 40 --backs
    python datasets/make_scenes.py --art ART --out datasets/out/traced --shards 8 --pictures 100 --traced
    python datasets/make_scenes.py --art ART --preview sheet.jpg

ART is what `python datasets/render_art.py --out ART` drew; without it only drawn cards are used.
A picture costs about 40 ms on one core, path-traced 3 s; run several with different --seed side by side.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from scorekeeper.training.decks import DeckPool
from scorekeeper.training.labels import labels, save_shard
from scorekeeper.training.layouts import LAYOUTS, MOSTLY_BACKS, random_picture
from scorekeeper.training.scene import DeckSprites, Picture

COLOURS = ((60, 220, 60), (230, 80, 30), (0, 0, 255))


def annotated(picture: Picture) -> np.ndarray:
    """The picture with its labels drawn: faces green, backs blue, indices red."""
    out = picture.image.copy()
    for kind, x, y, w, h, angle in labels(picture):
        corners = cv2.boxPoints(((x, y), (w, h), np.rad2deg(angle)))
        cv2.polylines(out, [corners.astype(np.int32)], True, COLOURS[int(kind)], 1, cv2.LINE_AA)
    return out


def composed(
    rng: np.random.Generator, decks: list[DeckSprites], options: argparse.Namespace, count: int
) -> list[Picture]:
    """*count* pictures with *decks*, of all sorts or mostly of backs."""
    layouts = MOSTLY_BACKS if options.backs else LAYOUTS
    size, card_px = (options.size, options.size), tuple(options.cards)
    return [
        random_picture(rng, decks, size, card_px=card_px, layouts=layouts, path_traced=options.traced)
        for _ in range(count)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--art", type=Path, help="folder of rendered card art")
    parser.add_argument("--out", type=Path, help="folder for the shards")
    parser.add_argument("--shards", type=int, default=10, help="how many shards")
    parser.add_argument("--pictures", type=int, default=200, help="how many pictures a shard")
    parser.add_argument("--first", type=int, default=0, help="number of the first shard")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--size", type=int, default=416, help="side of the square pictures in pixels")
    parser.add_argument("--cards", type=float, nargs=2, default=(38, 330), help="shortest and longest card in pixels")
    parser.add_argument("--backs", action="store_true", help="mostly backs, of some hundred decks a shard")
    parser.add_argument("--traced", action="store_true", help="path-traced, nothing but cards; needs mitsuba")
    parser.add_argument("--preview", type=Path, help="write one sheet of labelled pictures and stop")
    options = parser.parse_args()
    if options.preview:
        rng = np.random.default_rng(options.seed)
        decks = DeckPool(rng, options.art).decks
        tiles = [annotated(picture) for picture in composed(rng, decks, options, 24)]
        cv2.imwrite(str(options.preview), np.vstack([np.hstack(tiles[k : k + 6]) for k in range(0, 24, 6)]))
        return
    options.out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([options.seed, options.first])
    pool = DeckPool(rng, options.art)
    for number in range(options.first, options.first + options.shards):
        pictures: list[Picture] = []
        while len(pictures) < options.pictures:
            decks = pool.refresh(12 if options.backs else 4)
            pictures += composed(rng, decks, options, 20 if options.backs else 50)
        save_shard(options.out / f"shard-{number:05d}.npz", pictures)


if __name__ == "__main__":
    main()
