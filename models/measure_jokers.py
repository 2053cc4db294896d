"""
Measures how jokers are read, and other cards as jokers, on composed pictures of jokers, decks and fonts not trained on.

    python datasets/render_art.py --out ART
    python models/measure_jokers.py ART --pictures 200 --seed 3
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from scorekeeper.rules.lake import JOKER
from scorekeeper.training.faces import split_fonts
from scorekeeper.training.jokers import JokerPool, joker_art
from scorekeeper.training.layouts import fans, lake, loose, random_pictures
from scorekeeper.training.scene import Picture, Seen
from scorekeeper.vision.eye import load_eye
from scorekeeper.vision.faces.cards import FoundCard, find_cards
from scorekeeper.vision.faces.fan import sorted_out

SIZE, CARD_PX = (600, 760), (80, 260)
LAYOUTS = ((loose, 0.5), (fans, 0.35), (lake, 0.15))
OPEN, SHOWS = 0.93, 0.12


def card_at(picture: Picture, found: FoundCard) -> Seen | None:
    """The card of *picture* that was *found*: the one on top where it lies."""
    x, y = (float(value) for value in found.middle)
    there = [card for card in picture.cards if cv2.pointPolygonTest(card.corners.astype(np.float32), (x, y), False) > 0]
    if found.whole and there:
        return min(there, key=lambda card: float(np.linalg.norm(card.corners.mean(0) - found.middle)))
    return there[-1] if there else None


def said_of(picture: Picture, shown: Sequence[FoundCard], truth: Seen) -> str:
    """Whether *truth* was taken for a joker, for another card, or for neither."""
    mine = {card.said for card in shown if card_at(picture, card) is truth}
    return "joker" if JOKER in mine else "another card" if mine - {None} else "unread" if mine else "not found"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("art", type=Path)
    parser.add_argument("--pictures", type=int, default=200)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    rng, eye = np.random.default_rng(options.seed), load_eye()
    art = joker_art(options.art, held_out=True)
    pool = JokerPool(rng, options.art, art, leave_out=[], families=split_fonts()[1])
    counts: Counter[tuple[str, str]] = Counter()
    for picture in random_pictures(rng, pool, options.pictures, SIZE, card_px=CARD_PX, layouts=LAYOUTS):
        shown, _ = sorted_out(find_cards(picture.image, eye)[0])
        for card in picture.cards:
            code = card.laid.sprite.code
            kind = "joker" if code == JOKER else "back" if code is None else "court" if code[0] in "JQK" else "number"
            if card.visible > SHOWS:
                shows = "open" if card.visible > OPEN else "covered in part"
                counts[f"{kind}, {shows}", said_of(picture, shown, card)] += 1
    for kind in sorted({kind for kind, _ in counts}):
        said = {said: n for (one, said), n in counts.items() if one == kind}
        print(f"{kind:24} {sum(said.values()):5}: " + ", ".join(f"{n} {said}" for said, n in sorted(said.items())))


if __name__ == "__main__":
    main()
