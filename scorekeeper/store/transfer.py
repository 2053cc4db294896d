"""A whole game as one file: every event with who and when, to keep, to pass on and to read in again."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from scorekeeper.errors import GameFileError, ScorekeeperError
from scorekeeper.rules.fold import fold, follow
from scorekeeper.rules.said import say
from scorekeeper.rules.sides import is_text
from scorekeeper.store.codec import decode, encode, is_known
from scorekeeper.store.log import Entry

FORMAT = "nertz-scorekeeper-game"
VERSION = 1
"""Of the file; each event says its own."""
LONGEST_ID = 100
"""Characters of a request id."""
LONGEST_NAME = 80
"""Characters of who did something."""

FOREIGN = say("this is no game of the Nertz Scorekeeper: choose a file that its History page has saved")
NEWER = say("this game was written by a newer Nertz Scorekeeper: update this one, then read it in again")
DAMAGED = say("the file of this game is damaged: save it again where it was played")
DIFFERENT = say("this game is here already and went on differently: nothing was changed")


def write_game(game_id: str, entries: Sequence[Entry]) -> str:
    """The file of a game, the same text for the same events."""
    events = [_to_json(entry) for entry in entries]
    head = {"format": FORMAT, "v": VERSION, "game": game_id, "digest": _digest(events), "events": events}
    return json.dumps(head, indent=1) + "\n"


def read_game(text: str) -> tuple[str, list[Entry]]:
    """The name and the entries of a game; raises GameFileError for anything that is not the whole of one."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise GameFileError(DAMAGED if FORMAT in text else FOREIGN) from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise GameFileError(FOREIGN)
    if data.get("v") != VERSION:
        raise GameFileError(NEWER)
    try:
        return _read(data)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, ScorekeeperError) as error:
        raise error if isinstance(error, GameFileError) else GameFileError(DAMAGED) from error


def _read(data: dict[str, Any]) -> tuple[str, list[Entry]]:
    game_id, events = data["game"], data["events"]
    if not re.fullmatch(r"[a-z]{1,40}", game_id) or data["digest"] != _digest(events):
        raise ValueError("the head does not fit the events")
    if any(not is_known(each["kind"], each["body"]["v"]) for each in events):
        raise GameFileError(NEWER)
    entries = [_entry(number, each) for number, each in enumerate(events, 1)]
    if len({entry.request_id for entry in entries}) < len(entries):
        raise ValueError("one request has two events")
    fold((entry.event for entry in entries), follow)
    return game_id, entries


def _to_json(entry: Entry) -> dict[str, Any]:
    kind, body = encode(entry.event)
    at = entry.at.isoformat()
    return {"at": at, "who": entry.who, "request_id": entry.request_id, "kind": kind, "body": json.loads(body)}


def _entry(number: int, data: dict[str, Any]) -> Entry:
    at, who, request_id = datetime.fromisoformat(data["at"]), data["who"], data["request_id"]
    if at.utcoffset() is None or (who and not is_text(who, LONGEST_NAME)) or not is_text(request_id, LONGEST_ID):
        raise ValueError(f"the envelope of event {number} can't be")
    return Entry(number, at, who, request_id, decode(data["kind"], json.dumps(data["body"])))


def _digest(events: object) -> str:
    """A short word for the events: a letter that was changed by accident gives another one."""
    return hashlib.sha256(json.dumps(events, sort_keys=True).encode()).hexdigest()[:32]
