"""Penalties on every page: what is typed is taken off, the page says so, and each can be removed."""

from __future__ import annotations

import re

import pytest

from scorekeeper.rules.events import PenaltyGiven, SideLeft
from scorekeeper.rules.house import Rules, Scoring
from scorekeeper.rules.notation import format_hand, parse_hand
from scorekeeper.rules.scoring import make_sides
from scorekeeper.scorebook import GameId

TAPS = iter(range(10**6))


def version_of(page: str) -> str:
    return re.search(r'name="version" value="(\d+)"', page)[1]


def tap(phone, game_id, did, **fields):
    """One tap on the referee's page as it is now."""
    seen = version_of(phone.get(f"/g/{game_id}/referee").text)
    return phone.post(
        f"/g/{game_id}/referee", data={"request_id": f"tap {next(TAPS)}", "version": seen, "did": did, **fields}
    )


def give(phone, game_id, points, side="ben", reason="peeked"):
    return tap(phone, game_id, "penalty", side=side, points=points, reason=reason)


def correct(phone, game_id, number=1, page="", remove=(), **fields):
    """Posts the correction *page* as it is drawn, with other fields and with penalties ticked to *remove*."""
    page = page or phone.get(f"/g/{game_id}/hands/{number}/correct").text
    shown = dict(re.findall(r'name="((?:lake|left|extra|why)\.\w+)" value="([^"]*)"', page))
    ticked = dict(re.findall(r'name="((?:called|removed)\.\w+)" value="(\w+)"[^>]* checked', page))
    ticks = dict(re.findall(r'name="(removed\.\w+)" value="(\w+)"', page))
    ticked |= {name: ticks[name] for name in (f"removed.{place}" for place in remove)}
    posted = {"version": version_of(page), "request_id": f"tap {next(TAPS)}", "reason": "again", **shown, **ticked}
    return phone.post(f"/g/{game_id}/hands/{number}/correct", data={**posted, **fields})


@pytest.fixture
def begun(book, game_id) -> GameId:
    """The first hand of Amy and Ben is being played."""
    book.begin_hand(game_id, request_id="go", anyway=True)
    return game_id


@pytest.fixture
def tally(book) -> GameId:
    """Amy and Ben play for five hands won; a false call costs one."""
    rules = Rules(target=5, scoring=Scoring.HANDS, false_call=1)
    game_id = book.start_game(make_sides(["Amy", "Ben"]), rules, request_id="tally")
    book.begin_hand(game_id, request_id="go", anyway=True)
    return game_id


TYPED = [
    pytest.param("5", -5, id="H5 five takes five off"),
    pytest.param("-5", -5, id="H5 so does a hyphen and five"),
    pytest.param("−5", -5, id="H5 and a minus sign"),
    pytest.param("–5", -5, id="H5 and a dash"),
    pytest.param(" 5 ", -5, id="H5 spaces beside it"),
    pytest.param("٥", -5, id="H5 an Arabic five"),
    pytest.param("+5", 5, id="H5 a plus adds five"),
    pytest.param("+٥", 5, id="H5 a plus and an Arabic five"),
]
NO_NUMBERS = ["1e9", "5 5", "five", "5.5", "--5", "1234567", "½"]


@pytest.mark.parametrize(("typed", "points"), TYPED)
def test_the_referee_takes_off_what_is_typed(client, book, begun, typed, points):
    assert give(client, begun, typed).status_code == 303
    assert [each.points for each in book.game(begun).live.penalties] == [points]


@pytest.mark.parametrize(("typed", "points"), TYPED)
def test_the_hand_takes_off_what_is_typed(client, book, game_id, hand, typed, points):
    penalty = {"extra.ben": typed, "why.ben": "misdeal"}
    assert client.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 9/3", **penalty)).status_code == 303
    assert format_hand(book.game(game_id).hands[0]) == f"amy 14/0! ben 9/3 {points:+d}(misdeal)"


