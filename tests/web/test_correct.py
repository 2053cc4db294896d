"""Corrections of what the eye saw: kept, undone, shared by two scorekeepers, and counted at once."""

from __future__ import annotations

import io
import re
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.rules.house import Rules
from scorekeeper.rules.lake import JOKER, DeckId, SeenBack, SpreadReading, spotted
from scorekeeper.rules.scoring import make_sides
from web.drafts import change_drafts, read_draft
from web.looks import Act, Correction, look_of, read_look

BOXES = [((x, 0.0), (x + 40, 0.0), (x + 40, 60.0), (x, 60.0)) for x in (0.0, 100.0, 200.0)]


def seen(*decks, problems=()):
    """The look of a spread with one picture, its cards in a row."""
    cards = tuple(SeenBack(0, DeckId(deck) if deck else None, 0.9, BOXES[n]) for n, deck in enumerate(decks))
    counts = {DeckId("red"): decks.count("red"), DeckId("blue"): decks.count("blue")}
    return look_of(SpreadReading(cards, counts, not problems, problems), ["p"], ["o"], ["s"], [(640, 480)])


def test_a_look_without_cards_is_certain_and_counts_nothing():
    assert (seen().certain, seen().total, seen().counts) == (True, 0, {"red": 0, "blue": 0})


CORRECTIONS = st.builds(
    Correction,
    act=st.sampled_from(Act),
    card=st.integers(0, 5),
    what=st.sampled_from(["red", "blue", ""]),
    spot=st.one_of(st.none(), st.tuples(st.just(0), st.floats(0, 640), st.floats(0, 480))),
    doubts=st.tuples(st.integers(0, 1)),
    who=st.sampled_from(["", "Pam"]),
    request=st.text(max_size=4),
)


@settings(deadline=None)
@given(st.lists(CORRECTIONS, max_size=8))
def test_every_look_survives_being_kept(corrections):
    look = seen("red", "blue", "", problems=("blurred", spotted("whose is it?", (0, 220.0, 30.0))))
    for correction in corrections:
        look = look.with_correction(correction)
    assert read_look(asdict(look)) == look


@settings(deadline=None)
@given(st.lists(CORRECTIONS.filter(lambda each: each.act is not Act.UNDO), min_size=1, max_size=8))
def test_undo_takes_back_exactly_the_last_tap(corrections):
    looks = [seen("red", "blue", "")]
    for correction in corrections:
        looks.append(looks[-1].with_correction(correction))
    tap = [(each.act, each.request) for each in corrections]
    last = len(tap) - 1
    while last and tap[last][0] is Act.TAKEN and tap[last - 1] == tap[last]:
        last -= 1  # one tap takes a reading's cards together
    undone = looks[-1].with_correction(Correction(Act.UNDO))
    assert (undone.cards, undone.open) == (looks[last].cards, looks[last].open)


def test_a_settled_suspect_is_no_doubt_any_more():
    look = seen("red", "blue", problems=(spotted("whose is it? (2 such)", (0, 20.0, 30.0), (0, 400.0, 300.0)),))
    assert look.suspects == {1}
    settled = look.with_correction(Correction(Act.IS, 1, "blue"))
    assert (settled.suspects, settled.problems, settled.certain) == (frozenset(), ("whose is it? (2 such)",), False)
    assert settled.with_correction(Correction(Act.FINE, doubts=(1,))).certain


def test_a_card_more_lies_as_its_neighbour_does():
    look = seen("red", "blue").with_correction(Correction(Act.MORE, 3, "red", (0, 320.0, 130.0)))
    assert look.cards[-1].box == ((300.0, 100.0), (340.0, 100.0), (340.0, 160.0), (300.0, 160.0))


def test_a_further_batch_leaves_the_corrections_of_the_first():
    first = seen("red", "blue").with_correction(Correction(Act.IS, 2, "red"))
    both = first.with_batch(seen("blue", "blue", problems=(spotted("is it one?", (0, 20.0, 30.0)),)))
    assert both.counts == {"red": 2, "blue": 2}
    assert [card.number for card in both.cards] == [1, 2, 3, 4]
    assert both.suspects == {3}


