"""The most likely reading that satisfies the checks, and the runner-up."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.cards import Card, Suit, parse_card
from scorekeeper.rules.house import Play, Rules, Scoring, Simultaneous
from scorekeeper.rules.lake import DeckId, Evidence, FanReading, LakeReading, Pile, SeenBack, SeenFace, SpreadReading
from scorekeeper.rules.scoring import make_sides
from scorekeeper.rules.solve import Solution, dealt, explain, explain_other, solve, solve_backs

RED, BLUE = DeckId("red"), DeckId("blue")
SIDES = make_sides(["Amy", "Ben"], {"Amy": RED, "Ben": BLUE})
BOX = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def pile(words: str) -> Pile:
    """``9H``, ``9H.6`` for one read with 0.6, ``9H.6|6H.4`` with a second thought, ``X`` finished, ``?`` unread."""
    first, *others = [(word.partition(".")[0], float(f"0.{word.partition('.')[2] or 99}")) for word in words.split("|")]
    thoughts = tuple((parse_card(card), chance) for card, chance in others)
    if first[0] in "X?":
        return Pile(None, 13 if first[0] == "X" else 0, first[0] == "X", first[1], BOX, thoughts)
    top = parse_card(first[0])
    return Pile(top, top.rank, False, first[1], BOX, thoughts)


def lake(words: str) -> LakeReading:
    return LakeReading(tuple(pile(word) for word in words.split()), True, ())


def faces(*tops: str, unread: int = 0) -> FanReading:
    cards = [Card(rank, top.suit) for top in map(parse_card, tops) for rank in range(1, top.rank + 1)]
    seen = [SeenFace(card, 0.9, BOX) for card in cards] + [SeenFace(None, 0.1, BOX)] * unread
    return FanReading(tuple(seen), True, ())


def spread(red: int, blue: int, *unknown: str) -> SpreadReading:
    """Backs of two decks, and unknown ones: ``red.8`` may be red, ``-`` may be anybody's."""
    backs = [SeenBack(0, RED, 0.9, BOX)] * red + [SeenBack(0, BLUE, 0.9, BOX)] * blue
    for word in unknown:
        deck, _, chance = word.partition(".")
        backs.append(SeenBack(0, None, 0.2, BOX, ((DeckId(deck), float(f"0.{chance}")),) if chance else ()))
    return SpreadReading(tuple(backs), {RED: red, BLUE: blue}, not unknown, ())


def best(evidence: Evidence, rules: Rules | None = None, left: dict[DeckId, int] | None = None) -> str:
    """``total red/blue unsure: changes``."""
    found = solve(evidence, rules or Rules(), SIDES, left)
    assert found is not None
    counts = "/".join(str(found.best.lake[deck]) for deck in (RED, BLUE) if deck in found.best.lake)
    return f"{found.best.total} {counts or '-'} {found.best.unsure}: {', '.join(found.best.changes) or 'as seen'}"