@pytest.mark.parametrize(("typed", "says"), [("5", "Take off 5"), ("-5", "Take off 5"), ("+5", "Add 5"), ("", "")])
def test_h5_the_hand_says_what_a_penalty_will_do_before_it_is_recorded(client, game_id, hand, typed, says):
    fields = hand("amy 14/0! ben 9/3", action="check", **{"extra.ben": typed, "why.ben": "misdeal"})
    page = client.post(f"/g/{game_id}/hand", data=fields).text
    assert re.search(r'id="effect-1"[^>]*>([^<]*)<', page)[1] == says
    kept = client.post(
        f"/g/{game_id}/hand/draft", data={**fields, "field": "extra.ben"}, headers={"HX-Request": "true"}
    )
    assert re.search(r'id="effect-1"[^>]*>([^<]*)<', kept.text)[1] == says


@pytest.mark.parametrize("typed", NO_NUMBERS)
def test_h5_the_referee_refuses_what_is_no_number_and_keeps_the_form(client, book, begun, typed):
    answer = give(client, begun, typed, reason="looked at cards")
    assert answer.status_code == 422
    assert f"Penalty: &#39;{typed}&#39; is no whole number: type 5 to take 5 off, or +5 to add 5." in answer.text
    assert f'value="{typed}"' in answer.text
    assert 'value="looked at cards"' in answer.text
    assert '<option value="ben" selected>' in answer.text
    assert not book.game(begun).live.penalties


@pytest.mark.parametrize("typed", NO_NUMBERS)
def test_h5_the_hand_refuses_what_is_no_number_and_keeps_the_form(client, book, game_id, hand, typed):
    penalty = {"extra.ben": typed, "why.ben": "misdeal"}
    answer = client.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 9/3", **penalty))
    assert answer.status_code == 422
    assert f"Ben, penalty: &#39;{typed}&#39; is no whole number: type 5 to take 5 off, or +5 to add 5" in answer.text
    assert f'name="extra.ben" value="{typed}"' in answer.text
    assert 'name="why.ben" value="misdeal"' in answer.text
    assert not book.game(game_id).hands


def test_h5_a_penalty_without_a_number_says_what_to_type(client, begun):
    assert "Penalty: type 5 to take 5 off, or +5 to add 5." in give(client, begun, "").text


def test_h5_a_penalty_of_nothing_says_what_can_be(client, begun):
    assert "0 can&#39;t be a penalty: take off or add 1 to 100000." in give(client, begun, "0").text


@pytest.mark.parametrize("typed", ["7", "-7", "−7", "٧"])
def test_h5_a_false_call_takes_off_what_is_typed(client, book, begun, typed):
    tap(client, begun, "call.ben")
    tap(client, begun, "falls.ben", penalty=typed)
    assert [each.points for each in book.game(begun).live.penalties] == [-7]


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        pytest.param("much", "False call: &#39;much&#39; is no whole number: type how much to take off", id="a word"),
        pytest.param("5 5", "False call: &#39;5 5&#39; is no whole number: type how much to take off", id="two"),
        pytest.param("+5", "False call: &#39;+5&#39; would add to the score: type how much to take off", id="a plus"),
    ],
)
def test_h5_a_false_call_refuses_what_takes_nothing_off_and_keeps_it(client, book, begun, typed, says):
    tap(client, begun, "call.ben")
    answer = tap(client, begun, "falls.ben", penalty=typed)
    assert answer.status_code == 422
    assert says in answer.text
    assert f'autocomplete="off" value="{typed}"' in answer.text
    assert book.game(begun).live.claims


# Removed again


def test_h5_each_penalty_of_the_hand_in_play_is_removed_with_one_tap(client, watcher, book, begun):
    for points, reason in (("5", "peeked"), ("3", "late")):
        give(client, begun, points, reason=reason)
    page = client.get(f"/g/{begun}/referee").text
    assert 'aria-label="Remove: Ben −5"' in page
    assert "remove-penalty" not in watcher.get(f"/g/{begun}/referee").text
    assert tap(client, begun, "remove-penalty.1").status_code == 303
    assert [each.reason for each in book.game(begun).live.penalties] == ["late"]
    assert "Penalty removed: Ben \N{MINUS SIGN}5 in hand 1: peeked" in watcher.get(f"/g/{begun}/history").text


