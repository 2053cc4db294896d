"""What the eye says is told in the language of each page: every sentence a message, and none lost on its way."""

from __future__ import annotations

import ast
import html
import io
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from scorekeeper.errors import CameraError, EnrolmentError, PictureError
from scorekeeper.resources import data_path
from scorekeeper.rules.lake import SpreadReading, spots_of, spotted
from scorekeeper.rules.said import say
from scorekeeper.vision.backs.spread import summed_up
from scorekeeper.vision.camera.sources import decode_picture, open_camera
from scorekeeper.vision.enrolment.learning import enrol
from scorekeeper.vision.eye import load_eye
from scorekeeper.vision.places import PLACES, place
from scorekeeper.watch import EyeProcess, words
from scorekeeper.watch.scan import joined
from web.language import said

HOUSE = Path(__file__).resolve().parents[2]
GERMAN = {"Accept-Language": "de"}
ODD = say("not sure that there is a card %(where)s: spread the cards there", where=say("at the top left"))
ODD_GERMAN = "nicht sicher, ob oben links eine Karte liegt: breitet die Karten dort aus"

MADE_BY = {"say", "say_count"}
NOT_FOR_PAGES = {
    "ValueError",
    "SystemExit",
    "EOFError",
    "SettingsError",
    "info",
    "debug",
    "exception",
    "error",
    "basicConfig",
}
"""Calls whose texts are for a log, for the command line, or for nobody."""
OF_THE_COMMAND_LINE = {"labels.py", "lessons.py", "measure.py"}


def sources() -> list[Path]:
    eye = [*HOUSE.glob("scorekeeper/vision/*.py"), *HOUSE.glob("scorekeeper/watch/*.py")]
    return sorted(path for path in eye if path.name not in OF_THE_COMMAND_LINE)


