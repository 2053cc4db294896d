"""Every route, asked by everybody in every way: who may not write changes nothing, and looking never does."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from contextlib import closing
from html import unescape
from io import BytesIO

import pytest
from flask import Blueprint

from scorekeeper.rules.events import HandDisputed
from scorekeeper.rules.notation import parse_hand
from web.guard import role_of

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE")
LOOKING = METHODS[:3]
MAY = {"everybody": 0, "player": 1, "keeper": 2}
"""What each role may see of the others' routes: a player watches as everybody does, and the scorekeeper sees all."""


@pytest.fixture
def played(book, game_id, app, photo):
    """Two hands, one of them doubted, with a picture: every page of a game has something to show."""
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/4"), request_id="1")
    book.record_hand(game_id, parse_hand("amy 4/2 ben 19/0!"), request_id="2")
    book.note(game_id, HandDisputed(1, "who called?"), request_id="doubt")
    pictures = app.extensions["scorekeeper"].pictures
    pictures.attach(game_id, "hand-2", 3, {"lake": [pictures.keep(photo)]})
    return game_id


@pytest.fixture
def phones(app, client, played, watcher):
    """One phone of each role: a watcher, one that plays for Amy, the scorekeeper, and one that was it until now."""
    player, former = app.test_client(), app.test_client()
    code = app.extensions["scorekeeper"].players.code(played)
    assert player.post(f"/g/{played}/play/join", data={"code": code, "side": "amy"}).status_code == 303
    assert former.post("/sign-in", data={"pin": "271828"}).status_code == 303
    cookie = former.get_cookie(app.config["SESSION_COOKIE_NAME"]).value
    former.post("/sign-out")
    former.set_cookie(app.config["SESSION_COOKIE_NAME"], cookie)
    return {
        "watcher": (watcher, 0),
        "former scorekeeper": (former, 0),
        "player": (player, 1),
        "scorekeeper": (client, 2),
    }


def kept(settings):
    """Everything that lies in the database and in the data folder."""
    with closing(sqlite3.connect(settings.data_dir / "scorekeeper.db")) as database:
        names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        tables = {name: sorted(map(repr, database.execute(f'SELECT * FROM "{name}"'))) for name in names}
    files = {
        path.name: path.read_bytes()
        for path in settings.data_dir.rglob("*")
        if path.is_file() and path.suffix not in (".small", ".mark") and "scorekeeper.db" not in path.name
    }
    return tables, files


def routes(app, game_id):
    """Each rule with an address of this game."""
    picture = next(iter(app.extensions["scorekeeper"].pictures.attached()))
    values = {"game_id": game_id, "number": 2, "entry": "deck-backs", "side": "amy", "step": "lake", "picture": picture}
    values |= {"filename": "scorekeeper.css"}
    with app.test_request_context():
        adapter = app.url_map.bind("")
        for rule in app.url_map.iter_rules():
            method = "GET" if "GET" in rule.methods else "POST"
            yield rule, adapter.build(rule.endpoint, {name: values[name] for name in rule.arguments}, method=method)


def fields(photo):
    """What would write something on nearly every route that it is posted to."""
    return {
        "version": "4", "hand": "3", "request_id": "walk", "lake.amy": "5", "left.amy": "0", "called.amy": "1",
        "lake.ben": "3", "left.ben": "2", "total": "8", "did": "ready.amy", "action": "renew", "reason": "why not",
        "side": "amy", "side.0": "amy", "name": ["Ann", "Bob"], "left": "3", "pin": "999999", "code": "nonono",
        "count": "1", "at": "0", "act": "start", "keep_corrected": "1", "fix": "gone", "announced": "1",
        "picture_id": "p", "language": "de", "deck": "red", "known": "red",
        **{name: (BytesIO(photo), f"{name}.jpg") for name in ("lake", "spread", "pictures", "picture", "fan", "cards")},
    }  # fmt: skip


def test_every_route_says_who_may_use_it(app):
    assert {role_of(app, rule.endpoint) for rule in app.url_map.iter_rules()} == set(MAY)


def test_a_route_that_does_not_say_who_may_use_it_is_found(app):
    stray = Blueprint("stray", __name__)
    stray.add_url_rule("/stray", "page", lambda: "")
    app._got_first_request = False
    app.register_blueprint(stray)
    with pytest.raises(ValueError, match=r"stray\.page does not say who may use it"):
        [role_of(app, rule.endpoint) for rule in app.url_map.iter_rules()]


