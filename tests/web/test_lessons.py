"""Corrected pictures: kept only while the table agrees, and handed out as labels that measure the eye."""

from __future__ import annotations

import io
import json
import re

import pytest

from scorekeeper.cli import main
from scorekeeper.resources import data_path
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.watch.labels import Task, read_labels
from scorekeeper.watch.lessons import FOLDER, Lessons
from scorekeeper.watch.sight import Sight
from web import create_app

HAND = data_path("datasets/samples/hand1")
TRUTH = json.loads((HAND / "truth.json").read_text("utf-8"))


@pytest.fixture
def lessons(settings):
    return Lessons(settings.data_dir / FOLDER)


def agree(client, game_id, yes="1"):
    return client.post(f"/g/{game_id}/hand/keep", data={"keep_corrected": yes})


@pytest.fixture
def corrected_hand(client, game_id, hand, photo, tap):
    """Reads a Lake of 7, 13 and 4, corrects it, and records a hand that agrees with it."""

    def play(*taps):
        url = f"/g/{game_id}/hand"
        client.post(f"{url}/lake", data={"version": "1", "lake": (io.BytesIO(photo), "table.jpg")})
        for fix, card, suit in taps:
            client.post(f"{url}/fix/lake", data=tap(client.get(url).text, fix, card, "lake", suit=suit))
        total = re.search(r'name="total" value="(\d+)"', client.get(url).text)[1]
        answer = client.post(url, data=hand(f"amy {int(total) - 9}/0! ben 9/3", total=total))
        assert answer.status_code == 303

    return play


def test_nothing_is_kept_unless_the_table_agrees(client, lessons, game_id, corrected_hand):
    corrected_hand(("rank 9", "1", "C"))
    assert (lessons.agreed, lessons.count) == (False, 0)


def test_nothing_is_kept_after_the_table_thought_better_of_it(client, lessons, game_id, corrected_hand):
    assert agree(client, game_id).location == f"/g/{game_id}/hand#keep-corrected"
    assert 'name="keep_corrected" value="1" checked' in client.get(f"/g/{game_id}/hand").text
    agree(client, game_id, "")
    corrected_hand(("rank 9", "1", "C"))
    assert lessons.count == 0


def test_what_nobody_corrected_is_not_kept(client, lessons, game_id, corrected_hand):
    agree(client, game_id)
    corrected_hand()
    assert lessons.count == 0


def test_a_number_that_was_typed_over_its_picture_teaches_nothing(client, lessons, game_id, hand, photo, tap):
    agree(client, game_id)
    client.post(f"/g/{game_id}/hand/left/ben", data={"version": "1", "left.ben": (io.BytesIO(photo), "fan.jpg")})
    page = client.get(f"/g/{game_id}/hand").text
    client.post(f"/g/{game_id}/hand/fix/left.ben", data=tap(page, "gone", "1", "left-ben"))
    client.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 9/5"))
    assert lessons.count == 0


def test_a_corrected_hand_becomes_a_label(client, lessons, game_id, corrected_hand, photo, tmp_path):
    agree(client, game_id)
    corrected_hand(("rank 9", "1", "C"), ("is dead", "2", ""), ("rank A", "more", "H"))
    assert lessons.export(tmp_path / "out", "measure") == 1
    (label,) = read_labels(tmp_path / "out")
    assert (label.task, label.kind) == (Task.LAKE, "corrected lake")
    assert label.truth == {"9C": 1, "dead": 1, "4S": 1, "AH": 1}
    assert label.pictures[0].read_bytes() == photo
    row = json.loads((tmp_path / "out/labels.jsonl").read_text("utf-8"))
    assert row["cards"][0]["box"] == [[10, 10], [50, 10], [50, 66], [10, 66]]
    assert [card["by_hand"] for card in row["cards"]] == [False, False, False, True]


def test_nothing_to_export_is_said_in_words(runner, tmp_path):
    told = runner.invoke(main, ["export-corrections", str(tmp_path / "out"), "--data", str(tmp_path)])
    assert told.exit_code == 1
    assert "no corrected pictures are kept" in told.stderr


def test_labels_that_lie_there_are_not_overwritten(runner, client, game_id, corrected_hand, settings, tmp_path):
    agree(client, game_id)
    corrected_hand(("rank 9", "1", "C"))
    words = ["export-corrections", str(tmp_path / "out"), "--data", str(settings.data_dir), "--use", "train"]
    assert runner.invoke(main, words).stdout == f"1 corrected reading in {tmp_path / 'out/labels.jsonl'}\n"
    told = runner.invoke(main, words)
    assert told.exit_code == 1
    assert "has a labels.jsonl already" in told.stderr


class RealEye(Sight):
    """The eye in this process, for pages that ask for a camera, too."""

    camera = None


@pytest.fixture
def real(book, settings):
    """A phone at a table with the sample's decks, read by the real eye: the game and the scorekeeper's client."""
    eye = RealEye()
    sides = make_sides([s["name"] for s in TRUTH["sides"]], {s["name"]: DeckId(s["deck"]) for s in TRUTH["sides"]})
    game = book.start_game(sides, Rules(), request_id="real")
    for side in sides:
        learned = eye.enrol([(HAND / f"enrol-{side.deck}.jpg").read_bytes()])
        book.enrol_deck(game, side.id, side.deck, learned.signatures, request_id=f"deck {side.deck}")
    phone = create_app(book, eye, settings).test_client()
    phone.post("/sign-in", data={"pin": settings.pin})
    return game, phone


@pytest.mark.parametrize(
    ("step", "file"), [("spread", "spread-1.jpg"), ("lake", "lake.jpg"), ("left.cleo", "fan-cleo.jpg")]
)
def test_corrections_measure_the_real_eye(step, file, real, tap, lessons, runner, settings, tmp_path):
    """One card that was read is taken out; measured by that, the eye is wrong about exactly this card."""
    game, phone = real
    agree(phone, game)
    url, picture = f"/g/{game}/hand", (io.BytesIO((HAND / file).read_bytes()), file)
    phone.post(f"{url}/{step.replace('.', '/')}", data={"version": "4", step: picture})
    phone.post(f"{url}/fix/{step}", data=tap(phone.get(url).text, "gone", "1", step.replace(".", "-")))
    typed = {name: text or "3" for name, text in tap(phone.get(url).text, "").items() if "." in name and text != "?"}
    typed |= {"version": "4", "request_id": "one", "total": tap(phone.get(url).text, "").get("total", "")}
    refused = phone.post(url, data=typed)
    if refused.status_code == 422:
        phone.post(url, data={**typed, "anyway": re.search(r'name="anyway" value="(\w+)"', refused.text)[1]})
    out = str(tmp_path / "out")
    assert runner.invoke(main, ["export-corrections", out, "--data", str(settings.data_dir)]).exit_code == 0
    (row,) = json.loads(runner.invoke(main, ["measure", out, "--json"]).stdout)["tasks"]
    assert (row["wrong"], row["missed"]) == (1, 0)
    assert row["found"] > 3
