"""
Renders the installed card art (aisleriot, kdegames-card-data) for the training scripts.

    python datasets/render_art.py --out datasets/out/art [--look looks/]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from scorekeeper.training.art import (
    AISLERIOT,
    DECKS,
    Pixels,
    Sheet,
    clean_card,
    cut_sheet,
    find_indices,
    jokers_of,
    render_sheet,
)


def render_deck(sheet: Sheet, folder: Path) -> tuple[dict[str, Pixels], dict[str, object]]:
    """Writes one deck's cards and the places of their indices."""
    cells = dict(cut_sheet(render_sheet(sheet), sheet))
    cards = {code: clean_card(cell, sheet.trim) for code, cell in cells.items()}
    indices = find_indices(cards, sheet)
    folder.mkdir(parents=True, exist_ok=True)
    for code in indices:
        cv2.imwrite(str(folder / f"{code}.png"), cards[code], [cv2.IMWRITE_PNG_COMPRESSION, 2])
    table = {code: quads.round(1).tolist() for code, quads in sorted(indices.items())}
    (folder / "indices.json").write_text(json.dumps(table), "utf-8")
    return {code: cards[code] for code in indices}, dict(indices)


def render_jokers(folder: Path) -> int:
    """Writes the jokers of all sheets; how many."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for path in sorted(AISLERIOT.glob("*.svgz")):
        for number, card in enumerate(jokers_of(path)):
            cv2.imwrite(str(folder / f"{path.stem}-{number}.png"), card, [cv2.IMWRITE_PNG_COMPRESSION, 2])
            count += 1
    return count


def look(cards: dict[str, Pixels], indices: dict[str, object], path: Path) -> None:
    """A picture of the deck with its index boxes drawn, to be looked at."""
    tiles = []
    for code in [f"{rank}{suit}" for suit in "CDHS" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K")]:
        tile = np.full((300, 220, 3), 120, np.uint8)
        if code in cards:
            face = np.ascontiguousarray(cards[code][..., :3])
            for quad in np.asarray(indices[code]):
                cv2.polylines(face, [quad.round().astype(np.int32)], True, (255, 0, 255), 2)
                cv2.circle(face, tuple(int(v) for v in quad[0]), 6, (0, 200, 0), -1)
            small = cv2.resize(face, None, fx=296 / face.shape[0], fy=296 / face.shape[0], interpolation=cv2.INTER_AREA)
            tile[: small.shape[0], : min(220, small.shape[1])] = small[:, :220]
        tiles.append(tile)
    rows = [np.hstack(tiles[i : i + 13]) for i in range(0, 52, 13)]
    cv2.imwrite(str(path), np.vstack(rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--look", type=Path, help="folder for pictures with the index boxes drawn")
    parser.add_argument("--decks", nargs="*", default=sorted(DECKS))
    options = parser.parse_args()
    for name in options.decks:
        cards, indices = render_deck(DECKS[name], options.out / name)
        if options.look:
            options.look.mkdir(parents=True, exist_ok=True)
            look(cards, indices, options.look / f"{name}.png")
        print(f"{name}: {len(cards)} cards")
    print(f"{render_jokers(options.out / 'jokers')} jokers")


if __name__ == "__main__":
    main()
