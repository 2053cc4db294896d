"""A picture knows where it is: a Lake turned over is asked about, and a number that decks can't have is not offered."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest

from scorekeeper.rules.lake import LakeReading, Pile, spotted
from scorekeeper.watch import Seen
from tests.web.conftest import PaperEye, box, picture


class BackEye(PaperEye):
    """Sees so many piles face down where the Lake is, and nothing else."""

    finished = 10

    def lake(self, data: bytes) -> Seen[LakeReading]:
        piles = tuple(Pile(None, 13, True, 0.9, box(n)) for n in range(self.finished))
        return Seen(LakeReading(piles, True, ()), (picture("backs"),), 12.0)


@pytest.fixture
def eye() -> BackEye:
    return BackEye()


@pytest.fixture
def known(client, book, game_id):
    for side, deck in (("amy", "red"), ("ben", "blue")):
        book.enrol_deck(game_id, side, deck, [f"the {deck} back"], request_id=f"deck-{side}")
    return game_id


def photo(client, game_id, step="lake", **more):
    data = {"version": "1", "request_id": "tap", step: (io.BytesIO(picture("photo")), "lake.jpg"), **more}
    return client.post(f"/g/{game_id}/hand/{step}", data=data, follow_redirects=True).text


def total_of(page: str) -> str:
    return re.search(r'name="total" value="([^"]*)"', page)[1]


def test_backs_in_place_of_the_lake_are_asked_about_and_no_number_is_filled_in(client, known):
    page = photo(client, known)
    assert "This looks like the Lake turned over: 10 cards lie face down." in page
    assert total_of(page) == ""
    assert "130" not in page


def test_one_tap_counts_them_where_they_belong(client, book, known):
    photo(client, known)
    fields = {"version": "3", "request_id": "turn", "left.ben": "3"}
    page = client.post(f"/g/{known}/hand/lake/turned", data=fields, follow_redirects=True).text
    assert "This looks like" not in page
    assert 'name="lake.amy" value="10"' in page
    assert 'name="lake.ben" value="14"' in page
    assert 'name="left.ben" value="3"' in page


def test_a_few_finished_piles_are_a_lake(client, known, eye):
    eye.finished = 3
    page = photo(client, known)
    assert "This looks like" not in page
    assert total_of(page) == "39"


def test_more_cards_of_a_deck_than_it_has_are_never_filled_in(client, known, eye):
    eye.backs = ("red",) * 53 + ("blue",) * 14
    page = photo(client, known, "spread")
    assert 'name="lake.amy" value=""' in page
    assert 'name="lake.ben" value="14"' in page
    assert "Amy: 53 cards are more than the 52 there are, so nothing was filled in" in page


def test_more_cards_than_all_decks_have_are_never_filled_in(client, known, eye):
    eye.lake = replace(PaperEye(tops=("KH",) * 9)).lake
    page = photo(client, known)
    assert total_of(page) == ""
    assert "117 cards are more than the 104 there are" in page


def test_more_cards_left_than_a_pile_has_are_never_filled_in(client, known, eye):
    eye.fan_codes = tuple(f"{rank}{suit}" for rank in "23456789" for suit in "SH")
    data = {"version": "1", "request_id": "tap", "left.ben": (io.BytesIO(picture("photo")), "fan.jpg")}
    page = client.post(f"/g/{known}/hand/left/ben", data=data, follow_redirects=True).text
    assert 'name="left.ben" value=""' in page
    assert "16 cards are more than the 13 there are" in page


def test_the_tick_behind_a_question_says_what_it_confirms(client, known, eye):
    eye.lake = replace(PaperEye(tops=("7C", "KH")), lake_problems=(asked(0), asked(1))).lake
    page = photo(client, known)
    assert re.findall(r'class="settle"[^>]*>([^<]*)<', page) == ["✓ It is 7♣", "✓ It is K♥"]


def asked(number: int) -> str:
    corners = box(number)
    middle = (sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4)
    return spotted(f"is pile {number} read right?", (0, *middle))
