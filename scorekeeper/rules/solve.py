"""The most likely reading of a hand that satisfies the checks, and the runner-up for a one-tap correction (rules M).

The eye's readings are weighed, not believed: a pile may be another card, a back without a deck may be
somebody's, a card may be missed or counted twice. Each such change has a price; the cheapest whole reading wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import log

from scorekeeper.rules.cards import KING, RANKS, Card, Suit
from scorekeeper.rules.house import DECK, Rules, Simultaneous
from scorekeeper.rules.lake import DeckId, Evidence, LakeReading, Pile, SeenBack, SpreadReading, height
from scorekeeper.rules.said import Said, say, say_count
from scorekeeper.rules.sides import Side

MISSED = 3.0
"""Price of a card that lies in the Lake and was not seen in the spread; all prices are natural logarithms of odds."""
PHANTOM = 2.0
"""Price of a back without a deck that is no card at all."""
TWICE = 5.0
"""Price of a card of the spread that was counted twice."""
TYPO = 4.0
"""Price of a typed T that is wrong."""
FACE = 2.5
"""Price of a card that spread and piles disagree about."""
SUIT = 6.0
"""Price of a pile more than there are aces."""
DOUBTS = 60
"""How many second thoughts about piles are looked at."""
TURNS = 3
"""How many backs are looked at that may be another deck's."""
CHANGES = 2
"""How many piles may be other cards than the eye says at once."""
FAINT = 1e-4
"""Probabilities below this count as this."""

Top = Card | None
"""The card on a pile; None for a finished pile that lies face down."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One whole reading of the Lake."""

    tops: tuple[Top, ...]
    total: int
    """T, the cards in the Lake."""
    lake: Mapping[DeckId, int]
    """L of each deck; backs whose deck nobody can tell are left out."""
    unsure: int
    """Cards that lie in the Lake but have no deck yet: a person says whose. Negative: cards counted twice."""
    cost: float
    """How unlikely it is: 0 is what the eye says, without any contradiction."""
    changes: tuple[str, ...] = ()
    """How it differs from what the eye says, in words."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The most likely reading, and the next that gives other numbers."""

    best: Proposal
    runner_up: Proposal | None

    @property
    def margin(self) -> float:
        """How much less likely the runner-up is, as a logarithm; infinite when there is none."""
        return self.runner_up.cost - self.best.cost if self.runner_up else float("inf")


@dataclass(frozen=True, slots=True)
class _Case:
    """What is known, in the form the search needs."""

    evidence: Evidence
    decks: int
    faces: Mapping[Card, int] | None
    allowed: int
    """Disagreements of faces and piles that house rules or unread cards explain."""
    room: Mapping[DeckId, int] = field(default_factory=dict)
    """Most cards each deck can have in the Lake (rules M7)."""
    backs: tuple[_Backs, ...] = ()
    """The spread, and its second thoughts; empty where nobody looked at backs."""


def solve(
    evidence: Evidence, rules: Rules, sides: Sequence[Side], left: Mapping[DeckId, int] | None = None
) -> Solution | None:
    """The two most likely readings of *evidence*; None when it says nothing, or heights say nothing by these rules."""
    if not rules.lake_checks or (evidence.lake is None and evidence.spread is None):
        return None
    return _solved(_case(evidence, rules, sides, left or {}))


def solve_backs(spread: SpreadReading, total: int | None, most: Mapping[DeckId, int]) -> Solution:
    """The same of a spread alone, by T and by the most cards of each deck, where they are known (rules M1, M7).

    The runner-up has other counts: T is not asked about here.
    """
    room = {deck: most.get(deck, DECK) for deck in spread.counts}
    backs = tuple(_backs(spread, room))
    return _solved(_Case(Evidence(lake=total, spread=spread), len(room), None, 0, room, backs), lambda each: each.lake)


def explain(
    proposal: Proposal, spread: SpreadReading, total: int | None, most: Mapping[DeckId, int] | None = None
) -> str:
    """What a person should look for at the table, by a proposal for *spread* and T; empty where all fits."""
    for deck, limit in (most or {}).items():
        if (count := proposal.lake.get(deck, 0)) > limit:
            return say(
                "%(deck)r shows %(count)s cards and can have %(limit)s at most: is one another deck's?",
                deck=str(deck),
                count=count,
                limit=limit,
            )
    if total is not None and proposal.total != total:
        return say("the %(Lake)s may hold %(seen)s cards, not %(total)s", seen=proposal.total, total=total)
    if proposal.unsure > 0 and total is not None:
        return say_count(
            "1 card is missing: look for cards that lie exactly on each other",
            "%(num)s cards are missing: look for cards that lie exactly on each other",
            proposal.unsure,
        )
    if proposal.unsure < 0:
        return say_count(
            "1 card too many: is one of an earlier group there again, or is the %(Lake)s's number wrong?",
            "%(num)s cards too many: are some of an earlier group there again, or is the %(Lake)s's number wrong?",
            -proposal.unsure,
        )
    return _moved(proposal.lake, spread)