# On the page


def sent(name, data, **fields):
    return {"version": "3", name: (io.BytesIO(data), "table.jpg"), **fields}


@pytest.fixture
def spread(client, book, game_id, photo):
    """Ten red and fourteen blue backs lie in the hand that is entered."""
    for side, deck in (("amy", "red"), ("ben", "blue")):
        book.enrol_deck(game_id, side, deck, ["a signature"], request_id=f"deck {side}")
    client.post(f"/g/{game_id}/hand/spread", data=sent("spread", photo))
    return f"/g/{game_id}/hand/fix/spread"


HTMX = {"HX-Request": "true"}


def counts(answer):
    return dict(re.findall(r'name="(lake\.\w+|total|left\.\w+)" value="(\d*)"', answer.text))


def test_a_card_changes_its_owner_and_the_sum_follows(client, game_id, spread, tap):
    page = client.get(f"/g/{game_id}/hand").text
    answer = client.post(spread, data={**tap(page, "is blue", "3"), "total": "24"}, headers=HTMX)
    assert counts(answer) == {"lake.amy": "9", "lake.ben": "15"}
    assert '<b class="sum ">24<span class="of"> of 24</span></b>' in answer.text
    page = client.get(f"/g/{game_id}/hand").text
    assert 'name="lake.amy" value="9"' in page
    assert "Card 3, top left: Ben" in page


@pytest.mark.parametrize(
    ("fix", "card", "more", "amy", "ben"),
    [
        pytest.param("gone", "1", {}, "9", "14", id="removed"),
        pytest.param("is red", "more", {"spot": "0 600 450"}, "11", "14", id="added where a finger was"),
        pytest.param("is blue", "more", {}, "10", "15", id="added from the list"),
        pytest.param("fine", "1", {}, "10", "14", id="right as it is"),
    ],
)
def test_cards_are_added_and_removed(client, game_id, spread, fix, card, more, amy, ben, tap):
    page = client.get(f"/g/{game_id}/hand").text
    answer = client.post(spread, data=tap(page, fix, card, **more))
    assert answer.location == f"/g/{game_id}/hand#seen-spread"
    page = client.get(f"/g/{game_id}/hand").text
    assert f'name="lake.amy" value="{amy}"' in page
    assert f'name="lake.ben" value="{ben}"' in page


def test_a_typed_number_stands_until_its_own_cards_change(client, game_id, spread, tap):
    page = client.get(f"/g/{game_id}/hand").text
    typed = {**tap(page, "is blue", "more"), "lake.amy": "12", "lake.ben": "14"}
    client.post(spread, data=typed)
    page = client.get(f"/g/{game_id}/hand").text
    assert 'name="lake.amy" value="12"' in page
    assert 'name="lake.ben" value="15"' in page
    assert "Amy has 12 in the Lake, but the spread shows 10" not in page  # Ben's and Amy's left are missing yet


def test_undo_goes_back_step_by_step(client, book, game_id, spread, tap):
    for fix, card in (("is blue", "1"), ("gone", "2"), ("undo", ""), ("undo", "")):
        client.post(spread, data=tap(client.get(f"/g/{game_id}/hand").text, fix, card))
    page = client.get(f"/g/{game_id}/hand").text
    assert 'name="lake.amy" value="10"' in page
    assert "Undo the last correction" not in page


def test_a_double_tap_changes_nothing(client, game_id, spread, tap):
    fields = tap(client.get(f"/g/{game_id}/hand").text, "is red", "more")
    for _ in range(2):
        assert client.post(spread, data=fields).status_code == 303
    assert 'name="lake.amy" value="11"' in client.get(f"/g/{game_id}/hand").text


