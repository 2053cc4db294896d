"""House rules are one value: every value has its range, and what can't be is refused with every reason."""

from __future__ import annotations

from dataclasses import fields, replace
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.errors import RulesError
from scorekeeper.rules.house import (
    PLAY_RANGES,
    RULES_RANGES,
    Alternation,
    Deal,
    EmptySlot,
    Finished,
    HandsUsed,
    Partnership,
    Play,
    Rules,
    Scoring,
    Simultaneous,
    StuckTable,
    TieBreaker,
    suggested_target,
)
from scorekeeper.rules.house_words import WORDS, rules_card
from scorekeeper.rules.layout import Layout
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.words import changed_rules


@pytest.mark.parametrize(
    ("rules", "stream", "available"),
    [
        pytest.param(Rules(), 35, 6, id="B4 E1 B1 B3 a Stream of 35 and six available cards"),
        pytest.param(Rules(play=Play(river=5)), 34, 7, id="B3 B4 E1 a River of five makes 34 and seven"),
        pytest.param(Rules(pile_size=11), 37, 6, id="B2 a pile of eleven"),
        pytest.param(Rules(jokers=2), 37, 6, id="A8 I3 two jokers go to the Stream"),
        pytest.param(Rules(pile_size=48), 0, 6, id="B1 the largest pile leaves no Stream"),
    ],
)
def test_what_follows_from_house_rules(rules, stream, available):
    assert (rules.stream, rules.available) == (stream, available)


@pytest.mark.parametrize(
    ("name", "pile", "columns", "stream", "foundation", "available"),
    [
        pytest.param("national", 13, (1, 1, 1, 1), 35, 0, 6, id="B1 B3 B4 E1 Nertz"),
        pytest.param("nuts", 11, (5, 4, 3, 2, 1), 26, 0, 7, id="J2 K13 Nuts"),
        pytest.param("pishe-pasha", 26, (), 0, 0, 1, id="J5 Pishe Pasha"),
        pytest.param("double-solitaire", 24, (), 0, 4, 1, id="J5 Double Solitaire"),
        pytest.param("canfield", 13, (1, 1, 1, 1), 34, 1, 6, id="J5 Canfield"),
    ],
)
def test_what_is_laid_out(name, pile, columns, stream, foundation, available):
    rules = PRESETS[name].rules
    assert (rules.pile_size, rules.columns, rules.stream) == (pile, columns, stream)
    assert (rules.foundation, rules.available) == (foundation, available)


def all_cards(rules: Rules) -> int:
    """What lies on the table of one deck: the cards of all who share it, and the foundations."""
    return rules.foundation + rules.plan.sharers * (rules.pile_size + rules.table_cards + rules.stream)


@pytest.mark.parametrize("name", [*PRESETS])
def test_b4_the_cards_of_a_preset_make_one_deck(name):
    assert all_cards(PRESETS[name].rules) == 52


@given(st.from_type(Rules))
def test_b4_the_cards_of_any_layout_make_one_deck(rules):
    assert all_cards(rules) == rules.deck_size
    assert rules.stream >= 0


@pytest.mark.parametrize(
    ("name", "sides"),
    [
        pytest.param("national", (2, None), id="K1 Nertz for any number"),
        pytest.param("nuts", (2, 2), id="J1 Nuts for two sides"),
        pytest.param("pishe-pasha", (2, 2), id="J5 Pishe Pasha for two"),
        pytest.param("double-solitaire", (2, 2), id="J5 Double Solitaire for two"),
        pytest.param("canfield", (1, 1), id="J5 Canfield for one"),
    ],
)
def test_how_many_sides_play(name, sides):
    assert (PRESETS[name].rules.fewest_sides, PRESETS[name].rules.most_sides) == sides


@pytest.mark.parametrize(
    ("name", "checks"),
    [("national", True), ("nuts", True), ("canfield", True), ("pishe-pasha", False), ("double-solitaire", False)],
)
def test_j5_only_nertz_nuts_and_canfield_have_a_lake_to_check(name, checks):
    assert PRESETS[name].rules.lake_checks == checks


def test_j5_two_who_share_a_deck_have_no_lake_to_tell_apart_by_backs():
    assert not replace(PRESETS["pishe-pasha"].rules, scoring=Scoring.POINTS).lake_checks


