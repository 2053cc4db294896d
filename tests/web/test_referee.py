"""The live referee: from the ready check to the call that stands, and hands that somebody doubts."""

from __future__ import annotations

import re

import pytest

from scorekeeper.errors import RulesError
from scorekeeper.rules.events import NertzCalled, PenaltyGiven, ReadySaid, StuckMove, StuckMoved
from scorekeeper.rules.house import Play, Rules, StuckTable
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import make_sides
from scorekeeper.scorebook import GameId

TAPS = iter(range(10**6))


def tap(phone, game_id, did, version=None, **fields):
    """One tap of the scorekeeper, on a page as new as the game unless *version* says otherwise."""
    page = phone.get(f"/g/{game_id}/referee").text
    seen = version or re.search(r'data-version="(\d+)"', page)[1]
    fields = {"request_id": f"tap {next(TAPS)}", "version": str(seen), "did": did, **fields}
    return phone.post(f"/g/{game_id}/referee", data=fields)


@pytest.fixture
def begun(book, game_id) -> GameId:
    """The first hand is being played."""
    book.begin_hand(game_id, request_id="go", anyway=True)
    return game_id


def test_everybody_sees_the_hand_in_play_and_only_the_scorekeeper_has_buttons(watcher, client, game_id):
    assert "Who is ready?" in watcher.get(f"/g/{game_id}/referee").text
    assert 'name="did"' not in watcher.get(f"/g/{game_id}/referee").text
    assert 'value="ready.amy"' in client.get(f"/g/{game_id}/referee").text
    assert watcher.post(f"/g/{game_id}/referee", data={"did": "ready.amy"}).status_code == 403


def test_go_waits_for_every_side(client, book, game_id):
    assert tap(client, game_id, "ready.amy").status_code == 303
    early = tap(client, game_id, "go")
    assert early.status_code == 422
    assert "Not ready yet: Ben" in early.text
    tap(client, game_id, "ready.ben")
    assert tap(client, game_id, "go").status_code == 303
    assert book.game(game_id).live.phase == "playing"
    assert book.hand_clock(game_id).running


def test_a_side_may_take_its_ready_back(client, book, game_id):
    for did in ("ready.amy", "not-ready.amy"):
        tap(client, game_id, did)
    assert book.game(game_id).live.ready == set()


def test_all_are_ready_with_one_tap(client, book, game_id):
    tap(client, game_id, "all-ready")
    assert book.game(game_id).live.ready == {"amy", "ben"}


def test_two_phones_say_ready_at_the_same_moment(client, other_client, book, game_id):
    assert tap(client, game_id, "ready.amy", version=1).status_code == 303
    assert tap(other_client, game_id, "ready.ben", version=1).status_code == 303
    assert book.game(game_id).live.ready == {"amy", "ben"}


def test_a_double_tap_counts_once(client, book, begun):
    fields = {"request_id": "same", "version": "2", "did": "pass.amy"}
    assert [client.post(f"/g/{begun}/referee", data=fields).status_code for _ in range(2)] == [303, 303]
    assert book.game(begun).live.stuck.passes == {"amy": 1}


def test_a_time_out_stops_the_clock_for_one_of_two_reasons(client, book, begun):
    refused = tap(client, begun, "time-out", why="accident", between="amy")
    assert refused.status_code == 422
    assert "own fumble stops nobody" in refused.text
    tap(client, begun, "time-out", why="accident", between=["amy", "ben"], reason="a pile was knocked over")
    page = client.get(f"/g/{begun}/referee").text
    assert "An accident between Amy and Ben" in page
    assert "a pile was knocked over" in page
    assert not book.hand_clock(begun).running
    tap(client, begun, "play-on")
    assert book.hand_clock(begun).running


def test_a_time_out_without_a_reason_is_refused(client, book, begun):
    assert "an accident between two sides, or an emergency" in tap(client, begun, "time-out").text
    assert book.game(begun).live.phase == "playing"