def test_two_scorekeepers_correct_two_cards_at_once(client, other_client, game_id, spread, tap):
    pages = [phone.get(f"/g/{game_id}/hand").text for phone in (client, other_client)]
    client.post(spread, data=tap(pages[0], "is blue", "1"), headers=HTMX)
    second = other_client.post(spread, data=tap(pages[1], "is blue", "2"), headers=HTMX)
    assert second.status_code == 200
    assert "Pam corrected these pictures too" in second.text
    assert 'name="lake.amy" value="8"' in client.get(f"/g/{game_id}/hand").text


@pytest.mark.parametrize(
    ("first", "then"),
    [
        pytest.param(("is blue", "1"), ("gone", "1"), id="the same card"),
        pytest.param(("gone", "1"), ("is blue", "1"), id="a card that is gone"),
        pytest.param(("is red", "more"), ("is red", "more"), id="the same card more"),
        pytest.param(("is blue", "2"), ("undo", ""), id="undoing what one has not seen"),
    ],
)
def test_the_second_of_two_on_one_card_is_told(client, other_client, game_id, spread, first, then, tap):
    pages = [phone.get(f"/g/{game_id}/hand").text for phone in (client, other_client)]
    client.post(spread, data=tap(pages[0], *first, spot="0 600 450"), headers=HTMX)
    kept = client.get(f"/g/{game_id}/hand").text
    second = other_client.post(spread, data=tap(pages[1], *then, spot="0 605 440"), headers=HTMX)
    assert second.status_code == 409
    assert "Pam changed this card at the same moment" in second.text
    assert re.search(r'revision\.spread" value="1"', second.text)
    assert counts(client.get(f"/g/{game_id}/hand")) == dict(
        re.findall(r'name="(lake\.\w+|total|left\.\w+)" value="(\d*)"', kept)
    )


def test_a_tap_on_pictures_that_are_gone_is_told(client, other_client, game_id, spread, tap):
    page = other_client.get(f"/g/{game_id}/hand").text
    client.post(f"/g/{game_id}/hand/forget/spread", data={"version": "3"})
    answer = other_client.post(spread, data=tap(page, "is blue", "1"), headers=HTMX)
    assert answer.status_code == 409
    assert "These pictures belong to the hand no longer" in answer.text


@pytest.mark.parametrize(
    ("fix", "card", "says"),
    [
        pytest.param("is red", "", "Choose which card is meant first", id="no card"),
        pytest.param("is green", "1", "&#39;green&#39; is none", id="a deck of another table"),
        pytest.param("rank 7", "1", "Choose the suit first", id="a rank without a suit"),
        pytest.param("gone", "more", "Say what the card is", id="removing a card more"),
        pytest.param("dance", "1", "is none", id="no such tap"),
    ],
)
def test_a_tap_that_says_nothing_is_refused_in_words(client, game_id, spread, fix, card, says, tap):
    answer = client.post(spread, data={**tap(client.get(f"/g/{game_id}/hand").text, fix, card), "left.ben": "4"})
    assert answer.status_code == 422
    assert says in answer.text
    assert 'name="left.ben" value="4"' in answer.text


def test_a_pile_gets_its_top_and_a_finished_one_its_height(client, game_id, photo, tap):
    client.post(f"/g/{game_id}/hand/lake", data=sent("lake", photo, version="1"))
    url = f"/g/{game_id}/hand/fix/lake"
    for fix, card, total in (("rank 9", "1", "26"), ("is dead", "3", "35"), ("gone", "2", "22")):
        client.post(url, data=tap(client.get(f"/g/{game_id}/hand").text, fix, card, "lake", suit="C"))
        assert f'name="total" value="{total}"' in client.get(f"/g/{game_id}/hand").text


def test_too_many_piles_of_a_suit_are_doubted_as_corrected(client, game_id, photo, hand, tap):
    client.post(f"/g/{game_id}/hand/lake", data=sent("lake", photo, version="1"))
    for card, rank in (("1", "7"), ("2", "K")):
        page = client.get(f"/g/{game_id}/hand").text
        client.post(f"/g/{game_id}/hand/fix/lake", data=tap(page, f"rank {rank}", card, "lake", suit="S"))
    checked = client.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 10/3", total="24", action="check")).text
    assert "3 piles of spades lie with 2 decks" in checked


