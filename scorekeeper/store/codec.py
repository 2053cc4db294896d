"""Events as JSON and back: explicit, with a version for each kind, so that old games stay readable.

Fields that came later are written only where they differ from their default, as version 2; an event that uses
none of them is written as it always was, so that an older program reads it too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from enum import StrEnum
from fractions import Fraction
from typing import Any

from scorekeeper.errors import ScorekeeperError, StoreError
from scorekeeper.rules import events
from scorekeeper.rules.events import (
    DeckEnrolled,
    Event,
    GameStarted,
    HandCorrected,
    HandRecorded,
    LastHandUndone,
    NertzCalled,
    PartnersChanged,
    RulesChanged,
    SideJoined,
)
from scorekeeper.rules.house import Play, Rules
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.said import recipe, said_by, say
from scorekeeper.rules.scoring import Adjustment, Hand, Tally, Typed
from scorekeeper.rules.sides import Handicap, Side, SideId

Json = dict[str, Any]

UNREADABLE = (
    ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, ScorekeeperError
)  # fmt: skip
"""What the values of an event raise that can't be."""

OLDEST_RULES = ("target", "lake_value", "nertz_penalty", "bonus", "pile_size", "jokers")
"""House rules that every version writes."""

KINDS: Mapping[type[Event], str] = {
    GameStarted: "game-started",
    DeckEnrolled: "deck-enrolled",
    HandRecorded: "hand-recorded",
    HandCorrected: "hand-corrected",
    LastHandUndone: "last-hand-undone",
    RulesChanged: "rules-changed",
    events.RulesConfirmed: "rules-confirmed",
    SideJoined: "side-joined",
    events.SideLeft: "side-left",
    events.SideReturned: "side-returned",
    events.HandicapSet: "handicap-set",
    PartnersChanged: "partners-changed",
    events.ReadySaid: "ready-said",
    events.HandBegun: "hand-begun",
    events.TimeOutCalled: "time-out-called",
    events.TimeOutEnded: "time-out-ended",
    NertzCalled: "nertz-called",
    events.CallVerified: "call-verified",
    events.CallRefused: "call-refused",
    events.PenaltyGiven: "penalty-given",
    events.PenaltyRemoved: "penalty-removed",
    events.StuckMoved: "stuck-moved",
    events.HandDisputed: "hand-disputed",
    events.DisputeSettled: "dispute-settled",
    events.LateHandsSettled: "late-hands-settled",
    events.SideRenamed: "side-renamed",
    events.SideRestyled: "side-restyled",
    events.SeatsChanged: "seats-changed",
}
"""The stored name of each event; never changed."""


def encode(event: Event) -> tuple[str, str]:
    """Kind and body of *event*; the body is JSON in plain ASCII with its version under ``v``."""
    body, later = _encode(event)
    version = 2 if any(later) else 1
    return KINDS[type(event)], json.dumps({"v": version, **body}, separators=(",", ":"))


def _encode(event: Event) -> tuple[Json, list[bool]]:
    """The body, and for each part whether it uses fields that came later."""
    match event:
        case GameStarted(sides, rules):
            known = [_side_to_json(side) for side in sides]
            written = _rules_to_json(rules)
            body: Json = {"sides": known, "rules": written}
            return body, [len(written) > len(OLDEST_RULES), any(len(each) > 5 for each in known)]
        case HandRecorded(hand, doubts):
            body = {"hand": _hand_to_json(hand)} | _doubts_to_json(doubts)
            return body, [_is_new(hand), "said" in body]
        case HandCorrected(number, hand, reason, doubts, removed):
            body = {"number": number, "hand": _hand_to_json(hand), "reason": reason} | _doubts_to_json(doubts)
            body |= {"removed": list(removed)} if removed else {}
            return body, [_is_new(hand), bool(removed), "said" in body]
        case SideJoined(side):
            return {"side": _side_to_json(side)}, []
        case RulesChanged(rules, reason):
            return {"rules": _rules_to_json(rules), "reason": reason}, []
        case PartnersChanged(partners):
            return {"partners": [[side, list(people)] for side, people in partners]}, []
        case events.CallRefused(side, penalty, second):
            return {"side": side, "penalty": penalty} | ({"second": True} if second else {}), [second]
        case NertzCalled(side):
            pressed = _differing(event, NertzCalled(side))
            return {"side": side, **pressed}, [bool(pressed)]
        case _:
            return asdict(event), []