def test_h5_a_penalty_removed_by_mistake_is_given_again(client, book, begun):
    give(client, begun, "5")
    tap(client, begun, "remove-penalty.1")
    give(client, begun, "5")
    book.record_hand(begun, parse_hand("amy 14/0! ben 9/3"), request_id="one", confirm_doubts=True)
    assert book.game(begun).totals == {"amy": 14, "ben": -2}


def test_h5_two_phones_do_not_remove_two_penalties_for_one(client, other_client, book, begun):
    for reason in ("peeked", "late"):
        give(client, begun, "5", reason=reason)
    seen = version_of(client.get(f"/g/{begun}/referee").text)
    posts = [{"request_id": name, "version": seen, "did": "remove-penalty.1"} for name in ("one", "two")]
    answers = [phone.post(f"/g/{begun}/referee", data=data) for phone, data in zip((client, other_client), posts)]  # noqa: B905
    assert [answer.status_code for answer in answers] == [303, 409]
    assert [each.reason for each in book.game(begun).live.penalties] == ["late"]


@pytest.mark.parametrize("did", ["remove-penalty.2", "remove-penalty.0", "remove-penalty", "remove-penalty.x"])
def test_h5_a_penalty_that_is_not_there_can_not_be_removed(client, book, begun, did):
    give(client, begun, "5")
    assert "There is no penalty" in tap(client, begun, did).text
    assert len(book.game(begun).live.penalties) == 1


@pytest.fixture
def penalised(book, game_id) -> GameId:
    """Hand 1 was recorded with two penalties given while it was played."""
    for points, reason in ((-5, "peeked"), (-3, "late")):
        book.note(game_id, PenaltyGiven("ben", points, reason), request_id=reason)
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="one")
    return game_id


def test_h5_a_correction_keeps_penalties_unless_one_is_ticked(client, book, penalised):
    assert book.game(penalised).totals == {"amy": 14, "ben": -5}
    assert correct(client, penalised, **{"lake.ben": "10"}).status_code == 303
    assert book.game(penalised).totals == {"amy": 14, "ben": -4}
    assert correct(client, penalised, remove=[1]).status_code == 303
    assert book.game(penalised).totals == {"amy": 14, "ben": 1}
    assert [each.reason for each in book.game(penalised).played[0].penalties] == ["late"]


def test_h5_the_points_of_a_correction_follow_the_ticks(client, penalised):
    page = client.get(f"/g/{penalised}/hands/1/correct").text
    assert ">−5</output>" in page
    answer = correct(client, penalised, action="check", remove=[2])
    assert ">−2</output>" in answer.text
    assert re.search(r'name="removed.2" value="\w+" checked', answer.text)
    assert not re.search(r'name="removed.1" value="\w+" checked', answer.text)


def test_h5_a_tick_removes_no_other_penalty_that_has_its_place_by_now(client, other_client, book, penalised):
    page = client.get(f"/g/{penalised}/hands/1/correct").text
    correct(other_client, penalised, remove=[1])
    late = correct(client, penalised, page=page, remove=[1])
    assert late.status_code == 409
    assert "Somebody else changed the game" in late.text
    assert not re.search(r'name="removed.1" value="\w+" checked', late.text)
    assert correct(client, penalised, page=late.text).status_code == 303
    assert [each.reason for each in book.game(penalised).played[0].penalties] == ["late"]


def test_h5_a_refused_correction_keeps_its_ticks(client, book, penalised):
    answer = correct(client, penalised, remove=[2], **{"lake.amy": "many"})
    assert answer.status_code == 422
    assert re.search(r'name="removed.2" value="\w+" checked', answer.text)
    assert len(book.game(penalised).played[0].penalties) == 2


def test_h5_the_penalty_of_a_side_that_left_is_removed_by_a_correction(client, book):
    game_id = book.start_game(make_sides(["Amy", "Ben", "Zoe"]), Rules(), request_id="three")
    book.note(game_id, PenaltyGiven("zoe", -5, "peeked"), request_id="p")
    book.note(game_id, SideLeft("zoe"), request_id="l")
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="one")
    assert "−5</b> Zoe: peeked" in client.get(f"/g/{game_id}/hands/1/correct").text
    assert correct(client, game_id, remove=[1]).status_code == 303
    assert book.game(game_id).totals["zoe"] == 0