def test_one_card_more_or_less_is_left(client, game_id, photo, tap):
    client.post(f"/g/{game_id}/hand/left/ben", data=sent("left.ben", photo, version="1"))
    for fix, card, left in (("is ", "more", "4"), ("gone", "1", "3"), ("gone", "2", "2")):
        page = client.get(f"/g/{game_id}/hand").text
        client.post(f"/g/{game_id}/hand/fix/left.ben", data=tap(page, fix, card, "left-ben"))
        assert f'name="left.ben" value="{left}"' in client.get(f"/g/{game_id}/hand").text


def test_a_joker_among_what_is_left_is_asked_about_where_the_decks_have_none(client, eye, game_id, photo, tap):
    eye.fan_codes = ("10H", JOKER, "QD")
    client.post(f"/g/{game_id}/hand/left/ben", data=sent("left.ben", photo, version="1"))
    page = client.get(f"/g/{game_id}/hand").text
    assert "joker lies there: does it count?" in page
    assert ">Joker?</text>" in page
    assert 'name="left.ben" value="3"' in page
    client.post(f"/g/{game_id}/hand/fix/left.ben", data=tap(page, "gone", "2", "left-ben"))
    page = client.get(f"/g/{game_id}/hand").text
    assert "does it count?" not in page
    assert 'name="left.ben" value="2"' in page


def test_a_joker_among_what_is_left_counts_where_the_decks_have_jokers(client, eye, book, photo):
    game_id = book.start_game(make_sides(["Amy", "Ben"]), Rules(jokers=2), request_id="jokers")
    eye.fan_codes = ("10H", JOKER, JOKER)
    client.post(f"/g/{game_id}/hand/left/ben", data=sent("left.ben", photo, version="1"))
    page = client.get(f"/g/{game_id}/hand").text
    assert "does it count?" not in page
    assert 'name="left.ben" value="3"' in page


def test_a_doubt_about_no_card_is_settled_from_its_line(client, eye, book, game_id, photo, tap):
    book.enrol_deck(game_id, "amy", "red", ["a signature"], request_id="deck")
    eye.spread_problems = ("the cards are very small", spotted("there may be one more card", (0, 600.0, 450.0)))
    client.post(f"/g/{game_id}/hand/spread", data=sent("spread", photo, version="2"))
    url = f"/g/{game_id}/hand/fix/spread"
    client.post(url, data=tap(client.get(f"/g/{game_id}/hand").text, "fine 0"))
    assert read_draft_of(client, game_id).problems == ("there may be one more card",)
    client.post(url, data=tap(client.get(f"/g/{game_id}/hand").text, "is red", "more", spot="0 598 452"))
    assert not read_draft_of(client, game_id).problems


def read_draft_of(client, game_id):
    with client.application.app_context():
        return read_draft(game_id).looks["spread"]


def test_a_draft_of_an_older_version_still_loads(client, book, game_id, hand):
    old = {
        "pictures": ["p"], "overlays": ["o"], "problems": ["look here"], "certain": False,
        "total": 3, "counts": {"red": 1, "blue": 1}, "unknown": 1, "tops": [],
    }  # fmt: skip
    with client.application.app_context():
        change_drafts(game_id, lambda _: {"0": {"fields": {"lake.amy": "1"}, "looks": {"spread": old}}})
        look = read_draft(game_id).looks["spread"]
    assert (look.counts, look.unknown, look.total, look.problems) == ({"red": 1, "blue": 1}, 1, 3, ("look here",))
    checked = client.post(f"/g/{game_id}/hand", data=hand("amy 1/0! ben 1/3", action="check")).text
    assert "1 back of the spread fits no deck" in checked


def test_a_watcher_corrects_nothing(watcher, client, game_id, spread, tap):
    page = client.get(f"/g/{game_id}/hand").text
    assert watcher.post(spread, data=tap(page, "is blue", "1")).status_code == 403
    assert 'name="lake.amy" value="10"' in client.get(f"/g/{game_id}/hand").text