def _moved(lake: Mapping[DeckId, int], spread: SpreadReading) -> Said | str:
    """Which decks get more or fewer cards than the eye gave them."""
    fewer, more = _differing(lake, spread)
    if more and fewer:
        return say("a card read as %(deck)r is likelier of %(other)r", deck=str(fewer[0]), other=str(more[0]))
    if more:
        return say("a card that fits no deck well is likeliest of %(other)r", other=str(more[0]))
    return ""


def explain_other(proposal: Proposal, spread: SpreadReading) -> Said | str:
    """The same of a runner-up: how the cards may be read otherwise; empty where it is what the eye says."""
    fewer, more = _differing(proposal.lake, spread)
    if more and fewer:
        return say("a card read as %(deck)r may be of %(other)r", deck=str(fewer[0]), other=str(more[0]))
    return say("a card that fits no deck well may be of %(other)r", other=str(more[0])) if more else ""


def _differing(lake: Mapping[DeckId, int], spread: SpreadReading) -> tuple[list[DeckId], list[DeckId]]:
    """Decks with fewer and decks with more cards than the eye gave them."""
    gaps = {deck: count - spread.counts.get(deck, 0) for deck, count in lake.items()}
    return [deck for deck, gap in gaps.items() if gap < 0], [deck for deck, gap in gaps.items() if gap > 0]


def dealt(spread: SpreadReading, lake: Mapping[DeckId, int]) -> dict[int, DeckId]:
    """Which backs, by their place, have to be of which other deck for *lake*: those of the cheapest second thoughts."""
    fewer, more = _differing(lake, spread)
    over: dict[DeckId | None, int] = {deck: spread.counts[deck] - lake[deck] for deck in fewer}
    over[None] = spread.unknown
    short = {deck: lake[deck] - spread.counts.get(deck, 0) for deck in more}
    turned: dict[int, DeckId] = {}
    for _, at, deck in sorted((_price(back, deck), at, deck) for at, back in enumerate(spread.cards) for deck in more):
        own = spread.cards[at].deck
        if at not in turned and short[deck] and over.get(own):
            turned[at], short[deck], over[own] = deck, short[deck] - 1, over[own] - 1
    return turned


def _price(back: SeenBack, deck: DeckId) -> float:
    """What it costs to believe that a back is of *deck*."""
    ranked = _ranked_decks(back)
    return log(max([chance for _, chance in ranked[:1]] + [FAINT]) / max(dict(ranked).get(deck, FAINT), FAINT))


def _solved(case: _Case, numbers: Callable[[Proposal], object] = lambda each: (each.total, each.lake)) -> Solution:
    """The best, and the next that differs in *numbers*."""
    ranked = sorted(_proposals(case), key=lambda proposal: proposal.cost)
    best = ranked[0]
    return Solution(best, next((each for each in ranked if numbers(each) != numbers(best)), None))


def _case(evidence: Evidence, rules: Rules, sides: Sequence[Side], left: Mapping[DeckId, int]) -> _Case:
    faces, allowed = None, evidence.duplicates if rules.play.simultaneous is Simultaneous.BOTH_STAY else 0
    if evidence.faces is not None:
        faces = Counter(face.card for face in evidence.faces.cards if face.card is not None)
        allowed += evidence.faces.count - faces.total()
    room = {side.deck: rules.deck_size - left.get(side.deck, 0) for side in sides if side.deck is not None}
    return _Case(evidence, len(sides), faces, allowed, room, tuple(_backs(evidence.spread, room)))


