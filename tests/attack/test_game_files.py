"""Files that claim to be games: each is refused, or is a game whose every page can be shown."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import Any

import pytest

from scorekeeper.config import Settings
from scorekeeper.rules import events
from scorekeeper.rules.house import Rules
from scorekeeper.rules.scoring import Adjustment, Hand, Side, SideId, Tally, Typed, make_sides
from scorekeeper.scorebook import Scorebook
from scorekeeper.store import Entry, open_log
from scorekeeper.store.transfer import _digest, write_game
from web import create_app

SIDES = make_sides(["Amy", "Ben", "Cleo"])
AMY, BEN, CLEO = (side.id for side in SIDES)
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
PARTS = ("", "/board", "/history", "/statistics", "/sheet", "/scores.csv", "/game.json", "/hands/1", "/hand", "/undo")
MORE = ("/decks", "/referee", "/rules", "/sides", "/rematch", "/hands/1/correct", "/late", "/audit")

Json = dict[str, Any]


def tallied(amy: int, ben: int, cleo: int) -> Hand:
    return Hand((Tally(AMY, amy, 0), Tally(BEN, ben, 2), Tally(CLEO, cleo, 1)), (AMY,), (Adjustment(BEN, 2, "late"),))


EVENING: list[events.Event] = [
    events.GameStarted(SIDES, Rules(target=500)),
    events.DeckEnrolled(AMY, "red", ("c2lnbmF0dXJl",)),
    events.ReadySaid(AMY),
    events.HandBegun(),
    events.TimeOutCalled(events.TimeOutReason.EMERGENCY, (), "the phone rings"),
    events.TimeOutEnded(),
    events.PenaltyGiven(CLEO, -5, "a card too early"),
    events.NertzCalled(AMY, 1_777_000_000_000, 40),
    events.CallVerified(AMY),
    events.HandRecorded(tallied(14, 9, 5), ("13 cards are missing",)),
    events.HandRecorded(Hand((), (BEN,), (), (), (Typed(AMY, 7), Typed(BEN, 12), Typed(CLEO, -3)))),
    events.HandCorrected(1, tallied(13, 9, 5), "counted again"),
    events.HandDisputed(1, "the pile of Ben"),
    events.DisputeSettled(1, "it was right"),
    events.SideRenamed(BEN, "Benno"),
    events.SideRestyled(BEN, "#b3123f", "wave"),
    events.SeatsChanged((CLEO, AMY, BEN)),
    events.HandicapSet(CLEO, events.Handicap(start=10)),
    events.RulesChanged(Rules(target=400), "it grows late"),
    events.RulesConfirmed(AMY),
    events.SideJoined(Side(SideId("dan"), "Dan", "#123456")),
    events.SideLeft(SideId("dan"), "tired"),
    events.HandRecorded(tallied(10, 10, 10)),
    events.LastHandUndone("not finished"),
]


def evening() -> Json:
    """A file of a game in which nearly everything happened."""
    entries = [Entry(n, NOON + timedelta(minutes=n), "Pam", f"tap-{n}", event) for n, event in enumerate(EVENING, 1)]
    return json.loads(write_game("tavokimu", entries))


def written(data: Json) -> str:
    """The text of a file with a digest that fits, so that nothing but its values speaks against it."""
    return json.dumps({**data, "digest": _digest(data["events"])})


HOSTILE: list[Any] = [
    "1e999999999", "Infinity", "-Infinity", "NaN", "1/0", "0/0", "-5", "1.5", "9" * 40, "1_000", "½", " 7", "", " ",
    "\ud800", "\0", "\x1b[2J", "a\u202eb", "\n", "x" * 10_000, "<script>alert(1)</script>", "%(name)s", "{{ 7*7 }}",
    "../../etc/passwd", -5, -1, 0, 1.5, 1e308, 10**12, 10**40, 10**4000, True, False, None, [], {}, [1], [[]], ["x"],
    {"v": 1}, [None], "amy",
]  # fmt: skip
"""Values to put in the place of any other; those that no JSON can hold are written as JavaScript would."""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where every value of a file stands."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, each in value.items():
            yield from places(each, (*path, key))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from places(each, (*path, number))


def changed(data: Json, path: tuple[Any, ...], value: Any) -> Json:
    fresh = json.loads(json.dumps(data))
    at = fresh
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return fresh


def event_of(kind: str) -> int:
    return next(n for n, each in enumerate(evening()["events"]) if each["kind"] == kind)


def by_hand() -> list[str]:
    """Files that somebody made to harm: every hostile value as a score, a count, a time, a text and a list."""
    data = evening()
    counted, typed = [n for n, each in enumerate(data["events"]) if each["kind"] == "hand-recorded"][:2]
    fixed = event_of("hand-corrected")
    aims: list[tuple[Any, ...]] = [
        ("events", typed, "body", "hand", "typed", 0, 1),
        ("events", counted, "body", "hand", "tallies", 0, 1),
        ("events", counted, "body", "doubts"),
        ("events", fixed, "body", "reason"),
    ]
    times = [
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "2026-05-01T12:00:00",
        "1e9",
        "",
        "2026-W01-1",
        "now",
    ]
    files = [written(changed(data, aim, value)) for aim in aims for value in HOSTILE]
    files += [written(changed(data, ("events", 3, "at"), time)) for time in times]
    files += [
        written({**data, "events": data["events"] * 1000}),
        written({**data, "events": data["events"][:1] * 20_000}),
    ]
    files += ["[" * 100_000, '{"format": "nertz-scorekeeper-game", "v": 1, "events": ' + "[" * 100_000, "{", "\0", ""]
    late = [{**data["events"][0], "request_id": "a"}, {**data["events"][9], "request_id": "b"}]
    files += [written({**data, "events": late}), written({**data, "events": data["events"][::-1]})]
    return files


def like(data: Json, path: tuple[Any, ...], chance: random.Random) -> Any:
    """Another value of the kind that stands there: a number near it, or a text or list from elsewhere in the file."""
    value = reduce(lambda at, step: at[step], path, data)
    if isinstance(value, int) and not isinstance(value, bool):
        return value + chance.choice((-100, -3, -1, 1, 2, 50, 5000))
    others = [reduce(lambda at, step: at[step], place, data) for place in places(data)]
    return chance.choice([each for each in others if type(each) is type(value)])


def mutated(number: int) -> Iterator[str]:
    """Files in which chance changed one to three values, left some out, or changed the order of events."""
    chance, data = random.Random(number), evening()
    everywhere = [path for path in places(data) if path[0] == "events" and len(path) > 1]
    for _ in range(number):
        fresh = data
        for _ in range(chance.randint(1, 3)):
            path = chance.choice(everywhere)
            try:
                fresh = changed(
                    fresh, path, chance.choice(HOSTILE) if chance.random() < 0.3 else like(fresh, path, chance)
                )
            except (KeyError, IndexError, TypeError):
                continue  # an earlier change took that place away
        if chance.random() < 0.3 and isinstance(fresh["events"], list):
            chance.shuffle(fresh["events"])
        yield written(fresh)


def form_of(text: str) -> bytes:
    """The file as a browser posts it."""
    head = b'------\r\nContent-Disposition: form-data; name="game_file"; filename="game.json"\r\n\r\n'
    return head + text.encode("utf-8", "surrogatepass") + b"\r\n--------\r\n"


def attack(tmp_path, files: list[str]) -> Counter[int]:
    """Reads every file in as a browser does; every page of what was taken must be there. Answers by status."""
    settings = Settings(data_dir=tmp_path, pin="271828")
    log = open_log(settings.url)
    book = Scorebook(log)
    app = create_app(book, None, settings)
    app.config["PROPAGATE_EXCEPTIONS"] = False
    phone = app.test_client()
    phone.post("/sign-in", data={"pin": settings.pin})
    statuses: Counter[int] = Counter()
    for number, text in enumerate(files):
        before = {game.id for game in book.games()}
        answer = phone.post("/import", data=form_of(text), content_type="multipart/form-data; boundary=----")
        statuses[answer.status_code] += 1
        assert answer.status_code in (303, 409, 422), (number, answer.status_code, text[:300])
        after = {game.id for game in book.games()}
        assert answer.status_code == 303 or after == before, (number, "half taken")
        for game in after - before:
            pages = {part: phone.get(f"/g/{game}{part}").status_code for part in (*PARTS, *MORE)}
            assert {part for part, status in pages.items() if status >= 500} == set(), (number, text[-600:])
    for page in ("/", "/people", "/start"):
        assert phone.get(page).status_code == 200
    assert not [game for game in book.games() if game.trouble]
    log.close()
    return statuses


def test_the_evening_itself_is_taken(tmp_path):
    assert attack(tmp_path, [written(evening())]) == {303: 1}


def test_no_file_made_to_harm_harms(tmp_path, rounds, found):
    files = by_hand()[:: rounds(3, 1)]
    statuses = attack(tmp_path, files)
    found(f"{len(files)} hostile game files: {statuses[422] + statuses[409]} refused, {statuses[303]} taken whole")
    assert len(files) > rounds(50, 100)
    assert statuses[422] > 0.8 * len(files)


def test_no_file_that_chance_changed_harms(tmp_path, rounds, found):
    files = list(mutated(rounds(15, 1000)))
    statuses = attack(tmp_path, files)
    found(f"{len(files)} mutated game files: {statuses[422] + statuses[409]} refused, {statuses[303]} taken whole")


@pytest.mark.parametrize("name", ["1e999999999", "a file without end"])
def test_others_are_answered_while_a_hostile_file_is_read(server, asking, name, found):
    data = evening()
    typed = [n for n, each in enumerate(data["events"]) if each["kind"] == "hand-recorded"][1]
    penalties = [{**data["events"][6], "request_id": f"again-{n}"} for n in range(4900)]
    text = {
        "1e999999999": written(changed(data, ("events", typed, "body", "hand", "typed", 0, 1), "1e999999999")),
        "a file without end": written({**data, "events": [*data["events"][:4], *penalties]}),
    }[name]
    with server.keeper() as phone, asking() as asker:
        status = phone.post("/import", files={"game_file": ("game.json", text.encode())}).status_code
    assert status == {"1e999999999": 422, "a file without end": 303}[name]
    found(f"{name}: the others waited {asker.longest_s:.2f} s at most")
    assert asker.longest_s < 6