def test_a_call_counts_once_the_table_has_looked(client, book, begun):
    tap(client, begun, "call.amy")
    assert "not checked" in client.get(f"/g/{begun}/referee").text
    tap(client, begun, "stands.amy")
    assert "Count hand 1" in client.get(f"/g/{begun}/referee").text
    assert re.search(r'name="called.amy" value="1"[^>]* checked', client.get(f"/g/{begun}/hand").text)
    assert not re.search(r'name="called.ben" value="1"[^>]* checked', client.get(f"/g/{begun}/hand").text)


def test_a_false_call_costs_what_the_house_says_and_play_is_resumed(client, book, game_id):
    rules = Rules(false_call=7)
    game_id = book.start_game(make_sides(["Amy", "Ben"]), rules, request_id="dear")
    book.begin_hand(game_id, request_id="go", anyway=True)
    tap(client, game_id, "call.ben")
    assert 'name="penalty" inputmode="numeric" maxlength="6" autocomplete="off" value="7"' in (
        client.get(f"/g/{game_id}/referee").text
    )
    tap(client, game_id, "falls.ben", penalty="7")
    assert "Ben's call was not valid" in client.get(f"/g/{game_id}/referee").text
    assert book.hand_clock(game_id).running
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="one", confirm_doubts=True)
    assert book.game(game_id).totals == {"amy": 14, "ben": -4}


def test_a_penalty_that_is_no_number_is_refused(client, book, begun):
    tap(client, begun, "call.ben")
    assert "&#39;much&#39; is no whole number" in tap(client, begun, "falls.ben", penalty="much").text
    assert book.game(begun).live.claims


def test_two_call_around_the_same_time(client, other_client, book, begun):
    tap(client, begun, "call.amy", version=2)
    tap(other_client, begun, "call.ben", version=2)
    assert [claim.side for claim in book.game(begun).live.claims] == ["amy", "ben"]
    for did in ("stands.amy", "stands.ben"):
        tap(client, begun, did)
    page = client.get(f"/g/{begun}/hand").text
    assert all(re.search(rf'name="called.{side}" value="1"[^>]* checked', page) for side in ("amy", "ben"))


def test_a_tap_on_an_old_page_is_told(client, book, begun):
    book.note(begun, NertzCalled("amy"), request_id="elsewhere")
    late = tap(client, begun, "burn", version=2)
    assert late.status_code == 409
    assert "has changed since you looked" in late.text


@pytest.mark.parametrize("did", ["", "dance", "ready.nobody", "call"])
def test_a_button_that_is_not_there_is_refused(client, book, begun, did):
    assert tap(client, begun, did).status_code == 422
    assert book.version(begun) == 2


def test_a_penalty_needs_points_and_a_reason(client, book, begun):
    assert "type 5 to take 5 off" in tap(client, begun, "penalty", side="ben", points="", reason="peeked").text
    assert "Say why" in tap(client, begun, "penalty", side="ben", points="-5").text
    tap(client, begun, "penalty", side="ben", points="−5", reason="peeked")
    assert "−5</b> <bdi>Ben</bdi>: <bdi>peeked</bdi>" in client.get(f"/g/{begun}/referee").text
    assert "given during the hand" in client.get(f"/g/{begun}/hand").text


def test_the_same_penalty_may_be_given_twice(client, book, begun):
    for _ in range(2):
        tap(client, begun, "penalty", side="ben", points="-5", reason="peeked")
    assert [each.points for each in book.game(begun).live.penalties] == [-5, -5]


# The stuck table


def test_nobody_burns_alone(client, book, begun):
    for did in ("pass.amy", "pass.amy"):
        tap(client, begun, did)
    page = client.get(f"/g/{begun}/referee").text
    assert "Amy found nothing: wait for Ben" in page
    assert 'title="wait for Ben: nobody burns alone" disabled' in page
    refused = tap(client, begun, "burn")
    assert refused.status_code == 422
    assert "nobody burns alone" in refused.text


