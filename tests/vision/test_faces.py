"""Which corners belong to one card, which cards to one pile, and what a person is asked to look at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from scorekeeper.rules.cards import RANKS, parse_card
from scorekeeper.rules.lake import spots_of, spotted
from scorekeeper.vision.detector import BACK, FACE, INDEX, Detections
from scorekeeper.vision.eye import WINDOW_PX, Eye
from scorekeeper.vision.faces import cards as faces
from scorekeeper.vision.faces.around import Surroundings
from scorekeeper.vision.faces.cards import FoundCard, _by_pips
from scorekeeper.vision.faces.doubts import Doubt, asked, in_doubt
from scorekeeper.vision.faces.fan import by_their_row, read_fan, reading_of
from scorekeeper.vision.faces.indices import SUITS, IndexReadings
from scorekeeper.vision.faces.lake import Heap, _heaps, read_lake, top_of
from scorekeeper.vision.faces.opinions import HINT
from scorekeeper.vision.faces.pips import PipReadings, load_pips

TABLE = np.full((600, 900, 3), 90, np.uint8)
TABLE[..., 0] = 60 + np.arange(900) // 10
TABLE[..., 1] = 60 + np.arange(600)[:, None] // 10
LONG, WIDE, TALL, THIN = 140.0, 100.0, 28.0, 14.0
QUAD = np.array([[0, 0], [100, 0], [100, 140], [0, 140]], np.float32)


@dataclass(frozen=True)
class Drawn:
    """A card as the networks would report it: at x, y, turned by degrees; its outline may go unseen."""

    code: str | None
    x: float
    y: float
    degrees: float = 0.0
    outline: bool = True
    corners: str = "both"
    sure: float = 0.9999
    taught: bool = True
    """Whether its letters can be read."""
    missed: bool = False
    """Whether nothing of it is found, though its corners can be read."""
    clear: float = 0.9
    """How clearly its outline is found."""
    size: float = 1.0
    """So many times as large as the other cards' its indices are."""

    def at(self, x: float, y: float) -> np.ndarray:
        a = np.deg2rad(self.degrees)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        return np.array([self.x, self.y]) + turn @ np.array([x, y])

    def rectangle(self, x: float, y: float, w: float, h: float, *, head_down: bool = False) -> np.ndarray:
        points = [(x - w / 2, y - h / 2), (x + w / 2, y - h / 2), (x + w / 2, y + h / 2), (x - w / 2, y + h / 2)]
        if head_down:
            points = points[2:] + points[:2]
        return np.array([self.at(*point) for point in points], np.float32)

    def indices(self) -> list[np.ndarray]:
        x, y = -WIDE / 2 + 12, -LONG / 2 + 18
        wide, tall = THIN * self.size, TALL * self.size
        top, bottom = self.rectangle(x, y, wide, tall), self.rectangle(-x, -y, wide, tall, head_down=True)
        return {"both": [top, bottom], "top": [top], "none": []}[self.corners] if self.code else []


ALSO = Drawn("AC", 800, 480)
"""A card that lies by itself, as one alone in a picture is asked about."""


class Around:
    """What lies round the cards, which TABLE does not show: all are real but those at some places (x, y), this likely;
    one lies face down where its pips say so, or none."""

    def __init__(self, real: dict[tuple[int, int], float], *, down: bool) -> None:
        self.doubted, self.down = real, down

    def read(self, image: np.ndarray, outlines_px: Sequence[np.ndarray]) -> Surroundings:
        spots = [tuple(round(float(v)) for v in outline.mean(0)) for outline in outlines_px]
        real = np.array([self.doubted.get(spot, 1.0) for spot in spots], np.float32)
        return Surroundings(real, load_pips().read(image, outlines_px).down * np.float32(self.down))