def test_a11_a_note_is_kept_without_needless_spaces():
    assert Rules(note="\n Turn  left.\r\n\n\tNo phones. ").note == "Turn left.\nNo phones."
    assert dict(rules_card(Rules(note="Turn left.")))["Also agreed"] == "Turn left."


def test_a11_a_note_that_is_taken_off_is_said():
    assert changed_rules(Rules(note="Turn left."), Rules()) == ["Also agreed: nothing else"]
    assert changed_rules(Rules(), Rules(note="Turn left.")) == ["Also agreed: Turn left."]


@pytest.mark.parametrize(
    ("bonus", "target"),
    [pytest.param(0, 100, id="C7 no bonus"), pytest.param(10, 150, id="C7 with the bonus")],
)
def test_a_usual_target_is_suggested_and_not_forced(bonus, target):
    assert suggested_target(bonus) == target
    assert Rules(bonus=bonus, target=37).target == 37


@pytest.mark.parametrize(
    ("values", "reasons"),
    [
        pytest.param({"target": 0}, ["the target must be a whole number from 1 to 100000, not 0"], id="K2 no end"),
        pytest.param({"target": 0, "rounds": 6}, [], id="D6 the number of hands ends the game"),
        pytest.param({"target": -1, "rounds": 6}, ["the target must be"], id="D1 a target below nothing"),
        pytest.param({"rounds": -1}, ["the rounds must be a whole number from 0 to 1000"], id="D6 less than no hands"),
        pytest.param({"jokers": 5, "lake_value": 0}, ["the jokers must be", "the lake value must be"], id="I3 C1 two"),
        pytest.param({"nertz_penalty": 2.5}, ["the nertz penalty must be a whole number"], id="C2 half a point off"),
        pytest.param({"bonus": True}, ["the bonus must be a whole number"], id="C6 a bonus of yes"),
        pytest.param({"scoring": "gold"}, ["the scoring must be one of points, hands"], id="K19 an unknown scoring"),
        pytest.param({"partnership": "x"}, ["the partnership must be one of free, singles"], id="A5 unknown teams"),
        pytest.param({"tie_breaker": None}, ["the tie breaker must be one of everybody, tied"], id="K8 nobody"),
        pytest.param({"rank_extras": ((14, 1),)}, ["there is no rank 14"], id="C11 a rank that is not"),
        pytest.param({"rank_extras": ((1, 0),)}, ["extra points of A must be"], id="C11 an extra of nothing"),
        pytest.param({"rank_extras": ((13, 101),)}, ["extra points of K must be"], id="C11 an extra too large"),
        pytest.param({"rank_extras": ((13, -100), (1, 100))}, [], id="C11 the largest extras"),
        pytest.param({"rank_extras": ((1, 1), (1, 2))}, ["one rank has extra points twice"], id="C11 one rank twice"),
        pytest.param(
            {"pile_size": 49}, ["the pile size must be a whole number from 1 to 48"], id="B1 a pile too large"
        ),
        pytest.param(
            {"pile_size": 48, "play": Play(river=5)},
            ["a Nertz pile of 48 and a River of 5 need more cards than a deck of 52"],
            id="B4 pile and River larger than the deck",
        ),
        pytest.param(
            {"layout": Layout.NUTS, "pile_size": 25, "play": Play(river=7)},
            ["a Nertz pile of 25 and a River of 7 + 6 + 5 + 4 + 3 + 2 + 1 need more cards than a deck of 52"],
            id="J2 columns larger than the deck",
        ),
        pytest.param(
            {"layout": Layout.PISHE_PASHA, "pile_size": 13},
            ["in Pishe Pasha the whole deck is dealt, 26 cards to each pile, not 13"],
            id="J5 half a deck each",
        ),
        pytest.param(
            {"layout": Layout.DOUBLE_SOLITAIRE, "pile_size": 24, "jokers": 1},
            ["a deck of 53 can't be shared in Double Solitaire: use an even number of jokers"],
            id="J5 I3 one joker for two",
        ),
        pytest.param({"layout": "nuts"}, ["the layout must be one of as-nertz, as-nuts"], id="J2 no such layout"),
        pytest.param({"note": "x" * 301}, ["the note is too long: use 5 lines and 300 letters"], id="A11 a long note"),
        pytest.param({"note": "\n".join("abcdef")}, ["the note is too long"], id="A11 a note of six lines"),
        pytest.param({"note": "a\u202eb"}, ["the note has signs that can't be shown"], id="A11 an invisible sign"),
        pytest.param({"note": "x" * 300}, [], id="A11 the longest note"),
        pytest.param({"note": "\U0001f937\u200d\u2640\ufe0f who knows"}, [], id="A11 an emoji of several signs"),
        pytest.param(
            {"scoring": Scoring.HANDS, "bonus": 10}, ["a tally of hands counts no points"], id="D7 a bonus in a tally"
        ),
        pytest.param(
            {"scoring": Scoring.HANDS, "rank_extras": ((1, 1),)}, ["a tally of hands"], id="D7 extras in a tally"
        ),
    ],
)
def test_house_rules_that_cannot_be_are_refused_with_every_reason(values, reasons):
    if not reasons:
        Rules(**values)
        return
    with pytest.raises(RulesError) as refusal:
        Rules(**values)
    found = str(refusal.value).split("; ")
    assert len(found) == len(reasons)
    assert all(reason in text for reason, text in zip(sorted(reasons), sorted(found), strict=True))