def test_three_burns_open_the_nertz_burn_and_a_play_begins_anew(client, book, begun):
    for burn in range(3):
        for number, side in enumerate(["amy", "amy", "ben", "ben"]):
            book.note(begun, StuckMoved(StuckMove.PASS, side), request_id=f"{burn} {number}")
        assert tap(client, begun, "burn").status_code == 303
    assert "<b>3</b>" in client.get(f"/g/{begun}/referee").text
    for number, side in enumerate(["amy", "amy", "ben", "ben"]):
        book.note(begun, StuckMoved(StuckMove.PASS, side), request_id=f"last {number}")
    assert tap(client, begun, "nertz-burn").status_code == 303
    assert tap(client, begun, "played").status_code == 303
    assert book.game(begun).live.stuck.burns == 0


@pytest.mark.parametrize(
    ("procedure", "says"),
    [
        pytest.param(StuckTable.NATIONAL, "All burn the Stream", id="burn together"),
        pytest.param(StuckTable.NEW_STOCK, "All form a new Stream", id="a new stock"),
        pytest.param(StuckTable.TOP_TO_BOTTOM, "All move the top card", id="top card down"),
    ],
)
def test_the_procedure_is_the_house_s(client, book, procedure, says):
    rules = Rules(play=Play(stuck=procedure))
    game_id = book.start_game(make_sides(["Amy", "Ben"]), rules, request_id="stuck")
    book.begin_hand(game_id, request_id="go", anyway=True)
    assert says in client.get(f"/g/{game_id}/referee").text


def test_a_stuck_hand_ends_where_the_house_lets_it(client, book):
    rules = Rules(play=Play(stuck=StuckTable.HAND_ENDS))
    game_id = book.start_game(make_sides(["Amy", "Ben"]), rules, request_id="stuck")
    book.begin_hand(game_id, request_id="go", anyway=True)
    assert "End the hand, count it" not in client.get(f"/g/{game_id}/referee").text
    for side in ("amy", "ben"):
        tap(client, game_id, f"pass.{side}")
    page = client.get(f"/g/{game_id}/referee").text
    assert "Everybody is stuck, and the hand ends: count and score it." in page
    assert "End the hand, count it" in page
    assert 'value="burn"' not in page


def test_a_side_stuck_alone_moves_its_top_card_where_the_house_lets_it(client, book):
    rules = Rules(play=Play(stuck=StuckTable.NEW_STOCK))
    game_id = book.start_game(make_sides(["Amy", "Ben"]), rules, request_id="stuck")
    book.begin_hand(game_id, request_id="go", anyway=True)
    tap(client, game_id, "pass.amy")
    assert 'value="top-card.amy"' in client.get(f"/g/{game_id}/referee").text
    assert tap(client, game_id, "top-card.amy").status_code == 303
    assert 'value="top-card.amy"' not in client.get(f"/g/{game_id}/referee").text


# All phones


def test_every_phone_sees_what_is_tapped(watcher, client, app, game_id):
    app.extensions["scorekeeper"].live.beat_s = 0.02
    response = watcher.get(f"/g/{game_id}/referee/events")
    pieces = (piece.decode() for piece in response.iter_encoded())
    assert "Who is ready?" in next(piece for piece in pieces if "event: board" in piece)
    tap(client, game_id, "go-anyway")
    news = next(piece for piece in pieces if "event: board" in piece)
    assert "Play is on" in news
    assert 'name="did"' not in news
    response.close()


def test_polling_answers_only_news(watcher, book, game_id):
    assert watcher.get(f"/g/{game_id}/referee/now?seen=1").status_code == 204
    book.note(game_id, ReadySaid("amy"), request_id="ready")
    assert 'data-version="2"' in watcher.get(f"/g/{game_id}/referee/now?seen=1").text


