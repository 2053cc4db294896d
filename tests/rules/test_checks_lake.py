"""The Lake against the counts: as it lies, turned over, face up, and sorted by its backs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.cards import Card, Suit, parse_card
from scorekeeper.rules.checks import check_hand
from scorekeeper.rules.house import Play, Rules, Scoring, Simultaneous
from scorekeeper.rules.lake import (
    JOKER,
    DeckId,
    Evidence,
    FanReading,
    LakeReading,
    Pile,
    SeenBack,
    SeenFace,
    SpreadReading,
)
from scorekeeper.rules.notation import parse_hand
from scorekeeper.rules.scoring import Handicap, Side, SideId, make_sides

RED, BLUE = DeckId("red"), DeckId("blue")
SIDES = make_sides(["Amy", "Ben"], {"Amy": RED, "Ben": BLUE})
BOX = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
BOTH = Rules(play=Play(simultaneous=Simultaneous.BOTH_STAY))


def lake(words: str) -> LakeReading:
    """``9H 3C X ?``: tops, a finished pile, an unread one."""
    piles = []
    for word in words.split():
        top = None if word in "X?" else parse_card(word)
        height = {"X": 13, "?": 0}.get(word) if top is None else top.rank
        piles.append(Pile(top, height or 0, word == "X", 0.9, BOX))
    return LakeReading(tuple(piles), True, ())


def run(words: str) -> list[str]:
    """``9H`` stands for A to 9 of hearts; ``=9H`` for that card alone; ``?`` for one not read, JOKER for a joker."""
    cards = []
    for word in words.split():
        if word.startswith("="):
            cards.append(word[1:])
        elif word in ("?", JOKER):
            cards.append(word)
        else:
            top = parse_card(word)
            cards += [Card(rank, top.suit).code for rank in range(1, top.rank + 1)]
    return cards


def faces(words: str, without: str = "") -> FanReading:
    cards = run(words)
    for word in without.split():
        cards.remove(word)
    return FanReading(tuple(map(face, cards)), True, ())


def face(code: str) -> SeenFace:
    return SeenFace(None if code in ("?", JOKER) else parse_card(code), 0.9, BOX, joker=code == JOKER)


def spread(red: int, blue: int, unknown: int = 0) -> SpreadReading:
    decks = [RED] * red + [BLUE] * blue + [None] * unknown
    return SpreadReading(tuple(SeenBack(0, deck, 0.9, BOX) for deck in decks), {RED: red, BLUE: blue}, True, ())


def hand(total: int) -> str:
    return f"amy {total - 5}/0! ben 5/4"


@pytest.mark.parametrize(
    ("seen", "total", "found"),
    [
        pytest.param(Evidence(lake("9H 3C")), 12, [], id="M1 all fits"),
        pytest.param(Evidence(lake("9H 3C"), faces=faces("9H 3C")), 12, [], id="M2 M3 M4 both views agree"),
        pytest.param(Evidence(lake("9H 3H 3C"), faces=faces("9H 3H 3C")), 15, [], id="M4 two piles of one suit"),
        pytest.param(
            Evidence(lake("9H 3C"), faces=faces("9H 3C JOKER", without="5H")), 12, [], id="I3 a joker stands for a card"
        ),
        pytest.param(
            Evidence(lake("9H 3C"), faces=faces("9H 3C", without="5H")), 12,
            ["M3 The 6 of hearts is there 1 time, so a 5 of hearts was overlooked or a 6 of hearts is read wrong"],
            id="M3 the exact gap",
        ),
        pytest.param(
            Evidence(faces=faces("2H 2H 2H")), 6,
            [
                "M3 The A of hearts is there 3 times, so there are 2 decks or a A of hearts is read wrong",
            ],
            id="M3 more aces than decks",
        ),
        pytest.param(
            Evidence(lake("9H 3C"), faces=faces("9H 3C ?")), 12, ["M3 1 card of the face-up Lake could not be read"],
            id="M3 a card not read",
        ),
        pytest.param(
            Evidence(lake("9H 3C"), faces=faces("8H 3C")), 12,
            ["M4 A pile of hearts reaches 9, but the spread does not: the pile is lower, or a card is hidden"],
            id="M4 a pile seen one too high",
        ),
        pytest.param(
            Evidence(lake("5H 3C"), faces=faces("9H 3C")), 12,
            [
                "M4 The spread has one more of the hearts 6 to 9 than the piles show: a pile of hearts is higher",
                "M1 The Lake holds 8 cards, but the sides have 12 together, so 4 cards counted twice",
            ],
            id="M4 M1 a pile seen four too low",
        ),
        pytest.param(
            Evidence(lake("9H 2H 3C"), faces=faces("6H 7H 3C")), 14,
            ["M2 The hearts are wrong: the spread has 2 cards too many for the piles; check the hearts again"],
            id="M2 a whole suit is wrong",
        ),
        pytest.param(
            Evidence(lake("9H 2H 3C"), faces=faces("6H 3H 3C")), 14,
            ["M2 The hearts are wrong: the spread has 2 cards too few for the piles"], id="M2 fewer cards",
        ),
        pytest.param(
            Evidence(lake("9H 3H 3C"), faces=faces("8H 4H 3C")), 15,
            ["M2 The hearts are wrong: the spread has others than the piles"], id="M2 as many, but others",
        ),
        pytest.param(Evidence(lake("X 3C"), faces=faces("KH 3C")), 16, [], id="E3 K9 M4 a finished pile has no suit"),
        pytest.param(
            Evidence(lake("X X 3C"), faces=faces("KH KC 3C")), 29, [], id="M2 E3 two finished piles of two suits"
        ),
        pytest.param(
            Evidence(lake("X 3C"), faces=faces("QH 3C")), 16,
            ["M4 A pile of hearts reaches K, but the spread does not"], id="M4 E3 a finished pile without its king",
        ),
        pytest.param(
            Evidence(lake("2H 2H 2H 3C")), 9, ["M5 3 piles of hearts lie with 2 decks: one is counted twice"],
            id="M5 three piles of one suit",
        ),
        pytest.param(
            Evidence(lake("X X X X X X X X X")), 117,
            ["range", "M5 9 piles are more than 8, the aces of 2 decks"], id="M5 more piles than aces",
        ),
        pytest.param(Evidence(lake("AH AH AS AS AC AC AD AD")), 8, [], id="M5 every ace is there"),
        pytest.param(Evidence(lake("9H"), aside=1), 22, [], id="K9 E3 a pile set aside counts 13"),
        pytest.param(
            Evidence(lake("9H"), faces=faces("9H KS"), aside=1), 22, [], id="K9 M4 a pile set aside is in the spread"
        ),
        pytest.param(
            Evidence(lake("9H")), 22, ["M1 The Lake holds 9 cards, but the sides have 22 together, so "
            "1 finished pile overlooked, or 13 cards counted twice: check"], id="M1 K9 a finished pile overlooked",
        ),
        pytest.param(
            Evidence(lake("9H 3C"), spread(6, 5, 1)), 11,
            [
                "M1 The Lake holds 12 cards, but the sides have 11 together, so 1 card missed in the counts, "
                "most likely among the 1 back that fits no deck",
                "spread 1 back of the spread fits no deck",
            ],
            id="M1 the missing card is among the backs without a deck",
        ),
        pytest.param(
            Evidence(lake("? 3C")), 12, ["lake 1 pile of the Lake could not be read"], id="I3 a joker on top"
        ),
        pytest.param(
            Evidence(lake("? 3C"), faces=faces("9H 3C")), 12, ["lake 1 pile of the Lake could not be read"],
            id="M4 an unread pile can't be compared",
        ),
        pytest.param(
            Evidence(stacks={RED: faces("9H"), BLUE: faces("3C =2C =AC")}), 12,
            ["M6 AC and 2C lies twice in the cards of Ben: one has another's back"], id="M6 A9 no doubles in a deck",
        ),
        pytest.param(Evidence(stacks={RED: faces("9H ? ?")}), 12, [], id="M6 I3 unread cards are no doubles"),
        pytest.param(Evidence(rest={RED: 45, BLUE: 43}), 12, [], id="M7 with River and Stream a deck is whole"),
        pytest.param(
            Evidence(rest={RED: 44, BLUE: 44}), 12,
            [
                "M7 Amy has 51 cards of 52 with River and Stream, so a card is lost",
                "M7 Ben has 53 cards of 52 with River and Stream, so a card is counted twice",
            ],
            id="M7 a card is lost, another counted twice",
        ),
    ],
)  # fmt: skip
def test_the_referee_names_where_the_fault_is(seen, total, found):
    problems = check_hand(parse_hand(hand(total)), Rules(), SIDES, seen)
    told = [f"{problem.kind} {problem.text}" for problem in problems]
    assert len(told) == len(found), told
    assert all(text.startswith(words) for text, words in zip(told, found, strict=True)), told


# The house rules that switch checks off


@pytest.mark.parametrize(
    ("rules", "seen", "found"),
    [
        pytest.param(Rules(), Evidence(lake("9H 2C"), duplicates=1), ["M1"], id="E14 the first stays: no duplicates"),
        pytest.param(BOTH, Evidence(lake("9H 2C"), duplicates=1), [], id="E14 K12 M1 one duplicate"),
        pytest.param(BOTH, Evidence(lake("9H 2C"), duplicates=2), ["M1"], id="E14 K12 M1 one duplicate too many"),
        pytest.param(
            BOTH, Evidence(lake("9H 2C"), faces=faces("9H 2C =5H"), duplicates=1), [], id="E14 K12 M3 M4 one duplicate"
        ),
        pytest.param(
            BOTH, Evidence(lake("9H 2C"), faces=faces("9H 2C =AH"), duplicates=1), [], id="E14 M4 a second ace"
        ),
        pytest.param(
            BOTH, Evidence(lake("9H 2C"), faces=faces("9H 2C =5H =7H"), duplicates=1), ["M3", "M3"],
            id="E14 M3 one more than the duplicates",
        ),
        pytest.param(
            Rules(play=Play(reversing=True)), Evidence(lake("9H 9H 9H"), faces=faces("2C =9C")), [],
            id="E4 direction-changing cards: M1 to M5 say nothing",
        ),
        pytest.param(
            Rules(play=Play(reversing=True)), Evidence(lake("9H"), spread(6, 5)), ["spread"], id="E4 backs still count"
        ),
        pytest.param(Rules(jokers=2), Evidence(rest={RED: 47}), [], id="I1 I2 I3 a deck has 52 and its jokers"),
        pytest.param(Rules(jokers=1), Evidence(lake=106), ["M1"], id="I3 a Lake of two decks with jokers"),
        pytest.param(Rules(jokers=1), Evidence(lake=107), ["lake"], id="I3 one card more than that"),
        pytest.param(
            Rules(rank_extras=((1, 2),)), Evidence(lake("9H 3C")), ["C11", "C11"],
            id="C11 how many aces must be said",
        ),
        pytest.param(
            Rules(scoring=Scoring.HANDS, target=5), Evidence(lake=3, spread=spread(1, 1)), [], id="K19 no counting"
        ),
        pytest.param(
            Rules(scoring=Scoring.LEFTOVERS), Evidence(lake=3), [], id="J5 other games have no Lake"
        ),
    ],
)  # fmt: skip
def test_a_house_rule_switches_off_exactly_its_checks(rules, seen, found):
    problems = check_hand(parse_hand("amy 7/0! ben 5/4"), rules, SIDES, seen)
    assert [problem.kind for problem in problems] == found


def test_h6_a_smaller_pile_of_one_side_is_its_own_limit():
    ben = Side(SideId("ben"), "Ben", "#d55e00", handicap=Handicap(pile_size=10))
    problems = check_hand(parse_hand("amy 1/11 ben 1/11"), Rules(), (SIDES[0], ben))
    assert [problem.text for problem in problems] == [
        "Ben can't have 11 cards left: enter 0 to 10, the size of a Nertz pile"
    ]


@pytest.mark.parametrize(
    ("tops", "start", "total"),
    [
        pytest.param("9H", 5, 5, id="J5 from the five to the nine"),
        pytest.param("2H", 12, 4, id="J5 around the corner: Q K A 2"),
        pytest.param("4H", 5, 13, id="J5 a whole pile ends below its start"),
        pytest.param("X 6C", 5, 15, id="J5 a finished pile counts 13"),
    ],
)
def test_canfield_counts_from_the_rank_that_was_turned_up(tops, start, total):
    alone, rules = make_sides(["Amy"]), Rules(scoring=Scoring.FOUNDATION, target=52, rounds=1)
    seen = Evidence(lake(tops), start=start)
    assert check_hand(parse_hand(f"amy {total}/3"), rules, alone, seen) == []
    assert [each.kind for each in check_hand(parse_hand(f"amy {total - 1}/3"), rules, alone, seen)] == ["M1"]


def test_canfield_follows_a_suit_around_the_corner():
    alone, rules = make_sides(["Amy"]), Rules(scoring=Scoring.FOUNDATION, target=52, rounds=1)
    right = Evidence(lake("2H"), faces=faces("=QH =KH =AH =2H"), start=12)
    assert check_hand(parse_hand("amy 4/3"), rules, alone, right) == []
    wrong = Evidence(lake("2H"), faces=faces("=QH =AH =2H"), start=12)
    assert [each.kind for each in check_hand(parse_hand("amy 4/3"), rules, alone, wrong)] == ["M3"]


piles = st.lists(st.builds(Card, st.integers(1, 13), st.sampled_from(Suit)), max_size=8)


@given(piles, st.integers(0, 3), st.integers(1, 13))
def test_what_lies_in_the_lake_never_contradicts_itself(tops, finished, start):
    """M1 to M4 of the rules sheet hold for every Lake that can lie on a table."""
    decks = 8 + finished
    sides = make_sides([f"Side {number}" for number in range(decks)])
    ended = [Card((start + 11) % 13 + 1, suit) for suit in [*Suit][:finished]]
    cards = [
        SeenFace(Card((start - 1 + step) % 13 + 1, top.suit), 0.9, BOX)
        for top in [*tops, *ended]
        for step in range((top.rank - start) % 13 + 1)
    ]
    reading = LakeReading(
        (*(Pile(top, top.rank, False, 0.9, BOX) for top in tops), *[Pile(None, 13, True, 0.9, BOX)] * finished),
        True,
        (),
    )
    seen = Evidence(reading, faces=FanReading(tuple(cards), True, ()), start=start)
    counts = [len(cards) // decks + (number < len(cards) % decks) for number in range(decks)]
    line = " ".join(f"{side.id} {count}/0" for side, count in zip(sides, counts, strict=True))
    assert check_hand(parse_hand(line), Rules(), sides, seen) == []