def test_a_table_that_says_nothing_plays_by_the_national_rules():
    play = {field.name: getattr(Play(), field.name) for field in fields(Play)}
    switches = {name: value for name, value in play.items() if isinstance(value, bool)}
    assert {name for name, value in switches.items() if value} == {"last_card", "share_piles"}
    assert [play[name] for name in PLAY_RANGES] == [4, 3, 5, 1]
    assert [getattr(Rules(), name) for name in RULES_RANGES] == [100, 1, 2, 0, 13, 0, 0, 0]


def test_the_range_of_every_number():
    assert dict(PLAY_RANGES) == {"river": (3, 7), "flip": (1, 5), "shuffles": (1, 20), "cuts": (0, 10)}
    assert [high for _, high in RULES_RANGES.values()] == [100_000, 100, 100, 10_000, 48, 4, 1_000, 1_000]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        pytest.param({"river": 8}, "the river must be a whole number from 3 to 7", id="B3 too many columns"),
        pytest.param({"flip": 0}, "the flip must be a whole number from 1 to 5", id="B6 no flip"),
        pytest.param({"shuffles": 0}, "the shuffles must be", id="B8 no shuffle"),
        pytest.param({"cuts": -1}, "the cuts must be", id="B8 less than no cut"),
        pytest.param({"deal": "sideways"}, "the deal must be one of down, up", id="B5 dealt sideways"),
        pytest.param({"stacking": 1}, "stacking is on or off, not 1", id="E6 a number for a switch"),
    ],
)
def test_rules_of_play_that_cannot_be_are_refused(values, reason):
    with pytest.raises(RulesError, match=reason):
        Play(**values)


