"""The hand page: typed or photographed, checked, confirmed once, and never lost."""

from __future__ import annotations

import io
import re

import pytest

from scorekeeper.rules.notation import format_hand, parse_hand


def hands_of(book, game_id):
    return [format_hand(hand) for hand in book.game(game_id).hands]


def anyway_of(page):
    return re.search(r'name="anyway" value="(\w+)"', page)[1]


def test_a_typed_hand_goes_to_the_board(client, book, game_id, hand):
    answer = client.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 9/3", total="23"))
    assert (answer.status_code, answer.location) == (303, f"/g/{game_id}")
    assert hands_of(book, game_id) == ["amy 14/0! ben 9/3"]
    assert "Amy leads with 14 of 100 points" in client.get(answer.location).text


def test_a_caller_needs_no_number_for_what_is_left(client, book, game_id, hand):
    client.post(f"/g/{game_id}/hand", data={**hand("amy 14/0! ben 9/3"), "left.amy": ""})
    assert hands_of(book, game_id) == ["amy 14/0! ben 9/3"]


def test_a_penalty_is_recorded_with_its_reason(client, book, game_id, hand):
    penalty = {"extra.ben": "−5", "why.ben": "misdeal"}
    client.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 9/3", **penalty))
    assert hands_of(book, game_id) == ["amy 14/0! ben 9/3 -5(misdeal)"]


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        pytest.param({"lake.ben": ""}, "Ben: enter the cards in the Lake (0 if none)", id="a count is missing"),
        pytest.param({"left.ben": ""}, "Ben: enter the cards left in the Nertz pile", id="what is left is missing"),
        pytest.param({"lake.ben": "nine"}, "Ben: &#39;nine&#39; is no whole number", id="a count in words"),
        pytest.param({"total": "many"}, "The Lake: &#39;many&#39; is no whole number", id="a Lake in words"),
        pytest.param({"lake.ben": "53"}, "Ben can&#39;t have 53 cards in the Lake", id="more than a deck"),
        pytest.param({"left.amy": "2"}, "Amy called Nertz with 2 cards left", id="a caller with cards left"),
        pytest.param({"why.ben": "late"}, "Ben, penalty: a reason but no number", id="a reason without points"),
    ],
)
def test_an_impossible_hand_says_why_and_keeps_the_form(client, book, game_id, hand, fields, says):
    answer = client.post(f"/g/{game_id}/hand", data={**hand("amy 14/0! ben 9/3"), **fields})
    assert answer.status_code == 422
    assert says in answer.text
    assert 'name="lake.amy" value="14"' in answer.text
    assert "Record anyway" not in answer.text
    assert not book.game(game_id).hands


def test_every_problem_is_listed_at_once(client, game_id, hand):
    text = client.post(f"/g/{game_id}/hand", data=hand("amy 60/0! ben 9/40")).text
    assert "Amy can&#39;t have 60 cards" in text
    assert "Ben can&#39;t have 40 cards left" in text


def test_a_doubtful_hand_is_recorded_only_deliberately(client, book, game_id, hand):
    fields = hand("amy 14/0! ben 9/3", total="25")
    doubtful = client.post(f"/g/{game_id}/hand", data=fields)
    assert doubtful.status_code == 422
    assert "The Lake holds 25 cards, but the sides have 23" in doubtful.text
    assert not book.game(game_id).hands
    sure = client.post(f"/g/{game_id}/hand", data={**fields, "anyway": anyway_of(doubtful.text)})
    assert sure.status_code == 303
    assert hands_of(book, game_id) == ["amy 14/0! ben 9/3"]


def test_recording_anyway_holds_for_the_numbers_that_were_shown(client, book, game_id, hand):
    doubtful = client.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 9/3", total="25"))
    changed = hand("amy 14/0! ben 10/3", total="25", anyway=anyway_of(doubtful.text))
    assert client.post(f"/g/{game_id}/hand", data=changed).status_code == 422
    assert not book.game(game_id).hands