@pytest.fixture(autouse=True)
def around(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Says what lies round the cards."""

    def says(real: dict[tuple[int, int], float], *, down: bool = True) -> None:
        monkeypatch.setattr(faces, "load_around", lambda: Around(real, down=down))

    says({})
    return says


@pytest.fixture(autouse=True)
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """TABLE shows nothing of a card beside its index."""
    monkeypatch.setattr(faces, "with_their_cards", lambda image, readings: readings)


def seen_from(window: np.ndarray) -> np.ndarray:
    """(2, 3) the affine map into TABLE from *window*, a part of it, turned by quarters: TABLE's colours tell."""
    y, x = np.nonzero(window[..., 2] == TABLE[0, 0, 2])
    places = np.column_stack([x, y, np.ones(len(x))])
    colours, *_ = np.linalg.lstsq(places, window[y, x, :2].astype(float), rcond=None)
    to_table = (colours.T - [[0, 0, 60], [0, 0, 60]]) * 10
    to_table[:, :2] = np.rint(to_table[:, :2])
    to_table[:, 2] = ((window[y, x, :2].mean(0) - 60) * 10 + 5) - to_table[:, :2] @ (places.mean(0)[:2] + 0.5)
    return to_table


def mapped(points: np.ndarray, to: np.ndarray) -> np.ndarray:
    return (points @ to[:, :2].T + to[:, 2]).astype(np.float32)


class Table:
    """Both networks, seeing exactly what lies there, however the picture of it is turned."""

    letters = "french"

    def __init__(
        self, *cards: Drawn, quarter: Sequence[Drawn] | None = None, half: Sequence[Drawn] | None = None
    ) -> None:
        self.cards = cards
        self.turned = {0: cards if quarter is None else quarter, -1: cards if half is None else half}
        """What they see in a picture that is turned, by the cosine of how far."""
        self.windows: list[tuple[int, ...]] = []
        """Sizes of what was looked at, height and width."""

    def shown(self, to_table: np.ndarray) -> Sequence[Drawn]:
        return self.turned.get(int(to_table[0, 0]), self.cards)

    def detect(self, image: np.ndarray, *, long_side: int = 1280, min_score: float = 0.25) -> Detections:
        if image.shape[:2] == (WINDOW_PX, WINDOW_PX):
            return Detections.none()  # one card, turned by an eighth
        self.windows.append(image.shape[:2])
        to_table = seen_from(image)
        shown = self.shown(to_table)
        shown = [c for c in shown if not c.missed]
        rows = [(c.rectangle(0, 0, WIDE, LONG), BACK if c.code is None else FACE, c.clear) for c in shown if c.outline]
        rows += [(index, INDEX, 0.9) for c in shown for index in c.indices()]
        back = np.linalg.inv(np.vstack([to_table, [0, 0, 1]]))[:2]
        rows = [(mapped(corners, back), *told) for corners, *told in rows]
        size = np.array(image.shape[1::-1])
        rows = [row for row in rows if ((row[0].mean(0) > 0) & (row[0].mean(0) < size)).all()]
        if not rows:
            return Detections.none()
        scores = np.array([r[2] for r in rows], np.float32)
        return Detections(np.stack([r[0] for r in rows]), np.array([r[1] for r in rows]), scores)

    def read(self, image: np.ndarray, corners_px: np.ndarray) -> IndexReadings:
        to_table = seen_from(image)
        read_as = [(i.mean(0), c) for c in self.shown(to_table) if c.taught for i in c.indices()]
        n = len(corners_px)
        rank, suit, is_index = np.zeros((n, 13), np.float32), np.zeros((n, 4), np.float32), np.zeros(n, np.float32)
        for k, quad in enumerate(corners_px):
            middle = mapped(quad.mean(0), to_table)
            gaps = [float(np.linalg.norm(at - middle)) for at, _ in read_as]
            card = read_as[int(np.argmin(gaps))][1] if min(gaps, default=9) < 2 else None
            if card is not None:
                is_index[k] = 1
                rank[k, RANKS.index(card.code[:-1])] = card.sure
                suit[k, SUITS.index(card.code[-1])] = 1
        return IndexReadings(corners_px.astype(np.float32), rank, suit, is_index)


def eye(*cards: Drawn, quarter: Sequence[Drawn] | None = None, half: Sequence[Drawn] | None = None) -> Eye:
    table = Table(*cards, quarter=quarter, half=half)
    return Eye(table, table)


def codes(reading) -> list[str]:
    return sorted(face.card.code if face.card else "?" for face in reading.cards)


@pytest.mark.parametrize("degrees", [0, 30, 90, 180, 215])
def test_both_corners_of_a_card_are_one_card(degrees):
    reading = read_fan(TABLE, eye(Drawn("7H", 300, 300, degrees), ALSO))
    assert codes(reading) == ["7H", "AC"]
    assert reading.certain


def test_a_card_that_lies_alone_is_one_card_and_nobody_is_asked():
    reading = read_fan(TABLE, eye(Drawn("7H", 300, 300)))
    assert (codes(reading), reading.problems) == (["7H"], ())


def test_a_card_whose_outline_was_not_found_is_still_one_card():
    assert codes(read_fan(TABLE, eye(Drawn("QS", 300, 300, 40, outline=False)))) == ["QS"]


def test_every_card_of_a_fan_counts_though_only_its_corner_shows():
    cards = [
        Drawn(code, 300 + 25 * k, 300, corners="top", outline=k == 3)
        for k, code in enumerate(("AS", "10D", "3C", "KH"))
    ]
    reading = read_fan(TABLE, eye(*cards))
    assert codes(reading) == ["10D", "3C", "AS", "KH"]
    assert reading.certain


TWICE = Drawn("7H", 200, 300), Drawn("7H", 600, 300, 90)


def test_equal_cards_of_two_decks_that_lie_apart_are_two():
    reading = read_fan(TABLE, eye(*TWICE))
    assert (codes(reading), reading.problems) == (["7H", "7H"], ())


def test_an_equal_card_that_a_phone_may_show_is_asked_about(around):
    around({(600, 300): 0.1})
    reading = read_fan(TABLE, eye(*TWICE))
    assert codes(reading) == ["7H", "7H"]
    assert reading.problems == ("is the 7H in the middle a card, or on a screen? there is another one",)


def test_a_deck_has_a_card_once_so_one_seen_twice_among_its_cards_is_asked_about():
    reading = read_fan(TABLE, eye(*TWICE), left=True)
    assert codes(reading) == ["7H"]
    assert reading.problems == ("7H was seen twice: a deck has it once, so it was counted once",)


def test_a_card_of_which_a_phone_shows_the_like_beside_it_is_another_card():
    """The indices of one card are of one size."""
    shown = Drawn("7H", 300, 300, corners="top", size=0.5)
    beside = Drawn("7H", 332, 332, 180, outline=False, corners="top")
    twice = "7H was seen twice: a deck has it once, so it was counted once"
    assert twice in read_fan(TABLE, eye(shown, beside)).problems
    assert twice not in read_fan(TABLE, eye(replace(shown, size=1.0), beside)).problems


def test_a_lone_corner_far_taller_than_the_others_is_rather_a_pip_and_is_asked_about():
    cards = [Drawn(code, 300 + 100 * k, 200) for k, code in enumerate(("AS", "10D", "3C"))]
    pip = Drawn("9D", 400, 500, outline=False, corners="top", size=2.0)
    reading = read_fan(TABLE, eye(*cards, pip))
    assert codes(reading) == ["10D", "3C", "AS"]
    assert "perhaps the 9D? it was not counted" in reading.problems[0]
    assert "9D" in codes(read_fan(TABLE, eye(*cards, replace(pip, size=1.0))))


def test_one_index_found_in_two_boxes_is_one_card():
    fan = [Drawn("7H", 300, 300, corners="top", outline=False), Drawn("7H", 305, 303, corners="top", outline=False)]
    reading = read_fan(TABLE, eye(*fan, ALSO))
    assert codes(reading) == ["7H", "AC"]
    assert reading.certain


def test_a_corner_that_surely_is_no_misread_of_the_card_below_is_a_card_of_its_own():
    """Its neighbour's outline is loose, and the two indices stand in opposite corners of it."""
    top, peeping = (
        Drawn("7H", 300, 300, corners="top"),
        Drawn("2S", 300, 300, 180, outline=False, corners="top", sure=0.7),
    )
    assert codes(read_fan(TABLE, eye(top, peeping))) == ["2S", "7H"]


def test_a_sure_corner_at_the_edge_of_an_open_card_is_another_cards():
    below = Drawn("2S", 335, 300, outline=False, corners="top")
    assert codes(read_fan(TABLE, eye(Drawn("7H", 420, 345), below))) == ["2S", "7H"]


def six_of_diamonds(table: np.ndarray, x: int, y: int) -> None:
    """Paints its pips round x, y."""
    table[y - 70 : y + 70, x - 50 : x + 50] = 245
    for right, up in [(right, up) for right in (-22, 22) for up in (-40, 0, 40)]:
        around = [[x + right, y + up - 13], [x + right + 9, y + up], [x + right, y + up + 13], [x + right - 9, y + up]]
        cv2.fillConvexPoly(table, np.array(around), (40, 30, 200))


PHONE = [Drawn("7H", 150, 150), Drawn("2C", 400, 150), Drawn("6D", 700, 400)]


def with_a_phone() -> np.ndarray:
    """TABLE with white cards, the 6D on a violet ground."""
    table = TABLE.copy()
    table[270:530, 620:780] = (150, 20, 95)
    for card in PHONE[:2]:
        x, y = int(card.x), int(card.y)
        table[y - 70 : y + 70, x - 50 : x + 50] = 240
    six_of_diamonds(table, 700, 400)
    return table


def test_a_card_that_seems_to_be_shown_on_a_phones_screen_does_not_count_and_is_asked_about(around):
    around({(700, 400): 0.1})
    lake = read_lake(with_a_phone(), eye(*PHONE))
    assert (lake.total, lake.certain) == (9, False)
    assert lake.problems == ("is the 6D at the right a card, or on a screen? it was not counted",)


def test_a_card_on_the_table_s_own_cloth_counts_whatever_seems_to_lie_round_it(around):
    """Tables differ from all that the network was taught."""
    around({(700, 400): 0.01})
    reading = read_lake(TABLE, eye(*PHONE))
    assert (reading.total, reading.problems) == (15, ())


def test_a_card_surely_shown_on_a_screen_is_none_and_nobody_is_asked(around):
    around({(700, 400): 0.01})
    reading = read_lake(with_a_phone(), eye(*PHONE))
    assert (reading.total, reading.problems) == (9, ())


def test_a_paper_that_is_hardly_read_as_a_card_is_asked_about(around):
    around({(700, 400): 0.1})
    assert not read_lake(TABLE, eye(*PHONE[:2], Drawn("6D", 700, 400, corners="top", sure=0.6))).certain


def test_a_card_on_a_phones_screen_beside_a_single_pile_does_not_count_either(around):
    around({(700, 400): 0.1})
    lake = read_lake(with_a_phone(), eye(PHONE[0], PHONE[2]))
    assert (lake.total, lake.certain) == (7, False)


@pytest.mark.parametrize("ground", ["mat", "phone"])
def test_a_pile_on_a_round_mat_or_laid_askew_on_a_phone_is_one(ground):
    """A card on a screen lies along its sides."""
    askew = replace(PHONE[2], degrees=25)
    table, around = TABLE.copy(), cv2.boxPoints(((700.0, 400.0), (220.0, 320.0), 0.0))
    if ground == "mat":
        cv2.circle(table, (700, 400), 160, (150, 20, 95), -1)
    else:
        cv2.fillConvexPoly(table, around.astype(np.int32), (150, 20, 95))
    for card in (*PHONE[:2], askew):
        cv2.fillConvexPoly(table, card.rectangle(0, 0, WIDE, LONG).astype(np.int32), (240, 240, 240))
    assert read_lake(table, eye(*PHONE[:2], askew)).total == 15


def test_a_pile_on_a_ground_of_its_own_counts_where_what_lies_round_it_is_no_screen():
    """A messy pile is a strange ground, too."""
    below = Drawn("5D", 660, 372, 20, outline=False, corners="top")
    assert read_lake(with_a_phone(), eye(*PHONE, below)).total == 15


@pytest.mark.parametrize(
    ("real", "counted", "asked"),
    [
        (1.0, 8, ()),
        (0.3, 8, ("the 9D in the middle: is it a card of this table?",)),
        (0.01, 7, ()),
    ],
)
def test_a_card_far_smaller_than_the_others_counts_unless_it_seems_to_be_shown_on_a_screen(
    around, real, counted, asked
):
    around({(450, 270): real})
    rows = [Drawn(code, 120 + 220 * k, 120) for k, code in enumerate(("7H", "2C", "KS", "AD"))]
    rows += [Drawn(code, 120 + 220 * k, 420) for k, code in enumerate(("3H", "5C", "JS"))]
    reading = read_fan(TABLE, eye(*rows, Small("9D", 450, 270, share=0.6)))
    assert (reading.count, reading.problems) == (counted, asked)


def test_a_score_sheet_taken_for_a_card_counts_for_nothing():
    table = TABLE.copy()
    table[50:190, 650:750] = 245
    table[70:180:20, 660:740] = 70
    reading = read_fan(table, eye(Drawn("7H", 200, 300), Drawn("2C", 700, 120, corners="none"), ALSO))
    assert (codes(reading), reading.certain) == (["7H", "AC"], True)


def test_an_outlined_card_that_can_hardly_be_read_does_not_count_and_is_asked_about():
    reading = read_fan(TABLE, eye(Drawn("7H", 200, 300), Drawn("3C", 600, 300, corners="top", sure=0.3)))
    assert codes(reading) == ["7H"]
    assert reading.problems == ("is what lies in the middle a card? it was not counted",)


def test_a_card_without_a_readable_corner_is_asked_about():
    table = TABLE.copy()
    six_of_diamonds(table, 700, 120)
    table[50:190, 700:750] = 245  # half of its pips: by them it can't be read, either
    reading = read_fan(table, eye(Drawn("7H", 200, 300), Drawn("2C", 700, 120, corners="none")))
    assert codes(reading) == ["7H", "?"]
    assert not reading.certain
    assert reading.problems == ("a card at the top right can't be read: show its corner, or type it",)


def test_a_corner_with_letters_nobody_taught_is_asked_about_where_no_card_was_read():
    strange = Drawn("AC", 700, 120, outline=False, corners="top", taught=False)
    reading = read_fan(TABLE, eye(Drawn("7H", 200, 300), strange))
    assert (codes(reading), reading.certain) == (["7H"], False)
    assert reading.problems == ("a card at the top right can't be read: show its corner, or type it",)


def test_a_corner_that_cannot_be_read_on_a_card_that_was_is_not_asked_about():
    on_it = Drawn("2C", 200, 300, 180, outline=False, corners="top", taught=False)
    assert read_fan(TABLE, eye(Drawn("7H", 200, 300, corners="top"), on_it, ALSO)).certain


def test_a_corner_that_cannot_be_read_beside_those_of_a_card_that_was_is_asked_about():
    beside = Drawn("AC", 240, 300, outline=False, corners="top", taught=False)
    assert read_fan(TABLE, eye(Drawn("7H", 200, 300), beside)).problems == (
        "a card at the left can't be read: show its corner, or type it",
    )


def test_an_outline_that_cuts_a_lone_corner_in_two_is_that_corners_card():
    reading = read_fan(
        TABLE, eye(Drawn("7H", 300, 300, corners="top", outline=False), Drawn("2C", 312, 300, corners="none"))
    )
    assert codes(reading) == ["7H"]


def test_an_outline_beside_a_lone_corner_is_another_card():
    corner, outline = Drawn("7H", 300, 300, corners="top", outline=False), Drawn("2C", 325, 300, corners="none")
    table = TABLE.copy()
    six_of_diamonds(table, 325, 300)
    table[230:370, 325:375] = 245
    assert codes(read_fan(table, eye(corner, outline))) == ["7H", "?"]


def test_a_doubtful_card_is_asked_about_by_name_and_place():
    reading = read_fan(TABLE, eye(Drawn("7H", 450, 300, sure=0.2)))
    assert not reading.certain
    assert reading.problems == ("not sure that the card in the middle is 7H",)


def test_a_pile_cut_by_the_edge_is_asked_about_as_others_may_lie_beyond_it():
    reading = read_lake(TABLE, eye(Drawn("7H", 30, 300), Drawn("AC", 600, 300)))
    assert reading.problems == ("a pile is cut by the picture's edge: show the whole Lake",)
    assert read_fan(TABLE, eye(Drawn("7H", 30, 300))).certain


def test_an_empty_table_is_no_certain_zero():
    reading = read_fan(TABLE, eye())
    assert (reading.count, reading.certain) == (0, False)
    lake = read_lake(TABLE, eye())
    assert (lake.total, lake.certain) == (0, False)


def test_a_pile_is_as_high_as_its_top():
    reading = read_lake(TABLE, eye(Drawn("7C", 200, 300), Drawn("3D", 450, 300, 45)))
    assert sorted((p.top.code, p.height) for p in reading.piles) == [("3D", 3), ("7C", 7)]
    assert (reading.total, reading.certain) == (10, True)


def test_corners_of_lower_cards_belong_to_the_pile():
    messy = (
        Drawn("7C", 200, 300),
        Drawn("6C", 215, 290, 20, outline=False, corners="top"),
        Drawn("5C", 190, 310, 350, corners="top"),
    )
    reading = read_lake(TABLE, eye(*messy))
    assert [(p.top.code, p.height) for p in reading.piles] == [("7C", 7)]


def test_two_piles_of_one_suit_side_by_side_stay_two():
    reading = read_lake(TABLE, eye(Drawn("7C", 200, 300), Drawn("6C", 320, 300)))
    assert reading.total == 13


def red_back(table: np.ndarray, x: int, y: int) -> None:
    """Paints one round x, y: a lattice in a white border."""
    cv2.rectangle(table, (x - 50, y - 70), (x + 50, y + 70), (240, 245, 245), -1)
    lattice = table[y - 62 : y + 62, x - 42 : x + 42]
    lattice[:] = (40, 30, 160)
    for k in range(-124, 124, 12):
        cv2.line(lattice, (0, k), (124, k + 124), (200, 195, 225), 2, cv2.LINE_AA)
        cv2.line(lattice, (0, k + 124), (124, k), (200, 195, 225), 2, cv2.LINE_AA)


def with_a_back() -> np.ndarray:
    """TABLE with a red back at 300, 300."""
    table = TABLE.copy()
    red_back(table, 300, 300)
    return table


def test_a_face_down_top_is_a_finished_pile_of_thirteen():
    reading = read_lake(
        with_a_back(),
        eye(Drawn(None, 300, 300), Drawn("QH", 310, 295, 15, outline=False, corners="top"), Drawn("2S", 600, 300)),
    )
    assert sorted((p.height, p.dead) for p in reading.piles) == [(2, False), (13, True)]
    assert reading.total == 15
    assert reading.certain


def test_a_finished_pile_whose_back_is_found_faintly_counts():
    reading = read_lake(with_a_back(), eye(Drawn(None, 300, 300, clear=0.35), Drawn("2S", 600, 300)))
    assert (reading.total, reading.certain) == (15, True)


def test_a_back_taken_for_a_face_is_a_finished_pile_and_is_asked_about():
    reading = read_lake(with_a_back(), eye(Drawn("JS", 300, 300, corners="none"), Drawn("2S", 600, 300)))
    assert sorted((p.height, p.dead) for p in reading.piles) == [(2, False), (13, True)]
    assert reading.problems == ("is there a finished pile, face down, in the middle?",)


def test_a_back_that_pips_and_surroundings_call_one_is_a_finished_pile_though_a_turned_look_reads_a_card():
    told = [Drawn("JS", 300, 300), Drawn("2S", 600, 300)]
    reading = read_lake(with_a_back(), eye(Drawn("JS", 300, 300, corners="none"), told[1], quarter=told))
    assert sorted((p.height, p.dead) for p in reading.piles) == [(2, False), (13, True)]


def test_an_ace_whose_print_looks_like_a_back_is_what_its_index_says():
    reading = read_lake(with_a_back(), eye(Drawn("AS", 300, 300, corners="top"), Drawn("2S", 600, 300)))
    assert sorted(pile.top.code for pile in reading.piles) == ["2S", "AS"]


def test_a_back_is_a_finished_pile_though_the_queen_below_it_shows_its_corner():
    reading = read_lake(with_a_back(), eye(Drawn("QS", 300, 300, corners="top"), Drawn("2S", 600, 300)))
    assert sorted((p.height, p.dead) for p in reading.piles) == [(2, False), (13, True)]


def test_a_card_of_a_fan_that_looks_like_a_back_is_asked_about():
    cards = [Drawn("7C", 600, 300), Drawn("2S", 760, 300)]
    reading = read_fan(with_a_back(), eye(Drawn("JS", 300, 300, corners="none"), *cards))
    assert codes(reading) == ["2S", "7C", "?"]
    assert reading.problems == ("a card in the middle can't be read: show its corner, or type it",)


def test_what_is_found_as_a_back_and_hardly_looks_like_one_is_asked_about_and_does_not_count():
    reading = read_lake(TABLE, eye(Drawn(None, 300, 300, clear=0.95), Drawn("2S", 600, 300)))
    assert reading.total == 2
    assert reading.problems == ("is what lies in the middle a card? it was not counted",)


def test_a_patch_of_cloth_taken_for_a_back_is_no_finished_pile():
    assert read_lake(TABLE, eye(Drawn(None, 300, 300, clear=0.8), Drawn("2S", 600, 300))).total == 2


@pytest.mark.parametrize("joker", [0.0, 0.999], ids=["for a back", "for a back that may be a joker"])
def test_a_part_of_a_patterned_cloth_taken_for_a_card_is_asked_about_and_does_not_count(monkeypatch, joker):
    def read(image: np.ndarray, outlines_px: Sequence[np.ndarray]) -> PipReadings:
        return replace(load_pips().read(image, outlines_px), joker=np.full(len(outlines_px), joker, np.float32))

    monkeypatch.setattr(faces, "load_pips", lambda: SimpleNamespace(read=read))
    table = with_a_back()
    for x, y in ((230, 300), (370, 300), (300, 190), (300, 410)):
        red_back(table, x, y)
    reading = read_lake(table, eye(Drawn(None, 300, 300, clear=0.5), Drawn("2S", 700, 300)))
    assert reading.total == 2
    assert reading.problems == ("is what lies in the middle a card? it was not counted",)


def test_a_face_taken_for_a_back_is_a_face():
    table = TABLE.copy()
    six_of_diamonds(table, 300, 300)
    reading = read_lake(table, eye(Drawn(None, 300, 300), Drawn("2S", 600, 300)))
    assert [pile.dead for pile in reading.piles] == [False, False]
    assert reading.problems == ("a card in the middle can't be read: show its corner, or type it",)


def test_a_doubtful_corner_away_from_all_piles_is_asked_about():
    reading = read_lake(
        TABLE, eye(Drawn("7C", 200, 300), Drawn("2S", 600, 300, outline=False, corners="top", sure=0.5))
    )
    assert [pile.height for pile in reading.piles] == [7]
    assert not reading.certain
    assert "perhaps the 2S? it was not counted" in reading.problems[0]


@pytest.mark.parametrize(("x", "tops"), [(600, ["2S", "7C"]), (850, ["7C"])], ids=["inside", "at the edge"])
def test_a_sure_corner_away_from_all_piles_is_one_where_all_of_its_card_may_lie_in_the_picture(x, tops):
    reading = read_lake(TABLE, eye(Drawn("7C", 200, 300), Drawn("2S", x, 300, outline=False, corners="top")))
    assert sorted(pile.top.code for pile in reading.piles) == tops
    assert not reading.certain


def test_sure_corners_that_may_peep_out_from_under_one_card_nobody_outlined_are_one_pile():
    corners = [Drawn(code, x, 300, outline=False, corners="top") for code, x in (("8S", 560), ("9S", 600), ("7S", 640))]
    reading = read_lake(TABLE, eye(Drawn("7C", 200, 300), *corners))
    assert sorted(pile.top.code for pile in reading.piles) == ["7C", "9S"]
    assert not reading.certain


def test_a_card_without_an_outline_that_shows_opposite_corners_lies_over_the_outlined_one():
    """A pile goes up (rules E2), and nothing lies on a card of which opposite corners show."""
    lower, top = believed("8D", 0.998), believed("10D", 0.989)
    assert top_of(Heap((lower,), (replace(top, whole=False, open=True),))).card == top.card
    assert top_of(Heap((lower,), (replace(top, whole=False, open=False),))).card == lower.card


def test_a_higher_corner_that_one_look_alone_reads_surely_speaks_against_the_top():
    top, corner = believed("4D", 0.999), replace(believed("5D", 0.977), confidence=HINT, whole=False)
    assert top_of(Heap((top,))).confidence > 0.99
    assert top_of(Heap((top,), (corner,))).confidence < 0.8


def test_a_misread_corner_of_another_suit_beside_a_pile_is_no_pile_of_its_own():
    beside = Drawn("4S", 300, 340, 20, outline=False, corners="top")
    reading = read_lake(TABLE, eye(Drawn("7C", 200, 300), beside))
    assert [(p.top.code, p.height) for p in reading.piles] == [("7C", 7)]


def test_a_sure_corner_that_reads_higher_than_the_outlined_card_is_the_top():
    """A pile goes up, so its highest card lies on top (rules E2)."""
    lower = Drawn("10S", 200, 300, corners="top", sure=0.9)
    top = Drawn("JS", 215, 310, 12, outline=False)
    reading = read_lake(TABLE, eye(lower, top))
    assert [(p.top.code, p.height) for p in reading.piles] == [("JS", 11)]


def test_a_top_that_other_corners_outvote_is_asked_about():
    """A 2S beside a pile nobody outlined, whose clubs peep out as if from under it."""
    top, *clubs = (believed(code, sure) for code, sure in (("2S", 0.9), ("5C", 1.0), ("4C", 1.0)))
    beside = tuple(replace(corner, whole=False) for corner in clubs)
    assert not top_of(Heap((top,))).disagree
    outvoted = top_of(Heap((replace(top, open=True, pips=3.9),), beside))
    assert outvoted.card != top.card
    assert (outvoted.disagree, outvoted.open, outvoted.pips) == (True, False, 0.0)


def believed(code: str, sure: float) -> FoundCard:
    """An outlined card whose rank and suit are read so surely."""
    card = parse_card(code)
    ranks, suits = np.full(13, (1 - sure) / 12, np.float32), np.full(4, (1 - sure) / 3, np.float32)
    ranks[card.rank - 1], suits[SUITS.index(card.suit.value)] = sure, sure
    return FoundCard(card, sure, QUAD, whole=True, ranks=ranks, suits=suits)


@pytest.mark.parametrize(("sure", "certain"), [(0.999, True), (0.6, False)])
def test_a_top_of_which_one_corner_alone_tells_what_it_is_must_be_read_surely(sure, certain):
    assert read_lake(TABLE, eye(Drawn("7C", 200, 300, corners="top", sure=sure))).certain is certain


def test_a_card_nobody_outlined_is_asked_about_in_a_lake_though_both_its_corners_show():
    """They may peep out from under another card."""
    reading = read_lake(TABLE, eye(Drawn("7C", 200, 300), Drawn("2S", 600, 300, outline=False)))
    assert sorted(pile.top.code for pile in reading.piles) == ["2S", "7C"]
    assert reading.problems == ("not sure that the card in the middle is 2S",)


def test_a_sure_corner_of_another_suit_that_peeps_out_from_under_a_top_is_asked_about():
    """A pile has one suit (rules E2): one of the two is misread."""
    top, under = Drawn("7C", 300, 300), Drawn("5S", 330, 350, 50, outline=False, corners="top")
    assert read_lake(TABLE, eye(top, replace(under, code="5C"))).certain
    assert read_lake(TABLE, eye(top, under)).problems == ("is there one pile in the middle, or two: 7C and 5S?",)


SINGLES = [("top", 0.99, True), ("top", 0.6, False), ("both", 0.8, True)]


@pytest.mark.parametrize(("corners", "sure", "certain"), SINGLES)
def test_a_fan_s_card_is_asked_about_sooner_where_one_corner_alone_tells_what_it_is(corners, sure, certain):
    assert read_fan(TABLE, eye(Drawn("7C", 200, 300, corners=corners, sure=sure), ALSO)).certain is certain


def test_a_fan_of_six_is_six_whatever_the_third_card_is():
    fan = [open_card(code, QUAD + 110 * k) for k, code in enumerate(("AS", "10D", "3C", "KH", "5C", "8D"))]
    fan[2] = replace(fan[2], confidence=0.4)
    assert reading_of(fan, TABLE).problems == ("not sure that the card at the left is 3C",)
    reading = reading_of(fan, TABLE, left=True)
    assert (reading.count, reading.problems) == (6, ())


def test_what_was_faintly_read_in_an_outline_that_does_not_count_is_asked_about_unless_it_counts_elsewhere():
    """Three cards under the 10C, of which only the outlines were found."""
    cards = [open_card("10C", QUAD), open_card("AC", QUAD + 300)]
    under = replace(believed("6D", 0.999), corners_px=QUAD + 20, confidence=0.2)
    assert reading_of([*cards, replace(under, confidence=0.05)], TABLE).certain
    assert reading_of([*cards, replace(under, card=cards[0].card)], TABLE).certain
    assert "perhaps the 6D? it was not counted" in reading_of([*cards, under], TABLE).problems[0]


def open_card(code: str, outline: np.ndarray) -> FoundCard:
    """One that lies open in *outline*."""
    return replace(believed(code, 0.999), corners_px=outline, corners=2, open=True, pips=3.9, index_px=30.0)


def test_pips_that_show_outvote_corners_that_err_alike():
    """A strange deck's diamonds read as spades in both corners; six of them lie open on the card."""
    ranks, spades, diamonds = np.full((3, 13), 0.001, np.float32), *np.full((2, 4), 0.002, np.float32)
    ranks[:, 5], spades[SUITS.index("S")], spades[SUITS.index("D")], diamonds[SUITS.index("D")] = 0.99, 0.97, 0.02, 0.99
    misread = FoundCard(parse_card("6S"), 0.98, QUAD, whole=True, corners=2, ranks=ranks[0], suits=spades)
    card = _by_pips(misread, ranks[1], diamonds)
    assert (card.card, card.disagree) == (parse_card("6D"), True)


@pytest.mark.parametrize(("corner", "cards"), [("6H", ["6D"]), ("6S", ["6D", "6S"]), ("7H", ["6D", "7H"])])
def test_a_corner_of_an_open_card_that_reads_the_other_red_suit_is_its_own(corner, cards):
    table = TABLE.copy()
    six_of_diamonds(table, 300, 300)
    misread = Drawn(corner, 300, 300, 180, outline=False, corners="top", sure=0.9)
    assert codes(read_fan(table, eye(Drawn("6D", 300, 300, corners="top"), misread))) == cards


def test_the_higher_of_two_outlined_cards_is_the_top_though_the_lower_ones_corners_both_show():
    """The upper one, less tidily laid, hides neither corner of the lower one (rules E2)."""
    lower, top = Drawn("10S", 200, 300, sure=0.97), Drawn("JS", 215, 310, 30, corners="top", sure=0.98)
    reading = read_lake(TABLE, eye(lower, top))
    assert [(p.top.code, p.height) for p in reading.piles] == [("JS", 11)]


def test_the_card_whose_pips_show_lies_on_top():
    """What covers a card hides its pips, however surely both corners of it are read."""
    below = FoundCard(parse_card("5D"), 1.0, QUAD, whole=True, open=True)
    above = FoundCard(parse_card("6D"), 0.99, QUAD + 10, whole=True, pips=3.9)
    assert [heap.outlined[0].card for heap in _heaps([below, above])] == [parse_card("6D")]


@pytest.mark.parametrize(("between", "piles"), [("3S", 1), ("3H", 2)])
def test_a_card_that_lies_between_two_of_its_suit_makes_them_one_pile(between, piles):
    """A messy pile: its ends lie too far apart to be known as one without what is between them."""
    spread = [
        FoundCard(parse_card("5S"), 0.99, QUAD, whole=True),
        FoundCard(parse_card("4S"), 0.98, QUAD + 90, whole=True),
    ]
    spread.append(FoundCard(parse_card(between), 0.9, QUAD + 40, whole=True))
    assert len(_heaps(spread)) == piles


def test_two_outlined_cards_in_one_place_are_one_pile_though_their_suits_were_read_differently():
    reading = read_lake(TABLE, eye(Drawn("6H", 200, 300), Drawn("5D", 225, 320, 25, corners="top")))
    assert [pile.height for pile in reading.piles] == [6]
    assert not reading.certain
    assert "is there one pile at the left, or two: 6H and 5D?" in reading.problems[-1]


def test_a_card_of_a_fan_that_the_first_look_misses_counts_when_both_turned_looks_show_it():
    both = [Drawn("7H", 200, 300), Drawn("2S", 600, 300)]
    reading = read_fan(TABLE, eye(both[0], quarter=both, half=both))
    assert codes(reading) == ["2S", "7H"]
    assert reading.certain


@pytest.mark.parametrize(("sure", "asked"), [(0.999, True), (0.7, False)])
def test_a_corner_that_one_look_alone_shows_does_not_count_and_is_asked_about_where_it_was_sure(sure, asked):
    card, ghost = Drawn("7H", 200, 300), Drawn("2S", 600, 300, outline=False, corners="top", sure=sure)
    reading = read_fan(TABLE, eye(card, ghost, ALSO, quarter=[card, ALSO], half=[card, ALSO]))
    assert codes(reading) == ["7H", "AC"]
    assert reading.certain is not asked


def test_an_outlined_card_that_one_look_alone_shows_counts_and_is_asked_about():
    card, other = Drawn("7H", 200, 300), Drawn("2S", 600, 300)
    reading = read_fan(TABLE, eye(card, other, quarter=[card], half=[card]))
    assert codes(reading) == ["2S", "7H"]
    assert reading.problems == ("not sure that the card in the middle is 2S",)


FAN = [Drawn(code, 300 + 25 * k, 300, outline=False, corners="top") for k, code in enumerate(("AS", "10D", "3C", "KH"))]


def test_a_corner_that_one_look_alone_shows_counts_in_the_row_of_a_fan_and_is_asked_about():
    reading = read_fan(TABLE, eye(*FAN, replace(FAN[-1], code="2S", x=400), quarter=FAN, half=FAN))
    assert codes(reading) == ["10D", "2S", "3C", "AS", "KH"]
    assert reading.problems == ("not sure that the card in the middle is 2S",)


def test_a_card_between_whose_corners_another_cards_stands_is_asked_about():
    """The neighbour's corner, misread as its own, lies where its second corner may."""
    corner = np.array([[-7, -14], [7, -14], [7, 14], [-7, 14]], np.float32)
    seven, queen = (
        believed("7D", 0.999),
        replace(believed("QH", 0.999), indices_px=np.stack([corner, corner + [80, 0]])),
    )
    for x, problems in ((40, ("QH was seen twice: a deck has it once, so it was counted once",)), (-40, ())):
        beside = replace(seven, indices_px=(corner + [x, 0])[None], index_px=28.0)
        assert reading_of([replace(queen, index_px=28.0), beside], TABLE).problems == problems


def test_a_card_that_stands_in_the_row_of_a_fan_counts_though_what_lies_round_it_is_strange():
    def corner(code: str, x: float) -> FoundCard:
        index = Drawn(code, x, 300).indices()[0]
        return FoundCard(parse_card(code), 0.99, index, whole=False, index_px=TALL, indices_px=index[None])

    row = [corner("7C", 200), corner("4H", 240), corner("9S", 280)]
    in_it, beside = (replace(corner(code, x), table=0.1) for code, x in (("2D", 320), ("KH", 700)))
    assert by_their_row(row, [in_it, beside]) == ([*row, in_it], [beside])


def test_a_misread_corner_of_an_open_card_does_not_count_in_the_row_of_a_fan():
    fan = [replace(card, x=300 + 40 * k, outline=k == 3) for k, card in enumerate(FAN)]
    other_corner = replace(FAN[-1], code="KD", x=fan[-1].x + WIDE - 24)
    reading = read_fan(TABLE, eye(*fan, other_corner, quarter=fan, half=fan))
    assert codes(reading) == ["10D", "3C", "AS", "KH"]
    assert reading.problems == ("is there a card in the middle, perhaps the KD? it was not counted",)


def test_a_card_is_looked_for_in_the_gap_of_a_fan_and_asked_about():
    missed, last = replace(FAN[0], code="2S", x=400, missed=True), replace(FAN[0], code="9H", x=425)
    reading = read_fan(TABLE, eye(*FAN, missed, last))
    assert codes(reading) == ["10D", "2S", "3C", "9H", "AS", "KH"]
    assert reading.problems == ("not sure that the card in the middle is 2S",)


def test_a_doubtful_outline_across_a_fan_does_not_count_and_is_asked_about():
    across = Drawn("2S", 345, 340, 90, corners="top", sure=0.5)
    reading = read_fan(TABLE, eye(*FAN, across))
    assert codes(reading) == ["10D", "3C", "AS", "KH"]
    assert reading.problems == ("is there a card in the middle, perhaps the 2S? it was not counted",)


def test_an_outlined_card_across_a_fan_counts_where_it_is_read_fairly_surely_and_is_asked_about():
    across = Drawn("2S", 345, 340, 90, corners="top", sure=0.65)
    reading = read_fan(TABLE, eye(*FAN, across))
    assert codes(reading) == ["10D", "2S", "3C", "AS", "KH"]
    assert reading.problems == ("not sure that the card in the middle is 2S",)


@pytest.mark.parametrize(("faint", "asked"), [("7H", 0), ("8H", 1)])
def test_a_faint_corner_of_a_card_that_counts_already_is_not_asked_about(faint, asked):
    """A deck has a card once (rules M6)."""
    cards = [open_card("7H", QUAD + 200), open_card("AC", QUAD)]
    corner = replace(believed(faint, 0.5), corners_px=QUAD[:, ::-1] / 5 + 400, whole=False, index_px=30.0)
    reading = reading_of([*cards, corner], TABLE)
    assert (codes(reading), len(reading.problems)) == (["7H", "AC"], asked)


def test_a_doubtful_card_is_what_most_looks_read():
    seen, turned = Drawn("7H", 300, 300, sure=0.5), [Drawn("7D", 300, 300)]
    assert codes(read_fan(TABLE, eye(seen, quarter=turned, half=turned))) == ["7D"]
    lake = read_lake(TABLE, eye(seen, quarter=turned, half=turned))
    assert [pile.top.code for pile in lake.piles] == ["7D"]


def test_a_lake_is_looked_at_again_only_near_what_is_unsure():
    sure, doubted = Drawn("7C", 150, 150), Drawn("3D", 700, 450, sure=0.5)
    turned = [Drawn("9C", 150, 150), Drawn("3D", 700, 450)]
    table = Table(sure, doubted, quarter=turned, half=turned)
    reading = read_lake(TABLE, Eye(table, table))
    assert sorted(pile.top.code for pile in reading.piles) == ["3D", "7C"]
    assert [2 * h * w < 600 * 900 for h, w in table.windows] == [False, False, True]


def test_a_lake_that_is_sure_is_looked_at_once():
    table = Table(Drawn("7C", 150, 150), Drawn("3D", 700, 450))
    assert read_lake(TABLE, Eye(table, table)).certain
    assert set(table.windows) == {TABLE.shape[:2]}


@pytest.mark.parametrize("down", [False, True], ids=["by its pips", "by what lies round it, too"])
def test_a_finished_pile_where_another_look_reads_a_card_counts_and_is_asked_about(around, down):
    around({}, down=down)
    face, back = Drawn("QS", 300, 300, sure=0.5), [Drawn(None, 300, 300)]
    table = TABLE.copy()
    cv2.rectangle(table, (250, 230), (350, 370), (235, 240, 240), -1)
    cv2.rectangle(table, (258, 238), (342, 362), (40, 30, 160), -1)
    reading = read_lake(table, eye(face, quarter=back))
    assert [pile.dead for pile in reading.piles] == [True]
    assert reading.problems == ("is there a finished pile, face down, in the middle?",)


@pytest.mark.parametrize(("clear", "asked"), [(0.45, False), (0.95, True)])
def test_paper_taken_for_a_back_does_not_count_and_is_asked_about_where_it_is_found_clearly(clear, asked):
    table = TABLE.copy()
    table[230:370, 350:450] = (200, 205, 205)
    cv2.putText(table, "41 7", (362, 300), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (90, 60, 60), 2)
    reading = read_lake(table, eye(Drawn(None, 400, 300, clear=clear), Drawn("2S", 600, 300)))
    assert [pile.top.code for pile in reading.piles] == ["2S"]
    assert reading.problems == (("is what lies in the middle a card? it was not counted",) if asked else ())


@dataclass(frozen=True)
class Loose(Drawn):
    """A card whose outline is found far too large, so that its own corners do not fit it."""

    def rectangle(self, x: float, y: float, w: float, h: float, *, head_down: bool = False) -> np.ndarray:
        size = 1.4 if (w, h) == (WIDE, LONG) else 1.0
        return super().rectangle(x, y, size * w, size * h, head_down=head_down)


def test_corners_that_lie_in_a_loose_outline_are_its_card_s():
    table, below = TABLE.copy(), Drawn("5D", 358, 352, outline=False)
    table[202:398, 330:470] = 240
    reading = read_lake(table, eye(Drawn("3D", 200, 300), Loose("6D", 400, 300), below))
    assert sorted(pile.top.code for pile in reading.piles) == ["3D", "6D"]


@dataclass(frozen=True)
class Small(Drawn):
    """A card so much shorter than the others, as on a packet or a screen."""

    share: float = 0.75

    def rectangle(self, x: float, y: float, w: float, h: float, *, head_down: bool = False) -> np.ndarray:
        share = self.share
        return super().rectangle(share * x, share * y, share * w, share * h, head_down=head_down)


@dataclass(frozen=True)
class Jumbo(Drawn):
    """A card whose indices are a third of its length high."""

    def indices(self) -> list[np.ndarray]:
        x, y, tall, thin = -WIDE / 2 + 5 + 14, -LONG / 2 + 5 + 24, 48.0, 28.0
        top, bottom = self.rectangle(x, y, thin, tall), self.rectangle(-x, -y, thin, tall, head_down=True)
        return [top, bottom]


def test_a_jumbo_index_belongs_to_the_card_it_stands_on():
    reading = read_fan(TABLE, eye(Jumbo("9D", 300, 300, 30), Jumbo("AC", 700, 300)))
    assert codes(reading) == ["9D", "AC"]
    assert reading.certain


def test_no_more_cards_are_asked_about_than_the_doubt_wants():
    sure, doubtful = Doubt(0.99, spotted("sure", (0, 1.0, 1.0))), Doubt(0.4, spotted("doubtful", (0, 2.0, 2.0)))
    assert in_doubt([sure, doubtful]) == [doubtful]
    assert in_doubt([sure]) == []
    assert in_doubt([sure, doubtful], 0.0) == []


@pytest.mark.parametrize(
    ("high", "white", "said"),
    [
        (9, False, "the numbers are only 9 pixels high: take the picture from closer"),
        (30, True, "light mirrors on the cards in the middle: move the lamp, and take the picture again"),
        (30, False, "much is unclear in the middle: spread the cards there, and take the picture again"),
    ],
)
def test_where_a_dozen_things_are_doubtful_one_is_said_what_to_do(high, white, said):
    image = np.full((600, 900, 3), 255 if white else 120, np.uint8)
    spots = [(0, 400.0 + 10 * k, 300.0) for k in range(12)]
    (problem,) = asked([Doubt(0.5, spotted("?", spot)) for spot in spots], image, [high])
    assert (problem, list(spots_of(problem))) == (said, spots)


def test_a_lake_that_is_unsure_of_two_places_is_left_to_a_person():
    doubted = Drawn("7C", 150, 150, sure=0.3), Drawn("3D", 700, 450, sure=0.3)
    table = Table(*doubted, quarter=[Drawn("9C", 150, 150), Drawn("4D", 700, 450)])
    reading = read_lake(TABLE, Eye(table, table))
    assert sorted(pile.top.code for pile in reading.piles) == ["3D", "7C"]
    assert not reading.certain
    assert set(table.windows) == {TABLE.shape[:2]}