@pytest.mark.parametrize(
    ("evidence", "says"),
    [
        pytest.param(Evidence(lake("9H 3C")), "12 - 0: as seen", id="M1 nothing to compare"),
        pytest.param(Evidence(lake("9H 3C"), spread(7, 5)), "12 7/5 0: as seen", id="M1 all agrees"),
        pytest.param(
            Evidence(lake("9H.6 3C"), spread(4, 5)), "9 4/5 0: pile 1 is 6H, not 9H", id="M1 the doubtful nine is a six"
        ),
        pytest.param(
            Evidence(lake("9H.6|8H.1 3C"), spread(6, 5)), "11 6/5 0: pile 1 is 8H, not 9H", id="M1 a second thought"
        ),
        pytest.param(
            Evidence(lake("9H.7 8C.6"), spread(7, 7)), "14 7/7 0: pile 2 is 5C, not 8C", id="M1 the more doubtful pile"
        ),
        pytest.param(Evidence(lake("9H 3C"), spread(6, 5, "-")), "12 6/5 1: as seen", id="M1 a person says whose"),
        pytest.param(Evidence(lake("9H 3C"), spread(6, 5, "red.8")), "12 7/5 0: as seen", id="M1 the likely deck"),
        pytest.param(
            Evidence(lake("9H 3C"), spread(6, 5, "red.4", "blue.7")), "12 6/6 0: as seen", id="M1 the surer back"
        ),
        pytest.param(Evidence(lake("9H 3C"), spread(7, 5, "-")), "12 7/5 0: as seen", id="M1 a back that is no card"),
        pytest.param(Evidence(lake("9H 3C"), spread(6, 5)), "12 6/5 1: as seen", id="M1 a card was overlooked"),
        pytest.param(Evidence(lake("9H 3C"), spread(8, 5)), "12 8/5 -1: as seen", id="M1 a card was counted twice"),
        pytest.param(Evidence(lake("X 3C"), spread(10, 6)), "16 10/6 0: as seen", id="E3 a finished pile counts 13"),
        pytest.param(Evidence(lake("9H"), spread(12, 10), aside=1), "22 12/10 0: as seen", id="K9 a pile set aside"),
        pytest.param(Evidence(lake("? 3C"), spread(6, 5)), "11 6/5 0: pile 1 is 8C", id="M1 an unread pile"),
        pytest.param(
            Evidence(lake("9H.6 3C"), faces=faces("6H", "3C")), "9 - 0: pile 1 is 6H, not 9H", id="M2 M4 by the faces"
        ),
        pytest.param(
            Evidence(lake("9H.6|9D.4 3C"), faces=faces("9D", "3C")), "12 - 0: pile 1 is 9D, not 9H", id="M2 the suit"
        ),
        pytest.param(
            Evidence(lake("X 9H.6"), faces=faces("KC", "6H")), "19 - 0: pile 2 is 6H, not 9H", id="M4 E3 finished club"
        ),
        pytest.param(
            Evidence(lake("9H.5|9D.4 8H 2H")), "19 - 0: pile 1 is 9D, not 9H", id="M5 no third pile of hearts"
        ),
        pytest.param(Evidence(lake("9H.6 3C"), faces=faces("8H", "3C", unread=1)), "12 - 0: as seen", id="M3 unread"),
        pytest.param(Evidence(12, spread(6, 5, "blue.9")), "12 6/6 0: as seen", id="M1 T as typed"),
        pytest.param(
            Evidence(21, spread(7, 5)), "12 7/5 0: the Lake holds 12, not 21", id="M1 T was mistyped"
        ),
        pytest.param(Evidence(spread=spread(7, 5)), "12 7/5 0: as seen", id="M1 without a look at the Lake"),
    ],
)  # fmt: skip
def test_the_likeliest_reading_is_proposed(evidence, says):
    assert best(evidence) == says


def test_m7_no_deck_gets_more_cards_than_it_has():
    seen = Evidence(lake("9H 3C"), spread(6, 5, "red.9"))
    assert best(seen, left={RED: 45}) == "12 7/5 0: as seen"
    assert best(seen, left={RED: 46}) == "12 6/5 1: as seen"


def test_e14_duplicates_are_no_contradiction():
    both = Rules(play=Play(simultaneous=Simultaneous.BOTH_STAY))
    seen = Evidence(lake("9H.6"), spread(6, 4), faces=faces("9H", "AH"), duplicates=1)
    assert best(seen, both) == "10 6/4 0: as seen"


def test_the_runner_up_gives_other_numbers_and_the_margin_says_how_sure_the_best_is():
    found = solve(Evidence(lake("9H.6|8H.3 3C")), Rules(), SIDES)
    assert isinstance(found, Solution)
    assert found.runner_up is not None
    assert (found.best.total, found.runner_up.total) == (12, 11)
    assert found.margin == pytest.approx(0.693, abs=0.001)
    assert found.runner_up.changes == ("pile 1 is 8H, not 9H",)


