"""What counts as found, wrong, missed and as a silent error."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from scorekeeper.errors import EnrolmentError, PictureError, SettingsError
from scorekeeper.rules.cards import parse_card
from scorekeeper.rules.lake import (
    Box,
    DeckId,
    FanReading,
    LakeReading,
    Pile,
    SeenBack,
    SeenFace,
    SpreadReading,
)
from scorekeeper.watch.labels import Labelled, Task, read_labels
from scorekeeper.watch.measure import Measured, Outcome, add_up, measure
from scorekeeper.watch.seam import EnrolledDeck, Seen

BOX: Box = ((0, 0), (2, 0), (2, 3), (0, 3))


def fan(text: str, certain: bool = True) -> FanReading:
    """A reading such as "7C AS ?"."""
    cards = [None if code == "?" else parse_card(code) for code in text.split()]
    return FanReading(tuple(SeenFace(card, 0.9, BOX) for card in cards), certain, ())


PILES = [{"top": "7C", "height": 7, "dead": False}, {"top": "KS", "height": 13, "dead": True}]


@dataclass
class Told:
    """A reader that says what it is told, by the content of the picture."""

    enrolled: int = 0

    def fan(self, picture: bytes, left: bool = False) -> Seen[FanReading]:
        if picture == b"dark":
            raise PictureError("too dark")
        return Seen(fan(picture.decode()), (), 10)

    def lake(self, picture: bytes) -> Seen[LakeReading]:
        piles = []
        for code in picture.decode().split():
            card = None if code in ("dead", "?") else parse_card(code)
            height = 13 if code == "dead" else card.rank if card else 0
            piles.append(Pile(card, height, code == "dead", 0.9, BOX))
        return Seen(LakeReading(tuple(piles), False, ("look",)), (), 20)

    def spread(self, pictures: Sequence[bytes], decks: Mapping[DeckId, Sequence[str]]) -> Seen[SpreadReading]:
        owners = [None if name == "?" else DeckId(name) for data in pictures for name in data.decode().split()]
        counts = {deck: owners.count(deck) for deck in decks}
        return Seen(SpreadReading(tuple(SeenBack(0, o, 0.9, BOX) for o in owners), counts, True, ()), (), 30)

    def enrol(self, pictures: Sequence[bytes]) -> EnrolledDeck:
        self.enrolled += 1
        if pictures == [b"face"]:
            raise EnrolmentError("this is a face")
        return EnrolledDeck(("signature",), b"", ())


def outcome(truth: str, read: str, *, certain: bool = True, complete: bool = True, nameless: int = 0) -> Outcome:
    labelled = Labelled("x.jpg", Task.FAN, "fan", "us", (), Counter(truth.split()), complete, nameless)
    codes = read.split()
    return Outcome(labelled, Counter(c for c in codes if c != "?"), codes.count("?"), certain, 1.0)


@pytest.mark.parametrize(
    ("truth", "read", "found", "wrong", "missed", "right"),
    [
        pytest.param("", "", 0, 0, 0, True, id="an empty table read as empty is right"),
        pytest.param("", "7C", 0, 1, 0, False, id="a card that is not there is wrong"),
        pytest.param("7C AS", "AS 7C", 2, 0, 0, True, id="order does not matter"),
        pytest.param("7C", "7S", 0, 1, 1, False, id="a misread card is wrong and missed"),
        pytest.param("7C 7C", "7C", 1, 0, 1, False, id="two decks may show the same card"),
        pytest.param("7C", "7C 7C", 1, 1, 0, False, id="one card counted twice is wrong once"),
        pytest.param("7C AS", "7C ?", 1, 0, 1, False, id="a card without a name is missed and not wrong"),
        pytest.param("7C", "7C ?", 1, 0, 0, False, id="a card too many is no right reading, also without a name"),
    ],
)
def test_cards_are_matched_one_to_one(truth: str, read: str, found: int, wrong: int, missed: int, right: bool) -> None:
    seen = outcome(truth, read)
    assert (seen.found, seen.wrong, seen.missed, seen.right) == (found, wrong, missed, right)


def test_a_card_nobody_could_label_may_be_read_as_anything_or_left_without_a_name() -> None:
    assert outcome("7C", "7C 3S", nameless=1).right
    assert outcome("7C", "7C ?", nameless=1).right
    assert outcome("7C", "7C 3S 4S", nameless=1).wrong == 1


def test_incomplete_labels_blame_only_what_is_missed() -> None:
    assert outcome("7C", "7C 3S 4S ?", complete=False).right
    assert outcome("7C", "3S", complete=False).missed == 1


def test_only_a_wrong_reading_that_is_certain_is_a_silent_error() -> None:
    assert outcome("7C", "7S").silent
    assert not outcome("7C", "7S", certain=False).silent
    assert not outcome("7C", "7C").silent


def test_nothing_read_of_nothing_is_perfect() -> None:
    score = add_up("none", [])
    assert (score.precision, score.recall, score.f1, score.ms) == (1, 1, 1, 0)


def test_shares_add_up_over_pictures() -> None:
    score = add_up("two", [outcome("7C AS 2H", "7C AS 3H"), outcome("KD", "KD", certain=False)])
    assert (score.cards, score.found, score.wrong, score.missed) == (4, 3, 1, 1)
    assert (score.precision, score.recall, score.f1) == (0.75, 0.75, 0.75)
    assert (score.right, score.asked, score.silent, score.right_certain) == (1, 1, 1, 0)


def test_the_worst_is_a_silent_error_and_right_ones_are_left_out() -> None:
    quiet, loud, fine = outcome("7C", "7S"), outcome("7C AS 2H", "", certain=False), outcome("7C", "7C")
    assert Measured((fine, loud, quiet)).worst(5) == [quiet, loud]


@pytest.fixture
def album(tmp_path: Path) -> Path:
    """A folder with a labelled picture, a table and a sample hand, whose pictures are texts for ``Told``."""
    lines = [
        {"file": "a.jpg", "kind": "faces", "use": "measure", "source": "us/ours", "complete": True,
         "cards": [{"code": "7C", "side": "face"}, {"code": None, "side": "back", "deck": "red"}]},
        {"file": "b.jpg", "kind": "fan", "use": "train", "source": "us/ours", "complete": True, "cards": []},
        {"file": "dark.jpg", "kind": "faces", "use": "measure", "source": "us/ours", "complete": True,
         "cards": [{"code": "AS", "side": "face"}]},
    ]  # fmt: skip
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    table = {
        "decks": ["red"],
        "shots": {
            "enrol-red.jpg": {"kind": "enrol", "deck": "red"},
            "up.jpg": {"kind": "lake-up", "piles": PILES},
            "down-1.jpg": {"kind": "lake-down", "counts": {"red": 2}},
            "down-2.jpg": {"kind": "lake-down", "counts": {"red": 1}},
            "ribbon.jpg": {"kind": "ribbon", "cards": ["3S", "5D"]},
        },
    }  # fmt: skip
    sample = {
        "sides": [{"name": "Amy", "deck": "red", "color": "#ff0000"}],
        "callers": ["Amy"],
        "lake": {"red": 3},
        "piles": [{"top": "3D", "height": 3, "dead": False}],
        "fans": {"Ben": ["2C"], "Amy": []},
    }
    texts = {
        "a.jpg": "7C", "b.jpg": "", "dark.jpg": "dark",
        "t/truth.json": json.dumps(table), "t/enrol-red.jpg": "red", "t/up.jpg": "7C dead", "t/down-1.jpg": "red red",
        "t/down-2.jpg": "?", "t/ribbon.jpg": "3S 5D",
        "hand1/truth.json": json.dumps(sample), "hand1/enrol-red.jpg": "face", "hand1/lake.jpg": "?",
        "hand1/spread-1.jpg": "red red", "hand1/spread-2.jpg": "red", "hand1/fan-ben.jpg": "2C",
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_every_format_is_read(album: Path) -> None:
    reader = Told()
    outcomes = {o.labelled.name: o for o in measure(read_labels(album), reader)}
    right = {name: o.right for name, o in outcomes.items()}
    assert right == {
        "a.jpg": True,
        "dark.jpg": False,
        "hand1/lake.jpg": False,
        "hand1/spread": False,
        "hand1/fan-ben.jpg": True,
        "t/up.jpg": True,
        "t/down-1.jpg": True,
        "t/down-2.jpg": False,
        "t/ribbon.jpg": True,
    }
    assert outcomes["dark.jpg"].refused == "too dark"
    assert outcomes["hand1/spread"].refused == "this is a face"
    assert outcomes["t/down-2.jpg"].unread == 1
    assert reader.enrolled == 2, "each deck once"


@pytest.mark.parametrize(("use", "names"), [("train", {"b.jpg"}), ("measure", {"a.jpg", "dark.jpg"})])
def test_pictures_to_train_on_and_to_measure_are_kept_apart(album: Path, use: str, names: set[str]) -> None:
    assert {row.name for row in read_labels(album, use) if row.source == "us/ours"} == names


def test_a_folder_without_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"no labels\.jsonl"):
        read_labels(tmp_path)


@pytest.mark.parametrize("line", ["{", "[]", '{"file": "a.jpg"}', '{"use": "measure"}'])
def test_a_broken_label_is_named_by_its_line(album: Path, line: str) -> None:
    with (album / "labels.jsonl").open("a") as labels:
        labels.write("\n" + line + "\n")
    with pytest.raises(SettingsError, match="line 5 of"):
        read_labels(album)