def test_a_double_tap_records_one_hand(client, book, game_id, hand):
    answers = [client.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 9/3")) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert len(book.game(game_id).hands) == 1
    assert not book.draft(game_id).get("0")


def test_the_second_of_two_scorekeepers_is_told_and_loses_nothing(client, other_client, book, game_id, hand):
    client.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 9/3", request_id="pam"))
    late = other_client.post(f"/g/{game_id}/hand", data=hand("amy 13/0! ben 8/3", request_id="joe"))
    assert late.status_code == 409
    assert "Somebody else changed the game" in late.text
    assert "Hand 1: Amy called Nertz" in late.text
    assert 'name="lake.amy" value="13"' in late.text
    assert 'name="version" value="2"' in late.text
    assert hands_of(book, game_id) == ["amy 14/0! ben 9/3"]
    again = hand("amy 13/0! ben 8/3", version=2, request_id="joe")
    assert other_client.post(f"/g/{game_id}/hand", data=again).status_code == 303
    assert len(book.game(game_id).hands) == 2


def test_what_is_typed_stands_there_after_a_reload(client, other_client, game_id, hand):
    fields = hand("amy 17/0! ben 0/0", field="lake.amy")
    client.post(f"/g/{game_id}/hand/draft", data=fields, headers={"HX-Request": "true"})
    for phone in (client, other_client):
        page = phone.get(f"/g/{game_id}/hand").text
        assert 'name="lake.amy" value="17"' in page
        assert 'name="lake.ben" value=""' in page


def test_two_phones_fill_one_form(client, other_client, game_id):
    for phone, side, count in ((client, "amy", "17"), (other_client, "ben", "5")):
        phone.post(
            f"/g/{game_id}/hand/draft",
            data={"version": "1", "field": f"lake.{side}", f"lake.{side}": count},
            headers={"HX-Request": "true"},
        )
    page = client.get(f"/g/{game_id}/hand").text
    assert 'name="lake.amy" value="17"' in page
    assert 'name="lake.ben" value="5"' in page


def test_sums_and_points_follow_the_typing(client, game_id, hand):
    answer = client.post(f"/g/{game_id}/hand/draft", data=hand("amy 14/0! ben 9/3", total="25"))
    assert '<b class="sum ">23<span class="of"> of 25</span></b>' in answer.text
    assert re.search(r'id="points-1"[^>]*>\+3<', answer.text)
    assert "2 cards missed in the counts" in answer.text


def test_typing_into_an_old_page_is_told_at_once(client, book, game_id, hand):
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="elsewhere")
    answer = client.post(f"/g/{game_id}/hand/draft", data=hand("amy 1/0! ben 0/0"), headers={"HX-Request": "true"})
    assert answer.status_code == 409
    assert "load it again" in answer.text
    assert not book.draft(game_id)


def test_a_form_without_its_version_writes_nothing(client, book, game_id, hand):
    fields = hand("amy 14/0! ben 9/3")
    del fields["version"]
    assert client.post(f"/g/{game_id}/hand", data=fields).status_code == 409
    assert not book.game(game_id).hands


def test_checking_without_javascript_records_nothing(client, book, game_id, hand):
    answer = client.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 9/3", action="check", total="25"))
    assert answer.status_code == 200
    assert "2 missing from the Lake" in answer.text
    assert not book.game(game_id).hands


# Pictures


def sent(name, data, **fields):
    return {"version": "1", name: (io.BytesIO(data), "table.jpg"), **fields}


def as_body(data):
    """One large upload as bytes, as a browser sends it."""
    field = '--x\r\nContent-Disposition: form-data; name="{}"{}\r\n\r\n'.format
    texts = "".join(f"{field(name, '')}{value}\r\n" for name, value in {"version": 1, "lake.amy": 12}.items())
    head = texts + field("lake", '; filename="table.jpg"')
    body = io.BytesIO(head.encode() + data + b"\r\n--x--\r\n")
    return {"input_stream": body, "content_type": "multipart/form-data; boundary=x"}


def learn_decks(book, game_id):
    for side, deck in (("amy", "red"), ("ben", "blue")):
        book.enrol_deck(game_id, side, deck, ["a signature"], request_id=f"deck {side}")


