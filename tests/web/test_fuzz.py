"""Whatever is sent to any route, the server answers in words: schemathesis over the description of the code."""

from __future__ import annotations

import html
import io
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper.rules.events import HandDisputed
from scorekeeper.rules.notation import parse_hand
from web import create_app
from web.openapi import ANSWERS, describe

EACH = int(os.environ.get("SCOREKEEPER_FUZZ", "1"))
"""Requests to each route by each role."""
LIMITS = settings(
    max_examples=EACH,
    deadline=None,
    derandomize=EACH <= 3,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def table(book, game_id, eye, photo, settings) -> Any:
    """A table in the middle of a game, whose brakes are off: they would answer instead of the pages."""
    app = create_app(book, eye, replace(settings, pin="271828"))
    parts = app.extensions["scorekeeper"]
    parts.pins.free = parts.pins.free_together = parts.codes.free = parts.codes.free_together = 10**9
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="1")
    book.record_hand(game_id, parse_hand("amy 4/2 ben 19/0!"), request_id="2")
    book.note(game_id, HandDisputed(1, "who called?"), request_id="doubt")
    parts.pictures.attach(game_id, "hand-2", 3, {"lake": [parts.pictures.keep(photo)]})
    return app


def phones(app: Any, game_id: str) -> dict[str, Any]:
    made = {role: app.test_client() for role in ("watcher", "player", "scorekeeper")}
    sign_in(made, app, game_id)
    return made


def sign_in(made: dict[str, Any], app: Any, game_id: str) -> None:
    """Makes everybody what they are; what is sent to sign-out or leave ends that."""
    made["scorekeeper"].post("/sign-in", data={"pin": "271828"})
    code = app.extensions["scorekeeper"].players.code(game_id)
    made["player"].post(f"/g/{game_id}/play/join", data={"code": code, "side": "amy"})


def described(app: Any, keeper: Any, game_id: str) -> dict[str, Any]:
    """The description, with the fields and values of the pages as they are drawn among what may be sent."""
    description = describe(app)
    fields = drawn_fields(keeper, game_id)
    for path, operations in description["paths"].items():
        for operation in operations.values():
            for body in operation.get("requestBody", {"content": {}})["content"].values():
                texts = body["schema"]["properties"]
                more = fields if "/g/" in path else {}
                texts.update({name: {"type": "string"} for name in more if name not in texts})
                for name in texts:
                    if texts[name].get("format") != "binary":
                        texts[name] = likely(texts[name], more.get(name, []))
    return description


def likely(schema: dict[str, Any], values: list[Any]) -> dict[str, Any]:
    """Values that mean something, beside all others."""
    return {"anyOf": [{"enum": values}, schema]} if values else schema


def drawn_fields(keeper: Any, game_id: str) -> dict[str, list[str]]:
    """Every field of the pages of a game with the values that stand in it."""
    fields: dict[str, set[str]] = {}
    for page in ("hand", "referee", "sides", "rules/change", "decks", "hands/1/correct", "undo", "rematch", "join"):
        for tag in re.findall(
            r"<(?:input|button|option|select|textarea)\b[^>]*>", keeper.get(f"/g/{game_id}/{page}").text
        ):
            found = {key: html.unescape(value) for key, value in re.findall(r'\b(name|value)="([^"]*)"', tag)}
            if "name" in found:
                fields.setdefault(found["name"], set()).add(found.get("value", ""))
    return {name: sorted(values) for name, values in fields.items()}


def operations(description: dict[str, Any]) -> Iterator[Any]:
    schema = schemathesis.openapi.from_dict(description)
    for result in schema.get_all_operations():
        yield result.ok()


def send(phone: Any, case: Any, photo: bytes) -> Any:
    """Sends what schemathesis made up; every second file is a real picture."""
    body = case.body if isinstance(case.body, dict) else {}
    data = {
        name: (io.BytesIO(photo if len(value) % 2 else value), "a.jpg") if isinstance(value, bytes) else str(value)
        for name, value in body.items()
    }
    kind = {"content_type": case.media_type} if case.method == "POST" else {}
    answer = phone.open(
        case.formatted_path, method=case.method, query_string=dict(case.query), data=data or None, **kind
    )
    first = next(answer.iter_encoded(), b"")
    answer.close()
    return answer.status_code, first


def test_whatever_is_sent_the_server_answers_in_words(table, game_id, photo, caplog, capsys):
    made = phones(table, game_id)
    answers: Counter[int] = Counter()

    there = {"game_id": game_id, "side": "amy", "step": "lake", "number": 1, "entry": "deck-backs"}

    def ask(case: Any, role: str, real: bool) -> None:
        if real:
            case.path_parameters = {name: there.get(name, value) for name, value in case.path_parameters.items()}
        status, first = send(made[role], case, photo)
        answers[status] += 1
        assert str(status) in ANSWERS or status == 302, (status, case.formatted_path, first[:300])
        assert status < 500 or b"Something broke" not in first

    for operation in operations(described(table, made["scorekeeper"], game_id)):
        sign_in(made, table, game_id)
        LIMITS(
            given(operation.as_strategy(), st.sampled_from(sorted(made)), st.sampled_from([True, True, False]))(ask)
        )()
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []
    assert sum(answers.values()) > 95 * EACH * 0.5
    assert {200, 303, 403, 404, 422} <= set(answers)
    with capsys.disabled():
        print(f" [{sum(answers.values())} requests: {dict(sorted(answers.items()))}]", end="")


def test_every_route_is_described(app):
    description = describe(app)
    described_routes = {(method.upper(), path) for path, ways in description["paths"].items() for method in ways}
    known = {
        (method, re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in rule.methods & {"GET", "POST"}
    }
    assert described_routes == known
    assert description["paths"]["/sign-in"]["post"]["requestBody"]["content"]["application/x-www-form-urlencoded"][
        "schema"
    ]["properties"].keys() >= {"pin", "who", "next"}


def test_the_description_is_openapi(app):
    assert len(list(operations(describe(app)))) > 90
    assert Path(schemathesis.__file__).exists()
