"""The score sheet on paper."""

from __future__ import annotations

from scorekeeper.rules.events import GameStarted, HandDisputed, HandRecorded, SideLeft
from scorekeeper.rules.fold import fold
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Handicap, Rules, Side, SideId, make_sides
from scorekeeper.rules.sheet import score_sheet

SIDES = (*make_sides(["Amy", "Ben"]), Side(SideId("cleo"), "Cleo", "#009e73", handicap=Handicap(start=5)))


def test_c20_a_game_fits_on_paper():
    hands = [HandRecorded(parse_hand("amy 14/0! ben 9/0! cleo 3/5")), SideLeft(SideId("cleo"))]
    more = [HandRecorded(parse_hand("amy 3/1 ben 9/0!")), HandDisputed(2, "who called?")]
    sheet = score_sheet(fold([GameStarted(SIDES, Rules(bonus=5)), *hands, *more]), empty=1)
    assert sheet.splitlines() == [
        "13+5 to 100, x1 -2",
        "",
        " Hand    Amy    Ben  Cleo (left)",
        "Start      0      0            5",
        "    1  16.5!  11.5!           -7",
        "   2?      1    14!            -",
        "",
        "Total   17.5   25.5           -2",
        "",
        "Ben leads with 25.5 of 100 points (unofficial: hand 2 is disputed)",
    ]


def test_c20_an_empty_sheet_has_only_its_heading_and_lines_to_write_on():
    game = fold([GameStarted(SIDES[:2], Rules())])
    assert score_sheet(game).splitlines()[2:4] == [" Hand  Amy  Ben", "Total    0    0"]
    lines = score_sheet(game, empty=3).splitlines()
    assert lines[2:8] == [" Hand  Amy  Ben", "", "", "", "Total    0    0", ""]