def test_the_board_says_what_the_hand_in_play_does(watcher, book, begun):
    assert "Hand 1 is being played" in watcher.get(f"/g/{begun}").text
    book.note(begun, NertzCalled("ben"), request_id="call")
    assert "Ben called Nertz" in watcher.get(f"/g/{begun}").text


def test_the_clock_tells_the_server_s_time(watcher, book, begun):
    page = watcher.get(f"/g/{begun}/referee").text
    since = round(book.hand_clock(begun).running_since.timestamp() * 1000)
    assert f'data-before="0.0" data-since="{since}"' in page
    assert re.search(r'clock.js" data-now="\d{13}"', page)


def test_every_step_leads_into_the_guide(client, book, begun):
    pages = [client.get(f"/g/{begun}/referee").text]
    tap(client, begun, "call.amy")
    pages.append(client.get(f"/g/{begun}/referee").text)
    links = {link for page in pages for link in re.findall(r'href="([^"]+/guide\?q=[^"]+)"', page)}
    assert len(links) >= 6
    for link in links:
        assert "Nothing fits" not in client.get(link.replace("&amp;", "&")).text, link


# Disputes


@pytest.fixture
def played(book, game_id) -> GameId:
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="one")
    return game_id


def posted(version, reason):
    return {"request_id": "doubt", "version": str(version), "reason": reason}


def test_a_doubted_hand_makes_the_score_unofficial_until_it_is_settled(client, watcher, book, played):
    answer = client.post(f"/g/{played}/hands/1/dispute", data=posted(2, "Ben has two more"))
    assert answer.location == f"/g/{played}/hands/1"
    assert "Unofficial: hand 1 is disputed" in watcher.get(f"/g/{played}").text
    assert "Ben has two more" in watcher.get(f"/g/{played}/hands/1").text
    assert "Hand 1</a> Ben has two more" in client.get(f"/g/{played}/referee").text
    assert client.post(f"/g/{played}/hands/1/settle", data=posted(3, "counted again: 9")).status_code == 303
    assert "Unofficial" not in watcher.get(f"/g/{played}").text
    assert "counted again: 9" in watcher.get(f"/g/{played}/history").text


def test_a_dispute_says_why_and_keeps_the_page(client, book, played):
    answer = client.post(f"/g/{played}/hands/1/dispute", data=posted(2, " "))
    assert answer.status_code == 422
    assert "Say why hand 1 is disputed" in answer.text
    assert book.game(played).official


def test_what_nobody_disputes_can_not_be_settled(client, book, played):
    answer = client.post(f"/g/{played}/hands/1/settle", data=posted(2, "fine"))
    assert answer.status_code == 422
    assert "Nobody disputes hand 1" in answer.text


def test_a_dispute_from_an_old_page_is_told_and_keeps_its_words(client, book, played):
    book.note(played, PenaltyGiven("ben", -5, "peeked"), request_id="elsewhere")
    answer = client.post(f"/g/{played}/hands/1/dispute", data=posted(2, "Ben has two more"))
    assert answer.status_code == 409
    assert 'value="Ben has two more"' in answer.text


def test_watchers_dispute_nothing(watcher, book, played):
    assert watcher.post(f"/g/{played}/hands/1/dispute", data=posted(2, "no")).status_code == 403
    assert "Somebody doubts" not in watcher.get(f"/g/{played}/hands/1").text


def test_a_finished_game_has_no_hand_in_play(client, book, game_id):
    for number in range(2):
        book.record_hand(game_id, parse_hand("amy 50/0! ben 9/3"), request_id=str(number))
    assert "The game is over" in client.get(f"/g/{game_id}/referee").text
    assert tap(client, game_id, "ready.amy").status_code == 422
    with pytest.raises(RulesError):
        book.note(game_id, ReadySaid("amy"), request_id="late")