def _proposals(case: _Case) -> Iterator[Proposal]:
    lake, spread = case.evidence.lake, case.evidence.spread
    more = case.evidence.aside * KING + case.evidence.duplicates
    if isinstance(lake, LakeReading):
        for tops, cost, changes in _tops(lake.piles):
            total = sum(_height(top, case.evidence.start) for top in tops) + more
            yield from _with_backs(case, tops, total, cost + _disagreement(case, tops), changes)
        return
    if lake is not None:
        yield from _with_backs(case, (), lake + more, 0.0, ())
    if spread is not None and (lake is None or lake + more != spread.total):
        price, changes = (0.0, ()) if lake is None else (TYPO, (f"the Lake holds {spread.total}, not {lake + more}",))
        yield from _with_backs(case, (), spread.total, price, changes)


def _height(top: Top, start: int) -> int:
    return KING if top is None else height(top.rank, start)


def _tops(piles: Sequence[Pile]) -> Iterator[tuple[tuple[Top, ...], float, tuple[str, ...]]]:
    """The piles as the eye says, then with one or two of its second thoughts, each with its price."""
    candidates = [_candidates(pile) for pile in piles]
    base = [ranked[0] for ranked in candidates]
    doubts = sorted(
        (base[at][1] - chance, at, top) for at, ranked in enumerate(candidates) for top, chance in ranked[1:]
    )[:DOUBTS]
    for number in range(CHANGES + 1):
        for chosen in combinations(doubts, number):
            if len({at for _, at, _ in chosen}) < number:
                continue
            tops = [top for top, _ in base]
            for _, at, top in chosen:
                tops[at] = top
            yield tuple(tops), sum(price for price, _, _ in chosen), tuple(_changes(piles, tops))


def _changes(piles: Sequence[Pile], tops: Sequence[Top]) -> Iterator[str]:
    """In words: which piles are other cards than the eye says, and what the unread ones are."""
    for number, (pile, top) in enumerate(zip(piles, tops, strict=True), 1):
        if top is not None and top != pile.top:
            yield f"pile {number} is {top.code}{f', not {pile.top.code}' if pile.top else ''}"


def _candidates(pile: Pile) -> list[tuple[Top, float]]:
    """What a pile may be, the likeliest first, with the logarithm of its probability."""
    if pile.dead:
        return [(None, 0.0)]
    known: list[tuple[Top, float]] = [(pile.top, pile.confidence)] if pile.top else []
    known += [(card, chance) for card, chance in pile.others if card != pile.top]
    if not pile.others:
        rest = (1 - sum(chance for _, chance in known)) / (len(RANKS) - 1 if pile.top else DECK)
        known += [(card, rest) for card in _unseen(pile.top)]
    ranked = sorted(known, key=lambda each: -each[1])
    return [(top, log(max(chance, FAINT))) for top, chance in ranked]


def _unseen(top: Card | None) -> Iterator[Card]:
    """Every other rank of the suit, or any card where nothing is known."""
    for suit in [top.suit] if top else Suit:
        for rank in range(1, KING + 1):
            if (card := Card(rank, suit)) != top:
                yield card


def _disagreement(case: _Case, tops: Sequence[Top]) -> float:
    """Price of piles that can't lie beside each other or beside the face-up spread (rules M2-M5)."""
    suits = Counter(top.suit for top in tops if top is not None)
    crowded = sum(max(number - case.decks, 0) for number in suits.values())
    price = SUIT * (crowded + max(len(tops) + case.evidence.aside - 4 * case.decks, 0))
    if case.faces is None:
        return price
    finished = sum(top is None for top in tops) + case.evidence.aside
    return price + FACE * max(_off(case, tops, finished) - case.allowed, 0)


def _off(case: _Case, tops: Sequence[Top], finished: int) -> int:
    """Cards that the face-up spread has and the piles have not, or the other way round."""
    faces, start, off = case.faces or {}, case.evidence.start, 0
    reached = Counter(
        Card(rank, top.suit)
        for top in tops
        if top is not None
        for rank in range(1, KING + 1)
        if height(rank, start) <= height(top.rank, start)
    )
    missing: dict[Suit, list[int]] = {suit: [] for suit in Suit}
    for suit in Suit:
        missing[suit] = [faces.get(card, 0) - reached[card] for card in (Card(rank, suit) for rank in range(1, 14))]
    for _ in range(finished):
        fullest = max(Suit, key=lambda suit: sum(more > 0 for more in missing[suit]))
        missing[fullest] = [more - 1 for more in missing[fullest]]
    for by_rank in missing.values():
        off += sum(abs(more) for more in by_rank)
    return off