def test_a_single_reading_has_no_runner_up():
    found = solve(Evidence(lake("X")), Rules(), SIDES)
    assert found is not None
    assert (found.runner_up, found.margin) == (None, float("inf"))


def test_an_empty_lake_is_a_reading_too():
    found = solve(Evidence(lake("")), Rules(), SIDES)
    assert found is not None
    assert found.best.total == 0


@pytest.mark.parametrize(
    ("evidence", "rules"),
    [
        pytest.param(Evidence(), Rules(), id="nobody looked"),
        pytest.param(Evidence(lake("9H")), Rules(play=Play(reversing=True)), id="E4 heights say nothing"),
        pytest.param(Evidence(lake("9H")), Rules(scoring=Scoring.HANDS), id="K19 nothing is counted"),
    ],
)
def test_where_nothing_can_be_said_nothing_is_proposed(evidence, rules):
    assert solve(evidence, rules, SIDES) is None


def test_canfield_heights_go_around_the_corner():
    rules = Rules(scoring=Scoring.FOUNDATION, target=52, rounds=1)
    found = solve(Evidence(lake("2H"), start=12), rules, SIDES[:1])
    assert found is not None
    assert found.best.total == 4


tops = st.lists(st.builds(Card, st.integers(1, 13), st.sampled_from(Suit)), min_size=1, max_size=6, unique=True)