def loose_sentences(tree: ast.AST) -> Iterator[str]:
    """Texts of three words or more that no ``say`` makes; docstrings and types in quotes left out."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in MADE_BY | NOT_FOR_PAGES:
                continue
            case ast.Expr(value=ast.Constant()):
                continue
            case ast.Constant(value=str(text)) if text.count(" ") > 1 and " | None" not in text:
                yield text
            case _:
                yield from loose_sentences(node)


@pytest.mark.parametrize("source", sources(), ids=lambda path: path.name)
def test_every_sentence_of_the_eye_is_a_message(source):
    assert list(loose_sentences(ast.parse(source.read_text("utf-8")))) == []


def test_a_sentence_beside_the_messages_would_be_noticed():
    assert list(loose_sentences(ast.parse('problems.append(f"card {where} is odd indeed")'))) == [" is odd indeed"]
    assert list(loose_sentences(ast.parse('raise CameraError("the camera is gone")'))) == ["the camera is gone"]


@pytest.fixture
def german(app):
    with app.test_request_context(headers=GERMAN):
        yield


@pytest.mark.usefixtures("german")
def test_every_place_of_a_picture_has_its_word():
    places = {
        said(place(np.array([x, y], np.float32), np.zeros((90, 90, 3), np.uint8)))
        for x in (5, 45, 85)
        for y in (5, 45, 85)
    }
    rows = ("oben", ""), ("", ""), ("unten", "")
    named = {f"{row} {column}".strip() for row, _ in rows for column in ("links", "", "rechts")}
    assert places == {name or "in der Bildmitte" for name in named}
    assert len({str(each) for row in PLACES for each in row}) == 9


@pytest.mark.usefixtures("german")
def test_a_sentence_is_told_with_all_that_was_put_around_it():
    twice = summed_up([spotted(ODD, (0, 1.0, 2.0)), spotted(ODD, (0, 3.0, 4.0))])
    assert [said(text) for text in twice] == [f"{ODD_GERMAN} (2-mal)"]
    assert spots_of(twice[0]) == ((0, 1.0, 2.0), (0, 3.0, 4.0))
    assert twice[0].endswith("spread the cards there (2 such)"), "a log reads English"


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("fails", "english", "german_too"),
    [
        pytest.param(lambda: decode_picture(b""), "the picture is empty", "das Bild ist leer", id="an empty picture"),
        pytest.param(
            lambda: decode_picture(b"no picture", "a.jpg"), "a.jpg is not a picture", "a.jpg ist kein lesbares Bild",
            id="a file that is no picture",
        ),
        pytest.param(
            lambda: enrol([], load_eye()), "there is no picture", "es gibt kein Bild", id="a deck without a picture"
        ),
        pytest.param(
            lambda: enrol([np.zeros((480, 640, 3), np.uint8)] * 2, load_eye()),
            "picture 1: no card was seen", "Bild 1: keine Karte zu sehen", id="two pictures without a card",
        ),
    ],
)  # fmt: skip
def test_a_refusal_of_the_eye_knows_both_languages(fails, english, german_too):
    with pytest.raises((PictureError, EnrolmentError)) as refused:
        fails()
    assert str(refused.value).startswith(english)
    assert said(str(refused.value)).startswith(german_too)


@pytest.mark.usefixtures("german")
def test_a_camera_that_is_not_there_is_named_in_both_languages(tmp_path):
    with pytest.raises(CameraError, match="no picture that can be read") as refused, open_camera(str(tmp_path)) as seen:
        next(seen)
    assert said(str(refused.value)) == f"im Ordner {str(tmp_path)!r} ist kein lesbares Bild: legt JPEG-Dateien hinein"


def spread_picture(phone, game_id, photo, version, **more):
    data = {"version": str(version), "spread": (io.BytesIO(photo), "spread.jpg")}
    return phone.post(f"/g/{game_id}/hand/spread", data=data, **more)


def read(answer) -> str:
    return html.unescape(answer.text)


def test_one_picture_is_told_to_two_phones_in_their_languages(client, other_client, book, eye, game_id, photo):
    book.enrol_deck(game_id, "amy", "red", ["a signature"], request_id="deck")
    eye.spread_problems = (spotted(ODD, (0, 30.0, 38.0)), "a sentence of another eye")
    spread_picture(client, game_id, photo, 2)
    english, german = (
        read(client.get(f"/g/{game_id}/hand")),
        read(other_client.get(f"/g/{game_id}/hand", headers=GERMAN)),
    )
    assert ODD in english
    assert ODD_GERMAN not in english
    assert ODD_GERMAN in german
    assert ODD not in german
    assert "a sentence of another eye" in german


def test_what_is_kept_of_a_sentence_is_english_and_how_it_was_made(client, book, eye, game_id, photo):
    book.enrol_deck(game_id, "amy", "red", ["a signature"], request_id="deck")
    eye.spread_problems = (spotted(ODD, (0, 30.0, 38.0)),)
    spread_picture(client, game_id, photo, 2, headers=GERMAN)
    (doubt,) = json.loads(json.dumps(book.draft(game_id)))["0"]["looks"]["spread"]["doubts"]
    assert (doubt["text"], doubt["made"]["message"]) == (ODD, ODD.message)


def test_a_refused_picture_is_told_in_german(client, eye, game_id):
    def refuse(data):
        raise PictureError(say("%(name)s is empty: take or choose the photo again", name=say("the picture")))

    eye.lake = refuse
    data = {"version": "1", "lake": (io.BytesIO(b"x"), "lake.jpg")}
    answer = client.post(f"/g/{game_id}/hand/lake", data=data, headers=GERMAN)
    assert "Das Bild ist leer: macht oder wählt das Foto noch einmal." in read(answer)


@pytest.mark.usefixtures("german")
def test_a_batch_is_named_in_german():
    whole = joined([SpreadReading((), {}, True, ()), SpreadReading((), {}, False, (spotted(ODD, (0, 1.0, 2.0)),))])
    assert said(whole.problems[0]) == f"{ODD_GERMAN} (Teil 2)"
    assert spots_of(whole.problems[0]) == ((1, 1.0, 2.0),)


@pytest.mark.usefixtures("german")
def test_a_real_picture_that_is_doubted_is_told_in_german_from_the_eyes_own_process():
    picture = data_path("datasets/samples/hand1/lake.jpg").read_bytes()
    with EyeProcess() as eye:
        problems = eye.spread([picture], {}).reading.problems
    assert problems
    assert all(said(text) != text for text in problems), "every sentence crossed the pipe with how it was made"
    assert said(words.NO_CARDS).startswith("keine Karten zu sehen")