@dataclass(frozen=True, slots=True)
class _Backs:
    """A spread as the search needs it: counted, and its doubts in order."""

    seen: int
    unknown: int
    lake: Mapping[DeckId, int]
    """Without the unknown backs."""
    guesses: tuple[DeckId, ...]
    """The likeliest decks of the unknown backs, the surest first."""
    price: float
    changes: tuple[str, ...]


def _backs(spread: SpreadReading | None, room: Mapping[DeckId, int]) -> Iterator[_Backs]:
    """The spread as the eye says, then with one of its second thoughts; none where nobody looked at backs."""
    for seen, turned, words in _turned(spread) if spread is not None else ():
        lake, crowded = _moved_out(seen, room)
        unknown = [back for back in seen.cards if back.deck is None]
        likeliest = [max(back.others, key=lambda each: each[1]) for back in unknown if back.others]
        guesses = tuple(deck for deck, _ in sorted(likeliest, key=lambda each: -each[1]))
        yield _Backs(seen.total, len(unknown), lake, guesses, turned + crowded, words)


def _with_backs(
    case: _Case, tops: tuple[Top, ...], total: int, cost: float, changes: tuple[str, ...]
) -> Iterator[Proposal]:
    """The reading with its backs: unknown ones go to their likeliest deck as far as T wants them."""
    if not case.backs:
        yield Proposal(tops, total, {}, 0, cost, changes)
    for backs in case.backs:
        wanted = total - (backs.seen - backs.unknown)
        lake, given = _deal_out(backs, case.room, wanted)
        if wanted < 0:
            price = backs.unknown * PHANTOM - wanted * TWICE
        else:
            price = max(backs.unknown - wanted, 0) * PHANTOM + max(wanted - backs.unknown, 0) * MISSED
        yield Proposal(tops, total, lake, wanted - given, cost + price + backs.price, (*changes, *backs.changes))


def _turned(spread: SpreadReading) -> Iterator[tuple[SpreadReading, float, tuple[str, ...]]]:
    """The spread as the eye says, then with one of its least sure backs of another deck, each with its price."""
    yield spread, 0.0, ()
    for price, at, deck in _second_thoughts(spread)[:TURNS]:
        back = spread.cards[at]
        counts = {**spread.counts, deck: spread.counts.get(deck, 0) + 1}
        if back.deck is not None:
            counts[back.deck] -= 1
        cards = (*spread.cards[:at], replace(back, deck=deck), *spread.cards[at + 1 :])
        words = f"a card is {deck}'s" + (f", not {back.deck}'s" if back.deck else "")
        yield replace(spread, cards=cards, counts=counts), price, (words,)


def _second_thoughts(spread: SpreadReading) -> list[tuple[float, int, DeckId]]:
    """Price, place and second deck of every back that may be another deck's, the cheapest first."""
    thoughts = []
    for at, back in enumerate(spread.cards):
        ranked = _ranked_decks(back)
        thoughts += [(log(max(ranked[0][1], FAINT) / max(chance, FAINT)), at, deck) for deck, chance in ranked[1:2]]
    return sorted(thoughts)


def _ranked_decks(back: SeenBack) -> list[tuple[DeckId, float]]:
    """Which decks a back may be, its own first, then the likeliest."""
    own = [(back.deck, back.confidence)] if back.deck is not None else []
    return own + sorted((each for each in back.others if each[0] != back.deck), key=lambda each: -each[1])


def _moved_out(spread: SpreadReading, room: Mapping[DeckId, int]) -> tuple[dict[DeckId, int], float]:
    """The counts, where a deck has more than it can the least sure given to their second deck, and the price."""
    lake, price = dict(spread.counts), 0.0
    for cost, at, deck in _second_thoughts(spread):
        own = spread.cards[at].deck
        if own is not None and lake[own] > room.get(own, lake[own]) and lake.get(deck, 0) < room.get(deck, 0):
            lake[own], lake[deck], price = lake[own] - 1, lake.get(deck, 0) + 1, price + max(cost, 0.0)
    crowded = sum(max(count - room.get(deck, count), 0) for deck, count in lake.items())
    return lake, price + crowded * TWICE


def _deal_out(backs: _Backs, room: Mapping[DeckId, int], wanted: int) -> tuple[dict[DeckId, int], int]:
    """The counts with up to *wanted* of the unknown backs added, the surest first, and how many those are."""
    lake, given = dict(backs.lake), 0
    for deck in backs.guesses:
        if given < wanted and lake.get(deck, 0) < room.get(deck, 0):
            lake[deck] = lake.get(deck, 0) + 1
            given += 1
    return lake, given
