"""An overlay shows every card, whatever the size of the picture."""

from __future__ import annotations

import numpy as np
import pytest

from scorekeeper.rules.cards import parse_card
from scorekeeper.rules.lake import (
    Box,
    DeckId,
    FanReading,
    LakeReading,
    Pile,
    SeenBack,
    SeenFace,
    SpreadReading,
    spotted,
)
from scorekeeper.rules.scoring import COLORS, PATTERNS
from scorekeeper.vision.geometry import Image
from scorekeeper.vision.overlay.draw import AMBER, LONGEST_PX, Look, bgr, draw_fan, draw_lake, draw_spread, looks_for

RED, BLUE = DeckId("red"), DeckId("blue")


def table(height: int = 480, width: int = 640, shade: int = 60) -> Image:
    return np.full((height, width, 3), shade, np.uint8)


def box(x: float, y: float, width: float = 90, height: float = 126) -> Box:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def spread(*backs: SeenBack) -> SpreadReading:
    counts = {deck: sum(back.deck == deck for back in backs) for deck in (RED, BLUE)}
    return SpreadReading(backs, counts, True, ())


def has(image: Image, color: tuple[int, int, int]) -> bool:
    return bool((np.abs(image.astype(int) - color).max(axis=2) <= 6).any())


def test_an_empty_reading_draws_only_its_sum() -> None:
    picture = table()
    for drawn in (
        draw_lake(picture, LakeReading((), True, ())),
        draw_fan(picture, FanReading((), True, ())),
        draw_spread(picture, spread()),
    ):
        assert (drawn[:480] == 60).all()
        assert drawn.shape[0] > 480
        assert drawn.shape[1] == 640


def test_the_picture_itself_stays_as_it_is() -> None:
    picture = table()
    draw_fan(picture, FanReading((SeenFace(parse_card("7C"), 0.9, box(50, 50)),), True, ()))
    assert (picture == 60).all()


@pytest.mark.parametrize("shade", [0, 60, 255], ids=["dark cloth", "green", "white cloth"])
def test_a_card_stands_out_from_any_cloth(shade: int) -> None:
    drawn = draw_fan(table(shade=shade), FanReading((SeenFace(parse_card("7C"), 0.9, box(200, 150)),), True, ()))
    edge = drawn[210, 190:210].astype(int)
    assert edge.max() - edge.min() > 150


@pytest.mark.parametrize("size", [(60, 80), (480, 640), (3000, 4000), (4000, 900)])
def test_a_large_picture_is_reduced_and_a_small_one_is_not(size: tuple[int, int]) -> None:
    drawn = draw_lake(table(*size), LakeReading((Pile(parse_card("KS"), 13, False, 0.9, box(10, 10)),), True, ()))
    assert drawn.shape[1] == size[1] * min(1, LONGEST_PX / max(size))
    assert drawn.shape[0] > size[0] * min(1, LONGEST_PX / max(size))


def test_a_box_lies_where_the_card_is_in_the_reduced_picture() -> None:
    fan = FanReading((SeenFace(None, 0.9, box(2000, 1000, 900, 1200)),), True, ())
    changed = (draw_fan(table(2400, 3200), fan)[:1200] != 60).any(axis=2)
    rows, columns = np.nonzero(changed)
    assert abs(rows.min() - 500) < 30
    assert abs(columns.max() - 1450) < 30


def seven_of_clubs(*problems: str) -> FanReading:
    return FanReading((SeenFace(parse_card("7C"), 0.5, box(200, 150)),), not problems, problems)


def test_an_unread_card_is_marked() -> None:
    assert has(draw_fan(table(), FanReading((SeenFace(None, 0.99, box(200, 150)),), False, ())), AMBER)


def test_a_joker_is_no_unread_card() -> None:
    joker = SeenFace(None, 0.99, box(200, 150), joker=True)
    assert not has(draw_fan(table(), FanReading((joker,), True, ())), AMBER)


@pytest.mark.parametrize("spot", [(245, 213), (500, 100)], ids=["a card", "a place where none was counted"])
def test_what_is_asked_about_is_marked(spot: tuple[int, int]) -> None:
    drawn = draw_fan(table(), seven_of_clubs(spotted("is it a card?", (0, *spot))))
    assert has(drawn[:, :400], AMBER) == (spot[0] < 400)
    assert has(drawn[:, 400:], AMBER) == (spot[0] > 400)


def test_a_finished_pile_that_is_asked_about_is_marked() -> None:
    pile = Pile(None, 13, True, 0.5, box(200, 150))
    assert has(draw_lake(table(), LakeReading((pile,), False, (spotted("is it?", (0, 245.0, 213.0)),))), AMBER)
    assert not has(draw_lake(table(), LakeReading((pile,), True, ())), AMBER)


def test_what_nobody_is_asked_about_is_not_marked() -> None:
    assert not has(draw_fan(table(), seven_of_clubs()), AMBER)


def test_piles_are_drawn_dead_unread_and_at_the_rim() -> None:
    piles = (
        Pile(None, 13, True, 0.9, box(10, 10)),
        Pile(None, 0, False, 0.9, box(200, 10)),
        Pile(parse_card("10H"), 10, False, 0.9, box(600, 440, 20, 30)),
        Pile(parse_card("AS"), 1, False, 0.9, box(-50, -50)),
    )
    assert has(draw_lake(table(), LakeReading(piles, False, ())), AMBER)


@pytest.mark.parametrize("pattern", [*PATTERNS, "unheard of"])
def test_every_pattern_shows_its_colour(pattern: str) -> None:
    looks = {RED: Look(COLORS[0], pattern)}
    drawn = draw_spread(table(), spread(SeenBack(0, RED, 0.95, box(200, 150))), 0, looks)
    assert has(drawn[:480], bgr(COLORS[0]))


def test_a_back_is_drawn_in_its_own_picture_only() -> None:
    reading = spread(SeenBack(1, BLUE, 0.9, box(200, 150)))
    assert (draw_spread(table(), reading, 0)[:480] == 60).all()
    assert not (draw_spread(table(), reading, 1)[:480] == 60).all()


@pytest.mark.parametrize("spot", [(245, 213), (500, 100)], ids=["a back", "a place where none was counted"])
def test_what_is_asked_about_backs_is_marked_in_its_own_picture_and_nothing_else(spot: tuple[int, int]) -> None:
    backs = tuple(SeenBack(number, BLUE, 0.6, box(200, 150)) for number in (0, 1))
    reading = SpreadReading(backs, {BLUE: 2}, False, (spotted("whose is it?", (1, *spot)),))
    assert not has(draw_spread(table(), reading, 0), AMBER)
    drawn = draw_spread(table(), reading, 1)
    assert has(drawn[:, :400], AMBER) == (spot[0] < 400)
    assert has(drawn[:, 400:], AMBER) == (spot[0] > 400)


def test_a_back_that_fits_no_deck_is_marked() -> None:
    assert has(draw_spread(table(), spread(SeenBack(0, None, 0.9, box(200, 150)))), AMBER)


def test_decks_without_a_colour_get_one_each() -> None:
    looks = looks_for((DeckId("lattice"), RED, BLUE, *(DeckId(f"deck {n}") for n in range(5))))
    assert len({look.color for look in looks.values()}) == 8
    blue, green, red = bgr(looks[RED].color)
    assert red > max(blue, green), "a deck called red is drawn red"


@pytest.mark.parametrize(("text", "color"), [("#ff8000", (0, 128, 255)), ("", (160,) * 3), ("#12345", (160,) * 3)])
def test_colours(text: str, color: tuple[int, int, int]) -> None:
    assert bgr(text) == color
