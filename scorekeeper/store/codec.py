"""Events as JSON and back: explicit, with a version for each kind, so that old games stay readable."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, assert_never

from scorekeeper.errors import ScorekeeperError, StoreError
from scorekeeper.rules.game import DeckEnrolled, Event, GameStarted, HandCorrected, HandRecorded, LastHandUndone
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.scoring import Adjustment, Hand, Rules, Side, SideId, Tally

Json = dict[str, Any]


def encode(event: Event) -> tuple[str, str]:
    """Kind and body of *event*; the body is JSON in plain ASCII with its version under ``v``."""
    kind, body = _encode(event)
    return kind, json.dumps({"v": 1, **body}, separators=(",", ":"))


def _encode(event: Event) -> tuple[str, Json]:
    match event:
        case GameStarted(sides, rules):
            return "game-started", {"sides": [asdict(side) for side in sides], "rules": asdict(rules)}
        case DeckEnrolled(side, deck, signatures):
            return "deck-enrolled", {"side": side, "deck": deck, "signatures": list(signatures)}
        case HandRecorded(hand, doubts):
            return "hand-recorded", {"hand": _hand_to_json(hand), "doubts": list(doubts)}
        case HandCorrected(number, hand, reason, doubts):
            body = {"number": number, "hand": _hand_to_json(hand), "reason": reason, "doubts": list(doubts)}
            return "hand-corrected", body
        case LastHandUndone(reason):
            return "last-hand-undone", {"reason": reason}
        case _:
            assert_never(event)


def _hand_to_json(hand: Hand) -> Json:
    return {
        "tallies": [[tally.side, tally.lake, tally.nertz_left] for tally in hand.tallies],
        "callers": list(hand.callers),
        "adjustments": [[each.side, each.points, each.reason] for each in hand.adjustments],
    }


def decode(kind: str, body: str) -> Event:
    """The event of *kind* written as *body*; raises StoreError for what this program does not know."""
    try:
        data = json.loads(body)
        version = data["v"]
        decoder = _DECODERS.get((kind, version))
        if decoder is not None:
            return decoder(data)
    except (ValueError, KeyError, TypeError, AttributeError, ScorekeeperError) as error:
        raise StoreError(f"a {kind!r} event can't be read ({error}): restore the database from a copy") from error
    raise StoreError(
        f"this program does not know the event {kind!r} version {version!r}: "
        "the game was written by a newer Nertz Scorekeeper, so update this one"
    )


def _game_started(data: Json) -> GameStarted:
    return GameStarted(tuple(_side(each) for each in data["sides"]), Rules(**data["rules"]))


def _side(data: Json) -> Side:
    deck = data["deck"]
    return Side(
        SideId(data["id"]), data["name"], data["color"], None if deck is None else DeckId(deck), data["pattern"]
    )


def _deck_enrolled(data: Json) -> DeckEnrolled:
    return DeckEnrolled(SideId(data["side"]), DeckId(data["deck"]), tuple(data["signatures"]))


def _hand_recorded(data: Json) -> HandRecorded:
    return HandRecorded(_hand(data["hand"]), tuple(data["doubts"]))


def _hand_corrected(data: Json) -> HandCorrected:
    return HandCorrected(data["number"], _hand(data["hand"]), data["reason"], tuple(data["doubts"]))


def _last_hand_undone(data: Json) -> LastHandUndone:
    return LastHandUndone(data["reason"])


def _hand(data: Json) -> Hand:
    return Hand(
        tuple(Tally(SideId(side), lake, left) for side, lake, left in data["tallies"]),
        tuple(SideId(side) for side in data["callers"]),
        tuple(Adjustment(SideId(side), points, reason) for side, points, reason in data["adjustments"]),
    )


_DECODERS: Mapping[tuple[str, int], Callable[[Json], Event]] = {
    ("game-started", 1): _game_started,
    ("deck-enrolled", 1): _deck_enrolled,
    ("hand-recorded", 1): _hand_recorded,
    ("hand-corrected", 1): _hand_corrected,
    ("last-hand-undone", 1): _last_hand_undone,
}
"""How to read each kind in each version ever written; an old one is never removed."""
