"""The JSON of ``read`` keeps its keys, and the tables say the same to people."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from scorekeeper.cli import main
from scorekeeper.cli.reading import fan_json, lake_json, spread_json, spread_table
from scorekeeper.resources import data_path
from scorekeeper.rules.cards import parse_card
from scorekeeper.rules.lake import Box, DeckId, FanReading, LakeReading, Pile, SeenBack, SeenFace, SpreadReading
from scorekeeper.watch.seam import Seen

BOX: Box = ((1.04, 2), (3, 2), (3, 5), (1, 5))
CORNERS = [[1.0, 2.0], [3.0, 2.0], [3.0, 5.0], [1.0, 5.0]]
RED, BLUE = DeckId("red"), DeckId("blue")


def test_a_lake_as_json() -> None:
    piles = (
        Pile(parse_card("7C"), 7, False, 0.97, BOX),
        Pile(None, 13, True, 0.9, BOX),
        Pile(None, 0, False, 0.12345, BOX),
    )
    told = json.loads(json.dumps(lake_json(Seen(LakeReading(piles, False, ("pile 3 is dark",)), (), 179.6))))
    assert told == {
        "piles": [
            {"top": "7C", "height": 7, "dead": False, "confidence": 0.97, "box": CORNERS},
            {"top": None, "height": 13, "dead": True, "confidence": 0.9, "box": CORNERS},
            {"top": None, "height": 0, "dead": False, "confidence": 0.123, "box": CORNERS},
        ],
        "total": 20,
        "certain": False,
        "problems": ["pile 3 is dark"],
        "ms": 180,
    }


def test_a_spread_as_json() -> None:
    cards = (SeenBack(0, RED, 0.9, BOX), SeenBack(1, None, 0.3, BOX))
    told = json.loads(json.dumps(spread_json(Seen(SpreadReading(cards, {RED: 1, BLUE: 0}, True, ()), (), 310.2))))
    assert told == {
        "counts": {"red": 1, "blue": 0},
        "unknown": 1,
        "total": 2,
        "certain": True,
        "problems": [],
        "cards": [
            {"image": 0, "deck": "red", "confidence": 0.9, "box": CORNERS},
            {"image": 1, "deck": None, "confidence": 0.3, "box": CORNERS},
        ],
        "ms": 310,
    }


def test_m1_a_spread_is_weighed_by_the_number_of_cards_in_the_lake() -> None:
    reading = SpreadReading((SeenBack(0, RED, 0.9, BOX), SeenBack(0, RED, 0.9, BOX)), {RED: 2, BLUE: 0}, True, ())
    assert spread_json(Seen(reading, (), 1), (), 3)["solved"] == {
        "counts": {"red": 2, "blue": 0},
        "missing": 1,
        "said": "1 card is missing: look for cards that lie exactly on each other",
    }
    assert "please look" in spread_table(reading, (), 3)
    assert spread_table(reading, (), 2).endswith("certain")


def test_decks_that_are_too_alike_make_a_spread_uncertain() -> None:
    told = spread_json(Seen(SpreadReading((), {RED: 0}, True, ()), (), 1), ["red and blue are too alike"])
    assert told["certain"] is False
    assert told["problems"] == ["red and blue are too alike"]


def test_a_fan_as_json() -> None:
    joker = SeenFace(None, 0.9, BOX, joker=True)
    cards = (SeenFace(parse_card("10H"), 0.99, BOX), SeenFace(None, 0.2, BOX), joker)
    told = json.loads(json.dumps(fan_json(Seen(FanReading(cards, True, ()), (), 150))))
    assert told == {
        "cards": [
            {"code": "10H", "confidence": 0.99, "box": CORNERS},
            {"code": None, "confidence": 0.2, "box": CORNERS},
            {"code": "JOKER", "confidence": 0.9, "box": CORNERS},
        ],
        "count": 3,
        "certain": True,
        "problems": [],
        "ms": 150,
    }


@pytest.fixture(scope="module")
def hand() -> Path:
    """A folder of sample pictures."""
    return sorted(data_path("datasets/samples").glob("*/truth.json"))[0].parent


def read(runner: CliRunner, *words: str | Path) -> str:
    told = runner.invoke(main, ["read", *map(str, words)])
    assert told.exit_code == 0, told.stderr or told.exception
    return told.stdout


def test_a_lake_is_read_from_its_picture(runner: CliRunner, hand: Path, tmp_path: Path) -> None:
    told = json.loads(read(runner, "lake", hand / "lake.jpg", "--json", "--overlay", tmp_path / "seen.jpg"))
    assert set(told) == {"piles", "total", "certain", "problems", "ms"}
    assert told["piles"]
    assert cv2.imread(str(tmp_path / "seen.jpg")) is not None
    assert f"Lake {told['total']}" in read(runner, "lake", hand / "lake.jpg")


def test_a_fan_is_read_from_its_picture(runner: CliRunner, hand: Path) -> None:
    told = json.loads(read(runner, "fan", next(hand.glob("fan-*.jpg")), "--json"))
    assert set(told) == {"cards", "count", "certain", "problems", "ms"}
    assert told["count"] == len(told["cards"]) > 0


def test_a_spread_is_counted_in_batches(runner: CliRunner, hand: Path, tmp_path: Path) -> None:
    truth = json.loads((hand / "truth.json").read_text("utf-8"))
    decks = [side["deck"] for side in truth["sides"]]
    named = [f"--deck={deck}={','.join(map(str, sorted(hand.glob(f'enrol-{deck}*.jpg'))))}" for deck in decks]
    picture = next(hand.glob("spread*.jpg"))
    told = json.loads(read(runner, "spread", picture, picture, *named, "--json", "--overlay", tmp_path / "seen.jpg"))
    assert set(told) == {"counts", "unknown", "total", "certain", "problems", "cards", "ms"}
    assert set(told["counts"]) == set(decks)
    assert {card["image"] for card in told["cards"]} == {0, 1}
    assert {path.name for path in tmp_path.iterdir()} == {"seen-1.jpg", "seen-2.jpg"}