def test_a_picture_of_the_lake_proposes_its_total(client, game_id, photo):
    answer = client.post(f"/g/{game_id}/hand/lake", data=sent("lake", photo, **{"lake.amy": "12"}))
    assert answer.location == f"/g/{game_id}/hand#step-lake"
    page = client.get(f"/g/{game_id}/hand").text
    assert 'name="total" value="24"' in page
    assert 'name="lake.amy" value="12"' in page
    overlay = re.search(r'src="(/pictures/[\w-]{22})"', page)[1]
    assert client.get(overlay).mimetype == "image/jpeg"


def test_more_piles_of_a_suit_than_decks_are_doubted_once_the_eye_saw_them(client, eye, game_id, photo, hand):
    eye.tops = ("7S", "3S", "4S")
    client.post(f"/g/{game_id}/hand/lake", data=sent("lake", photo))
    page = client.post(f"/g/{game_id}/hand", data=hand("amy 7/0! ben 7/3", total="14", action="check")).text
    assert "3 piles of spades lie with 2 decks" in page
    typed = client.post(f"/g/{game_id}/hand", data=hand("amy 7/0! ben 6/3", total="13", action="check")).text
    assert "piles of spades" not in typed


def test_a_doubtful_reading_names_what_needs_a_look(client, eye, game_id, photo):
    eye.lake_problems = ("The pile at the top left is hard to read",)
    client.post(f"/g/{game_id}/hand/lake", data=sent("lake", photo))
    assert "The pile at the top left is hard to read" in client.get(f"/g/{game_id}/hand").text


def test_spread_batches_add_up_to_the_sides(client, book, game_id, photo):
    learn_decks(book, game_id)
    for _ in range(2):
        client.post(f"/g/{game_id}/hand/spread", data=sent("spread", photo, version="3"))
    page = client.get(f"/g/{game_id}/hand").text
    assert 'name="lake.amy" value="20"' in page
    assert 'name="lake.ben" value="28"' in page


def test_a_fan_proposes_what_is_left(client, game_id, photo):
    client.post(f"/g/{game_id}/hand/left/ben", data=sent("left.ben", photo))
    assert 'name="left.ben" value="3"' in client.get(f"/g/{game_id}/hand").text


def test_the_table_camera_takes_the_picture(client, game_id):
    client.post(f"/g/{game_id}/hand/lake", data={"version": "1", "camera": "lake"})
    assert 'name="total" value="24"' in client.get(f"/g/{game_id}/hand").text


def test_a_hand_keeps_its_pictures(client, game_id, photo, hand):
    client.post(f"/g/{game_id}/hand/lake", data=sent("lake", photo))
    client.post(f"/g/{game_id}/hand", data=hand("amy 15/0! ben 9/3", total="24"))
    page = client.get(f"/g/{game_id}/hands/1").text
    assert "The Lake" in page
    assert client.get(re.search(r'src="(/pictures/[\w-]+)"', page)[1]).status_code == 200


def test_a_forgotten_picture_takes_its_number_with_it(client, game_id, photo):
    client.post(f"/g/{game_id}/hand/lake", data=sent("lake", photo))
    client.post(f"/g/{game_id}/hand/forget/lake", data={"version": "1", "total": "24"})
    page = client.get(f"/g/{game_id}/hand").text
    assert 'name="total" value=""' in page
    assert "/pictures/" not in page


def test_counts_against_the_spread_are_doubtful(client, book, game_id, photo, hand):
    learn_decks(book, game_id)
    client.post(f"/g/{game_id}/hand/spread", data=sent("spread", photo, version="3"))
    swapped = client.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 10/3", version=3))
    assert "Amy has 14 in the Lake, but the spread shows 10" in swapped.text


def test_unknown_backs_given_to_a_side_are_no_doubt(client, book, eye, game_id, photo, hand):
    learn_decks(book, game_id)
    eye.backs = ("red",) * 10 + ("blue",) * 8 + ("?",)
    client.post(f"/g/{game_id}/hand/spread", data=sent("spread", photo, version="3"))
    assert client.post(f"/g/{game_id}/hand", data=hand("amy 10/0! ben 9/3", version=3)).status_code == 303


