"""The referee guide answers every question of the rules sheet, by the house rules in force."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from enum import Enum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.errors import NotFoundError
from scorekeeper.guide import ENTRIES, TOPICS, answer, find_entry, rules_card, topics_of, values_of
from scorekeeper.guide.vocabulary import VOCABULARIES
from scorekeeper.rules.house import (
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
    Words,
)


def numbered(letter: str, last: int) -> set[str]:
    return {f"{letter}{number}" for number in range(1, last + 1)}


PLAY_ROWS = numbered("A", 14) | numbered("B", 12) | numbered("E", 18) | numbered("F", 8) | numbered("G", 4)
SCORE_ROWS = numbered("C", 20) | numbered("D", 9) | numbered("H", 7) | numbered("I", 3) | numbered("J", 5)
SETTLED_ROWS = numbered("K", 19) | {"K2b", "L"}
"""Contradictions of the sources, and what they leave open."""

CHOICES = {
    Alternation: "alternation", Deal: "deal", EmptySlot: "empty_slot", Finished: "finished", HandsUsed: "hands",
    Simultaneous: "simultaneous", StuckTable: "stuck", Partnership: "partnership", Scoring: "scoring",
    TieBreaker: "tie_breaker", bool: "",
}  # fmt: skip


def rules_with(**values: object) -> Rules:
    """The usual rules but for *values*, of the score or of the play."""
    play = {name: values.pop(name) for name in [*values] if name in {field.name for field in fields(Play)}}
    return replace(Rules(), **values, play=replace(Play(), **play))  # type: ignore[arg-type]


def said(name: str, rules: Rules) -> str:
    """The whole answer of one entry in English."""
    words = {**VOCABULARIES[rules.words], **values_of(rules)}
    return " ".join(text % words for text in answer(find_entry(name), rules))


@pytest.mark.parametrize("row", sorted(PLAY_ROWS | SCORE_ROWS | SETTLED_ROWS))
def test_every_row_of_the_rules_sheet_is_answered(row):
    assert any(row in entry.rows for entry in ENTRIES)


def test_no_entry_names_a_row_that_is_not_there():
    assert {row for entry in ENTRIES for row in entry.rows} == PLAY_ROWS | SCORE_ROWS | SETTLED_ROWS


def test_every_entry_has_an_address_of_its_own():
    names = [entry.id for entry in ENTRIES]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z][a-z-]+", name) for name in names)
    assert [find_entry(name).id for name in names] == names


def test_an_unknown_entry_is_refused():
    with pytest.raises(NotFoundError, match="no entry 'poker'"):
        find_entry("poker")


@pytest.mark.parametrize(
    ("name", "rules", "sentence"),
    [
        pytest.param("empty-slot", rules_with(empty_slot=EmptySlot.NERTZ), "filled from the Nertz pile", id="K7"),
        pytest.param("empty-slot", Rules(), "it may stay empty", id="K7 the other way"),
        pytest.param("available", rules_with(river=5), "7 cards at a time", id="E1 a River of five"),
        pytest.param("layout", rules_with(river=5), "5 in the River, and the other 34", id="B4"),
        pytest.param("withholding", Rules(), "only if there is a place for them in the River", id="E5 K6"),
        pytest.param("withholding", rules_with(withholding=True), "nobody is ever forced", id="K6 the other way"),
        pytest.param("stuck-all", rules_with(stuck=StuckTable.TOP_TO_BOTTOM), "top card of their Stream", id="K11"),
        pytest.param("stuck-all", rules_with(stuck=StuckTable.NEW_STOCK), "stuck even so, the hand ends", id="F8"),
        pytest.param(
            "stuck-all", rules_with(stuck=StuckTable.HAND_ENDS), "ends at once and is scored", id="F8 at once"
        ),
        pytest.param("dead-hand", rules_with(stuck=StuckTable.HAND_ENDS), "as soon as all are stuck", id="F8 C19"),
        pytest.param("tie", Rules(), "whoever called more often wins", id="D4"),
        pytest.param("tie", rules_with(calls_break_ties=False), "calls do not break a tie", id="D4 the other way"),
        pytest.param("players", Rules(), "From six players on, pairs", id="A1"),
        pytest.param("bonus", rules_with(bonus=10), "the call is worth 10 points", id="K3"),
        pytest.param("bonus", Rules(), "no bonus", id="K3 none"),
        pytest.param("target", rules_with(target=0, rounds=6), "the game ends after 6 hands.", id="D6"),
        pytest.param("target", rules_with(rounds=6), "after 6 hands at the latest", id="D6 with a target too"),
        pytest.param("rounds", rules_with(rounds=1), "one hand is the whole game", id="D8"),
        pytest.param("target", rules_with(target=1, scoring=Scoring.HANDS), "has won one hand", id="D7 one hand"),
        pytest.param("bonus", rules_with(bonus=1), "the call is worth 1 point.", id="C6 one point"),
        pytest.param("layout", rules_with(pile_size=1), "1 card in the Nertz pile", id="B1 one card"),
        pytest.param("two-calls", Rules(), "must come to the whole bonus", id="C10"),
        pytest.param("joker-river", rules_with(jokers=1), "Once a card lies on it, it stays that.", id="I2"),
        pytest.param("tie", Rules(), "change partners first", id="K15"),
        pytest.param("won-game", Rules(), "A decided game stays decided.", id="K14"),
        pytest.param("target", rules_with(target=5, scoring=Scoring.HANDS), "has won 5 hands", id="D7"),
        pytest.param("extra-values", rules_with(rank_extras=((13, 5),)), "K +5", id="C11"),
        pytest.param("deck", rules_with(jokers=2), "2 jokers as well, 54 cards", id="A8"),
        pytest.param("false-call", rules_with(false_call=5), "takes 5 off the score", id="H5"),
        pytest.param(
            "must-call", rules_with(call_at_once=True), "a side whose Nertz pile is gone must call at once", id="K4"
        ),
        pytest.param("stop", rules_with(words=Words.POUNCE), "Play stops at once", id="G2"),
    ],
)
def test_the_answer_follows_the_house_rules(name, rules, sentence):
    assert sentence in said(name, rules)


def test_a_table_reads_its_own_words():
    answer = said("empty-slot", rules_with(empty_slot=EmptySlot.NERTZ, words=Words.POUNCE))
    assert answer.endswith("an empty Tableau slot must be filled from the Pounce pile.")


switches = [each.switch for entry in ENTRIES for each in entry.house if each.label]
choices = [(kind, name, value) for kind, name in CHOICES.items() if issubclass(kind, Enum) for value in kind]
truths = [
    (bool, field.name, value)
    for field in fields(Play)
    if field.type == "bool" and field.name != "round_robin"
    for value in (True, False)
]


@pytest.mark.parametrize(("kind", "name", "value"), choices + truths)
def test_the_rules_card_says_every_choice_of_a_table(kind, name, value):
    rules = rules_with(**{name: value})
    lines = [each.sentence(rules) for entry in ENTRIES for each in entry.house if each.label and each.switch == name]
    assert lines
    assert all(lines)


BESIDE = {
    (EmptySlot, EmptySlot.NERTZ): ["or a column", "or with a column", "any card you may play", "may stay empty"],
    (Finished, Finished.ASIDE): ["the king is turned face down"],
    (HandsUsed, HandsUsed.ONE): ["both hands may play"],
    (HandsUsed, HandsUsed.OTHER_HOLDS): ["both hands may play", "one hand only."],
    (Simultaneous, Simultaneous.BOTH_STAY): ["The other goes back", "only the first card stays"],
    (Simultaneous, Simultaneous.FIRST_STAYS): ["both stay when"],
    (StuckTable, StuckTable.NATIONAL): ["no cards are burned", "are never burned", "a new Stream", "ends at once"],
    (StuckTable, StuckTable.NEW_STOCK): ["never change", "that is the rule", "when everybody agrees", "ends at once"],
    (StuckTable, StuckTable.TOP_TO_BOTTOM): ["a new Stream", "goes through its Stream twice"],
    (StuckTable, StuckTable.HAND_ENDS): [
        "all do the same thing", "new Stream", "this procedure is used", "when everybody agrees"
    ],
    (Scoring, Scoring.HANDS): [
        "most points", "scores a point", "score points", "enough points", "points or more", "Count your cards",
        "off for each card", "earns no bonus", "with equal points", "is worth the same", "still count.",
        "Not by the call alone", "Every side that did not call", "deals the cards back",
    ],
    (Scoring, Scoring.LEFTOVERS): ["take off for every card"],
    (Scoring, Scoring.FOUNDATION): ["take off for every card"],
    (Partnership, Partnership.SINGLES): ["As you like", "teams may sit at one table", "as they like"],
    (Partnership, Partnership.DOUBLES): ["As you like", "teams may sit at one table", "as they like"],
    (Partnership, Partnership.MIXED_DOUBLES): ["As you like", "teams may sit at one table", "as they like"],
    (Partnership, Partnership.ROTATING): ["Two sides are level", "the tied sides", "of sides with equal points"],
    ("flip", 1): ["As a group", "a group", "3 cards of the Stream"],
    ("bonus", 1): ["1 points"],
    ("target", 1): ["1 points"],
    ("rounds", 1): ["1 hands"],
    ("call_at_once", True): ["may wait", "may go on playing cards"],
    ("reversing", True): ["only ever grow", "only go up"],
    ("both_ends", True): ["6 cards at a time", "only the front card may be played"],
    ("share_piles", False): ["hand each other a card", "hand each other a free card"],
    ("withholding", True): ["may not be held back"],
    ("stacking", True): ["is the rule", "one at a time."],
    ("last_card", False): ["already on its way counts"],
    ("rotate_seats", True): ["keeps the seat"],
    ("calls_break_ties", False): ["whoever called more often wins."],
}  # fmt: skip
"""What must not be read anywhere in the guide beside a choice of the table."""


def whole_guide(rules: Rules) -> str:
    """Every question and answer of a table's guide, in English."""
    words = {**VOCABULARIES[rules.words], **values_of(rules)}
    entries = [entry for topic in topics_of(rules) for entry in topic.entries]
    return "\n".join(text % words for entry in entries for text in (entry.question, *answer(entry, rules)))


