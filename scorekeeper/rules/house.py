"""House rules as one value: what decides the score, and how the hand is played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum

from scorekeeper.errors import RulesError
from scorekeeper.rules.cards import KING, RANKS
from scorekeeper.rules.layout import GAMES, PLANS, Layout, Plan
from scorekeeper.rules.names import is_shown
from scorekeeper.rules.said import say
from scorekeeper.rules.sides import is_whole

DECK = 52
"""Cards of a deck without jokers."""


class Scoring(StrEnum):
    """What a hand is worth."""

    POINTS = "points"
    """Cards in the Lake, less what is left (rules C3)."""
    HANDS = "hands"
    """A tally of hands: the caller wins the hand, nothing is counted (rules D7, K19)."""
    LEFTOVERS = "leftovers"
    """Whoever is done first scores the cards the others have left, as in Pishe Pasha (rules J5)."""
    FOUNDATION = "foundation"
    """Cards on the foundations of one player, as in Canfield (rules J5)."""


class TieBreaker(StrEnum):
    """Who plays the hand that breaks a tie (rules K8)."""

    EVERYBODY = "everybody"
    TIED = "tied"


class Partnership(StrEnum):
    """Who may play with whom (rules A5)."""

    FREE = "free"
    """Singles and teams as they come."""
    SINGLES = "singles"
    DOUBLES = "doubles"
    """Teams of two; an odd player out may play alone (rules A4)."""
    MIXED_DOUBLES = "mixed"
    """A woman and a man in each team; the table sees to that itself."""
    ROTATING = "rotating"
    """Partners change, each person is credited with every hand of theirs, and the best person wins."""


class Deal(StrEnum):
    """How the Nertz pile is dealt (rules B5)."""

    FACE_DOWN = "down"
    """Face down, the last card turned up."""
    FACE_UP = "up"


class EmptySlot(StrEnum):
    """What goes into an empty River slot (rules E8, K7)."""

    ANY = "any-card"
    NERTZ = "nertz-card"


class Finished(StrEnum):
    """What happens to a Lake pile with its king (rules E3, K9)."""

    TURNED = "turned"
    ASIDE = "aside"


class HandsUsed(StrEnum):
    """How many hands a player plays with (rules E11, K10)."""

    BOTH = "both"
    ONE = "one"
    OTHER_HOLDS = "other-holds"
    """One plays, the other holds the Stream."""


class Simultaneous(StrEnum):
    """Two cards on one Lake pile at once (rules E14, K12)."""

    FIRST_STAYS = "first-stays"
    BOTH_STAY = "both-stay"


class StuckTable(StrEnum):
    """What a stuck table does (rules F, K11)."""

    NATIONAL = "national"
    """Two passes through every Stream, then all burn; after three burns also a Nertz card (rules F2-F5)."""
    NEW_STOCK = "new-stock"
    """All form a new Stream (rules F7)."""
    TOP_TO_BOTTOM = "top-to-bottom"
    """All move the top card of their Stream to the bottom (rules F6)."""
    HAND_ENDS = "hand-ends"
    """The hand ends at once and is scored (rules F8)."""


class Alternation(StrEnum):
    """Whether partners take turns at the Nertz pile (rules B11)."""

    OFF = "off"
    SUGGESTED = "suggested"
    MANDATORY = "mandatory"


class Words(StrEnum):
    """What the table calls the game, its call and its piles (rules A12)."""

    NERTZ = "nertz"
    NERTS = "nerts"
    POUNCE = "pounce"
    RACING_DEMON = "racing-demon"
    PEANUTS = "peanuts"
    NUTS = "nuts"


PLAY_RANGES: Mapping[str, tuple[int, int]] = {"river": (3, 7), "flip": (1, 5), "shuffles": (1, 20), "cuts": (0, 10)}
"""Lowest and highest value of each whole number in Play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """House rules for the hand in play: the guide and the referee read them, the score does not."""

    river: int = 4
    """Columns of the River (rules B3)."""
    flip: int = 3
    """Cards turned from the Stream at a time (rules B6)."""
    shuffles: int = 5
    """How often each deck is shuffled at least (rules B8)."""
    cuts: int = 1
    """How often each deck is cut at least."""
    round_robin: bool = False
    """Whether everybody shuffles a neighbour's deck (rules B8)."""
    deal: Deal = Deal.FACE_DOWN
    withholding: bool = False
    """Whether aces and playable Nertz cards may be held back (rules E5, K6)."""
    stacking: bool = False
    """Whether several cards may go to the Lake at once; the table must be unanimous (rules E6)."""
    empty_slot: EmptySlot = EmptySlot.ANY
    finished: Finished = Finished.TURNED
    hands: HandsUsed = HandsUsed.BOTH
    simultaneous: Simultaneous = Simultaneous.FIRST_STAYS
    reversing: bool = False
    """Whether some cards turn the direction of the Lake (rules E4)."""
    both_ends: bool = False
    """Whether Stream and River may be played from both ends (rules E17)."""
    call_at_once: bool = False
    """Whether a side without Nertz cards must call at once (rules G1, K4)."""
    last_card: bool = True
    """Whether a card on its way counts when Nertz is called (rules G3, K18)."""
    stuck: StuckTable = StuckTable.NATIONAL
    share_piles: bool = True
    """Whether partners may play each other's piles (rules E16)."""
    alternation: Alternation = Alternation.SUGGESTED
    rotate_seats: bool = False
    """Whether everybody moves on one seat after each hand (rules A13)."""

    def __post_init__(self) -> None:
        _refuse(_wrong_values(self, PLAY_RANGES))