def test_h5_a_penalty_typed_with_the_hand_stands_in_the_correction_as_it_is_typed(client, book, game_id, hand):
    for extra, shown in (("5", "5"), ("+5", "+5"), ("−5", "5")):
        fields = hand("amy 14/0! ben 9/3", request_id=extra, **{"extra.ben": extra, "why.ben": "misdeal"})
        fields["version"] = version_of(client.get(f"/g/{game_id}/hand").text)
        assert client.post(f"/g/{game_id}/hand", data=fields).status_code == 303
        number = len(book.game(game_id).hands)
        before = book.game(game_id).totals
        page = client.get(f"/g/{game_id}/hands/{number}/correct").text
        assert re.search(r'name="extra.ben" value="([^"]*)"', page)[1] == shown
        assert correct(client, game_id, number).status_code == 303
        assert book.game(game_id).totals == before


def test_h5_an_empty_field_takes_the_penalty_of_a_hand_out(client, book, game_id):
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3 -5(misdeal)"), request_id="one")
    assert correct(client, game_id, **{"extra.ben": "", "why.ben": ""}).status_code == 303
    assert book.game(game_id).totals == {"amy": 14, "ben": 3}


# Hands won


def test_k19_a_penalty_takes_hands_won_and_no_page_calls_them_points(client, watcher, book, tally):
    tap(client, tally, "call.ben")
    pages = [client.get(f"/g/{tally}/referee").text]
    assert "Hands won off for a false call" in pages[0]
    tap(client, tally, "falls.ben", penalty="1")
    give(client, tally, "1", side="amy", reason="late")
    pages += [client.get(f"/g/{tally}/{page}").text for page in ("referee", "hand")]
    assert "−1 hand won</b> <bdi>Amy</bdi>: <bdi>late</bdi>" in pages[1]
    assert "Hands won off" in pages[2]
    assert "Type 1 to take 1 off, +1 to add 1." in pages[2]
    book.record_hand(tally, parse_hand("amy!"), request_id="one", confirm_doubts=True)
    assert book.game(tally).totals == {"amy": 0, "ben": -1}
    pages += [client.get(f"/g/{tally}/hands/1{page}").text for page in ("", "/correct")]
    pages += [watcher.get(f"/g/{tally}{page}").text for page in ("", "/history", "/rules")]
    assert "did not stand, 1 hand won off" in pages[-2]
    assert "takes 1 off the score" in pages[-1]
    for page in pages:
        said = re.sub(r"<[^>]*>", " ", re.sub(r'\b(?:class|id|data-[\w-]+|href|src|points)="[^"]*"', "", page))
        assert not re.search(r"\bpoints?\b", said, re.IGNORECASE), said


def test_k19_a_correction_gives_the_hand_won_back(client, book, tally):
    give(client, tally, "1", side="amy", reason="late")
    book.record_hand(tally, parse_hand("amy!"), request_id="one")
    page = client.get(f"/g/{tally}/hands/1/correct").text
    assert "−1 hand won</b> Amy: late" in page
    assert correct(client, tally, remove=[1]).status_code == 303
    assert book.game(tally).totals == {"amy": 1, "ben": 0}


# Votes and other numbers