@pytest.mark.parametrize("who", ["watcher", "player", "scorekeeper"])
def test_looking_changes_nothing(app, phones, played, settings, who):
    phone, _level = phones[who]
    asked = 0
    before = kept(settings)
    for _rule, path in routes(app, played):
        for method in LOOKING:
            answer = phone.open(path, method=method)
            next(answer.iter_encoded(), b"")
            answer.close()
            assert answer.status_code < 500 or "camera" in answer.text, (method, path)
            asked += 1
    assert kept(settings) == before
    assert asked > 200


@pytest.mark.parametrize("who", ["watcher", "former scorekeeper", "player"])
def test_who_may_not_write_changes_nothing(app, phones, played, settings, photo, who):
    phone, level = phones[who]
    before, refused = kept(settings), 0
    for rule, path in routes(app, played):
        for method in METHODS[3:]:
            if method == "POST" and MAY[role_of(app, rule.endpoint)] <= level and rule.endpoint != "signin.enter":
                continue
            answer = phone.open(path, method=method, data=fields(photo), content_type="multipart/form-data")
            answer.close()
            assert answer.status_code in (403, 405), (method, path, answer.status_code)
            refused += 1
    assert kept(settings) == before
    assert refused > 250


def test_the_same_posts_of_the_scorekeeper_do_write(app, phones, played, settings, photo):
    phone, _level = phones["scorekeeper"]
    wrote = set()
    for rule, path in routes(app, played):
        if "POST" not in rule.methods or rule.endpoint in ("signin.leave", "signin.enter"):
            continue
        before = kept(settings)
        answer = phone.post(path, data=fields(photo), content_type="multipart/form-data")
        answer.close()
        assert answer.status_code < 500, (path, answer.text)
        if kept(settings) != before:
            wrote.add(rule.endpoint)
    assert {"hands.draft", "doors.change", "decks.enrol", "referee_acts.act"} <= wrote
    assert len(wrote) >= 10, wrote


def test_a_form_about_a_hand_that_was_undone_meanwhile_is_refused_in_words(client, book, played):
    """A second scorekeeper undoes the hand, the first settles it."""
    form = {"version": str(book.version(played)), "request_id": "settle", "reason": "all agreed"}
    for number in ("2", "1"):
        book.undo_last_hand(played, "miscounted", request_id=f"undo {number}")
    assert len(book.game(played).hands) == 0
    for path in ("hands/1/settle", "hands/1/dispute", "hands/2/correct"):
        answer = client.post(f"/g/{played}/{path}", data=form)
        assert answer.status_code in (404, 409, 422), path
        assert "Something broke" not in answer.text


def forms(page):
    """Every form of a page as a phone would post it: its address and fields, once for each of its buttons."""
    for whole, head in re.findall(r"(<form\b([^>]*)>.*?</form>)", page, re.DOTALL):
        action = re.search(r'action="([^"]+)"', head)
        if 'method="post"' not in head or action is None:
            continue
        tags = re.findall(r"<(input|button|select|textarea)\b([^>]*)>", whole)
        read = [(kind, dict(re.findall(r'\b([\w-]+)="([^"]*)"', text))) for kind, text in tags]
        fields = {a["name"]: unescape(a.get("value", "1")) for kind, a in read if kind != "button" and "name" in a}
        buttons = [a for kind, a in read if kind == "button"] or [{}]
        for button in buttons:
            pressed = {button["name"]: button.get("value", "")} if "name" in button else {}
            yield unescape(button.get("formaction") or action[1]), {**fields, **pressed}


@pytest.mark.parametrize("change", ["both hands are undone", "the game is over"])
def test_every_form_of_a_page_that_is_out_of_date_is_answered_in_words(client, book, app, played, change):
    with app.test_request_context():
        pages = [path for rule, path in routes(app, played) if "GET" in rule.methods and "/g/" in path]
    drawn = {page: client.get(page) for page in pages if not page.endswith("events") and not page.endswith("told")}
    found = [form for answer in drawn.values() if answer.mimetype == "text/html" for form in forms(answer.text)]
    posts = {repr(form): form for form in found if "/g/" in form[0]}.values()
    if change == "both hands are undone":
        for number in "21":
            book.undo_last_hand(played, "miscounted", request_id=f"undo {number}")
    else:
        for number in "34":
            book.record_hand(played, parse_hand("amy 52/0! ben 1/9"), request_id=number, confirm_doubts=True)
        assert book.game(played).over
    answers = Counter()
    for path, fields_of_form in posts:
        answer = client.post(path, data={**fields_of_form, "reason": "why not", "request_id": "late"})
        answers[answer.status_code] += 1
        assert answer.status_code < 500, (path, fields_of_form, answer.text[:2000])
        answer.close()
    assert len(posts) > 40
    assert answers[409] + answers[422] > 10, answers