@pytest.mark.parametrize("asks", [{}, {"HX-Request": "true"}], ids=["plain browser", "htmx"])
def test_a_broken_picture_leaves_the_form_alone(client, game_id, asks):
    fields = sent("lake", b"this is no picture", **{"lake.amy": "12"})
    answer = client.post(f"/g/{game_id}/hand/lake", data=fields, headers=asks)
    assert answer.status_code == 422
    assert "The picture is no image" in answer.text
    if not asks:
        assert 'name="lake.amy" value="12"' in answer.text


def test_a_missing_picture_is_asked_for(client, game_id):
    answer = client.post(f"/g/{game_id}/hand/lake", data={"version": "1"})
    assert answer.status_code == 422
    assert "take or choose one first" in answer.text


def test_a_picture_over_40_megabytes_is_refused_in_words(client, game_id):
    answer = client.post(f"/g/{game_id}/hand/lake", **as_body(b"\xff\xd8\xff" + bytes(40 * 1024 * 1024)))
    assert answer.status_code == 422
    assert "larger than 40 MB" in answer.text
    assert 'name="lake.amy" value="12"' in answer.text


def test_a_form_that_is_far_too_large_is_refused_in_words(client, game_id):
    url = f"/g/{game_id}/hand/lake"
    answer = client.post(
        url, content_type="multipart/form-data; boundary=x", environ_overrides={"CONTENT_LENGTH": str(10**9)}
    )
    assert answer.status_code == 413
    assert "40 MB" in answer.text


def test_a_missing_camera_is_said_in_words(client, eye, game_id):
    eye.camera = None
    assert "Table camera" not in client.get(f"/g/{game_id}/hand").text
    answer = client.post(f"/g/{game_id}/hand/lake", data={"version": "1", "camera": "lake"})
    assert answer.status_code == 503
    assert "No camera is set" in answer.text


def test_a_table_without_an_eye_types_everything(typed_app, book, game_id, hand, pin):
    phone = typed_app.test_client()
    phone.post("/sign-in", data={"pin": pin})
    assert "Take photo" not in phone.get(f"/g/{game_id}/hand").text
    assert phone.post(f"/g/{game_id}/hand/lake", data={"version": "1"}).status_code == 503
    assert phone.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 9/3")).status_code == 303
    assert hands_of(book, game_id) == ["amy 14/0! ben 9/3"]


# Undo and correction


@pytest.fixture
def played(book, game_id):
    book.record_hand(game_id, parse_hand("amy 14/0! ben 9/3"), request_id="one")
    book.record_hand(game_id, parse_hand("amy 2/9 ben 20/0!"), request_id="two")
    return game_id


def test_the_last_hand_is_undone_with_a_reason(client, book, played):
    assert "Ben" in client.get(f"/g/{played}/undo").text
    answer = client.post(f"/g/{played}/undo", data={"version": "3", "request_id": "u", "reason": "wrong Lake"})
    assert answer.status_code == 303
    assert hands_of(book, played) == ["amy 14/0! ben 9/3"]
    assert "wrong Lake" in client.get(f"/g/{played}/history").text


def test_undo_needs_no_reason_and_one_tap_takes_it_back(client, book, played):
    assert client.post(f"/g/{played}/undo", data={"version": "3", "request_id": "u"}).status_code == 303
    assert "Hand 2 undone." in client.get(f"/g/{played}").text
    fields = {"version": "4", "request_id": "r"}
    assert [client.post(f"/g/{played}/redo", data=fields).status_code for _ in range(2)] == [303, 303]
    assert len(book.game(played).hands) == 2
    assert "undone." not in client.get(f"/g/{played}").text


def test_what_was_undone_comes_back_only_while_nothing_else_happened(client, book, played, watcher):
    client.post(f"/g/{played}/undo", data={"version": "3", "request_id": "u"})
    assert "Redo" not in watcher.get(f"/g/{played}").text
    book.record_hand(played, parse_hand("amy 5/0! ben 4/3"), request_id="other")
    assert client.post(f"/g/{played}/redo", data={"version": "4", "request_id": "r"}).status_code in (409, 422)
    assert len(book.game(played).hands) == 2


