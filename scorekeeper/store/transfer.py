"""A whole game as one file: every event with who and when, to keep, to pass on and to read in again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import msgspec

from scorekeeper.errors import GameFileError
from scorekeeper.rules.fold import fold, follow
from scorekeeper.rules.said import Said, say
from scorekeeper.rules.sides import is_text
from scorekeeper.store import schema
from scorekeeper.store.codec import UNREADABLE, decode, encode, is_known
from scorekeeper.store.log import Entry, moment
from scorekeeper.store.schema import FORMAT, VERSION, File

LONGEST_ID = 100
"""Characters of a request id."""
LONGEST_NAME = 80
"""Characters of who did something."""

FOREIGN = say("this is no game of the Nertz Scorekeeper: choose a file that its History page has saved")
TABLE = say(
    "this is a game's table for spreadsheets, which has not everything of it: choose the file whose name ends in .json"
)
NEWER = say("this game was written by a newer Nertz Scorekeeper: update this one, then read it in again")
DAMAGED = say("the file of this game is damaged: save it again where it was played")
ENDLESS = say("this game is longer than any table plays, so it is not read: choose another file")
DIFFERENT = say("this game is here already and went on differently: nothing was changed")


def write_game(game_id: str, entries: Sequence[Entry]) -> str:
    """The file of a game, the same text for the same events."""
    events = [_to_json(entry) for entry in entries]
    head = {"format": FORMAT, "v": VERSION, "game": game_id, "digest": _digest(events), "events": events}
    return json.dumps(head, indent=1) + "\n"


def read_game(text: str) -> tuple[str, list[Entry]]:
    """The name and the entries of a game; raises GameFileError for anything that is not the whole of one.

    It takes a long file some seconds, and no page and no database.
    """
    try:
        data = msgspec.json.decode(text.encode())
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError) as error:
        is_table = "lake points" in text.partition("\n")[0]
        raise GameFileError(_damaged(text) if FORMAT in text else TABLE if is_table else FOREIGN) from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise GameFileError(FOREIGN)
    if data.get("v") != VERSION:
        raise GameFileError(NEWER)
    try:
        return _read(data)
    except UNREADABLE as error:
        raise error if isinstance(error, GameFileError) else GameFileError(DAMAGED) from error


def _damaged(text: str) -> Said:
    """Says in which line *text* stops being JSON, as somebody may have edited it; not where it is only cut short."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        cut = error.msg.startswith("Unterminated") or error.pos >= len(text.rstrip()) - len("false")
        in_line = say(
            "the file of this game is damaged in line %(line)s: save it again where it was played", line=error.lineno
        )
        return DAMAGED if cut else in_line
    except RecursionError:
        pass
    return DAMAGED


def _read(data: dict[str, Any]) -> tuple[str, list[Entry]]:
    file = msgspec.convert(data, File)
    if file.digest != _digest(data["events"]):
        raise ValueError("the head does not fit the events")
    if file.is_endless:
        raise GameFileError(ENDLESS)
    if any(not is_known(each.kind, each.body["v"]) for each in file.events):
        raise GameFileError(NEWER)
    entries = [_entry(number, each) for number, each in enumerate(file.events, 1)]
    if len({entry.request_id for entry in entries}) < len(entries):
        raise ValueError("one request has two events")
    fold((entry.event for entry in entries), follow)
    return file.game, entries


def _to_json(entry: Entry) -> dict[str, Any]:
    kind, body = encode(entry.event)
    at = entry.at.isoformat()
    return {"at": at, "who": entry.who, "request_id": entry.request_id, "kind": kind, "body": json.loads(body)}


def _entry(number: int, each: schema.Event) -> Entry:
    if (each.who and not is_text(each.who, LONGEST_NAME)) or not is_text(each.request_id, LONGEST_ID):
        raise ValueError(f"the envelope of event {number} can't be")
    schema.read_body(each.kind, each.body)
    return Entry(number, moment(each.at), each.who, each.request_id, decode(each.kind, json.dumps(each.body)))


def _digest(events: object) -> str:
    """A short word for the events: a letter that was changed by accident gives another one."""
    return hashlib.sha256(json.dumps(events, sort_keys=True).encode()).hexdigest()[:32]