def _rules_to_json(rules: Rules) -> Json:
    body = {name: value for name, value in asdict(rules).items() if name in OLDEST_RULES}
    return body | _differing(rules, Rules(), skip=OLDEST_RULES)


def _differing(value: Any, default: Any, skip: tuple[str, ...] = ()) -> Json:
    """The fields of *value* that are not as in *default*, nested values likewise."""
    body: Json = {}
    for field in fields(value):
        now, usual = getattr(value, field.name), getattr(default, field.name)
        if field.name not in skip and now != usual:
            body[field.name] = _differing(now, usual) if isinstance(now, Play) else now
    return body


def _side_to_json(side: Side) -> Json:
    body = asdict(side)
    members, handicap = body.pop("members"), body.pop("handicap")
    later = ({"members": list(members)} if members else {}, {"handicap": handicap} if any(handicap.values()) else {})
    return body | later[0] | later[1]


def _doubts_to_json(doubts: Sequence[str]) -> Json:
    """The doubts in English, and how each sentence was made where that is known."""
    made = [recipe(text) for text in doubts]
    return {"doubts": list(doubts)} | ({"said": made} if any(made) else {})


def _is_new(hand: Hand) -> bool:
    return bool(hand.shares or hand.typed or any(tally.ranks for tally in hand.tallies))


def _hand_to_json(hand: Hand) -> Json:
    body: Json = {
        "tallies": [_tally_to_json(tally) for tally in hand.tallies],
        "callers": list(hand.callers),
        "adjustments": [[each.side, each.points, each.reason] for each in hand.adjustments],
    }
    body |= {"shares": [[side, str(share)] for side, share in hand.shares]} if hand.shares else {}
    return body | ({"typed": [[typed.side, str(typed.score)] for typed in hand.typed]} if hand.typed else {})


def _tally_to_json(tally: Tally) -> list[Any]:
    ranks = [[list(pair) for pair in tally.ranks]] if tally.ranks else []
    return [tally.side, tally.lake, tally.nertz_left, *ranks]


def decode(kind: str, body: str) -> Event:
    """The event of *kind* written as *body*; raises StoreError for what this program does not know."""
    try:
        data = json.loads(body)
        version = data.pop("v")
        decoder = _DECODERS.get((kind, version))
        if decoder is not None:
            return decoder(data)
    except UNREADABLE as error:
        raise StoreError(
            say(
                "a %(kind)r event can't be read (%(reason)s): restore the database from a copy",
                kind=kind,
                reason=str(error)[:200],
            )
        ) from error
    raise StoreError(
        say(
            "this program does not know the event %(kind)r version %(version)r: "
            "the game was written by a newer Nertz Scorekeeper, so update this one",
            kind=kind,
            version=version,
        )
    )


def is_known(kind: object, version: object) -> bool:
    """Whether this program reads events of *kind* in *version*."""
    return (kind, version) in _DECODERS


def _game_started(data: Json) -> GameStarted:
    return GameStarted(tuple(_side(each) for each in data["sides"]), _rules(data["rules"]))


def _rules(data: Json) -> Rules:
    play = Play(**_typed(Play(), data.get("play", {})))
    extras = tuple((rank, extra) for rank, extra in data.get("rank_extras", ()))
    plain = {name: value for name, value in data.items() if name not in ("play", "rank_extras")}
    return Rules(**_typed(Rules(), plain), rank_extras=extras, play=play)


def _typed(default: Rules | Play, data: Json) -> Json:
    """*data* with words turned into the choices they stand for."""
    usual = {name: getattr(default, name) for name in data}
    return {
        name: type(usual[name])(value) if isinstance(usual[name], StrEnum) else value for name, value in data.items()
    }


def _side(data: Json) -> Side:
    deck, handicap = data["deck"], Handicap(**data.get("handicap", {}))
    known = None if deck is None else DeckId(deck)
    members = tuple(data.get("members", ()))
    return Side(SideId(data["id"]), data["name"], data["color"], known, data["pattern"], members, handicap)