def test_a_hand_is_reopened_with_its_pictures(client, game_id, photo, hand):
    client.post(f"/g/{game_id}/hand/lake", data=sent("lake", photo))
    client.post(f"/g/{game_id}/hand", data=hand("amy 15/0! ben 9/3", total="24"))
    assert f"/g/{game_id}/hands/1/correct" in client.get(f"/g/{game_id}").text
    page = client.get(f"/g/{game_id}/hands/1/correct").text
    assert 'value="15"' in page
    assert client.get(re.search(r'src="(/pictures/[\w-]+)"', page)[1]).status_code == 200
    corrected = hand("amy 14/0! ben 10/3", version=2)
    assert client.post(f"/g/{game_id}/hands/1/correct", data=corrected).status_code == 303


def test_a_double_tap_undoes_one_hand(client, book, played):
    fields = {"version": "3", "request_id": "u", "reason": "wrong Lake"}
    assert [client.post(f"/g/{played}/undo", data=fields).status_code for _ in range(2)] == [303, 303]
    assert len(book.game(played).hands) == 1


def test_undo_of_a_hand_somebody_else_added_is_refused(client, book, played):
    book.record_hand(played, parse_hand("amy 1/9 ben 2/9"), request_id="three")
    answer = client.post(f"/g/{played}/undo", data={"version": "3", "request_id": "u", "reason": "wrong"})
    assert answer.status_code == 409
    assert 'value="wrong"' in answer.text
    assert len(book.game(played).hands) == 3


def test_an_earlier_hand_is_corrected_with_a_reason(client, book, played, hand):
    url = f"/g/{played}/hands/1/correct"
    assert 'name="lake.ben" value="9"' in client.get(url).text
    fields = hand("amy 14/0! ben 11/3", version=3, reason="a pile was overlooked")
    assert client.post(url, data=fields).status_code == 303
    assert hands_of(book, played) == ["amy 14/0! ben 11/3", "amy 2/9 ben 20/0!"]
    assert "a pile was overlooked" in client.get(f"/g/{played}/history").text


def test_a_correction_needs_no_reason(client, book, played, hand):
    answer = client.post(f"/g/{played}/hands/1/correct", data=hand("amy 14/0! ben 11/3", version=3))
    assert answer.status_code == 303
    assert "Hand 1 corrected: " in client.get(f"/g/{played}/history").text


def test_a_correction_half_typed_stands_there_after_a_reload(client, played, hand):
    fields = hand("amy 14/0! ben 12/3", version=3, number="1", reason="recount")
    client.post(f"/g/{played}/hand/draft", data=fields)
    page = client.get(f"/g/{played}/hands/1/correct").text
    assert 'name="lake.ben" value="12"' in page
    assert 'value="recount"' in page
    assert 'name="lake.ben" value=""' in client.get(f"/g/{played}/hand").text


def test_a_hand_that_was_never_played_can_not_be_corrected(client, played):
    assert client.get(f"/g/{played}/hands/9/correct").status_code == 404


def test_there_is_no_hand_0_and_nothing_of_the_next_hand_is_lost_to_it(client, played, hand):
    client.post(f"/g/{played}/hand/draft", data=hand("amy 14/0! ben 12/3", version=3))
    assert client.get(f"/g/{played}/hands/0/correct").status_code == 404
    assert client.post(f"/g/{played}/hands/0/correct", data=hand("amy 1/1 ben 1/1", version=3)).status_code == 405
    assert 'name="lake.ben" value="12"' in client.get(f"/g/{played}/hand").text


def test_a_finished_game_takes_no_further_hand(client, book, game_id, hand):
    for number in range(2):
        book.record_hand(game_id, parse_hand("amy 50/0! ben 9/3"), request_id=str(number))
    answer = client.post(f"/g/{game_id}/hand", data=hand("amy 1/0! ben 1/1", version=3))
    assert answer.status_code == 422
    assert "The game is over" in answer.text
    assert "Start another game" in client.get(f"/g/{game_id}").text