RULES_RANGES: Mapping[str, tuple[int, int]] = {
    "target": (1, 100_000),
    "lake_value": (1, 100),
    "nertz_penalty": (0, 100),
    "bonus": (0, 10_000),
    "pile_size": (1, 48),
    "jokers": (0, 4),
    "rounds": (0, 1_000),
    "false_call": (0, 1_000),
}
"""Lowest and highest value of each whole number in Rules; a target of 0 stands for none where rounds end the game."""

MAX_EXTRA = 100
"""Most points a card of one rank is worth beyond the others."""

MAX_NOTE, NOTE_LINES = 300, 5
"""Most letters and lines of the table's own words on its rules card."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The house rules of one game; raises RulesError that lists what can't be."""

    target: int = 100
    """Points, or hands won, that end the game when reached at the end of a hand; 0 for none (rules D1, D2, K2b)."""
    lake_value: int = 1
    """Points for each card in the Lake (rules C1)."""
    nertz_penalty: int = 2
    """Points taken for each card left in the Nertz pile (rules C2)."""
    bonus: int = 0
    """Points for the call, shared by all callers (rules C6)."""
    pile_size: int = 13
    """Cards in a Nertz pile at the start of a hand (rules B1)."""
    jokers: int = 0
    """Jokers in each deck (rules I3)."""
    rounds: int = 0
    """Hands after which the game ends, whatever the points; 0 for any number (rules D6)."""
    scoring: Scoring = Scoring.POINTS
    rank_extras: tuple[tuple[int, int], ...] = ()
    """Rank and extra points of the cards worth more or less than others in the Lake, by rank (rules C11)."""
    tie_breaker: TieBreaker = TieBreaker.EVERYBODY
    calls_break_ties: bool = True
    """Whether equal points go to whoever called more often; else straight to the tie-breaker (rules D4)."""
    false_call: int = 0
    """Points taken for a call that does not stand (rules H5)."""
    partnership: Partnership = Partnership.FREE
    play: Play = field(default_factory=Play)
    words: Words = Words.NERTZ
    layout: Layout = Layout.NERTZ
    """The game whose cards are dealt; all numbers of the layout follow from it (rules J2, J5, K13)."""
    note: str = ""
    """What else the table has agreed, in a few lines of its own for the rules card (rules A11)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rank_extras", tuple(sorted(tuple(pair) for pair in self.rank_extras)))
        _refuse([*_wrong_values(self, RULES_RANGES), *_wrong_extras(self), *wrong_note(self.note)])
        object.__setattr__(self, "note", _tidy(self.note))
        _refuse(_wrong_together(self))

    @property
    def deck_size(self) -> int:
        """Cards of one deck, jokers included (rules A8)."""
        return DECK + self.jokers

    @property
    def plan(self) -> Plan:
        """What the layout fixes."""
        return PLANS[self.layout]

    @property
    def columns(self) -> tuple[int, ...]:
        """Cards in each column of the River at the start: ``(1, 1, 1, 1)``, in Nuts ``(5, 4, 3, 2, 1)`` (rules J2)."""
        return self.plan.columns_of(self.play.river)

    @property
    def table_cards(self) -> int:
        """Cards in all columns of the River at the start."""
        return sum(self.columns)

    @property
    def foundation(self) -> int:
        """Cards that lie on the foundations before the first play (rules J5)."""
        return self.plan.foundation

    @property
    def most_in_pile(self) -> int:
        """Cards of a deck that the foundations, the other player and the River leave for one pile."""
        return (self.deck_size - self.foundation) // self.plan.sharers - self.table_cards

    @property
    def stream(self) -> int:
        """Cards of a Stream at the start: what the pile leaves (rules B4)."""
        return self.most_in_pile - self.pile_size

    @property
    def available(self) -> int:
        """Cards that can be played at one moment: the tops of Nertz pile, Stream and columns (rules E1).

        Seven with the five columns of Nuts, one where there are no columns.
        """
        return 2 + len(self.columns) if self.columns else 1

    @property
    def counts(self) -> bool:
        """Whether cards are counted at all; a tally of hands counts none (rules K19)."""
        return self.scoring is not Scoring.HANDS

    @property
    def lake_checks(self) -> bool:
        """Whether the heights of the Lake piles tell how many cards lie there (rules E4, J5)."""
        own_decks = self.plan.sharers == 1
        return own_decks and self.scoring in (Scoring.POINTS, Scoring.FOUNDATION) and not self.play.reversing

    @property
    def fewest_sides(self) -> int:
        """Two, or one where a player plays alone; as the layout wants it (rules K1, J1, J5)."""
        return self.plan.sides or (1 if self.scoring is Scoring.FOUNDATION else 2)

    @property
    def most_sides(self) -> int | None:
        """As the layout wants it; None for any number (rules K1, J1, J5)."""
        return self.plan.sides or None

    def extra_of(self, rank: int) -> int:
        """Points of a Lake card of *rank* beyond those of any Lake card (rules C11)."""
        return dict(self.rank_extras).get(rank, 0)


def suggested_target(bonus: int) -> int:
    """The usual target with such a bonus: 150 with one, 100 without (rules C7)."""
    return 150 if bonus else 100


def _refuse(wrong: Iterator[str] | list[str]) -> None:
    if reasons := list(wrong):
        raise RulesError(*reasons)


def _wrong_values(rules: Rules | Play, ranges: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    for each in fields(rules):
        value, default = getattr(rules, each.name), each.default
        words = each.name.replace("_", " ")
        if each.name in ranges:
            low, high = ranges[each.name]
            unused = each.name == "target" and value == 0 and getattr(rules, "rounds", 0)
            if not (is_whole(value) and (low <= value <= high or unused)):
                yield f"the {words} must be a whole number from {low} to {high}, not {value!r}"
        elif isinstance(default, StrEnum) and not isinstance(value, type(default)):
            yield f"the {words} must be one of {', '.join(type(default))}, not {value!r}"
        elif isinstance(default, bool) and not isinstance(value, bool):
            yield f"{words} is on or off, not {value!r}"


def _wrong_extras(rules: Rules) -> Iterator[str]:
    ranks = [rank for rank, _ in rules.rank_extras]
    for rank, extra in rules.rank_extras:
        if not (is_whole(rank) and 1 <= rank <= KING):
            yield f"there is no rank {rank!r} to give extra points: use 1 (ace) to {KING} (king)"
        elif not (is_whole(extra) and 0 < abs(extra) <= MAX_EXTRA):
            yield f"the extra points of {RANKS[rank - 1]} must be a whole number up to {MAX_EXTRA}, not {extra!r}"
    if len(set(ranks)) < len(ranks):
        yield "one rank has extra points twice: name each rank once"


def _tidy(note: str) -> str:
    """*note* without blank lines and needless spaces."""
    lines = (" ".join(line.split()) for line in note.splitlines())
    return "\n".join(line for line in lines if line)


def wrong_note(note: str) -> Iterator[str]:
    """Every reason why *note* can't stand on the rules card."""
    lines = _tidy(note).splitlines()
    if sum(map(len, lines)) > MAX_NOTE or len(lines) > NOTE_LINES:
        yield say(
            "the note is too long: use %(lines)s lines and %(letters)s letters at most",
            lines=NOTE_LINES,
            letters=MAX_NOTE,
        )
    if not all(map(is_shown, lines)):
        yield say("the note has signs that can't be shown: type it again")


def _wrong_together(rules: Rules) -> Iterator[str]:
    """Values that can be alone, but not with each other."""
    if rules.plan.sharers > 1:
        yield from _wrong_shares(rules)
    elif rules.stream < 0:
        columns = f"a River of {' + '.join(map(str, rules.columns))}" if rules.plan.staggered else ""
        dealt = f"a Nertz pile of {rules.pile_size} and {columns or f'a River of {rules.play.river}'}"
        yield f"{dealt} need more cards than a deck of {rules.deck_size}: make one of them smaller"
    if not rules.counts and (rules.bonus or rules.rank_extras):
        yield "a tally of hands counts no points: take the bonus and the extra points of ranks out"


def _wrong_shares(rules: Rules) -> Iterator[str]:
    """A deck of two players is dealt out, to each the same."""
    game, dealt = GAMES[rules.layout], rules.deck_size - rules.foundation
    if dealt % rules.plan.sharers:
        yield f"a deck of {rules.deck_size} can't be shared in {game}: use an even number of jokers"
    elif rules.stream:
        yield f"in {game} the whole deck is dealt, {rules.most_in_pile} cards to each pile, not {rules.pile_size}"