@pytest.mark.parametrize(
    ("rules", "label", "text"),
    [
        pytest.param(Rules(), "End", "100 points or more", id="K2b D2 at least the target"),
        pytest.param(Rules(), "Call", "no bonus", id="K3 C6 no bonus"),
        pytest.param(Rules(bonus=10), "Call", "10 points, shared by all callers", id="K3 C6 a bonus"),
        pytest.param(Rules(target=0, rounds=6), "End", "when 6 hands are played", id="D6 six hands"),
        pytest.param(Rules(rounds=1), "End", "or 1 hand is played", id="D8 one hand"),
        pytest.param(Rules(scoring=Scoring.HANDS, target=5), "End", "5 hands won or more", id="D7 K19 hands won"),
        pytest.param(Rules(tie_breaker=TieBreaker.TIED), "Tie", "only the tied", id="K8 the tied play"),
        pytest.param(Rules(), "Tie", "more calls win; else everybody plays", id="D4 calls first"),
        pytest.param(Rules(calls_break_ties=False), "Tie", "everybody plays", id="D4 straight to the tie-breaker"),
        pytest.param(Rules(false_call=5), "False call", "5 points off; play goes on", id="H5 a false call"),
        pytest.param(Rules(rank_extras=((13, 5), (1, -2))), "Cards worth more or less", "A -2, K +5", id="C11 extras"),
        pytest.param(Rules(jokers=1), "Deck", "52 cards and 1 joker", id="A8 I3 a joker"),
        pytest.param(Rules(), "Nertz pile", "13 cards, face down, the last card up", id="B1 B5 the pile"),
        pytest.param(Rules(play=Play(deal=Deal.FACE_UP)), "Nertz pile", "face up", id="B5 face up"),
        pytest.param(Rules(), "Stream", "35 cards, turned 3 cards at a time", id="B4 B6 the Stream"),
        pytest.param(Rules(play=Play(flip=1)), "Stream", "turned 1 card at a time", id="B6 one at a time"),
        pytest.param(Rules(), "River", "4 columns, so 6 cards are available", id="B3 E1 the River"),
        pytest.param(Rules(), "Shuffle", "5 times, cut 1 time", id="B8 shuffle and cut"),
        pytest.param(
            Rules(play=Play(cuts=0, round_robin=True)), "Shuffle", "5 times, each a neighbour’s", id="B8 robin"
        ),
        pytest.param(Rules(play=Play(withholding=True)), "Holding back", "may be held back", id="E5 K6 holding back"),
        pytest.param(Rules(), "Holding back", "are played", id="E5 K6 nothing is held back"),
        pytest.param(Rules(play=Play(stacking=True)), "Several cards at once", "unanimous", id="E6 stacking"),
        pytest.param(Rules(play=Play(empty_slot=EmptySlot.NERTZ)), "Empty River slot", "must be", id="E8 K7 the slot"),
        pytest.param(Rules(play=Play(finished=Finished.ASIDE)), "Finished pile", "moved aside", id="E3 K9 aside"),
        pytest.param(Rules(), "Finished pile", "turned face down", id="E3 K9 turned"),
        pytest.param(Rules(play=Play(hands=HandsUsed.ONE)), "Hands used", "one hand", id="E11 K10 one hand"),
        pytest.param(Rules(play=Play(hands=HandsUsed.OTHER_HOLDS)), "Hands used", "holds the Stream", id="K10 other"),
        pytest.param(
            Rules(play=Play(simultaneous=Simultaneous.BOTH_STAY)), "Two cards at once", "both cards stay", id="E14 K12"
        ),
        pytest.param(Rules(play=Play(reversing=True)), "Direction", "turn the direction", id="E4 reversing"),
        pytest.param(Rules(play=Play(both_ends=True)), "Both ends", "from both ends", id="E17 both ends"),
        pytest.param(Rules(play=Play(call_at_once=True)), "Empty Nertz pile", "must call", id="G1 K4 call at once"),
        pytest.param(Rules(play=Play(last_card=False)), "Card on its way", "does not count", id="G3 K18 last card"),
        pytest.param(Rules(play=Play(stuck=StuckTable.NEW_STOCK)), "Stuck table", "new Stream", id="K11 F7"),
        pytest.param(Rules(play=Play(stuck=StuckTable.HAND_ENDS)), "Stuck table", "the hand ends", id="K11 F8"),
        pytest.param(Rules(), "Holding back", "no place in the River", id="E5 K6 what must be played"),
        pytest.param(Rules(play=Play(share_piles=False)), "Partners’ piles", "only the owner", id="E16 own piles"),
        pytest.param(Rules(play=Play(alternation=Alternation.MANDATORY)), "Turns", "must take turns", id="B11 turns"),
        pytest.param(Rules(play=Play(rotate_seats=True)), "Seats", "moves on one seat", id="A13 seats"),
        pytest.param(Rules(partnership=Partnership.MIXED_DOUBLES), "Teams", "a woman and a man", id="A5 mixed doubles"),
    ],
)
def test_the_sheet_that_everybody_confirms_says_every_rule(rules, label, text):
    assert text in dict(rules_card(rules))[label]


def test_every_choice_has_words_of_its_own():
    kinds = {type(value) for rules in (Rules(), Play()) for value in map(rules.__getattribute__, type(rules).__slots__)}
    choices = [choice for kind in kinds if issubclass(kind, StrEnum) for choice in kind]
    assert len(choices) == len(WORDS) == len({*choices})
    assert len({*WORDS.values()}) == len(WORDS)


@given(st.from_type(Rules))
def test_a11_any_house_rules_have_a_sheet_of_labels_that_differ(rules):
    card = rules_card(rules)
    assert len(dict(card)) == len(card) >= 20
    assert all(text for _, text in card)