def test_c10_m12_a_vote_that_does_not_add_up_is_asked_about(client, book):
    game_id = book.start_game(make_sides(["Amy", "Ben", "Cleo"]), Rules(bonus=10), request_id="vote")
    sides = {"amy": "5", "ben": "2", "cleo": "1"}
    fields = {f"{name}.{side}": text for side in sides for name, text in (("lake", "9"), ("called", "1"))}
    fields |= {f"share.{side}": share for side, share in sides.items()} | {"vote": "1", "version": "1"}
    answer = client.post(f"/g/{game_id}/hand", data={**fields, "request_id": "eight"})
    assert "The shares the table voted make 8 of 10, 2 missing" in answer.text
    assert all(f'name="share.{side}" value="{share}"' in answer.text for side, share in sides.items())
    anyway = re.search(r'name="anyway" value="(\w+)"', answer.text)[1]
    assert client.post(f"/g/{game_id}/hand", data={**fields, "share.cleo": "3", "request_id": "ten"}).status_code == 303
    assert book.game(game_id).totals == {"amy": 14, "ben": 11, "cleo": 12}
    again = {**fields, "version": "2", "request_id": "confirmed", "anyway": anyway}
    assert client.post(f"/g/{game_id}/hand", data=again).status_code == 303
    assert book.game(game_id).totals == {"amy": 28, "ben": 22, "cleo": 22}


@pytest.mark.parametrize("typed", ["1e9", "5 5", "five", "5.5"])
@pytest.mark.parametrize(
    ("field", "says"),
    [
        pytest.param("lake.ben", "Ben: &#39;{}&#39; is no whole number: enter the cards in the Lake", id="Lake"),
        pytest.param("left.ben", "Ben: &#39;{}&#39; is no whole number: enter the cards left", id="left"),
        pytest.param("total", "The Lake: &#39;{}&#39; is no whole number: enter its cards", id="the whole Lake"),
    ],
)
def test_each_field_says_what_to_type_and_nothing_is_lost(client, book, game_id, hand, field, says, typed):
    fields = {**hand("amy 14/0! ben 9/3", total="23"), field: typed}
    answer = client.post(f"/g/{game_id}/hand", data=fields)
    assert answer.status_code == 422
    assert says.format(typed) in answer.text
    assert f'name="{field}" value="{typed}"' in answer.text
    assert 'name="lake.amy" value="14"' in answer.text
    assert not book.game(game_id).hands


@pytest.mark.parametrize("typed", ["٩", "９", "९", " 9 ", "+9"])
def test_digits_of_any_script_are_digits(client, book, game_id, hand, typed):
    answer = client.post(f"/g/{game_id}/hand", data={**hand("amy 14/0! ben 9/3"), "lake.ben": typed})
    assert answer.status_code == 303
    assert format_hand(book.game(game_id).hands[0]) == "amy 14/0! ben 9/3"


@pytest.mark.parametrize("typed", ["1e9", "5 5", "five"])
@pytest.mark.parametrize(
    ("field", "says"),
    [
        pytest.param(
            "rank13.ben", "Ben: &#39;{}&#39; is no whole number: enter how many cards of rank K", id="C11 kings"
        ),
        pytest.param(
            "share.ben", "Ben: &#39;{}&#39; is no share of the bonus: enter points such as 5", id="C10 a share"
        ),
    ],
)
def test_ranks_and_shares_say_what_to_type(client, book, hand, field, says, typed):
    rules = Rules(bonus=10, rank_extras=((13, 5),))
    game_id = book.start_game(make_sides(["Amy", "Ben"]), rules, request_id="rich")
    more = {"vote": "1", "share.amy": "5", "share.ben": "5", "rank13.amy": "1", "rank13.ben": "0"}
    answer = client.post(f"/g/{game_id}/hand", data={**hand("amy 14/0! ben 9/0!"), **more, field: typed})
    assert answer.status_code == 422
    assert says.format(typed) in answer.text
    assert f'name="{field}" value="{typed}"' in answer.text
    assert 'name="share.amy" value="5"' in answer.text


@pytest.mark.parametrize("typed", ["1e9", "5 5", "five"])
def test_c17_a_score_that_is_none_says_what_to_type(client, book, game_id, typed):
    fields = {"how": "totals", "score.amy": typed, "score.ben": "−٥", "version": "1", "request_id": "tap"}
    answer = client.post(f"/g/{game_id}/hand", data=fields)
    assert f"Amy: &#39;{typed}&#39; is no score: enter points such as 14, -5 or 2.5" in answer.text
    assert client.post(f"/g/{game_id}/hand", data={**fields, "score.amy": "٧"}).status_code == 303
    assert format_hand(book.game(game_id).hands[0]) == "amy =7 ben =-5"
