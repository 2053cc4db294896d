"""Pictures go when nobody needs them: after a confirmation where the table wants it, and those left lying."""

from __future__ import annotations

import io
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from web import create_app
from web.pictures import Pictures
from web.tidy import tidy

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def pictures(settings) -> Pictures:
    return Pictures(settings.data_dir / "pictures")


def kept_on(pictures: Pictures, moment: datetime, data: bytes = b"\xff\xd8\xff") -> str:
    """A picture that came in at *moment*."""
    picture = pictures.keep(data)
    os.utime(pictures.folder / f"{picture}.picture", (moment.timestamp(), moment.timestamp()))
    return picture


def there(pictures: Pictures) -> set[str]:
    return {path.stem for path in pictures.folder.glob("*.picture")}


def test_an_empty_folder_is_tidy(book, pictures):
    assert tidy(book, pictures, NOW) == 0


def test_what_nobody_speaks_of_goes_after_a_day(book, pictures):
    old, fresh = kept_on(pictures, NOW - timedelta(days=2)), kept_on(pictures, NOW - timedelta(hours=2))
    assert tidy(book, pictures, NOW) == 1
    assert there(pictures) == {fresh}
    assert old not in there(pictures)


def test_the_evidence_of_a_hand_stays_for_good(book, pictures, game_id):
    old = kept_on(pictures, NOW - timedelta(days=400))
    pictures.attach(game_id, "hand-1", 2, {"lake": [old]})
    assert tidy(book, pictures, NOW) == 0
    assert there(pictures) == {old}


def draft_with(*pictures: str) -> dict[str, object]:
    look = {"pictures": list(pictures[:1]), "overlays": list(pictures[1:]), "problems": [], "certain": True, "total": 3}
    return {"0": {"fields": {"lake.amy": "14"}, "looks": {"lake": look}}}


def test_a_draft_keeps_its_pictures_for_a_week(book, pictures, game_id):
    old, fresh = kept_on(pictures, NOW - timedelta(days=9)), kept_on(pictures, NOW - timedelta(days=6))
    book.save_draft(game_id, draft_with(old, fresh))
    assert tidy(book, pictures, NOW) == 0
    assert there(pictures) == {old, fresh}


def test_an_abandoned_draft_loses_its_pictures_and_keeps_what_was_typed(book, pictures, game_id):
    first, second = (kept_on(pictures, NOW - timedelta(days=9)) for _ in range(2))
    book.save_draft(game_id, draft_with(first, second))
    assert tidy(book, pictures, NOW) == 2
    assert there(pictures) == set()
    assert book.draft(game_id) == {"0": {"fields": {"lake.amy": "14"}, "looks": {}}}


def test_small_copies_go_with_their_picture(book, pictures, photo):
    old = kept_on(pictures, NOW - timedelta(days=2), photo)
    assert pictures.small(old)
    tidy(book, pictures, NOW)
    assert list(pictures.folder.iterdir()) == []


def test_pictures_stay_as_evidence_unless_told_otherwise(client, game_id, hand, photo, pictures):
    client.post(f"/g/{game_id}/hand/lake", data={"lake": (io.BytesIO(photo), "a.jpg")})
    client.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 10/3", total="24"))
    assert "<img" in client.get(f"/g/{game_id}/hands/1").text
    assert there(pictures)


def test_a_table_that_keeps_none_deletes_them_with_the_confirmation(
    book, eye, settings, game_id, hand, photo, pictures
):
    phone = create_app(book, eye, replace(settings, keep_pictures=False)).test_client()
    phone.post("/sign-in", data={"pin": settings.pin})
    phone.post(f"/g/{game_id}/hand/lake", data={"lake": (io.BytesIO(photo), "a.jpg")})
    assert there(pictures), "they are needed until somebody has looked and confirmed"
    phone.post(f"/g/{game_id}/hand", data=hand("amy 14/0! ben 10/3", total="24"))
    assert len(book.game(game_id).hands) == 1
    assert there(pictures) == set()
    assert "<img" not in phone.get(f"/g/{game_id}/hands/1").text
    assert phone.get(f"/g/{game_id}").status_code == 200
