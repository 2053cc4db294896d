"""The rules card of every game has that game's own numbers, and nothing that only another game has."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from scorekeeper.guide import answer, at_this_table, find_entry, rules_card, topics_of, values_of
from scorekeeper.guide.vocabulary import words_of_card
from scorekeeper.rules.house import EmptySlot, Play, Rules, Scoring, Words
from scorekeeper.rules.layout import Layout
from scorekeeper.rules.presets import PRESETS, laid_out_as

NERTZ = [name for name, preset in PRESETS.items() if preset.rules.layout is Layout.NERTZ]
OTHERS = ["pishe-pasha", "double-solitaire", "canfield"]


def card(rules: Rules) -> dict[str, str]:
    """The card in English: what stands beside each label."""
    words = {**words_of_card(rules), **values_of(rules)}
    lines = {label: said for _, topic in rules_card(rules) for label, said in topic.items()}
    return {label % words: " ".join(said) % words for label, said in lines.items()}


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"[0-9]+", text)]


@pytest.mark.parametrize(
    ("preset", "label", "sentence"),
    [
        *(
            pytest.param(
                name,
                "Layout",
                "13 cards in the Nertz pile, 4 in the River, and the other 35 in the Stream.",
                id=f"B1 B3 B4 {name}",
            )
            for name in NERTZ
        ),
        pytest.param("national", "Turning", "3 cards of the Stream are turned at a time.", id="B6 three at a time"),
        pytest.param("national", "Shuffling", "shuffle at least 5×, then cut at least 1×.", id="B8 shuffle and cut"),
        pytest.param("national", "Target", "the game ends when a side has 100 points or more.", id="D1 to 100"),
        pytest.param("bonus", "Target", "the game ends when a side has 150 points or more.", id="C7 to 150"),
        pytest.param("bonus", "Bonus", "the call is worth 10 points.", id="C6 ten for the call"),
        pytest.param("bonus-5", "Bonus", "the call is worth 5 points.", id="C6 five for the call"),
        pytest.param("catsatcards", "Target", "the game ends when a side has 50 points or more.", id="D1 to 50"),
        pytest.param("catsatcards", "Bonus", "the call is worth 10 points.", id="C6 ten for the call again"),
        pytest.param("unforced", "Target", "the game ends when a side has 100 points or more.", id="D1 never forced"),
        pytest.param("unforced", "Holding back", "nobody is ever forced to play a card.", id="E5 never forced"),
        pytest.param("unforced", "One hand or both", "each player uses one hand only.", id="E11 one hand"),
        pytest.param("unforced-150", "Target", "the game ends when a side has 150 points or more.", id="D1 to 150 too"),
        pytest.param("unforced-150", "Holding back", "nobody is ever forced to play a card.", id="E5 to 150"),
        pytest.param("unforced-150", "One hand or both", "each player uses one hand only.", id="E11 to 150"),
        pytest.param("hands", "Target", "the game ends when a side has won 5 hands.", id="D7 to five hands"),
        pytest.param("rounds", "Hands", "the game ends after 6 hands.", id="D6 six hands"),
        pytest.param("single", "Hands", "one hand is the whole game.", id="D8 one hand"),
        pytest.param(
            "nuts",
            "Layout",
            "11 cards in the Nuts pile, 15 in 5 columns of the Tableau (5, 4, 3, 2, 1, the top card of each face up), "
            "and the other 26 in the Stock.",
            id="J2 K13 Nuts",
        ),
        pytest.param("nuts", "Players", "two pairs, each with a deck of its own.", id="J1 Nuts for two pairs"),
        pytest.param(
            "nuts",
            "Dealing",
            "one partner shuffles, counts off the 11 cards and passes both piles across to the opponents, so that each "
            "pair plays what the other has dealt. Partners take turns at it.",
            id="J2 J4 Nuts is dealt across",
        ),
        pytest.param("nuts", "Target", "the game ends when a side has 250 points or more.", id="J3 Nuts to 250"),
        pytest.param("nuts", "Bonus", "there is no bonus for the call.", id="J3 Nuts without a bonus"),
        pytest.param("nuts", "Score", "1 for each card in the Center, 2 off for each card left.", id="J3 two off"),
        pytest.param(
            "nuts",
            "Partners' cards",
            "each partner plays only from the pile he or she looks after.",
            id="E16 own piles in Nuts",
        ),
        pytest.param("pishe-pasha", "Layout", "26 cards for each player, face down.", id="J5 Pishe Pasha"),
        pytest.param("pishe-pasha", "Players", "two, with one deck.", id="J5 Pishe Pasha for two"),
        pytest.param("pishe-pasha", "Turns", "the players take turns.", id="J5 Pishe Pasha by turns"),
        pytest.param(
            "pishe-pasha",
            "Foundations",
            "a card that fits on a foundation must be played there.",
            id="J5 foundations are mandatory",
        ),
        pytest.param(
            "pishe-pasha",
            "“Stop!”",
            "whoever sees the other player break a rule calls “Stop!”, and may have the play put right or end the "
            "other's turn.",
            id="J5 Stop",
        ),
        pytest.param(
            "pishe-pasha",
            "Score",
            "whoever is done first scores 1 for each card somebody else has left.",
            id="J5 one for each card",
        ),
        pytest.param(
            "double-solitaire",
            "Layout",
            "4 foundation cards face up in the middle, and 24 cards for each player.",
            id="J5 Double Solitaire",
        ),
        pytest.param("double-solitaire", "Players", "two, with one deck.", id="J5 Double Solitaire for two"),
        pytest.param("double-solitaire", "Turns", "the players take turns.", id="J5 Double Solitaire by turns"),
        pytest.param(
            "double-solitaire",
            "Swapping",
            "before the first turn the dealer's opponent may swap the two piles.",
            id="J5 the piles may be swapped",
        ),
        pytest.param("double-solitaire", "Target", "the game ends when a side has won 5 hands.", id="J5 five hands"),
        pytest.param(
            "canfield",
            "Layout",
            "13 cards face up in one pile, 1 foundation card, 4 piles of one card, and the other 34 in the stock.",
            id="J5 Canfield",
        ),
        pytest.param("canfield", "Players", "one.", id="J5 Canfield for one"),
        pytest.param(
            "canfield",
            "Foundations",
            "the foundation card sets the rank that all foundations begin with. They go up in suit, the ace after the "
            "king.",
            id="J5 the base rank",
        ),
        pytest.param("canfield", "Target", "the game ends when a side has 52 points or more.", id="J5 all 52 win"),
        pytest.param("canfield", "Score", "1 for each card on the foundations, nothing else.", id="J5 foundations"),
    ],
)
def test_the_card_of_a_preset_says_what_the_text_says(preset, label, sentence):
    assert card(PRESETS[preset].rules)[label] == sentence


@pytest.mark.parametrize(
    ("preset", "told"),
    [
        pytest.param("nuts", {1, 2, 3, 4, 5, 11, 15, 26, 250}, id="J2 J3 K13 Nuts"),
        pytest.param("pishe-pasha", {1, 26, 100}, id="J5 Pishe Pasha"),
        pytest.param("double-solitaire", {4, 5, 24}, id="J5 Double Solitaire"),
        pytest.param("canfield", {1, 4, 13, 34, 52}, id="J5 Canfield"),
    ],
)
def test_j5_k13_no_number_of_nertz_stands_on_the_card_of_another_game(preset, told):
    lines = card(PRESETS[preset].rules)
    assert {number for text in lines.values() for number in numbers(text)} == told
    assert sorted(numbers(lines["Layout"])) == sorted(
        {"nuts": [11, 15, 5, 5, 4, 3, 2, 1, 26], "pishe-pasha": [26], "double-solitaire": [4, 24],
         "canfield": [13, 1, 4, 34]}[preset]
    )  # fmt: skip


@pytest.mark.parametrize("preset", OTHERS)
def test_j5_a_related_game_has_no_topic_and_no_word_of_nertz(preset):
    lines = card(PRESETS[preset].rules)
    own = {
        "Players",
        "Turns",
        "Foundations",
        "“Stop!”",
        "Swapping",
        "Winning",
        "Jokers",
        "Layout",
        "Score",
        "Target",
        "Hands",
    }
    assert set(lines) <= own
    assert not re.search(r"Nertz|River|Stream|Lake|call is", " ".join([*lines, *lines.values()]))


@pytest.mark.parametrize("name", NERTZ)
def test_the_card_of_nertz_says_nothing_of_other_games(name):
    assert not {"Players", "Dealing", "Turns", "Foundations", "“Stop!”", "Swapping"} & set(card(PRESETS[name].rules))


@pytest.mark.parametrize(
    ("rules", "label", "sentence"),
    [
        pytest.param(
            replace(PRESETS["nuts"].rules, pile_size=9), "Layout",
            "9 cards in the Nuts pile, 15 in 5 columns of the Tableau (5, 4, 3, 2, 1, the top card of each face up), "
            "and the other 28 in the Stock.", id="J2 Nuts with piles of nine",
        ),
        pytest.param(
            replace(PRESETS["nuts"].rules, play=Play(river=4)), "Layout",
            "11 cards in the Nuts pile, 10 in 4 columns of the Tableau (4, 3, 2, 1, the top card of each face up), "
            "and the other 31 in the Stock.", id="J2 Nuts with four columns",
        ),
        pytest.param(
            replace(PRESETS["nuts"].rules, play=Play(river=5, flip=1)), "Turning",
            "cards of the Stock are turned one at a time.", id="B6 J2 Nuts with cards turned one by one",
        ),
        pytest.param(
            replace(PRESETS["pishe-pasha"].rules, jokers=2, pile_size=27), "Layout",
            "27 cards for each player, face down.", id="I3 J5 two jokers are shared",
        ),
        pytest.param(
            replace(PRESETS["canfield"].rules, pile_size=11, play=Play(river=5)), "Layout",
            "11 cards face up in one pile, 1 foundation card, 5 piles of one card, and the other 35 in the stock.",
            id="J5 a Canfield of one's own",
        ),
        pytest.param(
            replace(PRESETS["canfield"].rules, play=Play(empty_slot=EmptySlot.NERTZ)), "Empty slot",
            "an empty Tableau slot must be filled from the pile.", id="E8 J5 what a table has changed is said",
        ),
        pytest.param(
            replace(PRESETS["double-solitaire"].rules, target=3), "Target",
            "the game ends when a side has won 3 hands.", id="J5 to three hands",
        ),
        pytest.param(
            Rules(play=Play(river=5, stacking=True)), "Several at once",
            "a run of up to 7 cards, as many as are available, may go down at once, as everybody agreed.",
            id="E1 E6 seven at once with a River of five",
        ),
        pytest.param(
            Rules(play=Play(stacking=True)), "Several at once",
            "a run of up to 6 cards, as many as are available, may go down at once, as everybody agreed.",
            id="E1 E6 six at once",
        ),
    ],
)  # fmt: skip
def test_the_numbers_follow_what_a_table_changes(rules, label, sentence):
    assert card(rules)[label] == sentence


def test_e1_the_guide_counts_the_available_cards_of_nuts():
    rules = PRESETS["nuts"].rules
    (house,) = at_this_table(find_entry("available"), rules)
    assert house.sentence(rules) % values_of(rules) == "that makes 7 cards at a time."


@pytest.mark.parametrize("preset", OTHERS)
def test_j5_the_guide_of_a_related_game_says_no_house_rule_of_nertz(preset):
    rules = PRESETS[preset].rules
    assert not any(at_this_table(find_entry(name), rules) for name in ("available", "flip", "shuffle", "bonus", "nuts"))
    assert at_this_table(find_entry("other-games"), rules)


@pytest.mark.parametrize("preset", OTHERS)
def test_j5_the_guide_of_another_game_tells_only_how_its_score_is_kept(preset):
    rules = PRESETS[preset].rules
    told = [entry for topic in topics_of(rules) for entry in topic.entries]
    assert told[0].id == "other-games"
    assert {entry.id for entry in told} == {
        "other-games", "layout", "deck", "agree", "scorekeeper", "writing", "score", "dispute", "penalties", "target",
        "rounds", "won-game",
    }  # fmt: skip
    words = {**words_of_card(rules), **values_of(rules)}
    text = " ".join(said % words for entry in told for said in (entry.question, *answer(entry, rules)))
    assert not re.search(r"Nertz|River|Stream|Lake|ace is always low|at the same time|single cards|\bcalls wins", text)


def test_j5_what_a_table_of_another_game_has_changed_stands_in_its_guide():
    rules = replace(PRESETS["canfield"].rules, play=Play(empty_slot=EmptySlot.NERTZ))
    assert "empty-slot" in [entry.id for topic in topics_of(rules) for entry in topic.entries]


def test_j1_j2_the_guide_of_nuts_tells_of_nuts():
    rules = PRESETS["nuts"].rules
    words = {**words_of_card(rules), **values_of(rules)}
    told = {entry.id: " ".join(answer(entry, rules)) % words for topic in topics_of(rules) for entry in topic.entries}
    assert told["players"] == "Four, as two pairs. Each pair shares a deck."
    assert told["deal-order"].startswith("You deal for the other pair, and they deal for you.")
    assert told["sides"] == "A pair. It owns one deck, has one Nuts pile and gets one score."
    assert "single cards" not in told["layout"]
    assert {"flip", "stuck-all", "burn", "nertz-burn", "partners", "late"} & set(told) == set()
    assert {"river", "columns", "withholding", "must-call", "tie", "won-game"} <= set(told)
    assert "upper limit" not in " ".join(told.values())


def test_a_table_that_calls_nertz_nuts_still_plays_nertz():
    lines = card(Rules(words=Words.NUTS))
    assert lines["Layout"] == "13 cards in the Nuts pile, 4 in the Tableau, and the other 35 in the Stock."


@pytest.mark.parametrize("layout", [*Layout])
def test_every_layout_has_a_preset_and_a_line(layout):
    assert laid_out_as(layout).rules.layout is layout
    assert card(laid_out_as(layout).rules)["Layout"]
    assert (laid_out_as(layout).rules.scoring is Scoring.POINTS) == (layout in (Layout.NERTZ, Layout.NUTS))