def _deck_enrolled(data: Json) -> DeckEnrolled:
    return DeckEnrolled(SideId(data["side"]), DeckId(data["deck"]), tuple(data["signatures"]))


def _hand_recorded(data: Json) -> HandRecorded:
    return HandRecorded(_hand(data["hand"]), _doubts(data))


def _hand_corrected(data: Json) -> HandCorrected:
    hand, doubts, removed = _hand(data["hand"]), _doubts(data), tuple(data.get("removed", ()))
    return HandCorrected(data["number"], hand, data["reason"], doubts, removed)


def _doubts(data: Json) -> tuple[str, ...]:
    texts = data["doubts"]
    pairs = zip(texts, data.get("said", [None] * len(texts)), strict=True)
    return tuple(_doubt(text, made) for text, made in pairs)


def _doubt(text: str, made: Json | None) -> str:
    """*text*, which knows how it was made where it was made like that."""
    again = said_by(made) if made else text
    return again if again == text else text


def _hand(data: Json) -> Hand:
    return Hand(
        tuple(_tally(*each) for each in data["tallies"]),
        tuple(SideId(side) for side in data["callers"]),
        tuple(Adjustment(SideId(side), points, reason) for side, points, reason in data["adjustments"]),
        tuple((SideId(side), _exact(share)) for side, share in data.get("shares", ())),
        tuple(Typed(SideId(side), _exact(score)) for side, score in data.get("typed", ())),
    )


def _exact(text: str) -> Fraction:
    """Points as they are written; ``1e999999999`` would be a number without end."""
    if not re.fullmatch(r"-?[0-9]{1,30}(/[0-9]{1,30})?", text):
        raise ValueError(f"{text[:40]!r} is no number of points")
    return Fraction(text)


def _tally(side: str, lake: int, left: int, ranks: Any = ()) -> Tally:
    return Tally(SideId(side), lake, left, tuple((rank, number) for rank, number in ranks))


def _rules_changed(data: Json) -> RulesChanged:
    return RulesChanged(_rules(data["rules"]), data["reason"])


def _handicap_set(data: Json) -> events.HandicapSet:
    return events.HandicapSet(SideId(data["side"]), Handicap(**data["handicap"]))


def _partners_changed(data: Json) -> PartnersChanged:
    return PartnersChanged(tuple((SideId(side), tuple(people)) for side, people in data["partners"]))


def _time_out_called(data: Json) -> events.TimeOutCalled:
    reason = events.TimeOutReason(data["reason"])
    return events.TimeOutCalled(reason, tuple(SideId(side) for side in data["sides"]), data["note"])


def _stuck_moved(data: Json) -> events.StuckMoved:
    side = data["side"]
    return events.StuckMoved(events.StuckMove(data["move"]), None if side is None else SideId(side))


def _plain(kind: type[Event]) -> Callable[[Json], Event]:
    """Reads an event whose fields are words and numbers."""
    return lambda data: kind(**data)


_SPECIAL: Mapping[tuple[str, int], Callable[[Json], Event]] = {
    ("game-started", 1): _game_started,
    ("game-started", 2): _game_started,
    ("deck-enrolled", 1): _deck_enrolled,
    ("hand-recorded", 1): _hand_recorded,
    ("hand-recorded", 2): _hand_recorded,
    ("hand-corrected", 1): _hand_corrected,
    ("hand-corrected", 2): _hand_corrected,
    ("rules-changed", 1): _rules_changed,
    ("side-joined", 1): lambda data: SideJoined(_side(data["side"])),
    ("handicap-set", 1): _handicap_set,
    ("partners-changed", 1): _partners_changed,
    ("seats-changed", 1): lambda data: events.SeatsChanged(tuple(map(SideId, data["order"]))),
    ("call-refused", 2): _plain(events.CallRefused),
    ("nertz-called", 2): _plain(NertzCalled),
    ("time-out-called", 1): _time_out_called,
    ("stuck-moved", 1): _stuck_moved,
}

_DECODERS: Mapping[tuple[str, int], Callable[[Json], Event]] = {
    **{(name, 1): _plain(kind) for kind, name in KINDS.items()},
    **_SPECIAL,
}
"""How to read each kind in each version ever written; an old one is never removed."""