@given(tops, st.data())
def test_one_doubtful_pile_is_found_whatever_it_is(cards, data):
    """One pile is misread with half a doubt; backs and faces are right, so the right reading wins."""
    at = data.draw(st.integers(0, len(cards) - 1))
    said = data.draw(st.integers(1, 13).filter(lambda rank: rank != cards[at].rank))
    seen = [Pile(card, card.rank, False, 0.99, BOX) for card in cards]
    seen[at] = Pile(Card(said, cards[at].suit), said, False, 0.5, BOX)
    total = sum(card.rank for card in cards)
    evidence = Evidence(
        LakeReading(tuple(seen), True, ()),
        spread(total // 2, total - total // 2),
        faces(*(card.code for card in cards)),
    )
    found = solve(evidence, Rules(), SIDES)
    assert found is not None
    assert found.best.tops == tuple(cards)


def backs(words: str) -> SpreadReading:
    """``red*9`` nine sure cards of a deck, ``red.6|blue.3`` one with a second thought, ``?|blue.4`` one of no deck."""
    cards = []
    for word in words.split():
        name, _, times = word.partition("*")
        own, *others = [
            (each.partition(".")[0], float(f"0.{each.partition('.')[2] or 99}")) for each in name.split("|")
        ]
        deck = None if own[0] == "?" else DeckId(own[0])
        thoughts = tuple((DeckId(other), chance) for other, chance in others)
        cards += [SeenBack(0, deck, own[1], BOX, thoughts)] * int(times or 1)
    counts = {deck: sum(card.deck == deck for card in cards) for deck in (RED, BLUE)}
    return SpreadReading(tuple(cards), counts, True, ())


@pytest.mark.parametrize(
    ("words", "total", "most", "says"),
    [
        pytest.param("", 0, {}, "0/0 0: ", id="an empty table"),
        pytest.param("red*9 blue*4", None, {}, "9/4 0: ", id="without T the eye is believed"),
        pytest.param("red*9 blue*4", 13, {}, "9/4 0: ", id="M1 all there"),
        pytest.param("red*9 blue*4", 14, {}, "9/4 1: 1 card is missing: look for cards that lie exactly on each other",
                     id="M1 one lies on another"),
        pytest.param("red*9 blue*4", 12, {}, "9/4 0: the Lake may hold 13 cards, not 12", id="M1 T is likelier wrong"),
        pytest.param("red*9 ?|blue.4", 10, {}, "9/1 0: a card that fits no deck well is likeliest of 'blue'",
                     id="M1 an unknown back is wanted"),
        pytest.param("red*9 ?|blue.4", 9, {}, "9/0 0: ", id="M1 an unknown back is no card"),
        pytest.param("red*9 ?|blue.4", 9, {BLUE: 0}, "9/0 0: ", id="M7 nor one of a deck that has none"),
        pytest.param("red*3 red.6|blue.3 blue*2", 6, {RED: 3}, "3/3 0: a card read as 'red' is likelier of 'blue'",
                     id="M7 the doubtful card of a full deck is another's"),
        pytest.param("red*4 blue*2", 6, {RED: 3}, "4/2 0: 'red' shows 4 cards and can have 3 at most",
                     id="M7 a deck that is too full, and no doubt"),
        pytest.param("red*3 red.6|blue.3 blue*2", 6, {RED: 3, BLUE: 2}, "4/2 0: 'red' shows 4 cards",
                     id="M7 no room anywhere"),
    ],
)  # fmt: skip
def test_a_spread_alone_is_weighed_by_t_and_by_what_each_deck_can_have(words, total, most, says):
    seen = backs(words)
    best = solve_backs(seen, total, most).best
    told = explain(best, seen, total, most)
    assert f"{best.lake[RED]}/{best.lake[BLUE]} {best.unsure}: {told}".startswith(says)
    assert bool(told) == bool(says.partition(": ")[2])


def test_too_many_cards_are_said_where_t_is_believed():
    seen = backs("red*9 blue*4")
    few = solve(Evidence(lake("9H 3C"), seen), Rules(), SIDES)
    assert few is not None
    assert few.best.unsure == -1
    assert explain(few.best, seen, 12).startswith("1 card too many")


def test_the_runner_up_of_a_spread_turns_its_least_sure_card():
    found = solve_backs(backs("red*8 red.6|blue.3 blue*4"), 13, {})
    assert found.runner_up is not None
    assert found.runner_up.lake == {RED: 8, BLUE: 5}
    assert found.runner_up.changes == ("a card is blue's, not red's",)
    assert found.margin == pytest.approx(0.693, abs=0.001)


def test_an_unknown_back_between_two_decks_has_both_as_readings():
    found = solve_backs(backs("red*2 ?|blue.4|red.4"), 3, {})
    assert found.runner_up is not None
    assert {found.best.lake[RED], found.runner_up.lake[RED]} == {2, 3}


def test_another_t_alone_is_no_other_reading_of_a_spread():
    assert solve_backs(spread(3, 2), 6, {}).runner_up is None


@pytest.mark.parametrize(
    ("seen", "lake", "turned", "says"),
    [
        pytest.param("red blue", {RED: 1, BLUE: 1}, {}, "", id="as it was read"),
        pytest.param(
            "red*2 red.6|blue.3", {RED: 2, BLUE: 1}, {2: BLUE}, "a card read as 'red' may be of 'blue'",
            id="the card in doubt turns",
        ),
        pytest.param(
            "red.6|blue.2 red.6|blue.4 red", {RED: 1, BLUE: 2}, {0: BLUE, 1: BLUE},
            "a card read as 'red' may be of 'blue'", id="both that are in doubt",
        ),
        pytest.param(
            "red red", {RED: 1, BLUE: 1}, {0: BLUE}, "a card read as 'red' may be of 'blue'", id="none is in doubt"
        ),
        pytest.param(
            "red ?|red.4 ?|blue.4", {RED: 1, BLUE: 1}, {2: BLUE}, "a card that fits no deck well may be of 'blue'",
            id="an unknown card, and another stays unknown",
        ),
        pytest.param(
            "?|red.4", {RED: 0, BLUE: 1}, {0: BLUE}, "a card that fits no deck well may be of 'blue'",
            id="against all odds",
        ),
    ],
)  # fmt: skip
def test_other_counts_turn_the_cards_in_doubt(seen, lake, turned, says):
    found, reading = backs(seen), solve_backs(backs(seen), None, {}).best
    assert dealt(found, lake) == turned
    assert explain_other(replace(reading, lake=lake), found) == says
