"""House rules by name and in one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.errors import NotationError, RulesError
from scorekeeper.rules.house import Partnership, Play, Rules, Scoring, StuckTable, TieBreaker, Words
from scorekeeper.rules.house_notation import brief_rules
from scorekeeper.rules.layout import Layout
from scorekeeper.rules.presets import PRESETS, check_rules_name, format_rules, laid_out_as, parse_rules, preset_of


@given(st.from_type(Rules))
def test_any_house_rules_survive_their_line(rules):
    assert parse_rules(format_rules(rules)) == rules


@given(st.from_type(Rules), st.randoms())
def test_the_order_of_the_clauses_and_the_case_of_their_letters_do_not_matter(rules, random):
    head, values, *clauses = brief_rules(rules).split(", ")
    shouted = [clause if clause.startswith("extra") else clause.upper() for clause in clauses]
    note = format_rules(rules).removeprefix(brief_rules(rules)).removeprefix(", ")
    mixed = [*shouted, *([note.replace("note", "NOTE", 1)] if note else [])]
    random.shuffle(mixed)
    assert parse_rules(" , ".join([head, values, *mixed])) == rules


@pytest.mark.parametrize(
    ("name", "line"),
    [
        pytest.param("national", "13 to 100, x1 -2", id="K2 K3 D1 to 100 without a bonus"),
        pytest.param("bonus", "13+10 to 150, x1 -2", id="C7 with the bonus the target is 150"),
        pytest.param("bonus-5", "13+5 to 150, x1 -2", id="C6 to 150 with five for the call"),
        pytest.param("catsatcards", "13+10 to 50, x1 -2", id="C6 to 50 with ten for the call"),
        pytest.param(
            "nuts",
            "11 to 250, x1 -2, called Nuts, laid out as Nuts, River 5, own piles only",
            id="J1 J2 J3 K13 E16 A12 piles of 11, to 250, no bonus",
        ),
        pytest.param("unforced", "13 to 100, x1 -2, may withhold, one hand", id="E5 E11 never forced, to 100"),
        pytest.param("unforced-150", "13 to 150, x1 -2, may withhold, one hand", id="E5 E11 never forced, to 150"),
        pytest.param("hands", "13 to 5, x1 -2, hands won", id="D7 K19 hands won"),
        pytest.param("rounds", "13 for 6 hands, x1 -2", id="D6 a fixed number of hands"),
        pytest.param("single", "13 for 1 hand, x1 -2", id="D8 each hand a game of its own"),
        pytest.param(
            "double-solitaire", "24 to 5, x1 -0, hands won, laid out as Double Solitaire", id="J5 Double Solitaire"
        ),
        pytest.param(
            "pishe-pasha", "26 to 100, x1 -0, cards the others have left, laid out as Pishe Pasha", id="J5 Pishe Pasha"
        ),
        pytest.param("canfield", "13 to 52 within 1 hand, x1 -0, played alone, laid out as Canfield", id="J5 Canfield"),
    ],
)
def test_a_preset_in_one_line(name, line):
    assert format_rules(PRESETS[name].rules) == line
    assert parse_rules(line) == PRESETS[name].rules


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        pytest.param(
            "11 to 250, x1 -2, called Nuts, own piles only",
            Rules(target=250, pile_size=11, play=Play(share_piles=False), words=Words.NUTS),
            id="J2 Nuts",
        ),
        pytest.param("13 to 5, x1 -2, hands won", Rules(target=5, scoring=Scoring.HANDS), id="J5 Double Solitaire"),
        pytest.param(
            "13 to 100, x1 -2, cards the others have left", Rules(scoring=Scoring.LEFTOVERS), id="J5 Pishe Pasha"
        ),
        pytest.param(
            "13 to 52 within 1 hand, x1 -2, played alone",
            Rules(target=52, rounds=1, scoring=Scoring.FOUNDATION),
            id="J5 Canfield",
        ),
    ],
)
def test_a_line_from_before_layouts_reads_as_it_always_did(line, rules):
    assert parse_rules(line) == rules
    assert format_rules(rules) == line
    assert rules.layout is Layout.NERTZ


@pytest.mark.parametrize(
    ("note", "clause"),
    [
        pytest.param("Turn with the left hand, please", 'note "Turn with the left hand, please"', id="a comma"),
        pytest.param("Turn left.\nNo phones.", r'note "Turn left.\nNo phones."', id="two lines"),
        pytest.param('Ann says "Go"', r'note "Ann says \"Go\""', id="quotes"),
        pytest.param("a \\n b", r'note "a \\n b"', id="a stroke that is no line"),
        pytest.param(', note "x"', r'note ", note \"x\""', id="words that look like a note"),
    ],
)
def test_a11_the_note_of_a_table_stands_in_quotes_at_the_end_of_the_line(note, clause):
    assert format_rules(Rules(note=note)) == f"13 to 100, x1 -2, {clause}"
    assert parse_rules(f"13 to 100, {clause}, x1 -2, River 5") == Rules(note=note, play=Play(river=5))
    assert brief_rules(Rules(note=note)) == "13 to 100, x1 -2"


@pytest.mark.parametrize("line", ['note "a", note "b"', 'note "a', "note a", 'note "a" b', 'note "a"b", River 5'])
def test_a_note_that_cannot_be_read_is_refused(line):
    with pytest.raises(NotationError, match="there are two notes|is no house rule"):
        parse_rules(f"13 to 100, x1 -2, {line}")


def test_every_preset_says_what_it_is():
    assert all(preset.name == name and preset.text.endswith(".") for name, preset in PRESETS.items())
    assert all(preset.title for preset in PRESETS.values())


@pytest.mark.parametrize("target", [50, 100, 150, 200, 250, 500, 137])
def test_d1_any_target_can_be_played_to(target):
    assert parse_rules(f"13 to {target}, x1 -2").target == target


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        pytest.param(Rules(jokers=1), "13 to 100, x1 -2, 1 joker", id="I3 a joker"),
        pytest.param(Rules(jokers=2), "13 to 100, x1 -2, 2 jokers", id="A8 two jokers"),
        pytest.param(
            Rules(rank_extras=((13, 5), (1, -2), (10, 1))), "13 to 100, x1 -2, extra A-2 10+1 K+5", id="C11 extras"
        ),
        pytest.param(
            Rules(
                tie_breaker=TieBreaker.TIED, false_call=5, partnership=Partnership.ROTATING,
                play=Play(river=5, stuck=StuckTable.TOP_TO_BOTTOM, last_card=False),
            ),
            "13 to 100, x1 -2, tie-breaker of the tied, false call -5, rotating partners, River 5, no last card, "
            "stuck: top to bottom",
            id="K8 H5 A5 B3 K18 K11 a table of its own",
        ),
    ],
)  # fmt: skip
def test_house_rules_of_ones_own_in_one_line(rules, line):
    assert format_rules(rules) == line
    assert parse_rules(line) == rules


@pytest.mark.parametrize("text", ["", "to 100", "13 to hundred, x1 -2", "13 to 100", "13, x1 -2", "13 to 100, x1"])
def test_what_is_no_line_of_house_rules_is_refused(text):
    with pytest.raises(NotationError, match="expected house rules"):
        parse_rules(text)


@pytest.mark.parametrize(
    ("clause", "words"),
    [
        ("many jokers", "'many jokers' is no house rule"),
        ("extra A", "'extra A' is no house rule"),
        ("river 5, River 6", "'River 6' says again"),
        ("", "'' is no house rule"),
    ],
)
def test_a_clause_that_cannot_be_is_named(clause, words):
    with pytest.raises(NotationError, match=words):
        parse_rules(f"13 to 100, x1 -2, {clause}")


def test_a_line_of_house_rules_that_cannot_be_is_refused():
    with pytest.raises(RulesError, match="the jokers must be"):
        parse_rules("13 to 100, x1 -2, 9 jokers")
    with pytest.raises(RulesError, match="the target must be"):
        parse_rules("13 to 0, x1 -2")


def test_a_preset_is_known_by_its_rules():
    assert preset_of(Rules(target=150, bonus=10)) is PRESETS["bonus"]
    assert preset_of(Rules(target=151)) is None
    assert preset_of(Rules(target=5, scoring=Scoring.HANDS)) is PRESETS["hands"]


@pytest.mark.parametrize(
    ("layout", "name"),
    [
        (Layout.NERTZ, "national"),
        (Layout.NUTS, "nuts"),
        (Layout.PISHE_PASHA, "pishe-pasha"),
        (Layout.DOUBLE_SOLITAIRE, "double-solitaire"),
        (Layout.CANFIELD, "canfield"),
    ],
)
def test_j2_j5_every_layout_is_that_of_a_preset(layout, name):
    assert laid_out_as(layout) is PRESETS[name]


@pytest.mark.parametrize("name", ["", " ", "National", "nuts", "x" * 41, "a\nb"])
def test_a_name_that_house_rules_cannot_have_is_refused(name):
    with pytest.raises(RulesError, match="name"):
        check_rules_name(name)


def test_a_name_of_ones_own_is_fine():
    check_rules_name("Sunday at Aunt Zoe's")