@pytest.mark.parametrize(("switch", "phrases"), BESIDE.items(), ids=lambda each: str(each)[:60])
def test_no_general_sentence_contradicts_a_choice_of_the_table(switch, phrases):
    name, value = switch
    text = whole_guide(rules_with(**{CHOICES[name] if isinstance(name, type) else name: value}))
    assert [phrase for phrase in phrases if phrase in text] == []


@pytest.mark.parametrize("rounds", [0, 1, 2])
@pytest.mark.parametrize("number", [1, 2])
def test_no_sentence_has_a_wrong_plural(rounds, number):
    rules = rules_with(rounds=rounds, target=number, bonus=number, pile_size=number, jokers=number, flip=number)
    tally = rules_with(rounds=rounds, target=number, scoring=Scoring.HANDS)
    assert not re.search(r"(?<![\d,.+−-])\b(?<!and )1 \w+s\b", whole_guide(rules) + whole_guide(tally))


def test_every_switch_is_a_house_rule():
    assert {switch for switch in switches if switch} <= set(values_of(Rules()))


any_play = st.builds(
    Play,
    river=st.integers(3, 5),
    flip=st.integers(1, 5),
    cuts=st.integers(0, 3),
    round_robin=st.booleans(),
    stuck=st.sampled_from(StuckTable),
    finished=st.sampled_from(Finished),
    reversing=st.booleans(),
)
any_rules = st.builds(
    Rules,
    target=st.integers(1, 500),
    bonus=st.integers(0, 20),
    jokers=st.integers(0, 4),
    rounds=st.integers(0, 9),
    false_call=st.integers(0, 9),
    rank_extras=st.sampled_from([(), ((1, 2), (13, -5))]),
    play=any_play,
    words=st.sampled_from(Words),
)


@settings(deadline=None, max_examples=30)
@given(any_rules)
def test_no_answer_has_a_blank_left(rules):
    for entry in ENTRIES:
        assert not re.search(r"%\(|<|\bNone\b", said(entry.id, rules))


@settings(deadline=None, max_examples=30)
@given(any_rules)
def test_the_rules_card_fits_one_page(rules):
    lines = [line for _, topic in rules_card(rules) for line in topic.values()]
    assert 20 <= len(lines) <= 40


def test_topics_and_entries_are_the_same_list():
    assert [entry for topic in TOPICS for entry in topic.entries] == list(ENTRIES)


def test_every_name_of_the_game_has_its_words():
    assert set(VOCABULARIES) == set(Words)
    assert all(all(words.values()) for words in VOCABULARIES.values())
