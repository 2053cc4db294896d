"""The last seconds before a call are watched picture by picture, and kept with the hand where the table wants it."""

from __future__ import annotations

import re
import time

import pytest

from scorekeeper.rules.events import CallRefused, CallVerified, HandBegun, NertzCalled, TimeOutCalled, TimeOutReason
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import SideId

AMY, BEN = SideId("amy"), SideId("ben")
PATIENCE_S = 20.0


@pytest.fixture
def happens(book, game_id, app):
    """Writes what happens at the table."""
    taps = iter(range(100))
    return lambda event: book.note(game_id, event, request_id=f"tap-{next(taps)}")


def wait_for(what) -> None:
    until = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.01)


def test_the_camera_keeps_pictures_only_while_a_hand_is_played(happens, eye, book, game_id):
    happens(HandBegun())
    wait_for(lambda: eye.recording)
    happens(NertzCalled(AMY))
    wait_for(lambda: not eye.recording)
    happens(CallRefused(AMY))
    wait_for(lambda: eye.recording)
    happens(TimeOutCalled(TimeOutReason.EMERGENCY))
    wait_for(lambda: not eye.recording)


def test_a_recorded_hand_ends_it_too(happens, eye, book, game_id):
    happens(HandBegun())
    wait_for(lambda: eye.recording)
    book.record_hand(game_id, parse_hand("amy 9/0! ben 4/2"), request_id="hand")
    wait_for(lambda: not eye.recording)


def test_nobody_watches_while_play_is_on(watcher, happens, game_id):
    assert "Nothing is kept yet" in watcher.get(f"/g/{game_id}/replay").text
    happens(HandBegun())
    assert "Play is on" in watcher.get(f"/g/{game_id}/replay").text
    assert watcher.get(f"/g/{game_id}/replay/40.jpg").status_code == 422


def test_after_a_call_everybody_watches_picture_by_picture(watcher, happens, game_id):
    happens(HandBegun())
    happens(NertzCalled(AMY))
    assert f'href="/g/{game_id}/replay"' in watcher.get(f"/g/{game_id}/referee").text
    last = watcher.get(f"/g/{game_id}/replay").text
    assert f'src="/g/{game_id}/replay/40.jpg"' in last
    assert "0.0 s before play stopped, picture 40 of 40" in last
    back = re.search(r'href="(/g/\w+/replay\?at=\d+)"[^>]*aria-label="A second back"', last)
    assert back is not None
    assert "1.0 s before play stopped, picture 32 of 40" in watcher.get(back[1]).text
    first = watcher.get(f"/g/{game_id}/replay?at=0").text
    assert 'aria-label="One picture back"' not in first
    picture = watcher.get(f"/g/{game_id}/replay/1.jpg")
    assert picture.mimetype == "image/jpeg"
    assert picture.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("at", ["-5", "9999", "x", ""])
def test_a_place_that_is_none_shows_the_nearest(watcher, happens, game_id, at):
    happens(HandBegun())
    happens(NertzCalled(AMY))
    assert "of 40" in watcher.get(f"/g/{game_id}/replay?at={at}").text


def test_a_moment_is_kept_with_its_hand(client, watcher, happens, book, game_id):
    happens(HandBegun())
    happens(NertzCalled(AMY))
    assert watcher.post(f"/g/{game_id}/replay", data={"at": "20"}).status_code == 403
    done = client.post(f"/g/{game_id}/replay", data={"at": "20"}, follow_redirects=True)
    assert "7 pictures are kept with the hand" in done.text
    happens(CallVerified(AMY))
    book.record_hand(game_id, parse_hand("amy 9/0! ben 4/2"), request_id="hand")
    hand = watcher.get(f"/g/{game_id}/hands/1").text
    assert "The moment that was kept" in hand
    kept = re.findall(r'<img src="(/pictures/[^"]+)"', hand)
    assert len(kept) == 7
    assert watcher.get(kept[0]).mimetype == "image/jpeg"


def test_a_dispute_looks_back_until_the_next_hand_begins(watcher, happens, book, game_id):
    happens(HandBegun())
    happens(NertzCalled(AMY))
    happens(CallVerified(AMY))
    book.record_hand(game_id, parse_hand("amy 9/0! ben 4/2"), request_id="hand")
    assert "Watch the last seconds of this hand" in watcher.get(f"/g/{game_id}/hands/1").text
    happens(HandBegun())
    assert "Watch the last seconds" not in watcher.get(f"/g/{game_id}/hands/1").text


def test_another_game_sees_nothing_of_it(watcher, happens, book, game_id):
    from scorekeeper.rules.scoring import Rules, make_sides

    happens(HandBegun())
    happens(NertzCalled(AMY))
    other = book.start_game(make_sides(["Dan", "Eve"]), Rules(), request_id="other")
    assert "Nothing is kept yet" in watcher.get(f"/g/{other}/replay").text
    assert watcher.get(f"/g/{other}/replay/40.jpg").status_code == 422


def test_a_table_without_a_camera_says_so(typed_app, book, game_id):
    book.note(game_id, HandBegun(), request_id="go")
    book.note(game_id, NertzCalled(BEN), request_id="call")
    phone = typed_app.test_client()
    assert "no camera" in phone.get(f"/g/{game_id}/replay").text
    assert "Watch the last seconds" not in phone.get(f"/g/{game_id}/referee").text
